/* SPDX-License-Identifier: BSD-3-Clause */
/* The first k elements of lines, put in front, or in order. */
#include <string.h>

#include "ops/doors.h"
#include "ops/operands.h"
#include "ops/order/along.h"
#include "ops/order/select.h"
#include "stria/sort.h"

/*
 * The parting of a line at item k in order, to which every thread comes by its part of the line.
 * Keys are made anew to write it, since those that the one of item k was found among have moved.
 */
struct parting {
    const struct along *s;
    struct value_form form;
    const char *row;
    char *out;
    struct arranging w;
    struct nth nth;                           /* the key of item k */
    int64_t less[CREW_MOST], same[CREW_MOST]; /* keys of a part below that of item k; equal ones */
};

static void make_keys(const struct parting *p, char *keys, int64_t first, int64_t n)
{
    const struct value_form *const f = &p->form;
    if (stria__make_keys(f, keys, p->row + first * f->size, n))
        (void)stria__unite_keys(f, keys, n, true);
}

static void make_part(void *data, int64_t part, struct share range)
{
    const struct parting *const p = data;
    (void)part;
    make_keys(p, (char *)p->w.room + range.first * p->form.key, range.first,
              range.last - range.first);
}

/* Finds the key of item k, and how many of the same key come before it. */
static void find_key(struct parting *p)
{
    const struct key_sort keys = {.keys = (char *)p->w.room,
                                  .spare = (char *)p->w.items,
                                  .size = p->form.key,
                                  .room = p->w.scratch};
    (void)stria__divide(&p->w.crew, p->s->n, make_part, p);
    p->nth = stria__nth_key(&keys, p->s->n, p->s->k, &p->w.crew);
}

static void count_sides(void *data, int64_t part, struct share range)
{
    struct parting *const p = data;
    char keys[KEYS_AT_ONCE * sizeof(int64_t)];
    int64_t less = 0, same = 0;
    for (int64_t i = range.first, n; i < range.last; i += n) {
        n = least(KEYS_AT_ONCE, range.last - i);
        make_keys(p, keys, i, n);
        for (int64_t j = 0; j < n; j++) {
            const int64_t key = key_at(keys, j, p->form.key);
            less += key < p->nth.key;
            same += key == p->nth.key;
        }
    }
    p->less[part] = less;
    p->same[part] = same;
}

/* Writes items of `size` bytes, or their places where it is 0, in front of item k or behind it. */
static inline __attribute__((always_inline)) void write_sides(const struct parting *p, int64_t part,
                                                              struct share range, const int size,
                                                              const int key_size)
{
    const struct along *const s = p->s;
    const char *const row = p->row;
    char *const out = p->out;
    const int64_t wanted = p->nth.key;
    char keys[KEYS_AT_ONCE * sizeof(int64_t)];
    const int64_t k = s->k, end = s->n - 1;
    const int64_t item = size ? size : (int64_t)sizeof(int64_t);
    int64_t first = 0, equal = p->nth.equal;
    for (int64_t i = 0; i < part; i++) {
        first += p->less[i] + (equal < p->same[i] ? equal < 0 ? 0 : equal : p->same[i]);
        equal -= p->same[i];
    }
    bool found = equal < 0;
    int64_t last = k + 1 + range.first - first - found;
    for (int64_t i = range.first, n; i < range.last; i += n) {
        n = least(KEYS_AT_ONCE, range.last - i);
        make_keys(p, keys, i, n);
        for (int64_t j = 0; j < n; j++) {
            const int64_t key = key_at(keys, j, key_size), place = i + j, behind = least(last, end);
            const bool same = key == wanted, before = (key < wanted) | (same & !found);
            int64_t to = behind ^ ((first ^ behind) & -(int64_t)before); /* without a branch */
            first += before;
            last += !before;
            if (same && !found && equal-- == 0) {
                found = true;
                first--;
                to = k;
            }
            memcpy(out + to * item, size ? row + place * item : (const char *)&place, (size_t)item);
        }
    }
}

