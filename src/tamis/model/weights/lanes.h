/* The loops of forest.py over the rows of a block.

   In C, since Cython cannot say "compile this for several processors and choose when it runs". A
   block has up to 256 rows, and its columns are contiguous. All indexes are within bounds by the way
   `make_tests` makes the arrays. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define BLOCK 256
#define WORD 32
#define LANES 16
#define VECTORS 3
#define DE_BRUIJN 0x077CB531u

/* GCC alone makes several copies of a function, and only glibc chooses one of them when a module is
   loaded; musl, which has no name of its own, cannot. Others (clang, MSVC) compile the plain loops. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#define HAS_512
#define WIDEST __attribute__((target("avx512f")))
#endif
#if defined(HAS_512) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

/* Sixteen tests of a word. Each is an inner node of a tree, or the part of it that falls into one
   word of leaves: whether a column is at most the threshold, and the leaves that cannot be reached
   if that holds for no row of a block, and if it holds for all. */
typedef struct {
    int column[LANES];
    float threshold[LANES];
    unsigned int none[LANES];
    unsigned int all[LANES];
} Tests;

/* The tests that have to be made, and the leaves that a row cannot reach if it fails. */
typedef struct {
    int *column;
    float *threshold;
    unsigned int *clear;
} Chosen;

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
    const Tests *tests, const Tests *end, const float *extents, Chosen chosen, unsigned int *leaves)
{
    unsigned int left = 0xFFFFFFFFu;
    int number = 0;
    for (; tests < end; tests++)
        for (int i = 0; i < LANES; i++) {
            const float *extent = extents + 2 * tests->column[i];
            int some = extent[0] <= tests->threshold[i];
            int all = extent[1] <= tests->threshold[i];
            left &= ~(all ? tests->all[i] : some ? 0 : tests->none[i]);
            chosen.column[number] = tests->column[i];
            chosen.threshold[number] = tests->threshold[i];
            chosen.clear[number] = tests->none[i];
            number += (some & !all) & ((tests->none[i] & left) != 0);
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
    const float *columns, size_t stride, int rows, Chosen chosen, int count, unsigned int leaves,
    const float *answers, float *result)
{
    unsigned int bits[BLOCK];
    for (int row = 0; row < rows; row++)
        bits[row] = leaves;
#define TEST(i) columns + chosen.column[i] * stride, chosen.threshold[i], ~chosen.clear[i]
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
/* What `choose` does, 16 tests at once; a bit for each test that has to be made. */
WIDEST static unsigned int choose_512(
    const Tests *tests, int count, const float *extents, __mmask16 *chosen)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    __m512i cleared = _mm512_setzero_si512();
    for (int i = 0; i < count; i++) {
        __m512i column = _mm512_loadu_si512(tests[i].column);
        __m512 threshold = _mm512_loadu_ps(tests[i].threshold);
        __m512 first = _mm512_castpd_ps(
            _mm512_i32gather_pd(_mm512_castsi512_si256(column), extents, 8));
        __m512 second = _mm512_castpd_ps(
            _mm512_i32gather_pd(_mm512_extracti64x4_epi64(column, 1), extents, 8));
        __m512 low = _mm512_permutex2var_ps(first, even, second);
        __m512 high = _mm512_permutex2var_ps(first, odd, second);
        __mmask16 some = _mm512_cmp_ps_mask(low, threshold, _CMP_LE_OQ);
        __mmask16 all = _mm512_cmp_ps_mask(high, threshold, _CMP_LE_OQ);
        cleared = _mm512_mask_or_epi32(cleared, ~some, cleared, _mm512_loadu_si512(tests[i].none));
        cleared = _mm512_mask_or_epi32(cleared, all, cleared, _mm512_loadu_si512(tests[i].all));
        chosen[i] = some & ~all;
    }
    unsigned int leaves = ~_mm512_reduce_or_epi32(cleared);
    for (int i = 0; i < count; i++)
        chosen[i] = _mm512_mask_test_epi32_mask(
            chosen[i], _mm512_loadu_si512(tests[i].none), _mm512_set1_epi32(leaves));
    return leaves;
}

/* Add what all trees answer to the sums of so many times 16 rows, a number that the compiler knows,
   of which the last 16 need not be all there. `chosen` and `leaves` are from `choose_512`. */
WIDEST static inline __attribute__((always_inline)) void sum_vectors(
    const float *columns, size_t stride, const int vectors, __mmask16 last, const Tests *tests,
    const int *first_tests, const int *first_word, int trees, const float *answers,
    const __mmask16 *chosen, const unsigned int *leaves, double *sums)
{
    __m512d sum[2 * VECTORS];
#define HALF(i) (i < 2 * vectors - 2 ? 0xFF : i & 1 ? last >> 8 : last & 0xFF)
    for (int i = 0; i < 2 * vectors; i++)
        sum[i] = _mm512_maskz_loadu_pd(HALF(i), sums + LANES / 2 * i);
    for (int tree = 0; tree < trees; tree++) {
        __m512 result[VECTORS];
        for (int i = 0; i < vectors; i++)
            result[i] = _mm512_setzero_ps();
        for (int word = first_word[tree + 1] - 1; word >= first_word[tree]; word--) {
            __m512i bits[VECTORS];
            for (int i = 0; i < vectors; i++)
                bits[i] = _mm512_set1_epi32(leaves[word]);
            for (int group = first_tests[word]; group < first_tests[word + 1]; group++)
                for (unsigned int left = chosen[group]; left; left &= left - 1) {
                    int test = __builtin_ctz(left);
                    const float *values = columns + tests[group].column[test] * stride;
                    __m512 threshold = _mm512_set1_ps(tests[group].threshold[test]);
                    __m512i clear = _mm512_set1_epi32(tests[group].none[test]);
                    for (int i = 0; i < vectors; i++) {
                        __m512 value = i < vectors - 1
                            ? _mm512_loadu_ps(values + LANES * i)
                            : _mm512_maskz_loadu_ps(last, values + LANES * i);
                        __mmask16 fails = _mm512_cmp_ps_mask(value, threshold, _CMP_NLE_UQ);
                        bits[i] = _mm512_mask_andnot_epi32(bits[i], fails, clear, bits[i]);
                    }
                }
            __m512 low = _mm512_loadu_ps(answers + WORD * word);
            __m512 high = _mm512_loadu_ps(answers + WORD * word + LANES);
            for (int i = 0; i < vectors; i++) {
                __m512i negative = _mm512_sub_epi32(_mm512_setzero_si512(), bits[i]);
                __m512i place = _mm512_mullo_epi32(
                    _mm512_and_epi32(bits[i], negative), _mm512_set1_epi32(DE_BRUIJN));
                __m512 found = _mm512_permutex2var_ps(low, _mm512_srli_epi32(place, 27), high);
                __mmask16 some = _mm512_test_epi32_mask(bits[i], bits[i]);
                result[i] = _mm512_mask_mov_ps(result[i], some, found);
            }
        }
        for (int i = 0; i < vectors; i++) {
            __m256 second = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(result[i]), 1));
            sum[2 * i] = _mm512_add_pd(
                sum[2 * i], _mm512_cvtps_pd(_mm512_castps512_ps256(result[i])));
            sum[2 * i + 1] = _mm512_add_pd(sum[2 * i + 1], _mm512_cvtps_pd(second));
        }
    }
    for (int i = 0; i < 2 * vectors; i++)
        _mm512_mask_storeu_pd(sums + LANES / 2 * i, HALF(i), sum[i]);
}

