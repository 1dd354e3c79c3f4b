/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Items are packed of the upper bits of their keys, as far as keys differ, and of their places, and
 * sorted, as signed integers. Runs in which those are equal are packed anew with the bits that
 * follow, or with the next key, until all differ or no key is left.
 */
#include "ops/order/arrange.h"

#include <string.h>

#include "plan/arena.h"
#include "base/integers.h"
#include "ops/order/sort_keys.h"
#include "simd/tuning.h"

enum { ITEM = sizeof(uint64_t) };

/* Items are sorted there, or keys of a line (partition.c). */
static int64_t scratch_size(int64_t n, struct crew crew)
{
    const int64_t wide = stria__key_room(n, ITEM, true, crew),
                  narrow = stria__key_room(n, ITEM / 2, false, crew);
    return round_up(narrow > wide ? narrow : wide, LINE);
}

int64_t stria__arranging_size(int64_t n, struct crew crew)
{
    return scratch_size(n, crew) + 2 * round_up(n * ITEM, LINE) + round_up(n + 1, LINE);
}

/*
 * Keys get 32 bits where few of that many are equal by chance, and what places leave of more. The
 * highest bit stays 0, so that items are in the same order as signed integers and as unsigned ones.
 */
static int low_bits(int64_t n)
{
    enum { HALF = 31, MANY = 1 << 17 };
    return n > MANY ? 64 - __builtin_clzll((uint64_t)n - 1) : HALF;
}

struct arranging stria__arranging_at(char *memory, int64_t n, struct crew crew)
{
    const int64_t items = round_up(n * ITEM, LINE);
    char *const first = memory + scratch_size(n, crew);
    return (struct arranging){low_bits(n),
                              crew,
                              memory,
                              (void *)first,
                              (void *)(first + items),
                              (void *)(first + 2 * items)};
}

void stria__arrange_alone(struct arranging *w, int64_t thread)
{
    w->crew.threads = 1;
    w->scratch += thread * stria__key_room(0, ITEM, true, w->crew);
}

/* ---- keys and places ------------------------------------------------------------------------- */

/* The range of some keys, which are sorted by the bits from `shift` on. */
struct range {
    uint64_t least;
    int bits, shift, low;
};

/* The least and the largest key of each part of a line. */
struct limits {
    uint64_t least[CREW_MOST], most[CREW_MOST];
};

static inline void find_limits(struct limits *out, int64_t part, const uint64_t *keys,
                               struct share range)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (int64_t i = range.first; i < range.last; i++) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
    }
    out->least[part] = least;
    out->most[part] = most;
}

static struct range range_of(const struct limits *limits, int parts, int low)
{
    uint64_t least = limits->least[0], most = limits->most[0];
    for (int i = 1; i < parts; i++) {
        least = limits->least[i] < least ? limits->least[i] : least;
        most = limits->most[i] > most ? limits->most[i] : most;
    }
    const uint64_t span = most - least;
    const int bits = span ? 64 - __builtin_clzll(span) : 0, fit = 63 - low;
    return (struct range){least, bits < fit ? bits : fit, bits > fit ? bits - fit : 0, low};
}

static inline uint64_t pack(uint64_t key, struct range r, uint64_t low)
{
    return (key - r.least) >> r.shift << r.low | low;
}

/* Items that are put in order by one key. */
struct step {
    struct arranging *w;
    struct key_part by;
    struct key_items items;
};

/* A run of items from `first` on. all: their places are 0 .. n-1, and not written yet. */
struct packing {
    const struct step *s;
    int64_t first;
    bool all;
    struct range range;
    struct limits limits;
};

static inline void make_keys(void *data, int64_t part, struct share range)
{
    struct packing *const p = data;
    const struct step *const s = p->s;
    const int64_t stride = s->items.stride;
    uint64_t *const keys = s->w->room + p->first;
    if (p->all)
        stria__key_row(keys + range.first, s->items.at + range.first * stride, stride,
                       range.last - range.first, s->by);
    for (int64_t i = range.first; !p->all && i < range.last; i++)
        stria__key_row(keys + i, s->items.at + place_at(s->w, p->first + i) * stride, 0, 1, s->by);
    find_limits(&p->limits, part, keys, range);
}

