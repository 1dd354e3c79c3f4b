/* SPDX-License-Identifier: BSD-3-Clause */
#include "write_blocks.h"

#include "budget.h"
#include "pages.h"
#include "stria/copy.h"
#include "tiles.h"
#include "write_behind.h"

enum {
    ROWS = 8 << 20,   /* bytes of a block whose elements are read as they are written */
    TILE = 128 << 20, /* of one that is turned: its runs are some thousand bytes long */
    SMALL = 4 << 20,  /* what lies in the caches is turned there, without blocks */
    PIECES = 8        /* of a block, between which pages of maps are given back */
};

struct work {
    const struct result *result;
    struct dim_order file, read;
    stria_array rooms[2]; /* scratch memory for blocks: one is written, one is filled */
    int next;
    struct write_behind behind;
    bool turned; /* elements are read in another order than they are written */
    bool heavy;  /* the maps are large beside the budget of memory */
};

/* ---- blocks ---------------------------------------------------------------------------------- */

static stria_status part_of(stria_view *out, const stria_view *a, const int64_t *start,
                            const int64_t *size)
{
    *out = *a;
    for (int d = 0; d < a->ndim; d++)
        TRY(stria_narrow(out, out, d, start[d], size[d]));
    return STRIA_OK;
}

static stria_status compute(const struct work *w, const int64_t *start, const stria_view *out)
{
    stria_view from;
    if (w->result->fused) return fuse_block(w->result->fused, start, out);
    TRY(part_of(&from, w->result->view, start, out->shape));
    /* To turn a block takes less time than to write the last one, and one thread leaves a processor
     * to do that. */
    const stria_exec exec = {.threads = w->behind.threaded ? 1 : 0};
    return stria_copy_with(out, &from, &exec);
}

/* A dense view of scratch memory, in the order of the file. */
static stria_status scratch(stria_view *out, const struct work *w, const int64_t *size)
{
    stria_buffer *const room = w->rooms[w->next].owned;
    const stria_view *const like = w->result->view;
    int64_t strides[STRIA_MAX_NDIM], step = like->dtype.itemsize;
    for (int i = 0; i < like->ndim; i++) {
        const int d = w->result->fortran ? i : like->ndim - 1 - i;
        strides[d] = step;
        step *= size[d] ? size[d] : 1;
    }
    return stria_view_make(out, room, like->dtype, like->ndim, size, strides, 0);
}

/* The dim along which pieces of a box read different pages: that of the largest steps. */
static int dim_to_cut(const struct work *w, const struct tiles *t)
{
    for (int i = w->read.count - 1; i >= 0; i--)
        if (t->size[w->read.dims[i]] > 1) return w->read.dims[i];
    return -1;
}

static stria_status fill(const struct work *w, const struct tiles *t, const stria_view *block)
{
    const int d = w->heavy && w->turned ? dim_to_cut(w, t) : -1;
    if (d < 0) return compute(w, t->start, block);
    int64_t start[STRIA_MAX_NDIM];
    for (int k = 0; k < t->ndim; k++)
        start[k] = t->start[k];
    const int64_t n = t->size[d], piece = (n - 1) / PIECES + 1;
    for (int64_t i = 0; i < n; i += piece) {
        stria_view part;
        TRY(stria_narrow(&part, block, d, i, n - i < piece ? n - i : piece));
        start[d] = t->start[d] + i;
        TRY(compute(w, start, &part));
        pages_drop();
    }
    return STRIA_OK;
}

static stria_status put(struct work *w, const struct tiles *t)
{
    stria_view block;
    if (!w->rooms[0].owned) {
        TRY(part_of(&block, w->result->view, t->start, t->size));
    } else {
        TRY(scratch(&block, w, t->size));
        TRY(fill(w, t, &block));
        w->next = w->rooms[1].owned ? !w->next : 0;
    }
    TRY(write_behind_put(&w->behind, t->start, &block));
    pages_drop();
    return STRIA_OK;
}

/* ---- the choice of blocks -------------------------------------------------------------------- */

static bool disagrees(struct work *w, const stria_view *a)
{
    const struct dim_order order = order_of_view(a, w->result->view->ndim);
    if (!order.count || !w->file.count || order.dims[0] == w->file.dims[0]) return false;
    if (stria_nbytes(a) <= SMALL) return false;
    w->read = order;
    return true;
}

/* Whether something large is read in another order than the file has, and in which. */
static bool find_order(struct work *w)
{
    const struct result *const r = w->result;
    w->file = order_of_file(r->view->ndim, r->view->shape, r->fortran);
    w->read = w->file;
    if (r->stream) return false;
    if (!r->fused) return disagrees(w, r->view);
    for (int i = 0; i < r->fused->count; i++)
        if (disagrees(w, r->fused->inputs[i])) return true;
    return false;
}

static int64_t block_bytes(const struct work *w, const struct tiles *t)
{
    int64_t items = 1;
    for (int d = 0; d < t->ndim; d++)
        items *= t->most[d];
    return items * w->result->view->dtype.itemsize;
}

/* Memory for a block, and for another one where there are several. */
static stria_status take_rooms(struct work *w, int64_t bytes)
{
    const int rooms = bytes < stria_nbytes(w->result->view) ? 2 : 1;
    for (int i = 0; i < rooms; i++)
        TRY(stria_empty(&w->rooms[i], stria_dtype_of(STRIA_U8), 1, &bytes));
    return STRIA_OK;
}

static stria_status write_all(struct work *w, struct tiles *t, struct progress *progress)
{
    const int64_t all = stria_nbytes(w->result->view);
    int64_t done = 0;
    do {
        TRY(put(w, t));
        int64_t bytes = w->result->view->dtype.itemsize;
        for (int d = 0; d < t->ndim; d++)
            bytes *= t->size[d];
        done += bytes;
        if (all > 0) progress_set(progress, (int)((double)done / (double)all * 1000));
    } while (tiles_next(t));
    return STRIA_OK;
}

/* The bytes of a block: what is left for two of them, and for the pages that are read. */
static int64_t room_for_block(const struct work *w)
{
    /* Pages that are read count, several times their share where runs are short. */
    const int64_t part = budget_left() / (w->heavy ? 4 : 3), most = w->turned ? TILE : ROWS;
    return part < most ? part : most;
}

stria_status write_blocks(stria_npy_writer *writer, const struct result *result,
                          struct progress *progress, struct failure *failure)
{
    struct work w = {.result = result};
    struct tiles tiles;
    stria_status status = STRIA_OK;
    w.turned = find_order(&w);
    w.heavy = pages_are_many();
    tiles_start(&tiles, result->view->ndim, result->view->shape, result->fortran,
                result->view->dtype.itemsize, room_for_block(&w), &w.file, &w.read);
    if (result->fused || w.turned) status = take_rooms(&w, block_bytes(&w, &tiles));
    write_behind_start(&w.behind, writer, status == STRIA_OK && w.rooms[1].owned);
    if (status == STRIA_OK) status = write_all(&w, &tiles, progress);
    if (status != STRIA_OK) (void)fail_library(failure, status, NO_PLACE);
    const stria_status written = write_behind_end(&w.behind);
    if (written != STRIA_OK) *failure = w.behind.failure;
    stria_array_release(&w.rooms[0]);
    stria_array_release(&w.rooms[1]);
    return written != STRIA_OK ? written : status;
}
