/* SPDX-License-Identifier: BSD-3-Clause */
/* Large conversions between layouts that are dense along different dims, tile by tile. */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_TILES_H
#define STRIA_SRC_OPS_COPY_THROUGH_TILES_H

#include "ops/convert/convert.h"
#include "nest.h"
#include "stria/plan.h"

/*
 * Whether plan, over (dst, src), is such a conversion, with rows on either side. If so, *items
 * becomes the copy as a nest in which items and strides are counted in items instead of bytes.
 */
bool stria__has_tiles(struct nest *items, const stria_plan *plan, const struct conversion *how);

/*
 * All of it, on this thread; dst and src do not overlap. stream: the output bypasses the caches.
 */
void stria__run_tiles(const struct nest *items, const struct conversion *how, bool stream);

#endif
