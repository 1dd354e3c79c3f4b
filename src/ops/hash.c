/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * XXH3 with 128 bits of a view's stream. The library's one function for all of it takes bytes that
 * lie together, and its state that takes them one after the other spends as long on a new row as on
 * a kilobyte; so the long form, which is for more than SHORT bytes, is a kernel here, and goes
 * through rows where they lie. Everything lives on the stack: hashing cannot run out of memory.
 */
#define XXH_STATIC_LINKING_ONLY /* XXH3_generateSecret_fromSeed */
#include "stria/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "dispatch.h"
#include "ops/stream.h"
#include "stria/alloc.h"
#include "status.h"

/*
 * The stage lies in the second-level cache, and what is used of it mostly in the first. Shorter
 * runs than DIRECT are better gathered.
 */
enum { STAGE = 256 << 10, NEAR = 16 << 10, DIRECT = LINE, PIECE = 4 << 10, SHORT = 240 };

/* ---- the short forms ----------------------------------------------------------------------- */

struct bytes {
    char at[SHORT];
    int64_t size;
};

static stria_status append(const struct pieces *pieces, void *context)
{
    struct bytes *all = context;
    for (int64_t i = 0; i < pieces->count; i++) {
        memcpy(all->at + all->size, pieces->at + i * pieces->step, (size_t)pieces->size);
        all->size += pieces->size;
    }
    return STRIA_OK;
}

static stria_status hash_few(stria_hash128 *out, const stria_view *a, struct stage stage)
{
    struct bytes all = {.size = 0};
    STRIA_TRY(stria__stream(a, stage, append, &all));
    const XXH128_hash_t hash = XXH3_128bits(all.at, (size_t)all.size);
    *out = (stria_hash128){.high = hash.high64, .low = hash.low64};
    return STRIA_OK;
}

/* ---- the long form ------------------------------------------------------------------------- */

static const uint64_t prime32[] = {0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D};
static const uint64_t prime64[] = {0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                                   0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5};

static void begin(struct hashing *state)
{
    const uint64_t sums[8] = {prime32[2], prime64[0], prime64[1], prime64[2],
                              prime64[3], prime32[1], prime64[4], prime32[0]};
    memcpy(state->sums, sums, sizeof sums);
    state->stripe = state->held = 0;
    XXH3_generateSecret_fromSeed(state->secret, 0);
}

static stria_status take_in(const struct pieces *pieces, void *context)
{
    const struct hash_rows rows = {.in = pieces->at,
                                   .run = pieces->size,
                                   .n = pieces->count,
                                   .step = pieces->step,
                                   .next = pieces->next,
                                   .fetch = pieces->far};
    stria__kernels()->hash(context, &rows);
    return STRIA_OK;
}

/* The bytes of the words are in the order of little-endian machines. */
static uint64_t word(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? w : __builtin_bswap64(w);
}

/* The low and the high word of a product, combined. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    const uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32); /* at most 2^64 - 2^32 */
    const uint64_t middle = a0 * b1 + (cross & UINT32_MAX);
    const uint64_t high = a1 * b1 + (cross >> 32) + (middle >> 32);
    return a * b ^ high;
}

/* The last bytes of all, with a place in the secret of their own. */
static void take_in_last(struct hashing *state)
{
    const char *const secret = state->secret + HASH_SECRET - LINE - 7;
    for (int i = 0; i < 8; i++) {
        const uint64_t value = word(state->kept + 8 * i), key = value ^ word(secret + 8 * i);
        state->sums[i ^ 1] += value;
        state->sums[i] += (key & UINT32_MAX) * (key >> 32);
    }
}

/* The sums as one, mixed with as many bytes of the secret. */
static uint64_t merge(const uint64_t *sums, const char *secret, uint64_t start)
{
    uint64_t h = start;
    for (int i = 0; i < 8; i += 2)
        h += fold(sums[i] ^ word(secret + 8 * i), sums[i + 1] ^ word(secret + 8 * i + 8));
    h ^= h >> 37;
    h *= 0x165667919E3779F9;
    return h ^ h >> 32;
}

static stria_status hash_many(stria_hash128 *out, const stria_view *a, struct stage stage)
{
    struct hashing state;
    begin(&state);
    STRIA_TRY(stria__stream(a, stage, take_in, &state));
    take_in_last(&state);
    const uint64_t size = (uint64_t)stria_nbytes(a);
    const char *const first = state.secret + 11;
    const char *const second = state.secret + HASH_SECRET - LINE - 11;
    out->low = merge(state.sums, first, size * prime64[0]);
    out->high = merge(state.sums, second, ~(size * prime64[1]));
    return STRIA_OK;
}

/* -------------------------------------------------------------------------------------------- */

stria_status stria_hash(stria_hash128 *out, const stria_view *a)
{
    if (!out || !a) return stria__fail(STRIA_ERR_ARGUMENT, "hash: out or the view is NULL");
    _Alignas(STRIA_ALIGNMENT) char memory[STAGE];
    const struct stage stage = {memory, STAGE, NEAR, DIRECT, PIECE};
    return stria_nbytes(a) > SHORT ? hash_many(out, a, stage) : hash_few(out, a, stage);
}

void stria_hash_format(stria_hash128 hash, char text[33])
{
    (void)snprintf(text, 33, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
}
