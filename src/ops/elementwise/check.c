/* SPDX-License-Identifier: BSD-3-Clause */
/* See check.h. Every message begins with the operation and names the operand. */
#include "ops/elementwise/check.h"

#include "array.h"
#include "ops/operands.h"
#include "dtype.h"
#include "ops/elementwise/weak_scalar.h"
#include "status.h"
#include "stria/cast.h"
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

stria_status stria__check_inputs(const struct op_info **row, stria_op op, int n,
                                 const stria_view *const *operands, const stria_exec *exec)
{
    const struct op_info *const found = stria__op_info(op);
    if (!found)
        return stria__fail(STRIA_ERR_ARGUMENT, "elementwise: there is no operation %d", (int)op);
    if (n != found->inputs)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d operands, takes %d", found->name, n,
                           found->inputs);
    if (!operands) return stria__fail(STRIA_ERR_ARGUMENT, "%s: operands is NULL", found->name);
    STRIA_TRY(stria__check_masked_exec(exec, found->name));
    for (int i = 0; i < n; i++) {
        const char *const name = stria__operand_names(found)[i];
        STRIA_TRY(stria__check_view(operands[i], found->name, name));
        if (view_is_weak(operands[i])) STRIA_TRY(stria__check_weak(operands[i], found->name, name));
    }
    *row = found;
    return STRIA_OK;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static bool broadcasts_to(const stria_view *a, const stria_view *out)
{
    const int more = out->ndim - a->ndim;
    if (more < 0) return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != out->shape[more + d] && a->shape[d] != 1) return false;
    return true;
}

static stria_status refuse_shape(const struct op_info *row, const stria_view *out,
                                 const stria_view *a, const char *name)
{
    if (a->ndim > out->ndim)
        return stria__fail(STRIA_ERR_BROADCAST,
                           "%s: %s of shape %s has more dims than out of shape %s, which is never "
                           "broadcast; give out the shape to which the inputs broadcast",
                           row->name, name, stria__dims_text(a->ndim, a->shape).text,
                           stria__dims_text(out->ndim, out->shape).text);
    return stria__refuse_broadcast(row->name, out, "out", a, name);
}

static stria_status check_shapes(const struct op_info *row, const stria_view *out,
                                 const stria_view *const *operands, const stria_view *mask)
{
    for (int i = 0; i < row->inputs; i++)
        if (!broadcasts_to(operands[i], out))
            return refuse_shape(row, out, operands[i], stria__operand_names(row)[i]);
    return mask && !broadcasts_to(mask, out) ? refuse_shape(row, out, mask, "where") : STRIA_OK;
}

/* ---- overlap -------------------------------------------------------------------------------- */

static stria_status check_all_apart(const struct op_info *row, const stria_view *out,
                                    const stria_view *const *operands, const stria_exec *exec)
{
    const struct output o = {row->name, "out", out, exec};
    const stria_view *const mask = mask_of(exec);
    bool apart;
    for (int i = 0; i < row->inputs; i++)
        STRIA_TRY(stria__check_apart(&apart, &o, operands[i], stria__operand_names(row)[i], true));
    return mask ? stria__check_apart(&apart, &o, mask, "where", true) : STRIA_OK;
}

/* ---- the output ----------------------------------------------------------------------------- */

static stria_status check_cast(const struct op_info *row, const stria_view *out,
                               const stria_view *const *operands, stria_dtype result,
                               stria_cast_policy policy)
{
    const bool same = out->dtype.kind == result.kind && result.kind <= STRIA_C128;
    if (same && policy == STRIA_CAST_SAME_KIND) return STRIA_OK;
    if (stria_can_cast(result, out->dtype, policy)) return STRIA_OK;
    char from[32], to[32];
    stria__dtype_brief(result, from, sizeof from);
    stria__dtype_brief(out->dtype, to, sizeof to);
    const char *const remedy = stria_can_cast(result, out->dtype, STRIA_CAST_UNSAFE)
                                   ? ", or allow it by STRIA_CASTING_UNSAFE"
                                   : "";
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: the result of %s is %s, which does not cast to out's dtype %s under "
                       "%s rules; compute into %s%s",
                       row->name, stria__operands_text(row, operands).text, from, to,
                       stria__policy_name(policy), from, remedy);
}

/* Comparisons and logic convert no operand by promotion, so that no cast has to be checked. */
stria_status stria__check_input_casts(const struct op_info *row, const stria_view *const *operands,
                                      stria_dtype kernel, const stria_exec *exec)
{
    const stria_cast_policy policy = stria__casting_of(exec);
    if (policy <= STRIA_CAST_SAME_KIND || row->result == OP_LOGIC || row->result == OP_TRUTH)
        return STRIA_OK;
    for (int i = row->result == OP_CHOICE; i < row->inputs; i++) {
        if (view_is_weak(operands[i]) || stria_can_cast(operands[i]->dtype, kernel, policy))
            continue;
        char from[32], to[32];
        stria__dtype_brief(operands[i]->dtype, from, sizeof from);
        stria__dtype_brief(kernel, to, sizeof to);
        return stria__fail(STRIA_ERR_DTYPE,
                           "%s: %s of dtype %s does not cast to %s, in which it is computed, under "
                           "%s rules; cast it first",
                           row->name, stria__operand_names(row)[i], from, to,
                           stria__policy_name(policy));
    }
    return STRIA_OK;
}

stria_status stria__check_output(const struct op_info *row, const stria_view *out,
                                 const stria_view *const *operands, const struct op_types *types,
                                 const stria_exec *exec)
{
    STRIA_TRY(stria__check_writable(out, row->name, "out"));
    STRIA_TRY(check_shapes(row, out, operands, mask_of(exec)));
    STRIA_TRY(stria__check_input_casts(row, operands, types->kernel, exec));
    STRIA_TRY(check_cast(row, out, operands, types->result, stria__casting_of(exec)));
    STRIA_TRY(stria__check_itself(out, row->name, "out"));
    if (stria__forbids_overlap(exec)) STRIA_TRY(check_all_apart(row, out, operands, exec));
    return STRIA_OK;
}
