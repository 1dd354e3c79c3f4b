/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks: the places of elements in their sorted lines, from 1 on; and orders by several keys. */
#include "ops/doors.h"
#include "ops/operands.h"
#include "ops/order/along.h"
#include "stria/indexing.h"
#include "stria/sort.h"

/* Returns the rank of a run of equal elements at places first .. end-1; `runs` are before it. */
static int64_t rank_of_run(stria_rank_method method, int64_t first, int64_t end, int64_t runs)
{
    switch (method) {
    case STRIA_RANK_MAX: return end;
    case STRIA_RANK_DENSE: return runs + 1;
    default: return first + 1;
    }
}

static void rank_line(const void *context, char *const *rows, char *room)
{
    const struct along *const s = context;
    const stria_rank_method method = (stria_rank_method)s->method;
    const struct key_items of = {rows[0], s->items.itemsize};
    struct arranging w = stria__arranging_at(room, s->n, s->crew);
    int64_t *const whole = (int64_t *)(void *)rows[1];
    double *const real = (double *)(void *)rows[1];
    stria__arrange(&w, &s->keys, &of, s->n, true, true);
    int64_t asked = 0;
    for (int64_t first = 0, end, runs = 0; first < s->n; first = end, runs++) {
        if (first >= asked && stria__is_stopped()) return;
        if (first >= asked) asked = first + ASKED_STEPS;
        for (end = first + 1; end < s->n && !w.starts[end];)
            end++;
        const int64_t rank = rank_of_run(method, first, end, runs);
        for (int64_t i = first; i < end; i++)
            if (method == STRIA_RANK_AVERAGE)
                real[place_at(&w, i)] = (double)(first + 1 + end) / 2;
            else
                whole[place_at(&w, i)] = method == STRIA_RANK_ORDINAL ? i + 1 : rank;
    }
}

/* Ranks into out, or into a new array if that is NULL. */
static stria_status rank(const stria_view *out, stria_array *made, const stria_view *a, int dim,
                         stria_rank_method method, const stria_exec *exec)
{
    COMPUTES(exec);
    enum { CYCLES = 50 };
    OWNED_ALONG(s);
    if ((unsigned)method >= STRIA_RANK_METHODS)
        return stria__fail(STRIA_ERR_ARGUMENT, "rank: there is no method %d", (int)method);
    STRIA_TRY(stria__along_begin(&s, "rank", a, dim, false, exec));
    const stria_kind kind = method == STRIA_RANK_AVERAGE ? STRIA_F64 : STRIA_I64;
    const struct along_output to = {out, "out", stria_dtype_of(kind), s.n};
    s.method = (int)method;
    s.values = false;
    return stria__along_one(&s, to, made, true, CYCLES, rank_line);
}

DOORS(rank, (const stria_view *a, int dim, stria_rank_method method),
      rank(out, made, a, dim, method, exec))

/* Sorts an order by earlier keys stably by one more key, which then decides first. */
static stria_status sort_further(stria_array *order, const stria_view *key, int dim,
                                 const stria_exec *exec)
{
    OWNED_ARRAYS(taken, by, next);
    STRIA_TRY(stria_take_along_dim_new(&taken, key, &order->view, dim, NULL));
    STRIA_TRY(stria_argsort_new(&by, &taken.view, dim, false, exec));
    return stria__deliver(order, &next,
                          stria_take_along_dim_new(&next, &order->view, &by.view, dim, NULL));
}

static stria_status check_keys(int n, const stria_view *const *keys)
{
    if (n < 1 || !keys)
        return stria__fail(STRIA_ERR_ARGUMENT, "lexsort: %d keys%s, takes 1 or more", n,
                           keys ? "" : ", which are NULL");
    STRIA_TRY(stria__check_views(n, keys, "lexsort", "key"));
    for (int i = 1; i < n; i++)
        if (!view_same_shape(keys[i], keys[0]))
            return stria__fail(STRIA_ERR_SHAPE, "lexsort: key %d has shape %s, key 0 has %s", i,
                               stria__dims_text(keys[i]->ndim, keys[i]->shape).text,
                               stria__dims_text(keys[0]->ndim, keys[0]->shape).text);
    return STRIA_OK;
}

struct key_list {
    int n, dim;
    const stria_view *const *keys;
};

static stria_status write_order(void *arg, const stria_view *to)
{
    const struct key_list *const l = arg;
    OWNED_ARRAY(order);
    STRIA_TRY(stria_argsort_new(&order, l->keys[0], l->dim, false, NULL));
    for (int i = 1; i < l->n && l->keys[0]->ndim > 0; i++)
        STRIA_TRY(sort_further(&order, l->keys[i], l->dim, NULL));
    return stria_copy(to, &order.view, NULL);
}

static stria_status lexsort(const stria_view *out, stria_array *made, int n,
                            const stria_view *const *keys, int dim, const stria_exec *exec)
{
    struct key_list list = {n, dim, keys};
    TAKES_EXEC(exec, "lexsort");
    STRIA_TRY(check_keys(n, keys));
    if (keys[0]->ndim) STRIA_TRY(stria__wrap_dim(&list.dim, dim, keys[0]->ndim, "lexsort"));
    const struct result r = {.op = "lexsort",
                             .count = n,
                             .inputs = keys,
                             .dtype = stria_dtype_of(STRIA_I64),
                             .ndim = keys[0]->ndim,
                             .shape = keys[0]->shape,
                             .order = STRIA_ORDER_C,
                             .computes = true,
                             .write = write_order,
                             .arg = &list};
    return stria__give_result(out, made, &r, exec);
}

DOORS(lexsort, (int n, const stria_view *const *keys, int dim),
      lexsort(out, made, n, keys, dim, exec))
