/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The indices of the elements that are not zero. An element is tested by conversion to bool: NaN is
 * true, -0.0 is not.
 */
#include <string.h>

#include "view/array.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "ops/make.h"
#include "plan/plan.h"
#include "base/status.h"
#include "stria/copy.h"
#include "stria/indexing.h"
#include "plan/threads.h"
#include "view/view.h"

/*
 * Writes the indices of true elements of a short row. Every index is written without a branch; the
 * next one overwrites it unless its element is true.
 */
static int64_t *find(int64_t *out, const int64_t *end, const char *truth, int64_t n, int64_t first)
{
    if (n >= MASK_FEW) return stria__kernels()->find(out, end, truth, n, first);
    for (int64_t i = 0; i < n && out < end; i++) {
        *out = first + i;
        out += truth[i] != 0;
    }
    return out;
}

/*
 * Writes to row d of out the indices along dim d; the last dim is never empty. Where fewer elements
 * are true than were counted, those of the first one fill the rest.
 */
static void list(int64_t *out, int64_t count, const char *truth, int ndim, const int64_t *shape,
                 const char *end)
{
    int64_t index[STRIA_MAX_NDIM] = {0}, found = 0;
    const int64_t n = shape[ndim - 1];
    int64_t *const last = out + (ndim - 1) * count;
    for (; found < count && truth < end; truth += n) {
        const int64_t before = found;
        found = find(last + found, last + count, truth, n, 0) - last;
        for (int d = 0; d < ndim - 1; d++)
            for (int64_t k = before; k < found; k++)
                out[d * count + k] = index[d];
        (void)stria__next_index(index, ndim - 1, shape);
    }
    for (int d = 0; d < ndim; d++)
        memset(out + d * count + found, 0, (size_t)(count - found) * sizeof *out);
}

/* The truth of elements that threads count, and of which each then lists those of its part. */
struct listing {
    const char *truth;
    int64_t *out;
    struct share listed[CREW_MOST];
};

static void count_part(void *data, int64_t part, struct share range)
{
    struct listing *const l = data;
    l->listed[part].last =
        stria__kernels()->count(l->truth + range.first, range.last - range.first);
}

/* Zeros stand where fewer elements are true than were counted. */
static void list_part(void *data, int64_t part, struct share range)
{
    const struct listing *const l = data;
    int64_t *const end = l->out + l->listed[part].last;
    int64_t *const found = find(l->out + l->listed[part].first, end, l->truth + range.first,
                                range.last - range.first, range.first);
    memset(found, 0, (size_t)(end - found) * sizeof *found);
}

static int64_t count_true(struct listing *l, const struct crew *crew, int64_t n)
{
    const int parts = stria__divide(crew, n, count_part, l);
    int64_t count = 0;
    for (int i = 0; i < parts; i++) {
        l->listed[i].first = count;
        count += l->listed[i].last;
        l->listed[i].last = count;
    }
    return count;
}

/* Returns one byte for each element in C order; a dense bool array is shared. */
static stria_status truth_of(stria_array *out, const stria_view *a)
{
    if (a->dtype.kind == STRIA_BOOL && stria_is_contiguous(a, STRIA_ORDER_C)) {
        array_share(out, a);
        return STRIA_OK;
    }
    STRIA_TRY(stria_empty(out, stria_dtype_of(STRIA_BOOL), a->ndim, a->shape));
    return stria_copy(&out->view, a);
}

stria_status stria_nonzero(stria_array *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "nonzero"));
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "nonzero: the size of the result depends on an "
                                                  "array without memory");
    OWNED_ARRAY(truth);
    OWNED_ARRAY(made);
    STRIA_TRY(truth_of(&truth, a));
    struct listing listing; /* what is not used is not cleared */
    listing.truth = truth.view.data;
    const struct crew crew = stria__crew_for(NULL, stria_numel(a), 2);
    const int64_t count = count_true(&listing, &crew, stria_numel(a));
    const int64_t shape[] = {a->ndim, count};
    STRIA_TRY(stria_empty(&made, stria_dtype_of(STRIA_I64), 2, shape));
    listing.out = (int64_t *)(void *)made.view.data;
    if (a->ndim == 1)
        (void)stria__divide(&crew, stria_numel(a), list_part, &listing);
    else if (a->ndim > 0)
        list(listing.out, count, truth.view.data, a->ndim, a->shape,
             truth.view.data + stria_numel(a));
    return stria__deliver(out, &made, stria_T(&made.view, &made.view));
}
