# C types of census.py.

cimport cython

cdef unsigned long long ALL, START, PRIME
cdef unsigned long long OG_TYPE, GENERATOR, CANONICAL, OG_URL, JSON_LD
cdef int FEWEST_WORDS, LONG_TEXT, FEWEST_REPEATED
cdef int MOST_DECLARED, MOST_SCRIPTS, MOST_DATA, LONGEST_TYPE, LONGEST_VALUE, LONGEST_NAME, ROOM
cdef int META, RELATION, ITEM, DATA
cdef int LINK, IMAGE, BODY
cdef int ITEMTYPE, PROPERTY, NAME, REL, TYPE

cdef unsigned long long value_hash(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t stop, unsigned long long seed
) noexcept

@cython.final
cdef class PageColumns:
    cdef const unsigned char[::1] source
    cdef const int[::1] tag, parent, depth, first_attribute
    cdef const int[::1] text_node, text_words, text_start, text_end
    cdef const int[::1] first_text, end_text, node
    cdef const int[::1] words, link_words, chars, capitals, digits, punctuation, flags
    cdef const int[:, :] attributes

cpdef void elements(
    PageColumns page, const int[::1] kind_of_tag, Py_ssize_t kinds, double[::1] out
) except *
cpdef void text(
    PageColumns page, const int[::1] bits, const int[::1] lengths, double[::1] out
) except *
cpdef Py_ssize_t attributes(
    PageColumns page,
    const int[::1] column,
    const unsigned char[::1] naming,
    int[:, :] chosen,
    double[::1] out,
) except? -1

cpdef Py_ssize_t root_attributes(PageColumns page, int[:, :] chosen) except? -1

@cython.final
cdef class DeclaredNames:
    cdef const unsigned char[::1] source
    cdef const int[:, ::1] rows
    cdef object made
    cdef int[::1] places
    cdef Py_ssize_t count
    cdef readonly Py_ssize_t address_start, address_end

    cdef void read(self, Py_ssize_t head) except *
    cpdef object hashes(self)
    cdef void add(self, unsigned long long value, int kind) except *
    cdef void declaration(self, Py_ssize_t row, unsigned long long value) except *
    cdef void data_types(self, Py_ssize_t i) except *

cpdef object with_pairs(
    const unsigned char[::1] source,
    const int[:, :] rows,
    Py_ssize_t low,
    Py_ssize_t high,
    const unsigned char[::1] looked_at,
    const unsigned char[::1] next_byte,
)
cpdef void weigh(
    const int[::1] places, const int[::1] row_of, const float[:, ::1] weights, float[::1] out
) except *
cpdef void answers(object trees, const float[::1] columns, double[::1] out) except *
