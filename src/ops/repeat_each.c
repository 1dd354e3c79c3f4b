/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each element of a dim as often as a list says: the elements are taken by an index that names each
 * one that often. Counts may be of any integer dtype and layout.
 */
#include "checked.h"
#include "status.h"
#include "stria/cast.h"
#include "stria/indexing.h"
#include "stria/join.h"
#include "layout/layout.h"

static stria_status check(int *dim, const stria_array *out, const stria_view *a,
                          const stria_view *repeats)
{
    if (!out || !a || !repeats)
        return stria__fail(STRIA_ERR_ARGUMENT, "repeat_each: out, a or repeats is NULL");
    STRIA_TRY(stria__wrap_dim(dim, *dim, a->ndim, "repeat_each"));
    if (repeats->dtype.kind < STRIA_I8 || repeats->dtype.kind > STRIA_U64)
        return stria__fail(STRIA_ERR_DTYPE, "repeat_each: the repeats are no integers");
    const int64_t n = stria_numel(repeats), size = a->shape[*dim];
    if (repeats->ndim > 1 || (n != 1 && n != size))
        return stria__fail(
            STRIA_ERR_SHAPE,
            "repeat_each: repeats of shape %s for dim %d of size %lld; there must be "
            "1, or one for each element",
            stria__dims_text(repeats->ndim, repeats->shape).text, *dim, (long long)size);
    if (stria_buffer_is_meta(repeats->buffer))
        return stria__fail(
            STRIA_ERR_UNSUPPORTED,
            "repeat_each: the size of the result depends on an array without memory");
    return STRIA_OK;
}

static stria_status add_up(int64_t *total, const int64_t *counts, int64_t n)
{
    *total = 0;
    for (int64_t i = 0; i < n; i++) {
        if (counts[i] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "repeat_each: repeats[%lld] = %lld is negative",
                               (long long)i, (long long)counts[i]);
        if (add_overflows(*total, counts[i], total))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "repeat_each: the repeats add up to more than 2^63 - 1");
    }
    return STRIA_OK;
}

/* n elements, counts[i] times each. */
static stria_status take(stria_array *out, const stria_view *a, const int64_t *counts, int64_t n,
                         int dim)
{
    stria_array index;
    int64_t total = 0;
    STRIA_TRY(add_up(&total, counts, n));
    STRIA_TRY(stria_empty(&index, stria_dtype_of(STRIA_I64), 1, &total));
    int64_t *to = (int64_t *)(void *)index.view.data;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < counts[i]; k++)
            *to++ = i;
    const stria_status status = stria_take_dim(out, a, &index.view, dim, STRIA_INDEX_STRICT);
    stria_array_release(&index);
    return status;
}

stria_status stria_repeat_each(stria_array *out, const stria_view *a, const stria_view *repeats,
                               int dim)
{
    stria_array counts;
    STRIA_TRY(check(&dim, out, a, repeats));
    STRIA_TRY(stria_astype(&counts, repeats, stria_dtype_of(STRIA_I64), STRIA_CAST_UNSAFE,
                           STRIA_COPY_ALWAYS, NULL, NULL));
    const int64_t *list = (const int64_t *)(const void *)counts.view.data;
    const int64_t n = stria_numel(&counts.view);
    const stria_status status =
        n == 1 ? stria_repeat_interleave(out, a, list[0], dim) : take(out, a, list, n, dim);
    stria_array_release(&counts);
    return status;
}
