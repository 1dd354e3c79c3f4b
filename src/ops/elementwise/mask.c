/* SPDX-License-Identifier: BSD-3-Clause */
/* See mask.h. */
#include "ops/elementwise/mask.h"

#include "dispatch.h"
#include "dtype.h"
#include "simd/op_loop.h"
#include "status.h"
#include "threads.h"
#include "view/view.h"

stria_status stria__check_masked_exec(const stria_exec *exec, const char *op)
{
    char dtype[32];
    if (!exec) return STRIA_OK;
    STRIA_TRY(stria__check_given_exec(exec, op, true));
    if (!exec->where) return STRIA_OK;
    STRIA_TRY(stria__check_view(exec->where, op, "where"));
    if (exec->where->dtype.kind == STRIA_BOOL) return STRIA_OK;
    stria__dtype_brief(exec->where->dtype, dtype, sizeof dtype);
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: where is of dtype %s, not bool; compare it with something, or view "
                       "bytes of 0 and 1 as bool",
                       op, dtype);
}

/* Returns an unsigned kind of that item size: choosing moves items without looking at them. */
static stria_kind kind_of_size(int64_t item)
{
    switch (item) {
    case 1: return STRIA_U8;
    case 2: return STRIA_U16;
    case 4: return STRIA_U32;
    case 8: return STRIA_U64;
    default: assert(item == 16); return STRIA_C128;
    }
}

struct map_mask stria__mask_for(const stria_view *mask, int64_t item)
{
    struct map_mask out = {.view = mask};
    if (mask) out.choose = op_loop(stria__kernels(), STRIA_WHERE, kind_of_size(item));
    return out;
}
