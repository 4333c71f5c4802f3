# C types of forest.py.

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

cdef extern from "lanes.h":
    void fill(unsigned int *bits, int size) noexcept
    void take_over(
        const unsigned int *bits, int answers, unsigned int *remaining, int *place, int size
    ) noexcept
    void clear(
        unsigned int *bits, int size,
        const float *a, float threshold_a, unsigned int keep_a,
        const float *b, float threshold_b, unsigned int keep_b,
        const float *c, float threshold_c, unsigned int keep_c,
        const float *d, float threshold_d, unsigned int keep_d,
    ) noexcept
    void add_leaves(
        const unsigned int *remaining, const int *place, const float *answer, double *sums, int size
    ) noexcept
    void turn(const float *rows, int count, int width, float *columns, int size) noexcept
