/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations with two results. Each is an expression of operations with one, so that its bits are
 * theirs, and both results are made in one pass over memory.
 */
#include "alloc.h"
#include "ops/expr/outputs.h"
#include "status.h"
#include "stria/elementwise.h"

/* The name of such an operation, and the function that builds its expression. */
struct two {
    const char *name, *outs[2];
    int inputs;
    /* Adds its nodes to those of the inputs, 0 and on; nodes receives those of the results. */
    stria_status (*build)(stria_expr *expr, int *nodes);
};

static stria_status run(const struct two *what, const stria_view *first, const stria_view *second,
                        const stria_view *const *inputs, const stria_exec *exec)
{
    stria_expr *expr;
    int nodes[2] = {0, 0};
    STRIA_TRY(stria_expr_new(&expr));
    stria_status status = STRIA_OK;
    for (int i = 0; i < what->inputs && status == STRIA_OK; i++)
        status = stria_expr_input(expr, nodes, i);
    if (status == STRIA_OK) status = what->build(expr, nodes);
    expr->name = what->name;
    if (status == STRIA_OK)
        status =
            stria__expr_several(expr, what->outs, 2, nodes, (const stria_view *[]){first, second},
                                what->inputs, inputs, exec);
    stria_expr_free(expr);
    return status;
}

static stria_status one(stria_expr *expr, int *node, stria_op op, int a)
{
    return stria_expr_op(expr, node, op, 1, &a);
}

static stria_status both(stria_expr *expr, int *node, stria_op op, int a, int b)
{
    return stria_expr_op(expr, node, op, 2, (int[]){a, b});
}

/* ---- divmod --------------------------------------------------------------------------------- */

static stria_status build_divmod(stria_expr *expr, int *nodes)
{
    STRIA_TRY(both(expr, &nodes[0], STRIA_FLOOR_DIVIDE, 0, 1));
    return both(expr, &nodes[1], STRIA_REMAINDER, 0, 1);
}

stria_status stria_divmod(const stria_view *quotient, const stria_view *remainder,
                          const stria_view *a, const stria_view *b, const stria_exec *exec)
{
    static const struct two what = {"divmod", {"quotient", "remainder"}, 2, build_divmod};
    return run(&what, quotient, remainder, (const stria_view *[]){a, b}, exec);
}

/* ---- modf ----------------------------------------------------------------------------------- */

/* a as a float, for integers: a with its own sign. */
static stria_status as_float(stria_expr *expr, int *node)
{
    return both(expr, node, STRIA_COPYSIGN, 0, 0);
}

/*
 * The difference of a float and its whole part is exact. Of an infinity it would be NaN, and what
 * is left of it is 0. The sign is that of a, of zeros too.
 */
static stria_status build_modf(stria_expr *expr, int *nodes)
{
    const int64_t zero = 0;
    int a, left, endless, none;
    STRIA_TRY(as_float(expr, &a));
    STRIA_TRY(one(expr, &nodes[1], STRIA_TRUNC, a));
    STRIA_TRY(both(expr, &left, STRIA_SUBTRACT, a, nodes[1]));
    STRIA_TRY(one(expr, &endless, STRIA_ISINF, a));
    STRIA_TRY(stria_expr_scalar(expr, &none, STRIA_I64, &zero));
    STRIA_TRY(stria_expr_op(expr, &left, STRIA_WHERE, 3, (int[]){endless, none, left}));
    return both(expr, &nodes[0], STRIA_COPYSIGN, left, a);
}

stria_status stria_modf(const stria_view *fraction, const stria_view *whole, const stria_view *a,
                        const stria_exec *exec)
{
    static const struct two what = {"modf", {"fraction", "whole"}, 1, build_modf};
    return run(&what, fraction, whole, &a, exec);
}

/* ---- frexp ---------------------------------------------------------------------------------- */

static stria_status choose(stria_expr *expr, int *node, int condition, int x, int y)
{
    return stria_expr_op(expr, node, STRIA_WHERE, 3, (int[]){condition, x, y});
}

