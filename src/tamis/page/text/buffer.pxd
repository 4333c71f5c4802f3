# C types of buffer.py.

cimport cython

from tamis.page.text.references cimport Reference

cdef int OTHER, SPACE, REFERRED, NOTHING

@cython.final
cdef class Buffer:
    cdef bytearray made
    cdef unsigned char[::1] view
    cdef Py_ssize_t end
    cdef Reference reference

    cdef int reserve(self, Py_ssize_t more) except -1
    cdef int put(self, int byte) except -1
    cdef int add(self, bytes text) except -1
    cdef str text(self, Py_ssize_t begin)
    cdef bint fold(
        self, bytes source, Py_ssize_t place, Py_ssize_t end, int verbatim, int preformatted
    ) except -1
    cdef Py_ssize_t refer(
        self, bytes source, Py_ssize_t place, Py_ssize_t end
    ) except -1
    cdef int put_code_point(self, int code) except -1
    cdef int strip(self, Py_ssize_t begin, int preformatted) except -1

cdef bint is_space(int byte) noexcept
cdef Py_ssize_t measure_white(
    const unsigned char[::1] view, Py_ssize_t place, Py_ssize_t stop
) except? -1
cdef Py_ssize_t measure_white_before(
    const unsigned char[::1] view, Py_ssize_t begin, Py_ssize_t place
) except? -1
