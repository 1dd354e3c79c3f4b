/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files whose headers lie: .npy, .npz, safetensors, PNG, CSV and raw, written number by number as
 * their formats have them, where now and then a length, a count, a size or an offset is another
 * one. Whatever they claim, reading takes at most MORE bytes above the budget of memory, of the
 * allocator hook and, where nothing else watches it, of malloc, which libraries call; and without a
 * budget above what the bytes of the file stand for.
 */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "input.h"
#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/heap.h"

enum { ROOM = 64 << 10, BUDGET = 64 << 10, MORE = 1 << 20 };

/* ---- files ----------------------------------------------------------------------------------- */

struct file {
    uint8_t bytes[ROOM];
    size_t size;
};

static void put(struct file *f, const void *bytes, size_t size)
{
    MUST(size <= ROOM - f->size, "room");
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}

static void put_text(struct file *f, const char *text)
{
    put(f, text, strlen(text));
}

/* On average one number of so many in the present file is a lie. */
static int one_in;

/* Returns the number or, now and then, a lie. */
static uint64_t tell(struct input *in, uint64_t truth)
{
    static const uint64_t lies[] = {0,
                                    1,
                                    7,
                                    255,
                                    4096,
                                    65535,
                                    65536,
                                    1000000,
                                    INT32_MAX,
                                    UINT32_MAX,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 40,
                                    UINT64_C(1) << 62,
                                    INT64_MAX,
                                    UINT64_MAX,
                                    UINT64_C(1000000000000)};
    if (!take_once(in, one_in)) return truth;
    switch (take_below(in, 4)) {
    case 0: return truth + (uint64_t)take_below(in, 9) - 4;
    case 1: return truth << take_below(in, 40);
    default: return lies[take_below(in, 16)];
    }
}

static void put_little(struct file *f, struct input *in, uint64_t number, int bytes)
{
    const uint64_t told = tell(in, number);
    for (int i = 0; i < bytes; i++)
        put(f, &(uint8_t){(uint8_t)(told >> 8 * i)}, 1);
}

static void put_big(struct file *f, struct input *in, uint64_t number, int bytes)
{
    const uint64_t told = tell(in, number);
    for (int i = bytes - 1; i >= 0; i--)
        put(f, &(uint8_t){(uint8_t)(told >> 8 * i)}, 1);
}

static void put_decimal(struct file *f, struct input *in, uint64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, tell(in, number));
    put_text(f, text);
}

/* Sets the number that was left out at `at`, now that its true value is known. */
static void set_little(struct file *f, struct input *in, size_t at, uint64_t number, int bytes)
{
    struct file told = {.size = 0};
    put_little(&told, in, number, bytes);
    memcpy(f->bytes + at, told.bytes, told.size);
}

static void put_data(struct file *f, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put(f, &(uint8_t){(uint8_t)(i % 3)}, 1);
}

/* ---- formats --------------------------------------------------------------------------------- */

/* Returns how many bytes of elements the file claims to have: its shape may lie where all else
 * agrees with it. */
static uint64_t put_npy(struct file *f, struct input *in)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } types[] = {{"'<f4'", 4},
                 {"'|u1'", 1},
                 {"'<U%'", 16},
                 {"'|V%'", 4},
                 {"'|S%'", 4},
                 {"[('a', '<f8'), ('b', '|S%', (%, %))]", 72},
                 {"[('a', [('b', '|V%')], (%,)), ('', '|V%')]", 20}};
    const int version = 1 + take_below(in, 3), type = take_below(in, 7);
    const uint64_t rows = 1 + (uint64_t)take_below(in, 9), claimed = tell(in, rows);
    uint64_t bytes = types[type].bytes;
    put(f, "\x93NUMPY", 6);
    put(f, (uint8_t[]){(uint8_t)version, 0}, 2);
    const size_t at = f->size;
    put(f, "\0\0\0\0", version == 1 ? 2 : 4);
    const size_t text = f->size;
    put_text(f, "{'descr': ");
    for (const char *c = types[type].text; *c; c++)
        if (*c == '%')
            put_decimal(f, in, 4);
        else
            put(f, c, 1);
    put_text(f, ", 'fortran_order': False, 'shape': (");
    put_decimal(f, in, claimed);
    for (int d = take_below(in, 3); d >= 0; d--, bytes *= 2) {
        put_text(f, ", ");
        put_decimal(f, in, 2);
    }
    put_text(f, "), }");
    const int spaces = take_once(in, 8) ? 8 * take_below(in, 256) : 0;
    for (int i = 0; i < spaces; i++)
        put(f, " ", 1);
    put(f, "\n", 1);
    set_little(f, in, at, f->size - text, version == 1 ? 2 : 4);
    const uint64_t size = f->size + bytes * claimed;
    put_data(f, (size_t)(bytes * rows));
    return size;
}

