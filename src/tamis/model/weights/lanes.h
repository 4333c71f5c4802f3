/* The loops of forest.py over the rows of a block.

   In C, since Cython cannot say "compile this for several processors and choose when it runs". A
   block has up to 256 rows, and its columns are contiguous. All indexes are within bounds by the way
   `tests_of` makes the arrays. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define BLOCK 256
#define WORD 32
#define DE_BRUIJN 0x077CB531u

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#define HAS_512
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#define WIDEST __attribute__((target("avx512f")))
#else
#define WIDE
#endif

/* An inner node of a tree, or the part of it that falls into one word of leaves: whether a column
   is at most the threshold, and the leaves that cannot be reached if that holds for no row, for
   some, for all rows of a block. */
typedef struct {
    int column;
    float threshold;
    unsigned int clear[3];
} Test;

/* A float as a whole number in the same order, and back; what is no number is at the ends. */
static inline int order_of(float value)
{
    int bits;
    memcpy(&bits, &value, sizeof bits);
    return bits ^ (bits >> 31 & 0x7FFFFFFF);
}

static inline float float_of(int order)
{
    float value;
    order ^= order >> 31 & 0x7FFFFFFF;
    memcpy(&value, &order, sizeof value);
    return value;
}

/* The lowest and the highest value of each column: as whole numbers, which compilers know to do
   several at once. Infinite where one is no number, which fails every test. */
WIDE static void find_extents(
    const float *__restrict columns, size_t stride, int rows, int width, float *__restrict extents)
{
    for (int column = 0; column < width; column++) {
        const float *__restrict values = columns + column * stride;
        int low = INT_MAX, high = INT_MIN;
        for (int row = 0; row < rows; row++) {
            int order = order_of(values[row]);
            low = order < low ? order : low;
            high = order > high ? order : high;
        }
        int odd = low < order_of(-INFINITY) || high > order_of(INFINITY);
        extents[2 * column] = odd ? -INFINITY : float_of(low);
        extents[2 * column + 1] = odd ? INFINITY : float_of(high);
    }
}

/* Choose the tests of a word that have to be made: not all rows of the block answer them alike, and
   they are not in a branch that no row gets to. Gives their number, and the leaves that the others
   leave. */
static int choose(
    const Test *test, const Test *end, const float *extents, const Test **chosen,
    unsigned int *leaves)
{
    unsigned int left = 0xFFFFFFFFu;
    int number = 0;
    for (; test < end; test++) {
        const float *extent = extents + 2 * test->column;
        int passed = (extent[0] <= test->threshold) + (extent[1] <= test->threshold);
        left &= ~test->clear[passed];
        chosen[number] = test;
        number += (passed & 1) & ((test->clear[0] & left) != 0);
    }
    *leaves = left;
    return number;
}

/* Make four tests. */
WIDE static void clear(
    unsigned int *__restrict bits, int rows,
    const float *__restrict a, float threshold_a, unsigned int keep_a,
    const float *__restrict b, float threshold_b, unsigned int keep_b,
    const float *__restrict c, float threshold_c, unsigned int keep_c,
    const float *__restrict d, float threshold_d, unsigned int keep_d)
{
    for (int row = 0; row < rows; row++)
        bits[row] &= (keep_a | -(unsigned int)(a[row] <= threshold_a))
                   & (keep_b | -(unsigned int)(b[row] <= threshold_b))
                   & (keep_c | -(unsigned int)(c[row] <= threshold_c))
                   & (keep_d | -(unsigned int)(d[row] <= threshold_d));
}

/* Take the answers of the lowest leaves left; rows that have none left in this word keep theirs. */
WIDE static void take(
    const unsigned int *__restrict bits, int rows, const float *__restrict answers,
    float *__restrict result)
{
    for (int row = 0; row < rows; row++) {
        unsigned int lowest = bits[row] & (~bits[row] + 1);
        result[row] = bits[row] ? answers[lowest * DE_BRUIJN >> 27] : result[row];
    }
}

/* Make tests in all rows and take the answers: by fours, to load and store less. The last is made
   again if need be. */
static void answer(
    const float *columns, size_t stride, int rows, const Test *const *chosen, int count,
    unsigned int leaves, const float *answers, float *result)
{
    unsigned int bits[BLOCK];
    for (int row = 0; row < rows; row++)
        bits[row] = leaves;
#define TEST(i)                                                                                     \
    columns + chosen[i]->column * stride, chosen[i]->threshold, ~chosen[i]->clear[0]
    for (int i = 0, last = count - 1; i < count; i += 4) {
        int second = i + 1 < last ? i + 1 : last;
        int third = i + 2 < last ? i + 2 : last;
        int fourth = i + 3 < last ? i + 3 : last;
        clear(bits, rows, TEST(i), TEST(second), TEST(third), TEST(fourth));
    }
    take(bits, rows, answers, result);
}

