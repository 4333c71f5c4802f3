# C types of settle.py.

from tamis.model.features.columns cimport BatchColumns
from tamis.model.features.structure cimport add_up

cdef int CELLS, IN_HEADING, ROLE, PATH, LIST, MEAN, BLOCKS, WORDS
cdef int FEWEST, FEWEST_ON_PATH, LONG_ENOUGH, SHORTER
cdef const int[::1] TABLES
cdef double NEAR, NEAR_CELLS, MOST_EACH, NEAR_HEADING, NOTHING_UNDER

cpdef object settle(BatchColumns columns, const int[:, ::1] group, double[::1] odds)
cdef void settle_groups(
    BatchColumns columns,
    const int[:, ::1] group,
    int kind,
    int fewest,
    int least_words,
    double[::1] odds,
) except *
cdef bint is_layout(BatchColumns columns, int table, double blocks) except *
cdef void settle_headings(BatchColumns columns, double[::1] odds) except *
