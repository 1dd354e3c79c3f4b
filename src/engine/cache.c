/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds an entry by the hash of its key, or takes the one that ran last; keys are compared. */
#include "cache.h"

#include <string.h>

#include "plan/arena.h"
#include "view/view.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "plan/plan.h"

enum { PLACES = 16, FEW_CASTS = 4 };

/* Offsets and spans are relative to element [0, ..., 0] of the views. */
struct kept {
    uint64_t hash, seen; /* Hash of the key, and of the last call that missed this entry. */
    int views;           /* Number of operands that have views; 0: the entry is free. */
    int64_t words[CACHE_WORDS];
    struct span span[CACHE_OPERANDS];
    int64_t at[CACHE_OPERANDS];
    bool same[CACHE_OPERANDS]; /* Whether the operand is exactly the output's elements. */
    struct call call;          /* The plan of the call is not kept. */
    int ndim;
    stria_dim dims[CACHE_DIMS + 1];
    int nest_ndim; /* Dims of the nest of a move, which need not be made again. */
    struct nest_dim nest[CACHE_DIMS + 1];
    _Alignas(struct short_program) char program[SHORT_PROGRAM_BYTES(FEW_CASTS)];
};

/* The table of a thread lies in its arena, whose bytes are zeros at first. */
struct table {
    struct arena_kept kept;
    int64_t last; /* The place that ran last. */
    struct kept places[PLACES];
};
_Static_assert(sizeof(struct table) <= ARENA_KEPT, "room for the table");

/* ---- keys ------------------------------------------------------------------------------------ */

static bool has_few_bytes(const stria_view *out)
{
    const int64_t most = KEPT_FROM;
    int64_t bytes = out->dtype.itemsize;
    for (int d = 0; d < out->ndim && bytes <= most; d++) {
        const int64_t n = out->shape[d];
        if (n < 1 || n > most) return false;
        bytes *= n;
    }
    return bytes <= most;
}

/*
 * Tells whether a call can be kept. Records convert to their own kind only. Another description may
 * later have the same address, so the address is no part of a key; all views must have the same
 * description.
 */
static bool can_keep(const struct cache_key *key)
{
    if (key->count > CACHE_OPERANDS) return false;
    for (int k = 0; k < key->count; k++)
        if ((uint32_t)key->views[k]->ndim > CACHE_DIMS ||
            key->views[k]->dtype.record != key->views[0]->dtype.record)
            return false;
    return has_few_bytes(key->views[0]);
}

/* The words of a key: HEAD of them, and for each view VIEW and two for each of its dims. */
enum { HEAD = 4, VIEW = 2 };

static inline void put_head(int64_t *words, const struct cache_key *key)
{
    words[0] = (int64_t)(key->exec ? key->exec->hints & STRIA_CAST_WRAP : 0);
    words[1] = (int64_t)(uintptr_t)key->loop;
    words[2] = (int64_t)(uintptr_t)stria__kernels(); /* Casts keep pointers to these functions. */
    words[3] = key->kinds;
}

static inline void put_form(int64_t *words, const stria_view *a)
{
    const uint32_t signs = STRIA_CONJ | STRIA_NEG;
    words[0] = (int64_t)a->dtype.kind << 40 | (int64_t)a->dtype.swapped << 32 | a->dtype.itemsize;
    words[1] = (int64_t)(a->flags & signs) << 8 | a->ndim;
}

/* Writes the words of a key, and returns their number. */
static int put_words(int64_t *words, const struct cache_key *key)
{
    int64_t *to = words + HEAD;
    put_head(words, key);
    for (int k = 0; k < key->count; k++) {
        const stria_view *const a = key->views[k];
        put_form(to, a);
        to += VIEW;
        for (int d = 0; d < a->ndim; d++) {
            *to++ = a->shape[d];
            *to++ = a->strides[d];
        }
    }
    return (int)(to - words);
}

