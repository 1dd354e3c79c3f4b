/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Complex numbers as pairs of reals, and lazy conjugation and negation. Two bits of a view
 * (STRIA_CONJ, STRIA_NEG) say that its elements are the conjugates or negatives of what memory
 * holds; views of it inherit the bits and every copy resolves them. The rules of view.h hold.
 */
#ifndef STRIA_COMPLEX_H
#define STRIA_COMPLEX_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Views the real parts; a real view is returned as it is. torch.real, numpy.real. */
STRIA_API STRIA_MUST_USE stria_status stria_real(stria_view *out, const stria_view *a);
/*
 * Views the imaginary parts, lazily negated if a is conjugated; torch.imag. DTYPE unless complex.
 */
STRIA_API STRIA_MUST_USE stria_status stria_imag(stria_view *out, const stria_view *a);
/*
 * Views complex numbers as a last dim of 2 reals; torch.view_as_real. DTYPE unless a is complex,
 * and for a conjugated view, whose imaginary parts are not stored.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_as_real(stria_view *out, const stria_view *a);
/*
 * Views a last dim of 2 f32 or f64 (DTYPE) that lie side by side (SHAPE, STRIDE) as complex
 * numbers; torch.view_as_complex. The other strides may be any.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_as_complex(stria_view *out, const stria_view *a);

/* Conjugates lazily; a real view stays as it is. torch.conj. */
STRIA_API STRIA_MUST_USE stria_status stria_conj(stria_view *out, const stria_view *a);
/* Negates lazily; torch._neg_view. DTYPE unless a is numeric. */
STRIA_API STRIA_MUST_USE stria_status stria_neg_view(stria_view *out, const stria_view *a);

/* Views the conjugate transpose of a matrix; torch.Tensor.H. SHAPE unless a has 0 or 2 dims. */
STRIA_API STRIA_MUST_USE stria_status stria_adjoint(stria_view *out, const stria_view *a);
/* Swaps the last two dims and conjugates; torch.Tensor.mH, torch.adjoint. SHAPE for 1 dim. */
STRIA_API STRIA_MUST_USE stria_status stria_matrix_adjoint(stria_view *out, const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
