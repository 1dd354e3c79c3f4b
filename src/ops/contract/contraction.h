/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps of a contraction: einsum.c makes products of two operands of it, pair.c tells which of
 * their dims are rows, columns and summed, order.c in which order they copy least, block_sizes.c
 * how they are cut, and blocks.c multiplies block by block.
 */
#pragma once

#include <stddef.h>

#include "stria/contract.h"
#include "base/text_writer.h"

/* The number of labels that two operands can have. */
enum { LABELS = 2 * STRIA_MAX_NDIM };

/* A view, and the label of each of its dims. */
struct labelled {
    stria_view view;
    uint8_t label[STRIA_MAX_NDIM];
};

/* Returns the dim of that label; -1: there is none. */
int stria__dim_of(const struct labelled *t, int label);

/* A call: sums products of n operands to the labels of the result. */
struct contraction {
    const char *op;
    bool two; /* Messages call the operands a and b. */
    int n;
    const struct labelled *in; /* The operands; labels of size 1 broadcast. */
    int ndim;                  /* Number of dims of the result, whose labels are different. */
    const uint8_t *label;
    const stria_exec *exec;
    struct written *text;                         /* NULL: the result is computed. */
    const char *(*name)(int label, char room[8]); /* Returns the name of a label for messages. */
};

/* Checks, then computes into out, or into a new array if out is NULL. */
stria_status stria__contract(const struct contraction *c, const stria_view *out, stria_array *made);

/* Settings that hold for each product of two operands. */
struct pair_call {
    stria_dtype dtype; /* The common dtype of all operands, in which products are made. */
    const char *op;
    stria_exec exec;
    struct written *text;
    struct matrices *room; /* Room of 22 KB, too much for the stack. */
};

/*
 * Multiplies a and b, of which every label that is not in out is in both, and no size is 0 or 1.
 * out does not overlap them.
 */
stria_status stria__contract_pair(const struct pair_call *call, const struct labelled *out,
                                  const struct labelled *a, const struct labelled *b);

/* ---- products of matrices -------------------------------------------------------------------- */

/* The operands, and the groups of dims; A has rows and summed dims, B summed ones and columns. */
enum { A, B, C, OPERANDS };
enum { IN_BATCH, IN_ROWS, IN_COLUMNS, IN_SUM, GROUPS };

/* The rows and the columns of each operand. */
static const int rows_of[] = {[A] = IN_ROWS, [B] = IN_SUM, [C] = IN_ROWS};
static const int columns_of[] = {[A] = IN_SUM, [B] = IN_COLUMNS, [C] = IN_COLUMNS};

/* A dim, and the distance of its elements in each operand. */
struct axis {
    int64_t n, s[OPERANDS];
};

/* Dims of a group, the outermost first. */
struct axes {
    int count;
    struct axis at[STRIA_MAX_NDIM];
};

/* How a kernel gets an operand: from memory, by rows or by columns, or copied. */
enum way { BY_ROWS, BY_COLUMNS, COPIED };

enum { PART_ROOM = 14 << 10 };

struct matrices {
    const struct pair_call *call;
    struct axes group[GROUPS];
    const stria_view *view[OPERANDS]; /* The views have dtypes, flags and addresses. */
    stria_kind kind;                  /* Kind of products and of copied blocks. */
    const stria_blas *blas;           /* NULL: the kernels of product.h multiply. */
    bool fused;                       /* Kernels that round once multiply, in any order of sums. */
    enum way way[OPERANDS];
    _Alignas(16) char part[PART_ROOM]; /* Room for the state of one part. */
};

/* Returns the number of elements of a group. */
int64_t stria__axes_numel(const struct axes *g);

/* Returns the smallest step of a dim of the group in an operand. */
uint64_t stria__axes_nearest(const struct axes *g, int operand);

/*
 * Tells whether a group is one dim of the operand, `step` bytes apart, which is set to 0 where it
 * has one element.
 */
bool stria__axes_merge(const struct axes *g, int operand, int64_t *step);

/* Chooses the order of the dims within their groups, joins neighbours, and sets the ways. */
void stria__order_matrices(struct matrices *m);

/*
 * Does the same where B has summed dims alone and there is no batch; tells whether the BLAS takes
 * all three as they lie.
 */
bool stria__order_vector(struct matrices *m);

/* Multiplies, block by block. MEMORY. */
stria_status stria__multiply_matrices(const struct matrices *m);
