# C types of page_numbers.py.

cimport cython

cdef int FEWEST_WORDS, LONG_TEXT, FEWEST_REPEATED, LINK, IMAGE, KINDS
cdef int WORDS_BELOW, LINKS_BELOW, IMAGES_BELOW, REPEATED, REPEATED_WORDS, OF_ELEMENT

# Columns, and columns of what is counted on the way.
cdef int MOST, COUNT, SHARE_OF_WORDS, WORDS_EACH, FIRST_COUNT, FIRST_SHARE, LINKED, WITH_IMAGE
cdef int TEXT_ALONE, FIRST_REPEATED, WORDS, LINK_DENSITY, CAPITALS, DIGITS, PUNCTUATION
cdef int FIRST_PLACE, FIRST_BLOCKS, FIRST_LONG, FIRST_ATTRIBUTE, CLUSTER_WORDS, CLUSTER_SHARE
cdef int CLUSTER_OF_TEXT, CLUSTER_BLOCKS, CLUSTER_SECOND, WIDE_OF_TEXT, WIDE_SECOND, RUN_WORDS
cdef int RUN_SHARE, RUN_OF_TEXT, RUN_BLOCKS, RUN_START, RUN_LINK_DENSITY, HEADINGS_LINKED
cdef int HEADINGS_PLAIN, HEADINGS_WITH_TEXT, H1_WORDS, H1_START, H1_NEAR_LINKS, H1_FAR_LINKS
cdef int H1_WORDS_TO_TEXT, DATES, DATES_SHARE, PRICES, PRICES_SHARE, HEADLINES, HEADLINES_SHARE
cdef int TEXT_BLOCKS, TEXT_WORDS, MEAN_DEPTH, OWN_WORDS, OWN_BLOCKS, WIDE_WORDS, TARGETS, DEEPER
cdef int DEEPER_SHARE, BESIDE, SAME, WITH_QUERY, OUTSIDE, FRAGMENT, FIRST_QUANTILE, NODES, BLOCKS
cdef int BYTES

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

cpdef void count_elements(PageColumns page) except *
cpdef void sum_text(PageColumns page) except *
cpdef void count_attributes(PageColumns page) except *
cpdef void write_quantiles(PageColumns page, const int[::1] ordered) except *
cpdef void write_sizes(PageColumns page) except *

cdef int FEWEST_NET, SHORT, PRICE_DIGITS, DATE_DIGITS, NEAR, FAR, HEADLINE, OTHER_WORDS
cdef double LINK_COST, BLOCK_COST
cdef int HIDDEN, IN_HEADING, H1, HREF

cdef bint has_currency(const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop) noexcept
cpdef void write_shape(PageColumns page) except *
cdef bint is_text(int words, int links) noexcept
cdef double write_run(PageColumns page, double[::1] out) except? -1
cdef void write_headings(PageColumns page, double total, double[::1] out) except *
cdef void write_short_blocks(PageColumns page, double total, double[::1] out) except *
cdef void write_clusters(PageColumns page, double[::1] out) except *
@cython.locals(i=Py_ssize_t)
cpdef void write_targets(PageColumns page, const unsigned char[::1] own, Py_ssize_t path) except *
