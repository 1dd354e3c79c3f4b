/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans to nests, and the odometer over a nest's outer dims. */
#include "nest.h"

void stria__nest_make(struct nest *out, const stria_plan *plan, int64_t item)
{
    out->out = plan->ptr[0];
    out->in = plan->ptr[1];
    out->item = item;
    out->ndim = 0;
    for (int d = 0; d < plan->ndim; d++) {
        const stria_dim *dim = &plan->dims[d];
        if (dim->n == 1) continue;
        if (out->ndim == 0 && dim->s[0] == out->item && dim->s[1] == out->item)
            out->item *= dim->n;
        else
            out->d[out->ndim++] = (struct nest_dim){dim->n, dim->s[0], dim->s[1]};
    }
}

int64_t stria__nest_bytes(const struct nest *nest)
{
    int64_t bytes = nest->item;
    for (int d = 0; d < nest->ndim; d++)
        bytes *= nest->d[d].n;
    return bytes;
}

void stria__nest_walk(const struct nest *nest, int first, stria__nest_body *body, void *arg)
{
    int64_t index[STRIA_MAX_NDIM];
    char *out = nest->out;
    const char *in = nest->in;
    for (int d = first; d < nest->ndim; d++)
        index[d] = 0;
    for (;;) {
        body(out, in, arg);
        int d = first;
        for (; d < nest->ndim; d++) {
            const struct nest_dim *dim = &nest->d[d];
            if (++index[d] < dim->n) {
                out += dim->so;
                in += dim->si;
                break;
            }
            index[d] = 0;
            out -= (dim->n - 1) * dim->so;
            in -= (dim->n - 1) * dim->si;
        }
        if (d >= nest->ndim) return;
    }
}