static void put_npy_alone(struct file *f, struct input *in)
{
    (void)put_npy(f, in);
}

static void put_safetensors(struct file *f, struct input *in)
{
    static const char *const types[] = {"F32", "U8", "F64", "BOOL"};
    static const int sizes[] = {4, 1, 8, 1};
    uint64_t end = 0;
    put(f, "\0\0\0\0\0\0\0\0", 8);
    put_text(f, "{");
    if (take_once(in, 4)) put_text(f, "\"__metadata__\":{\"a\":\"b\",\"c\":\"d\"},");
    const int count = 1 + take_below(in, 12);
    for (int i = 0; i < count; i++) {
        const int type = take_below(in, 4), rows = take_below(in, 5);
        char text[80];
        (void)snprintf(text, sizeof text, "%s\"t%d\":{\"dtype\":\"%s\",\"shape\":[", i ? "," : "",
                       i, types[type]);
        put_text(f, text);
        put_decimal(f, in, (uint64_t)rows);
        put_text(f, ",");
        put_decimal(f, in, 2);
        put_text(f, "],\"data_offsets\":[");
        put_decimal(f, in, end);
        put_text(f, ",");
        put_decimal(f, in, end += (uint64_t)(rows * 2 * sizes[type]));
        put_text(f, "]}");
    }
    put_text(f, "}");
    set_little(f, in, 0, f->size - 8, 8);
    put_data(f, (size_t)end);
}

static uint32_t crc32_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xEDB88320) : 0);
    }
    return ~crc;
}

/* Writes bytes as a deflate stream of one stored block, which is not compressed. */
static void put_deflated(struct file *f, struct input *in, const uint8_t *bytes, size_t size)
{
    put(f, "\1", 1);
    put_little(f, in, size, 2);
    put_little(f, in, ~(uint64_t)size, 2);
    put(f, bytes, size);
}

struct member {
    const char *name;
    uint64_t crc, packed, size, at, method;
};

/* Writes the fields that local and central headers have in common, up to the lengths of names. */
static void put_member(struct file *f, struct input *in, const struct member *m)
{
    put_little(f, in, 20, 2);
    put_little(f, in, 0, 2);
    put_little(f, in, m->method, 2);
    put_little(f, in, 0, 4);
    put_little(f, in, m->crc, 4);
    put_little(f, in, m->packed, 4);
    put_little(f, in, m->size, 4);
    put_little(f, in, strlen(m->name), 2);
    put_little(f, in, 0, 2);
}

static void put_npz(struct file *f, struct input *in)
{
    static const char *const names[] = {"a.npy", "b.npy", "c.npy"};
    struct member members[3];
    const int count = 1 + take_below(in, 3);
    for (int i = 0; i < count; i++) {
        struct file npy = {.size = 0}, packed = {.size = 0};
        const uint64_t size = put_npy(&npy, in);
        const bool deflated = take_below(in, 2);
        if (deflated) put_deflated(&packed, in, npy.bytes, npy.size);
        const struct file *const data = deflated ? &packed : &npy;
        const uint64_t packed_size = deflated ? data->size + size / 1100 : size;
        members[i] = (struct member){
            names[i], crc32_of(npy.bytes, npy.size), packed_size, size, f->size, deflated ? 8 : 0};
        put(f, "PK\3\4", 4);
        put_member(f, in, &members[i]);
        put_text(f, names[i]);
        put(f, data->bytes, data->size);
    }
    const size_t directory = f->size;
    for (int i = 0; i < count; i++) {
        put(f, "PK\1\2\24", 6);
        put_member(f, in, &members[i]);
        put_little(f, in, 0, 2);
        put_little(f, in, 0, 2);
        put_little(f, in, 0, 2);
        put_little(f, in, 0, 4);
        put_little(f, in, members[i].at, 4);
        put_text(f, names[i]);
    }
    const size_t end = f->size;
    put(f, "PK\5\6\0\0\0\0", 8);
    put_little(f, in, (uint64_t)count, 2);
    put_little(f, in, (uint64_t)count, 2);
    put_little(f, in, end - directory, 4);
    put_little(f, in, directory, 4);
    put_little(f, in, 0, 2);
}

