/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans along every dim of random layouts against the definition of docs/reductions.md, one line
 * and one element at a time; in place, into other dtypes, on every level and number of threads.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/turned.h"
#include "support/test.h"

enum { DIMS = TURNED_DIMS };

/* ---- the definition -------------------------------------------------------------------------- */

struct state {
    double sum, high, low, best;
    uint64_t whole;
};

static double largest(double m, double x, double sign)
{
    if (isnan(m) || isnan(x)) return NAN;
    if (m == x) return signbit(sign * m) ? x : m;
    return sign * x > sign * m ? x : m;
}

/* Updates the state by element i of a line, in f64 or, for integers, in 64 bits. */
static void step(stria_scan op, struct state *s, int64_t i, double x, int64_t whole, bool is_float)
{
    if (op == STRIA_CUMMAX || op == STRIA_CUMMIN) {
        const double sign = op == STRIA_CUMMAX ? 1 : -1;
        s->best = i == 0 ? x : largest(s->best, x, sign);
    } else if (op == STRIA_CUMPROD) {
        s->best = i == 0 ? 1 * x : s->best * x;
        s->whole = i == 0 ? (uint64_t)whole : s->whole * (uint64_t)whole;
    } else if (!is_float) {
        s->whole += (uint64_t)whole;
    } else {
        if (i == 0) s->sum = s->high = s->low = -0.0;
        if (i > 0 && i % 256 == 0) {
            const double total = s->high + s->sum, part = total - s->high;
            if (isfinite(total)) s->low += (s->high - (total - part)) + (s->sum - part);
            s->high = total;
            s->sum = -0.0;
        }
        s->sum += x;
        s->best = s->high + (s->low + s->sum);
    }
}

static void check(stria_scan op, const stria_view *out, const stria_view *a, int dim)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    const bool is_float = a->dtype.kind >= STRIA_F8E4M3;
    if (stria_numel(a) == 0) return;
    do {
        struct state s = {.whole = 0};
        if (index[dim] != 0) continue;
        for (int64_t i = 0; i < a->shape[dim]; i++) {
            char expected[16];
            double x;
            int64_t whole = 0;
            index[dim] = i;
            convert_item(address(a, index), a->dtype, &x, STRIA_F64);
            if (!is_float) convert_item(address(a, index), a->dtype, &whole, STRIA_I64);
            step(op, &s, i, x, whole, is_float);
            const stria_kind kind = (stria_kind)out->dtype.kind;
            if (!is_float && op <= STRIA_CUMPROD)
                convert(&s.whole, STRIA_I64, expected, kind);
            else
                convert(&s.best, STRIA_F64, expected, kind);
            double found, wanted;
            convert_item(address(out, index), out->dtype, &found, STRIA_F64);
            convert(expected, kind, &wanted, STRIA_F64);
            if (memcmp(&found, &wanted, sizeof found) != 0 && !(isnan(found) && isnan(wanted)))
                fail_msg("%s of kind %d, element %lld of %lld: %.17g, not %.17g",
                         stria_scan_name(op), (int)a->dtype.kind, (long long)i,
                         (long long)a->shape[dim], found, wanted);
        }
        index[dim] = 0;
    } while (next(index, a));
}

/* ---- random layouts -------------------------------------------------------------------------- */

static void make_input(stria_array *made, uint64_t *seed, const int64_t *shape)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_F16, STRIA_I32,
                                       STRIA_U8,  STRIA_F32, STRIA_I64, STRIA_BOOL};
    make_turned(made, seed, stria_dtype_of(kinds[random_bits(seed) % 8]), shape);
}

TEST(test_random)
{
    uint64_t seed = 60;
    for (int level = 0; next_level(&level);)
        for (int i = 0; i < 120 / ONE_IN; i++) {
            RELEASED stria_array a = {0}, made = {0};
            const int dim = (int)random_between(&seed, 0, DIMS - 1);
            const stria_scan op = (stria_scan)random_between(&seed, 0, STRIA_CUMMIN);
            const stria_exec exec = {.threads = (int)random_between(&seed, 1, 3), .run = pool_run};
            int64_t shape[DIMS];
            for (int d = 0; d < DIMS; d++)
                shape[d] = random_between(&seed, 0, d == dim ? 900 : 9);
            make_input(&a, &seed, shape);
            ok(stria_scan_dim_new(&made, op, &a.view, dim, NULL, &exec));
            check(op, &made.view, &a.view, dim);
        }
}

