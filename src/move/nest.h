/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The copy as a loop nest of two operands, which strategies judge and run. The dims come from a
 * plan, innermost first in the order of the output, whose strides are positive. A run of bytes that
 * is dense in both operands is one element, whatever the item was: 3 adjacent items of 4 bytes
 * become an element of 12 bytes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/tool_api.h"
#include "base/integers.h"
#include "simd/kernels.h"
#include "stria/plan.h"

struct nest_dim {
    /* Number of elements, and bytes from one to the next in the output and in the input. */
    int64_t n, so, si;
};

struct nest {
    char *out;
    const char *in;
    int64_t item; /* Bytes of an element. */
    int ndim;
    struct nest_dim d[STRIA_MAX_NDIM];
};

/* Makes a nest from a plan over (dst, src) whose items have `item` bytes and which is not empty. */
TOOL_API void stria__nest_make(struct nest *out, const stria_plan *plan, int64_t item);

/* Begins a nest of one element. */
void stria__nest_begin(struct nest *nest, char *out, const char *in, int64_t item);

/*
 * Adds a dim outside the others. A dense run is merged into the element, and a dim that continues
 * the last one in both operands into that dim.
 */
void stria__nest_push(struct nest *nest, int64_t n, int64_t so, int64_t si);

/* Computes the bytes that the nest writes. */
int64_t stria__nest_bytes(const struct nest *nest);

/* Computes the bytes of the lines that the nest reads. */
double stria__nest_lines(const struct nest *nest);

/* Computes the bytes that the nest writes and twice those of the lines that it reads. */
double stria__nest_traffic(const struct nest *nest);

/* Tells whether elements are so long, and so large in all, that each is best copied as a dense
 * run. */
bool stria__has_long_rows(const struct nest *nest);

/* Tells whether all rows of the output, along dim 0, begin on lines if one of them does. */
bool stria__nest_has_rows_of_lines(const struct nest *nest);

/*
 * Computes the bytes of the output's dense run that begins with dim 0, and the number of its dims.
 */
int64_t stria__nest_run(const struct nest *nest, int *ndim);

/*
 * Sorts the dims from dim `first` on in the order of the input, upwards, because the hardware
 * prefetcher follows memory that is read upwards. Steps in the output may become negative.
 */
void stria__nest_by_input(struct nest *out, const struct nest *nest, int first);

/*
 * Visits every index of dims first, first + 1, ... in turn, with its addresses; once if there are
 * no such dims.
 */
struct nest_walk {
    const struct nest *nest; /* Borrowed. */
    int first;
    char *out;
    const char *in;
    int64_t index[STRIA_MAX_NDIM];
};
void stria__nest_start(struct nest_walk *walk, const struct nest *nest, int first);
bool stria__nest_next(struct nest_walk *walk); /* Moves on; false after the last index. */

/*
 * Lets a kernel that continues run all dims, two of which are in its arguments; walk and nest are
 * borrowed.
 */
void stria__nest_continue(struct strided *t, struct nest_walk *walk, const struct nest *nest);

/* Calls body for each index. */
typedef void stria__nest_body(char *out, const char *in, void *arg);
void stria__nest_walk(const struct nest *nest, int first, stria__nest_body *body, void *arg);

/*
 * Tells whether the output has gaps along dim 0, and far more lines than fit in the second-level
 * cache.
 */
bool stria__has_far_gaps(const struct nest *nest);

/* ---- arguments of kernels -------------------------------------------------------------------- */

/* Describes the two innermost dims of a nest; a missing dim has size 1. */
static inline struct strided stria__strided_args(const struct nest *nest, bool stream)
{
    struct strided t = {.out = nest->out, .in = nest->in, .n = {1, 1}};
    for (int d = 0; d < 2 && d < nest->ndim; d++) {
        t.n[d] = nest->d[d].n;
        t.so[d] = nest->d[d].so;
        t.si[d] = nest->d[d].si;
    }
    t.item = nest->item;
    t.stream = stream;
    t.gaps = stria__has_far_gaps(nest);
    return t;
}

/*
 * ---- traffic: the bytes that an operation moves between the caches and memory if nothing of it
 * lies in the caches. It bypasses them if that is much, see machine.h.
 */

/* Number of elements of an operand, with repeated ones counted once, and its smallest step. */
struct reach {
    double items;
    int64_t step;
};

static const struct reach ONE_ELEMENT = {1, INT64_MAX};

/* Adds a dim of n elements s bytes apart. */
void stria__reach_along(struct reach *reach, int64_t n, int64_t s);

/*
 * Computes the bytes of the lines that the elements lie in; overlapping windows count several
 * times.
 */
double stria__bytes_of_lines(const struct reach *reach, int64_t item);
