/* SPDX-License-Identifier: BSD-3-Clause */
#include "stria/value.h"

#include <inttypes.h>

#include "ops/operands.h"
#include "ops/value/element.h"

/* Finds an item. The view was checked: its address, and that its byte offsets do not overflow. */
static stria_status find_item(char **out, const stria_view *a, int ndim, const int64_t *index,
                              const char *op)
{
    if (ndim != a->ndim)
        return stria__fail(STRIA_ERR_INDEX,
                           "%s: %d indices for %d dims; an element takes one for each dim", op,
                           ndim, a->ndim);
    if (ndim > 0 && !index) return stria__fail(STRIA_ERR_ARGUMENT, "%s: index is NULL", op);
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "%s: a view of a meta buffer has no elements; materialize it first", op);
    int64_t offset = 0;
    for (int d = 0; d < ndim; d++) {
        const int64_t size = a->shape[d], i = index[d] < 0 ? index[d] + size : index[d];
        if (i < 0 || i >= size)
            return stria__fail(STRIA_ERR_INDEX,
                               "%s: index %" PRId64 " of dim %d is out of range for its %" PRId64
                               " elements; the shape is %s",
                               op, index[d], d, size, stria__dims_text(ndim, a->shape).text);
        offset += i * a->strides[d];
    }
    *out = a->data + offset;
    return STRIA_OK;
}

static stria_status check_number(const stria_view *a, const char *op)
{
    if (a->dtype.kind <= STRIA_C128) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: %s is no number; take a field of it, or its bytes by stria_at", op,
                       stria__dtype_text(a->dtype).text);
}

/* ---- texts of refusals ----------------------------------------------------------------------- */

static stria_status refuse_value(const struct element *e, stria_dtype to, const char *op,
                                 const char *remedy)
{
    return stria__fail(STRIA_ERR_OVERFLOW, "%s: %s does not fit into %s; %s", op,
                       stria__element_text(e).text, stria__dtype_text(to).text, remedy);
}

/* ---- reading --------------------------------------------------------------------------------- */

static stria_status get_item(stria_kind kind, void *out, const stria_view *a, int ndim,
                             const int64_t *index, const char *op)
{
    IN_DEFAULT_FP_MODE;
    char *item;
    STRIA_TRY(view_check(out, a, op));
    STRIA_TRY(find_item(&item, a, ndim, index, op));
    STRIA_TRY(check_number(a, op));
    const struct element e = stria__element_load(a->dtype, a->flags, item);
    if (stria__element_store(stria_dtype_of(kind), 0, out, &e)) return STRIA_OK;
    return refuse_value(&e, stria_dtype_of(kind), op,
                        e.imag != 0  ? "stria_get_c128 reads it"
                        : e.is_float ? "stria_get_f64 reads it"
                        : e.negative ? "stria_get_i64 reads it"
                                     : "stria_get_u64 reads it");
}

#define GET(kind, name, type)                                                                      \
    stria_status stria_get_##name(type *out, const stria_view *a, int ndim, const int64_t *index)  \
    {                                                                                              \
        return get_item(kind, out, a, ndim, index, "get_" #name);                                  \
    }
GET(STRIA_BOOL, bool, bool)
GET(STRIA_I64, i64, int64_t)
GET(STRIA_U64, u64, uint64_t)
GET(STRIA_F64, f64, double)

stria_status stria_get_c128(double out[2], const stria_view *a, int ndim, const int64_t *index)
{
    return get_item(STRIA_C128, out, a, ndim, index, "get_c128");
}

stria_status stria_at(void **out, const stria_view *a, int ndim, const int64_t *index)
{
    char *item;
    STRIA_TRY(view_check(out, a, "at"));
    STRIA_TRY(find_item(&item, a, ndim, index, "at"));
    *out = item;
    return STRIA_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes a number of C to an element of that dtype, if nothing forbids it or has to be converted.
 */
static inline bool set_same(stria_kind kind, const void *value, const stria_view *a, int ndim)
{
    if (ndim != 0 || !a || a->ndim != 0 || !view_is_usual(a) || a->dtype.kind != kind ||
        a->flags & (STRIA_CONJ | STRIA_NEG) || !view_opens_to_write(a))
        return false;
    memcpy(a->data, value, sizeof(double)); /* Callers see to it that it has 64 bits. */
    return true;
}

static stria_status set_item(stria_kind kind, const void *value, const stria_view *a, int ndim,
                             const int64_t *index, const char *op)
{
    IN_DEFAULT_FP_MODE;
    char *item;
    STRIA_TRY(stria__check_writable(a, op, "the view"));
    STRIA_TRY(find_item(&item, a, ndim, index, op));
    STRIA_TRY(check_number(a, op));
    if (!value) return stria__fail(STRIA_ERR_ARGUMENT, "%s: value is NULL", op);
    const struct element e = stria__element_load(stria_dtype_of(kind), 0, value);
    if (stria__element_store(a->dtype, a->flags, item, &e)) return STRIA_OK;
    return refuse_value(&e, a->dtype, op,
                        e.imag != 0 ? "write its parts, or into an array of a complex dtype"
                                    : "write into an array of a wider dtype, or clip it first");
}

#define SET(kind, name, type)                                                                      \
    stria_status stria_set_##name(const stria_view *a, int ndim, const int64_t *index, type value) \
    {                                                                                              \
        if (sizeof(type) == sizeof(double) && set_same(kind, &value, a, ndim)) return STRIA_OK;    \
        return set_item(kind, &value, a, ndim, index, "set_" #name);                               \
    }
SET(STRIA_BOOL, bool, bool)
SET(STRIA_I64, i64, int64_t)
SET(STRIA_U64, u64, uint64_t)
SET(STRIA_F64, f64, double)

stria_status stria_set_c128(const stria_view *a, int ndim, const int64_t *index,
                            const double value[2])
{
    return set_item(STRIA_C128, value, a, ndim, index, "set_c128");
}

stria_status stria_scalar(stria_view *out, stria_kind kind, const void *value)
{
    if (!out || !value)
        return stria__fail(STRIA_ERR_ARGUMENT, "scalar: %s is NULL", out ? "value" : "out");
    if ((unsigned)kind > STRIA_C128)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "scalar: kind %d is no number; bool .. c128 are, of which C has values",
                           (int)kind);
    view_set(out, (char *)(uintptr_t)value, NULL, stria_dtype_of(kind), STRIA_READONLY, 0,
             out->shape, out->strides);
    return STRIA_OK;
}
