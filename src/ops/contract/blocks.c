/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices, block by block. A block is a box of the dims of each group: the inner ones
 * whole, a range of one, one index of those outside of it. What is copied of an operand is a block,
 * so that scratch memory does not grow with the operands. The kernels of product.h take every
 * block dense and real: complex numbers become two rows of A, (re, -im) and (im, re), two rows of
 * B and two of C.
 */
#include <string.h>

#include "alloc.h"
#include "dispatch.h"
#include "integers.h"
#include "ops/contract/blas.h"
#include "ops/contract/contraction.h"
#include "ops/make.h"
#include "plan.h"
#include "simd/product.h"
#include "status.h"
#include "stria/complex.h"
#include "stria/copy.h"
#include "threads.h"
#include "view/view.h"

/*
 * Blocks that are copied stay in a second-level cache between the copy and the product, but have so
 * many rows or columns that a BLAS, which packs the other operand again for each, is busy with
 * products. Those of the kernels, which pack nothing, have half of the bytes. Few rows are
 * multiplied with a few rows of B at a time, along which memory is read.
 */
enum { BLOCK = 1 << 20, FEWEST = 256, FEWEST_IN_PLACE = 1024, FEW_ROWS = 4, ROWS_AT_ONCE = 16 };
enum { SUMMED_BY_KERNELS = 256, SUMMED_BY_BLAS = 1024 };

/* ---- blocks of a group ----------------------------------------------------------------------- */

/* The most indices of each dim that a block has, and how many blocks there are. */
struct pieces {
    int64_t chunk[STRIA_MAX_NDIM], blocks;
};

/* The nearest step of a dim in any operand. */
static uint64_t nearest_step(const struct axis *dim)
{
    uint64_t nearest = UINT64_MAX;
    for (int o = 0; o < OPERANDS; o++)
        if (dim->s[o] != 0 && magnitude(dim->s[o]) < nearest) nearest = magnitude(dim->s[o]);
    return nearest;
}

/*
 * Cuts a group into boxes of at most `most` indices, or of one. Boxes grow along the inner dims
 * first, so that they are ranges of the merged dim; if `free`, which is where nothing is taken as
 * it lies, along the dims whose items are nearest in some operand.
 */
static void cut_group(struct pieces *out, const struct axes *g, int64_t most, bool free)
{
    bool done[STRIA_MAX_NDIM] = {false};
    int64_t room = most;
    out->blocks = 1;
    for (int count = g->count; count > 0; count--) {
        int next = -1;
        for (int d = g->count - 1; d >= 0; d--)
            if (!done[d] &&
                (next < 0 || (free && nearest_step(&g->at[d]) < nearest_step(&g->at[next]))))
                next = d;
        const int64_t n = g->at[next].n, fit = room < 1 ? 1 : least(room, n);
        const int64_t ranges = n / fit + (n % fit != 0);
        done[next] = true;
        out->chunk[next] = n / ranges + (n % ranges != 0);
        out->blocks *= n / out->chunk[next] + (n % out->chunk[next] != 0);
        room = out->chunk[next] == n ? room / n : 1; /* of the dims outside one index each */
    }
}

/* Gives block number i, and moves `at` from the start of the group to that of the block. */
static void take(struct axes *out, int64_t at[OPERANDS], const struct axes *g,
                 const struct pieces *c, int64_t i)
{
    out->count = 0;
    for (int d = g->count - 1; d >= 0; d--) {
        const int64_t n = g->at[d].n, chunk = c->chunk[d], ranges = n / chunk + (n % chunk != 0);
        const int64_t first = i % ranges * chunk;
        i /= ranges;
        out->at[d] = g->at[d];
        out->at[d].n = least(chunk, n - first);
        for (int o = 0; o < OPERANDS; o++)
            at[o] += first * g->at[d].s[o];
    }
    for (int d = 0; d < g->count; d++) /* one index is no dim */
        if (out->at[d].n > 1) out->at[out->count++] = out->at[d];
}

