/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies where the output is dense and the input has a short constant step, in either direction:
 * [::2], [::3], [::-1], one channel of interleaved records. Each load brings several items. Where
 * the items in between are the next row of the output, as of records with a few channels, the
 * kernel alternates between rows.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "dispatch.h"
#include "engine/move/nest.h"
#include "strategy.h"

/*
 * Each lane of output takes a few loads and as many shuffles. Rows that are too short for the
 * kernel are copied item by item, as strided does with less overhead. If the items in between are
 * other rows, each row reads the same lines again.
 */
static double cost(const struct facts *f)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const int item = (int)f->nest->item, s = (int)f->nest->d[0].si, step = s < 0 ? -s : s;
    const int per = LANE / item, per_load = (LANE - item) / step + 1;
    const double lanes = f->items / per, loads = (per - 1) / per_load + 1;
    const double once = c->gather.lanes + c->gather.loads * loads,
                 each = f->across ? once + c->gather.lanes_again : once;
    return c->gather.prepared + lanes * each + f->rows * c->gather.row + f->calls * c->gather.call;
}

static void run_kernel(const struct nest *nest, bool stream)
{
    stria__run_prepared(nest, stream, stria__kernels()->gather);
}

/* Rows that are long and whose items fill lines are streamed, in the order of the input. */
static void run(const struct nest *nest, bool stream)
{
    struct nest sorted;
    if (!stream || LANE % nest->item != 0 || nest->d[0].n * nest->item < LONG_ITEMS) {
        run_kernel(nest, false);
        return;
    }
    stria__nest_by_input(&sorted, nest, 1);
    run_kernel(&sorted, true);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "items of %" PRId64 " bytes every %" PRId64 " bytes", nest->item,
                   nest->d[0].si);
}

const struct strategy stria__copy_gather = {"gather", OUT_DENSE | IN_NEAR | FORWARD, cost, run,
                                            explain,  .write = WRITE_ITEMS};
const struct strategy stria__copy_reverse = {"reverse", OUT_DENSE | IN_NEAR | BACKWARD, cost, run,
                                             explain,   .write = WRITE_BACKWARDS};
