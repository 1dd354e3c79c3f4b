/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/expr/weighted_sum.h"

#include <string.h>

#include "base/integers.h"
#include "machine/families.h"
#include "simd/window.h"

/* ---- weights --------------------------------------------------------------------------------- */

int16_t stria__sum_weights(struct constant *out, int count, const struct constant *weights,
                           stria_kind kind)
{
    const int64_t item = stria_dtype_of(kind).itemsize, number = count;
    const int64_t slots = 1 + (count * item - 1) / (int64_t)sizeof *out + 1;
    memset(out, 0, (size_t)slots * sizeof *out);
    memcpy(out->item, &number, sizeof number);
    for (int k = 0; k < count; k++)
        memcpy((char *)(out + 1) + k * item, weights[k].item, (size_t)item);
    return (int16_t)slots;
}

void stria__sum_weight_at(struct constant *weight, const struct constant *weights, int k,
                          stria_kind kind)
{
    const int64_t item = stria_dtype_of(kind).itemsize;
    memset(weight, 0, sizeof *weight);
    memcpy(weight->item, (const char *)(weights + 1) + k * item, (size_t)item);
}

void stria__sum_weight_one(struct constant *weight, stria_kind kind)
{
    const double f64 = 1;
    const float f32 = 1;
    memset(weight, 0, sizeof *weight);
    if (kind == STRIA_F64)
        memcpy(weight->item, &f64, sizeof f64);
    else
        memcpy(weight->item, &f32, sizeof f32);
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum { APART = 4096 /* Bytes of a piece of operands that are no dense rows. */ };

/* Copies n items that are `step` bytes apart to places `to_step` apart. */
static void move_items(char *to, int64_t to_step, const char *from, int64_t step, int64_t n,
                       int64_t item)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * to_step, from + i * step, (size_t)item);
}

/* Sums a row of which some operands are repeated, or have their items apart. */
static void sum_apart(sum_row *row, const void *weights, int count, char *const *at,
                      const int64_t *step, int64_t n, int64_t item)
{
    char dense[APART], *ptr[1 + SUM_TERMS], *room[1 + SUM_TERMS] = {NULL};
    int64_t others = 0;
    for (int k = 0; k <= count; k++)
        others += step[k] != item;
    const int64_t piece = APART / item / others;
    for (int k = 0, used = 0; k <= count; k++)
        if (step[k] != item) room[k] = dense + used++ * piece * item;
    for (int64_t i = 0, m; i < n; i += m) {
        m = least(n - i, piece);
        for (int k = 0; k <= count; k++) {
            char *const from = at[k] + i * step[k];
            ptr[k] = room[k] ? room[k] : from;
            if (room[k] && k > 0 && (step[k] != 0 || i == 0))
                move_items(room[k], item, from, step[k], m, item);
        }
        row(ptr[0], (const char *const *)&ptr[1], weights, count, m);
        if (room[0]) move_items(at[0] + i * step[0], step[0], room[0], item, m, item);
    }
}

static void sum_rows(char *const *ptr, const stria_dim *d, stria_kind kind, int64_t item)
{
    sum_row *const row = stria__window()->sum[kind];
    const void *const weights = ptr[1] + sizeof(struct constant);
    char *at[1 + SUM_TERMS] = {ptr[0]};
    int64_t step[1 + SUM_TERMS] = {d[0].s[0]}, count;
    bool dense = step[0] == item || d[0].n == 1;
    memcpy(&count, ptr[1], sizeof count);
    for (int64_t k = 1; k <= count; k++) {
        at[k] = ptr[1 + k];
        step[k] = d[0].s[1 + k];
        dense = dense && (step[k] == item || d[0].n == 1);
    }
    for (int64_t j = 0; j < d[1].n; j++) {
        if (dense)
            row(at[0], (const char *const *)&at[1], weights, (int)count, d[0].n);
        else
            sum_apart(row, weights, (int)count, at, step, d[0].n, item);
        for (int64_t k = 0; k <= count; k++)
            at[k] += d[1].s[k ? 1 + k : 0];
    }
}

#define LOOPS(name, kind, item)                                                                    \
    static void name(char *const *ptr, const stria_dim *d)                                         \
    {                                                                                              \
        sum_rows(ptr, d, kind, item);                                                              \
    }
LOOPS(sum_f32, STRIA_F32, 4)
LOOPS(sum_f64, STRIA_F64, 8)

map_loop *stria__sum_loop(stria_kind kind)
{
    return kind == STRIA_F32 ? sum_f32 : kind == STRIA_F64 ? sum_f64 : NULL;
}
