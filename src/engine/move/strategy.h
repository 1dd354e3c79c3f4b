/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A strategy is one way to run a copy: a row of the table in moves.c and a file of its own.
 * Each estimates what a nest costs by it, and the cheapest runs it; every strategy gives the right
 * result for every nest whose cost it tells.
 */
#ifndef STRIA_SRC_OPS_COPY_STRATEGY_H
#define STRIA_SRC_OPS_COPY_STRATEGY_H

#include <stddef.h>

#include "engine/machine.h"
#include "nest.h"

struct facts;

struct strategy {
    const char *name;
    unsigned needs; /* traits, see cost.h */
    /* Cycles of a nest that has them, or CANNOT; by sizes and strides, never by addresses. */
    double (*cost)(const struct facts *facts);
    /* stream: the output is too large to stay in the caches, and nobody asked to keep it there. */
    void (*run)(const struct nest *nest, bool stream); /* call stria__strategy_run instead */
    /* What makes it cheap, with numbers, as snprintf writes. */
    void (*explain)(char *text, size_t size, const struct nest *nest);
    enum stria__write write; /* from which size it is streamed */
};

extern const struct strategy stria__copy_block, stria__copy_broadcast, stria__copy_interleave,
    stria__copy_deinterleave, stria__copy_transpose, stria__copy_gather, stria__copy_reverse,
    stria__copy_scatter, stria__copy_rows, stria__copy_blocks, stria__copy_staged,
    stria__copy_slabs, stria__copy_strided;

/* The cheapest; never NULL. */
const struct strategy *stria__strategy(const struct nest *nest);

/* The same with what it costs, and the one that would be next; NULL where no other can. */
struct choice {
    const struct strategy *best, *second;
    double best_cost, second_cost;
};
struct choice stria__choose(const struct nest *nest);
/* For a step of a strategy that takes several; never one of those. */
struct choice stria__choose_part(const struct nest *nest);

/* Row i of the table; NULL behind the last. */
const struct strategy *stria__strategy_at(int i);

/* Tiles of a source that comes from memory; next: where the next block's begins. */
void stria__transpose_far(const struct nest *nest, const char *next);

/* Runs it; what bypassed the caches is then seen by other threads before anything that follows. */
void stria__strategy_run(const struct strategy *strategy, const struct nest *nest, bool stream);

#endif
