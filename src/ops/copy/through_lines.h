/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transpositions that convert to smaller items on the way from memory to memory: tiles of a few
 * lines of many rows, where rows of the output begin on lines or between two seams (seams.h).
 */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_LINES_H
#define STRIA_SRC_OPS_COPY_THROUGH_LINES_H

#include "ops/convert/convert.h"
#include "seams.h"
#include "tiling.h"

struct lines {
    struct nest nest; /* in bytes */
    bool has_seams;
    struct seams seams;
};

/*
 * Whether there are enough rows and lines for it; then tiling, in items, is of all, or of what lies
 * between the seams. nest is a stria__nest_of_conversion.
 */
bool stria__lines_make(struct lines *out, struct tiling *tiling, const struct nest *nest,
                       const struct conversion *how);

/* All of it, on this thread; the tiling is in bytes now. The output bypasses the caches. */
void stria__lines_run(const struct lines *lines, const struct tiling *tiling,
                      const struct conversion *how);

#endif
