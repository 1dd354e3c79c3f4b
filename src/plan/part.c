/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan is cut into parts for threads. Each part is a plan again, so that whatever runs a plan can
 * run a part of it in another thread.
 */
#include "plan.h"

#include "machine/machine.h"
#include "threads.h"

enum {
    EVEN = 8,  /* a thread gets so many pieces where it cannot have one */
    WHOLE = 16 /* pieces begin at whole units of so small a part of them */
};

/* A plan that is cut into boxes: dim d into cuts[d] pieces. */
struct grid {
    const stria_plan *plan;
    stria__plan_body *body;
    const void *arg;
    int64_t parts, shares; /* boxes, and the ranges of these that threads run */
    double elements;       /* of all */
    int64_t cuts[STRIA_MAX_NDIM];
};

/* Tells whether in every operand a piece is at least `run` bytes long, or one step of the dim
 * is. */
static bool long_pieces(const stria_plan *plan, int dim, int64_t cuts, int64_t run)
{
    const stria_dim *d = &plan->dims[dim];
    for (int k = 0; k < plan->nops; k++) {
        const int64_t s = d->s[k], step = s < 0 ? -s : s;
        if (step != 0 && step < run && d->n / cuts < run / step) return false;
    }
    return true;
}

/* Cuts n into at least so many pieces, of which the largest hardly differs from the others. */
static int64_t even_cuts(int64_t n, int64_t wanted)
{
    const int64_t largest = n > wanted ? n / wanted : 1;
    return (n + largest - 1) / largest;
}

/*
 * Makes as many parts as threads where the outermost dim is long enough to be divided evenly, and
 * otherwise several parts per thread, from as many dims as that takes (rank 24 of size 2). Dims
 * that can be cut into long pieces are taken first, because short pieces break up the runs of
 * memory that whole lines and tiles are made of: the outermost dim of the output of a 3^15
 * transpose is the innermost dim of its input. A long piece is several pages: where two threads
 * read alternate kilobytes of the same memory, the hardware prefetcher of each core fetches what
 * the other core needs, and both threads together are slower than one.
 */
static int64_t choose_cuts(struct grid *grid, int threads, uint64_t dims)
{
    enum { SHORTER = 4 };
    const stria_plan *plan = grid->plan;
    const int64_t enough = (int64_t)EVEN * threads;
    int64_t parts = 1;
    for (int d = 0; d < plan->ndim; d++)
        grid->cuts[d] = 1;
    for (int64_t run = SHARE_RUNS; run > 0; run /= SHORTER)
        for (int d = plan->ndim; d-- > 0;) {
            const int64_t n = plan->dims[d].n;
            if (parts > 1 && shares_evenly(parts, 1, threads)) return parts;
            if (!(dims >> d & 1) || grid->cuts[d] > 1) continue;
            const bool once = parts == 1 && n >= enough && shares_evenly(n, 1, threads);
            const int64_t wanted = (enough - 1) / parts + 1;
            const int64_t cuts = once ? threads : even_cuts(n, wanted < 2 ? 2 : wanted);
            if (!long_pieces(plan, d, cuts, run)) continue;
            grid->cuts[d] = cuts;
            parts *= cuts;
        }
    return parts;
}

/*
 * Returns where piece i of a dim begins. Long pieces begin at a multiple of 64 elements from the
 * first element that begins a cache line of the output, so that no line is written by two threads.
 * Shorter pieces begin at multiples of the largest power of two that still divides the dim evenly
 * enough.
 */
static int64_t edge(const stria_plan *plan, int dim, int64_t cuts, int64_t i)
{
    const stria_dim *d = &plan->dims[dim];
    const int64_t each = d->n / cuts, rest = d->n % cuts;
    const int64_t even = each * i + rest * i / cuts;
    if (i == 0 || i == cuts) return even;
    int64_t unit = LINE, first = 0;
    while (unit > 1 && each / WHOLE < unit)
        unit /= 2;
    while (first < unit && (uintptr_t)stria__at(plan->ptr[0], first, d->s[0]) % LINE)
        first++;
    return first + (even - first) / unit * unit;
}

