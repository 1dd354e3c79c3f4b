/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Record dtypes in .npy headers: a list of fields, as NumPy's dtype.descr writes it.
 *
 *     list  = '[' [ field { ',' field } [ ',' ] ] ']'
 *     field = '(' name ',' ( string | list ) [ ',' shape ] ')'
 *     name  = string | '(' title ',' string ')'           titles come first, as in NumPy
 *
 * Fields follow one another without gaps; padding is a void field without a name. Memory for the
 * list is taken once, as much as the tokens that are left can need; nested lists use it as a stack.
 * With the text it stays below 64 KiB, which NumPy's own limit of 10000 characters does not reach.
 */
#include "io/npy_header.h"

#include <string.h>

#include "base/alloc.h"
#include "base/integers.h"
#include "io/charset.h"
#include "dtype/record.h"
#include "base/status.h"

#define FAIL(...) stria__fail(STRIA_ERR_FORMAT, "npy: descr: " __VA_ARGS__)

enum { MEMORY_MAX = 60 << 10 };

struct fields {
    struct lexer *lexer;
    stria_field *fields; /* parsed fields; their dtypes are owned */
    int count;
    int64_t *sizes;
    char *texts;
};

static stria_status expect(struct lexer *lexer, const char *mark)
{
    const struct token token = stria__next_token(lexer);
    if (stria__token_is(token, TOKEN_MARK, mark)) return STRIA_OK;
    return FAIL("%s where %s belongs", stria__token_text(token).text, mark);
}

/* Writes the text as UTF-8 and returns its length; out NULL only counts. */
static int64_t put_text(char *out, struct token token, const struct lexer *lexer)
{
    if (lexer->latin1) return stria__utf8_from_latin1(out, token.text, token.length);
    if (out) memcpy(out, token.text, (size_t)token.length);
    return token.length;
}

static stria_status keep_text(struct fields *f, struct token token, const char **out)
{
    if (token.kind != TOKEN_STRING)
        return FAIL("%s is not the name of a field", stria__token_text(token).text);
    const int64_t length = put_text(f->texts, token, f->lexer);
    f->texts[length] = 0;
    *out = f->texts;
    f->texts += length + 1;
    return STRIA_OK;
}

static stria_status parse_name(struct fields *f, stria_field *field)
{
    const struct token token = stria__next_token(f->lexer);
    field->title = NULL;
    if (!stria__token_is(token, TOKEN_MARK, "(")) return keep_text(f, token, &field->name);
    STRIA_TRY(keep_text(f, stria__next_token(f->lexer), &field->title));
    STRIA_TRY(expect(f->lexer, ","));
    STRIA_TRY(keep_text(f, stria__next_token(f->lexer), &field->name));
    return expect(f->lexer, ")");
}

static stria_status parse_list(stria_dtype *out, struct fields *f, int depth);

/* Parses the dtype, which is then owned, the shape if there is one, and the end of the field. */
static stria_status parse_type(struct fields *f, stria_field *field, int depth)
{
    struct token token = stria__next_token(f->lexer);
    if (stria__token_is(token, TOKEN_MARK, "["))
        STRIA_TRY(parse_list(&field->dtype, f, depth + 1));
    else
        STRIA_TRY(stria__npy_descr_string(&field->dtype, token));
    token = stria__next_token(f->lexer);
    stria_status status = STRIA_OK;
    if (stria__token_is(token, TOKEN_MARK, ",")) {
        int64_t shape[STRIA_MAX_NDIM];
        status = stria__npy_shape(&field->ndim, shape, f->lexer, stria__next_token(f->lexer));
        if (status == STRIA_OK) {
            memcpy(f->sizes, shape, (size_t)field->ndim * sizeof *shape);
            field->shape = f->sizes;
            f->sizes += field->ndim;
            status = expect(f->lexer, ")");
        }
    } else if (!stria__token_is(token, TOKEN_MARK, ")")) {
        status = FAIL("%s where a comma or ) belongs", stria__token_text(token).text);
    }
    if (status != STRIA_OK) stria_dtype_release(field->dtype);
    return status;
}

/* Advances *offset by the bytes of the field. */
static stria_status place(const stria_field *field, int64_t *offset)
{
    int64_t bytes;
    if (!multiply_sizes(&bytes, field->dtype.itemsize, field->ndim, field->shape) ||
        bytes > INT32_MAX - *offset)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npy: descr: field '%.60s' ends beyond 2147483647 "
                           "bytes",
                           field->name);
    *offset += bytes;
    return STRIA_OK;
}

/* After its opening parenthesis. */
static stria_status parse_field(struct fields *f, int64_t *offset, int depth)
{
    stria_field field = {.offset = field_offset(*offset)};
    STRIA_TRY(parse_name(f, &field));
    STRIA_TRY(expect(f->lexer, ","));
    STRIA_TRY(parse_type(f, &field, depth));
    const stria_status status = place(&field, offset);
    const bool padding = !*field.name && field.dtype.kind == STRIA_VOID;
    if (status == STRIA_OK && !padding)
        f->fields[f->count++] = field;
    else
        stria_dtype_release(field.dtype);
    return status;
}

