/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies if one element is repeated along the innermost dim of the output: a fill, row by row.
 * Repeated outer dims need nothing else: their rows are read again from the first-level cache.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "machine/machine.h"
#include "machine/dispatch.h"
#include "move/nest.h"
#include "strategy.h"

/*
 * Estimates the cost. Lines are stored from a register or, if items do not divide a line, from a
 * pattern in memory. A few items without a kernel, of which each row repeats another one, have no
 * pattern: item by item the cost is that of strided, but each item is read once.
 */
static double cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const bool any = f->traits & ODD, same = nest->ndim < 2 || nest->d[1].si == 0;
    if (nest->item > LINE || (any && !same && nest->d[0].n < FILL_PATTERN))
        return stria__strided_cycles(f) - c->broadcast.item_less * f->items;
    const int64_t run = nest->d[0].n * nest->item;
    if (!any && run <= LINE) return f->rows * c->broadcast.short_row + f->calls * c->broadcast.call;
    const double row = !any && !same && run <= FILL_LINES * LINE ? c->broadcast.short_row
                                                                 : c->broadcast.row,
                 lines = f->items * (double)nest->item / LINE,
                 each = lines * c->broadcast.lines + f->rows * row + f->calls * c->broadcast.call;
    if (!any) return each;
    return each + lines * (c->broadcast.odd_lines - c->broadcast.lines) +
           (same ? f->calls : f->rows) * c->broadcast.pattern;
}

static void call_kernel(char *out, const char *in, void *arg)
{
    struct strided *t = arg;
    t->out = out;
    t->in = in;
    stria__kernels()->fill(t);
}

static void run_repeated(const struct nest *nest, bool stream)
{
    struct strided t = stria__strided_args(nest, stream);
    t.clear = stream && stria__machine()->clears_lines;
    stria__nest_walk(nest, 2, call_kernel, &t);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "an element of %" PRId64 " bytes is repeated %" PRId64 " times",
                   nest->item, nest->d[0].n);
}

const struct strategy stria__copy_repeated = {
    "broadcast", OUT_DENSE | IN_STANDS, cost, run_repeated, explain, .write = WRITE_REPEATED};
