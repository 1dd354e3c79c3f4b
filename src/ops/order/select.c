/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selection by the leading bits: elements are counted by the highest bits of their keys, and the
 * keys of the bucket that element k lies in are gathered. These are counted by the highest bits
 * that differ, those of one bucket kept, and so on until few are left. The elements are read twice,
 * and what is left each time is a small part of them.
 */
#include "ops/order/select.h"

#include <stdbool.h>
#include <string.h>

#include "engine/conversion.h"
#include "machine/machine.h"
#include "ops/stream.h"
#include "view/view.h"

enum { FEW = 32 };
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* ---- keys ------------------------------------------------------------------------------------ */

static const uint64_t TOP = UINT64_C(1) << 63, NAN_KEY = UINT64_MAX;

static ALWAYS_INLINE uint64_t f32_key(const char *at)
{
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    const uint32_t negative = 0 - (bits >> 31), key = bits ^ (negative | UINT32_C(1) << 31);
    const bool nan = (bits & INT32_MAX) > UINT32_C(0x7F800000);
    return nan ? NAN_KEY : (uint64_t)key << 32;
}

static ALWAYS_INLINE uint64_t f64_key(const char *at)
{
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    const bool nan = (bits & ~TOP) > UINT64_C(0x7FF0000000000000);
    return nan ? NAN_KEY : bits ^ ((0 - (bits >> 63)) | TOP);
}

static ALWAYS_INLINE uint64_t key_at(const char *at, int64_t i, const stria_kind kind)
{
    uint64_t bits;
    if (kind == STRIA_F32) return f32_key(at + i * (int64_t)sizeof(float));
    at += i * (int64_t)sizeof bits;
    if (kind == STRIA_F64) return f64_key(at);
    memcpy(&bits, at, sizeof bits);
    return kind == STRIA_I64 ? bits ^ TOP : bits;
}

/* Tells whether the key of a float encodes a NaN. */
static ALWAYS_INLINE bool is_nan(uint64_t key, const stria_kind kind)
{
    return (kind == STRIA_F32 || kind == STRIA_F64) && key == NAN_KEY;
}

static double value_of(uint64_t key, stria_kind kind)
{
    if (kind == STRIA_U64) return (double)key;
    if (kind == STRIA_I64) return (double)(int64_t)(key ^ TOP);
    const uint64_t bits = key & TOP ? key ^ TOP : ~key;
    if (kind == STRIA_F32) {
        const uint32_t half = (uint32_t)(bits >> 32);
        float x;
        memcpy(&x, &half, sizeof x);
        return x;
    }
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- elements, for each kind a loop of its own ----------------------------------------------- */

static ALWAYS_INLINE void count(struct leading *d, const char *at, int64_t n, const stria_kind kind)
{
    enum { SHIFT = 64 - DIGIT_BITS };
    int64_t i = 0, nans = 0;
    for (; n > FEW && i + 2 <= n; i += 2) {
        const uint64_t even = key_at(at, i, kind), odd = key_at(at, i + 1, kind);
        d->counts[0][even >> SHIFT]++;
        d->counts[1][odd >> SHIFT]++;
        nans += is_nan(even, kind) + is_nan(odd, kind);
    }
    for (; i < n; i++) {
        const uint64_t key = key_at(at, i, kind);
        if (n > FEW) d->counts[0][key >> SHIFT]++;
        nans += is_nan(key, kind);
    }
    d->nans = nans;
}

/* Elements; every thread counts or keeps those of its part. */
struct shared_elements {
    const struct ranked *e;
    struct leading *counts;
    uint64_t *room, low, high;
    struct share kept[CREW_MOST];
};

static struct ranked part_of(const struct ranked *e, struct share range)
{
    const int64_t item = e->kind == STRIA_F32 ? sizeof(float) : sizeof(double);
    return (struct ranked){
        .at = e->at + range.first * item, .n = range.last - range.first, .kind = e->kind};
}

static void count_part(void *data, int64_t part, struct share range)
{
    const struct shared_elements *const s = data;
    const struct ranked e = part_of(s->e, range);
    struct leading *const out = &s->counts[part];
    if (e.n > FEW) memset(out->counts, 0, sizeof out->counts);
    switch (e.kind) {
    case STRIA_F32: count(out, e.at, e.n, STRIA_F32); break;
    case STRIA_F64: count(out, e.at, e.n, STRIA_F64); break;
    case STRIA_I64: count(out, e.at, e.n, STRIA_I64); break;
    default: count(out, e.at, e.n, STRIA_U64); break;
    }
}

void stria__count_leading(struct leading *out, const struct ranked *e)
{
    struct shared_elements s; /* Unused parts are not cleared. */
    s.e = e;
    s.counts = out;
    const int parts = stria__divide(&e->crew, e->n, count_part, &s);
    for (int i = 1; i < parts; i++) {
        out->nans += out[i].nans;
        for (int64_t j = 0; j < DIGITS; j++)
            out->counts[0][j] += out[i].counts[0][j] + out[i].counts[1][j];
    }
}

/* Keeps the keys between low and high in room; returns how many there are. */
static ALWAYS_INLINE int64_t keep(uint64_t *room, const char *at, int64_t n, uint64_t low,
                                  uint64_t high, const stria_kind kind)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = key_at(at, i, kind);
        room[kept] = key;
        kept += (key >= low) & (key <= high);
    }
    return kept;
}

