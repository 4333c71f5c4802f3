# C types of forest.py.

cimport cython

cdef int BLOCK, LANES

cdef extern from "lanes.h":
    void turn(const float *rows, int count, int width, float *columns, int size) noexcept
    void find_extents(
        const float *columns, size_t stride, int rows, int width, float *extents
    ) noexcept
    # Tests are bytes here, see `forest.TESTS`.
    void sum_trees(
        const float *columns,
        size_t stride,
        int rows,
        const float *extents,
        const void *tests,
        const int *first_tests,
        const int *first_word,
        int trees,
        const float *answers,
        unsigned int *room,
        int most,
        float *result,
        double *sums,
    ) noexcept

ctypedef const float *Floats

@cython.locals(columns=Floats)
cpdef int sum_answers(
    const float[:, :] table,
    const unsigned char[::1] tests,
    const int[::1] first_tests,
    const int[::1] first_word,
    const int[::1] first_tree,
    const float[::1] answer,
    double[:, :] sums,
) except? -1
