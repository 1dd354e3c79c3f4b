/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up the kernel of an op in the tables of all families, and which dtypes have kernels. */
#pragma once

#include "base/status.h"
#include "families.h"
#include "simd/map.h"

/* Returns NULL if there is none. The dtype is that of the inputs, see map.h. */
static inline map_loop *op_loop(const struct stria_kernels *kernels, stria_op op, stria_kind kind)
{
    const struct op_kernels *const ops = stria__ops_of(kernels);
#ifdef STRIA_SOME_LEFT_OUT
    if (!ops || (kind <= STRIA_U64   ? !ops->whole[op] && !ops->row[op]
                 : kind >= STRIA_C64 ? !ops->of_complex[op] && !ops->row[op]
                                     : !ops->row[op]))
        return NULL;
#endif
    map_loop *const *const other = kind <= STRIA_U64   ? ops->whole[op]
                                   : kind >= STRIA_C64 ? ops->of_complex[op]
                                                       : NULL;
    return other ? other[kind] : ops->row[op][kind];
}

/* Refuses elements of dtypes whose kernels this build has not; what has no kernels passes. */
static inline stria_status stria__check_built(stria_dtype dtype, const char *op)
{
    const char *left_out = NULL;
#ifdef STRIA_WITHOUT_INTEGERS
    if (dtype.kind > STRIA_BOOL && dtype.kind <= STRIA_U64 && dtype.kind != STRIA_I64)
        left_out = "integers";
#endif
#ifdef STRIA_WITHOUT_HALVES
    if (dtype.kind > STRIA_U64 && dtype.kind < STRIA_F32) left_out = "halves";
#endif
#ifdef STRIA_WITHOUT_F32
    if (dtype.kind == STRIA_F32) left_out = "f32";
#endif
#ifdef STRIA_WITHOUT_COMPLEX
    if (dtype.kind == STRIA_C64 || dtype.kind == STRIA_C128) left_out = "complex";
#endif
    (void)dtype;
    return !left_out ? STRIA_OK
                     : stria__fail(STRIA_ERR_UNSUPPORTED,
                                   "%s: this library was built without the dtypes '%s', see "
                                   "STRIA_DTYPES",
                                   op, left_out);
}
