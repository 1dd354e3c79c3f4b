/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of files that are told by their suffix, but for .npy: how each is read and written. */
#include "formats.h"

#include "command.h"
#include "stria/csv.h"
#include "stria/npz.h"
#include "stria/png.h"
#include "stria/safetensors.h"

/* ---- files of several arrays ----------------------------------------------------------------- */

static stria_status zip_open(void **out, const char *file, enum source_use use)
{
    stria_npz *npz = NULL;
    const stria_status status = stria_npz_open(&npz, file);
    (void)use;
    *out = npz;
    return status;
}

static void zip_close(void *archive)
{
    stria_npz_close(archive);
}

static int64_t zip_count(const void *archive)
{
    return stria_npz_count(archive);
}

static const char *zip_name(const void *archive, int64_t i)
{
    return stria_npz_name(archive, i);
}

static stria_status zip_read(stria_array *out, void *archive, const char *name, enum source_use use)
{
    static const stria_npz_mode modes[] = {[SOURCE_READ] = STRIA_NPZ_MAP,
                                           [SOURCE_WRITE] = STRIA_NPZ_READ,
                                           [SOURCE_LOOK] = STRIA_NPZ_HEADER};
    return stria_npz_read(out, archive, name, modes[use]);
}

static stria_status zip_write(const char *path, int64_t count, const char *const *names,
                              const stria_view *const *views, bool deflate,
                              const stria_watch *watch)
{
    return stria_npz_write_watched(path, count, names, views,
                                   deflate ? STRIA_NPZ_DEFLATED : STRIA_NPZ_STORED, watch);
}

static stria_status tensors_open(void **out, const char *file, enum source_use use)
{
    stria_safetensors *tensors = NULL;
    const stria_status status = stria_safetensors_open(
        &tensors, file, use == SOURCE_WRITE ? STRIA_NPY_MAP_COPY : STRIA_NPY_MAP);
    *out = tensors;
    return status;
}

static void tensors_close(void *archive)
{
    stria_safetensors_close(archive);
}

static int64_t tensors_count(const void *archive)
{
    return stria_safetensors_count(archive);
}

static const char *tensors_name(const void *archive, int64_t i)
{
    return stria_safetensors_name(archive, i);
}

static stria_status tensors_read(stria_array *out, void *archive, const char *name,
                                 enum source_use use)
{
    (void)use;
    return stria_safetensors_get(out, archive, name);
}

static stria_status tensors_write(const char *path, int64_t count, const char *const *names,
                                  const stria_view *const *views, bool deflate,
                                  const stria_watch *watch)
{
    (void)deflate; /* refused before */
    return stria_safetensors_write_watched(path, count, names, views, watch);
}

/* ---- files of one array ---------------------------------------------------------------------- */

static stria_status picture_load(stria_array *out, const char *file, enum source_use use)
{
    return stria_png_read(out, file, use == SOURCE_LOOK ? STRIA_NPY_HEADER : STRIA_NPY_READ);
}

static stria_status picture_save(const char *path, const stria_view *a, const char *header,
                                 const stria_watch *watch)
{
    (void)header; /* refused before */
    return stria_png_write(path, a, watch);
}

static stria_status csv_load(stria_array *out, const char *file, enum source_use use)
{
    (void)use;
    return stria_csv_read(out, file, common.delimiter);
}

static stria_status csv_save(const char *path, const stria_view *a, const char *header,
                             const stria_watch *watch)
{
    return stria_csv_write(path, a, common.delimiter, header, watch);
}

static stria_status tsv_load(stria_array *out, const char *file, enum source_use use)
{
    (void)use;
    return stria_csv_read(out, file, common.delimiter ? common.delimiter : '\t');
}

static stria_status tsv_save(const char *path, const stria_view *a, const char *header,
                             const stria_watch *watch)
{
    return stria_csv_write(path, a, common.delimiter ? common.delimiter : '\t', header, watch);
}

const struct archive_kind archive_kinds[] = {
    {".npz", zip_open, zip_close, zip_count, zip_name, zip_read, zip_write, .maps = true,
     .packs = true},
    {".safetensors", tensors_open, tensors_close, tensors_count, tensors_name, tensors_read,
     tensors_write, .maps = true},
    {".png", .load = picture_load, .save = picture_save},
    {".csv", .load = csv_load, .save = csv_save, .table = true},
    {".tsv", .load = tsv_load, .save = tsv_save, .table = true},
    {.suffix = NULL}};
