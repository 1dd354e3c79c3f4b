/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions whose order goes across memory, as in the sum of a transposed array: element after
 * element, each would touch another line of memory, and every line would be fetched many times,
 * since no cache has as many lines as a column has elements. But leaves can be combined in any
 * order, if only their accumulators are joined in the right one. So a panel of neighbouring columns
 * is cut into tiles of rows, whose parts are long in memory. A tile is gathered, column by column,
 * and all leaves that lie in it are combined. A column need not begin with a leaf: a tile has LEAF
 * rows in common with the next one, so that each leaf lies whole in one of them. Leaves that end in
 * another column than they begin in are gathered alone. Columns of whole leaves of a tree are not
 * gathered: leaves that lie side by side are combined like the columns of a sum along the outer
 * dim.
 */
#include "reduce_plan.h"

#include <string.h>

#include "base/alloc.h"
#include "plan/arena.h"
#include "base/integers.h"
#include "machine/machine.h"

/* ---- the choice ------------------------------------------------------------------------------ */

/*
 * Finds the dim along which an input has its smallest steps, among the reduced dims but the
 * innermost.
 */
static int dim_across(const struct reduce_shape *s)
{
    for (int k = 1; k <= s->inputs; k++) {
        int best = 0;
        for (int d = 1; d < s->reduced; d++)
            if (magnitude(s->r[d].s[k]) - 1 < magnitude(s->r[best].s[k]) - 1) best = d;
        const int64_t inner = s->r[0].s[k];
        if (best > 0 && inner != 0 && magnitude(inner) > LINE) return best;
    }
    return 0;
}

/* Tells whether the blocks that reduce_plan.c cuts, which are gathered once, use up whole lines. */
static bool is_near(const struct reduce_plan *p)
{
    const struct stria__machine *const m = stria__machine();
    return p->shape.n <= m->fits_l2 / p->in_item ||
           (p->panel.across == 1 && p->panel.rows * REDUCE_PANEL_COLUMNS < m->reduce_again);
}

void stria__reduce_panel_plan(struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    struct reduce_panel *const panel = &p->panel;
    panel->across = p->form == FORM_ROWS && !p->in_place && !p->what->settled ? dim_across(s) : 0;
    panel->rows = 1;
    for (int d = 0; d < panel->across; d++)
        panel->rows *= s->r[d].n;
    const stria_dim *const d = &s->r[panel->across];
    panel->whole = panel->across > 0 && p->what->tree && !p->what->program && !p->cast.row &&
                   panel->rows % LEAF == 0 && d->s[1] == p->in_item && d->n >= LANES;
    /* The sizes are chosen as in reduce_plan.c for an array that is reduced along its outer dim. */
    if (panel->whole) {
        const struct stria__machine *const m = stria__machine();
        const int64_t row = p->memory ? m->wide_row : REDUCE_PANEL_NEAR_ROW,
                      most = m->fits_l2 / (LANES * p->what->accumulator);
        panel->wide = least(least(row / p->in_item, most), d->n);
        return;
    }
    if (panel->across > 0 && (panel->rows < PANEL_TALL || is_near(p))) panel->across = 0;
    if (panel->across > 0)
        panel->wide = least(REDUCE_PANEL_ROW / p->in_item, s->r[panel->across].n);
}

