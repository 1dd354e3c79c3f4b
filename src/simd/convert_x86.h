/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Block conversions that differ between AVX2 and AVX-512 only in the width of vectors: F32S f32 or
 * F64S f64. The header of either level defines the functions used here and then includes this file.
 */
#ifndef STRIA_SIMD_CONVERT_X86_H
#define STRIA_SIMD_CONVERT_X86_H

#define BLOCK_f16_FROM_f32 16
static inline void f16_block_from_f32(mem_f16 *o, const mem_f32 *a)
{
    for (int i = 0; i < BLOCK_f16_FROM_f32; i += F32S)
        store_f16(o + i, load_f32(a + i));
}

/* f16_block_from_f32() for numbers that were stored just now, see store_f16_of_new(). */
static inline void f16_block_from_new_f32(mem_f16 *o, const mem_f32 *a)
{
#ifdef HAVE_V64
    store_f16_of_new(o, a);
#else
    f16_block_from_f32(o, a);
#endif
}

#define BLOCK_f16_FROM_f64 F32S
static inline void f16_block_from_f64(mem_f16 *o, const mem_f64 *a)
{
    store_f16(o, load_odd(a));
}

#define BLOCK_f32_FROM_f16 16
static inline void f32_block_from_f16(mem_f32 *o, const mem_f16 *a)
{
    for (int i = 0; i < BLOCK_f32_FROM_f16; i += F32S)
        store_vector(o + i, load_f16(a + i));
}

#define BLOCK_i32_FROM_f32 F32S
static inline void i32_block_from_f32(mem_i32 *o, const mem_f32 *a)
{
    store_vector(o, i32_of(load_f32(a)));
}

#define BLOCK_u32_FROM_f32 F32S
static inline void u32_block_from_f32(mem_u32 *o, const mem_f32 *a)
{
    store_vector(o, u32_of(load_f32(a)));
}

#define BLOCK_i64_FROM_f32 F64S
static inline void i64_block_from_f32(mem_i64 *o, const mem_f32 *a)
{
    store_vector(o, i64_of(load_wide(a)));
}

#define BLOCK_u64_FROM_f32 F64S
static inline void u64_block_from_f32(mem_u64 *o, const mem_f32 *a)
{
    store_vector(o, u64_of(load_wide(a)));
}

#define BLOCK_i64_FROM_f64 F64S
static inline void i64_block_from_f64(mem_i64 *o, const mem_f64 *a)
{
    store_vector(o, i64_of(load_f64(a)));
}

#define BLOCK_u64_FROM_f64 F64S
static inline void u64_block_from_f64(mem_u64 *o, const mem_f64 *a)
{
    store_vector(o, u64_of(load_f64(a)));
}

#endif
