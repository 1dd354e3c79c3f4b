/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Items are packed of the upper bits of their keys, as far as keys differ, and of their places, and
 * sorted by the former. Runs in which those are equal are packed anew with the bits that follow, or
 * with the next key, until all differ or no key is left.
 */
#include "ops/order/arrange.h"

#include <string.h>

#include "arena.h"
#include "integers.h"
#include "simd/tuning.h"

int64_t stria__arranging_size(int64_t n)
{
    const int64_t items = round_up(n * (int64_t)sizeof(uint64_t), LINE);
    return round_up((int64_t)sizeof(struct radix_counts), LINE) + 2 * items + round_up(n + 1, LINE);
}

/*
 * Keys get 32 bits where few of that many are equal by chance, and of more items as many as are
 * sorted well, if places leave them.
 */
static int low_bits(int64_t n)
{
    enum { HALF = 32, LEAST = 64 - RADIX_MOST };
    const int bits = n > 1 ? 64 - __builtin_clzll((uint64_t)n - 1) : 0;
    return n <= RADIX_WHOLE ? HALF : bits > LEAST ? bits : LEAST;
}

struct arranging stria__arranging_at(char *memory, int64_t n)
{
    const int64_t items = round_up(n * (int64_t)sizeof(uint64_t), LINE);
    char *const first = memory + round_up((int64_t)sizeof(struct radix_counts), LINE);
    return (struct arranging){low_bits(n), (void *)memory, (void *)first, (void *)(first + items),
                              (void *)(first + 2 * items)};
}

/* ---- keys and places ------------------------------------------------------------------------- */

/* The range of some keys, of which the bits from `shift` on are sorted by. */
struct range {
    uint64_t least;
    int bits, shift, low;
};

static struct range range_of(const uint64_t *keys, int64_t n, int low)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (int64_t i = 0; i < n; i++) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
    }
    const uint64_t span = most - least;
    const int bits = span ? 64 - __builtin_clzll(span) : 0, fit = 64 - low;
    return (struct range){least, bits < fit ? bits : fit, bits > fit ? bits - fit : 0, low};
}

static inline uint64_t pack(uint64_t key, struct range r, uint64_t low)
{
    return (key - r.least) >> r.shift << r.low | low;
}

/* Items whose order is looked for, by one key. */
struct step {
    struct arranging *w;
    struct key_part by;
    struct key_items items;
};

/*
 * Sorts the n places from `first` on by one key, as far as 32 bits go; true: further is needed.
 * all: they are 0 .. n-1, and not written yet.
 */
static bool sort_run(const struct step *s, int64_t first, int64_t n, bool all)
{
    const struct arranging *const w = s->w;
    uint64_t *const items = w->items + first, *const keys = w->room + first;
    const char *const at = s->items.at;
    if (all) stria__key_row(keys, at, s->items.stride, n, s->by);
    for (int64_t i = 0; !all && i < n; i++)
        stria__key_row(keys + i, at + place_at(w, first + i) * s->items.stride, 0, 1, s->by);
    const struct range r = range_of(keys, n, w->low);
    for (int64_t i = 0; i < n; i++)
        items[i] = pack(keys[i], r, (uint64_t)(all ? i : place_at(w, first + i)));
    stria__radix_sort(items, keys, n, r.low, r.bits, w->counts);
    return r.shift > 0;
}

/* Tells where the keys of a run differ; true where two of them do not. */
static bool mark_run(struct arranging *w, int64_t first, int64_t n)
{
    bool equal = false;
    for (int64_t i = first + 1; i < first + n; i++) {
        w->starts[i] = w->items[i] >> w->low != w->items[i - 1] >> w->low;
        equal |= !w->starts[i];
    }
    return equal;
}

/* Sorts every run of more than one item; tells what sort_run does of any, and if some are left. */
static bool sort_runs(const struct step *s, int64_t n, bool *left)
{
    const uint8_t *const starts = s->w->starts;
    bool further = false;
    *left = false;
    for (int64_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && !starts[end];)
            end++;
        if (end - first < 2) continue;
        const bool more = sort_run(s, first, end - first, false);
        const bool equal = mark_run(s->w, first, end - first);
        further |= more && equal;
        *left |= equal;
    }
    return further;
}

/* Every item is as good as any other. */
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

void stria__take_line(char *out, const char *row, const struct arranging *w, int64_t n,
                      int64_t item)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(out + i * item, row + place_at(w, i) * item, (size_t)item);
}

void stria__write_places(char *out, const struct arranging *w, int64_t n)
{
    int64_t *const places = (int64_t *)(void *)out;
    for (int64_t i = 0; i < n; i++)
        places[i] = place_at(w, i);
}

/* ---- numbers of few bytes -------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void sort_numbers(struct arranging *w,
                                                               const struct keys *keys, char *out,
                                                               const char *in, int64_t n,
                                                               const size_t size)
{
    enum { HALF = 32 };
    const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const size_t part = big ? sizeof(uint32_t) - size : 0;
    uint64_t *const items = w->items;
    stria__key_row(w->room, in, (int64_t)size, n,
                   (struct key_part){keys->fields, 0, keys->descending});
    const struct range r = range_of(w->room, n, HALF);
    for (int64_t i = 0; i < n; i++) {
        uint32_t number = 0;
        memcpy((char *)&number + part, in + i * (int64_t)size, size);
        items[i] = pack(w->room[i], r, number);
    }
    stria__radix_sort(items, w->room, n, HALF, r.bits, w->counts);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t number = (uint32_t)items[i];
        memcpy(out + i * (int64_t)size, (const char *)&number + part, size);
    }
}

void stria__sort_small(struct arranging *w, const struct keys *keys, char *out, const char *in,
                       int64_t n)
{
    switch (keys->fields->size) {
    case 1: sort_numbers(w, keys, out, in, n, 1); break;
    case 2: sort_numbers(w, keys, out, in, n, 2); break;
    default: sort_numbers(w, keys, out, in, n, 4); break;
    }
}
