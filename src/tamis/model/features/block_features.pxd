# C types of block_features.py.

cimport cython

from tamis.model.features.columns cimport BatchColumns, Span

cdef int NEAR, WIDE, NO_H1_BLOCKS, NO_H1_WORDS
cdef const int[::1] PLACE_OF_TAG, BITS
cdef const unsigned char[::1] FIRST_CLASS, LAST_CLASS

# Columns.
cdef int WORDS, LINK_DENSITY, TEXT_DENSITY, LINES, PUNCTUATION_PER_WORD, CAPITALS, DIGITS
cdef int CHARS_PER_WORD, UNSPACED, FIRST_CHARACTER, LAST_CHARACTER
cdef int FIRST_TAG, HEADING_LEVEL, TAGS_BEFORE, TAGS_AFTER, FIRST_FLAG
cdef int TAG_RATIO, TAG_RATIO_AROUND, TAG_RATIO_CHANGE
cdef int POSITION, WORD_POSITION, WORDS_BEFORE, UNLINKED_POSITION, WORDS_OF_LONGEST, INDEX
cdef int INDEX_FROM_END, DEPTH
cdef int BEFORE_WORDS, BEFORE_LINK_DENSITY, BEFORE_TEXT_DENSITY, BEFORE_SIBLING
cdef int AFTER_WORDS, AFTER_LINK_DENSITY, AFTER_TEXT_DENSITY, AFTER_SIBLING
cdef int NEAR_WINDOW, WIDE_WINDOW
cdef int BLOCKS_SINCE_HEADING, WORDS_SINCE_HEADING, LEVEL_OF_HEADING
cdef int BLOCKS_SINCE_H1, WORDS_SINCE_H1, SECTION_BLOCKS, SECTION_WORDS, SECTION_LINK_DENSITY

cpdef object prepare(BatchColumns columns)
cdef void find_tag_ratios(BatchColumns columns, Py_ssize_t page) except *
cdef void find_headings(BatchColumns columns, Py_ssize_t page) except *
cpdef object write(BatchColumns columns, Span span, float[:, ::1] out)
cdef void write_counts(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_landmarks(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_element(BatchColumns columns, Span span, float[:, ::1] out) except *
@cython.locals(before=double, after=double)
cdef void write_tag_ratios(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_position(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_neighbours(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_headings(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef double link_density(BatchColumns columns, Py_ssize_t block) except? -1
cdef double text_density(BatchColumns columns, Py_ssize_t block) except? -1
cdef int tags_between(BatchColumns columns, Py_ssize_t block) except? -1
cdef bint are_siblings(BatchColumns columns, Py_ssize_t block, Py_ssize_t neighbour) except -1
cdef void write_window(
    BatchColumns columns,
    Py_ssize_t low,
    Py_ssize_t high,
    float[:, ::1] out,
    Py_ssize_t row,
    int place,
) except *
