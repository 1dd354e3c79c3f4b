/* SPDX-License-Identifier: BSD-3-Clause */
/* XXH3: 128 bits of a stream of bytes, 64 bits of bytes that lie together. */
#ifndef STRIA_SIMD_HASH_H
#define STRIA_SIMD_HASH_H

#include <stdint.h>

/* What was hashed so far. All levels understand it. */
struct hash_state {
    _Alignas(64) char bytes[640];
};

struct hash_kernels {
    void (*start)(struct hash_state *state);
    void (*update)(struct hash_state *state, const void *bytes, int64_t size);
    void (*finish)(const struct hash_state *state, uint64_t *high, uint64_t *low);
    uint64_t (*of_bytes)(const void *bytes, int64_t size, uint64_t seed);
};

#endif
