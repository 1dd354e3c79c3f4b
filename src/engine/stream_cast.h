/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts of long dense rows whose results are stored non-temporally, without a strip of scratch. */
#ifndef STRIA_SRC_ENGINE_STREAM_CAST_H
#define STRIA_SRC_ENGINE_STREAM_CAST_H

#include <stdbool.h>

#include "engine/call.h"

/*
 * Runs a streaming call that is one cast by one kernel over long rows. Returns false for other
 * calls, of which nothing happened.
 */
bool stria__stream_cast(const struct call *call, const stria_plan *plan);

#endif
