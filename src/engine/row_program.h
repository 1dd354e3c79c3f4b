/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program over one row of elements, whose operands are dense along it or repeat one element. The
 * results of its instructions are in scratch.
 */
#ifndef STRIA_SRC_ENGINE_ROW_PROGRAM_H
#define STRIA_SRC_ENGINE_ROW_PROGRAM_H

#include <stdbool.h>

#include "engine/program.h"
#include "simd/kernels.h"

struct row_program {
    const struct program *program;
    int64_t s[VALUES];            /* bytes between elements of each value along the row */
    char *ptr[VALUES];            /* where each value begins */
    stria_dim d[INSTRUCTIONS][2]; /* of each instruction; s holds as many as it takes */
};

/* Computes the bytes of an element of the output and of the results of all instructions. */
int64_t stria__made_bytes(const struct program *p);

/* Bytes of scratch beyond those of the elements: rows begin on lines. */
enum { ROW_PROGRAM_SPARE = VALUES * LINE };

/*
 * Lays out rows of up to `most` elements. `steps` are the bytes between elements of each operand,
 * and scratch is aligned to LINE. The caller sets the pointers of operands in memory. If `output`
 * is set, the output lies in scratch, too, with LINE bytes to spare behind it.
 */
void stria__row_program_make(struct row_program *r, const struct program *p, char *scratch,
                             int64_t most, const int64_t *steps, bool output);

/* Runs instruction i over n elements, or over one if that is the result for all of them. */
void stria__row_program_run(struct row_program *r, int i, int64_t n);

#endif
