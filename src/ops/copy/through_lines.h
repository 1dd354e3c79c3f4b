/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of a conversion that goes from memory to memory, a few lines of many rows at a time. */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_LINES_H
#define STRIA_SRC_OPS_COPY_THROUGH_LINES_H

#include "ops/convert/convert.h"
#include "tiling.h"

enum {
    LINES_RUN = 4096, /* bytes of a tile in a row of the input, that many or less */
    LINES_ROWS = 128  /* rows of the input, at most */
};

/*
 * A stria__tile_body; arg is a const struct conversion to smaller items. Offsets are in bytes; rows
 * of the output begin on lines, and bypass the caches.
 */
stria__tile_body stria__lines_tile;

#endif
