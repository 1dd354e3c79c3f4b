/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices, block by block. A block is a box of the dims of each group: the inner ones
 * whole, a range of one, one index of those outside of it. What is copied of an operand is a block,
 * so that scratch memory does not grow with the operands. The kernels of product.h take every
 * block dense and real: complex numbers become two rows of A, (re, -im) and (im, re), two rows of
 * B and two of C.
 */
#include <string.h>

#include "base/alloc.h"
#include "machine/families.h"
#include "base/integers.h"
#include "ops/contract/blas.h"
#include "ops/contract/block_sizes.h"
#include "ops/make.h"
#include "plan/plan.h"
#include "simd/product.h"
#include "base/status.h"
#include "stria/complex.h"
#include "stria/copy.h"
#include "plan/threads.h"
#include "view/view.h"

/* ---- blocks of a group ----------------------------------------------------------------------- */

/* The most indices of each dim in a block, and how many blocks there are. */
struct pieces {
    int64_t chunk[STRIA_MAX_NDIM], blocks;
};

/* Returns the smallest step of a dim in any operand. */
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
        room = out->chunk[next] == n ? room / n : 1; /* Blocks have one index of the outer dims. */
    }
}

/* Gives block number i, and moves `at` from the start of the group to that of the block. */
static void take_part(struct axes *out, int64_t at[OPERANDS], const struct axes *g,
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
    for (int d = 0; d < g->count; d++) /* One index makes no dim. */
        if (out->at[d].n > 1) out->at[out->count++] = out->at[d];
}

/* ---- a part of the work, which one thread does ----------------------------------------------- */

struct part {
    const struct matrices *m;
    const struct axes *group[GROUPS];
    int64_t from[OPERANDS]; /* Offsets of the part from the address of the view. */
    struct pieces cut[GROUPS];
    struct axes block[GROUPS];
    int64_t n[GROUPS];    /* Indices of the block in each group. */
    int64_t at[OPERANDS]; /* Offsets of the block. */
    struct place place[OPERANDS];
    char *room[OPERANDS];
    int64_t held[OPERANDS][GROUPS]; /* The block that lies in the room; -1: none. */
    stria_status status;
};

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
    append(&inside, &outside, &p->block[rows_of[o]], o, to.row);
    append(&inside, &outside, &p->block[columns_of[o]], o, to.column);
    if (which >= 0) {
        inside.dtype = stria_dtype_of(dtype.kind == STRIA_C64 ? STRIA_F32 : STRIA_F64);
        if (which && !stria_dtype_is_complex(v->dtype)) return stria__fill_zero(&inside);
        STRIA_TRY(which ? stria_imag(&outside, &outside) : stria_real(&outside, &outside));
        if (negated) outside.flags ^= STRIA_NEG;
    }
    return o == C ? stria_copy(&outside, &inside, &m->call->exec)
                  : stria_copy(&inside, &outside, &m->call->exec);
}

