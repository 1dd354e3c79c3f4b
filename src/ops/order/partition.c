/* SPDX-License-Identifier: BSD-3-Clause */
/* The first k elements of lines, put in front, or in order. */
#include <string.h>

#include "view/array.h"
#include "machine/fp_mode.h"
#include "base/integers.h"
#include "ops/make.h"
#include "ops/order/along.h"
#include "ops/order/select.h"
#include "base/status.h"
#include "stria/sort.h"
#include "view/view.h"
#include "plan/threads.h"

/*
 * The key of item k in order; *equal becomes how many of the same key come before it. Keys are made
 * anew in each pass, since they take more memory than items: those with the highest bits of the one
 * that is looked for are kept in room.
 */
static uint64_t find_key(int64_t *equal, uint64_t *room, const struct along *s, const char *row)
{
    uint64_t keys[KEYS_AT_ONCE], all = UINT64_MAX, any = 0, bucket = 0;
    int64_t counts[DIGITS] = {0}, k = s->k, kept = 0;
    for (int64_t i = 0; i < s->n; i += KEYS_AT_ONCE) {
        const int64_t n = stria__row_keys(keys, s, row, i, KEYS_AT_ONCE);
        for (int64_t j = 0; j < n; j++) {
            all &= keys[j];
            any |= keys[j];
        }
    }
    *equal = k;
    if (all == any) return all;
    const int top = 63 - __builtin_clzll(all ^ any),
              shift = top < DIGIT_BITS ? 0 : top - DIGIT_BITS + 1;
    for (int64_t i = 0; i < s->n; i += KEYS_AT_ONCE) {
        const int64_t n = stria__row_keys(keys, s, row, i, KEYS_AT_ONCE);
        for (int64_t j = 0; j < n; j++)
            counts[keys[j] >> shift & (DIGITS - 1)]++;
    }
    while (k >= counts[bucket])
        k -= counts[bucket++];
    for (int64_t i = 0; i < s->n; i += KEYS_AT_ONCE) {
        const int64_t n = stria__row_keys(keys, s, row, i, KEYS_AT_ONCE);
        for (int64_t j = 0; j < n; j++) {
            room[kept] = keys[j];
            kept += (keys[j] >> shift & (DIGITS - 1)) == bucket;
        }
    }
    return stria__select_key(room, kept, k, equal);
}

/* Writes items of `size` bytes, or their places where it is 0, in front of item k or behind it. */
static inline __attribute__((always_inline)) void write_parts(char *out, const struct along *s,
                                                              const char *row, uint64_t key,
                                                              int64_t equal, const size_t size)
{
    uint64_t keys[KEYS_AT_ONCE];
    const int64_t item = size ? (int64_t)size : (int64_t)sizeof(int64_t);
    int64_t first = 0, last = s->k + 1;
    bool found = false;
    for (int64_t i = 0; i < s->n; i += KEYS_AT_ONCE) {
        const int64_t n = stria__row_keys(keys, s, row, i, KEYS_AT_ONCE);
        for (int64_t j = 0; j < n; j++) {
            const bool before = (keys[j] < key) | ((keys[j] == key) & !found);
            const int64_t place = i + j;
            int64_t to = before ? first : least(last, s->n - 1); /* rows may have changed */
            if (keys[j] == key && !found && equal-- == 0) {
                found = true;
                to = s->k;
            } else {
                first += before;
                last += !before;
            }
            memcpy(out + to * item, size ? row + place * item : (const char *)&place, (size_t)item);
        }
    }
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
    struct arranging w = stria__arranging_at(room, s->n, s->crew);
    const int64_t middle = mark_by_order(&w, s, row);
    int64_t first = 0, last = s->k + 1;
    w.items[s->k] = (uint64_t)middle;
    for (int64_t i = 0; i < s->n; i++)
        if (i != middle) w.items[w.starts[i] ? first++ : last++] = (uint64_t)i;
    return w;
}

static void partition_line(const void *context, char *const *rows, char *room)
{
    const struct along *const s = context;
    if (!stria__has_one_key(&s->keys)) {
        const struct arranging w = part_line(s, rows[0], room);
        if (s->values)
            stria__take_line(rows[1], rows[0], &w, s->n, s->items.itemsize);
        else
            stria__write_places(rows[1], &w, s->n);
        return;
    }
    int64_t equal;
    const uint64_t key =
        find_key(&equal, stria__arranging_at(room, s->n, s->crew).room, s, rows[0]);
    switch (s->values ? s->items.itemsize : 0) {
    case 0: write_parts(rows[1], s, rows[0], key, equal, 0); break;
    case 1: write_parts(rows[1], s, rows[0], key, equal, 1); break;
    case 2: write_parts(rows[1], s, rows[0], key, equal, 2); break;
    case 4: write_parts(rows[1], s, rows[0], key, equal, 4); break;
    case 8: write_parts(rows[1], s, rows[0], key, equal, 8); break;
    default: write_parts(rows[1], s, rows[0], key, equal, (size_t)s->items.itemsize); break;
    }
}

