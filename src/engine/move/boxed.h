/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a copy is cut into boxes if its operands have short steps, but are not dense, along different
 * dims. Q is the side along which the output has its smallest steps, P the side along which the
 * input has; each is a bundle of dims, the outermost of them in blocks. A box is P x Q items, which
 * are packed without gaps in a buffer: first in the order of the input, if that has gaps, then in
 * the order of the output.
 *
 *     u16 [2048: 2 2048][256: 4224 8]     P: 128 of 256    Q: 256 of 2048
 *     u8 [15250: 2 64][48: 30500 1]       P: 48            Q: 1344 of 15250
 */
#ifndef STRIA_SRC_ENGINE_MOVE_BOXED_H
#define STRIA_SRC_ENGINE_MOVE_BOXED_H

#include "nest.h"

enum {
    STAGE = 64 << 10,                   /* bytes of each buffer */
    STAGE_ROOM = STAGE + STAGE * 5 / 16 /* with padding between rows */
};

struct bundle {
    int ndim;
    int dims[STRIA_MAX_NDIM]; /* innermost first */
    int64_t n;                /* items of a full box */
};

struct boxed {
    struct bundle p, q;
    int64_t size[STRIA_MAX_NDIM]; /* sizes of a full box along each dim of the nest */
    bool gather;                  /* whether both buffers are used, or the second only */
    int64_t gathered[STRIA_MAX_NDIM], turned[STRIA_MAX_NDIM]; /* strides in the buffers */
};

/* Returns false where boxes gain nothing. */
bool stria__boxed_make(struct boxed *out, const struct nest *nest);

#endif
