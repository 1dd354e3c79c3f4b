/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduction that an EXPR ends in, as mergeable states in place of a result. */
#ifndef STRIA_TOOL_PARTIAL_H
#define STRIA_TOOL_PARTIAL_H

#include "lang/eval.h"
#include "part.h"

struct partial {
    const char *expr;
    const char *rules; /* NULL: those of PyTorch */
    struct slice slice;
    const stria_view *x; /* the slice */
    bool taken;          /* set: the EXPR ended in such a reduction */
};

/* For struct evaluation: gives the bytes of a part, u8. context is a struct partial. */
stria_status partial_call(struct invocation *call, void *context);
/* The refusal of an EXPR that ended otherwise. */
stria_status partial_refuse(struct failure *failure);

/* Writes the result of the states of a part to arrays; edges is that of histogram, else none. */
stria_status partial_result(stria_array *out, stria_array *edges, const struct part *part,
                            struct failure *failure);

#endif
