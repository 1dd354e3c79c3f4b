/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the output that are adjacent and as long as whole lines, but do not begin on lines, as in
 * memory that malloc gave: every row ends in a line that the next one shares. Such a straddling
 * line is copied by itself, as a whole line too, so that everything else begins on lines.
 *
 *     bytes    0   48                   256 304                   512 560
 *     row      0                         1                         2
 *     lines        |     |     |     |     |     |     |     |     |
 *              first   lines 0     straddle  lines 1      straddle ...
 */
#ifndef STRIA_SRC_ENGINE_MOVE_STRADDLES_H
#define STRIA_SRC_ENGINE_MOVE_STRADDLES_H

#include "nest.h"

struct straddles {
    int along;          /* the dim of the adjacent rows */
    int64_t head, tail; /* items of a row before its first whole line and behind its last */
};

/* nest is dense in dim 0 in the output. */
bool stria__find_straddles(struct straddles *out, const struct nest *nest);

/* The parts of a copy with straddling lines. */
enum straddle_part {
    BETWEEN_STRADDLES, /* the whole lines between them */
    ON_STRADDLES,     /* these lines: in dim 0 the tail of a row, and then the head of the next one,
                         which is not where it would be in the input */
    WITH_STRADDLES,   /* every row but the last from its first whole line on, with the straddling
                         line behind it */
    LAST_ROW,         /* the last row from its first whole line on */
    BEFORE_STRADDLES, /* what is before the first of them */
    BEHIND_STRADDLES  /* and what is behind the last one */
};
void stria__straddle_part(struct nest *out, const struct nest *nest, const struct straddles *s,
                          enum straddle_part part);

#endif
