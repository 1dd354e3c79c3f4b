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

static void call(char *out, const char *in, void *arg)
{
    struct strided *t = arg;
    t->out = out;
    t->in = in;
    stria__kernels()->fill(t);
}

static void run(const struct nest *nest, bool stream)
{
    struct strided t = stria__strided_args(nest, stream);
    t.clear = stream && stria__cpu_clears_lines();
    stria__nest_walk(nest, 2, call, &t);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "an element of %" PRId64 " bytes is repeated %" PRId64 " times",
                   nest->item, nest->d[0].n);
}

const struct strategy stria__copy_broadcast = {"broadcast", applies, run, explain, 32};
