/* SPDX-License-Identifier: BSD-3-Clause */
/* Where seams are, and the parts of a nest between them. */
#include "seams.h"

#include "simd/kernels.h"

/* The dim, other than 0, that goes on in the output where dim 0 ends; 0 if there is none. */
static int next_rows(const struct nest *nest)
{
    const int64_t row = nest->d[0].n * nest->item;
    for (int d = 1; d < nest->ndim; d++)
        if (nest->d[d].so == row) return d;
    return 0;
}

bool stria__find_seams(struct seams *out, const struct nest *nest)
{
    enum { ROWS = 3, LINES = 2 /* least of them, and in a row */ };
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

/* n items of dim 0 from `begin` on, in `rows` of the dim along which there are seams, from `row`.
 */
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

void stria__between_seams(struct nest *out, const struct nest *nest, const struct seams *seams)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, seams->head, d[0].n - seams->head - seams->tail, seams->along, 0,
         d[seams->along].n);
}

void stria__across_seams(struct nest *out, int64_t *apart, const struct nest *nest,
                         const struct seams *seams)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, d[0].n - seams->tail, seams->head + seams->tail, seams->along, 0,
         d[seams->along].n - 1);
    *apart = d[seams->along].si - d[0].n * d[0].si;
}

void stria__with_seams(struct nest *out, const struct nest *nest, const struct seams *seams)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, seams->head, d[0].n, seams->along, 0, d[seams->along].n - 1);
}

void stria__last_row(struct nest *out, const struct nest *nest, const struct seams *seams)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, seams->head, d[0].n - seams->head, seams->along, d[seams->along].n - 1, 1);
}

void stria__before_seams(struct nest *out, const struct nest *nest, const struct seams *seams)
{
    part(out, nest, 0, seams->head, seams->along, 0, 1);
}

void stria__behind_seams(struct nest *out, const struct nest *nest, const struct seams *seams)
{
    const struct nest_dim *d = nest->d;
    part(out, nest, d[0].n - seams->tail, seams->tail, seams->along, d[seams->along].n - 1, 1);
}
