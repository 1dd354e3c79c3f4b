/* SPDX-License-Identifier: BSD-3-Clause */
/* What both sparse forms ask of index arrays. */
#include "ops/sparse/sparse.h"
#include "status.h"

stria_status stria__sparse_check_index_dtype(const stria_view *indices, const char *name,
                                             const char *op)
{
    char dtype[32];
    const bool i64 = stria_dtype_equal(indices->dtype, stria_dtype_of(STRIA_I64));
    const bool i32 = stria_dtype_equal(indices->dtype, stria_dtype_of(STRIA_I32));
    if (indices->flags & STRIA_NEG)
        return stria__fail(STRIA_ERR_DTYPE, "%s: %s are lazily negated; clone them first", op,
                           name);
    if (i64 || i32) return STRIA_OK;
    (void)stria_dtype_format(indices->dtype, dtype, sizeof dtype);
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s are of dtype %s; astype them to i64", op, name,
                       dtype);
}

stria_status stria__sparse_check_readable(const stria_view *indices, const char *op)
{
    if (!stria_buffer_is_meta(indices->buffer)) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "%s: the result depends on indices, which have no memory", op);
}
