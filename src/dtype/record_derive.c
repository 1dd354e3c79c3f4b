/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records made from records. Each function lists the new fields in memory of the allocator hook,
 * passes the list to the constructor, which copies it, and releases the list.
 */
#include <string.h>

#include "record.h"
#include "base/status.h"

/* A list of fields, whose dtypes it owns. */
struct field_list {
    struct memory memory;
    stria_field *fields;
    int count;
};

static void free_fields(struct field_list *list)
{
    for (int i = 0; i < list->count; i++)
        stria_dtype_release(list->fields[i].dtype);
    stria__memory_free(&list->memory);
}

/* Declares an empty list of up to n fields, which is released at the end of the block; NULL without
 * memory. */
#define FIELD_LIST(name, n)                                                                        \
    __attribute__((cleanup(free_fields))) struct field_list name = {                               \
        .memory = stria__memory(((size_t)(n) + 1) * sizeof(stria_field))};                         \
    (name).fields = (name).memory.at

static stria_status no_memory(int n)
{
    return stria__fail(STRIA_ERR_MEMORY, "record: out of memory for %d fields", n);
}

/* Appends a field; the list takes over dtype. */
static void append(struct field_list *list, const stria_field *like, stria_dtype dtype,
                   int64_t offset)
{
    stria_field *field = &list->fields[list->count++];
    *field = *like;
    field->dtype = dtype;
    field->offset = offset;
}

static stria_status check_record(const stria_dtype *out, stria_dtype dtype)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "record: out is NULL");
    if (dtype.kind != STRIA_RECORD || !dtype.record)
        return stria__fail(STRIA_ERR_DTYPE, "record: the dtype has no fields");
    return STRIA_OK;
}

stria_status stria_record_select(stria_dtype *out, stria_dtype dtype, int count,
                                 const char *const *names)
{
    STRIA_TRY(check_record(out, dtype));
    if (count < 0 || (count && !names))
        return stria__fail(STRIA_ERR_ARGUMENT, "record: %d names at %p", count,
                           (const void *)names);
    FIELD_LIST(list, count);
    if (!list.fields) return no_memory(count);
    for (int i = 0; i < count; i++) {
        const stria_field *field = stria_record_find(dtype, names[i]);
        if (!field)
            return stria__fail(STRIA_ERR_ARGUMENT, "record: no field of name '%.60s'",
                               names[i] ? names[i] : "(NULL)");
        append(&list, field, stria_dtype_retain(field->dtype), field_offset(field->offset));
    }
    STRIA_TRY(stria_record_make(out, count, list.fields, dtype.itemsize, false));
    if (dtype.alignment > 0 && dtype.itemsize % dtype.alignment == 0)
        out->alignment = dtype.alignment;
    return STRIA_OK;
}

/* Derives one nested dtype; the result is owned. */
typedef stria_status derive(stria_dtype *out, stria_dtype dtype, bool align);

/* Derives all fields. The recursion is as deep as the nesting, which the constructor bounds. */
static stria_status derive_fields(stria_dtype *out, stria_dtype dtype, bool align, bool packed,
                                  derive *nested)
{
    const int count = stria_record_count(dtype);
    FIELD_LIST(list, count);
    if (!list.fields) return no_memory(count);
    for (int i = 0; i < count; i++) {
        const stria_field *field = stria_record_field(dtype, i);
        stria_dtype derived;
        STRIA_TRY(nested(&derived, field->dtype, align));
        append(&list, field, derived, packed ? STRIA_OFFSET_NEXT : field_offset(field->offset));
    }
    return stria_record_make(out, count, list.fields, packed ? 0 : dtype.itemsize, align);
}

static stria_status keep_dtype(stria_dtype *out, stria_dtype dtype, bool align)
{
    (void)align;
    *out = stria_dtype_retain(dtype);
    return STRIA_OK;
}

static stria_status repack(stria_dtype *out, stria_dtype dtype, bool align)
{
    if (dtype.kind != STRIA_RECORD) return keep_dtype(out, dtype, align);
    return derive_fields(out, dtype, align, true, repack);
}

static stria_status swap(stria_dtype *out, stria_dtype dtype, bool align)
{
    if (dtype.kind != STRIA_RECORD) {
        *out = stria_dtype_swap(stria_dtype_retain(dtype));
        return STRIA_OK;
    }
    STRIA_TRY(derive_fields(out, dtype, align, false, swap));
    out->alignment = dtype.alignment;
    return STRIA_OK;
}

stria_status stria_record_repack(stria_dtype *out, stria_dtype dtype, bool align, bool recurse)
{
    STRIA_TRY(check_record(out, dtype));
    return derive_fields(out, dtype, align, true, recurse ? repack : keep_dtype);
}

stria_status stria_record_swap(stria_dtype *out, stria_dtype dtype)
{
    STRIA_TRY(check_record(out, dtype));
    return swap(out, dtype, false);
}
