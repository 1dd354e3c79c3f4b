/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several results of one expression, and operations with two results: against the operations one
 * after the other, over random layouts, dtypes, masks and overlaps; special values against C's own
 * functions; and what is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/arithmetic.h"
#include "support/exact.h"
#include "support/indices.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/samples.h"
#include "support/by_value.h"
#include "support/test.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

/* ---- values --------------------------------------------------------------------------------- */

static const double specials[] = {
    0.0,    -0.0,   1,        -1,        2.5, -2.5,     1e300,
    -1e300, 5e-324, INFINITY, -INFINITY, NAN, 0.999999, 4503599627370497.5,
    -7};
enum { SPECIALS = sizeof specials / sizeof *specials };

static bool same(double a, double b)
{
    return (a != a && b != b) || (a == b && signbit(a) == signbit(b));
}

TEST(modf_as_in_c)
{
    double fraction[SPECIALS], whole[SPECIALS];
    const stria_view a = of((void *)(uintptr_t)specials, STRIA_F64, 1, (int64_t[]){SPECIALS});
    const stria_view f = OF(fraction, F64, SPECIALS), w = OF(whole, F64, SPECIALS);
    ok(stria_modf(&f, &w, &a, NULL));
    for (int i = 0; i < SPECIALS; i++) {
        double part;
        const double rest = modf(specials[i], &part);
        if (!same(fraction[i], rest) || !same(whole[i], part))
            fail_msg("modf(%a): %a %a", specials[i], fraction[i], whole[i]);
    }
}

TEST(frexp_as_in_c)
{
    const double more[] = {1 - 0x1p-53,
                           -1 - 0x1p-52,
                           0x1p-1022,
                           0x1.fffffffffffffp1023,
                           0x1.8p-1070,
                           0x1.0000000000001p512,
                           0x1.fffffffffffffp511,
                           3};
    enum { MORE = COUNT_OF(more), ALL = SPECIALS + MORE };
    double in[ALL], mantissa[ALL];
    float narrow[ALL], narrow_mantissa[ALL];
    int32_t exponent[ALL];
    int64_t wide[ALL];
    for (int i = 0; i < ALL; i++) {
        in[i] = i < SPECIALS ? specials[i] : more[i - SPECIALS];
        narrow[i] = (float)in[i];
    }
    const stria_view a = OF(in, F64, ALL), m = OF(mantissa, F64, ALL), e = OF(exponent, I32, ALL);
    const stria_view b = OF(narrow, F32, ALL), n = OF(narrow_mantissa, F32, ALL);
    const stria_view w = OF(wide, I64, ALL), small = OF(wide, I16, ALL);
    ok(stria_frexp(&m, &e, &a, NULL));
    ok(stria_frexp(&n, &w, &b, NULL));
    for (int i = 0; i < ALL; i++) {
        int power = 0, least = 0;
        const double rest = frexp(in[i], &power), left = frexp((double)narrow[i], &least);
        const bool finite = isfinite(in[i]), short_finite = isfinite(narrow[i]);
        if (!same(mantissa[i], rest) || exponent[i] != (finite ? power : 0))
            fail_msg("frexp(%a): %a, %d", in[i], mantissa[i], (int)exponent[i]);
        if (!same((double)narrow_mantissa[i], left) || wide[i] != (short_finite ? least : 0))
            fail_msg("frexp of f32(%a): %a, %d", (double)narrow[i], (double)narrow_mantissa[i],
                     (int)wide[i]);
    }
    ok(stria_frexp(&m, &small, &a, NULL)); /* an exponent of the same kind */
}

TEST(divmod_of_integers)
{
    const int8_t a[] = {7, -7, 7, -7, -128, 5, 0}, b[] = {2, 2, -2, -2, -1, 0, 3};
    const int8_t quotients[] = {3, -4, -4, 3, -128, 0, 0}, rests[] = {1, 1, -1, -1, 0, 0, 0};
    int8_t q[7];
    int32_t r[7];
    const stria_view x = OF((void *)(uintptr_t)a, I8, 7), y = OF((void *)(uintptr_t)b, I8, 7);
    const stria_view quotient = OF(q, I8, 7), rest = OF(r, I32, 7);
    ok(stria_divmod(&quotient, &rest, &x, &x, NULL)); /* both inputs are one view */
    ok(stria_divmod(&quotient, &rest, &x, &y, NULL));
    for (int i = 0; i < 7; i++)
        assert_true(q[i] == quotients[i] && r[i] == rests[i]);
}

