/* SPDX-License-Identifier: BSD-3-Clause */
/* The random kernels of one level (level.h): vectors of blocks of words, made into fractions. */
#include "random.h"

#include "level.h"
#include "number.h"

enum { ROUNDS = 10, WORDS = 1024 /* words that are generated before they are converted */ };

static const uint32_t factor[2] = {0xD2511F53, 0xCD9E8D57}, step[2] = {0x9E3779B9, 0xBB67AE85};

/* ---- one block ------------------------------------------------------------------------------- */

static void one_block(uint32_t *out, const struct philox *from, uint64_t block)
{
    uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), from->high[0], from->high[1]};
    uint32_t key[2] = {from->key[0], from->key[1]};
    for (int r = 0; r < ROUNDS; r++) {
        const uint64_t a = (uint64_t)factor[0] * c[0], b = (uint64_t)factor[1] * c[2];
        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ key[0];
        c[1] = (uint32_t)b;
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ key[1];
        c[3] = (uint32_t)a;
        key[0] += step[0];
        key[1] += step[1];
    }
    memcpy(out, c, sizeof c);
}

/* ---- a vector of blocks ---------------------------------------------------------------------- */

#ifdef WIDEST

/*
 * One word of several blocks, each in the lower half of 64 bits. The upper halves may hold
 * anything, because products read only the lower ones; so no shuffles are needed between rounds.
 */
typedef uint64_t lanes __attribute__((vector_size(WIDEST)));

enum { LANES = WIDEST / 8, BLOCKS = WIDEST / 16 /* blocks per vector in memory */ };

static ALWAYS_INLINE lanes same(uint64_t x)
{
    return x - (lanes){0};
}

static ALWAYS_INLINE lanes product(lanes a, uint32_t b)
{
    typedef NAME2(v, WIDEST) vector;
    return (lanes)WV(product4)((vector)a, (vector)same(b));
}

/*
 * Interleaving works within lanes of 16 bytes, and a block has 16 bytes. The first vector that is
 * stored gets the blocks of even lanes, which are therefore the first half of the blocks, and the
 * second vector those of odd lanes.
 */
static ALWAYS_INLINE void store_blocks(uint32_t *out, lanes a, lanes b, lanes c, lanes d)
{
    typedef NAME2(v, WIDEST) vector;
    const lanes lower = same(UINT32_MAX);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const vector ab = (vector)((a & lower) | b << 32), cd = (vector)((c & lower) | d << 32);
#else
    const vector ab = (vector)(a << 32 | (b & lower)), cd = (vector)(c << 32 | (d & lower));
#endif
    WV(store)((char *)out, WV(lo8)(ab, cd));
    WV(store)((char *)out + WIDEST, WV(hi8)(ab, cd));
}

/* Constants of a call. They are kept in memory, since there are not enough registers. */
struct common {
    lanes order, high[2], key[ROUNDS][2];
};

static ALWAYS_INLINE void begin_common(struct common *out, const struct philox *from)
{
    for (int k = 0; k < LANES; k++)
        out->order[k] = (uint64_t)(k / 2 + k % 2 * BLOCKS);
    for (int i = 0; i < 2; i++) {
        out->high[i] = same(from->high[i]);
        for (int r = 0; r < ROUNDS; r++)
            out->key[r][i] = same(from->key[i] + (uint32_t)r * step[i]);
    }
}

/* Generates LANES blocks. */
static ALWAYS_INLINE void many_blocks(uint32_t *out, const struct common *common, uint64_t block)
{
    lanes c0 = same(block) + common->order, c1 = c0 >> 32, c2 = common->high[0],
          c3 = common->high[1];
    UNROLL
    for (int r = 0; r < ROUNDS; r++) {
        const lanes a = product(c0, factor[0]), b = product(c2, factor[1]);
        c0 = b >> 32 ^ c1 ^ common->key[r][0];
        c1 = b;
        c2 = a >> 32 ^ c3 ^ common->key[r][1];
        c3 = a;
    }
    store_blocks(out, c0, c1, c2, c3);
}

static ALWAYS_INLINE int64_t most_blocks(uint32_t *out, const struct philox *from, int64_t blocks)
{
    struct common common;
    int64_t i = 0;
    begin_common(&common, from);
    for (; i + LANES <= blocks; i += LANES)
        many_blocks(out + 4 * i, &common, from->block + (uint64_t)i);
    return i;
}

#endif

static void words(uint32_t *out, const struct philox *from, int64_t blocks)
{
    int64_t i = 0;
#ifdef WIDEST
    i = most_blocks(out, from, blocks);
#endif
    for (; i < blocks; i++)
        one_block(out + 4 * i, from, from->block + (uint64_t)i);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Generates the words of the next blocks that fit; returns their number and advances *from. */
static ALWAYS_INLINE int next_words(uint32_t *out, struct philox *from, int64_t blocks)
{
    const int n = (int)(blocks < WORDS / 4 ? blocks : WORDS / 4);
    words(out, from, n);
    from->block += (uint64_t)n;
    return n;
}

static void fractions_f32(float *out, const struct philox *from, int64_t blocks, int bits)
{
    uint32_t word[WORDS];
    struct philox at = *from;
    mem_f32 *to = (mem_f32 *)out;
    const int shift = 32 - bits;
    const float unit = 1 / (float)(1 << bits);
    for (int n; blocks > 0; blocks -= n, to += 4 * n) {
        n = next_words(word, &at, blocks);
        for (int i = 0; i < 4 * n; i++) /* i32 is exact here, and all levels can convert it */
            to[i] = (float)(int32_t)(word[i] >> shift) * unit;
    }
}

/* All sums and products here are exact. */
static ALWAYS_INLINE double fraction_f64(uint32_t low, uint32_t high)
{
    return ((double)(int32_t)(high >> 5) * 0x1p26 + (double)(int32_t)(low >> 6)) * 0x1p-53;
}

static void fractions_f64(double *out, const struct philox *from, int64_t blocks)
{
    uint32_t word[WORDS];
    struct philox at = *from;
    mem_f64 *to = (mem_f64 *)out;
    for (int n; blocks > 0; blocks -= n, to += 2 * n) {
        n = next_words(word, &at, blocks);
        for (int i = 0; i < 2 * n; i++)
            to[i] = fraction_f64(word[2 * i], word[2 * i + 1]);
    }
}

extern const struct random_kernels TABLE(stria__random_);
const struct random_kernels TABLE(stria__random_) = {
    .words = words, .f32 = fractions_f32, .f64 = fractions_f64};