static void write_part(void *data, int64_t part, struct share range)
{
    const struct parting *const p = data;
    switch (p->s->values ? p->form.size : -p->form.key) {
    case -4: write_sides(p, part, range, 0, 4); break;
    case -8: write_sides(p, part, range, 0, 8); break;
    case 1: write_sides(p, part, range, 1, 4); break;
    case 2: write_sides(p, part, range, 2, 4); break;
    case 4: write_sides(p, part, range, 4, 4); break;
    default: write_sides(p, part, range, 8, 8); break;
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

/* Writes the places of the elements of a partition to w->items. */
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
    struct parting p; /* what is not used is not cleared */
    if (!stria__value_form(&p.form, (stria_kind)s->items.kind, false)) {
        const struct arranging w = part_line(s, rows[0], room);
        if (s->values)
            stria__take_line(rows[1], rows[0], &w, s->n, s->items.itemsize);
        else
            stria__write_places(rows[1], &w, s->n);
        return;
    }
    p.s = s;
    p.row = rows[0];
    p.out = rows[1];
    p.w = stria__arranging_at(room, s->n, s->crew);
    find_key(&p);
    if (s->crew.threads > 1) (void)stria__divide(&s->crew, s->n, count_sides, &p);
    (void)stria__divide(&s->crew, s->n, write_part, &p);
}

/* Partitions into out, or into a new array if that is NULL. */
static stria_status partition(const stria_view *out, stria_array *made, bool values,
                              const stria_view *a, int64_t k, int dim, const stria_exec *exec)
{
    COMPUTES(exec);
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

DOORS(partition, (const stria_view *a, int64_t k, int dim),
      partition(out, made, true, a, k, dim, exec))
DOORS(argpartition, (const stria_view *a, int64_t k, int dim),
      partition(out, made, false, a, k, dim, exec))

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
        const int64_t n = stria__row_keys(keys, s, row, i, range.last - i);
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

/* The first k of each part of a line, each at the beginning of its range. */
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
    stria__arrange_alone(&w, part);
    f->kept[part] = (struct share){range.first, range.first + keep_first(&w, f->s, f->row, range)};
}

static void arrange_first(struct arranging *w, const struct along *s, const char *row)
{
    const struct key_items of = {row, s->items.itemsize};
    struct firsts f; /* Unused parts are not cleared. */
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
    enum { PART = 8 }; /* All elements are put in order for larger k. */
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
    COMPUTES(exec);
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

stria_status stria_topk_new(stria_array *values, stria_array *indices, const stria_view *a,
                            int64_t k, int dim, bool largest, const stria_exec *exec)
{
    int64_t shape[STRIA_MAX_NDIM];
    int along = dim;
    stria_array made[2] = {{.owned = NULL}, {.owned = NULL}};
    if (!values || !indices) return stria__fail(STRIA_ERR_ARGUMENT, "topk: out is NULL");
    STRIA_TRY(stria__check_view(a, "topk", "a"));
    STRIA_TRY(stria__wrap_dim(&along, dim, at_least_1(a->ndim), "topk"));
    for (int d = 0; d < a->ndim; d++)
        shape[d] = d != along ? a->shape[d] : k > 0 ? k : 0;
    stria_status status =
        stria__empty_like_memory(&made[0], a, a->dtype, a->ndim, shape, STRIA_ORDER_C);
    if (status == STRIA_OK)
        status = stria__empty_like_memory(&made[1], a, stria_dtype_of(STRIA_I64), a->ndim, shape,
                                          STRIA_ORDER_C);
    if (status == STRIA_OK)
        status = stria_topk(&made[0].view, &made[1].view, a, k, dim, largest, exec);
    status = stria__deliver(values, &made[0], status);
    return stria__deliver(indices, &made[1], status);
}
