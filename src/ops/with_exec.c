/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms with exec of functions whose own form has none: what these call obeys it. */
#include "ops/operands.h"
#include "stria/creation.h"
#include "stria/dlpack.h"
#include "stria/fill.h"
#include "stria/hash.h"
#include "stria/in_place.h"
#include "stria/indexing.h"
#include "stria/join.h"
#include "stria/order_statistics.h"
#include "stria/reduce.h"
#include "stria/sort.h"
#include "stria/sparse.h"

#define PARAMETERS(...) __VA_ARGS__
#define WITH_EXEC(name, parameters, arguments)                                                     \
    stria_status stria_##name##_with(PARAMETERS parameters, const stria_exec *exec)                \
    {                                                                                              \
        OBEYS(exec);                                                                               \
        STRIA_TRY(stria__check_exec(exec, #name));                                                 \
        return stria_##name arguments;                                                             \
    }

WITH_EXEC(contiguous,
          (stria_array * out, const stria_view *a, stria_order order, stria_outcome *outcome),
          (out, a, order, outcome))
WITH_EXEC(clone, (stria_array * out, const stria_view *a), (out, a))
WITH_EXEC(clone_ordered, (stria_array * out, const stria_view *a, stria_order order),
          (out, a, order))
WITH_EXEC(compact, (stria_array * out, const stria_view *a, double ratio, stria_outcome *outcome),
          (out, a, ratio, outcome))
WITH_EXEC(reshape,
          (stria_array * out, const stria_view *a, int ndim, const int64_t *shape,
           stria_copy_policy policy, stria_outcome *outcome),
          (out, a, ndim, shape, policy, outcome))
WITH_EXEC(full,
          (stria_array * out, stria_dtype dtype, int ndim, const int64_t *shape, const void *item),
          (out, dtype, ndim, shape, item))
WITH_EXEC(full_like,
          (stria_array * out, const stria_view *a, stria_dtype dtype, stria_order order,
           const void *item),
          (out, a, dtype, order, item))
WITH_EXEC(arange_i64,
          (stria_array * out, stria_dtype dtype, int64_t start, int64_t stop, int64_t step),
          (out, dtype, start, stop, step))
WITH_EXEC(arange_f64,
          (stria_array * out, stria_dtype dtype, double start, double stop, double step),
          (out, dtype, start, stop, step))
WITH_EXEC(linspace,
          (stria_array * out, stria_dtype dtype, double start, double stop, int64_t count,
           bool endpoint),
          (out, dtype, start, stop, count, endpoint))
WITH_EXEC(linspace_complex,
          (stria_array * out, stria_dtype dtype, const double start[2], const double stop[2],
           int64_t count, bool endpoint),
          (out, dtype, start, stop, count, endpoint))
WITH_EXEC(eye, (stria_array * out, stria_dtype dtype, int64_t rows, int64_t columns, int64_t k),
          (out, dtype, rows, columns, k))
WITH_EXEC(tri, (stria_array * out, stria_dtype dtype, int64_t rows, int64_t columns, int64_t k),
          (out, dtype, rows, columns, k))
WITH_EXEC(take,
          (stria_array * out, const stria_view *a, const stria_view *index, stria_index_mode mode),
          (out, a, index, mode))
WITH_EXEC(take_dim,
          (stria_array * out, const stria_view *a, const stria_view *index, int dim,
           stria_index_mode mode),
          (out, a, index, dim, mode))
WITH_EXEC(gather, (stria_array * out, const stria_view *a, int dim, const stria_view *index),
          (out, a, dim, index))
WITH_EXEC(take_along_dim,
          (stria_array * out, const stria_view *a, const stria_view *index, int dim),
          (out, a, index, dim))
WITH_EXEC(masked_select, (stria_array * out, const stria_view *a, const stria_view *mask),
          (out, a, mask))
WITH_EXEC(nonzero, (stria_array * out, const stria_view *a), (out, a))
WITH_EXEC(index_arrays,
          (stria_array * out, const stria_view *a, int count, const stria_index_item *items,
           stria_placement placement),
          (out, a, count, items, placement))
WITH_EXEC(take_into,
          (const stria_view *out, const stria_view *a, const stria_view *index,
           stria_index_mode mode),
          (out, a, index, mode))
WITH_EXEC(take_dim_into,
          (const stria_view *out, const stria_view *a, const stria_view *index, int dim,
           stria_index_mode mode),
          (out, a, index, dim, mode))
WITH_EXEC(gather_into,
          (const stria_view *out, const stria_view *a, int dim, const stria_view *index),
          (out, a, dim, index))
WITH_EXEC(take_along_dim_into,
          (const stria_view *out, const stria_view *a, const stria_view *index, int dim),
          (out, a, index, dim))
WITH_EXEC(masked_select_into, (const stria_view *out, const stria_view *a, const stria_view *mask),
          (out, a, mask))
WITH_EXEC(index_arrays_into,
          (const stria_view *out, const stria_view *a, int count, const stria_index_item *items,
           stria_placement placement),
          (out, a, count, items, placement))
WITH_EXEC(index_put,
          (const stria_view *dst, int count, const stria_index_item *items,
           const stria_view *values, stria_placement placement, stria_reduce reduce),
          (dst, count, items, values, placement, reduce))
WITH_EXEC(put,
          (const stria_view *dst, const stria_view *index, const stria_view *values,
           stria_index_mode mode, stria_reduce reduce),
          (dst, index, values, mode, reduce))
WITH_EXEC(scatter,
          (const stria_view *dst, int dim, const stria_view *index, const stria_view *src,
           stria_reduce reduce),
          (dst, dim, index, src, reduce))
WITH_EXEC(scatter_reduce,
          (const stria_view *dst, int dim, const stria_view *index, const stria_view *src,
           stria_reduce reduce, bool include_self),
          (dst, dim, index, src, reduce, include_self))
WITH_EXEC(index_copy,
          (const stria_view *dst, int dim, const stria_view *index, const stria_view *src,
           stria_reduce reduce),
          (dst, dim, index, src, reduce))
WITH_EXEC(index_reduce,
          (const stria_view *dst, int dim, const stria_view *index, const stria_view *src,
           stria_reduce reduce, bool include_self),
          (dst, dim, index, src, reduce, include_self))
WITH_EXEC(index_add,
          (const stria_view *dst, int dim, const stria_view *index, const stria_view *src,
           const stria_view *alpha),
          (dst, dim, index, src, alpha))
WITH_EXEC(masked_fill, (const stria_view *dst, const stria_view *mask, const stria_view *value),
          (dst, mask, value))
WITH_EXEC(masked_scatter, (const stria_view *dst, const stria_view *mask, const stria_view *src),
          (dst, mask, src))
WITH_EXEC(cat, (stria_array * out, int n, const stria_view *const *views, int dim),
          (out, n, views, dim))
WITH_EXEC(stack, (stria_array * out, int n, const stria_view *const *views, int dim),
          (out, n, views, dim))
WITH_EXEC(cat_as,
          (stria_array * out, int n, const stria_view *const *views, int dim,
           const stria_dtype *dtype, stria_promotion rule),
          (out, n, views, dim, dtype, rule))
WITH_EXEC(stack_as,
          (stria_array * out, int n, const stria_view *const *views, int dim,
           const stria_dtype *dtype, stria_promotion rule),
          (out, n, views, dim, dtype, rule))
WITH_EXEC(cat_into, (const stria_view *out, int n, const stria_view *const *views, int dim),
          (out, n, views, dim))
WITH_EXEC(stack_into, (const stria_view *out, int n, const stria_view *const *views, int dim),
          (out, n, views, dim))
WITH_EXEC(hstack, (stria_array * out, int n, const stria_view *const *views), (out, n, views))
WITH_EXEC(vstack, (stria_array * out, int n, const stria_view *const *views), (out, n, views))
WITH_EXEC(dstack, (stria_array * out, int n, const stria_view *const *views), (out, n, views))
WITH_EXEC(column_stack, (stria_array * out, int n, const stria_view *const *views), (out, n, views))
WITH_EXEC(block_diag, (stria_array * out, int n, const stria_view *const *views), (out, n, views))
WITH_EXEC(repeat, (stria_array * out, const stria_view *a, int count, const int64_t *repeats),
          (out, a, count, repeats))
WITH_EXEC(tile, (stria_array * out, const stria_view *a, int count, const int64_t *repeats),
          (out, a, count, repeats))
WITH_EXEC(repeat_interleave, (stria_array * out, const stria_view *a, int64_t repeats, int dim),
          (out, a, repeats, dim))
WITH_EXEC(repeat_each, (stria_array * out, const stria_view *a, const stria_view *repeats, int dim),
          (out, a, repeats, dim))
WITH_EXEC(roll,
          (stria_array * out, const stria_view *a, int count, const int64_t *shifts,
           const int *dims),
          (out, a, count, shifts, dims))
WITH_EXEC(tril, (stria_array * out, const stria_view *a, int64_t k), (out, a, k))
WITH_EXEC(triu, (stria_array * out, const stria_view *a, int64_t k), (out, a, k))
WITH_EXEC(diag_embed, (stria_array * out, const stria_view *a, int64_t k, int dim1, int dim2),
          (out, a, k, dim1, dim2))
WITH_EXEC(diag, (stria_array * out, const stria_view *a, int64_t k), (out, a, k))
WITH_EXEC(histogram, (const stria_view *counts, const stria_view *a, double lo, double hi),
          (counts, a, lo, hi))
WITH_EXEC(histogram_edges, (const stria_view *counts, const stria_view *a, const stria_view *edges),
          (counts, a, edges))
WITH_EXEC(bincount, (const stria_view *counts, const stria_view *a), (counts, a))
WITH_EXEC(bincount_new, (stria_array * out, const stria_view *a, int64_t least), (out, a, least))
WITH_EXEC(searchsorted,
          (const stria_view *out, const stria_view *sorted, const stria_view *sorter,
           const stria_view *values, bool right),
          (out, sorted, sorter, values, right))
WITH_EXEC(unique,
          (stria_array * values, stria_array *indices, stria_array *inverse, stria_array *counts,
           const stria_view *a, bool equal_nan),
          (values, indices, inverse, counts, a, equal_nan))
WITH_EXEC(unique_dim,
          (stria_array * values, stria_array *indices, stria_array *inverse, stria_array *counts,
           const stria_view *a, int dim, bool equal_nan),
          (values, indices, inverse, counts, a, dim, equal_nan))
WITH_EXEC(isin, (const stria_view *out, const stria_view *a, const stria_view *b, bool invert),
          (out, a, b, invert))
WITH_EXEC(trace, (stria_array * out, const stria_view *a), (out, a))
WITH_EXEC(coo_coalesce, (stria_coo * out, const stria_coo *a), (out, a))
WITH_EXEC(coo_to_dense, (stria_array * out, const stria_coo *a), (out, a))
WITH_EXEC(coo_from_dense, (stria_coo * out, const stria_view *a, int sparse_dim),
          (out, a, sparse_dim))
WITH_EXEC(coo_permute, (stria_coo * out, const stria_coo *a, int ndim, const int *dims),
          (out, a, ndim, dims))
WITH_EXEC(coo_select, (stria_coo * out, const stria_coo *a, int dim, int64_t index),
          (out, a, dim, index))
WITH_EXEC(csr_transpose, (stria_csr * out, const stria_csr *a), (out, a))
WITH_EXEC(csr_to_dense, (stria_array * out, const stria_csr *a), (out, a))
WITH_EXEC(csr_from_coo, (stria_csr * out, const stria_coo *a), (out, a))
WITH_EXEC(permute_in_place, (stria_view * out, const stria_view *a, int ndim, const int *dims),
          (out, a, ndim, dims))
WITH_EXEC(transpose_in_place, (stria_view * out, const stria_view *a, int dim0, int dim1),
          (out, a, dim0, dim1))
WITH_EXEC(hash, (stria_hash128 * out, const stria_view *a), (out, a))
WITH_EXEC(dlpack_export,
          (stria_dl_managed * *out, const stria_view *a, stria_copy_policy policy,
           stria_outcome *outcome),
          (out, a, policy, outcome))
WITH_EXEC(dlpack_export_legacy,
          (stria_dl_legacy * *out, const stria_view *a, stria_copy_policy policy,
           stria_outcome *outcome),
          (out, a, policy, outcome))
