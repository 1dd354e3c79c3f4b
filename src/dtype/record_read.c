/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records from text, as NumPy's dtype() takes it and record_write.c writes it:
 *
 *     dtype  = string | list | dict
 *     list   = '[' { '(' name ',' format [ ',' shape ] ')' } ']'
 *     name   = string | '(' title ',' string ')'           no text: f0, f1, ...
 *     format = dtype | '(' dtype ',' shape ')'
 *     dict   = '{' 'names': [...], 'formats': [...] } and offsets, titles, itemsize, aligned '}'
 *     string = a name of a dtype in NumPy's notation, or several with shapes: '(2,3)f4, i8'
 *
 * in any spacing, with or without a last comma. A list of fields is read into memory that its own
 * length bounds, which is given back at its end.
 */
#include <stdio.h>
#include <string.h>

#include "dtype.h"
#include "record.h"
#include "base/status.h"
#include "base/text_reader.h"

enum { NAME_ROOM = 16 /* "f2147483647" */ };

/* ---- the fields of one record ---------------------------------------------------------------- */

struct fields {
    struct memory memory;
    stria_field *fields; /* their dtypes are owned */
    int count;
    int64_t *sizes; /* place of the next shape */
    char *texts;    /* place of the next string */
};

/* Memory for as many items and for texts and shapes as the text can have from here to `end`. */
static stria_status open_fields(struct fields *f, const char *at, const char *end, size_t count)
{
    const size_t length = (size_t)(end - at) + 1, sizes = length / 2 + 1,
                 texts = length + count * NAME_ROOM;
    const size_t bytes = count * sizeof *f->fields + sizes * sizeof *f->sizes + texts;
    f->count = 0;
    f->memory = stria__memory(bytes);
    f->fields = f->memory.at;
    if (!f->fields)
        return stria__fail(STRIA_ERR_MEMORY, "dtype: out of memory for %zu bytes of fields", bytes);
    f->sizes = (int64_t *)(f->fields + count);
    f->texts = (char *)(f->sizes + sizes);
    return STRIA_OK;
}

/* Makes the record where all went well, and gives everything back. */
static stria_status close_fields(stria_dtype *out, struct fields *f, int64_t itemsize, bool align,
                                 stria_status status)
{
    if (status == STRIA_OK) status = stria_record_new(out, f->count, f->fields, itemsize, align);
    while (f->count > 0)
        stria_dtype_release(f->fields[--f->count].dtype);
    stria__memory_free(&f->memory);
    return status;
}

/* ---- strings and shapes ---------------------------------------------------------------------- */

/* A string, whose text stays until the fields are closed. */
static stria_status read_string(struct reader *r, struct fields *f, const char **out)
{
    stria__reader_skip_space(r);
    const char quote = *r->at;
    if (quote != '\'' && quote != '"') return stria__reader_wrong(r, "a string");
    *out = f->texts;
    for (r->at++; *r->at != quote;) {
        if (!*r->at) return stria__reader_wrong(r, "the end of a string");
        if (*r->at != '\\') {
            *f->texts++ = *r->at++;
            continue;
        }
        r->at++;
        if (!stria__reader_unescape(r, &f->texts)) return stria__reader_wrong(r, "another escape");
    }
    r->at++;
    *f->texts++ = 0;
    return STRIA_OK;
}

/* A number, or numbers in parentheses. */
static stria_status read_shape(struct reader *r, struct fields *f, stria_field *field)
{
    bool more = true;
    if (field->shape) return stria__reader_wrong(r, "one shape for a field");
    field->shape = f->sizes;
    if (!stria__reader_took(r, '(')) {
        field->ndim = 1;
        return stria__reader_number(r, f->sizes++);
    }
    for (;; field->ndim++) {
        STRIA_TRY(stria__reader_next(r, ')', field->ndim, &more));
        if (!more) return STRIA_OK;
        if (field->ndim == STRIA_MAX_NDIM) return stria__reader_wrong(r, "at most 64 dims");
        STRIA_TRY(stria__reader_number(r, f->sizes++));
    }
}

