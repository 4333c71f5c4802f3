# C types of names.py.

cimport cython

from tamis.model.features.walk cimport mixed

ctypedef const int[:, :] Rows
ctypedef const unsigned char[::1] Source

cdef bint COMPILED
cdef unsigned long long ALL, GOLDEN, PRIME, WHOLE
cdef int LONGEST_SEARCH
cdef const unsigned long long[::1] SEED

@cython.locals(read=Tokens)
cpdef tuple tokens(Source source, const int[::1] first_row, Rows rows)
@cython.locals(distinct=Values)
cpdef tuple values(Source source, const int[::1] first_row, Rows rows)

@cython.final
cdef class Tokens:
    cdef Source source
    cdef Rows rows
    cdef Py_ssize_t count
    cdef tuple arrays
    cdef int[::1] owner
    cdef unsigned long long[::1] token

    cdef void begin(self, Source source, Rows rows, Py_ssize_t room) except *
    cdef void make_room(self, Py_ssize_t room) except *
    cdef tuple made(self)
    cdef unsigned long long read(self, Py_ssize_t row, Py_ssize_t owner) except? 0
    cdef void add(self, unsigned long long token, Py_ssize_t owner) noexcept

@cython.final
cdef class Values:
    cdef Tokens tokens
    cdef Source source
    cdef Rows rows
    cdef int bits
    cdef Py_ssize_t count
    cdef int[::1] place, row
    cdef unsigned long long[::1] key, hashes

    cdef void begin(self, Source source, Rows rows, Py_ssize_t most) except *
    cdef Py_ssize_t of(self, Py_ssize_t row) except -1
    cdef bint equal(self, Py_ssize_t row, Py_ssize_t other) except -1

cdef unsigned long long fingerprint(Source source, Py_ssize_t i, Py_ssize_t stop) noexcept
