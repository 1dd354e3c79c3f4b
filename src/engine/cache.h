/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cache of recent calls. Programs make calls of the same few layouts over and over, and a small
 * call takes less time than planning it. Each thread keeps a few calls in a small table of its own,
 * so there are no locks and no allocations. A kept call is valid at any addresses; whether the
 * operands overlap is checked anew each time.
 */
#pragma once

#include "engine/program.h"

enum {
    CACHE_DIMS = 6,
    CACHE_OPERANDS = 5, /* The output, two inputs, and a mask with the values that it keeps. */
    CACHE_WORDS = 4 + CACHE_OPERANDS * (2 + 2 * CACHE_DIMS)
};

/*
 * Everything that a call depends on. views[0] is the output; loop is the kernel, NULL for copies
 * and fills, and kinds encodes the dtypes of its operands. exec may be NULL.
 */
struct cache_key {
    map_loop *loop;
    int64_t kinds;
    int count; /* Number of views. */
    const stria_view *const *views;
    const stria_exec *exec;
};

/*
 * Runs a kept call and returns true. Otherwise it returns false and has done nothing, not even the
 * checks. item is the address of a further operand that is one element without a view, as in fills;
 * or NULL.
 */
bool stria__cache_run(const struct cache_key *key, const void *item);

/*
 * Keeps a call if it is small and has few dims and operands. It must have been checked, decided and
 * run, and its operands must share no byte, except that an input may be exactly the output's
 * elements. A call is kept when it comes the second time in a row, since keeping one that never
 * comes again would cost more than it saves.
 */
void stria__cache_keep(const struct cache_key *key, const struct call *call);
