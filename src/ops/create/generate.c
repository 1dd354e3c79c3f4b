/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes generated elements. A dense output is cut into pieces of one length for threads. g->row
 * writes directly to it if it has the dtype of the output, and through a scratch row otherwise. An
 * output that is not dense, or not aligned, gets boxes, whose elements follow each other in C
 * order, by copies from a scratch row.
 */
#include "ops/create/generate.h"

#include "engine/conversion.h"
#include "ops/operands.h"

enum {
    ROW = 512,   /* Elements of a scratch row. */
    PIECE = 8192 /* Elements of a task, a multiple of ROW. */
};

/* ---- dense outputs --------------------------------------------------------------------------- */

struct dense {
    const struct generator *g;
    struct conversion how;
    char *data;
    int64_t numel, item;
};

static void generate_piece(void *data, int64_t i)
{
    const struct dense *const d = data;
    int64_t at = i * PIECE;
    if (stria__is_stopped()) return;
    const int64_t end = least(d->numel, at + PIECE);
    if (!d->how.row) {
        d->g->row(d->data + at * d->item, at, end - at, d->g->how);
        return;
    }
    _Alignas(64) int64_t row[ROW];
    for (; at < end; at += ROW) {
        const int64_t n = least(end - at, ROW);
        d->g->row(row, at, n, d->g->how);
        d->how.row(&d->how, d->data + at * d->item, (const char *)row, n);
    }
}

static stria_status generate_dense(const stria_view *out, const struct generator *g,
                                   const struct conversion *how, const stria_exec *exec)
{
    struct dense dense = {g, *how, out->data, stria_numel(out), out->dtype.itemsize};
    const int threads =
        stria__threads_for(exec, stria_nbytes(out), g->cycles * (double)dense.numel);
    stria__parallel(exec, threads, (dense.numel + PIECE - 1) / PIECE, generate_piece, &dense);
    return stria__watch_end(exec);
}

/* Writes out[index..., from:to]; index has the dims before dim. */
static stria_status generate_box(const stria_view *out, const int64_t *index, int dim, int64_t from,
                                 int64_t to, int64_t first, const struct generator *g)
{
    _Alignas(64) int64_t row[ROW];
    stria_view box, made;
    view_copy(&box, out);
    for (int d = 0; d < dim; d++)
        STRIA_TRY(stria_select(&box, &box, 0, index[d]));
    if (box.ndim > 0) STRIA_TRY(stria_narrow(&box, &box, 0, from, to - from));
    STRIA_TRY(
        stria_view_foreign(&made, row, stria_dtype_of(g->kind), box.ndim, box.shape, NULL, 0));
    g->row(row, first, stria_numel(&box), g->how);
    return stria_copy(&box, &made, NULL);
}

/* Writes box by box. A box spans a range of one dim and all of the dims inside it, as many elements
 * as a row has room for. */
static stria_status generate_boxes(const stria_view *out, const struct generator *g)
{
    int64_t index[STRIA_MAX_NDIM] = {0}, inside = 1, first = 0;
    int dim = out->ndim > 0 ? out->ndim - 1 : 0;
    while (dim > 0 && inside * out->shape[dim] <= ROW)
        inside *= out->shape[dim--];
    const int64_t size = out->ndim > 0 ? out->shape[dim] : 1, step = ROW / inside;
    do
        for (int64_t from = 0; from < size; from += step) {
            const int64_t to = least(size, from + step);
            if (stria__is_stopped()) return STRIA_ERR_CANCELLED;
            STRIA_TRY(generate_box(out, index, dim, from, to, first, g));
            first += (to - from) * inside;
        }
    while (stria__next_index(index, dim, out->shape));
    return STRIA_OK;
}

stria_status stria__generate(const stria_view *out, const struct generator *g, const char *op,
                             const stria_exec *exec)
{
    COMPUTES(exec);
    struct conversion how;
    stria_view row;
    STRIA_TRY(stria__check_writable(out, op, "out"));
    STRIA_TRY(stria__check_exec(exec, op));
    row.dtype = stria_dtype_of(g->kind);
    row.flags = 0;
    STRIA_TRY(stria__convert(&how, out, &row, exec));
    if (stria_numel(out) == 0 || view_is_meta(out)) return STRIA_OK;
    if (stria_is_contiguous(out, STRIA_ORDER_C) && stria_is_aligned(out))
        return generate_dense(out, g, &how, exec);
    STRIA_TRY(stria__check_itself(out, op, "out"));
    WATCHES(exec);
    const stria_status status = generate_boxes(out, g);
    STRIA_TRY(stria__watch_end(exec));
    return status;
}
