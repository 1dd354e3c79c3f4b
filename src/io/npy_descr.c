/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The value of 'descr', NumPy's dtype string such as '<f4'. The byte order must be given, because
 * '=' and no mark mean different things on different machines; '|' is only for items without byte
 * order. Dtypes that NumPy has and this library does not are refused by name, with advice.
 */
#include "io/npy_header.h"

#include <stdio.h>
#include <string.h>

#include "dtype/date.h"
#include "dtype/dtype.h"
#include "dtype/record.h"
#include "base/status.h"

static bool has_order(stria_dtype dtype)
{
    return stria_dtype_swap(dtype).swapped != dtype.swapped;
}

static stria_status refuse(const char *descr, const char *why)
{
    return stria__fail(STRIA_ERR_UNSUPPORTED, "npy: descr '%s': %s", descr, why);
}

/* Refuses well-formed descriptions of dtypes that this library does not support, with advice. */
static stria_status unsupported_descr(const char *descr)
{
    const char letter = descr[1];
    if (letter == 'O')
        return refuse(descr, "Python objects are pickled code and are never read; save the array "
                             "under a numeric dtype");
    static const char *const long_doubles[] = {"f12", "f16", "c24", "c32"};
    for (size_t i = 0; i < sizeof long_doubles / sizeof *long_doubles; i++)
        if (!strcmp(descr + 1, long_doubles[i]))
            return refuse(descr, "long double differs from machine to machine; save it as float64 "
                                 "or complex128");
    return STRIA_OK;
}

stria_status stria__npy_check_items(stria_dtype dtype)
{
    if (dtype.itemsize > 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED, "npy: files have no items of 0 bytes, which nobody "
                                              "could count");
}

static stria_status parse_string(stria_dtype *out, const char *descr)
{
    if (!*descr || !strchr("<>|", *descr)) {
        if (!strcmp(descr, "O")) return unsupported_descr("|O");
        return stria__fail(STRIA_ERR_FORMAT,
                           "npy: descr '%s' does not begin with its byte order: "
                           "'<', '>', or '|' where there is none",
                           descr);
    }
    STRIA_TRY(unsupported_descr(descr));
    stria_dtype dtype;
    const stria_status status = stria__dtype_parse_numpy(&dtype, descr);
    if (status == STRIA_ERR_OVERFLOW) return refuse(descr, "an item exceeds 2147483647 bytes");
    if (status != STRIA_OK ||
        (dtype.kind < STRIA_BYTES && !stria__dtype_array_name((stria_kind)dtype.kind)))
        return stria__fail(STRIA_ERR_FORMAT, "npy: descr '%s' is not a dtype", descr);
    if (*descr == '|' && has_order(dtype)) {
        stria_dtype_release(dtype);
        return stria__fail(STRIA_ERR_FORMAT,
                           "npy: descr '%s' hides the byte order of %d-byte items", descr,
                           (int)dtype.itemsize);
    }
    *out = dtype;
    return STRIA_OK;
}

stria_status stria__npy_descr_string(stria_dtype *out, struct token token)
{
    if (token.kind != TOKEN_STRING)
        return stria__fail(STRIA_ERR_FORMAT, "npy: descr is %s, not a string such as '<f4'",
                           stria__token_text(token).text);
    if (token.length >= NPY_DESCR_MAX)
        return stria__fail(STRIA_ERR_FORMAT,
                           "npy: descr %s has %lld characters, more than any dtype",
                           stria__token_text(token).text, (long long)token.length);
    char descr[NPY_DESCR_MAX];
    for (int64_t i = 0; i < token.length; i++)
        if ((unsigned char)token.text[i] >= 0x80)
            return stria__fail(STRIA_ERR_FORMAT, "npy: descr %s is not ASCII",
                               stria__token_text(token).text);
    memcpy(descr, token.text, (size_t)token.length);
    descr[token.length] = 0;
    return parse_string(out, descr);
}

stria_status stria__npy_descr_parse(stria_dtype *out, struct lexer *lexer, struct token first)
{
    if (stria__token_is(first, TOKEN_MARK, "[")) return stria__npy_fields_parse(out, lexer);
    if (stria__token_is(first, TOKEN_MARK, "("))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "npy: descr is a tuple: sub-array dtypes are not "
                                                  "read; save the array under its base dtype");
    return stria__npy_descr_string(out, first);
}

/*
 * NumPy has no bfloat16 and no float8. ml_dtypes stores them as '<V2' and '<V1', which every NumPy
 * reads as opaque bytes; the reader must know the dtype and view them as it.
 */
static void opaque(stria_dtype dtype, char mark, char text[NPY_DESCR_MAX])
{
    (void)snprintf(text, NPY_DESCR_MAX, "%cV%d", mark, (int)dtype.itemsize);
}

/* Prints the string that NumPy writes for a plain dtype. */
static void format_plain(stria_dtype dtype, char text[NPY_DESCR_MAX])
{
    const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const char mark = big != dtype.swapped ? '>' : '<';
    const char *name = stria__dtype_array_name((stria_kind)dtype.kind);
    switch ((stria_kind)dtype.kind) {
    case STRIA_BYTES: (void)snprintf(text, NPY_DESCR_MAX, "|S%d", (int)dtype.itemsize); break;
    case STRIA_VOID: opaque(dtype, '|', text); break;
    case STRIA_DATETIME:
    case STRIA_TIMEDELTA:
        text[0] = mark;
        (void)stria__time_format(dtype, text + 1, NPY_DESCR_MAX - 1);
        break;
    case STRIA_UNICODE:
        (void)snprintf(text, NPY_DESCR_MAX, "%cU%d", mark, (int)dtype.itemsize / 4);
        break;
    default:
        if (name)
            (void)snprintf(text, NPY_DESCR_MAX, "%c%s", has_order(dtype) ? mark : '|', name);
        else
            opaque(dtype, has_order(dtype) ? mark : '<', text);
    }
}

stria_status stria__npy_descr_print(struct written *text, stria_dtype dtype, enum charset *charset)
{
    char name[NPY_DESCR_MAX];
    if (dtype.kind == STRIA_RECORD && dtype.record)
        return stria__npy_fields_print(text, dtype, charset);
    format_plain(dtype, name);
    stria__print(text, "'%s'", name);
    return STRIA_OK;
}
