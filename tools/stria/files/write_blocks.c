/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "write_blocks.h"

#include "pages.h"
#include "block_reads.h"
#include "stria/copy.h"
#include "system.h"
#include "tiles.h"
#include "tool.h"

/* ---- a block is written while the next one is computed --------------------------------------- */

/* One thread raises it and another takes it back; macOS has no semaphores without a name. */
struct signal {
    pthread_mutex_t lock;
    pthread_cond_t raised;
    bool up;
};

/* Two signals tell which thread's turn it is; at most one of them is up. */
struct write_behind {
    stria_npy_writer *writer;
    bool threaded, ended;
    pthread_t thread;
    struct signal full, empty; /* There is a block; there is room for one. */
    int64_t start[STRIA_MAX_NDIM];
    stria_view block;
    stria_status status; /* Status of the first block that failed; the message is in failure. */
    struct failure failure;
};

static void signal_start(struct signal *s, bool up)
{
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->raised, NULL);
    s->up = up;
}

static void signal_end(struct signal *s)
{
    (void)pthread_cond_destroy(&s->raised);
    (void)pthread_mutex_destroy(&s->lock);
}

static void raise_signal(struct signal *s)
{
    (void)pthread_mutex_lock(&s->lock);
    s->up = true;
    (void)pthread_cond_signal(&s->raised);
    (void)pthread_mutex_unlock(&s->lock);
}

static void wait_for(struct signal *s)
{
    (void)pthread_mutex_lock(&s->lock);
    while (!s->up)
        (void)pthread_cond_wait(&s->raised, &s->lock);
    s->up = false;
    (void)pthread_mutex_unlock(&s->lock);
}

/* Writes a block. Messages of the library belong to the thread that got them, so they are kept
 * here. */
static void put_now(struct write_behind *w)
{
    if (w->status != STRIA_OK) return;
    w->status = stria_npy_put(w->writer, &w->block, w->block.ndim, w->start, NULL);
    if (w->status != STRIA_OK) (void)stria__fail_library(&w->failure, w->status, NO_PLACE);
}

static void *run_writer(void *context)
{
    struct write_behind *const w = context;
    for (wait_for(&w->full); !w->ended; wait_for(&w->full)) {
        put_now(w);
        raise_signal(&w->empty);
    }
    return NULL;
}

/* Starts a writer. If `threaded` is false, or no thread can be had, blocks are written at once. */
static void write_behind_start(struct write_behind *w, stria_npy_writer *writer, bool threaded)
{
    *w = (struct write_behind){.writer = writer, .status = STRIA_OK};
    if (!threaded) return;
    signal_start(&w->full, false);
    signal_start(&w->empty, true);
    /* Signals are for the thread that can hold them back, see interrupt.h. */
    w->threaded = system_thread(&w->thread, run_writer, w);
}

/*
 * Takes over a block, whose memory must not change until the next call returns; each call waits for
 * the block before, and fails if that failed.
 */
static stria_status write_behind_put(struct write_behind *w, const int64_t *start,
                                     const stria_view *block)
{
    if (w->threaded) wait_for(&w->empty);
    const stria_status status = w->status;
    memcpy(w->start, start, (size_t)block->ndim * sizeof *start);
    w->block = *block;
    if (w->threaded) {
        raise_signal(&w->full);
        return status;
    }
    put_now(w);
    return w->status;
}

/* Waits for the last block. Must always be called, after failures, too. */
static stria_status write_behind_end(struct write_behind *w)
{
    if (!w->threaded) return w->status;
    wait_for(&w->empty);
    w->ended = true;
    raise_signal(&w->full);
    (void)pthread_join(w->thread, NULL);
    signal_end(&w->full);
    signal_end(&w->empty);
    w->threaded = false;
    return w->status;
}

/* ---- how large blocks are -------------------------------------------------------------------- */

enum {
    /* Bytes of a block whose elements are read in the order in which they are written. */
    ROWS = 8 << 20,
    PASSED = 1 << 20, /* Bytes of a block that is written directly from the map. */
    TILE = 128 << 20, /* Bytes of a block that is turned: its runs are some thousand bytes long. */
    SMALL = 4 << 20   /* Results that lie in the caches are turned there, without blocks. */
};

struct work {
    const struct result *result;
    struct dim_order file, read;
    stria_array rooms[2]; /* Scratch memory for blocks: one is written, one is filled. */
    int next;
    int inputs;
    stria_array *stages; /* Scratch memory for the inputs of a block, if they are read by runs. */
    struct write_behind behind;
    bool turned; /* Elements are read in another order than they are written. */
    bool heavy;  /* The maps are large beside the budget of memory. */
};

/* ---- blocks ---------------------------------------------------------------------------------- */

static stria_status bring_part(void *context, int i, stria_view *part)
{
    struct work *const w = context;
    return w->heavy && w->turned ? stage(part, &w->stages[i]) : STRIA_OK;
}

static stria_status compute(struct work *w, const int64_t *start, const stria_view *out)
{
    stria_view from;
    if (w->result->waits) return stria__wait_block(w->result->waits, start, out, bring_part, w);
    STRIA_TRY(part_of(&from, w->result->view, start, out->shape));
    STRIA_TRY(bring_part(w, 0, &from));
    /* Turning a block takes less time than writing the last one, and one thread leaves a processor
     * for that. */
    const stria_exec exec = {.threads = w->behind.threaded ? 1 : 0};
    return stria_copy(out, &from, &exec);
}

