/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Key k in order: samples tell between which two it lies most likely, and threads divide keys at
 * these. After some rounds, or when few are left, keys are sorted.
 */
#include "ops/order/select.h"

#include <string.h>

#include "engine/conversion.h"
#include "machine/families.h"
#include "machine/machine.h"
#include "ops/stream.h"
#include "simd/kernels.h"
#include "simd/sort.h"
#include "view/view.h"

/*
 * So many samples are taken, of many keys more, and so many of them are between a limit and the one
 * that is looked for: three standard deviations.
 */
enum { FEW = 256, MANY = 1 << 14, ROUNDS = 8, ZONES = 3 };
enum { LITTLE_SAMPLE = 64, LITTLE_MARGIN = 12, SAMPLE = 512, MARGIN = 34 };

/* Keys below `low`, from there on, and from `high` on: how many of each part are in each zone. */
struct zones {
    const struct key_sort *s;
    int64_t low, high, counts[CREW_MOST][ZONES];
};

static void divide_part(void *data, int64_t part, struct share range)
{
    struct zones *const z = data;
    const int size = z->s->size;
    char *const keys = z->s->keys + range.first * size;
    const int64_t n = range.last - range.first;
    int64_t (*const split)(void *, int64_t, int64_t) = stria__sort()->split[size == 8];
    const int64_t less = split(keys, n, z->low),
                  middle = split(keys + less * size, n - less, z->high);
    z->counts[part][0] = less;
    z->counts[part][1] = middle;
    z->counts[part][2] = n - less - middle;
}

static void choose_zones(struct zones *z, int64_t n, int64_t k)
{
    const int size = z->s->size;
    const struct crew alone = {NULL, 1, 1};
    const int64_t count = n < MANY ? LITTLE_SAMPLE : SAMPLE, at = k * count / n;
    const int64_t margin = n < MANY ? LITTLE_MARGIN : MARGIN;
    struct key_sort some = *z->s;
    uint64_t random = (uint64_t)n;
    some.keys = some.spare;
    some.spare += count * size;
    for (int i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        put_key(some.keys, i,
                key_at(z->s->keys, (int64_t)((random >> 32) * (uint64_t)n >> 32), size), size);
    }
    stria__sort_keys(&some, count, &alone);
    z->low = at < margin ? INT64_MIN : key_at(some.keys, at - margin, size);
    z->high = key_at(some.keys, least(at + margin, count - 1), size);
    if (size == 4 && z->low < INT32_MIN) z->low = INT32_MIN;
}

/* Puts the keys of the zone that key k is in first; returns how many there are. */
static int64_t keep_zone(const struct zones *z, int64_t n, int parts, int64_t *k)
{
    const int size = z->s->size;
    int64_t all[ZONES] = {0}, kept = 0;
    int zone = 0;
    for (int i = 0; i < parts; i++)
        for (int j = 0; j < ZONES; j++)
            all[j] += z->counts[i][j];
    for (; zone < ZONES - 1 && *k >= all[zone]; zone++)
        *k -= all[zone];
    for (int i = 0; i < parts; i++) {
        int64_t first = share_of(n, parts, i).first;
        for (int j = 0; j < zone; j++)
            first += z->counts[i][j];
        const int64_t count = z->counts[i][zone];
        memmove(z->s->keys + kept * size, z->s->keys + first * size, (size_t)(count * size));
        kept += count;
    }
    return kept;
}

struct nth stria__nth_key(const struct key_sort *s, int64_t n, int64_t k, const struct crew *crew)
{
    struct zones z; /* what is not used is not cleared */
    z.s = s;
    for (int i = 0; i < ROUNDS && n > FEW; i++) {
        choose_zones(&z, n, k);
        const int parts = stria__divide(crew, n, divide_part, &z);
        n = keep_zone(&z, n, parts, &k);
    }
    stria__sort_keys(s, n, crew);
    struct nth found = {.key = key_at(s->keys, k, s->size), .has_next = k + 1 < n};
    if (found.has_next) found.next = key_at(s->keys, k + 1, s->size);
    while (found.equal < k && key_at(s->keys, k - found.equal - 1, s->size) == found.key)
        found.equal++;
    return found;
}

/* ---- the elements of a view as numbers ------------------------------------------------------- */

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
        if (stria__is_stopped()) return STRIA_ERR_CANCELLED;
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
    if (!crew || crew->threads < 2 || stria_numel(a) == 0) {
        WATCHES(NULL);
        const stria_status status = stream_numbers(a, &c);
        return status == STRIA_ERR_CANCELLED ? stria__watch_end(NULL) : status;
    }
    struct shared_numbers s = {.a = a, .c = &c};
    while (s.dim < a->ndim - 1 && a->shape[s.dim] == 1)
        s.dim++;
    stria__divide_among(crew, a->shape[s.dim], stream_part, &s);
    bool all = true;
    for (int i = 0; i < crew->threads; i++)
        all &= s.status[i] == STRIA_OK;
    STRIA_TRY(stria__watch_end(crew->exec));
    return all ? STRIA_OK : stream_numbers(a, &c);
}
