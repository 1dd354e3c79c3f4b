/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks, keys and outputs that functions which put lines in order have in common. */
#pragma once

#include "dtype/dtype.h"
#include "ops/order/arrange.h"
#include "ops/order/lines.h"
#include "ops/order/values.h"
#include "stria/array.h"

struct along {
    const char *op;
    const stria_exec *exec;
    const stria_view *given;
    stria_view a;      /* The same view, with a dim at least. */
    stria_dtype items; /* Dtype of rows of a, in native byte order. */
    struct keys keys;
    int dim;
    int64_t n;        /* Elements of a line. */
    int64_t k;        /* Number of the places that are asked for: partitions, topk. */
    int method;       /* The method of ranks. */
    struct crew crew; /* Threads of a line: one, unless there are few lines. */
    bool values;      /* Rows of results are items of a, not their places. */
    int64_t room;     /* Bytes of memory in which a line is handled. */
    struct value_sort by_value;
    void (*rows)(const void *along, char *const *rows, int64_t n, char *room); /* as of lines */
};

enum { KEYS_AT_ONCE = 256 };
/* Tells whether items are sorted by one key. */
bool stria__has_one_key(const struct keys *keys);
/*
 * Writes the keys of the elements of a row from `first` on, where they have one; returns how many:
 * KEYS_AT_ONCE, or `most`, or those up to its end.
 */
int64_t stria__row_keys(uint64_t *keys, const struct along *s, const char *row, int64_t first,
                        int64_t most);

static inline void along_drop(const struct along *s)
{
    stria__memory_free(&s->keys.made);
}

/* Declares an along that stria__along_begin makes, which is released at the end of the block. */
#define OWNED_ALONG(name)                                                                          \
    __attribute__((cleanup(along_drop))) struct along name;                                        \
    (name).keys.made.at = NULL

/* Checks the input and makes its keys. */
stria_status stria__along_begin(struct along *out, const char *op, const stria_view *a, int dim,
                                bool descending, const stria_exec *exec);

/* An output of a call, with n elements along the dim; view NULL: one that is made. */
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

/* Does so for one output; without a view it is a new array in the memory order of a. */
stria_status stria__along_one(const struct along *s, struct along_output output, stria_array *made,
                              bool apart, double cycles,
                              void (*line)(const void *along, char *const *rows, char *room));
