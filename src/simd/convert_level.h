/* SPDX-License-Identifier: BSD-3-Clause */
/* The level, its block conversions, and the names of kernels, for convert_row.inc. */
#pragma once

#include "level.h"
#include "vf.h"

/* Defines the block conversion of a pair, which stores vectors made of items from a on. */
#define CONVERTS(to, from, store, ...)                                                             \
    static inline void to##_block_from_##from(mem_##to *o, const mem_##from *a)                    \
    {                                                                                              \
        store(o, __VA_ARGS__);                                                                     \
    }

#if defined STRIA_ISA_AVX512
#include "convert_avx512.h"
#elif defined STRIA_ISA_AVX2
#include "convert_avx2.h"
#elif defined STRIA_ISA_NEON
#include "convert_neon.h"
#endif

#define ROW(to, from)         NAME3(to, _row_from_, from)
#define BLOCK_ITEMS(to, from) NAME4(BLOCK_, to, _FROM_, from)
#define BLOCK(to, from)       NAME3(to, _block_from_, from)
#define MEM(type)             NAME2(mem_, type)

enum { PADDED = 4 }; /* from this many items on, a padded block is cheaper than single items */
#define PLAIN 16     /* items of a block that the compiler vectorizes, see convert_row.inc */

/* Tells whether the wider operand is prefetched into the first level, see CAST_FETCHED_FROM. */
static ALWAYS_INLINE bool is_fetched(int64_t n, size_t out_item, size_t in_item)
{
#if WIDEST == 32
    const int64_t bytes = n * (int64_t)(out_item + in_item);
    return out_item != in_item && bytes >= CAST_FETCHED_FROM && bytes < CAST_FETCHED_TO;
#else
    (void)n, (void)out_item, (void)in_item;
    return false;
#endif
}

/* Prefetches the bytes of a block ahead in the wider operand; the address may be unmapped. */
static ALWAYS_INLINE void fetch_wider(const void *out, size_t out_bytes, const void *in,
                                      size_t in_bytes)
{
    const bool to_wider = out_bytes > in_bytes;
    const uintptr_t at = to_wider ? (uintptr_t)out + CAST_OUT_AHEAD : (uintptr_t)in + CAST_IN_AHEAD;
    const size_t bytes = to_wider ? out_bytes : in_bytes;
    UNROLL
    for (size_t k = 0; k < bytes; k += LINE)
        v_fetch_near((const char *)(at + k));
}
