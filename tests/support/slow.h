/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much of a long test runs: all of it, or one part in ONE_IN where a sanitizer or an emulator
 * makes it take many times as long. The case chooses the part, so that no kernel is left out.
 *
 * ONE_OF_MANY is for tests of every operation and dtype by every length, layout or level: a third
 * of these for each, another third for the next dtype. -DSTRIA_WHOLE_TESTS runs all of them.
 */
#ifndef STRIA_TESTS_SLOW_H
#define STRIA_TESTS_SLOW_H

#include "support/sanitizers.h"

#if BUILT_WITH_ASAN || BUILT_WITH_MSAN || BUILT_WITH_TSAN || defined STRIA_EMULATED
enum { ONE_IN = 5 };
#else
enum { ONE_IN = 1 };
#endif

#ifdef STRIA_WHOLE_TESTS
enum { ONE_OF_MANY = ONE_IN };
#else
enum { ONE_OF_MANY = 3 * ONE_IN };
#endif

#endif
