/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Input on its way into the second-level cache before it is read. A box is made of short rows far
 * apart, which the hardware does not foresee, and while a box is written nothing would be read.
 */
#ifndef STRIA_SRC_OPS_CONVERT_FETCH_H
#define STRIA_SRC_OPS_CONVERT_FETCH_H

#include "boxes.h"

enum { FETCH_DIMS = 20 /* at least 2 items each, in the memory of a box */ };

/* The rows of a box's input, in the order of the input. */
struct fetch {
    const char *at; /* the next row */
    int64_t row;    /* bytes */
    int64_t left;   /* rows */
    int64_t owed;   /* bytes that were asked for and not fetched yet; negative: fetched too early */
    struct fetch *then; /* goes on with these; or NULL */
    int ndim;
    struct fetch_dim {
        int64_t n, i, s;
    } d[FETCH_DIMS];
};

/* src: where the box begins in the input; size: its sizes, those of a whole box or less. */
void stria__fetch_start(struct fetch *out, const struct boxes *all, const char *src,
                        const int64_t *size);

/* Asks for the rows that hold the next so many bytes, as far as there are any. */
void stria__fetch(struct fetch *f, int64_t bytes);

#endif
