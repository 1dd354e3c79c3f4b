/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria.Array. One allocation holds the object, its sizes and strides, and up to SMALL bytes of
 * elements; more lie in a buffer of the library. A view of elements that lie in an object keeps
 * that object alive, never a chain of views.
 */
#include "binding.h"

#include <stddef.h>
#include <string.h>

PyTypeObject *py_array_type;

enum { ALIGNED = 16 };

static size_t head(int ndim)
{
    return offsetof(Array, own) + 2 * (size_t)ndim * sizeof(int64_t);
}

static size_t aligned_head(int ndim)
{
    return (head(ndim) + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* ---- making ---------------------------------------------------------------------------------- */

/*
 * Objects whose elements lie in them are kept for the next ones of their class, as many as HELD of
 * each: the allocator of Python passes sizes beyond 512 bytes on to malloc, which takes longer than
 * most operations on so few elements. Class 0 is of other objects, and is not kept.
 */
enum { CLASSES = 5, HELD = 16, LEAST = 64 };
#ifndef Py_GIL_DISABLED
static const size_t class_size[CLASSES] = {0, LEAST + 64, LEAST + 1024, LEAST + 2048,
                                           LEAST + 64 + LOCAL};
static Array *held[CLASSES][HELD];
static int holds[CLASSES];
#endif

static Array *allocate(size_t size, bool elements)
{
    Array *a = NULL;
    int room = 0;
#ifndef Py_GIL_DISABLED
    for (int c = 1; c < CLASSES && elements && !room; c++)
        if (size <= class_size[c] && (c == 1 || size > 512)) room = c;
    if (room) size = class_size[room];
    if (room && holds[room]) a = held[room][--holds[room]];
#else
    (void)elements;
#endif
    if (!a) a = PyObject_Malloc(size);
    if (!a) return (Array *)PyErr_NoMemory();
    (void)PyObject_Init((PyObject *)a, py_array_type);
    a->weak = NULL;
    a->base = NULL;
    a->room = room;
    a->dims = a->own;
    return a;
}

static void free_object(Array *a)
{
#ifndef Py_GIL_DISABLED
    if (a->room && holds[a->room] < HELD) {
        held[a->room][holds[a->room]++] = a;
        return;
    }
#endif
    PyObject_Free(a);
}

static void fill_array(Array *a, const stria_view *view)
{
    a->data = view->data;
    a->dtype = view->dtype.record ? stria_dtype_retain(view->dtype) : view->dtype;
    a->flags = view->flags & ~(uint32_t)STRIA_WEAK;
    a->ndim = view->ndim;
    for (int d = 0; d < view->ndim; d++) {
        a->dims[d] = view->shape[d];
        a->dims[view->ndim + d] = view->strides[d];
    }
}

PyObject *py_array_of_view(const stria_view *view, PyObject *base)
{
    Array *const a = allocate(head(view->ndim), false);
    if (!a) return NULL;
    fill_array(a, view);
    a->buffer = stria_buffer_retain(view->buffer);
    a->base = Py_XNewRef(base);
    return (PyObject *)a;
}

PyObject *py_array_of_owner(stria_array *made)
{
    Array *const a = allocate(head(made->view.ndim), false);
    if (!a) {
        stria_array_release(made);
        return NULL;
    }
    fill_array(a, &made->view);
    a->buffer = made->owned;
    made->owned = NULL;
    return (PyObject *)a;
}

/* Tells whether the elements are few, and their bytes in C order. Sizes are positive or 0. */
static bool is_small(int64_t *bytes, stria_dtype dtype, int ndim, const int64_t *shape)
{
    int64_t n = dtype.itemsize;
    if (dtype.record || ndim < 0 || ndim > STRIA_MAX_NDIM) return false;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] < 0 || shape[d] > LOCAL) return false;
        if (shape[d] == 0) {
            *bytes = 0;
            return dtype.itemsize > 0;
        }
        n *= shape[d];
        if (n > LOCAL) return false;
    }
    *bytes = n;
    return n > 0;
}

static PyObject *new_small(stria_view *out, stria_dtype dtype, int ndim, const int64_t *shape,
                           int64_t bytes)
{
    const size_t at = aligned_head(ndim);
    Array *const a = allocate(at + (size_t)bytes, true);
    if (!a) return NULL;
    int64_t stride = dtype.itemsize;
    a->data = (char *)a + at;
    a->buffer = NULL;
    a->dtype = dtype;
    a->flags = 0;
    a->ndim = ndim;
    for (int d = ndim - 1; d >= 0; d--) {
        a->dims[d] = shape[d];
        a->dims[ndim + d] = stride;
        stride *= shape[d] > 0 ? shape[d] : 1;
    }
    py_view(out, a);
    return (PyObject *)a;
}

