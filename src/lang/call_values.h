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

/* The results are the array `one`, which was filled by itself. */
void stria__results_single(stria_results *results);

/* Puts the message of a failure into the results, or takes the last one out; returns the status. */
stria_status stria__results_tell(stria_results *results, stria_status status);
/*
 * Makes made the single result, whether it owns its memory or is a view. It owns none afterwards.
 * Results outlive the pool: where a dtype is described by what lies there, memory keeps the
 * description. MEMORY.
 */
stria_status stria__results_take(stria_results *results, stria_array *made,
                                 const struct pool *pool);
/*
 * Makes the results an answer, or where that is NULL a tuple of `count` arrays, which are shared;
 * likewise. UNSUPPORTED for sparse arrays and for more integers than there is room for, MEMORY;
 * results are what they were, then.
 */
stria_status stria__results_tuple(stria_results *results, const struct value *answer, int64_t count,
                                  const stria_view *const *views, const struct pool *pool);

#endif
