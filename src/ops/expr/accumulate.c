/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes one kernel, that of stria_addcmul, of a product and the sum that reads it: a + w * x. It
 * rounds both, so that the bits are those of the two, and the product is not written and read.
 */
#include "ops/expr/evaluation.h"

#include <string.h>

#include "machine/dispatch.h"
#include "simd/op_loop.h"

/* Kernels of f16 and bf16 round once, bool has none, and those of complex numbers gain nothing. */
static bool is_suitable(stria_kind kind)
{
    return (kind >= STRIA_I8 && kind <= STRIA_U64) || kind == STRIA_F32 || kind == STRIA_F64;
}

static map_loop *loop_of(stria_op op, stria_kind kind)
{
    return op_loop(stria__kernels(), op, kind);
}

static bool is_kernel_of(const struct lowered_value *v, stria_op op)
{
    return v->what == VALUE_KERNEL && v->op == op &&
           v->loop == loop_of(op, (stria_kind)v->dtype.kind);
}

static bool is_constant(const struct lowered *l, int value)
{
    return l->value[value].what == VALUE_CONSTANT;
}

/* Counts the readers of each value that the roots need, in `last`; those of others are 0. */
static void count_readers(struct lowered *l, int count, const int *roots)
{
    for (int i = 0; i < l->values; i++)
        l->value[i].last = 0;
    for (int j = 0; j < count; j++)
        l->value[roots[j]].last += 2; /* a result is read elsewhere, too */
    for (int i = l->values; i-- > 0;)
        for (int k = 0; l->value[i].last > 0 && k < l->value[i].count; k++)
            l->value[l->value[i].operand[k]].last++;
}

/* Stores -x: a - x is a + -x for floats and for integers, which wrap. */
static void negate(struct constant *x, stria_kind kind)
{
    uint64_t bits;
    memcpy(&bits, x->item, sizeof bits);
    if (kind == STRIA_F64)
        bits ^= UINT64_C(1) << 63;
    else if (kind == STRIA_F32)
        bits ^= UINT64_C(1) << 31;
    else
        bits = 0 - bits;
    memset(x->item, 0, sizeof x->item);
    memcpy(x->item, &bits, (size_t)stria_dtype_of(kind).itemsize);
}

/*
 * Tells whether operand k of a sum or a difference is a product that nothing else reads. What is
 * subtracted has a constant factor, which takes the sign.
 */
static bool is_product(const struct lowered *l, const struct lowered_value *v, int k)
{
    const struct lowered_value *const m = &l->value[v->operand[k]];
    if (!is_kernel_of(m, STRIA_MULTIPLY) || m->dtype.kind != v->dtype.kind || m->last != 1)
        return false;
    return v->op == STRIA_ADD ||
           (k == 1 && (is_constant(l, m->operand[0]) || is_constant(l, m->operand[1])));
}

/* Makes v the sum of its other operand and the factors of product k; a constant one comes last. */
static void take_product(struct lowered *l, struct lowered_value *v, int k)
{
    const struct lowered_value *const m = &l->value[v->operand[k]];
    const bool first = is_constant(l, m->operand[0]);
    const int32_t other = v->operand[1 - k], x = m->operand[first], factor = m->operand[!first];
    if (v->op == STRIA_SUBTRACT) {
        /* The product goes, and its factor may be one of others, so that it gets a place itself. */
        struct lowered_value *const w = &l->value[v->operand[k]];
        l->constant[l->constants] = l->constant[l->value[factor].index];
        negate(&l->constant[l->constants], (stria_kind)v->dtype.kind);
        *w = (struct lowered_value){
            .what = VALUE_CONSTANT, .dtype = v->dtype, .index = l->constants++};
        v->operand[2] = v->operand[k];
    } else {
        v->operand[2] = factor;
    }
    v->operand[0] = other;
    v->operand[1] = x;
    v->count = 3;
    v->op = STRIA_ADDCMUL;
    v->loop = loop_of(STRIA_ADDCMUL, (stria_kind)v->dtype.kind);
}

void stria__expr_accumulate(struct lowered *l, int count, const int *roots)
{
    count_readers(l, count, roots);
    for (int i = 0; i < l->values; i++) {
        struct lowered_value *const v = &l->value[i];
        if (v->last == 0 || !is_suitable((stria_kind)v->dtype.kind)) continue;
        if (!is_kernel_of(v, STRIA_ADD) && !is_kernel_of(v, STRIA_SUBTRACT)) continue;
        if (is_product(l, v, 1))
            take_product(l, v, 1);
        else if (is_product(l, v, 0))
            take_product(l, v, 0);
    }
}
