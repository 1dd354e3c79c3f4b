/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/elementwise/operation.h"

#include "view/view.h"

enum { NONE = -1 };

static bool is_long(stria_kind kind)
{
    return kind == STRIA_I64 || kind == STRIA_U64;
}

/*
 * Returns the dtype that holds every value of both: what NumPy promotes them to, unless that is
 * f64, which does not hold all integers of 64 bits.
 */
static int exact_kind(stria_kind a, stria_kind b)
{
    stria_dtype both;
    if (stria_promote(&both, dtype_of_number(a), dtype_of_number(b), STRIA_PROMOTE_NUMPY) !=
        STRIA_OK)
        return NONE;
    const stria_kind kind = (stria_kind)both.kind;
    return real_kind(kind) == STRIA_F64 && (is_long(a) || is_long(b)) ? NONE : (int)kind;
}

static stria_kind widest_alike(stria_kind kind)
{
    if (is_complex_kind(kind)) return STRIA_C128;
    if (is_float_kind(kind)) return STRIA_F64;
    return kind == STRIA_U64 ? STRIA_U64 : STRIA_I64;
}

/* Turns a comparison around: a < b is b > a. */
static enum comparison mirrored(enum comparison how)
{
    switch (how) {
    case COMPARE_LESS: return COMPARE_GREATER;
    case COMPARE_LESS_EQUAL: return COMPARE_GREATER_EQUAL;
    case COMPARE_GREATER: return COMPARE_LESS;
    case COMPARE_GREATER_EQUAL: return COMPARE_LESS_EQUAL;
    default: return how;
    }
}

/* Returns the place of a dtype in the order of pairs of enum mixed_pair. */
static int rank(stria_kind kind)
{
    return kind == STRIA_I64 ? 0 : kind == STRIA_U64 ? 1 : kind == STRIA_F64 ? 2 : 3;
}

static void choose_kinds(struct comparands *c)
{
    const stria_kind a = (stria_kind)c->operands[0]->dtype.kind,
                     b = (stria_kind)c->operands[1]->dtype.kind;
    const int exact = exact_kind(a, b);
    c->kind[0] = exact == NONE ? widest_alike(a) : (stria_kind)exact;
    c->kind[1] = exact == NONE ? widest_alike(b) : (stria_kind)exact;
    if (rank(c->kind[0]) <= rank(c->kind[1])) return;
    const stria_view *const first = c->operands[0];
    const stria_kind kind = c->kind[0];
    c->operands[0] = c->operands[1], c->operands[1] = first;
    c->kind[0] = c->kind[1], c->kind[1] = kind;
    c->how = mirrored(c->how);
}

/* ---- scalars -------------------------------------------------------------------------------- */

static void put_scalar(struct comparands *c, int side, stria_kind kind, const void *item)
{
    c->operands[side] = stria__set_scalar(&c->scalar[side], dtype_of_number(kind), item);
    c->kind[side] = kind;
}

static bool holds(enum comparison how, bool a, bool b)
{
    switch (how) {
    case COMPARE_LESS: return !a && b;
    case COMPARE_LESS_EQUAL: return !a || b;
    case COMPARE_GREATER: return a && !b;
    case COMPARE_GREATER_EQUAL: return a || !b;
    case COMPARE_EQUAL: return a == b;
    default: return a != b;
    }
}

/* Replaces both sides by bools, if the answer is the same for every element. */
static void decide(struct comparands *c, bool answer)
{
    static const bool bools[] = {false, true};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            if (holds(c->how, bools[a], bools[b]) == answer) {
                put_scalar(c, 0, STRIA_BOOL, &bools[a]);
                put_scalar(c, 1, STRIA_BOOL, &bools[b]);
            }
}

/*
 * Elements are below a scalar exactly where they are below the lowest number of their dtype that is
 * not below the scalar, and not above it where they are not above the highest that is not above it;
 * the same from the other side.
 */
static void replace_in_order(struct comparands *c, int side, enum comparison how)
{
    const stria_kind kind = (stria_kind)c->operands[1 - side]->dtype.kind;
    const bool up = how == COMPARE_LESS || how == COMPARE_GREATER_EQUAL;
    const struct bound bound =
        stria__bound(weak_value(c->operands[side]), kind, up ? BOUND_UP : BOUND_DOWN);
    if (bound.what != BOUND_IS) {
        const bool strict = how == COMPARE_LESS || how == COMPARE_GREATER;
        decide(c, strict && bound.what == BOUND_BEYOND);
        return;
    }
    c->kind[1 - side] = kind;
    put_scalar(c, side, kind, &bound.item);
}

/* Finds the number of this dtype that equals the value, if there is one. */
static bool is_number_of(uint64_t *item, struct element value, stria_kind kind)
{
    const struct bound up = stria__bound(value, kind, BOUND_UP),
                       down = stria__bound(value, kind, BOUND_DOWN);
    *item = up.item;
    return up.what == BOUND_IS && down.what == BOUND_IS && up.item == down.item;
}

/* Compares for equality; a scalar that the dtype does not hold equals no element. */
static void replace_equal(struct comparands *c, int side)
{
    const stria_kind kind = (stria_kind)c->operands[1 - side]->dtype.kind, part = real_kind(kind);
    const struct element value = weak_value(c->operands[side]),
                         imag = {.is_float = true, .real = value.imag};
    uint64_t items[2];
    char item[16];
    const bool real = is_number_of(&items[0], value, part);
    const bool imaginary =
        is_complex_kind(kind) ? is_number_of(&items[1], imag, part) : value.imag == 0;
    if (!real || !imaginary) {
        decide(c, c->how == COMPARE_NOT_EQUAL);
        return;
    }
    const size_t size = (size_t)dtype_of_number(part).itemsize;
    memcpy(item, &items[0], sizeof items[0]);
    if (is_complex_kind(kind)) memcpy(item + size, &items[1], size);
    c->kind[1 - side] = kind;
    put_scalar(c, side, kind, item);
}

void stria__plan_comparison(struct comparands *out, enum comparison how, const stria_view *a,
                            const stria_view *b)
{
    out->how = how;
    out->operands[0] = a;
    out->operands[1] = b;
    if (view_is_weak(a) == view_is_weak(b)) {
        choose_kinds(out);
        return;
    }
    const int side = view_is_weak(a) ? 0 : 1;
    if (how == COMPARE_EQUAL || how == COMPARE_NOT_EQUAL)
        replace_equal(out, side);
    else
        replace_in_order(out, side, side == 0 ? mirrored(how) : how);
}
