/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instruction set level that a family of kernels is compiled for: its vector layer, and macros
 * that all families use. CMake compiles each family once per level with that level's flags and
 * STRIA_ISA set to its name. The only symbol that an object exports is the table at its end.
 * Everything else is static, and from other folders only public constants are included, so that
 * code on a lesser CPU can never call a function that was built with these flags.
 */
#pragma once

#include <string.h>

#include "kernels.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE  __attribute__((noinline))

#if defined STRIA_ISA_AVX512
#include "vec_avx512.h"
#elif defined STRIA_ISA_AVX2
#include "vec_avx2.h"
#elif defined STRIA_ISA_NEON
#include "vec_neon.h"
#elif defined STRIA_ISA_BASE || defined STRIA_ISA_GENERIC
#include "vec_generic.h"
#else
/*
 * The level without vectors, which every machine can run. It is the reference that the others are
 * tested against, and an honest baseline. Code for HAVE_V16 and above is left out.
 */
#include "vec_plain.h"
#endif

#ifdef __clang__
#define UNROLL       _Pragma("clang loop unroll(full)")
#define NOT_UNROLLED _Pragma("clang loop unroll(disable)")
#else
#define UNROLL       _Pragma("GCC unroll 16")
#define NOT_UNROLLED _Pragma("GCC unroll 1")
#endif

#define NAME2_(a, b)       a##b
#define NAME2(a, b)        NAME2_(a, b)
#define NAME3_(a, b, c)    a##b##c
#define NAME3(a, b, c)     NAME3_(a, b, c)
#define NAME4_(a, b, c, d) a##b##c##d
#define NAME4(a, b, c, d)  NAME4_(a, b, c, d)

#if defined HAVE_V64
#define WIDEST 64
#elif defined HAVE_V32
#define WIDEST 32
#elif defined HAVE_V16
#define WIDEST 16
#endif
#define WIDE(name) NAME3(name, _, WIDEST)
#define WV(op)     NAME4(v, WIDEST, _, op)

/*
 * Prefetch a line into the second-level cache or, `near`, the first; any address is allowed. All
 * functions that call these are always inlined: gcc takes a function that only prefetches for one
 * without effects, and drops calls to it.
 */
#if defined WIDEST
#define v_fetch(p)      __builtin_prefetch(p, 0, 2)
#define v_fetch_near(p) __builtin_prefetch(p, 0, 3)
#else
#define v_fetch(p)      ((void)(p))
#define v_fetch_near(p) ((void)(p))
#endif

/*
 * Marks a loop whose output is either identical to an input or disjoint from it, so that no
 * iteration reads what another one writes. The compiler's own overlap check would treat an
 * identical operand as a dependence. tools/check_codegen.sh tests that these loops are vectorized;
 * clang's warning is off because it would fire in sanitizer builds, where none is. SIMD_LOOP is the
 * same for files that gcc compiles without its vectorizer, but for the loops that say so.
 */
#if !defined WIDEST
#define INDEPENDENT
#define SIMD_LOOP
#elif defined __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define SIMD_LOOP   INDEPENDENT
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#define SIMD_LOOP   _Pragma("omp simd")
#endif

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* The entries of a table for dtypes that STRIA_DTYPES may leave out (cmake/kernels.cmake). */
#ifdef STRIA_WITHOUT_F32
#define OF_F32(...)
#define HAS_F32 0
#else
#define OF_F32(...) __VA_ARGS__
#define HAS_F32     1
#endif
#ifdef STRIA_WITHOUT_INTEGERS /* but bool and i64 */
#define OF_INTEGERS(...)
#define HAS_INTEGERS 0
#else
#define OF_INTEGERS(...) __VA_ARGS__
#define HAS_INTEGERS     1
#endif
#ifdef STRIA_WITHOUT_HALVES
#define OF_HALVES(...)
#define HAS_HALVES 0
#else
#define OF_HALVES(...) __VA_ARGS__
#define HAS_HALVES     1
#endif
#ifdef STRIA_WITHOUT_COMPLEX
#define OF_COMPLEX(...)
#define HAS_COMPLEX 0
#else
#define OF_COMPLEX(...) __VA_ARGS__
#define HAS_COMPLEX     1
#endif

/* The name of a family's table: TABLE(stria__cast_) is stria__cast_avx2 on that level. */
#define TABLE(family) NAME2(family, STRIA_ISA)

/* The same of a family that this level takes from the one below, if both are built. */
#define SHARED_TABLE(family) NAME2(family, STRIA_ISA_SHARED)
