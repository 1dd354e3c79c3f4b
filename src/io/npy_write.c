/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes .npy files as a whole: a header as NumPy writes it, then the elements as one block. A view
 * that is dense in C or Fortran order is written directly from its memory; any other passes through
 * a buffer of 256 KiB.
 */
#include "io/npy_file.h"
#include "io/npy_writer.h"
#include "status.h"
#include "view/view.h"

static struct npy_form form_of(const stria_view *a)
{
    const bool fortran =
        !stria_is_contiguous(a, STRIA_ORDER_C) && stria_is_contiguous(a, STRIA_ORDER_F);
    return (struct npy_form){a->dtype, a->ndim, a->shape, fortran, false};
}

static stria_status put_all(struct stria_npy_writer *w, const stria_view *a)
{
    const stria_status status = stria__npy_put(w, NULL, a);
    if (status == STRIA_OK) return stria__npy_commit(w);
    stria__npy_abandon(w);
    return status;
}

stria_status stria__npy_write(const struct file_ops *ops, const char *path, const stria_view *a)
{
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "npy: path is NULL");
    STRIA_TRY(stria__check_view(a, "npy", "the view"));
    const struct npy_form form = form_of(a);
    struct stria_npy_writer w;
    stria_status status = stria__npy_begin(&w, ops, path, &form);
    if (status == STRIA_OK) status = put_all(&w, a);
    if (status != STRIA_OK) return stria__fail(status, "%.300s: %s", path, stria_last_error());
    return STRIA_OK;
}

stria_status stria_npy_write(const char *path, const stria_view *a)
{
    return stria__npy_write(&stria__posix_files, path, a);
}

stria_status stria_npy_write_fd(int fd, const stria_view *a)
{
    STRIA_TRY(stria__check_view(a, "npy", "the view"));
    const struct npy_form form = form_of(a);
    struct stria_npy_writer w;
    STRIA_TRY(stria__npy_begin_fd(&w, &stria__posix_files, fd, &form));
    return put_all(&w, a);
}
