# C types of attributes.py.

cimport cython

cdef int OFTEN

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

@cython.locals(
    source=bytes, kinds="const int[::1]", starts="const int[::1]", ends="const int[::1]",
    firsts="const int[::1]", first=int, second=int, node=Py_ssize_t, row=Py_ssize_t,
)
cpdef list raw_values(object page, str name, str or_name=*)
