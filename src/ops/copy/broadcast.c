/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One element repeated along the innermost dim of the output: a fill, row by row. Dims that repeat
 * further out need nothing of their own: their rows are read again from the first-level cache.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cpu.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"

static bool applies(const struct nest *nest)
{
    return nest->ndim > 0 && nest->d[0].so == nest->item && nest->d[0].si == 0;
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
    enum { FEW = 8 };
    const enum size_class size = stria__size_class(nest->item);
    const bool columns = nest->ndim > 1 && nest->d[0].n < FEW && nest->d[1].si != 0;
    return columns && size != SIZE_ANY ? stria__kernels()->strided[size] : stria__kernels()->fill;
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

const struct strategy stria__copy_broadcast = {"broadcast", applies, run, explain, 32};
