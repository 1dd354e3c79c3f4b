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
 * in any spacing, with or without a last comma, and with square brackets for parentheses behind the
 * first. A file's description is read by the same functions, with strict tokens (text_reader.h): it
 * is a list whose formats are strings of its own notation or lists; fields follow each other, and
 * padding is a void field without a name.
 */
#include <stdio.h>
#include <string.h>

#include "dtype.h"
#include "record.h"
#include "base/integers.h"
#include "base/status.h"

enum { NAME_ROOM = 16 /* Room for "f2147483647". */ };

/* ---- the fields of one record ---------------------------------------------------------------- */

struct fields {
    struct memory memory;
    stria_field *fields; /* The fields, whose dtypes are owned. */
    const char *begin;   /* Start of their list in the text. */
    int count;
    int64_t end; /* Byte behind the last field, in a file. */
};

/* Counts bytes of memory before they are taken for a file. */
static stria_status take_room(struct record_text *s, size_t bytes)
{
    if (s->file && bytes > s->room)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "%s: the fields would take more memory than a header may", s->r.op);
    s->room -= bytes;
    return STRIA_OK;
}

/* Takes memory for so many fields. */
static stria_status open_fields(struct fields *f, struct record_text *s, size_t count)
{
    const size_t bytes = count * sizeof *f->fields;
    STRIA_TRY(take_room(s, bytes));
    *f = (struct fields){.memory = stria__memory(bytes), .begin = s->r.at};
    f->fields = f->memory.at;
    if (f->fields) return STRIA_OK;
    return stria__fail(STRIA_ERR_MEMORY, "dtype: out of memory for %zu bytes of fields", bytes);
}

/* Makes the record if everything went well, and releases the fields. */
static stria_status close_fields(stria_dtype *out, struct fields *f, struct record_text *s,
                                 int64_t itemsize, stria_status status)
{
    if (status == STRIA_OK) {
        status = stria_record_make(out, f->count, f->fields, s->file ? f->end : itemsize, s->align);
        if (status != STRIA_OK) s->r.at = f->begin; /* all of them are to blame */
    }
    while (f->count > 0)
        stria_dtype_release(f->fields[--f->count].dtype);
    s->room += f->memory.size;
    stria__memory_free(&f->memory);
    return status;
}

/* ---- strings and shapes ---------------------------------------------------------------------- */

/* Reads a string, whose text is kept until all is read. */
static stria_status read_string(struct record_text *s, const char **out, const char *wanted)
{
    *out = s->texts;
    return stria__reader_string(&s->r, &s->texts, wanted);
}

/* Names a field by its number. */
static void number_field(struct record_text *s, stria_field *field, int place)
{
    field->name = s->texts;
    s->texts += snprintf(s->texts, NAME_ROOM, "f%d", place) + 1;
}

/* Reads a name; an empty one stands for f0, f1, ..., or for padding in a file. */
static stria_status read_name(struct record_text *s, stria_field *field, int place)
{
    STRIA_TRY(read_string(s, &field->name, "the name of a field"));
    if (!*field->name && !s->file) number_field(s, field, place);
    return STRIA_OK;
}

static stria_status read_shape(struct reader *r, struct record_text *s, stria_field *field)
{
    if (field->shape) return stria__reader_wrong(r, "one shape for a field");
    STRIA_TRY(stria__reader_shape(r, &field->ndim, s->sizes));
    field->shape = s->sizes;
    s->sizes += field->ndim;
    return STRIA_OK;
}

/* ---- 'i4,(2,)f8' ----------------------------------------------------------------------------- */

/* Copies the name of a dtype without the spaces around it. */
static stria_status read_name_of_dtype(struct reader *r, stria_dtype *out)
{
    char name[64];
    stria__reader_skip_space(r);
    const size_t reach = strcspn(r->at, ",");
    size_t length = reach;
    while (length && r->at[length - 1] == ' ')
        length--;
    if (length >= sizeof name) return stria__reader_wrong(r, "the name of a dtype");
    memcpy(name, r->at, length);
    name[length] = 0;
    STRIA_TRY(stria__dtype_parse_numpy(out, name));
    r->at += reach;
    return STRIA_OK;
}

