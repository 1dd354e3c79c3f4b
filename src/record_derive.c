/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records made from records. Each function lists the new fields in memory of the allocator hook,
 * passes the list to the constructor, which copies it, and releases the list.
 */
#include <string.h>

#include "alloc.h"
#include "record.h"
#include "status.h"

/* A list of up to n fields. The list owns their dtypes. */
struct field_list {
    stria_allocator allocator;
    stria_field *fields;
    size_t size;
    int count;
};

static stria_status open_list(struct field_list *list, int n)
{
    list->allocator = stria__allocator();
    list->count = 0;
    list->size = (size_t)(n ? n : 1) * sizeof(stria_field);
    list->fields = list->allocator.alloc(list->size, STRIA_ALIGNMENT, list->allocator.context);
    if (!list->fields)
        return stria__fail(STRIA_ERR_MEMORY, "record: out of memory for %d fields", n);
    return STRIA_OK;
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

static void close_list(struct field_list *list)
{
    for (int i = 0; i < list->count; i++)
        stria_dtype_release(list->fields[i].dtype);
    list->allocator.free(list->fields, list->size, list->allocator.context);
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
    struct field_list list;
    STRIA_TRY(open_list(&list, count));
    stria_status status = STRIA_OK;
    for (int i = 0; i < count && status == STRIA_OK; i++) {
        const stria_field *field = stria_record_find(dtype, names[i]);
        if (field)
            append(&list, field, stria_dtype_retain(field->dtype), field_offset(field->offset));
        else
            status = stria__fail(STRIA_ERR_ARGUMENT, "record: no field of name '%.60s'",
                                 names[i] ? names[i] : "(NULL)");
    }
    if (status == STRIA_OK)
        status = stria_record_new(out, count, list.fields, dtype.itemsize, false);
    const bool fits = dtype.alignment > 0 && dtype.itemsize % dtype.alignment == 0;
    if (status == STRIA_OK && fits) out->alignment = dtype.alignment;
    close_list(&list);
    return status;
}

/* Derives one nested dtype; the result is owned. */
typedef stria_status derive(stria_dtype *out, stria_dtype dtype, bool align);

/* The recursion is as deep as the nesting, which the constructor bounds. */
static stria_status derive_fields(stria_dtype *out, stria_dtype dtype, bool align, bool packed,
                                  derive *nested)
{
    const int count = stria_record_count(dtype);
    struct field_list list;
    STRIA_TRY(open_list(&list, count));
    stria_status status = STRIA_OK;
    for (int i = 0; i < count && status == STRIA_OK; i++) {
        const stria_field *field = stria_record_field(dtype, i);
        stria_dtype derived;
        status = nested(&derived, field->dtype, align);
        if (status == STRIA_OK)
            append(&list, field, derived, packed ? STRIA_OFFSET_NEXT : field_offset(field->offset));
    }
    if (status == STRIA_OK)
        status = stria_record_new(out, count, list.fields, packed ? 0 : dtype.itemsize, align);
    close_list(&list);
    return status;
}

static stria_status keep(stria_dtype *out, stria_dtype dtype, bool align)
{
    (void)align;
    *out = stria_dtype_retain(dtype);
    return STRIA_OK;
}

static stria_status repack(stria_dtype *out, stria_dtype dtype, bool align)
{
    if (dtype.kind != STRIA_RECORD) return keep(out, dtype, align);
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
    return derive_fields(out, dtype, align, true, recurse ? repack : keep);
}

stria_status stria_record_swap(stria_dtype *out, stria_dtype dtype)
{
    STRIA_TRY(check_record(out, dtype));
    return swap(out, dtype, false);
}
