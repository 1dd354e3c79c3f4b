/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An expression in passes over memory. A pass computes one value, its root, from leaves: inputs,
 * and values that an earlier pass computed, which are called cut. Nearly always there is one pass.
 */
#ifndef STRIA_OPS_EXPR_PASSES_H
#define STRIA_OPS_EXPR_PASSES_H

#include "ops/expr/lower.h"

/* Cuts values until each pass has room in a program; returns the number of passes. */
int stria__expr_cut(struct lowered *l);

/* A pass as a program over views, with its lists. */
struct pass {
    struct program program;
    bool casts_result;                           /* to the dtype of out */
    const stria_view *views[STRIA_MAX_OPERANDS]; /* the outputs, then the leaves */
    int leaves[STRIA_MAX_OPERANDS];              /* the values that these are */
    int64_t item[VALUES];
    int8_t like[VALUES];
    struct instruction code[INSTRUCTIONS];
    struct conversion cast[CASTS];
    struct constant constant[VALUES];
};

/* Tells whether one pass has room for all of these, different values; nothing is cut yet. */
bool stria__pass_fits(struct lowered *l, int count, const int *roots);

/* Finds what the pass that computes root needs: marks the values, and lists the leaves. */
int stria__pass_leaves(struct lowered *l, int root, int *leaves);
int stria__pass_leaves_of_all(struct lowered *l, int count, const int *roots, int *leaves);

/* A result of a pass: a kernel or a cast, of dtype kind, and where it goes. */
struct pass_output {
    int root;
    stria_kind kind;
    const stria_view *to;
};

/*
 * Assembles the program that computes the outputs, of different roots, where the mask holds, which
 * may be NULL. Cut leaves have been computed; with several outputs nothing is cut.
 */
void stria__pass_assemble(struct pass *out, struct lowered *l, int count,
                          const struct pass_output *outputs, const stria_view *mask);

#endif
