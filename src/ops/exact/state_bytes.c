/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States as bytes, integers with the least byte first: 8 bytes of magic, the version, the kind, the
 * size of everything, the number of elements, flags, the number of bins, a hash of all other bytes;
 * then the words of each sum and of powers, or both extremes, or edges and counts.
 */
#include <string.h>

#include "machine/families.h"
#include "ops/exact/state.h"
#include "simd/hash.h"
#include "base/status.h"

enum { VERSION = 1, WORD_BYTES = 8, HEADER_WORDS = 8, HASH_AT = 7 };
enum { SUM_WORDS = ACCUMULATOR_WORDS + 1, EXTREMES_WORDS = 5 };
static const char magic[WORD_BYTES + 1] = "STRIAEXA";

/* ---- words ----------------------------------------------------------------------------------- */

static void put_word(char *bytes, int64_t i, uint64_t word)
{
    for (int b = 0; b < WORD_BYTES; b++)
        bytes[i * WORD_BYTES + b] = (char)(unsigned char)(word >> (8 * b));
}

static uint64_t get_word(const char *bytes, int64_t i)
{
    uint64_t word = 0;
    for (int b = 0; b < WORD_BYTES; b++)
        word |= (uint64_t)(unsigned char)bytes[i * WORD_BYTES + b] << (8 * b);
    return word;
}

/* Computes the words of a state; bins, not negative, count only for a histogram. */
static int64_t words_of(stria_exact_kind kind, int64_t bins)
{
    const struct exact_parts *const p = &stria__exact_parts[kind];
    return HEADER_WORDS + p->sums * SUM_WORDS + p->powers * POWER_WORDS +
           (p->has_extremes ? EXTREMES_WORDS : 0) + (p->has_histogram ? 2 * bins + 1 : 0);
}

/* Returns the hash of all words except its own. */
static uint64_t hash_of(const char *bytes, int64_t size)
{
    const int64_t before = HASH_AT * WORD_BYTES, after = before + WORD_BYTES;
    const struct hash_kernels *const kernels = stria__hash();
    return kernels->of_bytes(bytes + after, size - after, kernels->of_bytes(bytes, before, 0));
}

/* ---- writing --------------------------------------------------------------------------------- */

int64_t stria_exact_nbytes(const stria_exact *x)
{
    return x ? words_of(x->kind, x->histogram.bins) * WORD_BYTES : 0;
}

/* Passes the words after the header, which are written to the bytes or read from them. */
struct body {
    char *bytes;
    int64_t at;
    bool read;
};

static void pass_words(struct body *b, void *words, int64_t count)
{
    char *item = words;
    for (int64_t i = 0; i < count; i++, item += WORD_BYTES, b->at++) {
        uint64_t word = get_word(b->bytes, b->at);
        if (!b->read) memcpy(&word, item, sizeof word);
        if (!b->read) put_word(b->bytes, b->at, word);
        if (b->read) memcpy(item, &word, sizeof word);
    }
}

static void pass_body(struct body *b, stria_exact *x)
{
    const struct exact_parts *const p = &stria__exact_parts[x->kind];
    for (int i = 0; i < p->sums; i++)
        pass_words(b, &x->sums.sum[i], SUM_WORDS);
    pass_words(b, x->powers.word, p->powers * POWER_WORDS);
    if (p->has_extremes) pass_words(b, &x->extremes, EXTREMES_WORDS);
    if (p->has_histogram) pass_words(b, x->histogram.edges, 2 * x->histogram.bins + 1);
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
    put_word(bytes, 1, VERSION);
    put_word(bytes, 2, x->kind);
    put_word(bytes, 3, (uint64_t)size);
    put_word(bytes, 4, (uint64_t)x->sums.count);
    put_word(bytes, 5, x->sums.is_complex);
    put_word(bytes, 6, (uint64_t)x->histogram.bins);
    pass_body(&(struct body){bytes, HEADER_WORDS, false}, (stria_exact *)(uintptr_t)x);
    put_word(bytes, HASH_AT, hash_of(bytes, size));
    return STRIA_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/*
 * Tells whether an accumulator has such words: carries are resolved in a state, so that equal sums
 * have equal words. For as many elements as 64 bits count the last word is the sign.
 */
static bool are_carried(const int64_t *word, int count)
{
    for (int w = 0; w < count - 1; w++)
        if ((uint64_t)word[w] > UINT32_MAX) return false;
    return word[count - 1] >= -1 && word[count - 1] <= 0;
}

static bool is_in_range(const stria_exact *x)
{
    const struct exact_parts *const p = &stria__exact_parts[x->kind];
    const struct histogram *const h = &x->histogram;
    bool fine = x->extremes.what <= EXTREME_FLOAT;
    for (int i = 0; i < p->sums; i++)
        fine = fine && x->sums.sum[i].seen <= SEEN_ALL &&
               are_carried(x->sums.sum[i].word, ACCUMULATOR_WORDS);
    for (int i = 0; i < p->powers; i++)
        fine = fine && are_carried(x->powers.word[i], POWER_WORDS);
    for (int64_t i = 0; p->has_histogram && i < h->bins; i++)
        fine = fine && h->edges[i] <= h->edges[i + 1] &&
               (uint64_t)h->counts[i] <= (uint64_t)x->sums.count;
    return fine;
}

static stria_status refuse_bytes(const char *what, long long number)
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
        return refuse_bytes("the bytes do not begin as a state does; there are so many", size);
    const uint64_t version = get_word(in, 1), kind = get_word(in, 2), bins = get_word(in, 6);
    const int64_t count = (int64_t)get_word(in, 4);
    if (version != VERSION)
        return refuse_bytes("the state has another version", (long long)version);
    if (get_word(in, 3) != (uint64_t)size)
        return refuse_bytes("the state has another size", (long long)get_word(in, 3));
    if (get_word(in, HASH_AT) != hash_of(in, size))
        return refuse_bytes("the hash of the bytes is not that of the state; there are so many",
                            size);
    if (kind >= STRIA_EXACT_KINDS || bins > (uint64_t)size || count < 0 ||
        words_of((stria_exact_kind)kind, (int64_t)bins) * WORD_BYTES != size)
        return refuse_bytes("the state does not fit its kind", (long long)kind);
    STRIA_TRY(stria__exact_make(&x, (stria_exact_kind)kind, (int64_t)bins));
    x->sums.count = count;
    x->sums.is_complex = get_word(in, 5) != 0;
    pass_body(&(struct body){(char *)(uintptr_t)in, HEADER_WORDS, true}, x);
    if (!is_in_range(x)) {
        stria_exact_release(x);
        return refuse_bytes("numbers of the state are out of range; its kind is", (long long)kind);
    }
    *out = x;
    return STRIA_OK;
}
