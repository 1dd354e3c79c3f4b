/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Record descriptions. Each is one allocation that holds the fields, an index by name, the shapes
 * of array fields and all texts. It is immutable once made, except for the reference count.
 */
#include "base/heap_sort.h"
#include "record.h"

#include <assert.h>
#include <string.h>

#include "base/integers.h"
#include "dtype.h"
#include "base/status.h"

/* An entry of the index: the name or the title of a field. */
struct label {
    const char *text;
    int field;
};

/* ---- layout ------------------------------------------------------------------------------- */

struct placed {
    int64_t end;       /* End of the field placed last. */
    int64_t extent;    /* The largest end of a field. */
    int64_t alignment; /* The largest alignment of a field. */
};

static stria_status check_field(const stria_field *field, int64_t *bytes)
{
    int64_t numel;
    if (!stria__dtype_is_valid(field->dtype))
        return stria__fail(
            STRIA_ERR_DTYPE,
            "record: field '%.60s' of kind %d with an item size of %d bytes%s has no "
            "dtype",
            field->name, (int)field->dtype.kind, (int)field->dtype.itemsize,
            field->dtype.swapped ? ", swapped," : "");
    if (field->ndim < 0 || field->ndim > STRIA_MAX_NDIM || (field->ndim && !field->shape))
        return stria__fail(STRIA_ERR_SHAPE, "record: field '%.60s' has %d dims, not 0 to %d",
                           field->name, field->ndim, STRIA_MAX_NDIM);
    for (int d = 0; d < field->ndim; d++)
        if (field->shape[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "record: field '%.60s' has a negative size %s",
                               field->name, stria__dims_text(field->ndim, field->shape).text);
    if (!multiply_sizes(&numel, 1, field->ndim, field->shape))
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "record: field '%.60s' of shape %s has more than 2^63 - 1 elements "
                           "(sizes of 0 left out)",
                           field->name, stria__dims_text(field->ndim, field->shape).text);
    if (mul_overflows(numel, field->dtype.itemsize, bytes) || *bytes > INT32_MAX)
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "record: field '%.60s' of shape %s exceeds 2^31 - 1 bytes", field->name,
                           stria__dims_text(field->ndim, field->shape).text);
    return STRIA_OK;
}

/* Places a field: resolves *offset and advances the placement. */
static stria_status place_field(struct placed *placed, const stria_field *field, bool align,
                                int64_t *offset)
{
    int64_t bytes;
    STRIA_TRY(check_field(field, &bytes));
    const int64_t unit = align && field->dtype.alignment ? field->dtype.alignment : 1;
    *offset = field->offset == STRIA_OFFSET_NEXT    ? round_up(placed->end, unit)
              : field->offset == STRIA_OFFSET_START ? 0
                                                    : field->offset;
    if (*offset < 0)
        return stria__fail(STRIA_ERR_BOUNDS, "record: field '%.60s' has the negative offset %lld",
                           field->name, (long long)*offset);
    if (*offset % unit)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "record: field '%.60s' at offset %lld is not "
                           "aligned to %lld bytes; leave the offset open or do not align",
                           field->name, (long long)*offset, (long long)unit);
    if (*offset > INT32_MAX - bytes)
        return stria__fail(STRIA_ERR_OVERFLOW, "record: field '%.60s' ends beyond 2^31 - 1 bytes",
                           field->name);
    placed->end = *offset + bytes;
    if (placed->end > placed->extent) placed->extent = placed->end;
    if (unit > placed->alignment) placed->alignment = unit;
    return STRIA_OK;
}

/* Places all fields; offsets and the item size are then those of the record. */
static stria_status place_all(int count, const stria_field *fields, bool align, int64_t *itemsize,
                              struct placed *placed)
{
    *placed = (struct placed){.alignment = 1};
    for (int i = 0; i < count; i++) {
        int64_t offset;
        if (!fields[i].name || !*fields[i].name)
            return stria__fail(STRIA_ERR_ARGUMENT, "record: field %d has no name", i);
        STRIA_TRY(place_field(placed, &fields[i], align, &offset));
    }
    const int64_t needed = round_up(placed->extent, placed->alignment);
    if (needed > INT32_MAX || *itemsize > INT32_MAX)
        return stria__fail(STRIA_ERR_OVERFLOW, "record: the item exceeds 2^31 - 1 bytes");
    if (*itemsize == 0) *itemsize = needed;
    if (*itemsize < placed->extent)
        return stria__fail(STRIA_ERR_BOUNDS,
                           "record: the fields end at byte %lld, beyond the item "
                           "size of %lld",
                           (long long)placed->extent, (long long)*itemsize);
    if (*itemsize % placed->alignment)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "record: an item of %lld bytes is not a multiple of "
                           "its alignment %lld",
                           (long long)*itemsize, (long long)placed->alignment);
    return STRIA_OK;
}

