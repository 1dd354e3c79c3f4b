/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and copies of operands, and the loop over a batch. */
#include "linalg/batch.h"

#include "base/alloc.h"
#include "base/integers.h"
#include "plan/threads.h"
#include "stria/broadcast.h"

stria_status stria__lapack_kind(stria_kind *out, const struct batch *b, const stria_view *a,
                                const char *name)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    STRIA_TRY(stria__check_number(a->dtype, b->op, name));
    if (kind == STRIA_F32 || kind == STRIA_F64 || is_complex_kind(kind))
        *out = kind;
    else if (kind < STRIA_F8E4M3)
        *out = b->exec && b->exec->hints & STRIA_PROMOTE_AS_NUMPY ? STRIA_F64 : STRIA_F32;
    else
        return stria__refuse_dtype(a->dtype, b->op, name, ", takes f32, f64, c64 or c128");
    return STRIA_OK;
}

stria_status stria__batch_begin(struct batch *b, const char *op, const stria_view *a, bool square,
                                const stria_exec *exec)
{
    stria_kind kind;
    *b = (struct batch){.op = op, .exec = exec, .count = 1};
    STRIA_TRY(stria__check_exec(exec, op));
    STRIA_TRY(stria__check_any_view(a, op, "a"));
    STRIA_TRY(stria__lapack_kind(&kind, b, a, "a"));
    set_kind(b, kind);
    if (a->ndim < 2)
        return stria__fail(STRIA_ERR_SHAPE, "%s: a has %d dims, takes 2 or more", op, a->ndim);
    b->ndim = a->ndim - 2;
    b->m = a->shape[b->ndim];
    b->n = a->shape[b->ndim + 1];
    if (square && b->m != b->n)
        return stria__fail(STRIA_ERR_SHAPE, "%s: matrices of %lld x %lld are not square", op,
                           (long long)b->m, (long long)b->n);
    if (b->m > INT32_MAX || b->n > INT32_MAX)
        return stria__fail(STRIA_ERR_SHAPE, "%s: matrices of %lld x %lld are too large", op,
                           (long long)b->m, (long long)b->n);
    for (int d = 0; d < b->ndim; d++) {
        b->shape[d] = a->shape[d];
        b->count *= a->shape[d];
    }
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: a lies in a meta buffer", op);
    return stria__lapack(&b->l, op);
}

stria_status stria__empty_matrices(stria_array *out, const struct batch *b, stria_kind kind,
                                   int64_t rows, int64_t columns)
{
    int64_t shape[STRIA_MAX_NDIM];
    memcpy(shape, b->shape, (size_t)b->ndim * sizeof *shape);
    shape[b->ndim] = columns;
    shape[b->ndim + 1] = rows;
    STRIA_TRY(stria_empty(out, stria_dtype_of(kind), b->ndim + 2, shape));
    return stria_matrix_transpose(&out->view, &out->view);
}

stria_status stria__empty_vectors(stria_array *out, const struct batch *b, stria_kind kind,
                                  int64_t n)
{
    int64_t shape[STRIA_MAX_NDIM];
    memcpy(shape, b->shape, (size_t)b->ndim * sizeof *shape);
    shape[b->ndim] = n;
    return stria_empty(out, stria_dtype_of(kind), b->ndim + (n >= 0), shape);
}

stria_status stria__copy_matrices(stria_array *out, const struct batch *b, const stria_view *a)
{
    int64_t shape[STRIA_MAX_NDIM];
    stria_view wide;
    memcpy(shape, b->shape, (size_t)b->ndim * sizeof *shape);
    memcpy(shape + b->ndim, a->shape + a->ndim - 2, 2 * sizeof *shape);
    STRIA_TRY(stria_broadcast_to(&wide, a, b->ndim + 2, shape));
    STRIA_TRY(stria__empty_matrices(out, b, b->kind, shape[b->ndim], shape[b->ndim + 1]));
    return stria_copy_cast(&out->view, &wide, STRIA_CAST_SAME_KIND, b->exec);
}

/* Tells which matrix of the batch it is, as " (1, 2)"; nothing where there is one alone. */
static struct dims_text place_of(const struct batch *b, int64_t i)
{
    int64_t index[STRIA_MAX_NDIM];
    struct dims_text text = {" "};
    for (int d = b->ndim - 1; d >= 0; d--) {
        index[d] = i % b->shape[d];
        i /= b->shape[d];
    }
    if (b->ndim == 0) text.text[0] = 0;
    if (b->ndim > 0) {
        const struct dims_text dims = stria__dims_text(b->ndim, index);
        memcpy(text.text + 1, dims.text, sizeof text.text - 1);
        text.text[sizeof text.text - 1] = 0;
    }
    return text;
}