static stria_status whole_number(stria_expr *expr, int *node, int64_t value)
{
    return stria_expr_scalar(expr, node, STRIA_I64, &value);
}

/* a / 2^e for an i32 e. */
static stria_status divided(stria_expr *expr, int *node, int a, int e)
{
    int opposite;
    STRIA_TRY(one(expr, &opposite, STRIA_NEGATIVE, e));
    return both(expr, node, STRIA_LDEXP, a, opposite);
}

/* By how many powers of two |a|, from 1/2 to 4, is to be divided to be below 1: an i32. */
static stria_status powers_above(stria_expr *expr, int *node, int a)
{
    int size, one_, two, zero, above, far, some;
    STRIA_TRY(one(expr, &size, STRIA_ABS, a));
    STRIA_TRY(whole_number(expr, &zero, 0));
    STRIA_TRY(whole_number(expr, &one_, 1));
    STRIA_TRY(whole_number(expr, &two, 2));
    STRIA_TRY(both(expr, &above, STRIA_GREATER_EQUAL, size, one_));
    STRIA_TRY(both(expr, &far, STRIA_GREATER_EQUAL, size, two));
    STRIA_TRY(choose(expr, &some, above, one_, zero));
    STRIA_TRY(choose(expr, &some, far, two, some));
    return stria_expr_cast(expr, node, some, STRIA_I32);
}

/*
 * The logarithm tells the exponent but for 1 or 2, since it is rounded; the rest is found in what
 * the division by its power, which is exact, leaves. Zeros, infinities and NaN are 1 meanwhile.
 */
static stria_status build_frexp(stria_expr *expr, int *nodes)
{
    int a, zero, one_, finite, some, usual, inside, log, first, left, more;
    STRIA_TRY(as_float(expr, &a));
    STRIA_TRY(whole_number(expr, &zero, 0));
    STRIA_TRY(whole_number(expr, &one_, 1));
    STRIA_TRY(one(expr, &finite, STRIA_ISFINITE, a));
    STRIA_TRY(both(expr, &some, STRIA_NOT_EQUAL, a, zero));
    STRIA_TRY(both(expr, &usual, STRIA_LOGICAL_AND, finite, some));
    STRIA_TRY(choose(expr, &inside, usual, a, one_));
    STRIA_TRY(one(expr, &log, STRIA_ABS, inside));
    STRIA_TRY(one(expr, &log, STRIA_LOG2, log));
    STRIA_TRY(one(expr, &log, STRIA_FLOOR, log));
    STRIA_TRY(stria_expr_cast(expr, &first, log, STRIA_I32));
    STRIA_TRY(divided(expr, &left, inside, first));
    STRIA_TRY(powers_above(expr, &more, left));
    STRIA_TRY(divided(expr, &left, left, more));
    STRIA_TRY(both(expr, &more, STRIA_ADD, first, more));
    STRIA_TRY(choose(expr, &nodes[0], usual, left, a));
    return choose(expr, &nodes[1], usual, more, zero);
}

stria_status stria_frexp(const stria_view *mantissa, const stria_view *exponent,
                         const stria_view *a, const stria_exec *exec)
{
    static const struct two what = {"frexp", {"mantissa", "exponent"}, 1, build_frexp};
    return run(&what, mantissa, exponent, &a, exec);
}

/* ---- sincos --------------------------------------------------------------------------------- */

static stria_status build_sincos(stria_expr *expr, int *nodes)
{
    STRIA_TRY(one(expr, &nodes[0], STRIA_SIN, 0));
    return one(expr, &nodes[1], STRIA_COS, 0);
}

stria_status stria_sincos(const stria_view *sine, const stria_view *cosine, const stria_view *a,
                          const stria_exec *exec)
{
    static const struct two what = {"sincos", {"sine", "cosine"}, 1, build_sincos};
    return run(&what, sine, cosine, &a, exec);
}
