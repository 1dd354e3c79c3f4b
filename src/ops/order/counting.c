/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts integers of 8 and 16 bits and bools by counting them. */
#include <string.h>

#include "base/integers.h"
#include "ops/order/values.h"
#include "ops/value/element.h"

/* A line, and memory for its counts or for a byte of each number. */
struct counted {
    const struct value_sort *how;
    char *out;
    const char *in;
    char *rest;
};

enum { DIGITS_1 = 1 << 8, DIGITS_2 = 1 << 16 };

static int64_t digits_of(const struct value_sort *how)
{
    return how->form.size == 1 ? DIGITS_1 : DIGITS_2;
}

/* Several tables, so that runs of one number do not wait for each other. */
static int64_t counts_size(const struct value_sort *how)
{
    return how->form.size == 1 ? 4 * DIGITS_1 : 2 * DIGITS_2;
}

static uint32_t *counts_of(const struct counted *v, int64_t part)
{
    return (uint32_t *)(void *)v->rest + part * counts_size(v->how);
}

/* Counts numbers by their bits. */
static void count_part(void *data, int64_t part, struct share range)
{
    const struct counted *const v = data;
    uint32_t *const counts = counts_of(v, part);
    const char *const in = v->in;
    memset(counts, 0, (size_t)counts_size(v->how) * sizeof *counts);
    int64_t i = range.first;
    if (v->how->form.size == 1) {
        for (; i < range.last; i++)
            counts[(i & 3) * DIGITS_1 + (unsigned char)in[i]]++;
        return;
    }
    for (; i + 4 <= range.last; i += 4) {
        const uint64_t word = bits_load(in + i * 2, 8);
        for (uint64_t j = 0; j < 4; j++)
            counts[(j & 1) * DIGITS_2 + (word >> 16 * j & (DIGITS_2 - 1))]++;
    }
    for (; i < range.last; i++)
        counts[bits_load(in + i * 2, 2)]++;
}

/* Writes n times a number of 2 bytes. */
static void fill_2(char *out, int64_t n, uint16_t number)
{
    enum { EACH = 8 };
    const uint64_t word = number * UINT64_C(0x0001000100010001), words[] = {word, word};
    int64_t i = 0;
    for (; i + EACH <= n; i += EACH)
        memcpy(out + i * 2, words, sizeof words);
    if (i < n && n >= EACH) /* some twice */
        memcpy(out + (n - EACH) * 2, words, sizeof words);
    for (; i < n && n < EACH; i++)
        memcpy(out + i * 2, &number, sizeof number);
}

/* Writes the runs of some numbers, in their order. */
static void fill_part(void *data, int64_t part, struct share range)
{
    const struct counted *const v = data;
    const struct value_sort *const how = v->how;
    const uint32_t *const counts = counts_of(v, 0);
    const int64_t digits = digits_of(how);
    const uint64_t half = (uint64_t)digits / 2;
    const uint32_t turn =
        (uint32_t)((how->form.bits.flip ^ how->form.bits.top ^ half) & (2 * half - 1));
    int64_t at = 0;
    (void)part;
    for (int64_t i = 0; i < range.first; i++)
        at += counts[(uint32_t)i ^ turn];
    for (int64_t i = range.first; i < range.last; i++) {
        const uint32_t bits = (uint32_t)i ^ turn;
        const int64_t end = at + counts[bits];
        if (how->form.size == 1)
            memset(v->out + at, (int)bits, (size_t)(end - at));
        else
            fill_2(v->out + at * 2, end - at, (uint16_t)bits);
        at = end;
    }
}

/* Sorts false before true, of which any byte but 0 is one. */
static void sort_bools(struct counted *v)
{
    const int64_t n = v->how->n;
    const bool descending = v->how->form.bits.flip != 0;
    int64_t trues = 0;
    for (int64_t i = 0; i < n; i++) {
        const char byte = v->in[i];
        v->rest[trues] = byte;
        trues += byte != 0;
    }
    memset(v->out + (descending ? trues : 0), 0, (size_t)(n - trues));
    memcpy(v->out + (descending ? 0 : n - trues), v->rest, (size_t)trues);
}

int64_t stria__counting_size(const struct value_sort *how)
{
    return how->n + 1 + how->crew.threads * counts_size(how) * (int64_t)sizeof(uint32_t);
}

void stria__sort_by_counts(const struct value_sort *how, char *out, const char *in, char *room)
{
    struct counted counted = {how, out, in, room}, *const v = &counted;
    if (!how->counted) {
        sort_bools(v);
        return;
    }
    const struct crew *const crew = &v->how->crew;
    const int64_t digits = digits_of(v->how);
    const int parts = stria__divide(crew, v->how->n, count_part, v);
    uint32_t *const counts = counts_of(v, 0);
    for (int64_t p = 0; p < parts; p++)
        for (int64_t i = 0; i < counts_size(v->how); i++)
            if (p > 0 || i >= digits) counts[i & (digits - 1)] += counts_of(v, p)[i];
    if (v->how->is_bool && (int64_t)counts[0] + counts[1] < v->how->n)
        sort_bools(v);
    else
        (void)stria__divide(crew, digits, fill_part, v);
}
