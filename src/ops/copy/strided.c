/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every layout can fall back on: two loops over the innermost dims of the output in a kernel,
 * an odometer over the others. For elements that have no kernel of their own, and for runs that
 * stay together, the kernel moves rows of bytes; rows long enough are streamed.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"

static void call(char *out, const char *in, void *arg)
{
    struct strided *t = arg;
    t->out = out;
    t->in = in;
    stria__kernels()->strided[stria__size_class(t->item)](t);
}

static void run(const struct nest *nest, bool stream)
{
    struct strided t = stria__strided_args(nest, stream);
    stria__nest_walk(nest, 2, call, &t);
}

static bool always(const struct nest *nest)
{
    (void)nest;
    return true;
}

static bool has_no_item_kernel(const struct nest *nest)
{
    return stria__size_class(nest->item) == SIZE_ANY;
}

static void explain_rows(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "runs of %" PRId64 " bytes stay together", nest->item);
}

static void explain_strided(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "strides of %" PRId64 " to %" PRId64 " bytes along the inner dim",
                   nest->d[0].si, nest->d[0].so);
}

const struct strategy stria__copy_rows = {"rows", has_no_item_kernel, run, explain_rows, 4};
const struct strategy stria__copy_strided = {"strided", always, run, explain_strided, 4};
