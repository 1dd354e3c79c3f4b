/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One function moves in both directions and for all sizes; its constants fold away in each loop
 * below.
 */
#include "machine/machine.h"
#include "ops/index/indexed_loops.h"

#include <string.h>

static inline __attribute__((always_inline)) void
move_items(char *out, const char *a, const char *offsets, int64_t so, int64_t sa, int64_t sk,
           int64_t n, int64_t scale, int64_t wrap, size_t item, bool scatter)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t offset = stria__offset_at(offsets + i * sk, scale, wrap);
        memcpy(out + i * so + (scatter ? offset : 0), a + i * sa + (scatter ? 0 : offset), item);
    }
}

static inline __attribute__((always_inline)) void
move(char *const *ptr, const stria_dim *d, const struct move *arg, size_t item, bool scatter)
{
    enum { INDEX = sizeof(int64_t) };
    const int64_t scale = arg->scale, wrap = arg->wrap, dense = (int64_t)item;
    const int64_t n = d[0].n, so = d[0].s[0], sa = d[0].s[1], sk = d[0].s[2];
    if (sk == 0 && n >= INDEXING_ROW) {
        stria__move_rows(ptr, d, arg, (int64_t)item, scatter);
        return;
    }
    /*
     * In most calls the indices and the items that they belong to are adjacent, and no index is
     * negative.
     */
    const bool plain = wrap == 0 && sk == INDEX && (scatter ? sa : so) == dense;
    const bool of_one = plain && (scatter ? so : sa) == 0;
    const bool same = scatter && wrap == 0 && sk == INDEX && so == 0 && sa == 0;
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const out = ptr[0] + j * d[1].s[0];
        const char *const a = ptr[1] + j * d[1].s[1], *const offsets = ptr[2] + j * d[1].s[2];
        if (of_one && scale == dense)
            move_items(out, a, offsets, scatter ? 0 : dense, scatter ? dense : 0, INDEX, n, dense,
                       0, item, scatter);
        else if (of_one)
            move_items(out, a, offsets, scatter ? 0 : dense, scatter ? dense : 0, INDEX, n, scale,
                       0, item, scatter);
        else if (same && scale == dense)
            move_items(out, a, offsets, 0, 0, INDEX, n, dense, 0, item, scatter);
        else if (plain)
            move_items(out, a, offsets, so, sa, INDEX, n, scale, 0, item, scatter);
        else
            move_items(out, a, offsets, so, sa, sk, n, scale, wrap, item, scatter);
    }
}

static stria_status gather_any(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *how = arg;
    move(ptr, d, how, (size_t)how->item, false);
    return STRIA_OK;
}

static stria_status scatter_any(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *how = arg;
    move(ptr, d, how, (size_t)how->item, true);
    return STRIA_OK;
}

#define LOOP(name, item, scatter)                                                                  \
    static stria_status name(char *const *ptr, const stria_dim *d, const void *arg)                \
    {                                                                                              \
        move(ptr, d, arg, item, scatter);                                                          \
        return STRIA_OK;                                                                           \
    }
LOOP(gather_1, 1, false)
LOOP(gather_2, 2, false)
LOOP(gather_4, 4, false)
LOOP(gather_8, 8, false)
LOOP(gather_16, 16, false)
LOOP(scatter_1, 1, true)
LOOP(scatter_2, 2, true)
LOOP(scatter_4, 4, true)
LOOP(scatter_8, 8, true)
LOOP(scatter_16, 16, true)

static const struct {
    int64_t item;
    stria_loop *gather, *scatter;
} loops[] = {
    {1, gather_1, scatter_1}, {2, gather_2, scatter_2},    {4, gather_4, scatter_4},
    {8, gather_8, scatter_8}, {16, gather_16, scatter_16},
};

stria_loop *stria__gather_loop(int64_t item)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (loops[i].item == item) return loops[i].gather;
    return gather_any;
}

stria_loop *stria__scatter_loop(int64_t item)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (loops[i].item == item) return loops[i].scatter;
    return scatter_any;
}
