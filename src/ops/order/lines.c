/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines in the order of memory, cut into chunks along one of the other dims. */
#include "ops/order/lines.h"

#include "base/alloc.h"
#include "plan/arena.h"
#include "base/integers.h"
#include "machine/machine.h"
#include "base/status.h"
#include "stria/copy.h"
#include "plan/threads.h"
#include "view/view.h"

/*
 * The rows of a chunk, which stay in the second-level cache with what they are sorted in, and what
 * is copied to and from them (64 columns of 2048 f32, Zen 4).
 */
enum { CHUNK = 512 << 10, CHUNKS_OF_TASK = 4 };

struct run {
    const struct lines *lines;
    stria_view
        views[LINE_OPERANDS];      /* the dim is the last one, the others in the order of memory */
    int64_t offset[LINE_OPERANDS]; /* of rows in the memory of a task */
    int64_t row[LINE_OPERANDS];    /* bytes */
    bool staged[LINE_OPERANDS];    /* rows are copied, because they are not where the view is */
    int cut;                       /* this dim is cut, of those before one index is taken */
    int64_t inner, per, pieces;    /* lines of one index of it; its indices of a chunk; chunks */
    int64_t chunks, tasks, size;   /* in all; threads; bytes of the memory of each */
    char *memory;
    stria_status *failed; /* of each task */
};

/* ---- geometry -------------------------------------------------------------------------------- */

/* Puts dim last, and before it the others as the first operand has them, outermost first. */
static stria_status turn(struct run *r)
{
    const struct lines *const l = r->lines;
    const stria_view *const a = l->operands[0].view;
    int order[STRIA_MAX_NDIM], count = 0;
    for (int d = 0; d < a->ndim; d++) {
        int at = count;
        if (d == l->dim) continue;
        for (; at > 0 && magnitude(a->strides[order[at - 1]]) < magnitude(a->strides[d]); at--)
            order[at] = order[at - 1];
        order[at] = d;
        count++;
    }
    order[count] = l->dim;
    for (int i = 0; i < l->count; i++)
        STRIA_TRY(stria_permute(&r->views[i], l->operands[i].view, count + 1, order));
    return STRIA_OK;
}

/* Chooses the dim that is cut: as many lines as fit, but some chunks for each thread. */
static void cut(struct run *r, int64_t lines, int threads)
{
    const stria_view *const a = &r->views[0];
    int64_t bytes = 0, fit = lines / (threads > 1 ? threads * CHUNKS_OF_TASK : 1);
    for (int i = 0; i < r->lines->count; i++)
        bytes += r->row[i];
    if (fit > CHUNK / (bytes + 1)) fit = CHUNK / (bytes + 1);
    r->inner = 1;
    r->cut = a->ndim - 1;
    while (r->cut > 0 && r->inner * a->shape[r->cut - 1] <= fit)
        r->inner *= a->shape[--r->cut];
    if (r->cut > 0) {
        r->cut--;
        r->per = fit > r->inner ? fit / r->inner : 1;
        r->pieces = (a->shape[r->cut] + r->per - 1) / r->per;
        r->chunks = r->pieces;
        for (int d = 0; d < r->cut; d++)
            r->chunks *= a->shape[d];
    } else {
        r->per = a->ndim > 1 ? a->shape[0] : 1;
        r->inner /= a->ndim > 1 ? r->per : 1;
        r->pieces = r->chunks = 1;
    }
}

/* Chunk `at` of an operand; returns how many lines it has. */
static int64_t chunk_of(stria_view *out, const struct run *r, int operand, int64_t at)
{
    const stria_view *const v = &r->views[operand];
    const bool whole = v->ndim == 1;
    const int64_t first = at % r->pieces * r->per;
    const int64_t n = whole ? 1 : least(r->per, v->shape[r->cut] - first);
    char *data = v->data;
    view_set(out, data, v->buffer, v->dtype, v->flags, v->ndim - r->cut, v->shape + r->cut,
             v->strides + r->cut);
    if (whole) return 1;
    out->shape[0] = n;
    data += first * v->strides[r->cut];
    at /= r->pieces;
    for (int d = r->cut - 1; d >= 0; at /= v->shape[d--])
        data += at % v->shape[d] * v->strides[d];
    out->data = data;
    return n * r->inner;
}

/* Tells of each operand whether rows are where the view is, of the first chunk as of the others:
 * dense and aligned. */
