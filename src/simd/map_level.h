/* SPDX-License-Identifier: BSD-3-Clause */
/* What each group of elementwise kernels begins with (map_each.inc). */
#ifndef STRIA_SIMD_MAP_LEVEL_H
#define STRIA_SIMD_MAP_LEVEL_H

#include "map_drive.h"
#include "map_layout.h"
#include "map_ops.h"

/* Names that end in the type: of items, and of floats, whether they are rounded again or parts. */
#define NAMED(name)    NAME3(name, _, T)
#define OF_T(name)     NAME3(name, _, T)
#define OF_FLOAT(name) NAME3(name, _, FLOAT)

/* f32 that will be rounded again, to f16 or bf16. */
typedef mem_f32 mem_odd;

static ALWAYS_INLINE struct map_form form_of(const enum stria_op op, int item, int real)
{
    const uint8_t own = (uint8_t)item, first = result_of(op) == OP_CHOICE ? 1 : own;
    return (struct map_form){.inputs = (uint8_t)inputs_of(op),
                             .singles = (uint8_t)singles_of(op),
                             .commutes = commutes(op),
                             .item = {(uint8_t)out_item(op, item, real), first, own, own}};
}

#endif
