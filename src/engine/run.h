/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions of a run that explanations need. */
#ifndef STRIA_SRC_ENGINE_RUN_H
#define STRIA_SRC_ENGINE_RUN_H

#include "block.h"

/* Makes the blocks of a part, with as much scratch as there usually is. */
void stria__block_of(struct block *out, const stria_plan *plan, const struct call *call);

#endif
