/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise math that waits: an operation on arrays becomes a node of a graph (graph.h) and gives
 * an array without memory, which is computed when something else than math asks for its elements,
 * together with the math that it was made of. (x - y.T) * 2 is one pass over x and y. Text that is
 * recorded makes nodes in the same way, and nothing of it is computed.
 */
#ifndef STRIA_LANG_WAITING_H
#define STRIA_LANG_WAITING_H

#include "function.h"
#include "stria/expr.h"
#include "stria/graph.h"

/*
 * Arrays whose elements are read across a large file are put in order first, by who knows files:
 * start makes the same elements in C order and returns true where reading `a` along the dims of a
 * set is slow; end releases what it made, or zeros.
 */
struct reordering {
    bool (*start)(stria_array *made, const stria_view *a, uint64_t dims);
    void (*end)(stria_array *made);
};

/* An array that waits. It lives in the pool of the evaluation. */
struct pending {
    struct pending *next;
    int node;
    size_t at;          /* byte of the EXPR */
    struct math *says;  /* the same math, which is told how it runs; NULL: nobody asks */
    stria_array *array; /* who holds the array; NULL: nobody any more, or not yet */
};

/* The operations that wait in one evaluation. Members below `graph` are zeros before the first. */
struct waiting {
    const struct reordering *reordering; /* NULL: nothing is put in order */
    const stria_exec *exec;              /* the caller's; NULL: the default */
    stria_promotion rule;
    bool tells;    /* how math runs is written to it */
    bool stepping; /* nothing waits: each operation is computed by itself */
    struct pool *pool;
    struct failure *failure;
    bool records;       /* the graph is that of a text, which is not computed */
    stria_graph *graph; /* NULL before the first node */
    int inputs, room;   /* how many there are, and room in the list */
    stria_array *input; /* what the inputs of the graph are, by their numbers */
    struct pending *first;
    int held; /* pending arrays that somebody holds; without any the graph is emptied */
};

/* An operation by element. */
struct waiting_math {
    stria_op op;
    stria_promotion rule;
    int count;
    const stria_view *const *operands;
    size_t at;         /* byte of the EXPR */
    struct math *says; /* the same, which is told how it runs; NULL: nobody asks */
};

/*
 * Makes in *out an array that waits: the result of an operation. Whatever computing it would refuse
 * is refused here, but for memory. *done is false where another rule than that of the text gives it
 * another dtype: then no operand waits any more, and nothing else happened.
 */
stria_status stria__wait_math(struct waiting *waiting, bool *done, stria_array *out,
                              const struct waiting_math *what);

/* Somebody holds the array from now on, and will until it is computed or forgotten. */
void stria__wait_hold(struct waiting *waiting, stria_array *array);

/* A reduction of an array that may wait. */
struct waiting_reduction {
    stria_reduction op;
    const stria_view *self;
    int count; /* of dims, as stria_reduce_dims takes them */
    const int *dims;
    const stria_reduce_options *options;
    stria_promotion rule;
    bool ordered; /* the result depends on the order of the elements */
    char *how;    /* NULL: nobody is told */
    size_t size;
};

/*
 * Reduces together with the math that the array waits for, and in order where others read it in
 * order. *done is false where neither is so: then the array has memory.
 */
stria_status stria__wait_reduce(struct waiting *waiting, bool *done, stria_array *made,
                                const struct waiting_reduction *what);

/*
 * Computes an array that waits into out, as a copy of it would be, or an operation of which an
 * operand waits; all others that wait come before. *done is false where nothing waits, or where
 * that is not possible, or is refused: nothing was written then.
 */
stria_status stria__wait_copy(struct waiting *waiting, bool *done, const stria_view *out,
                              const stria_view *view);
stria_status stria__wait_math_into(struct waiting *waiting, bool *done, const stria_view *out,
                                   const struct waiting_math *what);

/* Computes the array if it waits. A failure names the op. */
stria_status stria__wait_force(struct waiting *waiting, const stria_view *view);
/* Computes all that wait and are still held by something. */
stria_status stria__wait_force_all(struct waiting *waiting);

/*
 * Prepares the graph for an array that waits, to be computed block by block: for results that are
 * larger than memory. False when it does not wait.
 */
stria_status stria__wait_open(struct waiting *waiting, const stria_view *view, bool *waits);
void stria__wait_close(struct waiting *waiting);
/* May replace what is read of input i by the same elements elsewhere. */
typedef stria_status wait_bring(void *context, int i, stria_view *part);
/*
 * Computes the elements from start on into out, whose shape says how many. The library's status.
 */
stria_status stria__wait_block(const struct waiting *waiting, const int64_t *start,
                               const stria_view *out, wait_bring *bring, void *context);
/* Returns what input i of the graph that was prepared is; NULL: it is not read. */
const stria_view *stria__wait_input(const struct waiting *waiting, int i);

/* The array is about to go. */
void stria__wait_forget(struct waiting *waiting, const stria_array *array);
void stria__wait_end(struct waiting *waiting);

#endif
