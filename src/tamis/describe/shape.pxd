# C types of shape.py.

from tamis.describe.census cimport PageColumns

cdef int FEWEST_NET, SHORT, PRICE_DIGITS, DATE_DIGITS, NEAR, FAR, HEADLINE, OTHER_WORDS
cdef double LINK_COST, BLOCK_COST
cdef int HIDDEN, IN_HEADING, H1, HREF

cdef bint has_currency(const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop) noexcept
cpdef void blocks(PageColumns page, Py_ssize_t first) except *
cdef bint is_text(int words, int links) noexcept
cdef double run_of_text(PageColumns page, double[::1] out) except? -1
cdef void headings(PageColumns page, double total, double[::1] out) except *
cdef void short_blocks(PageColumns page, double total, double[::1] out) except *
cdef void clusters(PageColumns page, double[::1] out) except *
cpdef void targets(
    PageColumns page, const unsigned char[::1] own, Py_ssize_t path, Py_ssize_t first
) except *
