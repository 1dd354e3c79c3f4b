/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/order/sort_keys.h"

#include "machine/families.h"
#include "ops/order/radix.h"
#include "simd/kernels.h"
#include "simd/sort.h"
#include "simd/tuning.h"

/* Threads divide keys into so many buckets for each of them, by so many samples for each. */
enum { BUCKETS_EACH = 4, BUCKETS_MOST = BUCKETS_EACH * CREW_MOST, SAMPLES = 16 };

/* Keys that are sorted, and the uses of the room. */
struct sorting {
    const struct key_sort *s;
    const struct sort_kernels *kernels;
    char *counts;    /* of each thread */
    uint64_t *items; /* for two of each key */
    int64_t *sizes;  /* of the buckets of each part */
    int64_t starts[BUCKETS_MOST + 1];
    int64_t pivots[BUCKETS_MOST];
    int buckets;
    int low, bits; /* of keys, none where threads have divided them */
};

static bool has_kernel(int size)
{
    return stria__sort()->sort[size == 8];
}

static int64_t counts_size(int size, bool bits)
{
    return has_kernel(size) && !bits ? 0 : round_up((int64_t)sizeof(struct radix_counts), LINE);
}

static int64_t sizes_size(struct crew crew)
{
    return crew.threads > 1 ? (int64_t)crew.threads * BUCKETS_MOST * (int64_t)sizeof(int64_t) : 0;
}

int64_t stria__key_room(int64_t n, int size, bool bits, struct crew crew)
{
    const bool widened = size < 8 && !has_kernel(size);
    return sizes_size(crew) + crew.threads * counts_size(size, bits) +
           (widened ? 2 * n * (int64_t)sizeof(uint64_t) : 0);
}

bool stria__wants_spare(int size, struct crew crew)
{
    return crew.threads > 1 || !has_kernel(size);
}

/* ---- one thread ------------------------------------------------------------------------------ */

/* Sorts keys as unsigned numbers, which they are but for the highest bit. */
static void sort_by_radix(const struct sorting *t, char *keys, char *spare, int64_t first,
                          int64_t n, int64_t part)
{
    const int size = t->s->size;
    uint64_t *const items = size == 8 ? (void *)keys : t->items + 2 * first;
    struct radix_counts *const counts = (void *)(t->counts + part * counts_size(size, t->s->bits));
    if (t->bits > 0) {
        stria__radix_sort(items, (void *)spare, n, t->low, t->bits, counts);
        return;
    }
    const uint64_t top = (uint64_t)(size == 8 ? INT64_MIN : INT32_MIN);
    for (int64_t i = 0; i < n; i++)
        items[i] = (uint64_t)key_at(keys, i, size) - top;
    stria__radix_sort(items, size == 8 ? (void *)spare : items + n, n, 0, 8 * size, counts);
    for (int64_t i = 0; i < n; i++)
        put_key(keys, i, (int64_t)(items[i] + top), size);
}

/* Tells whether few digits are sorted in less time than a kernel takes (Zen 5). */
static bool is_radix_faster(const struct sorting *t, int64_t n)
{
    enum { TWO_DIGITS = 2 * RADIX_BITS, EACH = 3 };
    const int most = n <= RADIX_WHOLE ? t->kernels->radix_bits : TWO_DIGITS;
    return t->bits > 0 && t->bits <= most && n >= (int64_t)EACH * t->bits * t->bits;
}

