/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of a case with memory: and what it runs on. */
#ifndef STRIA_TOOL_BENCH_MATH_H
#define STRIA_TOOL_BENCH_MATH_H

#include "bench_memory.h"
#include "bench_program.h"
#include "stria/expr.h"

struct bench_math {
    const struct bench_program *program;
    stria_exec exec;
    int64_t pairs;
    struct repeated *slots;
    struct bench_operand *operands; /* PROGRAM_OPERANDS of each step */
    stria_expr *expr;               /* of fused steps; else NULL */
    int count;                      /* of the arrays that it reads */
    const stria_view *inputs[STRIA_EXPR_INPUTS];
};

/* Makes the memory and fills the arrays. *out is to be given to bench_math_end, also on failure. */
stria_status bench_math_make(struct bench_math *out, const struct bench_program *program,
                             int64_t pairs, const stria_exec *exec, struct failure *failure);
void bench_math_end(struct bench_math *m);

/* The memory of the last result. */
const struct repeated *bench_math_target(const struct bench_math *m);
/* Every call from here on is about that pair. */
void bench_math_take(struct bench_math *m, int64_t pair);
/* One step after the other, or all at once where they are fused. */
stria_status bench_math_run(const struct bench_math *m);
/* Writes to every result. */
void bench_math_touch(struct bench_math *m);

#endif
