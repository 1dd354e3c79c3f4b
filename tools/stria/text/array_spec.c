/* SPDX-License-Identifier: BSD-3-Clause */
#include "array_spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stria/copy.h"

struct array_spec array_spec_default(void)
{
    return (struct array_spec){.dtype = stria_dtype_of(STRIA_F32), .bytes = -1};
}

int64_t array_spec_extent(const struct array_spec *spec)
{
    const int64_t item = spec->dtype.itemsize;
    int64_t stride = item, last = 0;
    for (int d = spec->ndim - 1; d >= 0; d--) {
        if (spec->shape[d] <= 0) return spec->offset;
        int64_t reach;
        const int64_t step = spec->strided ? spec->strides[d] : stride;
        if (__builtin_mul_overflow(step, spec->shape[d] - 1, &reach) ||
            (reach > 0 && __builtin_add_overflow(last, reach, &last)) ||
            __builtin_mul_overflow(stride, spec->shape[d], &stride))
            return INT64_MAX;
    }
    int64_t end;
    return __builtin_add_overflow(last, item, &end) ||
                   __builtin_add_overflow(end, spec->offset, &end)
               ? INT64_MAX
               : end;
}

int64_t array_spec_bytes(const struct array_spec *spec)
{
    if (spec->bytes >= 0) return spec->bytes;
    const int64_t reach = array_spec_extent(spec);
    return reach > 0 ? reach : 0;
}

/* Returns the offset; an empty array may be described far from its memory, as PyTorch's slices are:
 * it stays inside. */
static int64_t offset_within(const struct array_spec *spec, int64_t bytes)
{
    bool empty = false;
    for (int d = 0; d < spec->ndim; d++)
        empty |= spec->shape[d] == 0;
    if (!empty) return spec->offset;
    return spec->offset < 0 ? 0 : spec->offset > bytes ? bytes : spec->offset;
}

static stria_status place_view(stria_array *out, const struct array_spec *spec)
{
    STRIA_TRY(stria_view_make(&out->view, out->owned, spec->dtype, spec->ndim, spec->shape,
                              spec->strided ? spec->strides : NULL,
                              offset_within(spec, stria_buffer_size(out->owned))));
    if (spec->conj && stria_dtype_is_complex(spec->dtype)) out->view.flags |= STRIA_CONJ;
    if (spec->neg) out->view.flags |= STRIA_NEG;
    return STRIA_OK;
}

stria_status array_spec_make(stria_array *out, const struct array_spec *spec, stria_buffer *buffer,
                             struct failure *failure)
{
    *out = (stria_array){.owned = stria_buffer_retain(buffer)};
    stria_status status = STRIA_OK;
    if (!buffer) status = stria_buffer_meta(&out->owned, array_spec_bytes(spec));
    if (status == STRIA_OK) {
        status = place_view(out, spec);
        if (status == STRIA_OK) return STRIA_OK;
        stria_buffer_release(out->owned);
    }
    *out = (stria_array){0};
    return stria__fail_library(failure, status, NO_PLACE);
}

int read_integers(int64_t *out, int room, const char *text)
{
    const char *blank = " \t";
    const char open = *text, close = open == '(' ? ')' : open == '[' ? ']' : 0;
    int count = 0;
    if (close) text++;
    text += strspn(text, blank);
    while (*text && *text != close) {
        char *end;
        errno = 0;
        const long long value = strtoll(text, &end, 10);
        if (end == text || errno || count == room) return -1;
        out[count++] = value;
        text = end + strspn(end, blank);
        if (*text != ',') break;
        text += 1 + strspn(text + 1, blank);
    }
    if (close && *text++ != close) return -1;
    return *text ? -1 : count;
}

struct filling {
    const stria_view *view;
    int64_t index[STRIA_MAX_NDIM];
    int64_t offset, done, total;
    int64_t integer; /* The value in the type from which its dtype is converted. */
    double number;
    stria_view element, integers, numbers;
    struct failure *failure;
};