PyObject *py_array_new(stria_view *out, stria_dtype dtype, int ndim, const int64_t *shape)
{
    int64_t bytes;
    if (is_small(&bytes, dtype, ndim, shape)) return new_small(out, dtype, ndim, shape, bytes);
    stria_array made = {.owned = NULL};
    const stria_status status = stria_empty(&made, dtype, ndim, shape);
    if (status) return py_raise(status);
    PyObject *const a = py_array_of_owner(&made);
    if (a) py_view(out, py_array(a));
    return a;
}

PyObject *py_array_of_element(const stria_view *at)
{
    const size_t before = aligned_head(0), size = (size_t)at->dtype.itemsize;
    Array *const a = allocate(before + size, true);
    if (!a) return NULL;
    a->data = (char *)a + before;
    a->buffer = NULL;
    a->dtype = at->dtype.record ? stria_dtype_retain(at->dtype) : at->dtype;
    a->flags = (at->flags & (STRIA_CONJ | STRIA_NEG)) | STRIA_READONLY;
    a->ndim = 0;
    if (size == sizeof(int64_t))
        memcpy(a->data, at->data, sizeof(int64_t));
    else
        memcpy(a->data, at->data, size);
    return (PyObject *)a;
}

/* Dims that were set. */
struct dims {
    struct dims *before; /* The dims before, which a buffer was given, and may still read. */
    bool lent;
    int64_t values[];
};

/* Returns the dims in use if they were set, else NULL. */
static struct dims *dims_of(const Array *a)
{
    return a->dims == a->own
               ? NULL
               : (struct dims *)(void *)((char *)a->dims - offsetof(struct dims, values));
}

int64_t *py_array_lend_dims(PyObject *self)
{
    struct dims *const set = dims_of(py_array(self));
    if (set) set->lent = true;
    return py_array(self)->dims;
}

static int set_dims(Array *a, const stria_view *to)
{
    struct dims *const old = dims_of(a), *const made =
                                             PyMem_Malloc(offsetof(struct dims, values) +
                                                          2 * (size_t)to->ndim * sizeof(int64_t));
    if (!made) return (void)PyErr_NoMemory(), -1;
    const bool lent = old && old->lent;
    *made = (struct dims){.before = lent ? old : old ? old->before : NULL};
    memcpy(made->values, to->shape, (size_t)to->ndim * sizeof(int64_t));
    memcpy(made->values + to->ndim, to->strides, (size_t)to->ndim * sizeof(int64_t));
    a->ndim = to->ndim;
    a->dims = made->values;
    if (!lent) PyMem_Free(old);
    return 0;
}

static void free_dims(Array *a)
{
    for (struct dims *set = dims_of(a), *before; set; set = before) {
        before = set->before;
        PyMem_Free(set);
    }
}

static void array_dealloc(PyObject *self)
{
    Array *const a = py_array(self);
    PyTypeObject *const type = Py_TYPE(self);
    if (a->weak) PyObject_ClearWeakRefs(self);
    stria_buffer_release(a->buffer);
    if (a->dtype.record) stria_dtype_release(a->dtype);
    Py_XDECREF(a->base);
    free_dims(a);
    free_object(a);
    Py_DECREF(type);
}

/* Makes an array of a shape whose elements are not set, as numpy.ndarray(shape, dtype) does. */
static PyObject *array_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"shape", "dtype", NULL};
    PyObject *given[] = {NULL, Py_None};
    if (py_settings.creating) return py_create_recorded("empty", args, keywords);
    if (PyArg_ParseTupleAndKeywords(args, keywords, "O|O:Array", names, &given[0], &given[1]))
        return py_call_named("empty", given, 2);
    PyErr_SetString(PyExc_TypeError,
                    "stria.Array takes a shape and a dtype; arrays of other memory "
                    "are made by asarray(), frombuffer(), load() and the like");
    return NULL;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static PyObject *tuple_of(int n, const int64_t *values)
{
    PyObject *const made = PyTuple_New(n);
    for (int i = 0; made && i < n; i++) {
        PyObject *const number = PyLong_FromLongLong(values[i]);
        if (!number || PyTuple_SetItem(made, i, number)) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

static PyObject *get_shape(PyObject *self, void *Py_UNUSED(closure))
{
    stria_view a; /* It is read first, since making a tuple may run code that sets the shape. */
    py_view(&a, py_array(self));
    return tuple_of(a.ndim, a.shape);
}

static PyObject *get_strides(PyObject *self, void *Py_UNUSED(closure))
{
    stria_view a;
    py_view(&a, py_array(self));
    return tuple_of(a.ndim, a.strides);
}

/* Reads a size, or a sequence of sizes; returns their number, or -1. */
static int read_sizes(int64_t shape[STRIA_MAX_NDIM], PyObject *object)
{
    PyObject *const list = PyIndex_Check(object) && !py_is_array(object) ? PyTuple_Pack(1, object)
                                                                         : PySequence_Tuple(object);
    const Py_ssize_t n = list ? PyTuple_Size(list) : -1;
    if (n > STRIA_MAX_NDIM)
        PyErr_Format(PyExc_ValueError, "shape: %zd dims are more than %d", n, STRIA_MAX_NDIM);
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); i++)
        shape[i] = PyNumber_AsSsize_t(PyTuple_GetItem(list, i), PyExc_ValueError);
    Py_XDECREF(list);
    return PyErr_Occurred() ? -1 : (int)n;
}

