/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare.h. */
#include "ops/elementwise/compare.h"

#include "ops/elementwise/bound.h"
#include "ops/elementwise/kinds.h"
#include "view/view.h"

enum { NONE = -1 };

/* Bits of the integers that a float of this kind holds without a gap. */
static int float_digits(stria_kind kind)
{
    return kind == STRIA_F16 ? 11 : kind == STRIA_BF16 ? 8 : kind == STRIA_F32 ? 24 : 53;
}

static int exact_integers(stria_kind a, stria_kind b)
{
    const int size_a = stria_dtype_of(a).itemsize, size_b = stria_dtype_of(b).itemsize;
    if (is_signed_kind(a) == is_signed_kind(b)) return (int)(size_a > size_b ? a : b);
    const stria_kind s = is_signed_kind(a) ? a : b;
    const int size_s = s == a ? size_a : size_b, size_u = s == a ? size_b : size_a;
    if (size_s > size_u) return (int)s;
    return size_u == 1 ? STRIA_I16 : size_u == 2 ? STRIA_I32 : size_u == 4 ? STRIA_I64 : NONE;
}

static int exact_mixed(stria_kind integer, stria_kind number)
{
    const int bits = magnitude_bits(integer);
    if (float_digits(number) >= bits) return (int)number;
    if (float_digits(STRIA_F32) >= bits && number != STRIA_F64) return STRIA_F32;
    return float_digits(STRIA_F64) >= bits ? (int)STRIA_F64 : NONE;
}

static int exact_floats(stria_kind a, stria_kind b)
{
    const int size_a = stria_dtype_of(a).itemsize, size_b = stria_dtype_of(b).itemsize;
    if (size_a == size_b) return STRIA_F32; /* f16 and bf16 */
    return (int)(size_a > size_b ? a : b);
}

/* The dtype that holds every value of both. */
static int exact_kind(stria_kind a, stria_kind b)
{
    if (a == b || b == STRIA_BOOL) return (int)a;
    if (a == STRIA_BOOL) return (int)b;
    if (is_integer_kind(a)) return is_integer_kind(b) ? exact_integers(a, b) : exact_mixed(a, b);
    return is_integer_kind(b) ? exact_mixed(b, a) : exact_floats(a, b);
}

static stria_kind widest_alike(stria_kind kind)
{
    if (is_float_kind(kind)) return STRIA_F64;
    return kind == STRIA_U64 ? STRIA_U64 : STRIA_I64;
}

static void choose_kinds(stria_kind *out, stria_kind a, stria_kind b)
{
    const int exact = exact_kind(a, b);
    out[0] = exact == NONE ? widest_alike(a) : (stria_kind)exact;
    out[1] = exact == NONE ? widest_alike(b) : (stria_kind)exact;
}

static void put_scalar(struct comparison *c, int side, stria_kind kind, uint64_t value)
{
    stria_view *const view = &c->scalar[side];
    c->value[side] = value;
    view_set(view, (char *)&c->value[side], NULL, stria_dtype_of(kind), STRIA_READONLY, 0,
             view->shape, view->strides);
    c->operands[side] = view;
}

/* The answer is the same for every element: false < answer. */
static void decide(struct comparison *c, bool answer)
{
    c->kind[0] = c->kind[1] = STRIA_BOOL;
    put_scalar(c, 0, STRIA_BOOL, bool_item(false));
    put_scalar(c, 1, STRIA_BOOL, bool_item(answer));
}

/*
 * Elements are below a scalar exactly where they are below the lowest number of their dtype that is
 * not below the scalar; and above it exactly where they are above the highest that is not above it.
 */
static void replace_scalar(struct comparison *c, int side)
{
    const stria_kind kind = (stria_kind)c->operands[1 - side]->dtype.kind;
    const struct bound bound =
        stria__bound(stria__weak_real(c->operands[side]), kind, side == 1 ? BOUND_UP : BOUND_DOWN);
    if (bound.what != BOUND_IS) {
        decide(c, bound.what == BOUND_BEYOND);
        return;
    }
    c->kind[0] = c->kind[1] = kind;
    put_scalar(c, side, kind, bound.item);
}

void stria__plan_less(struct comparison *out, const stria_view *a, const stria_view *b)
{
    out->operands[0] = a;
    out->operands[1] = b;
    if (view_is_weak(a) == view_is_weak(b))
        choose_kinds(out->kind, (stria_kind)a->dtype.kind, (stria_kind)b->dtype.kind);
    else
        replace_scalar(out, view_is_weak(a) ? 0 : 1);
}
