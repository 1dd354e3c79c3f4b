/* SPDX-License-Identifier: BSD-3-Clause */
/* The dim with the smallest steps makes runs of cache lines; the other dims are counted. */
#include "engine/move/ahead.h"

#include "checked.h"

static void start_run(struct ahead *a)
{
    a->line = a->at - (uintptr_t)a->at % LINE;
    a->end = a->at + a->run;
}

/* Returns the dim whose elements share cache lines; -1 when there is none. */
static int nearest(const struct ahead *a)
{
    int best = -1;
    for (int d = 0; d < a->ndim; d++)
        if (a->s[d] != 0 && magnitude(a->s[d]) <= LINE &&
            (best < 0 || magnitude(a->s[d]) < magnitude(a->s[best])))
            best = d;
    return best;
}

static void remove_dim(struct ahead *a, int d)
{
    for (a->ndim--; d < a->ndim; d++) {
        a->n[d] = a->n[d + 1];
        a->s[d] = a->s[d + 1];
    }
}

void stria__ahead(struct ahead *out, const stria_plan *plan, int ndim, int64_t n, const char *from,
                  int64_t item)
{
    out->ndim = 0;
    out->at = from;
    out->run = item;
    for (int d = 0; d < ndim; d++) {
        const int64_t times = d == ndim - 1 ? n : plan->dims[d].n;
        if (times == 1 || plan->dims[d].s[0] == 0) continue; /* the same cache lines again */
        out->n[out->ndim] = times;
        out->s[out->ndim++] = plan->dims[d].s[0];
    }
    const int d = nearest(out);
    if (d >= 0) {
        const int64_t reach = (out->n[d] - 1) * out->s[d];
        out->run += (int64_t)magnitude(reach);
        if (reach < 0) out->at += reach;
        remove_dim(out, d);
    }
    out->lines = (out->run + LINE - 1) / LINE;
    for (int k = 0; k < out->ndim; k++) {
        out->index[k] = 0;
        out->lines *= out->n[k];
    }
    start_run(out);
}

static void next_run(struct ahead *a)
{
    for (int d = 0; d < a->ndim; d++) {
        a->at += a->s[d];
        if (++a->index[d] < a->n[d]) {
            start_run(a);
            return;
        }
        a->at -= a->n[d] * a->s[d];
        a->index[d] = 0;
    }
    a->lines = 0;
}

void stria__ahead_fetch(struct ahead *ahead, int64_t lines)
{
    for (; lines > 0 && ahead->lines > 0; lines--) {
        __builtin_prefetch(ahead->line, 0, 2);
        ahead->line += LINE;
        if (ahead->line >= ahead->end) next_run(ahead);
    }
}
