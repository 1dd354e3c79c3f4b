/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row of a group is prefetched while its counterpart in the group before it is packed. */
#include "ops/panel.h"

#include <assert.h>
#include <string.h>

#include "dispatch.h"
#include "engine/move/ahead.h"
#include "engine/move/kernel_args.h"

/* The rows of a group fill as many cache lines of the buffer, or halves of them. */
enum { GROUP = 32, GROUP_OF_BYTES = 64 };

/* The rows that remain, in C order. */
struct rows {
    const struct panel *panel;
    const char *at; /* NULL after the last row */
    int64_t index[STRIA_MAX_NDIM];
};

static const char *next_row(struct rows *r)
{
    const struct panel *p = r->panel;
    const char *const row = r->at;
    for (int d = 0; d < p->ndim; d++) {
        const stria_dim *dim = &p->plan->dims[d];
        r->at += dim->s[0];
        if (++r->index[d] < dim->n) return row;
        r->at -= dim->n * dim->s[0];
        r->index[d] = 0;
    }
    r->at = NULL;
    return row;
}

static void pack_row(char *to, const char *from, int64_t run)
{
    for (; run >= LINE; run -= LINE, to += LINE, from += LINE)
        memcpy(to, from, LINE);
    for (; run >= LANE; run -= LANE, to += LANE, from += LANE)
        memcpy(to, from, LANE);
    for (; run > 0; run--)
        *to++ = *from++;
}

void stria__panel_gather(char *stage, const struct panel *p)
{
    const int64_t item = p->item, run = p->columns * item;
    const int64_t group = item == 1 ? GROUP_OF_BYTES : GROUP;
    assert(0 < item && item <= PANEL_ITEM && 0 < run && run <= PANEL_RUN);
    const int64_t pitch = (run + LINE - 1) / LINE * LINE;
    _Alignas(LINE) char packed[GROUP_OF_BYTES * PANEL_RUN];
    const char *row[GROUP_OF_BYTES]; /* the group that is being prefetched */
    int64_t in_at[GROUP_OF_BYTES], out_at[PANEL_RUN], height = item;
    struct rows rows = {.panel = p, .at = p->from};
    for (int d = 0; d < p->ndim; d++) {
        rows.index[d] = 0;
        height *= p->plan->dims[d].n;
    }
    for (int64_t i = 0; i < group; i++)
        in_at[i] = i * pitch;
    for (int64_t i = 0; i < p->columns; i++)
        out_at[i] = i * height;
    int64_t n = 0; /* rows that are being prefetched */
    for (; n < group && rows.at; n++)
        stria__fetch_lines(row[n] = next_row(&rows), run);
    while (n > 0) {
        const struct transpose t = {.out = stage,
                                    .in = packed,
                                    .out_at = out_at,
                                    .in_at = in_at,
                                    .np = p->columns,
                                    .nq = n,
                                    .item = item};
        n = 0;
        for (int64_t i = 0; i < t.nq; i++) {
            pack_row(packed + i * pitch, row[i], run);
            if (rows.at) stria__fetch_lines(row[n++] = next_row(&rows), run);
        }
        stria__kernels()->transpose[stria__size_class(item)](&t);
        stage += t.nq * item;
    }
}
