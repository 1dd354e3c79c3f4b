/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sync_file_range; strerror_r of file_ops.c is that of POSIX */
#include <fcntl.h>

#include "io/file_ops.h"

void stria__write_back(int fd, off_t offset, off_t size)
{
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(fd, offset, size, SYNC_FILE_RANGE_WRITE); /* fsync tells the errors */
#else
    (void)fd, (void)offset, (void)size;
#endif
}
