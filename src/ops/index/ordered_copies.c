/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of ordered_copies.h. */
#include "ops/index/ordered_copies.h"

#include "array.h"
#include "status.h"
#include "stria/copy.h"

void stria__ordered_release(struct ordered *ordered)
{
    while (ordered->count > 0)
        stria_array_release(&ordered->made[--ordered->count]);
}

stria_status stria__copy_ordered(struct ordered *ordered, const stria_view **operand,
                                 const stria_view *like, stria_order order)
{
    const uint32_t lazy = STRIA_CONJ | STRIA_NEG;
    stria_array *const made = &ordered->made[ordered->count];
    array_none(made);
    STRIA_TRY(stria_empty_like(made, like, (*operand)->dtype, order));
    ordered->count++;
    made->view.flags = (made->view.flags & ~lazy) | ((*operand)->flags & lazy);
    const stria_status status = stria_copy(&made->view, *operand);
    *operand = &made->view;
    return status;
}
