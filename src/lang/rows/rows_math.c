/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: elementwise math. The first name of a row is the one that the library
 * has for the op, the others are PyTorch's and NumPy's; operators find their row by name
 * (syntax_lex.c).
 */
#include <string.h>

#include "dtype/dtype.h"
#include "view/array.h"
#include "lang/waiting.h"
#include "lang/rows/rows.h"

/* Tells whether all operands are numbers as written in the text. */
static bool are_weak(int n, const stria_view *const *operands)
{
    for (int i = 0; i < n; i++)
        if (!(operands[i]->flags & STRIA_WEAK)) return false;
    return true;
}

/* Tells where the result of an operation goes. */
struct target {
    const struct arg *out;
    const stria_view *mask; /* NULL: there is none. */
    uint32_t hints;         /* One of STRIA_CASTING_... */
};

/* Runs an operation into out if that is given, for add_ and the like into the first operand, else
 * into new memory. */
static stria_status run_operation(struct invocation *c, stria_op op,
                                  const stria_view *const *operands, struct target to)
{
    stria_exec exec = stria__call_exec(c);
    exec.hints |= to.hints;
    exec.mask = to.mask;
    const int n = stria_op_inputs(op);
    const stria_view *into = to.out->given ? to.out->view : c->in_place ? operands[0] : NULL;
    if (c->in_place && operands[0]->flags & STRIA_WEAK)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "%s: a number cannot be written to",
                                  stria_op_name(op));
    struct math *math = NULL;
    bool waits = false;
    if (c->tells) {
        STRIA_TRY(stria__call_math(&math, c, n, operands));
        math->op = op;
        c->math = math;
    }
    if (c->waiting && !to.mask && !to.hints && !are_weak(n, operands)) {
        const struct waiting_math what = {op, stria__call_rule(c), n, operands, c->at, math};
        STRIA_TRY(into ? stria__wait_math_into(c->waiting, &waits, into, &what)
                       : stria__wait_math(c->waiting, &waits, &c->out, &what));
        if (waits && into) c->out = stria__array_of(into);
    }
    if (c->waiting && !waits && (into || to.mask || to.hints))
        STRIA_TRY(stria__wait_force_all(c->waiting));
    if (waits && math) math->out = c->out.view;
    if (math) STRIA_TRY(stria_result_dtype(&math->promoted, op, math->count, operands, math->rule));
    if (waits) return STRIA_OK;
    STRIA_TRY(into ? stria__call_wrote(c, into, stria_elementwise(into, op, n, operands, &exec))
                   : stria_elementwise_new(&c->out, op, n, operands, &exec));
    if (!math) return STRIA_OK;
    math->out = c->out.view;
    math->masked = to.mask != NULL;
    return stria_elementwise_explain(math->how, sizeof math->how, NULL, &math->out, op, n, operands,
                                     &exec);
}

/*
 * Runs the row's operation. Its operands are the first arguments, in the order of the library's
 * function; out, where and casting follow (INTO).
 */
stria_status stria__row_operation(struct invocation *c)
{
    const stria_op op = (stria_op)c->row->operation;
    const int n = stria_op_inputs(op);
    const stria_view *operands[STRIA_USER_INPUTS];
    static const uint32_t hints[] = {[STRIA_CAST_UNSAFE] = STRIA_CASTING_UNSAFE,
                                     /* The library does so by default. */
                                     [STRIA_CAST_SAME_KIND] = 0,
                                     [STRIA_CAST_SAFE] = STRIA_CASTING_SAFE,
                                     [STRIA_CAST_EQUIV] = STRIA_CASTING_EQUIV,
                                     [STRIA_CAST_NO] = STRIA_CASTING_NO};
    STRIA_TRY(stria__call_policy(c, n + 2));
    const struct target to = {&c->args[n], c->args[n + 1].view, hints[c->args[n + 2].integer]};
    for (int i = 0; i < n; i++)
        operands[i] = ARRAY(i);
    return run_operation(c, op, operands, to);
}

stria_status stria__row_where(struct invocation *c)
{
    const stria_view *const operands[] = {ARRAY(0), ARRAY(1), ARRAY(2)};
    return run_operation(c, STRIA_WHERE, operands, (struct target){.out = &c->args[3]});
}

/* Computes x.where(condition, other) of torch.Tensor. */
stria_status stria__row_where_method(struct invocation *c)
{
    const stria_view *const operands[] = {ARRAY(1), ARRAY(0), ARRAY(2)};
    return run_operation(c, STRIA_WHERE, operands, (struct target){.out = &c->args[3]});
}

/* Copies into an array. If the source waits to be computed, its last pass writes into the array. */
stria_status stria__row_copy_into(struct invocation *c)
{
    const stria_view *const to = c->args[0].view, *const from = c->args[1].view;
    bool done = false;
    if (c->waiting) STRIA_TRY(stria__wait_copy(c->waiting, &done, to, from));
    if (c->waiting && !done) STRIA_TRY(stria__wait_force_all(c->waiting));
    return stria__call_wrote(c, to, done ? STRIA_OK : stria_copy(to, from, NULL));
}

/* Tells whether a bound is an integer that may lie beyond those of the array's dtype. */
static bool may_lie_beyond(const stria_view *bound, const stria_view *a)
{
    return (bound->flags & STRIA_WEAK) && bound->dtype.kind == STRIA_I64 &&
           is_integer_kind((stria_kind)a->dtype.kind);
}

/* Clips at one bound only, or at none. */
stria_status stria__row_clip_open(struct invocation *c)
{
    static const int64_t least = INT64_MIN, greatest = INT64_MAX;
    const struct arg *const low = &c->args[1], *const high = &c->args[2];
    const stria_view *const out = GIVEN(3) ? ARRAY(3) : c->in_place ? A : NULL;
    const stria_view *const bound = low->given ? low->view : high->view;
    const stria_view *operands[] = {ARRAY(0), bound, NULL};
    stria_op op = low->given ? STRIA_MAXIMUM : STRIA_MINIMUM;
    stria_exec exec = stria__call_exec(c);
    stria_view other;
    int inputs = 2;
    exec.mask = ARRAY(4);
    if (!low->given && !high->given)
        return out ? stria__call_wrote(c, out, stria_copy(out, operands[0], NULL))
                   : stria_clone_new(NEW, operands[0], NULL);
    if (may_lie_beyond(bound, ARRAY(0))) { /* Between two bounds, one that excludes nothing fits. */
        STRIA_TRY(stria_weak(&other, STRIA_I64, low->given ? &greatest : &least));
        op = STRIA_CLIP;
        inputs = 3;
        operands[low->given ? 2 : 1] = &other;
        operands[low->given ? 1 : 2] = bound;
    }
    return out ? stria__call_wrote(c, out, stria_elementwise(out, op, inputs, operands, &exec))
               : stria_elementwise_new(NEW, op, inputs, operands, &exec);
}
