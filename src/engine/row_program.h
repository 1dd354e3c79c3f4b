/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program over one row of elements, or several at once, whose operands are dense along them or
 * repeat one element. The results of its instructions are in scratch.
 */
#pragma once

#include <stdbool.h>

#include "engine/program.h"
#include "simd/kernels.h"

struct row_program {
    const struct program *program;
    int64_t s[VALUES];   /* Bytes between elements of each value along the row. */
    int64_t row[VALUES]; /* Bytes of each value from row to row. */
    char *ptr[VALUES];   /* Address at which each value begins. */
    /* Dims of each instruction, for the values that it takes; s holds their strides. */
    stria_dim d[INSTRUCTIONS][2];
};

/* Computes the bytes of an element of the output and of the results of all instructions. */
int64_t stria__made_bytes(const struct program *p);

/* Bytes of scratch beyond those of the elements: rows begin on lines. */
enum { ROW_PROGRAM_SPARE = VALUES * LINE };

/* Rows of elements: their sizes, and for each operand the bytes between elements and from row to
 * row. */
struct row_shape {
    int64_t n, rows;
    int64_t s[STRIA_MAX_OPERANDS], row[STRIA_MAX_OPERANDS];
};

/*
 * Lays out the program for the most rows and elements that there are. scratch is aligned to LINE.
 * The caller sets the pointers of operands in memory. If `output` is set, the output lies in
 * scratch, too, with LINE bytes to spare behind it.
 */
void stria__row_program_make(struct row_program *r, const struct program *p, char *scratch,
                             const struct row_shape *most, bool output);

/* Runs instruction i over rows of n elements, or over one element if its result is the same for
 * all. */
void stria__row_program_run(struct row_program *r, int i, int64_t n, int64_t rows);

/*
 * A program over one short row whose arrays are dense or a single element, laid out once, because a
 * small call takes less time than planning it. The results of a piece stay in the first-level cache
 * beside the arrays.
 */
enum { FLAT_INSTRUCTIONS = 16, FLAT_PIECES = 4 };
struct flat_program {
    int64_t n;           /* Number of elements; 0: the program does not run in this way. */
    int64_t piece;       /* Elements that pass through it at once. */
    int64_t scratch;     /* Bytes of scratch. */
    int64_t at[VALUES];  /* Offset of each result in scratch. */
    bool single[ARRAYS]; /* Arrays of one element. */
    stria_dim d[FLAT_INSTRUCTIONS][2];
};

/* Lays it out for the plan of its operands, or sets n = 0. */
void stria__flat_make(struct flat_program *out, const struct program *p, const stria_plan *plan);

/*
 * Runs it over arrays that begin at these addresses. Returns false, with nothing done, if an input
 * shares bytes with the output and is not exactly its elements, and if there is no scratch memory.
 */
bool stria__flat_run(const struct flat_program *flat, const struct program *p, char *const *arrays);

/* Tells whether all of n elements of a mask, which are adjacent, are false. */
bool stria__mask_is_false(const char *row, int64_t n);
