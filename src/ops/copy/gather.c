/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The output is dense, the input is read at a short constant distance, in either direction: [::2],
 * [::3], [::-1]. Several items come with each load.
 *
 * When the items between belong to other places of the output, as the channels of interleaved
 * records do, the dim of the channels becomes the second one, so that the kernel can take turns.
 */
#include <inttypes.h>
#include <stdio.h>

#include "chunks.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"
#include "tiling.h"

enum { LONG = 512 /* bytes of a row */ };

/* At least two items lie in the 16 bytes of one load. */
static bool is_near(int64_t s, int64_t item)
{
    return s != 0 && s >= item - LANE && s <= LANE - item;
}

static bool near_applies(const struct nest *nest)
{
    return nest->ndim > 0 && nest->item <= 8 && nest->d[0].so == nest->item &&
           is_near(nest->d[0].si, nest->item) && nest->d[0].n * nest->item >= LANE;
}

static bool gather_applies(const struct nest *nest)
{
    return near_applies(nest) && nest->d[0].si > 0;
}

static bool reverse_applies(const struct nest *nest)
{
    return near_applies(nest) && nest->d[0].si < 0;
}

static void run_kernel(const struct nest *nest, bool stream)
{
    stria__run_prepared(nest, stream, stria__kernels()->gather);
}

static void run_chunk(const struct nest *nest)
{
    run_kernel(nest, false);
}

/* The kernel streams rows that are long and whose items fill lines, in the order of the input. */
static void run(const struct nest *nest, bool stream)
{
    const bool by_kernel = LANE % nest->item == 0 && nest->d[0].n * nest->item >= LONG;
    if (stream && by_kernel) {
        struct nest sorted;
        stria__nest_by_input(&sorted, nest, 1);
        run_kernel(&sorted, true);
    } else if (stream && stria__has_chunks(nest))
        stria__stream_chunks(nest, run_chunk);
    else
        run_kernel(nest, false);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "items of %" PRId64 " bytes every %" PRId64 " bytes", nest->item,
                   nest->d[0].si);
}

/* ---- channels -------------------------------------------------------------------------------- */

static bool channels_applies(const struct nest *nest)
{
    if (!near_applies(nest)) return false;
    const int p = stria__tiling_dim(nest);
    if (p == 0) return false;
    /* Records that do not overlap; windows that do are rows like others. */
    const int64_t run = stria__dense_run(nest, p, true), s = nest->d[0].si;
    return run < LANE && run <= (s < 0 ? -s : s);
}

static void run_channels(const struct nest *nest, bool stream)
{
    const int p = stria__tiling_dim(nest);
    struct nest outer;
    outer.out = nest->out;
    outer.in = nest->in;
    outer.item = nest->item;
    outer.ndim = 2;
    outer.d[0] = nest->d[0];
    outer.d[1] = nest->d[p];
    for (int d = 1; d < nest->ndim; d++)
        if (d != p) outer.d[outer.ndim++] = nest->d[d];
    run_kernel(&outer, stream);
}

static void explain_channels(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "%" PRId64 " channels of %" PRId64 " bytes in records of %" PRId64,
                   nest->d[stria__tiling_dim(nest)].n, nest->item, nest->d[0].si);
}

const struct strategy stria__copy_gather = {"gather", gather_applies, run, explain, 4};
const struct strategy stria__copy_reverse = {"reverse", reverse_applies, run, explain, 8};
const struct strategy stria__copy_deinterleave = {"deinterleave", channels_applies, run_channels,
                                                  explain_channels, 4};
