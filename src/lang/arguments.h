/* SPDX-License-Identifier: BSD-3-Clause */
/* The tagged values of call.h as the values of the language. */
#ifndef STRIA_LANG_ARGUMENTS_H
#define STRIA_LANG_ARGUMENTS_H

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

#endif
