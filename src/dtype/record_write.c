/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes records as text: as NumPy's str(dtype), which is a list of fields if they follow each
 * other, else a dict with their offsets. record_read.c reads both. If NumPy's text would lose
 * something (a nested record that alone is aligned, or is not) a dict says it.
 */
#include <limits.h>
#include <string.h>

#include "date.h"
#include "dtype.h"
#include "record.h"

/* Writes NumPy's notation, in which 'i8' has eight bytes, if there is one. */
static void add_format(struct written *t, stria_dtype dtype)
{
    const char *const code =
        dtype.kind == STRIA_BOOL ? "?" : stria__dtype_array_name((stria_kind)dtype.kind);
    const char mark[] = {stria__dtype_mark(dtype), 0};
    const bool marked = *mark != '|' && (code || dtype.kind >= STRIA_BYTES || dtype.swapped);
    stria__print(t, "'%s%s'", marked ? mark : "",
                 code ? code : stria__dtype_text(native_of(dtype)).text);
}

static void add_record(struct written *t, stria_dtype dtype, bool inherited);

void stria__dtype_print(struct written *t, stria_dtype dtype, bool align)
{
    if (dtype.kind == STRIA_RECORD)
        add_record(t, dtype, align);
    else
        add_format(t, dtype);
}

static void add_shape(struct written *t, const stria_field *field)
{
    if (field->ndim) stria__print(t, ", ");
    if (field->ndim) stria__print_dims(t, field->ndim, field->shape);
}

/* ---- [(name, format), (name, format, shape), ...] -------------------------------------------- */

/* Tells whether the fields lie where they would without offsets. */
static bool is_natural(stria_dtype dtype, bool align)
{
    int64_t end = 0;
    for (int i = 0; i < dtype.record->count; i++) {
        const stria_field *const field = &dtype.record->fields[i];
        const int64_t unit = align && field->dtype.alignment ? field->dtype.alignment : 1;
        if (field->offset != (end + unit - 1) / unit * unit) return false;
        end = field->offset + stria__field_bytes(field);
    }
    const int64_t unit = align && dtype.alignment ? dtype.alignment : 1;
    return dtype.itemsize == (end + unit - 1) / unit * unit;
}

/* Writes the name or title of a field; files have no escapes, and no text that needs one. */
static void add_text(struct written *t, const char *text, bool file)
{
    const char quote = quote_for(text);
    if (file)
        stria__print(t, "%c%s%c", quote, text, quote);
    else
        stria__print_quoted(t, text);
}

/* Writes the padding between fields for a file; returns the separator before the next item. */
static const char *add_padding(struct written *t, const char *before, int64_t bytes)
{
    if (bytes <= 0) return before;
    stria__print(t, "%s('', '|V%lld')", before, (long long)bytes);
    return ", ";
}

/* Writes all fields; for a file, padding is written, too, and the function writes formats. */
static void add_list(struct written *t, stria_dtype dtype, bool align, record_print *file)
{
    const char *before = "";
    int64_t end = 0;
    stria__print(t, "[");
    for (int i = 0; i < dtype.record->count; i++) {
        const stria_field *const field = &dtype.record->fields[i];
        if (file) before = add_padding(t, before, field->offset - end);
        stria__print(t, field->title ? "%s((" : "%s(", before);
        if (field->title) add_text(t, field->title, file);
        if (field->title) stria__print(t, ", ");
        add_text(t, field->name, file);
        stria__print(t, field->title ? "), " : ", ");
        if (file)
            file(t, field->dtype);
        else
            stria__dtype_print(t, field->dtype, align);
        add_shape(t, field);
        stria__print(t, ")");
        end = field->offset + stria__field_bytes(field);
        before = ", ";
    }
    if (file) (void)add_padding(t, before, dtype.itemsize - end);
    stria__print(t, "]");
}

void stria__record_print_file(struct written *t, stria_dtype dtype, record_print *format)
{
    add_list(t, dtype, false, format);
}

/* ---- {'names': [...], 'formats': [...], ...} ------------------------------------------------- */

enum { NAMES, FORMATS, OFFSETS, TITLES };

static void add_cell(struct written *t, const stria_field *field, int key, bool align)
{
    const char *const text = key == NAMES ? field->name : field->title;
    if (key == OFFSETS) {
        stria__print(t, "%lld", (long long)field->offset);
    } else if (key != FORMATS) {
        if (text) stria__print_quoted(t, text);
        if (!text) stria__print(t, "None");
    } else {
        if (field->ndim) stria__print(t, "(");
        stria__dtype_print(t, field->dtype, align);
        add_shape(t, field);
        if (field->ndim) stria__print(t, ")");
    }
}

static void add_dict(struct written *t, stria_dtype dtype, bool align, const char *flag)
{
    static const char *const keys[] = {"{'names': [", "], 'formats': [", "], 'offsets': [",
                                       "], 'titles': ["};
    const struct stria_record *const r = dtype.record;
    const bool titled = r->labels > r->count; /* A title is a label, too. */
    for (int key = NAMES; key <= (titled ? TITLES : OFFSETS); key++) {
        stria__print(t, "%s", keys[key]);
        for (int i = 0; i < r->count; i++) {
            if (i) stria__print(t, ", ");
            add_cell(t, &r->fields[i], key, align);
        }
    }
    stria__print(t, "], 'itemsize': %d%s}", (int)dtype.itemsize, flag);
}

static bool has_aligned_field(const struct stria_record *r)
{
    for (int i = 0; i < r->count; i++)
        if (r->fields[i].dtype.alignment > 1) return true;
    return false;
}

/*
 * Writes records; one within an aligned record is aligned where it does not say otherwise, as NumPy
 * reads it. The recursion is as deep as the nesting, at most 32.
 */
static void add_record(struct written *t, stria_dtype dtype, bool inherited)
{
    if (!dtype.record) { /* A caller filled the dtype in by hand. */
        stria__print(t, "record%d", (int)dtype.itemsize);
        return;
    }
    const bool align = dtype.alignment > 1 || (inherited && !has_aligned_field(dtype.record));
    const char *const flag = align ? ", 'aligned': True" : ", 'aligned': False";
    if (align == inherited && is_natural(dtype, align))
        add_list(t, dtype, align, NULL);
    else
        add_dict(t, dtype, align, align == inherited ? "" : flag);
}

int stria__record_format(stria_dtype dtype, char *text, size_t size)
{
    struct written t = {text, size, 0};
    if (size) *text = 0;
    add_record(&t, dtype, false);
    return t.used < INT_MAX ? (int)t.used : INT_MAX;
}
