/* SPDX-License-Identifier: BSD-3-Clause */
/* XXH3: 128 bits of a stream of bytes, 64 bits of bytes that lie together. */
#pragma once

#include <stdint.h>

/* The state of a hash, which all levels understand. */
struct hash_state {
    _Alignas(64) char bytes[640];
};

struct hash_kernels {
    void (*start)(struct hash_state *state);
    void (*update)(struct hash_state *state, const void *bytes, int64_t size);
    void (*finish)(const struct hash_state *state, uint64_t *high, uint64_t *low);
    uint64_t (*of_bytes)(const void *bytes, int64_t size, uint64_t seed);
};
