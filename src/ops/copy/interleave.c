/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes to records: two to eight runs of the input become one run of the output, item by item. */
#include <inttypes.h>
#include <stdio.h>

#include "chunks.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"

enum {
    RECORDS = 64, /* fewer are not worth the preparation */
    LONG = 1024   /* bytes of a run */
};

static bool applies(const struct nest *nest)
{
    if (nest->ndim < 2 || nest->d[0].n > PLANES || nest->d[0].so != nest->item) return false;
    const int64_t item = nest->item, run = nest->d[0].n * item;
    const bool kernel = item == 1 || item == 2 || item == 4 || item == 8;
    return kernel && run <= LANE && nest->d[1].n >= RECORDS && nest->d[1].so == run &&
           nest->d[1].si == item;
}

static void run_chunk(const struct nest *nest)
{
    stria__run_prepared(nest, false, stria__kernels()->interleave);
}

/* The kernel streams records that begin on a line now and then; short runs go out together. */
static void run(const struct nest *nest, bool stream)
{
    const int64_t record = nest->d[0].n * nest->item,
                  offset = (int64_t)((uintptr_t)nest->out % LINE);
    const bool by_kernel = offset % (record & -record) == 0 && nest->d[1].n * record >= LONG;
    if (stream && !by_kernel && stria__has_chunks(nest)) {
        stria__stream_chunks(nest, run_chunk);
        return;
    }
    stria__run_prepared(nest, stream, stria__kernels()->interleave);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "%" PRId64 " planes to records of %" PRId64 " bytes", nest->d[0].n,
                   nest->d[0].n * nest->item);
}

const struct strategy stria__copy_interleave = {"interleave", applies, run, explain, 4};
