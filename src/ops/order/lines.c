/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines in the order of memory, cut into chunks along one of the other dims. */
#include "ops/order/lines.h"

#include "base/alloc.h"
#include "machine/machine.h"
#include "ops/operands.h"
#include "plan/box.h"

/*
 * The rows of a chunk, which stay in the second-level cache with what they are sorted in, and what
 * is copied to and from them (64 columns of 2048 f32, Zen 4).
 */
enum { CHUNK = 512 << 10, CHUNKS_OF_TASK = 4 };

struct run {
    const struct lines *lines;
    stria_plan others;             /* Plan of the views without the dim, in the order of memory. */
    struct cut cut;                /* Cuts it into chunks. */
    int64_t offset[LINE_OPERANDS]; /* Offset of each operand's rows in the memory of a task. */
    int64_t row[LINE_OPERANDS];    /* Bytes of a row. */
    bool staged[LINE_OPERANDS];    /* Rows are copied, since those of the view cannot be used. */
    int64_t chunks, tasks, size;   /* Chunks, tasks, and bytes of a task's memory. */
    char *memory;
    stria_status *failed; /* Status of each task. */
};

/* ---- geometry -------------------------------------------------------------------------------- */

/* Makes the plan of all views without the dim. */
static void plan_others(struct run *r)
{
    const struct lines *const l = r->lines;
    const stria_view *const a = l->operands[0].view;
    stria_plan *const plan = &r->others;
    plan->nops = l->count;
    plan->ndim = 0;
    for (int i = 0; i < l->count; i++)
        plan->ptr[i] = l->operands[i].view->data;
    for (int d = a->ndim - 1; d >= 0; d--) {
        if (d == l->dim) continue;
        stria_dim *const dim = &plan->dims[plan->ndim++];
        dim->n = a->shape[d];
        for (int i = 0; i < l->count; i++)
            dim->s[i] = l->operands[i].view->strides[d];
    }
    stria__plan_collapse(plan, 0);
}

/* Cuts chunks of as many lines as fit, but some for each thread. */
static void cut_chunks(struct run *r, int64_t lines, int threads)
{
    int64_t bytes = 1, fit = lines / (threads > 1 ? threads * CHUNKS_OF_TASK : 1);
    for (int i = 0; i < r->lines->count; i++)
        bytes += r->row[i];
    stria__cut_begin(&r->cut, &r->others);
    (void)stria__cut_rows(&r->cut, least(fit, CHUNK / bytes));
    r->chunks = stria__cut_boxes(&r->cut);
}

/* Makes the view of a chunk of an operand, whose last dim is that of the lines. */
static void view_of(stria_view *out, const struct run *r, int operand, const struct box *chunk)
{
    const stria_view *const a = r->lines->operands[operand].view;
    stria__box_view(out, a, chunk, &r->cut, operand);
    out->shape[out->ndim] = a->shape[r->lines->dim];
    out->strides[out->ndim++] = a->strides[r->lines->dim];
}

/* Tells of each operand whether rows are where the view is, of the first chunk as of the others:
 * dense and aligned. */
static void look_at_rows(struct run *r)
{
    const struct lines *const l = r->lines;
    struct box first;
    stria_view chunk;
    stria__box_first(&first, &r->cut);
    for (int i = 0; i < l->count; i++) {
        view_of(&chunk, r, i, &first);
        r->staged[i] = !view_has_items(&chunk, l->operands[i].dtype) ||
                       !stria_is_aligned(l->operands[i].view) ||
                       (i > 0 && l->apart && !r->staged[0] && chunk.data == first.ptr[0]);
    }
}

/* Copies a chunk of an operand to its rows in memory, or back. */
static stria_status copy_chunk(const struct run *r, int operand, const struct box *at, char *rows)
{
    const struct line_operand *const o = &r->lines->operands[operand];
    stria_view chunk, inside;
    view_of(&chunk, r, operand, at);
    STRIA_TRY(stria_view_foreign(&inside, rows, o->dtype, chunk.ndim, chunk.shape, NULL, 0));
    return o->written ? stria_copy(&chunk, &inside, r->lines->exec)
                      : stria_copy(&inside, &chunk, r->lines->exec);
}

