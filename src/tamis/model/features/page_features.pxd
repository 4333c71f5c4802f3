# C types of page_features.py.

from tamis.model.features.columns cimport BatchColumns, Span

cdef double MOST_COVER
cdef const int[::1] BITS

# Columns.
cdef int TITLE_SHARE, TITLE_COVER, DESCRIPTION_SHARE, DESCRIPTION_WORDS, DESCRIPTION_COVER
cdef int DATA_SHARE, DATA_WORDS, DATA_COVER, DUPLICATES
cdef int WORDS, BLOCKS, WORDS_PER_BLOCK, WORDS_DEVIATION, LONGEST, LONG_WORDS, LONG_SHARE
cdef int VISIBLE_WORDS, HIDDEN, PUNCTUATION_PER_WORD, HEADINGS, H1, SIBLINGS, SIBLINGS_SHARE
cdef int CONTAINER_SHARE, CAPITALS, DIGITS, FIRST_LANDMARK, FIRST_KIND
cdef int WORDS_MEDIAN, NODES, BYTES, TITLE_WORDS, IS_ARTICLE, HAS_ARTICLE, END

cpdef object prepare(BatchColumns columns)
cpdef object write(BatchColumns columns, Span span, float[:, ::1] out)
cdef void write_similarity(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_page(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void compare_page(BatchColumns columns, Py_ssize_t page) except *
cdef void count_blocks(BatchColumns columns, Py_ssize_t page, double[::1] row) except *
cdef void measure_page(BatchColumns columns, Py_ssize_t page, double[::1] row) except *
