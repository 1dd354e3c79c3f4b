/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators on numbers: arrays of no dims, beside each other or beside Python's numbers. NumPy has
 * scalars for these; here they are computed without a call of the library, to the same bits. What
 * is not computed here, the library computes or refuses.
 */
#include <math.h>
#include <string.h>

#include "binding.h"

#if defined __SSE2__
#include <xmmintrin.h>
#endif

/* A number that is read for an operator. */
struct number {
    stria_kind kind; /* Numbers of Python are I64 or F64. */
    bool weak;       /* It is a number of Python, which takes the kind of the other one. */
    double real;     /* The value of floats. */
    int64_t integer; /* The value of integers; that of u64 has the same bits. */
};

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_float(stria_kind kind)
{
    return kind == STRIA_F64 || kind == STRIA_F32;
}

static bool is_integer(stria_kind kind)
{
    return kind >= STRIA_I8 && kind <= STRIA_U64;
}

#define READ(type, field)                                                                          \
    do {                                                                                           \
        type value_;                                                                               \
        memcpy(&value_, data, sizeof value_);                                                      \
        out->field = value_;                                                                       \
        return true;                                                                               \
    } while (0)

static bool read_element(struct number *out, const char *data)
{
    switch (out->kind) {
    case STRIA_BOOL: return out->integer = *data != 0, true;
    case STRIA_I8: READ(int8_t, integer);
    case STRIA_I16: READ(int16_t, integer);
    case STRIA_I32: READ(int32_t, integer);
    case STRIA_I64: READ(int64_t, integer);
    case STRIA_U8: READ(uint8_t, integer);
    case STRIA_U16: READ(uint16_t, integer);
    case STRIA_U32: READ(uint32_t, integer);
    case STRIA_U64: READ(int64_t, integer);
    case STRIA_F32: READ(float, real);
    case STRIA_F64: READ(double, real);
    default: return false;
    }
}

/* The types of NumPy's scalars, and what they hold; the usual ones come first. */
enum { SCALARS = 16 };
static struct {
    PyTypeObject *type;
    stria_kind kind;
} scalars[SCALARS];

int py_numpy_scalars(PyObject *types)
{
    PyObject *type, *dtype;
    Py_ssize_t at = 0;
    for (int i = 0; i < SCALARS && PyDict_Next(types, &at, &type, &dtype); i++) {
        if (!PyType_Check(type) || !py_is_dtype(dtype)) return -1;
        scalars[i].kind = (stria_kind)py_dtype_value(dtype).kind;
        scalars[i].type = (PyTypeObject *)Py_NewRef(type);
    }
    return 0;
}

/* Reads a scalar of NumPy, which has a dtype of its own; false for other objects. */
static bool read_scalar(struct number *out, PyObject *object)
{
    const PyTypeObject *const type = Py_TYPE(object);
    int i = 0;
    while (i < SCALARS && scalars[i].type && scalars[i].type != type)
        i++;
    if (i == SCALARS || !scalars[i].type) return false;
    int beyond = 0;
    out->weak = false;
    out->kind = scalars[i].kind;
    if (is_float(out->kind)) {
        out->real = PyFloat_AsDouble(object);
    } else if (out->kind == STRIA_BOOL) {
        out->integer = PyObject_IsTrue(object);
    } else {
        PyObject *const number = PyNumber_Index(object);
        out->integer = number ? PyLong_AsLongLongAndOverflow(number, &beyond) : -1;
        Py_XDECREF(number);
    }
    if (!PyErr_Occurred() && !beyond) return true;
    PyErr_Clear();
    return false;
}

const stria_view *py_scalar_view(struct call *call, PyObject *object)
{
    struct number x;
    if (!read_scalar(&x, object)) return NULL;
    union {
        float single;
        double real;
        int64_t integer;
    } *const value = py_call_take(call, sizeof *value);
    stria_view *const view = py_call_view(call);
    if (!value || !view) return PyErr_Clear(), NULL;
    if (x.kind == STRIA_F32)
        value->single = (float)x.real;
    else if (x.kind == STRIA_F64)
        value->real = x.real;
    else
        value->integer = x.integer; /* Its first bytes are the low ones. */
    return stria_scalar(view, x.kind, value) ? NULL : view;
}

bool py_index_of_scalar(int64_t *out, PyObject *object)
{
    struct number x;
    if (!read_scalar(&x, object) || !is_integer(x.kind)) return false;
    *out = x.integer;
    return true;
}

