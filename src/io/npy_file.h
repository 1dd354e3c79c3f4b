/* SPDX-License-Identifier: BSD-3-Clause */
/* stria_npy_read and stria_npy_write with a table of file calls as an argument. */
#ifndef STRIA_SRC_IO_NPY_FILE_H
#define STRIA_SRC_IO_NPY_FILE_H

#include "io/file_ops.h"
#include "stria/npy.h"

stria_status stria__npy_read(const struct file_ops *ops, stria_array *out, const char *path,
                             stria_npy_mode mode);
stria_status stria__npy_write(const struct file_ops *ops, const char *path, const stria_view *a);

#endif
