/* SPDX-License-Identifier: BSD-3-Clause */
/* From bytes to items and back. */
#include "through_items.h"

#include "simd/kernels.h"

void stria__nest_of_conversion(struct nest *out, const stria_plan *plan,
                               const struct conversion *how)
{
    out->out = plan->ptr[0];
    out->in = plan->ptr[1];
    out->item = how->out_item;
    out->ndim = plan->ndim;
    for (int d = 0; d < plan->ndim; d++)
        out->d[d] = (struct nest_dim){plan->dims[d].n, plan->dims[d].s[0], plan->dims[d].s[1]};
}

bool stria__nest_in_items(struct nest *out, const struct nest *nest, const struct conversion *how)
{
    out->item = 1;
    out->ndim = 0;
    out->out = nest->out;
    out->in = nest->in;
    for (int d = 0; d < nest->ndim; d++) {
        const int64_t n = nest->d[d].n;
        int64_t so = nest->d[d].so, si = nest->d[d].si;
        if (so % how->out_item != 0 || si % how->in_item != 0 || si == 0) return false;
        if (si < 0 && d > 0) {
            out->out += (n - 1) * so;
            out->in += (n - 1) * si;
            so = -so;
            si = -si;
        }
        stria__nest_push(out, n, so / how->out_item, si / how->in_item);
    }
    return true;
}

struct heads stria__heads_in_items(const struct nest *items, const struct conversion *how,
                                   int64_t np, int64_t nq)
{
    const int p = stria__tiling_dim(items);
    struct heads heads = stria__tiling_heads_of(items, p, how->out_item, how->in_item);
    if (items->d[p].n <= np) heads.p = 0;
    if (items->d[0].n <= nq) heads.q = 0;
    return heads;
}

bool stria__items_line_up(const struct tiling *t, const struct nest *items,
                          const struct conversion *how)
{
    const int64_t head = t->q.first < t->q.block ? t->q.first : 0;
    uint64_t bits = (uintptr_t)items->out + (uint64_t)(head * how->out_item);
    for (int d = 1; d < items->ndim; d++)
        bits |= (uint64_t)items->d[d].so * (uint64_t)how->out_item;
    return bits % LINE == 0;
}

void stria__tiling_in_bytes(struct tiling *t, const struct conversion *how)
{
    for (int64_t i = 0; i < t->p.inner * t->p.block; i++)
        t->p.at[i] *= how->out_item;
    for (int64_t i = 0; i < t->q.inner * t->q.block; i++)
        t->q.at[i] *= how->in_item;
    for (int i = 0; i < t->nloops; i++) {
        t->loops[i].so *= how->out_item;
        t->loops[i].si *= how->in_item;
    }
}
