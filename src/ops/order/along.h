/* SPDX-License-Identifier: BSD-3-Clause */
/* What functions that put lines in order have in common: checks, keys, outputs. */
#ifndef STRIA_OPS_ORDER_ALONG_H
#define STRIA_OPS_ORDER_ALONG_H

#include "ops/order/arrange.h"
#include "ops/order/lines.h"
#include "stria/array.h"

/* Returns the dtype of rows: the same in native byte order; records keep that of their fields. */
static inline stria_dtype native_of(stria_dtype dtype)
{
    return dtype.swapped ? stria_dtype_swap(dtype) : dtype;
}

struct along {
    const char *op;
    const stria_exec *exec;
    stria_view a;      /* with a dim at least */
    stria_dtype items; /* of rows of a: in native byte order */
    struct keys keys;
    int dim;
    int64_t n;   /* elements of a line */
    int64_t k;   /* places that are asked for: partitions, topk */
    int method;  /* of ranks */
    bool values; /* rows of results are items of a, not their places */
};

/* Checks what is read and makes its keys, which stria__along_end gives back on success. */
stria_status stria__along_begin(struct along *out, const char *op, const stria_view *a, int dim,
                                bool descending, const stria_exec *exec);
/* Passes the status of the call through. */
stria_status stria__along_end(struct along *s, stria_status status);

/* An output of a call, with n elements along the dim. */
struct along_output {
    const stria_view *view;
    const char *name;
    stria_dtype dtype;
    int64_t n;
};

/*
 * Checks `count` outputs and runs `line` over rows of a and of those that are wanted. apart: rows
 * of outputs may not be those of a. cycles: of an element.
 */
stria_status stria__along_run(const struct along *s, int count, const struct along_output *outputs,
                              bool apart, double cycles,
                              void (*line)(const void *along, char *const *rows, char *room));

/* Makes an array of the shape of a, in its memory order; dtype NULL: a's. */
STRIA_FILLS stria_status stria__along_new(stria_array *made, const stria_array *out,
                                          const stria_view *a, const char *op,
                                          const stria_dtype *dtype);

#endif
