/* SPDX-License-Identifier: BSD-3-Clause */
/* The features of the CPU that the operating system lets programs use, and its caches. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tool_api.h"

/* Each is true only if every flag that the level is compiled with may be used. */
bool stria__cpu_sse2(void);    /* on x86 alone */
bool stria__cpu_avx2(void);    /* with FMA, BMI, BMI2 and F16C */
bool stria__cpu_avx512(void);  /* F, BW, DQ and VL, and all of AVX2's */
bool stria__cpu_vectors(void); /* those of the generic level, on machines that may lack them */

/* Tells whether `clzero` zeroes a line of 64 bytes by a non-temporal store, as on AMD since Zen. */
bool stria__cpu_clears_lines(void);

/* Tells whether the CPU announces that `rep movsb` is fast (FSRM). */
bool stria__cpu_moves_strings(void);
/* Moves n bytes by that instruction; memcpy on other CPUs. */
void stria__cpu_move_string(void *out, const void *in, size_t n);

/* The vendor ("AuthenticAMD"), family and model of the CPU; zeros if it does not tell. */
struct stria__cpu_model {
    char vendor[13];
    int family, model;
};
struct stria__cpu_model stria__cpu_model(void);

/* A level of the caches; zeros if it is unknown. */
struct stria__cache {
    int64_t size; /* Bytes of the cache. */
    int64_t ways;
    int64_t sets;
};

enum { CACHE_LEVELS = 3 };

/*
 * Finds the caches, and leaves unknown ones as they are; out[0] is the first level. This takes
 * microseconds or reads files: call it once.
 */
TOOL_API void stria__find_caches(struct stria__cache out[CACHE_LEVELS]);
