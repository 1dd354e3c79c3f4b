/* SPDX-License-Identifier: BSD-3-Clause */
/* The strategies, most particular first. */
#include "strategy.h"

#include "dispatch.h"

static const struct strategy *const strategies[] = {
    &stria__copy_block,        /* one dense run */
    &stria__copy_interleave,   /* a few planes to records */
    &stria__copy_broadcast,    /* one element repeated along the innermost dim */
    &stria__copy_deinterleave, /* records to a few planes */
    &stria__copy_reverse,      /* dense in the output, backwards in the input */
    &stria__copy_gather,       /* dense in the output, at a short distance in the input */
    &stria__copy_transpose,    /* the operands are dense along different dims */
    &stria__copy_scatter,      /* at a short distance in the output, not in the input */
    &stria__copy_rows,         /* runs that stay together, or elements without a kernel */
    &stria__copy_strided,      /* anything else */
};

const struct strategy *stria__strategy(const struct nest *nest)
{
    int i = 0;
    while (!strategies[i]->applies(nest))
        i++;
    return strategies[i];
}

void stria__strategy_run(const struct strategy *strategy, const struct nest *nest, bool stream)
{
    strategy->run(nest, stream);
    if (stream) stria__kernels()->fence();
}
