/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: operations with two results. */
#include "lang/waiting.h"
#include "lang/rows/rows.h"

enum { RESULTS = 2 };

/* Makes the two results, laid out as the operands agree. Their dtype is that of the operation
 * `like`, but the second is i32 if `whole` is true. */
static stria_status make_results(struct invocation *c, stria_op like, bool whole, int count,
                                 const stria_view *const *inputs)
{
    const stria_view *const alike[] = {inputs[0], inputs[count - 1]};
    stria_dtype dtype;
    STRIA_TRY(stria_result_dtype(&dtype, like, stria_op_inputs(like), alike, stria__call_rule(c)));
    for (int i = 0; i < RESULTS; i++) {
        stria_array made = {0};
        STRIA_TRY(stria_result_empty(&made, count, inputs,
                                     whole && i ? stria_dtype_of(STRIA_I32) : dtype));
        STRIA_TRY(stria__call_piece(c, i, made));
    }
    return STRIA_OK;
}

/* Runs an operation with two results. Its operands are the first arguments; out, a pair, and where
 * follow. */
stria_status stria__row_two_results(struct invocation *c, stria_op like, two_of_one *of)
{
    const int count = of ? 1 : 2;
    const struct arg *const out = &c->args[count];
    stria_exec exec = stria__call_exec(c);
    exec.mask = c->args[count + 1].view;
    const stria_view *inputs[RESULTS], *outs[RESULTS];
    for (int i = 0; i < count; i++)
        inputs[i] = c->args[i].view;
    if (c->waiting) STRIA_TRY(stria__wait_force_all(c->waiting));
    if (out->given && out->count != RESULTS)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "out has %lld arrays, takes %d, one for each result",
                                  (long long)out->count, RESULTS);
    if (!out->given && exec.mask)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "where wants out=(a, b): what it leaves out stays");
    STRIA_TRY(stria__call_pieces(c, RESULTS));
    if (!out->given) STRIA_TRY(make_results(c, like, of == stria_frexp, count, inputs));
    for (int i = 0; i < RESULTS; i++) {
        if (out->given) c->pieces[i] = *out->views[i];
        outs[i] = &c->pieces[i];
    }
    return of ? of(outs[0], outs[1], inputs[0], &exec)
              : stria_divmod(outs[0], outs[1], inputs[0], inputs[1], &exec);
}
