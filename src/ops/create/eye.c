/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of zeros and ones. */
#include "array.h"
#include "ops/make.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "stria/creation.h"
#include "stria/join.h"
#include "stria/value.h"
#include "stria/window.h"

static stria_status put_ones(const stria_view *matrix, int64_t k)
{
    const bool one = true;
    stria_view diagonal, value;
    STRIA_TRY(stria_diagonal(&diagonal, matrix, k, 0, 1));
    STRIA_TRY(stria_scalar(&value, STRIA_BOOL, &one));
    return stria_copy(&diagonal, &value);
}

static stria_status check(const stria_array *out, int64_t rows, int64_t columns, const char *op)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    if (rows >= 0 && columns >= 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE, "%s: %lld rows of %lld; neither can be negative", op,
                       (long long)rows, (long long)columns);
}

stria_status stria_eye(stria_array *out, stria_dtype dtype, int64_t rows, int64_t columns,
                       int64_t k)
{
    stria_array made;
    array_none(&made);
    STRIA_TRY(check(out, rows, columns, "eye"));
    STRIA_TRY(stria_zeros(&made, dtype, 2, (const int64_t[]){rows, columns}));
    return stria__deliver(out, &made, put_ones(&made.view, k));
}

stria_status stria_tri(stria_array *out, stria_dtype dtype, int64_t rows, int64_t columns,
                       int64_t k)
{
    stria_array one;
    stria_view ones;
    array_none(&one);
    STRIA_TRY(check(out, rows, columns, "tri"));
    STRIA_TRY(stria_zeros(&one, dtype, 0, NULL));
    stria_status status = stria_set_bool(&one.view, 0, NULL, true);
    if (status == STRIA_OK)
        status = stria_expand(&ones, &one.view, 2, (const int64_t[]){rows, columns});
    if (status == STRIA_OK) status = stria_tril(out, &ones, k);
    stria_array_release(&one);
    return status;
}
