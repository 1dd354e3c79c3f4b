/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons by value: every pair of real dtypes, and weak scalars beside each, on numbers that
 * lie next to each other and to the limits of the formats, against long double, which holds them
 * all.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/exact.h"
#include "support/levels.h"
#include "support/test.h"

enum { MOST = 1024, LESS = 512, KINDS = STRIA_F64 + 1, ALL_OF_16_BITS = 1 << 16 };

/* ---- numbers -------------------------------------------------------------------------------- */

static double floats[MOST];
static int64_t integers[MOST];
static int float_count, integer_count;

static void add_float(double x)
{
    assert_true(float_count < MOST);
    floats[float_count++] = x;
}

static void add_integer(uint64_t x)
{
    assert_true(integer_count < MOST);
    integers[integer_count++] = (int64_t)x;
}

/* Makes powers of two where formats end, numbers next to them, and halves. */
static int make_numbers(void **state)
{
    static const int powers[] = {0,  1,  7,  8,  10, 11, 15, 16, 23,
                                 24, 31, 32, 52, 53, 54, 62, 63, 64};
    (void)state;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        const double power = powers[i] < 64 ? (double)(UINT64_C(1) << powers[i]) : 0x1p64;
        const uint64_t whole = powers[i] < 64 ? UINT64_C(1) << powers[i] : 0;
        const double step = power * 0x1p-53, beside[] = {-1, -0.5, -step, 0, step, 0.5, 1};
        for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
            add_float(power + beside[k]);
            add_float(-power - beside[k]);
        }
        for (uint64_t k = 0; k < 5; k++) {
            add_integer(whole + k - 2);
            add_integer(0 - (whole + k - 2));
        }
    }
    const double others[] = {0.0,      -0.0,      0x1p-1074, -0x1p-1074, 1e-30, -1e-30,
                             1e300,    -1e300,    65504,     65519,      65520, -65520,
                             0x1p1023, -0x1p1023, 255.5,     127.5};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add_float(others[i]);
    const double zero = 0;
    add_float(1 / (zero + 0.0));
    add_float(-1 / (zero + 0.0));
    add_float(zero / (zero + 0.0));
    return 0;
}

/* Returns all numbers as items of a kind, or every item that the kind has. */
static char *items_of(stria_kind kind, int64_t *count)
{
    const size_t size = (size_t)stria_dtype_of(kind).itemsize;
    const bool all = size <= 2 && kind != STRIA_BOOL;
    *count = all ? (int64_t)1 << (8 * size) : float_count + 2 * integer_count;
    char *const out = malloc((size_t)*count * size), *at = out;
    assert_non_null(out);
    if (all) {
        for (uint32_t bits = 0; bits < *count; bits++, at += size) {
            const uint16_t two = (uint16_t)bits;
            const uint8_t one = (uint8_t)bits;
            memcpy(at, size == 2 ? (const void *)&two : (const void *)&one, size);
        }
        return out;
    }
    for (int i = 0; i < float_count; i++, at += size)
        exact_convert(at, kind, &floats[i], STRIA_F64, false);
    for (int i = 0; i < integer_count; i++, at += size)
        exact_convert(at, kind, &integers[i], STRIA_I64, false);
    for (int i = 0; i < integer_count; i++, at += size)
        exact_convert(at, kind, &integers[i], STRIA_U64, false);
    return out;
}

static long double value_of(const char *item, stria_kind kind)
{
    int64_t i;
    uint64_t u;
    double f;
    if (kind == STRIA_U64) {
        memcpy(&u, item, sizeof u);
        return (long double)u;
    }
    if (kind <= STRIA_U32) {
        exact_convert(&i, STRIA_I64, item, kind, false);
        return (long double)i;
    }
    exact_convert(&f, STRIA_F64, item, kind, false);
    return (long double)f;
}

struct numbers {
    int64_t n;
    char *items;
    long double *values;
    stria_view view;
};

static struct numbers numbers_of(stria_kind kind)
{
    struct numbers out;
    const int64_t size = stria_dtype_of(kind).itemsize;
    out.items = items_of(kind, &out.n);
    out.values = malloc((size_t)out.n * sizeof *out.values);
    assert_non_null(out.values);
    for (int64_t i = 0; i < out.n; i++)
        out.values[i] = value_of(out.items + i * size, kind);
    ok(stria_view_foreign(&out.view, out.items, stria_dtype_of(kind), 1, &out.n, NULL, 0));
    return out;
}

static void numbers_free(struct numbers *numbers)
{
    free(numbers->items);
    free(numbers->values);
}

