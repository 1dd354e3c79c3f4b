/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads safetensors files: the length of the header, the header, its check against the size of the
 * file, and then the data as one buffer that all arrays share.
 */
#include <string.h>

#include "base/alloc.h"
#include "view/array.h"
#include "io/npy_file.h"
#include "io/safetensors.h"
#include "plan/threads.h"

struct stria_safetensors {
    struct safetensors_header header;
    stria_array data;     /* Owned: all bytes after the header, as u8. */
    struct memory memory; /* Owned: this struct, the text, strings and tables. */
};

/* Sizes of the parts of the memory, for a header of n bytes. */
struct room {
    size_t tensors, texts, text, strings, all;
};

static size_t aligned(size_t n)
{
    return (n + 15) / 16 * 16;
}

static struct room room_for(size_t n)
{
    struct room r;
    r.tensors = aligned(sizeof(stria_safetensors));
    r.texts = r.tensors + aligned((n / SAFETENSORS_MIN_ENTRY + 1) * sizeof(struct safetensor));
    r.text = r.texts + aligned((n / 6 + 1) * sizeof(struct safetensors_text));
    r.strings = r.text + aligned(n + 1);
    r.all = r.strings + n + 1;
    return r;
}

static stria_status take_memory(stria_safetensors **out, int64_t n)
{
    const struct room r = room_for((size_t)n);
    const struct memory taken = stria__memory(r.all);
    char *const memory = taken.at;
    if (!memory)
        return stria__fail(STRIA_ERR_MEMORY, "out of memory for a header of %lld bytes",
                           (long long)n);
    stria_safetensors *s = taken.at;
    *s = (stria_safetensors){.memory = taken};
    array_none(&s->data);
    s->header.tensors = (void *)(memory + r.tensors);
    s->header.texts = (void *)(memory + r.texts);
    s->header.text = memory + r.text;
    s->header.size = n;
    *out = s;
    return STRIA_OK;
}

static stria_status header_size(int fd, int64_t file_size, int64_t *out)
{
    unsigned char bytes[SAFETENSORS_LENGTH];
    if (file_size < SAFETENSORS_LENGTH)
        return stria__fail(STRIA_ERR_FORMAT,
                           "the file has %lld bytes, fewer than its header's "
                           "length takes",
                           (long long)file_size);
    STRIA_TRY(stria__read_at(fd, bytes, sizeof bytes, 0));
    const uint64_t n = little_endian(bytes, SAFETENSORS_LENGTH);
    if (n > (uint64_t)(file_size - SAFETENSORS_LENGTH))
        return stria__fail(STRIA_ERR_FORMAT, "a header of %llu bytes, but only %lld follow",
                           (unsigned long long)n, (long long)(file_size - SAFETENSORS_LENGTH));
    if (n > SAFETENSORS_HEADER_MAX)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "a header of %llu bytes; at most %d are read",
                           (unsigned long long)n, (int)SAFETENSORS_HEADER_MAX);
    *out = (int64_t)n;
    return STRIA_OK;
}

/* Reads or maps the data, as that of a .npy file with one array of bytes. */
static stria_status take_data(stria_safetensors *s, int fd, int64_t file_size, stria_npy_mode mode)
{
    const int64_t at = SAFETENSORS_LENGTH + s->header.size;
    struct npy_header h = {.dtype = stria_dtype_of(STRIA_U8), .ndim = 1, .data_at = at};
    h.shape[0] = h.nbytes = file_size - at;
    return stria__npy_take(fd, &h, mode, &s->data);
}

static stria_status open_file(stria_safetensors **out, int fd, int64_t file_size,
                              stria_npy_mode mode)
{
    int64_t n = 0;
    stria_safetensors *s = NULL;
    STRIA_TRY(header_size(fd, file_size, &n));
    STRIA_TRY(take_memory(&s, n));
    const struct room r = room_for((size_t)n);
    ((char *)s + r.text)[n] = 0;
    stria_status status = stria__read_at(fd, (char *)s + r.text, n, SAFETENSORS_LENGTH);
    if (status == STRIA_OK)
        status = stria__safetensors_parse(&s->header, (char *)s + r.strings,
                                          file_size - SAFETENSORS_LENGTH - n);
    if (status == STRIA_OK) status = take_data(s, fd, file_size, mode);
    if (status == STRIA_OK)
        *out = s;
    else
        stria_safetensors_release(s);
    return status;
}

stria_status stria_safetensors_open(stria_safetensors **out, const char *path, stria_npy_mode mode)
{
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "safetensors: out or path is NULL");
    if (mode != STRIA_NPY_READ && mode != STRIA_NPY_MAP && mode != STRIA_NPY_MAP_COPY)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "safetensors: mode %d; there are READ, MAP, MAP_COPY", (int)mode);
    int fd;
    int64_t size;
    stria_status status = stria__open_regular(&fd, &size, path, false);
    if (status == STRIA_OK) {
        status = open_file(out, fd, size, mode);
        (void)stria__files->close(fd); /* Nothing was written, so a failing close loses nothing. */
    }
    if (status != STRIA_OK)
        return stria__fail(status, "%.300s: safetensors: %s", path, stria_last_error());
    return STRIA_OK;
}

void stria_safetensors_release(stria_safetensors *file)
{
    if (!file) return;
    const struct memory memory = file->memory;
    stria_array_release(&file->data);
    stria__memory_free(&memory);
}

int64_t stria_safetensors_count(const stria_safetensors *file)
{
    return file ? file->header.count : 0;
}

const char *stria_safetensors_name(const stria_safetensors *file, int64_t i)
{
    return i < 0 || i >= stria_safetensors_count(file) ? NULL : file->header.tensors[i].name;
}

const char *stria_safetensors_metadata(const stria_safetensors *file, const char *key)
{
    for (int64_t i = 0; file && key && i < file->header.ntexts; i++)
        if (!strcmp(file->header.texts[i].key, key)) return file->header.texts[i].value;
    return NULL;
}

static stria_status view_of(stria_view *out, const stria_safetensors *file,
                            const struct safetensor *t)
{
    const struct safetensors_header *const h = &file->header;
    struct reader r = stria__safetensors_reader(h, t->shape);
    stria_dtype dtype = stria_dtype_of(t->kind);
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
    /* The bytes are little-endian on every machine. */
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) dtype = stria_dtype_swap(dtype);
    STRIA_TRY(stria__reader_shape(&r, &ndim, shape));
    return stria_view_make(out, file->data.owned, dtype, ndim, shape, NULL, t->begin);
}

stria_status stria_safetensors_get(stria_array *out, const stria_safetensors *file,
                                   const char *name, const stria_exec *exec)
{
    TAKES_EXEC(exec, "safetensors_get");
    if (!out || !file || !name)
        return stria__fail(STRIA_ERR_ARGUMENT, "safetensors: out, the file or name is NULL");
    for (int64_t i = 0; i < file->header.count; i++) {
        stria_view view;
        if (strcmp(file->header.tensors[i].name, name) != 0) continue;
        STRIA_TRY(view_of(&view, file, &file->header.tensors[i]));
        view_copy(&out->view, &view);
        array_own(out, stria_buffer_retain(file->data.owned));
        return STRIA_OK;
    }
    return stria__fail(
        STRIA_ERR_ARGUMENT, "safetensors: no array '%.100s' among %lld%s%.100s%s", name,
        (long long)file->header.count, file->header.count ? ", the first of which is '" : "",
        file->header.count ? file->header.tensors[0].name : "", file->header.count ? "'" : "");
}
