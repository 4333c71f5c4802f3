# C types of census.py.

cimport cython

cdef int FEWEST_WORDS, LONG_TEXT, FEWEST_REPEATED, LINK, IMAGE, KINDS
cdef const int[::1] KIND_OF_TAG, BITS, LENGTHS, COUNTER
cdef const double[::1] SHARES

@cython.final
cdef class PageColumns:
    cdef double[::1] numbers
    cdef const unsigned char[::1] source
    cdef const int[::1] tag, parent, depth, first_attribute
    cdef const int[::1] text_node, text_words, text_start, text_end
    cdef const int[::1] first_text, end_text, node
    cdef const int[::1] words, link_words, chars, capitals, digits, punctuation, flags
    cdef const int[:, :] attributes

cpdef void elements(PageColumns page, Py_ssize_t first) except *
cpdef void text(PageColumns page, Py_ssize_t first) except *
cpdef void quantiles(PageColumns page, const int[::1] ordered, Py_ssize_t first) except *
cpdef void attributes(PageColumns page, Py_ssize_t first) except *
cpdef void sizes(PageColumns page, Py_ssize_t first) except *
