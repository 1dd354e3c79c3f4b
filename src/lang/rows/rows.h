/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that do what an entry of functions.def tells where that takes more than one call of
 * the library: each reads the arguments of the form, which are in the order of its parameters, and
 * sets the result of the call.
 */
#ifndef STRIA_LANG_ROWS_H
#define STRIA_LANG_ROWS_H

#include "lang/registry.h"
#include "stria/creation.h"
#include "stria/random.h"

typedef stria_status two_of_one(const stria_view *out, const stria_view *more, const stria_view *a,
                                const stria_exec *exec);
typedef stria_status partitioner(stria_array *out, const stria_view *a, int64_t k, int dim,
                                 const stria_exec *exec);
typedef stria_status joiner(stria_array *out, int n, const stria_view *const *views);
typedef stria_status ones_by_diagonal(stria_array *out, stria_dtype dtype, int64_t rows,
                                      int64_t columns, int64_t k);
typedef stria_status fill_floats(const stria_view *out, const stria_random *r, double a, double b,
                                 const stria_exec *exec);
typedef stria_status csr_part(stria_view *out, const stria_csr *a);

/* What is written into a new array. */
enum filling { NOTHING, ZEROS, ONES, VALUE };
/* The results of unique, which are a set of these. */
enum { VALUES = 1, INDICES = 2, INVERSE = 4, COUNTS = 8 };

/* rows_math.c */
stria_status stria__row_operation(struct invocation *c);
stria_status stria__row_where(struct invocation *c);
stria_status stria__row_where_method(struct invocation *c);
stria_status stria__row_clip_open(struct invocation *c);

/* rows_two_results.c */
stria_status stria__row_two_results(struct invocation *c, stria_op like, two_of_one *of);

/* rows_reduce.c */
stria_status stria__row_reduce(struct invocation *c, stria_reduction op);
stria_status stria__row_spread(struct invocation *c, stria_reduction op);
stria_status stria__row_norm(struct invocation *c, stria_reduction op);
stria_status stria__row_vecdot(struct invocation *c);
stria_status stria__row_average(struct invocation *c);
stria_status stria__row_two_reductions(struct invocation *c, stria_reduction first,
                                       stria_reduction second);

/* rows_contract.c */
stria_status stria__row_product(struct invocation *c, int ndim_a, int ndim_b,
                                const char *subscripts);
stria_status stria__row_inner(struct invocation *c, int dim_b);
stria_status stria__row_matmul(struct invocation *c);
stria_status stria__row_outer(struct invocation *c);
stria_status stria__row_einsum_of(struct invocation *c);
stria_status stria__row_einsum_of_sublists(struct invocation *c);
stria_status stria__row_tensordot(struct invocation *c);

/* rows_exact.c */
stria_status stria__row_exact_reduce(struct invocation *c, stria_reduction op);

/* rows_window_ops.c */
stria_status stria__row_pad(struct invocation *c);
stria_status stria__row_pad_torch(struct invocation *c);
stria_status stria__row_correlate(struct invocation *c);
stria_status stria__row_window_reduce(struct invocation *c, stria_reduction op);

/* rows_scan.c */
stria_status stria__row_scan(struct invocation *c, stria_scan op);
stria_status stria__row_sums(struct invocation *c, stria_scan op);
stria_status stria__row_cumulative(struct invocation *c, stria_scan op);
stria_status stria__row_diff(struct invocation *c);
stria_status stria__row_quantile(struct invocation *c, double parts);
stria_status stria__row_median(struct invocation *c);
stria_status stria__row_searchsorted(struct invocation *c);
stria_status stria__row_histc(struct invocation *c);
stria_status stria__row_histogram(struct invocation *c);
stria_status stria__row_histogram_edges(struct invocation *c);
stria_status stria__row_array_equal(struct invocation *c);
stria_status stria__row_allclose(struct invocation *c);
stria_status stria__row_isclose(struct invocation *c);
stria_status stria__row_nan_to_num(struct invocation *c);

