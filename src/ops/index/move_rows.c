/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves rows that have one offset each. Long ones are ordinary copies; for short ones a call would
 * take longer than the copy.
 */
#include <string.h>

#include "dispatch.h"
#include "engine/move/nest.h"
#include "ops/index/indexed_loops.h"

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

/* Copies rows; half 0 stands for lengths that no other case has. */
static inline __attribute__((always_inline)) void copy_rows(char *out, const char *in,
                                                            const char *offsets, const stria_dim *d,
                                                            const struct move *how, int64_t bytes,
                                                            bool scatter, size_t half)
{
    const int64_t scale = how->scale, wrap = how->wrap, n = d->n;
    const int64_t so = d->s[0], si = d->s[1], sk = d->s[2];
    for (int64_t j = 0; j < n; j++) {
        const int64_t offset = stria__offset_at(offsets + j * sk, scale, wrap);
        char *const to = out + j * so + (scatter ? offset : 0);
        const char *const from = in + j * si + (scatter ? 0 : offset);
        if (half)
            copy_ends(to, from, bytes, half);
        else /* no non-temporal stores: reads from arbitrary lines wait for them */
            memcpy(to, from, (size_t)bytes);
    }
}

/* Moves rows that are dense on both sides; dim d counts the rows. */
static inline __attribute__((always_inline)) void
move_dense(char *out, const char *in, const char *offsets, const stria_dim *d,
           const struct move *how, int64_t bytes, bool scatter)
{
    if (bytes < 4 || bytes > 64)
        copy_rows(out, in, offsets, d, how, bytes, scatter, 0);
    else if (bytes <= 8)
        copy_rows(out, in, offsets, d, how, bytes, scatter, 4);
    else if (bytes <= 16)
        copy_rows(out, in, offsets, d, how, bytes, scatter, 8);
    else if (bytes <= 32)
        copy_rows(out, in, offsets, d, how, bytes, scatter, 16);
    else
        copy_rows(out, in, offsets, d, how, bytes, scatter, 32);
}

void stria__move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter)
{
    enum { ROW = 256 };
    const struct stria_kernels *const kernels = stria__kernels();
    struct strided t = {.n = {d[0].n, 1}, .so = {d[0].s[0]}, .si = {d[0].s[1]}, .item = item};
    const bool dense = t.so[0] == item && t.si[0] == item, same = t.so[0] == item && t.si[0] == 0;
    const int64_t bytes = t.n[0] * item;
    if (dense) {
        move_dense(ptr[0], ptr[1], ptr[2], &d[1], how, bytes, scatter);
        return;
    }
    if (same && scatter && d[1].s[1] == 0 && bytes <= ROW) { /* all rows are the same */
        char row[ROW];
        t.out = row;
        t.in = ptr[1];
        kernels->fill(&t);
        move_dense(ptr[0], row, ptr[2], &d[1], how, bytes, scatter);
        return;
    }
    for (int64_t j = 0; j < d[1].n; j++) {
        const int64_t offset = stria__offset_at(ptr[2] + j * d[1].s[2], how->scale, how->wrap);
        t.out = ptr[0] + j * d[1].s[0] + (scatter ? offset : 0);
        t.in = ptr[1] + j * d[1].s[1] + (scatter ? 0 : offset);
        if (same)
            kernels->fill(&t);
        else
            kernels->strided[stria__size_class(item)](&t);
    }
}
