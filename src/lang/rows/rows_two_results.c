/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: operations with two results. */
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

/* New arrays, laid out as the operands agree. */
static stria_status make(struct invocation *c, const stria_view *const *inputs)
{
    const struct results what = kinds[c->row->what];
    const stria_view *const alike[] = {inputs[0], inputs[what.inputs - 1]};
    stria_dtype dtype;
    STRIA_TRY(stria_result_dtype(&dtype, what.like, stria_op_inputs(what.like), alike,
                                 stria__call_rule(c)));
    for (int i = 0; i < RESULTS; i++) {
        stria_array made = {0};
        STRIA_TRY(stria_result_empty(&made, what.whole && i ? stria_dtype_of(STRIA_I32) : dtype,
                                     what.inputs, inputs));
        STRIA_TRY(stria__call_piece(c, i, made));
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
