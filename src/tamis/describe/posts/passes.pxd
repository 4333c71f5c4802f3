# C types of passes.py.

cimport cython

cdef unsigned long long ALL, START, PRIME
cdef int LEVELS, HTML, BODY, OFTEN
cdef int WEIGHT, PLAIN, WORDS, DATES, TITLES, MOMENTS, AUTHORS, PERMALINKS, POSTS
cdef int OF_TEXTS, OF_NODES
cdef double USUAL, TITLED

@cython.final
cdef class NamedElements:
    cdef const int[::1] parent, last, tag, first_text, end_text, first_name, name
    cdef const unsigned char[::1] is_typed
    cdef int count, texts, names
    cdef dict known

    cpdef tuple units(self, const int[::1] family, const int[::1] anchor)
    cpdef object sums(
        self,
        const double[:, ::1] of_texts,
        const double[:, ::1] of_nodes,
        const int[::1] first,
        const int[::1] end,
    )
    cdef int text_end(self, int first, int end) except? -1
    cpdef list keys(self, int node)
    cpdef object usual(self, const int[::1] units)
    cpdef object trimmed(self, const int[::1] anchors, const int[::1] units)
    cpdef double named(
        self,
        const unsigned char[::1] is_post,
        const double[:, ::1] of_texts,
        const int[::1] first,
        const int[::1] end,
        const double[::1] plain,
    ) except? -1
    cpdef object around(
        self, const int[::1] node, const int[::1] first, const unsigned char[::1] chosen
    )
    cpdef object roles(
        self, const int[::1] node, const int[::1] first, const unsigned long long[::1] signatures
    )
    cpdef tuple below(
        self,
        const int[::1] node,
        const int[::1] first,
        const int[::1] unit,
        const long long[::1] weight,
        const int[::1] words,
    )

cpdef bint are_spread(
    const int[::1] parent,
    const int[::1] block_node,
    const int[::1] words,
    const unsigned char[::1] kept,
    double share,
) except -1
cpdef void take_off_inner(
    const int[::1] family_ends, const int[::1] following, double[:, ::1] sums
) except *
cpdef void take_off_ranges(
    const int[::1] first, const int[::1] end, double[:, ::1] sums
) except *
cpdef object scores(
    const int[::1] bounds,
    const double[:, ::1] sums,
    unsigned char[::1] good,
    double[::1] worth,
)
cpdef object are_posts(const double[:, ::1] sums)
cpdef bint are_several(
    const int[::1] units, const int[::1] firsts, const int[::1] ends
) except -1
cpdef object range_hashes(const int[::1] bounds, const int[::1] first, const int[::1] end)
cdef bint is_good(const double[:, ::1] sums, Py_ssize_t row) except -1
