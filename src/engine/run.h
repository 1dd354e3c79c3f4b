/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run decides for each part of a plan, for those who tell about it. */
#ifndef STRIA_SRC_ENGINE_RUN_H
#define STRIA_SRC_ENGINE_RUN_H

#include "block.h"

/* One instruction takes the operands as they lie: there are no blocks. */
bool stria__is_direct(const struct call *call, const stria_plan *plan);

/* The blocks of a part, with as much scratch as there usually is. */
void stria__block_of(struct block *out, const stria_plan *plan, const struct call *call);

#endif
