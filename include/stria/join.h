/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New arrays made of several views, or of one view several times. Every function allocates one
 * dense array, owned by the caller, in C order, and fills it through the copy engine; nothing else
 * moves. What is joined end to end, stacked or rolled in channels-last order stays in it, as in
 * PyTorch. Inputs are read only and may share memory. Sizes are in elements.
 *
 * Inputs of different dtypes are converted to what stria_promote makes of them in PyTorch's way
 * (DTYPE when there is none). Errors: ARGUMENT (NULL, no views), DIM, SHAPE (sizes that do not fit,
 * named with the number of the view), OVERFLOW, MEMORY, UNSUPPORTED (a repeated view of more dims
 * than can be split in two; repeats without memory).
 */
#ifndef STRIA_JOIN_H
#define STRIA_JOIN_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * n >= 1 views end to end along dim; all other sizes must agree. As in torch.cat a view of shape
 * (0,) fits everywhere and adds nothing. numpy.concatenate.
 */
STRIA_API STRIA_MUST_USE stria_status stria_cat(stria_array *out, int n,
                                                const stria_view *const *views, int dim);
/* n >= 1 views of one shape along a new dim; torch.stack, numpy.stack. */
STRIA_API STRIA_MUST_USE stria_status stria_stack(stria_array *out, int n,
                                                  const stria_view *const *views, int dim);
/* Along dim 1, or 0 for 1-d views; 0-d views count as 1-d. torch.hstack. */
STRIA_API STRIA_MUST_USE stria_status stria_hstack(stria_array *out, int n,
                                                   const stria_view *const *views);
/* Along dim 0 after stria_atleast_2d. torch.vstack. */
STRIA_API STRIA_MUST_USE stria_status stria_vstack(stria_array *out, int n,
                                                   const stria_view *const *views);
/* Along dim 2 after stria_atleast_3d. torch.dstack. */
STRIA_API STRIA_MUST_USE stria_status stria_dstack(stria_array *out, int n,
                                                   const stria_view *const *views);
/* 0-d and 1-d views as columns, side by side with 2-d ones. torch.column_stack. */
STRIA_API STRIA_MUST_USE stria_status stria_column_stack(stria_array *out, int n,
                                                         const stria_view *const *views);
/* 2-d views (1-d ones are rows, 0-d single items) along the diagonal of zeros. torch.block_diag. */
STRIA_API STRIA_MUST_USE stria_status stria_block_diag(stria_array *out, int n,
                                                       const stria_view *const *views);

/*
 * a repeated repeats[i] times along each dim. repeats may be longer than a's dims (new leading
 * dims), and for stria_tile shorter (leading dims once): torch.Tensor.repeat, torch.tile.
 */
STRIA_API STRIA_MUST_USE stria_status stria_repeat(stria_array *out, const stria_view *a, int count,
                                                   const int64_t *repeats);
STRIA_API STRIA_MUST_USE stria_status stria_tile(stria_array *out, const stria_view *a, int count,
                                                 const int64_t *repeats);
/* Every element of dim `repeats` times in a row; torch.repeat_interleave(int), numpy.repeat. */
STRIA_API STRIA_MUST_USE stria_status stria_repeat_interleave(stria_array *out, const stria_view *a,
                                                              int64_t repeats, int dim);
/*
 * Element i of dim repeats[i] times in a row; repeats of any integer dtype, one for each element or
 * one for all. torch.repeat_interleave(tensor), numpy.repeat(list). SHAPE, DTYPE, OVERFLOW.
 */
STRIA_API STRIA_MUST_USE stria_status stria_repeat_each(stria_array *out, const stria_view *a,
                                                        const stria_view *repeats, int dim);
/*
 * a shifted circularly by shifts[i] along dims[i]; a dim that is listed twice moves by the sum.
 * dims NULL (count 1): shifted as if it were flat. torch.roll.
 */
STRIA_API STRIA_MUST_USE stria_status stria_roll(stria_array *out, const stria_view *a, int count,
                                                 const int64_t *shifts, const int *dims);
/* The last two dims with zeros above (tril) or below (triu) the diagonal k. SHAPE below 2 dims. */
STRIA_API STRIA_MUST_USE stria_status stria_tril(stria_array *out, const stria_view *a, int64_t k);
STRIA_API STRIA_MUST_USE stria_status stria_triu(stria_array *out, const stria_view *a, int64_t k);
/*
 * a's last dim as the diagonal k of a square in two new dims, dim1 and dim2 of the result, zeros
 * elsewhere; torch.diag_embed.
 */
STRIA_API STRIA_MUST_USE stria_status stria_diag_embed(stria_array *out, const stria_view *a,
                                                       int64_t k, int dim1, int dim2);
/* 1-d: a matrix with that diagonal; 2-d: a copy of the diagonal. torch.diag. */
STRIA_API STRIA_MUST_USE stria_status stria_diag(stria_array *out, const stria_view *a, int64_t k);

#ifdef __cplusplus
}
#endif

#endif
