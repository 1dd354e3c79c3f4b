/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The indices of the elements that are not zero. An element is tested by conversion to bool: NaN is
 * true, -0.0 is not.
 */
#include <string.h>

#include "array.h"
#include "dispatch.h"
#include "machine/machine.h"
#include "ops/make.h"
#include "plan.h"
#include "status.h"
#include "stria/copy.h"
#include "stria/indexing.h"
#include "view/view.h"

/*
 * Writes the indices of true elements of a short row. Every index is written without a branch; the
 * next one overwrites it unless its element is true.
 */
static int64_t *find(int64_t *out, const int64_t *end, const char *truth, int64_t n)
{
    if (n >= MASK_FEW) return stria__kernels()->find(out, end, truth, n, 0);
    for (int64_t i = 0; i < n && out < end; i++) {
        *out = i;
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
        found = find(last + found, last + count, truth, n) - last;
        for (int d = 0; d < ndim - 1; d++)
            for (int64_t k = before; k < found; k++)
                out[d * count + k] = index[d];
        (void)stria__next_index(index, ndim - 1, shape);
    }
    for (int d = 0; d < ndim; d++)
        memset(out + d * count + found, 0, (size_t)(count - found) * sizeof *out);
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
    const int64_t count = stria__kernels()->count(truth.view.data, stria_numel(a));
    const int64_t shape[] = {a->ndim, count};
    STRIA_TRY(stria_empty(&made, stria_dtype_of(STRIA_I64), 2, shape));
    if (a->ndim > 0)
        list((int64_t *)(void *)made.view.data, count, truth.view.data, a->ndim, a->shape,
             truth.view.data + stria_numel(a));
    return stria__deliver(out, &made, stria_T(&made.view, &made.view));
}