/* rows_sort.c */
stria_status stria__row_sort(struct invocation *c, bool values);
stria_status stria__row_sort_torch(struct invocation *c);
stria_status stria__row_lexsort(struct invocation *c);
stria_status stria__row_partition(struct invocation *c, partitioner *by);
stria_status stria__row_topk(struct invocation *c);
stria_status stria__row_top_k(struct invocation *c);
stria_status stria__row_kthvalue(struct invocation *c);
stria_status stria__row_rankdata(struct invocation *c);
stria_status stria__row_unique(struct invocation *c, int wanted, bool equal_nan,
                               const struct arg *dim);
stria_status stria__row_unique_numpy(struct invocation *c);
stria_status stria__row_unique_torch(struct invocation *c);
stria_status stria__row_isin(struct invocation *c);

/* rows_order.c */
stria_status stria__row_transpose_axes(struct invocation *c);
stria_status stria__row_movedim(struct invocation *c);

/* rows_dtype.c */
stria_status stria__row_view_dtype_class(struct invocation *c);
stria_status stria__row_newbyteorder(struct invocation *c);

/* rows_shape.c */
stria_status stria__row_view_shape(struct invocation *c);
stria_status stria__row_flat_copy(struct invocation *c, stria_order order);
stria_status stria__row_reshape(struct invocation *c);
stria_status stria__row_squeeze_dims(struct invocation *c, bool strict);
stria_status stria__row_ravel(struct invocation *c);

/* rows_index.c */
stria_status stria__row_slice(struct invocation *c);

/* rows_gather.c */
stria_status stria__row_take_elements(struct invocation *c);
stria_status stria__row_index_select(struct invocation *c);
stria_status stria__row_gather(struct invocation *c);
stria_status stria__row_take_along(struct invocation *c);
stria_status stria__row_masked_select(struct invocation *c);
stria_status stria__row_columns(struct invocation *c);
stria_status stria__row_nonzero_columns(struct invocation *c);
stria_status stria__row_get_item(struct invocation *c);

/* rows_scatter.c */
stria_status stria__row_scatter(struct invocation *c, bool combines, bool with_self);
stria_status stria__row_index_fill(struct invocation *c);
stria_status stria__row_index_copy(struct invocation *c);
stria_status stria__row_index_add(struct invocation *c);
stria_status stria__row_index_reduce(struct invocation *c);
stria_status stria__row_masked_fill(struct invocation *c);
stria_status stria__row_masked_scatter(struct invocation *c);
stria_status stria__row_index_put(struct invocation *c);
stria_status stria__row_set_item(struct invocation *c);
stria_status stria__row_put(struct invocation *c);
stria_status stria__row_fill(struct invocation *c);
stria_status stria__row_copy_from(struct invocation *c);
stria_status stria__row_copyto(struct invocation *c);

/* rows_split.c */
stria_status stria__row_count_pieces(struct invocation *c);

/* rows_broadcast.c */
stria_status stria__row_broadcast_keeping(struct invocation *c);
stria_status stria__row_broadcast_tensors(struct invocation *c);
stria_status stria__row_meshgrid(struct invocation *c);

/* rows_window.c */
stria_status stria__row_flip(struct invocation *c);
stria_status stria__row_as_strided(struct invocation *c);
stria_status stria__row_as_strided_bytes(struct invocation *c);
stria_status stria__row_rot90(struct invocation *c);
stria_status stria__row_sliding_window_view(struct invocation *c);

/* rows_owner.c */
stria_status stria__row_same(struct invocation *c);
stria_status stria__row_positive(struct invocation *c);
stria_status stria__row_resize(struct invocation *c);
stria_status stria__row_set(struct invocation *c);
stria_status stria__row_set_at(struct invocation *c);
stria_status stria__row_byteswap(struct invocation *c);

/* rows_complex.c */
stria_status stria__row_resolve(struct invocation *c, uint32_t flag);

