/* SPDX-License-Identifier: BSD-3-Clause */
/* The tagged values of call.h: arguments as values of the language, and results as they are handed
 * out. */
#pragma once

#include "bind.h"
#include "stria/call.h"

/*
 * Makes `count` values of arguments; their place is their number, and items of lists lie in the
 * pool. ARGUMENT for a value that is no argument, MEMORY.
 */
stria_status stria__arguments_read(struct value *out, int64_t count, const stria_arg *args,
                                   struct pool *pool);

/* Checks a view, whose name in messages is `what` and a number: "argument 2". */
stria_status stria__check_numbered(const stria_view *view, const char *op, const char *what,
                                   size_t number);

/* Marks the results as the single array `one`, which the caller has filled in. */
void stria__results_single(stria_results *results);

/* Puts the message of a failure into the results, or takes the last one out; returns the status. */
stria_status stria__results_tell(stria_results *results, stria_status status);
/*
 * Makes *made the single result, a view or an array with memory, and takes its memory over. Results
 * outlive the pool, so that a dtype that is described in the pool is copied. MEMORY.
 */
stria_status stria__results_take(stria_results *results, stria_array *made,
                                 const struct pool *pool);
/*
 * Makes the results the answer or, if that is NULL, a tuple of `count` arrays, which are shared.
 * Results outlive the pool here, too. UNSUPPORTED for sparse arrays and for more integers than
 * there is room for, MEMORY; on failure results do not change.
 */
stria_status stria__results_tuple(stria_results *results, const struct value *answer, int64_t count,
                                  const stria_view *const *views, const struct pool *pool);
