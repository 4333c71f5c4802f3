# C types of word_hashes.py.

cimport cython

cdef unsigned long long ALL, GOLDEN, START, PRIME
cdef int LONGEST_SEARCH, LONGEST_REFERENCE, IN_TITLE, IN_DESCRIPTION, IN_DATA, BREAK
cdef const unsigned char[::1] KIND, FOLDED
cdef const unsigned short[::1] LOWER_CASE
cdef int DIGIT, HAN, HIDDEN, IGNORED, LOWER, SEA, SYMBOL, UPPER

cdef unsigned int code_at(
    const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop
) except? 0xFFFFFFFF
cdef Py_ssize_t reference_end(
    const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop
) except? -1
cdef unsigned long long CODE, OF_KIND
cdef int CODE_BITS, KIND_BITS
cpdef unsigned long long character_at(
    const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop
) except? 0xFFFFFFFFFFFFFFFF
cdef unsigned int escape_at(
    const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop
) except? 0xFFFFFFFF
cdef Py_ssize_t read(
    const unsigned char[::1] source,
    Py_ssize_t i,
    Py_ssize_t stop,
    int escaped,
    unsigned long long[::1] words,
    Py_ssize_t count,
) except? -1
cpdef object hash_words(const unsigned char[::1] text, int escaped=*)
cpdef object hash_pairs(const unsigned long long[::1] words)
cdef unsigned long long hash_pair(unsigned long long word, unsigned long long following) noexcept

@cython.final
cdef class DeclaredSets:
    cdef int bits
    cdef bint has_pairs
    cdef readonly tuple counts
    cdef unsigned long long[::1] keys
    cdef unsigned char[::1] sets

    cdef bint add(self, unsigned long long key, int flag) except -1
    cdef size_t place_of(self, unsigned long long key) except? 0xFFFFFFFF
    cdef int find_sets(self, unsigned long long key) except? -1

cpdef tuple compare_words(
    const unsigned char[::1] source,
    const int[::1] start,
    const int[::1] end,
    const int[::1] block,
    const int[::1] flags,
    const int[::1] block_flags,
    DeclaredSets sets,
)