static stria_status read_short_field(struct reader *r, struct record_text *s, struct fields *f)
{
    stria_field *const field = &f->fields[f->count];
    *field = (stria_field){.name = NULL};
    stria__reader_skip_space(r);
    if (*r->at == '(' || is_digit(*r->at)) STRIA_TRY(read_shape(r, s, field));
    STRIA_TRY(read_name_of_dtype(r, &field->dtype));
    number_field(s, field, f->count++);
    return STRIA_OK;
}

/* Reads the whole text: one dtype, perhaps with a shape, or several that make a record. */
static stria_status read_names_of_dtypes(struct record_text *s, stria_field *field,
                                         const char *text)
{
    struct reader r = reader_of(s->r.op, text);
    struct fields f;
    stria_status status = STRIA_OK;
    const char *behind = *text == '(' ? strchr(text, ')') : text, *at = text;
    if (!behind || !strchr(behind, ',')) {
        if (*text == '(' || is_digit(*text)) STRIA_TRY(read_shape(&r, s, field));
        return stria__dtype_parse_numpy(&field->dtype, r.at);
    }
    size_t commas = 0;
    for (; *at; at++)
        commas += *at == ',';
    STRIA_TRY(open_fields(&f, s, commas + 1));
    for (bool more = true; status == STRIA_OK && more && *r.at;) {
        status = read_short_field(&r, s, &f);
        if (status == STRIA_OK) more = stria__reader_took(&r, ',');
        stria__reader_skip_space(&r);
    }
    return close_fields(&field->dtype, &f, s, 0, status);
}

/* ---- any dtype ------------------------------------------------------------------------------- */

static stria_status read_list(stria_dtype *out, struct record_text *s);
static stria_status read_dict(stria_dtype *out, struct record_text *s);

static stria_status read_quoted(struct record_text *s, stria_field *field)
{
    const char *text;
    STRIA_TRY(read_string(s, &text, s->file ? "a string such as '<f4'" : "a dtype"));
    return s->file ? s->file(&field->dtype, text) : read_names_of_dtypes(s, field, text);
}

static stria_status read_dtype(struct record_text *s, stria_field *field)
{
    stria__reader_skip_space(&s->r);
    const bool list = *s->r.at == '[';
    if (!list && (*s->r.at != '{' || s->file)) return read_quoted(s, field);
    if (s->depth >= RECORD_DEPTH)
        return stria__fail(STRIA_ERR_FORMAT, "%s: nested more than %d deep", s->r.op, RECORD_DEPTH);
    s->depth++;
    const stria_status status = list ? read_list(&field->dtype, s) : read_dict(&field->dtype, s);
    s->depth--;
    return status;
}

/* Reads the next of the fields in its place, so that its dtype is released with them. */
static stria_status read_format(struct record_text *s, struct fields *f, stria_field *field)
{
    const bool shaped = !s->file && stria__reader_took(&s->r, '(');
    STRIA_TRY(read_dtype(s, field));
    f->count++;
    if (!shaped) return STRIA_OK;
    STRIA_TRY(stria__reader_take(&s->r, "','"));
    STRIA_TRY(read_shape(&s->r, s, field));
    return stria__reader_take(&s->r, "')'");
}

/* Places a field of a file behind the one before it. */
static stria_status place_in_file(struct fields *f, stria_field *field)
{
    int64_t bytes;
    if (!multiply_sizes(&bytes, field->dtype.itemsize, field->ndim, field->shape) ||
        bytes > INT32_MAX - f->end)
        return stria__fail(STRIA_ERR_OVERFLOW, "field '%.60s' ends beyond 2147483647 bytes",
                           field->name);
    field->offset = field_offset(f->end);
    f->end += bytes;
    if (!*field->name && field->dtype.kind == STRIA_VOID) f->count--;
    return STRIA_OK;
}

/* Reads 'name', or ('title', 'name'). */
static stria_status read_names(struct record_text *s, struct fields *f, stria_field *field)
{
    const char end = stria__reader_open(&s->r);
    if (end) {
        STRIA_TRY(read_string(s, &field->title, "the title of a field"));
        STRIA_TRY(stria__reader_take(&s->r, "','"));
    }
    STRIA_TRY(read_name(s, field, f->count));
    return end ? stria__reader_take(&s->r, end == ')' ? "')'" : "']'") : STRIA_OK;
}

