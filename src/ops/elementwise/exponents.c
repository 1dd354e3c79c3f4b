/* SPDX-License-Identifier: BSD-3-Clause */
/* See exponents.h. The power of floats is defined for all exponents, as is that of unsigned ones.
 */
#include "ops/elementwise/exponents.h"

#include <inttypes.h>

#include "ops/elementwise/kinds.h"
#include "status.h"
#include "stria/reduce.h"
#include "view/view.h"

static void index_of(int64_t index[STRIA_MAX_NDIM], const stria_view *a, int64_t at)
{
    for (int d = a->ndim - 1; d >= 0; d--) {
        index[d] = at % a->shape[d];
        at /= a->shape[d];
    }
}

stria_status stria__check_exponents(const struct op_types *types, const stria_view *b)
{
    if (!is_signed_kind((stria_kind)types->kernel.kind) ||
        !is_signed_kind((stria_kind)b->dtype.kind) || is_empty(b->ndim, b->shape))
        return STRIA_OK;
    stria_view usual = *b, least, where;
    int64_t exponent = 0, at = 0, index[STRIA_MAX_NDIM];
    usual.flags &= ~(uint32_t)STRIA_WEAK;
    STRIA_TRY(stria_view_foreign(&least, &exponent, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_min(&least, &usual, STRIA_ALL_DIMS, NULL, NULL));
    if (exponent >= 0) return STRIA_OK;
    STRIA_TRY(stria_view_foreign(&where, &at, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_argmin(&where, &usual, STRIA_ALL_DIMS, NULL, NULL));
    index_of(index, b, at);
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "pow: b is %" PRId64
                       " at index %s: integers have no negative powers; cast a "
                       "to a float, or use float_power",
                       exponent, stria__dims_text(b->ndim, index).text);
}
