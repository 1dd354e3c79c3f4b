/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw_file.h"

#include <string.h>

#include "array_spec.h"
#include "dtype_value.h"
#include "stria/raw.h"

static stria_npy_mode mode_for(enum source_use use)
{
    return use == SOURCE_LOOK    ? STRIA_NPY_HEADER
           : use == SOURCE_WRITE ? STRIA_NPY_MAP_COPY
                                 : STRIA_NPY_MAP;
}

stria_status raw_open(struct source *out, const char *path, const struct raw_form *form,
                      enum source_use use, struct failure *failure)
{
    struct arena arena = {0};
    stria_dtype dtype;
    int64_t shape[STRIA_MAX_NDIM] = {-1};
    int ndim = 1;
    *out = (struct source){.mapped = false};
    if (form->shape) ndim = read_integers(shape, STRIA_MAX_NDIM, form->shape);
    stria_status status =
        ndim < 0 ? fail_request(failure, STRIA_ERR_ARGUMENT,
                                "--shape is written 4,5,6, with one -1 for what the file has; not "
                                "'%.80s'",
                                form->shape)
                 : dtype_text_read(&dtype, form->dtype, &arena, failure);
    if (status == STRIA_OK) {
        const char *file = !strcmp(path, "-") ? "/dev/stdin" : path;
        status = stria_raw_read(&out->array, file, dtype, ndim, shape, form->offset, mode_for(use));
        if (status != STRIA_OK) (void)fail_library(failure, status, NO_PLACE);
    }
    out->mapped = status == STRIA_OK && use == SOURCE_READ;
    arena_free(&arena);
    return status;
}
