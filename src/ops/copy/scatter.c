/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At a short distance in the output, dense or standing still in the input: one of a few channels is
 * written.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"

enum { ENOUGH = 64 /* items; fewer are not worth the preparation for each distance */ };

static bool applies(const struct nest *nest)
{
    if (nest->ndim < 1) return false;
    const struct nest_dim *d = &nest->d[0];
    if (d->si != nest->item && d->si != 0) return false;
    return nest->item <= LANE && d->so > nest->item && d->so <= SPREAD &&
           d->n >= ENOUGH * d->so / nest->item;
}

static void call(char *out, const char *in, void *arg)
{
    struct strided *t = arg;
    t->out = out;
    t->in = in;
    stria__kernels()->scatter(t);
}

static void run(const struct nest *nest, bool stream)
{
    struct strided t = stria__strided_args(nest, stream);
    stria__nest_walk(nest, 2, call, &t);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "items of %" PRId64 " bytes go %" PRId64 " bytes apart", nest->item,
                   nest->d[0].so);
}

const struct strategy stria__copy_scatter = {"scatter", applies, run, explain, 4};
