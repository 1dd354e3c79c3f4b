/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One case of the bench: the view that an EXPR makes of an array is copied into dense memory,
 * perhaps as another dtype, or filled. If the chain ends in contiguous or clone, that copy is made,
 * in the order it names. An EXPR with math is computed instead, fused, and one that ends in a
 * reduction or a scan of a view is reduced. The operands exist as many times as the regime says.
 */
#pragma once

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
    int64_t limit; /* Most bytes of the array; larger ones are made smaller; 0: no limit. */
    bool planned;  /* Kept plans of large cases are timed, too, where they make no difference. */
    struct machine machine; /* Caches of the machine, for the regimes. */
    const char *command;    /* The command line, for the document. */
};

/* ---- before there is memory ------------------------------------------------------------------ */

/* The arrays: x and the others. Those that EXPR names without a description are like x. */
struct bench_inputs {
    int count;
    struct bench_input {
        const char *name;
        struct array_spec array;
    } items[BENCH_MAX_INPUTS];
};

enum { BENCH_OPERANDS = 4, BENCH_SCALAR = -1 };

struct bench_operand {
    int slot;                 /* Number of its piece of memory; SCALAR: a number in the text. */
    struct array_spec layout; /* Layout in the slot's memory; a scalar has only a dtype. */
    double number[2];         /* Value of a SCALAR in its dtype. */
};

struct bench_step {
    enum bench_kind {
        BENCH_COPIES,
        BENCH_FILLS,
        BENCH_FOLDS,
        BENCH_COMPUTES,
        BENCH_CONTRACTS
    } kind;
    const struct folding *folding; /* The call of FOLDS, in the pool. */
    stria_op op;                   /* The operation of COMPUTES. */
    const char *subscripts;        /* The subscripts of CONTRACTS, in the pool. */
    uint32_t hints;                /* The hints of CONTRACTS. */
    stria_dtype promoted;
    int count;                               /* Number of operands, out included. */
    struct bench_operand at[BENCH_OPERANDS]; /* The output, then the inputs. */
};

/*
 * The steps of a case. For math they are all ops in the order in which they run; slots are those of
 * the inputs, then one for the result of each step. Several ops are fused as one expression of the
 * library, unless a view is taken of a result: then they run one by one, including the results in
 * between. Other cases are one step, with a slot for its input and one for its result.
 */
struct bench_layout {
    struct bench_inputs inputs; /* The arrays, x first, all made as small as the limit requires. */
    struct bench_step *steps;   /* The steps, in the pool. */
    /* Number of steps, of slots that are read before they are written, and of all slots. */
    int count, sources, slots;
    int64_t *bytes; /* Bytes of each slot. */
    bool math, fused, shrunk;
    stria_promotion rule;
    int64_t written; /* Bytes of the target's elements. */
    int64_t moved;   /* Bytes read plus written by all steps; elements of stride 0 count once. */
    int64_t flat;    /* Bytes of the memcpy beside it, see bench_layout_make. */
    int64_t touched; /* Bytes that a call of the case or of the memcpy reads and writes. */
    int64_t pairs;
};

/*
 * Reads the texts of a case and finds its steps. The memcpy copies as many bytes as the case
 * writes, so that a broadcast may be faster; in math, conversions and fills, where reading and
 * writing differ in size, it moves as many bytes in total. dtypes live in the pool.
 */
stria_status bench_layout_make(struct bench_layout *out, const struct suite_case *c,
                               const struct bench_settings *settings, struct pool *pool,
                               struct failure *failure);

/*
 * Finds the steps of an evaluated EXPR, whose arrays must all be kept. UNSUPPORTED if a case of
 * math moves bytes otherwise than by math, and if an array is written in place.
 */
stria_status bench_steps_make(struct bench_layout *out, struct evaluation *e, struct pool *pool);
/*
 * Returns the bytes that the steps read and write. Elements of stride 0 count once, and so does an
 * operand that is used twice. Fused steps read each array once and write the last result.
 */
int64_t bench_steps_moved(const struct bench_layout *l);
/* Returns the number of additions and multiplications of real numbers in all contractions; complex
 * ones count as eight. */
double bench_steps_flops(const struct bench_layout *l);
/* Tells whether a BLAS may run one of the steps. */
bool bench_contracts(const struct bench_layout *l);
/* Returns the layout that the last step writes. */
struct array_spec *bench_target(const struct bench_layout *l);

/* ---- with memory ----------------------------------------------------------------------------- */

/* Arrays at the same place of each of the pairs, step bytes apart. */
struct repeated {
    stria_array array; /* The array of the current pair. */
    char *first;       /* Address in the first pair; NULL: it is the same for all. */
    int64_t step;
};

struct bench_case {
    const struct bench_layout *layout;
    struct pool pool;
    /* The exec of the case, and one without streaming stores for flat copies. */
    stria_exec exec, flat_exec;
    stria_buffer **slots;      /* Pieces of memory, each as often as there are pairs. */
    struct repeated *operands; /* The operands, BENCH_OPERANDS for each step. */
    const stria_view **views;  /* Views of the operands. */
    /* Flat arrays in the first and the last slot, if they fit there. */
    struct repeated flat_source, flat_target;
    stria_expr *expr; /* The expression of fused steps; else NULL. */
    int count;        /* Number of the arrays that it reads. */
    const stria_view *inputs[STRIA_EXPR_INPUTS];
    char *item;             /* The item of a fill. */
    stria_copy_plan *plans; /* Plans of a copy, one for each pair. */
    bool planned;           /* The plans are timed. */
    stria_copy_plan flat_plan;
    int64_t pair; /* Number of the current pair. */
};

/* Makes the memory, fills it and plans. bench_case_end must be called for *out. */
stria_status bench_case_make(struct bench_case *out, const struct bench_layout *layout,
                             const struct bench_settings *settings, struct failure *failure);
void bench_case_end(struct bench_case *c);

/* Numbers of the contenders: memcpy, two flat copies, the case as a call and, if asked for, as a
 * kept plan. */
enum { BENCH_MEMCPY = 0, BENCH_FLATS = 3, BENCH_CASE = 3, BENCH_PLANNED = 4, BENCH_CONTENDERS = 5 };
int bench_case_contenders(struct bench_case *c, struct contender out[BENCH_CONTENDERS]);
