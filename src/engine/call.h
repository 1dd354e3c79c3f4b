/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that is decided about a call before its first byte moves: the program for the values,
 * how a copy moves them, whether the output is stored non-temporally, and on how many threads it
 * runs. Only the plan has addresses; nothing else depends on them, so a call can be kept, and run
 * with a plan at other addresses.
 */
#ifndef STRIA_SRC_ENGINE_CALL_H
#define STRIA_SRC_ENGINE_CALL_H

#include "engine/move/strategy.h"
#include "program.h"
#include "stria/copy.h"

struct call {
    const struct program *program; /* borrowed */
    const struct strategy *way;    /* how elements are moved if the program is empty */
    int32_t threads;
    bool in_place;          /* an input is exactly the output's elements */
    bool by_input;          /* rows follow operand 1, and the output is scattered */
    bool far;               /* the operands are larger than the caches: prefetch */
    bool stream;            /* store the output non-temporally */
    const stria_plan *plan; /* borrowed */
    const int64_t *shift;   /* borrowed: bytes from its operand to each shifted input */
    uint64_t led;           /* set of the arrays whose memory another one has read shortly before */
};

/* Returns the bytes from its operand to array v; 0 for an operand. */
static inline int64_t stria__shift_of(const struct call *call, int v)
{
    return v < call->program->nops ? 0 : call->shift[v - call->program->nops];
}

/* Returns where array v begins, if its operand begins at `operand`. */
static inline char *stria__array_at(const struct call *call, int v, char *operand)
{
    return (char *)((uintptr_t)operand + (uintptr_t)stria__shift_of(call, v));
}

/*
 * Decides how a call runs; program, plan, shift and in_place are set before. The plan is not empty;
 * exec may be NULL.
 */
void stria__call_decide(struct call *call, const stria_exec *exec);

/* Runs a call. Each input is exactly the output's elements, or shares no byte with the output. */
void stria__call_run(const struct call *call, const stria_exec *exec);

/* Runs a part of the call's plan, block by block, on this thread. arg is the call. */
void stria__run_blocks(const stria_plan *part, const void *arg);

/* Copies items of `item` bytes by a plan over (dst, src), which share no byte. */
void stria__move(const stria_plan *plan, int64_t item, const stria_exec *exec);

/*
 * Explains how a decided call with a program runs, as snprintf writes: instructions, stages and
 * blocks.
 */
void stria__explain_program(char *text, size_t size, const struct call *call);

/* Explains strategy, reason and costs of a decided copy. */
void stria__explain_copy(stria_copy_plan *out, const struct call *call);

#endif
