/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations with two results. Each is an expression of operations with one, so that its bits are
 * theirs, and both results are made in one pass over memory.
 */
#include "ops/doors.h"
#include "ops/expr/evaluation.h"
#include "ops/expr/formula.h"
#include "base/status.h"
#include "ops/make.h"
#include "view/array.h"

/* An operation with two results: its name, and the function that builds its expression. */
struct two_results {
    const char *name, *outs[2];
    int inputs;
    /* Adds its nodes to those of the inputs, which are 0 and on; nodes receives the nodes of both
     * results. */
    void (*build)(struct formula *f, int *nodes);
    stria_op like; /* new results have the dtype that this operation has of the inputs */
    bool whole;    /* but the second is i32 */
};

static stria_status run_both(const struct two_results *what, const stria_view *first,
                             const stria_view *second, const stria_view *const *inputs,
                             const stria_exec *exec)
{
    struct formula f;
    int nodes[2] = {0, 0};
    stria__formula_begin(&f, NULL, 0, NULL);
    for (int i = 0; i < what->inputs; i++)
        (void)stria__formula_input(&f, inputs[i]);
    what->build(&f, nodes);
    stria_status status = f.status;
    if (status == STRIA_OK) {
        f.expr->name = what->name;
        status = stria__expr_several(f.expr, what->outs, 2, nodes,
                                     (const stria_view *[]){first, second}, f.n, f.input, exec);
    }
    stria__formula_end(&f);
    return status;
}

/* Both results in new arrays, or none. */
static stria_status make_both(const struct two_results *what, stria_array *first,
                              stria_array *second, const stria_view *const *inputs,
                              const stria_exec *exec)
{
    const stria_view *const alike[] = {inputs[0], inputs[what->inputs - 1]};
    stria_array made[2] = {{.owned = NULL}, {.owned = NULL}};
    stria_dtype dtypes[2];
    if (!first || !second) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", what->name);
    for (int i = 0; i < what->inputs; i++)
        STRIA_TRY(stria__check_view(inputs[i], what->name, i ? "b" : "a"));
    STRIA_TRY(stria_result_dtype(&dtypes[0], what->like, stria_op_inputs(what->like), alike,
                                 promotion_of(exec)));
    dtypes[1] = what->whole ? stria_dtype_of(STRIA_I32) : dtypes[0];
    stria_status status = stria__make_results(2, made, dtypes, what->name, what->inputs, inputs,
                                              exec ? exec->mask : NULL);
    if (status == STRIA_OK) status = run_both(what, &made[0].view, &made[1].view, inputs, exec);
    if (status == STRIA_OK) {
        (void)stria__deliver(first, &made[0], STRIA_OK);
        (void)stria__deliver(second, &made[1], STRIA_OK);
    }
    for (int i = 0; i < 2; i++)
        stria_array_release(&made[i]);
    return status;
}

static void build_divmod(struct formula *f, int *nodes)
{
    const int b = f->n - 1; /* 0 if both inputs are one view. */
    nodes[0] = apply2(f, STRIA_FLOOR_DIVIDE, 0, b);
    nodes[1] = apply2(f, STRIA_REMAINDER, 0, b);
}

/*
 * Defines an operation whose expression build_NAME adds, and its doors. `parameters` are its
 * inputs, as the doors and as lists of them have them.
 */
#define TWO_RESULTS(name, first, second, count, parameters, list, like, whole)                     \
    static const struct two_results name##_row = {                                                 \
        #name, {#first, #second}, count, build_##name, like, whole};                               \
    stria_status stria_##name(const stria_view *first, const stria_view *second,                   \
                              DOOR_PARAMETERS parameters, const stria_exec *exec)                  \
    {                                                                                              \
        return run_both(&name##_row, first, second, (const stria_view *[]){DOOR_PARAMETERS list},  \
                        exec);                                                                     \
    }                                                                                              \
    stria_status stria_##name##_new(stria_array *first, stria_array *second,                       \
                                    DOOR_PARAMETERS parameters, const stria_exec *exec)            \
    {                                                                                              \
        return make_both(&name##_row, first, second, (const stria_view *[]){DOOR_PARAMETERS list}, \
                         exec);                                                                    \
    }

