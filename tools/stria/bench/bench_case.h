/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One case of the bench: what an EXPR makes of an array, copied into dense memory of its own, there
 * perhaps as another dtype, or filled. A chain that ends in contiguous or clone asks for just that
 * copy, in the order it names. An EXPR with math in it is computed instead, fused, and one that
 * ends in a reduction or a scan of a view reduced. The operands exist as many times as the regime
 * says.
 */
#ifndef STRIA_TOOL_BENCH_CASE_H
#define STRIA_TOOL_BENCH_CASE_H

#include "array_spec.h"
#include "lang/eval.h"
#include "host.h"
#include "stria/expr.h"
#include "suite.h"
#include "timing.h"

struct bench_settings {
    int threads;
    enum regime regime;
    struct timing timing;
    int64_t limit;          /* bytes of the array; larger ones are made smaller; 0: none */
    bool planned;           /* time kept plans of large cases too, where they make no difference */
    struct machine machine; /* for the regimes */
    const char *command;    /* as given, for the document */
};

/* ---- before there is memory ------------------------------------------------------------------ */

/* x and the others, of which those that EXPR names without a description are like x. */
struct bench_inputs {
    int count;
    struct bench_input {
        const char *name;
        struct array_spec array;
    } items[BENCH_MAX_INPUTS];
};

enum { BENCH_OPERANDS = 4, BENCH_SCALAR = -1 };

struct bench_operand {
    int slot;                 /* a numbered piece of memory; SCALAR: a number as written */
    struct array_spec layout; /* in the slot's memory; of a scalar the dtype alone */
    double number[2];         /* SCALAR: its bytes */
};

struct bench_step {
    enum bench_kind {
        BENCH_COPIES,
        BENCH_FILLS,
        BENCH_FOLDS,
        BENCH_COMPUTES,
        BENCH_CONTRACTS
    } kind;
    const struct folding *folding; /* FOLDS: in the pool */
    stria_op op;                   /* COMPUTES */
    const char *subscripts;        /* CONTRACTS: in the pool */
    uint32_t hints;                /* CONTRACTS */
    stria_dtype promoted;
    int count;                               /* of the operands, out included */
    struct bench_operand at[BENCH_OPERANDS]; /* out, then the inputs */
};

/*
 * The steps of a case. For math they are every op, in the order in which they run; slots are those
 * of the inputs, then one for the result of each step. Several ops are fused, as one expression of
 * the library, unless a view is taken of what one gave: then they run one by one, results in
 * between included. Other cases are one step; its slots are the one that is read and the one of the
 * result.
 */
struct bench_layout {
    struct bench_inputs inputs; /* x first, all as small as the limit wants them */
    struct bench_step *steps;   /* in the pool */
    int count, sources, slots;  /* of the steps; slots that are read before written; all of them */
    int64_t *bytes;             /* of each slot */
    bool math, fused, shrunk;
    stria_promotion rule;
    int64_t written; /* bytes of the target's elements */
    int64_t moved;   /* bytes read plus written; what has stride 0 is read once; of all steps */
    int64_t flat;    /* bytes of the memcpy beside it: see bench_layout_make */
    int64_t touched; /* bytes that a call reads and writes, the case or the memcpy */
    int64_t pairs;
};

/*
 * Reads the texts of a case and finds what is run. The memcpy copies as many bytes as the case
 * writes, so that a broadcast may be faster; in math, conversions and fills, where reading and
 * writing differ in size, it moves as many bytes in total. dtypes live in the pool.
 */
stria_status bench_layout_make(struct bench_layout *out, const struct suite_case *c,
                               const struct bench_settings *settings, struct pool *pool,
                               struct failure *failure);

/*
 * Finds the steps of what e evaluated, which kept all that it made. UNSUPPORTED where bytes move
 * otherwise than by math in a case of math, and where something is written in place.
 */
stria_status bench_steps_make(struct bench_layout *out, struct evaluation *e, struct pool *pool);
/*
 * Bytes that the steps read and write; what has stride 0 once, and so the same operand twice. Fused
 * steps read each array once and write the last result.
 */
int64_t bench_steps_moved(const struct bench_layout *l);
/* Additions and multiplications of all contractions, of real numbers: eight for complex ones. */
double bench_steps_flops(const struct bench_layout *l);
/* Tells whether a BLAS may run one of them. */
bool bench_contracts(const struct bench_layout *l);
/* Where the case writes at last. */
struct array_spec *bench_target(const struct bench_layout *l);

/* ---- with memory ----------------------------------------------------------------------------- */

/* Elements at the same place of each of the pairs, step bytes apart. */
struct repeated {
    stria_array array; /* of the pair whose turn it is */
    char *first;       /* NULL: the same for all */
    int64_t step;
};

struct bench_case {
    const struct bench_layout *layout;
    struct pool pool;
    stria_exec exec, flat_exec; /* flat_exec: without streaming stores */
    stria_buffer **slots;       /* pieces of memory, each as often as there are pairs */
    struct repeated *operands;  /* BENCH_OPERANDS of each step */
    const stria_view **views;   /* of the operands */
    struct repeated flat_source, flat_target; /* in the first slot and the last, where they fit */
    stria_expr *expr;                         /* of fused steps; else NULL */
    int count;                                /* of the arrays that it reads */
    const stria_view *inputs[STRIA_EXPR_INPUTS];
    char *item;             /* of a fill */
    stria_copy_plan *plans; /* of a copy, one for each pair */
    bool planned;           /* the plans are timed */
    stria_copy_plan flat_plan;
    int64_t pair; /* whose turn it is */
};

/* Makes the memory, fills it and plans. *out is to be given to bench_case_end. */
stria_status bench_case_make(struct bench_case *out, const struct bench_layout *layout,
                             const struct bench_settings *settings, struct failure *failure);
void bench_case_end(struct bench_case *c);

/* memcpy, two flat copies, the case as a call and, where asked, as a plan that is kept. */
enum { BENCH_MEMCPY = 0, BENCH_FLATS = 3, BENCH_CASE = 3, BENCH_PLANNED = 4, BENCH_CONTENDERS = 5 };
int bench_case_contenders(struct bench_case *c, struct contender out[BENCH_CONTENDERS]);

#endif
