/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes windows in boxes. Along each dim boxes are cut where windows begin or cease to reach
 * beyond the edge, so that inner boxes can be read from memory. Others are copied, padded and
 * converted, to scratch, which is then computed as one long row: results across the ends of its
 * rows are not used.
 */
#include "ops/window/boxes.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/families.h"
#include "machine/machine.h"
#include "move/fetch.h"
#include "base/integers.h"
#include "plan/plan.h"
#include "machine/op_loop.h"
#include "base/status.h"
#include "stria/copy.h"
#include "plan/threads.h"
#include "view/view.h"

enum {
    BOX = 64 << 10, /* Approximate number of elements that a box takes. */
    ROW = 1024,     /* Elements of the rows of a box. */
    FETCHED = 1024, /* Bytes of a row after which as many bytes of later rows are prefetched. */
    SHORT = 64      /* Shorter rows are not worth a call of a kernel. */
};

/* Indices of a dim: below lo and from hi on windows reach beyond an edge. */
struct cuts {
    int64_t edge[4];  /* The edges 0, lo, hi, and the size. */
    int64_t count[3]; /* Number of boxes of each part. */
    int64_t size;     /* Elements of a box. */
};

struct job {
    const struct windows *w;
    const stria_view *out;
    struct cuts cuts[STRIA_MAX_NDIM];
    /* Number of boxes and of tasks, and most elements that a box takes. */
    int64_t boxes, tasks, most;
    int64_t half, room; /* Bytes of a half of the scratch of a task, and of all of it. */
    atomic_int status;
};

/* A box of the output and the box of the array that it takes. */
struct window_box {
    int64_t begin[STRIA_MAX_NDIM], n[STRIA_MAX_NDIM];
    int64_t from[STRIA_MAX_NDIM], taken[STRIA_MAX_NDIM]; /* Indices and sizes in a. */
    bool inside;
};

/* Scratch of a task; offsets of points lie behind both halves. */
struct scratch {
    char *half[2];
    int64_t *offset;
};

