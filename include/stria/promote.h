/* SPDX-License-Identifier: BSD-3-Clause */
/* The common dtype of two dtypes. */
#ifndef STRIA_PROMOTE_H
#define STRIA_PROMOTE_H

#include "dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_promotion {
    STRIA_PROMOTE_TORCH = 0, /* the wider one of the higher category: i64 and f16 give f16 */
    STRIA_PROMOTE_NUMPY = 1  /* the smallest that holds the values of both: i64 and f16 give f64 */
} stria_promotion;

/*
 * Computes torch.promote_types or numpy.promote_types. The result is in native byte order, also for
 * two equal dtypes; records stay as they are. Strings of one kind promote to the longer one.
 * ARGUMENT for an unknown rule. DTYPE, with a message that names both, where the rule has no
 * answer: PyTorch's has none for 8-bit floats with another dtype, nor for u16, u32 and u64 with
 * anything but floats; neither rule has one for strings, void and records with a dtype that is not
 * equal.
 */
STRIA_API STRIA_MUST_USE stria_status stria_promote(stria_dtype *out, stria_dtype a, stria_dtype b,
                                                    stria_promotion rule);

#ifdef __cplusplus
}
#endif

#endif
