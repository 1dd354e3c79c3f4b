/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts objects of Python to the tagged values that stria_call takes, and its results to
 * objects. Memory that a call needs while it lasts lies in its struct, and beyond that in chunks.
 */
#include <string.h>

#include "binding.h"

/* ---- memory of a call ------------------------------------------------------------------------ */

void py_call_begin(struct call *call)
{
    call->chunks = NULL;
    call->guests = NULL;
    call->seen = NULL;
    call->kept = NULL;
    call->views = 0;
    call->used = 0;
    call->bytes = 0;
}

void py_call_end(struct call *call)
{
    while (call->guests) {
        struct guest *const guest = call->guests;
        call->guests = guest->next;
        stria_array_release(&guest->array);
        PyMem_Free(guest);
    }
    for (const struct seen *kept = call->kept; kept; kept = kept->next)
        Py_DECREF(kept->object);
    while (call->chunks) {
        struct chunk *const chunk = call->chunks;
        call->chunks = chunk->next;
        PyMem_Free(chunk);
    }
}

void *py_call_take(struct call *call, size_t size)
{
    enum { STEP = sizeof(max_align_t) };
    const size_t steps = (size + STEP - 1) / STEP * STEP;
    if (size > PTRDIFF_MAX - 2 * STEP) return PyErr_NoMemory();
    if (steps <= sizeof call->room - call->used) {
        void *const taken = (char *)call->room + call->used;
        call->used += steps;
        return taken;
    }
    struct chunk *const chunk = PyMem_Malloc(offsetof(struct chunk, data) + steps);
    if (!chunk) return PyErr_NoMemory();
    chunk->next = call->chunks;
    call->chunks = chunk;
    return chunk->data;
}

stria_view *py_call_view(struct call *call)
{
    if (call->views < CALL_VIEWS) return &call->view[call->views++];
    return py_call_take(call, sizeof(stria_view));
}