TEST(integers_become_floats)
{
    int32_t x[] = {3, -4};
    float fraction[2], whole[2], sine[2], cosine[2];
    const stria_view a = OF(x, I32, 2), f = OF(fraction, F32, 2), w = OF(whole, F32, 2);
    const stria_view s = OF(sine, F32, 2), c = OF(cosine, F32, 2);
    ok(stria_modf(&f, &w, &a, NULL));
    assert_true(fraction[0] == 0 && !signbit(fraction[0]) && signbit(fraction[1]));
    assert_true(whole[0] == 3 && whole[1] == -4);
    ok(stria_sincos(&s, &c, &a, NULL));
    assert_true(sine[0] == (float)sin(3.0) && cosine[1] == (float)cos(-4.0));
}

/* ---- against the operations one after the other ---------------------------------------------- */

/* Makes rows x columns items of memory, in C order, Fortran order, or with gaps. */
static stria_array room(uint64_t *seed, stria_dtype dtype, int64_t rows, int64_t columns)
{
    stria_array out = {0};
    const int64_t shape[] = {rows, columns}, wide[] = {rows, 2 * columns},
                  turned[] = {columns, rows};
    switch (random_between(seed, 0, 3)) {
    case 0:
        ok(stria_empty(&out, dtype, 2, turned));
        ok(stria_reverse_dims(&out.view, &out.view));
        return out;
    case 1:
        ok(stria_empty(&out, dtype, 2, wide));
        ok(stria_slice(&out.view, &out.view, 1, 1, STRIA_NONE, 2));
        return out;
    default: ok(stria_empty(&out, dtype, 2, shape)); return out;
    }
}

static stria_array values(uint64_t *seed, stria_kind kind, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    stria_array plain = {0}, out = room(seed, stria_dtype_of(kind), rows, columns);
    ok(stria_empty(&plain, stria_dtype_of(kind), 2, shape));
    samples_fill(plain.view.data, kind, rows * columns, seed);
    ok(stria_copy(&out.view, &plain.view, NULL));
    stria_array_release(&plain);
    return out;
}

static stria_array dense(const stria_view *a)
{
    stria_array out = {0};
    ok(stria_empty(&out, stria_dtype_of((stria_kind)a->dtype.kind), a->ndim, a->shape));
    ok(stria_copy(&out.view, a, NULL));
    return out;
}

static void assert_same(const stria_view *got, const stria_view *want, uint64_t seed)
{
    stria_array a = dense(got), b = dense(want);
    const size_t item = (size_t)got->dtype.itemsize;
    for (int64_t i = 0; i < stria_numel(got); i++) {
        union item x, y;
        memcpy(x.bytes, a.view.data + (size_t)i * item, item);
        memcpy(y.bytes, b.view.data + (size_t)i * item, item);
        if (!same_number((stria_kind)got->dtype.kind, x, y, 0))
            fail_msg("seed %llu: element %lld", (unsigned long long)seed, (long long)i);
    }
    stria_array_release(&a);
    stria_array_release(&b);
}

