/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Block conversions that differ between AVX2 and AVX-512 only in the width of vectors. The header
 * of either level defines the functions used here and then includes this file.
 */
#pragma once

#define BLOCK_f16_FROM_f32 16
static inline void f16_block_from_f32(mem_f16 *o, const mem_f32 *a)
{
    for (int i = 0; i < BLOCK_f16_FROM_f32; i += VF)
        store_f16(o + i, vf_load(a + i));
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

#define BLOCK_f16_FROM_f64 16
static inline void f16_block_from_f64(mem_f16 *o, const mem_f64 *a)
{
    for (int i = 0; i < BLOCK_f16_FROM_f64; i += VF)
        store_f16(o + i, load_odd_for_f16(a + i));
}

#define BLOCK_f32_FROM_f16 16
static inline void f32_block_from_f16(mem_f32 *o, const mem_f16 *a)
{
    for (int i = 0; i < BLOCK_f32_FROM_f16; i += VF)
        vf_store(o + i, vf_load_f16(a + i));
}

#define BLOCK_i32_FROM_f32 VF
CONVERTS(i32, f32, store_vector, i32_of(vf_load(a)))
#define BLOCK_u32_FROM_f32 VF
CONVERTS(u32, f32, store_vector, u32_of(vf_load(a)))
