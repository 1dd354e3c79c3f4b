/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: operations with two results. */
#include "lang/waiting.h"
#include "lang/rows/rows.h"

enum { RESULTS = 2 };

/*
 * Runs an operation with two results: `into` or, into new arrays, `made` of one operand, or divmod
 * where they are NULL. Its operands are the first arguments; out, a pair, and where follow.
 */
stria_status stria__row_two_results(struct invocation *c, two_of_one *into, two_new_of_one *made)
{
    const int count = into ? 1 : 2;
    const struct arg *const out = &c->args[count];
    stria_array results[RESULTS] = {{.owned = NULL}, {.owned = NULL}};
    stria_exec exec = stria__call_exec(c);
    exec.mask = c->args[count + 1].view;
    if (c->waiting) STRIA_TRY(stria__wait_force_all(c->waiting));
    if (out->given && out->count != RESULTS)
        return REFUSE(ARGUMENT, "out has %lld arrays, takes %d, one for each result",
                      (long long)out->count, RESULTS);
    if (!out->given && exec.mask)
        return REFUSE(ARGUMENT, "where wants out=(a, b): what it leaves out stays");
    if (!out->given)
        return stria__call_give(
            c, RESULTS, results,
            made ? made(&results[0], &results[1], A, &exec)
                 : stria_divmod_new(&results[0], &results[1], A, ARRAY(1), &exec));
    STRIA_TRY(stria__call_pieces(c, RESULTS));
    for (int i = 0; i < RESULTS; i++)
        c->pieces[i] = *out->views[i];
    return into ? into(&c->pieces[0], &c->pieces[1], A, &exec)
                : stria_divmod(&c->pieces[0], &c->pieces[1], A, ARRAY(1), &exec);
}
