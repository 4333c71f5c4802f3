# C types of walk.py.

cimport cython

cdef int HIDDEN, IN_FIGURE, IN_HEADING

@cython.locals(choice=_Choice, count=Py_ssize_t)
cpdef list chosen(object page, object shown, object roles, object table_firsts, object table_lasts)

@cython.final
cdef class _Choice:
    cdef const int[::1] tag, parent, flags, first_text, end_text, text_flags, text_block
    cdef const int[::1] block_node
    cdef const unsigned char[::1] block_level
    cdef int[::1] before, root
    cdef int total, checked
    cdef list columns
    cdef bint without_text, in_block

    @cython.locals(
        nodes="int[::1]", out_roles="int[::1]", firsts="int[::1]", ends="int[::1]",
        node=Py_ssize_t, table=Py_ssize_t, count=Py_ssize_t, above=int, first=int, end=int, role=int,
    )
    cdef Py_ssize_t run(
        self,
        const unsigned char[::1] roles,
        const Py_ssize_t[::1] table_firsts,
        const Py_ssize_t[::1] table_lasts,
    ) except -1
    cdef bint is_heading(self, Py_ssize_t node, int above) except -1
    @cython.locals(between=bint, root=int)
    cdef bint stands_among(self, Py_ssize_t node, int before) except -1
    @cython.locals(text=Py_ssize_t)
    cdef bint is_without_text(self, Py_ssize_t root) except -1
    @cython.locals(above=int, place=Py_ssize_t, texts=Py_ssize_t)
    cdef bint is_in_block(self, Py_ssize_t root) except -1