static bool read_number(struct number *out, PyObject *object)
{
    out->weak = !py_is_array(object);
    if (!out->weak) {
        const Array *const a = py_array(object);
        out->kind = (stria_kind)a->dtype.kind;
        return a->ndim == 0 && !a->buffer && !a->dtype.swapped &&
               !(a->flags & (STRIA_CONJ | STRIA_NEG)) && read_element(out, a->data);
    }
    if (PyFloat_CheckExact(object)) {
        out->kind = STRIA_F64;
        out->real = PyFloat_AsDouble(object);
        return true;
    }
    int beyond = 1;
    out->kind = STRIA_I64;
    if (PyLong_CheckExact(object)) out->integer = PyLong_AsLongLongAndOverflow(object, &beyond);
    return !beyond || read_scalar(out, object);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

enum { EXACT = 53 /* Bits of integers that are floats without rounding. */ };

static bool to_double(struct number *x)
{
    if (is_integer(x->kind)) {
        const int64_t most = INT64_C(1) << EXACT;
        if (x->integer > most || x->integer < -most || x->kind == STRIA_U64) return false;
        x->real = (double)x->integer;
    }
    x->kind = STRIA_F64;
    return true;
}

static int bits_of(stria_kind kind)
{
    return 8 << (kind - (kind >= STRIA_U8 ? STRIA_U8 : STRIA_I8));
}

/* Tells whether an integer of Python is one of the kind, too. */
static bool fits(stria_kind kind, int64_t value)
{
    const int bits = bits_of(kind);
    if (kind >= STRIA_U8) return value >= 0 && (bits == 64 || value >> bits == 0);
    return bits == 64 || (value >> (bits - 1) == 0 || value >> (bits - 1) == -1);
}

/* Makes both numbers ones of the kind in which they are computed by NumPy's rule; false where that
 * is left to the library. */
static bool make_alike(struct number *x, struct number *y)
{
    if (x->weak) {
        struct number *const other = x;
        x = y;
        y = other;
    }
    if (x->weak) return false; /* An operator was called on no array. */
    if (y->weak) {
        if (is_integer(x->kind) && y->kind == STRIA_I64)
            return fits(x->kind, y->integer) && (y->kind = x->kind, true);
        if (!to_double(y)) return false;
        if (x->kind != STRIA_F32) return x->kind != STRIA_BOOL && to_double(x);
        const float as = (float)y->real;
        y->kind = STRIA_F32;
        return (double)as == y->real;
    }
    if (x->kind == y->kind) return true;
    if (x->kind == STRIA_BOOL || y->kind == STRIA_BOOL) return false;
    const bool is_double = x->kind == STRIA_F64 || y->kind == STRIA_F64;
    return is_double && to_double(x) && to_double(y);
}

/* ---- results --------------------------------------------------------------------------------- */

static PyObject *truths[2]; /* Arrays of false and true, which nobody writes. */

static PyObject *new_number(stria_kind kind, const void *value)
{
    stria_view at;
    at.data = (char *)(uintptr_t)value;
    at.dtype = stria_dtype_of(kind);
    at.flags = 0;
    return py_array_of_element(&at);
}

static PyObject *truth(bool value)
{
    PyObject **const made = &truths[value];
    if (!*made) *made = new_number(STRIA_BOOL, &value);
    return Py_XNewRef(*made);
}

#define COMPARE(x, y)                                                                              \
    case STRIA_LESS: return truth((x) < (y));                                                      \
    case STRIA_LESS_EQUAL: return truth((x) <= (y));                                               \
    case STRIA_GREATER: return truth((x) > (y));                                                   \
    case STRIA_GREATER_EQUAL: return truth((x) >= (y));                                            \
    case STRIA_EQUAL: return truth((x) == (y));                                                    \
    case STRIA_NOT_EQUAL:                                                                          \
        return truth((x) != (y));

#define ON_FLOATS(type, kind)                                                                      \
    static PyObject *on_##type(stria_op op, type x, type y)                                        \
    {                                                                                              \
        type r;                                                                                    \
        switch (op) {                                                                              \
            COMPARE(x, y)                                                                          \
        case STRIA_ADD: r = x + y; break;                                                          \
        case STRIA_SUBTRACT: r = x - y; break;                                                     \
        case STRIA_MULTIPLY: r = x * y; break;                                                     \
        case STRIA_DIVIDE: r = x / y; break;                                                       \
        default: return NULL;                                                                      \
        }                                                                                          \
        return new_number(kind, &r);                                                               \
    }
ON_FLOATS(float, STRIA_F32)
ON_FLOATS(double, STRIA_F64)

static PyObject *compare_unsigned(stria_op op, uint64_t x, uint64_t y)
{
    switch (op) {
        COMPARE(x, y)
    default: return NULL;
    }
}

/* The low bytes of a result of 64 bits are the wrapped result of fewer. */
static PyObject *on_integers(stria_op op, stria_kind kind, int64_t x, int64_t y)
{
    const uint64_t a = (uint64_t)x, b = (uint64_t)y;
    const int bits = bits_of(kind);
    const bool shifts = y >= 0 && y < bits;
    uint64_t r;
    switch (op) {
        COMPARE(x, y)
    case STRIA_ADD: r = a + b; break;
    case STRIA_SUBTRACT: r = a - b; break;
    case STRIA_MULTIPLY: r = a * b; break;
    case STRIA_BITWISE_AND: r = a & b; break;
    case STRIA_BITWISE_OR: r = a | b; break;
    case STRIA_BITWISE_XOR: r = a ^ b; break;
    case STRIA_LEFT_SHIFT:
        if (!shifts) return NULL;
        r = a << b;
        break;
    case STRIA_RIGHT_SHIFT:
        if (!shifts) return NULL;
        r = kind == STRIA_U64 ? a >> b : (uint64_t)(x >> y);
        break;
    default: return NULL;
    }
    return new_number(kind, &r); /* Its first bytes are the low ones. */
}

bool py_rounds_as_usual(void)
{
#if defined __SSE2__
    return (_mm_getcsr() & 0xffc0) == 0x1f80;
#else
    return false;
#endif
}

PyObject *py_on_numbers(stria_op op, PyObject *a, PyObject *b)
{
    const struct settings *const settings = &py_settings;
    struct number x, y;
    if (settings->rule != STRIA_PROMOTE_NUMPY || settings->checked || !read_number(&x, a) ||
        !read_number(&y, b) || !make_alike(&x, &y))
        return NULL;
    if (is_float(x.kind)) {
        if (!py_rounds_as_usual()) return NULL;
        return x.kind == STRIA_F32 ? on_float(op, (float)x.real, (float)y.real)
                                   : on_double(op, x.real, y.real);
    }
    if (x.kind == STRIA_BOOL && op != STRIA_BITWISE_AND && op != STRIA_BITWISE_OR &&
        op != STRIA_BITWISE_XOR)
        return NULL;
    if (x.kind == STRIA_BOOL)
        return truth(op == STRIA_BITWISE_AND  ? x.integer & y.integer
                     : op == STRIA_BITWISE_OR ? x.integer | y.integer
                                              : x.integer ^ y.integer);
    if (x.kind == STRIA_U64 && op >= STRIA_LESS && op <= STRIA_NOT_EQUAL)
        return compare_unsigned(op, (uint64_t)x.integer, (uint64_t)y.integer);
    return on_integers(op, x.kind, x.integer, y.integer);
}

PyObject *py_on_number(stria_op op, PyObject *a)
{
    struct number x;
    const bool negates = op == STRIA_NEGATIVE;
    if (py_settings.rule != STRIA_PROMOTE_NUMPY || (!negates && op != STRIA_ABS) ||
        !read_number(&x, a))
        return NULL;
    const double real = negates ? -x.real : fabs(x.real);
    const float single = (float)real;
    return x.kind == STRIA_F64   ? new_number(STRIA_F64, &real)
           : x.kind == STRIA_F32 ? new_number(STRIA_F32, &single)
                                 : NULL;
}

/* ---- one element that is written ------------------------------------------------------------- */

/* Tells whether the number goes into an element of the kind as it is, and how: as an integer, or as
 * a float. */
static bool goes_into(stria_kind kind, struct number *x)
{
    if (is_float(kind)) return is_float(x->kind) || (is_integer(x->kind) && to_double(x));
    return is_integer(kind) && (x->weak ? x->kind == STRIA_I64 && fits(kind, x->integer)
                                        : x->kind == kind && kind != STRIA_U64);
}

int py_write_number(const stria_view *at, PyObject *value)
{
    struct number x;
    const stria_kind kind = (stria_kind)at->dtype.kind;
    if (at->dtype.swapped || at->flags & (STRIA_CONJ | STRIA_NEG) || !read_number(&x, value) ||
        !goes_into(kind, &x))
        return 0;
    const stria_status status =
        is_float(kind) ? stria_set_f64(at, 0, NULL, x.real) : stria_set_i64(at, 0, NULL, x.integer);
    return status ? (void)py_raise(status), -1 : 1;
}
