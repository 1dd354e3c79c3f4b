/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the arguments and takes one of two ways: a dense array is brought into C order of its new
 * dims; an array of any other layout must keep its shape, and dims of one size are swapped in
 * place.
 */
#include <string.h>

#include "base/alloc.h"
#include "in_place.h"
#include "layout/layout.h"
#include "ops/operands.h"
#include "base/status.h"
#include "stria/in_place.h"

/* Makes the result's view of the unmoved elements, and checks everything. */
static stria_status check_permuted(stria_view *permuted, const stria_view *out, const stria_view *a,
                                   int ndim, const int *dims)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "permute_in_place: out is NULL");
    STRIA_TRY(stria__check_writable(a, "permute_in_place", "the array"));
    STRIA_TRY(stria_permute(permuted, a, ndim, dims));
    return stria__check_itself(a, "permute_in_place", "the array");
}

/* Brings a dense array into C order: `permuted` tells how its dims lie in memory. */
static void reorder(const stria_view *permuted, struct scratch *scratch)
{
    int64_t n[STRIA_MAX_NDIM];
    int rank[STRIA_MAX_NDIM], count = 0;
    for (int d = 0; d < permuted->ndim; d++) {
        if (permuted->shape[d] == 1) continue;
        int i = count++;
        for (; i > 0 && permuted->strides[rank[i - 1]] < permuted->strides[d]; i--)
            rank[i] = rank[i - 1];
        rank[i] = d;
    }
    for (int i = 0; i < count; i++) {
        const int d = rank[i];
        n[i] = permuted->shape[d];
        for (int e = d - 1; e >= 0; e--)
            rank[i] -= permuted->shape[e] == 1;
    }
    stria__reorder_dense(permuted->data, count, n, rank, permuted->dtype.itemsize, scratch);
}

static void swap_dims(const stria_view *a, int x, int y, struct scratch *scratch)
{
    struct odometer at;
    stria_plan others; /* The other dims, with the longest dense run as the item. */
    struct square square = {.n = a->shape[x], .sx = a->strides[x], .sy = a->strides[y]};
    int64_t run = a->dtype.itemsize;
    int first = 0;
    others.nops = 1;
    others.ndim = 0;
    others.ptr[0] = a->data;
    for (int d = a->ndim - 1; d >= 0; d--)
        if (d != x && d != y)
            others.dims[others.ndim++] = (stria_dim){.n = a->shape[d], .s = {a->strides[d]}};
    stria__plan_collapse(&others, 0);
    if (others.dims[0].s[0] == run) run *= others.dims[first++].n;
    square.run = run;
    stria__odometer_start(&at, &others, first);
    do {
        square.base = at.ptr[0];
        stria__square(&square, scratch);
    } while (stria__odometer_next(&at, &others));
}

/* Swaps every dim with another of its size until the right one is in its place. */
static void exchange(const stria_view *a, const int *dims, struct scratch *scratch)
{
    int holds[STRIA_MAX_NDIM];
    for (int d = 0; d < a->ndim; d++)
        holds[d] = d;
    for (int d = 0; d < a->ndim; d++) {
        const int wanted = dims[d] < 0 ? dims[d] + a->ndim : dims[d];
        int e = d;
        while (holds[e] != wanted)
            e++;
        if (e == d) continue;
        holds[e] = holds[d];
        if (a->shape[d] > 1) swap_dims(a, d, e, scratch);
    }
}

static stria_status move_elements(const stria_view *a, const stria_view *permuted, bool dense,
                                  const int *dims)
{
    OWNED_MEMORY(scratch, sizeof(struct scratch));
    if (!scratch.at)
        return stria__fail(STRIA_ERR_MEMORY,
                           "permute_in_place: no memory for %zu bytes to work with", scratch.size);
    if (dense)
        reorder(permuted, scratch.at);
    else
        exchange(a, dims, scratch.at);
    return STRIA_OK;
}

static stria_status refuse_gaps(const stria_view *a, const stria_view *permuted)
{
    return stria__fail(
        STRIA_ERR_STRIDE,
        "permute_in_place: the shape would become %s, but the array of shape %s and strides %s is "
        "not dense, so that it has no other places for its elements; permute a clone of it",
        stria__dims_text(permuted->ndim, permuted->shape).text,
        stria__dims_text(a->ndim, a->shape).text, stria__dims_text(a->ndim, a->strides).text);
}

stria_status stria_permute_in_place(stria_view *out, const stria_view *a, int ndim, const int *dims,
                                    const stria_exec *exec)
{
    TAKES_EXEC(exec, "permute_in_place");
    stria_view permuted;
    int64_t strides[STRIA_MAX_NDIM], bytes;
    WATCHES(NULL);
    STRIA_TRY(check_permuted(&permuted, out, a, ndim, dims));
    const bool dense = stria_is_contiguous(a, STRIA_ORDER_K);
    if (!dense && !view_same_shape(a, &permuted)) return refuse_gaps(a, &permuted);
    if (dense)
        STRIA_TRY(stria__dense_strides(strides, &bytes, ndim, permuted.shape, a->dtype.itemsize,
                                       STRIA_ORDER_C, "permute_in_place"));
    else
        memcpy(strides, a->strides, (size_t)ndim * sizeof strides[0]);
    if (!(view_is_meta(a) || stria_nbytes(a) == 0))
        STRIA_TRY(move_elements(a, &permuted, dense, dims));
    STRIA_TRY(stria__watch_end(NULL));
    memcpy(permuted.strides, strides, (size_t)ndim * sizeof strides[0]);
    *out = permuted;
    return STRIA_OK;
}

stria_status stria_transpose_in_place(stria_view *out, const stria_view *a, int dim0, int dim1,
                                      const stria_exec *exec)
{
    TAKES_EXEC(exec, "transpose_in_place");
    stria_view swapped;
    int dims[STRIA_MAX_NDIM];
    STRIA_TRY(stria__check_view(a, "transpose_in_place", "the array"));
    STRIA_TRY(stria_transpose(&swapped, a, dim0, dim1)); /* This checks the dims. */
    for (int d = 0; d < a->ndim; d++)
        dims[d] = d;
    if (a->ndim > 0) {
        const int x = dim0 < 0 ? dim0 + a->ndim : dim0, y = dim1 < 0 ? dim1 + a->ndim : dim1;
        dims[x] = y;
        dims[y] = x;
    }
    return stria_permute_in_place(out, a, a->ndim, dims, NULL);
}