/* ---- a part of the work, which one thread does ------------------------------------------------
 */

/* Where a block of an operand lies: its items are `row`, `column` and `batch` bytes apart. */
struct place {
    char *data;
    int64_t row, column, batch;
};

struct part {
    const struct matrices *m;
    const struct axes *group[GROUPS];
    int64_t from[OPERANDS]; /* of the part, from the address of the view */
    struct pieces cut[GROUPS];
    struct axes block[GROUPS];
    int64_t n[GROUPS];    /* of the block */
    int64_t at[OPERANDS]; /* of the block */
    struct place place[OPERANDS];
    char *room[OPERANDS];
    int64_t held[OPERANDS][GROUPS]; /* which block lies in the room; -1: none */
    stria_status status;
};

static const int lines_of[OPERANDS][2] = {
    [A] = {IN_ROWS, IN_SUM}, [B] = {IN_SUM, IN_COLUMNS}, [C] = {IN_ROWS, IN_COLUMNS}};

static bool by_parts(const struct matrices *m)
{
    return !m->blas && stria_dtype_is_complex(stria_dtype_of(m->kind));
}

/* Lines of scratch begin on lines of the cache, but not a page apart, which would share sets. */
static int64_t pitch_of(int64_t bytes)
{
    const int64_t whole = (bytes + PANEL - 1) / PANEL * PANEL;
    return whole % 4096 == 0 ? whole + PANEL : whole;
}

/* Tells whether a block is copied by columns, which then are dense: where the operand's are. */
static bool is_turned(const struct part *p, int o)
{
    if (!p->m->blas || o == C) return false;
    uint64_t nearest[2] = {UINT64_MAX, UINT64_MAX};
    for (int side = 0; side < 2; side++) {
        const struct axes *const g = p->group[lines_of[o][side]];
        for (int d = 0; d < g->count; d++)
            if (magnitude(g->at[d].s[o]) < nearest[side]) nearest[side] = magnitude(g->at[d].s[o]);
    }
    return nearest[0] < nearest[1];
}

/* The place of the block in scratch memory, and its bytes. */
static struct place scratch_place(const struct part *p, int o, const int64_t n[GROUPS],
                                  int64_t *bytes)
{
    const stria_dtype dtype = stria_dtype_of(p->m->kind);
    const bool parts = by_parts(p->m), turned = is_turned(p, o);
    const int64_t item = parts ? dtype.itemsize / 2 : dtype.itemsize;
    int64_t rows = n[lines_of[o][0]], columns = n[lines_of[o][1]];
    if (parts) rows *= 2, columns *= o == A ? 2 : 1;
    const int64_t pitch = pitch_of((turned ? rows : columns) * item);
    const int64_t whole = pitch * (turned ? columns : rows);
    *bytes = whole * n[IN_BATCH];
    return (struct place){p->room[o], turned ? item : pitch, turned ? pitch : item, whole};
}

/* Appends dims of the block to a view of scratch memory, and to one of the operand. */
static void append(stria_view *inside, stria_view *outside, const struct axes *g, int o,
                   int64_t step)
{
    int64_t strides[STRIA_MAX_NDIM];
    for (int d = g->count - 1; d >= 0; step *= g->at[d--].n)
        strides[d] = step;
    for (int d = 0; d < g->count; d++) {
        const int to = inside->ndim + d;
        inside->shape[to] = outside->shape[to] = g->at[d].n;
        inside->strides[to] = strides[d];
        outside->strides[to] = g->at[d].s[o];
    }
    inside->ndim = outside->ndim = inside->ndim + g->count;
}

/*
 * Copies the block between the operand and scratch memory, all of an item or one part of complex
 * numbers, negated where that is asked for.
 */
