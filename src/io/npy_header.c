/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a .npy header from an untrusted file. The grammar is that of what NumPy writes:
 *
 *     text  = '{' [ entry { ',' entry } [ ',' ] ] '}' spaces newline
 *     entry = string ':' value        exactly one each of descr, fortran_order, shape, in any order
 *     shape = '(' ')' | '(' size ',' ')' | '(' size { ',' size } [ ',' ] ')'
 *     size  = '0' | digit from 1 to 9 { digit }
 *
 * Work and memory are bounded by the length of the text, never by a number that it contains.
 *
 * Composes one, too, byte for byte as NumPy does. Only the fields of a record can make its text
 * exceed the 65535 bytes of version 1.0; no reader with NumPy's limits would accept such a text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "io/npy_header.h"
#include "base/status.h"

#define FAIL(...) stria__fail(STRIA_ERR_FORMAT, "npy: " __VA_ARGS__)

enum { DESCR, FORTRAN_ORDER, SHAPE, KEYS };
static const char *const keys[KEYS] = {"descr", "fortran_order", "shape"};
static const char *const ops[KEYS] = {"npy: descr", "npy: fortran_order", "npy: shape"};

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

stria_status stria__npy_preamble(struct npy_preamble *out, const void *bytes, int64_t have,
                                 int64_t file_size)
{
    const unsigned char *b = bytes;
    const int64_t compared = have < (int64_t)sizeof magic ? have : (int64_t)sizeof magic;
    if (memcmp(b, magic, (size_t)compared) != 0)
        return FAIL("not an npy file: the magic string \\x93NUMPY is missing");
    if (have < 10)
        return FAIL("the file has %lld bytes, fewer than its magic string, version and header "
                    "length",
                    (long long)file_size);
    const int major = b[6], minor = b[7];
    if (major < 1 || major > 3 || minor != 0)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npy: version %d.%d; versions 1.0, 2.0 and 3.0 are "
                           "read",
                           major, minor);
    const int64_t text_at = major == 1 ? 10 : 12;
    if (have < text_at) return FAIL("the file ends inside its header length");
    const int64_t size = (int64_t)little_endian(b + 8, major == 1 ? 2 : 4);
    if (size > file_size - text_at)
        return FAIL("header length %lld, but only %lld bytes follow it", (long long)size,
                    (long long)(file_size - text_at));
    if (size > NPY_TEXT_MAX)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npy: header length %lld; at most %d bytes are read", (long long)size,
                           (int)NPY_TEXT_MAX);
    *out = (struct npy_preamble){.major = major, .text_at = text_at, .text_size = size};
    return STRIA_OK;
}

static stria_status read_entry(struct npy_header *h, struct reader *r, bool seen[KEYS])
{
    const int key = stria__reader_key(r, KEYS, keys);
    if (key < 0 && (*r->at == '\'' || *r->at == '"'))
        return FAIL("the header has the extra key %s; it may have descr, fortran_order and shape",
                    stria__reader_shown(r).text);
    if (key < 0) return stria__reader_wrong(r, "a key");
    if (seen[key]) return FAIL("the header has the key '%s' twice", keys[key]);
    seen[key] = true;
    if (!stria__reader_took(r, ':')) return stria__reader_wrong(r, "a colon");
    r->op = ops[key];
    STRIA_TRY(key == DESCR   ? stria__npy_descr_parse(&h->dtype, r)
              : key == SHAPE ? stria__reader_shape(r, &h->ndim, h->shape)
                             : stria__reader_truth(r, &h->fortran));
    r->op = "npy: the header";
    return STRIA_OK;
}

static stria_status read_text(struct npy_header *h, const char *text, int64_t size, bool latin1)
{
    if (size == 0) return FAIL("header length 0");
    if (text[size - 1] != '\n') return FAIL("the header does not end with a newline");
    struct reader r = {.begin = text,
                       .at = text,
                       .end = text + size - 1,
                       .op = "npy: the header",
                       .strict = true,
                       .latin1 = latin1};
    bool seen[KEYS] = {false}, more = false;
    if (!stria__reader_took(&r, '{'))
        return FAIL("the header begins with %s, not with {", stria__reader_shown(&r).text);
    for (int count = 0;; count++) {
        STRIA_TRY(stria__reader_next(&r, '}', count, &more));
        if (!more) break;
        STRIA_TRY(read_entry(h, &r, seen));
    }
    stria__reader_skip_space(&r);
    if (r.at < r.end)
        return FAIL("the header goes on with %s after }", stria__reader_shown(&r).text);
    for (int key = 0; key < KEYS; key++)
        if (!seen[key]) return FAIL("the header has no key '%s'", keys[key]);
    return STRIA_OK;
}

