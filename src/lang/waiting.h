/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Postpones elementwise math: an operation on arrays becomes a node of a graph (graph.h) and gives
 * an array without memory. It is computed when something other than math asks for its elements,
 * together with the math that it depends on: (x - y.T) * 2 is one pass over x and y. Text that is
 * recorded makes nodes in the same way, and nothing of it is computed.
 */
#pragma once

#include "base/tool_api.h"
#include "function.h"
#include "stria/expr.h"
#include "stria/graph.h"

/*
 * Puts arrays in order whose elements would be read across a large file; supplied by code that
 * knows files. start makes the same elements in C order and returns true if reading `a` along the
 * given set of dims is slow; end releases what it made, or zeros.
 */
struct reordering {
    bool (*start)(stria_array *made, const stria_view *a, uint64_t dims);
    void (*end)(stria_array *made);
};

/* An array that waits to be computed. It lives in the pool of the evaluation. */
struct pending {
    struct pending *next;
    int node;
    size_t at;          /* Byte of the EXPR. */
    struct math *says;  /* The math as it is shown, which is told how it runs; NULL: nobody asks. */
    stria_array *array; /* The array by which somebody holds it; NULL: nobody, or not yet. */
};

/* The operations of one evaluation that wait. Members below `graph` are zeros before the first. */
struct waiting {
    const struct reordering *reordering; /* NULL: nothing is put in order. */
    const stria_exec *exec;              /* The caller's; NULL: the default. */
    stria_promotion rule;
    bool tells;    /* How math runs is told to it. */
    bool stepping; /* Nothing waits: each operation is computed by itself. */
    struct pool *pool;
    struct failure *failure;
    bool records;       /* The graph is that of a text, and nothing is computed. */
    stria_graph *graph; /* NULL before the first node. */
    int inputs, room;   /* Number of inputs, and room in their list. */
    stria_array *input; /* The inputs of the graph, by their numbers. */
    struct pending *first;
    int held; /* Number of pending arrays that somebody holds; at 0 the graph is emptied. */
};

/* An elementwise operation to postpone. */
struct waiting_math {
    stria_op op;
    stria_promotion rule;
    int count;
    const stria_view *const *operands;
    size_t at;         /* Byte of the EXPR. */
    struct math *says; /* The math as it is shown, which is told how it runs; NULL: nobody asks. */
};

/*
 * Makes *out an array that waits, the result of an operation. Whatever computing it would refuse is
 * refused here, except for a lack of memory. *done is false if the operation's own rule gives
 * another dtype than the graph's: then no operand waits any more, and nothing else happened.
 */
stria_status stria__wait_math(struct waiting *waiting, bool *done, stria_array *out,
                              const struct waiting_math *what);

/* Notes that `array` holds the pending array, until it is computed or forgotten. */
void stria__wait_hold(struct waiting *waiting, stria_array *array);

/* A reduction of an array that may wait. */
struct waiting_reduction {
    stria_reduction op;
    const stria_view *self;
    int count; /* Number of dims, as stria_reduce_dims takes it. */
    const int *dims;
    const stria_reduce_options *options;
    stria_promotion rule;
    bool ordered; /* The result depends on the order of the elements. */
    char *how;    /* NULL: nobody asks. */
    size_t size;
};

/*
 * Reduces an array together with the math that it waits for; elements read across a file are put in
 * order. *done is false if there is neither: then the array has memory.
 */
stria_status stria__wait_reduce(struct waiting *waiting, bool *done, stria_array *made,
                                const struct waiting_reduction *what);

/*
 * Computes into out: an array that waits, as a copy would, or an operation of which an operand
 * waits. Others that wait are computed first. *done is false, and nothing is written, if nothing
 * waits, or if that is not possible or is refused.
 */
stria_status stria__wait_copy(struct waiting *waiting, bool *done, const stria_view *out,
                              const stria_view *view);
stria_status stria__wait_math_into(struct waiting *waiting, bool *done, const stria_view *out,
                                   const struct waiting_math *what);

/* Computes the array if it waits. The message of a failure names the op. */
TOOL_API stria_status stria__wait_force(struct waiting *waiting, const stria_view *view);
/* Computes all arrays that wait and are still held. */
stria_status stria__wait_force_all(struct waiting *waiting);

/*
 * Prepares the graph for computing an array block by block, for results larger than memory. *waits
 * is false if the array does not wait.
 */
TOOL_API stria_status stria__wait_open(struct waiting *waiting, const stria_view *view,
                                       bool *waits);
TOOL_API void stria__wait_close(struct waiting *waiting);
/* May replace the part of input i that is read by the same elements elsewhere. */
typedef stria_status wait_bring(void *context, int i, stria_view *part);
/*
 * Computes the elements from start on into out, whose shape tells how many. Returns the library's
 * status.
 */
TOOL_API stria_status stria__wait_block(const struct waiting *waiting, const int64_t *start,
                                        const stria_view *out, wait_bring *bring, void *context);
/* Returns input i of the prepared graph; NULL: it is not read. */
TOOL_API const stria_view *stria__wait_input(const struct waiting *waiting, int i);

/* Forgets an array that is about to be released. */
void stria__wait_forget(struct waiting *waiting, const stria_array *array);
void stria__wait_end(struct waiting *waiting);
