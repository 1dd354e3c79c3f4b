/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices without their repetitions: each is an item, a record of one field that is an array. */
#include "ops/operands.h"
#include "stria/axes.h"
#include "stria/indexing.h"
#include "stria/record.h"
#include "stria/sort.h"

/* Copies the slices one after the other, in native byte order: their dim is the first one. */
static stria_status copy_slices(stria_array *out, const stria_view *a, int dim)
{
    stria_view moved;
    OWNED_ARRAY(made);
    STRIA_TRY(stria_movedim(&moved, a, 1, &dim, (const int[]){0}));
    STRIA_TRY(stria_empty(&made, native_of(a->dtype), moved.ndim, moved.shape));
    return stria__deliver(out, &made, stria_copy(&made.view, &moved, NULL));
}

/* Finds the different ones of the slices; which of them they are is told in any case. */
static stria_status find_unique_slices(stria_array *indices, stria_array *inverse,
                                       stria_array *counts, const stria_view *slices,
                                       bool equal_nan)
{
    stria_view items;
    OWNED_ARRAY(values);
    stria_dtype slice;
    const int64_t n = slices->shape[0];
    int64_t size = 1; /* Number of elements of a slice. */
    for (int d = 1; d < slices->ndim; d++)
        size *= slices->shape[d];
    const stria_field field = {.name = "slice", .dtype = slices->dtype, .ndim = 1, .shape = &size};
    STRIA_TRY(stria_record_make(&slice, 1, &field, 0, false));
    stria_status status =
        stria_view_foreign(&items, slices->data, slice, 1, &n, NULL, STRIA_READONLY);
    if (status == STRIA_OK)
        status = stria_unique_new(&values, indices, inverse, counts, &items, equal_nan, NULL);
    stria_dtype_release(slice);
    return status;
}

stria_status stria_unique_dim_new(stria_array *values, stria_array *indices, stria_array *inverse,
                                  stria_array *counts, const stria_view *a, int dim, bool equal_nan,
                                  const stria_exec *exec)
{
    TAKES_EXEC(exec, "unique_dim_new");
    IN_DEFAULT_FP_MODE;
    stria_view moved;
    OWNED_ARRAYS(slices, first, which, often, made);
    int at;
    if (!values) return stria__fail(STRIA_ERR_ARGUMENT, "unique: values is NULL");
    STRIA_TRY(stria__check_view(a, "unique", "a"));
    STRIA_TRY(stria__wrap_dim(&at, dim, a->ndim, "unique"));
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "unique: a has no memory, whose elements would tell how many there are");
    STRIA_TRY(copy_slices(&slices, a, at));
    STRIA_TRY(find_unique_slices(&first, inverse ? &which : NULL, counts ? &often : NULL,
                                 &slices.view, equal_nan));
    STRIA_TRY(stria_movedim(&moved, &slices.view, 1, (const int[]){0}, &at));
    STRIA_TRY(stria_take_dim_new(&made, &moved, &first.view, at, STRIA_INDEX_RAISE, NULL));
    (void)stria__deliver(values, &made, STRIA_OK);
    if (indices) (void)stria__deliver(indices, &first, STRIA_OK);
    if (inverse) (void)stria__deliver(inverse, &which, STRIA_OK);
    if (counts) (void)stria__deliver(counts, &often, STRIA_OK);
    return STRIA_OK;
}
