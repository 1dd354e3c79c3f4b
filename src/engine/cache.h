/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that were made lately. Programs make calls of the same few layouts over and over, and a
 * small call takes less time than to plan it. Each thread keeps a few calls in a small table of its
 * own, so that nobody waits for anybody and nothing is allocated. A kept call holds for every set
 * of addresses; whether the operands overlap there is asked anew each time.
 */
#ifndef STRIA_SRC_ENGINE_CACHE_H
#define STRIA_SRC_ENGINE_CACHE_H

#include "call.h"

enum {
    CACHE_DIMS = 6,
    CACHE_OPERANDS = 4,
    CACHE_WORDS = 4 + CACHE_OPERANDS * (2 + 2 * CACHE_DIMS)
};

/* Everything that a call depends on: two calls with the same words are one. */
struct cache_key {
    uint64_t hash; /* of the words */
    int count, views;
    int64_t words[CACHE_WORDS];
};

/*
 * False for calls that are not kept: large ones, and those of many dims or operands. views[0] is
 * the output; loop is the kernel between them, NULL for copies and fills, and kinds stands for the
 * dtypes that it takes.
 */
bool stria__cache_key(struct cache_key *out, map_loop *loop, int64_t kinds, int count,
                      const stria_view *const *views, const stria_exec *exec);

/*
 * The call is done. False: nothing happened, and every check is still to be made. item: the address
 * of a further operand, which is one element without a view, as fills have it; or NULL.
 */
bool stria__cache_run(const struct cache_key *key, const stria_view *const *views, const void *item,
                      const stria_exec *exec);

/*
 * To be told of every call with a key that was checked, decided and run, whose operands share no
 * byte but where an input has the very elements of the output. The second time in a row the call is
 * kept: what comes once is not worth the writing.
 */
void stria__cache_keep(const struct cache_key *key, const struct call *call,
                       const stria_view *const *views);

#endif