static void run_part(const struct grid *grid, int64_t k)
{
    const stria_plan *plan = grid->plan;
    stria_plan part;
    if (stria__is_stopped()) return;
    stria__plan_copy(&part, plan);
    for (int d = 0; d < plan->ndim; d++) {
        const int64_t cuts = grid->cuts[d], i = k % cuts;
        k /= cuts;
        if (cuts > 1)
            stria__plan_part(&part, &part, d, edge(plan, d, cuts, i), edge(plan, d, cuts, i + 1));
    }
    grid->body(&part, grid->arg);
}

/* Counts the elements of the parts before part k, whose indices grow along the inner dims first. */
static double elements_before(const struct grid *grid, int64_t k)
{
    const stria_plan *const plan = grid->plan;
    double inner = grid->elements, outer = 1, sum = 0;
    int64_t parts = grid->parts;
    if (k == parts) return inner;
    for (int d = plan->ndim; d-- > 0;) {
        const int64_t n = plan->dims[d].n, cuts = grid->cuts[d];
        inner /= (double)n;
        parts /= cuts;
        const int64_t i = k / parts, first = edge(plan, d, cuts, i);
        k %= parts;
        sum += outer * (double)first * inner;
        outer *= (double)(edge(plan, d, cuts, i + 1) - first);
    }
    return sum;
}

/* Returns the first part of a share: parts differ in size, so each goes where its middle lies. */
static int64_t first_part(const struct grid *grid, int64_t share)
{
    const double wanted = grid->elements / (double)grid->shares * (double)share;
    int64_t low = share == grid->shares ? grid->parts : 0, high = share ? grid->parts : 0;
    if (grid->parts == grid->shares) return share;
    while (low < high) {
        const int64_t k = low + (high - low) / 2;
        if ((elements_before(grid, k) + elements_before(grid, k + 1)) / 2 < wanted)
            low = k + 1;
        else
            high = k;
    }
    return low;
}

static void run_share(void *data, int64_t share)
{
    const struct grid *const grid = data;
    const int64_t end = first_part(grid, share + 1);
    for (int64_t k = first_part(grid, share); k < end; k++)
        run_part(grid, k);
}

/* Returns how many pieces take some 2 ms each, at least one for each thread. */
static int watched_pieces(const stria_plan *plan, int threads, int64_t each)
{
    enum { BYTES = 1 << 22, MOST_PIECES = 1 << 20 };
    const int64_t by_elements = stria__plan_numel(plan) / each,
                  by_bytes = stria__plan_traffic(plan) / BYTES,
                  pieces = by_elements > by_bytes ? by_elements : by_bytes;
    return pieces > threads ? (int)least(pieces, MOST_PIECES) : threads;
}

void stria__plan_parallel_along(const stria_plan *plan, uint64_t dims, const stria_exec *exec,
                                int threads, int64_t each, stria__plan_body *body, const void *arg)
{
    struct grid grid; /* It is not cleared, since most of the cuts stay unused. */
    grid.plan = plan;
    grid.body = body;
    grid.arg = arg;
    const bool watched = stria__is_watched(exec);
    const int pieces = watched ? watched_pieces(plan, threads, each) : threads;
    grid.parts = pieces > 1 ? choose_cuts(&grid, pieces, dims) : 1;
    grid.shares = watched ? grid.parts : least(grid.parts, threads);
    grid.elements = (double)stria__plan_numel(plan);
    if (grid.parts > 1)
        stria__parallel(exec, threads, grid.shares, run_share, &grid);
    else
        body(plan, arg);
}

void stria__plan_parallel(const stria_plan *plan, const stria_exec *exec, int threads, int64_t each,
                          stria__plan_body *body, const void *arg)
{
    stria__plan_parallel_along(plan, stria__plan_moving(plan), exec, threads, each, body, arg);
}
