/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the part of an operand that a block or a strip needs between memory and scratch. */
#ifndef STRIA_SRC_ENGINE_STAGE_H
#define STRIA_SRC_ENGINE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "engine/move/strategy.h"

/* A box of elements to be moved: dims innermost first in the order of the scratch. */
struct box {
    int ndim;
    const int64_t *n;
    char *memory, *scratch;
    const int64_t *in_memory, *in_scratch; /* strides; scratch holds repeated elements once */
    int64_t item;
    bool far;         /* memory is not cached */
    const char *next; /* address of the next box, to be prefetched; or NULL */
};

/* The moves that stage a box, NULL until a box of the same sizes and strides has been moved. */
struct stage_way {
    const struct strategy *move, *turn; /* turn: the second of two moves, or NULL */
};

/*
 * Rows of scratch that are no shorter than `padded_row` of the machine begin on lines, but not all
 * of them in the same few sets of the first-level cache.
 */
int64_t stria__padded(int64_t row);

/* Prefetches the lines of a box that begins at `first`. */
void stria__stage_ahead(const struct box *box, const char *first);

/* Gathers the box into scratch. */
void stria__stage_in(const struct box *box, struct stage_way *way);

/* Scatters the box to memory; stream: by non-temporal stores, after which a fence must follow. */
void stria__stage_out(const struct box *box, struct stage_way *way, bool stream);

/* Estimate the cycles of gathering and of scattering a box. */
double stria__stage_in_cycles(const struct box *box);
double stria__stage_out_cycles(const struct box *box);

/* Estimates the cycles to stage what a nest brings into a dense output. */
double stria__gather_cycles(const struct nest *nest);

#endif
