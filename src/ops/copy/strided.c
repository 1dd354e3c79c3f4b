/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every layout can fall back on: two loops over the innermost dims of the output in a kernel,
 * an odometer over the others. For elements that have no kernel of their own, and for runs that
 * stay together, the kernel moves rows of bytes.
 *
 * Where another dim than the innermost walks along the lines of the input, both run in blocks: a
 * transposition of what is dense in neither operand.
 */
#include <inttypes.h>
#include <stdio.h>

#include "checked.h"
#include "chunks.h"
#include "cpu.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"

enum { LONG = 1024 /* bytes of a run whose two partial lines are no longer felt */ };

static void call(char *out, const char *in, void *arg)
{
    struct strided *t = arg;
    t->out = out;
    t->in = in;
    stria__kernels()->strided[stria__size_class(t->item)](t);
}

static void run_plain(const struct nest *nest)
{
    struct strided t = stria__strided_args(nest, false);
    stria__nest_walk(nest, 2, call, &t);
}

/*
 * The dim whose steps in the input are the smallest, two of them to a line or more, where those of
 * dim 0 are larger and so many others lie between that the lines would be gone from the
 * second-level cache before they are needed again; 0 if there is none.
 */
static int dim_of_lines(const struct nest *nest)
{
    enum { STAY = 8192 /* lines */ };
    uint64_t step = nest->ndim > 0 ? magnitude(nest->d[0].si) / 2 : 0;
    int p = 0;
    if (step > LINE / 2) step = LINE / 2;
    if (stria__nest_bytes(nest) < stria__cpu_l2() / 2) return 0;
    for (int d = 1; d < nest->ndim; d++)
        if (nest->d[d].si != 0 && magnitude(nest->d[d].si) <= step) {
            p = d;
            step = magnitude(nest->d[d].si) - 1;
        }
    int64_t lines = 1;
    for (int d = 0; d < p && lines <= STAY; d++)
        lines *= nest->d[d].n;
    return lines > STAY ? p : 0;
}

/* Blocks of both dims, so that lines of both operands are used up while they are there. */
static void run_blocks(const struct nest *nest, int p)
{
    enum { WIDTH = 64, HEIGHT = 2 * LINE /* bytes in a row of the input */, LEAST = 8 };
    const struct nest_dim *const q_dim = &nest->d[0], *const p_dim = &nest->d[p];
    const int64_t step = (int64_t)magnitude(p_dim->si);
    const int64_t height = HEIGHT / step < LEAST ? LEAST : HEIGHT / step;
    struct nest block = *nest;
    block.d[1] = *p_dim;
    for (int d = 1; d < p; d++)
        block.d[d + 1] = nest->d[d];
    for (int64_t i = 0; i < p_dim->n; i += height)
        for (int64_t k = 0; k < q_dim->n; k += WIDTH) {
            block.out = nest->out + i * p_dim->so + k * q_dim->so;
            block.in = nest->in + i * p_dim->si + k * q_dim->si;
            block.d[0].n = least(WIDTH, q_dim->n - k);
            block.d[1].n = least(height, p_dim->n - i);
            run_plain(&block);
        }
}

/* Rows long enough for whole lines of their own go where they belong, in the order of the input. */
static void run_long_rows(const struct nest *nest)
{
    struct nest sorted;
    stria__nest_by_input(&sorted, nest, 0);
    struct strided t = stria__strided_args(&sorted, true);
    stria__nest_walk(&sorted, 2, call, &t);
}

/* Whether whole lines are all, or nearly all, of every run. */
static bool made_of_lines(const struct nest *nest)
{
    uint64_t bits = (uintptr_t)nest->out | (uint64_t)nest->item;
    for (int d = 0; d < nest->ndim; d++)
        bits |= (uint64_t)nest->d[d].so;
    return bits % LINE == 0 || nest->item >= LONG;
}

static void run(const struct nest *nest, bool stream)
{
    const int p = dim_of_lines(nest);
    if (p)
        run_blocks(nest, p);
    else if (stream && made_of_lines(nest))
        run_long_rows(nest);
    else if (stream && stria__has_chunks(nest))
        stria__stream_chunks(nest, run_plain);
    else
        run_plain(nest);
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
