/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense rows from one operand to the other, through the kernels of a conversion. */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_ROWS_H
#define STRIA_SRC_OPS_COPY_THROUGH_ROWS_H

#include "ops/convert/convert.h"
#include "ops/convert/fetch.h"
#include "stria/plan.h"

struct row_job {
    const struct conversion *how;
    bool stream;         /* the output bypasses the caches where rows are long enough */
    struct fetch *fetch; /* what will be read soon, or NULL */
    int64_t fetched;     /* bytes of it to ask for at each row */
};

/* Both operands have dense rows: dim 0, or items one by one where that has just one. */
bool stria__has_rows(const stria_plan *plan, const struct conversion *how);

/* A loop over a plan of (dst, src) that has rows, and one over any other; arg is a row_job. */
stria_loop stria__row_loop, stria__item_loop;

/* The whole of such a plan, in the order that suits memory; nothing is fetched. */
void stria__walk_rows(const stria_plan *plan, const struct row_job *job, const stria_exec *exec);

#endif
