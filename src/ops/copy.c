/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_copy: a move or a cast, run by the engine. A source that overlaps the destination is copied
 * to a temporary first. Two fast paths come before: dense runs, and calls that the cache of this
 * thread has (engine/cache.h).
 */
#include "ops/copy.h"

#include <string.h>

#include "engine/cache.h"
#include "move/dense.h"
#include "ops/operands.h"

/* ---- dense runs ------------------------------------------------------------------------------ */

/*
 * The fast path of small copies, conversions and fills of one dense run: checking, planning and
 * choosing would take longer than moving the bytes, or evict more from the caches. They are so
 * small that neither threads nor streaming pay. The tests are conservative: whatever is not certain
 * is left to the general path.
 */

/* Most bytes; the product of two such numbers does not overflow. */
enum { DENSE_MOST = 4 << 20 };

/*
 * Computes the elements of a if both views have one shape and are in C order; 0 for others, for
 * empty views and for more than DENSE_MOST bytes of a.
 */
static inline int64_t dense_items(const stria_view *a, const stria_view *b)
{
    int64_t items = 1, bytes = a->dtype.itemsize, bytes_b = b->dtype.itemsize;
    if (a->ndim != b->ndim) return 0;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t n = a->shape[d];
        if (b->shape[d] != n) return 0;
        if (n == 1) continue;
        if (a->strides[d] != bytes || b->strides[d] != bytes_b || n < 1 || n > DENSE_MOST) return 0;
        items *= n;
        bytes *= n;
        bytes_b *= n;
        if (bytes > DENSE_MOST) return 0;
    }
    return bytes > DENSE_MOST ? 0 : items;
}

/* Tells whether both views have one dtype and the same lazy bits. */
static inline bool same_values(const stria_view *a, const stria_view *b)
{
    return memcmp(&a->dtype, &b->dtype, sizeof a->dtype) == 0 &&
           !((a->flags ^ b->flags) & (STRIA_CONJ | STRIA_NEG));
}

static inline struct span dense_span(const stria_view *a, int64_t bytes)
{
    return (struct span){(uintptr_t)a->data, (uintptr_t)a->data + (uintptr_t)bytes};
}

/*
 * Computes the bytes of a copy of the same values if it is from one dense run to another, apart
 * from it; 0 for other copies, and for more than DENSE_MOST bytes. The views are checked.
 */
static inline int64_t flat_bytes(const stria_view *dst, const stria_view *src)
{
    if (!view_is_open(dst) || stria__buffer_is_meta(src->buffer)) return 0;
    const int64_t bytes = dense_items(dst, src) * dst->dtype.itemsize;
    return stria__apart(dense_span(dst, bytes), dense_span(src, bytes)) ? bytes : 0;
}

/* Tells whether the bytes need neither several threads nor streaming. */
static inline bool is_small(int64_t bytes, const stria_exec *exec)
{
    const struct stria__machine *const m = stria__machine();
    if (2 * bytes <= GRAIN) return true;
    return bytes <= m->l2.size && stria__threads_for(exec, 2 * bytes, 0) == 1;
}

/* Tells whether items are native numbers without lazy bits. */
static inline bool is_plain_number(const stria_view *a)
{
    return a->dtype.kind < NUMBERS && !a->dtype.swapped && !(a->flags & (STRIA_CONJ | STRIA_NEG));
}

/* Converts one dense run. Never inlined, so that copies do not save the registers that it needs. */
__attribute__((noinline)) static bool convert_dense(const stria_view *dst, const stria_view *src,
                                                    const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    const bool wrap = exec && (exec->hints & STRIA_CAST_WRAP);
    if (wrap || !is_plain_number(dst) || !is_plain_number(src)) return false;
    convert_row *const row = stria__kernels()->convert->row[dst->dtype.kind][src->dtype.kind];
    if (!row) return false;
    const int64_t n = dense_items(dst, src);
    const int64_t to = n * dst->dtype.itemsize, from = n * src->dtype.itemsize;
    if (n == 0 || !stria__apart(dense_span(dst, to), dense_span(src, from))) return false;
    if (!is_small(to > from ? to : from, exec)) return false;
    stria__buffer_count_write(dst->buffer);
    row(dst->data, src->data, n);
    return true;
}

