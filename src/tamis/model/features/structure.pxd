# C types of structure.py.

from tamis.model.features.columns cimport BatchColumns
from tamis.model.features.walk cimport mixed, number_equal

cdef int LEAST_UNITS, NONE, KINDS, FEWEST
cdef const int[::1] LISTS
cdef double MOST_ODDS, NEAR, NEAR_HEADING

# Kinds of groups.
cdef int CLASS_PATH, PATH, PARENT, LIST, UNIT, FAMILY, ROLE, INNER_UNIT, INNER_FAMILY, SECTION

# Columns.
cdef int MEAN, SPREAD, HIGHEST, BLOCKS, WORDS, POOLED_COLUMNS
cdef int LEVELS, FIRST_AROUND, BESIDE, FIRST_BESIDE
cdef int PAGE_SHARE, PAGE_ABOVE, PAGE_CONTENT, PAGE_HIGHEST, PAGE_F
cdef int RANK, ABOVE_CUT, CONTENT_BEFORE

cpdef object groups(BatchColumns columns)
cdef void pool(
    BatchColumns columns,
    const int[::1] group,
    const double[::1] odds,
    float[:, :] out,
    Py_ssize_t first,
) except *
cdef void surroundings(BatchColumns columns, const double[::1] odds, float[:, :] out) except *
cdef void pages(
    BatchColumns columns, const double[::1] odds, const double[::1] chance, float[:, :] out
) except *
cdef void settle(
    BatchColumns columns, const int[::1] group, double[::1] odds, double least_words
) except *
cdef void settle_headings(BatchColumns columns, double[::1] odds) except *
