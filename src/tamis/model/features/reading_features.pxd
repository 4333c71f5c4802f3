# C types of reading_features.py.

cimport cython

from tamis.model.features.vocabulary cimport Vocabulary

cdef int MOST_GAP, LEVELS, IN_HEADING, TITLE, DESCRIPTION
cdef double LEAST, LINKED

# Columns.
cdef int PAGE_WORDS, PAGE_BLOCKS, PAGE_CONTENT, BEST_F, BEST_SAME_F, COUNT
cdef int FIRST_KIND
cdef int PRECISION, RECALL, EXPECTED_F, SAME_F, GAIN_P, GAIN_R, GAIN_F, GAIN_SAME_F
cdef int RUNS, HALVES, COMMON
cdef int WORDS, SHARE, BLOCKS, MEAN, HIGHEST, LINKS, OPEN, DIGITS, LINKED_HEADINGS, HEADINGS
cdef int EACH, TITLE_SHARE, DESCRIPTION_SHARE, KNOWN, COSINE, BEFORE, AFTER
cdef int FIRST_WHOLE, FIRST_ADDED, FIRST_REMOVED

@cython.final
cdef class ReadingFeatures:
    cdef Vocabulary vocabulary
    cdef const double[::1] probabilities
    cdef const unsigned char[:, ::1] readings
    cdef const int[::1] words, link_words, chars, digits
    cdef const unsigned char[::1] is_heading
    cdef int[::1] counts, others, marks
    cdef int mark
    cdef double square
    cdef float[:, ::1] table
    cdef double[:, ::1] levels

    @cython.locals(total=double, content=double)
    cpdef object fill(self, const int[::1] kinds)
    @cython.locals(own=double, right=double, gold=double, common=double, same=double, level=Py_ssize_t)
    cdef void write_expected(self, Py_ssize_t row, double content) except *
    @cython.locals(common=double, best=double, first=Py_ssize_t, last=Py_ssize_t)
    cdef void write_parts(self, Py_ssize_t row) except *
    cdef bint is_in(self, Py_ssize_t block, Py_ssize_t row, int best, int own) noexcept
    @cython.locals(square=double)
    cdef void count_words(self, Py_ssize_t row, int[::1] counts) except *
    @cython.locals(seen=double, known=double, all_words=double)
    cdef double compare_halves(self, Py_ssize_t row, double common) except? -1
    @cython.locals(
        all_words=double, blocks=double, mean=double, links=double, chars=double, digits=double,
        opened=double, headings=double, linked=double, early=double, late=double, highest=double,
        in_title=double, described=double, tokens=double, known=double, dot=double,
        own_square=double,
    )
    cdef void write_part(
        self, Py_ssize_t row, Py_ssize_t out, int in_best, int in_own, double best,
        Py_ssize_t before, Py_ssize_t after,
    ) except *
