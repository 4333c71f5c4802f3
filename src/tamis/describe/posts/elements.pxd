# C types of elements.py.

cimport cython

cdef unsigned long long ALL, START, PRIME
cdef int LEVELS, HTML, BODY, OFTEN
cdef int WEIGHT, PLAIN, WORDS, DATES, TITLES, MOMENTS, AUTHORS, PERMALINKS, POSTS
cdef int OF_TEXTS, OF_NODES
cdef double USUAL, TITLED

@cython.final
cdef class ElementTree:
    cdef const int[::1] parent, last, tag, first_text, end_text, first_name, name
    cdef const unsigned char[::1] is_typed
    cdef int count, texts, names
    cdef dict known

    @cython.locals(row=Py_ssize_t, low=Py_ssize_t, high=Py_ssize_t, level=int,
        following="int[::1]", units="int[::1]")
    cpdef tuple find_units(self, const int[::1] family, const int[::1] anchor)
    @cython.locals(row=Py_ssize_t, column=Py_ssize_t, out="double[:, ::1]")
    cpdef object sum_clues(
        self,
        const double[:, ::1] of_texts,
        const double[:, ::1] of_nodes,
        const int[::1] first,
        const int[::1] end,
    )
    cdef int find_text_end(self, int first, int end) except? -1
    @cython.locals(row=int)
    cpdef list make_keys(self, int node)
    @cython.locals(row=Py_ssize_t)
    cpdef object mark_usual(self, const int[::1] units)
    @cython.locals(row=Py_ssize_t, node=int)
    cpdef object trim_units(self, const int[::1] anchors, const int[::1] units)
    @cython.locals(row=Py_ssize_t, node=int)
    cpdef double share_named(
        self,
        const unsigned char[::1] is_post,
        const double[:, ::1] of_texts,
        const int[::1] first,
        const int[::1] end,
        const double[::1] plain,
    ) except? -1
    @cython.locals(row=Py_ssize_t, level=int, out="int[::1]")
    cpdef object find_around(
        self, const int[::1] node, const int[::1] first, const unsigned char[::1] chosen
    )
    @cython.locals(row=Py_ssize_t, level=int, out="unsigned long long[::1]")
    cpdef object hash_roles(
        self, const int[::1] node, const int[::1] first, const unsigned long long[::1] signatures
    )
    @cython.locals(row=Py_ssize_t, level=int)
    cpdef tuple sum_below(
        self,
        const int[::1] node,
        const int[::1] first,
        const int[::1] unit,
        const long long[::1] weight,
        const int[::1] words,
    )

@cython.locals(row=Py_ssize_t, inner=Py_ssize_t, column=Py_ssize_t)
cpdef void subtract_inner_units(
    const int[::1] family_ends, const int[::1] following, double[:, ::1] sums
) except *
@cython.locals(row=Py_ssize_t, column=Py_ssize_t, around="int[::1]")
cpdef void subtract_inner_ranges(
    const int[::1] first, const int[::1] end, double[:, ::1] sums
) except *
@cython.locals(row=Py_ssize_t)
cpdef tuple judge_units(const double[:, ::1] sums)
@cython.locals(family=Py_ssize_t, row=Py_ssize_t, total=double, many=double, titled=double,
    plain=double, words=double, out="double[::1]")
cpdef object score_families(
    const int[::1] bounds,
    const double[:, ::1] sums,
    const unsigned char[::1] good,
    const double[::1] worth,
)
@cython.locals(row=Py_ssize_t)
cpdef bint are_inside(
    const int[::1] nodes, const int[::1] firsts, const int[::1] ends
) except -1
@cython.locals(family=Py_ssize_t, row=Py_ssize_t, out="unsigned long long[::1]")
cpdef object hash_ranges(const int[::1] bounds, const int[::1] first, const int[::1] end)