/*
 * Copies a dense run, or converts it by one kernel. The views and exec are checked; both views must
 * be in C order, of one shape, apart, and of one dtype or native numbers without lazy bits, and
 * stria_copy must succeed. Otherwise returns false and has done nothing.
 */
static bool copy_flat(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    if (!view_is_open(dst) || stria__buffer_is_meta(src->buffer)) return false;
    if (!same_values(dst, src)) return convert_dense(dst, src, exec);
    const int64_t bytes = flat_bytes(dst, src);
    if (bytes == 0 || !is_small(bytes, exec)) return false;
    stria__buffer_count_write(dst->buffer);
    stria__copy_bytes(dst->data, src->data, bytes);
    return true;
}

bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec)
{
    uint64_t word;
    if (!view_is_open(dst)) return false;
    if (!stria__repeat_item(&word, item, dst->dtype.itemsize)) return false;
    const int64_t bytes = dense_items(dst, dst) * dst->dtype.itemsize;
    if (bytes < 1 || !is_small(bytes, exec)) return false;
    stria__buffer_count_write(dst->buffer);
    stria__kernels()->fill_word(dst->data, bytes, word);
    return true;
}

/* ---- checks ---------------------------------------------------------------------------------- */

stria_status stria__check_operands(const stria_view *dst, const stria_view *src,
                                   const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(dst, "copy", "out"));
    STRIA_TRY(stria__check_view(src, "copy", "src"));
    return stria__check_exec(exec, "copy");
}

/*
 * Makes the program of a conversion; a move has none. how->parts is 1, or the number of parts of
 * each element.
 */
static stria_status make_program(struct copy_job *job, struct conversion *how,
                                 const stria_view *dst, const stria_view *src,
                                 const stria_exec *exec)
{
    how->parts = 1;
    how->row = NULL;
    if (!same_values(dst, src)) STRIA_TRY(stria__convert(how, dst, src, exec));
    if (how->row) stria__program_cast(&job->program, how);
    job->call.program = how->row ? &job->program.is : NULL;
    job->call.item = dst->dtype.itemsize;
    return STRIA_OK;
}

/*
 * Makes the parts of an element, such as the characters of a string, a dim of their own. Nothing is
 * empty, so every other dim of the output has at least 2 of 2^63 bytes, and there is room for one
 * more.
 */
static void split_items(stria_plan *plan, const struct conversion *how)
{
    if (!how->row || how->parts == 1 || plan->dims[0].n == 0) return;
    memmove(plan->dims + 1, plan->dims, (size_t)plan->ndim * sizeof plan->dims[0]);
    plan->dims[0] = (stria_dim){.n = how->parts, .s = {how->out_item, how->in_item}};
    plan->ndim++;
    stria__plan_drop(plan);
    stria__plan_merge(plan);
}

