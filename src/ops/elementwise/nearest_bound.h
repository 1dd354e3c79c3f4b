/* SPDX-License-Identifier: BSD-3-Clause */
/* The nearest number of a dtype at or beyond a value that the dtype may not hold. */
#ifndef STRIA_OPS_ELEMENTWISE_BOUND_H
#define STRIA_OPS_ELEMENTWISE_BOUND_H

#include "ops/elementwise/weak_scalar.h"

enum bound_way {
    BOUND_UP,  /* the lowest number that is not below the value */
    BOUND_DOWN /* the highest that is not above it */
};

struct bound {
    enum {
        BOUND_IS,
        BOUND_BEYOND,   /* every number of the dtype lies on the other side of the value */
        BOUND_UNORDERED /* the value is NaN */
    } what;
    uint64_t item; /* its first bytes are the number, in native order */
};

/* kind: bool, an integer, or a float of 2 bytes and more. */
struct bound stria__bound(struct element value, stria_kind kind, enum bound_way way);

#endif