/* Evaluates f = a * b + 1, g = a - b, h = a * b and b itself, in one pass or several. */
static void several_of_one(uint64_t start)
{
    enum { OUTPUTS = 5 };
    uint64_t seed = start;
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_I32, STRIA_F16, STRIA_I8};
    const stria_kind kind = kinds[random_between(&seed, 0, 4)];
    const int64_t rows = random_between(&seed, 1, 40), columns = random_between(&seed, 1, 300);
    const int count = (int)random_between(&seed, 1, OUTPUTS);
    const int64_t one = 1;
    int node[6], chosen[OUTPUTS];
    stria_expr *e;
    stria_array a = values(&seed, kind, rows, columns), mask = {0};
    stria_array b = values(&seed, kind, random_once(&seed, 3) ? 1 : rows, columns);
    const stria_view *const inputs[] = {&a.view, &b.view};
    ok(stria_expr_make(&e));
    ok(stria_expr_input(e, &node[0], 0));
    ok(stria_expr_input(e, &node[1], 1));
    ok(stria_expr_scalar(e, &node[2], STRIA_I64, &one));
    ok(stria_expr_op(e, &node[3], STRIA_MULTIPLY, 2, (int[]){node[0], node[1]}));
    ok(stria_expr_op(e, &node[4], STRIA_ADD, 2, (int[]){node[3], node[2]}));
    ok(stria_expr_op(e, &node[5], STRIA_SUBTRACT, 2, (int[]){node[0], node[1]}));
    mask = values(&seed, STRIA_BOOL, rows, columns);
    stria_exec exec = {.threads = (int)random_between(&seed, 1, 3), .hints = STRIA_CASTING_UNSAFE};
    if (random_once(&seed, 3)) exec.mask = &mask.view;
    stria_array outs[OUTPUTS] = {0}, wants[OUTPUTS] = {0};
    const stria_view *views[OUTPUTS];
    for (int j = 0; j < count; j++) {
        chosen[j] = node[random_once(&seed, 5) ? random_between(&seed, 0, 5)
                                               : 3 + (j + (int)(start % 3)) % 3];
        const stria_kind to = random_once(&seed, 3) ? STRIA_F64 : kind;
        outs[j] = values(&seed, to, rows, columns);
        if (j == 0 && random_once(&seed, 4) && to == kind) {
            stria_array_release(&outs[0]);
            outs[0] = shared_of(&a.view); /* an input is an output */
        }
        views[j] = &outs[j].view;
    }
    /* each result alone, by an expression that ends in its node */
    for (int j = 0; j < count; j++) {
        static const stria_op ops[] = {STRIA_MULTIPLY, STRIA_ADD, STRIA_SUBTRACT};
        stria_expr *part;
        int last;
        wants[j] = dense(views[j]);
        ok(stria_expr_make(&part));
        ok(stria_expr_input(part, &last, 0));
        ok(stria_expr_input(part, &last, 1));
        if (chosen[j] == 0) ok(stria_expr_input(part, &last, 0));
        if (chosen[j] == 2) ok(stria_expr_scalar(part, &last, STRIA_I64, &one));
        if (chosen[j] > 2)
            ok(stria_expr_op(part, &last, chosen[j] == 5 ? ops[2] : ops[0], 2, (int[]){0, 1}));
        if (chosen[j] == 4) {
            ok(stria_expr_scalar(part, &node[2], STRIA_I64, &one));
            ok(stria_expr_op(part, &last, ops[1], 2, (int[]){last, node[2]}));
        }
        ok(stria_expr_evaluate(&wants[j].view, part, 2, inputs, &exec));
        stria_expr_release(part);
    }
    ok(stria_expr_evaluate_several(views, e, count, chosen, 2, inputs, &exec));
    for (int j = 0; j < count; j++) {
        assert_same(views[j], &wants[j].view, start);
        stria_array_release(&outs[j]);
        stria_array_release(&wants[j]);
    }
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&mask);
    stria_expr_release(e);
}

TEST(random_results)
{
    for (int level = 0; next_level(&level);)
        for (uint64_t seed = 1; seed <= 300; seed++)
            several_of_one(seed);
}

