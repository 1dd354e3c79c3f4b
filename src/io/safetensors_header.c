/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The header of a safetensors file:
 *
 *     {"__metadata__": {"key": "text", ...},
 *      "name": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}, ...}   spaces
 *
 * Each of the three keys once, in any order. Work and memory are bounded by its length.
 */
#include "io/safetensors.h"

#include <string.h>

#include "base/integers.h"
#include "dtype/dtype.h"
#include "base/charset.h"
#include "base/status.h"

#define FAIL(...) stria__fail(STRIA_ERR_FORMAT, __VA_ARGS__)

/* Dtypes in the order of the format's reference, which writes the last ones first. */
static const struct {
    const char *name;
    stria_kind kind;
} dtypes[] = {
    {"BOOL", STRIA_BOOL},      {"U8", STRIA_U8},   {"I8", STRIA_I8},   {"F8_E5M2", STRIA_F8E5M2},
    {"F8_E4M3", STRIA_F8E4M3}, {"I16", STRIA_I16}, {"U16", STRIA_U16}, {"F16", STRIA_F16},
    {"BF16", STRIA_BF16},      {"I32", STRIA_I32}, {"U32", STRIA_U32}, {"F32", STRIA_F32},
    {"C64", STRIA_C64},        {"F64", STRIA_F64}, {"I64", STRIA_I64}, {"U64", STRIA_U64}};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

const char *stria__safetensors_dtype(stria_kind kind, int *rank)
{
    for (*rank = 0; *rank < DTYPES; ++*rank)
        if (dtypes[*rank].kind == kind) return dtypes[*rank].name;
    return NULL;
}

/* ---- one entry ------------------------------------------------------------------------------- */

/* Reads a string to *room, which then points behind it. */
static stria_status take_string(struct reader *r, char **room, const char **out)
{
    *out = *room;
    return stria__reader_string(r, room, "a string");
}

static stria_status parse_dtype(struct reader *r, char *room, stria_kind *out)
{
    const char *name;
    STRIA_TRY(take_string(r, &room, &name));
    for (int i = 0; i < DTYPES; i++) {
        if (strcmp(name, dtypes[i].name) != 0) continue;
        *out = dtypes[i].kind;
        return STRIA_OK;
    }
    return stria__fail(STRIA_ERR_UNSUPPORTED, "'%.40s' is no dtype that is read", name);
}

static stria_status parse_offsets(struct reader *r, struct safetensor *t)
{
    STRIA_TRY(stria__reader_take(r, "'['"));
    STRIA_TRY(stria__reader_number(r, &t->begin, "a size in decimal digits"));
    STRIA_TRY(stria__reader_take(r, "','"));
    STRIA_TRY(stria__reader_number(r, &t->end, "a size in decimal digits"));
    return stria__reader_take(r, "']'");
}

enum { DTYPE, SHAPE, OFFSETS, KEYS };
static const char *const keys[KEYS] = {"dtype", "shape", "data_offsets"};

static stria_status parse_key(struct reader *r, char *room, bool seen[KEYS], int *key)
{
    const char *name;
    STRIA_TRY(take_string(r, &room, &name));
    for (*key = 0; *key < KEYS && strcmp(name, keys[*key]) != 0;)
        ++*key;
    if (*key == KEYS) return FAIL("the key '%.40s'; there are dtype, shape and data_offsets", name);
    if (seen[*key]) return FAIL("the key %s is there twice", keys[*key]);
    seen[*key] = true;
    return stria__reader_take(r, "':'");
}

/* Checks that the bytes from begin to end are those of dtype and shape. */
static stria_status check_size(const struct safetensor *t, int ndim, const int64_t *shape)
{
    const int item = stria_dtype_of(t->kind).itemsize;
    int64_t bytes;
    if (!multiply_sizes(&bytes, item, ndim, shape))
        return FAIL("shape %s of items of %d bytes exceeds 2^63 - 1 bytes",
                    stria__dims_text(ndim, shape).text, item);
    if (t->end < t->begin || t->end - t->begin != bytes)
        return FAIL("shape %s needs %lld bytes, data_offsets [%lld, %lld] are another number",
                    stria__dims_text(ndim, shape).text, (long long)bytes, (long long)t->begin,
                    (long long)t->end);
    return STRIA_OK;
}