static uint64_t hash_of(const struct cache_key *key)
{
    int64_t words[CACHE_WORDS];
    const int count = put_words(words, key);
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* Returns the words behind those of this view, or NULL if they differ from it. */
static inline const int64_t *skip_view(const int64_t *words, const stria_view *a)
{
    int64_t form[VIEW];
    put_form(form, a);
    if (words[0] != form[0] || words[1] != form[1]) return NULL;
    words += VIEW;
    for (int d = 0; d < a->ndim; d++, words += 2)
        if (words[0] != a->shape[d] || words[1] != a->strides[d]) return NULL;
    return words;
}

/* Compares in registers, since reading words that were just written would wait for them. */
static bool is_kept(const struct kept *kept, const struct cache_key *key)
{
    int64_t head[HEAD];
    const int64_t *words = kept->words;
    if (kept->views != key->count) return false;
    put_head(head, key);
    if (words[0] != head[0] || words[1] != head[1] || words[2] != head[2] || words[3] != head[3])
        return false;
    words += HEAD;
    for (int k = 0; k < key->count && words; k++)
        words = key->views[k]->dtype.record == key->views[0]->dtype.record
                    ? skip_view(words, key->views[k])
                    : NULL;
    return words != NULL;
}

/* Finds the entry of the key, or NULL. The last one is tried first, since a hash takes longer. */
static const struct kept *find_kept(struct table *table, const struct cache_key *key)
{
    const struct kept *const last = &table->places[table->last];
    if (is_kept(last, key)) return last;
    if (!can_keep(key)) return NULL;
    const uint64_t hash = hash_of(key);
    const struct kept *const kept = &table->places[hash % PLACES];
    if (kept->hash != hash || !is_kept(kept, key)) return NULL;
    table->last = (int64_t)(hash % PLACES);
    return kept;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static void put_call(struct kept *kept, const struct call *call, const struct cache_key *key)
{
    const stria_view *const *const views = key->views;
    const stria_plan *const plan = call->plan;
    stria__call_keep(&kept->call, (struct short_program *)kept->program, call);
    kept->call.threads = 1;
    kept->call.far = kept->call.fetch = kept->call.stream = false;
    kept->ndim = plan->ndim;
    memcpy(kept->dims, plan->dims, (size_t)plan->ndim * sizeof plan->dims[0]);
    if (!call->program) {
        struct nest nest;
        stria__nest_make(&nest, plan, call->item);
        kept->call.item = nest.item;
        kept->nest_ndim = nest.ndim;
        memcpy(kept->nest, nest.d, (size_t)nest.ndim * sizeof nest.d[0]);
    }
    for (int k = 0; k < key->count; k++) {
        const struct span span =
            stria__span_of(plan, k, call->program ? call->program->item[k] : call->item);
        const uintptr_t base = (uintptr_t)views[k]->data;
        kept->span[k] = (struct span){span.low - base, span.high - base};
        kept->at[k] = plan->ptr[k] - views[k]->data;
        kept->same[k] = call->in_place && k > 0 && plan->ptr[k] == plan->ptr[0];
    }
}

void stria__cache_keep(const struct cache_key *key, const struct call *call)
{
    struct arena_kept *const borrowed = can_keep(key) ? stria__arena_borrow(true) : NULL;
    if (!borrowed) return;
    const uint64_t hash = hash_of(key);
    struct kept *const kept = &((struct table *)borrowed)->places[hash % PLACES];
    if (kept->seen != hash) {
        kept->seen = hash;
    } else if ((!call->program || call->program->casts <= FEW_CASTS) &&
               call->plan->ndim <= CACHE_DIMS + 1) {
        put_call(kept, call, key);
        kept->hash = hash;
        kept->views = key->count;
        (void)put_words(kept->words, key);
    }
    stria__arena_return(borrowed);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Tells whether the inputs are apart from the output, or exactly it if they were so before. */
static bool lie_alike(const struct kept *kept, const stria_view *const *views)
{
    const uintptr_t out = (uintptr_t)views[0]->data;
    for (int k = 1; k < kept->views; k++) {
        const uintptr_t in = (uintptr_t)views[k]->data;
        const bool apart = out + kept->span[0].high <= in + kept->span[k].low ||
                           in + kept->span[k].high <= out + kept->span[0].low;
        const bool same = in + (uintptr_t)kept->at[k] == out + (uintptr_t)kept->at[0];
        if (kept->same[k] ? !same : !apart) return false;
        if (views[k]->buffer != views[0]->buffer && view_is_meta(views[k])) return false;
    }
    return true;
}

static void run_nest(const struct kept *kept, char *out, const char *in)
{
    struct nest nest;
    nest.out = out;
    nest.in = in;
    nest.item = kept->call.item;
    nest.ndim = kept->nest_ndim;
    for (int d = 0; d < nest.ndim; d++)
        nest.d[d] = kept->nest[d];
    stria__strategy_run(kept->call.way, &nest, false);
}

static void run_program(const struct kept *kept, const stria_view *const *views, const void *item,
                        const stria_exec *exec)
{
    stria_plan plan;
    struct call call = kept->call;
    call.plan = &plan;
    plan.nops = call.program->nops;
    plan.ndim = kept->ndim;
    plan.ptr[1] = (char *)(uintptr_t)item;
    for (int k = 0; k < kept->views; k++)
        plan.ptr[k] = views[k]->data + kept->at[k];
    memcpy(plan.dims, kept->dims, (size_t)kept->ndim * sizeof kept->dims[0]);
    stria__call_run(&call, exec);
}

bool stria__cache_run(const struct cache_key *key, const void *item)
{
    struct arena_kept *const borrowed = stria__arena_borrow(false);
    if (!borrowed) return false;
    const stria_view *const *const views = key->views;
    const struct kept *const kept = find_kept((struct table *)borrowed, key);
    const bool usable = kept && lie_alike(kept, views) && view_opens_to_write(views[0]);
    if (usable && kept->call.program)
        run_program(kept, views, item, key->exec);
    else if (usable)
        run_nest(kept, views[0]->data + kept->at[0],
                 kept->views > 1 ? views[1]->data + kept->at[1] : item);
    stria__arena_return(borrowed);
    return usable;
}
