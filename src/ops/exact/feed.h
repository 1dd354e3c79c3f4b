/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of views, as blocks of f64 that accumulators take. */
#ifndef STRIA_OPS_EXACT_FEED_H
#define STRIA_OPS_EXACT_FEED_H

#include "ops/exact/accumulator.h"
#include "stria/threads.h"
#include "stria/view.h"

/*
 * Adds the elements of a to *sum, unless that is NULL, and the products of a and b, of one shape,
 * to *products, unless that is NULL. Both views hold real numbers in memory. Carries are resolved.
 * MEMORY, UNSUPPORTED; what was added until then stays.
 */
stria_status stria__exact_feed(struct exact_sum *sum, struct exact_sum *products,
                               const stria_view *a, const stria_view *b, const stria_exec *exec);

#endif
