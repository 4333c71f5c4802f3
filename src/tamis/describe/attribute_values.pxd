# C types of attribute_values.py.

cimport cython

cdef unsigned long long ALL, START, PRIME
cdef int LONGEST_ADDRESS
cdef const unsigned char[::1] LOWER_CASE

cpdef object hash_values(const unsigned char[::1] source, const int[::1] starts, const int[::1] ends)
cpdef object classify_addresses(
    const unsigned char[::1] source,
    const int[::1] starts,
    const int[::1] ends,
    const unsigned long long[::1] people,
)
cpdef tuple split_words(
    const unsigned char[::1] source, const int[::1] starts, const int[::1] ends
)
cpdef tuple split_names(
    const unsigned char[::1] source, const int[::1] starts, const int[::1] ends, int most
)
cpdef object mark_dated_tags(
    const unsigned char[::1] source, const int[::1] starts, const int[::1] ends
)
cpdef object mark_containing(
    const unsigned char[::1] source,
    const int[::1] starts,
    const int[::1] ends,
    const unsigned char[::1] word,
)
@cython.locals(hint=bytes, found=list)
cpdef list find_hints(
    const unsigned char[::1] source,
    const int[::1] starts,
    const int[::1] ends,
    const unsigned char[::1] is_read,
    list hints,
)
cdef bint has_hint(
    const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t end, bytes hint
) noexcept
cdef bint is_letter(unsigned char c) noexcept
cdef bint is_white(unsigned char c) noexcept
cdef Py_ssize_t find_word_end(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end
) except? -1
cdef unsigned long long hash_word(
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
