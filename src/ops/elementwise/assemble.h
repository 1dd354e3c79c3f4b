/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values that one operation or an expression computes; and the program that
 * computes it.
 */
#pragma once

#include "engine/program.h"
#include "ops/elementwise/operation.h"
#include "stria/alloc.h"

struct lowered_value {
    enum { VALUE_LEAF, VALUE_CONSTANT, VALUE_KERNEL, VALUE_CAST } what;
    int16_t count;     /* Number of operands. */
    stria_dtype dtype; /* Native dtype of an item; of a leaf, the view's. */
    stria_dtype from;  /* Dtype of a CAST's operand. */
    int32_t index;     /* Index of a LEAF or CONSTANT; of a KERNEL its first weight. */
    int16_t weights;   /* Constants that it reads before its operands, see weighted_sum.h. */
    int32_t operand[STRIA_MAX_OPERANDS - 1];
    map_loop *loop; /* The loop of a KERNEL. */
    stria_op op;

    /* The members from here on are the state of the passes. */
    bool cut;          /* It is computed into a temporary array. */
    bool needed;       /* The current pass needs it. */
    int8_t place;      /* Its place in the program of that pass. */
    int32_t last;      /* The value of the pass that reads it last. */
    int32_t reader;    /* The root of the last pass that reads a cut value. */
    uint64_t moves;    /* The set of dims of out along which it is not repeated. */
    stria_array *made; /* The array of a cut value, while there is one. */
};

/* Values of an expression; the lists are borrowed. */
struct lowered {
    const stria_exec *exec;
    const stria_view *mask; /* Mask of the elements that are written; NULL: all. */
    bool kept;              /* The program may be run again, with other elements. */
    int apart; /* Each leaf of this root's pass is an operand of its own; -1: no such pass. */
    int nodes, values, constants, leaves;
    struct lowered_node {
        int value;
        stria_kind kind; /* Its dtype; the value may have another one with the same bytes. */
        int ndim;
        bool weak;
    } * node;
    struct lowered_value *value;
    struct constant *constant;
    const stria_view **leaf;
    int32_t
        *table; /* values by their hash, each as its number plus one, 0: free; NULL: all differ */
    uint32_t places;
    stria_view *operand;    /* Room for the operands of a node that is lowered. */
    struct expr_pass *pass; /* Room for the pass that runs. */
    stria_allocator from;   /* Allocator of the lists of an expression. */
    size_t size;            /* Bytes of these lists. */
};

/* Returns the value of the expression, and its dtype. */
static inline int lowered_root(const struct lowered *l)
{
    return l->node[l->nodes - 1].value;
}

static inline stria_dtype lowered_dtype(const struct lowered *l)
{
    return stria_dtype_of(l->node[l->nodes - 1].kind);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the number of an equal value, or of a new one. */
int stria__lower_value(struct lowered *l, const struct lowered_value *v);

/* Returns the one item of `from` as a constant of dtype `to`. */
int stria__lower_constant(struct lowered *l, const stria_view *from, stria_dtype to);

/* Returns the value, whose items are of the dtype `from`, in the native dtype `to`. */
int stria__lower_cast(struct lowered *l, int value, stria_dtype from, stria_dtype to);

/*
 * Returns a kernel over values that have the dtypes `from`, each cast to what the kernel reads, or
 * what it computes of constants.
 */
int stria__lower_kernel(struct lowered *l, const struct map *map, const int *value,
                        const stria_dtype *from);

/* Returns all that a conversion of the value's items, taken as those of a dtype, depends on. */
stria_view stria__lowered_source(const struct lowered *l, int value, stria_dtype dtype);

/* ---- passes ---------------------------------------------------------------------------------- */

/* A pass as a program over views: the outputs, then the leaves. Its lists are borrowed. */
struct pass {
    struct program program;
    bool casts_result; /* The result is cast to the dtype of out. */
    const stria_view **views;
};

/* Tells whether two views have the same steps and items, so that one is the other, shifted. */
bool stria__is_shifted(const stria_view *a, const stria_view *b);

/* A result of a pass, its dtype, and its output. */
struct pass_output {
    int root;
    stria_dtype dtype;
    const stria_view *to;
};

/*
 * Assembles the program that computes the outputs, of different roots, where the mask holds, which
 * may be NULL, from these leaves. Cut leaves have been computed; with several outputs nothing is
 * cut. A result that is a leaf or a constant has a mask.
 */
void stria__pass_assemble(struct pass *out, struct lowered *l, int count,
                          const struct pass_output *outputs, const stria_view *mask, int nleaves,
                          const int *leaves);
