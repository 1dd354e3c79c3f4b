/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: operations with two results. New ones are the two halves of one array,
 * whose items have room for those of the larger dtype.
 */
#include "lang/fusion.h"
#include "lang/registry.h"

enum { RESULTS = 2 };

enum { DIVMOD, MODF, FREXP, SINCOS };

static const struct results {
    stria_op like; /* the operation whose dtype the results have, ... */
    bool whole;    /* ... but the second one where it is of i32 */
    int inputs;
} kinds[] = {[DIVMOD] = {STRIA_FLOOR_DIVIDE, false, 2},
             [MODF] = {STRIA_COPYSIGN, false, 1},
             [FREXP] = {STRIA_COPYSIGN, true, 1},
             [SINCOS] = {STRIA_SIN, false, 1}};

static stria_status compute(int kind, const stria_view *const *outs,
                            const stria_view *const *inputs, const stria_exec *exec)
{
    if (kind == DIVMOD) return stria_divmod(outs[0], outs[1], inputs[0], inputs[1], exec);
    return (kind == MODF    ? stria_modf
            : kind == FREXP ? stria_frexp
                            : stria_sincos)(outs[0], outs[1], inputs[0], exec);
}

/*
 * One array with a dim in front of those of the result, laid out as the operands agree, and its
 * halves.
 */
static stria_status make(struct invocation *c, const stria_view *const *inputs)
{
    const struct results what = kinds[c->row->what];
    const int count = what.inputs;
    static const char nothing[1];
    const stria_promotion rule = stria__call_rule(c);
    const stria_view *const alike[] = {inputs[0], inputs[count - 1]};
    const stria_view *all[RESULTS + 1] = {inputs[0], inputs[count - 1]};
    int64_t shape[STRIA_MAX_NDIM + 1], strides[STRIA_MAX_NDIM + 1] = {0};
    int ndim;
    const stria_dtype i32 = stria_dtype_of(STRIA_I32);
    stria_dtype dtype;
    stria_view lead;
    STRIA_TRY(stria_result_dtype(&dtype, what.like, stria_op_inputs(what.like), alike, rule));
    STRIA_TRY(stria_broadcast_shape(&ndim, shape, count, inputs));
    if (ndim == STRIA_MAX_NDIM)
        return stria__call_refuse(c, STRIA_ERR_DIM, "%d dims, takes %d", ndim, STRIA_MAX_NDIM - 1);
    shape[0] = RESULTS;
    for (int d = 1; d <= ndim; d++)
        shape[d] = 1;
    STRIA_TRY(stria_view_foreign(&lead, (void *)(uintptr_t)nothing, stria_dtype_of(STRIA_U8),
                                 ndim + 1, shape, strides, STRIA_READONLY));
    all[count] = &lead;
    const bool small = what.whole && dtype.itemsize < i32.itemsize;
    STRIA_TRY(stria_result_empty(&c->out, small ? i32 : dtype, count + 1, all));
    for (int i = 0; i < RESULTS; i++) {
        STRIA_TRY(stria_select(&c->pieces[i], &c->out.view, 0, i));
        c->pieces[i].dtype = what.whole && i ? i32 : dtype;
    }
    return STRIA_OK;
}

/* The operands are the first arguments; out, a pair, and where follow. */
static stria_status run(struct invocation *c)
{
    const int count = kinds[c->row->what].inputs;
    const struct arg *const out = &c->args[count];
    stria_exec exec = stria__call_exec(c);
    exec.where = c->args[count + 1].view;
    const stria_view *inputs[RESULTS], *outs[RESULTS];
    for (int i = 0; i < count; i++)
        inputs[i] = c->args[i].view;
    if (c->fusion) STRIA_TRY(stria__fuse_force_all(c->fusion));
    if (out->given && out->count != RESULTS)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "out has %lld arrays, takes %d, one for each result",
                                  (long long)out->count, RESULTS);
    if (!out->given && exec.where)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "where wants out=(a, b): what it leaves out stays");
    STRIA_TRY(stria__call_pieces(c, RESULTS));
    if (!out->given) STRIA_TRY(make(c, inputs));
    for (int i = 0; i < RESULTS; i++) {
        if (out->given) c->pieces[i] = *out->views[i];
        outs[i] = &c->pieces[i];
    }
    return compute(c->row->what, outs, inputs, &exec);
}

#define INTO "out:arrays?=None, where:operand?=None)"

static const struct function ops[] = {
    ROW_AS(ANY, "divmod(x1|self:operand, x2|other:operand, " INTO, run, DIVMOD, divmod,
           "Computes floor(x1 / x2) and the remainder."),
    ROW_AS(ANY, "modf(x|self:operand, " INTO, run, MODF, modf,
           "Splits into the part behind the point and the whole part."),
    ROW_AS(ANY, "frexp(x|self|input:operand, " INTO, run, FREXP, frexp,
           "Splits into a fraction from 0.5 to 1 and an exponent of 2."),
    ROW_AS(ANY, "sincos(x|self:operand, " INTO, run, SINCOS, sincos, "Computes sine and cosine."),
};

const struct function_group stria__rows_two = {ops, sizeof ops / sizeof *ops};
