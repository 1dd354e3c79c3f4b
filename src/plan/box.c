/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/box.h"

#include "base/integers.h"
#include "machine/machine.h"

/* ---- policies -------------------------------------------------------------------------------- */

void stria__cut_begin(struct cut *out, const stria_plan *plan)
{
    out->plan = plan;
    out->head = 0;
    out->first = 0;
    for (int d = 0; d < plan->ndim; d++) {
        out->size[d] = 1;
        out->order[d] = d;
    }
}

int64_t stria__even_part(int64_t n, int64_t most, int64_t unit)
{
    if (most >= n) return n;
    const int64_t parts = (n - 1) / most + 1, even = (n - 1) / parts + 1;
    return even < unit ? even : least(round_up(even, unit), most);
}

int stria__cut_rows(struct cut *cut, int64_t most)
{
    const stria_plan *const plan = cut->plan;
    int d = 0;
    for (; d < plan->ndim && plan->dims[d].n <= most; d++)
        most /= cut->size[d] = plan->dims[d].n;
    if (d < plan->ndim) cut->size[d] = most > 1 ? stria__even_part(plan->dims[d].n, most, 1) : 1;
    return d;
}

int64_t stria__cut_grow(struct cut *cut, const int *dims, int64_t wanted, int64_t room,
                        int64_t unit)
{
    for (int i = 0; i < cut->plan->ndim && wanted > 1 && room > 1; i++) {
        int64_t *const here = &cut->size[dims[i]];
        const int64_t n = cut->plan->dims[dims[i]].n, most = *here * room;
        int64_t longer = wanted < most ? wanted : most;
        longer = stria__even_part(n, longer, *here == 1 ? unit : 1);
        if (longer > *here) {
            room = room * *here / longer;
            *here = longer;
        }
        wanted = (wanted + *here - 1) / *here;
        if (*here < n) break;
    }
    return room;
}

void stria__memory_order(int *dims, const stria_plan *plan, int k)
{
    dims[0] = 0; /* A list always has a first dim. */
    for (int d = 0; d < plan->ndim; d++) {
        const uint64_t s = magnitude(plan->dims[d].s[k]) - 1;
        int i = d;
        for (; i > 0 && magnitude(plan->dims[dims[i - 1]].s[k]) - 1 > s; i--)
            dims[i] = dims[i - 1];
        dims[i] = d;
    }
}

int64_t stria__cut_items(const struct cut *cut)
{
    int64_t items = 1;
    for (int d = 0; d < cut->plan->ndim; d++)
        items *= cut->size[d];
    return items;
}

int64_t stria__box_items(const struct box *box, const struct cut *cut)
{
    int64_t items = 1;
    for (int d = 0; d < cut->plan->ndim; d++)
        items *= box->n[d];
    return items;
}

int64_t stria__cut_boxes(const struct cut *cut)
{
    int64_t boxes = 1;
    for (int d = 0; d < cut->plan->ndim; d++)
        boxes *= (cut->plan->dims[d].n - 1) / cut->size[d] + 1;
    return boxes;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Sets the size along dim d of the box that begins with its element `at`. */
static void set_size(struct box *box, const struct cut *cut, int d, int64_t at)
{
    const int64_t n = cut->plan->dims[d].n;
    const bool head = d == cut->head && at == 0 && cut->first > 0 && cut->size[d] < n;
    box->index[d] = at;
    box->n[d] = least(head ? cut->first : cut->size[d], n - at);
}

/* Moves a box by so many elements along dim d. */
static void move_box(struct box *box, const struct cut *cut, int d, int64_t by)
{
    for (int k = 0; k < cut->plan->nops; k++)
        box->ptr[k] = stria__at(box->ptr[k], by, cut->plan->dims[d].s[k]);
    set_size(box, cut, d, box->index[d] + by);
}

void stria__box_first(struct box *out, const struct cut *cut)
{
    memcpy(out->ptr, cut->plan->ptr, (size_t)cut->plan->nops * sizeof *out->ptr);
    for (int d = 0; d < cut->plan->ndim; d++)
        set_size(out, cut, d, 0);
}

bool stria__box_next(struct box *box, const struct cut *cut)
{
    for (int i = 0; i < cut->plan->ndim; i++) {
        const int d = cut->order[i];
        const int64_t n = cut->plan->dims[d].n;
        if (box->n[d] == n) continue;
        const bool more = box->index[d] + box->n[d] < n;
        move_box(box, cut, d, more ? box->n[d] : -box->index[d]);
        if (more) return true;
    }
    return false;
}

void stria__box_at(struct box *out, const struct cut *cut, int64_t number)
{
    stria__box_first(out, cut);
    for (int i = 0; i < cut->plan->ndim; i++) {
        const int d = cut->order[i];
        const int64_t boxes = (cut->plan->dims[d].n - 1) / cut->size[d] + 1;
        move_box(out, cut, d, number % boxes * cut->size[d]);
        number /= boxes;
    }
}

char *stria__box_after(const struct box *box, const struct cut *cut, int k)
{
    char *at = box->ptr[k];
    for (int i = 0; i < cut->plan->ndim; i++) {
        const int d = cut->order[i];
        const stria_dim *const dim = &cut->plan->dims[d];
        if (box->n[d] == dim->n) continue;
        const bool more = box->index[d] + box->n[d] < dim->n;
        at = stria__at(at, more ? box->n[d] : -box->index[d], dim->s[k]);
        if (more) return at;
    }
    return NULL;
}

bool stria__box_is_full(const struct box *box, const struct cut *cut)
{
    for (int d = 0; d < cut->plan->ndim; d++)
        if (box->n[d] != cut->size[d]) return false;
    return true;
}

void stria__box_plan(stria_plan *out, const struct box *box, const struct cut *cut)
{
    stria__plan_copy(out, cut->plan);
    memcpy(out->ptr, box->ptr, (size_t)out->nops * sizeof *out->ptr);
    for (int d = 0; d < out->ndim; d++)
        out->dims[d].n = box->n[d];
}

void stria__box_view(stria_view *out, const stria_view *like, const struct box *box,
                     const struct cut *cut, int k)
{
    int ndim = 0;
    out->data = box->ptr[k];
    out->buffer = like->buffer;
    out->dtype = like->dtype;
    out->flags = like->flags;
    for (int d = cut->plan->ndim - 1; d >= 0; d--) {
        if (box->n[d] == 1) continue;
        out->shape[ndim] = box->n[d];
        out->strides[ndim++] = cut->plan->dims[d].s[k];
    }
    out->ndim = ndim;
}
