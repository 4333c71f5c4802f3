# C types of corrections.py.

cimport cython

from tamis.model.features.columns cimport BatchColumns
from tamis.model.features.group_features cimport sum_groups

cdef int CELLS, IN_HEADING, CLASS_PATH, PATH, LIST, FAMILY, ROLE, MEAN, BLOCKS, WORDS
cdef int FEWEST, FEWEST_ON_PATH, LONG_ENOUGH, SHORTER
cdef const int[::1] TABLES
cdef double NEAR, NEAR_CELLS, MOST_EACH, NEAR_HEADING, NOTHING_UNDER

cpdef object smooth_odds(BatchColumns columns, const int[:, ::1] group, double[::1] odds)
cdef void smooth_groups(
    BatchColumns columns,
    const int[:, ::1] group,
    int kind,
    int fewest,
    int least_words,
    double[::1] odds,
) except *
cdef bint is_layout(BatchColumns columns, int table, double blocks) except *
@cython.locals(words=double, weighted=double, under=double, following=double)
cdef void lift_headings(BatchColumns columns, double[::1] odds) except *

cdef int COPY, STORY, LONG_COPY, HEADLINE_WORDS
cdef double BETTER, OWN_TITLE, OTHER_TITLE, STORY_WORDS, LOWEST

cpdef object lower_extra_blocks(BatchColumns columns, const int[:, ::1] group, double[::1] odds)
cpdef object find_extra_blocks(BatchColumns columns, const int[:, ::1] group, const double[::1] odds)
@cython.locals(words=double, alike=double, related=double, gain=double)
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