/* Sorts n keys at an address, which belong at `first`, with a spare for as many. */
static void sort_some(const struct sorting *t, char *keys, char *spare, int64_t first, int64_t n,
                      int64_t part)
{
    if (t->kernels->sort[t->s->size == 8] && !is_radix_faster(t, n))
        t->kernels->sort[t->s->size == 8](keys, n, NULL);
    else
        sort_by_radix(t, keys, spare, first, n, part);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Chooses keys that divide all of them into buckets of about one size. */
static void choose_pivots(struct sorting *t, int64_t n)
{
    const int size = t->s->size;
    const int64_t count = (int64_t)t->buckets * SAMPLES;
    char *const some = t->s->spare; /* which is not in use yet */
    for (int64_t i = 0; i < count; i++)
        put_key(some, i, key_at(t->s->keys, share_of(n, count, i).first, size), size);
    sort_some(t, some, some + count * size, 0, count, 0);
    for (int i = 1; i < t->buckets; i++)
        t->pivots[i] = key_at(some, (int64_t)i * SAMPLES, size);
}

/* Divides keys into the buckets from `first` on, a power of two of them. */
static void divide_keys(const struct sorting *t, char *keys, int64_t n, int first, int count,
                        int64_t *sizes)
{
    const int size = t->s->size, half = count / 2;
    if (count == 1) {
        sizes[first] = n;
        return;
    }
    const int64_t less = t->kernels->split[size == 8](keys, n, t->pivots[first + half]);
    divide_keys(t, keys, less, first, half, sizes);
    divide_keys(t, keys + less * size, n - less, first + half, half, sizes);
}

static void divide_part(void *data, int64_t part, struct share range)
{
    const struct sorting *const t = data;
    divide_keys(t, t->s->keys + range.first * t->s->size, range.last - range.first, 0, t->buckets,
                t->sizes + part * t->buckets);
}

/* Copies keys of a part to the places of its buckets, which follow those of the parts before. */
static void gather_part(void *data, int64_t part, struct share range)
{
    const struct sorting *const t = data;
    const int size = t->s->size;
    const char *from = t->s->keys + range.first * size;
    for (int i = 0; i < t->buckets; i++) {
        int64_t first = t->starts[i];
        for (int64_t p = 0; p < part; p++)
            first += t->sizes[p * t->buckets + i];
        const size_t bytes = (size_t)(t->sizes[part * t->buckets + i] * size);
        memcpy(t->s->spare + first * size, from, bytes);
        from += bytes;
    }
}

static void sort_buckets(void *data, int64_t part, struct share range)
{
    const struct sorting *const t = data;
    const int size = t->s->size;
    for (int i = 0; i < t->buckets; i++) {
        const int64_t first = t->starts[i], n = t->starts[i + 1] - first;
        char *const keys = t->s->keys + first * size, *const bucket = t->s->spare + first * size;
        if (first < range.first || first >= range.last) continue;
        if (stria__is_stopped()) return;
        sort_some(t, bucket, keys, first, n, part);
        memcpy(keys, bucket, (size_t)(n * size));
    }
}

static void sort_together(struct sorting *t, int64_t n, const struct crew *crew)
{
    t->buckets = 1;
    while (t->buckets < BUCKETS_EACH * crew->threads)
        t->buckets *= 2;
    choose_pivots(t, n);
    (void)stria__divide(crew, n, divide_part, t);
    t->starts[0] = 0;
    for (int i = 0; i < t->buckets; i++) {
        t->starts[i + 1] = t->starts[i];
        for (int64_t p = 0; p < crew->threads; p++)
            t->starts[i + 1] += t->sizes[p * t->buckets + i];
    }
    if (stria__is_stopped()) return; /* keys are in any order, but all are there */
    (void)stria__divide(crew, n, gather_part, t);
    (void)stria__divide(crew, n, sort_buckets, t);
}

void stria__sort_keys(const struct key_sort *s, int64_t n, const struct crew *crew)
{
    struct sorting t; /* most of it stays unused, so it is not cleared */
    t.s = s;
    t.kernels = stria__sort();
    t.sizes = (void *)s->room;
    t.counts = s->room + sizes_size(*crew);
    t.items = (void *)(t.counts + crew->threads * counts_size(s->size, s->bits));
    t.low = crew->threads > 1 && n >= CREW_LEAST ? 0 : s->low;
    t.bits = crew->threads > 1 && n >= CREW_LEAST ? 0 : s->bits;
    if (crew->threads > 1 && n >= CREW_LEAST)
        sort_together(&t, n, crew);
    else
        sort_some(&t, s->keys, s->spare, 0, n, 0);
}
