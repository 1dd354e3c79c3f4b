/* SPDX-License-Identifier: BSD-3-Clause */
#include "difference.h"

#include <math.h>
#include <string.h>

#include "elements.h"
#include "stria/copy.h"

struct comparison {
    struct difference *out;
    const stria_view *a, *b;
    struct tolerance tolerance;
    struct elements in_a, in_b;
    struct tiles tiles;
};

bool difference_possible(stria_dtype a, stria_dtype b)
{
    if (elements_kind(a) >= 0 && elements_kind(b) >= 0) return true;
    return a.kind != STRIA_RECORD && stria_dtype_equal(a, b);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Returns the place in the array, in C order, of element i of the block. */
static int64_t place_of(const struct tiles *t, int64_t i)
{
    int64_t at = 0, step = 1;
    for (int d = t->ndim - 1; d >= 0; d--) {
        at += (t->start[d] + i % t->size[d]) * step;
        i /= t->size[d];
        step *= t->shape[d];
    }
    return at;
}

static void note_pair(struct difference *out, const struct pair *pair)
{
    if (out->differing++ == 0 || pair->at < out->first.at) out->first = *pair;
}

static void note_size(struct difference *out, const struct pair *pair)
{
    const bool nan = isnan(pair->by), before = isnan(out->largest.by);
    if (before ? nan && pair->at < out->largest.at
               : nan || pair->by > out->largest.by ||
                     (pair->by == out->largest.by && pair->at < out->largest.at))
        out->largest = *pair;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void read_number(long double out[2], const void *from, stria_kind kind, int64_t i)
{
    out[1] = 0;
    switch (kind) {
    case STRIA_I64: out[0] = (long double)((const int64_t *)from)[i]; break;
    case STRIA_U64: out[0] = (long double)((const uint64_t *)from)[i]; break;
    case STRIA_F64: out[0] = (long double)((const double *)from)[i]; break;
    default:
        out[0] = (long double)((const double *)from)[2 * i];
        out[1] = (long double)((const double *)from)[2 * i + 1];
    }
}

static bool is_nan(const long double x[2])
{
    return isnan(x[0]) || isnan(x[1]);
}

/* Computes |a - b|; it is 0 for infinities of one sign. */
static long double distance(const long double a[2], const long double b[2])
{
    const long double re = a[0] == b[0] ? 0 : a[0] - b[0], im = a[1] == b[1] ? 0 : a[1] - b[1];
    return im == 0 ? fabsl(re) : hypotl(re, im);
}

static bool is_close(const struct pair *pair, struct tolerance t)
{
    if (pair->by == 0) return true;
    const long double size = pair->b[1] == 0 ? fabsl(pair->b[0]) : hypotl(pair->b[0], pair->b[1]);
    return !isinf(size) && pair->by <= (long double)t.atol + (long double)t.rtol * size;
}

static void compare_numbers(struct comparison *c, const void *a, const void *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        struct pair pair;
        read_number(pair.a, a, c->in_a.kind, i);
        read_number(pair.b, b, c->in_b.kind, i);
        pair.by = distance(pair.a, pair.b);
        if (pair.by == 0) continue;
        const bool nan_a = is_nan(pair.a), nan_b = is_nan(pair.b);
        if (nan_a && nan_b) continue;
        if (nan_a || nan_b) pair.by = NAN;
        pair.at = place_of(&c->tiles, i);
        note_size(c->out, &pair);
        if (isnan(pair.by) || !is_close(&pair, c->tolerance)) note_pair(c->out, &pair);
    }
}

static stria_status next_numbers(struct comparison *c)
{
    void *a, *b;
    int64_t n;
    STRIA_TRY(elements_read(&c->in_a, c->a, &c->tiles, &a, &n));
    STRIA_TRY(elements_read(&c->in_b, c->b, &c->tiles, &b, &n));
    const size_t item = c->in_a.kind == STRIA_C128 ? 16 : 8;
    /* Most blocks are equal; equal bytes are equal numbers, or NaNs. */
    if (c->in_a.kind != c->in_b.kind || memcmp(a, b, (size_t)n * item) != 0)
        compare_numbers(c, a, b, n);
    c->out->count += n;
    return STRIA_OK;
}

/* ---- bytes: strings, opaque items ------------------------------------------------------------ */

static stria_status next_bytes(struct comparison *c)
{
    stria_view a, b;
    stria_array dense_a = {.owned = NULL}, dense_b = {.owned = NULL};
    STRIA_TRY(part_of(&a, c->a, c->tiles.start, c->tiles.size));
    STRIA_TRY(part_of(&b, c->b, c->tiles.start, c->tiles.size));
    STRIA_TRY(stria_clone_ordered_new(&dense_a, &a, STRIA_ORDER_C, NULL));
    const stria_status status = stria_clone_ordered_new(&dense_b, &b, STRIA_ORDER_C, NULL);
    if (status != STRIA_OK) {
        stria_array_release(&dense_a);
        return status;
    }
    const size_t item = (size_t)a.dtype.itemsize;
    const int64_t n = stria_numel(&a);
    for (int64_t i = 0; i < n; i++) {
        const struct pair pair = {.at = place_of(&c->tiles, i)};
        if (memcmp(dense_a.view.data + (size_t)i * item, dense_b.view.data + (size_t)i * item,
                   item) != 0)
            note_pair(c->out, &pair);
    }
    c->out->count += n;
    stria_array_release(&dense_a);
    stria_array_release(&dense_b);
    return STRIA_OK;
}

/* ---- all blocks ------------------------------------------------------------------------------ */

static stria_status all_blocks(struct comparison *c, stria_status (*next)(struct comparison *c),
                               struct progress *progress)
{
    const int64_t all = stria_numel(c->a);
    elements_tiles(&c->tiles, c->a, c->b);
    do {
        STRIA_TRY(next(c));
        progress_set(progress, (double)c->out->count, (double)all);
    } while (tiles_next(&c->tiles));
    return STRIA_OK;
}

stria_status difference_of(struct difference *out, const stria_view *a, const stria_view *b,
                           struct tolerance tolerance, struct progress *progress)
{
    struct comparison c = {.out = out, .a = a, .b = b, .tolerance = tolerance};
    const int kind_a = elements_kind(a->dtype), kind_b = elements_kind(b->dtype);
    *out = (struct difference){.numbers = kind_a >= 0 && kind_b >= 0,
                               .complex = kind_a == STRIA_C128 || kind_b == STRIA_C128};
    if (!out->numbers) return all_blocks(&c, next_bytes, progress);
    STRIA_TRY(elements_open(&c.in_a, a->dtype));
    stria_status status = elements_open(&c.in_b, b->dtype);
    if (status == STRIA_OK) status = all_blocks(&c, next_numbers, progress);
    stria_array_release(&c.in_b.room);
    stria_array_release(&c.in_a.room);
    return status;
}
