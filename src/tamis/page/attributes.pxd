# C types of attributes.py.

cimport cython

@cython.final
cdef class Attributes:
    cdef bytes source
    cdef const int[::1] firsts
    cdef const int[::1] names
    cdef const int[::1] starts
    cdef const int[::1] ends

    @cython.locals(end=Py_ssize_t, row=Py_ssize_t)
    cpdef bytes raw(self, Py_ssize_t node, int number)

cpdef str value_of(bytes raw)