static void put_chunk(struct file *f, struct input *in, const char *type, const uint8_t *bytes,
                      size_t size)
{
    put_big(f, in, size, 4);
    const size_t at = f->size;
    put_text(f, type);
    put(f, bytes, size);
    const uint32_t crc = crc32_of(f->bytes + at, f->size - at);
    put(f,
        (uint8_t[]){(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8), (uint8_t)crc},
        4);
}

static void put_png(struct file *f, struct input *in)
{
    static const uint8_t colours[] = {0, 2, 3, 4, 6}, channels[] = {1, 3, 1, 2, 4};
    const int which = take_below(in, 5), depth = which == 2 || take_below(in, 2) ? 8 : 16;
    const size_t width = 1 + (size_t)take_below(in, 9), height = 1 + (size_t)take_below(in, 9);
    struct file header = {.size = 0}, rows = {.size = 0}, packed = {.size = 0};
    put(f, "\x89PNG\r\n\x1a\n", 8);
    put_big(&header, in, width, 4);
    put_big(&header, in, height, 4);
    put_big(&header, in, (uint64_t)depth, 1);
    put_big(&header, in, colours[which], 1);
    put_big(&header, in, 0, 2);
    put_big(&header, in, (uint64_t)take_once(in, 6), 1);
    put_chunk(f, in, "IHDR", header.bytes, header.size);
    if (which == 2) put_chunk(f, in, "PLTE", rows.bytes, 9);
    if (take_once(in, 4)) put_chunk(f, in, "tRNS", rows.bytes, (size_t)take_below(in, 8));
    if (take_once(in, 4)) put_chunk(f, in, "zTXt", (const uint8_t *)"a\0\0x\x9c", 5);
    if (take_once(in, 4)) put_chunk(f, in, "iCCP", (const uint8_t *)"a\0\0x\x9c", 5);
    put_data(&rows, height * (1 + width * channels[which] * (size_t)depth / 8));
    put(&packed, "x\1", 2);
    put_deflated(&packed, in, rows.bytes, rows.size);
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < rows.size; i++) {
        a = (a + rows.bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_big(&packed, in, (uint64_t)b << 16 | a, 4);
    put_chunk(f, in, "IDAT", packed.bytes, packed.size);
    put_chunk(f, in, "IEND", packed.bytes, 0);
}

/* Writes lines, some of them longer than the others or empty. */
static void put_csv(struct file *f, struct input *in)
{
    const int lines = 1 + take_below(in, 30), columns = 1 + take_below(in, 30);
    for (int i = 0; i < lines; i++) {
        const int fields = (int)(tell(in, (uint64_t)columns) % 300);
        for (int k = 0; k < fields; k++) {
            if (k) put_text(f, ",");
            put_decimal(f, in, 1);
            if (f->size > ROOM - 200) return;
        }
        put_text(f, "\n");
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Checks that reading was refused with a message, or gave an array whose elements can be read. */
static void look_at(stria_status status, stria_array *array)
{
    if (status != STRIA_OK) {
        MUST(stria_last_error()[0] != 0, "message");
        return;
    }
    bool same;
    if (!stria_buffer_is_meta(array->view.buffer) && array->view.dtype.kind <= STRIA_C128)
        MUST(stria_array_equal(&same, &array->view, &array->view, true, NULL) == STRIA_OK,
             stria_last_error());
    stria_array_release(array);
}

static void read_npy(const char *path, int fd, struct input *in)
{
    stria_array array = {0};
    look_at(stria_npy_read(&array, path, (stria_npy_mode)take_below(in, 3), NULL), &array);
    MUST(lseek(fd, 0, SEEK_SET) == 0, "seek");
    look_at(
        stria_npy_read_fd(&array, fd, take_below(in, 2) ? STRIA_NPY_READ : STRIA_NPY_HEADER, NULL),
        &array);
}

static void read_npz(const char *path, int fd, struct input *in)
{
    stria_npz *npz = NULL;
    (void)fd;
    if (stria_npz_open(&npz, path) != STRIA_OK) {
        MUST(stria_last_error()[0] != 0, "message");
        return;
    }
    for (int64_t i = 0, n = stria_npz_count(npz); i < n && i < 4; i++) {
        const char *const name = stria_npz_name(npz, i);
        stria_array array = {0};
        if (name)
            look_at(stria_npz_read(&array, npz, name, (stria_npz_mode)take_below(in, 4), NULL),
                    &array);
    }
    stria_npz_release(npz);
}

static void read_safetensors(const char *path, int fd, struct input *in)
{
    stria_safetensors *file = NULL;
    const stria_status status =
        stria_safetensors_open(&file, path, take_below(in, 2) ? STRIA_NPY_READ : STRIA_NPY_MAP);
    (void)fd;
    MUST(status == STRIA_OK || stria_last_error()[0], "message");
    stria_safetensors_release(file);
}

static void read_png(const char *path, int fd, struct input *in)
{
    stria_array array = {0};
    (void)fd;
    look_at(
        stria_png_read(&array, path, take_below(in, 2) ? STRIA_NPY_READ : STRIA_NPY_HEADER, NULL),
        &array);
}

static void read_csv(const char *path, int fd, struct input *in)
{
    stria_array array = {0};
    (void)fd;
    look_at(stria_csv_read(&array, path, take_below(in, 2) ? ',' : 0, NULL), &array);
}

static void read_raw(const char *path, int fd, struct input *in)
{
    stria_array array = {0};
    int64_t shape[2];
    (void)fd;
    for (int d = 0; d < 2; d++)
        shape[d] = take_once(in, 5) ? -1 : (int64_t)tell(in, 4);
    const int64_t offset = (int64_t)tell(in, 8);
    look_at(stria_raw_read(&array, path, stria_dtype_of(STRIA_F32), 2, shape, offset,
                           (stria_npy_mode)take_below(in, 3), NULL),
            &array);
}

/* `factor`: the most bytes of memory that a byte of the file stands for; deflate makes 1032 of
 * one. */
static const struct format {
    const char *name;
    int64_t factor;
    void (*write)(struct file *f, struct input *in);
    void (*read)(const char *path, int fd, struct input *in);
} formats[] = {{"npy", 2, put_npy_alone, read_npy},
               {"npz", 1033, put_npz, read_npz},
               {"safetensors", 8, put_safetensors, read_safetensors},
               {"png", 33 * 1033, put_png, read_png},
               {"csv", 9, put_csv, read_csv},
               {"raw", 2, put_npy_alone, read_raw}};
enum { FORMATS = sizeof formats / sizeof *formats };

static void read_within(const struct format *format, const char *path, int fd, struct input *in,
                        int64_t bound)
{
    counting_begin(0);
    heap_watch();
    const int64_t held = heap_held();
    format->read(path, fd, in);
    MUST(allocation_counts.live == 0, format->name);
    MUST(allocation_counts.most <= bound + MORE, format->name);
    MUST(heap_most() - held <= bound + MORE, format->name);
    counting_end();
}

/* Without a budget, reading a file may take what its own bytes stand for. */
static void read_file(const struct format *format, const char *path, int fd, struct input *in,
                      size_t size)
{
    struct budget budget;
    const int64_t bytes = take_below(in, 3) * (int64_t)BUDGET;
    if (!bytes) {
        read_within(format, path, fd, in, format->factor * (int64_t)size);
        return;
    }
    struct budget *const before = stria__budget_begin(&budget, bytes, 0);
    read_within(format, path, fd, in, bytes);
    stria__budget_end(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct file file;
    struct input in = {data, size};
    char path[40];
    const struct format *const format = &formats[take_below(&in, FORMATS)];
    static const int rates[] = {6, 30, 120, 250};
    one_in = rates[take_below(&in, 4)];
    file.size = 0;
    format->write(&file, &in);
    if (take_once(&in, 12)) file.size = file.size * (size_t)take_below(&in, 256) / 256;
    const int fd = memfd_create("lies", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, file.bytes, file.size) == (ssize_t)file.size, "memfd");
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_file(format, path, fd, &in, file.size);
    (void)close(fd);
    return 0;
}
