/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the input whose items lie at one distance from each other: [::2], [::-1], [:, 0]. */
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
    void (*kernel)(const struct strided *t); /* that gathers all others */
};

/*
 * Whether the rows of plan, over (dst, src), are dense in the output and spaced in the input, long
 * enough, and the shortest steps that the input takes.
 */
bool stria__spaced_make(struct spaced *out, const stria_plan *plan, const struct conversion *how,
                        bool stream);

#endif