static stria_status parse_tensor(struct reader *r, struct safetensor *t, char *room)
{
    bool seen[KEYS] = {false}, more;
    int64_t shape[STRIA_MAX_NDIM];
    int ndim = 0, key;
    STRIA_TRY(stria__reader_take(r, "'{'"));
    for (int count = 0;; count++) {
        STRIA_TRY(stria__reader_next(r, '}', count, &more));
        if (!more) break;
        STRIA_TRY(parse_key(r, room, seen, &key));
        if (key == DTYPE) STRIA_TRY(parse_dtype(r, room, &t->kind));
        if (key == SHAPE) t->shape = r->at;
        if (key == SHAPE) STRIA_TRY(stria__reader_shape(r, &ndim, shape));
        if (key == OFFSETS) STRIA_TRY(parse_offsets(r, t));
    }
    for (key = 0; key < KEYS; key++)
        if (!seen[key]) return FAIL("the key %s is missing", keys[key]);
    return check_size(t, ndim, shape);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static stria_status parse_metadata(struct reader *r, struct safetensors_header *h, char **room)
{
    bool more;
    STRIA_TRY(stria__reader_take(r, "'{'"));
    for (;; h->ntexts++) {
        struct safetensors_text *const text = &h->texts[h->ntexts];
        STRIA_TRY(stria__reader_next(r, '}', h->ntexts > 0, &more));
        if (!more) return STRIA_OK;
        STRIA_TRY(take_string(r, room, &text->key));
        STRIA_TRY(stria__reader_take(r, "':'"));
        STRIA_TRY(take_string(r, room, &text->value));
    }
}

static stria_status parse_entry(struct reader *r, struct safetensors_header *h, char **room,
                                bool *metadata)
{
    const char *name;
    STRIA_TRY(take_string(r, room, &name));
    STRIA_TRY(stria__reader_take(r, "':'"));
    if (!strcmp(name, "__metadata__")) {
        if (*metadata) return FAIL("__metadata__ is there twice");
        *metadata = true;
        return parse_metadata(r, h, room);
    }
    struct safetensor *const t = &h->tensors[h->count];
    const stria_status status = parse_tensor(r, t, *room);
    if (status != STRIA_OK) return stria__fail(status, "'%.80s': %s", name, stria_last_error());
    t->name = name;
    h->count++;
    return STRIA_OK;
}

static bool name_before(const void *a, const void *b)
{
    const struct safetensor *const x = a, *const y = b;
    return strcmp(x->name, y->name) < 0;
}

static bool key_before(const void *a, const void *b)
{
    const struct safetensors_text *const x = a, *const y = b;
    return strcmp(x->key, y->key) < 0;
}

/* Orders arrays by their data; one without data comes before the one that begins at the same
 * place. */
static bool data_before(const void *a, const void *b)
{
    const struct safetensor *const x = a, *const y = b;
    if (x->begin != y->begin) return x->begin < y->begin;
    return x->end != y->end ? x->end < y->end : strcmp(x->name, y->name) < 0;
}

static stria_status check_names(const struct safetensors_header *h)
{
    stria__heap_sort(h->tensors, h->count, sizeof *h->tensors, name_before);
    for (int64_t i = 1; i < h->count; i++)
        if (!strcmp(h->tensors[i - 1].name, h->tensors[i].name))
            return FAIL("the name '%.80s' is there twice", h->tensors[i].name);
    stria__heap_sort(h->texts, h->ntexts, sizeof *h->texts, key_before);
    for (int64_t i = 1; i < h->ntexts; i++)
        if (!strcmp(h->texts[i - 1].key, h->texts[i].key))
            return FAIL("__metadata__: the key '%.80s' is there twice", h->texts[i].key);
    return STRIA_OK;
}

/* Checks that the arrays cover the data without gap, overlap or rest, so that nobody can hide bytes
 * in a file. */
static stria_status check_cover(const struct safetensors_header *h, int64_t data_size)
{
    int64_t end = 0;
    stria__heap_sort(h->tensors, h->count, sizeof *h->tensors, data_before);
    for (int64_t i = 0; i < h->count; i++) {
        if (h->tensors[i].begin != end)
            return FAIL("'%.80s' begins at byte %lld of the data, those before it end at %lld",
                        h->tensors[i].name, (long long)h->tensors[i].begin, (long long)end);
        end = h->tensors[i].end;
    }
    if (end != data_size)
        return FAIL("the arrays have %lld bytes, the file has %lld after its header",
                    (long long)end, (long long)data_size);
    return STRIA_OK;
}

stria_status stria__safetensors_parse(struct safetensors_header *h, char *room, int64_t data_size)
{
    struct reader r = stria__safetensors_reader(h, h->text);
    const char *const fault = stria__utf8_fault(r.at, r.end);
    bool metadata = false, more;
    h->count = h->ntexts = 0;
    if (fault) return FAIL("byte %lld of the header is not UTF-8", (long long)(fault - r.at));
    if (*r.at != '{') return stria__reader_wrong(&r, "{");
    r.at++;
    for (int64_t count = 0;; count++) {
        STRIA_TRY(stria__reader_next(&r, '}', count > 0, &more));
        if (!more) break;
        STRIA_TRY(parse_entry(&r, h, &room, &metadata));
    }
    r.at += strspn(r.at, " ");
    if (r.at < r.end) return stria__reader_wrong(&r, "its end");
    STRIA_TRY(check_names(h));
    return check_cover(h, data_size);
}
