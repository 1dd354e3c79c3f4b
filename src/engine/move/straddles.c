/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds straddling lines, and makes the parts of a nest between them. */
#include "straddles.h"

#include "simd/kernels.h"

/*
 * Returns the dim, other than 0, that continues in the output where dim 0 ends; 0 if there is none.
 */
static int next_rows(const struct nest *nest)
{
    const int64_t row = nest->d[0].n * nest->item;
    for (int d = 1; d < nest->ndim; d++)
        if (nest->d[d].so == row) return d;
    return 0;
}

bool stria__find_straddles(struct straddles *out, const struct nest *nest)
{
    enum { ROWS = 3, LINES = 2 /* least rows, and least lines in a row */ };
    const int64_t row = nest->d[0].n * nest->item, head = (int64_t)(-(uintptr_t)nest->out % LINE);
    const int along = next_rows(nest);
    uint64_t bits = (uint64_t)row;
    for (int d = 1; d < nest->ndim; d++)
        bits |= (uint64_t)nest->d[d].so;
    if (head == 0 || bits % LINE || head % nest->item || LINE % nest->item) return false;
    if (!along || nest->d[along].n < ROWS || row < LINES * LINE) return false;
    out->along = along;
    out->head = head / nest->item;
    out->tail = (LINE - head) / nest->item;
    return true;
}

/* Takes n items of dim 0 from `begin` on, in `rows` of the dim of adjacent rows from `row` on. */
static void part(struct nest *out, const struct nest *nest, int64_t begin, int64_t n, int along,
                 int64_t row, int64_t rows)
{
    const struct nest_dim *d = nest->d;
    out->out = nest->out + begin * d[0].so + row * d[along].so;
    out->in = nest->in + begin * d[0].si + row * d[along].si;
    out->item = nest->item;
    out->ndim = 0;
    for (int i = 0; i < nest->ndim; i++)
        stria__nest_push(out, i == 0 ? n : i == along ? rows : d[i].n, d[i].so, d[i].si);
}

void stria__between_straddles(struct nest *out, const struct nest *nest,
                              const struct straddles *straddles)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, straddles->head, d[0].n - straddles->head - straddles->tail, straddles->along,
         0, d[straddles->along].n);
}

void stria__across_straddles(struct nest *out, int64_t *apart, const struct nest *nest,
                             const struct straddles *straddles)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, d[0].n - straddles->tail, straddles->head + straddles->tail, straddles->along,
         0, d[straddles->along].n - 1);
    *apart = d[straddles->along].si - d[0].n * d[0].si;
}

void stria__with_straddles(struct nest *out, const struct nest *nest,
                           const struct straddles *straddles)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, straddles->head, d[0].n, straddles->along, 0, d[straddles->along].n - 1);
}

void stria__last_row(struct nest *out, const struct nest *nest, const struct straddles *straddles)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, straddles->head, d[0].n - straddles->head, straddles->along,
         d[straddles->along].n - 1, 1);
}

void stria__before_straddles(struct nest *out, const struct nest *nest,
                             const struct straddles *straddles)
{
    part(out, nest, 0, straddles->head, straddles->along, 0, 1);
}

void stria__behind_straddles(struct nest *out, const struct nest *nest,
                             const struct straddles *straddles)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, d[0].n - straddles->tail, straddles->tail, straddles->along,
         d[straddles->along].n - 1, 1);
}
