/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random fills: the known answers of Philox4x32-10 from its authors' test vectors at every
 * instruction set level, the same elements in any layout and in pieces, their distributions, and
 * refusals. tests/tool has a second implementation, in Python.
 */
#include <math.h>
#include <string.h>

#include "machine/families.h"
#include "simd/random.h"
#include "stria/stria.h"
#include "support/test.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static stria_view of(void *data, stria_kind kind, int64_t n)
{
    stria_view v;
    ok(stria_view_foreign(&v, data, stria_dtype_of(kind), 1, &n, NULL, 0));
    return v;
}

/* ---- the generator --------------------------------------------------------------------------- */

static const struct answer {
    uint32_t counter[4], key[2], words[4];
} answers[] = {
    {{0}, {0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
     {UINT32_MAX, UINT32_MAX},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static struct philox place_of(const struct answer *a)
{
    return (struct philox){.key = {a->key[0], a->key[1]},
                           .block = (uint64_t)a->counter[1] << 32 | a->counter[0],
                           .high = {a->counter[2], a->counter[3]}};
}

/* The known answers appear at every place within the vectors of a level, and across a carry into
 * the counter's second word. */
TEST(known_answers)
{
    enum { BLOCKS = 40 };
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *const kernels = stria__kernels_at(level);
        uint32_t words[4 * BLOCKS];
        for (int i = 0; kernels && i < COUNT(answers); i++)
            for (int n = 1; n <= BLOCKS; n++)
                for (int before = 0; before < n; before++) {
                    struct philox from = place_of(&answers[i]);
                    from.block -= (uint64_t)before;
                    stria__random_of(kernels)->words(words, &from, n);
                    if (memcmp(words + 4 * (size_t)before, answers[i].words, 16) != 0)
                        fail_msg("%s: answer %d, block %d of %d", kernels->isa, i, before, n);
                }
    }
}

TEST(levels_agree)
{
    enum { BLOCKS = 700 };
    static float f32[2][4 * BLOCKS];
    static double f64[2][2 * BLOCKS];
    struct philox from = {.key = {1, 2}, .block = UINT64_C(0xFFFFFFFF) - 300, .high = {3, 0}};
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *const kernels = stria__kernels_at(level);
        if (!kernels) continue;
        stria__random_of(kernels)->f32(f32[level > 0], &from, BLOCKS, 24);
        stria__random_of(kernels)->f64(f64[level > 0], &from, BLOCKS);
        if (level == 0) continue;
        assert_memory_equal(f32[0], f32[1], sizeof f32[0]);
        assert_memory_equal(f64[0], f64[1], sizeof f64[0]);
    }
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Elements follow from words: those of elements 0 .. 3 with seed 0, the first known answer. */
TEST(elements_follow_from_words)
{
    float f32[4];
    double f64[2];
    uint64_t u64[2];
    uint8_t u8[4], bools[4];
    const uint32_t *const w = answers[0].words;
    stria_view v = of(f32, STRIA_F32, 4);
    ok(stria_random_uniform(&v, NULL, 0, 1, NULL));
    for (int i = 0; i < 4; i++)
        assert_true((double)f32[i] == (double)(w[i] >> 8) / 0x1p24);
    v = of(f64, STRIA_F64, 2);
    ok(stria_random_uniform(&v, NULL, 0, 1, NULL));
    for (int i = 0; i < 2; i++)
        assert_true(f64[i] ==
                    ((double)(w[2 * i + 1] >> 5) * 0x1p26 + (double)(w[2 * i] >> 6)) / 0x1p53);
    v = of(u64, STRIA_U64, 2);
    ok(stria_random_bits(&v, NULL, NULL));
    assert_true(u64[1] == ((uint64_t)w[3] << 32 | w[2]));
    v = of(u8, STRIA_U8, 4);
    ok(stria_random_bits(&v, NULL, NULL));
    v = of(bools, STRIA_BOOL, 4);
    ok(stria_random_bits(&v, NULL, NULL));
    for (int i = 0; i < 4; i++)
        assert_true(u8[i] == (w[i] & 255) && bools[i] == (w[i] & 1));
}

typedef stria_status fill_function(const stria_view *out, const stria_random *r,
                                   const stria_exec *exec);

static stria_status uniform(const stria_view *out, const stria_random *r, const stria_exec *exec)
{
    return stria_random_uniform(out, r, -2, 3, exec);
}

static stria_status unit(const stria_view *out, const stria_random *r, const stria_exec *exec)
{
    return stria_random_uniform(out, r, 0, 1, exec);
}

static stria_status normal(const stria_view *out, const stria_random *r, const stria_exec *exec)
{
    return stria_random_normal(out, r, 5, 2, exec);
}

static stria_status dice(const stria_view *out, const stria_random *r, const stria_exec *exec)
{
    return stria_random_integers(out, r, 1, 7, exec);
}

static const struct fill {
    fill_function *fill;
    stria_kind kind;
} fills[] = {{unit, STRIA_F32},
             {unit, STRIA_F64},
             {unit, STRIA_F16},
             {uniform, STRIA_BF16},
             {uniform, STRIA_F64},
             {normal, STRIA_F32},
             {dice, STRIA_I8},
             {dice, STRIA_F16},
             {normal, STRIA_F64},
             {dice, STRIA_U64},
             {stria_random_bits, STRIA_U16},
             {stria_random_bits, STRIA_I64}};

enum { ROWS = 37, COLUMNS = 1103 };

static void same_elements(const stria_view *a, const stria_view *b)
{
    stria_hash128 first, second;
    ok(stria_hash(&first, a, NULL));
    ok(stria_hash(&second, b, NULL));
    assert_true(first.low == second.low && first.high == second.high);
}

/* Views are transposed, reversed, with gaps, unaligned, byte-swapped, negated; filled by threads,
 * and in pieces that start anywhere. */
TEST(layouts_and_pieces_do_not_matter)
{
    static const int64_t turned[] = {COLUMNS, ROWS}, wide[] = {ROWS, 2 * COLUMNS};
    const stria_random r = {.seed = 42, .stream = 7, .first = 5};
    for (int k = 0; k < COUNT(fills); k++) {
        const stria_dtype dtype = stria_dtype_of(fills[k].kind);
        const stria_exec many = {.threads = 3};
        RELEASED stria_array whole = {0}, other = {0}, back = {0};
        stria_view v;
        ok(stria_empty(&whole, dtype, 2, (const int64_t[]){ROWS, COLUMNS}));
        ok(fills[k].fill(&whole.view, &r, NULL));
        ok(stria_empty(&other, dtype, 2, turned));
        ok(stria_reverse_dims(&v, &other.view));
        ok(stria_slice(&v, &v, 1, STRIA_NONE, STRIA_NONE, -1));
        ok(fills[k].fill(&v, &r, &many));
        same_elements(&whole.view, &v);
        ok(stria_empty(&other, dtype, 2, wide));
        ok(stria_slice(&v, &other.view, 1, 1, STRIA_NONE, 2));
        ok(fills[k].fill(&v, &r, NULL));
        same_elements(&whole.view, &v);
        ok(stria_empty(&other, dtype, 1, (const int64_t[]){ROWS * COLUMNS + 1}));
        ok(stria_view_make(&v, other.owned, dtype, 2, whole.view.shape, NULL, 1));
        ok(fills[k].fill(&v, &r, NULL));
        ok(stria_clone_new(&back, &v, NULL));
        same_elements(&whole.view, &back.view);
        ok(stria_empty(&other, stria_dtype_swap(dtype), 1, (const int64_t[]){ROWS * COLUMNS}));
        if (dtype.itemsize > 1) {
            ok(stria_neg_view(&v, &other.view));
            for (int64_t at = 0, n = 1; at < ROWS * COLUMNS; at += n, n = 3 * n + 1) {
                stria_view piece;
                stria_random part = r;
                part.first += at;
                if (n > ROWS * COLUMNS - at) n = ROWS * COLUMNS - at;
                ok(stria_narrow(&piece, &v, 0, at, n));
                ok(fills[k].fill(&piece, &part, NULL));
            }
            ok(stria_astype(&back, &v, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL, NULL));
            same_elements(&whole.view, &back.view);
        }
    }
}

TEST(seeds_and_streams_differ)
{
    enum { N = 4096 };
    static uint32_t a[N], b[N];
    const stria_random others[] = {
        {.seed = 1}, {.seed = UINT64_C(1) << 32}, {.stream = 1}, {.first = 4}};
    stria_view v = of(a, STRIA_U32, N), w = of(b, STRIA_U32, N);
    ok(stria_random_bits(&v, NULL, NULL));
    for (int k = 0; k < COUNT(others); k++) {
        int same = 0;
        ok(stria_random_bits(&w, &others[k], NULL));
        for (int i = 0; i < N; i++)
            same += a[i] == b[i];
        assert_true(same < 2);
    }
}

/* ---- distributions --------------------------------------------------------------------------- */

/* Asserts that each of `count` results is within 6 standard deviations of its expected number. */
static void check_even(const int64_t *seen, int count, int64_t n)
{
    const double share = (double)n / count;
    for (int i = 0; i < count; i++)
        if (fabs((double)seen[i] - share) > 6 * sqrt(share))
            fail_msg("%lld of %lld are %d", (long long)seen[i], (long long)n, i);
}

TEST(integers_are_even)
{
    enum { N = 60000 };
    static int64_t x[N];
    const stria_view v = of(x, STRIA_I64, N);
    static const struct {
        int64_t low, high;
    } ranges[] = {{-3, 4},
                  {0, INT64_C(3) << 30}, /* a quarter of the words is rejected and drawn again */
                  {INT64_MIN, INT64_MIN + 3},
                  {-1, INT64_C(1) << 32},
                  {-(INT64_C(3) << 61), INT64_C(3) << 61}, /* the same with 64-bit words */
                  {INT64_MIN, INT64_MAX},
                  {7, 8}};
    for (int k = 0; k < COUNT(ranges); k++) {
        int64_t seen[7] = {0};
        const uint64_t size = (uint64_t)ranges[k].high - (uint64_t)ranges[k].low;
        const int bins = size < 7 ? (int)size : 7;
        ok(stria_random_integers(&v, NULL, ranges[k].low, ranges[k].high, NULL));
        for (int i = 0; i < N; i++) {
            assert_true(x[i] >= ranges[k].low && x[i] < ranges[k].high);
            const uint64_t at = (uint64_t)x[i] - (uint64_t)ranges[k].low;
            seen[size <= 7 ? (int)at : (int)((double)at / (double)size * bins) % bins]++;
        }
        check_even(seen, bins, N);
    }
}

TEST(uniform_numbers_stay_within)
{
    enum { N = 20000 };
    static const stria_kind kinds[] = {STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64};
    static double wide[N];
    static char memory[8 * N];
    static const double ranges[][2] = {{0, 1}, {-1, 1}, {1, 1.01}, {0.1, 0.7}, {-30000, 30000}};
    for (int t = 0; t < COUNT(kinds); t++)
        for (int k = 0; k < COUNT(ranges); k++) {
            const stria_view v = of(memory, kinds[t], N), w = of(wide, STRIA_F64, N);
            const double low = ranges[k][0], high = ranges[k][1];
            double sum = 0;
            ok(stria_random_uniform(&v, NULL, low, high, NULL));
            ok(stria_copy(&w, &v, NULL));
            for (int i = 0; i < N; i++) {
                if (!(wide[i] >= low && wide[i] < high))
                    fail_msg("%a is not from %a to %a", wide[i], low, high);
                sum += wide[i];
            }
            /* bf16 has 8 bits of precision and rounds again */
            assert_true(fabs(sum / N - (low + high) / 2) < 0.02 * (high - low) + 0.008 * high);
        }
}

TEST(normal_numbers)
{
    enum { N = 200000 };
    static double x[N];
    const stria_view v = of(x, STRIA_F64, N);
    double sums[5] = {0};
    ok(stria_random_normal(&v, NULL, 0, 1, NULL));
    for (int i = 0; i < N; i++) {
        double power = 1;
        for (int k = 0; k < 5; k++, power *= x[i])
            sums[k] += power / N;
    }
    /* The moments 0, 1, 0, 3, each within 6 standard deviations of its estimate. */
    assert_true(fabs(sums[1]) < 6 * sqrt(1.0 / N) && fabs(sums[2] - 1) < 6 * sqrt(2.0 / N));
    assert_true(fabs(sums[3]) < 6 * sqrt(15.0 / N) && fabs(sums[4] - 3) < 6 * sqrt(96.0 / N));
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST(refusals)
{
    float f[4] = {1, 2, 3, 4};
    uint8_t u[4] = {1, 2, 3, 4};
    stria_view v = of(f, STRIA_F32, 4), w = of(u, STRIA_U8, 4), same;
    const stria_random negative = {.first = -1}, late = {.first = INT64_MAX - 3};
    refused(stria_random_uniform(&v, NULL, 1, 1, NULL), STRIA_ERR_ARGUMENT, "from 1 to 1");
    refused(stria_random_uniform(&v, NULL, 0, (double)NAN, NULL), STRIA_ERR_ARGUMENT, "nan");
    refused(stria_random_uniform(&v, NULL, -1e308, 1e308, NULL), STRIA_ERR_ARGUMENT, "range");
    refused(stria_random_uniform(&v, NULL, 0, 1e39, NULL), STRIA_ERR_OVERFLOW, "f32");
    refused(stria_random_uniform(&v, NULL, 1 + 1e-12, 1 + 2e-12, NULL), STRIA_ERR_ARGUMENT,
            "no number of out's dtype");
    refused(stria_random_uniform(&w, NULL, 0, 1, NULL), STRIA_ERR_DTYPE, "out is u8");
    refused(stria_random_normal(&v, NULL, 0, -1, NULL), STRIA_ERR_ARGUMENT, "std -1");
    refused(stria_random_normal(&w, NULL, 0, 1, NULL), STRIA_ERR_DTYPE, "out is u8");
    refused(stria_random_integers(&w, NULL, 0, 257, NULL), STRIA_ERR_OVERFLOW, "256");
    refused(stria_random_integers(&w, NULL, -1, 5, NULL), STRIA_ERR_OVERFLOW, "-1");
    refused(stria_random_integers(&w, NULL, 5, 5, NULL), STRIA_ERR_ARGUMENT, "from 5 to below 5");
    refused(stria_random_bits(&v, NULL, NULL), STRIA_ERR_DTYPE, "out is f32");
    refused(stria_random_bits(&w, &negative, NULL), STRIA_ERR_ARGUMENT, "first is -1");
    refused(stria_random_bits(&w, &late, NULL), STRIA_ERR_OVERFLOW, "2^63 - 1");
    ok(stria_view_foreign(&same, u, stria_dtype_of(STRIA_U8), 2, (const int64_t[]){2, 2},
                          (const int64_t[]){1, 1}, 0));
    refused(stria_random_bits(&same, NULL, NULL), STRIA_ERR_OVERLAP,
            "random_bits: elements of out");
    for (int i = 0; i < 4; i++)
        assert_true(f[i] == (float)(i + 1) && u[i] == i + 1);
}

TEST_MAIN(NULL, NULL)
