/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An expression whose inputs are known: what is computed, as a list of values in the order in which
 * they can be. A node becomes a kernel between casts, by the very rules of the operation; what two
 * nodes have in common is one value, and what no input has a part in is computed here and now.
 */
#ifndef STRIA_OPS_EXPR_LOWER_H
#define STRIA_OPS_EXPR_LOWER_H

#include "engine/program.h"
#include "ops/expr/expr.h"

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

    /* state of the passes (passes.h) */
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
    struct pass *pass; /* room for the pass that runs (passes.h) */
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

/* All that a conversion of the value's items, taken as those of `kind`, depends on. */
stria_view stria__lowered_source(const struct lowered *l, int value, stria_kind kind);

/* The value of the expression, and its dtype. */
static inline int lowered_root(const struct lowered *l)
{
    return l->node[l->nodes - 1].value;
}

static inline stria_dtype lowered_dtype(const struct lowered *l)
{
    return stria_dtype_of(l->node[l->nodes - 1].kind);
}

#endif
