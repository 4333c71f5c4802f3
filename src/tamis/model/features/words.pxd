# C types of words.py.

cimport cython

cdef unsigned long long ALL, GOLDEN, START, PRIME, WHOLE
cdef int LONGEST_SEARCH, LONGEST_REFERENCE, IN_TITLE, IN_DESCRIPTION, IN_DATA, BREAK
cdef int DIGIT, HAN, HIDDEN, IGNORED, LOWER, SEA, SYMBOL, UPPER

cpdef tuple names(
    const unsigned char[::1] source, const int[::1] first_row, const int[:, :] rows
)

@cython.final
cdef class Reader:
    cdef const unsigned char[::1] source
    cdef const unsigned char[::1] kinds
    cdef const unsigned short[::1] lower
    cdef const unsigned char[::1] folded
    cdef object words_made
    cdef unsigned long long[::1] words

    cdef unsigned int code_at(self, Py_ssize_t i, Py_ssize_t stop) except? 0xFFFFFFFF
    cdef Py_ssize_t reference_end(self, Py_ssize_t i, Py_ssize_t stop) except? -1
    cdef unsigned int escape_at(self, Py_ssize_t i, Py_ssize_t stop) except? 0xFFFFFFFF
    cdef Py_ssize_t read(
        self, Py_ssize_t i, Py_ssize_t stop, int escaped, Py_ssize_t count
    ) except? -1

cpdef object words_of(const unsigned char[::1] text, int escaped=*)
cpdef object pairs_of(const unsigned long long[::1] words)
cdef unsigned long long pair(unsigned long long word, unsigned long long following) noexcept

@cython.final
cdef class DeclaredSets:
    cdef int bits
    cdef bint has_pairs
    cdef readonly tuple counts
    cdef unsigned long long[::1] keys
    cdef unsigned char[::1] sets

    cdef bint add(self, unsigned long long key, int flag) except -1
    cdef size_t place_of(self, unsigned long long key) except? 0xFFFFFFFF
    cdef int of(self, unsigned long long key) except? -1

cpdef tuple wording(
    const unsigned char[::1] source,
    const int[::1] start,
    const int[::1] end,
    const int[::1] block,
    const int[::1] flags,
    const int[::1] block_flags,
    DeclaredSets sets,
)
