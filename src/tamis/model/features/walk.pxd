# C types of walk.py.

cdef unsigned long long ALL, GOLDEN, OTHER
cdef int LONGEST_SEARCH, KEPT_BITS

cpdef tuple spans(
    const int[::1] first_text, const int[::1] end_text, const int[::1] text_block, int blocks
)
cpdef tuple levels(
    const int[::1] parent,
    const int[::1] first,
    const int[::1] end,
    const int[::1] block_node,
    int near_levels,
    int far_levels,
)
cpdef object counts_before(const int[::1] tag, const int[::1] kind_of_tag, int kinds)
cpdef tuple ways(const int[::1] parent, const int[::1] tag, const unsigned long long[::1] names)
cdef unsigned long long mixed(unsigned long long number) noexcept
cdef int number_alike(const unsigned long long[::1] keys, int[::1] group) except? -1
cpdef object counts_alike(const unsigned long long[::1] keys)
cpdef object same_way(
    const unsigned long long[::1] way,
    const int[::1] block_node,
    const double[:, ::1] sums,
    const long long[::1] first_block,
    float[:, :] out,
)
cpdef object repeated(
    const int[::1] parent,
    const int[::1] first,
    const int[::1] end,
    const unsigned long long[::1] alike,
    const double[:, ::1] sums,
    const long long[::1] first_block,
    const int[::1] block_node,
)
cpdef tuple containers(
    const int[::1] parent,
    const int[::1] last,
    const int[::1] level,
    const int[:, ::1] around,
    const double[:, ::1] sums,
    const int[::1] block_node,
    const long long[::1] first_node,
    const long long[::1] first_block,
)
cpdef object add_weights(
    const int[::1] node,
    const unsigned long long[::1] token,
    const unsigned long long[::1] keys,
    const float[:, ::1] weights,
    double[:, ::1] sums,
)
cpdef object token_table(const unsigned long long[::1] tokens)
cpdef object weigh_ways(
    const int[::1] parent,
    const int[::1] up,
    const int[::1] level,
    const double[:, ::1] weights,
    const int[::1] block_node,
)
