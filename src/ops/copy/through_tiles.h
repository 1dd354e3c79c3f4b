/* SPDX-License-Identifier: BSD-3-Clause */
/* Large conversions between layouts that are dense along different dims, tile by tile. */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_TILES_H
#define STRIA_SRC_OPS_COPY_THROUGH_TILES_H

#include "ops/convert/convert.h"
#include "stria/plan.h"
#include "through_lines.h"
#include "tiling.h"

/* How such a conversion is cut into tiles; some 21 KiB. */
struct tiles {
    const struct conversion *how;
    struct tiling tiling;
    bool convert_first; /* then transposed; or the other way round */
    bool by_lines;
    struct lines lines; /* for that */
    bool joined;        /* rows of the output follow each other */
    int64_t item;       /* bytes, of those that are transposed */
};

/*
 * Whether plan, over (dst, src), is such a conversion, with rows on either side. stream: the output
 * bypasses the caches.
 */
bool stria__tiles_make(struct tiles *out, const stria_plan *plan, const struct conversion *how,
                       bool stream);

/* All of it, on this thread, with the same `stream`; dst and src do not overlap. */
void stria__tiles_run(const struct tiles *tiles, bool stream);

#endif