static bool is_compared(stria_kind kind)
{
    return kind != STRIA_F8E4M3 && kind != STRIA_F8E5M2;
}

/* ---- arrays --------------------------------------------------------------------------------- */

/* Compares every number of a with every one of b, or with the first of them where there are
 * many. */
static void compare_arrays(const struct numbers *a, const struct numbers *b)
{
    const int64_t rows = a->n < LESS ? a->n : LESS, columns = b->n < LESS ? b->n : LESS;
    const int64_t step_a = a->n / rows, step_b = b->n / columns;
    stria_view left, right;
    RELEASED stria_array out = {0};
    ok(stria_slice(&left, &a->view, 0, 0, rows * step_a, step_a));
    ok(stria_slice(&right, &b->view, 0, 0, columns * step_b, step_b));
    ok(stria_unsqueeze(&left, &left, 1));
    const stria_view *const operands[] = {&left, &right};
    ok(stria_elementwise_new(&out, STRIA_LESS, 2, operands, NULL));
    assert_int_equal(out.view.dtype.kind, STRIA_BOOL);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const bool want = a->values[i * step_a] < b->values[j * step_b];
            const bool got = out.view.data[i * out.view.strides[0] + j * out.view.strides[1]];
            if (want != got)
                fail_msg("kinds %d and %d: %Lg < %Lg", a->view.dtype.kind, b->view.dtype.kind,
                         a->values[i * step_a], b->values[j * step_b]);
        }
}

TEST(pairs_of_dtypes)
{
    struct numbers all[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        all[kind] = numbers_of((stria_kind)kind);
    for (int level = 0; next_level(&level);)
        for (int a = 0; a < KINDS; a++)
            for (int b = 0; b < KINDS; b++)
                if (is_compared((stria_kind)a) && is_compared((stria_kind)b))
                    compare_arrays(&all[a], &all[b]);
    for (int kind = 0; kind < KINDS; kind++)
        numbers_free(&all[kind]);
}

/* ---- scalars -------------------------------------------------------------------------------- */

static void compare_scalar(const struct numbers *a, const stria_view *weak, long double value,
                           bool *answers)
{
    stria_view out;
    ok(stria_view_foreign(&out, answers, stria_dtype_of(STRIA_BOOL), 1, &a->n, NULL, 0));
    for (int side = 0; side < 2; side++) {
        const stria_status status =
            side ? stria_less(&out, weak, &a->view, NULL) : stria_less(&out, &a->view, weak, NULL);
        ok(status);
        for (int64_t i = 0; i < a->n; i++)
            if (answers[i] != (side ? value < a->values[i] : a->values[i] < value))
                fail_msg("kind %d: %Lg %s the weak %Lg", a->view.dtype.kind, a->values[i],
                         side ? ">" : "<", value);
    }
}

TEST(weak_scalars)
{
    bool *const answers = malloc(ALL_OF_16_BITS);
    assert_non_null(answers);
    for (int kind = 0; kind < KINDS; kind++) {
        stria_view weak;
        if (!is_compared((stria_kind)kind)) continue;
        struct numbers a = numbers_of((stria_kind)kind);
        for (int i = 0; i < float_count; i++) {
            ok(stria_weak(&weak, STRIA_F64, &floats[i]));
            compare_scalar(&a, &weak, (long double)floats[i], answers);
        }
        for (int i = 0; i < integer_count; i++) {
            ok(stria_weak(&weak, STRIA_I64, &integers[i]));
            compare_scalar(&a, &weak, (long double)integers[i], answers);
            ok(stria_weak(&weak, STRIA_U64, &integers[i]));
            compare_scalar(&a, &weak, (long double)(uint64_t)integers[i], answers);
        }
        numbers_free(&a);
    }
    free(answers);
}

/* Two weak scalars are compared by their values. */
TEST(two_weak_scalars)
{
    const uint64_t large = UINT64_MAX;
    const int64_t below = -1;
    const double between = 0x1p63;
    const bool truth = true;
    stria_view weak[4], out;
    bool answer;
    ok(stria_weak(&weak[0], STRIA_I64, &below));
    ok(stria_weak(&weak[1], STRIA_BOOL, &truth));
    ok(stria_weak(&weak[2], STRIA_F64, &between));
    ok(stria_weak(&weak[3], STRIA_U64, &large));
    ok(stria_view_foreign(&out, &answer, stria_dtype_of(STRIA_BOOL), 0, NULL, NULL, 0));
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            ok(stria_less(&out, &weak[a], &weak[b], NULL));
            assert_int_equal(answer, a < b);
        }
}

TEST_MAIN(make_numbers, NULL)
