/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversion between dtypes: which ones a policy allows, and copies that ask first. What each
 * conversion does to a value is defined for every input: see docs/conversion.md. In short: to
 * nearest even with a single rounding, subnormals kept; float to integer saturates and NaN becomes
 * 0; integers wrap; anything but zero is true; complex to real drops the imaginary part.
 */
#ifndef STRIA_CAST_H
#define STRIA_CAST_H

#include "copy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* numpy's casting=; each allows what the next one does. */
typedef enum stria_cast_policy {
    STRIA_CAST_UNSAFE,    /* every conversion there is; what stria_copy does, as torch.copy_ */
    STRIA_CAST_SAME_KIND, /* safe, or within bool < unsigned < signed < float < complex upwards */
    STRIA_CAST_SAFE,      /* every value survives; 64-bit integers to f64 too, as in NumPy */
    STRIA_CAST_EQUIV,     /* byte order only */
    STRIA_CAST_NO         /* the same dtype */
} stria_cast_policy;

/*
 * Whether the policy allows from -> to. numpy.can_cast on dtypes, extended to bf16 and the 8-bit
 * floats by the same rules. Strings, void and records convert to their own kind and size only, so
 * that every policy refuses other pairs.
 */
STRIA_API bool stria_can_cast(stria_dtype from, stria_dtype to, stria_cast_policy policy);

/*
 * stria_copy_with for those dtypes that the policy allows; DTYPE, naming both, for others.
 * numpy.copyto(dst, src, casting=).
 */
STRIA_API STRIA_MUST_USE stria_status stria_copy_cast(const stria_view *dst, const stria_view *src,
                                                      stria_cast_policy policy,
                                                      const stria_exec *exec);

/*
 * a's elements as dtype, in new memory that is dense in STRIA_ORDER_K; numpy.astype with order='K',
 * torch.Tensor.to(dtype). copy IF_NEEDED: the very same view when it already has that
 * dtype. *out is owned by the caller; exec and outcome may be NULL. DTYPE when the policy refuses,
 * COPY when copy is NEVER and a's dtype is another.
 */
STRIA_API STRIA_MUST_USE stria_status stria_astype(stria_array *out, const stria_view *a,
                                                   stria_dtype dtype, stria_cast_policy policy,
                                                   stria_copy_policy copy, const stria_exec *exec,
                                                   stria_outcome *outcome);

#ifdef __cplusplus
}
#endif

#endif
