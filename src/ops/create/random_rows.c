/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of 32 bits are four to a block, those of 64 bits two. A row may begin and end within a
 * block; only the whole blocks between are written in place.
 */
#include <assert.h>
#include <string.h>

#include "base/integers.h"
#include "ops/create/generate.h"
#include "stria/elementwise.h"

enum { ROW = 512 /* Elements of scratch rows. */ };

/* ---- rows of blocks -------------------------------------------------------------------------- */

/* Writes whole blocks. */
typedef void make_blocks(void *out, const struct philox *from, int64_t blocks,
                         const struct random_rows *s);

static void make_words(void *out, const struct philox *from, int64_t blocks,
                       const struct random_rows *s)
{
    s->kernels->words(out, from, blocks);
}

static void make_f32(void *out, const struct philox *from, int64_t blocks,
                     const struct random_rows *s)
{
    s->kernels->f32(out, from, blocks, s->bits);
}

static void make_f64(void *out, const struct philox *from, int64_t blocks,
                     const struct random_rows *s)
{
    s->kernels->f64(out, from, blocks);
}

static struct philox philox_at(const struct random_rows *s, uint64_t block, uint32_t attempt)
{
    return (struct philox){
        .key = {s->key[0], s->key[1]}, .block = block, .high = {s->stream, attempt}};
}

/* Writes n elements from element `first` on, `per` to a block. */
static void write_row(void *row, int64_t first, int64_t n, int per, make_blocks *make,
                      const struct random_rows *s)
{
    const size_t size = 16 / (size_t)per;
    uint64_t at = (uint64_t)(s->first + first);
    char *out = row;
    while (n > 0) {
        const int inside = (int)(at % (uint64_t)per);
        const struct philox from = philox_at(s, at / (uint64_t)per, 0);
        int64_t done = n - n % per;
        if (inside || !done) {
            char block[16];
            make(block, &from, 1, s);
            done = least(n, per - inside);
            memcpy(out, block + (size_t)inside * size, (size_t)done * size);
        } else {
            make(out, &from, done / per, s);
        }
        at += (uint64_t)done;
        out += (size_t)done * size;
        n -= done;
    }
}

void stria__fraction_f32_row(void *row, int64_t first, int64_t n, const void *how)
{
    write_row(row, first, n, 4, make_f32, how);
}

void stria__fraction_f64_row(void *row, int64_t first, int64_t n, const void *how)
{
    write_row(row, first, n, 2, make_f64, how);
}

void stria__bits_32_row(void *row, int64_t first, int64_t n, const void *how)
{
    const struct random_rows *const s = how;
    uint32_t *const out = row;
    write_row(row, first, n, 4, make_words, s);
    if (s->mask == UINT32_MAX) return;
    for (int64_t i = 0; i < n; i++)
        out[i] &= s->mask;
}

/* The first word of an element is its lower half, whatever the machine's byte order. */
static uint64_t joined(const uint32_t word[2])
{
    return (uint64_t)word[1] << 32 | word[0];
}

