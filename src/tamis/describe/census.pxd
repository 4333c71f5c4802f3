# C types of census.py.

cimport cython

cdef unsigned long long ALL, START, PRIME
cdef unsigned long long OG_TYPE, GENERATOR, CANONICAL, OG_URL, JSON_LD
cdef int FEWEST_WORDS, LONG_TEXT, FEWEST_REPEATED
cdef int MOST_DECLARED, MOST_SCRIPTS, MOST_DATA, LONGEST_TYPE, LONGEST_VALUE, ROOM
cdef int META, RELATION, ITEM, DATA
cdef int LINK, IMAGE, BODY
cdef int ITEMTYPE, PROPERTY, NAME, REL, TYPE

cdef unsigned long long value_hash(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t stop, unsigned long long seed
) noexcept
cpdef unsigned long long hash_of(const unsigned char[::1] name)
cpdef Py_ssize_t elements(
    const int[::1] tag,
    const int[::1] parent,
    const int[::1] text_node,
    const int[::1] text_words,
    const int[::1] kind_of_tag,
    Py_ssize_t kinds,
    double[::1] out,
) except? -1
cpdef object text(
    const int[::1] words,
    const int[::1] link_words,
    const int[::1] chars,
    const int[::1] capitals,
    const int[::1] digits,
    const int[::1] punctuation,
    const int[::1] flags,
    const int[::1] bits,
    const int[::1] lengths,
    double[::1] out,
)
cpdef Py_ssize_t attributes(
    const unsigned char[::1] source,
    const int[:, :] rows,
    const int[::1] column,
    const unsigned char[::1] naming,
    int[:, ::1] chosen,
    double[::1] out,
) except? -1

@cython.final
cdef class DeclaredNames:
    cdef const unsigned char[::1] source
    cdef const int[:, ::1] rows
    cdef object made
    cdef int[::1] places
    cdef Py_ssize_t count
    cdef readonly Py_ssize_t address_start, address_end

    cdef int read(self, Py_ssize_t head) except? -1
    cpdef object found(self)
    cdef int add(self, unsigned long long value, int sort) except? -1
    cdef int declaration(self, Py_ssize_t row, unsigned long long value) except? -1
    cdef int data_types(self, Py_ssize_t i) except? -1

cpdef object with_pairs(
    const unsigned char[::1] source,
    const int[:, :] rows,
    Py_ssize_t low,
    Py_ssize_t high,
    const unsigned char[::1] looked_at,
    const unsigned char[::1] next_byte,
)
cpdef object weigh(
    const int[::1] places, const int[::1] row_of, const float[:, ::1] weights, float[::1] out
)
cpdef object answers(
    const float[::1] columns,
    const short[::1] feature,
    const float[::1] value,
    const int[::1] right,
    const int[::1] root,
    const int[::1] first,
    double[::1] out,
)
