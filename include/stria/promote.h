/* SPDX-License-Identifier: BSD-3-Clause */
/* The dtype that two dtypes have in common. */
#ifndef STRIA_PROMOTE_H
#define STRIA_PROMOTE_H

#include "dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_promotion {
    STRIA_PROMOTE_TORCH, /* the wider one of the higher category: i64 with f16 is f16 */
    STRIA_PROMOTE_NUMPY  /* what holds the values of both: i64 with f16 is f64 */
} stria_promotion;

/*
 * torch.promote_types or numpy.promote_types; the result is in native byte order, that of two equal
 * dtypes too; records stay as they are. Strings of one kind promote to the longer one. ARGUMENT for
 * an unknown rule; DTYPE, naming both, where the rule has no answer: in PyTorch's, 8-bit floats
 * with anything else, and u16, u32, u64 with anything but floats; strings, void and records with
 * anything that is not equal.
 */
STRIA_API STRIA_MUST_USE stria_status stria_promote(stria_dtype *out, stria_dtype a, stria_dtype b,
                                                    stria_promotion rule);

#ifdef __cplusplus
}
#endif

#endif
