/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integers of 8 and many of 16 bits are counted. Of other numbers keys are made, which have 4 or 8
 * bytes; kernels sort those (simd/sort.h), or where a level has none a radix sort. Threads divide
 * keys by samples first. What keys do not tell apart in its order, NaN and zeros of either sign, is
 * written down before, and put back where there are NaN or -0 at all.
 */
#include "ops/order/values.h"

#include <string.h>

#include "base/integers.h"
#include "dtype/dtype.h"
#include "machine/dispatch.h"
#include "ops/order/radix.h"
#include "ops/value/element.h"
#include "simd/kernels.h"
#include "simd/tuning.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Number of elements from which counting takes less time than sorting (Zen 5). */
enum { COUNTED_1 = 768, COUNTED_2 = 1 << 17 };
/* Threads divide keys into so many buckets for each of them, by so many samples for each. */
enum { BUCKETS_EACH = 4, BUCKETS_MOST = BUCKETS_EACH * CREW_MOST, SAMPLES = 16 };

static int key_size(const struct value_sort *how)
{
    return how->size == 8 ? 8 : 4;
}

static ALWAYS_INLINE int64_t key_at(const char *keys, int64_t i, const int size)
{
    int32_t small;
    int64_t large;
    if (size == 8) {
        memcpy(&large, keys + i * 8, sizeof large);
        return large;
    }
    memcpy(&small, keys + i * 4, sizeof small);
    return small;
}

static ALWAYS_INLINE void put_key(char *keys, int64_t i, int64_t key, const int size)
{
    const int32_t small = (int32_t)key;
    if (size == 8)
        memcpy(keys + i * 8, &key, sizeof key);
    else
        memcpy(keys + i * 4, &small, sizeof small);
}

/* ---- one line -------------------------------------------------------------------------------- */

/* NaN and zeros of a part, whose keys are written down: NaN from the front, zeros from the end. */
struct apart {
    int64_t nans, zeros, before; /* Numbers of NaN, of zeros, of those before zeros. */
};

/*
 * A line that is sorted. `keys` are those that are made, in the output or in the room; `divided`
 * those that threads have put into buckets.
 */
struct values {
    const struct value_sort *how;
    const struct sort_kernels *kernels;
    char *out;
    const char *in;
    char *keys, *divided, *apart, *rest;
    int64_t *sizes; /* Sizes of the buckets of each part. */
    int64_t starts[BUCKETS_MOST + 1];
    int64_t pivots[BUCKETS_MOST];
    int buckets;
    bool odd[CREW_MOST];
    struct apart parts[CREW_MOST];
};

/* Makes keys of 4 bytes of numbers of 1 or 2; tells whether there are NaN or -0. */
static ALWAYS_INLINE bool widen_keys(const struct value_sort *how, char *keys, const char *in,
                                     struct share range, const int size)
{
    const struct key_form f = how->form;
    const int unused = 32 - 8 * size;
    bool odd = false;
    for (int64_t i = range.first; i < range.last; i++) {
        const uint32_t bits = (uint32_t)bits_load(in + i * size, size);
        const int32_t x = how->is_signed ? (int32_t)(bits << unused) >> unused : (int32_t)bits;
        odd |= (x & (int32_t)f.magnitude) > (int32_t)f.infinity;
        odd |= x < 0 && (x & (int32_t)f.magnitude) == 0;
        put_key(keys, i, x ^ (int32_t)f.flip ^ (x >> 31 & (int32_t)f.magnitude), 4);
    }
    return odd;
}

static void make_keys(void *data, int64_t part, struct share range)
{
    struct values *const v = data;
    const struct value_sort *const how = v->how;
    char *const keys = v->keys + range.first * key_size(how);
    const char *const in = v->in + range.first * how->size;
    const int64_t n = range.last - range.first;
    bool odd = false;
    if (how->size == 1)
        odd = widen_keys(how, v->keys, v->in, range, 1);
    else if (how->size == 2)
        odd = widen_keys(how, v->keys, v->in, range, 2);
    else if (!how->same)
        odd = v->kernels->to_keys[how->size == 8](keys, in, n, &how->form);
    else if (keys != in)
        memcpy(keys, in, (size_t)(n * how->size));
    v->odd[part] = odd && how->is_float;
}

