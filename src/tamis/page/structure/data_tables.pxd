# C types of data_tables.py.

cimport cython

cdef int MANY_BLOCKS, TABLE, ROW, CELL, HEADER, LISTING, OFTEN
cdef bytes IS_HEADING

@cython.locals(
    tag="const int[::1]", last="const int[::1]", begin="const int[::1]", end="const int[::1]",
    wanted="const unsigned char[::1]", innermost=int, steps=int, node=Py_ssize_t, is_innermost=bint,
)
cpdef tuple find_data_tables(object page, object shown=*)

@cython.locals(node=Py_ssize_t)
cdef bint _has_table(const int[::1] tag) except -1
cdef bint _is_any(const unsigned char[::1] flags, Py_ssize_t begin, Py_ssize_t end) except -1

@cython.locals(
    tag="const int[::1]", block="const int[::1]", begin="const int[::1]", end="const int[::1]",
    rows=int, cells=int, headers=int, full=int, most=int, listings=int, headings=int, kind=int,
    node=Py_ssize_t,
)
cdef bint _is_data(object page, Py_ssize_t first, Py_ssize_t last) except -1
