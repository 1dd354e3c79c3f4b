/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions as nests and tilings, whose items differ in size between the operands: strides in
 * items are what both have in common.
 */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_ITEMS_H
#define STRIA_SRC_OPS_COPY_THROUGH_ITEMS_H

#include "ops/convert/convert.h"
#include "tiling.h"

/* A plan over (dst, src), in bytes, dim for dim; item is that of the output. */
void stria__nest_of_conversion(struct nest *out, const stria_plan *plan,
                               const struct conversion *how);

/* Such a nest in items; false where strides are not made of them, or the input stands still. */
bool stria__nest_in_items(struct nest *out, const struct nest *nest, const struct conversion *how);

/* The stria__tiling_heads of a nest in items; 0 of a side of no more items than a block has. */
struct heads stria__heads_in_items(const struct nest *items, const struct conversion *how,
                                   int64_t np, int64_t nq);

/* Every row of every tile, whole lines but for a first block of less, begins on a line. */
bool stria__items_line_up(const struct tiling *t, const struct nest *items,
                          const struct conversion *how);

/* A tiling of a nest in items, in bytes again. */
void stria__tiling_in_bytes(struct tiling *t, const struct conversion *how);

#endif
