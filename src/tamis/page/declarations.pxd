# C types of declarations.py.

cdef int BODY, REL, HREF, CONTENT, TYPE
cdef bytes DATA
cdef const unsigned char[:, ::1] ANYWHERE
cdef const unsigned char[:, ::1] IN_HEAD
cdef const int[::1] SHORTEST
cdef const int[::1] LONGEST

cdef tuple tables()
cpdef tuple declarations(
    const unsigned char[::1] source,
    const int[::1] tag,
    const int[::1] first_row,
    const int[:, :] rows,
)
cdef bint has_data(const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end) except -1