static stria_status parse_fields(struct fields *f, int64_t *offset, int depth)
{
    for (;;) {
        struct token token = stria__next_token(f->lexer);
        if (stria__token_is(token, TOKEN_MARK, "]")) return STRIA_OK;
        if (!stria__token_is(token, TOKEN_MARK, "("))
            return FAIL("%s where ( belongs", stria__token_text(token).text);
        STRIA_TRY(parse_field(f, offset, depth));
        token = stria__next_token(f->lexer);
        if (stria__token_is(token, TOKEN_MARK, "]")) return STRIA_OK;
        if (!stria__token_is(token, TOKEN_MARK, ","))
            return FAIL("%s where a comma or ] belongs", stria__token_text(token).text);
    }
}

static stria_status parse_list(stria_dtype *out, struct fields *f, int depth)
{
    if (depth > RECORD_DEPTH) return FAIL("nested more than %d deep", RECORD_DEPTH);
    const int first = f->count;
    int64_t itemsize = 0;
    stria_status status = parse_fields(f, &itemsize, depth);
    if (status == STRIA_OK)
        status = stria_record_new(out, f->count - first, f->fields + first, itemsize, false);
    if (status == STRIA_ERR_ARGUMENT) status = FAIL("%.200s", stria_last_error());
    while (f->count > first)
        stria_dtype_release(f->fields[--f->count].dtype);
    return status;
}

/*
 * The room that the fields can need: a field has at least two strings, name and type, and every
 * size is a number.
 */
struct room {
    size_t fields, sizes, texts;
};

static struct room count_room(struct lexer ahead)
{
    struct room room = {0, 0, 0};
    size_t strings = 0;
    for (;;) {
        const struct token token = stria__next_token(&ahead);
        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD) break;
        room.sizes += token.kind == TOKEN_NUMBER ? sizeof(int64_t) : 0;
        if (token.kind != TOKEN_STRING) continue;
        strings++;
        room.texts += (size_t)put_text(NULL, token, &ahead) + 1;
    }
    room.fields = (strings / 2 + 1) * sizeof(stria_field);
    return room;
}

stria_status stria__npy_fields_parse(stria_dtype *out, struct lexer *lexer)
{
    const size_t left = (size_t)(lexer->end - lexer->at);
    const struct room room = count_room(*lexer);
    const size_t total = room.fields + room.sizes + room.texts;
    if (total + left > MEMORY_MAX)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npy: descr: the fields would take %zu bytes of "
                           "memory, more than a header may",
                           total + left);
    OWNED_MEMORY(memory, total);
    if (!memory.at)
        return stria__fail(STRIA_ERR_MEMORY, "npy: out of memory for %zu bytes of fields", total);
    struct fields f = {.lexer = lexer, .fields = memory.at};
    f.sizes = (int64_t *)(void *)((char *)memory.at + room.fields);
    f.texts = (char *)f.sizes + room.sizes;
    return parse_list(out, &f, 1);
}

/* ---- writing -------------------------------------------------------------------------------- */

/*
 * Prints a name as Python's repr quotes it. Names that need an escape are refused, since not every
 * reader knows escapes.
 */
static stria_status print_name(struct written *text, const char *name, enum charset *charset)
{
    const char quote = strchr(name, '\'') && !strchr(name, '"') ? '"' : '\'';
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
    stria__print(text, "%c%s%c", quote, name, quote);
    return STRIA_OK;
}

static void print_padding(struct written *text, int64_t bytes, bool first)
{
    if (bytes > 0) stria__print(text, "%s('', '|V%lld')", first ? "" : ", ", (long long)bytes);
}

static stria_status print_field(struct written *text, const stria_field *field,
                                enum charset *charset)
{
    stria__print(text, "(");
    if (field->title) {
        stria__print(text, "(");
        STRIA_TRY(print_name(text, field->title, charset));
        stria__print(text, ", ");
    }
    STRIA_TRY(print_name(text, field->name, charset));
    stria__print(text, field->title ? "), " : ", ");
    STRIA_TRY(stria__npy_descr_print(text, field->dtype, charset));
    if (field->ndim) stria__print(text, ", ");
    if (field->ndim) stria__print_dims(text, field->ndim, field->shape);
    stria__print(text, ")");
    return STRIA_OK;
}

/* The recursion through stria__npy_descr_print is as deep as the nesting, at most 32. */
stria_status stria__npy_fields_print(struct written *text, stria_dtype dtype, enum charset *charset)
{
    int64_t end = 0;
    stria__print(text, "[");
    for (int i = 0; i < stria_record_count(dtype); i++) {
        const stria_field *field = stria_record_field(dtype, i);
        if (field->offset < end)
            return stria__fail(STRIA_ERR_UNSUPPORTED,
                               "npy: field '%.60s' overlaps the one before it "
                               "or stands out of order, which a file cannot say; repack the record",
                               field->name);
        print_padding(text, field->offset - end, end == 0 && i == 0);
        if (i > 0 || field->offset > 0) stria__print(text, ", ");
        STRIA_TRY(print_field(text, field, charset));
        end = field->offset + stria__field_bytes(field);
    }
    print_padding(text, dtype.itemsize - end, stria_record_count(dtype) == 0);
    stria__print(text, "]");
    return STRIA_OK;
}
