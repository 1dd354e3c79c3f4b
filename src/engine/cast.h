/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that change values on the way: the program of a call is one cast. */
#ifndef STRIA_SRC_ENGINE_CAST_H
#define STRIA_SRC_ENGINE_CAST_H

#include "ops/convert/convert.h"
#include "stria/plan.h"
#include "stria/threads.h"

/*
 * Runs a plan over (dst, src), which share no byte or have the very same elements; how->row is set.
 */
void stria__cast(const stria_plan *plan, const struct conversion *how, const stria_exec *exec);

#endif
