/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places of entries in a dense array: numbers computed from indices, and elements found by
 * number.
 */
#include <stdbool.h>
#include <string.h>

#include "array.h"
#include "integers.h"
#include "ops/index/indexed.h"
#include "ops/make.h"
#include "ops/sparse/sparse.h"
#include "status.h"
#include "stria/indexing.h"
#include "view/view.h"

/*
 * Adds a row of indices to the keys. The product of the sizes fits in 64 bits, so the keys of valid
 * indices do; those of trusted indices that are not valid may wrap, and are refused when they are
 * used.
 */
static void add_row(int64_t *keys, const int64_t *row, int64_t n, int64_t size)
{
    for (int64_t i = 0; i < n; i++)
        keys[i] = (int64_t)((uint64_t)keys[i] * (uint64_t)size + (uint64_t)row[i]);
}

stria_status stria__coo_keys(stria_array *out, const stria_coo *a, const char *op)
{
    const int64_t n = coo_count(a);
    stria_array dense, made;
    array_none(&dense);
    array_none(&made);
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, op));
    STRIA_TRY(stria__index_values(&dense, &a->indices.view, op));
    const stria_status status = stria_zeros(&made, stria_dtype_of(STRIA_I64), 1, &n);
    if (status == STRIA_OK) {
        const int64_t *const rows = (const int64_t *)(const void *)dense.view.data;
        for (int d = 0; d < a->sparse_dim; d++)
            add_row((int64_t *)(void *)made.view.data, rows + d * n, n, a->shape[d]);
        *out = made;
    }
    stria_array_release(&dense);
    return status;
}

/* Views the dims before `lead` as one dim. */
static stria_status flat(stria_view *out, const stria_view *a, int lead)
{
    int64_t shape[STRIA_MAX_NDIM]; /* large enough, as the values too have one dim more than the
                                      dense dims */
    shape[0] = stria__numel(lead, a->shape);
    for (int d = lead; d < a->ndim; d++)
        shape[d - lead + 1] = a->shape[d];
    return stria_view_shape(out, a, a->ndim - lead + 1, shape);
}

stria_status stria__sparse_scatter(stria_array *out, int ndim, const int64_t *shape, int lead,
                                   const stria_view *keys, const stria_view *values, bool sum)
{
    stria_array made;
    array_none(&made);
    stria_view places;
    stria_dtype dtype = values->dtype;
    if (dtype.swapped) dtype = stria_dtype_swap(dtype);
    STRIA_TRY(stria__empty_like_memory(&made, values, dtype, ndim, shape, STRIA_ORDER_C));
    stria_status status = stria__fill_zero(&made.view);
    if (status == STRIA_OK) status = flat(&places, &made.view, lead);
    if (status == STRIA_OK)
        status =
            stria_index_copy(&places, 0, keys, values, sum ? STRIA_REDUCE_SUM : STRIA_REDUCE_NONE);
    return stria__deliver(out, &made, status);
}

stria_status stria__sparse_list(stria_view *out, int64_t *list, int64_t n)
{
    return stria_view_foreign(out, list, stria_dtype_of(STRIA_I64), 1, &n, NULL, STRIA_READONLY);
}

/*
 * Bottom-up merge sort of keys with their positions. It is stable, so entries with one key keep
 * their order; it has no bad worst case and allocates no memory. Keys that are sorted already, as
 * they mostly are, cost one pass.
 */

struct run {
    int64_t *keys, *positions;
};

static bool in_order(const int64_t *keys, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (keys[i - 1] > keys[i]) return false;
    return true;
}

/* Merges from[low .. middle-1] and from[middle .. high-1] into to[low .. high-1]. */
static void merge(struct run to, struct run from, int64_t low, int64_t middle, int64_t high)
{
    int64_t left = low, right = middle;
    for (int64_t i = low; i < high; i++) {
        const bool takes_left =
            left < middle && (right == high || from.keys[left] <= from.keys[right]);
        const int64_t at = takes_left ? left++ : right++;
        to.keys[i] = from.keys[at];
        to.positions[i] = from.positions[at];
    }
}

void stria__sparse_sort(const struct sparse_sort *sort, int64_t n)
{
    struct run from = {sort->keys, sort->positions}, to = {sort->scratch[0], sort->scratch[1]};
    if (in_order(sort->keys, n)) return;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width)
            merge(to, from, low, least(low + width, n), least(low + 2 * width, n));
        const struct run done = to;
        to = from;
        from = done;
    }
    if (from.keys == sort->keys) return;
    memcpy(sort->keys, from.keys, (size_t)n * sizeof *from.keys);
    memcpy(sort->positions, from.positions, (size_t)n * sizeof *from.positions);
}