static stria_status copy_part(struct part *p, int o, struct place to, int which, bool negated)
{
    const struct matrices *const m = p->m;
    const stria_view *const v = m->view[o];
    const stria_dtype dtype = stria_dtype_of(m->kind);
    stria_view inside, outside;
    view_set(&inside, to.data, NULL, dtype, 0, 0, NULL, NULL);
    view_set(&outside, v->data + p->at[o], v->buffer, v->dtype, v->flags, 0, NULL, NULL);
    if (p->n[IN_BATCH] > 1) append(&inside, &outside, &p->block[IN_BATCH], o, to.batch);
    append(&inside, &outside, &p->block[lines_of[o][0]], o, to.row);
    append(&inside, &outside, &p->block[lines_of[o][1]], o, to.column);
    if (which >= 0) {
        inside.dtype = stria_dtype_of(dtype.kind == STRIA_C64 ? STRIA_F32 : STRIA_F64);
        if (which && !stria_dtype_is_complex(v->dtype)) return stria__fill_zero(&inside);
        STRIA_TRY(which ? stria_imag(&outside, &outside) : stria_real(&outside, &outside));
        if (negated) outside.flags ^= STRIA_NEG;
    }
    return o == C ? stria_copy_with(&outside, &inside, &m->call->exec)
                  : stria_copy_with(&inside, &outside, &m->call->exec);
}

/* Copies the block of an operand to its place, or of C from there. */
static stria_status copy_block(struct part *p, int o)
{
    struct place to = p->place[o];
    if (!by_parts(p->m)) return copy_part(p, o, to, -1, false);
    const int64_t item = stria_dtype_of(p->m->kind).itemsize / 2, pitch = to.row;
    to.row *= 2;
    if (o == A) {
        to.column = 2 * item;
        STRIA_TRY(copy_part(p, o, to, 0, false));
        to.data += item;
        STRIA_TRY(copy_part(p, o, to, 1, true));
        to.data += pitch - item;
        STRIA_TRY(copy_part(p, o, to, 1, false));
        to.data += item;
        return copy_part(p, o, to, 0, false);
    }
    STRIA_TRY(copy_part(p, o, to, 0, false));
    to.data += pitch;
    return copy_part(p, o, to, 1, false);
}

/* Finds the place of an operand's block, and copies it there unless it is there. */
static stria_status settle(struct part *p, int o, const int64_t index[GROUPS])
{
    const int rows = lines_of[o][0], columns = lines_of[o][1];
    struct place *const place = &p->place[o];
    int64_t bytes;
    if (p->m->way[o] != COPIED) {
        place->data = p->m->view[o]->data + p->at[o];
        (void)stria__axes_merge(&p->block[rows], o, &place->row);
        (void)stria__axes_merge(&p->block[columns], o, &place->column);
        (void)stria__axes_merge(&p->block[IN_BATCH], o, &place->batch);
        return STRIA_OK;
    }
    int64_t *const held = p->held[o];
    if (o != C && held[IN_BATCH] == index[IN_BATCH] && held[rows] == index[rows] &&
        held[columns] == index[columns])
        return STRIA_OK;
    memcpy(held, index, sizeof p->held[o]);
    *place = scratch_place(p, o, p->n, &bytes);
    return o == C ? STRIA_OK : copy_block(p, o);
}

static void multiply_by_kernel(const struct part *p, bool add)
{
    const struct place *const a = &p->place[A], *const b = &p->place[B], *const c = &p->place[C];
    const stria_dtype dtype = stria_dtype_of(p->m->kind);
    const bool parts = by_parts(p->m), wide = dtype.itemsize / (parts ? 2 : 1) == 8;
    const bool floating = dtype.kind >= STRIA_F8E4M3;
    const int type = (floating ? PRODUCT_F32 : PRODUCT_U32) + wide, twice = parts ? 2 : 1;
    const struct product product = {.m = p->n[IN_ROWS] * twice,
                                    .n = p->n[IN_COLUMNS],
                                    .k = p->n[IN_SUM] * twice,
                                    .c = c->data,
                                    .a = a->data,
                                    .b = b->data,
                                    .c_row = c->row,
                                    .a_row = a->row,
                                    .a_k = a->column,
                                    .b_k = b->row,
                                    .b_item = b->column,
                                    .b_panel = PANEL,
                                    .padded = p->m->way[B] == COPIED,
                                    .add = add,
                                    .count = p->n[IN_BATCH],
                                    .c_step = c->batch,
                                    .a_step = a->batch,
                                    .b_step = b->batch};
    const struct product_kernels *const kernels = stria__kernels()->product;
    (p->m->fused ? kernels->fused[wide] : kernels->multiply[type])(&product);
}