PyObject *py_call_keep(struct call *call, PyObject *object)
{
    struct seen *const kept = object ? py_call_take(call, sizeof *kept) : NULL;
    if (!kept) {
        Py_XDECREF(object);
        return NULL;
    }
    *kept = (struct seen){call->kept, object};
    call->kept = kept;
    return object;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void count_bytes(struct call *call, const stria_view *view)
{
    const int64_t bytes = stria_nbytes(view);
    if (bytes > call->bytes) call->bytes = bytes;
}

static int read_array(stria_arg *out, struct call *call, PyObject *object)
{
    stria_view *const view = py_call_view(call);
    struct seen *const seen = py_call_take(call, sizeof *seen);
    if (!view || !seen) return -1;
    *seen = (struct seen){call->seen, object};
    call->seen = seen;
    py_view(view, py_array(object));
    count_bytes(call, view);
    *out = stria_arg_view(view);
    return 0;
}

bool py_is_derived(PyObject *object)
{
    static PyObject *plain; /* The type that came first: the usual one. */
    PyObject *const type = (PyObject *)Py_TYPE(object);
    if (type == plain) return false;
    PyObject *const name = PyObject_HasAttrString(type, "__array_finalize__")
                               ? PyObject_GetAttrString(type, "__name__")
                               : NULL;
    const bool derived = name && PyUnicode_Check(name) &&
                         PyUnicode_CompareWithASCIIString(name, "ndarray") &&
                         PyUnicode_CompareWithASCIIString(name, "memmap");
    Py_XDECREF(name);
    PyErr_Clear();
    if (!derived && !plain) plain = Py_NewRef(type);
    return derived;
}

/* Reads a foreign array. 1: read, 0: it is no array, -1. */
static int read_guest(stria_arg *out, struct call *call, PyObject *object)
{
    py_meet_numpy();
    struct guest *const guest = PyMem_Malloc(sizeof *guest);
    if (!guest) return (void)PyErr_NoMemory(), -1;
    guest->array.owned = NULL;
    const int found = py_foreign(&guest->array, object);
    if (found <= 0) {
        PyMem_Free(guest);
        return found;
    }
    guest->next = call->guests;
    call->guests = guest;
    count_bytes(call, &guest->array.view);
    *out = stria_arg_view(&guest->array.view);
    return 1;
}

/* ---- numbers, text and dtypes ---------------------------------------------------------------- */

static int read_int(stria_arg *out, PyObject *object)
{
    int beyond;
    const long long value = PyLong_AsLongLongAndOverflow(object, &beyond);
    if (value == -1 && PyErr_Occurred()) return -1;
    *out = stria_arg_int(value);
    if (!beyond) return 0;
    const unsigned long long large = beyond > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
    if (beyond < 0 || (large == (unsigned long long)-1 && PyErr_Occurred())) {
        PyErr_Clear();
        PyErr_Format(PyExc_OverflowError, "%R does not fit in 64 bits", object);
        return -1;
    }
    out->kind = STRIA_ARG_UINT;
    out->value.unsigned_integer = large;
    return 0;
}

static int read_complex(stria_arg *out, PyObject *object)
{
    *out = stria_arg_of(STRIA_ARG_COMPLEX);
    out->value.complex_parts[0] = PyComplex_RealAsDouble(object);
    out->value.complex_parts[1] = PyComplex_ImagAsDouble(object);
    return PyErr_Occurred() ? -1 : 0;
}

static int read_float(stria_arg *out, PyObject *object)
{
    const double value = PyFloat_AsDouble(object);
    *out = stria_arg_float(value);
    return value == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Reads a number of one of Python's own types. 1: read, 0: it is none, -1. */
static int read_number(stria_arg *out, PyObject *object)
{
    if (PyFloat_CheckExact(object)) return read_float(out, object) ? -1 : 1;
    if (PyLong_CheckExact(object)) return read_int(out, object) ? -1 : 1;
    if (PyBool_Check(object)) {
        *out = stria_arg_bool(object == Py_True);
        return 1;
    }
    if (PyComplex_CheckExact(object)) return read_complex(out, object) ? -1 : 1;
    return 0;
}

/* Reads a number of a type that derives from Python's, or says that it is an integer. */
static int read_like_number(stria_arg *out, PyObject *object)
{
    if (PyFloat_Check(object)) return read_float(out, object) ? -1 : 1;
    if (PyLong_Check(object)) return read_int(out, object) ? -1 : 1;
    if (PyComplex_Check(object)) return read_complex(out, object) ? -1 : 1;
    if (!PyIndex_Check(object)) return 0;
    PyObject *const number = PyNumber_Index(object);
    const int status = number ? read_int(out, number) : -1;
    Py_XDECREF(number);
    return status ? -1 : 1;
}

const char *py_utf8(PyObject *object)
{
    Py_ssize_t size;
    const char *const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (!text || strlen(text) == (size_t)size) return text;
    return (void)PyErr_Format(PyExc_ValueError, "%.200R has a NUL, which no text here may have",
                              object),
           NULL;
}

static int read_text(stria_arg *out, PyObject *object)
{
    static const struct {
        const char *name;
        stria_order order;
    } orders[] = {{"contiguous_format", STRIA_ORDER_C},
                  {"preserve_format", STRIA_ORDER_PRESERVE},
                  {"channels_last", STRIA_ORDER_CHANNELS_LAST},
                  {"channels_last_3d", STRIA_ORDER_CHANNELS_LAST_3D}};
    const char *const text = py_utf8(object);
    if (!text) return -1;
    *out = stria_arg_text(text, (int64_t)strlen(text));
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (!strcmp(text, orders[i].name)) {
            *out = stria_arg_of(STRIA_ARG_ORDER);
            out->value.order = orders[i].order;
        }
    return 0;
}

/* ---- tuples, lists, slices ------------------------------------------------------------------- */

PyObject *py_items(PyObject *list)
{
    if (PyTuple_CheckExact(list)) return Py_NewRef(list);
    return PyList_Check(list) ? PyList_AsTuple(list)
                              : PyTuple_GetSlice(list, 0, PyTuple_Size(list));
}

static const char list_changed[] = "a list changed its size while it was read";

/* Reads an item of a list. Memory that is read from it lasts as long as the item does, and a list
 * may release it meanwhile. */
static int read_item(stria_arg *out, struct call *call, PyObject *list, Py_ssize_t i)
{
    PyObject *const item = PySequence_GetItem(list, i);
    if (!item) {
        PyErr_SetString(PyExc_ValueError, list_changed);
        return -1;
    }
    const int found = read_number(out, item);
    if (!found) return py_call_keep(call, item) ? py_read_arg(out, call, item) : -1;
    Py_DECREF(item);
    return found > 0 ? 0 : -1;
}

static int read_items(stria_arg *out, struct call *call, PyObject *object, stria_arg_kind kind)
{
    const bool changes = PyList_CheckExact(object);
    PyObject *const list =
        changes || PyTuple_Check(object) ? object : py_call_keep(call, py_items(object));
    if (!list || Py_EnterRecursiveCall(" while reading nested sequences")) return -1;
    const Py_ssize_t count = changes ? PyList_Size(list) : PyTuple_Size(list);
    stria_arg *const items = py_call_take(call, (size_t)count * sizeof *items);
    int status = items ? 0 : -1;
    double product = 1;
    for (Py_ssize_t i = 0; !status && i < count; i++) {
        status = changes ? read_item(&items[i], call, list, i)
                         : py_read_arg(&items[i], call, PyTuple_GetItem(list, i));
        if (!status && items[i].kind == STRIA_ARG_INT) product *= (double)items[i].value.integer;
    }
    Py_LeaveRecursiveCall();
    if (!status && PyList_Check(object) && PyList_Size(object) != count) {
        PyErr_SetString(PyExc_ValueError, list_changed);
        return -1;
    }
    if (status) return -1;
    if (product > (double)call->bytes && product < 1e15) call->bytes = (int64_t)product;
    *out = stria_arg_of(kind);
    out->count = count;
    out->value.items = items;
    return 0;
}

static int read_slice(stria_arg *out, struct call *call, PyObject *object)
{
    static const char *const names[] = {"start", "stop", "step"};
    stria_arg *const items = py_call_take(call, 3 * sizeof *items);
    if (!items) return -1;
    for (int i = 0; i < 3; i++) {
        PyObject *const part = PyObject_GetAttrString(object, names[i]);
        const int status = part ? py_read_arg(&items[i], call, part) : -1;
        Py_XDECREF(part);
        if (status) return -1;
    }
    *out = stria_arg_of(STRIA_ARG_SLICE);
    out->value.items = items;
    return 0;
}

static int read_dtype(stria_arg *out, struct call *call, PyObject *object)
{
    stria_dtype dtype;
    const int found = py_dtype_read(&dtype, object);
    if (found <= 0) return found;
    if (py_has_metadata(object)) return stria_dtype_release(dtype), 0;
    *out = stria_arg_dtype(dtype);
    if (!dtype.record || py_is_dtype(object)) {
        stria_dtype_release(dtype); /* The object keeps its record, if it has one. */
        return 1;
    }
    /* A view without memory keeps the description until the call ends. */
    struct guest *const guest = PyMem_Malloc(sizeof *guest);
    const int64_t none = 0;
    stria_status status = STRIA_ERR_MEMORY;
    if (guest) {
        guest->array.owned = NULL;
        status = stria_empty(&guest->array, dtype, 1, &none);
    }
    stria_dtype_release(dtype);
    if (status) {
        PyMem_Free(guest);
        return (void)py_raise(status), -1;
    }
    guest->next = call->guests;
    call->guests = guest;
    return 1;
}

int py_read_arg(stria_arg *out, struct call *call, PyObject *object)
{
    if (py_is_array(object)) return read_array(out, call, object);
    int found = read_number(out, object);
    if (found) return found > 0 ? 0 : -1;
    if (object == Py_None) {
        *out = stria_arg_of(STRIA_ARG_NONE);
        return 0;
    }
    if (PyTuple_Check(object)) return read_items(out, call, object, STRIA_ARG_TUPLE);
    if (PyList_Check(object)) return read_items(out, call, object, STRIA_ARG_LIST);
    if (PyUnicode_Check(object)) return read_text(out, object);
    if (PySlice_Check(object)) return read_slice(out, call, object);
    if (object == Py_Ellipsis) {
        *out = stria_arg_of(STRIA_ARG_ELLIPSIS);
        return 0;
    }
    found = read_dtype(out, call, object);
    if (!found && !PyType_Check(object) && py_is_derived(object)) { /* py_call_again() reads it. */
        PyErr_Format(PyExc_BufferError, "%R has more than elements; give numpy.asarray of it",
                     Py_TYPE(object));
        return -1;
    }
    if (!found && !PyType_Check(object)) found = read_guest(out, call, object);
    if (!found) found = read_like_number(out, object);
    if (!found) {
        PyErr_Format(PyExc_TypeError, "%.200R is no argument that Stria's functions take", object);
        return -1;
    }
    return found > 0 ? 0 : -1;
}

int py_read_operand(stria_arg *out, struct call *call, PyObject *object)
{
    if (py_is_array(object)) return read_array(out, call, object) ? -1 : 1;
    int found = read_number(out, object);
    const stria_view *const scalar = found ? NULL : py_scalar_view(call, object);
    if (scalar) return *out = stria_arg_view(scalar), 1;
    if (!found && py_is_array_like(object)) found = read_guest(out, call, object);
    if (!found && (PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object)))
        found = read_like_number(out, object);
    return found;
}

const stria_view *py_operand_view(struct call *call, const stria_arg *arg)
{
    if (arg->kind == STRIA_ARG_VIEW) return arg->value.view;
    stria_view *const view = py_call_view(call);
    if (!view) return NULL;
    const stria_kind kind = arg->kind == STRIA_ARG_BOOL    ? STRIA_BOOL
                            : arg->kind == STRIA_ARG_INT   ? STRIA_I64
                            : arg->kind == STRIA_ARG_UINT  ? STRIA_U64
                            : arg->kind == STRIA_ARG_FLOAT ? STRIA_F64
                                                           : STRIA_C128;
    const stria_status status = stria_weak(view, kind, &arg->value);
    return status ? (void *)py_raise(status) : view;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Returns the Array among the arguments that is the same view; NULL if none. */
static PyObject *same_as(const stria_view *view, const struct call *call)
{
    for (const struct seen *s = call->seen; s; s = s->next) {
        const Array *const a = py_array(s->object);
        stria_view v;
        if (a->data != view->data || a->buffer != view->buffer || a->ndim != view->ndim) continue;
        py_view(&v, a);
        if (stria_same_view(&v, view)) return s->object;
    }
    return NULL;
}

/* Returns the object in which borrowed memory lies; NULL if it lies in none of the arguments. */
static PyObject *memory_of(const stria_view *view, const struct call *call)
{
    for (const struct seen *s = call->seen; s; s = s->next) {
        PyObject *const memory = py_array_memory(py_array(s->object));
        stria_view v;
        if (!memory) continue;
        py_view(&v, py_array(memory));
        if (view->data >= v.data && view->data <= v.data + stria_nbytes(&v)) return memory;
    }
    return NULL;
}

PyObject *py_result_array(stria_array *made, struct call *call)
{
    PyObject *const same = same_as(&made->view, call);
    if (same) {
        stria_array_release(made);
        return Py_NewRef(same);
    }
    if (made->owned) return py_array_of_owner(made);
    PyObject *const memory = memory_of(&made->view, call);
    if (memory) return py_array_of_view(&made->view, memory);
    stria_array copy = {.owned = NULL}; /* nobody is known to keep the memory */
    const stria_status status = stria_clone_new(&copy, &made->view, NULL);
    return status ? py_raise(status) : py_array_of_owner(&copy);
}

static PyObject *answer(const stria_results *results)
{
    const stria_arg *const a = &results->answer;
    switch (a->kind) {
    case STRIA_ARG_BOOL: return PyBool_FromLong(a->value.truth);
    case STRIA_ARG_INT: return PyLong_FromLongLong(a->value.integer);
    case STRIA_ARG_UINT: return PyLong_FromUnsignedLongLong(a->value.unsigned_integer);
    case STRIA_ARG_FLOAT: return PyFloat_FromDouble(a->value.real);
    case STRIA_ARG_COMPLEX:
        return PyComplex_FromDoubles(a->value.complex_parts[0], a->value.complex_parts[1]);
    case STRIA_ARG_DTYPE: return py_dtype_new(a->value.dtype);
    case STRIA_ARG_TEXT: return PyUnicode_FromStringAndSize(a->value.text, a->count);
    case STRIA_ARG_TUPLE: {
        PyObject *const made = PyTuple_New(a->count);
        for (int64_t i = 0; made && i < a->count; i++)
            (void)PyTuple_SetItem(made, i, PyLong_FromLongLong(results->integers[i]));
        return made;
    }
    default: return Py_NewRef(Py_None);
    }
}

PyObject *py_results(stria_results *results, struct call *call)
{
    if (results->answers) return answer(results);
    if (!results->several) {
        return results->count ? py_result_array(&results->one, call) : Py_NewRef(Py_None);
    }
    PyObject *const tuple = PyTuple_New(results->count);
    for (int64_t i = 0; tuple && i < results->count; i++) {
        PyObject *const item = py_result_array(&results->arrays[i], call);
        if (!item || PyTuple_SetItem(tuple, i, item)) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    return tuple;
}
