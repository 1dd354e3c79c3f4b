/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Both rule sets are one procedure. Operands fall into groups; within a group dtypes are promoted
 * by the rule for two dtypes (stria_promote), and a group raises the dtype of the groups before it
 * only where its category (bool, integer, float, complex) is higher than theirs.
 *
 * PyTorch has three groups: operands with dims, 0-d operands, weak scalars. NumPy has two, since a
 * 0-d array counts like any other. What a weak scalar stands for where it decides is the default
 * dtype of its category: i64, and f32 and c64 or, in NumPy, f64 and c128.
 */
#include "ops/elementwise/operation.h"

#include "dtype/dtype.h"
#include "base/status.h"

enum group { WITH_DIMS, ZERO_DIMS, WEAK, GROUPS };

struct common {
    bool any;
    stria_dtype dtype;
};

int stria__category(stria_dtype dtype)
{
    const stria_kind kind = (stria_kind)dtype.kind;
    if (kind == STRIA_BOOL) return 0;
    if (is_integer_kind(kind)) return 1;
    return is_float_kind(kind) ? 2 : is_complex_kind(kind) ? 3 : 4;
}

static stria_status join(struct common *group, stria_dtype dtype, stria_promotion rule)
{
    if (group->any) return stria_promote(&group->dtype, group->dtype, dtype, rule);
    *group = (struct common){true, dtype};
    group->dtype.swapped = false;
    return STRIA_OK;
}

/*
 * A scalar that is complex gives its category to the other operands: floats keep their precision,
 * which is that of both parts then (there is no complex number of two f16), and to integers
 * PyTorch gives the scalar's dtype whatever their size.
 */
static stria_status raise_to_complex(struct common *high, const struct common *low,
                                     stria_promotion rule)
{
    const stria_kind kind = (stria_kind)high->dtype.kind;
    if (is_float8_kind(kind)) return join(high, low->dtype, rule);
    if (is_float_kind(kind))
        high->dtype = stria_dtype_of(kind == STRIA_F64 ? STRIA_C128 : STRIA_C64);
    else if (rule == STRIA_PROMOTE_TORCH)
        high->dtype = low->dtype;
    else
        return join(high, low->dtype, rule);
    return STRIA_OK;
}

static stria_status raise_to(struct common *high, const struct common *low, stria_promotion rule)
{
    if (!low->any) return STRIA_OK;
    if (!high->any || high->dtype.kind > STRIA_C128 || low->dtype.kind > STRIA_C128)
        return join(high, low->dtype, rule);
    if (stria__category(low->dtype) <= stria__category(high->dtype)) return STRIA_OK;
    return is_complex_kind((stria_kind)low->dtype.kind) ? raise_to_complex(high, low, rule)
                                                        : join(high, low->dtype, rule);
}

stria_status stria__promote_operands(stria_dtype *out, int n, const stria_view *const *operands,
                                     stria_promotion rule)
{
    struct common groups[GROUPS] = {{.any = false}};
    for (int i = 0; i < n; i++) {
        const stria_view *const a = operands[i];
        const bool dims = a->ndim > 0 || rule == STRIA_PROMOTE_NUMPY;
        const enum group g = view_is_weak(a) ? WEAK : dims ? WITH_DIMS : ZERO_DIMS;
        const stria_dtype dtype = g == WEAK ? stria__weak_default(a, rule) : a->dtype;
        STRIA_TRY(join(&groups[g], dtype, rule));
    }
    for (int g = GROUPS - 2; g >= 0; g--)
        STRIA_TRY(raise_to(&groups[g], &groups[g + 1], rule));
    *out = groups[0].dtype;
    return STRIA_OK;
}
