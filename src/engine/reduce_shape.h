/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dims of a reduction, in two groups. Kept dims count the outputs and are sorted by the steps
 * of the input, smallest first. Reduced dims stay in logical order, innermost first, where that
 * order is part of the result. Neighbours that continue each other are merged.
 */
#ifndef STRIA_SRC_ENGINE_REDUCE_SHAPE_H
#define STRIA_SRC_ENGINE_REDUCE_SHAPE_H

#include <stdbool.h>

#include "stria/view.h"

struct kept_dim {
    int64_t n, si, so; /* bytes from one element to the next in the input and the output */
};

struct reduced_dim {
    int64_t n, s;
};

struct reduce_shape {
    char *out, *in;
    int kept, reduced;
    struct kept_dim k[STRIA_MAX_NDIM];
    struct reduced_dim r[STRIA_MAX_NDIM];
    int64_t outputs, n; /* how many, and how many elements each of them has */
};

/*
 * Bit d of dims is set where dim d of a is reduced; out has the other dims of a. ordered: the order
 * of the elements matters.
 */
void stria__reduce_shape(struct reduce_shape *shape, const stria_view *out, const stria_view *a,
                         uint64_t dims, bool ordered);

/* The index along each reduced dim of element `at` of an output; returns its offset in bytes. */
int64_t stria__reduced_index(const struct reduce_shape *shape, int64_t at, int64_t *index);

/*
 * The offsets of `count` elements of an output from element `first` on, every `step` of them; first
 * and the innermost size are multiples of step.
 */
void stria__reduced_offsets(const struct reduce_shape *shape, int64_t first, int64_t count,
                            int64_t step, int64_t *offsets);

#endif
