/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tile is transposed where its items are smaller: before they are converted to larger ones, or
 * after they have become no larger than they were. Either way it ends in rows of the output.
 *
 * Of the input a tile takes a few lines of each of many rows, which the hardware does not foresee.
 * While its rows go out, the lines of the next one are fetched, some for each row: all at once they
 * would wait for each other, and nothing would be read while the rows are written.
 */
#include "through_tiles.h"

#include "checked.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "ops/ahead.h"
#include "ops/convert/boxes.h"
#include "through_items.h"
#include "tiling.h"

enum {
    /* Bytes of a tile in a row of the input, converted first or not. */
    RUN_FIRST = 512,
    RUN = 256,
    /* Items in a row of the output, and where rows share lines with others. */
    ROW_FIRST = 128,
    ROW = 256,
    RAGGED = 2,   /* times as many */
    JOINED = 256, /* items of rows that follow each other, written at once */
    WIDEST = 256, /* items of a tile in a row of the input, at most */
    LONGEST_ITEM = 16,
    SCRATCH = 160 << 10
};

/*
 * Items that are converted first are at least halved: RUN_FIRST / 2 bytes of them in a row, as many
 * items at most. Both those rows and the ones that they are transposed to end with a spare line.
 */
_Static_assert(2 * (ROW_FIRST * RAGGED) * (RUN_FIRST / 2) +
                       LINE * (ROW_FIRST * RAGGED + RUN_FIRST / 2) <=
                   SCRATCH,
               "room for a tile that is converted first");
_Static_assert((ROW * RAGGED + LINE) * RUN <= SCRATCH, "room for a tile that is transposed");
_Static_assert(RUN_FIRST / 2 <= WIDEST && RUN <= WIDEST, "room for the offsets of its rows");

struct work {
    const struct tiles *tiles;
    bool stream;
    _Alignas(LINE) char row[ROW * RAGGED * LONGEST_ITEM];
    _Alignas(LINE) char scratch[SCRATCH];
};

/* ---- one tile ------------------------------------------------------------------------------ */

/* To rows `pitch` bytes apart. far: what in_at leads to is not in the first-level cache. */
static void transpose(char *out, int64_t pitch, const char *in, const int64_t *in_at,
                      const struct tile *tile, int64_t item, bool far)
{
    int64_t out_at[WIDEST];
    for (int64_t i = 0; i < tile->np; i++)
        out_at[i] = i * pitch;
    const struct transpose t = {.out = out,
                                .in = in,
                                .out_at = out_at,
                                .in_at = in_at,
                                .np = tile->np,
                                .nq = tile->nq,
                                .item = item,
                                .collide = far};
    stria__kernels()->transpose[stria__size_class(item)](&t);
}

/* Rows of the input, converted, lie behind those that they are transposed to. */
static void convert_rows(struct work *t, const struct tile *tile, int64_t pitch)
{
    const struct conversion *how = t->tiles->how;
    const int64_t step = tile->np * how->out_item + LINE;
    char *const rows = t->scratch + (tile->np * pitch + LINE - 1) / LINE * LINE;
    int64_t at[ROW_FIRST * RAGGED];
    for (int64_t i = 0; i < tile->nq; i++) {
        at[i] = i * step;
        how->row(how, rows + at[i], tile->in + t->tiles->tiling.q.at[i], tile->np);
    }
    transpose(t->scratch, pitch, rows, at, tile, how->out_item, false);
}

static void write_row(struct work *t, char *out, const char *from, int64_t n)
{
    const struct conversion *how = t->tiles->how;
    const struct stria_kernels *kernels = stria__kernels();
    if (!t->tiles->convert_first) {
        how->row(how, t->stream ? t->row : out, from, n);
        from = t->row;
    }
    if (t->stream)
        kernels->stream(out, from, n * how->out_item);
    else if (t->tiles->convert_first)
        kernels->copy(out, from, n * how->out_item);
}

