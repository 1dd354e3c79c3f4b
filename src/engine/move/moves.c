/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of strategies, in any order: the cheapest is taken. */
#include "strategy.h"

#include "cost.h"
#include "dispatch.h"

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
