# C types of addresses.py.

cimport cython

cdef int _LONGEST, _LONGEST_BASE, _BASE

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
    cpdef str web(self, str address)
    cdef str _safe(self, str address, object schemes)

@cython.locals(node=Py_ssize_t)
cdef Py_ssize_t _first_base(const int[::1] tag) except? -1
@cython.locals(first=Py_ssize_t, character=Py_UCS4, before=Py_UCS4)
cdef bint _is_plain(str address) except -1
cdef bint _is_plain_relative(str address) except -1
cdef str _join(str base, str address)
cdef str _resolve_path(str path, str base_path)
