/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of bytes by psadbw against zero, which adds groups of eight bytes. */
#pragma once

#include "convert_level.h"
#include "fold_ahead.h"

enum byte { BYTE_TRUTH, BYTE_UNSIGNED, BYTE_SIGNED };

/* Sums the bytes of `lines` lines. Signed bytes are offset by 128; the sum is corrected. */
static ALWAYS_INLINE uint64_t sum_bytes(const enum byte kind, const char *in, int64_t lines,
                                        int64_t ahead)
{
    __m512i total = _mm512_setzero_si512();
    for (int64_t i = 0; i < lines; i++) {
        fetch_ahead(in + i * LINE, LINE, ahead);
        v64 x = v64_load(in + i * LINE);
        if (kind == BYTE_TRUTH) x = _mm512_min_epu8(x, _mm512_set1_epi8(1));
        if (kind == BYTE_SIGNED) x = _mm512_xor_si512(x, _mm512_set1_epi8(-128));
        total = _mm512_add_epi64(total, _mm512_sad_epu8(x, _mm512_setzero_si512()));
    }
    const uint64_t sum = (uint64_t)_mm512_reduce_add_epi64(total);
    return kind == BYTE_SIGNED ? sum - 128 * LINE * (uint64_t)lines : sum;
}
