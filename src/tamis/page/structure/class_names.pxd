# C types of class_names.py.

cimport cython

cdef int CLASS, TORN, CLOSE, SIZE

@cython.locals(
    source=bytes, row=Py_ssize_t, node=Py_ssize_t, bits=int, stop=Py_ssize_t, end=Py_ssize_t,
    nodes=list,
    names="const int[::1]", starts="const int[::1]", ends="const int[::1]",
    firsts="const int[::1]", letters="const int[:, ::1]",
)
cpdef list find_letters(object page, Py_ssize_t first, Py_ssize_t last)

@cython.locals(place=Py_ssize_t, bits=int, here=int)
cdef int read_letters(
    bytes source, const int[:, ::1] letters, Py_ssize_t start, Py_ssize_t end
) except? -1

@cython.locals(
    source=bytes, names="const int[::1]", starts="const int[::1]", ends="const int[::1]",
    firsts="const int[::1]", parents="const int[::1]", around="const int[::1]",
    wanted="const unsigned char[::1]", letters="const int[:, ::1]", torn=int, last=Py_ssize_t,
    block=Py_ssize_t, node=Py_ssize_t, end=Py_ssize_t, row=Py_ssize_t,
    was_read="unsigned char[::1]",
)
cpdef bint may_be_torn(object page, object kept) except -1
