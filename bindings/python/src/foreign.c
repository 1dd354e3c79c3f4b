/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes arrays of other objects' memory, without a copy: by the buffer protocol, by
 * __array_interface__ for dtypes that buffers cannot have, by DLPack, or of the result of
 * __array__. The library's buffer holds the object until its last view has gone.
 */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

/* ---- the object behind a buffer -------------------------------------------------------------- */

struct held {
    Py_buffer buffer;
    bool has_buffer;
    PyObject *object;
    stria_dtype dtype; /* Retained: views know its record only as long as somebody keeps it. */
};

/* Releases the object. Any thread may release the last reference, also after the interpreter has
 * ended. */
static void let_go(void *Py_UNUSED(data), int64_t Py_UNUSED(size), void *context)
{
    struct held *const held = context;
    if (!Py_IsInitialized()) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    if (held->has_buffer) PyBuffer_Release(&held->buffer);
    Py_XDECREF(held->object);
    stria_dtype_release(held->dtype);
    free(held);
    PyGILState_Release(state);
}

struct described {
    void *data;
    bool readonly;
    stria_dtype dtype;
    int ndim;
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM];
};

/* Finds the bytes that the elements span, from the first one; false if they do not fit. */
static bool span(int64_t *low, int64_t *high, const struct described *d)
{
    *low = 0;
    *high = d->dtype.itemsize;
    if (d->ndim < 0) return false;
    for (int i = 0; i < d->ndim; i++) {
        int64_t reach;
        if (d->shape[i] < 0) return false;
        if (d->shape[i] == 0) {
            *low = *high = 0;
            return true;
        }
        if (__builtin_mul_overflow(d->shape[i] - 1, d->strides[i], &reach) ||
            __builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high))
            return false;
    }
    return true;
}

/* Wraps memory; takes over held, on failure, too. */
static int wrap_memory(stria_array *out, const struct described *d, struct held *held)
{
    stria_array made;
    int64_t low, high;
    static char nothing;
    stria_status status = STRIA_OK;
    if (!span(&low, &high, d)) {
        let_go(NULL, 0, held);
        PyErr_SetString(PyExc_ValueError, "an object describes memory of impossible shape");
        return -1;
    }
    char *const data = d->data ? d->data : high > low ? NULL : &nothing;
    if (!data) {
        let_go(NULL, 0, held);
        PyErr_SetString(PyExc_ValueError, "an object describes elements without memory");
        return -1;
    }
    status = stria_buffer_wrap(&made.owned, data + low, high - low, d->readonly, let_go, held);
    if (status) {
        let_go(NULL, 0, held);
        return (void)py_raise(status), -1;
    }
    status = stria_view_make(&made.view, made.owned, d->dtype, d->ndim, d->shape, d->strides, -low);
    if (status) {
        stria_buffer_release(made.owned);
        return (void)py_raise(status), -1;
    }
    *out = made;
    return 1;
}

static struct held *hold_object(PyObject *object)
{
    struct held *const held = malloc(sizeof *held);
    if (!held) return (void)PyErr_NoMemory(), NULL;
    held->has_buffer = false;
    held->object = Py_XNewRef(object);
    held->dtype = stria_dtype_of(STRIA_U8);
    return held;
}

/* ---- the buffer protocol --------------------------------------------------------------------- */

