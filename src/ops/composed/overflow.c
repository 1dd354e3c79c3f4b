/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detects overflow by expressions of operations that wrap. A sum is tested by signs: a signed one
 * has overflowed if its sign differs from that of both operands, an unsigned one if it is below an
 * operand. A product of up to 32 bits is compared with that of 64. One of 64 bits is divided again:
 * if it wrapped the quotient is not the other operand, since a remainder is smaller than the
 * divisor and cannot make up for a multiple of 2^64; the lowest number times -1 is the exception,
 * whose quotient wraps, too.
 */
#include "ops/composed/overflow.h"

#include "dtype/dtype.h"

static int add_equals(struct formula *f, int a, int64_t value)
{
    return apply2(f, STRIA_EQUAL, a, formula_integer(f, value));
}

/* Tells where a is the lowest number; for signed kinds only. */
static int is_lowest(struct formula *f, stria_kind kind, int a)
{
    return add_equals(f, a, (int64_t)(0 - lowest_magnitude(kind)));
}

/* Tells where x and y both differ in sign from z. */
static int signs_differ(struct formula *f, int x, int y, int z)
{
    const int first = apply2(f, STRIA_BITWISE_XOR, x, z),
              second = apply2(f, STRIA_BITWISE_XOR, y, z),
              both = apply2(f, STRIA_BITWISE_AND, first, second);
    return apply2(f, STRIA_LESS, both, formula_integer(f, 0));
}

static int sum(struct formula *f, stria_kind kind, int a, int b)
{
    const int s = apply2(f, STRIA_ADD, a, b);
    return is_signed_kind(kind) ? signs_differ(f, a, b, s) : apply2(f, STRIA_LESS, s, a);
}

/* A difference overflows if a and b have different signs, and it has that of b. */
static int difference(struct formula *f, stria_kind kind, int a, int b)
{
    if (!is_signed_kind(kind)) return apply2(f, STRIA_LESS, a, b);
    const int s = apply2(f, STRIA_SUBTRACT, a, b);
    return signs_differ(f, b, s, a);
}

static int lowest_by_minus_one(struct formula *f, stria_kind kind, int a, int b)
{
    return apply2(f, STRIA_LOGICAL_AND, is_lowest(f, kind, a), add_equals(f, b, -1));
}

static int long_product(struct formula *f, stria_kind kind, int a, int b)
{
    const int p = apply2(f, STRIA_MULTIPLY, a, b), back = apply2(f, STRIA_FLOOR_DIVIDE, p, b),
              other = apply2(f, STRIA_NOT_EQUAL, back, a),
              wrapped = apply2(f, STRIA_LOGICAL_AND, b, other);
    if (!is_signed_kind(kind)) return wrapped;
    return apply2(f, STRIA_LOGICAL_OR, wrapped, lowest_by_minus_one(f, kind, a, b));
}

static int product(struct formula *f, stria_kind kind, int a, int b)
{
    const stria_kind wide = is_signed_kind(kind) ? STRIA_I64 : STRIA_U64;
    if (kind == wide) return long_product(f, kind, a, b);
    const int short_one = apply2(f, STRIA_MULTIPLY, a, b);
    const int long_one =
        apply2(f, STRIA_MULTIPLY, stria__formula_cast(f, a, wide), stria__formula_cast(f, b, wide));
    return apply2(f, STRIA_NOT_EQUAL, long_one, stria__formula_cast(f, short_one, wide));
}

static int quotient(struct formula *f, stria_kind kind, int a, int b)
{
    const int zero = add_equals(f, b, 0);
    if (!is_signed_kind(kind)) return zero;
    return apply2(f, STRIA_LOGICAL_OR, zero, lowest_by_minus_one(f, kind, a, b));
}

bool stria__is_checkable(stria_op op)
{
    switch (op) {
    case STRIA_ADD:
    case STRIA_SUBTRACT:
    case STRIA_MULTIPLY:
    case STRIA_NEGATIVE:
    case STRIA_FLOOR_DIVIDE:
    case STRIA_REMAINDER: return true;
    default: return false;
    }
}

int stria__overflow(struct formula *f, stria_kind kind, stria_op op, int a, int b)
{
    switch (op) {
    case STRIA_ADD: return sum(f, kind, a, b);
    case STRIA_SUBTRACT: return difference(f, kind, a, b);
    case STRIA_MULTIPLY: return product(f, kind, a, b);
    case STRIA_NEGATIVE:
        return is_signed_kind(kind) ? is_lowest(f, kind, a)
                                    : apply2(f, STRIA_NOT_EQUAL, a, formula_integer(f, 0));
    case STRIA_FLOOR_DIVIDE: return quotient(f, kind, a, b);
    /* STRIA_REMAINDER fails only for b = 0, since the remainder by -1 is 0. */
    default: return add_equals(f, b, 0);
    }
}