static void write_rows(struct work *t, const struct tiling *tiling, const struct tile *tile,
                       int64_t pitch)
{
    const struct conversion *how = t->tiles->how;
    const struct tile *next = tile->next;
    const int64_t all = tile->np * tile->nq, most = t->tiles->joined ? JOINED : tile->nq;
    int64_t fetched = 0;
    for (int64_t i = 0, row = 0; i < all; i += most, row++) {
        const int64_t n = least(most, all - i);
        if (t->tiles->joined)
            write_row(t, tile->out + i * how->out_item, t->scratch + i * t->tiles->item, n);
        else
            write_row(t, tile->out + tiling->p.at[row], t->scratch + row * pitch, n);
        for (; next && fetched < next->nq * (i + n) / all; fetched++)
            stria__fetch_lines(next->in + tiling->q.at[fetched], next->np * how->in_item);
    }
}

static void run_tile(const struct tiling *tiling, const struct tile *tile, void *arg)
{
    struct work *t = arg;
    const int64_t pitch = tile->nq * t->tiles->item + (t->tiles->joined ? 0 : LINE);
    if (t->tiles->convert_first)
        convert_rows(t, tile, pitch);
    else
        transpose(t->scratch, pitch, tile->in, tiling->q.at, tile, t->tiles->item, true);
    write_rows(t, tiling, tile, pitch);
}

/* ---- all of them --------------------------------------------------------------------------- */

static bool rows_join(const struct tiling *t, int64_t item)
{
    const int64_t nq = t->q.inner * t->q.block;
    for (int i = 0; i < t->nloops; i++)
        if (t->loops[i].side == &t->q) return false;
    for (int64_t i = 0; i < t->p.inner * t->p.block; i++)
        if (t->p.at[i] != i * nq * item) return false;
    return true;
}

/* As many rows as items in a row, where these are converted first, but no less than a line. */
static void make_tiling(struct tiling *out, const struct nest *items, const struct conversion *how,
                        bool first)
{
    const int64_t np = (first ? RUN_FIRST : RUN) / how->in_item, line = LINE / how->out_item;
    int64_t nq = first ? least(np, ROW_FIRST) : ROW;
    if (nq < line) nq = line;
    const struct heads heads = stria__heads_in_items(items, how, np, 2 * nq);
    stria__tiling_make(out, items, np, nq, &heads, BY_INPUT);
    if (stria__items_line_up(out, items, how)) return;
    stria__tiling_make(out, items, np, (first ? ROW_FIRST : ROW) * RAGGED, NULL, BY_INPUT);
}

/* There is enough in a row of either side. */
static bool is_worth(const struct tiles *tiles)
{
    enum { LEAST = 32 /* items */ };
    const struct side *p = &tiles->tiling.p, *q = &tiles->tiling.q;
    return q->inner * q->block >= LEAST &&
           p->inner * p->block >= least(LEAST, RUN / tiles->how->in_item);
}

bool stria__tiles_make(struct tiles *out, const stria_plan *plan, const struct conversion *how,
                       bool stream)
{
    struct nest nest, items;
    stria__nest_of_conversion(&nest, plan, how);
    if (!stria__nest_in_items(&items, &nest, how) || items.item > 1 || items.ndim < 2) return false;
    if (items.d[0].so != 1 || !stria__tiling_dim(&items)) return false;
    out->how = how;
    out->convert_first = how->out_item < how->in_item;
    out->item = out->convert_first ? how->out_item : how->in_item;
    out->by_lines = stream && stria__lines_make(&out->lines, &out->tiling, &nest, how);
    if (!out->by_lines) make_tiling(&out->tiling, &items, how, out->convert_first);
    stria__tiling_in_bytes(&out->tiling, how);
    out->joined = rows_join(&out->tiling, how->out_item);
    return out->by_lines || is_worth(out);
}

void stria__tiles_run(const struct tiles *tiles, bool stream)
{
    if (tiles->by_lines) {
        stria__lines_run(&tiles->lines, &tiles->tiling, tiles->how);
        return;
    }
    struct work work;
    work.tiles = tiles;
    work.stream = stream;
    stria__tiling_walk(&tiles->tiling, run_tile, &work);
    if (stream) stria__kernels()->fence();
}
