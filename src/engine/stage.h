/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the part of an operand that a block or a strip needs between memory and scratch. */
#ifndef STRIA_SRC_ENGINE_STAGE_H
#define STRIA_SRC_ENGINE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

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

/*
 * Gathers the box into scratch. *way is NULL, or what an earlier call stored there for a box of the
 * same sizes and strides.
 */
void stria__stage_in(const struct box *box, const struct strategy **way);

/* Scatters the box to memory; stream: by non-temporal stores, after which a fence must follow. */
void stria__stage_out(const struct box *box, const struct strategy **way, bool stream);

#endif
