/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts whose whole input fits in scratch. */
#ifndef STRIA_SRC_ENGINE_SMALL_CAST_H
#define STRIA_SRC_ENGINE_SMALL_CAST_H

#include "call.h"

/* Tells whether stria__run_small_cast takes the call, if there is scratch. */
bool stria__is_small_cast(const struct call *call, const stria_plan *plan);

/*
 * Casts to a dense output, if that is all of the program and its input is small. Returns false for
 * other calls, and where there is no scratch; nothing happened then.
 */
bool stria__run_small_cast(const struct call *call, const stria_plan *plan);

#endif