/* Reads the dtype of a format of the struct module; false if it is no single dtype here. */
static bool read_format(stria_dtype *out, const char *format, Py_ssize_t itemsize)
{
    static const char letters[] = "?bBhHiIlLqQnNefd";
    static const char ours[] = "biuiuiuiuiuiufff"; /* The letters of NumPy's codes. */
    char text[24];
    bool swapped = false;
    if (!format) format = "B";
    if (format[0] == 'd' && !format[1] && itemsize == 8) { /* The usual one. */
        *out = stria_dtype_of(STRIA_F64);
        return true;
    }
    if (*format == '@' || *format == '=' || *format == '<' || *format == '>' || *format == '!')
        swapped = *format == '>' || *format == '!', format++;
    const char *const found = *format && !format[1] ? strchr(letters, *format) : NULL;
    if (found) {
        char code = ours[found - letters];
        if (*format == '?')
            (void)PyOS_snprintf(text, sizeof text, "?");
        else
            (void)PyOS_snprintf(text, sizeof text, "%c%c%d", swapped ? '>' : '<', code,
                                (int)itemsize);
    } else if (format[0] == 'Z' && (format[1] == 'f' || format[1] == 'd') && !format[2]) {
        (void)PyOS_snprintf(text, sizeof text, "%cc%d", swapped ? '>' : '<', (int)itemsize);
    } else {
        const size_t digits = strspn(format, "0123456789");
        const char last = format[digits];
        if (!last || format[digits + 1] || (last != 's' && last != 'w' && last != 'x'))
            return false;
        (void)PyOS_snprintf(text, sizeof text, "%c%c%d", last == 'w' ? (swapped ? '>' : '<') : '|',
                            last == 's'   ? 'S'
                            : last == 'w' ? 'U'
                                          : 'V',
                            (int)(last == 'w' ? itemsize / 4 : itemsize));
    }
    return stria_dtype_parse(out, text) == STRIA_OK && out->itemsize == itemsize;
}

static bool c_strides(struct described *d)
{
    int64_t stride = d->dtype.itemsize;
    for (int i = d->ndim - 1; i >= 0; i--) {
        d->strides[i] = stride;
        if (__builtin_mul_overflow(stride, d->shape[i] > 0 ? d->shape[i] : 1, &stride))
            return false;
    }
    return true;
}

/* Reads the dtype that an object says that it has. */
static bool own_dtype(stria_dtype *out, PyObject *object)
{
    PyObject *const own = PyObject_GetAttrString(object, "dtype");
    const int found = own ? py_dtype_read(out, own) : 0;
    Py_XDECREF(own);
    PyErr_Clear();
    return found > 0;
}

static int by_buffer(stria_array *out, PyObject *object)
{
    struct held *const held = hold_object(NULL);
    struct described d;
    if (!held) return -1;
    if (PyObject_GetBuffer(object, &held->buffer, PyBUF_RECORDS_RO)) {
        free(held);
        PyErr_Clear();
        return 0;
    }
    held->has_buffer = true;
    const Py_buffer *const b = &held->buffer;
    if (b->ndim > STRIA_MAX_NDIM || b->itemsize <= 0 ||
        !read_format(&d.dtype, b->format, b->itemsize) || b->suboffsets) {
        let_go(NULL, 0, held);
        return 0;
    }
    d.data = b->buf;
    d.readonly = b->readonly;
    d.ndim = b->ndim;
    for (int i = 0; i < b->ndim; i++) {
        d.shape[i] = b->shape ? b->shape[i] : b->len / b->itemsize;
        if (b->strides) d.strides[i] = b->strides[i];
    }
    /* NumPy's scalars of dates and of bytes are buffers of bytes. */
    stria_dtype own;
    if (d.ndim == 1 && d.dtype.kind == STRIA_U8 && own_dtype(&own, object)) {
        if (own.kind != STRIA_U8 && own.itemsize == b->len)
            held->dtype = d.dtype = own, d.ndim = 0;
        else
            stria_dtype_release(own);
    }
    /* ctypes gives no strides; wrap_memory() refuses the rest. */
    if (!b->strides && !c_strides(&d)) d.ndim = -1;
    return wrap_memory(out, &d, held);
}

/* ---- __array_interface__ --------------------------------------------------------------------- */

static int read_ints(int64_t *out, PyObject *tuple, int most)
{
    const Py_ssize_t count = tuple && PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
    if (count < 0 || count > most) return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        out[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
        if (out[i] == -1 && PyErr_Occurred()) return -1;
    }
    return (int)count;
}

/*
 * Reads the dtype of an interface. That of an object tells more than its text: bfloat16, records.
 * It is taken if it has the item size of the text, for which there is memory.
 */
static int interface_dtype(stria_dtype *out, PyObject *object, PyObject *type)
{
    stria_dtype own;
    const int found = type && PyUnicode_Check(type) ? py_dtype_read(out, type) : 0;
    if (found <= 0 || !own_dtype(&own, object)) return found;
    const bool fits = own.itemsize == out->itemsize;
    stria_dtype_release(fits ? *out : own);
    if (fits) *out = own;
    return 1;
}

