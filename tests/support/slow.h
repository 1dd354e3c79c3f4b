/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much of a long test runs: one part in ONE_IN, or, of a test of every operation and dtype by
 * every length, layout or level, one part in ONE_OF_MANY. The case chooses the part, so that no
 * kernel is left out. STRIA_SWEEP in the environment says how much that is:
 *
 *     full       all of it
 *     (nothing)  all, and a third
 *     few        a fifth, and a fifteenth; so it is, too, without STRIA_SWEEP where a sanitizer
 *                or an emulator makes a test take many times as long
 */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/sanitizers.h"

#define ONE_IN      (sweep_is("full") ? 1 : sweep_is("few") ? 5 : 1)
#define ONE_OF_MANY (sweep_is("full") ? 1 : sweep_is("few") ? 15 : 3)

static inline bool sweep_is(const char *how_much)
{
#if BUILT_WITH_ASAN || BUILT_WITH_MSAN || BUILT_WITH_TSAN || defined STRIA_EMULATED
    const char *const usual = "few";
#else
    const char *const usual = "";
#endif
    const char *const asked = getenv("STRIA_SWEEP");
    return strcmp(asked ? asked : usual, how_much) == 0;
}
