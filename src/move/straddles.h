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
#pragma once

#include "nest.h"

struct straddles {
    int along;          /* The dim of the adjacent rows. */
    int64_t head, tail; /* Items of a row before its first whole line and behind its last one. */
};

/* Finds the straddling lines of a nest whose output is dense along dim 0; false if there are
 * none. */
bool stria__find_straddles(struct straddles *out, const struct nest *nest);

/* The parts of a copy with straddling lines. */
enum straddle_part {
    BETWEEN_STRADDLES, /* The whole lines between straddling ones. */
    /* The straddling lines: in dim 0 the tail of a row, and then the head of the next one, which is
     * not where it would be in the input. */
    ON_STRADDLES,
    /* Every row but the last, from its first whole line on, with the straddling line behind it. */
    WITH_STRADDLES,
    LAST_ROW,         /* The last row from its first whole line on. */
    BEFORE_STRADDLES, /* The part before the first whole line of all. */
    BEHIND_STRADDLES  /* The part behind the last whole line of all. */
};
void stria__straddle_part(struct nest *out, const struct nest *nest, const struct straddles *s,
                          enum straddle_part part);