/* ---- 'i4,(2,)f8' ----------------------------------------------------------------------------- */

/* A name of a dtype, copied without the spaces around it. */
static stria_status read_name_of_dtype(struct reader *r, stria_dtype *out)
{
    char name[64];
    stria__reader_skip_space(r);
    size_t length = 0;
    while (r->at[length] && r->at[length] != ',')
        length++;
    const char *const end = r->at + length;
    while (length && r->at[length - 1] == ' ')
        length--;
    if (length >= sizeof name) return stria__reader_wrong(r, "the name of a dtype");
    memcpy(name, r->at, length);
    name[length] = 0;
    STRIA_TRY(stria__dtype_parse_numpy(out, name));
    r->at = end;
    return STRIA_OK;
}

static stria_status read_short_field(struct reader *r, struct fields *f)
{
    stria_field *const field = &f->fields[f->count];
    *field = (stria_field){.name = f->texts};
    stria__reader_skip_space(r);
    if (*r->at == '(' || is_digit(*r->at)) STRIA_TRY(read_shape(r, f, field));
    STRIA_TRY(read_name_of_dtype(r, &field->dtype));
    f->texts += snprintf(f->texts, NAME_ROOM, "f%d", f->count++) + 1;
    return STRIA_OK;
}

static size_t count_of(const char *text, char c)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

stria_status stria__record_parse_short(stria_dtype *out, const char *text, bool align)
{
    struct reader r = {text, text, 0, align};
    struct fields f;
    stria_status status = STRIA_OK;
    bool comma = true;
    STRIA_TRY(open_fields(&f, text, text + strlen(text), count_of(text, ',') + 1));
    while (status == STRIA_OK && comma && *r.at) {
        status = read_short_field(&r, &f);
        if (status == STRIA_OK) comma = stria__reader_took(&r, ',');
        stria__reader_skip_space(&r);
    }
    if (status == STRIA_OK && f.count == 1 && !comma)
        status =
            stria__fail(STRIA_ERR_FORMAT,
                        "dtype: '%.60s' has a shape, which only a field of a record has", text);
    return close_fields(out, &f, 0, align, status);
}

/* ---- any dtype ------------------------------------------------------------------------------- */

static stria_status read_list(stria_dtype *out, struct reader *r);
static stria_status read_dict(stria_dtype *out, struct reader *r);

/* A string may be long where it lists formats, and short where it has a shape of its own. */
static stria_status read_quoted(struct reader *r, struct fields *f, stria_field *field)
{
    const char *text;
    STRIA_TRY(read_string(r, f, &text));
    const char *const behind = *text == '(' ? strchr(text, ')') : text;
    const bool shaped = *text == '(' || is_digit(*text);
    if (shaped && behind && !strchr(behind, ',')) { /* '(2,)f8' is one field */
        struct reader inner = {text, text, r->depth, r->align};
        STRIA_TRY(read_shape(&inner, f, field));
        return stria__dtype_parse_numpy(&field->dtype, inner.at);
    }
    if (strpbrk(text, ",(")) return stria__record_parse_short(&field->dtype, text, r->align);
    return stria__dtype_parse_numpy(&field->dtype, text);
}

static stria_status read_dtype(struct reader *r, struct fields *f, stria_field *field)
{
    stria__reader_skip_space(r);
    if (*r->at != '[' && *r->at != '{') return read_quoted(r, f, field);
    if (r->depth >= RECORD_DEPTH)
        return stria__fail(STRIA_ERR_FORMAT, "dtype: nested more than %d deep", RECORD_DEPTH);
    r->depth++;
    const stria_status status =
        *r->at == '[' ? read_list(&field->dtype, r) : read_dict(&field->dtype, r);
    r->depth--;
    return status;
}