static stria_status depth_of(int count, const stria_field *fields, int *depth)
{
    *depth = 1;
    for (int i = 0; i < count; i++) {
        const struct stria_record *nested = fields[i].dtype.record;
        if (nested && nested->depth >= *depth) *depth = nested->depth + 1;
    }
    if (*depth > RECORD_DEPTH)
        return stria__fail(STRIA_ERR_ARGUMENT, "record: nested more than %d deep", RECORD_DEPTH);
    return STRIA_OK;
}

/* ---- the one block of memory -------------------------------------------------------------- */

static struct stria_record *allocate(int count, const stria_field *fields)
{
    size_t labels = 0, sizes = 0, texts = 0;
    for (int i = 0; i < count; i++) {
        labels += fields[i].title ? 2 : 1;
        sizes += (size_t)fields[i].ndim;
        texts += strlen(fields[i].name) + 1;
        if (fields[i].title) texts += strlen(fields[i].title) + 1;
    }
    const stria_allocator allocator = stria__allocator();
    const size_t total = sizeof(struct stria_record) + (size_t)count * sizeof(stria_field) +
                         labels * sizeof(struct label) + sizes * sizeof(int64_t) + texts;
    struct stria_record *record = allocator.alloc(total, STRIA_ALIGNMENT, allocator.context);
    if (!record) return NULL;
    *record = (struct stria_record){.allocator = allocator,
                                    .allocated = total,
                                    .count = count,
                                    .labels = (int)labels,
                                    .fields = (stria_field *)(record + 1)};
    record->index = (struct label *)(record->fields + count);
    atomic_init(&record->references, 1);
    return record;
}

static char *keep_text(char **room, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *kept = memcpy(*room, text, size);
    *room += size;
    return kept;
}

static void fill_fields(struct stria_record *record, const stria_field *fields, bool align)
{
    int64_t *sizes = (int64_t *)(record->index + record->labels);
    size_t dims = 0;
    for (int i = 0; i < record->count; i++)
        dims += (size_t)fields[i].ndim;
    char *texts = (char *)(sizes + dims);
    struct placed placed = {.alignment = 1};
    struct label *label = record->index;
    for (int i = 0; i < record->count; i++) {
        stria_field *field = &record->fields[i];
        *field = fields[i];
        const stria_status fits = place_field(&placed, &fields[i], align, &field->offset);
        assert(fits == STRIA_OK);
        (void)fits;
        field->name = keep_text(&texts, fields[i].name);
        *label++ = (struct label){field->name, i};
        if (fields[i].title) {
            field->title = keep_text(&texts, fields[i].title);
            *label++ = (struct label){field->title, i};
        }
        if (field->ndim) memcpy(sizes, fields[i].shape, (size_t)field->ndim * sizeof *sizes);
        field->shape = sizes;
        sizes += field->ndim;
        stria_dtype_retain(field->dtype);
    }
}

static bool label_before(const void *a, const void *b)
{
    return strcmp(((const struct label *)a)->text, ((const struct label *)b)->text) < 0;
}

static const char *repeated_name(const struct stria_record *record)
{
    for (int i = 1; i < record->labels; i++)
        if (!strcmp(record->index[i - 1].text, record->index[i].text)) return record->index[i].text;
    return NULL;
}

