/* SPDX-License-Identifier: BSD-3-Clause */
/* The first k elements of lines, put in front, or in order. */
#include <string.h>

#include "array.h"
#include "fp_mode.h"
#include "integers.h"
#include "ops/make.h"
#include "ops/order/along.h"
#include "ops/order/select.h"
#include "status.h"
#include "stria/sort.h"
#include "view/view.h"

/* ---- partitions ------------------------------------------------------------------------------ */

/* Tells whether items are sorted by one key. */
static bool has_one_key(const struct keys *keys)
{
    return keys->count == 1 && stria__key_parts(keys->fields) == 1;
}

/* Marks the k items that come first, by the key of the one after them, whose place it returns. */
static int64_t mark_by_key(struct arranging *w, const struct along *s, const char *row)
{
    const struct key_part by = {s->keys.fields, 0, s->keys.descending};
    const int64_t size = s->items.itemsize;
    stria__key_row(w->room, row, size, s->n, by);
    memcpy(w->items, w->room, (size_t)s->n * sizeof *w->items);
    const uint64_t key = stria__select_key(w->items, s->n, s->k);
    int64_t equal = s->k, place = 0;
    for (int64_t i = 0; i < s->n; i++)
        equal -= w->room[i] < key;
    for (int64_t i = 0; i < s->n; i++) {
        const bool is_equal = w->room[i] == key;
        w->starts[i] = w->room[i] < key || (is_equal && equal > 0);
        if (is_equal && equal-- == 0) place = i;
    }
    return place;
}

static int64_t mark_by_order(struct arranging *w, const struct along *s, const char *row)
{
    const struct key_items of = {row, s->items.itemsize};
    stria__arrange(w, &s->keys, &of, s->n, true, false);
    memset(w->starts, 0, (size_t)s->n);
    for (int64_t i = 0; i < s->k; i++)
        w->starts[place_at(w, i)] = 1;
    return place_at(w, s->k);
}

/* Writes where the elements of a partition are to w->items. */
static struct arranging part_line(const struct along *s, const char *row, char *room)
{
    struct arranging w = stria__arranging_at(room, s->n);
    const int64_t middle =
        has_one_key(&s->keys) ? mark_by_key(&w, s, row) : mark_by_order(&w, s, row);
    int64_t first = 0, last = s->k + 1;
    w.items[s->k] = (uint64_t)middle;
    for (int64_t i = 0; i < s->n; i++)
        if (i != middle) w.items[w.starts[i] ? first++ : last++] = (uint64_t)i;
    return w;
}

static void partition_line(const void *context, char *const *rows, char *room)
{
    const struct along *const s = context;
    const struct arranging w = part_line(s, rows[0], room);
    stria__take_line(rows[1], rows[0], &w, s->n, s->items.itemsize);
}

static void argpartition_line(const void *context, char *const *rows, char *room)
{
    const struct along *const s = context;
    const struct arranging w = part_line(s, rows[0], room);
    stria__write_places(rows[1], &w, s->n);
}

static stria_status partition(const stria_view *out, bool values, const stria_view *a, int64_t k,
                              int dim, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    enum { CYCLES = 20 };
    const char *const op = values ? "partition" : "argpartition";
    struct along s;
    STRIA_TRY(stria__along_begin(&s, op, a, dim, false, exec));
    const struct along_output to = {out, "out", values ? s.items : stria_dtype_of(STRIA_I64), s.n};
    s.k = k < 0 ? k + s.n : k;
    stria_status status = STRIA_OK;
    if (s.k < 0 || s.k >= s.n)
        status = stria__fail(STRIA_ERR_ARGUMENT, "%s: k is %lld, lines have %lld elements", op,
                             (long long)k, (long long)s.n);
    if (status == STRIA_OK)
        status =
            stria__along_run(&s, 1, &to, true, CYCLES, values ? partition_line : argpartition_line);
    return stria__along_end(&s, status);
}

stria_status stria_partition(const stria_view *out, const stria_view *a, int64_t k, int dim,
                             const stria_exec *exec)
{
    return partition(out, true, a, k, dim, exec);
}

