/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes safetensors files: the header is composed in memory, once to measure it and once to keep
 * it, and the elements are streamed behind it. Names are escaped as the format's reference does.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "view/array.h"
#include "io/atomic_file.h"
#include "base/charset.h"
#include "io/safetensors.h"
#include "plan/threads.h"
#include "ops/stream.h"
#include "stria/cast.h"
#include "base/text_writer.h"
#include "plan/threads.h"

#define REFUSE(...) stria__fail(STRIA_ERR_ARGUMENT, "safetensors: " __VA_ARGS__)

/* An array that is written. Items are sorted as the file has them. */
struct item {
    const char *name;
    const stria_view *view;
    int rank;
};

static bool written_before(const void *a, const void *b)
{
    const struct item *const x = a, *const y = b;
    return x->rank != y->rank ? x->rank > y->rank : strcmp(x->name, y->name) < 0;
}

/* ---- what is refused ------------------------------------------------------------------------- */

static stria_status check_item(struct item *item, const char *name, const stria_view *view)
{
    if (!name || !*name) return REFUSE("a name is %s", name ? "empty" : "NULL");
    if (stria__utf8_fault(name, name + strlen(name)))
        return REFUSE("the name '%.80s' is not UTF-8", name);
    if (!strcmp(name, "__metadata__")) return REFUSE("the name __metadata__ is the format's own");
    STRIA_TRY(stria__check_view(view, "safetensors", "the view"));
    if (!stria__safetensors_dtype((stria_kind)view->dtype.kind, &item->rank))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "safetensors: '%.80s': the format has no %s",
                           name, stria__dtype_text(view->dtype).text);
    if (stria_buffer_is_meta(view->buffer))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "safetensors: '%.80s' lies in a meta buffer and has no elements", name);
    item->name = name;
    item->view = view;
    return STRIA_OK;
}

static bool name_before(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name) < 0;
}

static stria_status check_items(struct item *items, int64_t count, const char *const *names,
                                const stria_view *const *views)
{
    for (int64_t i = 0; i < count; i++)
        STRIA_TRY(check_item(&items[i], names[i], views[i]));
    stria__heap_sort(items, count, sizeof *items, name_before);
    for (int64_t i = 1; i < count; i++)
        if (!strcmp(items[i - 1].name, items[i].name))
            return REFUSE("the name '%.80s' is there twice", items[i].name);
    stria__heap_sort(items, count, sizeof *items, written_before);
    return STRIA_OK;
}

/* ---- the header ------------------------------------------------------------------------------ */

static stria_status add_item(struct written *t, const struct item *item, int64_t *offset)
{
    const stria_view *const a = item->view;
    int rank;
    stria__print_json(t, item->name);
    stria__print(t, ":{\"dtype\":\"%s\",\"shape\":[",
                 stria__safetensors_dtype((stria_kind)a->dtype.kind, &rank));
    for (int d = 0; d < a->ndim; d++)
        stria__print(t, d ? ",%" PRId64 : "%" PRId64, a->shape[d]);
    int64_t end;
    if (add_overflows(*offset, stria_nbytes(a), &end))
        return stria__fail(STRIA_ERR_OVERFLOW, "safetensors: the arrays exceed 2^63 - 1 bytes");
    stria__print(t, "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", *offset, end);
    *offset = end;
    return STRIA_OK;
}

/* Composes the length and then the text, padded so that the data begins at a multiple of 8. */
static stria_status compose(struct written *t, const struct item *items, int64_t count)
{
    int64_t offset = 0;
    t->used = SAFETENSORS_LENGTH;
    stria__print(t, "{");
    for (int64_t i = 0; i < count; i++) {
        if (i) stria__print(t, ",");
        STRIA_TRY(add_item(t, &items[i], &offset));
    }
    stria__print(t, "}");
    while (t->used % 8)
        stria__print(t, " ");
    const int64_t size = (int64_t)t->used - SAFETENSORS_LENGTH;
    if (size > SAFETENSORS_HEADER_MAX)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "safetensors: a header of %lld bytes; readers take at most %d",
                           (long long)size, (int)SAFETENSORS_HEADER_MAX);
    for (int i = 0; i < SAFETENSORS_LENGTH && t->room; i++)
        t->bytes[i] = (char)(size >> (8 * i) & 0xff);
    return STRIA_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* State of a file that is being written. */
