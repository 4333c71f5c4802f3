# C types of structure.py.

cimport cython

from tamis.model.features.columns cimport BatchColumns
from tamis.model.features.walk cimport mixed, number_equal

ctypedef const int[::1] Numbers

cdef unsigned long long ALL
cdef int LEAST_UNITS, NONE, KINDS, TABLE, CELLS, FEWEST, FEWEST_ON_PATH, LONG_ENOUGH, SHORTER
cdef const int[::1] LISTS
cdef double MOST_ODDS, NEAR, NEAR_CELLS, NEAR_HEADING, MOST_EACH

# Kinds of groups.
cdef int CLASS_PATH, PATH, PARENT, LIST, UNIT, FAMILY, ROLE, INNER_UNIT, INNER_FAMILY, SECTION

# Columns.
cdef int ODDS, FIRST_POOLED
cdef int MEAN, SPREAD, HIGHEST, BLOCKS, WORDS, POOLED_COLUMNS, DONE, SUMS, TAKEN_FIRST
cdef int LEVELS, FIRST_AROUND, BESIDE, FIRST_BESIDE
cdef int PAGE_SHARE, PAGE_ABOVE, PAGE_CONTENT, PAGE_HIGHEST, PAGE_F
cdef int RANK, ABOVE_CUT, CONTENT_BEFORE

cpdef object groups(BatchColumns columns)
cpdef object write(
    BatchColumns columns,
    const int[:, ::1] group,
    const double[::1] odds,
    const double[::1] chance,
    float[:, ::1] out,
)
cpdef object bound(const double[::1] odds, double[::1] out)
cpdef object take(
    const float[:, :] features, const int[::1] taken, float[:, ::1] out, Py_ssize_t first
)
cdef void add_up(
    BatchColumns columns,
    const int[:, ::1] group,
    int kind,
    const double[::1] odds,
    double[:, ::1] sums,
) except *
cdef void clear(
    BatchColumns columns, const int[:, ::1] group, int kind, double[:, ::1] sums
) except *
@cython.locals(numbers=Numbers)
cdef void pool(
    BatchColumns columns,
    const int[:, ::1] group,
    int kind,
    const double[::1] odds,
    double[:, ::1] sums,
    float[:, ::1] out,
) except *
cdef void finish(double[:, ::1] sums, int number) noexcept
cdef void surroundings(BatchColumns columns, const double[::1] odds, float[:, ::1] out) except *
cdef void pages(
    BatchColumns columns, const double[::1] odds, const double[::1] chance, float[:, ::1] out
) except *
cpdef object settle(BatchColumns columns, const int[:, ::1] group, double[::1] odds)
cdef void settle_groups(
    BatchColumns columns,
    const int[:, ::1] group,
    int kind,
    int fewest,
    int least_words,
    double[::1] odds,
    double[:, ::1] sums,
) except *
cdef bint is_layout(BatchColumns columns, int table, double blocks) except *
cdef void settle_headings(BatchColumns columns, double[::1] odds) except *
