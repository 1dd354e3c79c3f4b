/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dims of a reduction, in two groups, with the steps of every input along them. Kept dims count
 * the outputs and are sorted by the smallest steps of the inputs. Reduced dims stay in logical
 * order, innermost first, where that order is part of the result. Neighbours that continue each
 * other are merged.
 */
#ifndef STRIA_SRC_ENGINE_REDUCE_SHAPE_H
#define STRIA_SRC_ENGINE_REDUCE_SHAPE_H

#include <stdbool.h>

#include "stria/plan.h"

enum { INPUTS = STRIA_MAX_OPERANDS - 1 }; /* of a reduction at most */

struct reduce_shape {
    char *out, *in[INPUTS];
    int inputs, kept, reduced;
    stria_dim k[STRIA_MAX_NDIM]; /* operand 0 is the output, and the inputs follow; */
    stria_dim r[STRIA_MAX_NDIM]; /* the output has stride 0 along reduced dims */
    int64_t outputs, n;          /* how many, and how many elements each of them has */
};

/*
 * Finds the dims of inputs that broadcast to the shape of a. Bit d of dims is set where its dim d
 * is reduced; out has the other dims. ordered: the order of the elements matters.
 */
void stria__reduce_shape(struct reduce_shape *shape, const stria_view *out, const stria_view *a,
                         int inputs, const stria_view *const *views, uint64_t dims, bool ordered);

/*
 * Returns the smallest step of the inputs along a dim less one, so that steps of 0 give the largest
 * number and come last.
 */
uint64_t stria__step_rank(const stria_dim *d, int inputs);

/* Finds the index along each reduced dim of element `at` of an output. */
void stria__reduced_index(const struct reduce_shape *shape, int64_t at, int64_t *index);

/* Computes the offset in bytes of an index in an input. */
int64_t stria__reduced_offset(const struct reduce_shape *shape, const int64_t *index, int input);

/*
 * Computes the offsets in input 0 of every `step`-th of the elements of an output from element
 * `first` on, `count` of them; first and the innermost size are multiples of step.
 */
void stria__reduced_offsets(const struct reduce_shape *shape, int64_t first, int64_t count,
                            int64_t step, int64_t *offsets);

#endif
