/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE    /* Declares sync_file_range. It is not defined for file_ops.c, which needs  \
                          POSIX's strerror_r. */
#include <fcntl.h>

#include "io/file_ops.h"

void stria__write_back(int fd, off_t offset, off_t size)
{
#ifdef SYNC_FILE_RANGE_WRITE
    /* Errors are reported by fsync later. */
    (void)sync_file_range(fd, offset, size, SYNC_FILE_RANGE_WRITE);
#else
    (void)fd, (void)offset, (void)size;
#endif
}
