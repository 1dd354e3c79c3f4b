/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Masks, initial values and dtypes of reductions, and reductions made of others, against sums in
 * long double; and what they refuse.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/test.h"

enum { ROWS = 7, COLUMNS = 300 };

static double x[ROWS][COLUMNS], y[ROWS][COLUMNS], got[ROWS];
static bool mask[ROWS][COLUMNS];
static stria_view a, b, out, where;

/* Makes random numbers with NaN among them; a row of NaN alone, and one where the mask is false. */
static int set_up(void **state)
{
    uint64_t seed = 50;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            x[i][j] = ldexp((double)(int64_t)random_bits(&seed), -60);
            y[i][j] = ldexp((double)(int64_t)random_bits(&seed), -61);
            if (i == 3 || random_once(&seed, 9)) x[i][j] = NAN;
            mask[i][j] = i != 5 && random_once(&seed, 3);
        }
    a = OF(x, F64, ROWS, COLUMNS);
    b = OF(y, F64, ROWS, COLUMNS);
    out = OF(got, F64, ROWS);
    where = OF(mask, BOOL, ROWS, COLUMNS);
    return 0;
}

static const int last[] = {1};

static void assert_near(double found, long double expected)
{
    if (isnan((double)expected)
            ? isnan(found)
            : fabsl((long double)found - expected) <= 1e-14L * (1 + fabsl(expected)))
        return;
    if ((double)expected == found) return;
    fail_msg("%.17g, not %.17g", found, (double)expected);
}

/* ---- numbers among NaN ----------------------------------------------------------------------- */

struct expected {
    int64_t n;
    long double sum, product, mean, var, high, low;
};

/* Computes over the elements of row i that are not NaN and, where masked, for which the mask is
 * true. */
static struct expected expect(int i, bool masked)
{
    struct expected e = {.product = 1, .high = -HUGE_VALL, .low = HUGE_VALL};
    const double *const row = masked ? y[i] : x[i];
    for (int j = 0; j < COLUMNS; j++) {
        if (masked ? !mask[i][j] : isnan(row[j])) continue;
        e.n++;
        e.sum += row[j];
        e.product *= row[j];
        e.high = fmaxl(e.high, row[j]);
        e.low = fminl(e.low, row[j]);
    }
    e.mean = e.n ? e.sum / (long double)e.n : NAN;
    for (int j = 0; j < COLUMNS; j++)
        if (masked ? mask[i][j] : !isnan(row[j])) e.var += (row[j] - e.mean) * (row[j] - e.mean);
    e.var = e.n > 1 ? e.var / (long double)(e.n - 1) : NAN;
    return e;
}

