/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Composing a .npy header, byte for byte as NumPy does. Version 1.0: with at most 64 dims and a
 * dtype of one string its 65535 bytes of text are never exceeded.
 */
#include "io/npy_header.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "status.h"

enum { TEXT_AT = 10, GROWTH_DIGITS = 21 };

static int format_shape(char *text, size_t room, int ndim, const int64_t *shape)
{
    int used = snprintf(text, room, "(");
    for (int d = 0; d < ndim; d++)
        used += snprintf(text + used, room - (size_t)used, d ? ", %" PRId64 : "%" PRId64, shape[d]);
    return used + snprintf(text + used, room - (size_t)used, ndim == 1 ? ",)" : ")");
}

/* Spaces that let the size along which files grow be rewritten without moving the data. */
static int growth_room(bool fortran, int ndim, const int64_t *shape)
{
    if (ndim == 0) return 0;
    return GROWTH_DIGITS - snprintf(NULL, 0, "%" PRId64, shape[fortran ? ndim - 1 : 0]);
}

stria_status stria__npy_compose(char out[NPY_HEADER_ROOM], int64_t *size, stria_dtype dtype,
                                bool fortran, int ndim, const int64_t *shape)
{
    char descr[NPY_DESCR_MAX], dims[STRIA_MAX_NDIM * 22];
    STRIA_TRY(stria__npy_descr_format(dtype, descr));
    (void)format_shape(dims, sizeof dims, ndim, shape);
    const int used = TEXT_AT + snprintf(out + TEXT_AT, NPY_HEADER_ROOM - TEXT_AT,
                                        "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr,
                                        fortran ? "True" : "False", dims) +
                     growth_room(fortran, ndim, shape);
    /* NumPy pads by 64 bytes, not by none, where the newline already ends at a multiple. */
    const int end = ((used + 1) / NPY_DATA_ALIGNMENT + 1) * NPY_DATA_ALIGNMENT;
    assert(end <= NPY_HEADER_ROOM);
    const size_t text_end = TEXT_AT + strlen(out + TEXT_AT);
    memset(out + text_end, ' ', (size_t)end - 1 - text_end);
    out[end - 1] = '\n';
    memcpy(out, "\x93NUMPY\x01", 8); /* the string's end is the minor version */
    out[8] = (char)((end - TEXT_AT) & 0xff);
    out[9] = (char)((end - TEXT_AT) >> 8);
    *size = end;
    return STRIA_OK;
}
