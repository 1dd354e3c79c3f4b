/* SPDX-License-Identifier: BSD-3-Clause */
#include "part_file.h"

#include "stria/hash.h"
#include "stria/raw.h"
#include "tool.h"

/* Returns a number whose bytes lie in little-endian order, or the number of such bytes. */
static uint32_t little_endian(uint32_t x)
{
    const unsigned char b[4] = {(unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
                                (unsigned char)(x >> 24)};
    memcpy(&x, b, sizeof x);
    return x;
}

enum { VERSION = 1, MAGIC_BYTES = 8, HEADER_BYTES = MAGIC_BYTES + 8, HASH_BYTES = 32 };
static const char magic[MAGIC_BYTES + 1] = "STRIAPRT";

/* ---- slices ---------------------------------------------------------------------------------- */

/* Reads an index, if one stands before `end`; otherwise *out stays. */
static const char *read_index(int64_t *out, const char *text, char end)
{
    char *after = NULL;
    if (*text == end) return text;
    *out = strtoll(text, &after, 10);
    return after == text || *after != end ? NULL : after;
}

stria_status slice_read(struct slice *out, const char *text, const stria_view *a,
                        struct failure *failure)
{
    static const char last[] = "...,";
    const bool is_last = !strncmp(text, last, sizeof last - 1);
    if (a->ndim == 0)
        return stria__fail_request(failure, STRIA_ERR_SHAPE, "a 0-d array has no slices");
    const int dim = is_last ? a->ndim - 1 : 0;
    *out = (struct slice){true, dim, 0, a->shape[dim], a->shape[dim]};
    const char *at = read_index(&out->start, text + (is_last ? sizeof last - 1 : 0), ':');
    if (at) at = read_index(&out->stop, at + 1, 0);
    if (!at)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "--slice is written 0:4096, or ...,0:4096 for the last dim, "
                                   "not '%.80s'",
                                   text);
    if (out->start < 0 || out->start > out->stop || out->stop > out->of)
        return stria__fail_request(failure, STRIA_ERR_SHAPE,
                                   "slice %.80s is not within dim %d, of size %" PRId64, text, dim,
                                   out->of);
    return STRIA_OK;
}

void slice_text(const struct slice *s, int ndim, char text[64])
{
    (void)snprintf(text, 64, "%s%" PRId64 ":%" PRId64,
                   s->dim > 0 && s->dim == ndim - 1 ? "...," : "", s->start, s->stop);
}

/* ---- making ---------------------------------------------------------------------------------- */

static json_t *slice_json(const struct slice *s)
{
    return s->given ? json_pack("{s:i,s:I,s:I,s:I}", "dim", s->dim, "start", (json_int_t)s->start,
                                "stop", (json_int_t)s->stop, "of", (json_int_t)s->of)
                    : json_null();
}

stria_status part_new(struct part *out, json_t *about, const struct slice *slice, int64_t count,
                      int64_t size, struct failure *failure)
{
    *out = (struct part){.about = about, .slice = *slice, .count = count, .size = size};
    json_t *const all = json_of("{s:O,s:o,s:I,s:I}", "about", about, "slice", slice_json(slice),
                                "states", (json_int_t)count, "bytes", (json_int_t)size);
    char *const text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    must_have(text != NULL, 1);
    const size_t length = strlen(text);
    const uint32_t numbers[] = {little_endian(VERSION), little_endian((uint32_t)length)};
    int64_t bytes = 0;
    stria_status status =
        length > UINT32_MAX || __builtin_mul_overflow(count, size, &bytes) ||
                __builtin_add_overflow(bytes, (int64_t)length + HEADER_BYTES + HASH_BYTES, &bytes)
            ? stria__fail_request(failure, STRIA_ERR_OVERFLOW,
                                  "%" PRId64 " states are more than 64 bits count", count)
            : stria_empty(&out->bytes, stria_dtype_of(STRIA_U8), 1, &bytes);
    if (status == STRIA_OK) {
        char *const at = (char *)out->bytes.view.data;
        memcpy(at, magic, MAGIC_BYTES);
        memcpy(at + MAGIC_BYTES, numbers, sizeof numbers);
        memcpy(at + HEADER_BYTES, text, length);
        out->states = at + HEADER_BYTES + length;
    } else if (failure->code == STRIA_OK) {
        (void)stria__fail_library(failure, status, NO_PLACE);
    }
    free(text);
    if (status != STRIA_OK) part_free(out);
    return status;
}

