/* SPDX-License-Identifier: BSD-3-Clause */
#include "dtype_text.h"

#include "must.h"
#include "stria/record.h"

stria_status dtype_text_read(stria_dtype *out, const char *text, struct pool *pool,
                             struct failure *failure)
{
    const stria_status status = stria_dtype_parse(out, text);
    if (status != STRIA_OK) {
        (void)stria__fail_library(failure, status, NO_PLACE);
        failure->usage = status != STRIA_ERR_MEMORY;
        return status;
    }
    return out->record ? stria__pool_keep_dtype(pool, *out) : STRIA_OK;
}

const char *dtype_text(stria_dtype dtype, struct pool *pool)
{
    const size_t size = (size_t)stria_dtype_format(dtype, NULL, 0) + 1;
    char *const text = must_take(pool, size);
    (void)stria_dtype_format(dtype, text, size);
    return text;
}
