/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places of entries in a dense array: numbers computed from indices, and elements found by
 * number.
 */

#include "ops/operands.h"
#include "ops/index/indexed.h"
#include "ops/sparse/sparse.h"

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
    OWNED_ARRAY(dense);
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, op));
    STRIA_TRY(stria__index_values(&dense, &a->indices.view, op));
    STRIA_TRY(stria_zeros(out, stria_dtype_of(STRIA_I64), 1, &n));
    for (int d = 0; d < a->sparse_dim; d++)
        add_row(items_i64(&out->view), items_i64(&dense.view) + d * n, n, a->shape[d]);
    return STRIA_OK;
}

/* Views the dims before `lead` as one dim. */
static stria_status flat(stria_view *out, const stria_view *a, int lead)
{
    /* The array is large enough, as the values, too, have one dim more than the dense dims. */
    int64_t shape[STRIA_MAX_NDIM];
    shape[0] = stria__numel(lead, a->shape);
    for (int d = lead; d < a->ndim; d++)
        shape[d - lead + 1] = a->shape[d];
    return stria_view_shape(out, a, a->ndim - lead + 1, shape);
}

static stria_status write_entries(void *arg, const stria_view *to)
{
    const struct entries *const e = arg;
    stria_view places;
    STRIA_TRY(stria__fill_zero(to));
    STRIA_TRY(flat(&places, to, e->lead));
    return stria_index_copy(&places, e->keys, e->values, 0,
                            e->sum ? STRIA_REDUCE_SUM : STRIA_REDUCE_NONE, NULL);
}

stria_status stria__sparse_scatter(const stria_view *out, stria_array *made, int ndim,
                                   const int64_t *shape, struct entries *e, const stria_exec *exec)
{
    const struct result r = {.op = "to_dense",
                             .count = 1,
                             .inputs = &e->values,
                             .dtype = native_of(e->values->dtype),
                             .ndim = ndim,
                             .shape = shape,
                             .order = STRIA_ORDER_C,
                             .plain = true,
                             .write = write_entries,
                             .arg = e};
    return stria__give_result(out, made, &r, exec);
}

stria_status stria__sparse_list(stria_view *out, int64_t *list, int64_t n)
{
    return stria_view_foreign(out, list, stria_dtype_of(STRIA_I64), 1, &n, NULL, STRIA_READONLY);
}
