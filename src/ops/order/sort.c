/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts along a dim: checks, and the work on each line. */
#include "ops/doors.h"
#include "ops/operands.h"
#include "ops/order/along.h"
#include "ops/order/arrange.h"
#include "ops/order/lines.h"
#include "base/status.h"
#include "stria/sort.h"

enum { CYCLES = 40 }; /* Cycles of an element. */

static void sort_values(const void *context, char *const *rows, int64_t n, char *room)
{
    const struct along *const s = context;
    stria__sort_values(&s->by_value, rows[1], rows[0], n, room);
}

static void sort_line(const void *context, char *const *rows, char *room)
{
    const struct along *const s = context;
    struct arranging w = stria__arranging_at(room, s->n, s->crew);
    const struct key_items of = {rows[0], s->items.itemsize};
    stria__arrange(&w, &s->keys, &of, s->n, true, false);
    if (s->values)
        stria__take_line(rows[1], rows[0], &w, s->n, s->items.itemsize);
    else
        stria__write_places(rows[1], &w, s->n);
}

/* Writes sorted elements of a if `values`, else indices; out NULL: into a new array. */
static stria_status sort(const stria_view *out, stria_array *made, bool values, const stria_view *a,
                         int dim, bool descending, const stria_exec *exec)
{
    COMPUTES(exec);
    OWNED_ALONG(s);
    STRIA_TRY(stria__along_begin(&s, values ? "sort" : "argsort", a, dim, descending, exec));
    s.values = values;
    const int64_t lines = s.n > 0 ? stria_numel(&s.a) / s.n : 0;
    const bool by_value = values && stria__value_sort(&s.by_value, (stria_kind)s.items.kind, s.n,
                                                      lines, descending, s.crew);
    if (by_value) {
        s.room = s.by_value.room;
        s.rows = sort_values;
    }
    const struct along_output to = {out, "out", values ? s.items : stria_dtype_of(STRIA_I64), s.n};
    return stria__along_one(&s, to, made, !by_value, CYCLES, sort_line);
}

DOORS(sort, (const stria_view *a, int dim, bool descending),
      sort(out, made, true, a, dim, descending, exec))

DOORS(argsort, (const stria_view *a, int dim, bool descending),
      sort(out, made, false, a, dim, descending, exec))
