# C types of block.py.

from tamis.model.features.columns cimport Columns

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
cdef int NEAR_WORDS, NEAR_LINK_DENSITY, NEAR_PUNCTUATION
cdef int WIDE_WORDS, WIDE_LINK_DENSITY, WIDE_PUNCTUATION
cdef int BLOCKS_SINCE_HEADING, WORDS_SINCE_HEADING, LEVEL_OF_HEADING
cdef int BLOCKS_SINCE_H1, WORDS_SINCE_H1, SECTION_BLOCKS, SECTION_WORDS, SECTION_LINK_DENSITY

cpdef object write(Columns columns, float[:, :] out)
cdef void own(Columns columns, float[:, :] out) except *
cdef void element(Columns columns, float[:, :] out) except *
cdef void landmarks(Columns columns, float[:, :] out) except *
cdef void ratios(Columns columns, float[:, :] out) except *
cdef void position(Columns columns, float[:, :] out) except *
cdef void neighbours(Columns columns, float[:, :] out) except *
cdef void headings(Columns columns, float[:, :] out) except *
cdef double link_density(Columns columns, Py_ssize_t block) except? -1
cdef double text_density(Columns columns, Py_ssize_t block) except? -1
cdef bint are_siblings(Columns columns, Py_ssize_t block, Py_ssize_t other) except -1
cdef void window(
    Columns columns,
    float[:, :] out,
    Py_ssize_t block,
    Py_ssize_t low,
    Py_ssize_t high,
    int words,
    int link_density,
    int punctuation,
) except *
cdef void sections(Columns columns, float[:, :] out, Py_ssize_t begin, Py_ssize_t end) except *
