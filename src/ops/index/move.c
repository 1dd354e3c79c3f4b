/* SPDX-License-Identifier: BSD-3-Clause */
/* One function for both directions and all sizes; the constants fold away in each loop below. */
#include "ops/index/move.h"

#include <string.h>

static inline __attribute__((always_inline)) void move(char *const *ptr, const stria_dim *d,
                                                       size_t item, bool scatter)
{
    const int64_t n = d[0].n, so = d[0].s[0], sa = d[0].s[1], sk = d[0].s[2];
    const bool dense = sk == 0 && so == (int64_t)item && sa == (int64_t)item;
    for (int64_t j = 0; j < d[1].n; j++) {
        char *out = ptr[0] + j * d[1].s[0];
        const char *a = ptr[1] + j * d[1].s[1], *offsets = ptr[2] + j * d[1].s[2];
        int64_t offset;
        if (dense) {
            memcpy(&offset, offsets, sizeof offset);
            memcpy(scatter ? out + offset : out, scatter ? a : a + offset, (size_t)n * item);
            continue;
        }
        for (int64_t i = 0; i < n; i++) {
            memcpy(&offset, offsets + i * sk, sizeof offset);
            memcpy(out + i * so + (scatter ? offset : 0), a + i * sa + (scatter ? 0 : offset),
                   item);
        }
    }
}

static void gather_any(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *how = arg;
    move(ptr, d, (size_t)how->item, false);
}

static void scatter_any(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *how = arg;
    move(ptr, d, (size_t)how->item, true);
}

#define LOOP(name, item, scatter)                                                                  \
    static void name(char *const *ptr, const stria_dim *d, const void *arg)                        \
    {                                                                                              \
        (void)arg;                                                                                 \
        move(ptr, d, item, scatter);                                                               \
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
