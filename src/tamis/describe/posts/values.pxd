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
cdef bint may_be_permalink(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t end
) except -1
cdef bint speaks_of_people(
    const unsigned char[::1] source,
    Py_ssize_t start,
    Py_ssize_t end,
    const unsigned long long[::1] people,
) except -1
