/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States as bytes, integers with the least byte first: 8 bytes of magic, the version, the kind, the
 * size of everything, the number of elements, flags, the number of bins, a hash of all other bytes;
 * then the words of each sum and of powers, or both extremes, or edges and counts.
 */
#include <string.h>
#include <xxhash.h>

#include "ops/exact/state.h"
#include "base/status.h"

enum { VERSION = 1, WORD_BYTES = 8, HEADER_WORDS = 8, HASH_AT = 7 };
enum { SUM_WORDS = ACCUMULATOR_WORDS + 1, EXTREMES_WORDS = 5 };
static const char magic[WORD_BYTES + 1] = "STRIAEXA";

/* ---- words ----------------------------------------------------------------------------------- */

static void put(char *bytes, int64_t i, uint64_t word)
{
    for (int b = 0; b < WORD_BYTES; b++)
        bytes[i * WORD_BYTES + b] = (char)(unsigned char)(word >> (8 * b));
}

static uint64_t get(const char *bytes, int64_t i)
{
    uint64_t word = 0;
    for (int b = 0; b < WORD_BYTES; b++)
        word |= (uint64_t)(unsigned char)bytes[i * WORD_BYTES + b] << (8 * b);
    return word;
}

static int sums_of(stria_exact_kind kind)
{
    const bool squares = kind == STRIA_EXACT_MOMENTS || kind == STRIA_EXACT_POWERS;
    return squares ? SUMS : kind == STRIA_EXACT_SUM ? SUM_SQUARES : 0;
}

static int64_t words_of(stria_exact_kind kind, int64_t bins)
{
    const int64_t edges = kind == STRIA_EXACT_HISTOGRAM ? 2 * bins + 1
                          : kind == STRIA_EXACT_POWERS  ? POWERS * POWER_WORDS
                                                        : 0;
    return HEADER_WORDS + (int64_t)sums_of(kind) * SUM_WORDS + edges +
           (kind == STRIA_EXACT_EXTREMES ? EXTREMES_WORDS : 0);
}

/* The hash of all words but itself. */
static uint64_t hash_of(const char *bytes, int64_t size)
{
    const size_t before = (size_t)HASH_AT * WORD_BYTES, after = before + WORD_BYTES;
    return XXH3_64bits_withSeed(bytes + after, (size_t)size - after, XXH3_64bits(bytes, before));
}

/* ---- writing --------------------------------------------------------------------------------- */

int64_t stria_exact_nbytes(const stria_exact *x)
{
    return x ? words_of(x->kind, x->histogram.bins) * WORD_BYTES : 0;
}

/* What follows the header, word by word; written to the bytes, or read from them. */
struct body {
    char *bytes;
    int64_t at;
    bool read;
};

static void pass(struct body *b, void *item)
{
    uint64_t word;
    memcpy(&word, item, sizeof word);
    if (!b->read) put(b->bytes, b->at, word);
    if (b->read) word = get(b->bytes, b->at);
    if (b->read) memcpy(item, &word, sizeof word);
    b->at++;
}

/* Returns false for words that no accumulator has. */
static bool pass_words(struct body *b, int64_t *word, int count)
{
    bool fine = true;
    for (int w = 0; w < count; w++) {
        pass(b, &word[w]);
        fine = fine && (w == count - 1 || (uint64_t)word[w] <= UINT32_MAX);
    }
    /* Of as many elements as 64 bits count, the last word is the sign. */
    return fine && word[count - 1] >= -1 && word[count - 1] <= 0;
}

/* Carries are resolved in a state: equal sums have equal words. False where numbers are no state's.
 */
