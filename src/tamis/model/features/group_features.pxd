# C types of group_features.py.

cimport cython

from tamis.model.features.columns cimport BatchColumns
from tamis.model.features.element_hashes cimport mix_hash, number_equal

cdef unsigned long long ALL
cdef int LEAST_UNITS, NONE, KINDS
cdef const int[::1] LISTS
cdef double MOST_ODDS

# Kinds of groups.
cdef int CLASS_PATH, PATH, PARENT, LIST, UNIT, FAMILY, ROLE, INNER_UNIT, INNER_FAMILY, SECTION

# Columns.
cdef int ODDS, FIRST_POOLED, FIRST_COHESION
cdef int MEAN, SPREAD, HIGHEST, BLOCKS, WORDS, POOLED_COLUMNS, TAKEN_FIRST
cdef int LEVELS, FIRST_AROUND, BESIDE, FIRST_BESIDE
cdef int PAGE_SHARE, PAGE_ABOVE, PAGE_CONTENT, PAGE_HIGHEST, PAGE_F
cdef int RANK, ABOVE_CUT, CONTENT_BEFORE

cpdef object find_groups(BatchColumns columns)
cpdef object write_odds(
    BatchColumns columns,
    const int[:, ::1] group,
    const double[::1] odds,
    double[::1] chance,
    float[:, ::1] out,
)
cpdef object bound_odds(const double[::1] odds, double[::1] out, double[::1] negative)
cpdef object copy_features(
    const float[:, :] features, const int[::1] taken, float[:, ::1] out, Py_ssize_t first
)
@cython.locals(mean=double, spread=double, count=double, words=double)
cpdef int sum_groups(BatchColumns columns, const int[::1] numbers, const double[::1] odds) except -1
cdef void write_pooled(
    BatchColumns columns, const int[::1] numbers, const double[::1] odds, float[:, ::1] out
) except *
cdef void finish_sums(double[:, ::1] sums, int number) noexcept
cdef void write_surroundings(BatchColumns columns, const double[::1] odds, float[:, ::1] out) except *
@cython.locals(
    total=double, content=double, probable=double, best=double, cut=double, taken=double, f=double
)
cdef void write_pages(
    BatchColumns columns,
    const double[::1] odds,
    const double[::1] chance,
    float[:, ::1] out,
) except *
