/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a copy that converts is cut into boxes that fit into the caches. Kernels convert dense rows;
 * where an operand has none, a box of it is gathered into, or scattered from, dense scratch memory
 * by the copy engine, whose strategies then see a small copy like any other.
 *
 *     f32 (4096,4096).T -> bf16    rows of the input into scratch as bf16, scatter: transposes bf16
 *     bf16 (4096,4096).T -> f32    gather: transposes bf16, rows of scratch into the output as f32
 *     f32 [:, ::2] -> bf16 [::2]   gather, convert the whole box, scatter
 *     f32 (4096,1) -> bf16 dense   gather the column, convert it once, scatter: repeats it
 */
#ifndef STRIA_SRC_OPS_CONVERT_BOXES_H
#define STRIA_SRC_OPS_CONVERT_BOXES_H

#include <stdbool.h>

#include "convert.h"
#include "stria/plan.h"

enum { DST, SRC, GATHERED, CONVERTED, BOX_OPERANDS };

enum {
    BOX_BYTES = 128 << 10, /* of scratch memory, on the stack; half each where both are used */
    BOX_ROW = 24           /* items from which a row is worth a call */
};

struct boxes {
    stria_plan plan;              /* over the four operands; scratch strides are a whole box's */
    int64_t size[STRIA_MAX_NDIM]; /* of a whole box along every dim */
    int order[STRIA_MAX_NDIM];    /* dims as they lie in scratch, innermost first */
    int by_input[STRIA_MAX_NDIM]; /* `moving` dims in which the input moves, smallest step first */
    int moving;
    int32_t in_item;
    bool gather, scatter; /* else SRC, or DST, is converted from or to where it lies */
};

/*
 * plan is over (dst, src). Items that the input repeats lie in scratch once: their stride there is
 * 0. keep_src: a box of src must be read before any of it is written. The addresses of the scratch
 * operands are the caller's to set.
 */
void stria__boxes_make(struct boxes *out, const stria_plan *plan, const struct conversion *how,
                       bool keep_src);

#endif