stria_status stria__cannot_be_done(const struct batch *b, int64_t i, const char *why, int64_t info)
{
    const struct dims_text place = place_of(b, i);
    if (info < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: LAPACK refuses argument %lld of matrix%s",
                           b->op, (long long)-info, place.text);
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: matrix%s %s (%lld)", b->op, place.text, why,
                       (long long)info);
}

static stria_status check_numbers(const struct batch *b, const stria_array *a, int64_t i)
{
    const int64_t item = item_of(b), count = b->m * b->n;
    const char *const from = matrix_at(a, i, count * item);
    for (int64_t k = 0; k < count; k++) {
        const struct complex_number x = number_at(b, from + k * item);
        if (!__builtin_isfinite(x.re) || !__builtin_isfinite(x.im))
            return stria__cannot_be_done(b, i, "has a number that is not finite, by columns", k);
    }
    return STRIA_OK;
}

stria_status stria__check_finite(const struct batch *b, const stria_array *a)
{
    WATCHES(b->exec);
    for (int64_t i = 0; i < b->count; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(b->exec);
        STRIA_TRY(check_numbers(b, a, i));
    }
    return STRIA_OK;
}

stria_status stria__check_work(const struct batch *b, int64_t n, int64_t squares)
{
    if (b->l->wide || n < 1 || n + 8 <= INT32_MAX / squares / (n + 8)) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "%s: matrices of %lld x %lld are too large for a LAPACK of 32-bit integers",
                       b->op, (long long)b->m, (long long)b->n);
}

void stria__write_identities(const struct batch *b, stria_array *to, int64_t rows, int64_t columns)
{
    const int64_t item = item_of(b);
    const double one = 1;
    const float narrow = 1;
    if (b->count * rows * columns == 0) return;
    memset(to->view.data, 0, (size_t)(b->count * rows * columns * item));
    for (int64_t i = 0; i < b->count; i++)
        for (int64_t k = 0; k < rows && k < columns; k++)
            memcpy((char *)matrix_at(to, i, rows * columns * item) + (k * rows + k) * item,
                   b->real == STRIA_F32 ? (const void *)&narrow : &one,
                   b->real == STRIA_F32 ? sizeof narrow : sizeof one);
}

/* ---- each matrix ----------------------------------------------------------------------------- */

/* The loop over a batch, and the first matrix of each task that cannot be done. */
struct loop {
    const struct each *e;
    int64_t tasks;
    char *room;
    struct refused {
        int64_t i, info;
    } * refused;
};

static void run_task(void *data, int64_t task)
{
    const struct loop *const l = data;
    const struct share share = share_of(l->e->b->count, l->tasks, task);
    char *const room = l->room + task * l->e->room;
    for (int64_t i = share.first; i < share.last && !stria__is_stopped(); i++) {
        const int64_t info = l->e->one(l->e->context, i, room);
        if (!info) continue;
        l->refused[task] = (struct refused){i, info};
        return;
    }
}

/* Matrices beyond this are left to the LAPACK's own threads. */
enum { SMALL_SIDE = 256 };

stria_status stria__each_matrix(const struct each *e)
{
    const struct batch *const b = e->b;
    struct each whole = *e;
    whole.room = round_up(e->room, STRIA_ALIGNMENT);
    const bool small = b->m <= SMALL_SIDE && b->n <= SMALL_SIDE && b->l->concurrent;
    const int threads = small ? stria__threads_for(b->exec, 0, e->cycles * (double)b->count) : 1;
    struct loop l = {.e = &whole, .tasks = least(threads, b->count)};
    if (b->count == 0) return STRIA_OK;
    const int64_t refused = (int64_t)sizeof *l.refused;
    OWNED_MEMORY(memory, (size_t)(l.tasks * (whole.room + refused)));
    if (!memory.at) return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for LAPACK", b->op);
    l.room = memory.at;
    l.refused = (void *)(l.room + l.tasks * whole.room);
    memset(l.refused, 0, (size_t)(l.tasks * refused));
    stria__parallel(b->exec, threads, l.tasks, run_task, &l);
    STRIA_TRY(stria__watch_end(b->exec));
    for (int64_t t = 0; t < l.tasks; t++)
        if (l.refused[t].info)
            return stria__cannot_be_done(b, l.refused[t].i, e->why, l.refused[t].info);
    return STRIA_OK;
}
