# C types of declarations.py.

cdef int BODY, REL, HREF, CONTENT, TYPE
cdef bytes DATA

cpdef tuple declarations(
    const unsigned char[::1] source,
    const int[::1] tag,
    const int[::1] first_row,
    const int[:, :] rows,
    const unsigned char[:, ::1] anywhere,
    const unsigned char[:, ::1] in_head,
    const int[::1] shortest,
    const int[::1] longest,
)
cdef bint has_data(const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end) except -1
