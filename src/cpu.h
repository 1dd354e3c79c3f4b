/* SPDX-License-Identifier: BSD-3-Clause */
/* The features of the CPU that the operating system lets programs use. */
#ifndef STRIA_SRC_CPU_H
#define STRIA_SRC_CPU_H

#include <stdbool.h>
#include <stddef.h>

/* Each is true only if every flag that the level is compiled with may be used. */
bool stria__cpu_any(void);
bool stria__cpu_sse2(void);
bool stria__cpu_avx2(void);   /* with FMA, BMI, BMI2 and F16C */
bool stria__cpu_avx512(void); /* F, BW, DQ and VL, and all of AVX2's */

/* Tells whether `clzero` zeroes a line of 64 bytes by a non-temporal store: on AMD since Zen. */
bool stria__cpu_clears_lines(void);

/* Tells whether the CPU announces that `rep movsb` is fast (FSRM). */
bool stria__cpu_moves_strings(void);
/* n bytes by that instruction; memcpy on other CPUs. */
void stria__cpu_move_string(void *out, const void *in, size_t n);

#endif
