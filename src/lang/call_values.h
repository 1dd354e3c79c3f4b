/* SPDX-License-Identifier: BSD-3-Clause */
/* The tagged values of call.h: arguments as values of the language, and results as they are handed
 * out. */
#ifndef STRIA_LANG_CALL_VALUES_H
#define STRIA_LANG_CALL_VALUES_H

#include "bind.h"
#include "stria/call.h"

/*
 * Makes `count` values of arguments, whose place is their number; those of lists lie in the pool.
 * ARGUMENT for what is no argument, MEMORY.
 */
stria_status stria__arguments_read(struct value *out, int64_t count, const stria_arg *args,
                                   struct pool *pool);

/*
 * Writes an answer; text is static, a tuple one of integers. UNSUPPORTED for sparse arrays and for
 * more integers than there is room for.
 */
stria_status stria__answer_write(stria_results *out, const struct value *answer);

/* Makes room for a tuple of count arrays, all zeros. MEMORY. */
stria_status stria__results_tuple(stria_results *out, int64_t count);
/* The results are the array `one`, which was filled by itself. */
void stria__results_single(stria_results *results);
/* Makes made the single result, whether it owns its memory or is a view. It owns none afterwards.
 */
void stria__results_take(stria_results *results, stria_array *made);
/*
 * Makes an array outlive the pool: where its dtype is described by what lies there, its memory
 * keeps the description. *made owns what it owned, or something new. MEMORY.
 */
stria_status stria__results_keep(stria_array *made, const struct pool *pool);
/* The same of an answer. */
stria_status stria__results_keep_answer(stria_results *made, const struct pool *pool);
/* Takes over what made holds, in place of what out held. */
void stria__results_replace(stria_results *out, stria_results *made);

#endif
