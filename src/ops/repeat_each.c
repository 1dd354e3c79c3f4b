/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Repeats each element of a dim as often as a list says. The counts, of any integer dtype and
 * layout, become the positions where elements begin in the result; everything behind the dim moves
 * together.
 */
#include <string.h>

#include "ops/operands.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "stria/indexing.h"
#include "stria/join.h"

static stria_status check_repeats(int *dim, const stria_array *out, const stria_view *a,
                                  const stria_view *repeats)
{
    STRIA_TRY(view_check(out, a, "repeat_each"));
    STRIA_TRY(stria__check_view(repeats, "repeat_each", "the view of repeats"));
    STRIA_TRY(stria__wrap_dim(dim, *dim, a->ndim, "repeat_each"));
    if (repeats->dtype.kind < STRIA_I8 || repeats->dtype.kind > STRIA_U64)
        return stria__fail(STRIA_ERR_DTYPE, "repeat_each: the repeats are no integers");
    const int64_t n = stria_numel(repeats), size = a->shape[*dim];
    if (repeats->ndim > 1 || (n != 1 && n != size))
        return stria__fail(STRIA_ERR_SHAPE,
                           "repeat_each: repeats of shape %s for dim %d of size %lld; there must "
                           "be 1, or one for each element",
                           stria__dims_text(repeats->ndim, repeats->shape).text, *dim,
                           (long long)size);
    if (view_is_meta(repeats))
        return stria__fail(
            STRIA_ERR_UNSUPPORTED,
            "repeat_each: the size of the result depends on an array without memory");
    return STRIA_OK;
}

/* starts[i + 1] holds how often element i occurs, and becomes the position of element i + 1. */
static stria_status prefix_sum(int64_t *starts, int64_t n)
{
    starts[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        if (starts[i + 1] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "repeat_each: repeats[%lld] = %lld is negative",
                               (long long)i, (long long)starts[i + 1]);
        if (add_overflows(starts[i], starts[i + 1], &starts[i + 1]))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "repeat_each: the repeats add up to more than 2^63 - 1");
    }
    return STRIA_OK;
}

static stria_status starts_of(stria_array *out, const stria_view *repeats)
{
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    const int64_t n = stria_numel(repeats);
    int64_t more;
    stria_view counts;
    OWNED_ARRAY(made);
    if (add_overflows(n, 1, &more))
        return stria__fail(STRIA_ERR_OVERFLOW, "repeat_each: %lld repeats are too many",
                           (long long)n);
    STRIA_TRY(stria_empty(&made, i64, 1, &more));
    int64_t *const starts = (int64_t *)(void *)made.view.data;
    STRIA_TRY(stria_narrow(&counts, &made.view, 0, 1, n));
    STRIA_TRY(stria_copy(&counts, repeats, NULL));
    return stria__deliver(out, &made, prefix_sum(starts, n));
}

/*
 * Operands: 0 the elements, 1 their positions in the result, 2 the result, which has stride 0 here.
 */
static void repeat_part(const stria_plan *part, const void *arg)
{
    const int64_t *const item = arg;
    const stria_dim *const d = part->dims;
    char *const *const ptr = part->ptr;
    for (int64_t j = 0; j < d[1].n; j++)
        stria__kernels()->repeat_each(
            &(struct repeats){.out = ptr[2] + j * d[1].s[2],
                              .in = ptr[0] + j * d[1].s[0],
                              .n = d[0].n,
                              .si = d[0].s[0],
                              .item = *item,
                              .starts = (const int64_t *)(const void *)ptr[1]});
}

/*
 * The view as (outer, dim, item): everything behind the dim is one item. It has less than 2^63
 * bytes.
 */
struct parts {
    int64_t outer, item; /* The size of an item is in bytes. */
};

static struct parts parts_of(const stria_view *a, int dim)
{
    struct parts parts = {1, a->dtype.itemsize};
    for (int d = 0; d < a->ndim; d++)
        if (d != dim) *(d < dim ? &parts.outer : &parts.item) *= a->shape[d];
    return parts;
}

/* Repeats from one dense view to another. */
static void repeat_into(const stria_view *out, const stria_view *a, const stria_view *starts,
                        int dim)
{
    const int64_t n = a->shape[dim], total = out->shape[dim];
    const struct parts parts = parts_of(a, dim);
    const int64_t item = parts.item;
    stria_plan plan;
    plan.ndim = 2;
    plan.nops = 3;
    plan.ptr[0] = a->data;
    plan.ptr[1] = starts->data;
    plan.ptr[2] = out->data;
    plan.dims[0] = (stria_dim){n, {item, sizeof(int64_t), 0}};
    plan.dims[1] = (stria_dim){parts.outer, {n * item, 0, total * item}};
    /* Threads are chosen by the bytes of the result, which the plan does not contain. */
    stria__plan_parallel(&plan, NULL, stria__threads_for(NULL, stria_nbytes(out), 0), WATCHED_PIECE,
                         repeat_part, &item);
}

