/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A strategy is one way to run a copy: a row of the table in moves.c and its functions.
 * Each estimates the cost of a nest, and the cheapest runs it. A strategy gives the right result
 * for every nest for which it returns a cost.
 */
#pragma once

#include <stddef.h>

#include "base/tool_api.h"
#include "machine/machine.h"
#include "nest.h"
#include "stria/threads.h"

struct facts;

struct strategy {
    const char *name;
    unsigned needs; /* Traits that it needs, see cost.h. */
    /*
     * Returns the cycles of a nest that has those traits, or CANNOT. They depend on sizes and
     * strides, never on addresses.
     */
    double (*cost)(const struct facts *facts);
    /* stream: the output is too large to stay in the caches, and no hint asks to keep it there. */
    void (*run)(const struct nest *nest, bool stream); /* Called only by stria__strategy_run. */
    /* Writes the reason why it is cheap, with numbers, as snprintf does. */
    void (*explain)(char *text, size_t size, const struct nest *nest);
    /* Kind of writing, which decides the size from which it is streamed. */
    enum stria__write write;
};

extern const struct strategy stria__copy_dense, stria__copy_repeated, stria__copy_interleave,
    stria__copy_transpose, stria__copy_gather, stria__copy_reverse, stria__copy_scatter,
    stria__copy_rows, stria__copy_staged, stria__copy_slabs, stria__copy_pattern,
    stria__copy_strided;

/* Returns the cheapest strategy; never NULL. */
const struct strategy *stria__strategy(const struct nest *nest);

/*
 * The cheapest strategy and the next one, with their costs; `second` is NULL if no other can copy
 * the nest.
 */
struct choice {
    const struct strategy *best, *second;
    double best_cost, second_cost;
};
struct choice stria__choose(const struct nest *nest);
/* Chooses for a step of a strategy of several steps; never such a strategy itself. */
struct choice stria__choose_part(const struct nest *nest);

/* Returns row i of the table; NULL after the last. */
TOOL_API const struct strategy *stria__strategy_at(int i);

/* Transposes tiles of a source that comes from memory; next is the address of the next block. */
void stria__transpose_far(const struct nest *nest, const char *next);

/* Runs a strategy; its non-temporal stores are then ordered before later stores. */
TOOL_API void stria__strategy_run(const struct strategy *strategy, const struct nest *nest,
                                  bool stream);

/* Tells whether a copy by a strategy is stored non-temporally. exec may be NULL. */
TOOL_API bool stria__streams(const struct strategy *strategy, const struct nest *nest,
                             const stria_exec *exec);
