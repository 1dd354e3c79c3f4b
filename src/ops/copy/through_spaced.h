/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose items lie at one distance from each other on either side: [::2], [::-1], [:, 0]. */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_SPACED_H
#define STRIA_SRC_OPS_COPY_THROUGH_SPACED_H

#include "ops/convert/convert.h"
#include "simd/kernels.h"
#include "stria/plan.h"

/*
 * A conversion whose row does what another's does with items that are not dense: its in_step is how
 * far they lie apart, and may be negative. For the functions of through_rows.h.
 */
struct spaced {
    struct conversion conversion;
    const struct conversion *how; /* of dense items */
    convert_row *cut; /* every second item, as what is left of items twice as long; or NULL */
    void (*gather)(const struct strided *t); /* all others */
    void (*scatter)(const struct strided *t);
    int64_t out_step; /* from one item of the output to the next */
};

/*
 * Whether the rows of plan, over (dst, src), are spaced in the input, the output or both and else
 * dense, long enough, and the shortest steps that the input takes. stream: the output would bypass
 * the caches, which it must not where it is spaced.
 */
bool stria__spaced_make(struct spaced *out, const stria_plan *plan, const struct conversion *how,
                        bool stream);

/* Whether it is spaced in the input, and in the output. */
static inline bool stria__spaced_in(const struct spaced *s)
{
    return s->conversion.in_step != s->how->in_item;
}

static inline bool stria__spaced_out(const struct spaced *s)
{
    return s->out_step != s->how->out_item;
}

#endif
