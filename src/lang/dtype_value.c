/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "environment.h"
#include "stria/record.h"
#include "syntax.h"
#include "tagged_value.h"

struct reading {
    struct pool *pool;
    struct failure *failure;
    bool align;
};

static stria_status read_dtype(struct reading *r, stria_dtype *out, const struct value *value);

/* What has a description is given back with the pool. */
static stria_status read_text(struct reading *r, stria_dtype *out, const struct value *text)
{
    STRIA_TRY(stria__name_dtype(out, text, r->failure));
    return out->record ? stria__pool_keep_dtype(r->pool, *out) : STRIA_OK;
}

static stria_status wrong(struct reading *r, const struct value *value, const char *wanted)
{
    char text[VALUE_TEXT];
    return stria__fail_at(r->failure, STRIA_ERR_ARGUMENT, value->at, "dtype: %s expected, not %s",
                          wanted, stria__value_describe(value, text));
}

/* The description is given back with the pool. */
static stria_status make_record(struct reading *r, stria_dtype *out, const stria_field *fields,
                                size_t count, int64_t itemsize, bool align, size_t at)
{
    const stria_status status = stria_record_new(out, (int)count, fields, itemsize, align);
    if (status != STRIA_OK) {
        (void)stria__fail_library(r->failure, status, at);
        r->failure->usage = true;
        return status;
    }
    return stria__pool_keep_dtype(r->pool, *out);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* 'name', or ('title', 'name'); '' is f0, f1, ... as in NumPy. */
static stria_status read_name(struct reading *r, stria_field *field, const struct value *value,
                              size_t i)
{
    const struct value *name = value;
    if (stria__value_is_sequence(value) && value->list.count == 2) {
        const struct value *title = &value->list.items[0];
        if (title->kind != VALUE_STRING) return wrong(r, title, "the title of a field");
        field->title = title->string.text;
        name = &value->list.items[1];
    }
    if (name->kind != VALUE_STRING) return wrong(r, name, "the name of a field");
    field->name = name->string.text;
    if (*field->name) return STRIA_OK;
    char *made = stria__pool_take(r->pool, 24);
    TRY_MEMORY(made);
    (void)snprintf(made, 24, "f%zu", i);
    field->name = made;
    return STRIA_OK;
}

static stria_status read_shape(struct reading *r, stria_field *field, const struct value *value)
{
    const bool one = value->kind == VALUE_INT;
    if (!one && !stria__value_is_sequence(value)) return wrong(r, value, "the shape of a field");
    const struct value *sizes = one ? value : value->list.items;
    const size_t count = one ? 1 : value->list.count;
    if (count > STRIA_MAX_NDIM) return wrong(r, value, "a shape of at most 64 dims");
    int64_t *shape = stria__pool_array(r->pool, count, sizeof *shape);
    TRY_MEMORY(shape);
    for (size_t i = 0; i < count; i++) {
        if (sizes[i].kind != VALUE_INT) return wrong(r, &sizes[i], "a size");
        shape[i] = sizes[i].integer;
    }
    field->ndim = (int)count;
    field->shape = shape;
    return STRIA_OK;
}

/* A format, or (format, shape). */
static stria_status read_format(struct reading *r, stria_field *field, const struct value *value)
{
    const bool shaped = value->kind == VALUE_TUPLE && value->list.count == 2;
    STRIA_TRY(read_dtype(r, &field->dtype, shaped ? &value->list.items[0] : value));
    return shaped ? read_shape(r, field, &value->list.items[1]) : STRIA_OK;
}

/* [(name, format), (name, format, shape), ...] */
static stria_status read_descr(struct reading *r, stria_dtype *out, const struct value *value)
{
    const size_t count = value->list.count;
    stria_field *fields = stria__pool_array(r->pool, count, sizeof *fields);
    TRY_MEMORY(fields);
    for (size_t i = 0; i < count; i++) {
        const struct value *item = &value->list.items[i], *parts = item->list.items;
        if (!stria__value_is_sequence(item) || item->list.count < 2 || item->list.count > 3)
            return wrong(r, item, "(name, format) or (name, format, shape)");
        fields[i].offset = STRIA_OFFSET_NEXT;
        STRIA_TRY(read_name(r, &fields[i], &parts[0], i));
        STRIA_TRY(read_format(r, &fields[i], &parts[1]));
        if (item->list.count == 3) STRIA_TRY(read_shape(r, &fields[i], &parts[2]));
    }
    return make_record(r, out, fields, count, 0, r->align, value->at);
}

/* ---- {'names': [...], 'formats': [...], ...} ------------------------------------------------- */

static const struct value *member(const struct value *dict, const char *key)
{
    for (size_t i = 0; i + 1 < dict->list.count; i += 2)
        if (dict->list.items[i].kind == VALUE_STRING &&
            !strcmp(dict->list.items[i].string.text, key))
            return &dict->list.items[i + 1];
    return NULL;
}

/* A list of as many items as there are fields; absent is allowed where it is not needed. */
static stria_status read_member(struct reading *r, const struct value **out,
                                const struct value *dict, const char *key, size_t count,
                                bool needed)
{
    *out = member(dict, key);
    if (!*out && !needed) return STRIA_OK;
    if (!*out || !stria__value_is_sequence(*out) || (count && (*out)->list.count != count))
        return stria__fail_at(r->failure, STRIA_ERR_ARGUMENT, *out ? (*out)->at : dict->at,
                              "dtype: '%s' must be a list with an item for each field", key);
    return STRIA_OK;
}

static stria_status read_dict(struct reading *r, stria_dtype *out, const struct value *dict)
{
    const struct value *names, *formats, *offsets, *titles;
    STRIA_TRY(read_member(r, &names, dict, "names", 0, true));
    const size_t count = names->list.count;
    STRIA_TRY(read_member(r, &formats, dict, "formats", count, true));
    STRIA_TRY(read_member(r, &offsets, dict, "offsets", count, false));
    STRIA_TRY(read_member(r, &titles, dict, "titles", count, false));
    const struct value *itemsize = member(dict, "itemsize"), *aligned = member(dict, "aligned");
    if (itemsize && itemsize->kind != VALUE_INT) return wrong(r, itemsize, "an item size");
    if (aligned && aligned->kind != VALUE_BOOL) return wrong(r, aligned, "True or False");
    stria_field *fields = stria__pool_array(r->pool, count, sizeof *fields);
    TRY_MEMORY(fields);
    for (size_t i = 0; i < count; i++) {
        const struct value *offset = offsets ? &offsets->list.items[i] : NULL;
        const struct value *title = titles ? &titles->list.items[i] : NULL;
        if (offset && offset->kind != VALUE_INT) return wrong(r, offset, "an offset");
        fields[i].offset = !offset           ? STRIA_OFFSET_NEXT
                           : offset->integer ? offset->integer
                                             : STRIA_OFFSET_START;
        STRIA_TRY(read_name(r, &fields[i], &names->list.items[i], i));
        STRIA_TRY(read_format(r, &fields[i], &formats->list.items[i]));
        if (title && title->kind == VALUE_STRING) fields[i].title = title->string.text;
    }
    return make_record(r, out, fields, count, itemsize ? itemsize->integer : 0,
                       r->align || (aligned && aligned->truth), dict->at);
}

/* ---- 'i4,(2,)f8' ---------------------------------------------------------------------------- */

static stria_status read_formats(struct reading *r, stria_dtype *out, const struct value *text)
{
    stria_status status = stria_dtype_parse(out, text->string.text);
    if (status == STRIA_OK) STRIA_TRY(stria__pool_keep_dtype(r->pool, *out));
    if (status == STRIA_OK && r->align) {
        status = stria_record_repack(out, *out, true, false);
        if (status == STRIA_OK) STRIA_TRY(stria__pool_keep_dtype(r->pool, *out));
    }
    if (status == STRIA_OK) return STRIA_OK;
    (void)stria__fail_library(r->failure, status, text->at);
    r->failure->usage = status != STRIA_ERR_MEMORY;
    return status;
}

/* ---- any dtype ------------------------------------------------------------------------------ */

static stria_status read_dtype(struct reading *r, stria_dtype *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_DTYPE: *out = value->dtype; return STRIA_OK;
    case VALUE_LIST: return read_descr(r, out, value);
    case VALUE_DICT: return read_dict(r, out, value);
    case VALUE_STRING:
        if (strpbrk(value->string.text, ",(")) return read_formats(r, out, value);
        return read_text(r, out, value);
    default: return wrong(r, value, "a dtype");
    }
}

stria_status stria__dtype_value(stria_dtype *out, const struct value *value, bool align,
                                struct pool *pool, struct failure *failure)
{
    struct reading r = {pool, failure, align};
    return read_dtype(&r, out, value);
}
