/* SPDX-License-Identifier: BSD-3-Clause */
/* Which sanitizer a test was built with, 0 or 1 each: gcc and clang have different macros for
 * it. */
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BUILT_WITH_ASAN 1
#else
#define BUILT_WITH_ASAN 0
#endif
#if __has_feature(memory_sanitizer)
#define BUILT_WITH_MSAN 1
#else
#define BUILT_WITH_MSAN 0
#endif
#if __has_feature(undefined_behavior_sanitizer)
#define BUILT_WITH_UBSAN 1
#else
#define BUILT_WITH_UBSAN 0
#endif
#if __has_feature(thread_sanitizer)
#define BUILT_WITH_TSAN 1
#else
#define BUILT_WITH_TSAN 0
#endif
#else
#ifdef __SANITIZE_ADDRESS__
#define BUILT_WITH_ASAN 1
#else
#define BUILT_WITH_ASAN 0
#endif
#define BUILT_WITH_MSAN  0 /* gcc has no MemorySanitizer, */
#define BUILT_WITH_UBSAN 0 /* and no macro for UndefinedBehaviorSanitizer. */
#ifdef __SANITIZE_THREAD__
#define BUILT_WITH_TSAN 1
#else
#define BUILT_WITH_TSAN 0
#endif
#endif
