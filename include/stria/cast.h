/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversion between dtypes: which conversions a policy allows, and copies that ask a policy first.
 * docs/conversion.md defines for every input what each conversion does to a value. In short, values
 * are rounded once to nearest even and subnormals are kept; float to integer saturates and NaN
 * becomes 0; integers wrap; anything but zero is true; complex to real drops the imaginary part.
 */
#ifndef STRIA_CAST_H
#define STRIA_CAST_H

#include "copy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The policies are numpy's casting=. Each allows everything that the next one allows. */
typedef enum stria_cast_policy {
    STRIA_CAST_UNSAFE = 0, /* every conversion that exists, as in stria_copy and torch.copy_ */
    STRIA_CAST_SAME_KIND =
        1,                /* safe, or within bool < unsigned < signed < float < complex upwards */
    STRIA_CAST_SAFE = 2,  /* every value survives; 64-bit integers to f64 too, as in NumPy */
    STRIA_CAST_EQUIV = 3, /* another byte order only */
    STRIA_CAST_NO = 4     /* the same dtype only */
} stria_cast_policy;

/*
 * Tells whether the policy allows from -> to. numpy.can_cast on dtypes, extended to bf16 and the
 * 8-bit floats by the same rules. Strings, void and records convert to their own kind and size
 * only, so every policy refuses other pairs; what is no dtype is refused too.
 */
STRIA_API bool stria_can_cast(stria_dtype from, stria_dtype to, stria_cast_policy policy);

/*
 * Copies as stria_copy does where the policy allows the two dtypes; otherwise DTYPE, with a
 * message that names both. numpy.copyto(out, src, casting=).
 */
STRIA_API STRIA_MUST_USE stria_status stria_copy_cast(const stria_view *out, const stria_view *src,
                                                      stria_cast_policy policy,
                                                      const stria_exec *exec);

/*
 * Converts a's elements to dtype in new memory that is dense in STRIA_ORDER_K; numpy.astype with
 * order='K', torch.Tensor.to(dtype). With copy IF_NEEDED the result is the same view when a already
 * has that dtype. *out is owned by the caller; exec and outcome may be NULL. DTYPE when the policy
 * refuses, COPY when copy is NEVER and a has another dtype.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_astype(stria_array *out, const stria_view *a, stria_dtype dtype, stria_cast_policy policy,
             stria_copy_policy copy, stria_outcome *outcome, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
