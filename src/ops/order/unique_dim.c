/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices without their repetitions: each is an item, a record of one field that is an array. */
#include "array.h"
#include "fp_mode.h"
#include "ops/make.h"
#include "ops/operands.h"
#include "ops/order/along.h"
#include "status.h"
#include "stria/axes.h"
#include "stria/copy.h"
#include "stria/indexing.h"
#include "stria/record.h"
#include "stria/sort.h"
#include "view/view.h"

/* Copies the slices one after the other, in native byte order: their dim is the first one. */
static stria_status copy_slices(stria_array *out, const stria_view *a, int dim)
{
    stria_array made;
    stria_view moved;
    array_none(&made);
    STRIA_TRY(stria_movedim(&moved, a, 1, &dim, (const int[]){0}));
    STRIA_TRY(stria_empty(&made, native_of(a->dtype), moved.ndim, moved.shape));
    return stria__deliver(out, &made, stria_copy(&made.view, &moved));
}

/* Finds the different ones of the slices; which of them they are is told in any case. */
static stria_status find(stria_array *indices, stria_array *inverse, stria_array *counts,
                         const stria_view *slices, bool equal_nan)
{
    stria_array values;
    stria_view items;
    stria_dtype slice;
    const int64_t n = slices->shape[0];
    int64_t size = 1; /* elements of a slice */
    array_none(&values);
    for (int d = 1; d < slices->ndim; d++)
        size *= slices->shape[d];
    const stria_field field = {.name = "slice", .dtype = slices->dtype, .ndim = 1, .shape = &size};
    STRIA_TRY(stria_record_new(&slice, 1, &field, 0, false));
    stria_status status =
        stria_view_foreign(&items, slices->data, slice, 1, &n, NULL, STRIA_READONLY);
    if (status == STRIA_OK)
        status = stria_unique(&values, indices, inverse, counts, &items, equal_nan);
    stria_array_release(&values);
    stria_dtype_release(slice);
    return status;
}

stria_status stria_unique_dim(stria_array *values, stria_array *indices, stria_array *inverse,
                              stria_array *counts, const stria_view *a, int dim, bool equal_nan)
{
    IN_DEFAULT_FP_MODE;
    stria_array slices, first, which, often, made;
    stria_view moved;
    int at;
    if (!values) return stria__fail(STRIA_ERR_ARGUMENT, "unique: values is NULL");
    STRIA_TRY(stria__check_view(a, "unique", "a"));
    STRIA_TRY(stria__wrap_dim(&at, dim, a->ndim, "unique"));
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "unique: a has no memory, whose elements would "
                                                  "tell how many there are");
    array_none(&slices);
    array_none(&first);
    array_none(&which);
    array_none(&often);
    array_none(&made);
    STRIA_TRY(copy_slices(&slices, a, at));
    stria_status status =
        find(&first, inverse ? &which : NULL, counts ? &often : NULL, &slices.view, equal_nan);
    if (status == STRIA_OK) status = stria_movedim(&moved, &slices.view, 1, (const int[]){0}, &at);
    if (status == STRIA_OK)
        status = stria_take_dim(&made, &moved, &first.view, at, STRIA_INDEX_RAISE);
    stria_array *const out[] = {values, indices, inverse, counts}, *const from[] = {&made, &first,
                                                                                    &which, &often};
    for (int i = 0; i < 4; i++)
        if (out[i])
            status = stria__deliver(out[i], from[i], status);
        else
            stria_array_release(from[i]);
    stria_array_release(&slices);
    return status;
}