static int64_t item_of(const struct job *j)
{
    return stria_dtype_of(j->w->kind).itemsize;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void cut_boxes(struct job *j)
{
    const struct windows *const w = j->w;
    int64_t taken = 1;
    j->boxes = 1;
    for (int d = j->out->ndim; d-- > 0;) {
        struct cuts *const c = &j->cuts[d];
        const int64_t n = j->out->shape[d], more = w->window[d] - 1;
        const int64_t room = d == j->out->ndim - 1 ? ROW : BOX / taken - more;
        const int64_t lo = least(w->first[d] < 0 ? -w->first[d] : 0, n),
                      hi = least(w->a->shape[d] - w->first[d] - more, n);
        c->edge[0] = 0;
        c->edge[1] = lo;
        c->edge[2] = hi > lo ? hi : lo;
        c->edge[3] = n;
        c->size = least(room > more ? room : more + 1, n);
        int64_t all = 0;
        for (int i = 0; i < 3; i++)
            all += c->count[i] = (c->edge[i + 1] - c->edge[i] + c->size - 1) / c->size;
        j->boxes *= all;
        taken *= c->size + more;
    }
    j->most = taken;
}

static void box_at(struct window_box *b, const struct job *j, int64_t number)
{
    const struct windows *const w = j->w;
    b->inside = true;
    for (int d = j->out->ndim; d-- > 0;) {
        const struct cuts *const c = &j->cuts[d];
        const int64_t all = c->count[0] + c->count[1] + c->count[2];
        int64_t i = number % all;
        int part = 0;
        number /= all;
        while (i >= c->count[part])
            i -= c->count[part++];
        b->begin[d] = c->edge[part] + i * c->size;
        b->n[d] = least(c->size, c->edge[part + 1] - b->begin[d]);
        b->from[d] = b->begin[d] + w->first[d];
        b->taken[d] = b->n[d] + w->window[d] - 1;
        b->inside = b->inside && part == 1;
    }
}

/* Returns the part of a view, of the same dtype and flags, that begins at these indices. */
static stria_view part_of(const stria_view *a, const int64_t *begin, const int64_t *n)
{
    stria_view out;
    view_copy(&out, a);
    for (int d = 0; d < a->ndim; d++) {
        out.data = stria__at(out.data, begin[d], a->strides[d]);
        out.shape[d] = n[d];
    }
    return out;
}

/* Tells whether kernels can take rows of a view directly. */
static bool is_plain(const stria_view *a, stria_kind kind)
{
    const int64_t item = a->dtype.itemsize;
    if (!stria_dtype_equal(a->dtype, stria_dtype_of(kind)) || a->flags & (STRIA_NEG | STRIA_CONJ))
        return false;
    return a->strides[a->ndim - 1] == item && a->shape[a->ndim - 1] >= SHORT;
}

/* ---- weighted sums --------------------------------------------------------------------------- */

/* Finds the offsets of the points; neighbours along dim d are strides[d] bytes apart. */
static struct taps taps_of(const struct job *j, int64_t *offset, const int64_t *strides)
{
    const struct windows *const w = j->w;
    for (int64_t k = 0; k < w->points; k++) {
        offset[k] = 0;
        for (int d = 0; d < j->out->ndim; d++)
            offset[k] += w->point[k * j->out->ndim + d] * strides[d];
    }
    return (struct taps){.count = w->points, .offset = offset, .weight = w->weight};
}

/* Tells whether two rows `row` bytes apart read the same elements by all taps but some at the
 * ends. */
static bool share(struct taps *t, int64_t row)
{
    int64_t apart = 1;
    while (apart < t->count && t->offset[apart] != t->offset[0] + row)
        apart++;
    t->apart = apart;
    t->row = row;
    for (int64_t k = apart; k < t->count; k++)
        if (t->offset[k] != t->offset[k - apart] + row) return false;
    return apart < t->count;
}

/* Returns how many elements of a row are computed between questions of a watch, n at most. */
static int64_t piece_of(int64_t n, int64_t taps)
{
    enum { PRODUCTS = 1 << 22 };
    const int64_t most = PRODUCTS / taps;
    return least(n, most > SHORT ? most : SHORT);
}

/* Weighs rows of windows in memory: two at a time, or each alone. */
struct weighing {
    const struct window_kernels *kernels;
    stria_kind kind;
    int64_t item, n, out_row, in_row;
    struct taps taps;
    /* Bytes to the last point of a window, before which all elements have been read. */
    int64_t last;
    bool far; /* The array and the output come from memory, so that later rows are prefetched. */
};

/* Computes one or two rows, in pieces if later rows are prefetched meanwhile. */
static void weigh_row(const struct weighing *w, char *out, const char *in, int rows)
{
    const int64_t piece = piece_of(w->far ? FETCHED / w->item : w->n, w->taps.count);
    for (int64_t i = 0, m; i < w->n && !stria__is_stopped(); i += m) {
        const int64_t at = i * w->item;
        m = least(piece, w->n - i);
        for (int k = 0; w->far && k < rows; k++) {
            stria__fetch_lines_near(in + w->last + (rows + k) * w->in_row + at, m * w->item);
            stria__fetch_lines_near(out + (rows + k) * w->out_row + at, m * w->item);
        }
        if (rows == 2)
            w->kernels->two[w->kind](out + at, w->out_row, in + at, &w->taps, m);
        else
            w->kernels->weighted[w->kind](out + at, in + at, &w->taps, m);
    }
}

/* Computes row by row, from the array's memory to the output's. */
static void weigh_rows(const struct job *j, const stria_view *to, const stria_view *from,
                       int64_t *offset)
{
    const int last = to->ndim - 1, outer = last > 0 ? last - 1 : 0;
    const int64_t rows = last > 0 ? to->shape[outer] : 1;
    struct weighing w = {.kernels = stria__window(),
                         .kind = j->w->kind,
                         .item = item_of(j),
                         .n = to->shape[last],
                         .out_row = to->strides[outer],
                         .in_row = from->strides[outer],
                         .taps = taps_of(j, offset, from->strides),
                         .far = rows > 1 && stria_nbytes(j->w->a) + stria_nbytes(j->out) >=
                                                stria__machine()->stream_from[WRITE_RESULTS]};
    for (int64_t k = 0; k < w.taps.count; k++)
        w.last = offset[k] > w.last ? offset[k] : w.last;
    const bool by_two = rows > 1 && share(&w.taps, w.in_row);
    int64_t index[STRIA_MAX_NDIM] = {0};
    do {
        char *out = to->data;
        const char *in = from->data;
        int64_t i = 0;
        for (int d = 0; d < outer; d++) {
            out += index[d] * to->strides[d];
            in += index[d] * from->strides[d];
        }
        for (; by_two && i + 2 <= rows; i += 2)
            weigh_row(&w, out + i * w.out_row, in + i * w.in_row, 2);
        for (; i < rows; i++)
            weigh_row(&w, out + i * w.out_row, in + i * w.in_row, 1);
    } while (stria__next_index(index, outer, to->shape));
}

/* ---- in scratch, as one row ------------------------------------------------------------------ */

/* Computes n sums from one half to the other. */
static void weigh(const struct job *j, struct scratch *s, const struct taps *taps, int64_t n)
{
    const int64_t item = item_of(j), piece = piece_of(n, taps->count);
    for (int64_t i = 0; i < n && !stria__is_stopped(); i += piece)
        stria__window()->weighted[j->w->kind](s->half[1] + i * item, s->half[0] + i * item, taps,
                                              least(piece, n - i));
}

static void weigh_flat(const struct job *j, struct scratch *s, int64_t n, const int64_t *strides)
{
    int64_t far = 0;
    const struct taps taps = taps_of(j, s->offset, strides);
    for (int64_t k = 0; k < taps.count; k++)
        far = taps.offset[k] > far ? taps.offset[k] : far;
    weigh(j, s, &taps, n - far / item_of(j));
}

static void swap_halves(struct scratch *s)
{
    char *const before = s->half[0];
    s->half[0] = s->half[1];
    s->half[1] = before;
}

/* Runs a kernel of two inputs from one half to the other. */
static void combine_rows(struct scratch *s, map_loop *loop, const char *second, int64_t n,
                         int64_t item, int64_t step)
{
    const stria_dim dims[2] = {{.n = n, .s = {item, item, step}}, {.n = 1}};
    loop((char *const[]){s->half[1], s->half[0], (char *)(uintptr_t)second}, dims);
    swap_halves(s);
}

/* Computes extremes along a dim: those of 2, 4, 8, ... elements, then of two such runs that overlap
 * at the end of the window. */
static int64_t extreme_along(const struct job *j, struct scratch *s, int64_t n, int64_t window,
                             int64_t stride)
{
    const int64_t item = item_of(j);
    for (int64_t have = 1, step; have < window; have += step) {
        step = least(have, window - have);
        n -= step * stride / item;
        combine_rows(s, j->w->extreme, s->half[0] + step * stride, n, item, item);
    }
    return n;
}

static int64_t sum_along(const struct job *j, struct scratch *s, int64_t n, int64_t window,
                         int64_t stride)
{
    int64_t *const offset = s->offset;
    const int64_t item = item_of(j);
    for (int64_t k = 0; k < window; k++)
        offset[k] = k * stride;
    const struct taps taps = {.count = window, .offset = offset, .weight = j->w->weight};
    n -= (window - 1) * stride / item;
    weigh(j, s, &taps, n);
    swap_halves(s);
    return n;
}

/* Reduces in scratch; the result ends in half 0. */
static void reduce_flat(const struct job *j, struct scratch *s, int64_t n, const int64_t *strides)
{
    const struct windows *const w = j->w;
    const double divisor = (double)w->divisor;
    const float narrow = (float)divisor;
    for (int d = j->out->ndim; d-- > 0;)
        if (w->window[d] > 1)
            n = w->extreme ? extreme_along(j, s, n, w->window[d], strides[d])
                           : sum_along(j, s, n, w->window[d], strides[d]);
    if (w->divisor == 1) return;
    const void *const by = w->kind == STRIA_F32 ? (const void *)&narrow : &divisor;
    combine_rows(s, op_loop(stria__kernels(), STRIA_DIVIDE, w->kind), by, n, item_of(j), 0);
}

static stria_status run_in_scratch(const struct job *j, const stria_view *to,
                                   const struct window_box *b, struct scratch *s)
{
    static const stria_exec alone = {.threads = 1, .hints = STRIA_WILL_READ_SOON};
    const struct windows *const w = j->w;
    stria_view in, from;
    int64_t n = 1;
    STRIA_TRY(
        stria_view_foreign(&in, s->half[0], stria_dtype_of(w->kind), to->ndim, b->taken, NULL, 0));
    for (int d = 0; d < to->ndim; d++)
        n *= b->taken[d];
    if (b->inside) {
        from = part_of(w->a, b->from, b->taken);
        STRIA_TRY(stria_copy(&in, &from, &alone));
    } else {
        STRIA_TRY(stria__copy_padded(&in, w->a, b->from, 0, &w->padding, &alone));
    }
    if (w->points > 0)
        weigh_flat(j, s, n, in.strides);
    else
        reduce_flat(j, s, n, in.strides);
    in.data = s->half[w->points > 0];
    memcpy(in.shape, b->n, (size_t)to->ndim * sizeof *b->n);
    return stria_copy(to, &in, &alone);
}

static stria_status run_box(const struct job *j, int64_t number, struct scratch *s)
{
    struct window_box b;
    box_at(&b, j, number);
    const stria_view to = part_of(j->out, b.begin, b.n);
    const stria_view from = b.inside ? part_of(j->w->a, b.from, b.taken) : to;
    if (!b.inside || j->w->points == 0 || !is_plain(&to, j->w->kind) ||
        !is_plain(&from, j->w->kind))
        return run_in_scratch(j, &to, &b, s);
    weigh_rows(j, &to, &from, s->offset);
    return STRIA_OK;
}

static void run_task(void *data, int64_t task)
{
    struct job *const j = data;
    char *const memory = (char *)j->w->room->at + task * j->room;
    stria_status status = STRIA_OK;
    const struct share share = share_of(j->boxes, j->tasks, task);
    for (int64_t i = share.first; i < share.last && status == STRIA_OK; i++) {
        struct scratch s = {{memory, memory + j->half}, (int64_t *)(void *)(memory + 2 * j->half)};
        status = stria__is_stopped() ? STRIA_ERR_CANCELLED : run_box(j, i, &s);
    }
    if (status != STRIA_OK) atomic_store(&j->status, (int)status);
}

/* Makes the scratch of all tasks, unless a run before this one has left it. */
static stria_status make_room(struct job *j)
{
    struct memory *const room = j->w->room;
    int64_t points = j->w->points;
    for (int d = 0; d < j->out->ndim; d++)
        points = j->w->window[d] > points ? j->w->window[d] : points;
    j->half = round_up(j->most * item_of(j), LINE);
    j->room = round_up(2 * j->half + points * (int64_t)sizeof(int64_t), LINE);
    const size_t size = (size_t)(j->tasks * j->room);
    if (room->at && room->size >= size) return STRIA_OK;
    stria__memory_free(room);
    *room = stria__memory(size);
    if (room->at) return STRIA_OK;
    return stria__fail(STRIA_ERR_MEMORY, "window: no memory for boxes of elements");
}

stria_status stria__windows_run(const struct windows *w, const stria_view *out)
{
    struct job j = {.w = w, .out = out};
    const double n = (double)stria_numel(out), items = w->points ? (double)w->points : 10;
    atomic_init(&j.status, STRIA_OK);
    assert(out->ndim > 0);
    if (stria_numel(out) == 0) return STRIA_OK;
    cut_boxes(&j);
    const double bytes = n * (double)(w->a->dtype.itemsize + out->dtype.itemsize);
    const int threads =
        stria__threads_for(w->exec, bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX, n * items / 8);
    j.tasks = least(threads, j.boxes);
    STRIA_TRY(make_room(&j));
    stria__parallel(w->exec, threads, j.tasks, run_task, &j);
    STRIA_TRY(stria__watch_end(w->exec));
    const stria_status status = (stria_status)atomic_load(&j.status);
    return status == STRIA_OK ? status : stria__fail(status, "window: no memory for copies");
}
