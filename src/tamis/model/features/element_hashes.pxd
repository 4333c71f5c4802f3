# C types of element_hashes.py.

cimport cython

cdef bint COMPILED
cdef unsigned long long ALL, GOLDEN, OTHER, PRIME, WHOLE
cdef int LONGEST_SEARCH, LONGEST_VALUE_SEARCH
cdef const unsigned long long[::1] SEED

@cython.locals(read=Tokens)
cpdef tuple read_tokens(const unsigned char[::1] source, const int[::1] first_row, const int[:, :] rows)
@cython.locals(distinct=Values)
cpdef tuple read_values(const unsigned char[::1] source, const int[::1] first_row, const int[:, :] rows)

@cython.final
cdef class Tokens:
    cdef const unsigned char[::1] source
    cdef const int[:, :] rows
    cdef Py_ssize_t count
    cdef tuple arrays
    cdef int[::1] owner
    cdef unsigned long long[::1] token

    cdef void begin(
        self, const unsigned char[::1] source, const int[:, :] rows, Py_ssize_t room
    ) except *
    cdef void make_room(self, Py_ssize_t room) except *
    cdef tuple list_tokens(self)
    cdef unsigned long long read(self, Py_ssize_t row, Py_ssize_t owner) except? 0
    cdef void add(self, unsigned long long token, Py_ssize_t owner) noexcept

@cython.final
cdef class Values:
    cdef Tokens tokens
    cdef const unsigned char[::1] source
    cdef const int[:, :] rows
    cdef int bits
    cdef Py_ssize_t count
    cdef int[::1] place, row
    cdef unsigned long long[::1] key, hashes

    cdef void begin(
        self, const unsigned char[::1] source, const int[:, :] rows, Py_ssize_t most
    ) except *
    cdef Py_ssize_t number_value(self, Py_ssize_t row) except -1
    cdef bint has_same_value(self, Py_ssize_t row, Py_ssize_t other) except -1

cdef unsigned long long hash_value(
    const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop
) noexcept

cpdef tuple hash_paths(const int[::1] parent, const int[::1] tag, const unsigned long long[::1] names)
cpdef unsigned long long mix_hash(unsigned long long number) noexcept
cpdef int number_equal(const unsigned long long[::1] keys, int[::1] group) except? -1
