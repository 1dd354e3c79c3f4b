/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The value of 'descr': NumPy's dtype string such as '<f4', or a list of fields as dtype.descr has
 * it. The byte order must be given, because '=' and no mark mean different things on different
 * machines; '|' is only for items without byte order. Dtypes that NumPy has and this library does
 * not are refused by name, with advice. The memory for a list is bounded before it is taken.
 */
#include "io/npy_header.h"

#include <string.h>

#include "dtype/date.h"
#include "dtype/dtype.h"
#include "dtype/record.h"
#include "base/status.h"

enum { MEMORY_MAX = 60 << 10 };

/* Tells whether NumPy can describe such items only as raw bytes. */
static bool is_opaque(stria_dtype dtype)
{
    return (dtype.kind < STRIA_BYTES || dtype.kind == STRIA_RECORD) &&
           !stria__dtype_array_name((stria_kind)dtype.kind);
}

static stria_status refuse_descr(const char *descr, const char *why)
{
    return stria__fail(STRIA_ERR_UNSUPPORTED, "npy: descr '%s': %s", descr, why);
}

/* Refuses well-formed descriptions of dtypes that this library does not support, with advice. */
static stria_status unsupported_descr(const char *descr)
{
    const char letter = descr[1];
    if (letter == 'O')
        return refuse_descr(descr,
                            "Python objects are pickled code and are never read; save the array "
                            "under a numeric dtype");
    static const char *const long_doubles[] = {"f12", "f16", "c24", "c32"};
    for (size_t i = 0; i < sizeof long_doubles / sizeof *long_doubles; i++)
        if (!strcmp(descr + 1, long_doubles[i]))
            return refuse_descr(descr,
                                "long double differs from machine to machine; save it as float64 "
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
    if (status == STRIA_ERR_OVERFLOW)
        return refuse_descr(descr, "an item exceeds 2147483647 bytes");
    if (status != STRIA_OK ||
        (dtype.kind < STRIA_BYTES && !stria__dtype_array_name((stria_kind)dtype.kind)))
        return stria__fail(STRIA_ERR_FORMAT, "npy: descr '%s' is not a dtype", descr);
    if (*descr == '|' && stria__dtype_mark(dtype) != '|') {
        stria_dtype_release(dtype);
        return stria__fail(STRIA_ERR_FORMAT,
                           "npy: descr '%s' hides the byte order of %d-byte items", descr,
                           (int)dtype.itemsize);
    }
    *out = dtype;
    return STRIA_OK;
}

/* Parses the string of a plain dtype, alone or as the format of a field. */
static stria_status parse_format(stria_dtype *out, const char *descr)
{
    if (strlen(descr) >= NPY_DESCR_MAX)
        return stria__fail(STRIA_ERR_FORMAT,
                           "npy: descr: a format of %lld characters, more than any dtype has",
                           (long long)strlen(descr));
    for (const char *at = descr; *at; at++)
        if ((unsigned char)*at >= 0x80)
            return stria__fail(STRIA_ERR_FORMAT, "npy: descr: byte %d of a format is not ASCII",
                               (int)(at - descr));
    return parse_string(out, descr);
}

/* Turns any refusal by the constructor of records into one of the file. */
static stria_status refuse_record(stria_status status)
{
    if (status == STRIA_ERR_ARGUMENT)
        return stria__fail(STRIA_ERR_FORMAT, "npy: descr: %.200s", stria_last_error());
    if (status == STRIA_ERR_OVERFLOW)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "npy: descr: more than 2147483647 bytes: %.200s",
                           stria_last_error());
    return status;
}

/* Parses a list of fields. The memory for the fields and their text stays below 64 KiB. */
static stria_status parse_list(stria_dtype *out, struct reader *r)
{
    const char *const end = stria__reader_skip_value(r, r->at);
    struct record_text list = {.r = *r, .file = parse_format};
    list.r.begin = r->at;
    list.r.end = end;
    list.room = end - r->at < MEMORY_MAX ? (size_t)(MEMORY_MAX - (end - r->at)) : 0;
    r->at = end;
    return refuse_record(stria__record_parse(out, &list));
}

