/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluations of expressions: what is checked, computed, and in how many passes over memory. */
#ifndef STRIA_OPS_EXPR_EVALUATION_H
#define STRIA_OPS_EXPR_EVALUATION_H

#include "engine/program.h"
#include "ops/expr/expr.h"
#include "text_writer.h"

struct pass;

struct lowered_value {
    enum { VALUE_LEAF, VALUE_CONSTANT, VALUE_KERNEL, VALUE_CAST } what;
    uint8_t kind;  /* stria_kind of an item; of a leaf the view's */
    uint8_t from;  /* CAST: stria_kind of the operand */
    int16_t count; /* number of operands */
    int32_t index; /* LEAF, CONSTANT */
    int32_t operand[OPERANDS];
    map_loop *loop; /* KERNEL */
    stria_op op;

    /* state of the passes */
    bool cut;          /* it is computed into a temporary array */
    bool needed;       /* the pass that is looked at needs it */
    int8_t place;      /* place in the program of that pass */
    int32_t last;      /* the value of the pass that reads it last */
    int32_t reader;    /* of a cut: the root of the last pass that reads it */
    uint64_t moves;    /* the set of dims of out along which it is not repeated */
    stria_array *made; /* of a cut: the array, while there is one */
};

/* Lists are part of one allocation, which has room for as many leaves as there are inputs. */
struct lowered {
    const stria_exec *exec;
    const stria_view *mask; /* mask of the elements that are written; NULL: all */
    bool kept;              /* what is lowered may be run again, with other elements */
    bool apart; /* each leaf of the root's pass is an operand of its own, as reductions want it */
    int nodes, values, constants, leaves;
    struct lowered_node {
        int value;
        stria_kind kind; /* its dtype; the value may be of another one with the same bytes */
        int ndim;
        bool weak;
    } * node;
    struct lowered_value *value;
    struct constant *constant;
    const stria_view **leaf;
    int32_t *table; /* values by their hash, each as its number plus one; 0: free */
    uint32_t places;
    struct pass *pass; /* room for the pass that runs */
    stria_allocator from;
    size_t size;
};

/*
 * n >= expr->inputs views, which were checked. exec's hints tell the rule of dtypes. What has to be
 * released is so on failure. DTYPE, ARGUMENT (a scalar that does not fit), MEMORY.
 */
stria_status stria__expr_lower(struct lowered *out, const stria_expr *expr,
                               const stria_view *const *inputs, const stria_exec *exec);
void stria__lowered_free(struct lowered *lowered);

/* Returns all that a conversion of the value's items, taken as those of `kind`, depends on. */
stria_view stria__lowered_source(const struct lowered *l, int value, stria_kind kind);

/* Tells whether an input or the mask has no memory. */
bool stria__lowered_is_meta(const struct lowered *l);

/* The value of the expression, and its dtype. */
static inline int lowered_root(const struct lowered *l)
{
    return l->node[l->nodes - 1].value;
}

static inline stria_dtype lowered_dtype(const struct lowered *l)
{
    return stria_dtype_of(l->node[l->nodes - 1].kind);
}

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

/* A pass as a program over views, with its lists. */
struct pass {
    struct program program;
    bool casts_result;               /* to the dtype of out */
    const stria_view *views[ARRAYS]; /* the outputs, then the leaves */
    int64_t item[VALUES];
    int8_t like[VALUES];
    struct instruction code[INSTRUCTIONS];
    struct conversion cast[CASTS];
    struct constant constant[VALUES];
};

/* Makes the lists of the pass those of its program. */
static inline void pass_take_lists(struct pass *pass)
{
    pass->program.item = pass->item;
    pass->program.like = pass->like;
    pass->program.code = pass->code;
    pass->program.cast = pass->cast;
    pass->program.constant = pass->constant;
}

/* Tells whether two views have the same steps and items, so that one is the other, shifted. */
bool stria__is_shifted(const stria_view *a, const stria_view *b);

/*
 * Tells whether one pass has room for all of these, different values; nothing is cut yet. Each leaf
 * of several is an operand.
 */
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

/* Does stria_expr_evaluate for what was checked and lowered, with e->out. MEMORY. */
stria_status stria__expr_run(struct expr_evaluation *e);

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
