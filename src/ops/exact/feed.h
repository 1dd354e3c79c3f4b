/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of views, as blocks of f64 that accumulators take. */
#pragma once

#include "ops/exact/powers.h"
#include "stria/threads.h"
#include "stria/view.h"

/*
 * Adds the elements of a to *sum, the products of a and b, of one shape, to *products, and the
 * powers of a to *powers, with which there are products; unless these are NULL. Both views hold
 * real numbers in memory. Carries are resolved.
 * MEMORY, UNSUPPORTED; what was added until then stays.
 */
stria_status stria__exact_feed(struct exact_sum *sum, struct exact_sum *products,
                               struct power_sums *powers, const stria_view *a, const stria_view *b,
                               const stria_exec *exec);