/* The same numbers in place, over a part of itself, in another dtype, and without scratch
 * memory. */
TEST(test_in_place)
{
    enum { N = 3000 };
    static float x[2][N], y[2][N];
    static double wide[2][N], again[2][N];
    uint64_t seed = 61;
    const stria_view a = OF(x, F32, 2, N), b = OF(y, F32, 2, N), f64 = OF(wide, F64, 2, N),
                     more = OF(again, F64, 2, N);
    fill_numbers(&seed, &a);
    ok(stria_cumsum(&b, &a, 1, NULL));
    check(STRIA_CUMSUM, &b, &a, 1);
    ok(stria_cumsum(&f64, &a, 1, NULL));
    check(STRIA_CUMSUM, &f64, &a, 1);
    ok(stria_set_scratch_limit(0));
    ok(stria_cumsum(&more, &a, 1, NULL));
    assert_memory_equal(wide, again, sizeof wide);
    ok(stria_cumsum(&f64, &a, 0, NULL));
    ok(stria_set_scratch_limit(STRIA_SCRATCH));
    check(STRIA_CUMSUM, &f64, &a, 0);
    ok(stria_cumsum(&a, &a, 1, NULL));
    assert_memory_equal(x, y, sizeof x);
    stria_view later, earlier;
    ok(stria_narrow(&later, &b, 1, 1, N - 1));
    ok(stria_narrow(&earlier, &b, 1, 0, N - 1));
    memcpy(x, y, sizeof x);
    ok(stria_cumsum(&later, &earlier, 1, NULL));
    ok(stria_narrow(&earlier, &a, 1, 0, N - 1));
    check(STRIA_CUMSUM, &later, &earlier, 1);
}

