/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies to a short constant step in the output, from an input that is dense or has stride 0: one
 * of a few channels is written. A masked store costs as much as a dozen stores of items that have a
 * kernel of their own, and as three of others, so it pays where a line holds more of them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "cpu.h"
#include "dispatch.h"
#include "engine/move/nest.h"
#include "strategy.h"

/*
 * A masked store costs as much as ten stores of items, and each line of the period has to be
 * prepared. The ends of a row are copied item by item.
 */
static double cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const int64_t so = nest->d[0].so;
    const double period = (double)(so / (so & -so)), lines = f->items * (double)so / LINE;
    return period * c->scatter.prepared + lines * c->scatter.lines + f->rows * c->scatter.row;
}

static void run(const struct nest *nest, bool stream)
{
    stria__run_prepared(nest, stream, stria__kernels()->scatter);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "items of %" PRId64 " bytes go %" PRId64 " bytes apart", nest->item,
                   nest->d[0].so);
}

const struct strategy stria__copy_scatter = {"scatter", OUT_SPREAD, cost,
                                             run,       explain,    .write = WRITE_ITEMS};
