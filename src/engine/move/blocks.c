/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies where a dim other than the innermost reads along the lines of the input, and so many lines
 * are read in between that a line would be evicted from the second-level cache before it is used
 * up. Both dims are divided into blocks, so that lines of both operands are used while they are
 * cached: a transposition of operands that are dense in nothing.
 */
#include <inttypes.h>
#include <stdio.h>

#include "checked.h"
#include "cost.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "lines.h"
#include "strategy.h"

enum { WIDTH = 64 };

/* Items of a block along the other dim: two lines of the input. */
static int64_t height_of(const struct nest_dim *p)
{
    enum { HEIGHT = 2 * LINE, LEAST = 8 };
    const int64_t height = HEIGHT / (int64_t)magnitude(p->si);
    return least(height < LEAST ? LEAST : height, p->n);
}

/* The kernel is called for each block; after that the next index of the dims in between follows. */
static double cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    static const double ROW = 6, CALL = 20;
    const struct lines_between b = stria__lines_between(nest);
    if (b.dim == 0) return CANNOT;
    const double rows = f->items / (double)least(WIDTH, nest->d[0].n);
    return f->items * stria__item_cycles(nest->item) + rows * ROW +
           rows / (double)height_of(&nest->d[b.dim]) * CALL +
           stria__lines_once(nest, &b, f->items, least(WIDTH, nest->d[0].n));
}

static void call(char *out, const char *in, void *arg)
{
    struct strided *t = arg;
    t->out = out;
    t->in = in;
    stria__kernels()->strided[stria__size_class(t->item)](t);
}

static void run(const struct nest *nest, bool stream)
{
    const int p = stria__lines_between(nest).dim;
    const struct nest_dim *const q_dim = &nest->d[0], *const p_dim = &nest->d[p];
    const int64_t height = height_of(p_dim);
    struct nest block = *nest;
    (void)stream;
    block.d[1] = *p_dim;
    for (int d = 1; d < p; d++)
        block.d[d + 1] = nest->d[d];
    for (int64_t i = 0; i < p_dim->n; i += height)
        for (int64_t k = 0; k < q_dim->n; k += WIDTH) {
            block.out = nest->out + i * p_dim->so + k * q_dim->so;
            block.in = nest->in + i * p_dim->si + k * q_dim->si;
            block.d[0].n = least(WIDTH, q_dim->n - k);
            block.d[1].n = least(height, p_dim->n - i);
            struct strided t = stria__strided_args(&block, false);
            stria__nest_walk(&block, 2, call, &t);
        }
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    const struct lines_between b = stria__lines_between(nest);
    (void)snprintf(text, size,
                   "%" PRId64 " x %" PRId64 " items at a time, or %" PRId64
                   " lines would lie between",
                   least(WIDTH, nest->d[0].n), height_of(&nest->d[b.dim]), b.n);
}

const struct strategy stria__copy_blocks = {"blocks", TWO_DIMS | LARGE, cost,
                                            run,      explain,          .write = WRITE_ITEMS};