/* Reads the next of the fields in its place, so that its dtype is released with them. */
static stria_status read_format(struct reader *r, struct fields *f, stria_field *field)
{
    const bool shaped = stria__reader_took(r, '(');
    STRIA_TRY(read_dtype(r, f, field));
    f->count++;
    if (!shaped) return STRIA_OK;
    STRIA_TRY(stria__reader_take(r, ','));
    STRIA_TRY(read_shape(r, f, field));
    return stria__reader_take(r, ')');
}

/* A text of no character stands for f0, f1, ... */
static void complete_name(struct fields *f, stria_field *field)
{
    if (*field->name) return;
    field->name = f->texts;
    f->texts += snprintf(f->texts, NAME_ROOM, "f%d", f->count) + 1;
}

static stria_status read_field(struct reader *r, struct fields *f)
{
    stria_field *const field = &f->fields[f->count];
    *field = (stria_field){.offset = STRIA_OFFSET_NEXT};
    STRIA_TRY(stria__reader_take(r, '('));
    if (stria__reader_took(r, '(')) {
        STRIA_TRY(read_string(r, f, &field->title));
        STRIA_TRY(stria__reader_take(r, ','));
        STRIA_TRY(read_string(r, f, &field->name));
        STRIA_TRY(stria__reader_take(r, ')'));
    } else {
        STRIA_TRY(read_string(r, f, &field->name));
    }
    complete_name(f, field);
    STRIA_TRY(stria__reader_take(r, ','));
    STRIA_TRY(read_format(r, f, field));
    if (stria__reader_took(r, ',')) {
        if (stria__reader_took(r, ')')) return STRIA_OK;
        STRIA_TRY(read_shape(r, f, field));
        (void)stria__reader_took(r, ',');
    }
    return stria__reader_take(r, ')');
}

static size_t items_of(const char *list)
{
    size_t n = 0;
    for (const char *at = list + 1; *at; n++) {
        at = stria__reader_skip_value(at);
        if (*at != ',') break;
        at++;
    }
    return n + 1;
}

static stria_status read_list(stria_dtype *out, struct reader *r)
{
    struct fields f;
    bool more;
    STRIA_TRY(open_fields(&f, r->at, stria__reader_skip_value(r->at), items_of(r->at)));
    r->at++;
    stria_status status = stria__reader_next(r, ']', 0, &more);
    while (status == STRIA_OK && more) {
        status = read_field(r, &f);
        if (status == STRIA_OK) status = stria__reader_next(r, ']', f.count, &more);
    }
    return close_fields(out, &f, 0, r->align, status);
}

/* ---- a dict ---------------------------------------------------------------------------------- */

enum { NAMES, FORMATS, OFFSETS, TITLES, ITEMSIZE, ALIGNED, KEYS };

/* Finds the value of each key; they come in any order, but formats are read beside names. */
static stria_status find_values(struct reader *r, const char *values[KEYS])
{
    static const char *const keys[KEYS] = {"names",  "formats",  "offsets",
                                           "titles", "itemsize", "aligned"};
    bool more = true;
    r->at++;
    for (int count = 0;; count++) {
        STRIA_TRY(stria__reader_next(r, '}', count, &more));
        if (!more) break;
        stria__reader_skip_space(r);
        int key = 0;
        for (; key < KEYS; key++) {
            const size_t n = strlen(keys[key]);
            if ((*r->at == '\'' || *r->at == '"') && !strncmp(r->at + 1, keys[key], n) &&
                r->at[n + 1] == *r->at)
                break;
        }
        if (key == KEYS || values[key])
            return stria__reader_wrong(r, "one of the keys of a record, once");
        r->at = stria__reader_skip_string(r->at);
        STRIA_TRY(stria__reader_take(r, ':'));
        stria__reader_skip_space(r);
        values[key] = r->at;
        r->at = stria__reader_skip_value(r->at);
    }
    if (values[NAMES] && values[FORMATS]) return STRIA_OK;
    return stria__fail(STRIA_ERR_FORMAT, "dtype: a record needs 'names' and 'formats'");
}

/* One of the lists of a dict, read item by item beside the others. */
struct column {
    struct reader r;
    bool there;
};

