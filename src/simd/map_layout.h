/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of ops from the rows of ops.h, as compile-time constants. */
#pragma once

#include "level.h"
#include "ops.h"

static ALWAYS_INLINE enum op_result result_of(const enum stria_op op)
{
#define RESULT_OF(constant, name, inputs, dtypes, result, cycles) [constant] = result,
    static const enum op_result results[] = {STRIA_OP_LIST(RESULT_OF)};
#undef RESULT_OF
    return results[op];
}

static ALWAYS_INLINE int inputs_of(const enum stria_op op)
{
#define INPUTS_OF(constant, name, inputs, dtypes, result, cycles) [constant] = inputs,
    static const int inputs[] = {STRIA_OP_LIST(INPUTS_OF)};
#undef INPUTS_OF
    return inputs[op];
}

static ALWAYS_INLINE bool commutes(const enum stria_op op)
{
#define DTYPES_OF(constant, name, inputs, dtypes, result, cycles) [constant] = dtypes,
    static const int sets[] = {STRIA_OP_LIST(DTYPES_OF)};
#undef DTYPES_OF
    return (sets[op] & OP_COMMUTES) != 0;
}

/* Returns the size of a result, if items have `item` bytes and their real parts `real`. */
static ALWAYS_INLINE int64_t out_item(const enum stria_op op, int64_t item, int64_t real)
{
    switch (result_of(op)) {
    case OP_TRUTH:
    case OP_TEST:
    case OP_LOGIC:
    case OP_COUNT: return 1;
    case OP_ANGLE:
    case OP_REAL: return real;
    default: return item;
    }
}

/*
 * Returns the sets of inputs that may be single items: bit m for set m (map_drive.h). Others are
 * repeated, which costs a load. Of ops that commute the second may be single, of a choice one or
 * both of its values, of a clip both bounds, and of a sum of a product the factor.
 */
static ALWAYS_INLINE unsigned singles_of(const enum stria_op op)
{
    switch (op) {
    case STRIA_WHERE: return 1 << 0 | 1 << 2 | 1 << 4 | 1 << 6;
    case STRIA_CLIP:
    case STRIA_THRESHOLD: return 1 << 0 | 1 << 6;
    case STRIA_ADDCMUL: return 1 << 0 | 1 << 4;
    case STRIA_SUBTRACT:
    case STRIA_DIVIDE:
    case STRIA_LESS:
    case STRIA_LESS_EQUAL:
    case STRIA_GREATER:
    case STRIA_GREATER_EQUAL: return 1 << 0 | 1 << 1 | 1 << 2;
    default: return inputs_of(op) == 2 ? 1 << 0 | 1 << 2 : 1 << 0;
    }
}
