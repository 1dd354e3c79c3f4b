/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes indexed elements: base, offsets and the other operand are one plan. */
#include <string.h>

#include "machine/machine.h"
#include "ops/index/indexed.h"
#include "ops/operands.h"
#include "plan/box.h"
#include "stria/broadcast.h"

/*
 * Tells whether items along the dim are adjacent in the destination and have one offset, and are
 * adjacent or the same in the source.
 */
static bool is_row(const stria_dim *d, int64_t item)
{
    return d->s[0] == item && d->s[2] == 0 && (d->s[1] == item || d->s[1] == 0);
}

static void bring_dim(stria_plan *plan, int from, int to)
{
    const stria_dim dim = plan->dims[from];
    memmove(&plan->dims[to + 1], &plan->dims[to], (size_t)(from - to) * sizeof dim);
    plan->dims[to] = dim;
}

/*
 * Makes a dim of adjacent items that share an offset the innermost one, and avoids a short dim as
 * the next one.
 */
static void arrange(stria_plan *plan, int64_t item)
{
    const int64_t few = INDEXING_FEW;
    int row = 0;
    while (row < plan->ndim && !(is_row(&plan->dims[row], item) && plan->dims[row].n >= few))
        row++;
    if (0 < row && row < plan->ndim) bring_dim(plan, row, 0);
    const stria_dim *const d = plan->dims;
    /* Lines of the rows stay in the cache until the next dim comes back to them. */
    const bool near =
        d[0].n * item >= LINE || stria__plan_numel(plan) <= stria__machine()->lies_in_l2 / item;
    if (plan->ndim > 2 && is_row(&d[0], item) && d[1].n <= few && d[1].n < d[2].n && near)
        bring_dim(plan, 2, 1);
}

/*
 * Moves short rows column by column, for a block of rows at a time. The order along each row stays,
 * so that the result does not change.
 */
struct columns {
    stria_loop *loop;
    const void *arg;
};

static bool has_short_rows(const stria_plan *plan, int64_t item)
{
    const stria_dim *const d = plan->dims;
    return plan->ndim > 1 && d[0].n < d[1].n && !is_row(&d[0], item) &&
           d[0].n <= (d[1].s[2] == 0 ? INDEXING_FEW : INDEXING_FEW_OWN);
}

static stria_status move_columns(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct stria__machine *const m = stria__machine();
    const struct columns *how = arg;
    stria_dim turned[2] = {d[1], d[0]};
    int64_t step = 1;
    for (int k = 0; k < 2; k++)
        step = magnitude(d[1].s[k]) > (uint64_t)step ? (int64_t)magnitude(d[1].s[k]) : step;
    int64_t rows = m->l1.size / 4 / step; /* what the first level holds beside other operands */
    rows =
        rows < INDEXING_COLUMNS_LEAST ? INDEXING_COLUMNS_LEAST : least(rows, INDEXING_COLUMNS_MOST);
    for (int64_t j = 0; j < d[1].n; j += rows) {
        char *const block[] = {ptr[0] + j * d[1].s[0], ptr[1] + j * d[1].s[1],
                               ptr[2] + j * d[1].s[2]};
        turned[0].n = d[1].n - j < rows ? d[1].n - j : rows;
        STRIA_TRY(how->loop(block, turned, how->arg));
    }
    return STRIA_OK;
}

/* Tells whether there is nothing to move: no memory, no elements, or items of 0 bytes. */
static bool moves_nothing(const struct indexed *x, const stria_view *other)
{
    return view_is_meta(&x->base) || view_is_meta(&x->offsets) || view_is_meta(other) ||
           stria_nbytes(&x->base) == 0;
}

/* Joins rows of a few items that share an offset into one item. */
static void join_items(stria_plan *plan, struct move *how)
{
    enum { MOST = 16 };
    const stria_dim *const d = &plan->dims[0];
    const int64_t bytes = d->n > MOST ? 0 : d->n * how->item;
    if (plan->ndim < 2 || bytes < 1 || bytes > MOST || (bytes & (bytes - 1)) || d->s[2] != 0 ||
        d->s[0] != how->item || d->s[1] != how->item)
        return;
    how->item = bytes;
    plan->ndim--;
    memmove(&plan->dims[0], &plan->dims[1], (size_t)plan->ndim * sizeof plan->dims[0]);
}

