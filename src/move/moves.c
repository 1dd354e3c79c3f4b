/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of strategies, in any order, and the choice of the cheapest; and the costs that
 * strategies share, such as how often lines are fetched again that the caches do not hold, and how
 * many source rows of a transposition can be read side by side.
 */
#include "strategy.h"

#include "cost.h"
#include "machine/dispatch.h"
#include "base/integers.h"
#include "machine/machine.h"

static const struct strategy *const strategies[MOVES] = {
    [MOVE_DENSE] = &stria__copy_dense,           /* One dense run. */
    [MOVE_INTERLEAVE] = &stria__copy_interleave, /* Items of a few planes to records. */
    [MOVE_REPEATED] = &stria__copy_repeated,     /* One element repeated along the innermost dim. */
    [MOVE_REVERSE] = &stria__copy_reverse,       /* A dense output, a reversed input. */
    [MOVE_GATHER] = &stria__copy_gather,         /* A dense output, an input with a short step. */
    [MOVE_TRANSPOSE] = &stria__copy_transpose,   /* Operands that are dense along different dims. */
    [MOVE_SCATTER] = &stria__copy_scatter, /* An output with a short step, an input with none. */
    [MOVE_ROWS] = &stria__copy_rows,       /* Adjacent runs, or elements without a kernel. */
    [MOVE_STAGED] = &stria__copy_staged,   /* Operands with short steps along different dims. */
    [MOVE_SLABS] = &stria__copy_slabs, /* A block of several dims, repeated along another dim. */
    [MOVE_PATTERN] = &stria__copy_pattern, /* Short blocks, by shuffles of lanes. */
    [MOVE_STRIDED] = &stria__copy_strided, /* Any other nest. */
};

const struct strategy *stria__strategy_at(int i)
{
    return i < MOVES ? strategies[i] : NULL;
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
    if (f.items >= (double)(stria__machine()->l2.size / 128)) f.traits |= MANY;
    return f;
}

/* Returns a bit for each row of the table that may be asked. */
static unsigned rows_for(const struct facts *facts)
{
    unsigned rows = 0;
    for (int i = 0; i < MOVES; i++)
        rows |= (unsigned)!(strategies[i]->needs & ~facts->traits) << i;
    return rows;
}

/* Returns the column of the measured costs for a nest, by where both operands lie. */
static int level_of(const struct nest *nest)
{
    const struct stria__machine *const m = stria__machine();
    const int64_t bytes = stria__nest_bytes(nest), l3 = m->l3.size;
    return (bytes > m->l1.size / 2) + (bytes > m->l2.size / 2) +
           (bytes > (l3 > 0 ? l3 / 2 : 8 * m->l2.size));
}

static int item_of(const struct nest *nest)
{
    int item = 0;
    while (item < MOVE_ITEMS - 1 && (int64_t)2 << item <= nest->item)
        item++;
    return item;
}

