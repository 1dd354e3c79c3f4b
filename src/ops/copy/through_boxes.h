/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts without common dense rows, box by box through scratch memory. */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_BOXES_H
#define STRIA_SRC_OPS_COPY_THROUGH_BOXES_H

#include "ops/convert/convert.h"
#include "stria/plan.h"

struct box_job {
    const struct conversion *how;
    bool in_place; /* both operands are the same elements */
    bool stream;   /* the output bypasses the caches */
};

/* plan is over (dst, src); arg is a box_job. Runs on this thread. */
void stria__run_boxes(const stria_plan *plan, const void *arg);

#endif
