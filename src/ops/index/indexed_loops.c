/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves items in both directions and for all sizes; the constants fold away in each loop below. */
#include <string.h>

#include "machine/families.h"
#include "machine/machine.h"
#include "ops/index/indexed.h"

static void move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter);

static inline __attribute__((always_inline)) void
move_items(char *out, const char *a, const char *numbers, int64_t so, int64_t sa, int64_t sk,
           int64_t n, int64_t scale, size_t item, bool scatter)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t offset = stria__offset_at(numbers + i * sk, scale);
        memcpy(out + i * so + (scatter ? offset : 0), a + i * sa + (scatter ? 0 : offset), item);
    }
}

static inline __attribute__((always_inline)) void
move(char *const *ptr, const stria_dim *d, const struct move *arg, size_t item, bool scatter)
{
    enum { NUMBER = sizeof(int64_t) };
    const int64_t scale = arg->scale, dense = (int64_t)item;
    const int64_t n = d[0].n, so = d[0].s[0], sa = d[0].s[1], sk = d[0].s[2];
    if (sk == 0 && n >= INDEXING_ROW) {
        move_rows(ptr, d, arg, (int64_t)item, scatter);
        return;
    }
    /* The numbers and the items that they belong to are adjacent in most calls. */
    const bool plain = sk == NUMBER && (scatter ? sa : so) == dense;
    const bool of_one = plain && (scatter ? so : sa) == 0;
    const bool same = scatter && sk == NUMBER && so == 0 && sa == 0;
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const out = ptr[0] + j * d[1].s[0];
        const char *const a = ptr[1] + j * d[1].s[1], *const numbers = ptr[2] + j * d[1].s[2];
        if (of_one && scale == dense)
            move_items(out, a, numbers, scatter ? 0 : dense, scatter ? dense : 0, NUMBER, n, dense,
                       item, scatter);
        else if (of_one)
            move_items(out, a, numbers, scatter ? 0 : dense, scatter ? dense : 0, NUMBER, n, scale,
                       item, scatter);
        else if (same && scale == dense)
            move_items(out, a, numbers, 0, 0, NUMBER, n, dense, item, scatter);
        else if (plain)
            move_items(out, a, numbers, so, sa, NUMBER, n, scale, item, scatter);
        else
            move_items(out, a, numbers, so, sa, sk, n, scale, item, scatter);
    }
}

/* The loops for both directions of items of one size, which is a constant unless it is
 * how->item. */
#define LOOPS(name, item)                                                                          \
    static stria_status gather_##name(char *const *ptr, const stria_dim *d, const void *arg)       \
    {                                                                                              \
        const struct move *const how = arg;                                                        \
        move(ptr, d, how, (size_t)(item), false);                                                  \
        return STRIA_OK;                                                                           \
    }                                                                                              \
    static stria_status scatter_##name(char *const *ptr, const stria_dim *d, const void *arg)      \
    {                                                                                              \
        const struct move *const how = arg;                                                        \
        move(ptr, d, how, (size_t)(item), true);                                                   \
        return STRIA_OK;                                                                           \
    }
LOOPS(1, 1)
LOOPS(2, 2)
LOOPS(4, 4)
LOOPS(8, 8)
LOOPS(16, 16)
LOOPS(any, how->item)

stria_loop *stria__index_loop(int64_t item, bool scatter)
{
    static stria_loop *const loops[SIZE_CLASSES][2] = {
        {gather_1, scatter_1}, {gather_2, scatter_2},   {gather_4, scatter_4},
        {gather_8, scatter_8}, {gather_16, scatter_16}, {gather_any, scatter_any}};
    return loops[stria__size_class(item)][scatter];
}

/*
 * Moves rows that have one offset each. Long ones are ordinary copies; for short ones a call would
 * take longer than the copy.
 */

/*
 * Copies `bytes` bytes, half <= bytes <= 2 * half, by moving both ends, which may overlap, without
 * a call.
 */
static inline __attribute__((always_inline)) void copy_ends(char *out, const char *in,
                                                            int64_t bytes, size_t half)
{
    enum { PART = 16 };
    char head[2][PART], tail[2][PART];
    const size_t part = half < PART ? half : PART;
    memcpy(head[0], in, part);
    memcpy(tail[0], in + bytes - half, part);
    if (half > PART) {
        memcpy(head[1], in + PART, PART);
        memcpy(tail[1], in + bytes - PART, PART);
    }
    memcpy(out, head[0], part);
    memcpy(out + bytes - half, tail[0], part);
    if (half > PART) {
        memcpy(out + PART, head[1], PART);
        memcpy(out + bytes - PART, tail[1], PART);
    }
}

