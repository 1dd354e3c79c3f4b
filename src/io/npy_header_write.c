/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Composes a .npy header, byte for byte as NumPy does. Only the fields of a record can make its
 * text exceed the 65535 bytes of version 1.0; no reader with NumPy's limits would accept such a
 * text.
 */
#include "io/npy_header.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "status.h"

enum { GROWTH_DIGITS = 21 };

static int format_shape(char *text, size_t room, int ndim, const int64_t *shape)
{
    int used = snprintf(text, room, "(");
    for (int d = 0; d < ndim; d++)
        used += snprintf(text + used, room - (size_t)used, d ? ", %" PRId64 : "%" PRId64, shape[d]);
    return used + snprintf(text + used, room - (size_t)used, ndim == 1 ? ",)" : ")");
}

/*
 * Returns the number of spaces with which the size along which files grow can be rewritten in
 * place.
 */
static int growth_room(bool fortran, int ndim, const int64_t *shape)
{
    if (ndim == 0) return 0;
    return GROWTH_DIGITS - snprintf(NULL, 0, "%" PRId64, shape[fortran ? ndim - 1 : 0]);
}

void stria__npy_print(struct npy_text *text, const char *format, ...)
{
    const size_t left = text->used < text->room ? text->room - text->used : 0;
    va_list args;
    va_start(args, format);
    text->used += (size_t)vsnprintf(left ? text->bytes + text->used : NULL, left, format, args);
    va_end(args);
}

/* Version 1.0 in Latin-1, or 3.0 in UTF-8 where the name of a field needs it. */
stria_status stria__npy_compose(char *out, size_t room, int64_t *size, stria_dtype dtype,
                                bool fortran, int ndim, const int64_t *shape)
{
    char dims[STRIA_MAX_NDIM * 22];
    enum charset charset = CHARSET_ASCII;
    struct npy_text measured = {.room = 0};
    STRIA_TRY(stria__npy_check_items(dtype));
    STRIA_TRY(stria__npy_descr_print(&measured, dtype, &charset));
    const bool utf8 = charset == CHARSET_UTF8;
    const size_t text_at = utf8 ? 12 : 10;
    struct npy_text text = {out, room, text_at};
    stria__npy_print(&text, "{'descr': ");
    STRIA_TRY(stria__npy_descr_print(&text, dtype, &charset));
    (void)format_shape(dims, sizeof dims, ndim, shape);
    stria__npy_print(&text, ", 'fortran_order': %s, 'shape': %s, }", fortran ? "True" : "False",
                     dims);
    if (charset == CHARSET_LATIN1 && text.used < room)
        text.used = text_at +
                    (size_t)stria__latin1_from_utf8(out + text_at, (int64_t)(text.used - text_at));
    const size_t padded = text.used + (size_t)growth_room(fortran, ndim, shape);
    /* Where the newline already ends at a multiple, NumPy pads by 64 bytes, not by none. */
    const size_t end = ((padded + 1) / NPY_DATA_ALIGNMENT + 1) * NPY_DATA_ALIGNMENT;
    if (end > room || end - text_at > UINT16_MAX)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npy: the fields take a header of %zu bytes, more "
                           "than readers accept",
                           end);
    memset(out + text.used, ' ', end - 1 - text.used);
    out[end - 1] = '\n';
    memcpy(out, utf8 ? "\x93NUMPY\x03" : "\x93NUMPY\x01", 8); /* its end is the minor version */
    out[8] = (char)((end - text_at) & 0xff);
    out[9] = (char)((end - text_at) >> 8);
    if (utf8) out[10] = out[11] = 0;
    *size = (int64_t)end;
    return STRIA_OK;
}
