/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of weak scalars: those of a bool, an int, a float or a complex of Python. */
#ifndef STRIA_OPS_ELEMENTWISE_WEAK_H
#define STRIA_OPS_ELEMENTWISE_WEAK_H

#include "stria/elementwise.h"

static inline bool view_is_weak(const stria_view *a)
{
    return (a->flags & STRIA_WEAK) != 0;
}

/*
 * The number in a weak scalar, which is real. Integers have a sign and a magnitude, so that those
 * of both signs and 64 bits fit; bool counts as the integer 0 or 1.
 */
struct weak_real {
    bool is_float;
    bool negative;      /* an integer below 0 */
    uint64_t magnitude; /* magnitude of an integer */
    double number;      /* number of a float */
};

/* Tells whether a weak scalar can be of this kind: bool, i64, u64, f64 or c128. */
static inline bool stria__is_weak_kind(stria_kind kind)
{
    return kind == STRIA_BOOL || kind == STRIA_I64 || kind == STRIA_U64 || kind == STRIA_F64 ||
           kind == STRIA_C128;
}

/* A view with STRIA_WEAK is as stria_weak makes them; it is a valid view. ARGUMENT. */
stria_status stria__check_weak(const stria_view *a, const char *op, const char *what);

/* kind is not C128. */
struct weak_real stria__weak_real(const stria_view *weak);

/* Returns the dtype of a weak scalar where no other operand gives it one. */
stria_dtype stria__weak_default(const stria_view *weak, stria_promotion rule);

/* Tells whether the dtype can hold the scalar: an integer has to be in its range. */
bool stria__weak_fits(const stria_view *weak, stria_kind kind);

/* "the weak integer -5", for messages. */
struct weak_text {
    char text[48];
};
struct weak_text stria__weak_text(const stria_view *weak);

#endif