/* Copies the block of an operand to scratch memory, or that of C back. */
static stria_status copy_block(struct part *p, int o)
{
    struct place to = p->place[o];
    if (!stria__by_parts(p->m)) return copy_part(p, o, to, -1, false);
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

/* Finds the place of an operand's block, and copies it to scratch unless it lies there. */
static stria_status settle(struct part *p, int o, const int64_t index[GROUPS])
{
    const int rows = rows_of[o], columns = columns_of[o];
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
    *place = stria__scratch_place(p->m, o, p->room[o], p->n, &bytes);
    return o == C ? STRIA_OK : copy_block(p, o);
}

static void multiply_by_kernel(const struct part *p, bool add)
{
    const struct place *const a = &p->place[A], *const b = &p->place[B], *const c = &p->place[C];
    const stria_dtype dtype = stria_dtype_of(p->m->kind);
    const bool parts = stria__by_parts(p->m), wide = dtype.itemsize / (parts ? 2 : 1) == 8;
    const bool floating = dtype.kind >= STRIA_F8E4M3;
    const int64_t rows = p->n[IN_ROWS];
    const int type = (floating ? PRODUCT_F32 : PRODUCT_U32) + wide, twice = parts ? 2 : 1;
    const struct product product = {.m = rows * twice,
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
                                    .b_ahead =
                                        p->m->way[B] == BY_ROWS && rows <= FEW_ROWS ? B_AHEAD : 0,
                                    .padded = p->m->way[B] == COPIED,
                                    .add = add,
                                    .count = p->n[IN_BATCH],
                                    .c_step = c->batch,
                                    .a_step = a->batch,
                                    .b_step = b->batch};
    const struct product_kernels *const kernels = stria__product();
    (p->m->fused ? kernels->fused[wide] : kernels->multiply[type])(&product);
}

/* Tells how a BLAS sees an operand, and how many items apart its lines are. */
static int blas_way(const struct part *p, int o, int64_t *ld)
{
    const struct place *const place = &p->place[o];
    const int64_t item = stria_dtype_of(p->m->kind).itemsize;
    const bool in_place = p->m->way[o] != COPIED;
    const bool turned = in_place ? p->m->way[o] == BY_COLUMNS : stria__is_turned(p->m, o);
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
    if (stria__is_stopped()) return STRIA_ERR_CANCELLED;
    memcpy(p->at, p->from, sizeof p->at);
    for (int g = 0; g < GROUPS; g++) {
        take_part(&p->block[g], p->at, p->group[g], &p->cut[g], index[g]);
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
    return (double)stria__axes_numel(p->group[rows_of[o]]) *
           (double)stria__axes_numel(p->group[columns_of[o]]) * (double)p->cut[outer].blocks;
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

/* The state of a part. */
struct known {
    struct part part;
    struct axes range; /* Range of the group that is split. */
};
_Static_assert(sizeof(struct known) <= PART_ROOM, "one lies in struct matrices");

struct work {
    const struct matrices *m;
    struct block_sizes sizes;
    char *memory;
    struct known *known; /* The state of each part. */
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
        if ((rows_of[o] == g || columns_of[o] == g) && m->way[o] != COPIED) return false;
    return g != IN_BATCH;
}

static int64_t room_of_part(const struct work *w)
{
    return w->sizes.room[A] + w->sizes.room[B] + w->sizes.room[C];
}

static void take_group(struct part *p, const struct work *w, int g, const struct axes *group)
{
    p->group[g] = group;
    cut_group(&p->cut[g], group, w->sizes.most[g], is_free(w->m, g));
}

static void run_part(void *data, int64_t i)
{
    struct work *const w = data;
    const struct block_sizes *const sizes = &w->sizes;
    const struct axes *const whole = &w->m->group[sizes->split];
    char *room = stria__at(w->memory, i, room_of_part(w)); /* NULL if no operand is copied. */
    struct part *const p = &w->known[i].part;
    struct axes *const range = &w->known[i].range;
    int64_t first = 0;
    p->m = w->m;
    for (int g = 0; g < GROUPS; g++)
        take_group(p, w, g, &w->m->group[g]);
    if (sizes->parts > 1) {
        const struct share share = share_of(whole->at[0].n, sizes->parts, i);
        first = share.first;
        range->count = whole->count;
        memcpy(range->at, whole->at, (size_t)whole->count * sizeof *whole->at);
        range->at[0].n = share.last - first;
        take_group(p, w, sizes->split, range);
    }
    for (int o = 0; o < OPERANDS; o++) {
        p->from[o] = first ? first * whole->at[0].s[o] : 0;
        p->room[o] = room;
        room = stria__at(room, 1, sizes->room[o]);
    }
    w->status[i] = multiply_part(p);
}

stria_status stria__multiply_matrices(const struct matrices *m)
{
    struct work w = {.m = m};
    stria__size_blocks(&w.sizes, m);
    const int64_t parts = w.sizes.parts;
    const size_t rooms = (size_t)round_up(parts * room_of_part(&w), LINE),
                 known = parts > 1 ? (size_t)parts * sizeof *w.known : 0;
    OWNED_MEMORY(memory, rooms + known + (size_t)parts * sizeof *w.status);
    if (!memory.at)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no %zu bytes of scratch memory", m->call->op,
                           memory.size);
    memset(memory.at, 0, rooms); /* The padding of rows of B is read, too. */
    w.memory = memory.at;
    w.known = (struct known *)(void *)(known ? w.memory + rooms : m->call->room->part);
    w.status = (stria_status *)(void *)(w.memory + rooms + known);
    stria__parallel(&m->call->exec, (int)parts, parts, run_part, &w);
    STRIA_TRY(stria__watch_end(&m->call->exec));
    for (int64_t i = 0; i < parts; i++)
        STRIA_TRY(w.status[i]);
    return STRIA_OK;
}
