/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/contract/block_sizes.h"

#include "ops/contract/blas.h"
#include "machine/machine.h"
#include "simd/product.h"
#include "plan/threads.h"

/*
 * Blocks that are copied stay in a second-level cache between the copy and the product, but have so
 * many rows or columns that a BLAS, which packs the other operand again for each, is busy with
 * products. Those of the kernels, which pack nothing, have half of the bytes. Few rows are
 * multiplied with a few rows of B at a time, along which memory is read.
 */
enum { BLOCK = 1 << 20, FEWEST = 256, FEWEST_IN_PLACE = 1024, ROWS_AT_ONCE = 16 };
/* A product that a watch waits for, and the sides and the bytes of one that is a block of more. */
enum { ASKED_SIDE = 512, ASKED = 1 << 27, ASKED_BYTES = 1 << 23 };
enum { SUMMED_BY_KERNELS = 256, SUMMED_BY_BLAS = 1024 };

bool stria__by_parts(const struct matrices *m)
{
    return !m->blas && stria_dtype_is_complex(stria_dtype_of(m->kind));
}

bool stria__is_turned(const struct matrices *m, int o)
{
    return m->blas && o != C &&
           stria__axes_nearest(&m->group[rows_of[o]], o) <
               stria__axes_nearest(&m->group[columns_of[o]], o);
}

/*
 * Rows of scratch begin on lines of the cache. Those that are longer than a panel are an odd number
 * of lines apart: a panel of each lies in all sets of a cache then, where a pitch of four lines
 * would leave it a quarter of them.
 */
static int64_t pitch_of(int64_t bytes)
{
    const int64_t lines = (bytes - 1) / LINE + 1;
    return (lines * LINE > PANEL ? lines | 1 : lines) * LINE;
}

struct place stria__scratch_place(const struct matrices *m, int o, char *room,
                                  const int64_t n[GROUPS], int64_t *bytes)
{
    const stria_dtype dtype = stria_dtype_of(m->kind);
    const bool parts = stria__by_parts(m), turned = stria__is_turned(m, o);
    const int64_t item = parts ? dtype.itemsize / 2 : dtype.itemsize;
    int64_t rows = n[rows_of[o]], columns = n[columns_of[o]];
    if (parts) rows *= 2, columns *= o == A ? 2 : 1;
    const int64_t pitch = pitch_of((turned ? rows : columns) * item);
    const int64_t whole = pitch * (turned ? columns : rows);
    *bytes = whole * n[IN_BATCH] + LINE; /* a last panel may end in the line behind its row */
    return (struct place){room, turned ? item : pitch, turned ? pitch : item, whole};
}

static double products_of(const struct matrices *m)
{
    double all = 1;
    for (int g = 0; g < GROUPS; g++)
        all *= (double)stria__axes_numel(&m->group[g]);
    return all;
}

/*
 * Limits the block that a BLAS multiplies at once where a watch waits for it: to so many products,
 * and so many bytes, of sides that are as long as others, or longer where these are short.
 */
static void limit(int64_t most[GROUPS], const struct matrices *m)
{
    const int64_t items = ASKED_BYTES / stria_dtype_of(m->kind).itemsize,
                  side = m->kind < STRIA_C64 ? ASKED_SIDE : ASKED_SIDE / 2,
                  products = side * side * side;
    int64_t n[GROUPS];
    for (int g = IN_ROWS; g <= IN_SUM; g++)
        n[g] = least(least(most[g], side), stria__axes_numel(&m->group[g]));
    for (int g = IN_SUM; g >= IN_ROWS; g--) {
        const int64_t a = n[g == IN_ROWS ? IN_COLUMNS : IN_ROWS],
                      b = n[g == IN_SUM ? IN_COLUMNS : IN_SUM],
                      fit = least(products / (a * b), items / (a + b));
        most[g] = least(most[g], fit > side ? fit : side);
        n[g] = least(most[g], stria__axes_numel(&m->group[g]));
    }
}

/* The most indices that a block has of each group. */
static void limits(int64_t most[GROUPS], const struct matrices *m)
{
    const int64_t item = stria_dtype_of(m->kind).itemsize * (stria__by_parts(m) ? 2 : 1),
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
    if (m->blas && stria__is_watched(&m->call->exec) &&
        products_of(m) > (m->kind < STRIA_C64 ? ASKED : ASKED / 8))
        limit(most, m);
    if (m->way[C] != COPIED) return;
    const int64_t side = least(least(most[IN_ROWS], 2 * FEWEST), rows);
    most[IN_ROWS] = side;
    const int64_t columns = block / (side * item);
    most[IN_COLUMNS] = least(most[IN_COLUMNS], columns > FEWEST ? columns : FEWEST);
}

/* Decides how many matrices of a batch are copied at once, and the bytes of scratch memory. */
static void plan_room(struct block_sizes *s, const struct matrices *m)
{
    int64_t n[GROUPS], most_bytes = 1;
    /* Parts of the work are cut separately, to other blocks than the whole. */
    for (int g = 0; g < GROUPS; g++)
        n[g] = g == IN_BATCH ? 1 : least(s->most[g], stria__axes_numel(&m->group[g]));
    for (int o = 0; o < OPERANDS; o++) {
        s->room[o] = 0;
        if (m->way[o] == COPIED) (void)stria__scratch_place(m, o, NULL, n, &s->room[o]);
        if (s->room[o] > most_bytes) most_bytes = s->room[o];
    }
    const struct axes *const batch = &m->group[IN_BATCH];
    const int64_t inner = batch->count > 0 ? batch->at[batch->count - 1].n : 1;
    const int64_t fit = (m->blas ? 1 << 20 : 128 << 10) / most_bytes;
    s->most[IN_BATCH] = most_bytes == 1 ? inner : fit > 1 ? least(fit, inner) : 1;
    if (stria__is_watched(&m->call->exec)) {
        const double each = (double)n[IN_ROWS] * (double)n[IN_COLUMNS] * (double)n[IN_SUM];
        const int64_t asked = each < ASKED / 4 ? (int64_t)(ASKED / 4 / each) : 1;
        s->most[IN_BATCH] = least(s->most[IN_BATCH], asked);
    }
    for (int o = 0; o < OPERANDS; o++)
        s->room[o] *= s->most[IN_BATCH];
}

/* Splits a batch, or the longer side of C, where Stria's kernels would keep several threads busy.
 */
static void plan_threads(struct block_sizes *s, const struct matrices *m)
{
    s->parts = m->blas ? 1 : stria__threads_for(&m->call->exec, 0, 0.1 * products_of(m));
    s->split = IN_BATCH;
    const int longer =
        stria__axes_numel(&m->group[IN_ROWS]) > stria__axes_numel(&m->group[IN_COLUMNS])
            ? IN_ROWS
            : IN_COLUMNS;
    if (m->group[IN_BATCH].count == 0 || m->group[IN_BATCH].at[0].n < s->parts) s->split = longer;
    s->parts = least(s->parts, m->group[s->split].at[0].n);
}

void stria__size_blocks(struct block_sizes *s, const struct matrices *m)
{
    limits(s->most, m);
    plan_room(s, m);
    plan_threads(s, m);
}