/*
 * A size of 0 makes the array empty, but the product of the other sizes must fit all the same, as
 * in NumPy, so that strides exist.
 */
static stria_status check_size(struct npy_header *h, int64_t file_size)
{
    if (!multiply_sizes(&h->nbytes, h->dtype.itemsize, h->ndim, h->shape))
        return FAIL("shape: %s items of %d bytes exceed 2^63 - 1 bytes",
                    stria__dims_text(h->ndim, h->shape).text, (int)h->dtype.itemsize);
    if (h->nbytes > file_size - h->data_at)
        return FAIL("data: shape %s needs %lld bytes, the file has %lld after its header",
                    stria__dims_text(h->ndim, h->shape).text, (long long)h->nbytes,
                    (long long)(file_size - h->data_at));
    return STRIA_OK;
}

stria_status stria__npy_header(struct npy_header *out, const struct npy_preamble *preamble,
                               const char *text, int64_t file_size)
{
    const bool latin1 = preamble->major < 3;
    const char *const fault = latin1 ? NULL : stria__utf8_fault(text, text + preamble->text_size);
    if (fault) return FAIL("byte %lld of the header is not UTF-8", (long long)(fault - text));
    out->dtype = (stria_dtype){.record = NULL};
    stria_status status = read_text(out, text, preamble->text_size, latin1);
    out->data_at = preamble->text_at + preamble->text_size;
    if (status == STRIA_OK) status = stria__npy_check_items(out->dtype);
    if (status == STRIA_OK) status = check_size(out, file_size);
    if (status == STRIA_OK) return status;
    stria_dtype_release(out->dtype);
    out->dtype.record = NULL;
    return status;
}

stria_status stria__npy_view(stria_view *out, const struct npy_header *header, stria_buffer *buffer,
                             int64_t offset)
{
    int64_t strides[STRIA_MAX_NDIM], step = header->dtype.itemsize;
    for (int i = 0; i < header->ndim; i++) {
        const int d = header->fortran ? i : header->ndim - 1 - i;
        strides[d] = step;
        /* check_size proved that the product fits. */
        if (header->shape[d]) step *= header->shape[d];
    }
    return stria_view_make(out, buffer, header->dtype, header->ndim, header->shape, strides,
                           offset);
}

/* ---- composing ------------------------------------------------------------------------------- */

enum { GROWTH_DIGITS = 21 };

/* Version 1.0 has Latin-1; version 3.0 has UTF-8 and is used only if a field's name needs it. */
stria_status stria__npy_compose(char *out, size_t room, int64_t *size, stria_dtype dtype,
                                bool fortran, int ndim, const int64_t *shape)
{
    enum charset charset = CHARSET_ASCII;
    STRIA_TRY(stria__npy_check_items(dtype));
    STRIA_TRY(stria__npy_descr_check(dtype, &charset));
    const bool utf8 = charset == CHARSET_UTF8;
    const size_t text_at = utf8 ? 12 : 10;
    struct written text = {out, room, text_at};
    stria__print(&text, "{'descr': ");
    stria__npy_descr_print(&text, dtype);
    stria__print(&text, ", 'fortran_order': %s, 'shape': ", fortran ? "True" : "False");
    stria__print_dims(&text, ndim, shape);
    stria__print(&text, ", }");
    if (charset == CHARSET_LATIN1 && text.used < room)
        text.used = text_at +
                    (size_t)stria__latin1_from_utf8(out + text_at, (int64_t)(text.used - text_at));
    /* These spaces let the size along which files grow be rewritten in place. */
    const int growth =
        ndim ? GROWTH_DIGITS - snprintf(NULL, 0, "%" PRId64, shape[fortran ? ndim - 1 : 0]) : 0;
    const size_t padded = text.used + (size_t)growth;
    /* If the newline already ends at a multiple of 64, NumPy pads by 64 bytes, not by none. */
    const size_t end = ((padded + 1) / NPY_DATA_ALIGNMENT + 1) * NPY_DATA_ALIGNMENT;
    if (end > room || end - text_at > UINT16_MAX)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npy: the fields take a header of %d bytes, more "
                           "than readers accept",
                           (int)end);
    memset(out + text.used, ' ', end - 1 - text.used);
    out[end - 1] = '\n';
    /* The terminating zero serves as the minor version. */
    memcpy(out, utf8 ? "\x93NUMPY\x03" : "\x93NUMPY\x01", 8);
    out[8] = (char)((end - text_at) & 0xff);
    out[9] = (char)((end - text_at) >> 8);
    if (utf8) out[10] = out[11] = 0;
    *size = (int64_t)end;
    return STRIA_OK;
}