void stria__bits_64_row(void *row, int64_t first, int64_t n, const void *how)
{
    uint64_t *const out = row;
    write_row(row, first, n, 2, make_words, how);
    for (int64_t i = 0; i < n; i++) {
        uint32_t word[2];
        memcpy(word, &out[i], sizeof word);
        out[i] = joined(word);
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

static void uniform_piece(double *out, int64_t first, int64_t n, const struct random_rows *s)
{
    float small[ROW];
    if (s->bits == 53)
        stria__fraction_f64_row(out, first, n, s);
    else
        stria__fraction_f32_row(small, first, n, s);
    for (int64_t i = 0; i < n; i++) {
        const double u = s->bits == 53 ? out[i] : (double)small[i];
        const double x = s->start + u * s->width, above = x > s->least ? x : s->least;
        out[i] = above < s->most ? above : s->most;
    }
}

/* Returns the middles of 2^32 or 2^52 equal parts of 0 .. 1, which leaves out both ends. */
static void middles(double *out, int64_t first, int64_t n, const struct random_rows *s)
{
    uint32_t word[ROW];
    if (s->bits == 53) {
        stria__fraction_f64_row(out, first, n, s);
        for (int64_t i = 0; i < n; i++)
            out[i] = ((double)(int64_t)(out[i] * 0x1p52) + 0.5) * 0x1p-52;
        return;
    }
    write_row(word, first, n, 4, make_words, s);
    for (int64_t i = 0; i < n; i++)
        out[i] = ((double)word[i] + 0.5) * 0x1p-32;
}

static void normal_piece(double *out, int64_t first, int64_t n, const struct random_rows *s)
{
    stria_view view;
    middles(out, first, n, s);
    /* A dense row is converted in place, which needs no memory and cannot fail. */
    stria_status status = stria_view_foreign(&view, out, stria_dtype_of(STRIA_F64), 1, &n, NULL, 0);
    if (status == STRIA_OK) status = stria_ndtri(&view, &view, NULL);
    assert(status == STRIA_OK);
    (void)status;
    for (int64_t i = 0; i < n; i++)
        out[i] = s->start + s->width * out[i];
}

void stria__uniform_row(void *row, int64_t first, int64_t n, const void *how)
{
    for (int64_t i = 0; i < n; i += ROW)
        uniform_piece((double *)row + i, first + i, least(n - i, ROW), how);
}

void stria__normal_row(void *row, int64_t first, int64_t n, const void *how)
{
    for (int64_t i = 0; i < n; i += ROW)
        normal_piece((double *)row + i, first + i, least(n - i, ROW), how);
}

/* ---- integers of a range --------------------------------------------------------------------- */

/* Draws the words of an element at a later attempt, which word 3 of the counter has. */
static void draw_again(uint32_t word[2], const struct random_rows *s, int64_t element, int per,
                       uint32_t attempt)
{
    uint32_t block[4];
    const uint64_t at = (uint64_t)element;
    const struct philox from = philox_at(s, at / (uint64_t)per, attempt);
    s->kernels->words(block, &from, 1);
    memcpy(word, block + at % (uint64_t)per * (4 / (unsigned)per), 16 / (size_t)per);
}

/*
 * Draws an integer by Lemire's method: the upper half of word * count, drawn again if the lower
 * half is below 2^32 mod count, so that each result is left with the same number of words.
 */
static uint64_t below_32(uint32_t word, const struct random_rows *s, uint32_t reject,
                         int64_t element)
{
    uint32_t words[2] = {word, 0};
    for (uint32_t attempt = 1;; attempt++) {
        const uint64_t wide = (uint64_t)words[0] * s->count;
        if ((uint32_t)wide >= reject) return wide >> 32;
        draw_again(words, s, element, 4, attempt);
    }
}

static uint64_t below_64(uint64_t word, const struct random_rows *s, uint64_t reject,
                         int64_t element)
{
    for (uint32_t attempt = 1;; attempt++) {
        uint32_t words[2];
        if (word * s->count >= reject) return upper_half(word, s->count);
        draw_again(words, s, element, 2, attempt);
        word = joined(words);
    }
}

static void narrow_piece(int64_t *out, int64_t first, int64_t n, const struct random_rows *s)
{
    uint32_t word[ROW];
    const uint32_t reject = (uint32_t)((UINT64_C(1) << 32) % s->count);
    write_row(word, first, n, 4, make_words, s);
    for (int64_t i = 0; i < n; i++)
        out[i] = (int64_t)((uint64_t)s->low + below_32(word[i], s, reject, s->first + first + i));
}

static void wide_piece(int64_t *out, int64_t first, int64_t n, const struct random_rows *s)
{
    uint64_t word[ROW];
    const uint64_t reject = (0 - s->count) % s->count;
    stria__bits_64_row(word, first, n, s);
    for (int64_t i = 0; i < n; i++)
        out[i] = (int64_t)((uint64_t)s->low + below_64(word[i], s, reject, s->first + first + i));
}

void stria__integer_row(void *row, int64_t first, int64_t n, const void *how)
{
    const struct random_rows *const s = how;
    for (int64_t i = 0; i < n; i += ROW)
        (s->count <= UINT64_C(1) << 32 ? narrow_piece : wide_piece)((int64_t *)row + i, first + i,
                                                                    least(n - i, ROW), s);
}
