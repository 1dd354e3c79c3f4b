/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a copy is cut into boxes when its operands are near, not dense, along different dims. Q is
 * the side along which the output takes its smallest steps, P the side along which the input does;
 * each is a bundle of dims, the outermost of them in blocks. A box is P x Q items, which lie in a
 * stage without gaps on their way: first as the input has them, where it has gaps, then as the
 * output has them.
 *
 *     u16 [2048: 2 2048][256: 4224 8]     P: 128 of 256    Q: 256 of 2048
 *     u8 [15250: 2 64][48: 30500 1]       P: 48            Q: 1344 of 15250
 */
#ifndef STRIA_SRC_OPS_COPY_BOXED_H
#define STRIA_SRC_OPS_COPY_BOXED_H

#include "nest.h"

enum {
    STAGE = 64 << 10,                   /* bytes of each */
    STAGE_ROOM = STAGE + STAGE * 5 / 16 /* where rows are further apart than they are long */
};

struct bundle {
    int ndim;
    int dims[STRIA_MAX_NDIM]; /* innermost first */
    int64_t n;                /* items of a whole box */
};

struct boxed {
    struct bundle p, q;
    int64_t size[STRIA_MAX_NDIM]; /* of a whole box along each dim of the nest */
    bool gather;                  /* whether there are both stages, or the second only */
    int64_t gathered[STRIA_MAX_NDIM], turned[STRIA_MAX_NDIM]; /* strides there */
};

/* False where there is nothing to gain. */
bool stria__boxed_make(struct boxed *out, const struct nest *nest);

#endif
