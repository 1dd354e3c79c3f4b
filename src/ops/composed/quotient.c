/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions by element that are expressions of operations: quotients towards 0, zeros before a
 * number. */
#include "dtype/dtype.h"
#include "ops/doors.h"
#include "ops/composed/composed.h"
#include "ops/elementwise/operation.h"
#include "ops/expr/formula.h"

/* Evaluates a formula into a view or, if that is NULL, into a new array, and ends it. */
static stria_status evaluate(struct formula *f, const stria_view *out, stria_array *made,
                             const stria_exec *exec)
{
    return out ? stria__formula_evaluate(f, out, exec) : stria__formula_evaluate_new(made, f, exec);
}

/* An integer less the rest of a division is a multiple of the divisor, whose quotient is exact.
 */
static stria_status quotient(const stria_view *out, stria_array *made, const stria_view *a,
                             const stria_view *b, const stria_exec *exec)
{
    struct formula f;
    stria_dtype dtype;
    if (!out && !made) return stria__fail(STRIA_ERR_ARGUMENT, "quotient: out is NULL");
    STRIA_TRY(stria__check_view(a, "quotient", "a"));
    STRIA_TRY(stria__check_view(b, "quotient", "b"));
    STRIA_TRY(stria_promote_operands(&dtype, 2, (const stria_view *[]){a, b}, promotion_of(exec)));
    const int x = formula_of(&f, a), y = stria__formula_input(&f, b);
    if (dtype.kind < STRIA_F8E4M3)
        (void)apply2(&f, STRIA_FLOOR_DIVIDE,
                     apply2(&f, STRIA_SUBTRACT, x, apply2(&f, STRIA_FMOD, x, y)), y);
    else
        (void)apply1(&f, STRIA_TRUNC, apply2(&f, STRIA_DIVIDE, x, y));
    return evaluate(&f, out, made, exec);
}

DOORS(quotient, (const stria_view *a, const stria_view *b), quotient(out, made, a, b, exec))

/* Copies the highest bit to all below it, whose number is counted. */
static stria_status count_leading_zeros(const stria_view *out, stria_array *made,
                                        const stria_view *a, const stria_exec *exec)
{
    static const char op[] = "count_leading_zeros";
    struct formula f;
    if (!out && !made) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    STRIA_TRY(stria__check_view(a, op, "a"));
    if (!is_integer_kind((stria_kind)a->dtype.kind))
        return stria__refuse_dtype(a->dtype, op, "a", ", must be an integer");
    const int bits = 8 * a->dtype.itemsize, x = formula_of(&f, a);
    int spread = x;
    for (int by = 1; by < bits; by *= 2)
        spread = apply2(&f, STRIA_BITWISE_OR, spread,
                        apply2(&f, STRIA_RIGHT_SHIFT, spread, formula_integer(&f, by)));
    const int zeros = apply2(&f, STRIA_SUBTRACT, formula_integer(&f, bits),
                             apply1(&f, STRIA_BITWISE_COUNT, spread));
    if (a->dtype.kind <= STRIA_I64) /* A negative number begins with a one. */
        (void)apply3(&f, STRIA_WHERE, apply2(&f, STRIA_LESS, x, formula_integer(&f, 0)),
                     formula_integer(&f, 0), zeros);
    return evaluate(&f, out, made, exec);
}

DOORS(count_leading_zeros, (const stria_view *a), count_leading_zeros(out, made, a, exec))
