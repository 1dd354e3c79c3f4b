/* SPDX-License-Identifier: BSD-3-Clause */
/* Dtypes as text and from text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dtype_value.h"
#include "eval.h"
#include "stria/record.h"

/* ---- reading -------------------------------------------------------------------------------- */

/* A list, a dict, or a string of formats: what an EXPR would evaluate to. */
static stria_status read_expression(stria_dtype *out, const char *text, struct arena *arena,
                                    struct failure *failure)
{
    const struct inputs none = {0};
    struct evaluation e = evaluation_of(text, &none, failure);
    struct node *tree = NULL;
    struct value value = {.kind = VALUE_NONE};
    e.arena = *arena;
    char *grouped = arena_take(&e.arena, strlen(text) + 3);
    (void)sprintf(grouped, "(%s)", text); /* a list, and no index into x */
    stria_status status = expr_parse(&tree, grouped, &e.arena, failure);
    if (status == STRIA_OK) status = eval_node(&e, tree, &value);
    if (status == STRIA_OK) status = dtype_value(out, &value, false, &e.arena, failure);
    *arena = e.arena;
    e.arena = (struct arena){0};
    evaluation_end(&e);
    return status;
}

stria_status dtype_text_read(stria_dtype *out, const char *text, struct arena *arena,
                             struct failure *failure)
{
    if (stria_dtype_parse(out, text) == STRIA_OK) {
        if (out->record) arena_keep_dtype(arena, *out);
        return STRIA_OK;
    }
    struct value value = {.kind = VALUE_STRING};
    value.string.text = text;
    value.string.length = strlen(text);
    const bool literal = *text == '[' || *text == '{';
    const stria_status status = literal ? read_expression(out, text, arena, failure)
                                        : dtype_value(out, &value, false, arena, failure);
    failure->placed = false;
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

struct text {
    struct arena *arena;
    char *bytes;
    size_t length, room;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const size_t n = (size_t)vsnprintf(NULL, 0, format, args);
    if (t->length + n + 1 > t->room) {
        char *larger = arena_take(t->arena, 2 * (t->room + n + 1));
        if (t->length) memcpy(larger, t->bytes, t->length);
        t->room = 2 * (t->room + n + 1);
        t->bytes = larger;
    }
    (void)vsnprintf(t->bytes + t->length, n + 1, format, again);
    t->length += n;
    va_end(again);
    va_end(args);
}

/* As a Python string; bytes that are not printable are escaped. */
static void add_quoted(struct text *t, const char *name)
{
    add(t, "'");
    for (; *name; name++) {
        const unsigned char c = (unsigned char)*name;
        if (c == '\'' || c == '\\')
            add(t, "\\%c", c);
        else if (c < ' ')
            add(t, "\\x%02x", c);
        else
            add(t, "%c", c);
    }
    add(t, "'");
}

/* NumPy's notation where it has one, so that '<i8' cannot be taken for eight bits. */
static void add_format(struct text *t, stria_dtype dtype)
{
    static const char letters[] = "biiiiuuuu\0\0f\0ffccSUV";
    char name[64];
    const char letter = dtype.kind < sizeof letters - 1 ? letters[dtype.kind] : 0;
    const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != dtype.swapped;
    if (letter) {
        const int count = dtype.kind == STRIA_UNICODE ? dtype.itemsize / 4 : dtype.itemsize;
        const bool ordered = dtype.alignment > 1 || dtype.kind == STRIA_UNICODE;
        add(t, "'%c%c%d'", !ordered ? '|' : big ? '>' : '<', letter, count);
        return;
    }
    (void)stria_dtype_format(dtype, name, sizeof name);
    add_quoted(t, name);
}

static void add_shape(struct text *t, const stria_field *field)
{
    add(t, "(");
    for (int d = 0; d < field->ndim; d++)
        add(t, d ? ", %lld" : "%lld", (long long)field->shape[d]);
    add(t, field->ndim == 1 ? ",)" : ")");
}

static void add_record(struct text *t, stria_dtype dtype);

static void add_dtype(struct text *t, stria_dtype dtype)
{
    if (dtype.kind == STRIA_RECORD)
        add_record(t, dtype);
    else
        add_format(t, dtype);
}

/* Side by side from the start to the end of the item. */
static bool packed(stria_dtype dtype)
{
    int64_t end = 0;
    for (int i = 0; i < stria_record_count(dtype); i++) {
        const stria_field *field = stria_record_field(dtype, i);
        if (field->offset != end) return false;
        int64_t items = 1;
        for (int d = 0; d < field->ndim; d++)
            items *= field->shape[d];
        end += items * field->dtype.itemsize;
    }
    return end == dtype.itemsize;
}

static void add_field_name(struct text *t, const stria_field *field)
{
    if (field->title) {
        add(t, "(");
        add_quoted(t, field->title);
        add(t, ", ");
    }
    add_quoted(t, field->name);
    if (field->title) add(t, ")");
}

static void add_descr(struct text *t, stria_dtype dtype)
{
    add(t, "[");
    for (int i = 0; i < stria_record_count(dtype); i++) {
        const stria_field *field = stria_record_field(dtype, i);
        add(t, i ? ", (" : "(");
        add_field_name(t, field);
        add(t, ", ");
        add_dtype(t, field->dtype);
        if (field->ndim) {
            add(t, ", ");
            add_shape(t, field);
        }
        add(t, ")");
    }
    add(t, "]");
}

static void add_dict(struct text *t, stria_dtype dtype)
{
    const int n = stria_record_count(dtype);
    add(t, "{'names': [");
    for (int i = 0; i < n; i++) {
        if (i) add(t, ", ");
        add_field_name(t, stria_record_field(dtype, i));
    }
    add(t, "], 'formats': [");
    for (int i = 0; i < n; i++) {
        const stria_field *field = stria_record_field(dtype, i);
        add(t, i ? ", %s" : "%s", field->ndim ? "(" : "");
        add_dtype(t, field->dtype);
        if (!field->ndim) continue;
        add(t, ", ");
        add_shape(t, field);
        add(t, ")");
    }
    add(t, "], 'offsets': [");
    for (int i = 0; i < n; i++)
        add(t, i ? ", %lld" : "%lld", (long long)stria_record_field(dtype, i)->offset);
    add(t, "], 'itemsize': %d}", (int)dtype.itemsize);
}

static void add_record(struct text *t, stria_dtype dtype)
{
    if (packed(dtype))
        add_descr(t, dtype);
    else
        add_dict(t, dtype);
}

const char *dtype_text(stria_dtype dtype, struct arena *arena)
{
    struct text t = {.arena = arena};
    char name[64];
    if (dtype.kind == STRIA_RECORD) {
        add_record(&t, dtype);
        return t.bytes;
    }
    (void)stria_dtype_format(dtype, name, sizeof name);
    return arena_text(arena, name, strlen(name));
}