static int refuse_to_set(const char *what)
{
    PyErr_SetString(PyExc_AttributeError, what);
    return -1;
}

static int set_shape(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    stria_view a, to;
    int64_t shape[STRIA_MAX_NDIM];
#ifdef Py_GIL_DISABLED
    return refuse_to_set("shape: without a GIL the shape of an array never changes; "
                         "x.reshape() gives an array of another one");
#endif
    const int n =
        value ? read_sizes(shape, value) : refuse_to_set("shape: an array always has one");
    if (n < 0) return -1;
    /* Results of comparisons share the objects of true and false (numbers.c). */
    if (n && py_is_number(self) && py_array(self)->dtype.kind == STRIA_BOOL)
        return refuse_to_set("shape: that of a truth never changes; x.reshape() gives an array");
    py_view(&a, py_array(self));
    const stria_status status = stria_view_shape(&to, &a, n, shape);
    if (status == STRIA_ERR_STRIDE)
        return refuse_to_set("shape: the elements have to be copied to have it, which x.reshape() "
                             "does");
    return status ? (void)py_raise(status), -1 : set_dims(py_array(self), &to);
}

static int set_strides(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(value),
                       void *Py_UNUSED(closure))
{
    return refuse_to_set("strides: those of an array never change; as_strided() gives another view "
                         "of the same memory");
}

static int set_dtype(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(value),
                     void *Py_UNUSED(closure))
{
    return refuse_to_set(
        "dtype: that of an array never changes; x.view(dtype) gives the same bytes "
        "as another dtype, x.astype(dtype) converts");
}

static int64_t numel(const Array *a)
{
    int64_t n = 1;
    for (int d = 0; d < a->ndim; d++)
        n *= a->dims[d];
    return n;
}

static PyObject *get_size(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(numel(py_array(self)));
}

static PyObject *get_nbytes(PyObject *self, void *Py_UNUSED(closure))
{
    stria_view a;
    py_view(&a, py_array(self));
    return PyLong_FromLongLong(stria_nbytes(&a));
}

static PyObject *get_dtype(PyObject *self, void *Py_UNUSED(closure))
{
    return py_dtype_new(py_array(self)->dtype);
}

static PyObject *get_writable(PyObject *self, void *Py_UNUSED(closure))
{
    stria_view a;
    py_view(&a, py_array(self));
    return PyBool_FromLong(stria_is_writable(&a));
}

static PyObject *get_device(PyObject *self, void *Py_UNUSED(closure))
{
    stria_view a;
    py_view(&a, py_array(self));
    return PyUnicode_FromString(stria_buffer_is_meta(a.buffer) ? "meta" : "cpu");
}

/* Makes a view by one of the library's functions of one view. */
typedef stria_status of_view(stria_view *out, const stria_view *a);

static PyObject *get_view(PyObject *self, of_view *make)
{
    stria_view a, out;
    py_view(&a, py_array(self));
    const stria_status status = make(&out, &a);
    if (status) return py_raise(status);
    return py_array_of_view(&out, py_array_memory(py_array(self)));
}

static PyObject *get_T(PyObject *self, void *Py_UNUSED(closure))
{
    return get_view(self, stria_reverse_dims);
}

static PyObject *get_mT(PyObject *self, void *Py_UNUSED(closure))
{
    if (py_array(self)->ndim < 2)
        return PyErr_Format(PyExc_ValueError, "mT: takes 2 dims or more, not %d",
                            (int)py_array(self)->ndim);
    return get_view(self, stria_matrix_transpose);
}

static PyObject *get_layout(PyObject *self, void *Py_UNUSED(closure))
{
    size_t size = 0;
    stria_view a;
    py_view(&a, py_array(self));
    stria_status status = stria_describe(NULL, 0, &size, &a);
    if (status) return py_raise(status);
    char *const text = PyMem_Malloc(size + 1);
    if (!text) return PyErr_NoMemory();
    status = stria_describe(text, size + 1, NULL, &a);
    PyObject *const made = status ? py_raise(status) : PyUnicode_FromString(text);
    PyMem_Free(text);
    return made;
}

