# C types of addresses.py.

cimport cython

cdef int _LONGEST, _LONGEST_BASE

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

cdef str _joined(str base, str address)
cdef str _resolved(str path, str base_path)