/* rows_copy.c */
stria_status stria__row_astype(struct invocation *c);
stria_status stria__row_to(struct invocation *c);
stria_status stria__row_to_device(struct invocation *c);
stria_status stria__row_compact(struct invocation *c);
stria_status stria__row_flatten(struct invocation *c);

/* rows_make.c */
stria_status stria__row_by_shape(struct invocation *c, enum filling with);
stria_status stria__row_of_this(struct invocation *c, enum filling with);
stria_status stria__row_make_strided(struct invocation *c, int at);
stria_status stria__row_empty_permuted(struct invocation *c);
stria_status stria__row_like(struct invocation *c, enum filling with);

/* rows_create.c */
stria_status stria__row_arange_from_to(struct invocation *c);
stria_status stria__row_arange_to(struct invocation *c);
stria_status stria__row_arange_numpy(struct invocation *c);
stria_status stria__row_linspace(struct invocation *c);
stria_status stria__row_eye(struct invocation *c);
stria_status stria__row_by_diagonal(struct invocation *c, ones_by_diagonal *by);

/* rows_random.c */
stria_status stria__row_unit(struct invocation *c, fill_floats *by, stria_kind fallback);
stria_status stria__row_randint(struct invocation *c);
stria_status stria__row_of_two_numbers(struct invocation *c, fill_floats *by);

/* rows_data.c */
stria_status stria__row_from_data(struct invocation *c, stria_copy_policy policy);
stria_status stria__row_to_kind(struct invocation *c, stria_kind kind);

/* rows_join.c */
stria_status stria__row_join(struct invocation *c, joiner *by, const struct arg *as);
stria_status stria__row_join_along(struct invocation *c, bool stacks);
stria_status stria__row_repeat_interleave(struct invocation *c, const stria_view *each);
stria_status stria__row_repeat_to_size(struct invocation *c, const stria_view *each);
stria_status stria__row_roll(struct invocation *c);
stria_status stria__row_roll_axes(struct invocation *c);
stria_status stria__row_diag_numpy(struct invocation *c);
stria_status stria__row_trace_numpy(struct invocation *c);

/* rows_sparse.c */
stria_status stria__row_to_sparse(struct invocation *c);
stria_status stria__row_to_csr(struct invocation *c);
stria_status stria__row_coo_to_csr(struct invocation *c);
stria_status stria__row_from_coordinates(struct invocation *c);
stria_status stria__row_from_compressed(struct invocation *c, stria_compression form);
stria_status stria__row_sparse_indices(struct invocation *c);
stria_status stria__row_sparse_values(struct invocation *c);
stria_status stria__row_raw_indices(struct invocation *c);
stria_status stria__row_raw_values(struct invocation *c);
stria_status stria__row_compressed_part(struct invocation *c, csr_part *part);
stria_status stria__row_to_dense(struct invocation *c);
stria_status stria__row_coalesce(struct invocation *c);
stria_status stria__row_sparse_permute(struct invocation *c);
stria_status stria__row_sparse_transpose(struct invocation *c);
stria_status stria__row_sparse_t(struct invocation *c);
stria_status stria__row_sparse_select(struct invocation *c);
stria_status stria__row_nnz(struct invocation *c);
stria_status stria__row_is_coalesced(struct invocation *c);
stria_status stria__row_sparse_dim(struct invocation *c);
stria_status stria__row_dense_dim(struct invocation *c);

/* rows_ask.c */
stria_status stria__row_of_dim(struct invocation *c, const int64_t *values, int64_t unit);
stria_status stria__row_length(struct invocation *c);
stria_status stria__row_data_ptr(struct invocation *c);
stria_status stria__row_shares_memory(struct invocation *c);
stria_status stria__row_overlaps_itself(struct invocation *c);
stria_status stria__row_dtype(struct invocation *c, stria_dtype found);
stria_status stria__row_result_type(struct invocation *c);
stria_status stria__row_promote_types(struct invocation *c);
stria_status stria__row_can_cast(struct invocation *c);
stria_status stria__row_broadcast_shapes(struct invocation *c);

#endif