TEST(test_nan)
{
    for (int level = 0; next_level(&level);) {
        ok(stria_nansum(&out, &a, 1, last, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_near(got[i], expect(i, false).sum);
        ok(stria_nanprod(&out, &a, 1, last, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_near(got[i] / (double)expect(i, false).product, 1);
        ok(stria_nanmean(&out, &a, 1, last, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_near(got[i], expect(i, false).mean);
        ok(stria_nanvar(&out, &a, 1, last, 1, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_near(got[i], expect(i, false).var);
        ok(stria_nanstd(&out, &a, 1, last, 1, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_near(got[i], sqrtl(expect(i, false).var));
        ok(stria_nanmax(&out, &a, 1, last, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_near(got[i], i == 3 ? NAN : expect(i, false).high);
        ok(stria_nanmin(&out, &a, 1, last, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_near(got[i], i == 3 ? NAN : expect(i, false).low);
    }
}

/* ---- masks ----------------------------------------------------------------------------------- */

static void masked(stria_reduction op, const stria_view *initial)
{
    const stria_reduce_options options = {.ddof = 1, .mask = &where, .initial = initial};
    ok(stria_reduce_dims(&out, op, &b, 1, last, &options, NULL));
}

TEST(test_masks)
{
    const double two = 2;
    stria_view initial;
    ok(stria_weak(&initial, STRIA_F64, &two));
    masked(STRIA_SUM, NULL);
    for (int i = 0; i < ROWS; i++)
        assert_near(got[i], expect(i, true).sum);
    masked(STRIA_SUM, &initial);
    for (int i = 0; i < ROWS; i++)
        assert_near(got[i], expect(i, true).sum + 2);
    masked(STRIA_MEAN, NULL);
    for (int i = 0; i < ROWS; i++)
        assert_near(got[i], expect(i, true).mean);
    masked(STRIA_VAR, NULL);
    for (int i = 0; i < ROWS; i++)
        assert_near(got[i], expect(i, true).var);
    masked(STRIA_MAX, &initial);
    for (int i = 0; i < ROWS; i++)
        assert_near(got[i], fmaxl(2, expect(i, true).high));
    masked(STRIA_MIN, &initial);
    for (int i = 0; i < ROWS; i++)
        assert_near(got[i], fminl(2, expect(i, true).low));
}

/* A mask of ones changes no bit of any reduction that takes one, in any dtype. */
TEST(test_all_true)
{
    static bool ones[COLUMNS];
    static const stria_kind kinds[] = {STRIA_F64, STRIA_F32, STRIA_BF16, STRIA_F8E4M3,
                                       STRIA_I16, STRIA_U8,  STRIA_BOOL};
    const stria_view all = OF(ones, BOOL, COLUMNS);
    memset(ones, 1, sizeof ones);
    for (int op = 0; op < STRIA_REDUCTIONS; op++)
        for (int k = 0; k < 7; k++) {
            stria_array from = {0}, plain = {0}, with = {0};
            const stria_reduce_options options = {.ddof = 1, .p = 3},
                                       mask_too = {.ddof = 1, .p = 3, .mask = &all};
            ok(stria_astype(&from, &b, stria_dtype_of(kinds[k]), STRIA_CAST_UNSAFE,
                            STRIA_COPY_ALWAYS, NULL, NULL));
            const stria_status status = stria_reduce_dims_new(&plain, (stria_reduction)op,
                                                              &from.view, 1, last, &options, NULL);
            const stria_status again = stria_reduce_dims_new(&with, (stria_reduction)op, &from.view,
                                                             1, last, &mask_too, NULL);
            if (status == STRIA_OK && again == STRIA_OK) {
                assert_true(stria_dtype_equal(plain.view.dtype, with.view.dtype));
                for (int64_t i = 0; i < ROWS * plain.view.dtype.itemsize; i++)
                    if (plain.view.data[i] != with.view.data[i])
                        fail_msg("%s of kind %d", stria_reduction_name((stria_reduction)op),
                                 (int)kinds[k]);
            }
            if (status == STRIA_OK) stria_array_release(&plain);
            if (again == STRIA_OK) stria_array_release(&with);
            stria_array_release(&from);
        }
}

/* ---- norms and their like -------------------------------------------------------------------- */

TEST(test_norms)
{
    static const double ps[] = {0, 1, 2, 3, 0.5, HUGE_VAL, -HUGE_VAL};
    for (int p = 0; p < 7; p++) {
        ok(stria_norm(&out, &b, 1, last, ps[p], NULL));
        for (int i = 0; i < ROWS; i++) {
            long double sum = 0, high = 0, low = HUGE_VALL;
            for (int j = 0; j < COLUMNS; j++) {
                const long double size = fabsl((long double)y[i][j]);
                sum += ps[p] == 0 ? y[i][j] != 0 : powl(size, ps[p]);
                high = fmaxl(high, size);
                low = fminl(low, size);
            }
            const long double root = ps[p] == 0 ? sum : powl(sum, 1 / (long double)ps[p]);
            assert_near(got[i], ps[p] == HUGE_VAL ? high : ps[p] == -HUGE_VAL ? low : root);
        }
    }
    double large[4] = {3e200, 4e200, 3e-200, 4e-200};
    const stria_view pairs = OF(large, F64, 2, 2), two = OF(got, F64, 2);
    ok(stria_norm(&two, &pairs, 1, last, 2, NULL));
    assert_near(got[0] / 5e200, 1);
    assert_near(got[1] / 5e-200, 1);
    float z[2][2] = {{3, 4}, {0, -12}};
    const stria_view complex_pair = OF(z, C64, 2), one = of(got, STRIA_F64, 0, NULL);
    ok(stria_norm(&one, &complex_pair, 1, (int[]){0}, 2, NULL));
    assert_true(got[0] == 13);
}

TEST(test_bits)
{
    int16_t in[3][2] = {{0x7f0f, -1}, {0x0ff3, 2}, {0x1234, 7}}, to[2];
    const stria_view v = OF(in, I16, 3, 2), two = OF(to, I16, 2);
    stria_view none;
    ok(stria_bits_and(&two, &v, 1, (int[]){0}, NULL));
    assert_true(to[0] == (0x7f0f & 0x0ff3 & 0x1234) && to[1] == 2);
    ok(stria_bits_or(&two, &v, 1, (int[]){0}, NULL));
    assert_true(to[0] == (0x7f0f | 0x0ff3 | 0x1234) && to[1] == -1);
    ok(stria_bits_xor(&two, &v, 1, (int[]){0}, NULL));
    assert_true(to[0] == (0x7f0f ^ 0x0ff3 ^ 0x1234) && to[1] == (-1 ^ 2 ^ 7));
    ok(stria_narrow(&none, &v, 0, 0, 0));
    ok(stria_bits_and(&two, &none, 1, (int[]){0}, NULL));
    assert_true(to[0] == -1);
    ok(stria_ptp(&two, &v, 1, (int[]){0}, NULL));
    assert_true(to[0] == 0x7f0f - 0x0ff3 && to[1] == 8);
    assert_int_equal(stria_bits_or(&out, &a, 1, last, NULL), STRIA_ERR_DTYPE);
    bool truth[2];
    const stria_view no_bools = OF(truth, BOOL, 3, 0), no_results = OF(truth, BOOL, 0);
    assert_int_equal(stria_ptp(&no_results, &no_bools, 1, (int[]){0}, NULL), STRIA_ERR_DTYPE);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

TEST(test_pairs)
{
    double more[ROWS];
    const stria_view second = OF(more, F64, ROWS);
    ok(stria_vecdot(&out, &b, &b, 1, last, NULL));
    for (int i = 0; i < ROWS; i++) {
        long double sum = 0;
        for (int j = 0; j < COLUMNS; j++)
            sum += (long double)y[i][j] * y[i][j];
        assert_near(got[i], sum);
    }
    ok(stria_average(&out, &b, &where, 1, last, NULL));
    for (int i = 0; i < ROWS; i++)
        assert_near(got[i], expect(i, true).mean);
    ok(stria_minmax(&out, &second, &b, 1, last, NULL));
    for (int i = 0; i < ROWS; i++) {
        double high = -HUGE_VAL, low = HUGE_VAL;
        for (int j = 0; j < COLUMNS; j++) {
            high = fmax(high, y[i][j]);
            low = fmin(low, y[i][j]);
        }
        assert_true(got[i] == low && more[i] == high);
    }
    ok(stria_mean_var(&out, &second, &b, 1, last, 1, NULL));
    double mean[ROWS];
    memcpy(mean, got, sizeof mean);
    ok(stria_mean(&out, &b, 1, last, NULL));
    assert_memory_equal(mean, got, sizeof mean);
    ok(stria_var(&out, &b, 1, last, 1, NULL));
    assert_memory_equal(more, got, sizeof more);
    assert_int_equal(stria_minmax(&out, &out, &b, 1, last, NULL), STRIA_ERR_OVERLAP);
    float z[2][2] = {{1, 2}, {3, -4}}, w[2][2] = {{5, 6}, {7, 8}}, dot[2];
    const stria_view u = OF(z, C64, 2), v = OF(w, C64, 2), one = of(dot, STRIA_C64, 0, NULL);
    ok(stria_vecdot(&one, &u, &v, 1, (int[]){0}, NULL));
    assert_true(dot[0] == 17 - 11 && dot[1] == -4 + 52);
}

/* ---- dtypes, refusals, memory ---------------------------------------------------------------- */

TEST(test_dtype)
{
    double in[] = {1.5, 1.5, -2.75};
    const stria_view v = OF(in, F64, 3);
    const stria_dtype whole = stria_dtype_of(STRIA_I32), half = stria_dtype_of(STRIA_F16);
    stria_array made = {0};
    ok(stria_reduce_dims_new(&made, STRIA_SUM, &v, 1, (int[]){0},
                             &(stria_reduce_options){.dtype = &whole}, NULL));
    assert_int_equal(made.view.dtype.kind, STRIA_I32);
    assert_int_equal(*(const int32_t *)(const void *)made.view.data, 0);
    stria_array_release(&made);
    ok(stria_reduce_dims_new(&made, STRIA_MEAN, &v, 1, (int[]){0},
                             &(stria_reduce_options){.dtype = &half}, NULL));
    assert_int_equal(made.view.dtype.kind, STRIA_F16);
    stria_array_release(&made);
}

static int64_t value_of(const stria_view *scalar)
{
    int64_t number;
    stria_view to;
    ok(stria_view_foreign(&to, &number, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    ok(stria_copy(&to, scalar, NULL));
    return number;
}

/* Integers of every width, unsigned ones too, may be the dtype of a sum; sums wrap. */
TEST(test_integer_dtypes)
{
    int16_t in[] = {300, -1, 4};
    double fractions[] = {2.5, 3.75};
    const stria_view v = OF(in, I16, 3), f = OF(fractions, F64, 2);
    uint8_t four = 4;
    stria_view initial = OF(&four, U8, 1);
    initial.ndim = 0;
    for (int kind = STRIA_I8; kind <= STRIA_U64; kind++) {
        const stria_dtype dtype = stria_dtype_of((stria_kind)kind);
        RELEASED stria_array made = {0};
        ok(stria_reduce_dims_new(&made, STRIA_SUM, &v, 1, (int[]){0},
                                 &(stria_reduce_options){.dtype = &dtype}, NULL));
        assert_true(stria_dtype_equal(made.view.dtype, dtype));
        assert_int_equal(value_of(&made.view), dtype.itemsize > 1 ? 303 : 303 - 256);
        ok(stria_reduce_dims_new(&made, STRIA_PROD, &f, 1, (int[]){0},
                                 &(stria_reduce_options){.dtype = &dtype}, NULL));
        assert_int_equal(value_of(&made.view), 6);
        ok(stria_reduce_dims_new(&made, STRIA_SUM, &f, 1, (int[]){0},
                                 &(stria_reduce_options){.dtype = &dtype, .initial = &initial},
                                 NULL));
        assert_int_equal(value_of(&made.view), 9);
    }
}

/* A sum as bool tells whether any element is not 0, a product whether all are; out is cast from the
 * dtype. */
TEST(test_narrow_dtypes)
{
    int16_t in[] = {0, 256, 300}, other[] = {256, -256, 1};
    float single;
    bool yes = true;
    const stria_dtype truth = stria_dtype_of(STRIA_BOOL), byte = stria_dtype_of(STRIA_U8);
    const stria_view v = OF(in, I16, 3), w = OF(other, I16, 3);
    stria_view to, initial;
    ok(stria_view_foreign(&to, &single, stria_dtype_of(STRIA_F32), 0, NULL, NULL, 0));
    ok(stria_view_foreign(&initial, &yes, truth, 0, NULL, NULL, 0));
    static const struct {
        stria_reduction op;
        bool of_v, of_w;
    } cases[] = {{STRIA_SUM, true, true},
                 {STRIA_PROD, false, true},
                 {STRIA_NANSUM, true, true},
                 {STRIA_NANPROD, false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int begins = 0; begins < 2; begins++) {
            const stria_reduce_options options = {.dtype = &truth,
                                                  .initial = begins ? &initial : NULL};
            RELEASED stria_array made = {0};
            ok(stria_reduce_dims_new(&made, cases[i].op, &v, 1, (int[]){0}, &options, NULL));
            assert_true(stria_dtype_equal(made.view.dtype, truth));
            assert_int_equal(*made.view.data, cases[i].of_v);
            ok(stria_reduce_dims(&to, cases[i].op, &w, 1, (int[]){0}, &options, NULL));
            assert_true(single == (cases[i].of_w ? 1 : 0));
        }
    ok(stria_reduce_dims(&to, STRIA_SUM, &v, 1, (int[]){0}, &(stria_reduce_options){.dtype = &byte},
                         NULL));
    assert_true(single == 300 - 256);
}

/* A Python integer as initial value takes any dtype that holds it, whatever its sign and the
 * result's. */
TEST(test_weak_initial)
{
    uint8_t bytes[] = {1, 2}, byte = 0;
    uint64_t sum = 0, large = UINT64_C(1) << 63;
    int64_t number = 7, whole[] = {-5, -6}, most = 0;
    const stria_view v = OF(bytes, U8, 2), w = OF(whole, I64, 2);
    stria_view weak, fixed, to, to_byte, to_whole;
    const stria_exec numpy = {.hints = STRIA_PROMOTE_AS_NUMPY};
    ok(stria_view_foreign(&to, &sum, stria_dtype_of(STRIA_U64), 0, NULL, NULL, 0));
    ok(stria_view_foreign(&to_byte, &byte, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 0));
    ok(stria_view_foreign(&to_whole, &most, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    ok(stria_view_foreign(&fixed, &large, stria_dtype_of(STRIA_U64), 0, NULL, NULL, 0));
    ok(stria_weak(&weak, STRIA_I64, &number));
    const stria_reduce_options options = {.initial = &weak};
    ok(stria_reduce_dims(&to, STRIA_SUM, &v, 1, (int[]){0}, &options, &numpy));
    assert_true(sum == 10);
    ok(stria_reduce_dims(&to_byte, STRIA_MAX, &v, 1, (int[]){0}, &options, NULL));
    assert_int_equal(byte, 7);
    number = -1;
    assert_int_equal(stria_reduce_dims(&to, STRIA_SUM, &v, 1, (int[]){0}, &options, &numpy),
                     STRIA_ERR_ARGUMENT);
    number = 256;
    assert_int_equal(stria_reduce_dims(&to_byte, STRIA_MAX, &v, 1, (int[]){0}, &options, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_true(sum == 10 && byte == 7);
    assert_true(stria_reduce_dims(&to_whole, STRIA_MAX, &w, 1, (int[]){0},
                                  &(stria_reduce_options){.initial = &fixed}, NULL) != STRIA_OK);
    assert_true(most == 0);
}

static void refuses(stria_status status, stria_reduction op, stria_reduce_options options)
{
    got[0] = 7;
    assert_int_equal(stria_reduce_dims(&out, op, &b, 1, last, &options, NULL), status);
    assert_true(got[0] == 7);
}

TEST(test_refusals)
{
    const double half = 0.5;
    const stria_dtype whole = stria_dtype_of(STRIA_I32);
    const int64_t large = 300;
    stria_view scalar, whole_scalar;
    stria_array made = {0};
    ok(stria_weak(&scalar, STRIA_F64, &half));
    ok(stria_weak(&whole_scalar, STRIA_I64, &large));
    refuses(STRIA_ERR_ARGUMENT, STRIA_MAX, (stria_reduce_options){.mask = &where});
    refuses(STRIA_ERR_DTYPE, STRIA_SUM, (stria_reduce_options){.mask = &b});
    refuses(STRIA_ERR_BROADCAST, STRIA_SUM,
            (stria_reduce_options){.mask = &(stria_view){.data = where.data,
                                                         .ndim = 1,
                                                         .shape = {3},
                                                         .strides = {1},
                                                         .dtype = where.dtype}});
    refuses(STRIA_ERR_ARGUMENT, STRIA_MEAN, (stria_reduce_options){.initial = &scalar});
    refuses(STRIA_ERR_SHAPE, STRIA_SUM, (stria_reduce_options){.initial = &b});
    refuses(STRIA_ERR_ARGUMENT, STRIA_MAX, (stria_reduce_options){.dtype = &whole});
    refuses(STRIA_ERR_DTYPE, STRIA_MEAN, (stria_reduce_options){.dtype = &whole});
    refuses(STRIA_ERR_ARGUMENT, STRIA_NORM, (stria_reduce_options){.p = NAN});
    int8_t small[2] = {1, 2};
    const stria_view v = OF(small, I8, 2);
    assert_int_equal(stria_reduce_dims_new(&made, STRIA_SUM, &v, 1, (int[]){0},
                                           &(stria_reduce_options){.initial = &scalar}, NULL),
                     STRIA_ERR_DTYPE);
    assert_int_equal(stria_reduce_dims_new(&made, STRIA_MAX, &v, 1, (int[]){0},
                                           &(stria_reduce_options){.initial = &whole_scalar}, NULL),
                     STRIA_ERR_ARGUMENT);
}

/* Each allocation is refused in turn: MEMORY or the result, and nothing leaks. */
TEST(test_little_memory)
{
    static const stria_reduction ops[] = {STRIA_NANVAR, STRIA_NORM, STRIA_LOGSUMEXP, STRIA_NANMAX};
    for (int k = 0; k < 4; k++)
        for (int64_t fail_at = 1; fail_at < 40; fail_at++) {
            counting_begin(fail_at);
            const stria_status status = stria_reduce_dims(
                &out, ops[k], &a, 1, last, &(stria_reduce_options){.ddof = 1, .p = 2}, NULL);
            assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
            counting_end();
        }
}

/* Norms that are extremes refuse an empty array, by the name that was called. */
TEST(test_norm_of_none)
{
    double nothing[1] = {0}, norms[3];
    stria_view none, to;
    ok(stria_view_foreign(&none, nothing, stria_dtype_of(STRIA_F64), 2, (int64_t[]){3, 0}, NULL,
                          0));
    ok(stria_view_foreign(&to, norms, stria_dtype_of(STRIA_F64), 1, (int64_t[]){3}, NULL, 0));
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_int_equal(stria_norm(&to, &none, 1, (int[]){1}, sign * HUGE_VAL, NULL),
                         STRIA_ERR_SHAPE);
        assert_message("norm: there are no elements");
        assert_message("(3, 0)");
    }
    ok(stria_norm(&to, &none, 1, (int[]){1}, 2, NULL));
    assert_true(norms[0] == 0 && norms[2] == 0);
}

TEST_MAIN(set_up, NULL)