static void narrow_part(void *data, int64_t part, struct share range)
{
    const struct values *const v = data;
    const struct value_sort *const how = v->how;
    const struct key_form f = how->form;
    (void)part;
    if (how->size >= 4) {
        v->kernels->to_numbers[how->size == 8](v->out + range.first * how->size,
                                               range.last - range.first, &how->form);
        return;
    }
    for (int64_t i = range.first; i < range.last; i++) {
        const int32_t x = (int32_t)key_at(v->divided, i, 4) ^ (int32_t)f.flip;
        const uint16_t bits = (uint16_t)(x ^ (x >> 31 & (int32_t)f.magnitude));
        if (how->size == 1)
            v->out[i] = (char)bits;
        else
            memcpy(v->out + i * 2, &bits, sizeof bits);
    }
}

/* ---- NaN and zeros --------------------------------------------------------------------------- */

static ALWAYS_INLINE void set_apart(struct values *v, int64_t part, struct share range,
                                    const int size)
{
    const struct key_form f = v->how->form;
    char *const apart = v->apart + range.first * size;
    const int64_t n = range.last - range.first;
    struct apart a = {0, 0, 0};
    for (int64_t i = range.first; i < range.last; i++) {
        const int64_t key = key_at(v->keys, i, size), x = key ^ (int64_t)f.flip;
        const int64_t magnitude = (x ^ x >> 63) & (int64_t)f.magnitude;
        const bool nan = magnitude > (int64_t)f.infinity, zero = magnitude == 0;
        put_key(apart, a.nans, key, size);
        put_key(apart, n - 1 - a.zeros, key, size);
        a.nans += nan;
        a.zeros += zero;
        a.before += !nan && key < -1; /* The keys of zeros are -1 and 0. */
        put_key(v->keys, i, nan ? size == 8 ? INT64_MAX : INT32_MAX : key, size);
    }
    v->parts[part] = a;
}

static void set_part_apart(void *data, int64_t part, struct share range)
{
    if (key_size(((struct values *)data)->how) == 8)
        set_apart(data, part, range, 8);
    else
        set_apart(data, part, range, 4);
}

