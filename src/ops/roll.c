/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A circular shift is two copies for each shifted dim: the elements that move forward, and those
 * that wrap around to the front. With several dims the parts multiply, and each is one copy of a
 * view.
 */
#include <string.h>

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

static stria_status roll_dims(stria_array *out, const stria_view *a, int count,
                              const int64_t *shifts, const int *dims)
{
    int64_t shift[STRIA_MAX_NDIM];
    bool moves = true;
    for (int d = 0; d < a->ndim; d++)
        shift[d] = 0;
    for (int i = 0; i < count; i++) {
        int d = 0;
        STRIA_TRY(stria__wrap_dim(&d, dims[i], a->ndim, "roll"));
        if (a->shape[d] == 0) continue;
        const int64_t by = modulo(shifts[i], a->shape[d]);
        moves = moves && by != 0;
        /* Adds `by`; the sum itself might overflow. */
        shift[d] = modulo(shift[d] - (a->shape[d] - by), a->shape[d]);
    }
    OWNED_ARRAY(made);
    const struct geometry g = view_geometry(a);
    /* PyTorch joins two parts that are both in the order of a, unless one is empty. */
    const stria_order order = moves ? stria__suggested_order(&g) : STRIA_ORDER_C;
    STRIA_TRY(stria__empty_like_memory(&made, a, a->dtype, a->ndim, a->shape, order));
    /* Every part of a roll has an element, so that there are no more copies than elements. */
    const bool nothing = stria_numel(a) == 0 || view_is_meta(a);
    return stria__deliver(out, &made, nothing ? STRIA_OK : roll_into(&made.view, a, shift, 0));
}

/* Rolls the elements in C order as one dim, which needs a copy where there is no such view. */
static stria_status roll_flat(stria_array *out, const stria_view *a, int64_t shift)
{
    const int64_t all = -1, none = 0;
    const int zero = 0;
    OWNED_ARRAY(made);
    OWNED_ARRAY(flat);
    STRIA_TRY(stria_reshape(&flat, a, 1, stria_numel(a) ? &all : &none, STRIA_COPY_IF_NEEDED, NULL,
                            NULL));
    STRIA_TRY(roll_dims(&made, &flat.view, 1, &shift, &zero));
    return stria__deliver(out, &made, stria_view_shape(&made.view, &made.view, a->ndim, a->shape));
}

stria_status stria_roll_new(stria_array *out, const stria_view *a, int count, const int64_t *shifts,
                            const int *dims, const stria_exec *exec)
{
    TAKES_EXEC(exec, "roll_new");
    STRIA_TRY(view_check(out, a, "roll"));
    if (count < 0 || (count && !shifts))
        return stria__fail(STRIA_ERR_ARGUMENT, "roll: %d shifts at %p", count,
                           (const void *)shifts);
    if (dims) return roll_dims(out, a, count, shifts, dims);
    if (count != 1)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "roll: %d shifts without dims; one shift rolls the flat array, several need a dim each",
            count);
    return roll_flat(out, a, shifts[0]);
}
