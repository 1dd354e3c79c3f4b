/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes pictures by libpng, row by row. */
#include <limits.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "view/array.h"
#include "io/atomic_file.h"
#include "io/png.h"
#include "plan/threads.h"
#include "stria/copy.h"
#include "plan/threads.h"

void stria__png_failed(png_structp png, png_const_charp text)
{
    struct png_failure *const failure = png_get_error_ptr(png);
    (void)snprintf(failure->text, sizeof failure->text, "%s", text);
    longjmp(failure->jump, 1);
}

void stria__png_warned(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

struct picture {
    struct png_failure failure;
    struct atomic_file file;
    stria_status status; /* Status of what was called from within libpng. */
    const stria_view *view;
    stria_array row; /* A dense row in native byte order. */
    int64_t height, width, channels;
    png_structp png;
    png_infop info;
    const stria_exec *exec;
};

static void put_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct picture *const p = png_get_io_ptr(png);
    p->status = stria__write_at(p->file.fd, bytes, (int64_t)size, FILE_GOES_ON);
    if (p->status != STRIA_OK) png_error(png, "cannot be written");
}

static void flush(png_structp png)
{
    (void)png;
}

/* Fetches row y, or ends the writing; bools become 0 and 255. */
static void fetch_row(struct picture *p, int64_t y)
{
    stria_view from;
    p->status = stria_select(&from, p->view, 0, y);
    if (p->status == STRIA_OK) p->status = stria_copy(&p->row.view, &from, NULL);
    if (p->status == STRIA_OK) p->status = stria__watch_bytes(p->exec, stria_nbytes(&p->row.view));
    if (p->status != STRIA_OK) png_error(p->png, "ended");
    for (int64_t i = 0; p->view->dtype.kind == STRIA_BOOL && i < p->width * p->channels; i++)
        p->row.view.data[i] = (char)-p->row.view.data[i];
}

static void write_all(struct picture *p)
{
    static const int colours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                  PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    const int bits = 8 * p->row.view.dtype.itemsize;
    png_set_write_fn(p->png, p, put_bytes, flush);
    png_set_user_limits(p->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(p->png, p->info, (png_uint_32)p->width, (png_uint_32)p->height, bits,
                 colours[p->channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(p->png, p->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (bits == 16) png_set_swap(p->png);
#endif
    for (int64_t y = 0; y < p->height; y++) {
        fetch_row(p, y);
        png_write_row(p->png, (png_const_bytep)p->row.view.data);
    }
    png_write_end(p->png, p->info);
}

static stria_status write_picture(struct picture *p)
{
    if (!setjmp(p->failure.jump)) {
        write_all(p);
        return STRIA_OK;
    }
    if (p->status != STRIA_OK) return p->status; /* The message of this status is already set. */
    return stria__fail(STRIA_ERR_IO, "png: %s", p->failure.text);
}

static stria_status write_file(struct picture *p, const char *path)
{
    p->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &p->failure, stria__png_failed,
                                     stria__png_warned);
    if (p->png) p->info = png_create_info_struct(p->png);
    stria_status status = p->info ? stria__atomic_begin(&p->file, path)
                                  : stria__fail(STRIA_ERR_MEMORY, "png: out of memory");
    if (status == STRIA_OK) status = stria__atomic_end(&p->file, write_picture(p));
    png_destroy_write_struct(&p->png, &p->info);
    return status;
}

static stria_status check_picture(struct picture *p, const stria_view *a)
{
    STRIA_TRY(stria__check_view(a, "png", "the view"));
    if (stria_buffer_is_meta(a->buffer))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "png: a meta buffer has no elements to write");
    if (a->dtype.kind != STRIA_U8 && a->dtype.kind != STRIA_U16 && a->dtype.kind != STRIA_BOOL)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "png: samples are u8, u16 or bool, not %s",
                           stria__dtype_text(a->dtype).text);
    p->height = a->ndim > 0 ? a->shape[0] : 0;
    p->width = a->ndim > 1 ? a->shape[1] : 0;
    p->channels = a->ndim == 3 ? a->shape[2] : 1;
    if (a->ndim >= 2 && a->ndim <= 3 && p->channels >= 1 && p->channels <= 4 && p->height > 0 &&
        p->height <= INT_MAX && p->width > 0 && p->width <= INT_MAX)
        return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE,
                       "png: a picture of shape %s; it is (height, width) or (height, width, 1 to "
                       "4), of 1 to 2^31 - 1 each",
                       stria__dims_text(a->ndim, a->shape).text);
}

stria_status stria_png_write(const char *path, const stria_view *a, const stria_exec *exec)
{
    struct picture p = {.view = a, .exec = exec};
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "png: path is NULL");
    OBEYS(exec);
    STRIA_TRY(stria__check_exec(exec, "png"));
    STRIA_TRY(check_picture(&p, a));
    const stria_kind kind = a->dtype.kind == STRIA_U16 ? STRIA_U16 : STRIA_U8;
    STRIA_TRY(stria_empty(&p.row, stria_dtype_of(kind), a->ndim - 1, a->shape + 1));
    const stria_status status = write_file(&p, path);
    stria_array_release(&p.row);
    return stria__with_path(status, path);
}