stria_status stria__npy_descr_parse(stria_dtype *out, struct reader *r)
{
    /* A byte of Latin-1 takes up to two bytes of UTF-8. */
    char descr[2 * NPY_DESCR_MAX], *to = descr;
    stria__reader_skip_space(r);
    if (*r->at == '[') return parse_list(out, r);
    if (*r->at == '(')
        return stria__fail(STRIA_ERR_UNSUPPORTED, "npy: descr is a tuple: sub-array dtypes are not "
                                                  "read; save the array under its base dtype");
    if ((*r->at == '\'' || *r->at == '"') &&
        stria__reader_skip_string(r, r->at) - r->at > NPY_DESCR_MAX + 1)
        return stria__fail(STRIA_ERR_FORMAT, "npy: descr %s has more characters than any dtype",
                           stria__reader_shown(r).text);
    STRIA_TRY(stria__reader_string(r, &to, "a string such as '<f4'"));
    return parse_format(out, descr);
}

/* ---- writing -------------------------------------------------------------------------------- */

/*
 * Prints the string that NumPy writes for a plain dtype. NumPy has no bfloat16 and no float8.
 * ml_dtypes stores them as '<V2' and '<V1', which every NumPy reads as opaque bytes; the reader
 * must know the dtype and view them as it.
 */
static void print_format(struct written *text, stria_dtype dtype)
{
    const char mark = stria__dtype_mark(dtype);
    const char *const code = stria__dtype_array_name((stria_kind)dtype.kind);
    if (is_opaque(dtype))
        stria__print(text, "'%cV%d'", mark == '|' ? '<' : mark, (int)dtype.itemsize);
    else
        stria__print(text, "'%c%s'", mark, code ? code : stria__dtype_text(native_of(dtype)).text);
}

void stria__npy_descr_print(struct written *text, stria_dtype dtype)
{
    if (dtype.kind == STRIA_RECORD && dtype.record)
        stria__record_print_file(text, dtype, stria__npy_descr_print);
    else
        print_format(text, dtype);
}

/*
 * Finds the smallest charset that has a name. Names that need an escape are refused, since not
 * every reader knows escapes.
 */
static stria_status check_name(const char *name, enum charset *charset)
{
    const char quote = quote_for(name);
    const char *const end = name + strlen(name);
    for (const char *c = name; c < end;) {
        const unsigned char byte = (unsigned char)*c;
        if (byte < ' ' || byte == 0x7f || *c == '\\' || *c == quote)
            return stria__fail(STRIA_ERR_UNSUPPORTED, "npy: the field name '%.60s' needs an escape",
                               name);
        const int length = stria__utf8_length(c, end);
        if (length == 0)
            return stria__fail(STRIA_ERR_UNSUPPORTED,
                               "npy: byte %d of the field name '%.60s' is not UTF-8",
                               (int)(c - name), name);
        const enum charset needed = stria__utf8_charset(c, length);
        if (needed > *charset) *charset = needed;
        c += length;
    }
    return STRIA_OK;
}

/* The recursion is as deep as the nesting, at most 32. */
stria_status stria__npy_descr_check(stria_dtype dtype, enum charset *charset)
{
    int64_t end = 0;
    for (int i = 0; i < stria_record_count(dtype); i++) {
        const stria_field *const field = stria_record_field(dtype, i);
        if (field->offset < end)
            return stria__fail(STRIA_ERR_UNSUPPORTED,
                               "npy: field '%.60s' overlaps the one before it "
                               "or stands out of order, which a file cannot say; repack the record",
                               field->name);
        if (field->title) STRIA_TRY(check_name(field->title, charset));
        STRIA_TRY(check_name(field->name, charset));
        STRIA_TRY(stria__npy_descr_check(field->dtype, charset));
        end = field->offset + stria__field_bytes(field);
    }
    return STRIA_OK;
}