static stria_status open_column(struct column *c, const struct reader *r, const char *at)
{
    c->r = *r;
    c->there = at != NULL;
    if (!at) return STRIA_OK;
    c->r.at = at;
    return stria__reader_took(&c->r, '[') || stria__reader_took(&c->r, '(')
               ? STRIA_OK
               : stria__reader_wrong(&c->r, "a list");
}

/* Each list has an item for each name, and none more. */
static stria_status step_columns(struct column *columns, int count, bool *more)
{
    for (int i = NAMES; i <= TITLES; i++) {
        struct column *const c = &columns[i];
        bool here;
        if (!c->there) continue;
        /* A list that began with ( ends with ). */
        stria__reader_skip_space(&c->r);
        STRIA_TRY(stria__reader_next(&c->r, *c->r.at == ')' ? ')' : ']', count, &here));
        if (i == NAMES) *more = here;
        if (here != *more) return stria__reader_wrong(&c->r, "an item for each name");
    }
    return STRIA_OK;
}

static stria_status read_row(struct column *columns, struct fields *f)
{
    stria_field *const field = &f->fields[f->count];
    *field = (stria_field){.offset = STRIA_OFFSET_NEXT};
    STRIA_TRY(read_string(&columns[NAMES].r, f, &field->name));
    complete_name(f, field);
    if (columns[OFFSETS].there) {
        STRIA_TRY(stria__reader_number(&columns[OFFSETS].r, &field->offset));
        field->offset = field_offset(field->offset);
    }
    if (columns[TITLES].there) {
        struct reader *const r = &columns[TITLES].r;
        stria__reader_skip_space(r);
        if (!strncmp(r->at, "None", 4))
            r->at += 4;
        else
            STRIA_TRY(read_string(r, f, &field->title));
    }
    return read_format(&columns[FORMATS].r, f, field);
}

static stria_status read_rows(struct column *columns, struct fields *f)
{
    bool more = true;
    for (;;) {
        STRIA_TRY(step_columns(columns, f->count, &more));
        if (!more) return STRIA_OK;
        STRIA_TRY(read_row(columns, f));
    }
}

static stria_status read_truth(struct reader r, const char *at, bool *out)
{
    r.at = at;
    if (!at) return STRIA_OK;
    *out = !strncmp(at, "True", 4);
    return *out || !strncmp(at, "False", 5) ? STRIA_OK : stria__reader_wrong(&r, "True or False");
}

static stria_status read_columns(stria_dtype *out, struct reader *inside, const char *end,
                                 const char *const values[KEYS])
{
    struct column columns[TITLES + 1];
    struct fields f;
    int64_t itemsize = 0;
    for (int i = NAMES; i <= TITLES; i++)
        STRIA_TRY(open_column(&columns[i], inside, values[i]));
    if (values[ITEMSIZE]) {
        struct reader number = *inside;
        number.at = values[ITEMSIZE];
        STRIA_TRY(stria__reader_number(&number, &itemsize));
    }
    STRIA_TRY(open_fields(&f, inside->at, end, items_of(values[NAMES])));
    return close_fields(out, &f, itemsize, inside->align, read_rows(columns, &f));
}

static stria_status read_dict(stria_dtype *out, struct reader *r)
{
    const char *values[KEYS] = {NULL};
    struct reader inside = *r;
    STRIA_TRY(find_values(r, values));
    STRIA_TRY(read_truth(*r, values[ALIGNED], &inside.align));
    return read_columns(out, &inside, r->at, values);
}

stria_status stria__record_parse(stria_dtype *out, const char *text)
{
    struct reader r = {text, text, 1, false};
    stria_dtype made;
    STRIA_TRY(*text == '[' ? read_list(&made, &r) : read_dict(&made, &r));
    stria__reader_skip_space(&r);
    if (*r.at) {
        stria_dtype_release(made);
        return stria__reader_wrong(&r, "the end");
    }
    *out = made;
    return STRIA_OK;
}