TWO_RESULTS(divmod, quotient, remainder, 2, (const stria_view *a, const stria_view *b), (a, b),
            STRIA_FLOOR_DIVIDE, false)

/* Adds the input as a float, for integers: with its own sign. */
static int as_float(struct formula *f)
{
    return apply2(f, STRIA_COPYSIGN, 0, 0);
}

/*
 * Builds modf. The difference of a float and its whole part is exact. For an infinity it would be
 * NaN, and the fraction is 0. The sign of both results is that of a, for zeros, too.
 */
static void build_modf(struct formula *f, int *nodes)
{
    const int a = as_float(f);
    nodes[1] = apply1(f, STRIA_TRUNC, a);
    const int left = apply2(f, STRIA_SUBTRACT, a, nodes[1]);
    const int some = apply3(f, STRIA_WHERE, apply1(f, STRIA_ISINF, a), formula_integer(f, 0), left);
    nodes[0] = apply2(f, STRIA_COPYSIGN, some, a);
}

TWO_RESULTS(modf, fraction, whole, 1, (const stria_view *a), (a), STRIA_COPYSIGN, false)

/* Adds a / 2^e for an i32 e. */
static int divided(struct formula *f, int a, int e)
{
    return apply2(f, STRIA_LDEXP, a, apply1(f, STRIA_NEGATIVE, e));
}

/* Adds the exponent e, an i32, for which |a| / 2^e is below 1; |a| lies between 1/2 and 4. */
static int powers_above(struct formula *f, int a)
{
    const int size = apply1(f, STRIA_ABS, a), zero = formula_integer(f, 0),
              one = formula_integer(f, 1), two = formula_integer(f, 2),
              above = apply2(f, STRIA_GREATER_EQUAL, size, one),
              far = apply2(f, STRIA_GREATER_EQUAL, size, two),
              some = apply3(f, STRIA_WHERE, above, one, zero);
    return stria__formula_cast(f, apply3(f, STRIA_WHERE, far, two, some), STRIA_I32);
}

/*
 * Builds frexp. The logarithm gives the exponent except for 1 or 2, since it is rounded; the rest
 * is found from the quotient by that power of two, which is exact. Zeros, infinities and NaN are
 * replaced by 1 meanwhile.
 */
static void build_frexp(struct formula *f, int *nodes)
{
    const int a = as_float(f), zero = formula_integer(f, 0), one = formula_integer(f, 1),
              finite = apply1(f, STRIA_ISFINITE, a), some = apply2(f, STRIA_NOT_EQUAL, a, zero),
              usual = apply2(f, STRIA_LOGICAL_AND, finite, some),
              inside = apply3(f, STRIA_WHERE, usual, a, one),
              log = apply1(f, STRIA_LOG2, apply1(f, STRIA_ABS, inside)),
              first = stria__formula_cast(f, apply1(f, STRIA_FLOOR, log), STRIA_I32),
              left = divided(f, inside, first), more = powers_above(f, left);
    nodes[0] = apply3(f, STRIA_WHERE, usual, divided(f, left, more), a);
    nodes[1] = apply3(f, STRIA_WHERE, usual, apply2(f, STRIA_ADD, first, more), zero);
}

TWO_RESULTS(frexp, mantissa, exponent, 1, (const stria_view *a), (a), STRIA_COPYSIGN, true)

static void build_sincos(struct formula *f, int *nodes)
{
    nodes[0] = apply1(f, STRIA_SIN, 0);
    nodes[1] = apply1(f, STRIA_COS, 0);
}

TWO_RESULTS(sincos, sine, cosine, 1, (const stria_view *a), (a), STRIA_SIN, false)