/* Each result is that of the operation with one result, in place and overlapping, too. */
TEST(pairs_are_their_operations)
{
    uint64_t seed = 3;
    for (int trial = 0; trial < 60; trial++) {
        static const stria_kind kinds[] = {STRIA_I8, STRIA_U16, STRIA_I64, STRIA_F32, STRIA_F64};
        const stria_kind kind = kinds[trial % 5];
        stria_array a = values(&seed, kind, 7, 90), b = values(&seed, kind, 7, 90);
        stria_array q = room(&seed, stria_dtype_of(kind), 7, 90), r = q, want[2] = {0};
        if (trial % 3 == 0) { /* divmod(a, b, out=(b, a)) */
            stria_array_release(&q);
            q = shared_of(&b.view);
            r = shared_of(&a.view);
        } else {
            r = room(&seed, stria_dtype_of(kind), 7, 90);
        }
        const stria_view *const inputs[] = {&a.view, &b.view};
        ok(stria_elementwise_new(&want[0], STRIA_FLOOR_DIVIDE, 2, inputs, NULL));
        ok(stria_elementwise_new(&want[1], STRIA_REMAINDER, 2, inputs, NULL));
        ok(stria_divmod(&q.view, &r.view, &a.view, &b.view, NULL));
        assert_same(&q.view, &want[0].view, (uint64_t)trial);
        assert_same(&r.view, &want[1].view, (uint64_t)trial);
        stria_array *const all[] = {&a, &b, &q, &r, &want[0], &want[1]};
        for (size_t i = 0; i < COUNT_OF(all); i++)
            stria_array_release(all[i]);
    }
}

/* ---- refusals ------------------------------------------------------------------------------- */

TEST(refusals)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {0};
    int32_t i[3] = {9, 9, 9};
    const stria_view a = OF(x, F32, 3), all = OF(y, F32, 6), whole = OF(i, I32, 3);
    const stria_exec apart = {.hints = STRIA_NO_OVERLAP};
    stria_view low, high, middle;
    ok(stria_narrow(&low, &all, 0, 0, 3));
    ok(stria_narrow(&high, &all, 0, 3, 3));
    ok(stria_narrow(&middle, &all, 0, 2, 3));
    assert_int_equal(stria_modf(&low, &middle, &a, NULL), STRIA_ERR_OVERLAP);
    assert_message("modf: fraction and whole share bytes");
    assert_int_equal(stria_modf(&low, &all, &a, NULL), STRIA_ERR_BROADCAST);
    assert_message("whole");
    assert_int_equal(stria_sincos(&low, &whole, &a, NULL), STRIA_ERR_DTYPE);
    assert_message("cosine's dtype i32");
    assert_int_equal(stria_divmod(&low, &high, &a, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_message("divmod: b is NULL");
    assert_int_equal(stria_sincos(&a, &high, &a, &apart), STRIA_ERR_OVERLAP);
    assert_message("sincos: sine and an input share bytes");
    assert_true(y[0] == 0 && y[5] == 0 && i[0] == 9);
    stria_expr *e;
    int n;
    ok(stria_expr_make(&e));
    ok(stria_expr_input(e, &n, 0));
    const stria_view *const ins[] = {&a}, *const outs[] = {&low, &high};
    assert_int_equal(stria_expr_evaluate_several(outs, e, 2, (int[]){0, 1}, 1, ins, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_message("node 1 as output 1: there are nodes 0 to 0");
    assert_int_equal(stria_expr_evaluate_several(outs, e, 0, (int[]){0}, 1, ins, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_expr_evaluate_several(outs, e, 8, (int[]){0}, 1, ins, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_message("takes 1 to 7");
    ok(stria_expr_evaluate_several(outs, e, 2, (int[]){0, 0}, 1, ins, NULL));
    assert_true(y[0] == 1 && y[5] == 3);
    stria_expr_release(e);
}

/* ---- new arrays ----------------------------------------------------------------------------- */

TEST(new_arrays)
{
    float x[6] = {1, 2, 3, 4, 5, 6};
    uint8_t bytes[2] = {1, 0};
    stria_view a = OF(x, F32, 2, 3);
    const stria_view mask = OF(bytes, BOOL, 2);
    stria_array fresh = {0};
    ok(stria_reverse_dims(&a, &a)); /* (3, 2) */
    const stria_view *const pair[] = {&mask, &a};
    ok(stria_result_empty(&fresh, 2, pair, stria_dtype_of(STRIA_I16)));
    ASSERT_SHAPE(&fresh, 3, 2);
    assert_int_equal(fresh.view.dtype.kind, STRIA_I16);
    assert_true(stria_is_contiguous(&fresh.view, STRIA_ORDER_F));
    stria_array_release(&fresh);
    assert_int_equal(stria_result_empty(&fresh, 0, pair, stria_dtype_of(STRIA_I16)),
                     STRIA_ERR_ARGUMENT);
}

TEST_MAIN(NULL, NULL)