/* Tells whether the next mark is that one. */
static bool is_at(struct reader *r, char mark)
{
    stria__reader_skip_space(r);
    return *r->at == mark;
}

static stria_status wrong_field(struct reader *r, const char *begin)
{
    r->at = begin;
    return stria__reader_wrong(r, "(name, format) or (name, format, shape)");
}

static stria_status read_field(struct record_text *s, struct fields *f)
{
    stria_field *const field = &f->fields[f->count];
    struct reader *const r = &s->r;
    *field = (stria_field){.offset = STRIA_OFFSET_NEXT};
    stria__reader_skip_space(r);
    const char *const begin = r->at, end = stria__reader_open(r);
    if (!end) return wrong_field(r, begin);
    STRIA_TRY(read_names(s, f, field));
    STRIA_TRY(stria__reader_take(r, "','"));
    if (is_at(r, end)) return wrong_field(r, begin);
    STRIA_TRY(read_format(s, f, field));
    if (stria__reader_took(r, ',') && (s->file || !is_at(r, end))) {
        STRIA_TRY(read_shape(r, s, field));
        if (!s->file && stria__reader_took(r, ',') && !is_at(r, end)) return wrong_field(r, begin);
    }
    STRIA_TRY(stria__reader_take(r, end == ')' ? "')'" : "']'"));
    return s->file ? place_in_file(f, field) : STRIA_OK;
}

static size_t items_of(const struct reader *r, const char *list)
{
    size_t n = 1;
    for (const char *at = list + 1; (at = stria__reader_skip_value(r, at)) < r->end && *at == ',';
         at++)
        n++;
    return n;
}

static stria_status read_list(stria_dtype *out, struct record_text *s)
{
    struct fields f;
    bool more = true;
    STRIA_TRY(open_fields(&f, s, items_of(&s->r, s->r.at)));
    s->r.at++;
    stria_status status = stria__reader_next(&s->r, ']', 0, &more);
    for (int count = 1; status == STRIA_OK && more; count++) {
        status = read_field(s, &f);
        if (status == STRIA_OK) status = stria__reader_next(&s->r, ']', count, &more);
    }
    return close_fields(out, &f, s, 0, status);
}

/* ---- a dict ---------------------------------------------------------------------------------- */

enum { NAMES, FORMATS, OFFSETS, TITLES, ITEMSIZE, ALIGNED, KEYS };

/* Finds the value of each key; they come in any order, but formats are read beside names. */
static stria_status find_values(struct reader *r, const char *values[KEYS])
{
    static const char *const keys[KEYS] = {"names",  "formats",  "offsets",
                                           "titles", "itemsize", "aligned"};
    const char *const begin = r->at++;
    bool more = true;
    for (int count = 0;; count++) {
        STRIA_TRY(stria__reader_next(r, '}', count, &more));
        if (!more) break;
        const char *const at = r->at;
        const int key = stria__reader_key(r, KEYS, keys);
        if (key < 0 || values[key]) {
            r->at = at;
            return stria__reader_wrong(r, "one of the keys of a record, once");
        }
        STRIA_TRY(stria__reader_take(r, "':'"));
        stria__reader_skip_space(r);
        values[key] = r->at;
        r->at = stria__reader_skip_value(r, r->at);
    }
    if (values[NAMES] && values[FORMATS]) return STRIA_OK;
    r->at = begin;
    return stria__reader_wrong(r, "a dict with 'names' and 'formats'");
}

/* Reads the value at a place of the list of a key. */
static stria_status read_cell(struct record_text *s, struct fields *f, int key, int place)
{
    stria_field *const field = &f->fields[place];
    struct reader *const r = &s->r;
    switch (key) {
    case NAMES:
        *field = (stria_field){.offset = STRIA_OFFSET_NEXT};
        return read_name(s, field, place);
    case FORMATS: return read_format(s, f, field);
    case OFFSETS:
        STRIA_TRY(stria__reader_number(r, &field->offset, "an offset"));
        field->offset = field_offset(field->offset);
        return STRIA_OK;
    default:
        stria__reader_skip_space(r);
        if (strncmp(r->at, "None", 4) != 0) return read_string(s, &field->title, "a title");
        r->at += 4;
        return STRIA_OK;
    }
}

