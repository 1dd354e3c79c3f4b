/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operands of a map kernel by their parts in it, and the layouts along d[0] that have a loop of
 * their own: strides that are constants there make plain loops that the compiler vectorizes.
 */
#ifndef STRIA_SIMD_MAP_LAYOUT_H
#define STRIA_SIMD_MAP_LAYOUT_H

#include "level.h"
#include "map.h"

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

/*
 * Ops with one input have no right operand, and all but where have no condition; those have stride
 * 0.
 */
struct map_operands {
    char *out;
    const char *condition, *left, *right;
};

struct map_steps {
    int64_t out, condition, left, right; /* bytes */
};

enum map_layout { DENSE, LEFT_SCALAR, RIGHT_SCALAR, BOTH_SCALAR, STRIDED };

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

/* Returns the operands of row j. */
static ALWAYS_INLINE struct map_operands operands_of(const enum stria_op op, char *const *ptr,
                                                     const stria_dim *d, int64_t j)
{
    const bool choice = result_of(op) == OP_CHOICE;
    const int left = choice ? 2 : 1, right = inputs_of(op) > 1 ? left + 1 : left;
    return (struct map_operands){.out = ptr[0] + j * d[1].s[0],
                                 .condition = ptr[1] + j * d[1].s[1],
                                 .left = ptr[left] + j * d[1].s[left],
                                 .right = ptr[right] + j * d[1].s[right]};
}

static ALWAYS_INLINE struct map_steps steps_of(const enum stria_op op, const stria_dim *d)
{
    const bool choice = result_of(op) == OP_CHOICE;
    const int left = choice ? 2 : 1, right = inputs_of(op) > 1 ? left + 1 : left;
    return (struct map_steps){d->s[0], d->s[1], d->s[left], d->s[right]};
}

/* Returns the steps of dense operands whose values, and real parts, have so many bytes. */
static ALWAYS_INLINE struct map_steps dense_steps(const enum stria_op op, int64_t item,
                                                  int64_t real)
{
    const enum op_result result = result_of(op);
    const int64_t out = result == OP_TRUTH ? 1 : result == OP_REAL ? real : item;
    return (struct map_steps){out, result == OP_CHOICE ? 1 : item, item, item};
}

static ALWAYS_INLINE enum map_layout layout_of(const enum stria_op op, struct map_steps s,
                                               struct map_steps dense)
{
    if (s.out != dense.out || (result_of(op) == OP_CHOICE && s.condition != dense.condition))
        return STRIDED;
    const bool left = s.left == dense.left, right = s.right == dense.right;
    if (left && right) return DENSE;
    if (inputs_of(op) == 1) return STRIDED;
    if (s.left == 0 && right) return LEFT_SCALAR;
    if (left && s.right == 0) return RIGHT_SCALAR;
    return result_of(op) == OP_CHOICE && s.left == 0 && s.right == 0 ? BOTH_SCALAR : STRIDED;
}

#endif
