/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that hold elements and nothing else, or after a header that the caller knows. */
#ifndef STRIA_RAW_H
#define STRIA_RAW_H

#include "npy.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads or maps an array in C order that begins at byte `offset` of the regular file at path; bytes
 * after it are ignored. One size of shape may be -1: as many as the rest of the file has, which
 * must come out even. mode is any of npy.h's. *out is owned by the caller. ARGUMENT, SHAPE (a
 * negative size, more than one -1, a rest that is no multiple), OVERFLOW, BOUNDS (a file that is
 * too short), DTYPE, IO, UNSUPPORTED (not a regular file, items of 0 bytes), MEMORY.
 * numpy.fromfile, numpy.memmap, torch.from_file.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_raw_read(stria_array *out, const char *path, stria_dtype dtype, int ndim,
               const int64_t *shape, int64_t offset, stria_npy_mode mode, const stria_exec *exec);

/*
 * Writes a's elements in C order and their own byte order, and nothing else, as atomically as
 * stria_npy_write. IO, UNSUPPORTED (meta buffers), MEMORY. numpy.ndarray.tofile.
 */
STRIA_API STRIA_MUST_USE stria_status stria_raw_write(const char *path, const stria_view *a,
                                                      const stria_exec *exec);

/*
 * Begin such a file at path, or on a descriptor, whose elements are given in blocks: stria_npy_put,
 * stria_npy_commit and the other functions of npy.h go on with the writer.
 */
STRIA_API STRIA_MUST_USE stria_status stria_raw_begin(stria_npy_writer **out, const char *path,
                                                      stria_dtype dtype, int ndim,
                                                      const int64_t *shape);
STRIA_API STRIA_MUST_USE stria_status stria_raw_begin_fd(stria_npy_writer **out, int fd,
                                                         stria_dtype dtype, int ndim,
                                                         const int64_t *shape);

#ifdef __cplusplus
}
#endif

#endif
