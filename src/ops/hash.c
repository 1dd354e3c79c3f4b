/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * XXH3 of the stream of a view's elements. They are gathered in scratch memory or on the stack, so
 * hashing cannot run out of memory.
 */
#include "stria/hash.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/families.h"
#include "plan/arena.h"
#include "simd/hash.h"
#include "machine/machine.h"
#include "ops/stream.h"
#include "stria/alloc.h"
#include "base/status.h"
#include "view/view.h"
#include "plan/threads.h"

/* Sizes of buffers; the first one fits in the second-level cache. */
enum { STAGE = 256 << 10, STAGE_ON_STACK = 16 << 10 };

static stria_status update(const void *bytes, int64_t size, void *state)
{
    enum { PIECE = 4 << 20 }; /* so often the watch is asked */
    const struct hash_kernels *const kernels = stria__hash();
    for (int64_t at = 0; at < size; at += PIECE) {
        if (stria__is_stopped()) return stria__watch_end(NULL);
        kernels->update(state, (const char *)bytes + at, size - at < PIECE ? size - at : PIECE);
    }
    return STRIA_OK;
}

static stria_status stream(const stria_view *a, char *memory, int64_t size,
                           struct hash_state *state)
{
    const struct stage stage = {memory, size, HASH_LARGE, HASH_NEAR, HASH_DIRECT};
    return stria__stream(a, stage, update, state);
}

__attribute__((noinline)) static stria_status stream_by_stack(const stria_view *a,
                                                              struct hash_state *state)
{
    _Alignas(STRIA_ALIGNMENT) char memory[STAGE_ON_STACK];
    return stream(a, memory, sizeof memory, state);
}

static stria_status stream_by_scratch(const stria_view *a, struct hash_state *state)
{
    char *const memory = stria__arena_take(STAGE);
    if (!memory) return stream_by_stack(a, state);
    const stria_status status = stream(a, memory, STAGE, state);
    stria__arena_give(memory);
    return status;
}

stria_status stria_hash(stria_hash128 *out, const stria_view *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "hash");
    STRIA_TRY(view_check(out, a, "hash"));
    WATCHES(exec);
    struct hash_state state;
    const struct hash_kernels *const kernels = stria__hash();
    kernels->start(&state);
    STRIA_TRY(stream_by_scratch(a, &state));
    kernels->finish(&state, &out->high, &out->low);
    return STRIA_OK;
}

stria_status stria_hash_format(char *text, size_t size, size_t *length, stria_hash128 hash)
{
    if (!text && size > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "hash_format: text is NULL, with a size of %zu",
                           size);
    const int whole = snprintf(text, size, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
    if (length) *length = (size_t)whole;
    return STRIA_OK;
}
