/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/runs.h"

#include "checked.h"
#include "engine/move/ahead.h"

void stria__runs_next(struct runs *runs)
{
    for (int d = runs->first; d < runs->plan->ndim; d++) {
        const stria_dim *dim = &runs->plan->dims[d];
        if (++runs->index[d] < dim->n) {
            runs->at += dim->s[0];
            return;
        }
        runs->at -= (dim->n - 1) * dim->s[0];
        runs->index[d] = 0;
    }
    runs->at = NULL;
}

void stria__runs_fetch(struct runs *runs, int64_t bytes)
{
    while (runs->at && bytes > 0) {
        const int64_t n = least(bytes, runs->size - runs->ahead);
        stria__fetch_lines(runs->at + runs->ahead, n);
        bytes -= n;
        runs->ahead += n;
        if (runs->ahead < runs->size) continue;
        runs->ahead = 0;
        stria__runs_next(runs);
    }
}
