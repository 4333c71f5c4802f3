# C types of scan_declarations.py.

cimport cython

from tamis.page.attributes cimport value_of

cdef int BODY, META, SCRIPT, REL, HREF, CONTENT, TYPE, NAME, PROPERTY, EQUIV
cdef int NODE, TAG, ATTRIBUTE, START, END, BESIDE_START, BESIDE_END, COLUMNS
cdef bytes DATA
cdef const unsigned char[:, ::1] ANYWHERE
cdef const unsigned char[:, ::1] IN_HEAD
cdef const int[::1] SHORTEST
cdef const int[::1] LONGEST
cdef const unsigned char[::1] LOOKED_AT

cdef tuple make_tables()
@cython.locals(row=Py_ssize_t, beside=Py_ssize_t)
cpdef tuple scan_declarations(
    const unsigned char[::1] source,
    const int[::1] tag,
    const int[::1] first_row,
    const int[:, :] rows,
)
@cython.locals(row=Py_ssize_t)
cpdef list select_rows(const int[:, ::1] rows, int attribute)
cdef tuple select_row(const int[:, ::1] rows, Py_ssize_t row)
@cython.locals(row=Py_ssize_t)
cpdef list find_described(const int[:, ::1] rows, int longest)
@cython.locals(row=Py_ssize_t)
cpdef dict index_meta(bytes source, const int[:, ::1] rows)
@cython.locals(place=Py_ssize_t, step=Py_ssize_t)
cdef bint has_data(const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end) except -1
