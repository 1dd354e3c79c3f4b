/* SPDX-License-Identifier: BSD-3-Clause */
/* An evaluation on its way, and how its last pass may end in something else than an array. */
#ifndef STRIA_OPS_EXPR_EVALUATE_H
#define STRIA_OPS_EXPR_EVALUATE_H

#include "ops/expr/passes.h"

/* The text of an explanation that goes on. */
struct text {
    char *at;
    size_t room;
};

struct evaluation {
    struct lowered l;
    const stria_view *out; /* has the shape of the result */
    const stria_exec *exec;
    struct text *text; /* NULL: it runs */
    int pass, passes;
    /* Runs the last pass, which computes the value root; NULL: into out. */
    stria_status (*last)(struct evaluation *e, int root);
};

/* Does stria_expr_evaluate for what was checked and lowered, with e->out. MEMORY. */
stria_status stria__expr_run(struct evaluation *e);

/* Runs or explains the passes of an expression with elements and memory. */
stria_status stria__expr_run_passes(struct evaluation *e);

/* "pass 2: subtract, multiply, cast, mask: " */
void stria__say_pass(const struct evaluation *e, int root, bool cast, bool mask);
__attribute__((format(printf, 2, 3))) void stria__say(struct text *text, const char *format, ...);

#endif
