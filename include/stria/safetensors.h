/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * safetensors files: named arrays without gaps behind a header in JSON. Files are untrusted, and
 * one is checked as a whole when it is opened: the header is exact JSON without double keys, every
 * array lies inside the data, has the bytes that its dtype and shape need, and they cover the data
 * from its first byte to the last. Arrays are views of the file where it is mapped.
 */
#ifndef STRIA_SAFETENSORS_H
#define STRIA_SAFETENSORS_H

#include "npy.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_safetensors stria_safetensors;

/*
 * Opens the regular file at path: mode is READ (its data is read into memory), MAP or MAP_COPY, as
 * npy.h has them. *out is owned by the caller until stria_safetensors_release; several threads may
 * read from it. IO, FORMAT, UNSUPPORTED (a dtype that has no meaning here, a header above 100 MB,
 * not a regular file), MEMORY, ARGUMENT (another mode). safetensors.safe_open.
 */
STRIA_API STRIA_MUST_USE stria_status stria_safetensors_open(stria_safetensors **out,
                                                             const char *path, stria_npy_mode mode);
/* NULL is allowed. Arrays that were taken stay valid: each keeps the data. */
STRIA_API void stria_safetensors_release(stria_safetensors *file);

/* The number of arrays, and their names (UTF-8) in the order of their data; NULL beyond them. */
STRIA_API int64_t stria_safetensors_count(const stria_safetensors *file);
STRIA_API const char *stria_safetensors_name(const stria_safetensors *file, int64_t i);
/* The text under a key of the file's metadata; NULL where there is none. */
STRIA_API const char *stria_safetensors_metadata(const stria_safetensors *file, const char *key);

/*
 * Gives the array of that name, in C order, with the rights of the mode; no byte moves. *out is
 * owned by the caller. Its data may lie at any byte. ARGUMENT (no such array), MEMORY.
 * safetensors.safe_open.get_tensor.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_safetensors_get(
    stria_array *out, const stria_safetensors *file, const char *name, const stria_exec *exec);

/*
 * Writes a file of count views, little-endian and in C order, the widest dtypes first and then by
 * name. As atomic as stria_npy_write. ARGUMENT (a name that is empty, there twice, no UTF-8 or
 * __metadata__), UNSUPPORTED (dtypes that the format lacks, meta buffers), IO, MEMORY.
 * safetensors.serialize_file.
 */
STRIA_API STRIA_MUST_USE stria_status stria_safetensors_write(const char *path, int count,
                                                              const char *const *names,
                                                              const stria_view *const *views,
                                                              const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