static inline void pack_part(void *data, int64_t part, struct share range)
{
    struct packing *const p = data;
    const struct arranging *const w = p->s->w;
    const struct range r = p->range;
    uint64_t *const items = w->items + p->first;
    const uint64_t *const keys = w->room + p->first;
    (void)part;
    for (int64_t i = range.first; i < range.last; i++)
        items[i] = pack(keys[i], r, (uint64_t)(p->all ? i : place_at(w, p->first + i)));
}

/* Sorts n places from `first` on by one key, as far as its bits go; true: further is needed. */
static bool sort_run(const struct step *s, int64_t first, int64_t n, bool all)
{
    const struct arranging *const w = s->w;
    struct packing p; /* Most of the limits stay unused, so they are not cleared. */
    p.s = s;
    p.first = first;
    p.all = all;
    p.range = range_of(&p.limits, stria__divide(&w->crew, n, make_keys, &p), w->low);
    (void)stria__divide(&w->crew, n, pack_part, &p);
    const struct key_sort items = {.keys = (char *)(w->items + first),
                                   .spare = (char *)(w->room + first),
                                   .size = ITEM,
                                   .low = w->low,
                                   .bits = p.range.bits,
                                   .room = w->scratch};
    if (p.range.bits > 0) stria__sort_keys(&items, n, &w->crew);
    return p.range.shift > 0;
}

/* Items whose starts are marked, and of each part of them whether two keys are equal. */
struct marking {
    struct arranging *w;
    int64_t first;
    bool equal[CREW_MOST];
};

/* Compilers take a byte that is written for a part of anything, so all else is in variables. */
static inline void mark_part(void *data, int64_t part, struct share range)
{
    struct marking *const m = data;
    const struct arranging *const w = m->w;
    const uint64_t *const items = w->items + m->first;
    uint8_t *const starts = w->starts + m->first;
    const int low = w->low;
    unsigned equal = 0;
    uint64_t before = items[range.first];
    for (int64_t i = range.first + 1; i <= range.last; i++) {
        const uint64_t item = items[i];
        const unsigned differs = (item ^ before) >> low != 0;
        starts[i] = (uint8_t)differs;
        equal |= differs ^ 1;
        before = item;
    }
    m->equal[part] = equal != 0;
}

static bool any_of(const bool *flags, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        any |= flags[i];
    return any;
}

/* Tells where the keys of a run differ; true if two keys are equal. */
static bool mark_run(struct arranging *w, int64_t first, int64_t n)
{
    struct marking m;
    m.w = w;
    m.first = first;
    return any_of(m.equal, stria__divide(&w->crew, n - 1, mark_part, &m));
}

/* Runs of items, divided at edges, and the results of sort_runs for each part. */
struct run_sort {
    const struct step *s;
    int64_t n, edges[CREW_MOST + 1];
    bool further[CREW_MOST], left[CREW_MOST];
    bool large[CREW_MOST]; /* Whether there are runs that the whole crew has to sort. */
};

/* Sorts the runs between two edges that are as large as the crew, which w->crew or one of it is. */
static void sort_runs_between(struct run_sort *r, struct arranging *w, int64_t part, bool large,
                              struct share edges)
{
    const struct step s = {w, r->s->by, r->s->items};
    const bool divided = r->s->w->crew.threads > 1;
    for (int64_t first = edges.first, end; first < edges.last; first = end) {
        for (end = first + 1; end < r->n && !w->starts[end];)
            end++;
        if (end - first < 2) continue;
        if (large != (divided && end - first >= CREW_LEAST)) {
            r->large[part] = true;
            continue;
        }
        const bool more = sort_run(&s, first, end - first, false);
        const bool equal = mark_run(w, first, end - first);
        r->further[part] |= more && equal;
        r->left[part] |= equal;
    }
}

