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

/* Makes the nest of the whole lines between straddling lines. */
void stria__between_straddles(struct nest *out, const struct nest *nest,
                              const struct straddles *straddles);

/*
 * Makes the nest of the straddling lines: the first `tail` of the items in dim 0 are read where
 * `in` says, the others *apart bytes further than that.
 */
void stria__across_straddles(struct nest *out, int64_t *apart, const struct nest *nest,
                             const struct straddles *straddles);

/*
 * Makes the nest of every row but the last from its first whole line on, with the straddling line
 * behind it.
 */
void stria__with_straddles(struct nest *out, const struct nest *nest,
                           const struct straddles *straddles);
/* Makes the nest of the last row from its first whole line on. */
void stria__last_row(struct nest *out, const struct nest *nest, const struct straddles *straddles);

/* Make the nests before the first straddling line and behind the last one. */
void stria__before_straddles(struct nest *out, const struct nest *nest,
                             const struct straddles *straddles);
void stria__behind_straddles(struct nest *out, const struct nest *nest,
                             const struct straddles *straddles);

#endif