TEST(test_diff)
{
    int32_t in[2][4] = {{1, 4, 9, 16}, {0, -2, 5, 5}}, out[2][3], twice[2][2], none[2][1];
    const stria_view a = OF(in, I32, 2, 4), b = OF(out, I32, 2, 3), c = OF(twice, I32, 2, 2),
                     empty = OF(none, I32, 2, 0);
    ok(stria_diff(&b, &a, 1, -1, NULL));
    assert_memory_equal(out, ((int32_t[2][3]){{3, 5, 7}, {-2, 7, 0}}), sizeof out);
    ok(stria_diff(&c, &a, 2, 1, NULL));
    assert_memory_equal(twice, ((int32_t[2][2]){{2, 2}, {9, -7}}), sizeof twice);
    ok(stria_diff(&empty, &a, 9, 1, NULL));
    assert_int_equal(stria_diff(&c, &a, -1, 1, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_diff(&c, &a, 1, 1, NULL), STRIA_ERR_SHAPE);
}

/* An empty array has differences along a dim that are fewer by one each time, whichever dim is
 * empty. */
TEST(test_diff_of_nothing)
{
    /* times that differences are taken; sizes that remain of 4 */
    static const int64_t sizes[][2] = {{3, 1}, {9, 0}, {0, 4}};
    float nothing[1];
    const stria_view a = OF(nothing, F32, 4, 0);
    for (int i = 0; i < 3; i++) {
        RELEASED stria_array made = {0};
        const int n = (int)sizes[i][0];
        ok(stria_diff_new(&made, &a, n, 0, NULL));
        assert_int_equal(made.view.shape[0], sizes[i][1]);
        assert_int_equal(made.view.shape[1], 0);
        ok(stria_diff(&made.view, &a, n, 0, NULL));
    }
}

/* Zero times differences are the elements themselves, in native byte order, as differences are. */
TEST(test_diff_none)
{
    uint16_t swapped[3] = {0x0100, 0x0200, 0x0500};
    stria_view a = OF(swapped, U16, 3);
    RELEASED stria_array made = {0};
    a.dtype = stria_dtype_swap(a.dtype);
    ok(stria_diff_new(&made, &a, 0, 0, NULL));
    assert_true(stria_dtype_equal(made.view.dtype, stria_dtype_of(STRIA_U16)));
    assert_memory_equal(made.view.data, ((uint16_t[]){1, 2, 5}), 6);
}

TEST(test_refusals)
{
    float x[2][3] = {{1, 2, 3}, {4, 5, 6}}, z[2] = {3, 4};
    int32_t whole[2][3] = {{7}};
    const stria_view a = OF(x, F32, 2, 3), i = OF(whole, I32, 2, 3), row = OF(x, F32, 3),
                     complex_one = OF(z, C64, 1);
    assert_int_equal(stria_cumsum(&a, &a, 2, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_cumsum(&row, &a, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_cumsum(&i, &a, 0, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(whole[0][0], 7);
    assert_int_equal(stria_cummax(&complex_one, &complex_one, 0, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_scan_dim(&a, STRIA_SCANS, &a, 0, NULL, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_cumprod(&a, &a, 1, NULL));
    assert_true(x[1][2] == 120);
    ok(stria_cummin(&a, &a, 0, NULL));
    assert_true(x[1][2] == 6);
    ok(stria_cummax(&a, &a, -1, NULL));
    const stria_view scalar = of(x, STRIA_F32, 0, NULL);
    ok(stria_cumsum(&scalar, &scalar, -1, NULL));
    for (int64_t fail_at = 1; fail_at < 4; fail_at++) {
        stria_array made = {0};
        counting_begin(fail_at);
        const stria_status status = stria_scan_dim_new(&made, STRIA_CUMSUM, &i, 1, NULL, NULL);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        if (status == STRIA_OK) stria_array_release(&made);
        counting_end();
    }
}

/* A scan with its initial value, then without; elements are cast to a dtype first. */
TEST(test_options)
{
    uint8_t bytes[2][3] = {{200, 100, 3}, {1, 2, 3}};
    int64_t whole[2][4];
    float x[5] = {9, 0.5f, 4, 2, 9}, z[4] = {0};
    double one[2];
    const stria_dtype u8 = stria_dtype_of(STRIA_U8),
                      text = {.kind = STRIA_BYTES, .alignment = 1, .itemsize = 3};
    const stria_scan_options from = {.include_initial = true}, small = {.dtype = &u8},
                             both = {.include_initial = true, .dtype = &u8},
                             none = {.dtype = &text};
    const stria_view b = OF(bytes, U8, 2, 3), longer = OF(whole, I64, 2, 4),
                     same = OF(whole, I64, 2, 3);
    ok(stria_scan_dim(&longer, STRIA_CUMSUM, &b, -1, &from, NULL));
    assert_memory_equal(whole, ((int64_t[]){0, 200, 300, 303, 0, 1, 3, 6}), sizeof whole);
    ok(stria_scan_dim(&longer, STRIA_CUMSUM, &b, -1, &both, NULL));
    assert_memory_equal(whole, ((int64_t[]){0, 200, 44, 47, 0, 1, 3, 6}), sizeof whole);
    ok(stria_scan_dim(&same, STRIA_CUMPROD, &b, 1, &small, NULL));
    assert_memory_equal(whole, ((int64_t[]){200, 32, 96, 1, 2, 6}), 6 * sizeof(int64_t));
    stria_array made = {0};
    ok(stria_scan_dim_new(&made, STRIA_CUMPROD, &b, 0, &both, NULL));
    assert_true(made.view.shape[0] == 3 && made.view.dtype.kind == STRIA_U8);
    assert_memory_equal(made.view.data, ((uint8_t[]){1, 1, 1, 200, 100, 3, 200, 200, 9}), 9);
    /* The output is the input moved by one element: as if the input had been copied first. */
    const stria_view a = OF(x + 1, F32, 3), over = OF(x, F32, 4), ahead = OF(x + 1, F32, 4),
                     apart = OF(z, F32, 4), scalar = of(x, STRIA_F32, 0, NULL),
                     two = OF(one, F64, 2);
    ok(stria_scan_dim(&over, STRIA_CUMPROD, &a, 0, &from, NULL));
    assert_memory_equal(x, ((float[]){1, 0.5f, 2, 4, 9}), sizeof x);
    ok(stria_scan_dim(&ahead, STRIA_CUMSUM, &a, 0, &from, NULL));
    assert_memory_equal(x, ((float[]){1, 0, 0.5f, 2.5f, 6.5f}), sizeof x);
    ok(stria_scan_dim(&two, STRIA_CUMSUM, &scalar, -1, &from, NULL));
    assert_true(one[0] == 0 && one[1] == 1);
    stria_view nothing;
    ok(stria_narrow(&nothing, &a, 0, 0, 0));
    const stria_view single = OF(z, F32, 1);
    ok(stria_scan_dim(&single, STRIA_CUMPROD, &nothing, 0, &from, NULL));
    assert_true(z[0] == 1);
    z[0] = 7;
    assert_int_equal(stria_scan_dim(&apart, STRIA_CUMMAX, &a, 0, &from, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_scan_dim(&a, STRIA_LOGCUMSUMEXP, &a, 0, &small, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_scan_dim(&a, STRIA_CUMSUM, &a, 0, &from, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_scan_dim(&a, STRIA_CUMSUM, &a, 0, &none, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_scan_dim(&ahead, STRIA_CUMSUM, &a, 0, &from,
                                    &(stria_exec){.hints = STRIA_NO_OVERLAP}),
                     STRIA_ERR_OVERLAP);
    const int64_t most = INT64_MAX, still = 0;
    stria_view endless;
    ok(stria_view_foreign(&endless, x, stria_dtype_of(STRIA_F32), 1, &most, &still,
                          STRIA_READONLY));
    assert_int_equal(stria_scan_dim_new(&made, STRIA_CUMSUM, &endless, 0, &from, NULL),
                     STRIA_ERR_OVERFLOW);
    assert_true(z[0] == 7 && x[4] == 6.5f);
    stria_array_release(&made);
    /* Each allocation is refused in turn: nothing changes, nothing leaks. */
    for (int64_t fail_at = 1; fail_at < 6; fail_at++) {
        memcpy(z, ((float[]){7, 7, 7, 7}), sizeof z);
        counting_begin(fail_at);
        const stria_status status = stria_scan_dim(&apart, STRIA_CUMSUM, &a, 0, &both, NULL);
        counting_end();
        if (status == STRIA_OK)
            assert_memory_equal(z, ((float[]){0, 0, 0, 2}), sizeof z);
        else
            assert_memory_equal(z, ((float[]){7, 7, 7, 7}), sizeof z);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        assert_true((fail_at > 1 || status != STRIA_OK) && (fail_at < 5 || status == STRIA_OK));
    }
}

/* Finite numbers in lines of many blocks, alone and side by side, dense and not, on every level. */
TEST(test_long_lines)
{
    enum { LINES = 21, N = 5001 };
    static float x[N][LINES];
    static float y[LINES][N];
    uint64_t seed = 63;
    for (int i = 0; i < N * LINES; i++)
        x[i / LINES][i % LINES] = (float)ldexp((double)(int64_t)random_bits(&seed), -62);
    const stria_view side_by_side = OF(x, F32, N, LINES), rows = OF(y, F32, LINES, N);
    stria_view turned;
    ok(stria_reverse_dims(&turned, &side_by_side));
    ok(stria_copy(&rows, &turned, NULL));
    for (int level = 0; next_level(&level);)
        for (int form = 0; form < 3; form++) {
            const stria_view *const a = form == 0 ? &side_by_side : form == 1 ? &rows : &turned;
            const int dim = form == 0 ? 0 : 1;
            RELEASED stria_array made = {0};
            ok(stria_scan_dim_new(&made, STRIA_CUMSUM, a, dim, NULL, NULL));
            check(STRIA_CUMSUM, &made.view, a, dim);
        }
}

/* Sums after an infinity are infinite in all blocks, until one of the other sign; overflow
 * likewise. */
TEST(test_infinities)
{
    enum { LINES = 3, N = 3000 };
    static double x[N][LINES], y[N][LINES];
    const stria_view a = OF(x, F64, N, LINES), b = OF(y, F64, N, LINES);
    for (int i = 0; i < N; i++)
        x[i][0] = x[i][1] = 1, x[i][2] = i < 2 ? 0x1.8p1023 : 1;
    x[5][0] = x[7][1] = HUGE_VAL;
    x[2000][1] = -HUGE_VAL;
    for (int level = 0; next_level(&level);) {
        ok(stria_cumsum(&b, &a, 0, NULL));
        for (int i = 0; i < N; i++) {
            assert_true(y[i][0] == (i < 5 ? i + 1 : HUGE_VAL));
            assert_true(i < 2000 ? y[i][1] == (i < 7 ? i + 1 : HUGE_VAL) : isnan(y[i][1]));
            assert_true(y[i][2] == (i < 1 ? 0x1.8p1023 : HUGE_VAL));
        }
        for (int line = 0; line < LINES; line++) {
            stria_view from, to;
            double alone[N];
            ok(stria_select(&from, &a, 1, line));
            to = OF(alone, F64, N);
            ok(stria_cumsum(&to, &from, 0, NULL));
            for (int i = 0; i < N; i++)
                assert_true(alone[i] == y[i][line] || (isnan(alone[i]) && isnan(y[i][line])));
        }
    }
}

TEST_MAIN(NULL, NULL)
