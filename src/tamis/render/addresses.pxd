# C types of addresses.py.

cimport cython

cdef int _LONGEST

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

@cython.final
cdef class Base:
    cdef str url
    cdef str page
    cdef str _origin
    cdef str _directory
    cdef bint _keeps_fragments

    cpdef bint is_page(self, str address) except -1
    cpdef str link(self, str href)
    cpdef str image(self, str src)
    cdef str _safe(self, str address, object schemes)

cdef str _joined(str base, str address)
