/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms with exec of all functions but those of sparse arrays (ops/sparse/sparse_exec.c). */
#include "ops/with_exec.h"
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

WITH_EXEC_4(contiguous, ARRAY, VIEW, stria_order, stria_outcome *)
WITH_EXEC_2(clone, ARRAY, VIEW)
WITH_EXEC_3(clone_ordered, ARRAY, VIEW, stria_order)
WITH_EXEC_4(compact, ARRAY, VIEW, double, stria_outcome *)
WITH_EXEC_6(reshape, ARRAY, VIEW, int, const int64_t *, stria_copy_policy, stria_outcome *)
WITH_EXEC_5(full, ARRAY, stria_dtype, int, const int64_t *, const void *)
WITH_EXEC_5(full_like, ARRAY, VIEW, stria_dtype, stria_order, const void *)
WITH_EXEC_5(arange_i64, ARRAY, stria_dtype, int64_t, int64_t, int64_t)
WITH_EXEC_5(arange_f64, ARRAY, stria_dtype, double, double, double)
WITH_EXEC_6(linspace, ARRAY, stria_dtype, double, double, int64_t, bool)
WITH_EXEC(linspace_complex,
          (stria_array * out, stria_dtype dtype, const double start[2], const double stop[2],
           int64_t count, bool endpoint),
          (out, dtype, start, stop, count, endpoint))
WITH_EXEC_5(eye, ARRAY, stria_dtype, int64_t, int64_t, int64_t)
WITH_EXEC_5(tri, ARRAY, stria_dtype, int64_t, int64_t, int64_t)
WITH_EXEC_4(take, ARRAY, VIEW, VIEW, stria_index_mode)
WITH_EXEC_5(take_dim, ARRAY, VIEW, VIEW, int, stria_index_mode)
WITH_EXEC_4(gather, ARRAY, VIEW, int, VIEW)
WITH_EXEC_4(take_along_dim, ARRAY, VIEW, VIEW, int)
WITH_EXEC_3(masked_select, ARRAY, VIEW, VIEW)
WITH_EXEC_2(nonzero, ARRAY, VIEW)
WITH_EXEC_5(index_arrays, ARRAY, VIEW, int, const stria_index_item *, stria_placement)
WITH_EXEC_4(take_into, VIEW, VIEW, VIEW, stria_index_mode)
WITH_EXEC_5(take_dim_into, VIEW, VIEW, VIEW, int, stria_index_mode)
WITH_EXEC_4(gather_into, VIEW, VIEW, int, VIEW)
WITH_EXEC_4(take_along_dim_into, VIEW, VIEW, VIEW, int)
WITH_EXEC_3(masked_select_into, VIEW, VIEW, VIEW)
WITH_EXEC_5(index_arrays_into, VIEW, VIEW, int, const stria_index_item *, stria_placement)
WITH_EXEC_6(index_put, VIEW, int, const stria_index_item *, VIEW, stria_placement, stria_reduce)
WITH_EXEC_5(put, VIEW, VIEW, VIEW, stria_index_mode, stria_reduce)
WITH_EXEC_5(scatter, VIEW, int, VIEW, VIEW, stria_reduce)
WITH_EXEC_6(scatter_reduce, VIEW, int, VIEW, VIEW, stria_reduce, bool)
WITH_EXEC_5(index_copy, VIEW, int, VIEW, VIEW, stria_reduce)
WITH_EXEC_6(index_reduce, VIEW, int, VIEW, VIEW, stria_reduce, bool)
WITH_EXEC_5(index_add, VIEW, int, VIEW, VIEW, VIEW)
WITH_EXEC_3(masked_fill, VIEW, VIEW, VIEW)
WITH_EXEC_3(masked_scatter, VIEW, VIEW, VIEW)
WITH_EXEC_4(cat, ARRAY, int, VIEWS, int)
WITH_EXEC_4(stack, ARRAY, int, VIEWS, int)
WITH_EXEC_6(cat_as, ARRAY, int, VIEWS, int, const stria_dtype *, stria_promotion)
WITH_EXEC_6(stack_as, ARRAY, int, VIEWS, int, const stria_dtype *, stria_promotion)
WITH_EXEC_4(cat_into, VIEW, int, VIEWS, int)
WITH_EXEC_4(stack_into, VIEW, int, VIEWS, int)
WITH_EXEC_3(hstack, ARRAY, int, VIEWS)
WITH_EXEC_3(vstack, ARRAY, int, VIEWS)
WITH_EXEC_3(dstack, ARRAY, int, VIEWS)
WITH_EXEC_3(column_stack, ARRAY, int, VIEWS)
WITH_EXEC_3(block_diag, ARRAY, int, VIEWS)
WITH_EXEC_4(repeat, ARRAY, VIEW, int, const int64_t *)
WITH_EXEC_4(tile, ARRAY, VIEW, int, const int64_t *)
WITH_EXEC_4(repeat_interleave, ARRAY, VIEW, int64_t, int)
WITH_EXEC_4(repeat_each, ARRAY, VIEW, VIEW, int)
WITH_EXEC_5(roll, ARRAY, VIEW, int, const int64_t *, const int *)
WITH_EXEC_3(tril, ARRAY, VIEW, int64_t)
WITH_EXEC_3(triu, ARRAY, VIEW, int64_t)
WITH_EXEC_5(diag_embed, ARRAY, VIEW, int64_t, int, int)
WITH_EXEC_3(diag, ARRAY, VIEW, int64_t)
WITH_EXEC_4(histogram, VIEW, VIEW, double, double)
WITH_EXEC_3(histogram_edges, VIEW, VIEW, VIEW)
WITH_EXEC_2(bincount, VIEW, VIEW)
WITH_EXEC_3(bincount_new, ARRAY, VIEW, int64_t)
WITH_EXEC_5(searchsorted, VIEW, VIEW, VIEW, VIEW, bool)
WITH_EXEC_6(unique, ARRAY, ARRAY, ARRAY, ARRAY, VIEW, bool)
WITH_EXEC_7(unique_dim, ARRAY, ARRAY, ARRAY, ARRAY, VIEW, int, bool)
WITH_EXEC_4(isin, VIEW, VIEW, VIEW, bool)
WITH_EXEC_2(trace, ARRAY, VIEW)
WITH_EXEC_4(permute_in_place, stria_view *, VIEW, int, const int *)
WITH_EXEC_4(transpose_in_place, stria_view *, VIEW, int, int)
WITH_EXEC_2(hash, stria_hash128 *, VIEW)
WITH_EXEC_4(dlpack_export, stria_dl_managed **, VIEW, stria_copy_policy, stria_outcome *)
WITH_EXEC_4(dlpack_export_legacy, stria_dl_legacy **, VIEW, stria_copy_policy, stria_outcome *)
