/* SPDX-License-Identifier: BSD-3-Clause */
/* Between memory and scratch: the part of an operand that a block or a strip needs, moved. */
#ifndef STRIA_SRC_ENGINE_STAGE_H
#define STRIA_SRC_ENGINE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/move/strategy.h"

/* A box whose elements are to be moved: dims innermost first in the order of the scratch. */
struct box {
    int ndim;
    const int64_t *n;
    char *memory, *scratch;
    const int64_t *in_memory, *in_scratch; /* strides; scratch holds what repeats once */
    int64_t item;
    bool far;         /* memory is not in the caches */
    const char *next; /* where the next box begins, to be fetched meanwhile; or NULL */
};

/*
 * Brings the box into scratch. *way is NULL, or what an earlier call left there for a box of the
 * same sizes and strides.
 */
void stria__stage_in(const struct box *box, const struct strategy **way);

/* Writes the box back to memory; stream: past the caches, and to be followed by a fence. */
void stria__stage_out(const struct box *box, const struct strategy **way, bool stream);

#endif
