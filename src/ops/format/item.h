/* SPDX-License-Identifier: BSD-3-Clause */
/* One item as text, in the column of items that are to be equally wide. */
#ifndef STRIA_OPS_FORMAT_ITEM_H
#define STRIA_OPS_FORMAT_ITEM_H

#include "ops/format/float_column.h"
#include "stria/format.h"

/* A column: the items of an array, or those of one field. */
struct column {
    stria_dtype dtype;
    uint32_t flags; /* STRIA_CONJ and STRIA_NEG */
    int width;      /* width of integers, dates and durations */
    bool scalar;    /* a single item, not aligned with others */
    struct float_column real, imag;
};

void stria__column_begin(struct column *c, stria_dtype dtype, uint32_t flags, bool scalar,
                         const stria_format_options *options);
/* All items are ranged, then decided on, then measured, then finished, as in number.h. */
void stria__column_range(struct column *c, const char *item);
void stria__column_decide(struct column *c, bool suppress);
void stria__column_measure(struct column *c, const char *item);
void stria__column_finish(struct column *c);
void stria__column_write(struct text *out, const struct column *c, const char *item);

#endif
