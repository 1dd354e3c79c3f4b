/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NumPy's .npz files: ZIP archives of .npy files, each named after its array. They are read and
 * written by libzip and libdeflate; a library that was built without one of them refuses every call
 * with UNSUPPORTED. Archives are untrusted: what a member claims of its size is compared with what
 * its bytes can hold before there is memory for it. libzip takes its own memory from malloc.
 */
#ifndef STRIA_NPZ_H
#define STRIA_NPZ_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_npz stria_npz;

/*
 * Opens the archive in the regular file at path, which must not change while it is open. *out is
 * owned by the caller until stria_npz_release. One thread at a time may use it. IO, FORMAT (no
 * archive), UNSUPPORTED (not a regular file, a library without libzip), MEMORY. numpy.load.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npz_open(stria_npz **out, const char *path);
/* NULL is allowed. Arrays that were read stay. */
STRIA_API void stria_npz_release(stria_npz *npz);

/* The number of members, and the name of each as the archive has it, "x.npy"; NULL beyond them. */
STRIA_API int64_t stria_npz_count(const stria_npz *npz);
STRIA_API const char *stria_npz_name(const stria_npz *npz, int64_t i);

typedef enum stria_npz_mode {
    STRIA_NPZ_READ = 0,   /* new memory; checksums of deflated members are compared, those of stored
                         members are not, which makes them as fast as .npy files */
    STRIA_NPZ_CHECK = 1,  /* new memory; every checksum is compared */
    STRIA_NPZ_HEADER = 2, /* no data: the array lies in a meta buffer */
    STRIA_NPZ_MAP = 3 /* stored members are mapped, read-only, as by STRIA_NPY_MAP, and mostly are
                     not aligned; others, and where there is no map, are read */
} stria_npz_mode;

/*
 * Reads the member of that name, or of that name and ".npy". *out is owned by the caller. ARGUMENT
 * (no such member), FORMAT (malformed, two members of that name, more or less data than the shape
 * needs, a wrong checksum), UNSUPPORTED (encrypted, packed otherwise than by deflate, objects), IO,
 * MEMORY. numpy.lib.npyio.NpzFile.__getitem__.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_npz_read(stria_array *out, stria_npz *npz,
                                                                 const char *name,
                                                                 stria_npz_mode mode,
                                                                 const stria_exec *exec);

typedef enum stria_npz_packing {
    STRIA_NPZ_STORED = 0,  /* numpy.savez */
    STRIA_NPZ_DEFLATED = 1 /* numpy.savez_compressed */
} stria_npz_packing;

/*
 * Writes an archive of count >= 1 views, names[i] and ".npy" for views[i]; the elements, orders and
 * dtypes as stria_npy_write writes them, and as atomically: on any failure the old file is as it
 * was. ARGUMENT (an empty name, one that begins with / or is there twice), UNSUPPORTED (meta
 * buffers, a library without libzip), IO, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_npz_write(const char *path, int count,
                                                      const char *const *names,
                                                      const stria_view *const *views,
                                                      stria_npz_packing packing,
                                                      const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