static bool pass_body(struct body *b, stria_exact *x)
{
    bool fine = true;
    for (int i = 0; i < sums_of(x->kind); i++) {
        uint64_t seen = x->sums.sum[i].seen;
        pass(b, &seen);
        if (b->read) x->sums.sum[i].seen = (uint32_t)seen;
        fine = pass_words(b, x->sums.sum[i].word, ACCUMULATOR_WORDS) && fine;
    }
    for (int k = 0; x->kind == STRIA_EXACT_POWERS && k < POWERS; k++)
        fine = pass_words(b, x->powers.word[k], POWER_WORDS) && fine;
    if (x->kind == STRIA_EXACT_EXTREMES) {
        uint64_t what = x->extremes.what;
        pass(b, &what);
        fine = what <= EXTREME_FLOAT;
        if (b->read) x->extremes.what = fine ? (enum extreme_class)what : EXTREME_NONE;
    }
    for (int side = 0; x->kind == STRIA_EXACT_EXTREMES && side < 2; side++) {
        pass(b, &x->extremes.side[side].bits);
        pass(b, &x->extremes.side[side].place);
    }
    if (x->kind != STRIA_EXACT_HISTOGRAM) return fine;
    for (int64_t i = 0; i <= x->histogram.bins; i++) {
        pass(b, &x->histogram.edges[i]);
        if (i > 0) fine = fine && x->histogram.edges[i - 1] <= x->histogram.edges[i];
    }
    for (int64_t i = 0; i < x->histogram.bins; i++) {
        pass(b, &x->histogram.counts[i]);
        fine = fine && (uint64_t)x->histogram.counts[i] <= (uint64_t)x->sums.count;
    }
    return fine;
}

stria_status stria_exact_write(void *bytes, int64_t size, const stria_exact *x)
{
    if (!bytes || !x)
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_write: %s is NULL",
                           bytes ? "the state" : "bytes");
    if (size != stria_exact_nbytes(x))
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_write: %lld bytes; the state takes %lld",
                           (long long)size, (long long)stria_exact_nbytes(x));
    memcpy(bytes, magic, WORD_BYTES);
    put(bytes, 1, VERSION);
    put(bytes, 2, x->kind);
    put(bytes, 3, (uint64_t)size);
    put(bytes, 4, (uint64_t)x->sums.count);
    put(bytes, 5, x->sums.is_complex);
    put(bytes, 6, (uint64_t)x->histogram.bins);
    (void)pass_body(&(struct body){bytes, HEADER_WORDS, false}, (stria_exact *)(uintptr_t)x);
    put(bytes, HASH_AT, hash_of(bytes, size));
    return STRIA_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static stria_status refuse(const char *what, long long number)
{
    return stria__fail(STRIA_ERR_FORMAT, "exact_read: %s (%lld)", what, number);
}

stria_status stria_exact_read(stria_exact **out, const void *bytes, int64_t size)
{
    stria_exact *x;
    const char *const in = bytes;
    if (!out || !bytes)
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_read: %s is NULL", out ? "bytes" : "out");
    if (size < HEADER_WORDS * WORD_BYTES || memcmp(in, magic, WORD_BYTES) != 0)
        return refuse("the bytes do not begin as a state does; there are so many", size);
    const uint64_t version = get(in, 1), kind = get(in, 2), bins = get(in, 6);
    const int64_t count = (int64_t)get(in, 4);
    if (version != VERSION) return refuse("the state has another version", (long long)version);
    if (get(in, 3) != (uint64_t)size)
        return refuse("the state has another size", (long long)get(in, 3));
    if (get(in, HASH_AT) != hash_of(in, size))
        return refuse("the hash of the bytes is not that of the state; there are so many", size);
    if (kind >= STRIA_EXACT_KINDS || bins > (uint64_t)size || count < 0 ||
        words_of((stria_exact_kind)kind, (int64_t)bins) * WORD_BYTES != size)
        return refuse("the state does not fit its kind", (long long)kind);
    STRIA_TRY(stria__exact_make(&x, (stria_exact_kind)kind, (int64_t)bins));
    x->sums.count = count;
    x->sums.is_complex = get(in, 5) != 0;
    if (!pass_body(&(struct body){(char *)(uintptr_t)in, HEADER_WORDS, true}, x)) {
        stria_exact_free(x);
        return refuse("numbers of the state are out of range; its kind is", (long long)kind);
    }
    *out = x;
    return STRIA_OK;
}
