/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of arrange.h. The operands are those of indexed_loops.h. */
#include "ops/index/arrange.h"

#include <string.h>

#include "checked.h"
#include "machine/machine.h"
#include "plan.h"
#include "simd/kernels.h"
#include "status.h"

/*
 * Tells whether items along the dim are adjacent in the destination and have one offset, and are
 * adjacent or the same in the source.
 */
static bool is_row(const stria_dim *d, int64_t item)
{
    return d->s[0] == item && d->s[2] == 0 && (d->s[1] == item || d->s[1] == 0);
}

static void bring(stria_plan *plan, int from, int to)
{
    const stria_dim dim = plan->dims[from];
    memmove(&plan->dims[to + 1], &plan->dims[to], (size_t)(from - to) * sizeof dim);
    plan->dims[to] = dim;
}

/*
 * Tells whether the cache lines of the rows stay in the cache until the next dim comes back to
 * them.
 */
static bool are_near(const stria_plan *plan, int64_t item)
{
    return plan->dims[0].n * item >= LINE ||
           stria__plan_numel(plan) <= stria__machine()->lies_in_l2 / item;
}

void stria__arrange(stria_plan *plan, int64_t item)
{
    const int64_t few = INDEXING_FEW;
    int row = 0;
    while (row < plan->ndim && !(is_row(&plan->dims[row], item) && plan->dims[row].n >= few))
        row++;
    if (0 < row && row < plan->ndim) bring(plan, row, 0);
    const stria_dim *const d = plan->dims;
    if (plan->ndim > 2 && is_row(&d[0], item) && d[1].n <= few && d[1].n < d[2].n &&
        are_near(plan, item))
        bring(plan, 2, 1);
}

bool stria__has_short_rows(const stria_plan *plan, int64_t item)
{
    const stria_dim *const d = plan->dims;
    return plan->ndim > 1 && d[0].n < d[1].n && !is_row(&d[0], item) &&
           d[0].n <= (d[1].s[2] == 0 ? INDEXING_FEW : INDEXING_FEW_OWN);
}

stria_status stria__move_columns(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct stria__machine *const m = stria__machine();
    const struct columns *how = arg;
    stria_dim turned[2] = {d[1], d[0]};
    int64_t step = 1;
    for (int k = 0; k < 2; k++)
        step = magnitude(d[1].s[k]) > (uint64_t)step ? (int64_t)magnitude(d[1].s[k]) : step;
    int64_t rows = m->near_l1 / step;
    rows =
        rows < INDEXING_COLUMNS_LEAST ? INDEXING_COLUMNS_LEAST : least(rows, INDEXING_COLUMNS_MOST);
    for (int64_t j = 0; j < d[1].n; j += rows) {
        char *const block[] = {ptr[0] + j * d[1].s[0], ptr[1] + j * d[1].s[1],
                               ptr[2] + j * d[1].s[2]};
        turned[0].n = d[1].n - j < rows ? d[1].n - j : rows;
        STRIA_TRY(how->loop(block, turned, how->arg));
    }
    return STRIA_OK;
}
