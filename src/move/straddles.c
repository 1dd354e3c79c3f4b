/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds straddling lines, and makes the parts of a nest between them. */
#include "straddles.h"

#include "simd/kernels.h"

bool stria__find_straddles(struct straddles *out, const struct nest *nest)
{
    enum { ROWS = 3, LINES = 2 /* Least number of rows, and of lines in a row. */ };
    const int64_t row = nest->d[0].n * nest->item, head = (int64_t)(-(uintptr_t)nest->out % LINE);
    int along = 0; /* The dim that continues in the output where dim 0 ends. */
    uint64_t bits = (uint64_t)row;
    for (int d = nest->ndim - 1; d >= 1; d--) {
        bits |= (uint64_t)nest->d[d].so;
        if (nest->d[d].so == row) along = d;
    }
    if (head == 0 || bits % LINE || head % nest->item || LINE % nest->item) return false;
    if (!along || nest->d[along].n < ROWS || row < LINES * LINE) return false;
    out->along = along;
    out->head = head / nest->item;
    out->tail = (LINE - head) / nest->item;
    return true;
}

void stria__straddle_part(struct nest *out, const struct nest *nest, const struct straddles *s,
                          enum straddle_part part)
{
    const struct nest_dim *d = nest->d;
    const int64_t n = d[0].n, rows = d[s->along].n;
    /* Place of the part along dim 0 and along the dim of adjacent rows, and its sizes there. */
    const struct {
        int64_t begin, n, row, rows;
    } parts[] = {[BETWEEN_STRADDLES] = {s->head, n - s->head - s->tail, 0, rows},
                 [ON_STRADDLES] = {n - s->tail, s->head + s->tail, 0, rows - 1},
                 [WITH_STRADDLES] = {s->head, n, 0, rows - 1},
                 [LAST_ROW] = {s->head, n - s->head, rows - 1, 1},
                 [BEFORE_STRADDLES] = {0, s->head, 0, 1},
                 [BEHIND_STRADDLES] = {n - s->tail, s->tail, rows - 1, 1}},
      p = parts[part];
    stria__nest_begin(out, nest->out + p.begin * d[0].so + p.row * d[s->along].so,
                      nest->in + p.begin * d[0].si + p.row * d[s->along].si, nest->item);
    for (int i = 0; i < nest->ndim; i++)
        stria__nest_push(out, i == 0 ? p.n : i == s->along ? p.rows : d[i].n, d[i].so, d[i].si);
}
