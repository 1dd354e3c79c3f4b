/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * XXH3 is that of xxHash, whose header holds all of it: compiled for each level, it uses the
 * level's vectors, and the library needs nothing of xxHash at run time.
 */
#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1 /* two thirds of the size, and 2 ns more for short arrays */
#define XXH_PREFETCH_DIST                                                                          \
    2048 /* from memory, 1.2 times as fast as by xxHash's own distance (Zen 5) */
#include <xxhash.h>

#include "hash.h"
#include "level.h"

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct hash_state), "");

static void start(struct hash_state *state)
{
    (void)XXH3_128bits_reset((XXH3_state_t *)(void *)state->bytes);
}

static void update(struct hash_state *state, const void *bytes, int64_t size)
{
    (void)XXH3_128bits_update((XXH3_state_t *)(void *)state->bytes, bytes,
                              (size_t)size); /* fails for NULL only */
}

static void finish(const struct hash_state *state, uint64_t *high, uint64_t *low)
{
    const XXH128_hash_t hash =
        XXH3_128bits_digest((const XXH3_state_t *)(const void *)state->bytes);
    *high = hash.high64;
    *low = hash.low64;
}

static uint64_t of_bytes(const void *bytes, int64_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, (size_t)size, seed);
}

extern const struct hash_kernels TABLE(stria__hash_);
const struct hash_kernels TABLE(stria__hash_) = {start, update, finish, of_bytes};
