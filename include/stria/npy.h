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
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tells how the data of a file is taken. The modes of numpy.memmap stand behind those that map. */
typedef enum stria_npy_mode {
    STRIA_NPY_READ = 0,     /* the data is read into new memory, which is writable */
    STRIA_NPY_MAP = 1,      /* the file is mapped read-only: for trusted files that nobody truncates
                           meanwhile; 'r' */
    STRIA_NPY_MAP_COPY = 2, /* mapped; pages that are written to become the process's own, and the
                           file stays as it is; 'c' */
    STRIA_NPY_MAP_RW =
        3,               /* mapped; what is written goes into the file, see stria_npy_flush; 'r+' */
    STRIA_NPY_HEADER = 4 /* no data: the array lies in a meta buffer, but the file has been checked
                        to be as long as its shape needs */
} stria_npy_mode;

/*
 * Reads the array in the regular file at path; bytes after its data are ignored. *out is owned by
 * the caller. Where the file system cannot map, MAP and MAP_COPY read. IO, FORMAT (malformed, or
 * less data than the shape needs), UNSUPPORTED (objects and other dtypes that have no meaning here,
 * files that are not regular), MEMORY. numpy.load, numpy.memmap.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_npy_read(stria_array *out, const char *path,
                                                                 stria_npy_mode mode,
                                                                 const stria_exec *exec);

/*
 * Reads an array from where the descriptor fd stands: a pipe, a socket, a file; mode is READ, or
 * HEADER, which leaves fd at the first of stria_nbytes(&out->view) bytes of data. Exactly the array
 * is taken, so that the next call reads the next array of a stream; READ takes memory as data
 * comes, never for what a header claims. Waits for data. IO (also for a stream that ends early),
 * FORMAT, UNSUPPORTED, MEMORY, ARGUMENT (another mode). numpy.load of a file object.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_npy_read_fd(stria_array *out, int fd,
                                                                    stria_npy_mode mode,
                                                                    const stria_exec *exec);

/* Does the same from size bytes in memory; the data is copied. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_npy_parse(stria_array *out,
                                                                  const void *bytes, int64_t size,
                                                                  const stria_exec *exec);

/*
 * Writes a's elements under its dtype: in Fortran order when it is dense in that order only,
 * otherwise in C order; conj and neg bits are resolved. Writing is atomic (a temporary file in the
 * same folder, fsync, rename): on any failure the old file is as it was and the temporary is
 * removed. Follows symbolic links and keeps the permissions of a file that it replaces; see
 * docs/npy.md. IO, UNSUPPORTED (meta buffers, items of 0 bytes, a target that is not a regular
 * file), MEMORY. numpy.save.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_write(const char *path, const stria_view *a,
                                                      const stria_exec *exec);

/*
 * Writes the same bytes where the descriptor fd stands, without fsync; several arrays may follow
 * each other. After IO an unknown part of them was written. A write into a pipe that nobody reads
 * raises SIGPIPE, unless the process ignores it. IO, UNSUPPORTED, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_write_fd(int fd, const stria_view *a,
                                                         const stria_exec *exec);

/*
 * Makes a file of zeros at path, at its final size, and maps it so that what is written to the
 * array goes into the file. The file appears as a whole, as that of stria_npy_write does, with its
 * room on the disk reserved. order is C or F. *out is owned by the caller; releasing it keeps the
 * file. IO (a full disk, a file system that cannot map), UNSUPPORTED, SHAPE, OVERFLOW, MEMORY.
 * numpy.lib.format.open_memmap, mode 'w+'.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_npy_create(stria_array *out,
                                                                   const char *path,
                                                                   stria_dtype dtype, int ndim,
                                                                   const int64_t *shape,
                                                                   stria_order order);

/*
 * Waits until what was written to an array of stria_npy_create or STRIA_NPY_MAP_RW is on the disk.
 * Other processes see it without. ARGUMENT for other arrays, IO. numpy.memmap.flush.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_flush(const stria_array *array);

/* ---- files written block by block ----------------------------------------------------------- */

typedef struct stria_npy_writer stria_npy_writer;

/*
 * Begins a file whose data is given in blocks, in any order: for results that are larger than
 * memory. Nothing is to be seen at path before stria_npy_commit. order is C or F. *out is owned by
 * the caller until commit or abandon. IO, UNSUPPORTED, SHAPE, OVERFLOW, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_begin(stria_npy_writer **out, const char *path,
                                                      stria_dtype dtype, int ndim,
                                                      const int64_t *shape, stria_order order);
/* Does the same on a descriptor, a pipe for example, where blocks must come in the file's order. */
STRIA_API STRIA_MUST_USE stria_status stria_npy_begin_fd(stria_npy_writer **out, int fd,
                                                         stria_dtype dtype, int ndim,
                                                         const int64_t *shape, stria_order order);
/*
 * Writes the block whose element [0, ..., 0] stands at start[0], ..., start[ndim - 1] of the array.
 * Its elements are dense in the file along as many of the last dims (F: first) as it covers as a
 * whole; the longer these runs, the faster. Blocks must not overlap, and cover all in the end.
 * ARGUMENT (outside of the array, or out of order on a descriptor), DTYPE (another one), SHAPE
 * (other ndim), UNSUPPORTED (a meta buffer), IO.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_put(stria_npy_writer *writer,
                                                    const stria_view *block, int count,
                                                    const int64_t *start, const stria_exec *exec);
/*
 * Puts the file in place, as stria_npy_write does; of a descriptor nothing is synced. ARGUMENT when
 * elements are missing. Ends the writer, whatever it returns.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npy_commit(stria_npy_writer *writer);
/* Removes what was written, unless to a descriptor, and ends the writer. NULL is allowed. */
STRIA_API void stria_npy_abandon(stria_npy_writer *writer);
/*
 * Removes the temporary file of a writer, for a signal handler that is about to end the process: it
 * calls nothing that may not be called there. NULL is allowed.
 */
STRIA_API void stria_npy_unlink(const stria_npy_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
