# C types of strings.py.

cimport cython

cdef int BREAK_BEFORE, HIDDEN, IN_PRE, SPACE_BEFORE, VERBATIM, OFTEN

cdef str decoded(bytes raw, int flags)

@cython.final
cdef class Strings:
    cdef object page
    cdef bytes source
    cdef const int[::1] flags
    cdef const int[::1] starts
    cdef const int[::1] ends
    cdef object breaks

    cpdef str text(self, Py_ssize_t text)
    cdef str separator(self, Py_ssize_t text)
    cdef str joined(self, const Py_ssize_t[::1] texts, Py_ssize_t begin, Py_ssize_t end)
    cdef str code(
        self, const Py_ssize_t[::1] texts, Py_ssize_t begin, Py_ssize_t end, str separator
    )
    cpdef str block(self, Py_ssize_t first, Py_ssize_t end, int hidden)

cdef object line_breaks(object page)
cpdef list block_texts(object page, object blocks)