stria_status stria__check_copy(struct copy_job *job, const stria_view *dst, const stria_view *src,
                               const stria_exec *exec)
{
    stria_plan *const plan = &job->plan;
    struct conversion how;
    STRIA_TRY(stria__check_writable(dst, "copy", "out"));
    STRIA_TRY(make_program(job, &how, dst, src, exec));
    const stria_status status = stria_plan_make(plan, 2, (const stria_view *[]){dst, src}, 0);
    if (status == STRIA_ERR_BROADCAST)
        return stria__refuse_broadcast("copy", dst, "out", src, "src");
    if (status != STRIA_OK) return status;
    if (!stria__steps_clear(plan, dst->dtype.itemsize))
        STRIA_TRY(stria__check_itself(dst, "copy", "out"));
    const struct span out = stria__span_of(plan, 0, dst->dtype.itemsize),
                      in = stria__span_of(plan, 1, src->dtype.itemsize);
    const bool rows = plan->ndim == 1 && plan->dims[0].s[0] == plan->dims[0].s[1];
    const bool apart = stria__apart(out, in) ||
                       (rows && stria__interleave(dst->data, dst->dtype.itemsize, src->data,
                                                  src->dtype.itemsize, plan->dims[0].s[0]));
    const stria_overlap overlap =
        apart ? STRIA_OVERLAP_NO : stria_shares_memory(dst, src, OVERLAP_WORK);
    if (overlap == STRIA_OVERLAP_NO)
        job->operands = DISJOINT;
    else
        job->operands = overlap == STRIA_OVERLAP_SAME ? SAME : OVERLAPPING;
    if (job->operands == OVERLAPPING && stria__forbids_overlap(exec))
        return stria__fail(STRIA_ERR_OVERLAP,
                           "copy: out and src %s, which was forbidden; copy through a clone of src",
                           overlap == STRIA_OVERLAP_YES ? "share bytes" : "may share bytes");
    split_items(plan, &how);
    job->call.plan = plan;
    job->call.in_place = job->operands == SAME;
    if (plan->dims[0].n == 0 || dst->dtype.itemsize == 0 ||
        (job->operands == SAME && !job->call.program))
        job->operands = NOTHING;
    else if (view_is_meta(dst) || view_is_meta(src))
        job->operands = META;
    return STRIA_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static stria_status copy_planned(const struct cache_key *key);

/* Copies operands that overlap. Never inlined, so that its array is not on the stack of other
 * copies. */
__attribute__((noinline)) static stria_status run_overlapping(const struct call *call,
                                                              const struct cache_key *key)
{
    const stria_plan *const plan = call->plan;
    const int64_t item = call->item;
    if (!call->program && plan->ndim == 1 && plan->dims[0].s[0] == item &&
        plan->dims[0].s[1] == item) {
        memmove(plan->ptr[0], plan->ptr[1], (size_t)(plan->dims[0].n * item));
        return STRIA_OK;
    }
    OBEYS(key->exec);
    OWNED_ARRAY(made);
    if (stria__clone_bytes(&made, key->views[1]) != STRIA_OK)
        return stria__fail(
            STRIA_ERR_MEMORY,
            "copy: out and src overlap, and there is no memory for the %lld bytes of a temporary",
            (long long)stria_nbytes(key->views[1]));
    const stria_view *const views[] = {key->views[0], &made.view};
    const struct cache_key apart = {.count = 2, .views = views, .exec = key->exec};
    return copy_planned(&apart);
}

static stria_status copy_planned(const struct cache_key *key)
{
    const stria_view *const dst = key->views[0], *const src = key->views[1];
    struct copy_job job;
    STRIA_TRY(stria__check_copy(&job, dst, src, key->exec));
    switch (job.operands) {
    case NOTHING:
    case META: return STRIA_OK;
    case OVERLAPPING: return run_overlapping(&job.call, key);
    default: break;
    }
    stria__call_decide(&job.call, key->exec);
    stria__call_run(&job.call, key->exec);
    stria__cache_keep(key, &job.call);
    return stria__watch_end(key->exec);
}

/* These are never inlined, so that dense copies do not set up their stack frames. */
__attribute__((noinline)) static stria_status
copy_known(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    const stria_view *const views[] = {dst, src};
    const struct cache_key key = {.count = 2, .views = views, .exec = exec};
    return stria__cache_run(&key, NULL) ? STRIA_OK : copy_planned(&key);
}

__attribute__((noinline)) static stria_status
copy_checked(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    return copy_flat(dst, src, exec) ? STRIA_OK : copy_known(dst, src, exec);
}

__attribute__((noinline)) static stria_status
copy_unusual(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    STRIA_TRY(stria__check_operands(dst, src, exec));
    return copy_checked(dst, src, exec);
}

stria_status stria_copy(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    if (!view_is_usual(dst) || !view_is_usual(src) || !stria__exec_is_usual(exec, false))
        return copy_unusual(dst, src, exec);
    if (!same_values(dst, src)) return copy_checked(dst, src, exec);
    const int64_t bytes = flat_bytes(dst, src);
    if (bytes == 0) return copy_known(dst, src, exec);
    if (bytes > stria__machine()->copy_near) return copy_checked(dst, src, exec);
    stria__buffer_count_write(dst->buffer);
    stria__kernels()->copy(dst->data, src->data, bytes);
    return STRIA_OK;
}
