/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A strategy is one way to run a copy: a row of the table in strategies.c and a file of its own.
 * The first row that applies to a nest runs it. Every strategy gives the right result for every
 * nest that it applies to; the order of the rows is about speed alone.
 */
#ifndef STRIA_SRC_OPS_COPY_STRATEGY_H
#define STRIA_SRC_OPS_COPY_STRATEGY_H

#include <stddef.h>

#include "nest.h"

struct strategy {
    const char *name;
    bool (*applies)(const struct nest *nest); /* by sizes and strides, never by addresses */
    /* stream: the output is too large to stay in the caches, and nobody asked to keep it there. */
    void (*run)(const struct nest *nest, bool stream); /* call stria__strategy_run instead */
    /* What made it apply, with numbers, as snprintf writes. */
    void (*explain)(char *text, size_t size, const struct nest *nest);
    /* Bytes of output from which streaming pays, in units of the core's L2. */
    int stream_from;
};

extern const struct strategy stria__copy_block, stria__copy_broadcast, stria__copy_interleave,
    stria__copy_deinterleave, stria__copy_transpose, stria__copy_gather, stria__copy_reverse,
    stria__copy_scatter, stria__copy_rows, stria__copy_strided;

/* Never NULL: the last row applies to everything. */
const struct strategy *stria__strategy(const struct nest *nest);

/* Runs it; what bypassed the caches is then seen by other threads before anything that follows. */
void stria__strategy_run(const struct strategy *strategy, const struct nest *nest, bool stream);

#endif