/* out NULL: into a new array. */
static stria_status partition(const stria_view *out, stria_array *made, bool values,
                              const stria_view *a, int64_t k, int dim, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(exec);
    enum { CYCLES = 20 };
    const char *const op = values ? "partition" : "argpartition";
    OWNED_ALONG(s);
    STRIA_TRY(stria__along_begin(&s, op, a, dim, false, exec));
    const struct along_output to = {out, "out", values ? s.items : stria_dtype_of(STRIA_I64), s.n};
    s.k = k < 0 ? k + s.n : k;
    s.values = values;
    if (s.k < 0 || s.k >= s.n)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: k is %lld, lines have %lld elements", op,
                           (long long)k, (long long)s.n);
    return stria__along_one(&s, to, made, true, CYCLES, partition_line);
}

stria_status stria_partition(const stria_view *out, const stria_view *a, int64_t k, int dim,
                             const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(out, "partition", "out"));
    return partition(out, NULL, true, a, k, dim, exec);
}

stria_status stria_argpartition(const stria_view *out, const stria_view *a, int64_t k, int dim,
                                const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(out, "argpartition", "out"));
    return partition(out, NULL, false, a, k, dim, exec);
}

stria_status stria_partition_new(stria_array *out, const stria_view *a, int64_t k, int dim,
                                 const stria_exec *exec)
{
    return partition(NULL, out, true, a, k, dim, exec);
}

stria_status stria_argpartition_new(stria_array *out, const stria_view *a, int64_t k, int dim,
                                    const stria_exec *exec)
{
    return partition(NULL, out, false, a, k, dim, exec);
}

/* ---- the first k in order -------------------------------------------------------------------- */

/*
 * Keeps those that may be among the first k: all, until there are enough to put in order, and then
 * what comes before the k-th so far, since equal elements that follow come after it. Whatever the
 * elements are, as many are put in order as are looked at, at most.
 */
static int64_t keep_first(struct arranging *w, const struct along *s, const char *row,
                          struct share range)
{
    enum { ENOUGH = 1024 };
    const struct key_part by = {s->keys.fields, 0, s->keys.descending};
    const struct key_items of = {row, s->items.itemsize};
    const int64_t size = s->items.itemsize, most = 2 * s->k + ENOUGH;
    uint64_t keys[KEYS_AT_ONCE], limit = 0;
    bool limited = false;
    int64_t kept = 0;
    for (int64_t i = range.first; i < range.last; i += KEYS_AT_ONCE) {
        const int64_t n = stria__row_keys(keys, s, row, i, least(KEYS_AT_ONCE, range.last - i));
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
    return least(kept, s->k);
}

/* The first k of each part of a line, whose places begin where those of the part would. */
struct firsts {
    const struct along *s;
    const char *row;
    struct arranging *w;
    struct share kept[CREW_MOST];
};

static void keep_first_of_part(void *data, int64_t part, struct share range)
{
    struct firsts *const f = data;
    struct arranging w = *f->w;
    w.items += range.first;
    w.room += range.first;
    w.starts += range.first;
    w.counts += part;
    w.crew.threads = 1;
    f->kept[part] = (struct share){range.first, range.first + keep_first(&w, f->s, f->row, range)};
}

static void arrange_first(struct arranging *w, const struct along *s, const char *row)
{
    const struct key_items of = {row, s->items.itemsize};
    struct firsts f; /* what is not used is not cleared */
    f.s = s;
    f.row = row;
    f.w = w;
    const int parts = stria__divide(&w->crew, s->n, keep_first_of_part, &f);
    int64_t kept = 0;
    for (int i = 0; parts > 1 && i < parts; i++)
        for (int64_t j = f.kept[i].first; j < f.kept[i].last; j++)
            w->items[kept++] = (uint64_t)place_at(w, j);
    if (parts > 1) stria__arrange(w, &s->keys, &of, kept, false, false);
}

static void topk_line(const void *context, char *const *rows, char *room)
{
    enum { PART = 8 }; /* of more elements all are put in order */
    const struct along *const s = context;
    const struct key_items of = {rows[0], s->items.itemsize};
    struct arranging w = stria__arranging_at(room, s->n, s->crew);
    if (stria__has_one_key(&s->keys) && s->k < s->n / PART)
        arrange_first(&w, s, rows[0]);
    else
        stria__arrange(&w, &s->keys, &of, s->n, true, false);
    stria__take_line(rows[1], rows[0], &w, s->k, s->items.itemsize);
    stria__write_places(rows[2], &w, s->k);
}

stria_status stria_topk(const stria_view *values, const stria_view *indices, const stria_view *a,
                        int64_t k, int dim, bool largest, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(exec);
    enum { CYCLES = 6 };
    OWNED_ALONG(s);
    STRIA_TRY(stria__along_begin(&s, "topk", a, dim, largest, exec));
    const struct along_output to[] = {{values, "values", s.items, k},
                                      {indices, "indices", stria_dtype_of(STRIA_I64), k}};
    s.k = k;
    if (k < 0 || k > s.n)
        return stria__fail(STRIA_ERR_ARGUMENT, "topk: k is %lld, lines have %lld elements",
                           (long long)k, (long long)s.n);
    return stria__along_run(&s, 2, to, true, CYCLES, topk_line);
}
