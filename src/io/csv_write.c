/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes tables of numbers: the items come as a stream, and go into a file as text. */
#include <string.h>

#include "io/atomic_file.h"
#include "io/csv.h"
#include "plan/threads.h"
#include "ops/format/columns.h"
#include "ops/stream.h"
#include "view/view.h"
#include "plan/threads.h"

enum { GATHERED = 64 << 10 /* Bytes of items and of text that are handled at once. */ };

struct writing {
    struct atomic_file file;
    struct text text;
    struct column column;
    int64_t columns, at; /* Number of columns, and the column of the next item. */
    char delimiter;
    const stria_exec *exec;
    int64_t untold; /* bytes of items that the watch has not heard of */
};

static stria_status flush(struct writing *w)
{
    if (w->text.failed)
        return stria__fail(STRIA_ERR_MEMORY, "csv: out of memory for %d bytes", GATHERED);
    STRIA_TRY(stria__write_at(w->file.fd, w->text.data, (int64_t)w->text.size, FILE_GOES_ON));
    STRIA_TRY(stria__watch_bytes(w->exec, w->untold));
    w->text.size = 0;
    w->untold = 0;
    return STRIA_OK;
}

static stria_status take_text(const void *bytes, int64_t size, void *context)
{
    struct writing *const w = context;
    const int32_t item = w->column.dtype.itemsize;
    for (const char *at = bytes, *const end = at + size; at < end; at += item) {
        stria__column_write(&w->text, &w->column, at);
        const bool last = ++w->at == w->columns;
        if (last) w->at = 0;
        stria__text_add(&w->text, last ? "\n" : &w->delimiter, 1);
        w->untold += item;
        if (w->text.size >= GATHERED || w->text.failed) STRIA_TRY(flush(w));
    }
    return STRIA_OK;
}

static stria_status write_items(struct writing *w, const stria_view *a, const char *header,
                                char *memory)
{
    const struct stage stage = {.memory = memory, .size = GATHERED, .direct = GATHERED};
    if (header) {
        stria__text_add(&w->text, header, strlen(header));
        stria__text_add(&w->text, "\n", 1);
    }
    if (stria_numel(a) > 0) STRIA_TRY(stria__stream(a, stage, take_text, w));
    return flush(w);
}

static stria_status write_file(struct writing *w, const char *path, const stria_view *a,
                               const char *header)
{
    OWNED_MEMORY(stage, GATHERED);
    if (!stage.at)
        return stria__fail(STRIA_ERR_MEMORY, "csv: out of memory for %d bytes", GATHERED);
    STRIA_TRY(stria__atomic_begin(&w->file, path));
    const stria_status status = stria__atomic_end(&w->file, write_items(w, a, header, stage.at));
    stria__memory_free(&w->text.memory);
    return status;
}

static stria_status check_table(const stria_view *a)
{
    STRIA_TRY(stria__check_view(a, "csv", "the view"));
    if (stria_buffer_is_meta(a->buffer))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "csv: a meta buffer has no elements to write");
    if (a->ndim > 2)
        return stria__fail(STRIA_ERR_SHAPE, "csv: %d dims; a table has rows and columns", a->ndim);
    if (a->dtype.kind <= STRIA_F64) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED, "csv: a table is of real numbers, not of %s",
                       stria__dtype_text(a->dtype).text);
}

stria_status stria_csv_write(const char *path, const stria_view *a, char delimiter,
                             const char *header, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    stria_format_options options;
    stria_format_defaults(&options);
    struct writing w = {.delimiter = delimiter ? delimiter : ',', .exec = exec};
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "csv: path is NULL");
    OBEYS(exec);
    STRIA_TRY(stria__check_exec(exec, "csv"));
    STRIA_TRY(check_table(a));
    STRIA_TRY(stria__csv_check_delimiter(w.delimiter));
    if (header && strpbrk(header, "\n\r"))
        return stria__fail(STRIA_ERR_ARGUMENT, "csv: the header has several lines");
    stria_dtype dtype = a->dtype;
    /* A bool is written as 0 or 1. */
    if (dtype.kind == STRIA_BOOL) dtype = stria_dtype_of(STRIA_U8);
    stria__column_begin(&w.column, dtype, 0, true, &options);
    w.columns = a->ndim == 2 ? a->shape[1] : 1;
    return stria__with_path(write_file(&w, path, a, header), path);
}
