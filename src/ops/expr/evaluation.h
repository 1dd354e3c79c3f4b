/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluations of expressions: what is checked, computed, and in how many passes over memory. */
#ifndef STRIA_OPS_EXPR_EVALUATION_H
#define STRIA_OPS_EXPR_EVALUATION_H

#include "ops/elementwise/assemble.h"
#include "ops/expr/expr.h"
#include "base/text_writer.h"

/*
 * n >= expr->inputs views, which were checked. exec's hints tell the rule of dtypes. What has to be
 * released is so on failure. DTYPE, ARGUMENT (a scalar that does not fit), MEMORY.
 */
stria_status stria__expr_lower(struct lowered *out, const stria_expr *expr,
                               const stria_view *const *inputs, const stria_exec *exec);
void stria__lowered_free(const struct lowered *lowered);

/* Makes a view of the elements of value `root`, which is an input or the same everywhere. */
void stria__lowered_view(stria_view *out, const struct lowered *l, int root);

/* Tells whether an input or the mask has no memory. */
bool stria__lowered_is_meta(const struct lowered *l);

/*
 * An expression in passes over memory. A pass computes one value, its root, from leaves: inputs,
 * and values that an earlier pass computed, which are called cut. Nearly always there is one pass.
 */

/*
 * Takes products and the sums that read them together. Whatever is computed of the values is among
 * the roots, or what they are computed from.
 */
void stria__expr_accumulate(struct lowered *l, int count, const int *roots);

/* Cuts values until each pass has room in a program; returns the number of passes. */
int stria__expr_cut(struct lowered *l);

/*
 * Tells whether one pass has room for all of these, different values; nothing is cut yet. Each leaf
 * of several is an operand.
 */
bool stria__pass_fits(struct lowered *l, int count, const int *roots);

/* A pass with its lists. */
struct expr_pass {
    struct pass is;
    const stria_view *views[ARRAYS];
    int64_t item[VALUES];
    int8_t like[VALUES];
    struct instruction code[INSTRUCTIONS];
    struct conversion cast[CASTS];
    struct constant constant[VALUES];
};

/* Makes the lists of the pass those of its program. */
static inline void pass_take_lists(struct expr_pass *pass)
{
    struct program *const p = &pass->is.program;
    pass->is.views = pass->views;
    p->item = pass->item;
    p->like = pass->like;
    p->code = pass->code;
    p->cast = pass->cast;
    p->constant = pass->constant;
}

/* Assembles the pass that computes outputs, stria__pass_assemble; returns it. */
struct pass *stria__expr_assemble(struct lowered *l, int count, const struct pass_output *outputs,
                                  const stria_view *mask);

/* Finds what the pass that computes root needs: marks the values, and lists the leaves. */
int stria__pass_leaves(struct lowered *l, int root, int *leaves);

/* Checks that an evaluation makes before anything is written, beside the dtypes of nodes. */

/* The expression has a value, and the views that it names are views; exec is one, or NULL. */
stria_status stria__expr_check_inputs(const stria_expr *expr, int n,
                                      const stria_view *const *inputs, const stria_exec *exec);

/*
 * out, which messages call `name`, can be written, with the inputs broadcast to its shape and the
 * result cast to its dtype.
 */
stria_status stria__expr_check_output(const stria_expr *expr, const char *name,
                                      const stria_view *out, const stria_view *const *inputs,
                                      stria_dtype result, const stria_exec *exec);

/* Stores the views that expr names, each once, with their numbers; returns how many. */
int stria__expr_inputs(const stria_expr *expr, const stria_view *const *inputs,
                       const stria_view **views, int *numbers);

/* An evaluation on its way, and how its last pass may end in something else than an array. */

struct expr_evaluation {
    struct lowered l;
    const stria_view *out; /* has the shape of the result */
    const stria_exec *exec;
    struct written *text; /* of an explanation that goes on; NULL: it runs */
    int pass, passes;
    /* Runs the last pass, which computes the value root; NULL: into out. */
    stria_status (*last)(struct expr_evaluation *e, int root);
};

/* Declares an evaluation, whose lists are given back where its block ends. */
static inline void evaluation_drop(const struct expr_evaluation *e)
{
    stria__lowered_free(&e->l);
}
#define OWNED_EVALUATION __attribute__((cleanup(evaluation_drop))) struct expr_evaluation

/* Checks exponents that are there before anything is computed; of others see stria_pow. ARGUMENT.
 */
stria_status stria__expr_check_powers(const struct lowered *l, const stria_view *mask);

/* Runs or explains the passes of an expression with elements and memory. */
stria_status stria__expr_run_passes(struct expr_evaluation *e);

/* "pass 2: subtract, multiply, cast, mask: " */
void stria__say_pass(const struct expr_evaluation *e, int root, bool cast, bool mask);

/* ---- several results of one expression, for functions that are expressions inside ----------- */

/* Does stria_expr_evaluate_several; messages call the outputs by `names`, "out 0" where it is NULL.
 */
stria_status stria__expr_several(const stria_expr *expr, const char *const *names, int count,
                                 const int *nodes, const stria_view *const *outs, int n,
                                 const stria_view *const *inputs, const stria_exec *exec);

#endif
