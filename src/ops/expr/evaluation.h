/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluations of expressions: their checks, values, and passes over memory. */
#pragma once

#include "ops/elementwise/assemble.h"
#include "ops/expr/expr.h"
#include "base/text_writer.h"

/*
 * Lowers an expression for n >= expr->inputs views, which were checked. exec's hints tell the rule
 * of dtypes. On failure nothing is left to release. DTYPE, ARGUMENT (a scalar that does not fit),
 * MEMORY.
 */
stria_status stria__expr_lower(struct lowered *out, const stria_expr *expr,
                               const stria_view *const *inputs, const stria_exec *exec);
void stria__lowered_free(const struct lowered *lowered);

/* Makes a view of the elements of value `root`, which is an input or the same everywhere. */
void stria__lowered_view(stria_view *out, const struct lowered *l, int root);

/* Tells whether an input or the mask has no memory. */
bool stria__lowered_is_meta(const struct lowered *l);

/*
 * An expression is computed in passes over memory. A pass computes one value, its root, from
 * leaves: inputs, and values that an earlier pass computed, which are called cut. Nearly always
 * there is one pass.
 */

/*
 * Joins products with the sums that read them. All values that are computed later must be among the
 * roots, or among the values that these need.
 */
void stria__expr_accumulate(struct lowered *l, int count, const int *roots);

/* Cuts values until each pass has room in a program; returns the number of passes. */
int stria__expr_cut(struct lowered *l);

/*
 * Tells whether one pass has room for all of these different values; nothing is cut yet. With
 * several of them, each leaf is an operand.
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

/* Assembles the pass that computes outputs by stria__pass_assemble; returns it. */
struct pass *stria__expr_assemble(struct lowered *l, int count, const struct pass_output *outputs,
                                  const stria_view *mask);

/* Finds the values that the pass of root needs: marks them, and lists the leaves. */
int stria__pass_leaves(struct lowered *l, int root, int *leaves);

/* These checks are made before anything is written; the dtypes of nodes are checked elsewhere. */

/* Checks that the expression has a value, that the views that it names are views, and exec, which
 * may be NULL. */
stria_status stria__expr_check_inputs(const stria_expr *expr, int n,
                                      const stria_view *const *inputs, const stria_exec *exec);

/*
 * Checks that out, which messages call `name`, can be written, that the inputs broadcast to its
 * shape and that the result casts to its dtype.
 */
stria_status stria__expr_check_output(const stria_expr *expr, const char *name,
                                      const stria_view *out, const stria_view *const *inputs,
                                      stria_dtype result, const stria_exec *exec);

/* Stores the views that expr names, each once, with their numbers; returns how many. */
int stria__expr_inputs(const stria_expr *expr, const stria_view *const *inputs,
                       const stria_view **views, int *numbers);

/* An evaluation while it runs; its last pass may end in something other than an array. */

struct expr_evaluation {
    struct lowered l;
    const stria_view *out; /* A view with the shape of the result. */
    const stria_exec *exec;
    struct written *text; /* Text of an explanation; NULL: the expression runs. */
    int pass, passes;
    /* Runs the last pass, which computes the value root; NULL: into out. */
    stria_status (*last)(struct expr_evaluation *e, int root);
};

/* Declares an evaluation, whose lists are released at the end of the block. */
static inline void evaluation_drop(const struct expr_evaluation *e)
{
    stria__lowered_free(&e->l);
}
#define OWNED_EVALUATION __attribute__((cleanup(evaluation_drop))) struct expr_evaluation

/* Checks exponents that exist before anything is computed; for others see stria_pow. ARGUMENT. */
stria_status stria__expr_check_powers(const struct lowered *l, const stria_view *mask);

/* Runs or explains the passes of an expression with elements and memory. */
stria_status stria__expr_run_passes(struct expr_evaluation *e);

/* Writes how a pass begins: "pass 2: subtract, multiply, cast, mask: ". */
void stria__say_pass(const struct expr_evaluation *e, int root, bool cast, bool mask);

/* ---- several results of one expression, for functions that are expressions inside ----------- */

/* Does what stria_expr_evaluate_several does; messages call the outputs by `names`, or "out 0" if
 * that is NULL. */
stria_status stria__expr_several(const stria_expr *expr, const char *const *names, int count,
                                 const int *nodes, const stria_view *const *outs, int n,
                                 const stria_view *const *inputs, const stria_exec *exec);