/* ---- walks ----------------------------------------------------------------------------------- */

/* A walk over a plan, for reading or one of those for writing. */
typedef stria_status walk_plan(const stria_plan *plan, stria_loop *loop, const void *arg);

static stria_status walk_any(const stria_plan *plan, stria_loop *loop, const void *arg)
{
    return stria_walk(plan, loop, arg, NULL);
}

/* Walks with one thread in C order, since of several writes to one element the last one stays. */
static stria_status walk_alone(const stria_plan *plan, stria_loop *loop, const void *arg)
{
    const stria_exec serial = {.threads = 1};
    return stria_walk(plan, loop, arg, &serial);
}

/* Does so piece by piece, in the same order, and asks the watch between them. */
__attribute__((noinline)) static stria_status walk_asking(const stria_plan *plan, stria_loop *loop,
                                                          const void *arg)
{
    WATCHES(NULL);
    struct cut cut;
    struct box box;
    stria_plan piece;
    stria__cut_begin(&cut, plan);
    (void)stria__cut_rows(&cut, ASKED_STEPS);
    stria__box_first(&box, &cut);
    do {
        if (stria__is_stopped()) return stria__watch_end(NULL);
        stria__box_plan(&piece, &box, &cut);
        piece.flags = plan->flags;
        STRIA_TRY(walk_alone(&piece, loop, arg));
    } while (stria__box_next(&box, &cut));
    return STRIA_OK;
}

static stria_status walk_in_order(const stria_plan *plan, stria_loop *loop, const void *arg)
{
    return stria__is_watched(NULL) && stria__plan_numel(plan) > ASKED_STEPS
               ? walk_asking(plan, loop, arg)
               : walk_alone(plan, loop, arg);
}

struct divided_walk {
    const stria_plan *plan;
    int dim;
    stria_loop *loop;
    const char *args;
    int64_t apart;
    stria_status status[CREW_MOST];
};

static void walk_part(void *data, int64_t part, struct share range)
{
    struct divided_walk *const w = data;
    stria_plan plan;
    w->status[part] = STRIA_OK;
    if (range.first == range.last) return;
    stria__plan_part(&plan, w->plan, w->dim, range.first, range.last);
    w->status[part] = walk_in_order(&plan, w->loop, w->args + part * w->apart);
}

stria_status stria__walk_divided(const struct crew *crew, const stria_plan *plan, int dim,
                                 stria_loop *loop, const void *args, int64_t apart)
{
    struct divided_walk w; /* Unused parts are not cleared. */
    w.plan = plan;
    w.dim = dim;
    w.loop = loop;
    w.args = args;
    w.apart = apart;
    stria__divide_among(crew, plan->dims[dim].n, walk_part, &w);
    for (int i = 0; i < crew->threads; i++)
        STRIA_TRY(w.status[i]);
    return stria__watch_end(crew->exec);
}

/*
 * Walks with threads that divide the longest dim along which elements of the destination lie apart
 * whatever their indices are: each element gets its values in their order.
 */
static stria_status walk_apart(const stria_plan *plan, stria_loop *loop, const void *arg)
{
    enum { CYCLES = 6 };
    const struct crew crew = stria__crew_for(NULL, stria__plan_numel(plan), CYCLES);
    int dim = -1;
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].s[0] != 0 && (dim < 0 || plan->dims[d].n >= plan->dims[dim].n)) dim = d;
    if (dim < 0 || crew.threads < 2) return walk_in_order(plan, loop, arg);
    return stria__walk_divided(&crew, plan, dim, loop, arg, 0);
}

