/* SPDX-License-Identifier: BSD-3-Clause */
/* What the CPU can do, and what the operating system lets it do. */
#ifndef STRIA_SRC_CPU_H
#define STRIA_SRC_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Each is true only if every flag that the level is compiled with may be used. */
bool stria__cpu_any(void);
bool stria__cpu_sse2(void);
bool stria__cpu_avx2(void);   /* with FMA, BMI, BMI2 and F16C */
bool stria__cpu_avx512(void); /* F, BW, DQ and VL, and all of AVX2's */

/* Whether `clzero` zeroes a line of 64 bytes past the caches: AMD since Zen. Asked once. */
bool stria__cpu_clears_lines(void);

/* Bytes of the level 2 cache of one core; 1 MiB when the CPU does not tell. Asked once. */
int64_t stria__cpu_l2(void);
/* For tests: another size from now on; 0 asks the CPU again. */
void stria__cpu_set_l2(int64_t bytes);

#endif
