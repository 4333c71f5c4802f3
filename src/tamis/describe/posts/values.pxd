# C types of values.py.

cdef unsigned long long ALL, START, PRIME
cdef int LONGEST_ADDRESS

cpdef object hashes(const unsigned char[::1] source, const int[::1] starts, const int[::1] ends)
cpdef object leads(
    const unsigned char[::1] source,
    const int[::1] starts,
    const int[::1] ends,
    const unsigned long long[::1] people,
)
cpdef tuple words_of(
    const unsigned char[::1] source, const int[::1] starts, const int[::1] ends
)
cpdef tuple names_of(
    const unsigned char[::1] source, const int[::1] starts, const int[::1] ends, int most
)
cpdef object declaring(
    const unsigned char[::1] source, const int[::1] starts, const int[::1] ends
)
cpdef object holding(
    const unsigned char[::1] source,
    const int[::1] starts,
    const int[::1] ends,
    const unsigned char[::1] word,
)
cdef bint is_letter(unsigned char c) noexcept
cdef bint is_white(unsigned char c) noexcept
cdef Py_ssize_t word_end(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end
) except? -1
cdef unsigned long long word_hash(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end
) except? 0
cdef bint may_be_permalink(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end
) except -1
cdef bint speaks_of_people(
    const unsigned char[::1] source,
    Py_ssize_t start,
    Py_ssize_t end,
    const unsigned long long[::1] people,
) except -1
