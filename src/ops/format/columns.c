/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/format/columns.h"

#include "dtype/record.h"
#include "base/status.h"

static int count_columns(stria_dtype dtype)
{
    int fields, count = 0;
    const stria_field *const field = stria__record_fields(&fields, dtype);
    if (!field) return 1;
    for (int i = 0; i < fields; i++)
        count += count_columns(field[i].dtype);
    return count;
}

/*
 * Tells whether numbers stand alone: in a single record NumPy prints floating-point numbers as
 * Python does, each by itself, and aligns them within an array field only.
 */
static bool stands_alone(stria_dtype dtype, bool scalar, bool repeated)
{
    const bool real = dtype.kind >= STRIA_F8E4M3 && dtype.kind <= STRIA_F64;
    return scalar && (real || (dtype.kind == STRIA_BOOL && !repeated));
}

static void begin_columns(struct format_job *job, stria_dtype dtype, bool scalar, bool repeated)
{
    int fields;
    const stria_field *const field = stria__record_fields(&fields, dtype);
    if (!field) {
        const uint32_t flags = job->a->dtype.kind == STRIA_RECORD ? 0 : job->a->flags;
        const bool alone =
            job->a->dtype.kind == STRIA_RECORD ? stands_alone(dtype, scalar, repeated) : scalar;
        stria__column_begin(&job->columns[job->count++], dtype, flags, alone, &job->options);
        return;
    }
    for (int i = 0; i < fields; i++)
        begin_columns(job, field[i].dtype, scalar, repeated || field[i].ndim > 0);
}

/* ---- every item that is shown ---------------------------------------------------------------- */

typedef void visitor(struct column *column, const char *item);

/* Visits the fields of an item in the order of the columns; *at is the next one. */
static void visit_item(struct format_job *job, visitor *visit, stria_dtype dtype, const char *item,
                       int *at)
{
    int fields;
    const stria_field *const field = stria__record_fields(&fields, dtype);
    if (!field) {
        visit(&job->columns[(*at)++], item);
        return;
    }
    for (int i = 0; i < fields; i++) {
        const int first = *at, size = field[i].dtype.itemsize;
        const int64_t bytes = stria__field_bytes(&field[i]);
        *at = first + count_columns(field[i].dtype);
        for (int64_t k = 0; k < bytes && size > 0; k += size) {
            int column = first;
            visit_item(job, visit, field[i].dtype, item + field[i].offset + k, &column);
        }
    }
}

static void visit_all(struct format_job *job, visitor *visit, int dim, const char *data)
{
    const stria_view *const a = job->a;
    if (dim == a->ndim) {
        int at = 0;
        visit_item(job, visit, a->dtype, data, &at);
        return;
    }
    const int64_t n = a->shape[dim], edge = job->options.edgeitems;
    const bool cut = job->cut && n > 2 * edge;
    for (int64_t i = 0; i < n; i++) {
        if (cut && i == edge) i = n - edge;
        if (i < n) visit_all(job, visit, dim + 1, data + i * a->strides[dim]);
    }
}

stria_status stria__format_measure(struct format_job *job)
{
    const stria_view *const a = job->a;
    const int columns = count_columns(a->dtype);
    job->memory = stria__memory((size_t)(columns ? columns : 1) * sizeof *job->columns);
    job->columns = job->memory.at;
    if (!job->columns)
        return stria__fail(STRIA_ERR_MEMORY, "format: no memory for %d columns", columns);
    begin_columns(job, a->dtype, a->ndim == 0, false);
    if (stria_numel(a) == 0) return STRIA_OK;
    visit_all(job, stria__column_range, 0, a->data);
    for (int i = 0; i < job->count; i++)
        stria__column_decide(&job->columns[i], job->options.suppress);
    visit_all(job, stria__column_measure, 0, a->data);
    for (int i = 0; i < job->count; i++)
        stria__column_finish(&job->columns[i]);
    return STRIA_OK;
}

static void write_item(struct text *out, const struct format_job *job, stria_dtype dtype,
                       const char *item, int *at);

/*
 * Tells whether there are too many items to show. Rows without items are shown, too, and count as
 * one; an unlimited number of them would say nothing.
 */
static bool is_long(const struct format_job *job, const stria_field *field)
{
    enum { EMPTY_MOST = 1000 };
    const int64_t threshold = job->options.threshold;
    int64_t count = 1;
    bool empty = false;
    for (int d = 0; d < field->ndim; d++) {
        empty = empty || field->shape[d] == 0;
        /* The record's constructor proved that the product fits. */
        if (field->shape[d] > 0) count *= field->shape[d];
    }
    return count > (empty && threshold > EMPTY_MOST ? EMPTY_MOST : threshold);
}

/* Returns the bytes from one row to the next along dim `dim` of an array field; 0 if there are no
 * items. */
static int64_t row_bytes(const stria_field *field, int dim)
{
    int64_t bytes = field->dtype.itemsize;
    if (stria__field_bytes(field) == 0) return 0;
    for (int d = dim + 1; d < field->ndim; d++)
        bytes *= field->shape[d];
    return bytes;
}

/* Writes an array field. Its items are adjacent in C order; many are cut as those of an array. */
static void write_field(struct text *out, const struct format_job *job, const stria_field *field,
                        int dim, const char *item, int *at)
{
    const int first = *at;
    if (dim == field->ndim) {
        write_item(out, job, field->dtype, item, at);
        return;
    }
    const int64_t n = field->shape[dim], edge = job->options.edgeitems;
    const int64_t stride = row_bytes(field, dim);
    const bool cut = n > 2 * edge && is_long(job, field);
    stria__text_add(out, "[", 1);
    for (int64_t i = 0; i < n; i++) {
        if (i > 0) stria__text_add(out, ", ", 2);
        if (cut && i == edge) {
            stria__text_add(out, "...", 3);
            i = n - edge;
            if (i == n) break;
            stria__text_add(out, ", ", 2);
        }
        *at = first;
        write_field(out, job, field, dim + 1, item + i * stride, at);
    }
    *at = first + count_columns(field->dtype);
    stria__text_add(out, "]", 1);
}

static void write_item(struct text *out, const struct format_job *job, stria_dtype dtype,
                       const char *item, int *at)
{
    int fields;
    const stria_field *const field = stria__record_fields(&fields, dtype);
    if (!field) {
        stria__column_write(out, &job->columns[(*at)++], item);
        return;
    }
    stria__text_add(out, "(", 1);
    for (int i = 0; i < fields; i++) {
        if (i > 0) stria__text_add(out, ", ", 2);
        write_field(out, job, &field[i], 0, item + field[i].offset, at);
    }
    stria__text_add(out, fields == 1 ? ",)" : ")", fields == 1 ? 2 : 1);
}

void stria__format_element(struct text *out, const struct format_job *job, const char *item)
{
    int at = 0;
    write_item(out, job, job->a->dtype, item, &at);
}
