/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Complex numbers as pairs of reals, and values that are conjugated or negated lazily: bits of a
 * view (STRIA_CONJ, STRIA_NEG) that views carry on and that every copy resolves. The rules of
 * view.h hold.
 */
#ifndef STRIA_COMPLEX_H
#define STRIA_COMPLEX_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The real parts; of a real view the view itself. torch.real, numpy.real. */
STRIA_API STRIA_MUST_USE stria_status stria_real(stria_view *out, const stria_view *a);
/* The imaginary parts, lazily negated for a conjugated view; torch.imag. DTYPE unless complex. */
STRIA_API STRIA_MUST_USE stria_status stria_imag(stria_view *out, const stria_view *a);
/*
 * Complex numbers as a last dim of 2 reals; torch.view_as_real. DTYPE unless complex, and for a
 * conjugated view, which is no pair of stored reals.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_as_real(stria_view *out, const stria_view *a);
/*
 * A last dim of 2 f32 or f64 (DTYPE), side by side (SHAPE, STRIDE), as complex numbers;
 * torch.view_as_complex. The other strides may be any.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_as_complex(stria_view *out, const stria_view *a);

/* The conjugates, lazily; a real view stays as it is. torch.conj. */
STRIA_API STRIA_MUST_USE stria_status stria_conj(stria_view *out, const stria_view *a);
/* The negatives, lazily; torch._neg_view. DTYPE unless numeric. */
STRIA_API STRIA_MUST_USE stria_status stria_neg_view(stria_view *out, const stria_view *a);

/* The conjugate transpose of a matrix, lazily; torch.Tensor.H. SHAPE unless 0 or 2 dims. */
STRIA_API STRIA_MUST_USE stria_status stria_H(stria_view *out, const stria_view *a);
/* The last two dims swapped and conjugated; torch.Tensor.mH, torch.adjoint. SHAPE for 1 dim. */
STRIA_API STRIA_MUST_USE stria_status stria_mH(stria_view *out, const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
