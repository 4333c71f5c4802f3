# C types of references.py.

cimport cython

cdef int LONGEST, LONGEST_WITHOUT_SEMICOLON, BEYOND, OFTEN
cdef dict NAMED
cdef tuple WINDOWS_1252

@cython.final
cdef class Reference:
    cdef readonly int code
    cdef readonly bytes utf8

    @cython.locals(text="const unsigned char *", length=Py_ssize_t)
    cpdef Py_ssize_t read(self, bytes source, Py_ssize_t place, Py_ssize_t end) except -1
    cdef bint read_name(self, bytes source, Py_ssize_t place, Py_ssize_t length) except -1
    cdef Py_ssize_t read_number(self, bytes source, Py_ssize_t place, Py_ssize_t end) except -1

cdef bint is_alphanumeric(int byte) noexcept
cdef int parse_digit(int byte) noexcept
cpdef str resolve_references(str text, bint attribute=*)