static struct choice cheapest(const struct facts *facts, unsigned rows)
{
    struct choice choice = {NULL, NULL, CANNOT, CANNOT};
    const int item = item_of(facts->nest), level = level_of(facts->nest);
    for (; rows; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        const double cost =
            strategies[i]->cost(facts) * (double)stria__machine()->times[i][item][level];
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
 * Returns the traffic from which streaming pays. Lines of an output with gaps are not written in
 * succession, which the caches handle worse; gaps are looked for only if they matter.
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
    const uint32_t hints = exec ? exec->hints : 0;
    const int64_t from = stream_from(strategy, nest, traffic);
    if (hints & STRIA_WILL_READ_SOON) return false;
    if (hints & STRIA_WONT_READ_SOON && from != STREAM_NEVER)
        return traffic >= (double)(stria__machine()->l2.size / 4);
    return traffic >= (double)from;
}

void stria__strategy_run(const struct strategy *strategy, const struct nest *nest, bool stream)
{
    strategy->run(nest, stream);
    if (stream) stria__kernels()->fence();
}

/* ---- costs ----------------------------------------------------------------------------------- */

/*
 * Lines that are read before a line is needed again. If the innermost dim steps over lines of the
 * input, another dim reads the rest of each line: the dim that has the smallest steps, two to a
 * line or more.
 */
struct lines_between {
    int dim;       /* That other dim; 0 if there is none. */
    int64_t n;     /* Approximate number of lines read until the first one is needed again. */
    int64_t step;  /* Step of the innermost of the dims before it that moves in the input. */
    int64_t pages; /* Number of pages of those lines. */
    struct sets_reached {
        int64_t most, n; /* Most sets that such steps reach, and sets of those lines. */
    } near, far;         /* The first-level and the second-level cache. */
};

static int64_t size_of_step(const struct nest *nest, int d)
{
    return (int64_t)magnitude(nest->d[d].si);
}

enum { LINE_BITS = 6 };

/*
 * Multiplies the lines by those of one more dim. Steps that are multiples of a large power of two
 * reach only a few sets of a cache.
 */
static void add_lines(struct sets_reached *sets, int64_t lines, int64_t step, int64_t all)
{
    const int zeros = __builtin_ctzll((unsigned long long)(step | all * LINE));
    const int64_t reached = zeros <= LINE_BITS ? all : all >> (zeros - LINE_BITS);
    if (reached > sets->most) sets->most = reached;
    sets->n = least(sets->n * least(lines, reached), sets->most);
}

static void count_lines(struct lines_between *b, int64_t n, int64_t s)
{
    const struct stria__machine *const m = stria__machine();
    const int64_t lines = s >= LINE ? n : s * n / LINE, pages = s >= m->page ? n : s * n / m->page;
    if (lines > 1) {
        b->n *= lines;
        add_lines(&b->near, lines, s, m->l1.sets);
        add_lines(&b->far, lines, s, m->l2.sets);
    }
    if (pages > 1) b->pages *= pages;
}

static struct lines_between lines_between(const struct nest *nest)
{
    struct lines_between b = {.n = 1, .pages = 1, .near = {1, 1}, .far = {1, 1}};
    int first = 0;
    while (first < nest->ndim && nest->d[first].si == 0)
        first++;
    if (first == nest->ndim) return b;
    b.step = size_of_step(nest, first);
    int64_t least_step = b.step / 2 < LINE / 2 ? b.step / 2 : LINE / 2;
    for (int d = first + 1; d < nest->ndim; d++) {
        const int64_t s = size_of_step(nest, d);
        if (s == 0 || s > least_step) continue;
        b.dim = d;
        least_step = s - 1;
    }
    for (int d = first; d < b.dim; d++)
        count_lines(&b, nest->d[d].n, size_of_step(nest, d));
    return b;
}

/*
 * Counts the lines, or parts of lines, of so many items that each come from another line than the
 * one before.
 */
static double lines_of(const struct lines_between *b, double items)
{
    return b->step < LINE ? items * (double)b->step / LINE : items;
}

/* Tells whether the pages of the lines fit in the first-level TLB, too. */
static bool is_near(const struct lines_between *b)
{
    const struct stria__machine *const m = stria__machine();
    if (b->step >= m->page && b->pages > PAGES_L1) return false;
    return b->n <= b->near.n * WAYS_FOR_INPUT;
}

/*
 * The cycles for lines that come from memory one by one, lines apart, where the hardware does not
 * read ahead: other strategies read what lies between them at the same time.
 */
static double lines_apart(const struct nest *nest, const struct lines_between *b)
{
    const struct stria__machine *const m = stria__machine();
    const double bytes = b->step > 2 * LINE ? stria__nest_lines(nest) : 0;
    return bytes >= (double)m->far ? bytes / LINE * m->cycles.lines_again.apart : 0;
}

double stria__lines_again(const struct nest *nest, double items)
{
    const struct stria__machine *const m = stria__machine();
    const struct stria__cycles *const c = &m->cycles;
    if (items < (double)FEW_ITEMS) return 0;
    const struct lines_between b = lines_between(nest);
    if (b.dim == 0) return 0;
    if (is_near(&b)) return lines_apart(nest, &b);
    if (b.pages > PAGES_L2) return lines_of(&b, items) * c->lines_again.from_pages;
    if (b.n <= b.far.n * WAYS_FOR_INPUT)
        return lines_apart(nest, &b) + lines_of(&b, items) * (b.near.n * FEW_SETS > m->l1.sets
                                                                  ? c->lines_again.from_l2
                                                                  : c->lines_again.from_few_sets);
    const bool far = items * (double)nest->item >= (double)m->far;
    return lines_of(&b, items) * (far ? c->lines_again.from_memory : c->lines_again.from_l3);
}

double stria__item_cycles(int64_t item)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    if (stria__size_class(item) != SIZE_ANY)
        return c->strided.item + c->strided.byte * (double)item;
    if (item <= LINE) return c->strided.odd_item[(item > 16) + (item > 32)];
    return c->strided.long_item + c->strided.line * (double)item / LINE;
}

