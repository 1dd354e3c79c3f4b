/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of strategies, in any order: the cheapest is taken. */
#include "strategy.h"

#include "cost.h"
#include "dispatch.h"
#include "machine/machine.h"

static const struct strategy *const strategies[] = {
    &stria__copy_block,      /* one dense run */
    &stria__copy_interleave, /* a few planes to records */
    &stria__copy_broadcast,  /* one element repeated along the innermost dim */
    &stria__copy_reverse,    /* dense in the output, reversed in the input */
    &stria__copy_gather,     /* dense in the output, a short step in the input */
    &stria__copy_transpose,  /* the operands are dense along different dims */
    &stria__copy_scatter,    /* a short step in the output, none in the input */
    &stria__copy_rows,       /* adjacent runs, or elements without a kernel */
    &stria__copy_staged,     /* both have short steps, along different dims */
    &stria__copy_slabs,      /* a block of several dims is repeated along another dim */
    &stria__copy_strided,    /* anything else */
};

enum { STRATEGIES = sizeof strategies / sizeof strategies[0] };

const struct strategy *stria__strategy_at(int i)
{
    return i < STRATEGIES ? strategies[i] : NULL;
}

static unsigned traits_of_dim0(const struct nest *nest)
{
    const int64_t item = nest->item, so = nest->d[0].so, si = nest->d[0].si;
    unsigned traits = so == item ? OUT_DENSE : 0;
    if (so > item && so <= SPREAD && (si == item || si == 0)) traits = OUT_SPREAD;
    if (si == 0) return traits | IN_STANDS;
    if (nest->d[0].n < GATHER_SHORT || item > LANE / 2 || si < item - LANE || si > LANE - item)
        return traits;
    return traits | IN_NEAR | (si < 0 ? BACKWARD : FORWARD);
}

static unsigned repeats(const struct nest *nest)
{
    unsigned traits = 0;
    for (int d = 1; d < nest->ndim; d++)
        traits |= nest->d[d].si == 0 ? REPEATS : 0;
    return traits;
}

struct facts stria__facts(const struct nest *nest)
{
    struct facts f = {.nest = nest, .items = 1, .rows = 1, .calls = 1};
    f.traits = stria__size_class(nest->item) == SIZE_ANY ? ODD : SIZED;
    if (nest->ndim == 0) {
        f.traits |= ONE_RUN;
        return f;
    }
    f.traits |= WHOLE | DIMS | traits_of_dim0(nest);
    for (int d = 2; d < nest->ndim; d++)
        f.calls *= (double)nest->d[d].n;
    if (nest->ndim > 1) {
        const int64_t n0 = nest->d[0].n;
        const bool planar = n0 <= PLANES && nest->item <= LANE / 2 && nest->d[1].si == nest->item &&
                            nest->d[1].so == n0 * nest->item;
        f.traits |= planar ? TWO_DIMS | PLANAR : TWO_DIMS;
        f.rows = f.calls * (double)nest->d[1].n;
        f.traits |= repeats(nest);
        if (nest->item < LINE) f.across = stria__tiling_dim(nest);
        if (f.across) f.traits |= ACROSS;
    }
    f.items = f.rows * (double)nest->d[0].n;
    if (f.items >= (double)stria__machine()->many_items) f.traits |= MANY;
    return f;
}

/* Computes a bit for each row of the table that may be asked. */
static unsigned rows_for(const struct facts *facts)
{
    unsigned rows = 0;
    for (int i = 0; i < STRATEGIES; i++)
        rows |= (unsigned)!(strategies[i]->needs & ~facts->traits) << i;
    return rows;
}

static struct choice cheapest(const struct facts *facts, unsigned rows)
{
    struct choice choice = {NULL, NULL, CANNOT, CANNOT};
    for (; rows; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        const double cost = strategies[i]->cost(facts);
        if (cost < choice.best_cost) {
            choice.second = choice.best;
            choice.second_cost = choice.best_cost;
            choice.best = strategies[i];
            choice.best_cost = cost;
        } else if (cost < choice.second_cost) {
            choice.second = strategies[i];
            choice.second_cost = cost;
        }
    }
    return choice;
}

struct choice stria__choose(const struct nest *nest)
{
    const struct facts facts = stria__facts(nest);
    return cheapest(&facts, rows_for(&facts));
}

struct choice stria__choose_part(const struct nest *nest)
{
    struct facts facts = stria__facts(nest);
    facts.traits &= ~(unsigned)WHOLE;
    return cheapest(&facts, rows_for(&facts));
}

const struct strategy *stria__strategy(const struct nest *nest)
{
    const struct facts facts = stria__facts(nest);
    const unsigned rows = rows_for(&facts);
    if ((rows & (rows - 1)) == 0) return strategies[__builtin_ctz(rows)];
    return cheapest(&facts, rows).best;
}

/*
 * Returns the traffic from which streaming pays. Lines of an output with gaps are not
 * written in succession, which the caches handle worse; gaps are looked for only where that
 * matters.
 */
static int64_t stream_from(const struct strategy *strategy, const struct nest *nest, double traffic)
{
    const struct stria__machine *const m = stria__machine();
    const bool long_rows = strategy->write == WRITE_ROWS && nest->item >= m->stream_rows_as_runs;
    const int64_t from = m->stream_from[long_rows ? WRITE_RUN : strategy->write],
                  gaps = m->stream_gaps_from;
    int ndim;
    if (strategy->write == WRITE_TILES && m->stream_lines_from < from &&
        traffic >= (double)m->stream_lines_from && stria__nest_has_rows_of_lines(nest))
        return m->stream_lines_from;
    if (long_rows || from <= gaps || traffic < (double)gaps || nest->ndim == 0) return from;
    const int64_t run = stria__nest_run(nest, &ndim);
    const bool repeats = nest->d[0].si == 0;
    if (run < stria__nest_bytes(nest)) {
        /*
         * The caches write runs of one element whose gaps skip hardly a line, or few lines out of
         * many, like one run, while streaming has to read the lines that runs share with gaps.
         */
        const int64_t gap = nest->d[ndim].so - run;
        if (!repeats || !(gap < 2 * LINE || (gap < 4 * LINE && gap <= run / GAP_SHARE)))
            return gaps;
    }
    /* Streaming short runs suffers from their partial lines. */
    const bool is_short = nest->item <= LINE && nest->d[0].n * nest->item < LONG_REPEAT;
    return repeats && is_short ? STREAM_NEVER : from;
}

bool stria__streams(const struct strategy *strategy, const struct nest *nest,
                    const stria_exec *exec)
{
    const double traffic = stria__nest_traffic(nest);
    return !(exec && exec->hints & STRIA_WILL_READ_SOON) &&
           traffic >= (double)stream_from(strategy, nest, traffic);
}

void stria__strategy_run(const struct strategy *strategy, const struct nest *nest, bool stream)
{
    strategy->run(nest, stream);
    if (stream) stria__kernels()->fence();
}
