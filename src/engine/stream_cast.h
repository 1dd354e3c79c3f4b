/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts of long dense rows whose results are stored non-temporally, without a strip of scratch. */
#ifndef STRIA_SRC_ENGINE_STREAM_CAST_H
#define STRIA_SRC_ENGINE_STREAM_CAST_H

#include <stdbool.h>

#include "engine/call.h"

/* Whether it ran: a streaming call that is one cast by one kernel, over rows of some pages. */
bool stria__stream_cast(const struct call *call, const stria_plan *plan);

#endif