/* Computes the hash of all bytes before it, as text, which is the same on every machine. */
static stria_status hash_of(char text[HASH_BYTES + 1], const stria_view *bytes)
{
    stria_hash128 hash;
    stria_view before = *bytes;
    before.shape[0] -= HASH_BYTES;
    STRIA_TRY(stria_hash(&hash, &before, NULL));
    (void)stria_hash_format(text, 33, NULL, hash);
    return STRIA_OK;
}

stria_status part_seal(struct part *part)
{
    char text[HASH_BYTES + 1];
    const stria_view *const bytes = &part->bytes.view;
    STRIA_TRY(hash_of(text, bytes));
    memcpy((char *)bytes->data + bytes->shape[0] - HASH_BYTES, text, HASH_BYTES);
    return STRIA_OK;
}

void part_free(struct part *part)
{
    json_decref(part->about);
    stria_array_release(&part->bytes);
    *part = (struct part){0};
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads the text of a header; false if it is not that of a part. */
static bool read_about(struct part *out, const char *text, size_t length)
{
    json_t *const all = json_loadb(text, length, 0, NULL), *slice = NULL;
    json_int_t count = -1, size = -1, start = 0, stop = 0, of = 0;
    struct slice *const s = &out->slice;
    bool fine = all && json_unpack(all, "{s:O,s:o,s:I,s:I}", "about", &out->about, "slice", &slice,
                                   "states", &count, "bytes", &size) == 0;
    if (fine && !json_is_null(slice)) {
        s->given = true;
        fine = json_unpack(slice, "{s:i,s:I,s:I,s:I}", "dim", &s->dim, "start", &start, "stop",
                           &stop, "of", &of) == 0 &&
               0 <= start && start <= stop && stop <= of;
    }
    json_decref(all);
    *s = (struct slice){s->given, s->dim, start, stop, of};
    out->count = count;
    out->size = size;
    return fine && json_is_object(out->about) && count >= 0 && size > 0;
}

static const char *check_bytes(struct part *out, char *at, int64_t bytes)
{
    char text[HASH_BYTES + 1];
    int64_t states;
    uint32_t numbers[2];
    if (bytes < HEADER_BYTES || memcmp(at, magic, MAGIC_BYTES) != 0)
        return "is no part: `stria apply --partial` writes them";
    memcpy(numbers, at + MAGIC_BYTES, sizeof numbers);
    if (little_endian(numbers[0]) != VERSION) return "is a part of another version";
    const int64_t length = little_endian(numbers[1]), more = bytes - HEADER_BYTES - HASH_BYTES;
    if (length > more) return "is torn: bytes at its end are missing";
    if (!read_about(out, at + HEADER_BYTES, (size_t)length))
        return "is a part with a broken header";
    out->states = at + HEADER_BYTES + length;
    if (__builtin_mul_overflow(out->count, out->size, &states) || states != more - length)
        return "is torn: it has other bytes than its header says";
    if (hash_of(text, &out->bytes.view) != STRIA_OK ||
        memcmp(text, at + bytes - HASH_BYTES, HASH_BYTES) != 0)
        return "was changed: its bytes have another hash";
    return NULL;
}

stria_status part_read(struct part *out, const char *path, struct failure *failure)
{
    const int64_t all = -1;
    *out = (struct part){.path = path};
    const stria_status status = stria_raw_read(&out->bytes, path, stria_dtype_of(STRIA_U8), 1, &all,
                                               0, STRIA_NPY_READ, NULL);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    const stria_view *const bytes = &out->bytes.view;
    const char *const why = check_bytes(out, (char *)bytes->data, bytes->shape[0]);
    if (!why) return STRIA_OK;
    part_free(out);
    return fail_found(failure, STRIA_ERR_FORMAT, "%.280s %s", path, why);
}