static void keep_part(void *data, int64_t part, struct share range)
{
    struct shared_elements *const s = data;
    const struct ranked e = part_of(s->e, range);
    uint64_t *const room = s->room + range.first;
    int64_t kept;
    switch (e.kind) {
    case STRIA_F32: kept = keep(room, e.at, e.n, s->low, s->high, STRIA_F32); break;
    case STRIA_F64: kept = keep(room, e.at, e.n, s->low, s->high, STRIA_F64); break;
    case STRIA_I64: kept = keep(room, e.at, e.n, s->low, s->high, STRIA_I64); break;
    default: kept = keep(room, e.at, e.n, s->low, s->high, STRIA_U64); break;
    }
    s->kept[part] = (struct share){range.first, range.first + kept};
}

static int64_t keep_between(uint64_t *room, const struct ranked *e, uint64_t low, uint64_t high)
{
    struct shared_elements s; /* Unused parts are not cleared. */
    s.e = e;
    s.room = room;
    s.low = low;
    s.high = high;
    const int parts = stria__divide(&e->crew, e->n, keep_part, &s);
    int64_t kept = s.kept[0].last;
    for (int i = 1; i < parts; i++) {
        const int64_t n = s.kept[i].last - s.kept[i].first;
        memmove(room + kept, room + s.kept[i].first, (size_t)n * sizeof *room);
        kept += n;
    }
    return kept;
}

/* ---- keys among keys ------------------------------------------------------------------------- */

/* Puts a few keys in order. */
static void sort_few(uint64_t *keys, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const uint64_t key = keys[i];
        int64_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* Returns the lowest bit of the next digit: of the highest bits in which keys differ. */
static int shift_of(const uint64_t *keys, int64_t n)
{
    uint64_t all = keys[0], any = keys[0];
    for (int64_t i = 1; i < n; i++) {
        all &= keys[i];
        any |= keys[i];
    }
    if (all == any) return -1;
    const int top = 63 - __builtin_clzll(all ^ any);
    return top < DIGIT_BITS ? 0 : top - DIGIT_BITS + 1;
}

static uint64_t digit_of(uint64_t key, int shift)
{
    return key >> shift & (DIGITS - 1);
}

/* Finds the bucket of element k; *k becomes its number in the bucket. */
static uint64_t find_bucket(const uint64_t *keys, int64_t n, int shift, int64_t *k)
{
    int64_t counts[DIGITS], left = *k;
    uint64_t bucket = 0;
    memset(counts, 0, sizeof counts);
    for (int64_t i = 0; i < n; i++)
        counts[digit_of(keys[i], shift)]++;
    while (left >= counts[bucket])
        left -= counts[bucket++];
    *k = left;
    return bucket;
}

/* Keeps the keys of a bucket in room; *above becomes the least key of higher buckets. */
static int64_t keep_bucket(const uint64_t *keys, int64_t n, int shift, uint64_t bucket,
                           uint64_t *room, uint64_t *above)
{
    int64_t kept = 0;
    uint64_t next = *above;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = keys[i], digit = digit_of(key, shift);
        room[kept] = key;
        kept += digit == bucket;
        next = digit > bucket && key < next ? key : next;
    }
    *above = next;
    return kept;
}

/* The keys that are left at the end, sorted or equal, and the number of the wanted one. */
struct rest {
    int64_t n, k;
};

/* The key at place k of n, and the one after it, which is not below `above`; changes the keys. */
static struct rest select_keys(uint64_t found[2], uint64_t *keys, int64_t n, int64_t k,
                               uint64_t above)
{
    if (k >= n) k = n > 0 ? n - 1 : 0; /* Keys that were counted have changed since. */
    while (n > FEW) {
        const int shift = shift_of(keys, n);
        if (shift < 0) break;
        const uint64_t bucket = find_bucket(keys, n, shift, &k);
        n = keep_bucket(keys, n, shift, bucket, keys, &above);
    }
    if (n <= FEW) sort_few(keys, n);
    found[0] = keys[k];
    found[1] = k + 1 < n ? keys[k + 1] : above;
    return (struct rest){n, k};
}

uint64_t stria__select_key(uint64_t *keys, int64_t n, int64_t k, int64_t *equal)
{
    uint64_t found[2];
    const struct rest rest = select_keys(found, keys, n, k, UINT64_MAX);
    *equal = rest.k;
    for (int64_t i = 0; i < rest.n && keys[i] < found[0]; i++)
        --*equal;
    return found[0];
}

