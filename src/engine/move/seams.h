/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the output that follow each other, each made of whole lines but beginning on none, as in
 * memory that malloc gave: every row ends in the line in which the next one begins. Such seams are
 * copied by themselves, whole lines too, so that all else begins on lines.
 *
 *     bytes    0   48                   256 304                   512 560
 *     row      0                         1                         2
 *     lines        |     |     |     |     |     |     |     |     |
 *              first   lines 0         seam  lines 1          seam ...
 */
#ifndef STRIA_SRC_OPS_COPY_SEAMS_H
#define STRIA_SRC_OPS_COPY_SEAMS_H

#include "nest.h"

struct seams {
    int along;          /* the dim of rows that follow each other */
    int64_t head, tail; /* items of a row before the first line and behind the last */
};

/* nest is dense in dim 0 in the output. */
bool stria__find_seams(struct seams *out, const struct nest *nest);

/* What lies between the seams. */
void stria__between_seams(struct nest *out, const struct nest *nest, const struct seams *seams);

/*
 * The seams: the first `tail` of the items in dim 0 lie where out says, the others of the input
 * *apart bytes further than that.
 */
void stria__across_seams(struct nest *out, int64_t *apart, const struct nest *nest,
                         const struct seams *seams);

/* Every row but the last from its first line on, together with the seam behind it. */
void stria__with_seams(struct nest *out, const struct nest *nest, const struct seams *seams);
/* The last row from its first line on. */
void stria__last_row(struct nest *out, const struct nest *nest, const struct seams *seams);

/* Before the first seam, and behind the last one. */
void stria__before_seams(struct nest *out, const struct nest *nest, const struct seams *seams);
void stria__behind_seams(struct nest *out, const struct nest *nest, const struct seams *seams);

#endif
