# C types of once.py.

from tamis.model.features.columns cimport BatchColumns

cdef int COPY, STORY, CLASS_PATH, PATH, FAMILY, LONG_COPY, HEADLINE_WORDS
cdef double BETTER, OWN_TITLE, OTHER_TITLE, STORY_WORDS

cpdef object mark_copies(
    BatchColumns columns,
    const int[:, ::1] group,
    const int[::1] same,
    int[::1] first,
    const double[::1] odds,
    int[::1] kinds,
)
cpdef object mark_stories(
    BatchColumns columns, const int[:, ::1] group, const double[::1] odds, int[::1] kinds
)
