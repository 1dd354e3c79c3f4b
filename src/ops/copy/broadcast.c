/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One element repeated along the innermost dim of the output: a fill, row by row. Dims that repeat
 * further out need nothing of their own: their rows are read again from the first-level cache.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "cpu.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"

enum { LONGEST = 64 /* bytes; longer items are rows */, FEW = 8, FEW_ODD = 64 };

/* Rows of a few items, each row another one, for which nothing is worth being made. */
static bool is_by_item(const struct nest *nest)
{
    const int64_t few = stria__size_class(nest->item) == SIZE_ANY ? FEW_ODD : FEW;
    return nest->item > LONGEST || (nest->ndim > 1 && nest->d[1].si != 0 && nest->d[0].n < few);
}

/*
 * Lines are stored from a register or, where items do not divide a line, from a pattern in memory.
 * Item by item it is what strided does, but that an item is read once.
 */
static double cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    static const double LINES = 1.8, ODD_LINES = 3, PATTERN = 60, ROW = 8, SHORT_ROW = 3.5,
                        CALL = 20, READ = 0.05;
    if (is_by_item(nest)) return stria__strided_cycles(f) - READ * f->items;
    const bool any = f->traits & ODD;
    if (!any && nest->d[0].n * nest->item <= LINE) return f->rows * SHORT_ROW + f->calls * CALL;
    const double lines = f->items * (double)nest->item / LINE,
                 each = lines * LINES + f->rows * ROW + f->calls * CALL;
    if (!any) return each;
    const bool same = nest->ndim < 2 || nest->d[1].si == 0;
    return each + lines * (ODD_LINES - LINES) + (same ? f->calls : f->rows) * PATTERN;
}

typedef void kernel(const struct strided *t);

struct fill {
    struct strided t;
    kernel *kernel;
};

static void call(char *out, const char *in, void *arg)
{
    struct fill *fill = arg;
    fill->t.out = out;
    fill->t.in = in;
    fill->kernel(&fill->t);
}

/* Rows of a few items, each row another one, are columns of items like any others. */
static kernel *kernel_for(const struct nest *nest)
{
    const enum size_class size = stria__size_class(nest->item);
    return is_by_item(nest) && size != SIZE_ANY ? stria__kernels()->strided[size]
                                                : stria__kernels()->fill;
}

static void run(const struct nest *nest, bool stream)
{
    struct fill fill = {stria__strided_args(nest, stream), kernel_for(nest)};
    fill.t.clear = stream && stria__cpu_clears_lines();
    stria__nest_walk(nest, 2, call, &fill);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "an element of %" PRId64 " bytes is repeated %" PRId64 " times",
                   nest->item, nest->d[0].n);
}

const struct strategy stria__copy_broadcast = {
    "broadcast", OUT_DENSE | IN_STANDS, cost, run, explain, 32};