/* Tells how an operand of a BLAS lies, and how many items its lines are apart. */
static int blas_way(const struct part *p, int o, int64_t *ld)
{
    const struct place *const place = &p->place[o];
    const int64_t item = stria_dtype_of(p->m->kind).itemsize;
    const bool in_place = p->m->way[o] != COPIED;
    const bool turned = in_place ? p->m->way[o] == BY_COLUMNS : is_turned(p, o);
    *ld = (turned ? place->column : place->row) / item;
    if (!turned) return BLAS_PLAIN;
    return in_place && p->m->view[o]->flags & STRIA_CONJ ? BLAS_CONJUGATED : BLAS_TRANSPOSED;
}

static void multiply_by_blas(const struct part *p, bool add)
{
    struct blas_product product = {.kind = p->m->kind,
                                   .m = p->n[IN_ROWS],
                                   .n = p->n[IN_COLUMNS],
                                   .k = p->n[IN_SUM],
                                   .add = add};
    product.how_a = blas_way(p, A, &product.ld_a);
    product.how_b = blas_way(p, B, &product.ld_b);
    (void)blas_way(p, C, &product.ld_c);
    for (int64_t i = 0; i < p->n[IN_BATCH]; i++) {
        product.a = p->place[A].data + i * p->place[A].batch;
        product.b = p->place[B].data + i * p->place[B].batch;
        product.c = p->place[C].data + i * p->place[C].batch;
        stria__blas_multiply(p->m->blas, &product);
    }
}

static stria_status multiply_block(struct part *p, const int64_t index[GROUPS])
{
    memcpy(p->at, p->from, sizeof p->at);
    for (int g = 0; g < GROUPS; g++) {
        take(&p->block[g], p->at, p->group[g], &p->cut[g], index[g]);
        p->n[g] = stria__axes_numel(&p->block[g]);
    }
    for (int o = 0; o < OPERANDS; o++)
        STRIA_TRY(settle(p, o, index));
    (p->m->blas ? multiply_by_blas : multiply_by_kernel)(p, index[IN_SUM] > 0);
    const bool last = index[IN_SUM] == p->cut[IN_SUM].blocks - 1;
    return last && p->m->way[C] == COPIED ? copy_block(p, C) : STRIA_OK;
}

/* Items that are copied again, because the loop over the blocks of `outer` is around the other. */
static double copied_again(const struct part *p, int o, int outer)
{
    if (p->m->way[o] != COPIED) return 0;
    return (double)stria__axes_numel(p->group[lines_of[o][0]]) *
           (double)stria__axes_numel(p->group[lines_of[o][1]]) * (double)p->cut[outer].blocks;
}

/*
 * Sums of a block of C that is copied are finished before the next one. Of rows and columns those
 * are outside for which less of the other operand is copied again.
 */