enum { ASKED_BYTES = 1 << 14 }; /* of a line that is worth a question whether to go on */

static stria_status run_chunk(const struct run *r, const struct box *at, char *memory)
{
    const struct lines *const l = r->lines;
    const int64_t n = stria__box_items(at, &r->cut);
    char *row[LINE_OPERANDS];
    for (int i = 0; i < l->count; i++) {
        row[i] = r->staged[i] ? memory + r->offset[i] : at->ptr[i];
        if (r->staged[i] && !l->operands[i].written) STRIA_TRY(copy_chunk(r, i, at, row[i]));
    }
    const bool asks = r->row[0] >= ASKED_BYTES;
    if (stria__is_stopped()) return STRIA_ERR_CANCELLED;
    if (l->rows) l->rows(l->context, row, n, memory);
    for (int64_t j = 0; j < n && !l->rows; j++) {
        char *each[LINE_OPERANDS];
        if (asks && stria__is_stopped()) return STRIA_ERR_CANCELLED;
        for (int i = 0; i < l->count; i++)
            each[i] = row[i] + j * r->row[i];
        l->line(l->context, each, memory);
    }
    for (int i = 0; i < l->count; i++)
        if (r->staged[i] && l->operands[i].written) STRIA_TRY(copy_chunk(r, i, at, row[i]));
    return STRIA_OK;
}

static void run_task(void *data, int64_t task)
{
    const struct run *const r = data;
    const struct share share = share_of(r->chunks, r->tasks, task);
    stria_status status = STRIA_OK;
    struct box chunk;
    stria__box_at(&chunk, &r->cut, share.first);
    for (int64_t i = share.first; i < share.last && status == STRIA_OK; i++) {
        status = run_chunk(r, &chunk, r->memory + task * r->size);
        (void)stria__box_next(&chunk, &r->cut);
    }
    r->failed[task] = status;
}

/* Divides the memory of a task: room for a line, then the rows of each operand. */
static bool divide_memory(struct run *r)
{
    int64_t all = round_up(r->lines->room > 0 ? r->lines->room : 1, LINE);
    for (int i = 0; i < r->lines->count; i++) {
        int64_t bytes;
        r->offset[i] = all;
        if (!r->staged[i]) continue;
        if (mul_overflows(r->row[i], stria__cut_items(&r->cut), &bytes) ||
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
    const stria_view *const a = l->operands[0].view;
    const int64_t n = a->shape[l->dim];
    int64_t lines = 1;
    for (int d = 0; d < a->ndim; d++)
        lines *= d == l->dim ? 1 : a->shape[d];
    if (lines == 0) return STRIA_OK;
    plan_others(&r);
    for (int i = 0; i < l->count; i++)
        r.row[i] = l->operands[i].dtype.itemsize * l->operands[i].view->shape[l->dim];
    const double numel = (double)lines * (double)n;
    const int threads = stria__threads_for(l->exec, 0, numel * l->cycles);
    cut_chunks(&r, lines, threads);
    r.tasks = l->alone ? 1 : least(r.chunks, threads);
    look_at_rows(&r);
    const bool fits = divide_memory(&r);
    const size_t needed = fits ? (size_t)((r.size + (int64_t)sizeof *r.failed) * r.tasks) : 0;
    if (l->needs && fits) {
        *l->needs = needed;
        return STRIA_OK;
    }
    const bool is_there = fits && l->memory && needed <= l->bytes;
    OWNED_MEMORY(memory, is_there ? 0 : needed);
    r.memory = is_there ? l->memory : memory.at;
    if (!fits || !r.memory)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for lines of %lld elements", l->op,
                           (long long)n);
    r.failed = (void *)(r.memory + r.size * r.tasks);
    stria__parallel(l->exec, threads, r.tasks, run_task, &r);
    STRIA_TRY(stria__watch_end(l->exec));
    for (int64_t i = 0; i < r.tasks; i++)
        STRIA_TRY(r.failed[i]);
    return STRIA_OK;
}