/* Puts keys back in the order in which they came. */
static void put_back(struct values *v, int parts)
{
    const int64_t n = v->how->n, size = key_size(v->how);
    int64_t nan = n, zero = 0;
    for (int i = 0; i < parts; i++) {
        nan -= v->parts[i].nans;
        zero += v->parts[i].before;
    }
    for (int i = 0; i < parts; i++) {
        const struct share range = parts > 1 ? share_of(n, parts, i) : (struct share){0, n};
        const struct apart a = v->parts[i];
        memcpy(v->divided + nan * size, v->apart + range.first * size, (size_t)(a.nans * size));
        nan += a.nans;
        for (int64_t j = 1; j <= a.zeros; j++)
            memcpy(v->divided + zero++ * size, v->apart + (range.last - j) * size, (size_t)size);
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

static ALWAYS_INLINE void sample(char *keys, int64_t n, char *some, int64_t count, const int size)
{
    for (int64_t i = 0; i < count; i++)
        put_key(some, i, key_at(keys, share_of(n, count, i).first, size), size);
}

/* Chooses keys that divide all of them into buckets of about one size. */
static void choose_pivots(struct values *v)
{
    const int size = key_size(v->how);
    const int64_t count = (int64_t)v->buckets * SAMPLES;
    char *const some = v->divided; /* It is not in use yet. */
    if (size == 8)
        sample(v->keys, v->how->n, some, count, 8);
    else
        sample(v->keys, v->how->n, some, count, 4);
    v->kernels->sort[size == 8](some, count, NULL);
    for (int i = 1; i < v->buckets; i++)
        v->pivots[i] = key_at(some, (int64_t)i * SAMPLES, size);
}

/* Divides keys into the buckets from `first` on, a power of two of them. */
static void divide_keys(const struct values *v, char *keys, int64_t n, int first, int count,
                        int64_t *sizes)
{
    const int size = key_size(v->how), half = count / 2;
    if (count == 1) {
        sizes[first] = n;
        return;
    }
    const int64_t less = v->kernels->split[size == 8](keys, n, v->pivots[first + half]);
    divide_keys(v, keys, less, first, half, sizes);
    divide_keys(v, keys + less * size, n - less, first + half, half, sizes);
}

static void divide_part(void *data, int64_t part, struct share range)
{
    const struct values *const v = data;
    divide_keys(v, v->keys + range.first * key_size(v->how), range.last - range.first, 0,
                v->buckets, v->sizes + part * v->buckets);
}

/* Copies keys of a part to the places of its buckets, which follow those of the parts before. */
static void gather_part(void *data, int64_t part, struct share range)
{
    const struct values *const v = data;
    const int size = key_size(v->how);
    const char *from = v->keys + range.first * size;
    for (int i = 0; i < v->buckets; i++) {
        int64_t first = v->starts[i];
        for (int64_t p = 0; p < part; p++)
            first += v->sizes[p * v->buckets + i];
        const size_t bytes = (size_t)(v->sizes[part * v->buckets + i] * size);
        memcpy(v->divided + first * size, from, bytes);
        from += bytes;
    }
}

static void sort_buckets(void *data, int64_t part, struct share range)
{
    const struct values *const v = data;
    const int size = key_size(v->how);
    (void)part;
    for (int i = 0; i < v->buckets; i++)
        if (v->starts[i] >= range.first && v->starts[i] < range.last)
            v->kernels->sort[size == 8](v->divided + v->starts[i] * size,
                                        v->starts[i + 1] - v->starts[i], NULL);
}

static void sort_together(struct values *v)
{
    const struct crew *const crew = &v->how->crew;
    const int64_t n = v->how->n;
    v->buckets = 1;
    while (v->buckets < BUCKETS_EACH * crew->threads)
        v->buckets *= 2;
    choose_pivots(v);
    (void)stria__divide(crew, n, divide_part, v);
    v->starts[0] = 0;
    for (int i = 0; i < v->buckets; i++) {
        v->starts[i + 1] = v->starts[i];
        for (int64_t p = 0; p < crew->threads; p++)
            v->starts[i + 1] += v->sizes[p * v->buckets + i];
    }
    (void)stria__divide(crew, n, gather_part, v);
    (void)stria__divide(crew, n, sort_buckets, v);
}

/* ---- levels without a kernel ----------------------------------------------------------------- */

/* Sorts keys as numbers of 64 bits without their least one. */
static void sort_by_radix(struct values *v)
{
    const int size = key_size(v->how);
    const int64_t n = v->how->n;
    const struct crew *const crew = &v->how->crew;
    struct radix_counts *const counts = (void *)v->rest;
    uint64_t *const items =
        (void *)(v->rest + round_up(crew->threads * (int64_t)sizeof *counts, LINE));
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int64_t i = 0; i < n; i++) {
        const int64_t key = key_at(v->keys, i, size);
        least = key < least ? key : least;
        most = key > most ? key : most;
        items[i] = (uint64_t)key;
    }
    const uint64_t range = n > 0 ? (uint64_t)most - (uint64_t)least : 0;
    for (int64_t i = 0; i < n; i++)
        items[i] -= (uint64_t)least;
    stria__radix_sort(items, items + n, n, 0, range ? 64 - __builtin_clzll(range) : 0, counts,
                      crew);
    for (int64_t i = 0; i < n; i++)
        put_key(v->divided, i, (int64_t)(items[i] + (uint64_t)least), size);
}

/* ---- counting -------------------------------------------------------------------------------- */

enum { DIGITS_1 = 1 << 8, DIGITS_2 = 1 << 16 };

static int64_t digits_of(const struct value_sort *how)
{
    return how->size == 1 ? DIGITS_1 : DIGITS_2;
}

/* Several tables, so that runs of one number do not wait for each other. */
static int64_t counts_size(const struct value_sort *how)
{
    return how->size == 1 ? 4 * DIGITS_1 : 2 * DIGITS_2;
}

static uint32_t *counts_of(const struct values *v, int64_t part)
{
    return (uint32_t *)(void *)v->rest + part * counts_size(v->how);
}

/* Counts numbers by their bits. */
static void count_part(void *data, int64_t part, struct share range)
{
    const struct values *const v = data;
    uint32_t *const counts = counts_of(v, part);
    const char *const in = v->in;
    memset(counts, 0, (size_t)counts_size(v->how) * sizeof *counts);
    if (v->how->size == 1)
        for (int64_t i = range.first; i < range.last; i++)
            counts[(i & 3) * DIGITS_1 + (unsigned char)in[i]]++;
    else
        for (int64_t i = range.first; i < range.last; i++)
            counts[(i & 1) * DIGITS_2 + bits_load(in + i * 2, 2)]++;
}

/* Writes the runs of some numbers, in their order. */
static void fill_part(void *data, int64_t part, struct share range)
{
    const struct values *const v = data;
    const struct value_sort *const how = v->how;
    const uint32_t *const counts = counts_of(v, 0);
    const int64_t digits = digits_of(how);
    const uint32_t turn = ((uint32_t)how->form.flip ^ (how->is_signed ? (uint32_t)digits / 2 : 0)) &
                          (uint32_t)(digits - 1);
    int64_t at = 0;
    (void)part;
    for (int64_t i = 0; i < range.first; i++)
        at += counts[(uint32_t)i ^ turn];
    for (int64_t i = range.first; i < range.last; i++) {
        const uint32_t bits = (uint32_t)i ^ turn;
        const uint16_t number = (uint16_t)bits;
        const int64_t end = at + counts[bits];
        if (how->size == 1)
            memset(v->out + at, (int)bits, (size_t)(end - at));
        else
            for (int64_t j = at; j < end; j++)
                memcpy(v->out + j * 2, &number, sizeof number);
        at = end;
    }
}

/* Sorts false before true; any byte but 0 counts as true. */
static void sort_bools(struct values *v)
{
    const int64_t n = v->how->n;
    const bool descending = v->how->form.flip != 0;
    int64_t trues = 0;
    for (int64_t i = 0; i < n; i++) {
        const char byte = v->in[i];
        v->rest[trues] = byte;
        trues += byte != 0;
    }
    memset(v->out + (descending ? trues : 0), 0, (size_t)(n - trues));
    memcpy(v->out + (descending ? 0 : n - trues), v->rest, (size_t)trues);
}

static void sort_by_counts(struct values *v)
{
    const struct crew *const crew = &v->how->crew;
    const int64_t digits = digits_of(v->how);
    const int parts = stria__divide(crew, v->how->n, count_part, v);
    uint32_t *const counts = counts_of(v, 0);
    for (int64_t p = 0; p < parts; p++)
        for (int64_t i = 0; i < counts_size(v->how); i++)
            if (p > 0 || i >= digits) counts[i & (digits - 1)] += counts_of(v, p)[i];
    if (v->how->is_bool && (int64_t)counts[0] + counts[1] < v->how->n)
        sort_bools(v);
    else
        (void)stria__divide(crew, digits, fill_part, v);
}

/* ---- any line -------------------------------------------------------------------------------- */

static bool form_of(struct value_sort *how, stria_kind kind, bool descending)
{
    const uint64_t top = UINT64_C(1) << (8 * how->size - 1);
    struct key_form *const f = &how->form;
    *f = (struct key_form){.flip = descending ? UINT64_MAX : 0};
    how->is_signed = true;
    switch (kind) {
    case STRIA_BOOL:
    case STRIA_U8:
    case STRIA_U16: how->is_signed = false; break;
    case STRIA_U32:
    case STRIA_U64: f->top = top; break;
    case STRIA_I8:
    case STRIA_I16: break;
    case STRIA_I32:
    case STRIA_I64: how->same = !descending; break;
    case STRIA_DATETIME:
    case STRIA_TIMEDELTA: f->less = !descending; break; /* "no time" is the least. */
    case STRIA_F8E4M3: f->infinity = 0x7E; break;
    case STRIA_F8E5M2: f->infinity = 0x7C; break;
    case STRIA_F16: f->infinity = 0x7C00; break;
    case STRIA_BF16: f->infinity = 0x7F80; break;
    case STRIA_F32: f->infinity = 0x7F800000; break;
    case STRIA_F64: f->infinity = UINT64_C(0x7FF) << 52; break;
    default: return false;
    }
    how->is_float = f->infinity != 0;
    f->magnitude = how->is_float ? top - 1 : 0;
    return true;
}

bool stria__value_sort(struct value_sort *out, stria_kind kind, int64_t n, bool descending,
                       struct crew crew)
{
    *out = (struct value_sort){.n = n, .crew = crew, .is_bool = kind == STRIA_BOOL};
    if (kind > STRIA_F64 && kind != STRIA_DATETIME && kind != STRIA_TIMEDELTA) return false;
    out->size = stria__builtins[kind].size;
    if (!form_of(out, kind, descending)) return false;
    const int64_t key = key_size(out), keys = round_up(n * key, LINE);
    const bool together = crew.threads > 1 && n >= CREW_LEAST, narrow = out->size < 4;
    if (!together) out->crew.threads = 1;
    out->counted = narrow && !out->is_float && n >= (out->size == 1 ? COUNTED_1 : COUNTED_2);
    out->by_radix = !stria__kernels()->sort->sort[key == 8];
    if (out->is_bool || out->counted)
        out->room = n + 1 + out->crew.threads * counts_size(out) * (int64_t)sizeof(uint32_t);
    else
        out->room = keys * (int64_t)((narrow || together) + out->is_float + (narrow && together));
    if (out->by_radix)
        out->room += round_up(out->crew.threads * (int64_t)sizeof(struct radix_counts), LINE) +
                     2 * n * (int64_t)sizeof(uint64_t);
    else if (together)
        out->room += (int64_t)crew.threads * BUCKETS_MOST * (int64_t)sizeof(int64_t);
    return true;
}

/* Divides the room among the uses of a line, as stria__value_sort counts them. */
static void give_room(struct values *v, char *room)
{
    const struct value_sort *const how = v->how;
    const int64_t keys = round_up(how->n * key_size(how), LINE);
    const bool narrow = how->size<4, together = how->crew.threads> 1;
    v->keys = v->divided = v->out;
    if (narrow || together) {
        v->keys = room;
        room += keys;
        v->divided = together ? v->out : v->keys;
    }
    if (narrow && together) {
        v->divided = room;
        room += keys;
    }
    v->apart = room;
    v->rest = room + (how->is_float ? keys : 0);
    v->sizes = (void *)v->rest;
}

static bool any_odd(const struct values *v, int parts)
{
    bool any = false;
    for (int i = 0; i < parts; i++)
        any |= v->odd[i];
    return any;
}

void stria__sort_values(const struct value_sort *how, char *out, const char *in, char *room)
{
    const struct crew *const crew = &how->crew;
    struct values v; /* Most of it stays unused, so it is not cleared. */
    v.how = how;
    v.kernels = stria__kernels()->sort;
    v.out = out;
    v.in = in;
    v.rest = room;
    if (how->is_bool || how->counted) {
        if (how->counted)
            sort_by_counts(&v);
        else
            sort_bools(&v);
        return;
    }
    give_room(&v, room);
    const int parts = stria__divide(crew, how->n, make_keys, &v);
    const bool odd = any_odd(&v, parts);
    if (odd) (void)stria__divide(crew, how->n, set_part_apart, &v);
    const bool alone = crew->threads == 1 && !how->by_radix,
               at_once = alone && how->size >= 4 && !odd;
    if (how->by_radix)
        sort_by_radix(&v);
    else if (alone)
        v.kernels->sort[how->size == 8](v.keys, how->n, at_once && !how->same ? &how->form : NULL);
    else
        sort_together(&v);
    if (odd) put_back(&v, parts);
    if (!at_once && !how->same) (void)stria__divide(crew, how->n, narrow_part, &v);
}
