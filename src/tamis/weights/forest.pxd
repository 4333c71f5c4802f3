# C types of forest.py.

cdef unsigned int ALL, DE_BRUIJN
cdef int BLOCK

cdef int sum_answers(
    const float[:, ::1] table,
    const int[::1] feature,
    const float[::1] threshold,
    const unsigned int[::1] keep,
    const int[::1] first_test,
    const int[::1] first_word,
    const float[::1] answer,
    double[::1] total,
) except? -1
cdef void fill(unsigned int *bits, int size) noexcept
cdef void clear(
    unsigned int *bits,
    const float *one, float threshold_one, unsigned int keep_one,
    const float *two, float threshold_two, unsigned int keep_two,
    int size,
) noexcept
cdef void take_over(
    const unsigned int *bits, int answers, unsigned int *found, int *place, int size
) noexcept
cdef void add_leaves(
    const unsigned int *found, const int *place, const float *answer, double *sums, int size
) noexcept
