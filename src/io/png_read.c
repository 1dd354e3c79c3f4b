/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads pictures by libpng, whose errors jump back to where it was called. */
#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "view/array.h"
#include "io/npy_file.h"
#include "io/png.h"
#include "ops/make.h"
#include "stria/raw.h"
#include "plan/threads.h"

enum { MOST_PACKED = 1032 /* Most bytes that deflate can make of one. */ };

struct reading {
    struct png_failure failure;
    const unsigned char *at, *end; /* The rest of the file. */
    png_structp png;
    png_infop info;
    png_uint_32 width, height;
    int channels, bits;
    int64_t packed; /* Bytes of a row before deflate, without its filter byte. */
    int64_t size;   /* Bytes of the file. */
    bool no_memory; /* An allocation by libpng failed. */
};

/* A block that libpng allocates: it comes from the hook and counts in the budget, as the picture
 * does. */
struct block {
    struct memory memory;
    max_align_t bytes[];
};

static png_voidp take_block(png_structp png, png_alloc_size_t size)
{
    struct reading *const r = png_get_mem_ptr(png);
    const struct memory memory = stria__memory(sizeof(struct block) + size);
    struct block *const block = memory.at;
    if (!block) {
        r->no_memory = true;
        return NULL;
    }
    block->memory = memory;
    return block->bytes;
}

static void give_back(png_structp png, png_voidp bytes)
{
    const struct block *const block =
        (const struct block *)(const void *)((char *)bytes - offsetof(struct block, bytes));
    const struct memory memory = block->memory;
    (void)png;
    stria__memory_free(&memory);
}

static void give_bytes(png_structp png, png_bytep to, size_t size)
{
    struct reading *const r = png_get_io_ptr(png);
    if (size > (size_t)(r->end - r->at)) png_error(png, "the file is shorter than it says");
    memcpy(to, r->at, size);
    r->at += size;
}

/*
 * Reads the header chunks that describe the array, without memory for a row. Texts and profiles are
 * skipped, since few of their bytes may become megabytes. Everything becomes gray or RGB of 8 or 16
 * bits, perhaps with alpha.
 */
static void read_header(struct reading *r)
{
    int colour;
    png_set_read_fn(r->png, r, give_bytes);
    png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(r->png, r->info);
    (void)png_get_IHDR(r->png, r->info, &r->width, &r->height, &r->bits, &colour, NULL, NULL, NULL);
    r->packed = (int64_t)png_get_rowbytes(r->png, r->info);
    r->channels = colour & PNG_COLOR_MASK_COLOR ? 3 : 1;
    if (colour & PNG_COLOR_MASK_ALPHA || png_get_valid(r->png, r->info, PNG_INFO_tRNS))
        r->channels++;
}

/* Reads all rows in native byte order. */
static void read_rows(struct reading *r, char *data)
{
    png_set_expand(r->png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (r->bits == 16) png_set_swap(r->png);
#endif
    const int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    const size_t row = png_get_rowbytes(r->png, r->info);
    if (row != (size_t)r->width * (size_t)r->channels * (r->bits == 16 ? 2 : 1))
        png_error(r->png, "the rows are not what the header says");
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 y = 0; y < r->height; y++)
            png_read_row(r->png, (png_bytep)data + y * row, NULL);
    png_read_end(r->png, NULL);
}

/* Reads the header, or the rows into data if that is not NULL. */
static stria_status read_step(struct reading *r, char *data)
{
    if (setjmp(r->failure.jump))
        return stria__fail(r->no_memory ? STRIA_ERR_MEMORY : STRIA_ERR_FORMAT, "png: %s",
                           r->failure.text);
    if (data)
        read_rows(r, data);
    else
        read_header(r);
    return STRIA_OK;
}

static stria_status make_picture(stria_array *out, const struct reading *r, stria_npy_mode mode)
{
    struct npy_header h = {.dtype = stria_dtype_of(r->bits == 16 ? STRIA_U16 : STRIA_U8),
                           .ndim = r->channels == 1 ? 2 : 3,
                           .shape = {(int64_t)r->height, (int64_t)r->width, r->channels}};
    if (h.shape[0] * (r->packed + 1) / MOST_PACKED > r->size)
        return stria__fail(STRIA_ERR_FORMAT,
                           "png: %lld x %lld pixels in %lld bytes, which cannot be that many",
                           (long long)h.shape[0], (long long)h.shape[1], (long long)r->size);
    h.nbytes = h.shape[0] * h.shape[1] * r->channels * h.dtype.itemsize;
    if (mode == STRIA_NPY_HEADER) return stria__npy_meta(out, &h);
    return stria_empty(out, h.dtype, h.ndim, h.shape);
}

static stria_status read_picture(stria_array *out, struct reading *r, stria_npy_mode mode)
{
    OWNED_ARRAY(made);
    STRIA_TRY(read_step(r, NULL));
    STRIA_TRY(make_picture(&made, r, mode));
    return stria__deliver(out, &made,
                          mode == STRIA_NPY_HEADER ? STRIA_OK : read_step(r, made.view.data));
}

static stria_status read_bytes(stria_array *out, const stria_view *file, stria_npy_mode mode)
{
    struct reading r = {.size = stria_nbytes(file)};
    r.at = (const unsigned char *)file->data;
    r.end = r.at + r.size;
    r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r.failure, stria__png_failed,
                                     stria__png_warned, &r, take_block, give_back);
    if (r.png) r.info = png_create_info_struct(r.png);
    const stria_status status =
        r.info ? read_picture(out, &r, mode) : stria__fail(STRIA_ERR_MEMORY, "png: out of memory");
    png_destroy_read_struct(&r.png, &r.info, NULL);
    return status;
}

stria_status stria_png_read(stria_array *out, const char *path, stria_npy_mode mode,
                            const stria_exec *exec)
{
    TAKES_EXEC(exec, "png_read");
    OWNED_ARRAY(file);
    const int64_t all = -1;
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "png: out or path is NULL");
    if (mode != STRIA_NPY_READ && mode != STRIA_NPY_HEADER)
        return stria__fail(STRIA_ERR_ARGUMENT, "png: %d is neither READ nor HEADER", (int)mode);
    STRIA_TRY(
        stria_raw_read(&file, path, stria_dtype_of(STRIA_U8), 1, &all, 0, STRIA_NPY_MAP, NULL));
    return stria__with_path(read_bytes(out, &file.view, mode), path);
}