static void look_at_rows(struct run *r)
{
    const struct lines *const l = r->lines;
    stria_view chunk;
    for (int i = 0; i < l->count; i++) {
        (void)chunk_of(&chunk, r, i, 0);
        r->staged[i] = !view_has_items(&chunk, l->operands[i].dtype) ||
                       !stria_is_aligned(&r->views[i]) ||
                       (i > 0 && l->apart && !r->staged[0] && chunk.data == r->views[0].data);
    }
}

static stria_status run_chunk(const struct run *r, int64_t at, char *memory)
{
    const struct lines *const l = r->lines;
    stria_view chunk, rows;
    char *row[LINE_OPERANDS];
    int64_t n = 0;
    for (int i = 0; i < l->count; i++) {
        const struct line_operand *const o = &l->operands[i];
        n = chunk_of(&chunk, r, i, at);
        row[i] = r->staged[i] ? memory + r->offset[i] : chunk.data;
        if (!r->staged[i] || o->written) continue;
        STRIA_TRY(stria_view_foreign(&rows, row[i], o->dtype, chunk.ndim, chunk.shape, NULL, 0));
        STRIA_TRY(stria_copy_with(&rows, &chunk, l->exec));
    }
    for (int64_t j = 0; j < n; j++) {
        char *each[LINE_OPERANDS];
        for (int i = 0; i < l->count; i++)
            each[i] = row[i] + j * r->row[i];
        l->line(l->context, each, memory);
    }
    for (int i = 0; i < l->count; i++) {
        if (!r->staged[i] || !l->operands[i].written) continue;
        (void)chunk_of(&chunk, r, i, at);
        STRIA_TRY(stria_view_foreign(&rows, row[i], l->operands[i].dtype, chunk.ndim, chunk.shape,
                                     NULL, 0));
        STRIA_TRY(stria_copy_with(&chunk, &rows, l->exec));
    }
    return STRIA_OK;
}

static void run_task(void *data, int64_t task)
{
    const struct run *const r = data;
    const struct share share = share_of(r->chunks, r->tasks, task);
    stria_status status = STRIA_OK;
    for (int64_t i = share.first; i < share.last && status == STRIA_OK; i++)
        status = run_chunk(r, i, r->memory + task * r->size);
    r->failed[task] = status;
}

/* The memory of a task: what a line works in, then the rows of each operand. */
static bool divide_memory(struct run *r)
{
    int64_t all = round_up(r->lines->room > 0 ? r->lines->room : 1, LINE);
    for (int i = 0; i < r->lines->count; i++) {
        int64_t bytes;
        r->offset[i] = all;
        if (!r->staged[i]) continue;
        if (mul_overflows(r->row[i], r->per * r->inner, &bytes) ||
            add_overflows(all, bytes + STRIA_ALIGNMENT, &all))
            return false;
        all = round_up(all, LINE);
    }
    r->size = all;
    return !mul_overflows(all + (int64_t)sizeof *r->failed, r->tasks, &all);
}

stria_status stria__lines(const struct lines *l)
{
    struct run r;
    r.lines = l;
    STRIA_TRY(turn(&r));
    const stria_view *const a = l->operands[0].view;
    const int64_t n = a->shape[l->dim];
    int64_t lines = 1;
    for (int d = 0; d < a->ndim; d++)
        lines *= d == l->dim ? 1 : a->shape[d];
    if (lines == 0) return STRIA_OK;
    for (int i = 0; i < l->count; i++)
        r.row[i] = l->operands[i].dtype.itemsize * l->operands[i].view->shape[l->dim];
    const double numel = (double)lines * (double)n;
    const int threads = stria__threads_for(l->exec, 0, numel * l->cycles);
    cut(&r, lines, threads);
    r.tasks = l->alone ? 1 : least(r.chunks, threads);
    look_at_rows(&r);
    const bool fits = divide_memory(&r);
    OWNED_MEMORY(memory, fits ? (size_t)((r.size + (int64_t)sizeof *r.failed) * r.tasks) : 0);
    r.memory = memory.at;
    if (!fits || !r.memory)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for lines of %lld elements", l->op,
                           (long long)n);
    r.failed = (void *)(r.memory + r.size * r.tasks);
    stria__parallel(l->exec, threads, r.tasks, run_task, &r);
    for (int64_t i = 0; i < r.tasks; i++)
        STRIA_TRY(r.failed[i]);
    return STRIA_OK;
}
