/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers as text for people. */
#ifndef STRIA_TOOL_REPORT_H
#define STRIA_TOOL_REPORT_H

#include <stdio.h>

#include "lang/eval.h"
#include "lang/failure.h"
#include "view/pool.h"

/* "f32 (4, 5, 6)  strides (120, 24, 4)  offset 0", with the bits conj and neg where set. */
void report_geometry(FILE *file, const struct array_geometry *g);
/* x and every step so far: what it was, view, copy or same, and what it gave. */
void report_steps(FILE *file, struct evaluation *e);
/*
 * The collapsed loop nest of the copy that the EXPR ends in, and what would run it, or why there is
 * no such copy. MEMORY when it could not be found out.
 */
stria_status report_plan(FILE *file, const struct evaluation *e);
/* "True", "5", "0.1", "1+2j": a number with all its digits. */
enum { NUMBER_TEXT = 80 };
const char *answer_number(const struct value *number, char text[NUMBER_TEXT]);
/* "True", "5", "0.1", "(4, 5)", a dtype. */
void report_value(FILE *file, const struct value *value);
/* "answer: True", where the EXPR asked for something. */
void report_answer(FILE *file, const struct value *answer);
/* "(4, 5, 6)", "(4,)", "()", cut where it would be long. */
const char *tuple_text(const int64_t *values, int n, char *text, size_t size);

/* f32, torch.float32, <f4, and everything that an EXPR can write. FORMAT for other text. */
stria_status dtype_text_read(stria_dtype *out, const char *text, struct pool *pool,
                             struct failure *failure);

/* The name of a dtype; a record as the list or dict that numpy.dtype reads. Lives in the pool. */
const char *dtype_text(stria_dtype dtype, struct pool *pool);

/* How a view lies in memory, in the evaluation's pool. */
struct array_geometry geometry_of(struct evaluation *e, const stria_view *view);

/* Reports the copy that would be made, without the memory. */
struct materialization {
    const char *op;     /* whose copy it is; NULL: none made one */
    stria_array target; /* meta */
    stria_copy_plan plan;
};

/* The op gives the elements of its array, where they are, in new memory. */
bool materializes(const char *op);

/*
 * The copy that an EXPR with outputs ends in: that of its last op, where that copied all of one
 * array (contiguous, clone, astype, reshape, ...); else that of the first output into new memory in
 * C order. A status when there can be no such copy: too many bytes, or a dtype that is not copied.
 */
stria_status materialization_plan(struct materialization *out, const struct evaluation *e);
void materialization_end(struct materialization *m);

#endif