double stria__strided_cycles(const struct facts *f)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const struct nest *nest = f->nest;
    const double item = (double)nest->item,
                 calls = f->calls * c->strided.call + stria__lines_again(nest, f->items);
    const double row = f->traits & ODD               ? c->strided.odd_row
                       : nest->d[0].n < UNROLLED_ROW ? c->strided.short_row
                                                     : c->strided.row - c->strided.row_less * item;
    return f->items * stria__item_cycles(nest->item) + f->rows * row + calls;
}

bool stria__has_far_gaps(const struct nest *nest)
{
    if (nest->ndim == 0) return false;
    const int64_t step = (int64_t)magnitude(nest->d[0].so), item = nest->item;
    if (step <= item || item >= LINE) return false;
    return stria__nest_bytes(nest) / item >= stria__machine()->far / (step < LINE ? step : LINE);
}

/* ---- rows side by side ----------------------------------------------------------------------- */

/* Counts the sets of a first-level cache of at least 64 sets that n of the rows fall onto. */
static int sets_of(const struct row_places *rows, int64_t n)
{
    uint64_t sets = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t line = (uint64_t)(rows->at ? rows->at[i] : i * rows->pitch) / LINE;
        sets |= (uint64_t)1 << line % 64;
    }
    return __builtin_popcountll(sets);
}

/* Tells whether a line of each of n rows, or of all, takes more than so many ways of their sets. */
static bool are_crowded(const struct row_places *rows, int64_t n, int64_t ways)
{
    if (n > rows->n) n = rows->n;
    return n > ways * sets_of(rows, n);
}

bool stria__collides(const struct side *side, int64_t rows)
{
    const struct row_places places = {side->at, 0, side->inner * side->block};
    return are_crowded(&places, rows, WAYS_FOR_ROWS);
}

/*
 * Chooses slabs. Two adjacent lines of a source row arrive sooner than single ones, except for
 * items of one byte, which have 64 rows to a line. If output rows are few and do not share sets,
 * whole source rows are faster than slabs.
 */
struct column_slabs stria__slabs(int64_t item, const struct row_places *out,
                                 const struct row_places *in)
{
    const struct stria__machine *const m = stria__machine();
    if (item > LANE) return (struct column_slabs){0};
    const int64_t lane = LANE / item, line = LINE / item, columns = item == 1 ? line : 2 * line,
                  ways = 2 * WAYS_FOR_ROWS;
    struct column_slabs slabs = {.columns = columns};
    if (out->n < m->slab_columns * in->n && !are_crowded(out, columns, ways / 2))
        return (struct column_slabs){0};
    if (!are_crowded(out, columns, ways)) return slabs;
    const int64_t most = ways * sets_of(out, least(out->n, columns));
    slabs.few = most < lane ? lane : most / lane * lane;
    slabs.height = FITS_L1 / (columns * item + LINE) / line * line;
    if (are_crowded(in, slabs.height, ways)) slabs.height = 0;
    return slabs;
}

bool stria__side_by_side(const struct tiling *t, int64_t rows)
{
    const struct stria__machine *const m = stria__machine();
    const uint64_t period = (uint64_t)m->l2_period;
    const int64_t n = t->q.inner * t->q.block;
    int64_t same = 0;
    for (int64_t i = 0; i < n && i < rows; i++)
        same += ((uint64_t)t->q.at[i] & (period - 1)) < LINE;
    return same <= L2_WAYS_LEAST;
}

/*
 * Tells whether the hardware prefetcher follows so few rows at once that no more should be read
 * side by side. If it follows more, longer pieces of output gain more.
 */
static bool follows_rows(void)
{
    return stria__machine()->rows_followed > 0;
}

int64_t stria__rows_most(int64_t item)
{
    const int64_t followed = stria__machine()->rows_followed;
    if (followed == 0) return ROWS_MOST;
    return item < LANE / 4 ? 2 * followed : followed;
}

int64_t stria__two_line_rows(const struct tiling *t, int64_t rows)
{
    if (!stria__side_by_side(t, rows)) return ROWS_MOST;
    return follows_rows() ? 0 : ROWS_MOST / 2;
}
