/* SPDX-License-Identifier: BSD-3-Clause */
/* Dtypes as text and from text. */
#include <string.h>

#include "dtype_value.h"
#include "failure.h"
#include "stria/record.h"

stria_status dtype_text_read(stria_dtype *out, const char *text, struct arena *arena,
                             struct failure *failure)
{
    const stria_status status = stria_dtype_parse(out, text);
    if (status != STRIA_OK) {
        (void)fail_library(failure, status, NO_PLACE);
        failure->usage = status != STRIA_ERR_MEMORY;
        return status;
    }
    if (out->record) arena_keep_dtype(arena, *out);
    return STRIA_OK;
}

const char *dtype_text(stria_dtype dtype, struct arena *arena)
{
    const size_t size = (size_t)stria_dtype_format(dtype, NULL, 0) + 1;
    char *const text = arena_take(arena, size);
    (void)stria_dtype_format(dtype, text, size);
    return text;
}
