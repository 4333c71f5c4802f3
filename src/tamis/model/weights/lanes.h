/* The loops over the rows of a block in forest.py.

   In C, since Cython cannot say "compile this for several processors and choose when loaded". With
   that, and four tests at once, the trees take 0.27 ms a page instead of 0.40. Elsewhere than on
   Linux with GCC these are ordinary loops. All indexes are within bounds by the way `tests_of`
   makes the arrays; `size` is at most `BLOCK`. */
#include <stddef.h>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define TAMIS_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TAMIS_WIDE
#endif

/* Set all bits. */
TAMIS_WIDE static void fill(unsigned int *__restrict bits, int size)
{
    for (int row = 0; row < size; row++)
        bits[row] = 0xFFFFFFFFu;
}

/* Make four tests: clear the bits that are not kept in the rows above the threshold. */
TAMIS_WIDE static void clear(
    unsigned int *__restrict bits, int size,
    const float *__restrict a, float threshold_a, unsigned int keep_a,
    const float *__restrict b, float threshold_b, unsigned int keep_b,
    const float *__restrict c, float threshold_c, unsigned int keep_c,
    const float *__restrict d, float threshold_d, unsigned int keep_d)
{
    for (int row = 0; row < size; row++)
        bits[row] &= (keep_a | -(unsigned int)(a[row] <= threshold_a))
                   & (keep_b | -(unsigned int)(b[row] <= threshold_b))
                   & (keep_c | -(unsigned int)(c[row] <= threshold_c))
                   & (keep_d | -(unsigned int)(d[row] <= threshold_d));
}

/* Use this word in the rows that have bits left in it. */
TAMIS_WIDE static void take_over(
    const unsigned int *__restrict bits, int answers,
    unsigned int *__restrict remaining, int *__restrict place, int size)
{
    for (int row = 0; row < size; row++) {
        place[row] = bits[row] ? answers : place[row];
        remaining[row] = bits[row] ? bits[row] : remaining[row];
    }
}

/* Add the answer of the lowest bit left. */
TAMIS_WIDE static void add_leaves(
    const unsigned int *__restrict remaining, const int *__restrict place,
    const float *__restrict answer, double *__restrict sums, int size)
{
    for (int row = 0; row < size; row++) {
        unsigned int lowest = remaining[row] & (~remaining[row] + 1);
        sums[row] += answer[place[row] + (int)(lowest * 0x077CB531u >> 27)];
    }
}

/* Turn rows of some width into columns of some size, 16 rows at a time: a cache line of each. */
TAMIS_WIDE static void turn(
    const float *__restrict rows, int count, int width, float *__restrict columns, int size)
{
    int row = 0;
    for (; row + 16 <= count; row += 16)
        for (int column = 0; column < width; column++)
            for (int i = 0; i < 16; i++)
                columns[(size_t)column * size + row + i] = rows[(size_t)(row + i) * width + column];
    for (; row < count; row++)
        for (int column = 0; column < width; column++)
            columns[(size_t)column * size + row] = rows[(size_t)row * width + column];
}
