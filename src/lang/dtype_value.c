/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes dtypes of values: a description in lists, tuples and dicts is printed as text and read as
 * such (dtype/record_read.c). If the reader refuses a byte of that text, the value that was printed
 * there is found by printing once more, for the column of the message.
 */
#include <inttypes.h>
#include <string.h>

#include "dtype/record.h"
#include "environment.h"
#include "syntax.h"

struct printing {
    struct written text;
    size_t wanted;             /* The byte of the text that is looked for. */
    const struct value *found; /* The last printed value that begins at or before `wanted`. */
    bool align;                /* Alignment of records whose text does not say. */
};

static void print_value(struct printing *p, const struct value *value);

static void print_items(struct printing *p, const struct value *value, const char *marks)
{
    struct value *const items = value->list.items;
    const size_t count = value->list.count;
    stria__print(&p->text, "%c", marks[0]);
    for (size_t i = 0; i < count; i++) {
        print_value(p, &items[i]);
        const bool key = value->kind == VALUE_DICT && i % 2 == 0;
        stria__print(&p->text, key ? ": " : i + 1 < count ? ", " : "");
    }
    stria__print(&p->text, "%s%c", count == 1 && marks[0] == '(' ? "," : "", marks[1]);
}

/* Prints a dict. If all records are aligned, it is aligned even if it says otherwise, as in
 * NumPy. */
static void print_dict(struct printing *p, const struct value *dict)
{
    const bool align = p->align;
    for (size_t i = 0; i + 1 < dict->list.count; i += 2) {
        const struct value *const key = &dict->list.items[i];
        if (key->kind == VALUE_STRING && !strcmp(key->string.text, "aligned") &&
            key[1].kind == VALUE_BOOL)
            p->align |= key[1].truth;
    }
    print_items(p, dict, "{}");
    p->align = align;
}

static void print_value(struct printing *p, const struct value *value)
{
    struct written *const text = &p->text;
    if (text->used <= p->wanted) p->found = value;
    switch (value->kind) {
    case VALUE_NONE: stria__print(text, "None"); break;
    case VALUE_BOOL: stria__print(text, value->truth || p->align ? "True" : "False"); break;
    case VALUE_INT: stria__print(text, "%" PRId64, value->integer); break;
    case VALUE_STRING: stria__print_quoted(text, value->string.text); break;
    case VALUE_DTYPE: stria__dtype_print(text, value->dtype, p->align); break;
    case VALUE_DICT: print_dict(p, value); break;
    case VALUE_LIST: print_items(p, value, "[]"); break;
    case VALUE_TUPLE: print_items(p, value, "()"); break;
    default: stria__print(text, "?");
    }
}

/* Refuses the value that was printed at that byte of the text, with the reader's message. */
static stria_status refuse_value(struct printing *p, const struct value *value,
                                 const struct record_text *record, stria_status status,
                                 struct failure *failure)
{
    char described[VALUE_TEXT];
    p->text.used = 0;
    p->wanted = (size_t)(record->r.at - record->r.begin);
    print_value(p, value);
    if (status == STRIA_ERR_FORMAT && record->r.wanted)
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, p->found->at,
                              "dtype: %s expected, not %s", record->r.wanted,
                              stria__value_describe(p->found, described));
    (void)stria__fail_library(failure, status, p->found->at);
    failure->usage = status != STRIA_ERR_MEMORY;
    return status;
}

static stria_status read_value(stria_dtype *out, const struct value *value, bool align,
                               struct pool *pool, struct failure *failure)
{
    struct printing p = {.align = align};
    print_value(&p, value);
    p.text.room = p.text.used + 1;
    p.text.bytes = stria__pool_take(pool, p.text.room);
    TRY_MEMORY(p.text.bytes);
    p.text.used = 0;
    print_value(&p, value);
    struct record_text record = {.r = reader_of("dtype", p.text.bytes), .align = align};
    const stria_status status = stria__record_parse(out, &record);
    return status == STRIA_OK ? stria__pool_keep_dtype(pool, *out)
                              : refuse_value(&p, value, &record, status, failure);
}

/* Reads a name, or 'i4,(2,)f8'. The pool releases the description of a record. */
static stria_status read_text(stria_dtype *out, const struct value *value, bool align,
                              struct pool *pool, struct failure *failure)
{
    struct record_text record = {.r = reader_of("dtype", value->string.text), .align = align};
    if (!strpbrk(value->string.text, ",(")) {
        STRIA_TRY(stria__name_dtype(out, value, failure));
        return out->record ? stria__pool_keep_dtype(pool, *out) : STRIA_OK;
    }
    const stria_status status = stria__record_parse(out, &record);
    if (status == STRIA_OK) return stria__pool_keep_dtype(pool, *out);
    (void)stria__fail_library(failure, status, value->at);
    failure->usage = status != STRIA_ERR_MEMORY;
    return status;
}

stria_status stria__dtype_value(stria_dtype *out, const struct value *value, bool align,
                                struct pool *pool, struct failure *failure)
{
    char text[VALUE_TEXT];
    switch (value->kind) {
    case VALUE_DTYPE: *out = value->dtype; return STRIA_OK;
    case VALUE_STRING: return read_text(out, value, align, pool, failure);
    case VALUE_LIST:
    case VALUE_DICT: return read_value(out, value, align, pool, failure);
    default:
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, value->at,
                              "dtype: a dtype expected, not %s",
                              stria__value_describe(value, text));
    }
}
