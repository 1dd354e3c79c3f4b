/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of weak scalars: those of a bool, an int, a float or a complex of Python. */
#ifndef STRIA_OPS_ELEMENTWISE_WEAK_H
#define STRIA_OPS_ELEMENTWISE_WEAK_H

#include "ops/value/element.h"
#include "stria/elementwise.h"

static inline bool view_is_weak(const stria_view *a)
{
    return (a->flags & STRIA_WEAK) != 0;
}

/* A view in the place of an operand, and its item where it is a scalar. */
struct substitute {
    stria_view view;
    _Alignas(16) char item[16];
};

/* Makes it a scalar of a native dtype. */
const stria_view *stria__set_scalar(struct substitute *out, stria_dtype dtype, const void *item);

/* Tells whether a weak scalar can be of this kind: bool, i64, u64, f64 or c128. */
static inline bool stria__is_weak_kind(stria_kind kind)
{
    return kind == STRIA_BOOL || kind == STRIA_I64 || kind == STRIA_U64 || kind == STRIA_F64 ||
           kind == STRIA_C128;
}

/* A view with STRIA_WEAK is as stria_weak makes them; it is a valid view. ARGUMENT. */
stria_status stria__check_weak(const stria_view *a, const char *op, const char *what);

static inline struct element weak_value(const stria_view *weak)
{
    return stria__element_load(weak->dtype, 0, weak->data);
}

/* Returns the dtype of a weak scalar where no other operand gives it one. */
stria_dtype stria__weak_default(const stria_view *weak, stria_promotion rule);

/* Tells whether the dtype can hold the scalar: an integer has to be in its range. */
bool stria__weak_fits(const stria_view *weak, stria_kind kind);

/* "the weak integer -5", for messages. */
struct weak_text {
    char text[112];
};
struct weak_text stria__weak_text(const stria_view *weak);

#endif
