/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements without a header: read as the data of a .npy file whose header the caller gives. */
#include "stria/raw.h"

#include "io/npy_file.h"
#include "io/npy_writer.h"
#include "view/view.h"
#include "plan/threads.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* Multiplies all sizes but -1; *open is the dim whose size is -1, or -1. */
static stria_status multiply(struct npy_header *h, const int64_t *shape, int *open)
{
    int64_t given[STRIA_MAX_NDIM];
    *open = -1;
    for (int d = 0; d < h->ndim; d++) {
        if (shape[d] < -1 || (shape[d] == -1 && *open >= 0))
            return stria__fail(STRIA_ERR_SHAPE,
                               "raw: size %lld of dim %d; sizes are not negative, but for one -1",
                               (long long)shape[d], d);
        if (shape[d] == -1) *open = d;
        h->shape[d] = shape[d];
        given[d] = shape[d] == -1 ? 1 : shape[d];
    }
    if (multiply_sizes(&h->nbytes, h->dtype.itemsize, h->ndim, given)) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERFLOW,
                       "raw: shape %s of items of %d bytes exceeds 2^63 - 1 bytes",
                       stria__dims_text(h->ndim, shape).text, (int)h->dtype.itemsize);
}

static stria_status fit_to_file(struct npy_header *h, int open, int64_t file_size)
{
    const int64_t left = file_size > h->data_at ? file_size - h->data_at : 0;
    if (h->data_at > file_size || (open < 0 && h->nbytes > left))
        return stria__fail(STRIA_ERR_BOUNDS,
                           "raw: %lld bytes from byte %lld on, the file has %lld in all",
                           (long long)h->nbytes, (long long)h->data_at, (long long)file_size);
    if (open < 0) return STRIA_OK;
    if (h->nbytes == 0 || left % h->nbytes)
        return stria__fail(STRIA_ERR_SHAPE,
                           "raw: the %lld bytes that are left are no multiple of the %lld that "
                           "the sizes beside -1 take; give the size or another offset",
                           (long long)left, (long long)h->nbytes);
    h->shape[open] = left / h->nbytes;
    h->nbytes = left;
    return STRIA_OK;
}

static stria_status read_raw(stria_array *out, const char *path, struct npy_header *h,
                             const int64_t *shape, stria_npy_mode mode)
{
    int open, fd;
    int64_t size;
    STRIA_TRY(stria__check_dtype(h->dtype, "raw"));
    STRIA_TRY(stria__npy_check_items(h->dtype));
    STRIA_TRY(multiply(h, shape, &open));
    STRIA_TRY(stria__open_regular(&fd, &size, path, mode == STRIA_NPY_MAP_RW));
    stria_status status = fit_to_file(h, open, size);
    if (status == STRIA_OK) status = stria__npy_take(fd, h, mode, out);
    (void)stria__files->close(fd); /* Nothing was written, so a failing close loses nothing. */
    return status;
}

stria_status stria_raw_read(stria_array *out, const char *path, stria_dtype dtype, int ndim,
                            const int64_t *shape, int64_t offset, stria_npy_mode mode,
                            const stria_exec *exec)
{
    TAKES_EXEC(exec, "raw_read");
    struct npy_header h = {.dtype = dtype, .ndim = ndim, .data_at = offset};
    if (!out || !path || (ndim > 0 && !shape))
        return stria__fail(STRIA_ERR_ARGUMENT, "raw: out, path or shape is NULL");
    if (ndim < 0 || ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_ARGUMENT, "raw: %d dims; there are 0 to %d", ndim,
                           (int)STRIA_MAX_NDIM);
    if ((int)mode < STRIA_NPY_READ || mode > STRIA_NPY_HEADER)
        return stria__fail(STRIA_ERR_ARGUMENT, "raw: %d is not a mode of reading", (int)mode);
    if (offset < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "raw: offset %lld is negative", (long long)offset);
    return stria__with_path(read_raw(out, path, &h, shape, mode), path);
}

/* ---- writing --------------------------------------------------------------------------------- */

stria_status stria_raw_begin(stria_npy_writer **out, const char *path, stria_dtype dtype, int ndim,
                             const int64_t *shape)
{
    const struct npy_form form = {dtype, ndim, shape, false, true};
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "raw: path is NULL");
    return stria__npy_writer_new(out, path, -1, &form);
}

stria_status stria_raw_begin_fd(stria_npy_writer **out, int fd, stria_dtype dtype, int ndim,
                                const int64_t *shape)
{
    const struct npy_form form = {dtype, ndim, shape, false, true};
    return stria__npy_writer_new(out, NULL, fd, &form);
}

stria_status stria_raw_write(const char *path, const stria_view *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "raw_write");
    STRIA_TRY(stria__check_view(a, "raw", "the view"));
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "raw: path is NULL");
    return stria__npy_write(path, -1, a, true);
}