struct output {
    struct atomic_file file;
    const stria_exec *exec;
};

static stria_status sink(const void *bytes, int64_t size, void *context)
{
    enum { TOGETHER = 16 << 20 }; /* Bytes between two reports to the watch. */
    struct output *const out = context;
    for (int64_t done = 0; done < size;) {
        const int64_t part = least(size - done, TOGETHER);
        STRIA_TRY(stria__write_at(out->file.fd, (const char *)bytes + done, part, FILE_GOES_ON));
        done += part;
        STRIA_TRY(stria__watch_bytes(out->exec, part));
    }
    return STRIA_OK;
}

static stria_status write_elements(struct output *out, const stria_view *a, char *memory,
                                   int64_t size)
{
    const struct stage through = {memory, size, 0, size, 64 << 10};
    stria_dtype little = stria_dtype_of((stria_kind)a->dtype.kind);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) little = stria_dtype_swap(little);
    if (stria_nbytes(a) == 0) return STRIA_OK;
    if (stria_dtype_equal(a->dtype, little)) return stria__stream(a, through, sink, out);
    OWNED_ARRAY(turned);
    STRIA_TRY(stria_astype(&turned, a, little, STRIA_CAST_EQUIV, STRIA_COPY_ALWAYS, NULL, NULL));
    return stria__stream(&turned.view, through, sink, out);
}

static stria_status write_file(const char *path, const struct written *header,
                               const struct item *items, int64_t count, const stria_exec *exec)
{
    enum { STAGE = 256 << 10 };
    struct output out = {.exec = exec};
    OWNED_BUFFER(stage);
    STRIA_TRY(stria_buffer_make(&stage, STAGE));
    STRIA_TRY(stria__atomic_begin(&out.file, path));
    stria_status status =
        stria__write_at(out.file.fd, header->bytes, (int64_t)header->used, FILE_GOES_ON);
    for (int64_t i = 0; i < count && status == STRIA_OK; i++)
        status = write_elements(&out, items[i].view, stria_buffer_data(stage), STAGE);
    return stria__atomic_end(&out.file, status);
}

static stria_status write_items(const char *path, struct item *items, int64_t count,
                                const stria_exec *exec)
{
    struct written header = {.bytes = NULL};
    OWNED_BUFFER(room);
    STRIA_TRY(compose(&header, items, count));
    STRIA_TRY(stria_buffer_make(&room, (int64_t)header.used + 1));
    header = (struct written){.bytes = stria_buffer_data(room), .room = header.used + 1};
    STRIA_TRY(compose(&header, items, count));
    return write_file(path, &header, items, count, exec);
}

stria_status stria_safetensors_write(const char *path, int count, const char *const *names,
                                     const stria_view *const *views, const stria_exec *exec)
{
    OWNED_BUFFER(room);
    OBEYS(exec);
    STRIA_TRY(stria__check_exec(exec, "safetensors"));
    if (!path || (count != 0 && (!names || !views))) return REFUSE("path, names or views is NULL");
    if (count < 0 || count > SAFETENSORS_HEADER_MAX) return REFUSE("%lld arrays", (long long)count);
    STRIA_TRY(stria_buffer_make(&room, count * (int64_t)sizeof(struct item)));
    struct item *const items = (void *)stria_buffer_data(room);
    STRIA_TRY(check_items(items, count, names, views));
    return stria__with_path(write_items(path, items, count, exec), path);
}
