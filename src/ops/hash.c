/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * XXH3 of the stream of a view's elements. They are gathered in scratch memory or on the stack, so
 * hashing cannot run out of memory.
 */
#define XXH_STATIC_LINKING_ONLY /* Declares the size of the state. */
#include "stria/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>
#if STRIA_HAVE_XXH_DISPATCH
#include <xxh_x86dispatch.h> /* Makes XXH3_128bits_update the one that picks AVX2 or AVX-512. */
#endif

#include "plan/arena.h"
#include "machine/machine.h"
#include "ops/stream.h"
#include "stria/alloc.h"
#include "base/status.h"
#include "view/view.h"

/* Sizes of buffers; the first one fits in the second-level cache. */
enum { STAGE = 256 << 10, STAGE_ON_STACK = 16 << 10 };

static stria_status update(const void *bytes, int64_t size, void *state)
{
    (void)XXH3_128bits_update(state, bytes, (size_t)size); /* It fails for NULL only. */
    return STRIA_OK;
}

static stria_status stream(const stria_view *a, char *memory, int64_t size, XXH3_state_t *state)
{
    const struct stage stage = {memory, size, HASH_LARGE, HASH_NEAR, HASH_DIRECT};
    return stria__stream(a, stage, update, state);
}

__attribute__((noinline)) static stria_status stream_by_stack(const stria_view *a,
                                                              XXH3_state_t *state)
{
    _Alignas(STRIA_ALIGNMENT) char memory[STAGE_ON_STACK];
    return stream(a, memory, sizeof memory, state);
}

static stria_status stream_by_scratch(const stria_view *a, XXH3_state_t *state)
{
    char *const memory = stria__arena_take(STAGE);
    if (!memory) return stream_by_stack(a, state);
    const stria_status status = stream(a, memory, STAGE, state);
    stria__arena_give(memory);
    return status;
}

stria_status stria_hash(stria_hash128 *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "hash"));
    _Alignas(STRIA_ALIGNMENT) XXH3_state_t state;
    (void)XXH3_128bits_reset(&state);
    STRIA_TRY(stream_by_scratch(a, &state));
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    *out = (stria_hash128){.high = hash.high64, .low = hash.low64};
    return STRIA_OK;
}

void stria_hash_format(stria_hash128 hash, char text[33])
{
    if (!text) return;
    (void)snprintf(text, 33, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
}
