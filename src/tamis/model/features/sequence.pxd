# C types of sequence.py.

cdef int WORDS, LINK_WORDS, PUNCTUATION, BLOCKS, LONG, HEADINGS, GOOD, HIDDEN_WORDS, MASS
cdef int HIDDEN, LONG_BLOCK, MOST_GOOD_WORDS, NEAR, WIDE, NO_H1_BLOCKS, NO_H1_WORDS
cdef double MOST_COVER

cdef double at_least_one(double number) noexcept
cpdef object prefix_sums(
    const int[::1] words,
    const int[::1] link_words,
    const int[::1] punctuation,
    const int[::1] flags,
    const double[::1] level,
    double[:, ::1] sums,
)
cpdef object own_counts(
    const double[:, ::1] sums,
    const double[::1] link_density,
    const double[::1] text_density,
    const int[::1] chars,
    const int[::1] capitals,
    const int[::1] digits,
    const int[::1] unspaced,
    const int[::1] lines,
    const int[:, ::1] edges,
    const unsigned char[::1] first_class,
    const unsigned char[::1] last_class,
    float[:, :] out,
)
cpdef object positions(
    const long long[::1] first_block,
    const double[:, ::1] sums,
    const int[::1] depth,
    float[:, :] out,
)
cpdef object neighbours(
    const long long[::1] first_block,
    const double[:, ::1] sums,
    const double[::1] link_density,
    const double[::1] text_density,
    const int[::1] node,
    const int[::1] parent,
    float[:, :] out,
)
cdef int window(
    Py_ssize_t block,
    Py_ssize_t begin,
    Py_ssize_t end,
    Py_ssize_t reach,
    const double[:, ::1] sums,
    float[:, :] out,
    Py_ssize_t column,
) except? -1
cpdef object headings(
    const long long[::1] first_block, const double[:, ::1] sums, const double[::1] level, float[:, :] out
)
cpdef object flags_set(const int[::1] flags, const int[::1] bits, float[:, :] out)
cpdef object tags_between(
    const long long[::1] first_block,
    const int[::1] tags,
    const int[::1] first_text,
    const int[::1] end_text,
    float[:, :] out,
)
cpdef object tag_ratios(
    const long long[::1] first_block,
    const int[::1] chars,
    const int[::1] tags,
    const int[::1] end_text,
    double[::1] ratio,
    float[:, :] out,
)
cpdef object ancestors(
    const long long[::1] first_block,
    const int[:, ::1] around,
    int near_levels,
    const int[::1] first,
    const int[::1] end,
    const int[::1] last,
    const double[:, ::1] sums,
    const int[:, ::1] kinds,
    const int[::1] near,
    const int[::1] far,
    int[::1] number,
    double[:, ::1] held,
    float[:, :] out,
)
cdef int measure(
    Py_ssize_t node,
    Py_ssize_t low,
    Py_ssize_t high,
    Py_ssize_t after,
    Py_ssize_t begin,
    Py_ssize_t end,
    const double[:, ::1] sums,
    const int[:, ::1] kinds,
    double[:, ::1] out,
    Py_ssize_t row,
) except? -1
cpdef object similarities(
    const long long[::1] first_block,
    const double[:, ::1] counts,
    const double[:, ::1] declared,
    const double[:, ::1] same,
    float[:, :] out,
)
cpdef object wholes(
    const long long[::1] first_block,
    const long long[::1] first_node,
    const double[:, ::1] sums,
    const int[:, ::1] kinds,
    const double[::1] level,
    const double[:, ::1] siblings,
    const double[::1] best_score,
    const int[::1] chars,
    const int[::1] capitals,
    const int[::1] digits,
    const int[::1] flags,
    const int[::1] bits,
    double[:, ::1] out,
)
