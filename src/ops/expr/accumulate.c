/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces sums and products that read each other by one kernel, which rounds each step, so that
 * the bits stay the same, while intermediate values are not written and read: stria_addcmul for a
 * product and its sum, a + w * x, and a weighted sum of more terms, such as 2 * u - p + c * l. A
 * term that is added or subtracted itself has a weight of 1 or -1.
 */
#include "ops/expr/evaluation.h"

#include <string.h>

#include "machine/dispatch.h"
#include "ops/expr/weighted_sum.h"
#include "machine/op_loop.h"

/* Tells whether kernels of this kind gain: f16 and bf16 round once, bool has none, complex numbers
 * gain nothing. */
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

/* Counts the readers of each value that the roots need, in `last`; it is 0 for other values. */
static void count_readers(struct lowered *l, int count, const int *roots)
{
    for (int i = 0; i < l->values; i++)
        l->value[i].last = 0;
    for (int j = 0; j < count; j++)
        l->value[roots[j]].last += 2; /* A result is read elsewhere, too. */
    for (int i = l->values; i-- > 0;)
        for (int k = 0; l->value[i].last > 0 && k < l->value[i].count; k++)
            l->value[l->value[i].operand[k]].last++;
}

/* Stores -x: for floats, and for integers, which wrap, a - x is a + -x. */
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
 * Tells whether operand k of a sum or a difference is a product that nothing else reads. A
 * subtracted product must have a constant factor, which takes the sign.
 */
static bool is_product(const struct lowered *l, const struct lowered_value *v, int k)
{
    const struct lowered_value *const m = &l->value[v->operand[k]];
    if (!is_kernel_of(m, STRIA_MULTIPLY) || m->dtype.kind != v->dtype.kind || m->last != 1)
        return false;
    return v->op == STRIA_ADD ||
           (k == 1 && (is_constant(l, m->operand[0]) || is_constant(l, m->operand[1])));
}

/* Makes v the sum of its other operand and the factors of product k; a constant factor comes
 * last. */
static void take_product(struct lowered *l, struct lowered_value *v, int k)
{
    const struct lowered_value *const m = &l->value[v->operand[k]];
    const bool first = is_constant(l, m->operand[0]);
    const int32_t other = v->operand[1 - k], x = m->operand[first], factor = m->operand[!first];
    if (v->op == STRIA_SUBTRACT) {
        /* The product goes, and its factor, which others may share, gets a place of its own. */
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

/* ---- weighted sums --------------------------------------------------------------------------- */

/* Terms of a sum, in order, and their weights as items of its dtype. */
struct terms {
    int count;
    int32_t value[SUM_TERMS + 1];
    struct constant weight[SUM_TERMS + 1];
};

static bool is_one(const struct lowered_value *v)
{
    return v->what == VALUE_KERNEL && v->last == 1;
}

/* Adds a value as a term; if it is a product with a constant that nothing else reads, its other
 * factor. */
static void add_term(const struct lowered *l, struct terms *t, int32_t value, stria_kind kind,
                     bool negative)
{
    const struct lowered_value *const m = &l->value[value];
    struct constant *const weight = &t->weight[t->count];
    const bool product = is_one(m) && is_kernel_of(m, STRIA_MULTIPLY) && m->dtype.kind == kind;
    const int factor = product && is_constant(l, m->operand[0])   ? 0
                       : product && is_constant(l, m->operand[1]) ? 1
                                                                  : -1;
    if (factor >= 0)
        *weight = l->constant[l->value[m->operand[factor]].index];
    else
        stria__sum_weight_one(weight, kind);
    if (negative) negate(weight, kind);
    t->value[t->count++] = factor >= 0 ? m->operand[1 - factor] : value;
}

/* Lists the terms of a sum that nothing else reads; false if it is no sum of several terms. */
static bool list_terms(const struct lowered *l, struct terms *t, int32_t value, stria_kind kind)
{
    const struct lowered_value *const v = &l->value[value];
    t->count = 0;
    if (!is_one(v) || v->dtype.kind != kind) return false;
    if (v->weights > 0) {
        for (int k = 0; k < v->count; k++)
            stria__sum_weight_at(&t->weight[k], &l->constant[v->index], k, kind);
        memcpy(t->value, v->operand, (size_t)v->count * sizeof *t->value);
        t->count = v->count;
    } else if (is_kernel_of(v, STRIA_ADDCMUL) && is_constant(l, v->operand[2])) {
        add_term(l, t, v->operand[0], kind, false);
        t->weight[t->count] = l->constant[l->value[v->operand[2]].index];
        t->value[t->count++] = v->operand[1];
    } else if (is_kernel_of(v, STRIA_ADD) || is_kernel_of(v, STRIA_SUBTRACT)) {
        add_term(l, t, v->operand[0], kind, false);
        add_term(l, t, v->operand[1], kind, v->op == STRIA_SUBTRACT);
    }
    for (int k = 0; k < t->count; k++)
        if (is_constant(l, t->value[k])) return false; /* Constants are no rows. */
    return t->count > 1;
}

/* Makes v a weighted sum if one of its operands is a sum that has room for a term. */
static bool take_terms(struct lowered *l, struct lowered_value *v)
{
    struct terms t;
    const stria_kind kind = (stria_kind)v->dtype.kind;
    map_loop *const loop = stria__sum_loop(kind);
    if (!loop) return false;
    const bool second = !list_terms(l, &t, v->operand[0], kind) || t.count == SUM_TERMS;
    if (second && (v->op == STRIA_SUBTRACT || !list_terms(l, &t, v->operand[1], kind) ||
                   t.count == SUM_TERMS))
        return false;
    if (is_constant(l, v->operand[!second])) return false;
    add_term(l, &t, v->operand[!second], kind, v->op == STRIA_SUBTRACT);
    v->index = l->constants;
    v->weights = stria__sum_weights(&l->constant[l->constants], t.count, t.weight, kind);
    l->constants += v->weights;
    v->count = (int16_t)t.count;
    memcpy(v->operand, t.value, (size_t)t.count * sizeof *t.value);
    v->op = STRIA_ADDCMUL;
    v->loop = loop;
    return true;
}

void stria__expr_accumulate(struct lowered *l, int count, const int *roots)
{
    count_readers(l, count, roots);
    for (int i = 0; i < l->values; i++) {
        struct lowered_value *const v = &l->value[i];
        if (v->last == 0 || !is_suitable((stria_kind)v->dtype.kind)) continue;
        if (!is_kernel_of(v, STRIA_ADD) && !is_kernel_of(v, STRIA_SUBTRACT)) continue;
        if (take_terms(l, v)) continue;
        if (is_product(l, v, 1))
            take_product(l, v, 1);
        else if (is_product(l, v, 0))
            take_product(l, v, 0);
    }
}
