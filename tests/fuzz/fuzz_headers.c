/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Headers that are nearly right: records of .npy files and lists of safetensors, composed by their
 * grammars with a mistake now and then, which any bytes would hardly ever reach. What is taken is
 * consistent, and a record survives a round trip.
 */
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "input.h"
#include "io/npy_header.h"
#include "io/safetensors.h"
#include "npy_round_trip.h"
#include "stria/record.h"

enum { ROOM = 8 << 10, DATA = 2 << 10 };

struct text {
    char bytes[ROOM];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (t->used < ROOM - 200) t->used += (size_t)vsnprintf(t->bytes + t->used, 200, format, args);
    va_end(args);
}

/* Chooses one of the first n - 1 texts or, now and then, the last one, which is a mistake. */
static const char *choose(struct input *in, const char *const *texts, int n)
{
    return take_once(in, 64) ? texts[n - 1] : texts[take_below(in, n - 1)];
}

#define CHOOSE(in, ...)                                                                            \
    choose(in, (const char *const[]){__VA_ARGS__},                                                 \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* ---- records --------------------------------------------------------------------------------- */

static void add_fields(struct text *t, struct input *in, int depth);

static void add_field(struct text *t, struct input *in, int depth)
{
    static const char *const types[] = {"<i4",      "|u1", ">f8", "<f2", "|S3",
                                        "<U2",      "|V4", "<c8", "|b1", ">i2",
                                        ">m8[25s]", "|V0", "|O",  "<i3", "<M8[B]"};
    add(t, "(");
    if (take_once(in, 12))
        add(t, "('title %d', 'n%d')", take_below(in, 3), take_below(in, 40));
    else
        add(t, "'%s%d'", CHOOSE(in, "a", "field_", "\xc3\xa9", "'"), take_below(in, 40));
    add(t, "%s", CHOOSE(in, ", ", ",", " ,", ":"));
    if (depth < 4 && take_once(in, 6))
        add_fields(t, in, depth + 1);
    else
        add(t, "'%s'",
            take_once(in, 40) ? types[11 + take_below(in, 4)] : types[take_below(in, 11)]);
    if (take_once(in, 5))
        add(t, ", (%d,%s)", take_below(in, 4), CHOOSE(in, "", " 2", " 3, 1", "-1"));
    add(t, "%s", CHOOSE(in, ")", ")", "]"));
}

static void add_fields(struct text *t, struct input *in, int depth)
{
    const int count = 1 + take_below(in, 5);
    add(t, "[");
    for (int i = 0; i < count; i++) {
        if (i) add(t, "%s", CHOOSE(in, ", ", ",", ";"));
        if (take_once(in, 8))
            add(t, "('', '|V%d')", take_below(in, 9));
        else
            add_field(t, in, depth);
    }
    add(t, "%s", CHOOSE(in, "]", ", ]", ""));
}

static void change_a_byte(struct text *t, struct input *in)
{
    const size_t at = (size_t)take_below(in, 256) * 256 + (size_t)take_below(in, 256);
    if (take_once(in, 8) && t->used) t->bytes[at % t->used] = (char)take_below(in, 256);
}

static void try_record(struct input *in)
{
    struct text t = {.used = 0};
    add(&t, "{'descr': ");
    add_fields(&t, in, 0);
    add(&t, ", 'fortran_order': %s, 'shape': (%d,%s), }", CHOOSE(in, "False", "True", "0"),
        take_below(in, 4), take_once(in, 3) ? " 2" : "");
    change_a_byte(&t, in);
    const int version = take_once(in, 2) ? 3 : 1;
    const size_t before = version == 1 ? 10 : 12, length = t.used + 1;
    uint8_t *file = calloc(before + length + DATA, 1);
    MUST(file != NULL, "record");
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (uint8_t)version;
    file[8] = (uint8_t)(length & 0xff);
    file[9] = (uint8_t)(length >> 8);
    memcpy(file + before, t.bytes, t.used);
    file[before + t.used] = '\n';
    npy_round_trip(file, before + length + DATA);
    free(file);
}

/* ---- safetensors ----------------------------------------------------------------------------- */

static void add_tensor(struct text *t, struct input *in, int *end)
{
    const int rows = take_below(in, 5), columns = 1 + take_below(in, 3);
    const int size = take_once(in, 2) ? 4 : 1, begin = *end;
    *end += rows * columns * size;
    add(t, "\"%s%d\"%s{", CHOOSE(in, "x", "\\u00e9", "\xc3\xa9", "\\ud800"), take_below(in, 200),
        CHOOSE(in, ":", " : ", ","));
    add(t, "\"dtype\":\"%s\",",
        size == 4 ? CHOOSE(in, "F32", "I32", "F64") : CHOOSE(in, "U8", "F8_E4M3", "F4"));
    add(t, "\"shape\":[%d%s%d],", rows, CHOOSE(in, ",", " , ", ",1,2,"), columns);
    add(t, "\"data_offsets\":[%d,%d]%s", begin + take_once(in, 80), *end,
        CHOOSE(in, "}", " }", ",\"shape\":[]}"));
}

static void check_taken(const struct safetensors_header *h, int64_t data_size)
{
    int64_t end = 0;
    for (int64_t i = 0; i < h->count; i++) {
        int64_t shape[STRIA_MAX_NDIM], bytes = stria_dtype_of(h->tensors[i].kind).itemsize;
        struct reader r = stria__safetensors_reader(h, h->tensors[i].shape);
        int ndim;
        MUST(stria__reader_shape(&r, &ndim, shape) == STRIA_OK, "safetensors");
        for (int d = 0; d < ndim; d++)
            bytes *= shape[d];
        MUST(h->tensors[i].begin == end, "safetensors");
        end = h->tensors[i].end;
        MUST(end - h->tensors[i].begin == bytes, "safetensors");
        for (int64_t k = 0; k < i; k++)
            MUST(strcmp(h->tensors[i].name, h->tensors[k].name) != 0, "safetensors");
    }
    MUST(end == data_size, "safetensors");
}

static void try_safetensors(struct input *in)
{
    static const char metadata[] = "\"__metadata__\":{\"a\":\"b\",\"c\":\"\\n\"},";
    struct text t = {.used = 0};
    int end = 0;
    const int count = 1 + take_below(in, 6);
    add(&t, "{%s", take_once(in, 4) ? metadata : "");
    for (int i = 0; i < count; i++) {
        if (i) add(&t, "%s", CHOOSE(in, ",", ", ", ""));
        add_tensor(&t, in, &end);
    }
    add(&t, "%s", CHOOSE(in, "}", "}   ", "}\n"));
    change_a_byte(&t, in);
    /* The blocks have exactly the size that is needed, so that sanitizers see accesses beyond
     * them. */
    char *text = malloc(t.used + 1), *room = malloc(t.used + 1);
    struct safetensors_header h = {
        .tensors = calloc(t.used / SAFETENSORS_MIN_ENTRY + 1, sizeof(struct safetensor)),
        .texts = calloc(t.used / 6 + 1, sizeof(struct safetensors_text)),
        .text = text,
        .size = (int64_t)t.used};
    MUST(text && room && h.tensors && h.texts, "safetensors");
    memcpy(text, t.bytes, t.used);
    text[t.used] = 0;
    const stria_status status = stria__safetensors_parse(&h, room, end);
    MUST(status == STRIA_OK || stria_last_error()[0], "safetensors");
    if (status == STRIA_OK) check_taken(&h, end);
    free(h.texts);
    free(h.tensors);
    free(room);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    if (take_once(&in, 2))
        try_safetensors(&in);
    else
        try_record(&in);
    return 0;
}