static void sort_small_runs(void *data, int64_t part, struct share range)
{
    struct run_sort *const r = data;
    struct arranging alone = *r->s->w;
    (void)range;
    stria__arrange_alone(&alone, part);
    r->further[part] = r->left[part] = r->large[part] = false;
    if (stria__is_stopped()) return;
    sort_runs_between(r, &alone, part, false, (struct share){r->edges[part], r->edges[part + 1]});
}

/* Sorts every run of more than one item; tells what sort_run does of any, and if some are left. */
static bool sort_runs(const struct step *s, int64_t n, bool *left)
{
    struct arranging *const w = s->w;
    const int most = n < CREW_LEAST ? 1 : w->crew.threads;
    struct run_sort r; /* Most of it stays unused, so it is not cleared. */
    r.s = s;
    r.n = n;
    for (int i = 0; i <= most; i++) {
        int64_t edge = i < most ? share_of(n, most, i).first : n;
        if (i > 0 && edge < r.edges[i - 1]) edge = r.edges[i - 1]; /* of a run that is longer */
        while (edge > 0 && edge < n && !w->starts[edge])
            edge++;
        r.edges[i] = edge;
    }
    const int parts = stria__divide(&w->crew, n, sort_small_runs, &r);
    if (any_of(r.large, parts)) sort_runs_between(&r, w, 0, true, (struct share){0, n});
    *left = any_of(r.left, parts);
    return any_of(r.further, parts);
}

/* Takes items in any order, as all are equal. */
static void arrange_equal(struct arranging *w, int64_t n, bool all)
{
    for (int64_t i = 0; all && i < n; i++)
        w->items[i] = (uint64_t)i;
    memset(w->starts, 0, (size_t)n);
}

void stria__arrange(struct arranging *w, const struct keys *keys, const struct key_items *of,
                    int64_t n, bool all, bool starts)
{
    bool begun = false, left = n > 0;
    for (int64_t f = 0; f < keys->count && left; f++) {
        const struct key_field *const field = &keys->fields[f];
        const int64_t parts = stria__key_parts(field);
        for (int64_t p = 0; p < parts && left; p++) {
            const struct step s = {w, {field, p, keys->descending}, of[field->operand]};
            bool further;
            if (begun) {
                further = sort_runs(&s, n, &left);
            } else {
                further = sort_run(&s, 0, n, all);
                begun = true;
                if (!starts && !further && f + 1 == keys->count && p + 1 == parts) return;
                left = mark_run(w, 0, n);
            }
            /* Runs differ in fewer bits than an item holds, unless another thread changes them. */
            if (further && left) (void)sort_runs(&s, n, &left);
        }
    }
    if (!begun) arrange_equal(w, n, all);
    w->starts[0] = 1;
}

/* Items that are taken from a row, or their places. */
struct taking {
    char *out;
    const char *row;
    const struct arranging *w;
    int64_t item;
};

static inline void take_part(void *data, int64_t part, struct share range)
{
    const struct taking t = *(const struct taking *)data;
    const struct arranging w = *t.w;
    (void)part;
    for (int64_t i = range.first; i < range.last; i++)
        memcpy(t.out + i * t.item, t.row + place_at(&w, i) * t.item, (size_t)t.item);
}

void stria__take_line(char *out, const char *row, const struct arranging *w, int64_t n,
                      int64_t item)
{
    struct taking t = {out, row, w, item};
    (void)stria__divide(&w->crew, n, take_part, &t);
}

static inline void write_part(void *data, int64_t part, struct share range)
{
    const struct taking *const t = data;
    int64_t *const places = (int64_t *)(void *)t->out;
    (void)part;
    for (int64_t i = range.first; i < range.last; i++)
        places[i] = place_at(t->w, i);
}

void stria__write_places(char *out, const struct arranging *w, int64_t n)
{
    struct taking t = {.out = out, .w = w};
    (void)stria__divide(&w->crew, n, write_part, &t);
}