/* Copies rows; half 0 stands for lengths without a case of their own. */
static inline __attribute__((always_inline)) void copy_rows(char *out, const char *in,
                                                            const char *numbers, const stria_dim *d,
                                                            int64_t scale, int64_t bytes,
                                                            bool scatter, size_t half)
{
    const int64_t n = d->n;
    const int64_t so = d->s[0], si = d->s[1], sk = d->s[2];
    for (int64_t j = 0; j < n; j++) {
        const int64_t offset = stria__offset_at(numbers + j * sk, scale);
        char *const to = out + j * so + (scatter ? offset : 0);
        const char *const from = in + j * si + (scatter ? 0 : offset);
        if (half)
            copy_ends(to, from, bytes, half);
        else /* Non-temporal stores are not used: reads from arbitrary lines would wait for them. */
            memcpy(to, from, (size_t)bytes);
    }
}

/* Moves rows that are dense on both sides; dim d counts the rows. */
static inline __attribute__((always_inline)) void move_dense(char *out, const char *in,
                                                             const char *numbers,
                                                             const stria_dim *d, int64_t scale,
                                                             int64_t bytes, bool scatter)
{
    if (bytes < 4 || bytes > 64)
        copy_rows(out, in, numbers, d, scale, bytes, scatter, 0);
    else if (bytes <= 8)
        copy_rows(out, in, numbers, d, scale, bytes, scatter, 4);
    else if (bytes <= 16)
        copy_rows(out, in, numbers, d, scale, bytes, scatter, 8);
    else if (bytes <= 32)
        copy_rows(out, in, numbers, d, scale, bytes, scatter, 16);
    else
        copy_rows(out, in, numbers, d, scale, bytes, scatter, 32);
}

static void move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter)
{
    enum { ROW = 256 };
    const struct stria_kernels *const kernels = stria__kernels();
    struct strided t = {.n = {d[0].n, 1}, .so = {d[0].s[0]}, .si = {d[0].s[1]}, .item = item};
    const bool dense = t.so[0] == item && t.si[0] == item, same = t.so[0] == item && t.si[0] == 0;
    const int64_t bytes = t.n[0] * item;
    if (dense) {
        move_dense(ptr[0], ptr[1], ptr[2], &d[1], how->scale, bytes, scatter);
        return;
    }
    if (same && scatter && d[1].s[1] == 0 && bytes <= ROW) { /* All rows are the same. */
        char row[ROW];
        t.out = row;
        t.in = ptr[1];
        kernels->fill(&t);
        move_dense(ptr[0], row, ptr[2], &d[1], how->scale, bytes, scatter);
        return;
    }
    for (int64_t j = 0; j < d[1].n; j++) {
        const int64_t offset = stria__offset_at(ptr[2] + j * d[1].s[2], how->scale);
        t.out = ptr[0] + j * d[1].s[0] + (scatter ? offset : 0);
        t.in = ptr[1] + j * d[1].s[1] + (scatter ? 0 : offset);
        if (same)
            kernels->fill(&t);
        else
            kernels->strided[stria__size_class(item)](&t);
    }
}

/* The kernels of combining writes (simd/combine.h) as loops over a plan. */

combine_loop *stria__combine_kernel(stria_dtype dtype, stria_reduce reduce)
{
    static const enum combine_op ops[] = {
        [STRIA_REDUCE_SUM] = COMBINE_SUM,     [STRIA_REDUCE_PROD] = COMBINE_PRODUCT,
        [STRIA_REDUCE_MIN] = COMBINE_MINIMUM, [STRIA_REDUCE_MAX] = COMBINE_MAXIMUM,
        [STRIA_REDUCE_MEAN] = COMBINE_SUM,
    };
    const struct combine_kernels *const kernels = stria__combine();
    if (!kernels) return NULL; /* the family is not built */
    if (dtype.kind >= NUMBERS || reduce < STRIA_REDUCE_SUM || reduce > STRIA_REDUCE_MEAN)
        return NULL;
    if (reduce == STRIA_REDUCE_MEAN && !kernels->divide[dtype.kind]) return NULL;
    return kernels->at_indices[ops[reduce]][dtype.kind];
}

stria_status stria__combine_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *const how = arg;
    how->combine(ptr, d, how->scale);
    return STRIA_OK;
}

stria_status stria__apply_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *const how = arg;
    const bool rows = d[0].s[2] == 0 && d[0].s[0] != 0;
    const int64_t n = rows ? 1 : d[0].n;
    const stria_dim one[2] = {{.n = rows ? d[0].n : 1, .s = {d[0].s[0], d[0].s[0], d[0].s[1]}},
                              {.n = 1}};
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < n; i++) {
            const char *const number = ptr[2] + j * d[1].s[2] + i * d[0].s[2];
            char *const to =
                ptr[0] + j * d[1].s[0] + i * d[0].s[0] + stria__offset_at(number, how->scale);
            how->apply((char *const[]){to, to, ptr[1] + j * d[1].s[1] + i * d[0].s[1]}, one);
        }
    return STRIA_OK;
}
