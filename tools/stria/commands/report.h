/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints answers as text for people. */
#pragma once

#include <stdio.h>

#include "lang/eval.h"
#include "lang/failure.h"
#include "view/pool.h"

/* Prints "f32 (4, 5, 6) strides (120, 24, 4) offset 0", with the bits conj and neg if set. */
void report_geometry(FILE *file, const struct array_geometry *g);
/* Prints x and every step so far: whether it was view, copy or same, and its result. */
void report_steps(FILE *file, struct evaluation *e);
/*
 * Prints the collapsed loop nest of the copy that the EXPR ends in, and the strategy that would run
 * it, or why there is no such copy. MEMORY when it could not be found out.
 */
stria_status report_plan(FILE *file, const struct evaluation *e);
/* Writes a number with all its digits: "True", "5", "0.1", "1+2j". */
enum { NUMBER_TEXT = 80 };
const char *answer_number(const struct value *number, char text[NUMBER_TEXT]);
/* Prints a value: "True", "5", "0.1", "(4, 5)", a dtype. */
void report_value(FILE *file, const struct value *value);
/* Prints "answer: True", if the EXPR asked for something. */
void report_answer(FILE *file, const struct value *answer);
/* Writes a tuple: "(4, 5, 6)", "(4,)", "()", cut if it would be long. */
const char *tuple_text(const int64_t *values, int n, char *text, size_t size);

/* Writes the hash of the elements, 32 digits; a line of progress tells of it. */
stria_status hash_text(char text[33], const stria_view *a, struct failure *failure);

/* Reads a dtype: f32, torch.float32, <f4, and everything that an EXPR can write. FORMAT for other
 * text. */
stria_status dtype_text_read(stria_dtype *out, const char *text, struct pool *pool,
                             struct failure *failure);

/* Returns the name of a dtype; a record as the list or dict that numpy.dtype reads. Lives in the
 * pool. */
const char *dtype_text(stria_dtype dtype, struct pool *pool);

/* Describes how a view lies in memory, in the evaluation's pool. */
struct array_geometry geometry_of(struct evaluation *e, const stria_view *view);

/* A copy that would be made, without the memory. */
struct materialization {
    const char *op;     /* The op whose copy it is; NULL: none made one. */
    stria_array target; /* A meta array. */
    stria_copy_plan plan;
};

/* Tells whether the op only gives the elements of its array in new memory. */
bool materializes(const char *op);

/*
 * Finds the copy that an EXPR with outputs ends in: that of its last op, if that copied all of one
 * array (contiguous, clone, astype, reshape, ...); else that of the first output into new memory in
 * C order. Fails if there can be no such copy: too many bytes, or a dtype that is not copied.
 */
stria_status materialization_plan(struct materialization *out, const struct evaluation *e);
void materialization_end(struct materialization *m);
