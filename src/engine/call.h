/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that is decided about a call before its first byte moves: the plan, what happens to
 * the values, how a copy moves them, whether the output bypasses the caches, and on how many
 * threads it runs. Nothing in it depends on addresses but the plan's own, so that a call can be
 * kept and run again elsewhere.
 */
#ifndef STRIA_SRC_ENGINE_CALL_H
#define STRIA_SRC_ENGINE_CALL_H

#include "engine/move/strategy.h"
#include "program.h"

struct call {
    const struct program *program; /* borrowed */
    const struct strategy *way;    /* how elements are moved where the program is empty */
    int32_t threads;
    bool in_place; /* an input has the very elements of the output */
    bool by_input; /* rows follow operand 1, and the output is scattered */
    bool far;      /* the operands are more than the caches hold: lines are fetched ahead */
    bool stream;   /* the output bypasses the caches */
    stria_plan plan;
};

/*
 * Decides how a call runs whose program, plan and in_place are set. The plan is not empty; exec may
 * be NULL.
 */
void stria__call_decide(struct call *call, const stria_exec *exec);

/* Runs it. Inputs have the elements of the output, or share no byte with it. */
void stria__call_run(const struct call *call, const stria_exec *exec);

/* Runs a part of its plan, block by block, on this thread. arg is the call. */
void stria__run_blocks(const stria_plan *part, const void *arg);

/* Copies items of `item` bytes, as a plan over (dst, src) which share no byte has them. */
void stria__move(const stria_plan *plan, int64_t item, const stria_exec *exec);

/* Whether a copy of so many bytes bypasses the caches. exec may be NULL. */
bool stria__streams(const struct strategy *strategy, const struct nest *nest, int64_t bytes,
                    const stria_exec *exec);

#endif
