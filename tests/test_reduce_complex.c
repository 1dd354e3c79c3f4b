/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products, variances and NaN-skipping reductions of complex numbers, and cumprod, against the
 * definitions of docs/reductions.md: rows and columns of many lengths, gathered, swapped,
 * conjugated, of both dtypes, on every level and several threads, bit for bit.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/reference_tree.h"
#include "support/slow.h"
#include "support/test.h"

enum { MOST = 1400, LINES = 19 };

struct z {
    double re, im;
};

static struct z input[MOST * LINES], line[MOST];
static char room[MOST * LINES * 2 * 16 + 1];

static stria_view of(const void *data, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_view view;
    ok(stria_view_foreign(&view, (void *)(uintptr_t)data, stria_dtype_of(kind), ndim, shape, NULL,
                          0));
    return view;
}
#define OF(data, kind, ...)                                                                        \
    of(data, STRIA_##kind, (int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (int64_t[]){__VA_ARGS__})

/* ---- definitions ----------------------------------------------------------------------------- */

static struct z times(struct z a, struct z b)
{
    const double p = a.re * b.re, q = a.im * b.im, r = a.re * b.im, s = a.im * b.re;
    return (struct z){p - q, r + s};
}

/* Multiplies a leaf by lanes: lane l begins with element l; lanes without an element are left
 * out. */
static struct z leaf(const struct z *x, int64_t n)
{
    struct z lane[16];
    for (int64_t r = 0; r < n; r++)
        lane[r % 16] = r < 16 ? x[r] : times(lane[r % 16], x[r]);
    for (int half = 8; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            if (l + half < n) lane[l] = times(lane[l], lane[l + half]);
    return lane[0];
}

static struct z product(const struct z *x, int64_t n)
{
    int64_t p = 256;
    if (n <= 256) return leaf(x, n);
    while (2 * p < n)
        p *= 2;
    return times(product(x, p), product(x + p, n - p));
}

static double variance(const double *x, int64_t n, double ddof)
{
    static double terms[MOST];
    const double m = (tree_of(false, x, n) + 0.0) / (double)n;
    for (int64_t i = 0; i < n; i++)
        terms[i] = (x[i] - m) * (x[i] - m);
    const double squares = tree_of(false, terms, n);
    for (int64_t i = 0; i < n; i++)
        terms[i] = x[i] - m;
    const double shift = tree_of(false, terms, n), rest = squares - shift * shift / (double)n;
    return (double)n - ddof > 0 ? (rest < 0 ? 0 : rest) / ((double)n - ddof) : (double)NAN;
}

/* ---- layouts --------------------------------------------------------------------------------- */

enum { ROWS, COLUMNS, SPACED, SWAPPED, CONJUGATED, LAYOUTS };

/* Makes a view of the first n elements of every line of input, of shape (n, lines), or of its
 * conjugates. */
static void lay_out(stria_array *made, stria_kind kind, int layout, int64_t n, int64_t lines)
{
    const bool turned = layout == ROWS || layout == SPACED;
    const int64_t gap = layout == SPACED ? 2 : 1;
    const int64_t shape[] = {turned ? lines : n, (turned ? n : lines) * gap};
    stria_dtype dtype = stria_dtype_of(kind);
    stria_view to, from = OF(input, C128, n, lines);
    if (layout == SWAPPED) dtype = stria_dtype_swap(dtype);
    ok(stria_empty(made, dtype, 2, shape));
    ok(stria_slice(&to, &made->view, 1, STRIA_NONE, STRIA_NONE, gap));
    if (turned) ok(stria_reverse_dims(&to, &to));
    from.strides[0] = LINES * (int64_t)sizeof(struct z);
    from.strides[1] = sizeof(struct z);
    if (layout == CONJUGATED) ok(stria_conj(&to, &to));
    ok(stria_copy(&to, &from, NULL));
    made->view = to;
}

static void read_line(const stria_view *a, int64_t at)
{
    stria_view one, to = OF(line, C128, a->shape[0]);
    ok(stria_select(&one, a, 1, at));
    ok(stria_copy(&to, &one, NULL));
}

/* Checks that the item of out is x, rounded to its dtype. */
static void check_item(const stria_view *out, int64_t at, struct z x, const char *what, int64_t n)
{
    char expected[16];
    const stria_view from = OF(&x, C128, 1);
    const stria_view to = of(expected, (stria_kind)out->dtype.kind, 1, (int64_t[]){1});
    ok(stria_copy(&to, &from, NULL));
    if (memcmp(out->data + at * out->dtype.itemsize, expected, (size_t)out->dtype.itemsize) != 0)
        fail_msg("%s: %s of %d, of kind %d, line %d", stria_isa_name(), what, (int)n,
                 (int)out->dtype.kind, (int)at);
}

static void check_real(const stria_view *out, int64_t at, double x, const char *what, int64_t n)
{
    char expected[8];
    const stria_view from = OF(&x, F64, 1);
    const stria_view to = of(expected, (stria_kind)out->dtype.kind, 1, (int64_t[]){1});
    ok(stria_copy(&to, &from, NULL));
    if (memcmp(out->data + at * out->dtype.itemsize, expected, (size_t)out->dtype.itemsize) != 0)
        fail_msg("%s: %s of %d, line %d", stria_isa_name(), what, (int)n, (int)at);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void fill_input(uint64_t seed)
{
    for (int i = 0; i < MOST * LINES; i++) {
        const double angle = ldexp((double)random_bits(&seed), -60),
                     size = 1 + ldexp((double)(int64_t)random_bits(&seed), -67);
        input[i] = (struct z){size * cos(angle), size * sin(angle)};
    }
}

static void check_products(const stria_view *a, int64_t n, int64_t lines, const stria_exec *exec)
{
    const stria_view out = of(room, (stria_kind)a->dtype.kind, 1, (int64_t[]){lines});
    const stria_view wide = of(room, STRIA_C128, 1, (int64_t[]){lines});
    stria_view scans = of(room, (stria_kind)a->dtype.kind, 2, (int64_t[]){n, lines});
    ok(stria_prod(&out, a, 1, (int[]){0}, exec));
    for (int64_t j = 0; j < lines; j++) {
        read_line(a, j);
        check_item(&out, j, product(line, n), "prod", n);
    }
    ok(stria_prod(&wide, a, 1, (int[]){0}, exec));
    for (int64_t j = 0; j < lines; j++) {
        read_line(a, j);
        check_item(&wide, j, product(line, n), "prod into c128", n);
    }
    ok(stria_cumprod(&scans, a, 0, exec));
    for (int64_t j = 0; j < lines; j++) {
        struct z so_far = {0, 0};
        read_line(a, j);
        for (int64_t i = 0; i < n; i++) {
            so_far = i == 0 ? line[0] : times(so_far, line[i]);
            check_item(&scans, i * lines + j, so_far, "cumprod", n);
        }
    }
}

TEST(test_products)
{
    static const int64_t lengths[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 255, 256, 257, 800, MOST};
    fill_input(70);
    for (int level = 0; next_level(&level);)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (int layout = 0; layout < LAYOUTS; layout++) {
                const stria_exec exec = {.threads = 1 + layout % 3, .run = pool_run};
                const int64_t n = lengths[i], lines = layout % 2 || i % 2 ? LINES : 3;
                const stria_kind kind = (i + (size_t)layout) % 2 ? STRIA_C64 : STRIA_C128;
                RELEASED stria_array a = {0};
                if (ONE_IN > 1 && n > 300) continue;
                lay_out(&a, kind, layout, n, lines);
                check_products(&a.view, n, lines, &exec);
            }
}

/* Rows in runs of lanes, by subtrees on several threads, and an output over all dims. */
TEST(test_whole)
{
    enum { DEEP = 4, ACROSS = 16 };
    const int64_t n = (int64_t)LINES * (MOST / ACROSS) * ACROSS;
    static struct z flat[MOST * LINES];
    struct z got;
    fill_input(71);
    memcpy(flat, input, sizeof flat);
    const stria_view a = OF(flat, C128, n), out = of(&got, STRIA_C128, 0, NULL);
    stria_view boxes = OF(flat, C128, n / (DEEP * ACROSS), DEEP, ACROSS);
    for (int level = 0; next_level(&level);)
        for (int threads = 1; threads < 4; threads++) {
            const stria_exec exec = {.threads = threads, .run = pool_run};
            ok(stria_prod(&out, &a, STRIA_ALL_DIMS, NULL, &exec));
            check_item(&out, 0, product(flat, n), "prod of all", n);
            stria_view half;
            ok(stria_select(&half, &boxes, 1, 1));
            int64_t count = 0;
            for (int64_t i = 0; i < half.shape[0]; i++)
                for (int64_t j = 0; j < ACROSS; j++)
                    input[count++] = flat[(i * DEEP + 1) * ACROSS + j];
            ok(stria_prod(&out, &half, STRIA_ALL_DIMS, NULL, &exec));
            check_item(&out, 0, product(input, count), "prod of runs", count);
        }
}

/* Elements that are not finite, and single ones, stay as they are; the product of none is 1. */
TEST(test_special)
{
    struct z x[2] = {{-0.0, HUGE_VAL}, {1, 0}}, got = {5, 5};
    const stria_view a = OF(x, C128, 2), out = of(&got, STRIA_C128, 0, NULL);
    stria_view some;
    ok(stria_narrow(&some, &a, 0, 0, 1));
    ok(stria_prod(&out, &some, STRIA_ALL_DIMS, NULL, NULL));
    assert_memory_equal(&got, &x[0], sizeof got);
    ok(stria_narrow(&some, &a, 0, 0, 0));
    ok(stria_prod(&out, &some, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(got.re == 1 && got.im == 0 && !signbit(got.im));
    ok(stria_prod(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(isnan(got.re) && got.im == HUGE_VAL);
    ok(stria_cumprod(&a, &a, -1, NULL));
    assert_true(x[0].im == HUGE_VAL && signbit(x[0].re) && isnan(x[1].re) && x[1].im == HUGE_VAL);
}

static void check_spread(const stria_view *a, int64_t n, int64_t lines)
{
    const stria_kind kind = (stria_kind)stria_dtype_real(a->dtype).kind;
    const stria_view out = of(room, kind, 1, (int64_t[]){lines});
    const stria_reduction ops[] = {STRIA_VAR, STRIA_STD, STRIA_NANVAR, STRIA_NANSTD};
    const bool yes = true;
    const stria_view mask = of(&yes, STRIA_BOOL, 0, NULL);
    for (int o = 0; o < 8; o++) {
        const stria_reduce_options options = {.ddof = 1, .mask = o % 2 ? &mask : NULL};
        ok(stria_reduce_dims(&out, ops[o / 2], a, 1, (int[]){0}, &options, NULL));
        for (int64_t j = 0; j < lines; j++) {
            static double part[2][MOST];
            read_line(a, j);
            for (int64_t i = 0; i < n; i++) {
                part[0][i] = line[i].re;
                part[1][i] = line[i].im;
            }
            const double sum = variance(part[0], n, 1) + variance(part[1], n, 1);
            check_real(&out, j, o / 2 % 2 ? sqrt(sum) : sum, stria_reduction_name(ops[o / 2]), n);
        }
    }
}

TEST(test_spread)
{
    static const int64_t lengths[] = {2, 3, 40, 700};
    fill_input(72);
    for (int level = 0; next_level(&level);)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (int layout = 0; layout < LAYOUTS; layout++) {
                RELEASED stria_array a = {0};
                lay_out(&a, (i + (size_t)layout) % 2 ? STRIA_C64 : STRIA_C128, layout, lengths[i],
                        5);
                check_spread(&a.view, lengths[i], 5);
            }
}

/* NaN in either part excludes an element; masks, initial values and dtypes. */
TEST(test_options)
{
    const double nan = (double)NAN;
    struct z x[5] = {{1, 2}, {nan, 1}, {3, -1}, {4, nan}, {0, 2}}, got;
    double real = 0;
    const stria_view a = OF(x, C128, 5), out = of(&got, STRIA_C128, 0, NULL),
                     number = of(&real, STRIA_F64, 0, NULL);
    ok(stria_nansum(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(got.re == 4 && got.im == 3);
    ok(stria_nanprod(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(got.re == -10 && got.im == 10); /* (1 + 2i)(3 - i)(2i) */
    ok(stria_nanmean(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(got.re == 4.0 / 3 && got.im == 1);
    ok(stria_nanvar(&number, &a, STRIA_ALL_DIMS, NULL, 0, NULL));
    const double means[] = {4.0 / 3, 1};
    assert_true(fabs(real - ((1 - means[0]) * (1 - means[0]) + (3 - means[0]) * (3 - means[0]) +
                             means[0] * means[0] + 1 + 4 + 1) /
                                3) < 1e-15);
    bool mask[] = {true, false, false, false, true};
    const struct z begin = {0, 1};
    const stria_view where = OF(mask, BOOL, 5), initial = of(&begin, STRIA_C128, 0, NULL);
    const stria_reduce_options options = {.mask = &where, .initial = &initial};
    ok(stria_reduce_dims(&out, STRIA_PROD, &a, STRIA_ALL_DIMS, NULL, &options, NULL));
    assert_true(got.re == -2 && got.im == -4); /* (1 + 2i)(2i) i */
    ok(stria_reduce_dims(&number, STRIA_VAR, &a, STRIA_ALL_DIMS, NULL,
                         &(stria_reduce_options){.mask = &where}, NULL));
    assert_true(real == 0.25);
    const float f[] = {1, 2, 4};
    const stria_dtype dtype = stria_dtype_of(STRIA_C64);
    const stria_view floats = OF(f, F32, 3);
    ok(stria_reduce_dims(&out, STRIA_PROD, &floats, STRIA_ALL_DIMS, NULL,
                         &(stria_reduce_options){.dtype = &dtype}, NULL));
    assert_true(got.re == 8 && got.im == 0);
    RELEASED stria_array made = {0};
    ok(stria_reduce_dims_new(&made, STRIA_STD, &floats, STRIA_ALL_DIMS, NULL,
                             &(stria_reduce_options){.dtype = &dtype}, NULL));
    assert_int_equal(made.view.dtype.kind, STRIA_F32);
}

/* A mask of ones changes no mean, not even beside an infinity. */
TEST(test_mean)
{
    struct z x[2] = {{1, HUGE_VAL}, {2, 3}}, got[2];
    const bool yes = true;
    const stria_view a = OF(x, C128, 2), mask = of(&yes, STRIA_BOOL, 0, NULL);
    for (int i = 0; i < 2; i++) {
        const stria_view out = of(&got[i], STRIA_C128, 0, NULL);
        ok(stria_reduce_dims(&out, STRIA_MEAN, &a, STRIA_ALL_DIMS, NULL,
                             &(stria_reduce_options){.mask = i ? &mask : NULL}, NULL));
    }
    assert_memory_equal(&got[0], &got[1], sizeof got[0]);
    assert_true(got[0].re == 1.5 && got[0].im == HUGE_VAL);
}

/* Mean and variance in one call, and into memory that overlaps the input; elements given by an
 * expression. */
TEST(test_together)
{
    struct z x[4] = {{1, 1}, {3, 5}, {2, 2}, {2, 4}}, mean;
    double var = 0;
    const stria_view a = OF(x, C128, 4), to = of(&mean, STRIA_C128, 0, NULL),
                     number = of(&var, STRIA_F64, 0, NULL), over = of(x, STRIA_C128, 0, NULL);
    ok(stria_mean_var(&to, &number, &a, STRIA_ALL_DIMS, NULL, 0, NULL));
    assert_true(mean.re == 2 && mean.im == 3 && var == 0.5 + 2.5);
    stria_expr *expr;
    int node, square;
    ok(stria_expr_make(&expr));
    ok(stria_expr_input(expr, &node, 0));
    ok(stria_expr_op(expr, &square, STRIA_MULTIPLY, 2, (int[]){node, node}));
    const stria_view *const inputs[] = {&a};
    ok(stria_expr_reduce(&number, expr, STRIA_VAR, 1, inputs, STRIA_ALL_DIMS, NULL, NULL, NULL));
    /* 2i, -16 + 30i, 8i, -12 + 16i: of -7 and 14 */
    assert_true(var == (49 + 81 + 49 + 25) / 4.0 + (144 + 256 + 36 + 4) / 4.0);
    ok(stria_expr_reduce(&to, expr, STRIA_PROD, 1, inputs, STRIA_ALL_DIMS, NULL, NULL, NULL));
    /* (2i)(8i) = -16; (-16 + 30i)(-12 + 16i) = -288 - 616i */
    assert_true(mean.re == 16 * 288 && mean.im == 16 * 616);
    stria_expr_release(expr);
    ok(stria_prod(&over, &a, STRIA_ALL_DIMS, NULL, NULL));
    /* (1 + i)(3 + 5i) = -2 + 8i; (2 + 2i)(2 + 4i) = -4 + 12i */
    assert_true(x[0].re == 8 - 96 && x[0].im == -24 - 32);
}

TEST_MAIN(NULL, NULL)
