/* SPDX-License-Identifier: BSD-3-Clause */
/* What copies would do, without the memory. */
#ifndef STRIA_TOOL_MATERIALIZE_H
#define STRIA_TOOL_MATERIALIZE_H

#include "lang/eval.h"

struct materialization {
    const char *op;     /* whose copy it is; NULL: none made one */
    stria_array target; /* meta */
    stria_copy_plan plan;
};

/* The op gives the elements of its array, where they are, in new memory. */
bool materializes(const char *op);

/*
 * The copy that an EXPR with outputs ends in: that of its last op, where that copied all of one
 * array (contiguous, clone, astype, reshape, ...); else that of the first output into new memory in
 * C order. A status when there can be no such copy: too many bytes, or a dtype that is not copied.
 */
stria_status materialization_plan(struct materialization *out, const struct evaluation *e);
void materialization_end(struct materialization *m);

#endif
