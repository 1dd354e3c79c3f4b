/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions that a policy must allow. */

#include "ops/copy.h"
#include "ops/operands.h"

static stria_status check_policy(stria_dtype from, stria_dtype to, stria_cast_policy policy,
                                 const char *op)
{
    if ((unsigned)policy > STRIA_CAST_NO)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: unknown cast policy %d", op, (int)policy);
    if (stria_can_cast(from, to, policy)) return STRIA_OK;
    int loosest = (int)policy;
    while (loosest > STRIA_CAST_UNSAFE && !stria_can_cast(from, to, (stria_cast_policy)loosest))
        loosest--;
    if (!stria_can_cast(from, to, (stria_cast_policy)loosest))
        return stria__fail(STRIA_ERR_DTYPE, "%s: there is no conversion from %s to %s", op,
                           stria__dtype_text(from).text, stria__dtype_text(to).text);
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: from %s to %s is not allowed by the policy '%s'; '%s' would allow it",
                       op, stria__dtype_text(from).text, stria__dtype_text(to).text,
                       stria__policy_name(policy), stria__policy_name((stria_cast_policy)loosest));
}

stria_status stria_copy_cast(const stria_view *dst, const stria_view *src, stria_cast_policy policy,
                             const stria_exec *exec)
{
    STRIA_TRY(stria__check_operands(dst, src, exec));
    STRIA_TRY(check_policy(src->dtype, dst->dtype, policy, "copy"));
    return stria_copy(dst, src, exec);
}

stria_status stria_astype(stria_array *out, const stria_view *a, stria_dtype dtype,
                          stria_cast_policy policy, stria_copy_policy copy, stria_outcome *outcome,
                          const stria_exec *exec)
{
    STRIA_TRY(view_check(out, a, "astype"));
    STRIA_TRY(stria__check_dtype(dtype, "astype"));
    STRIA_TRY(stria__check_exec(exec, "astype"));
    STRIA_TRY(check_policy(a->dtype, dtype, policy, "astype"));
    if (copy != STRIA_COPY_IF_NEEDED && copy != STRIA_COPY_NEVER && copy != STRIA_COPY_ALWAYS)
        return stria__fail(STRIA_ERR_ARGUMENT, "astype: unknown copy policy %d", (int)copy);
    const bool same = stria_dtype_equal(a->dtype, dtype);
    if (same && copy != STRIA_COPY_ALWAYS) {
        array_share(out, a);
        if (outcome) *outcome = STRIA_IS_SAME;
        return STRIA_OK;
    }
    if (copy == STRIA_COPY_NEVER)
        return stria__fail(STRIA_ERR_COPY,
                           "astype: another dtype takes a copy of %lld elements, which was "
                           "forbidden; view() reinterprets bytes without one",
                           (long long)stria_numel(a));
    OWNED_ARRAY(fresh);
    STRIA_TRY(stria__empty_as(&fresh, a, dtype, STRIA_ORDER_K, "astype"));
    STRIA_TRY(stria_copy(&fresh.view, a, exec));
    if (outcome) *outcome = STRIA_IS_COPY;
    return stria__deliver(out, &fresh, STRIA_OK);
}
