/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of record arrays. A field is a part of every item, so only the data pointer and the dtype
 * change; an array field appends its dims.
 */
#include <assert.h>
#include <string.h>

#include "dtype/record.h"
#include "view/view.h"

static stria_status check_record(const stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "field"));
    if (a->dtype.kind == STRIA_RECORD && a->dtype.record) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_DTYPE,
        "field: the array is of dtype %s, which has no fields; view it as a record first",
        stria__dtype_text(a->dtype).text);
}

/*
 * Finds the field that a dotted name leads to, with its offset from the start of the outermost
 * record. Each prefix up to a dot is tried as a whole name first, the longest before the shorter
 * ones.
 */
static bool find_path(stria_dtype dtype, const char *name, stria_field *found)
{
    const stria_field *whole = stria_record_find(dtype, name);
    if (whole) {
        *found = *whole;
        return true;
    }
    char prefix[256];
    for (size_t n = strlen(name); n-- > 0;) {
        if (name[n] != '.' || n >= sizeof prefix) continue;
        memcpy(prefix, name, n);
        prefix[n] = 0;
        const stria_field *outer = stria_record_find(dtype, prefix);
        if (!outer || outer->ndim || !find_path(outer->dtype, name + n + 1, found)) continue;
        found->offset += outer->offset;
        return true;
    }
    return false;
}

/*
 * Checks the sizes of a followed by those of an array field. The field lies within an item, but
 * where elements repeat the number of elements may still be too large.
 */
static stria_status check_shape(const stria_view *a, const stria_field *field)
{
    int64_t shape[STRIA_MAX_NDIM];
    if (field->ndim == 0) return STRIA_OK;
    if (a->ndim + field->ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "field: %d dims and %d of the field exceed %d", a->ndim,
                           field->ndim, STRIA_MAX_NDIM);
    for (int d = 0; d < a->ndim; d++)
        shape[d] = a->shape[d];
    for (int d = 0; d < field->ndim; d++)
        shape[a->ndim + d] = field->shape[d];
    return stria__check_shape(a->ndim + field->ndim, shape, "field");
}

static stria_status window(stria_view *out, const stria_view *a, const stria_field *field)
{
    STRIA_TRY(check_shape(a, field));
    const int ndim = a->ndim;
    for (int d = 0; out != a && d < ndim; d++) {
        out->shape[d] = a->shape[d];
        out->strides[d] = a->strides[d];
    }
    int64_t stride = field->dtype.itemsize;
    for (int d = field->ndim - 1; d >= 0; d--) {
        out->shape[ndim + d] = field->shape[d];
        out->strides[ndim + d] = stride;
        stride = scaled_stride(stride, field->shape[d] ? field->shape[d] : 1);
    }
    out->data = is_empty(ndim, a->shape) ? a->data : a->data + field->offset;
    out->buffer = a->buffer;
    out->flags = a->flags;
    if (field->dtype.kind != STRIA_RECORD && view_class(a) == STRIA_CLASS_RECARRAY)
        view_set_class(out, 0);
    out->dtype = field->dtype;
    out->ndim = ndim + field->ndim;
    assert(stria__sizes_fit(out->ndim, out->shape));
    return STRIA_OK;
}

stria_status stria_view_field(stria_view *out, const stria_view *a, const char *name)
{
    STRIA_TRY(check_record(out, a));
    if (!name) return stria__fail(STRIA_ERR_ARGUMENT, "field: the name is NULL");
    stria_field field;
    if (!find_path(a->dtype, name, &field))
        return stria__fail(
            STRIA_ERR_ARGUMENT, "field: no field of name '%.60s'; the %d fields begin with '%.60s'",
            name, stria_record_count(a->dtype),
            stria_record_count(a->dtype) ? stria_record_field(a->dtype, 0)->name : "");
    return window(out, a, &field);
}

/* The scalars of an item in field order, as long as they form one arithmetic progression. */
struct progression {
    stria_dtype dtype;
    int64_t first, last, step, count;
};

static stria_status uneven(const struct progression *p, int64_t offset)
{
    return stria__fail(STRIA_ERR_STRIDE,
                       "fields: the scalar at byte %lld does not continue the spacing of %lld "
                       "bytes; a copy of the fields is needed",
                       (long long)offset, (long long)p->step);
}

/* Adds n > 0 scalars, one every `step` bytes from offset. A single scalar leaves the step open. */
static inline stria_status extend(struct progression *p, stria_dtype dtype, int64_t offset,
                                  int64_t n, int64_t step)
{
    if (p->count == 0) {
        p->dtype = dtype;
        p->first = offset;
        p->step = n > 1 ? step : 0;
    } else {
        if (!(p->dtype.kind == dtype.kind && p->dtype.itemsize == dtype.itemsize &&
              p->dtype.swapped == dtype.swapped))
            return stria__fail(STRIA_ERR_DTYPE,
                               "fields: not all of one dtype; convert the fields one by one");
        if (p->count == 1) p->step = offset - p->last;
        if (offset - p->last != p->step) return uneven(p, offset);
    }
    if (n > 1 && p->step != step) return uneven(p, offset + step);
    p->last = offset + (n - 1) * step;
    p->count += n;
    return STRIA_OK;
}

static stria_status collect(struct progression *p, stria_dtype dtype, int64_t base)
{
    enum { MAX_SCALARS = 1 << 20 };
    int count;
    const stria_field *fields = stria__record_fields(&count, dtype);
    for (int i = 0; i < count; i++) {
        const stria_field *field = &fields[i];
        const int64_t size = field->dtype.itemsize;
        if (size == 0) continue;
        const int64_t n = field->ndim ? stria__field_bytes(field) / size : 1;
        if (n == 0) continue;
        if (field->dtype.kind != STRIA_RECORD) {
            STRIA_TRY(extend(p, field->dtype, base + field->offset, n, size));
            continue;
        }
        for (int64_t k = 0; k < n; k++) {
            if (p->count > MAX_SCALARS)
                return stria__fail(STRIA_ERR_UNSUPPORTED,
                                   "fields: more than %d scalars in nested records", MAX_SCALARS);
            STRIA_TRY(collect(p, field->dtype, base + field->offset + k * size));
        }
    }
    return STRIA_OK;
}

stria_status stria_view_fields(stria_view *out, const stria_view *a)
{
    STRIA_TRY(check_record(out, a));
    struct progression p = {.count = 0};
    STRIA_TRY(collect(&p, a->dtype, 0));
    if (p.count == 0) return stria__fail(STRIA_ERR_DTYPE, "fields: the record has no scalars");
    const stria_field scalars = {.dtype = p.dtype, .offset = p.first, .ndim = 1, .shape = &p.count};
    STRIA_TRY(window(out, a, &scalars));
    out->strides[out->ndim - 1] = p.count > 1 ? p.step : p.dtype.itemsize;
    return STRIA_OK;
}
