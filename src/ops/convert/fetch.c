/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one box, one by one. */
#include "fetch.h"

#include <stddef.h>

#include "checked.h"
#include "ops/ahead.h"

/* A dim that lengthens the row: its items share lines, or follow what is there. */
static bool goes_on(const struct fetch *f, int64_t s)
{
    return f->ndim == 0 && (int64_t)magnitude(s) <= f->row + LINE;
}

void stria__fetch_start(struct fetch *out, const struct boxes *all, const char *src,
                        const int64_t *size)
{
    out->at = src;
    out->row = all->in_item;
    out->left = 1;
    out->owed = 0;
    out->then = NULL;
    out->ndim = 0;
    for (int k = 0; k < all->moving; k++) {
        const int d = all->by_input[k];
        const int64_t n = size[d], s = all->plan.dims[d].s[SRC];
        if (n == 1) continue;
        if (goes_on(out, s)) {
            if (s < 0) out->at += (n - 1) * s;
            out->row += (n - 1) * (int64_t)magnitude(s);
        } else {
            out->d[out->ndim++] = (struct fetch_dim){n, 0, s};
            out->left *= n;
        }
    }
}

static void next_row(struct fetch *f)
{
    f->left--;
    for (int k = 0; k < f->ndim; k++) {
        struct fetch_dim *d = &f->d[k];
        if (++d->i < d->n) {
            f->at += d->s;
            return;
        }
        d->i = 0;
        f->at -= (d->n - 1) * d->s;
    }
}

void stria__fetch(struct fetch *f, int64_t bytes)
{
    f->owed += bytes;
    for (; f->owed > 0 && f->left > 0; f->owed -= f->row) {
        stria__fetch_lines(f->at, f->row);
        next_row(f);
    }
    if (f->owed > 0 && f->then) {
        const int64_t rest = f->owed;
        f->owed = 0;
        stria__fetch(f->then, rest);
    }
}
