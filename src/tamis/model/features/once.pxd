# C types of once.py.

from tamis.model.features.columns cimport BatchColumns

cdef int COPY, STORY, CLASS_PATH, PATH, FAMILY, LONG_COPY, HEADLINE_WORDS
cdef double BETTER, OWN_TITLE, OTHER_TITLE, STORY_WORDS, LOWEST

cpdef object lower(BatchColumns columns, const int[:, ::1] group, double[::1] odds)
cpdef object extra(BatchColumns columns, const int[:, ::1] group, const double[::1] odds)
cdef void mark_copies(
    BatchColumns columns,
    const int[:, ::1] group,
    int[::1] first,
    int[::1] source,
    const double[::1] odds,
    int[::1] kinds,
) except *
cdef void mark_stories(
    BatchColumns columns, const int[:, ::1] group, const double[::1] odds, int[::1] kinds
) except *