static stria_status repeat(stria_array *out, const stria_view *a, const stria_view *starts, int dim,
                           int64_t total)
{
    int64_t shape[STRIA_MAX_NDIM];
    OWNED_ARRAY(made);
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[dim] = total;
    STRIA_TRY(stria__make_of(&made, a, a->ndim, shape));
    if (stria_nbytes(&made.view) > 0 && !view_is_meta(a)) repeat_into(&made.view, a, starts, dim);
    STRIA_TRY(stria__watch_end(NULL));
    return stria__deliver(out, &made, STRIA_OK);
}

/*
 * Tells whether taking by an index, which is made once for all rows, is faster. It is for small
 * items that are repeated little, since repeating an item costs as much as taking a few, and for
 * short rows. Every row adds a fixed cost.
 */
static bool is_taken(const stria_view *a, int dim, int64_t total)
{
    const struct stria__machine *const m = stria__machine();
    const struct parts parts = parts_of(a, dim);
    const double n = (double)a->shape[dim], outer = (double)parts.outer;
    if (parts.item <= LANE)
        return outer * (double)total / m->cycles.repeat.item <
               (outer - 1) * (n + m->cycles.repeat.row);
    return parts.item <= LINE && n < m->cycles.repeat.few && outer >= m->cycles.repeat.many;
}

/* Lists each number from 0 to n - 1 as often as the starts say. */
static void number(int64_t *list, const int64_t *starts, int64_t n)
{
    enum { BLOCK = 256 };
    int64_t numbers[BLOCK];
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t part = n - i < BLOCK ? n - i : BLOCK;
        for (int64_t k = 0; k < part; k++)
            numbers[k] = i + k;
        stria__kernels()->repeat_each(&(struct repeats){.out = (char *)list,
                                                        .in = (const char *)numbers,
                                                        .n = part,
                                                        .si = sizeof *numbers,
                                                        .item = sizeof *numbers,
                                                        .starts = starts + i});
    }
}

static stria_status take_counted(stria_array *out, const stria_view *a, const int64_t *starts,
                                 int dim)
{
    const int64_t n = a->shape[dim];
    OWNED_ARRAY(index);
    STRIA_TRY(stria_empty(&index, stria_dtype_of(STRIA_I64), 1, &starts[n]));
    number((int64_t *)(void *)index.view.data, starts, n);
    return stria_take_dim_new(out, a, &index.view, dim, STRIA_INDEX_STRICT, NULL);
}

static stria_status repeat_dense(stria_array *out, const stria_view *a, const stria_view *starts,
                                 int dim)
{
    const int64_t *const list = (const int64_t *)(const void *)starts->data;
    const int64_t total = list[a->shape[dim]];
    if (is_taken(a, dim, total)) return take_counted(out, a, list, dim);
    return repeat(out, a, starts, dim, total);
}

/* Copies the elements to C order first, unless they are long, or fewer of them are wanted. */
static stria_status repeat_any(stria_array *out, const stria_view *a, const stria_view *starts,
                               int dim)
{
    const int64_t *const list = (const int64_t *)(const void *)starts->data;
    const int64_t n = a->shape[dim], total = list[n];
    OWNED_ARRAY(dense);
    if (stria_numel(a) == 0 || total == 0) return repeat(out, a, starts, dim, total);
    if (stria_is_contiguous(a, STRIA_ORDER_C) && !(a->flags & (STRIA_CONJ | STRIA_NEG)))
        return repeat_dense(out, a, starts, dim);
    /* INT64_MAX bytes may stand for more. */
    const bool is_long = stria_nbytes(a) == INT64_MAX || parts_of(a, dim).item >= REPEAT_ITEM;
    if (total < n || is_long) return take_counted(out, a, list, dim);
    STRIA_TRY(stria_clone_new(&dense, a, NULL));
    return repeat_dense(out, &dense.view, starts, dim);
}

stria_status stria_repeat_each_new(stria_array *out, const stria_view *a, const stria_view *repeats,
                                   int dim, const stria_exec *exec)
{
    TAKES_EXEC(exec, "repeat_each_new");
    OWNED_ARRAY(starts);
    STRIA_TRY(check_repeats(&dim, out, a, repeats));
    STRIA_TRY(starts_of(&starts, repeats));
    const int64_t *const list = (const int64_t *)(const void *)starts.view.data;
    return stria_numel(repeats) == 1 ? stria_repeat_interleave_new(out, a, list[1], dim, NULL)
                                     : repeat_any(out, a, &starts.view, dim);
}