/* Makes a dense view of scratch memory, in the order of the file. */
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

static stria_status put_tiles(struct work *w, const struct tiles *t)
{
    stria_view block;
    if (!w->rooms[0].owned) {
        STRIA_TRY(part_of(&block, w->result->view, t->start, t->size));
    } else {
        STRIA_TRY(scratch(&block, w, t->size));
        STRIA_TRY(compute(w, t->start, &block));
        w->next = w->rooms[1].owned ? !w->next : 0;
    }
    return write_behind_put(&w->behind, t->start, &block);
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

/* Tells whether a large input is read in another order than the file has, and finds that order. */
static bool find_order(struct work *w)
{
    const struct result *const r = w->result;
    w->file = order_of_file(r->view->ndim, r->view->shape, r->fortran);
    w->read = w->file;
    bool found = !r->waits && disagrees(w, r->view);
    for (int i = 0; r->waits && !found && i < r->waits->inputs; i++) {
        const stria_view *const a = stria__wait_input(r->waits, i);
        found = a && disagrees(w, a);
    }
    /* A stream takes whole rows: its blocks are cut as if they were read in the order of the
     * file. */
    if (r->stream) w->read = w->file;
    return found && (!r->stream || w->heavy);
}

static int64_t block_bytes(const struct work *w, const struct tiles *t)
{
    int64_t items = 1;
    for (int d = 0; d < t->ndim; d++)
        items *= t->most[d];
    return items * w->result->view->dtype.itemsize;
}

/* Takes memory for a block, and for another one if there are several. */
static stria_status take_rooms(struct work *w, int64_t bytes)
{
    const int rooms = bytes < stria_nbytes(w->result->view) ? 2 : 1;
    for (int i = 0; i < rooms; i++)
        STRIA_TRY(stria_empty(&w->rooms[i], stria_dtype_of(STRIA_U8), 1, &bytes));
    return STRIA_OK;
}

static stria_status write_all(struct work *w, struct tiles *t, struct progress *progress)
{
    const int64_t all = stria_nbytes(w->result->view);
    int64_t done = 0;
    do {
        STRIA_TRY(put_tiles(w, t));
        int64_t bytes = w->result->view->dtype.itemsize;
        for (int d = 0; d < t->ndim; d++)
            bytes *= t->size[d];
        done += bytes;
        progress_set(progress, (double)done, (double)all);
    } while (tiles_next(t));
    return STRIA_OK;
}

/* Returns the bytes of inputs that an item of the result needs. */
static int64_t brought_for_item(const struct result *r)
{
    int64_t bytes = 0;
    if (!r->waits) return stage_bytes_of_item(r->view);
    for (int i = 0; i < r->waits->inputs; i++) {
        const stria_view *const a = stria__wait_input(r->waits, i);
        if (a) bytes += stage_bytes_of_item(a);
    }
    return bytes;
}

/*
 * Returns the bytes of a block: two of them exist at a time, with the inputs of one if these are
 * read by runs. A quarter is left to the pages of maps and to the program itself; a stream may be
 * written in the middle of a command, which has more of them.
 */
static int64_t room_for_block(const struct work *w)
{
    const int64_t item = w->result->view->dtype.itemsize, quarters = w->result->stream ? 2 : 3,
                  brought = w->heavy && w->turned ? brought_for_item(w->result) : item,
                  parts = 2 + (brought + item - 1) / (item ? item : 1),
                  part = budget_left() / 4 * quarters / parts,
                  most = w->turned                       ? TILE
                         : w->heavy && !w->result->waits ? PASSED
                                                         : ROWS;
    return part < most ? part : most;
}

stria_status write_blocks(stria_npy_writer *writer, const struct result *result,
                          struct progress *progress, struct failure *failure)
{
    struct work w = {.result = result, .inputs = result->waits ? result->waits->inputs : 1};
    struct tiles tiles;
    stria_status status = STRIA_OK;
    w.stages = must_take_array(&common.pool, (size_t)w.inputs, sizeof *w.stages);
    w.heavy = pages_are_many();
    w.turned = find_order(&w);
    tiles_start(&tiles, result->view->ndim, result->view->shape, result->fortran,
                result->view->dtype.itemsize, room_for_block(&w), &w.file, &w.read);
    if (result->waits || w.turned) status = take_rooms(&w, block_bytes(&w, &tiles));
    write_behind_start(&w.behind, writer, status == STRIA_OK && w.rooms[1].owned);
    if (status == STRIA_OK) status = write_all(&w, &tiles, progress);
    if (status != STRIA_OK) (void)stria__fail_library(failure, status, NO_PLACE);
    const stria_status written = write_behind_end(&w.behind);
    if (written != STRIA_OK) {
        w.behind.failure.file = failure->file;
        *failure = w.behind.failure;
        (void)stria__fail_prefix(failure, result->name);
    }
    for (int i = 0; i < 2; i++)
        stria_array_release(&w.rooms[i]);
    for (int i = 0; i < w.inputs; i++)
        stria_array_release(&w.stages[i]);
    return written != STRIA_OK ? written : status;
}
