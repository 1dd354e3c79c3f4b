/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier transforms of rows, compiled once per instruction set level. */
#include <string.h>

#include "linalg/fft_plan.h"
#include "plan/threads.h"

#if defined(STRIA_ISA_AVX512)
#define LANES_OF_F64 8
#define LANES_OF_F32 16
#elif defined(STRIA_ISA_AVX2)
#define LANES_OF_F64 4
#define LANES_OF_F32 8
#else
#define LANES_OF_F64 2
#define LANES_OF_F32 4
#endif

typedef double wide_vector __attribute__((vector_size(8 * LANES_OF_F64)));
typedef int64_t wide_mask __attribute__((vector_size(8 * LANES_OF_F64)));
typedef double wide_one_vector;
typedef float narrow_vector __attribute__((vector_size(4 * LANES_OF_F32)));
typedef int32_t narrow_mask __attribute__((vector_size(4 * LANES_OF_F32)));
typedef float narrow_one_vector;

#ifdef __clang__
#define SHUFFLE(mask, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(mask, a, b, ...) __builtin_shuffle(a, b, (mask){__VA_ARGS__})
#endif

/* Indices of lanes of two vectors, for each lane of a result. */
#define FIRST_BLOCKS(l, s)   ((l) & (s) ? LANES + (l) - (s) : (l))
#define OTHER_BLOCKS(l, s)   ((l) & (s) ? LANES + (l) : (l) + (s))
#define EVEN_LANES(l, s)     (2 * (l))
#define ODD_LANES(l, s)      (2 * (l) + 1)
#define LOW_LANES(l, s)      ((l) / 2 + ((l)&1) * LANES)
#define HIGH_LANES(l, s)     (LANES / 2 + (l) / 2 + ((l)&1) * LANES)
#define REVERSED_LANES(l, s) (LANES - 1 - (l))

#define LANES_2(f, s) f(0, s), f(1, s)
#define LANES_4(f, s) LANES_2(f, s), f(2, s), f(3, s)
#define LANES_8(f, s) LANES_4(f, s), f(4, s), f(5, s), f(6, s), f(7, s)
#define LANES_16(f, s)                                                                             \
    LANES_8(f, s), f(8, s), f(9, s), f(10, s), f(11, s), f(12, s), f(13, s), f(14, s), f(15, s)
#define PASTE(a, b)        a##b
#define LANES_OF(n, f, s)  PASTE(LANES_, n)(f, s)
#define EACH_LANE(f, s)    LANES_OF(LANES, f, s)
#define FILL(l, x)         (x)
#define SPLAT_VECTOR(v, x) ((v){EACH_LANE(FILL, x)})

#define REAL    double
#define LANES   LANES_OF_F64
#define LINE(x) wide_##x
#define ONE(x)  wide_one_##x

#define NAME(x)  LINE(x)
#define VECTOR   wide_vector
#define COMPLEX  wide_complex
#define SPLAT(x) SPLAT_VECTOR(wide_vector, x)
#include "linalg/fft_passes.inc"
#undef NAME
#undef VECTOR
#undef COMPLEX
#undef SPLAT
#define NAME(x)  ONE(x)
#define VECTOR   double
#define COMPLEX  wide_one_complex
#define SPLAT(x) (x)
#include "linalg/fft_passes.inc"
#include "linalg/fft_rows.inc"
#undef NAME
#undef VECTOR
#undef COMPLEX
#undef SPLAT
#undef REAL
#undef LANES
#undef LINE
#undef ONE

#define REAL    float
#define LANES   LANES_OF_F32
#define LINE(x) narrow_##x
#define ONE(x)  narrow_one_##x

#define NAME(x)  LINE(x)
#define VECTOR   narrow_vector
#define COMPLEX  narrow_complex
#define SPLAT(x) SPLAT_VECTOR(narrow_vector, x)
#include "linalg/fft_passes.inc"
#undef NAME
#undef VECTOR
#undef COMPLEX
#undef SPLAT
#define NAME(x)  ONE(x)
#define VECTOR   float
#define COMPLEX  narrow_one_complex
#define SPLAT(x) (x)
#include "linalg/fft_passes.inc"
#include "linalg/fft_rows.inc"

#define NAMED(level)   stria__fft_##level
#define KERNELS(level) NAMED(level)
const struct fft_kernels KERNELS(STRIA_ISA) = {
    {{narrow_rows, narrow_rows_room}, {wide_rows, wide_rows_room}}};
