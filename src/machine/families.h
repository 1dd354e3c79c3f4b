/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The families of kernels that a program may do without: the tables of each, by level, are an
 * object of their own in the archive, which a linker takes only for a program that uses the family.
 * Moves and conversions are stria__kernels() itself.
 */
#pragma once

#include "dispatch.h"

#define FAMILIES(FAMILY)                                                                           \
    FAMILY(ops, op_kernels)          /* simd/map.h */                                              \
    FAMILY(combine, combine_kernels) /* simd/combine.h */                                          \
    FAMILY(fold, fold_table)         /* simd/fold.h */                                             \
    FAMILY(scans, scan_kernels)      /* simd/scan.h */                                             \
    FAMILY(random, random_kernels)   /* simd/random.h */                                           \
    FAMILY(window, window_kernels)   /* simd/window.h */                                           \
    FAMILY(product, product_kernels) /* simd/product.h */                                          \
    FAMILY(sort, sort_kernels)       /* simd/sort.h */                                             \
    FAMILY(hash, hash_kernels)       /* simd/hash.h */

/* stria__NAME_of(kernels) is the table of family NAME that goes with them, stria__NAME() the best
 * one. */
#define FAMILY(name, type)                                                                         \
    struct type;                                                                                   \
    extern const struct type *const stria__##name##_tables[KERNEL_LEVELS];                         \
    static inline const struct type *stria__##name##_of(const struct stria_kernels *kernels)       \
    {                                                                                              \
        return stria__##name##_tables[kernels->level];                                             \
    }                                                                                              \
    static inline const struct type *stria__##name(void)                                           \
    {                                                                                              \
        return stria__##name##_of(stria__kernels());                                               \
    }
FAMILIES(FAMILY)
#undef FAMILY

/* ---- the tables of one family, for its file in machine/families/ ----------------------------- */

#ifdef STRIA_HAVE_SCALAR
#define ON_SCALAR(...) __VA_ARGS__
#else
#define ON_SCALAR(...)
#endif
#ifdef STRIA_HAVE_GENERIC
#define ON_GENERIC(...) __VA_ARGS__
#else
#define ON_GENERIC(...)
#endif
#ifdef STRIA_HAVE_BASE
#define ON_BASE(...) __VA_ARGS__
#else
#define ON_BASE(...)
#endif
#ifdef STRIA_HAVE_AVX2
#define ON_AVX2(...) __VA_ARGS__
#else
#define ON_AVX2(...)
#endif
#ifdef STRIA_HAVE_AVX512
#define ON_AVX512(...) __VA_ARGS__
#else
#define ON_AVX512(...)
#endif
#ifdef STRIA_HAVE_NEON
#define ON_NEON(...) __VA_ARGS__
#else
#define ON_NEON(...)
#endif

/* A family that is not built has tables that are NULL. */
#ifdef STRIA_LEFT_OUT
#define FAMILY_TABLES(name, type, widest)                                                          \
    const struct type *const stria__##name##_tables[KERNEL_LEVELS] = {NULL};
#else
/* `widest` is the level whose kernels AVX-512 uses: its own, or AVX2's (cmake/kernels.cmake). */
#define FAMILY_TABLES(name, type, widest)                                                          \
    ON_SCALAR(extern const struct type stria__##name##_scalar;)                                    \
    ON_GENERIC(extern const struct type stria__##name##_generic;)                                  \
    ON_BASE(extern const struct type stria__##name##_base;)                                        \
    ON_AVX2(extern const struct type stria__##name##_avx2;)                                        \
    ON_AVX512(extern const struct type stria__##name##_##widest;)                                  \
    ON_NEON(extern const struct type stria__##name##_neon;)                                        \
    const struct type *const stria__##name##_tables[KERNEL_LEVELS] = {                             \
        ON_SCALAR([LEVEL_scalar] = &stria__##name##_scalar, )                                      \
            ON_GENERIC([LEVEL_generic] = &stria__##name##_generic, )                               \
                ON_BASE([LEVEL_base] = &stria__##name##_base, )                                    \
                    ON_AVX2([LEVEL_avx2] = &stria__##name##_avx2, )                                \
                        ON_AVX512([LEVEL_avx512] = &stria__##name##_##widest, )                    \
                            ON_NEON([LEVEL_neon] = &stria__##name##_neon, )};
#endif
