/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Swaps bytes by copying an array onto itself with the dtype of the other byte order. Records are
 * swapped field by field, after the check that no two fields share a byte.
 */
#include "ops/operands.h"
#include "base/status.h"
#include "stria/in_place.h"
#include "stria/record.h"

static stria_status check_lazy(const stria_view *a)
{
    if (!(a->flags & (STRIA_CONJ | STRIA_NEG))) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE,
                       "byteswap: the view is lazily %s, so its bytes are not its elements; %s it "
                       "first",
                       a->flags & STRIA_CONJ ? "conjugated" : "negated",
                       a->flags & STRIA_CONJ ? "resolve_conj" : "resolve_neg");
}

static bool has_order(stria_dtype dtype)
{
    return stria_dtype_swap(dtype).swapped != dtype.swapped;
}

/* Checks that items may be swapped; those without a byte order stay as they are, whatever they
 * share. */
static stria_status check_items(const stria_view *a)
{
    if (a->dtype.kind != STRIA_RECORD && !has_order(a->dtype)) return STRIA_OK;
    return stria__check_itself(a, "byteswap", "the array");
}

static stria_status swap_part(const stria_view *a, const stria_exec *exec)
{
    stria_view swapped = *a;
    swapped.dtype = stria_dtype_swap(a->dtype);
    return stria_copy(&swapped, a, exec);
}

/* Swaps every part of the items that has a byte order. */
static stria_status each_part(const stria_view *a, const stria_exec *exec)
{
    if (a->dtype.kind != STRIA_RECORD) return has_order(a->dtype) ? swap_part(a, exec) : STRIA_OK;
    for (int i = 0; i < stria_record_count(a->dtype); i++) {
        stria_view part;
        STRIA_TRY(stria_view_field(&part, a, stria_record_field(a->dtype, i)->name));
        STRIA_TRY(each_part(&part, exec));
    }
    return STRIA_OK;
}

stria_status stria_byteswap(const stria_view *a, const stria_exec *exec)
{
    STRIA_TRY(stria__check_writable(a, "byteswap", "the array"));
    STRIA_TRY(stria__check_exec(exec, "byteswap"));
    STRIA_TRY(check_lazy(a));
    STRIA_TRY(check_items(a));
    return each_part(a, exec);
}

stria_status stria_byteswap_new(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    OWNED_ARRAY(made);
    STRIA_TRY(view_check(out, a, "byteswap"));
    STRIA_TRY(stria__check_exec(exec, "byteswap"));
    STRIA_TRY(check_lazy(a));
    STRIA_TRY(stria_empty_like(&made, a, a->dtype, STRIA_ORDER_A));
    if (a->dtype.kind != STRIA_RECORD) { /* The copy swaps the bytes. */
        stria_view swapped = made.view;
        swapped.dtype = stria_dtype_swap(a->dtype);
        return stria__deliver(out, &made, stria_copy(&swapped, a, exec));
    }
    STRIA_TRY(stria_copy(&made.view, a, exec));
    return stria__deliver(out, &made, stria_byteswap(&made.view, exec));
}
