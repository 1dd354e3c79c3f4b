/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A power with exponent 2 is the square, in every form of the call, and has the same bits where the
 * 2 is one of many exponents.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/test.h"

enum { N = 3000 };

static const stria_kind kinds[] = {STRIA_I8,  STRIA_I32,  STRIA_I64, STRIA_U8, STRIA_U64,
                                   STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64};

/* Fills with numbers of both signs and every size; the first ones are zeros, ones and, for floats,
 * special values. */
static void fill_numbers(char *items, stria_kind kind, uint64_t *seed)
{
    static const double special[] = {0.0, -0.0, 1, -1, __builtin_inf(), -__builtin_inf(), 2};
    const int64_t size = stria_dtype_of(kind).itemsize;
    const bool is_float = kind >= STRIA_F16;
    for (int i = 0; i < N; i++) {
        const int exponent = (int)random_between(seed, is_float ? -80 : 0, is_float ? 70 : 6);
        const double part = (double)random_between(seed, -(1 << 24), 1 << 24) / (1 << 24);
        double value = __builtin_ldexp(part, exponent);
        if (is_float && i < 7) value = special[i];
        if (!is_float && kind > STRIA_I64 && value < 0) value = -value;
        exact_convert(items + i * size, kind, &value, STRIA_F64, false);
    }
}

/* x * x, which every multiplication kernel rounds once, and the powers to compare with it. */
struct powers {
    stria_array x, y, wanted, got;
};

static stria_array make(stria_kind kind, int64_t n)
{
    stria_array a = {0};
    ok(stria_zeros(&a, stria_dtype_of(kind), 1, &n));
    return a;
}

static void check_same(const struct powers *p, const char *how)
{
    const int64_t bytes = N * p->x.view.dtype.itemsize;
    if (memcmp(p->got.view.data, p->wanted.view.data, (size_t)bytes))
        fail_msg("kind %d: %s is not the square", p->x.view.dtype.kind, how);
    memset(p->got.view.data, 0xA5, (size_t)bytes);
}

static void put_exponents(const struct powers *p, double odd)
{
    const stria_kind kind = (stria_kind)p->y.view.dtype.kind;
    for (int i = 0; i < N; i++) {
        const double exponent = i % 5 == 4 ? odd : 2;
        exact_convert(p->y.view.data + i * p->y.view.dtype.itemsize, kind, &exponent, STRIA_F64,
                      false);
    }
}

static void check_expressions(const struct powers *p, const stria_view *two)
{
    const char *const names[] = {"x", "y"};
    const stria_view *const inputs[] = {&p->x.view, two};
    static const char *const texts[] = {"x ** 2", "x ** 2.0", "x ** y", "pow(x, 2)"};
    const bool is_float = p->x.view.dtype.kind >= STRIA_F16;
    for (int i = 0; i < 4; i++) {
        stria_expr *expr;
        if (i == 1 && !is_float) continue;
        ok(stria_expr_parse(&expr, texts[i], 2, names));
        ok(stria_expr_evaluate(&p->got.view, expr, 2, inputs, NULL));
        check_same(p, texts[i]);
        stria_expr_release(expr);
    }
}

/* Most of the exponents are 2; also a dense row of them. */
static void check_among_others(const struct powers *p)
{
    const int64_t size = p->x.view.dtype.itemsize;
    put_exponents(p, 2);
    ok(stria_pow(&p->got.view, &p->x.view, &p->y.view, NULL));
    check_same(p, "an array of 2");
    put_exponents(p, 3);
    ok(stria_pow(&p->got.view, &p->x.view, &p->y.view, NULL));
    for (int i = 0; i < N; i++)
        if (i % 5 == 4)
            memcpy(p->got.view.data + i * size, p->wanted.view.data + i * size, (size_t)size);
    check_same(p, "a 2 among other exponents");
}

static void check_kind(stria_kind kind, uint64_t *seed)
{
    struct powers p = {make(kind, N), make(kind, N), make(kind, N), make(kind, N)};
    const int64_t value = 2;
    stria_view weak, one = p.y.view;
    stria_exec half = {.threads = 1};
    fill_numbers(p.x.view.data, kind, seed);
    ok(stria_multiply(&p.wanted.view, &p.x.view, &p.x.view, NULL));
    ok(stria_weak(&weak, STRIA_I64, &value));
    ok(stria_pow(&p.got.view, &p.x.view, &weak, NULL));
    check_same(&p, "the weak scalar 2");
    put_exponents(&p, 2);
    one.ndim = 0;
    ok(stria_pow(&p.got.view, &p.x.view, &one, &half));
    check_same(&p, "an array without dims");
    check_expressions(&p, &one);
    check_among_others(&p);
    stria_array_release(&p.x);
    stria_array_release(&p.y);
    stria_array_release(&p.wanted);
    stria_array_release(&p.got);
}

TEST(a_power_of_two_is_the_square)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind(kinds[i], &seed);
}

TEST_MAIN(NULL, NULL)
