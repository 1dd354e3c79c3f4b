/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays made of several views, or of one view several times. A _new function allocates one dense
 * array, owned by the caller, in C order, and copies the elements into it. What is joined end to
 * end, stacked or rolled in channels-last order stays in that order, as in PyTorch. Inputs are only
 * read and may share memory. Sizes are in elements.
 *
 * The others write into a view of the shape of the result (SHAPE), to whose dtype each input casts
 * under same_kind rules (DTYPE). It may overlap the inputs, which are then copied first; no two of
 * its elements share bytes (OVERLAP). READONLY.
 *
 * Inputs of different dtypes are converted to the dtype that stria_promote gives by PyTorch's rules
 * (DTYPE when there is none). Errors: ARGUMENT (no views), DIM, SHAPE (sizes that do not fit, with
 * the number of the view), OVERFLOW, MEMORY, UNSUPPORTED (a repeated view has so many dims that
 * they cannot be split in two; the repeats lie in a meta buffer).
 */
#ifndef STRIA_JOIN_H
#define STRIA_JOIN_H

#include "array.h"
#include "promote.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Joins n >= 1 views end to end along dim; all other sizes must agree. As in torch.cat a view of
 * shape (0,) is ignored. numpy.concatenate.
 */
STRIA_API STRIA_MUST_USE stria_status stria_cat(const stria_view *out, int n,
                                                const stria_view *const *views, int dim,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_cat_new(stria_array *out, int n,
                                                                const stria_view *const *views,
                                                                int dim, const stria_exec *exec);
/* Joins n >= 1 views of one shape along a new dim; torch.stack, numpy.stack. */
STRIA_API STRIA_MUST_USE stria_status stria_stack(const stria_view *out, int n,
                                                  const stria_view *const *views, int dim,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_stack_new(stria_array *out, int n,
                                                                  const stria_view *const *views,
                                                                  int dim, const stria_exec *exec);
/*
 * Do the same with a dtype, to which all elements are converted as stria_copy does, or where that
 * is NULL with the one that all promote to by a rule; dtype= of numpy.concatenate and numpy.stack,
 * and with STRIA_PROMOTE_NUMPY their result. ARGUMENT for an unknown rule.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_cat_as_new(stria_array *out, int n, const stria_view *const *views, int dim,
                 const stria_dtype *dtype, stria_promotion rule, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_stack_as_new(stria_array *out, int n, const stria_view *const *views, int dim,
                   const stria_dtype *dtype, stria_promotion rule, const stria_exec *exec);
/* Joins along dim 1, 1-d views along dim 0; 0-d views count as 1-d. torch.hstack. */
STRIA_API STRIA_MUST_USE stria_status stria_hstack(const stria_view *out, int n,
                                                   const stria_view *const *views,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_hstack_new(stria_array *out, int n,
                                                                   const stria_view *const *views,
                                                                   const stria_exec *exec);
/* Joins along dim 0 after stria_atleast_2d. torch.vstack. */
STRIA_API STRIA_MUST_USE stria_status stria_vstack(const stria_view *out, int n,
                                                   const stria_view *const *views,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_vstack_new(stria_array *out, int n,
                                                                   const stria_view *const *views,
                                                                   const stria_exec *exec);
/* Joins along dim 2 after stria_atleast_3d. torch.dstack. */
STRIA_API STRIA_MUST_USE stria_status stria_dstack(const stria_view *out, int n,
                                                   const stria_view *const *views,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_dstack_new(stria_array *out, int n,
                                                                   const stria_view *const *views,
                                                                   const stria_exec *exec);
/* Joins along dim 1 with 0-d and 1-d views as columns. torch.column_stack. */
STRIA_API STRIA_MUST_USE stria_status stria_column_stack(const stria_view *out, int n,
                                                         const stria_view *const *views,
                                                         const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_column_stack_new(
    stria_array *out, int n, const stria_view *const *views, const stria_exec *exec);
/*
 * Places 2-d views (1-d ones are rows, 0-d ones single items) along the diagonal of a matrix of
 * zeros. torch.block_diag.
 */
STRIA_API STRIA_MUST_USE stria_status stria_block_diag(const stria_view *out, int n,
                                                       const stria_view *const *views,
                                                       const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_block_diag_new(
    stria_array *out, int n, const stria_view *const *views, const stria_exec *exec);

/*
 * Repeats a repeats[i] times along each dim i. repeats may be longer than a's dims, which adds
 * leading dims; for stria_tile_new it may also be shorter, and leading dims occur once.
 * torch.Tensor.repeat, torch.tile.
 */
STRIA_API STRIA_MUST_USE stria_status stria_repeat(const stria_view *out, const stria_view *a,
                                                   int count, const int64_t *repeats,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_new(stria_array *out,
                                                                   const stria_view *a, int count,
                                                                   const int64_t *repeats,
                                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_tile(const stria_view *out, const stria_view *a,
                                                 int count, const int64_t *repeats,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_tile_new(stria_array *out,
                                                                 const stria_view *a, int count,
                                                                 const int64_t *repeats,
                                                                 const stria_exec *exec);
/*
 * Repeats every element of dim `repeats` times in a row; torch.repeat_interleave(int),
 * numpy.repeat.
 */
STRIA_API STRIA_MUST_USE stria_status stria_repeat_interleave(const stria_view *out,
                                                              const stria_view *a, int64_t repeats,
                                                              int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_interleave_new(
    stria_array *out, const stria_view *a, int64_t repeats, int dim, const stria_exec *exec);
/*
 * Repeats element i of dim repeats[i] times in a row. repeats has any integer dtype, and one number
 * for each element or one for all. torch.repeat_interleave(tensor), numpy.repeat(list). SHAPE,
 * DTYPE, OVERFLOW.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_each_new(stria_array *out,
                                                                        const stria_view *a,
                                                                        const stria_view *repeats,
                                                                        int dim,
                                                                        const stria_exec *exec);
/*
 * Shifts a circularly by shifts[i] along dims[i]; a dim that is listed twice is shifted by the sum.
 * With dims NULL and count 1 the elements are shifted in C order as one dim. torch.roll.
 */
STRIA_API STRIA_MUST_USE stria_status stria_roll(const stria_view *out, const stria_view *a,
                                                 int count, const int64_t *shifts, const int *dims,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_roll_new(stria_array *out,
                                                                 const stria_view *a, int count,
                                                                 const int64_t *shifts,
                                                                 const int *dims,
                                                                 const stria_exec *exec);
/*
 * Copies the last two dims with zeros above (tril) or below (triu) diagonal k. SHAPE below 2 dims.
 */
STRIA_API STRIA_MUST_USE stria_status stria_tril(const stria_view *out, const stria_view *a,
                                                 int64_t k, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_tril_new(stria_array *out,
                                                                 const stria_view *a, int64_t k,
                                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_triu(const stria_view *out, const stria_view *a,
                                                 int64_t k, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_triu_new(stria_array *out,
                                                                 const stria_view *a, int64_t k,
                                                                 const stria_exec *exec);
/*
 * Places a's last dim on diagonal k of a square of zeros in two new dims, dim1 and dim2 of the
 * result; torch.diag_embed.
 */
STRIA_API STRIA_MUST_USE stria_status stria_diag_embed(const stria_view *out, const stria_view *a,
                                                       int64_t k, int dim0, int dim1,
                                                       const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_diag_embed_new(
    stria_array *out, const stria_view *a, int64_t k, int dim0, int dim1, const stria_exec *exec);
/*
 * Makes the matrix with that diagonal of a 1-d view, and copies the diagonal of a 2-d one.
 * torch.diag.
 */
STRIA_API STRIA_MUST_USE stria_status stria_diag(const stria_view *out, const stria_view *a,
                                                 int64_t k, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_diag_new(stria_array *out,
                                                                 const stria_view *a, int64_t k,
                                                                 const stria_exec *exec);

/*
 * Fills out with the elements of a, in C order, again and again; zeros where a has none.
 * numpy.resize.
 */
STRIA_API STRIA_MUST_USE stria_status stria_resize_cyclic(const stria_view *out,
                                                          const stria_view *a,
                                                          const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_resize_cyclic_new(
    stria_array *out, const stria_view *a, int ndim, const int64_t *shape, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
