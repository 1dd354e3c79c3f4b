/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up the kernel of an op in the tables of all families. */
#ifndef STRIA_MACHINE_OP_LOOP_H
#define STRIA_MACHINE_OP_LOOP_H

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

#endif
