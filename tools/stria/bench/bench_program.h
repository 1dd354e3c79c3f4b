/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The math of a case: the elementwise ops and contractions of an EXPR in the order in which they
 * run, each with its operands as layouts in numbered pieces of memory. Those of the case's arrays
 * come first, then one for the result of each step. An EXPR of several ops is run fused, as one
 * expression of the library, unless a view is taken of what an op gave: then op by op, results in
 * between included.
 */
#ifndef STRIA_TOOL_BENCH_PROGRAM_H
#define STRIA_TOOL_BENCH_PROGRAM_H

#include "array_spec.h"
#include "lang/eval.h"

enum { PROGRAM_OPERANDS = 4, PROGRAM_SCALAR = -1 };

struct program_operand {
    int slot;                 /* SCALAR: a number as written */
    struct array_spec layout; /* in the slot's memory; of a scalar the dtype alone */
    double number[2];         /* SCALAR: its bytes */
};

struct program_step {
    stria_op op;
    const char *subscripts; /* of a contraction, in the pool; else NULL */
    uint32_t hints;         /* of a contraction */
    stria_dtype promoted;
    int count;                                   /* of the operands, out included */
    struct program_operand at[PROGRAM_OPERANDS]; /* out, then the inputs */
};

struct bench_program {
    int inputs; /* slots of the case's arrays */
    int count;  /* of the steps, each with a slot behind those */
    stria_promotion rule;
    bool fused; /* all steps are one expression */
    struct program_step *steps;
    int64_t *bytes; /* of each slot */
};

/*
 * The program of what e evaluated, which kept all that it made; in the pool. *out is NULL when
 * there is no math in it. UNSUPPORTED where bytes move otherwise than by math and where something
 * is written in place.
 */
stria_status bench_program_make(struct bench_program **out, const struct evaluation *e,
                                struct pool *pool, struct failure *failure);

/* Tells whether a BLAS may run it. */
bool bench_program_contracts(const struct bench_program *program);
/* Additions and multiplications of all contractions, of real numbers: eight for complex ones. */
double bench_program_flops(const struct bench_program *program);

/*
 * Bytes that the steps read and write; what has stride 0 once, and so the same operand twice. Fused
 * steps read each array once and write the last result.
 */
int64_t bench_program_moved(const struct bench_program *program);

#endif
