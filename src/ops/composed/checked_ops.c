/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Overflow as an expression of operations that wrap. Two signs tell it of sums: of signed ones the
 * result has another sign than both operands, of unsigned ones it is below an operand. A product of
 * up to 32 bits is compared with that of 64. One of 64 bits is divided again: where it wrapped the
 * quotient is not the other operand, since a remainder is smaller than the divisor and cannot make
 * up for a multiple of 2^64; the lowest number by -1 is the exception, whose quotient wraps too.
 */
#include "ops/composed/overflow.h"

#include "ops/elementwise/kinds.h"

int stria__failing_node(struct failing *f, stria_op op, int a, int b)
{
    int node = 0;
    if (f->status == STRIA_OK)
        f->status = stria_expr_op(f->expr, &node, op, stria_op_inputs(op), (int[]){a, b});
    return node;
}

static int number(struct failing *f, int64_t value)
{
    int node = 0;
    if (f->status == STRIA_OK) f->status = stria_expr_scalar(f->expr, &node, STRIA_I64, &value);
    return node;
}

static int cast(struct failing *f, int a, stria_kind kind)
{
    int node = 0;
    if (f->status == STRIA_OK) f->status = stria_expr_cast(f->expr, &node, a, kind);
    return node;
}

static int is(struct failing *f, int a, int64_t value)
{
    return stria__failing_node(f, STRIA_EQUAL, a, number(f, value));
}

/* Whether a is the lowest number; only where there are negative ones. */
static int is_lowest(struct failing *f, int a)
{
    return is(f, a, (int64_t)(0 - lowest_magnitude(f->kind)));
}

/* Whether x and y both differ in sign from z. */
static int signs_differ(struct failing *f, int x, int y, int z)
{
    const int first = stria__failing_node(f, STRIA_BITWISE_XOR, x, z),
              second = stria__failing_node(f, STRIA_BITWISE_XOR, y, z),
              both = stria__failing_node(f, STRIA_BITWISE_AND, first, second);
    return stria__failing_node(f, STRIA_LESS, both, number(f, 0));
}

static int sum(struct failing *f, int a, int b)
{
    const int s = stria__failing_node(f, STRIA_ADD, a, b);
    return is_signed_kind(f->kind) ? signs_differ(f, a, b, s)
                                   : stria__failing_node(f, STRIA_LESS, s, a);
}

/* a and b have other signs, and the difference that of b. */
static int difference(struct failing *f, int a, int b)
{
    if (!is_signed_kind(f->kind)) return stria__failing_node(f, STRIA_LESS, a, b);
    const int s = stria__failing_node(f, STRIA_SUBTRACT, a, b);
    return signs_differ(f, b, s, a);
}

static int lowest_by_minus_one(struct failing *f, int a, int b)
{
    return stria__failing_node(f, STRIA_LOGICAL_AND, is_lowest(f, a), is(f, b, -1));
}

static int long_product(struct failing *f, int a, int b)
{
    const int p = stria__failing_node(f, STRIA_MULTIPLY, a, b),
              back = stria__failing_node(f, STRIA_FLOOR_DIVIDE, p, b),
              other = stria__failing_node(f, STRIA_NOT_EQUAL, back, a),
              wrapped = stria__failing_node(f, STRIA_LOGICAL_AND, b, other);
    if (!is_signed_kind(f->kind)) return wrapped;
    return stria__failing_node(f, STRIA_LOGICAL_OR, wrapped, lowest_by_minus_one(f, a, b));
}

static int product(struct failing *f, int a, int b)
{
    const stria_kind wide = is_signed_kind(f->kind) ? STRIA_I64 : STRIA_U64;
    if (f->kind == wide) return long_product(f, a, b);
    const int short_one = stria__failing_node(f, STRIA_MULTIPLY, a, b);
    const int long_one = stria__failing_node(f, STRIA_MULTIPLY, cast(f, a, wide), cast(f, b, wide));
    return stria__failing_node(f, STRIA_NOT_EQUAL, long_one, cast(f, short_one, wide));
}

static int quotient(struct failing *f, int a, int b)
{
    const int zero = is(f, b, 0);
    if (!is_signed_kind(f->kind)) return zero;
    return stria__failing_node(f, STRIA_LOGICAL_OR, zero, lowest_by_minus_one(f, a, b));
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

int stria__failing(struct failing *f, stria_op op, int a, int b)
{
    switch (op) {
    case STRIA_ADD: return sum(f, a, b);
    case STRIA_SUBTRACT: return difference(f, a, b);
    case STRIA_MULTIPLY: return product(f, a, b);
    case STRIA_NEGATIVE:
        return is_signed_kind(f->kind) ? is_lowest(f, a)
                                       : stria__failing_node(f, STRIA_NOT_EQUAL, a, number(f, 0));
    case STRIA_FLOOR_DIVIDE: return quotient(f, a, b);
    default: return is(f, b, 0); /* STRIA_REMAINDER; what -1 leaves is 0 */
    }
}