/* Runs a loop. INDEX, for indices that were not checked before. */
static stria_status move_indexed(const struct indexed *x, stria_plan *plan, stria_loop *loop,
                                 const struct move *how, bool any_order, walk_plan *walk,
                                 const char *op)
{
    const struct index_walk by_index = {&x->counted, loop, how};
    const struct columns columns = {x->counts ? stria__walk_indices : loop,
                                    x->counts ? (const void *)&by_index : how};
    if (any_order) arrange(plan, how->item);
    const stria_status status = any_order && has_short_rows(plan, how->item)
                                    ? walk(plan, move_columns, &columns)
                                    : walk(plan, columns.loop, columns.arg);
    if (status != STRIA_ERR_INDEX) return status;
    return stria__refuse_walked(&x->storage.view, &x->counted, op);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Writes the indexed elements to new memory. */
__attribute__((noinline)) static stria_status read_into(const stria_view *made,
                                                        const struct indexed *from, const char *op)
{
    struct move how = {from->base.dtype.itemsize, from->counted.scale, NULL, NULL};
    const stria_view *operands[] = {made, &from->base, &from->offsets};
    stria_plan plan;
    STRIA_TRY(stria_plan_make(&plan, 3, operands, 0));
    join_items(&plan, &how);
    return move_indexed(from, &plan, stria__index_loop(how.item, false), &how, true, walk_any, op);
}

/* Makes a new array of the indexed elements. */
static stria_status read_indexed(stria_array *out, const struct indexed *from, const char *op)
{
    const stria_view *base = &from->base;
    const stria_view *near = view_is_meta(&from->offsets) ? &from->offsets : base;
    OWNED_ARRAY(made);
    STRIA_TRY(stria__make_ordered(&made, near, base->dtype, base->ndim, base->shape, from->order));
    if (!moves_nothing(from, &made.view))
        STRIA_TRY(read_into(&made.view, from, op));
    else if (from->counts && !view_is_meta(&from->offsets))
        STRIA_TRY(stria__check_indices(&from->storage.view, &from->counted, op));
    return stria__deliver(out, &made, stria__apply_bits(&made.view, base->flags));
}

/*
 * Tells whether elements are taken faster from a copy in C order: many of them by number, which
 * takes a division for each dim, or rows that are dense in the result only.
 */
__attribute__((noinline)) static bool is_better_copied(const stria_view *a,
                                                       const struct place *place)
{
    const int last = a->ndim - 1;
    if (last < 1 || (place->way != PLACE_DIM && place->way != PLACE_FLAT)) return false;
    const int64_t numel = stria_numel(a), taken = stria_numel(place->index);
    if (numel < INDEXING_ORDERED || view_is_meta(a)) return false;
    if (place->way == PLACE_DIM)
        return place->dim != last && a->shape[last] >= INDEXING_FEW &&
               a->strides[last] != a->dtype.itemsize && taken >= a->shape[place->dim] / 2;
    stria_plan plan;
    return place->way == PLACE_FLAT && taken >= numel / INDEXING_ORDERED_SHARE &&
           stria_plan_make(&plan, 1, &a, STRIA_PLAN_KEEP_ORDER) == STRIA_OK && plan.ndim > 1;
}

__attribute__((noinline)) static stria_status take_from(stria_array *out, const stria_view *a,
                                                        const struct place *place, const char *op)
{
    OWNED_INDEXED(from);
    STRIA_TRY(stria__indexed(&from, a, place, true, op));
    return read_indexed(out, &from, op);
}

stria_status stria__copy_stored(stria_array *out, const stria_view *a)
{
    STRIA_TRY(stria__empty_like_memory(out, a, a->dtype, a->ndim, a->shape, STRIA_ORDER_C));
    out->view.flags = a->flags & (STRIA_CONJ | STRIA_NEG);
    return stria_copy(&out->view, a, NULL);
}

stria_status stria__take_at(stria_array *out, const stria_view *a, const struct place *place,
                            const char *op)
{
    OWNED_ARRAY(copy);
    if (!is_better_copied(a, place)) return take_from(out, a, place, op);
    STRIA_TRY(stria__copy_stored(&copy, a));
    return take_from(out, &copy.view, place, op);
}

/* ---- reading into a view that exists -------------------------------------------------------- */

struct taking {
    const struct indexed *from;
    const char *op;
};

static stria_status write_taken(void *arg, const stria_view *to)
{
    const struct taking *const t = arg;
    stria_view stored;
    if (moves_nothing(t->from, to)) return STRIA_OK;
    STRIA_TRY(read_into(to, t->from, t->op));
    view_copy(&stored, to);
    stored.flags &= ~(uint32_t)(STRIA_CONJ | STRIA_NEG);
    return stria__apply_bits(&stored, t->from->base.flags ^ to->flags);
}

/* Tells whether out shares no byte with the array and the indices. */
static bool is_apart(const stria_view *out, const stria_view *a, const struct place *place)
{
    const int count = place->way == PLACE_ARRAYS ? place->arrays->count : 1;
    bool apart = stria_shares_memory(out, a, OVERLAP_WORK) == STRIA_OVERLAP_NO;
    for (int i = 0; i < count && apart; i++) {
        const stria_view *const index =
            place->way == PLACE_ARRAYS ? place->arrays->arrays[i] : place->index;
        apart = stria_shares_memory(out, index, OVERLAP_WORK) == STRIA_OVERLAP_NO;
    }
    return apart;
}

/* Takes elements whose indices are checked before the first one is written. */
static stria_status take_into(const stria_view *out, const stria_view *a, const struct place *place,
                              bool apart, const char *op)
{
    const struct output output = {op, "out", out, NULL};
    OWNED_INDEXED(from);
    struct taking taking = {&from, op};
    STRIA_TRY(stria__indexed(&from, a, place, false, op));
    STRIA_TRY(stria__check_out(out, from.base.ndim, from.base.shape, a->dtype, op));
    return stria__write_apart(&output, apart, write_taken, &taking);
}

stria_status stria__take_into(const stria_view *out, const stria_view *a, const struct place *place,
                              const char *op)
{
    OWNED_ARRAY(made);
    if (stria_dtype_equal(out->dtype, a->dtype)) {
        const bool copied = is_better_copied(a, place);
        if (copied) STRIA_TRY(stria__copy_stored(&made, a));
        return take_into(out, copied ? &made.view : a, place, is_apart(out, a, place), op);
    }
    STRIA_TRY(stria__take_at(&made, a, place, op));
    STRIA_TRY(stria__check_out(out, made.view.ndim, made.view.shape, a->dtype, op));
    return stria_copy(out, &made.view, NULL);
}

/* ---- writing -------------------------------------------------------------------------------- */

/*
 * Fits values to the place: leading sizes of 1 that it does not have are dropped, as in an
 * assignment.
 */
static stria_status fit_values(stria_view *out, const stria_view *values, const stria_view *place,
                               const char *op)
{
    int extra = values->ndim - place->ndim;
    view_copy(out, values);
    while (extra-- > 0 && out->shape[0] == 1)
        STRIA_TRY(stria_select(out, out, 0, 0));
    if (stria_expand(out, out, place->ndim, place->shape) == STRIA_OK) return STRIA_OK;
    return stria__fail(STRIA_ERR_BROADCAST,
                       "%s: values of shape %s do not broadcast to the indexed shape %s", op,
                       stria__dims_text(values->ndim, values->shape).text,
                       stria__dims_text(place->ndim, place->shape).text);
}

stria_status stria__values_for(stria_array *out, const stria_view *values, const stria_view *dst,
                               bool flat)
{
    const uint32_t lazy = STRIA_CONJ | STRIA_NEG;
    if (stria_dtype_equal(values->dtype, dst->dtype) && !((values->flags | dst->flags) & lazy) &&
        (!flat || stria_is_contiguous(values, STRIA_ORDER_C)))
        return stria__read_apart(out, values, dst);
    STRIA_TRY(stria__empty_like_memory(out, values, dst->dtype, values->ndim, values->shape,
                                       STRIA_ORDER_C));
    out->view.flags = dst->flags & lazy;
    return stria_copy(&out->view, values, NULL);
}

/* Tells whether elements of a view share no bytes. */
__attribute__((noinline)) static bool has_apart_elements(const stria_view *a)
{
    stria_plan plan;
    return stria_plan_make(&plan, 1, &a, 0) == STRIA_OK &&
           stria__steps_clear(&plan, a->dtype.itemsize);
}

/*
 * Tells whether the order of the dims may change, if elements are apart. Several writes to one
 * element have different indices only; they keep their order in any order of the dims if the dims
 * of the indices are one dim, which no pass of the plan reverses, since the base has stride 0 along
 * it.
 */
static bool fits_any_order(const struct indexed *to)
{
    int dims = 0;
    for (int d = 0; d < to->base.ndim; d++)
        dims += to->base.shape[d] > 1 && to->base.strides[d] == 0;
    return dims <= 1;
}

/*
 * Tells whether the destination is dense along a dim in which the values lie far apart; the values
 * are then reordered first, many at a time.
 */
static bool is_across(const stria_plan *plan, int64_t item)
{
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].s[0] == item && plan->dims[d].s[2] == 0 &&
            magnitude(plan->dims[d].s[1]) >= LINE)
            return stria__plan_numel(plan) >= INDEXING_ORDERED;
    return false;
}