static stria_status start_filling(struct filling *f)
{
    STRIA_TRY(stria_view_foreign(&f->element, f->view->data, f->view->dtype, 0, NULL, NULL, 0));
    STRIA_TRY(
        stria_view_foreign(&f->integers, &f->integer, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    return stria_view_foreign(&f->numbers, &f->number, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0);
}

/* Returns the next element in C order; NULL after the last. */
static char *next_element(struct filling *f)
{
    if (f->done == f->total) return NULL;
    char *element = f->view->data + f->offset;
    f->done++;
    for (int d = f->view->ndim - 1; d >= 0; d--) {
        if (++f->index[d] < f->view->shape[d]) {
            f->offset += f->view->strides[d];
            break;
        }
        f->index[d] = 0;
        f->offset -= f->view->strides[d] * (f->view->shape[d] - 1);
    }
    return element;
}

/* Stores a value by the library's conversion; an integer that reads back as another one does not
 * fit. */
static stria_status store_number(struct filling *f, char *element, const json_t *value)
{
    const stria_dtype dtype = f->view->dtype;
    const bool whole = dtype.kind <= STRIA_U64;
    if (!(whole ? json_is_integer(value) || json_is_boolean(value) : json_is_number(value)))
        return stria__fail_request(f->failure, STRIA_ERR_FORMAT,
                                   "values: numbers of the dtype expected");
    f->number = json_number_value(value);
    f->integer = json_is_boolean(value) ? json_is_true(value) : json_integer_value(value);
    f->element.data = element;
    stria_status status = stria_copy(&f->element, whole ? &f->integers : &f->numbers, NULL);
    const int64_t given = f->integer;
    if (status == STRIA_OK && whole) status = stria_copy(&f->integers, &f->element, NULL);
    if (status != STRIA_OK) return stria__fail_library(f->failure, status, NO_PLACE);
    if (f->integer == given && !(given < 0 && dtype.kind >= STRIA_U8)) return STRIA_OK;
    return stria__fail_request(f->failure, STRIA_ERR_OVERFLOW,
                               "values: %lld does not fit the dtype", (long long)given);
}

/* Fills nested lists. jansson bounds the depth of what it reads, and so of this recursion. */
static stria_status fill_lists(struct filling *f, const json_t *values)
{
    if (!json_is_array(values)) {
        char *element = next_element(f);
        if (element) return store_number(f, element, values);
        return stria__fail_request(f->failure, STRIA_ERR_SHAPE,
                                   "values: there are more than the %lld "
                                   "elements of the shape",
                                   (long long)f->total);
    }
    for (size_t i = 0; i < json_array_size(values); i++)
        STRIA_TRY(fill_lists(f, json_array_get(values, i)));
    return STRIA_OK;
}

static stria_status make_real(stria_array *out, const struct array_spec *spec,
                              struct failure *failure)
{
    const int64_t bytes = spec->bytes >= 0 ? spec->bytes : array_spec_extent(spec);
    if (spec->dtype.kind > STRIA_C128)
        return stria__fail_request(failure, STRIA_ERR_DTYPE, "values: for numeric dtypes only");
    if (bytes > VALUES_MAX_BYTES)
        return stria__fail_request(
            failure, STRIA_ERR_OVERFLOW,
            "values: an array with values has at most %d bytes of memory, not %lld",
            VALUES_MAX_BYTES, (long long)bytes);
    stria_buffer *buffer;
    const stria_status status = stria_buffer_make(&buffer, bytes > 0 ? bytes : 0);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    if (bytes > 0) memset(stria_buffer_data(buffer), 0, (size_t)bytes);
    const stria_status placed = array_spec_make(out, spec, buffer, failure);
    stria_buffer_release(buffer);
    return placed;
}

stria_status array_values_make(stria_array *out, const struct array_spec *spec,
                               const json_t *values, struct failure *failure)
{
    STRIA_TRY(make_real(out, spec, failure));
    struct filling f = {.view = &out->view, .total = stria_numel(&out->view), .failure = failure};
    stria_status status = start_filling(&f);
    status = status == STRIA_OK ? fill_lists(&f, values)
                                : stria__fail_library(failure, status, NO_PLACE);
    if (status == STRIA_OK && f.done != f.total)
        status = stria__fail_request(failure, STRIA_ERR_SHAPE,
                                     "values: %lld numbers for the %lld elements of the shape",
                                     (long long)f.done, (long long)f.total);
    if (status != STRIA_OK) stria_array_release(out);
    return status;
}
