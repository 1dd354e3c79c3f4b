/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies where both operands are one dense run of bytes. */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "dispatch.h"
#include "engine/bytes.h"
#include "strategy.h"

static double cost(const struct facts *facts)
{
    return stria__item_cycles(facts->nest->item);
}

/* Streams the run as one row, which is prefetched. */
static void stream_run(const struct nest *nest)
{
    const int64_t bytes = nest->item;
    const struct strided row = {.out = nest->out,
                                .in = nest->in,
                                .n = {1, 1},
                                .so = {bytes, 0},
                                .si = {bytes, 0},
                                .item = bytes,
                                .stream = true};
    stria__kernels()->strided[SIZE_ANY](&row);
}

static void run(const struct nest *nest, bool stream)
{
    if (stream)
        stream_run(nest);
    else
        stria__copy_bytes(nest->out, nest->in, nest->item);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "%" PRId64 " bytes are dense in both", nest->item);
}

const struct strategy stria__copy_block = {"block", ONE_RUN, cost,
                                           run,     explain, .write = WRITE_RUN};