/* What `sum_trees` does: first the choice of tests for all trees, then 48 rows at a time, whose
   columns are near each other. `room` has a number for each word and for each group of tests. */
WIDEST static void sum_trees_512(
    const float *columns, size_t stride, int rows, const float *extents, const Tests *tests,
    const int *first_tests, const int *first_word, int trees, const float *answers,
    unsigned int *room, double *sums)
{
    int words = first_word[trees], row = 0;
    unsigned int *leaves = room;
    __mmask16 *chosen = (__mmask16 *)(room + words);
    for (int word = first_word[0]; word < words; word++) {
        int first = first_tests[word], count = first_tests[word + 1] - first;
        leaves[word] = choose_512(tests + first, count, extents, chosen + first);
    }
#define SUM(vectors, last)                                                                          \
    sum_vectors(                                                                                    \
        columns + row, stride, vectors, last, tests, first_tests, first_word, trees, answers,       \
        chosen, leaves, sums + row)
    for (; row + VECTORS * LANES < rows; row += VECTORS * LANES)
        SUM(VECTORS, 0xFFFF);
    __mmask16 last = 0xFFFF >> (-rows & (LANES - 1));
    if (rows - row > 2 * LANES)
        SUM(3, last);
    else if (rows - row > LANES)
        SUM(2, last);
    else
        SUM(1, last);
}
#endif

/* Add what all trees answer, in their order, to the sums of some rows. The words of a tree are
   looked at from the last to the first: one with leaves left takes over from those after it. `room`
   has three times `most` numbers, the tests of a word at most, and those of `sum_trees_512`. The tests
   are bytes to the caller, which newer compilers refuse to take for something else by themselves. */
static void sum_trees(
    const float *columns, size_t stride, int rows, const float *extents, const void *bytes,
    const int *first_tests, const int *first_word, int trees, const float *answers,
    unsigned int *room, int most, float *result, double *sums)
{
    const Tests *tests = bytes;
    Chosen chosen = {(int *)room, (float *)room + most, room + 2 * most};
#ifdef HAS_512
    if (__builtin_cpu_supports("avx512f")) {
        sum_trees_512(
            columns, stride, rows, extents, tests, first_tests, first_word, trees, answers, room,
            sums);
        return;
    }
#endif
    for (int tree = 0; tree < trees; tree++) {
        for (int word = first_word[tree + 1] - 1; word >= first_word[tree]; word--) {
            unsigned int leaves;
            const Tests *first = tests + first_tests[word], *end = tests + first_tests[word + 1];
            int count = choose(first, end, extents, chosen, &leaves);
            answer(columns, stride, rows, chosen, count, leaves, answers + WORD * word, result);
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
