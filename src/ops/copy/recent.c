/* SPDX-License-Identifier: BSD-3-Clause */
/* The table, by the hash of the key, with the whole key compared on a hit. */
#include "recent.h"

#include <string.h>
#include <xxhash.h>

#include "check.h"
#include "dispatch.h"
#include "engine.h"
#include "plan.h"
#include "strategy.h"
#include "through.h"

/* MOST bytes of output, from where on a plan no longer matters; below, one thread is enough. */
enum { MOST = 128 << 10 };
enum { PLACES = 16 }; /* about 11 KiB in all */

/* Offsets and spans are relative to element [0, ..., 0] of the views. */
struct recent {
    uint64_t hash, seen; /* seen: the hash of the last copy that missed this place */
    int count;           /* of the words; 0: free */
    int ndim;
    int64_t words[RECENT_WORDS];
    struct span out, in;
    int64_t out_at, in_at;
    int64_t item, bytes;
    const struct strategy *strategy; /* NULL: converts */
    int64_t row;                     /* items, of a conversion that is one row; else 0 */
    struct nest_dim dims[RECENT_DIMS];
    struct conversion how;
};

static _Thread_local struct recent table[PLACES];

static struct recent *place_of(const struct recent_key *key)
{
    return &table[key->hash % PLACES];
}

/* ---- keys ---------------------------------------------------------------------------------- */

static bool has_few_bytes(const stria_view *dst)
{
    int64_t bytes = dst->dtype.itemsize;
    for (int d = 0; d < dst->ndim && bytes <= MOST; d++) {
        const int64_t n = dst->shape[d];
        if (n < 1 || n > MOST) return false;
        bytes *= n;
    }
    return bytes <= MOST;
}

static void put_dtype(int64_t *word, stria_dtype dtype)
{
    *word = (int64_t)dtype.kind << 40 | (int64_t)dtype.swapped << 32 | (int64_t)dtype.itemsize;
}

static int put_dims(int64_t *words, const stria_view *a)
{
    for (int d = 0; d < a->ndim; d++) {
        words[d] = a->shape[d];
        words[a->ndim + d] = a->strides[d];
    }
    return 2 * a->ndim;
}

/*
 * Records convert to their own kind only, and one description may lie where another lay before: its
 * address is no key, so that both views must have the same.
 */
bool stria__recent_key(struct recent_key *out, const stria_view *dst, const stria_view *src,
                       const stria_exec *exec)
{
    if (!dst || !src || (uint32_t)dst->ndim > RECENT_DIMS || (uint32_t)src->ndim > RECENT_DIMS ||
        dst->dtype.record != src->dtype.record || !has_few_bytes(dst))
        return false;
    const uint32_t signs = STRIA_CONJ | STRIA_NEG, hints = exec ? exec->hints : 0;
    put_dtype(&out->words[0], dst->dtype);
    put_dtype(&out->words[1], src->dtype);
    out->words[2] = (int64_t)(dst->flags & signs) << 16 | (int64_t)(src->flags & signs) << 24 |
                    (int64_t)(hints & STRIA_CAST_WRAP) << 32 | dst->ndim << 8 | src->ndim;
    out->words[3] = (int64_t)(uintptr_t)stria__kernels(); /* conversions keep their functions */
    out->count = 4;
    out->count += put_dims(out->words + out->count, dst);
    out->count += put_dims(out->words + out->count, src);
    out->hash = XXH3_64bits(out->words, (size_t)out->count * sizeof out->words[0]);
    return true;
}

static bool same_key(const struct recent *recent, const struct recent_key *key)
{
    return recent->hash == key->hash && recent->count == key->count &&
           memcmp(recent->words, key->words, (size_t)key->count * sizeof key->words[0]) == 0;
}

/* ---- keeping ------------------------------------------------------------------------------- */

static struct span relative(struct span span, const char *base)
{
    return (struct span){span.low - (uintptr_t)base, span.high - (uintptr_t)base};
}

