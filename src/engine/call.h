/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that is decided about a call before its first byte moves: the plan, what happens to
 * the values, whether the output bypasses the caches, and on how many threads it runs.
 */
#ifndef STRIA_SRC_ENGINE_CALL_H
#define STRIA_SRC_ENGINE_CALL_H

#include "program.h"

struct call {
    stria_plan plan; /* over the program's operands */
    struct program program;
    bool in_place; /* an input has the very elements of the output */
    bool by_input; /* rows follow operand 1, and the output is scattered */
    bool far;      /* the operands are more than the caches hold: lines are fetched ahead */
    bool stream;   /* the output bypasses the caches */
    int threads;
};

/*
 * Decides by_input, stream and threads of a call whose plan, program and in_place are set. exec may
 * be NULL.
 */
void stria__call_decide(struct call *call, const stria_exec *exec);

/* Runs it. Inputs have the elements of the output, or share no byte with it. */
void stria__call_run(const struct call *call, const stria_exec *exec);

#endif
