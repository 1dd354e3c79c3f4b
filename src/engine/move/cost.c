/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Costs that strategies share, and what the caches hold of the lines that a move visits: how often
 * these are fetched again, and how many source rows of a transposition can be read side by side.
 */
#include "cost.h"

#include "integers.h"
#include "machine/machine.h"
#include "simd/kernels.h"

/*
 * If the innermost dim steps over lines of the input, another dim reads the rest of each line: the
 * dim that has the smallest steps, two to a line or more.
 */
struct lines_between {
    int dim;       /* 0 if there is none */
    int64_t n;     /* approximate number of lines read until the first one is needed again */
    int64_t step;  /* step of the innermost of the dims before it that moves in the input */
    int64_t pages; /* pages of those lines */
    struct sets_reached {
        int64_t most, n; /* sets that steps of any number reach, and sets of those lines */
    } near, far;         /* of the first-level cache, and of the second-level cache */
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
 * Counts the lines, or parts of lines, for so many items if each comes from another line than the
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

double stria__lines_again(const struct nest *nest, double items)
{
    const struct stria__machine *const m = stria__machine();
    const struct stria__cycles *const c = &m->cycles;
    if (items < (double)FEW_ITEMS) return 0;
    const struct lines_between b = lines_between(nest);
    if (b.dim == 0 || is_near(&b)) return 0;
    if (b.pages > PAGES_L2) return lines_of(&b, items) * c->lines_again.from_pages;
    if (b.n <= b.far.n * WAYS_FOR_INPUT)
        return lines_of(&b, items) * (b.near.n * FEW_SETS > m->l1.sets
                                          ? c->lines_again.from_l2
                                          : c->lines_again.from_few_sets);
    const bool far = items * (double)nest->item >= (double)m->far_lines;
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
    return stria__nest_bytes(nest) / item >=
           stria__machine()->far_gaps / (step < LINE ? step : LINE);
}

/* ---- rows side by side ------------------------------------------------------------------------
 */

/*
 * Counts the sets of a first-level cache, of the 64 or more that it has, that n of the rows fall
 * onto.
 */
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
 * Two adjacent lines of a source row arrive sooner than single ones, except for items of one byte,
 * which have 64 rows to a line. Where output rows are few and do not share sets, whole source rows
 * are faster than slabs.
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

bool stria__follows_rows(void)
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
    return stria__follows_rows() ? 0 : ROWS_MOST / 2;
}
