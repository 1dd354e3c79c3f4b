/* SPDX-License-Identifier: BSD-3-Clause */
/* What copying a view into new memory in C order would do, without the memory. */
#ifndef STRIA_TOOL_MATERIALIZE_H
#define STRIA_TOOL_MATERIALIZE_H

#include "stria/stria.h"

struct materialization {
    stria_array target; /* meta */
    stria_copy_plan plan;
};

/* False when there can be no such copy: too many bytes, or a dtype that is not copied. */
bool materialization_plan(struct materialization *out, const stria_view *a);
void materialization_end(struct materialization *m);

#endif
