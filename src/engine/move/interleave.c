/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of planes to records: two to eight runs of the input become one run of the output, item by
 * item.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "dispatch.h"
#include "engine/move/nest.h"
#include "strategy.h"

/*
 * Each line of records takes a shuffle of every plane, and the tables take as many to prepare. Of a
 * few planes from beyond the second level that hides behind the reads, which go on in order.
 */
static double cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const int64_t planes = nest->d[0].n;
    const bool far =
        planes <= c->interleave.far_planes && stria__nest_bytes(nest) >= stria__machine()->far_gaps;
    const double lines = f->items * (double)nest->item / LINE;
    const double each = far ? c->interleave.far_lines : c->interleave.near_lines;
    return (c->interleave.prepared + lines * each) * (double)planes + f->calls * c->interleave.call;
}

/* Long runs of records that begin on a line now and then are streamed. */
static void run(const struct nest *nest, bool stream)
{
    const int64_t record = nest->d[0].n * nest->item,
                  offset = (int64_t)((uintptr_t)nest->out % LINE);
    const bool in_lines = offset % (record & -record) == 0 && nest->d[1].n * record >= LONG_RUN;
    stria__run_prepared(nest, stream && in_lines, stria__kernels()->interleave);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "%" PRId64 " planes to records of %" PRId64 " bytes", nest->d[0].n,
                   nest->d[0].n * nest->item);
}

const struct strategy stria__copy_interleave = {"interleave", PLANAR | OUT_DENSE | SIZED, cost, run,
                                                explain,      .write = WRITE_ITEMS};
