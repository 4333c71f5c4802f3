# C types of candidates.py.

cimport cython

cdef int LEAST_DIGITS, MOST_DIGITS, MOST_WORDS, MOST_TEXTS, BACK, SENTENCE
cdef const unsigned char[::1] LOWER_CASE

cpdef list near_headline(
    const int[::1] digits,
    const int[::1] words,
    const int[::1] block,
    const unsigned char[::1] also,
    int headline,
)
@cython.locals(hint=bytes, matches=list)
cpdef list with_hints(
    const unsigned char[::1] source,
    const int[::1] first_row,
    const int[:, :] rows,
    Py_ssize_t low,
    Py_ssize_t high,
    const unsigned char[::1] looked_at,
    list hints,
)
cdef bint begins_with(
    const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t end, bytes hint
) noexcept
cpdef Py_ssize_t longest_sentences(const int[::1] words, const int[::1] punctuation) noexcept
cpdef list with_beginnings(
    const unsigned char[::1] source,
    const int[::1] starts,
    const int[::1] first_text,
    const int[::1] words,
    int most,
    const unsigned char[::1] begins,
)
