/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise math that waits: an op on arrays gives an array without memory, and is computed when
 * something else than math asks for its elements, together with the math that it was made of, as
 * one expression of the library. (x - y.T) * 2 is one pass over x and y.
 */
#ifndef STRIA_LANG_FUSION_H
#define STRIA_LANG_FUSION_H

#include "function.h"
#include "stria/expr.h"
#include "stria/graph.h"

/* Math that was not computed yet. It lives in the pool of the evaluation. */
struct pending {
    struct pending *next;
    const struct math *math;
    struct math *says;     /* the same math, which is told how it runs */
    size_t at;             /* byte of the EXPR */
    int nodes, inputs;     /* the most that its expression may have */
    struct pending **of;   /* each operand's own entry, or NULL where it does not wait */
    stria_array *operands; /* the operands that do not wait, shared; a weak scalar is no array */
    stria_array *array;    /* who holds the result; NULL: nobody yet */
    stria_buffer *buffer;  /* the result's buffer, which no other array has; borrowed */
};

/*
 * Arrays whose elements are read across a large file are put in order first, by who knows files:
 * start makes the same elements in C order and returns true where reading `a` along the dims of a
 * set is slow; end releases what it made, or zeros.
 */
struct reordering {
    bool (*start)(stria_array *made, const stria_view *a, uint64_t dims);
    void (*end)(stria_array *made);
};

/* The operations that wait in one evaluation; zeros before the first. */
struct fusion {
    const struct reordering *reordering; /* NULL: nothing is put in order */
    const stria_exec *exec;              /* the caller's; NULL: the default */
    bool tells;                          /* how math runs is written to it */
    stria_graph *graph;                  /* NULL, or nothing is computed, and math becomes nodes */
    struct pool *pool;
    struct failure *failure;
    struct pending *first; /* arrays that can be asked for */
    struct pending *gone;  /* arrays that nothing holds, which only others read */
    stria_buffer *nowhere;
};

/*
 * To be called before math is described: computes those operands that wait and have
 * another dtype by this rule, or would make the expression too large.
 */
stria_status stria__fuse_prepare(struct fusion *fusion, stria_promotion rule, int count,
                                 const stria_view *const *operands);

/*
 * Makes in *out an array that waits: the result of math on operands. math->how is written when it
 * is computed. Whatever computing it would refuse is refused here, but for memory.
 */
stria_status stria__fuse_math(struct fusion *fusion, struct pending **made, stria_array *out,
                              struct math *math, size_t at);

/* A reduction of an array that may wait. */
struct fused_reduction {
    stria_reduction op;
    const stria_view *self;
    int count; /* of dims, as stria_reduce_dims takes them */
    const int *dims;
    const stria_reduce_options *options;
    stria_promotion rule;
    char *how; /* NULL: nobody is told */
    size_t size;
    const stria_exec *exec; /* the caller's; NULL: the default */
    const struct reordering *reordering;
};

/*
 * Reduces in one pass with the math that the array waits for. *done is false where it does not wait
 * or has another dtype by this rule: nothing happened then.
 */
stria_status stria__fuse_reduce(struct fusion *fusion, bool *done, stria_array *made,
                                const struct fused_reduction *what);

/*
 * Replaces a view that the reduction would read across a large file by the same elements in order,
 * which *made owns until stria__fuse_reordered.
 */
void stria__fuse_reorder(stria_array *made, stria_view *view, const struct fused_reduction *what);
void stria__fuse_reordered(stria_array *made, const struct fused_reduction *what);

/*
 * Computes an array that waits into out, as a copy of it would be, in one pass; all others that
 * wait come before. *done is false where it does not wait, or where that is not possible: nothing
 * was written then.
 */
stria_status stria__fuse_into(struct fusion *fusion, bool *done, const stria_view *out,
                              const stria_view *view);

/* Computes the array if it waits. A failure names the op. */
stria_status stria__fuse_force(struct fusion *fusion, const stria_view *view);
/* Computes all that wait and are still held by something. */
stria_status stria__fuse_force_all(struct fusion *fusion);
/*
 * Math that waits, to be computed block by block: for results that are larger than memory. False
 * when the array does not wait.
 */
struct fused {
    stria_expr *expr; /* owned */
    stria_promotion rule;
    int count;
    const stria_view *inputs[STRIA_EXPR_INPUTS];
};
stria_status stria__fuse_open(struct fusion *fusion, const stria_view *view, struct fused *out,
                              bool *waits);
void stria__fuse_close(struct fused *fused);
/* May replace what is read of input i by the same elements elsewhere. */
typedef stria_status fuse_bring(void *context, int i, stria_view *part);
/*
 * Computes the elements from start on into out, whose shape says how many. bring may be NULL. The
 * library's status.
 */
stria_status stria__fuse_block(const struct fused *fused, const int64_t *start,
                               const stria_view *out, fuse_bring *bring, void *context);
/* The array is about to go. */
void stria__fuse_forget(struct fusion *fusion, const stria_array *array);
void stria__fuse_end(struct fusion *fusion);

#endif
