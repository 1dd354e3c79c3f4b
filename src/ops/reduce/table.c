/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of reductions, and the dtypes of their results. */
#include "ops/reduce/reduction.h"

#include <stddef.h>

#include "base/status.h"
#include "machine/op_loop.h"

static const struct reduction_info infos[] = {
#define INFO(constant, ...) [STRIA_##constant] = REDUCTION_INFO(__VA_ARGS__),
    STRIA_REDUCTION_ROWS(INFO)
#undef INFO
};
_Static_assert(sizeof infos / sizeof *infos == STRIA_REDUCTIONS, "a row for every stria_reduction");

const struct reduction_info *stria__reduction_info(stria_reduction op)
{
    return (unsigned)op < STRIA_REDUCTIONS ? &infos[op] : NULL;
}

int stria_reduction_count(void)
{
    return STRIA_REDUCTIONS;
}

const char *stria_reduction_name(stria_reduction op)
{
    const struct reduction_info *const row = stria__reduction_info(op);
    return row ? row->name : NULL;
}

static stria_status refuse_dtype(const struct reduction_info *row, const char *op,
                                 stria_dtype dtype)
{
    const bool bits = row->result == REDUCED_BITS && dtype.kind <= STRIA_C128;
    const bool is_complex = stria_dtype_is_complex(dtype);
    return stria__fail(STRIA_ERR_DTYPE, "%s: there is none of %s%s", op,
                       stria__dtype_text(dtype).text,
                       bits ? ": only integers and bool have bits to combine"
                       : row == &infos[STRIA_PTP] && dtype.kind == STRIA_BOOL
                           ? ", which has no differences; take max and min"
                       : is_complex ? ": complex numbers have no order"
                                    : ", which is no number");
}

stria_status stria__reduced_dtype(stria_dtype *out, const struct reduction_info *row,
                                  const char *name, stria_dtype dtype, stria_promotion rule)
{
    const bool truth = row->result == REDUCED_TRUTH || row->result == REDUCED_COUNT;
    const bool floating = row->result == REDUCED_FLOATING || row->result == REDUCED_MAGNITUDE;
    const bool of_complex = truth || row->result == REDUCED_WIDE || floating;
    if (row->result == REDUCED_BITS && dtype.kind > STRIA_U64)
        return refuse_dtype(row, name, dtype);
    if (row == &infos[STRIA_PTP] && dtype.kind == STRIA_BOOL) return refuse_dtype(row, name, dtype);
    if (dtype.kind > STRIA_C128 || (stria_dtype_is_complex(dtype) && !of_complex))
        return refuse_dtype(row, name, dtype);
    STRIA_TRY(stria__check_built(dtype, name));
    *out = dtype_of_number((stria_kind)dtype.kind);
    if (row->result == REDUCED_TRUTH)
        *out = dtype_of_number(STRIA_BOOL);
    else if (row->result == REDUCED_COUNT || row->result == REDUCED_INDEX)
        *out = dtype_of_number(STRIA_I64);
    else if (floating && dtype.kind <= STRIA_U64)
        *out = dtype_of_number(STRIA_F64);
    else if (row->result == REDUCED_MAGNITUDE)
        *out = stria_dtype_real(*out);
    else if (row->result == REDUCED_WIDE && dtype.kind <= STRIA_U64)
        *out = dtype_of_number(rule == STRIA_PROMOTE_NUMPY && dtype.kind >= STRIA_U8 ? STRIA_U64
                                                                                     : STRIA_I64);
    return STRIA_OK;
}

stria_status stria_reduction_dtype(stria_dtype *out, stria_reduction op, stria_dtype dtype,
                                   stria_promotion rule)
{
    const struct reduction_info *const row = stria__reduction_info(op);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "reduction_dtype: out is NULL");
    if (!row)
        return stria__fail(STRIA_ERR_ARGUMENT, "reduction_dtype: there is no reduction %d",
                           (int)op);
    if (rule != STRIA_PROMOTE_TORCH && rule != STRIA_PROMOTE_NUMPY)
        return stria__fail(STRIA_ERR_ARGUMENT, "reduction_dtype: there is no rule %d", (int)rule);
    return stria__reduced_dtype(out, row, row->name, dtype, rule);
}
