/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New arrays made of several views, or of one view several times. Every function allocates one
 * dense array, owned by the caller, in C order, and copies the elements into it. What is joined end
 * to end, stacked or rolled in channels-last order stays in that order, as in PyTorch. Inputs are
 * only read and may share memory. Sizes are in elements.
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
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_cat(stria_array *out, int n,
                                                            const stria_view *const *views,
                                                            int dim);
/* Joins n >= 1 views of one shape along a new dim; torch.stack, numpy.stack. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_stack(stria_array *out, int n,
                                                              const stria_view *const *views,
                                                              int dim);
/*
 * Do the same with a dtype, to which all elements are converted as stria_copy does, or where that
 * is NULL with the one that all promote to by a rule; dtype= of numpy.concatenate and numpy.stack,
 * and with STRIA_PROMOTE_NUMPY their result. ARGUMENT for an unknown rule.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_cat_as(stria_array *out, int n,
                                                               const stria_view *const *views,
                                                               int dim, const stria_dtype *dtype,
                                                               stria_promotion rule);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_stack_as(stria_array *out, int n,
                                                                 const stria_view *const *views,
                                                                 int dim, const stria_dtype *dtype,
                                                                 stria_promotion rule);
/*
 * Do the same into a view of the shape of the result (SHAPE), to whose dtype each view casts under
 * same_kind rules (DTYPE). It may overlap the views, which are then copied first. out= of
 * numpy.concatenate, numpy.stack and torch.cat. READONLY, OVERLAP (out with itself).
 */
STRIA_API STRIA_MUST_USE stria_status stria_cat_into(const stria_view *out, int n,
                                                     const stria_view *const *views, int dim);
STRIA_API STRIA_MUST_USE stria_status stria_stack_into(const stria_view *out, int n,
                                                       const stria_view *const *views, int dim);
/* Joins along dim 1, 1-d views along dim 0; 0-d views count as 1-d. torch.hstack. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_hstack(stria_array *out, int n,
                                                               const stria_view *const *views);
/* Joins along dim 0 after stria_atleast_2d. torch.vstack. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_vstack(stria_array *out, int n,
                                                               const stria_view *const *views);
/* Joins along dim 2 after stria_atleast_3d. torch.dstack. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_dstack(stria_array *out, int n,
                                                               const stria_view *const *views);
/* Joins along dim 1 with 0-d and 1-d views as columns. torch.column_stack. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_column_stack(stria_array *out, int n, const stria_view *const *views);
/*
 * Places 2-d views (1-d ones are rows, 0-d ones single items) along the diagonal of a matrix of
 * zeros. torch.block_diag.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_block_diag(stria_array *out, int n,
                                                                   const stria_view *const *views);

/*
 * Repeats a repeats[i] times along each dim i. repeats may be longer than a's dims, which adds
 * leading dims; for stria_tile it may also be shorter, and leading dims occur once.
 * torch.Tensor.repeat, torch.tile.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat(stria_array *out,
                                                               const stria_view *a, int count,
                                                               const int64_t *repeats);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_tile(stria_array *out, const stria_view *a,
                                                             int count, const int64_t *repeats);
/*
 * Repeats every element of dim `repeats` times in a row; torch.repeat_interleave(int),
 * numpy.repeat.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_interleave(stria_array *out,
                                                                          const stria_view *a,
                                                                          int64_t repeats, int dim);
/*
 * Repeats element i of dim repeats[i] times in a row. repeats has any integer dtype, and one number
 * for each element or one for all. torch.repeat_interleave(tensor), numpy.repeat(list). SHAPE,
 * DTYPE, OVERFLOW.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_each(stria_array *out,
                                                                    const stria_view *a,
                                                                    const stria_view *repeats,
                                                                    int dim);
/*
 * Shifts a circularly by shifts[i] along dims[i]; a dim that is listed twice is shifted by the sum.
 * With dims NULL and count 1 the elements are shifted in C order as one dim. torch.roll.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_roll(stria_array *out, const stria_view *a,
                                                             int count, const int64_t *shifts,
                                                             const int *dims);
/*
 * Copies the last two dims with zeros above (tril) or below (triu) diagonal k. SHAPE below 2 dims.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_tril(stria_array *out, const stria_view *a,
                                                             int64_t k);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_triu(stria_array *out, const stria_view *a,
                                                             int64_t k);
/*
 * Places a's last dim on diagonal k of a square of zeros in two new dims, dim1 and dim2 of the
 * result; torch.diag_embed.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_diag_embed(stria_array *out,
                                                                   const stria_view *a, int64_t k,
                                                                   int dim1, int dim2);
/*
 * Makes the matrix with that diagonal of a 1-d view, and copies the diagonal of a 2-d one.
 * torch.diag.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_diag(stria_array *out, const stria_view *a,
                                                             int64_t k);

/* The same, run as exec says (threads.h); what they call for temporaries obeys it, too. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_cat_with(stria_array *out, int n,
                                                                 const stria_view *const *views,
                                                                 int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_stack_with(stria_array *out, int n,
                                                                   const stria_view *const *views,
                                                                   int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_cat_as_with(stria_array *out, int n, const stria_view *const *views, int dim,
                  const stria_dtype *dtype, stria_promotion rule, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_stack_as_with(stria_array *out, int n, const stria_view *const *views, int dim,
                    const stria_dtype *dtype, stria_promotion rule, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cat_into_with(const stria_view *out, int n,
                                                          const stria_view *const *views, int dim,
                                                          const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_stack_into_with(const stria_view *out, int n,
                                                            const stria_view *const *views, int dim,
                                                            const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_hstack_with(stria_array *out, int n,
                                                                    const stria_view *const *views,
                                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_vstack_with(stria_array *out, int n,
                                                                    const stria_view *const *views,
                                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_dstack_with(stria_array *out, int n,
                                                                    const stria_view *const *views,
                                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_column_stack_with(
    stria_array *out, int n, const stria_view *const *views, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_block_diag_with(
    stria_array *out, int n, const stria_view *const *views, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_with(stria_array *out,
                                                                    const stria_view *a, int count,
                                                                    const int64_t *repeats,
                                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_tile_with(stria_array *out,
                                                                  const stria_view *a, int count,
                                                                  const int64_t *repeats,
                                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_interleave_with(
    stria_array *out, const stria_view *a, int64_t repeats, int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_repeat_each_with(stria_array *out,
                                                                         const stria_view *a,
                                                                         const stria_view *repeats,
                                                                         int dim,
                                                                         const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_roll_with(stria_array *out,
                                                                  const stria_view *a, int count,
                                                                  const int64_t *shifts,
                                                                  const int *dims,
                                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_tril_with(stria_array *out,
                                                                  const stria_view *a, int64_t k,
                                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_triu_with(stria_array *out,
                                                                  const stria_view *a, int64_t k,
                                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_diag_embed_with(
    stria_array *out, const stria_view *a, int64_t k, int dim1, int dim2, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_diag_with(stria_array *out,
                                                                  const stria_view *a, int64_t k,
                                                                  const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