/* Add the answers of a tree. */
WIDE static void add(const float *__restrict result, int rows, double *__restrict sums)
{
    for (int row = 0; row < rows; row++)
        sums[row] += result[row];
}

#ifdef HAS_512
#define LANES 16

/* What `answer` does, for so many times 16 rows, a number that the compiler knows, of which the last
   16 need not be all there. */
WIDEST static inline __attribute__((always_inline)) void answer_vectors(
    const float *columns, size_t stride, const int vectors, __mmask16 last,
    const Test *const *chosen, int count, unsigned int leaves, const float *answers, float *result)
{
    __m512i bits[4];
    for (int i = 0; i < vectors; i++)
        bits[i] = _mm512_set1_epi32(leaves);
    for (int number = 0; number < count; number++) {
        const float *values = columns + chosen[number]->column * stride;
        __m512 threshold = _mm512_set1_ps(chosen[number]->threshold);
        __m512i left = _mm512_set1_epi32(chosen[number]->clear[0]);
        for (int i = 0; i < vectors; i++) {
            __m512 value = i < vectors - 1 ? _mm512_loadu_ps(values + LANES * i)
                                           : _mm512_maskz_loadu_ps(last, values + LANES * i);
            __mmask16 fails = _mm512_cmp_ps_mask(value, threshold, _CMP_NLE_UQ);
            bits[i] = _mm512_mask_andnot_epi32(bits[i], fails, left, bits[i]);
        }
    }
    __m512 low = _mm512_loadu_ps(answers), high = _mm512_loadu_ps(answers + LANES);
    for (int i = 0; i < vectors; i++) {
        __m512i negative = _mm512_sub_epi32(_mm512_setzero_si512(), bits[i]);
        __m512i place = _mm512_mullo_epi32(
            _mm512_and_epi32(bits[i], negative), _mm512_set1_epi32(DE_BRUIJN));
        __m512 found = _mm512_permutex2var_ps(low, _mm512_srli_epi32(place, 27), high);
        __mmask16 some = _mm512_test_epi32_mask(bits[i], bits[i]);
        _mm512_mask_storeu_ps(result + LANES * i, i < vectors - 1 ? some : some & last, found);
    }
}

WIDEST static void answer_512(
    const float *columns, size_t stride, int rows, const Test *const *chosen, int count,
    unsigned int leaves, const float *answers, float *result)
{
    int row = 0;
    __mmask16 last = 0xFFFF >> (-rows & (LANES - 1));
#define VECTORS(number, last)                                                                       \
    answer_vectors(                                                                                 \
        columns + row, stride, number, last, chosen, count, leaves, answers, result + row)
    for (; row + 4 * LANES <= rows; row += 4 * LANES)
        VECTORS(4, 0xFFFF);
    if (row + 3 * LANES < rows)
        VECTORS(4, last);
    else if (row + 2 * LANES < rows)
        VECTORS(3, last);
    else if (row + LANES < rows)
        VECTORS(2, last);
    else if (row < rows)
        VECTORS(1, last);
}
#endif

/* Add what all trees answer, in their order, to the sums of some rows. The words of a tree are
   looked at from the last to the first: one with leaves left takes over from those after it. */
static void sum_trees(
    const float *columns, size_t stride, int rows, const float *extents, const Test *tests,
    const int *first_test, const int *first_word, int trees, const float *answers,
    const Test **chosen, float *result, double *sums)
{
    int wide = 0;
#ifdef HAS_512
    wide = __builtin_cpu_supports("avx512f");
#else
#define answer_512 answer
#endif
    for (int tree = 0; tree < trees; tree++) {
        for (int word = first_word[tree + 1] - 1; word >= first_word[tree]; word--) {
            unsigned int leaves;
            const Test *first = tests + first_test[word], *end = tests + first_test[word + 1];
            int count = choose(first, end, extents, chosen, &leaves);
            (wide ? answer_512 : answer)(
                columns, stride, rows, chosen, count, leaves, answers + WORD * word, result);
        }
        add(result, rows, sums);
    }
}

/* Turn rows of some width into columns of some size, 16 rows at a time: a cache line of each. */
WIDE static void turn(
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
