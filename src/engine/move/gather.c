/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies where the output is dense and the input has a short constant step, in either direction:
 * [::2], [::3], [::-1]. Each load brings several items.
 *
 * If the items in between belong to other rows of the output, as the channels of interleaved
 * records do, the dim of the channels becomes the second one, so that the kernel can alternate
 * between rows.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"
#include "tiling.h"

enum { LONG = 512 /* bytes of a row */ };

/*
 * Each lane of output takes a few loads and as many shuffles. Rows that are too short for the
 * kernel are copied item by item, as strided does with less overhead. If the items in between are
 * other rows, each row reads the same lines again.
 */
static double cost(const struct facts *f)
{
    static const double PREPARED = 90, LANES = 0.3, LOADS = 0.8, ROW = 25, CALL = 50, AGAIN = 0.1;
    const int item = (int)f->nest->item, s = (int)f->nest->d[0].si, step = s < 0 ? -s : s;
    const int per = LANE / item, per_load = (LANE - item) / step + 1;
    const double lanes = f->items / per, loads = (per - 1) / per_load + 1;
    const double once = LANES + LOADS * loads, each = f->across ? once + AGAIN : once;
    return PREPARED + lanes * each + f->rows * ROW + f->calls * CALL;
}

static void run_kernel(const struct nest *nest, bool stream)
{
    stria__run_prepared(nest, stream, stria__kernels()->gather);
}

/* Rows that are long and whose items fill lines are streamed, in the order of the input. */
static void run(const struct nest *nest, bool stream)
{
    struct nest sorted;
    if (!stream || LANE % nest->item != 0 || nest->d[0].n * nest->item < LONG) {
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

/* ---- channels -------------------------------------------------------------------------------- */

/* Records that do not overlap; windows that overlap are rows like others. */
static double channels_cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    const int64_t run = stria__dense_run(nest, f->across, true), s = nest->d[0].si;
    if (run >= LANE || run > (s < 0 ? -s : s)) return CANNOT;
    struct facts turned = *f;
    turned.across = 0;
    turned.calls = f->rows / (double)nest->d[f->across].n;
    return cost(&turned);
}

static void run_channels(const struct nest *nest, bool stream)
{
    const int p = stria__tiling_dim(nest);
    struct nest outer;
    outer.out = nest->out;
    outer.in = nest->in;
    outer.item = nest->item;
    outer.ndim = 2;
    outer.d[0] = nest->d[0];
    outer.d[1] = nest->d[p];
    for (int d = 1; d < nest->ndim; d++)
        if (d != p) outer.d[outer.ndim++] = nest->d[d];
    run_kernel(&outer, stream);
}

static void explain_channels(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "%" PRId64 " channels of %" PRId64 " bytes in records of %" PRId64,
                   nest->d[stria__tiling_dim(nest)].n, nest->item, nest->d[0].si);
}

const struct strategy stria__copy_gather = {"gather", OUT_DENSE | IN_NEAR | FORWARD, cost, run,
                                            explain,  .write = WRITE_ITEMS};
const struct strategy stria__copy_reverse = {"reverse", OUT_DENSE | IN_NEAR | BACKWARD, cost, run,
                                             explain,   .write = WRITE_BACKWARDS};
const struct strategy stria__copy_deinterleave = {"deinterleave",   OUT_DENSE | IN_NEAR | ACROSS,
                                                  channels_cost,    run_channels,
                                                  explain_channels, .write = WRITE_ITEMS};
