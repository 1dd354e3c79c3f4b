/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies where the input has stride 0 along a dim outside some in which it moves. What lies inside,
 * a slab, is made once, at its first place, and copied from there to all others; that is a copy of
 * rows that are dense in both operands.
 *
 *     f64 [5: 8 0][965: 40 8][226: 38600 0]    a slab of 38600 bytes, 225 copies of it
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/integers.h"
#include "cost.h"
#include "machine/machine.h"
#include "strategy.h"

/* Slabs of the dims inside `whole`; the input has stride 0 along `dim`, one of them. */
struct slabs {
    int dim, whole;
    int64_t bytes; /* Bytes of the first places. */
};

/*
 * Finds the outermost such dim whose slab stays in a cache, and takes as many slabs at once as stay
 * there.
 */
static bool find_slabs(struct slabs *out, const struct nest *nest)
{
    enum { LEAST = 32 * KIB };
    const int64_t half = stria__machine()->l2.size / 2, most = half > LEAST ? half : LEAST;
    int64_t bytes = nest->item;
    bool moves = false;
    out->dim = 0;
    for (int d = 0; d < nest->ndim; d++) {
        if (nest->d[d].si == 0 && moves) {
            out->dim = d;
            out->bytes = bytes;
        }
        moves = moves || nest->d[d].si != 0;
        if (nest->d[d].n > most / bytes) break;
        bytes *= nest->d[d].n;
    }
    if (out->dim == 0) return false;
    for (out->whole = out->dim + 1; out->whole < nest->ndim; out->whole++) {
        const int64_t n = nest->d[out->whole].n;
        if (n > most / out->bytes) break;
        out->bytes *= n;
    }
    return true;
}

/* Makes the nest from the input to the first places. */
static void make_first(struct nest *out, const struct nest *nest, const struct slabs *s)
{
    stria__nest_begin(out, nest->out, nest->in, nest->item);
    for (int d = 0; d < s->whole; d++)
        if (d != s->dim) stria__nest_push(out, nest->d[d].n, nest->d[d].so, nest->d[d].si);
}

/* Makes the nest from the first places to the others. */
static void make_others(struct nest *out, const struct nest *nest, const struct slabs *s)
{
    stria__nest_begin(out, nest->out, nest->out, nest->item);
    for (int d = 0; d < s->whole; d++) {
        const bool along = d == s->dim;
        stria__nest_push(out, nest->d[d].n - along, nest->d[d].so, along ? 0 : nest->d[d].so);
    }
}

static void run_slabs(const struct nest *nest, bool stream)
{
    struct slabs s;
    struct nest first, others;
    struct nest_walk walk;
    (void)find_slabs(&s, nest);
    make_first(&first, nest, &s);
    make_others(&others, nest, &s);
    const struct strategy *const making = stria__choose_part(&first).best,
                                 *const copying = stria__choose_part(&others).best;
    stria__nest_start(&walk, nest, s.whole);
    do {
        first.out = walk.out;
        first.in = walk.in;
        making->run(&first, false);
        others.out = walk.out + nest->d[s.dim].so;
        others.in = walk.out;
        copying->run(&others, stream);
    } while (stria__nest_next(&walk));
}

/*
 * Estimates the cost. The copies read as much as they write, which takes longer than storing lines
 * of one element. If slabs would be streams of short runs, streaming such lines is better.
 */
static double cost(const struct facts *f)
{
    const struct stria__machine *const m = stria__machine();
    const int64_t from = least(m->stream_gaps_from, m->stream_from[WRITE_REPEATED]);
    struct slabs s;
    struct nest first, others;
    if (!find_slabs(&s, f->nest)) return CANNOT;
    const struct nest_dim *const dim = &f->nest->d[s.dim];
    if (dim->n * dim->so < m->l2.size / 64 && stria__nest_traffic(f->nest) >= (double)from)
        return CANNOT;
    make_first(&first, f->nest, &s);
    make_others(&others, f->nest, &s);
    double calls = 1;
    for (int d = s.whole; d < f->nest->ndim; d++)
        calls *= (double)f->nest->d[d].n;
    return calls * (m->cycles.slabs.call + stria__choose_part(&first).best_cost +
                    m->cycles.slabs.times * stria__choose_part(&others).best_cost);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    struct slabs s;
    (void)find_slabs(&s, nest);
    (void)snprintf(text, size, "%" PRId64 " bytes are put together, and copied %" PRId64 " times",
                   s.bytes, nest->d[s.dim].n - 1);
}

const struct strategy stria__copy_slabs = {
    "slabs", TWO_DIMS | REPEATS | MANY | WHOLE, cost, run_slabs, explain, .write = WRITE_REPEATED};
