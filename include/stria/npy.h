/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NumPy's .npy files, versions 1.0, 2.0 and 3.0. Arrays in Fortran order and foreign byte order are
 * views of the bytes as they lie in the file; nothing is converted unless the caller asks for it.
 * Object arrays are always refused. Files are untrusted: no header makes the library crash, read
 * outside the file or allocate more than the file can fill.
 */
#ifndef STRIA_NPY_H
#define STRIA_NPY_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_npy_mode {
    STRIA_NPY_READ, /* the data is read into new memory, which is writable */
    STRIA_NPY_MAP   /* the file is mapped read-only: for trusted files that nobody truncates
                       meanwhile */
} stria_npy_mode;

/*
 * Reads the array in the regular file at path; bytes after its data are ignored. *out is owned by
 * the caller. IO, FORMAT (malformed, or less data than the shape needs), UNSUPPORTED (objects and
 * other dtypes that have no meaning here, files that are not regular), MEMORY. numpy.load.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_read(stria_array *out, const char *path,
                                                     stria_npy_mode mode);

/* Does the same from size bytes in memory; the data is copied. */
STRIA_API STRIA_MUST_USE stria_status stria_npy_parse(stria_array *out, const void *bytes,
                                                      int64_t size);

/*
 * Writes a's elements under its dtype: in Fortran order when it is dense in that order only,
 * otherwise in C order; conj and neg bits are resolved. Writing is atomic (a temporary file in the
 * same folder, fsync, rename): on any failure the old file is as it was and the temporary is
 * removed. Follows symbolic links and keeps the permissions of a file that it replaces; see
 * docs/npy.md. IO, UNSUPPORTED (meta buffers, items of 0 bytes, a target that is not a regular
 * file), MEMORY. numpy.save.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_write(const char *path, const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