/* Copies the values in the order of the base's strides, with the dims of the indices outermost. */
static stria_status copy_in_order(stria_array *out, const stria_view *values,
                                  const stria_view *base)
{
    int order[STRIA_MAX_NDIM];
    for (int d = 0; d < base->ndim; d++) {
        int at = d;
        const uint64_t s = magnitude(base->strides[d]);
        for (; at > 0 && magnitude(base->strides[order[at - 1]]) - 1 < s - 1; at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
    STRIA_TRY(stria__make_ordered(out, values, values->dtype, base->ndim, base->shape, order));
    out->view.flags = values->flags & (STRIA_CONJ | STRIA_NEG);
    return stria_copy(&out->view, values, NULL);
}

/* How values are written: as they are, combined, or by a loop. */
struct writing {
    stria_reduce reduce;
    map_loop *apply;
    bool alone; /* The loop stays in the thread of the call. */
};

__attribute__((noinline)) static stria_status scatter(const struct indexed *to, const stria_view *a,
                                                      const stria_view *values,
                                                      const struct writing *with, const char *op)
{
    stria_view source;
    STRIA_TRY(fit_values(&source, values, &to->base, op));
    if (moves_nothing(to, values)) return STRIA_OK;
    struct move how = {to->base.dtype.itemsize, to->counted.scale,
                       stria__combine_kernel(to->base.dtype, with->reduce), with->apply};
    const stria_view *operands[] = {&to->base, &source, &to->offsets};
    OWNED_ARRAY(ordered);
    stria_plan plan;
    STRIA_TRY(stria_plan_make(&plan, 3, operands, STRIA_PLAN_KEEP_ORDER));
    const bool apart = plan.ndim > 1 && has_apart_elements(a);
    const bool any_order = apart && fits_any_order(to);
    if (any_order && is_across(&plan, how.item)) {
        STRIA_TRY(copy_in_order(&ordered, &source, &to->base));
        operands[1] = &ordered.view;
    }
    if (any_order) STRIA_TRY(stria_plan_make(&plan, 3, operands, 0));
    if (!how.apply && !how.combine) join_items(&plan, &how);
    stria_loop *const loop = how.apply     ? stria__apply_rows
                             : how.combine ? stria__combine_rows
                                           : stria__index_loop(how.item, true);
    return move_indexed(to, &plan, loop, &how, any_order,
                        apart && !with->alone ? walk_apart : walk_in_order, op);
}

__attribute__((noinline)) static stria_status check_fit(const stria_view *values,
                                                        const stria_view *place, const char *op)
{
    stria_view fitting;
    return fit_values(&fitting, values, place, op);
}

static stria_status write_place(const stria_view *a, const struct place *place,
                                const stria_view *values, const struct writing *with,
                                const char *op)
{
    IN_DEFAULT_FP_MODE;
    OWNED_INDEXED(to);
    OWNED_ARRAY(source);
    STRIA_TRY(stria__indexed(&to, a, place, false, op));
    if (!values) return scatter(&to, a, &to.base, with, op);
    STRIA_TRY(check_fit(values, &to.base, op));
    STRIA_TRY(stria__values_for(&source, values, a, false));
    return scatter(&to, a, &source.view, with, op);
}

stria_status stria__write_place(const stria_view *a, const struct place *place,
                                const stria_view *values, stria_reduce reduce, const char *op)
{
    return write_place(a, place, values, &(struct writing){.reduce = reduce}, op);
}

stria_status stria__apply_place(const stria_view *a, const struct place *place,
                                const stria_view *values, map_loop *apply, bool alone,
                                const char *op)
{
    return write_place(a, place, values, &(struct writing){.apply = apply, .alone = alone}, op);
}