stria_status stria_record_make(stria_dtype *out, int count, const stria_field *fields,
                               int64_t itemsize, bool align)
{
    if (!out || count < 0 || (count && !fields) || itemsize < 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "record: out and fields must not be NULL, count "
                           "(%d) and itemsize (%lld) not negative",
                           count, (long long)itemsize);
    struct placed placed;
    int depth;
    STRIA_TRY(place_all(count, fields, align, &itemsize, &placed));
    STRIA_TRY(depth_of(count, fields, &depth));
    struct stria_record *record = allocate(count, fields);
    if (!record) return stria__fail(STRIA_ERR_MEMORY, "record: out of memory for %d fields", count);
    record->depth = depth;
    fill_fields(record, fields, align);
    stria__heap_sort(record->index, record->labels, sizeof *record->index, label_before);
    const char *repeated = repeated_name(record);
    if (repeated) {
        const stria_status status =
            stria__fail(STRIA_ERR_ARGUMENT, "record: the name '%.60s' occurs twice", repeated);
        stria__record_release(record);
        return status;
    }
    *out = (stria_dtype){.kind = STRIA_RECORD,
                         .alignment = (uint16_t)placed.alignment,
                         .itemsize = (int32_t)itemsize,
                         .record = record};
    return STRIA_OK;
}

stria_status stria__record_of_unit(const struct stria_record **out, stria_time_unit unit,
                                   int32_t multiple)
{
    struct stria_record *const record = allocate(0, NULL);
    if (!record) return stria__fail(STRIA_ERR_MEMORY, "dtype: out of memory for a unit of time");
    record->unit = (uint8_t)unit;
    record->multiple = multiple;
    *out = record;
    return STRIA_OK;
}

/* ---- references --------------------------------------------------------------------------- */

/* The reference count is the only part of a description that changes. */
static atomic_int_least64_t *references(const struct stria_record *record)
{
    return (atomic_int_least64_t *)(uintptr_t)&record->references;
}

const struct stria_record *stria__record_retain(const struct stria_record *record)
{
    if (record && record->allocated)
        atomic_fetch_add_explicit(references(record), 1, memory_order_relaxed);
    return record;
}

/* The recursion is as deep as the nesting, at most RECORD_DEPTH. */
void stria__record_release(const struct stria_record *record)
{
    if (!record || !record->allocated) return;
    if (atomic_fetch_sub_explicit(references(record), 1, memory_order_release) != 1) return;
    atomic_thread_fence(memory_order_acquire);
    for (int i = 0; i < record->count; i++)
        stria_dtype_release(record->fields[i].dtype);
    const stria_allocator allocator = record->allocator;
    allocator.free((void *)(uintptr_t)record, record->allocated, allocator.context);
}

stria_dtype stria_dtype_retain(stria_dtype dtype)
{
    stria__record_retain(dtype.record);
    return dtype;
}

void stria_dtype_release(stria_dtype dtype)
{
    stria__record_release(dtype.record);
}

/* ---- questions ---------------------------------------------------------------------------- */

int stria_record_count(stria_dtype dtype)
{
    return dtype.record ? dtype.record->count : 0;
}

const stria_field *stria_record_field(stria_dtype dtype, int i)
{
    return i >= 0 && i < stria_record_count(dtype) ? &dtype.record->fields[i] : NULL;
}

const stria_field *stria__record_fields(int *count, stria_dtype dtype)
{
    *count = stria_record_count(dtype);
    return dtype.kind == STRIA_RECORD && dtype.record ? dtype.record->fields : NULL;
}

const stria_field *stria_record_find(stria_dtype dtype, const char *name)
{
    if (!dtype.record || !name) return NULL;
    int low = 0, high = dtype.record->labels;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = strcmp(dtype.record->index[middle].text, name);
        if (order == 0) return &dtype.record->fields[dtype.record->index[middle].field];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

int64_t stria__field_bytes(const stria_field *field)
{
    int64_t bytes = 0;
    (void)multiply_sizes(&bytes, field->dtype.itemsize, field->ndim, field->shape);
    return bytes;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same_field(const stria_field *a, const stria_field *b)
{
    if (a->offset != b->offset || a->ndim != b->ndim || !same_text(a->name, b->name) ||
        !same_text(a->title, b->title) || !stria_dtype_equal(a->dtype, b->dtype))
        return false;
    return !a->ndim || !memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape);
}

bool stria__record_equal(const struct stria_record *a, const struct stria_record *b)
{
    if (a == b) return true;
    if (!a || !b || a->count != b->count || a->unit != b->unit || a->multiple != b->multiple)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!same_field(&a->fields[i], &b->fields[i])) return false;
    return true;
}