/* ---- the selection --------------------------------------------------------------------------- */

static int64_t count_of(const struct leading *d, uint64_t digit)
{
    return d->counts[0][digit] + d->counts[1][digit];
}

static uint64_t first_key(uint64_t digit)
{
    return digit << (64 - DIGIT_BITS);
}

static uint64_t last_key(uint64_t digit)
{
    return first_key(digit) | (UINT64_MAX >> DIGIT_BITS);
}

/* Returns the least key of the buckets after this one, one of which has elements. */
static uint64_t least_above(const struct ranked *e, const struct leading *d, uint64_t digit,
                            uint64_t *room)
{
    do
        digit++;
    while (count_of(d, digit) == 0);
    const int64_t n = keep_between(room, e, first_key(digit), last_key(digit));
    uint64_t least = room[0];
    for (int64_t i = 1; i < n; i++)
        least = room[i] < least ? room[i] : least;
    return least;
}

struct neighbours stria__select(const struct ranked *e, const struct leading *d, int64_t k,
                                uint64_t *room)
{
    const bool is_last = k == e->n - d->nans - 1;
    uint64_t found[2], digit = 0, above = UINT64_MAX;
    int64_t n = e->n;
    if (n <= FEW) {
        (void)keep_between(room, e, 0, UINT64_MAX);
    } else {
        while (k >= count_of(d, digit))
            k -= count_of(d, digit++);
        if (k + 1 == count_of(d, digit) && !is_last) above = least_above(e, d, digit, room);
        n = keep_between(room, e, first_key(digit), last_key(digit));
    }
    (void)select_keys(found, room, n, k, above);
    return (struct neighbours){value_of(found[0], e->kind),
                               value_of(found[is_last ? 0 : 1], e->kind),
                               e->kind == STRIA_I64 ? found[0] ^ TOP : found[0]};
}

enum { PIECE = 512 /* Numbers. */, STAGED = 8 << 10 /* Bytes. */ };

struct converting {
    struct conversion how;
    int64_t item;
    take_numbers *take;
    void *context;
    struct numbers_at at;
};

static stria_status convert(const void *bytes, int64_t size, void *context)
{
    struct converting *const c = context;
    const char *in = bytes;
    int64_t numbers[PIECE];
    for (int64_t left = size / c->item; left > 0;) {
        const int64_t n = least(left, PIECE);
        if (c->how.row)
            c->how.row(&c->how, (char *)numbers, in, n);
        else
            memcpy(numbers, in, (size_t)n * sizeof *numbers);
        STRIA_TRY(c->take(numbers, n, c->at, c->context));
        c->at.first += n;
        in += n * c->item;
        left -= n;
    }
    return STRIA_OK;
}

static stria_status stream_numbers(const stria_view *a, struct converting *c)
{
    _Alignas(64) char memory[STAGED];
    const struct stage stage = {
        .memory = memory, .size = STAGED, .near = STAGED, .direct = NUMBERS_DIRECT};
    return stria__stream(a, stage, convert, c);
}

/* Numbers that threads divide along the outermost dim. */
struct shared_numbers {
    const stria_view *a;
    const struct converting *c;
    int dim;
    stria_status status[CREW_MOST];
};

static void stream_part(void *data, int64_t part, struct share range)
{
    struct shared_numbers *const s = data;
    const int64_t size = s->a->shape[s->dim];
    struct converting c = *s->c;
    stria_view some;
    c.at = (struct numbers_at){part, stria_numel(s->a) / size * range.first};
    stria_status status = stria_narrow(&some, s->a, s->dim, range.first, range.last - range.first);
    if (status == STRIA_OK) status = stream_numbers(&some, &c);
    s->status[part] = status;
}

stria_status stria__numbers(const stria_view *a, stria_kind kind, take_numbers *take, void *context,
                            const struct crew *crew)
{
    struct converting c = {.item = a->dtype.itemsize, .take = take, .context = context};
    stria_view to, from;
    to.dtype = stria_dtype_of(kind);
    to.flags = 0;
    from.dtype = a->dtype;
    from.flags = 0;
    STRIA_TRY(stria__convert(&c.how, &to, &from, NULL));
    if (!crew || crew->threads < 2 || stria_numel(a) == 0) return stream_numbers(a, &c);
    struct shared_numbers s = {.a = a, .c = &c};
    while (s.dim < a->ndim - 1 && a->shape[s.dim] == 1)
        s.dim++;
    stria__divide_among(crew, a->shape[s.dim], stream_part, &s);
    bool all = true;
    for (int i = 0; i < crew->threads; i++)
        all &= s.status[i] == STRIA_OK;
    return all ? STRIA_OK : stream_numbers(a, &c);
}
