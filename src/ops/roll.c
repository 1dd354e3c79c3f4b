/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A circular shift is two copies for each shifted dim: the elements that move forward, and those
 * that wrap around to the front. With several dims the parts multiply, and each is one copy of a
 * view.
 */
#include <string.h>

#include "ops/doors.h"
#include "ops/operands.h"
#include "stria/join.h"

/* Rolls the dims from d on. shift[d] is in 0 .. size-1 for each of them; the recursion is as deep
 * as the dims. */
static stria_status roll_into(const stria_view *out, const stria_view *a, const int64_t *shift,
                              int d)
{
    while (d < a->ndim && shift[d] == 0)
        d++;
    if (d == a->ndim) return stria_copy(out, a, NULL);
    const int64_t size = a->shape[d], moved = shift[d];
    stria_view from, to;
    STRIA_TRY(stria_narrow(&from, a, d, 0, size - moved));
    STRIA_TRY(stria_narrow(&to, out, d, moved, size - moved));
    STRIA_TRY(roll_into(&to, &from, shift, d + 1));
    STRIA_TRY(stria_narrow(&from, a, d, size - moved, moved));
    STRIA_TRY(stria_narrow(&to, out, d, 0, moved));
    return roll_into(&to, &from, shift, d + 1);
}

/* A roll; a flat one is of all elements in C order as one dim. */
struct roll {
    const stria_view *a;
    int64_t shift[STRIA_MAX_NDIM];
    bool flat, moves; /* Each dim that is listed moves. */
};

/* Every part of a roll has an element, so that there are no more copies than elements. */
static stria_status write_roll(void *arg, const stria_view *to)
{
    const struct roll *const r = arg;
    const int64_t all = stria_numel(to);
    stria_view line;
    OWNED_ARRAY(flat);
    if (!r->flat) return roll_into(to, r->a, r->shift, 0);
    STRIA_TRY(stria_reshape(&flat, r->a, 1, &all, STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(stria_view_shape(&line, to, 1, &all));
    return roll_into(&line, &flat.view, r->shift, 0);
}

/* Adds the shifts of each dim; a sum itself might overflow. */
static stria_status add_shifts(struct roll *r, int count, const int64_t *shifts, const int *dims)
{
    const stria_view *const a = r->a;
    r->moves = true;
    for (int i = 0; i < count; i++) {
        int d = 0;
        STRIA_TRY(stria__wrap_dim(&d, dims[i], a->ndim, "roll"));
        if (a->shape[d] == 0) continue;
        const int64_t by = modulo(shifts[i], a->shape[d]);
        r->moves = r->moves && by != 0;
        r->shift[d] = modulo(r->shift[d] - (a->shape[d] - by), a->shape[d]);
    }
    return STRIA_OK;
}

static stria_status roll(const stria_view *out, stria_array *made, const stria_view *a, int count,
                         const int64_t *shifts, const int *dims, const stria_exec *exec)
{
    TAKES_EXEC(exec, "roll");
    STRIA_TRY(stria__check_view(a, "roll", "the view"));
    if (count < 0 || (count && !shifts))
        return stria__fail(STRIA_ERR_ARGUMENT, "roll: %d shifts at %p", count,
                           (const void *)shifts);
    if (!dims && count != 1)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "roll: %d shifts without dims; one shift rolls the flat array, several need a dim each",
            count);
    struct roll r = {.a = a, .flat = !dims};
    const int64_t all = stria_numel(a);
    if (r.flat && all) r.shift[0] = modulo(shifts[0], all);
    if (!r.flat) STRIA_TRY(add_shifts(&r, count, shifts, dims));
    /* PyTorch joins two parts that are both in the order of a, unless one is empty. */
    const struct geometry g = view_geometry(a);
    const stria_order order = r.moves ? stria__suggested_order(&g) : STRIA_ORDER_C;
    const struct result result = {.op = "roll",
                                  .count = 1,
                                  .inputs = &a,
                                  .dtype = a->dtype,
                                  .ndim = a->ndim,
                                  .shape = a->shape,
                                  .order = order,
                                  .plain = r.flat,
                                  .write = write_roll,
                                  .arg = &r};
    return stria__give_result(out, made, &result, exec);
}

DOORS(roll, (const stria_view *a, int count, const int64_t *shifts, const int *dims),
      roll(out, made, a, count, shifts, dims, exec))