stria_status stria_argpartition(const stria_view *out, const stria_view *a, int64_t k, int dim,
                                const stria_exec *exec)
{
    return partition(out, false, a, k, dim, exec);
}

stria_status stria_partition_new(stria_array *out, const stria_view *a, int64_t k, int dim,
                                 const stria_exec *exec)
{
    stria_array made;
    array_none(&made);
    STRIA_TRY(stria__along_new(&made, out, a, "partition", NULL));
    return stria__deliver(out, &made, stria_partition(&made.view, a, k, dim, exec));
}

stria_status stria_argpartition_new(stria_array *out, const stria_view *a, int64_t k, int dim,
                                    const stria_exec *exec)
{
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    stria_array made;
    array_none(&made);
    STRIA_TRY(stria__along_new(&made, out, a, "argpartition", &i64));
    return stria__deliver(out, &made, stria_argpartition(&made.view, a, k, dim, exec));
}

/* ---- the first k in order -------------------------------------------------------------------- */

/*
 * Keeps those that may be among the first k: all, until there are enough to put in order, and then
 * what comes before the k-th so far, since equal elements that follow come after it. Whatever the
 * elements are, as many are put in order as are looked at, at most.
 */
static int64_t keep_first(struct arranging *w, const struct along *s, const char *row)
{
    enum { BLOCK = 256, ENOUGH = 1024 };
    const struct key_part by = {s->keys.fields, 0, s->keys.descending};
    const struct key_items of = {row, s->items.itemsize};
    const int64_t size = s->items.itemsize, most = 2 * s->k + ENOUGH;
    uint64_t keys[BLOCK], limit = 0;
    bool limited = false;
    int64_t kept = 0;
    for (int64_t i = 0; i < s->n; i += BLOCK) {
        const int64_t n = least(BLOCK, s->n - i);
        stria__key_row(keys, row + i * size, size, n, by);
        for (int64_t j = 0; j < n; j++) {
            w->items[kept] = (uint64_t)(i + j);
            kept += !limited || keys[j] < limit;
        }
        if (kept < most) continue;
        stria__arrange(w, &s->keys, &of, kept, false, false);
        for (int64_t j = 0; j < s->k; j++)
            w->items[j] = (uint64_t)place_at(w, j);
        kept = s->k;
        limited = true;
        if (kept > 0) stria__key_row(&limit, row + place_at(w, kept - 1) * size, size, 1, by);
    }
    stria__arrange(w, &s->keys, &of, kept, false, false);
    return kept;
}

static void topk_line(const void *context, char *const *rows, char *room)
{
    enum { PART = 8 }; /* of more elements all are put in order */
    const struct along *const s = context;
    const struct key_items of = {rows[0], s->items.itemsize};
    struct arranging w = stria__arranging_at(room, s->n);
    if (has_one_key(&s->keys) && s->k < s->n / PART)
        (void)keep_first(&w, s, rows[0]);
    else
        stria__arrange(&w, &s->keys, &of, s->n, true, false);
    stria__take_line(rows[1], rows[0], &w, s->k, s->items.itemsize);
    stria__write_places(rows[2], &w, s->k);
}

stria_status stria_topk(const stria_view *values, const stria_view *indices, const stria_view *a,
                        int64_t k, int dim, bool largest, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    enum { CYCLES = 6 };
    struct along s;
    STRIA_TRY(stria__along_begin(&s, "topk", a, dim, largest, exec));
    const struct along_output to[] = {{values, "values", s.items, k},
                                      {indices, "indices", stria_dtype_of(STRIA_I64), k}};
    s.k = k;
    stria_status status = STRIA_OK;
    if (k < 0 || k > s.n)
        status = stria__fail(STRIA_ERR_ARGUMENT, "topk: k is %lld, lines have %lld elements",
                             (long long)k, (long long)s.n);
    if (status == STRIA_OK) status = stria__along_run(&s, 2, to, true, CYCLES, topk_line);
    return stria__along_end(&s, status);
}