bool stria__reduce_panel_place(struct reduce_plan *p, int64_t accumulator)
{
    const int64_t room = least(stria__machine()->wide_scratch, stria__arena_room()) - p->scratch,
                  leaves = (p->shape.n + LEAF - 1) / LEAF;
    p->panel.leaves = least(room / accumulator, leaves);
    p->panel.store = p->scratch;
    p->scratch += p->panel.leaves * accumulator;
    return p->panel.leaves >= REDUCE_PANEL_LEAVES;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* The accumulators of leaves first .. last - 1, and the run that makes them. */
struct work {
    struct reduce_run *run;
    fold_kernel *kernel;
    int64_t first, last, accumulator;
    double centers[PANEL_LEAVES];
    bool deviations;
    char *out;
};

/* Combines `count` adjacent leaves at `in`, from leaf l on; the last one has n elements. */
static void combine_leaves(const struct work *w, int64_t l, int64_t count, int64_t n,
                           const char *in)
{
    const struct reduce_plan *const p = w->run->plan;
    const int64_t each = p->what->tree ? count : 1; /* Places are counted from the first element. */
    if (p->cast.row) {
        char *const to = w->run->scratch + p->converted;
        stria__convert_rows(&p->cast, to, 0, in, 0, (count - 1) * LEAF + n, 1);
        in = to;
    }
    for (int64_t i = 0; i < count; i += each) {
        const int64_t s = LEAF * p->kernel_item;
        w->kernel(&(struct fold_block){.out = w->out + (l + i - w->first) * w->accumulator,
                                       .in = in + i * s,
                                       .n = n,
                                       .outputs = each,
                                       .s = s,
                                       .first = (l + i) * LEAF,
                                       .center = w->deviations ? w->centers : NULL});
    }
}

/*
 * Combines the leaves that lie in column c of the array and begin in rows from .. from +
 * PANEL_LEAVES * LEAF.
 */
static void combine_column(const struct work *w, int64_t c, int64_t from, int64_t end,
                           const char *in)
{
    const struct reduce_plan *const p = w->run->plan;
    const int64_t begin = c * p->panel.rows + from;
    int64_t l = (begin + LEAF - 1) / LEAF,
            last = least((c * p->panel.rows + end) / LEAF, l + PANEL_LEAVES);
    if (l < w->first) l = w->first;
    last = least(last, w->last);
    if (l < last) combine_leaves(w, l, last - l, LEAF, in + (l * LEAF - begin) * p->in_item);
}

/* Combines rows from .. end - 1 of the columns of the panel, tile by tile. */
static void combine_rows(const struct work *w, int64_t from, int64_t end)
{
    const struct reduce_plan *const p = w->run->plan;
    const int64_t columns = p->shape.r[p->panel.across].n, rows = p->panel.rows,
                  c1 = (w->last * LEAF - 1) / rows, all = p->shape.n / rows;
    for (int64_t c = w->first * LEAF / rows, n; c <= c1 && c < all; c += n) {
        n = least(least(p->panel.wide, columns - c % columns), c1 + 1 - c);
        const struct reduce_range range = {
            .first = c * rows + from, .count = end - from, .across = p->panel.across, .columns = n};
        const char *const in = stria__reduce_gather(w->run, &range);
        for (int64_t i = 0; i < n; i++)
            combine_column(w, c + i, from, end, in + i * p->pitch[0]);
    }
}

/*
 * Combines the leaves that end in another column than they begin in, and a last one that is
 * shorter.
 */
static void combine_others(const struct work *w)
{
    const int64_t rows = w->run->plan->panel.rows, all = w->run->plan->shape.n;
    w->run->ndim = -1; /* The next boxes have the same sizes but other strides. */
    for (int64_t l = w->first; l < w->last; l++) {
        const int64_t begin = l * LEAF, n = least(LEAF, all - begin);
        if (begin % rows + LEAF <= rows && n == LEAF) {
            /* Skips to the last leaf that begins in this column. */
            l = (begin / rows * rows + rows) / LEAF - 1;
            continue;
        }
        const struct reduce_range range = {.first = begin, .count = n, .columns = 1};
        combine_leaves(w, l, 1, n, stria__reduce_gather(w->run, &range));
    }
    w->run->ndim = -1;
}

/* Combines leaf b of each of n columns from column c on; these leaves lie side by side. */
static void combine_columns(const struct work *w, int64_t b, int64_t c, int64_t n)
{
    const struct reduce_plan *const p = w->run->plan;
    const int64_t each = p->panel.rows / LEAF, item = w->accumulator;
    char *const found = w->run->scratch + p->panel.column;
    double *const centers = (void *)(found + p->panel.wide * 2 * (int64_t)sizeof(double));
    int64_t at[LEAF];
    stria__reduced_offsets(&p->shape, c * p->panel.rows + b * LEAF, LEAF, 1, at);
    for (int64_t i = 0; w->deviations && i < n; i++)
        centers[i] = w->centers[0];
    w->kernel(&(struct fold_block){.out = found,
                                   .in = w->run->tile.in[0],
                                   .n = LEAF,
                                   .outputs = n,
                                   .at = at,
                                   .far = p->memory,
                                   .lanes = w->run->scratch + p->lanes,
                                   .center = w->deviations ? centers : NULL});
    char *to = w->out + (c * each + b - w->first) * item;
    for (int64_t i = 0; i < n; i++, to += each * item)
        memcpy(to, found + i * item, (size_t)item);
}

/* Combines all leaves of columns that consist of whole leaves. */
static void combine_whole(const struct work *w)
{
    const struct reduce_plan *const p = w->run->plan;
    const int64_t columns = p->shape.r[p->panel.across].n, each = p->panel.rows / LEAF;
    for (int64_t b = 0; b < each; b++) {
        const int64_t end = (w->last - b + each - 1) / each;
        for (int64_t c = (w->first - b + each - 1) / each, n; c < end; c += n) {
            n = least(least(p->panel.wide, columns - c % columns), end - c);
            combine_columns(w, b, c, n);
        }
    }
}

void stria__reduce_panel(struct reduce_run *run, struct reduce_store *store,
                         const struct fold_kernels *fold, int64_t first, int64_t last,
                         const double *center)
{
    struct work w = {.run = run,
                     .kernel = run->plan->panel.whole ? fold->columns : fold->rows,
                     .first = first,
                     .last = last,
                     .accumulator = store->each,
                     .deviations = center != NULL,
                     .out = store->memory};
    for (int i = 0; center && i < PANEL_LEAVES; i++)
        w.centers[i] = *center;
    if (run->plan->panel.whole) {
        combine_whole(&w);
        return;
    }
    const int64_t rows = run->plan->panel.rows, step = PANEL_LEAVES * LEAF;
    for (int64_t from = 0; from < rows; from += step)
        combine_rows(&w, from, least(from + PANEL_TALL, rows));
    combine_others(&w);
}

/* ---- room for them --------------------------------------------------------------------------- */

void stria__reduce_store_take(struct reduce_store *store, const struct reduce_run *run,
                              int64_t leaves, bool deviations)
{
    const struct reduce_plan *const p = run->plan;
    const int64_t each = deviations ? 2 * (int64_t)sizeof(double) : p->what->accumulator;
    *store = (struct reduce_store){.memory = run->scratch + p->panel.store,
                                   .leaves = p->panel.leaves,
                                   .each = each,
                                   .from = stria__allocator()};
    const int64_t more = least(leaves, REDUCE_PANEL_STORE / each);
    if (more <= store->leaves) return;
    char *const memory =
        store->from.alloc((size_t)(more * each), STRIA_ALIGNMENT, store->from.context);
    if (!memory) return;
    store->memory = memory;
    store->leaves = more;
    store->taken = (size_t)(more * each);
}

void stria__reduce_store_give(struct reduce_store *store)
{
    if (store->taken) store->from.free(store->memory, store->taken, store->from.context);
}