/* The callback that gets the address of a buffer before others learn it. */
static PyObject *exposing;

int py_array_expose(PyObject *self)
{
    stria_buffer *const buffer = py_array(self)->buffer;
    if (stria_buffer_writes(buffer) < 0) return 0;
    PyObject *const hook = Py_XNewRef(exposing);
    const Py_ssize_t place = (Py_ssize_t)stria_buffer_data(buffer);
    PyObject *const done = hook ? PyObject_CallFunction(hook, "n", place) : NULL;
    const int status = hook && !done ? -1 : 0;
    Py_XDECREF(done);
    Py_XDECREF(hook);
    if (!status) stria_buffer_expose(buffer);
    return status;
}

static PyObject *before_exposing(PyObject *Py_UNUSED(module), PyObject *hook)
{
    PyObject *const before = exposing;
    exposing = Py_NewRef(hook);
    Py_XDECREF(before);
    return Py_NewRef(Py_None);
}

static PyObject *get_pointer(PyObject *self, void *Py_UNUSED(closure))
{
    return py_array_expose(self) ? NULL : PyLong_FromVoidPtr(py_array(self)->data);
}

/* Returns an address and a number that changes with writes there; None unless every write there is
 * to one of these elements, by a call of the library. */
static PyObject *get_writes(PyObject *self, void *Py_UNUSED(closure))
{
    stria_view a;
    py_view(&a, py_array(self));
    const int64_t writes = stria_buffer_writes(a.buffer);
    if (writes < 0 || stria_buffer_size(a.buffer) != stria_nbytes(&a)) return Py_NewRef(Py_None);
    return Py_BuildValue("(nL)", (Py_ssize_t)stria_buffer_data(a.buffer), (long long)writes);
}

/* Returns a hash of the items, as text; neither dtype nor shape is in it. */
static PyObject *get_digest(PyObject *self, void *Py_UNUSED(closure))
{
    char text[33];
    stria_hash128 hash = {0, 0};
    stria_view a;
    py_view(&a, py_array(self));
    stria_status status;
    WITHOUT_GIL(stria_nbytes(&a), status = stria_hash(&hash, &a, NULL));
    if (status) return py_raise(status);
    (void)stria_hash_format(text, 33, NULL, hash);
    return PyUnicode_FromString(text);
}

