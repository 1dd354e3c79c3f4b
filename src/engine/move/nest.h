/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The copy as a loop nest of two operands: what strategies look at and run. The dims come from a
 * plan, innermost first in the order of the output, whose strides are positive. A run of bytes that
 * is dense in both operands is one element, whatever the item was: 3 items of 4 bytes that stay
 * together are an element of 12 bytes from here on.
 */
#ifndef STRIA_SRC_OPS_COPY_NEST_H
#define STRIA_SRC_OPS_COPY_NEST_H

#include <stdbool.h>
#include <stdint.h>

#include "stria/plan.h"

struct nest_dim {
    int64_t n, so, si; /* so and si: bytes from one to the next in the output and in the input */
};

struct nest {
    char *out;
    const char *in;
    int64_t item; /* bytes of one element */
    int ndim;
    struct nest_dim d[STRIA_MAX_NDIM];
};

/* From a plan over (dst, src) whose items have `item` bytes; nothing in it is empty. */
void stria__nest_make(struct nest *out, const stria_plan *plan, int64_t item);

/* Adds a dim outside those that are there; a dense run becomes part of the element. */
void stria__nest_push(struct nest *nest, int64_t n, int64_t so, int64_t si);

/* Bytes that the nest writes. */
int64_t stria__nest_bytes(const struct nest *nest);

/* Its elements are so long, and so many bytes in all, that each is best copied as a dense run. */
bool stria__has_long_rows(const struct nest *nest);

/* If one row of the output, along dim 0, begins on a line, all do. */
bool stria__nest_has_rows_of_lines(const struct nest *nest);

/* Bytes of the dense run that begins with dim 0 in the output, and the number of its dims. */
int64_t stria__nest_run(const struct nest *nest, int *ndim);

/*
 * The same dims, from dim `first` on in the order of the input and never backwards in it: memory
 * that is read upwards is fetched ahead by the hardware. Steps in the output may become negative.
 */
void stria__nest_by_input(struct nest *out, const struct nest *nest, int first);

/* Every index of dims first, first + 1, ... in turn: where it lies. Once when there are none. */
struct nest_walk {
    const struct nest *nest; /* borrowed */
    int first;
    char *out;
    const char *in;
    int64_t index[STRIA_MAX_NDIM];
};
void stria__nest_start(struct nest_walk *walk, const struct nest *nest, int first);
bool stria__nest_next(struct nest_walk *walk); /* false after the last */

/* Calls body for each. */
typedef void stria__nest_body(char *out, const char *in, void *arg);
void stria__nest_walk(const struct nest *nest, int first, stria__nest_body *body, void *arg);

#endif
