/* SPDX-License-Identifier: BSD-3-Clause */
#include "tiles.h"

#include <string.h>

#include "base/status.h"

struct dim_order order_of_file(int ndim, const int64_t *shape, bool fortran)
{
    struct dim_order order = {.worth = 4};
    for (int i = 0; i < ndim; i++) {
        const int d = fortran ? i : ndim - 1 - i;
        if (shape[d] != 1) order.dims[order.count++] = d;
    }
    return order;
}

stria_status part_of(stria_view *out, const stria_view *a, const int64_t *start,
                     const int64_t *size)
{
    *out = *a;
    for (int d = 0; d < a->ndim; d++)
        STRIA_TRY(stria_narrow(out, out, d, start[d], size[d]));
    return STRIA_OK;
}

struct dim_order order_of_view(const stria_view *a, int ndim)
{
    struct dim_order order = {.worth = 1};
    const int missing = ndim - a->ndim;
    for (int d = a->ndim - 1; d >= 0; d--) {
        if (a->shape[d] == 1 || a->strides[d] == 0) continue;
        int at = order.count++;
        for (; at > 0 && step_of(a, order.dims[at - 1] - missing) > step_of(a, d); at--)
            order.dims[at] = order.dims[at - 1];
        order.dims[at] = d + missing;
    }
    return order;
}

/* Counts adjacent elements when a box is followed in that order. *grow: the dim to make longer. */
static int64_t run_of(const struct tiles *t, const struct dim_order *order, int *grow)
{
    int64_t run = 1;
    *grow = -1;
    for (int i = 0; i < order->count; i++) {
        const int d = order->dims[i];
        run *= t->most[d];
        if (t->most[d] < t->shape[d]) {
            *grow = d;
            break;
        }
    }
    return run;
}

/* Doubles the extent of a dim, or fills the room that is left; false when there is none. */
static bool enlarge(struct tiles *t, int d, int64_t *items, int64_t room)
{
    const int64_t now = t->most[d], others = *items / now, left = room / others;
    int64_t next = now > t->shape[d] / 2 ? t->shape[d] : 2 * now;
    if (next > left) next = left;
    if (next <= now) return false;
    t->most[d] = next;
    *items = others * next;
    return true;
}

/* Grows the box: the run that is shorter, weighed by its worth, grows until both are whole or the
 * room is filled. */
static void grow_box(struct tiles *t, int64_t room, const struct dim_order *file,
                     const struct dim_order *read)
{
    int64_t items = 1;
    for (bool more = true; more;) {
        int by_file, by_read;
        const int64_t written = run_of(t, file, &by_file), got = run_of(t, read, &by_read);
        const bool first =
            by_file >= 0 && (by_read < 0 || written * read->worth <= got * file->worth);
        const int d = first ? by_file : by_read;
        more = d >= 0 && enlarge(t, d, &items, room);
    }
}

static bool is_empty(const struct tiles *t)
{
    for (int d = 0; d < t->ndim; d++)
        if (t->shape[d] == 0) return true;
    return false;
}

void tiles_start(struct tiles *t, int ndim, const int64_t *shape, bool fortran, int64_t item,
                 int64_t room, const struct dim_order *file, const struct dim_order *read)
{
    *t = (struct tiles){.ndim = ndim};
    for (int d = 0; d < ndim; d++) {
        t->shape[d] = shape[d];
        t->most[d] = 1;
        t->order[d] = fortran ? d : ndim - 1 - d;
    }
    if (is_empty(t)) {
        memcpy(t->most, t->shape, sizeof t->most);
        memcpy(t->size, t->shape, sizeof t->size);
        return;
    }
    grow_box(t, room > item ? room / item : 1, file, read);
    for (int d = 0; d < ndim; d++) {
        /* Boxes get equal sizes, without a small remainder. */
        const int64_t parts = (shape[d] - 1) / t->most[d] + 1;
        t->most[d] = (shape[d] - 1) / parts + 1;
        t->size[d] = t->most[d];
    }
}

void tiles_advance(struct tiles *t, const struct dim_order *order)
{
    bool taken[STRIA_MAX_NDIM] = {false};
    int count = 0;
    for (; count < order->count; count++) {
        t->order[count] = order->dims[count];
        taken[order->dims[count]] = true;
    }
    for (int d = t->ndim - 1; d >= 0; d--)
        if (!taken[d]) t->order[count++] = d;
}

bool tiles_next(struct tiles *t)
{
    for (int i = 0; i < t->ndim; i++) {
        const int d = t->order[i];
        t->start[d] += t->most[d];
        if (t->start[d] < t->shape[d]) {
            const int64_t left = t->shape[d] - t->start[d];
            t->size[d] = left < t->most[d] ? left : t->most[d];
            return true;
        }
        t->start[d] = 0;
        t->size[d] = t->most[d];
    }
    return false;
}