static void keep_moves(struct recent *recent, const stria_plan *plan, int64_t item)
{
    struct nest nest;
    stria__nest_make(&nest, plan, item);
    recent->strategy = stria__strategy(&nest);
    recent->item = nest.item;
    recent->ndim = nest.ndim;
    memcpy(recent->dims, nest.d, (size_t)nest.ndim * sizeof nest.d[0]);
}

static void keep_converts(struct recent *recent, const stria_plan *plan,
                          const struct conversion *how)
{
    recent->strategy = NULL;
    recent->how = *how;
    recent->row = stria__through_row(plan, how);
    recent->ndim = plan->ndim;
    for (int d = 0; d < plan->ndim; d++)
        recent->dims[d] =
            (struct nest_dim){plan->dims[d].n, plan->dims[d].s[0], plan->dims[d].s[1]};
}

void stria__recent_keep(const struct recent_key *key, const struct copy_job *job,
                        const stria_view *dst, const stria_view *src)
{
    struct recent *recent = place_of(key);
    const stria_plan *plan = &job->nest;
    const int64_t item = dst->dtype.itemsize;
    if (recent->seen != key->hash) {
        recent->seen = key->hash;
        return;
    }
    if (job->how.row)
        keep_converts(recent, plan, &job->how);
    else
        keep_moves(recent, plan, item);
    recent->out = relative(stria__span_of(plan, 0, item), dst->data);
    recent->in = relative(stria__span_of(plan, 1, src->dtype.itemsize), src->data);
    recent->out_at = plan->ptr[0] - dst->data;
    recent->in_at = plan->ptr[1] - src->data;
    recent->bytes = stria__plan_numel(plan) * item;
    recent->hash = key->hash;
    recent->count = key->count;
    memcpy(recent->words, key->words, (size_t)key->count * sizeof key->words[0]);
}

/* ---- running ------------------------------------------------------------------------------- */

static struct span absolute(struct span span, const char *base)
{
    return (struct span){span.low + (uintptr_t)base, span.high + (uintptr_t)base};
}

static void move(const struct recent *recent, const stria_view *dst, const stria_view *src,
                 const stria_exec *exec)
{
    struct nest nest;
    nest.out = dst->data + recent->out_at;
    nest.in = src->data + recent->in_at;
    nest.item = recent->item;
    nest.ndim = recent->ndim;
    memcpy(nest.d, recent->dims, (size_t)recent->ndim * sizeof nest.d[0]);
    stria__strategy_run(recent->strategy, &nest,
                        stria__streams(recent->strategy, &nest, recent->bytes, exec));
}

/* From copies of what is kept: another copy may run on this thread before this one ends. */
static void convert(const struct recent *recent, const stria_view *dst, const stria_view *src,
                    const stria_exec *exec)
{
    if (recent->row) {
        recent->how.row(&recent->how, dst->data + recent->out_at, src->data + recent->in_at,
                        recent->row);
        return;
    }
    const struct conversion how = recent->how;
    stria_plan plan;
    plan.nops = 2;
    plan.ndim = recent->ndim;
    plan.ptr[0] = dst->data + recent->out_at;
    plan.ptr[1] = src->data + recent->in_at;
    for (int d = 0; d < recent->ndim; d++) {
        plan.dims[d].n = recent->dims[d].n;
        plan.dims[d].s[0] = recent->dims[d].so;
        plan.dims[d].s[1] = recent->dims[d].si;
    }
    stria__copy_through(&plan, &how, exec);
}

bool stria__recent_run(const struct recent_key *key, const stria_view *dst, const stria_view *src,
                       const stria_exec *exec)
{
    const struct recent *recent = place_of(key);
    if (!same_key(recent, key) || !stria__is_open(dst) || stria_buffer_is_meta(src->buffer) ||
        !stria__apart(absolute(recent->out, dst->data), absolute(recent->in, src->data)))
        return false;
    if (recent->strategy)
        move(recent, dst, src, exec);
    else
        convert(recent, dst, src, exec);
    return true;
}