/* The values of an interface, kept while code of others may change the dict. */
enum { TYPE, SHAPE, STRIDES, DATA, PARTS };

static int read_parts(struct described *d, PyObject *object, PyObject *const parts[PARTS])
{
    PyObject *const data = parts[DATA], *const strides = parts[STRIDES];
    if (interface_dtype(&d->dtype, object, parts[TYPE]) <= 0) return -1;
    d->ndim = read_ints(d->shape, parts[SHAPE], STRIA_MAX_NDIM);
    bool good = d->ndim >= 0 && data && PyTuple_Check(data) && PyTuple_Size(data) == 2;
    if (good) {
        d->data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
        d->readonly = PyObject_IsTrue(PyTuple_GetItem(data, 1)) != 0;
        good = !PyErr_Occurred();
    }
    if (good)
        good = strides && strides != Py_None
                   ? read_ints(d->strides, strides, STRIA_MAX_NDIM) == d->ndim
                   : c_strides(d);
    if (!good) stria_dtype_release(d->dtype);
    return good ? 0 : -1;
}

static int read_interface(struct described *d, PyObject *object, PyObject *interface)
{
    static const char *const names[PARTS] = {"typestr", "shape", "strides", "data"};
    PyObject *const copy = PyDict_Copy(interface), *parts[PARTS] = {NULL};
    for (int i = 0; copy && i < PARTS; i++)
        parts[i] = Py_XNewRef(PyDict_GetItemString(copy, names[i]));
    const int status = copy ? read_parts(d, object, parts) : -1;
    for (int i = 0; i < PARTS; i++)
        Py_XDECREF(parts[i]);
    Py_XDECREF(copy);
    return status;
}

static int by_interface(stria_array *out, PyObject *object)
{
    PyObject *const interface = PyObject_GetAttrString(object, "__array_interface__");
    struct described d;
    if (!interface) return PyErr_Clear(), 0;
    if (!PyDict_Check(interface) || read_interface(&d, object, interface)) {
        Py_DECREF(interface);
        PyErr_Clear();
        return 0;
    }
    Py_DECREF(interface);
    struct held *const held = hold_object(object);
    if (held) held->dtype = stria_dtype_retain(d.dtype);
    const int status = held ? wrap_memory(out, &d, held) : -1;
    stria_dtype_release(d.dtype);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

bool py_is_array_like(PyObject *object)
{
    return PyObject_HasAttrString((PyObject *)Py_TYPE(object), "__array_interface__");
}

static int by_dlpack(stria_array *out, PyObject *object)
{
    if (!PyObject_HasAttrString((PyObject *)Py_TYPE(object), "__dlpack__")) return 0;
    PyObject *const args[] = {object};
    PyObject *const made = py_from_dlpack(NULL, args, 1, NULL);
    if (!made) return -1;
    stria_view view;
    py_view(&view, py_array(made));
    out->owned = NULL;
    const stria_status status =
        stria_array_share(out, &view); /* always in a buffer of the library */
    Py_DECREF(made);
    return status ? ((void)py_raise(status), -1) : 1;
}

/* Takes the array that an object makes for NumPy: a column of pandas, and others that store
 * elements differently. */
static int by_array(stria_array *out, PyObject *object)
{
    if (!PyObject_HasAttrString((PyObject *)Py_TYPE(object), "__array__")) return 0;
    PyObject *const made = PyObject_CallMethod(object, "__array__", NULL);
    int found = !made ? -1 : PyObject_CheckBuffer(made) ? by_buffer(out, made) : 0;
    if (made && !found) found = by_interface(out, made);
    Py_XDECREF(made);
    return found;
}

int py_foreign(stria_array *out, PyObject *object)
{
    int found = PyObject_CheckBuffer(object) ? by_buffer(out, object) : 0;
    if (!found) found = by_interface(out, object);
    if (!found) found = by_dlpack(out, object);
    if (!found) found = by_array(out, object);
    return found;
}

PyObject *py_foreign_array(PyObject *object)
{
    stria_array made = {.owned = NULL};
    const int found = py_foreign(&made, object);
    return found > 0 ? py_array_of_owner(&made) : NULL;
}