/* Reads the list of a key, which must have as many items as there are names. */
static stria_status read_column(struct record_text *s, struct fields *f, int key, int *names)
{
    const char end = stria__reader_open(&s->r);
    int place = 0;
    bool more;
    if (!end) return stria__reader_wrong(&s->r, "a list");
    for (;; place++) {
        STRIA_TRY(stria__reader_next(&s->r, end, place, &more));
        if (!more || (key != NAMES && place == *names)) break;
        STRIA_TRY(read_cell(s, f, key, place));
    }
    if (key == NAMES) *names = place;
    return !more && place == *names ? STRIA_OK
                                    : stria__reader_wrong(&s->r, "an item for each name");
}

static stria_status read_dict(stria_dtype *out, struct record_text *s)
{
    const char *values[KEYS] = {NULL}, *const begin = s->r.at;
    const bool align = s->align;
    struct fields f;
    int64_t itemsize = 0;
    int names = 0;
    STRIA_TRY(find_values(&s->r, values));
    const char *const end = s->r.at;
    if ((s->r.at = values[ITEMSIZE]))
        STRIA_TRY(stria__reader_number(&s->r, &itemsize, "an item size"));
    if ((s->r.at = values[ALIGNED])) STRIA_TRY(stria__reader_truth(&s->r, &s->align));
    s->r.at = begin;
    STRIA_TRY(open_fields(&f, s, items_of(&s->r, values[NAMES])));
    stria_status status = STRIA_OK;
    for (int key = NAMES; status == STRIA_OK && key <= TITLES; key++)
        if ((s->r.at = values[key])) status = read_column(s, &f, key, &names);
    if (status == STRIA_OK) s->r.at = end;
    status = close_fields(out, &f, s, itemsize, status);
    s->align = align;
    return status;
}

/* ---- all of a text --------------------------------------------------------------------------- */

/* Counts the bytes of all strings of a text, generated names included, and its numbers. */
static void measure_text(const struct record_text *s, size_t *texts, size_t *numbers)
{
    const char *string = s->r.begin; /* The end of the last string. */
    *texts = *numbers = 1;
    for (const char *at = string; at < s->r.end; at++) {
        if (at >= string && (*at == '\'' || *at == '"'))
            string = stria__reader_skip_string(&s->r, at);
        const bool quoted = at < string, digit = is_digit(*at);
        if (quoted) *texts += s->r.latin1 && (unsigned char)*at >= 0x80 ? 2 : 1;
        if (!s->file && (at == s->r.begin || *at == ',')) *texts += NAME_ROOM;
        if (digit && !(quoted && s->file)) *numbers += at == s->r.begin || !is_digit(at[-1]);
    }
}

static stria_status read_all(stria_dtype *out, struct record_text *s)
{
    stria_field field = {.name = NULL};
    const char *const text = s->r.at;
    if (*text != '[' && *text != '{') {
        STRIA_TRY(read_names_of_dtypes(s, &field, text));
        s->r.at = s->r.end;
    } else {
        STRIA_TRY(read_dtype(s, &field));
        stria__reader_skip_space(&s->r);
    }
    if (s->r.at == s->r.end && !field.shape) {
        *out = field.dtype;
        return STRIA_OK;
    }
    stria_dtype_release(field.dtype);
    if (!field.shape) return stria__reader_wrong(&s->r, "the end");
    return stria__fail(STRIA_ERR_FORMAT,
                       "dtype: '%.60s' has a shape, which only a field of a record has", text);
}

stria_status stria__record_parse(stria_dtype *out, struct record_text *text)
{
    size_t texts, numbers;
    measure_text(text, &texts, &numbers);
    const size_t bytes = numbers * sizeof *text->sizes + texts;
    STRIA_TRY(take_room(text, bytes));
    OWNED_MEMORY(memory, bytes);
    if (!memory.at)
        return stria__fail(STRIA_ERR_MEMORY, "dtype: out of memory for %zu bytes of text", bytes);
    text->sizes = memory.at;
    text->texts = (char *)(text->sizes + numbers);
    return read_all(out, text);
}
