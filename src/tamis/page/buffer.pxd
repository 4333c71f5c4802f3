# C types of buffer.py.

cimport cython

cdef int OTHER, SPACE, REFERRED, NOTHING, BEYOND
cdef int LONGEST, LONGEST_WITHOUT_SEMICOLON
cdef dict IN_UTF8

@cython.final
cdef class Buffer:
    cdef bytearray made
    cdef unsigned char[::1] view
    cdef Py_ssize_t end

    cdef int reserve(self, Py_ssize_t more) except -1
    cdef int put(self, int byte) except -1
    cdef int add(self, bytes text) except -1
    cdef str text(self, Py_ssize_t begin)
    cdef bint fold(
        self, bytes source, Py_ssize_t place, Py_ssize_t end, int verbatim
    ) except -1
    cdef bint copy(
        self, bytes source, Py_ssize_t place, Py_ssize_t end, int verbatim
    ) except -1
    cdef Py_ssize_t refer(
        self, bytes source, Py_ssize_t place, Py_ssize_t end
    ) except -1
    cdef bint refer_by_name(
        self, bytes source, Py_ssize_t place, Py_ssize_t length
    ) except -1
    cdef Py_ssize_t refer_by_number(
        self, bytes source, Py_ssize_t place, Py_ssize_t end
    ) except -1
    cdef int put_code_point(self, int code) except -1
    cdef int strip(self, Py_ssize_t begin, int preformatted) except -1

cdef bint is_space(int byte) noexcept
cdef bint is_alphanumeric(int byte) noexcept
cdef int digit_of(int byte) noexcept
cdef Py_ssize_t white_at(
    const unsigned char[::1] view, Py_ssize_t place, Py_ssize_t stop
) except? -1
cdef Py_ssize_t white_before(
    const unsigned char[::1] view, Py_ssize_t begin, Py_ssize_t place
) except? -1
