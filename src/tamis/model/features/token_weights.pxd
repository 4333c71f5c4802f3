# C types of token_weights.py.

cdef unsigned long long ALL, GOLDEN
cdef int LONGEST_SEARCH, LONGEST_RUN, OWN_NEAR, OWN_FAR, NEAR, FAR, LOWEST, HIGHEST, OF_NODES

# Columns.
cdef int ALL_TOKENS, NEAR_TOKENS, FAR_TOKENS, LOWEST_FAR, HIGHEST_FAR, OWN_TOKENS, ANCESTOR_TOKENS

cpdef object add_weights(
    const int[::1] node,
    const unsigned long long[::1] token,
    const unsigned long long[::1] keys,
    const float[:, ::1] weights,
    double[:, ::1] sums,
)
cpdef object make_token_table(const unsigned long long[::1] tokens)
cpdef object weigh_nodes(
    const int[::1] parent,
    const int[::1] tag,
    const double[:, ::1] of_tags,
    tuple names,
    const double[:, ::1] of_names,
)
cpdef object weigh_paths(
    const int[::1] up,
    const int[::1] level,
    const double[:, ::1] weights,
    const int[::1] block_node,
    Py_ssize_t first,
    float[:, :] out,
)
