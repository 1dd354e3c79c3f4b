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

/* An empty array may be described far from its memory, as PyTorch's slices are: it stays inside. */
static int64_t offset_within(const struct array_spec *spec, int64_t bytes)
{
    bool empty = false;
    for (int d = 0; d < spec->ndim; d++)
        empty |= spec->shape[d] == 0;
    if (!empty) return spec->offset;
    return spec->offset < 0 ? 0 : spec->offset > bytes ? bytes : spec->offset;
}

static stria_status place(stria_array *out, const struct array_spec *spec)
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
        status = place(out, spec);
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
    struct failure *failure;
};

/* The next element in C order; NULL after the last. */
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

static bool is_float(stria_dtype dtype)
{
    return dtype.kind == STRIA_F32 || dtype.kind == STRIA_F64;
}

/* The low bytes of bits, in the dtype's byte order. */
static void store_bits(char *element, uint64_t bits, stria_dtype dtype)
{
    const int n = dtype.itemsize;
    const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != dtype.swapped;
    for (int i = 0; i < n; i++)
        element[big ? n - 1 - i : i] = (char)(bits >> (8 * i));
}

static stria_status store_integer(char *element, json_int_t value, stria_dtype dtype,
                                  struct failure *failure)
{
    const int bits = 8 * dtype.itemsize;
    const bool is_signed = dtype.kind >= STRIA_I8 && dtype.kind <= STRIA_I64;
    const int64_t high = dtype.kind == STRIA_BOOL ? 1
                         : is_signed              ? INT64_MAX >> (64 - bits)
                         : bits == 64             ? INT64_MAX
                                                  : ((int64_t)1 << bits) - 1;
    const int64_t low = is_signed ? -high - 1 : 0;
    if (value < low || value > high)
        return stria__fail_request(failure, STRIA_ERR_OVERFLOW,
                                   "values: %lld does not fit the dtype", (long long)value);
    store_bits(element, (uint64_t)value, dtype);
    return STRIA_OK;
}

/* Small floats and complex numbers, by the library's own conversion. */
static stria_status store_converted(char *element, double number, stria_dtype dtype,
                                    struct failure *failure)
{
    stria_view to, from;
    stria_status status = stria_view_foreign(&to, element, dtype, 0, NULL, NULL, 0);
    if (status == STRIA_OK)
        status = stria_view_foreign(&from, &number, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0);
    if (status == STRIA_OK) status = stria_copy(&to, &from);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

static stria_status store(char *element, const json_t *value, stria_dtype dtype,
                          struct failure *failure)
{
    if (is_float(dtype) && json_is_number(value)) {
        const double number = json_number_value(value);
        const float single = (float)number;
        uint64_t bits = 0;
        uint32_t half;
        memcpy(&half, &single, sizeof half);
        memcpy(&bits, &number, sizeof bits);
        store_bits(element, dtype.kind == STRIA_F32 ? half : bits, dtype);
        return STRIA_OK;
    }
    if (dtype.kind > STRIA_U64 && json_is_number(value))
        return store_converted(element, json_number_value(value), dtype, failure);
    if (!is_float(dtype) && json_is_integer(value))
        return store_integer(element, json_integer_value(value), dtype, failure);
    if (!is_float(dtype) && json_is_boolean(value))
        return store_integer(element, json_is_true(value), dtype, failure);
    return stria__fail_request(failure, STRIA_ERR_FORMAT, "values: numbers of the dtype expected");
}

/* jansson bounds the depth of what it reads, and so of this recursion. */
static stria_status fill(struct filling *f, const json_t *values)
{
    if (!json_is_array(values)) {
        char *element = next_element(f);
        if (element) return store(element, values, f->view->dtype, f->failure);
        return stria__fail_request(f->failure, STRIA_ERR_SHAPE,
                                   "values: there are more than the %lld "
                                   "elements of the shape",
                                   (long long)f->total);
    }
    for (size_t i = 0; i < json_array_size(values); i++)
        STRIA_TRY(fill(f, json_array_get(values, i)));
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
    const stria_status status = stria_buffer_new(&buffer, bytes > 0 ? bytes : 0);
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
    stria_status status = fill(&f, values);
    if (status == STRIA_OK && f.done != f.total)
        status = stria__fail_request(failure, STRIA_ERR_SHAPE,
                                     "values: %lld numbers for the %lld elements of the shape",
                                     (long long)f.done, (long long)f.total);
    if (status != STRIA_OK) stria_array_release(out);
    return status;
}
