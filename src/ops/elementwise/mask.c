/* SPDX-License-Identifier: BSD-3-Clause */
/* See mask.h. */
#include "ops/elementwise/mask.h"

#include "dispatch.h"
#include "dtype.h"
#include "engine/move/kernel_args.h"
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

map_loop *stria__choose_items(int64_t item)
{
    static const stria_kind kinds[SIZE_ANY] = {STRIA_U8, STRIA_U16, STRIA_U32, STRIA_U64,
                                               STRIA_C128};
    const enum size_class size = stria__size_class(item);
    map_loop *const loop = stria__kernels()->choose_or_keep[size];
    return loop ? loop : op_loop(stria__kernels(), STRIA_WHERE, kinds[size]);
}

struct map_mask stria__mask_for(const stria_view *mask, int64_t item)
{
    struct map_mask out = {.view = mask};
    if (mask) out.choose = stria__choose_items(item);
    return out;
}
