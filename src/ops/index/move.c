/* SPDX-License-Identifier: BSD-3-Clause */
/* One function for both directions and all sizes; the constants fold away in each loop below. */
#include "ops/index/move.h"

#include <string.h>

#include "dispatch.h"
#include "ops/copy/kernel_args.h"

/* Rows that have one offset each: copies like any others. */
static void move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter)
{
    const struct stria_kernels *const kernels = stria__kernels();
    struct strided t = {.n = {d[0].n, 1}, .so = {d[0].s[0]}, .si = {d[0].s[1]}, .item = item};
    const bool dense = t.so[0] == item && t.si[0] == item, same = t.so[0] == item && t.si[0] == 0;
    for (int64_t j = 0; j < d[1].n; j++) {
        const int64_t offset = stria__offset_at(ptr[2] + j * d[1].s[2], how->scale, how->wrap);
        t.out = ptr[0] + j * d[1].s[0] + (scatter ? offset : 0);
        t.in = ptr[1] + j * d[1].s[1] + (scatter ? 0 : offset);
        if (dense) /* not by whole lines: reads of lines that lie anywhere wait for such stores */
            memcpy(t.out, t.in, (size_t)(t.n[0] * item));
        else if (same)
            kernels->fill(&t);
        else
            kernels->strided[stria__size_class(item)](&t);
    }
}

static inline __attribute__((always_inline)) void
move(char *const *ptr, const stria_dim *d, const struct move *arg, size_t item, bool scatter)
{
    enum { FEW = 4 };
    const int64_t scale = arg->scale, wrap = arg->wrap;
    const int64_t n = d[0].n, so = d[0].s[0], sa = d[0].s[1], sk = d[0].s[2];
    if (sk == 0 && n >= FEW) {
        move_rows(ptr, d, arg, (int64_t)item, scatter);
        return;
    }
    for (int64_t j = 0; j < d[1].n; j++) {
        char *out = ptr[0] + j * d[1].s[0];
        const char *a = ptr[1] + j * d[1].s[1], *offsets = ptr[2] + j * d[1].s[2];
        for (int64_t i = 0; i < n; i++) {
            const int64_t offset = stria__offset_at(offsets + i * sk, scale, wrap);
            memcpy(out + i * so + (scatter ? offset : 0), a + i * sa + (scatter ? 0 : offset),
                   item);
        }
    }
}

static void gather_any(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *how = arg;
    move(ptr, d, how, (size_t)how->item, false);
}

static void scatter_any(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *how = arg;
    move(ptr, d, how, (size_t)how->item, true);
}

#define LOOP(name, item, scatter)                                                                  \
    static void name(char *const *ptr, const stria_dim *d, const void *arg)                        \
    {                                                                                              \
        move(ptr, d, arg, item, scatter);                                                          \
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
