/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves the part of an operand that belongs to a box between memory and scratch. A port does so for
 * all boxes of a cut, and converts values on the way.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/conversion.h"
#include "machine/machine.h"
#include "move/strategy.h"
#include "plan/box.h"

/*
 * A box of elements to be moved is a nest from memory to scratch, its dims innermost first in the
 * order of the scratch; where scratch holds repeated elements once, its stride is 0.
 */

/* The moves that stage a box, NULL until a box of the same sizes and strides has been moved. */
struct stage_way {
    /* The first and the second of two moves; turn is NULL if one suffices. */
    const struct strategy *move, *turn;
};

/*
 * Returns the bytes of n steps in scratch. Rows that are no shorter than PADDED_ROW begin on lines,
 * but not all of them in the same few sets of the first-level cache.
 */
int64_t stria__padded_step(int64_t step, int64_t n);

/* Prefetches the lines of a box whose memory begins at `first`. */
void stria__stage_ahead(const struct nest *box, const char *first);

/*
 * Gathers the box into scratch. far: memory is not cached, and the box at `next`, unless that is
 * NULL, is prefetched.
 */
void stria__stage_in(const struct nest *box, bool far, const char *next, struct stage_way *way);

/* Scatters the box to memory; stream: by non-temporal stores, after which a fence must follow. */
void stria__stage_out(const struct nest *box, struct stage_way *way, bool stream);

/* Estimate the cycles of gathering and of scattering a box. */
double stria__stage_in_cycles(const struct nest *box);
double stria__stage_out_cycles(const struct nest *box);

/* ---- ports ----------------------------------------------------------------------------------- */

/* Accesses one operand of a plan box by box. */
struct port {
    int operand;
    int64_t item; /* Bytes of an item in memory. */
    /* Bytes between elements in scratch along each dim of the plan; NULL: boxes are dense, in that
     * order. */
    const int64_t *s;
    bool far; /* Memory is not cached, so that the next box is prefetched. */
    /* Conversion of values; its row is NULL for none. With one, boxes are dense. */
    struct conversion cast;
    char *raw;            /* Scratch for the items of memory that are converted. */
    struct stage_way way; /* Moves for full boxes. */
};

/* Makes the nest between memory and scratch of a box. */
void stria__port_nest(struct nest *out, const struct port *port, const struct box *box,
                      const struct cut *cut, char *scratch);

/* Move a box into scratch, and from scratch to memory. */
void stria__port_in(struct port *port, const struct box *box, const struct cut *cut, char *scratch);
void stria__port_out(struct port *port, const struct box *box, const struct cut *cut,
                     char *scratch);
