/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rows of ops.h say of a kernel, as constants that fold away. */
#ifndef STRIA_SIMD_MAP_LAYOUT_H
#define STRIA_SIMD_MAP_LAYOUT_H

#include "level.h"
#include "ops.h"

/*
 * For a loop whose output is an input or shares no byte with it: no iteration reads what another
 * one writes. The compiler's own checks would take the first case for a dependence. That every such
 * loop is vector code where it shall be is tools/check_codegen.sh's to say: clang would warn in
 * builds for sanitizers, in which none is.
 */
#if !defined WIDEST
#define INDEPENDENT
#elif defined __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

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

/* Bytes of a result, of items and real parts of so many. */
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
 * The sets of inputs that may be single items, bit m for set m (map_drive.h). Two of three, the
 * last, are bounds; of a choice it is one value or both.
 */
static ALWAYS_INLINE unsigned singles_of(const enum stria_op op)
{
    if (result_of(op) == OP_CHOICE) return 1 << 0 | 1 << 2 | 1 << 4 | 1 << 6;
    if (inputs_of(op) == 1) return 1 << 0;
    if (inputs_of(op) == 3) return 1 << 0 | 1 << 6;
    return commutes(op) ? 1 << 0 | 1 << 2 : 1 << 0 | 1 << 1 | 1 << 2;
}

#endif
