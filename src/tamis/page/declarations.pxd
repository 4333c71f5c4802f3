# C types of declarations.py.

cimport cython

from tamis.page.attributes cimport value_of

cdef int BODY, META, REL, HREF, CONTENT, TYPE, NAME, PROPERTY, EQUIV
cdef bytes DATA
cdef const unsigned char[:, ::1] ANYWHERE
cdef const unsigned char[:, ::1] IN_HEAD
cdef const int[::1] SHORTEST
cdef const int[::1] LONGEST
cdef const unsigned char[::1] LOOKED_AT

cdef tuple tables()
cpdef tuple declarations(
    const unsigned char[::1] source,
    const int[::1] tag,
    const int[::1] first_row,
    const int[:, :] rows,
)
@cython.locals(row=Py_ssize_t)
cpdef list rows_of(const int[:, ::1] rows, int attribute)
cpdef dict meta_contents(bytes source, const int[:, ::1] rows)
cdef bint has_data(const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end) except -1
