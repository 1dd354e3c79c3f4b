/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/npy_files.h"

#include <stdlib.h>
#include <string.h>

#include "io/npy_file.h"
#include "support/cmocka.h"
#include "support/temp_folder.h"

void must(stria_status status, const char *what)
{
    if (status != STRIA_OK)
        fail_msg("%s: %s: %s", what, stria_status_name(status), stria_last_error());
}

static int no_fsync(int fd)
{
    (void)fd;
    return 0;
}

stria_status write_unsynced(const char *path, const stria_view *a)
{
    struct file_ops ops = stria__posix_files;
    ops.fsync = no_fsync;
    stria__files = &ops;
    const stria_status status = stria_npy_write(path, a, NULL);
    stria__files = &stria__posix_files;
    return status;
}

void load(stria_array *out, const char *path, int way)
{
    if (way < 2) {
        must(stria_npy_read(out, path, way ? STRIA_NPY_MAP : STRIA_NPY_READ, NULL), path);
        return;
    }
    int64_t size = 0;
    char *bytes = file_get(path, &size);
    assert_non_null(bytes);
    must(stria_npy_parse(out, bytes, size, NULL), path);
    free(bytes);
}

void assert_same_file(const char *a, const char *b)
{
    int64_t a_size = 0, b_size = 0;
    char *a_bytes = file_get(a, &a_size), *b_bytes = file_get(b, &b_size);
    if (!a_bytes || !b_bytes || a_size != b_size || memcmp(a_bytes, b_bytes, (size_t)a_size))
        fail_msg("%s (%lld bytes) and %s (%lld bytes) differ", a, (long long)a_size, b,
                 (long long)b_size);
    free(a_bytes);
    free(b_bytes);
}

void assert_dense(const stria_array *array, bool fortran, bool readonly, const char *what)
{
    const stria_view *a = &array->view;
    const stria_order order = fortran ? STRIA_ORDER_F : STRIA_ORDER_C;
    if (!stria_is_contiguous(a, order)) fail_msg("%s: not dense", what);
    if (stria_is_writable(a) == readonly) fail_msg("%s: wrong rights", what);
    if (array->owned != a->buffer || stria_buffer_size(a->buffer) != stria_nbytes(a) ||
        stria_offset(a) != 0)
        fail_msg("%s: the buffer is not the data alone", what);
    if (!readonly && (uintptr_t)a->data % 64) fail_msg("%s: unaligned", what);
}
