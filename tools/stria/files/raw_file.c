/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "raw_file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "array_spec.h"
#include "dtype_text.h"
#include "stria/raw.h"

static stria_npy_mode mode_for(enum source_use use)
{
    return use == SOURCE_LOOK    ? STRIA_NPY_HEADER
           : use == SOURCE_WRITE ? STRIA_NPY_MAP_COPY
                                 : STRIA_NPY_MAP;
}

/* An array file whose header would be taken for elements. */
static bool is_npy(const char *file)
{
    static const char magic[] = "\x93NUMPY";
    char first[sizeof magic - 1];
    const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool is = fd >= 0 && pread(fd, first, sizeof first, 0) == (ssize_t)sizeof first &&
                    memcmp(first, magic, sizeof first) == 0;
    if (fd >= 0) (void)close(fd);
    return is;
}

stria_status raw_open(struct source *out, const char *path, const struct raw_form *form,
                      enum source_use use, struct failure *failure)
{
    struct pool pool = {0};
    stria_dtype dtype;
    int64_t shape[STRIA_MAX_NDIM] = {-1};
    int ndim = 1;
    *out = (struct source){.mapped = false};
    if (form->shape) ndim = read_integers(shape, STRIA_MAX_NDIM, form->shape);
    stria_status status =
        ndim < 0 ? stria__fail_request(
                       failure, STRIA_ERR_ARGUMENT,
                       "--shape is written 4,5,6, with one -1 for what the file has; not "
                       "'%.80s'",
                       form->shape)
                 : dtype_text_read(&dtype, form->dtype, &pool, failure);
    const char *file = !strcmp(path, "-") ? "/dev/stdin" : path;
    if (status == STRIA_OK && form->offset == 0 && is_npy(file))
        status = stria__fail_request(
            failure, STRIA_ERR_ARGUMENT,
            "%.280s is an .npy file, which --dtype, --shape and --offset are not "
            "for; in EXPR .to(f32) converts, .view(f32) reads the bytes anew",
            path);
    if (status == STRIA_OK) {
        status = stria_raw_read(&out->array, file, dtype, ndim, shape, form->offset, mode_for(use));
        if (status != STRIA_OK) (void)stria__fail_library(failure, status, NO_PLACE);
    }
    out->mapped = status == STRIA_OK && use == SOURCE_READ;
    stria__pool_free(&pool);
    return status;
}