static stria_status multiply_part(struct part *p)
{
    const bool by_rows = copied_again(p, B, IN_ROWS) < copied_again(p, A, IN_COLUMNS);
    const int outer = by_rows ? IN_ROWS : IN_COLUMNS, other = by_rows ? IN_COLUMNS : IN_ROWS;
    const int inner = p->m->way[C] == COPIED ? IN_SUM : other;
    const int middle = inner == IN_SUM ? other : IN_SUM;
    int64_t i[GROUPS];
    for (int o = 0; o < OPERANDS; o++)
        p->held[o][IN_BATCH] = -1;
    for (i[IN_BATCH] = 0; i[IN_BATCH] < p->cut[IN_BATCH].blocks; i[IN_BATCH]++)
        for (i[outer] = 0; i[outer] < p->cut[outer].blocks; i[outer]++)
            for (i[middle] = 0; i[middle] < p->cut[middle].blocks; i[middle]++)
                for (i[inner] = 0; i[inner] < p->cut[inner].blocks; i[inner]++)
                    STRIA_TRY(multiply_block(p, i));
    return STRIA_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The most indices that a block has of each group. */
static void limits(int64_t most[GROUPS], const struct matrices *m)
{
    const int64_t item = stria_dtype_of(m->kind).itemsize * (by_parts(m) ? 2 : 1),
                  block = m->blas ? BLOCK : BLOCK / 2;
    bool copied[OPERANDS];
    for (int o = 0; o < OPERANDS; o++)
        copied[o] = !m->blas || m->way[o] == COPIED;
    for (int g = 0; g < GROUPS; g++)
        most[g] = m->blas ? blas_most(m->blas) : INT64_MAX / 2;
    const int64_t rows = stria__axes_numel(&m->group[IN_ROWS]);
    if (copied[A] || copied[B]) most[IN_SUM] = m->blas ? SUMMED_BY_BLAS : SUMMED_BY_KERNELS;
    if (!m->blas && rows <= FEW_ROWS && m->way[B] == BY_ROWS) most[IN_SUM] = ROWS_AT_ONCE;
    const int64_t k = least(most[IN_SUM], stria__axes_numel(&m->group[IN_SUM]));
    const int64_t lines = block / (k * item),
                  fewest = m->blas && m->way[C] != COPIED ? FEWEST_IN_PLACE : FEWEST,
                  fit = lines > fewest ? lines : fewest;
    if (copied[A]) most[IN_ROWS] = fit;
    if (copied[B]) most[IN_COLUMNS] = fit;
    if (m->way[C] != COPIED) return;
    const int64_t side = least(least(most[IN_ROWS], 2 * FEWEST), rows);
    most[IN_ROWS] = side;
    const int64_t columns = block / (side * item);
    most[IN_COLUMNS] = least(most[IN_COLUMNS], columns > FEWEST ? columns : FEWEST);
}

struct work {
    const struct matrices *m;
    int64_t most[GROUPS];
    int64_t room[OPERANDS]; /* bytes of scratch memory of a part */
    int split;              /* the group of which parts have ranges of the outermost dim */
    int64_t parts;
    char *memory;
    stria_status *status;
};

/*
 * Tells whether both operands that have the group are copied. Blocks of summed dims are in the
 * order of the sum where that is defined.
 */
static bool is_free(const struct matrices *m, int g)
{
    if (g == IN_SUM && !m->blas && !m->fused) return false;
    for (int o = 0; o < OPERANDS && g != IN_BATCH; o++)
        if ((lines_of[o][0] == g || lines_of[o][1] == g) && m->way[o] != COPIED) return false;
    return g != IN_BATCH;
}

static int64_t room_of_part(const struct work *w)
{
    return w->room[A] + w->room[B] + w->room[C];
}

static void begin_part(struct part *p, const struct work *w)
{
    const struct matrices *const m = w->m;
    p->m = m;
    char *room = w->memory; /* NULL where no operand has any */
    for (int o = 0; o < OPERANDS; o++) {
        p->from[o] = 0;
        p->room[o] = room;
        room = stria__at(room, 1, w->room[o]);
    }
    for (int g = 0; g < GROUPS; g++) {
        p->group[g] = &m->group[g];
        cut_group(&p->cut[g], p->group[g], w->most[g], is_free(m, g));
    }
}

static void run_part(void *data, int64_t i)
{
    struct work *const w = data;
    struct part p;
    struct axes range;
    begin_part(&p, w);
    if (w->parts > 1) {
        const struct axes *const whole = p.group[w->split];
        const int64_t each = whole->at[0].n / w->parts, rest = whole->at[0].n % w->parts;
        const int64_t first = i * each + least(i, rest);
        range.count = whole->count;
        memcpy(range.at, whole->at, (size_t)whole->count * sizeof *whole->at);
        range.at[0].n = each + (i < rest);
        for (int o = 0; o < OPERANDS; o++) {
            p.from[o] = first * whole->at[0].s[o];
            p.room[o] = stria__at(p.room[o], i, room_of_part(w));
        }
        p.group[w->split] = &range;
        cut_group(&p.cut[w->split], &range, w->most[w->split], is_free(p.m, w->split));
    }
    w->status[i] = multiply_part(&p);
}

/* Decides how many matrices of a batch are copied at once, and the bytes of scratch memory. */
static void plan_room(struct work *w)
{
    const struct matrices *const m = w->m;
    struct part p;
    int64_t n[GROUPS], most_bytes = 1;
    begin_part(&p, w);
    /* Parts of the work are cut by themselves, to other blocks than the whole. */
    for (int g = 0; g < GROUPS; g++)
        n[g] = g == IN_BATCH ? 1 : least(w->most[g], stria__axes_numel(&m->group[g]));
    for (int o = 0; o < OPERANDS; o++) {
        w->room[o] = 0;
        if (m->way[o] == COPIED) (void)scratch_place(&p, o, n, &w->room[o]);
        if (w->room[o] > most_bytes) most_bytes = w->room[o];
    }
    const struct axes *const batch = &m->group[IN_BATCH];
    const int64_t inner = batch->count > 0 ? batch->at[batch->count - 1].n : 1;
    const int64_t fit = (m->blas ? 1 << 20 : 128 << 10) / most_bytes;
    w->most[IN_BATCH] = most_bytes == 1 ? inner : fit > 1 ? least(fit, inner) : 1;
    for (int o = 0; o < OPERANDS; o++)
        w->room[o] *= w->most[IN_BATCH];
}

/* Splits a batch, or the longer side of C, where Stria's kernels would keep several threads busy.
 */
static void plan_threads(struct work *w)
{
    const struct matrices *const m = w->m;
    double work = 0.1;
    for (int g = 0; g < GROUPS; g++)
        work *= (double)stria__axes_numel(&m->group[g]);
    w->parts = m->blas ? 1 : stria__threads_for(&m->call->exec, 0, work);
    w->split = IN_BATCH;
    const int longer =
        stria__axes_numel(&m->group[IN_ROWS]) > stria__axes_numel(&m->group[IN_COLUMNS])
            ? IN_ROWS
            : IN_COLUMNS;
    if (m->group[IN_BATCH].count == 0 || m->group[IN_BATCH].at[0].n < w->parts) w->split = longer;
    w->parts = least(w->parts, m->group[w->split].at[0].n);
}

stria_status stria__multiply_matrices(const struct matrices *m)
{
    struct work w = {.m = m};
    limits(w.most, m);
    w.most[IN_BATCH] = 1;
    plan_room(&w);
    plan_threads(&w);
    const stria_allocator from = stria__allocator();
    const size_t statuses = (size_t)w.parts * sizeof *w.status;
    const size_t size = (size_t)(w.parts * room_of_part(&w)) + statuses;
    w.memory = from.alloc(size, STRIA_ALIGNMENT, from.context);
    if (!w.memory)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no %zu bytes of scratch memory", m->call->op,
                           size);
    memset(w.memory, 0, size); /* what pads rows of B is read */
    w.status = (stria_status *)(void *)(w.memory + size - statuses);
    stria__parallel(&m->call->exec, (int)w.parts, w.parts, run_part, &w);
    stria_status status = STRIA_OK;
    for (int64_t i = 0; i < w.parts && status == STRIA_OK; i++)
        status = w.status[i];
    from.free(w.memory, size, from.context);
    return status;
}