static PyGetSetDef array_getset[] = {
    {"shape", get_shape, set_shape,
     "The sizes; setting them gives the elements another shape where none has to move.", NULL},
    {"strides", get_strides, set_strides, "The strides, in bytes, of any sign.", NULL},
    {"size", get_size, NULL, "The number of elements.", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements.", NULL},
    {"dtype", get_dtype, set_dtype, "What the items are.", NULL},
    {"device", get_device, NULL, "\"cpu\", or \"meta\" for what has a shape and no memory.", NULL},
    {"writable", get_writable, NULL, "Whether the elements may be written.", NULL},
    {"layout", get_layout, NULL, "Dtype, shape, byte strides and order in one line.", NULL},
    {"_pointer", get_pointer, NULL, "The address of the first element.", NULL},
    {"_writes", get_writes, NULL, "What tells whether the items were written.", NULL},
    {"_digest", get_digest, NULL, "A hash of the items.", NULL},
    {"T", get_T, NULL, "The dims in reverse order, as a view.", NULL},
    {"mT", get_mT, NULL, "The last two dims swapped, as a view.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- numbers --------------------------------------------------------------------------------- */

/* Reads the commonest numbers directly, if they lie as C has them; NULL: the library has to read
 * it. */
static PyObject *plain_item(const stria_view *a)
{
    double d;
    float f;
    int64_t i;
    if (a->dtype.swapped || a->flags & (STRIA_CONJ | STRIA_NEG) || stria_buffer_is_meta(a->buffer))
        return NULL;
    switch (a->dtype.kind) {
    case STRIA_F64: return memcpy(&d, a->data, sizeof d), PyFloat_FromDouble(d);
    case STRIA_F32: return memcpy(&f, a->data, sizeof f), PyFloat_FromDouble((double)f);
    case STRIA_I64: return memcpy(&i, a->data, sizeof i), PyLong_FromLongLong(i);
    default: return NULL;
    }
}

PyObject *py_item(const stria_view *a)
{
    void *bytes;
    PyObject *const plain = plain_item(a);
    if (plain || PyErr_Occurred()) return plain;
    stria_status status = stria_at(&bytes, a, 0, NULL); /* A meta array has no elements. */
    if (status) return py_raise(status);
    switch (a->dtype.kind) {
    case STRIA_BOOL: {
        bool value;
        status = stria_get_bool(&value, a, 0, NULL);
        return status ? py_raise(status) : PyBool_FromLong(value);
    }
    case STRIA_I8:
    case STRIA_I16:
    case STRIA_I32:
    case STRIA_I64: {
        int64_t value;
        status = stria_get_i64(&value, a, 0, NULL);
        return status ? py_raise(status) : PyLong_FromLongLong(value);
    }
    case STRIA_U8:
    case STRIA_U16:
    case STRIA_U32:
    case STRIA_U64: {
        uint64_t value;
        status = stria_get_u64(&value, a, 0, NULL);
        return status ? py_raise(status) : PyLong_FromUnsignedLongLong(value);
    }
    case STRIA_C64:
    case STRIA_C128: {
        double value[2];
        status = stria_get_c128(value, a, 0, NULL);
        return status ? py_raise(status) : PyComplex_FromDoubles(value[0], value[1]);
    }
    case STRIA_BYTES: {
        const char *const text = a->data;
        int64_t n = a->dtype.itemsize;
        while (n > 0 && !text[n - 1])
            n--;
        return PyBytes_FromStringAndSize(text, n);
    }
    case STRIA_UNICODE: {
        const int order = a->dtype.swapped ? 1 : -1;
        int now = order;
        int64_t n = a->dtype.itemsize;
        while (n > 0 && !a->data[n - 1] && !a->data[n - 2] && !a->data[n - 3] && !a->data[n - 4])
            n -= 4;
        return PyUnicode_DecodeUTF32(a->data, n, NULL, &now);
    }
    case STRIA_VOID: return PyBytes_FromStringAndSize(a->data, a->dtype.itemsize);
    case STRIA_DATETIME:
    case STRIA_TIMEDELTA:
    case STRIA_RECORD: return py_text(a, "", false);
    default: {
        double value;
        status = stria_get_f64(&value, a, 0, NULL);
        return status ? py_raise(status) : PyFloat_FromDouble(value);
    }
    }
}

/* Makes a view of the one element; what tells for whom. */
static int one_element(stria_view *out, PyObject *self, const char *what)
{
    const Array *const a = py_array(self);
    if (numel(a) != 1) {
        PyErr_Format(strcmp(what, "item") ? PyExc_TypeError : py_error_class(STRIA_ERR_SHAPE),
                     "%s: an array of %lld elements is no single number", what,
                     (long long)numel(a));
        return -1;
    }
    py_view(out, a);
    out->ndim = 0;
    return 0;
}

/*
 * Makes Python's objects of records and dates by a method of NumPy's arrays; NULL without an
 * exception for other elements, and where NumPy is not loaded, without which they are text.
 */
static PyObject *objects_by_numpy(PyObject *self, const stria_view *a, const char *method)
{
    const uint8_t kind = a->dtype.kind;
    if ((kind != STRIA_RECORD && kind != STRIA_DATETIME && kind != STRIA_TIMEDELTA) ||
        !PyDict_GetItemString(PyImport_GetModuleDict(), "numpy"))
        return NULL;
    PyObject *const part = py_array_of_view(a, py_array_memory(py_array(self)));
    PyObject *const theirs = part ? PyObject_CallMethod(part, "__array__", NULL) : NULL;
    PyObject *const made = theirs ? PyObject_CallMethod(theirs, method, NULL) : NULL;
    Py_XDECREF(part);
    Py_XDECREF(theirs);
    return made;
}

static PyObject *item_of(PyObject *self, const stria_view *a)
{
    PyObject *const made = objects_by_numpy(self, a, "item");
    return made || PyErr_Occurred() ? made : py_item(a);
}

/* Returns the element of that number, counted over all dims in C order. */
static PyObject *flat_item(PyObject *self, PyObject *number)
{
    stria_view a;
    const long long n = numel(py_array(self)), wanted = PyLong_AsLongLong(number);
    long long i = wanted < 0 ? wanted + n : wanted;
    if (wanted == -1 && PyErr_Occurred()) return NULL;
    if (i < 0 || i >= n)
        return PyErr_Format(py_error_class(STRIA_ERR_INDEX),
                            "item: index %lld is outside an array of %lld elements", wanted, n);
    py_view(&a, py_array(self));
    for (int d = a.ndim - 1; d >= 0; i /= a.shape[d--])
        a.data += i % a.shape[d] * a.strides[d];
    a.ndim = 0;
    return item_of(self, &a);
}

static PyObject *array_item(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    stria_view a;
    if (count == 0) return one_element(&a, self, "item") ? NULL : item_of(self, &a);
    if (count == 1 && PyIndex_Check(args[0]) && !py_is_array(args[0]))
        return flat_item(self, args[0]);
    PyObject *key = NULL, *element = NULL, *made = NULL;
    if (count == 1) {
        key = Py_NewRef(args[0]);
    } else {
        key = PyTuple_New(count);
        for (Py_ssize_t i = 0; key && i < count; i++)
            if (PyTuple_SetItem(key, i, Py_NewRef(args[i]))) Py_CLEAR(key);
    }
    if (key) element = py_index(self, key);
    if (element && py_is_array(element))
        made = one_element(&a, element, "item") ? NULL : item_of(element, &a);
    Py_XDECREF(key);
    Py_XDECREF(element);
    return made;
}

static int array_bool(PyObject *self)
{
    const Array *const a = py_array(self);
    stria_view v;
    bool value;
    if (numel(a) != 1) {
        PyErr_Format(PyExc_ValueError,
                     "the truth of an array of %lld elements is ambiguous; use .any() or .all()",
                     (long long)numel(a));
        return -1;
    }
    if (a->dtype.kind <= STRIA_U64 && a->ndim == 0 && !a->buffer) {
        static const char zeros[8];
        return memcmp(a->data, zeros, (size_t)a->dtype.itemsize) != 0;
    }
    py_view(&v, a);
    v.ndim = 0;
    const stria_status status = stria_get_bool(&value, &v, 0, NULL);
    if (status) (void)py_raise(status);
    return status ? -1 : value;
}

static PyObject *convert(PyObject *self, const char *what, PyObject *(*to)(PyObject *))
{
    stria_view a;
    if (one_element(&a, self, what)) return NULL;
    if (a.dtype.kind >= STRIA_C64 && a.dtype.kind <= STRIA_C128)
        return PyErr_Format(PyExc_TypeError, "%s: a complex number is not taken", what);
    PyObject *const item = py_item(&a);
    PyObject *const made = item ? to(item) : NULL;
    Py_XDECREF(item);
    return made;
}

static PyObject *array_int(PyObject *self)
{
    return convert(self, "int", PyNumber_Long);
}

static PyObject *array_float(PyObject *self)
{
    double value;
    const Array *const a = py_array(self);
    if (a->ndim == 0 && a->dtype.kind == STRIA_F64 && !a->buffer && !a->dtype.swapped &&
        !(a->flags & (STRIA_CONJ | STRIA_NEG)))
        return memcpy(&value, a->data, sizeof value), PyFloat_FromDouble(value);
    return convert(self, "float", PyNumber_Float);
}

static PyObject *array_index(PyObject *self)
{
    const Array *const a = py_array(self);
    if (a->ndim != 0 || a->dtype.kind < STRIA_I8 || a->dtype.kind > STRIA_U64) {
        PyErr_SetString(PyExc_TypeError,
                        "only an integer array of 0 dims is an index; use x[...] to pick one");
        return NULL;
    }
    return convert(self, "index", PyNumber_Long);
}

static PyObject *array_complex(PyObject *self, PyObject *Py_UNUSED(unused))
{
    stria_view a;
    double value[2];
    if (one_element(&a, self, "complex")) return NULL;
    const stria_status status = stria_get_c128(value, &a, 0, NULL);
    return status ? py_raise(status) : PyComplex_FromDoubles(value[0], value[1]);
}

/* Returns the hash of a number whose value stays the same; other arrays have none. */
static Py_hash_t array_hash(PyObject *self)
{
    if (!py_is_number(self)) return PyObject_HashNotImplemented(self);
    stria_view view;
    py_view(&view, py_array(self));
    PyObject *const item = py_item(&view);
    const Py_hash_t hash = item ? PyObject_Hash(item) : -1;
    Py_XDECREF(item);
    return hash;
}

static PyObject *list_of(const stria_view *a)
{
    if (a->ndim == 0) return py_item(a);
    PyObject *const made = PyList_New(a->shape[0]);
    stria_view part = *a;
    part.ndim = a->ndim - 1;
    memcpy(part.shape, a->shape + 1, (size_t)part.ndim * sizeof *part.shape);
    memcpy(part.strides, a->strides + 1, (size_t)part.ndim * sizeof *part.strides);
    for (int64_t i = 0; made && i < a->shape[0]; i++, part.data += a->strides[0]) {
        PyObject *const item = list_of(&part);
        if (!item || PyList_SetItem(made, i, item)) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

static PyObject *array_tolist(PyObject *self, PyObject *Py_UNUSED(unused))
{
    stria_view a;
    py_view(&a, py_array(self));
    if (stria_buffer_is_meta(a.buffer)) {
        PyErr_SetString(PyExc_NotImplementedError, "tolist: a meta array has no elements");
        return NULL;
    }
    PyObject *const made = objects_by_numpy(self, &a, "tolist");
    return made || PyErr_Occurred() ? made : list_of(&a);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Text that grows. */
struct growing {
    char *data;
    size_t size, room;
};

static bool grow_text(void *context, const char *text, size_t size)
{
    struct growing *const g = context;
    if (size == 0) return true;
    if (g->size + size > g->room) {
        const size_t room = 2 * (g->size + size) + 256;
        char *const data = PyMem_Realloc(g->data, room);
        if (!data) return false;
        g->data = data;
        g->room = room;
    }
    memcpy(g->data + g->size, text, size);
    g->size += size;
    return true;
}

/* Options that set_printoptions set, for all threads; the GIL guards them. */
static stria_format_options print_options;

/*
 * Implements _print_options(options=None): (precision, threshold, edgeitems, linewidth, suppress),
 * as they were before options were set.
 */
static PyObject *set_print_options(PyObject *Py_UNUSED(module), PyObject *args)
{
    stria_format_options o = print_options;
    long long threshold, edgeitems;
    int suppress;
    PyObject *const before = Py_BuildValue("(iLLii)", o.precision, (long long)o.threshold,
                                           (long long)o.edgeitems, o.linewidth, (int)o.suppress);
    if (!before || !PyTuple_Size(args)) return before;
    if (PyArg_ParseTuple(args, "(iLLip):_print_options", &o.precision, &threshold, &edgeitems,
                         &o.linewidth, &suppress)) {
        if (o.precision >= 0 && o.precision <= 400 && threshold >= 0 && edgeitems >= 0 &&
            edgeitems <= 1 << 30 && o.linewidth >= 0) {
            o.threshold = threshold;
            o.edgeitems = edgeitems;
            o.suppress = suppress != 0;
            print_options = o;
            return before;
        }
        PyErr_SetString(PyExc_ValueError, "set_printoptions: a number is negative or too large");
    }
    Py_DECREF(before);
    return NULL;
}

PyObject *py_text(const stria_view *a, const char *before, bool commas)
{
    struct growing g = {NULL, 0, 0};
    stria_format_options options = print_options;
    options.commas = commas;
    options.indent = (int)strlen(before);
    if (!grow_text(&g, before, strlen(before))) return PyErr_NoMemory();
    const stria_status status = stria_format_to(grow_text, &g, a, &options, NULL);
    PyObject *const made =
        status ? py_raise(status)
               : PyUnicode_FromStringAndSize(g.data ? g.data : "", (Py_ssize_t)g.size);
    PyMem_Free(g.data);
    return made;
}

static PyObject *array_str(PyObject *self)
{
    stria_view a;
    py_view(&a, py_array(self));
    if (stria_buffer_is_meta(a.buffer)) return get_layout(self, NULL);
    return py_text(&a, "", false);
}

static PyObject *array_repr(PyObject *self)
{
    stria_view a;
    py_view(&a, py_array(self));
    PyObject *const name = py_dtype_name(a.dtype);
    PyObject *text;
    if (stria_buffer_is_meta(a.buffer))
        text = PyUnicode_FromString("stria.Array(...");
    else
        text = py_text(&a, "stria.Array(", true);
    PyObject *made = NULL;
    if (name && text && stria_numel(&a) == 0 && a.ndim != 1) {
        PyObject *const shape = get_shape(self, NULL);
        if (shape) made = PyUnicode_FromFormat("%U, shape=%R, dtype=%U)", text, shape, name);
        Py_XDECREF(shape);
    } else if (name && text) {
        made = PyUnicode_FromFormat("%U, dtype=%U)", text, name);
    }
    Py_XDECREF(name);
    Py_XDECREF(text);
    return made;
}

/* ---- sequences ------------------------------------------------------------------------------- */

/* Goes over the fields of one record. */
static PyObject *iterate_fields(PyObject *self)
{
    PyObject *const dtype = py_dtype_new(py_array(self)->dtype);
    PyObject *const names = dtype ? PyObject_GetAttrString(dtype, "names") : NULL;
    const Py_ssize_t count = names ? PyTuple_Size(names) : -1;
    PyObject *found = count < 0 ? NULL : PyTuple_New(count);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        PyObject *const item = py_index(self, PyTuple_GetItem(names, i));
        if (!item || PyTuple_SetItem(found, i, item)) Py_CLEAR(found);
    }
    PyObject *const iterator = found ? PyObject_GetIter(found) : NULL;
    Py_XDECREF(dtype);
    Py_XDECREF(names);
    Py_XDECREF(found);
    return iterator;
}

static PyObject *array_iter(PyObject *self)
{
    if (py_array(self)->ndim == 0 && py_array(self)->dtype.kind == STRIA_RECORD)
        return iterate_fields(self);
    if (py_array(self)->ndim == 0) {
        PyErr_SetString(PyExc_TypeError, "an array of 0 dims has no rows to go over");
        return NULL;
    }
    return PySeqIter_New(self);
}

/* __sizeof__ returns the bytes of the object, with elements that lie in it. */
static PyObject *array_sizeof(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const Array *const a = py_array(self);
    stria_view v;
    py_view(&v, a);
    const bool here = !a->buffer && !a->base;
    return PyLong_FromSize_t(here ? aligned_head(a->ndim) + (size_t)stria_nbytes(&v)
                                  : head(a->ndim));
}

static PyObject *array_readonly(PyObject *self, PyObject *Py_UNUSED(unused))
{
    stria_view a;
    py_view(&a, py_array(self));
    a.flags |= STRIA_READONLY;
    return py_array_of_view(&a, py_array_memory(py_array(self)));
}

static PyMethodDef array_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))py_array_dlpack, METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "The elements for another library, as a capsule; a copy where no consumer takes the layout, "
     "which copy=False forbids."},
    {"__dlpack_device__", py_array_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nThe device of the memory: (1, 0), the CPU."},
    {"readonly", array_readonly, METH_NOARGS,
     "readonly($self, /)\n--\n\nThe same elements without the right to write them.\n\n"
     ">>> st.zeros(2).readonly().writable\nFalse"},
    {"item", (PyCFunction)(void (*)(void))array_item, METH_FASTCALL,
     "item($self, /, *index)\n--\n\nThe number of an array of one element, or of the element at "
     "an index.\n\n>>> st.asarray([[1, 2], [3, 4]]).item(1, 0)\n3"},
    {"tolist", array_tolist, METH_NOARGS,
     "tolist($self, /)\n--\n\nThe elements as Python's numbers, in nested lists.\n\n"
     ">>> st.arange(4).reshape(2, 2).tolist()\n[[0, 1], [2, 3]]"},
    {"__sizeof__", array_sizeof, METH_NOARGS, NULL},
    {"__complex__", array_complex, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyMemberDef array_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Array, weak), READONLY, NULL},
    {"ndim", T_INT, offsetof(Array, ndim), READONLY, "The number of dims."},
    {"itemsize", T_INT, offsetof(Array, dtype.itemsize), READONLY, "Bytes of an item."},
    {"base", T_OBJECT, offsetof(Array, base), READONLY,
     "The array whose object holds the elements, or None."},
    {NULL, 0, 0, 0, NULL}};

static PyType_Slot own_slots[] = {
    {Py_tp_doc, "An array of any strides: its dtype and strides never change, "
                "its elements may. It is a view, or "
                "the owner of its memory; views of it keep that memory alive.\n\n"
                ">>> x = st.asarray([[1, 2], [3, 4]])\n"
                ">>> x.shape, x.strides, x.T[0].tolist()\n"
                "((2, 2), (16, 8), [1, 3])"},
    {Py_tp_new, array_new},
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_getset, array_getset},
    {Py_tp_methods, array_methods},
    {Py_tp_members, array_members},
    {Py_tp_repr, array_repr},
    {Py_tp_str, array_str},
    {Py_tp_iter, array_iter},
    {Py_tp_hash, array_hash},
    {Py_nb_bool, array_bool},
    {Py_nb_int, array_int},
    {Py_nb_float, array_float},
    {Py_nb_index, array_index},
    {0, NULL}};

static PyMethodDef module_methods[] = {{"_print_options", set_print_options, METH_VARARGS, NULL},
                                       {"_before_exposing", before_exposing, METH_O, NULL},
                                       {NULL, NULL, 0, NULL}};

int py_array_ready(PyObject *module)
{
    PyType_Slot *const parts[] = {own_slots, py_operator_slots, py_index_slots, py_buffer_slots};
    PyType_Slot slots[100];
    int count = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const PyType_Slot *s = parts[i]; s->slot; s++)
            slots[count++] = *s;
    slots[count] = (PyType_Slot){0, NULL};
    PyType_Spec spec = {.name = "stria.Array",
                        .basicsize = sizeof(Array),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = slots};
    py_array_type = (PyTypeObject *)PyType_FromSpec(&spec);
    stria_format_defaults(&print_options);
    if (!py_array_type || PyModule_AddFunctions(module, module_methods)) return -1;
    return PyModule_AddObjectRef(module, "Array", (PyObject *)py_array_type);
}
