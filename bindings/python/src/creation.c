/* SPDX-License-Identifier: BSD-3-Clause */
/* asarray: makes arrays of other objects, without a copy if that is possible. */
#include <string.h>

#include "binding.h"

/* Options of asarray. */
struct wish {
    PyObject *object;
    bool has_dtype;
    stria_dtype dtype;
    int copy; /* -1: if needed, 0: never, 1: always. */
};

static PyObject *refuse_copy(void)
{
    PyErr_SetString(PyExc_ValueError, "asarray: a copy is needed, and copy=False forbids it");
    return NULL;
}

/* Returns the elements in another dtype, or copied. Takes the reference over. */
static PyObject *converted(PyObject *array, stria_dtype dtype)
{
    stria_view a;
    stria_array made = {.owned = NULL};
    stria_status status;
    py_view(&a, py_array(array));
    WITHOUT_GIL(stria_nbytes(&a), {
        status = stria_empty_like(&made, &a, dtype, STRIA_ORDER_K);
        if (!status) status = stria_copy(&made.view, &a, NULL);
    });
    Py_DECREF(array);
    if (!status) return py_array_of_owner(&made);
    stria_array_release(&made);
    return py_raise(status);
}

/* Adapts an array to the options. Takes the reference over. */
static PyObject *adapt(PyObject *array, const struct wish *wish)
{
    stria_view a;
    py_view(&a, py_array(array));
    const bool converts = wish->has_dtype && !stria_dtype_equal(a.dtype, wish->dtype);
    if (!converts && wish->copy <= 0) return array;
    if (wish->copy == 0) {
        Py_DECREF(array);
        return refuse_copy();
    }
    if ((py_settings.no_copies || py_settings.counts) && py_note_copy("asarray", &a)) {
        Py_DECREF(array);
        return NULL;
    }
    return converted(array, converts ? wish->dtype : a.dtype);
}

static PyObject *make_array(const struct wish *wish);

static bool is_list(PyObject *object)
{
    return py_is_exact_list(object) || PyList_Check(object) || PyTuple_Check(object);
}

/* Copies the items of a list whose class derives from Python's; NULL for other objects. */
static PyObject *copied(PyObject *object)
{
    return !py_is_exact_list(object) && is_list(object) ? py_items(object) : NULL;
}

/* Nested lists of Python's numbers. */
struct nest {
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    stria_kind kind;     /* The order is bool < i64 < f64 < c128. */
    long long low, high; /* The least and the largest integer. */
};

/* Tells whether an object is a number of these kinds, or a list of the shape from dim on. */
static bool measure_nest(struct nest *nest, PyObject *object, int dim)
{
    int beyond = 0;
    if (dim == nest->ndim) {
        const stria_kind kind = PyBool_Check(object)      ? STRIA_BOOL
                                : PyLong_Check(object)    ? STRIA_I64
                                : PyFloat_Check(object)   ? STRIA_F64
                                : PyComplex_Check(object) ? STRIA_C128
                                                          : STRIA_VOID;
        if (kind == STRIA_I64) {
            const long long value = PyLong_AsLongLongAndOverflow(object, &beyond);
            beyond |= value < nest->low || value > nest->high;
        }
        if (kind > nest->kind) nest->kind = kind;
        return kind != STRIA_VOID && !beyond;
    }
    PyObject *const copy = copied(object), *const items = copy ? copy : object;
    bool good = py_is_exact_list(items) && PySequence_Size(items) == nest->shape[dim];
    for (int64_t i = 0; good && i < nest->shape[dim]; i++) {
        PyObject *const item = PySequence_GetItem(items, i);
        good = item && measure_nest(nest, item, dim + 1);
        Py_XDECREF(item);
    }
    Py_XDECREF(copy);
    return good;
}

/* Writes the numbers from *at on; false if a list has changed since it was measured. */
static bool fill_numbers(char **at, const struct nest *nest, PyObject *object, int dim)
{
    if (dim < nest->ndim) {
        PyObject *const copy = copied(object), *const items = copy ? copy : object;
        bool good = py_is_exact_list(items) && PySequence_Size(items) == nest->shape[dim];
        for (int64_t i = 0; good && i < nest->shape[dim]; i++) {
            PyObject *const item = PySequence_GetItem(items, i);
            good = item && fill_numbers(at, nest, item, dim + 1);
            Py_XDECREF(item);
        }
        Py_XDECREF(copy);
        return good;
    }
    const int64_t integer = nest->kind == STRIA_I64 ? PyLong_AsLongLong(object) : 0;
    const double parts[] = {nest->kind >= STRIA_F64 ? PyComplex_RealAsDouble(object) : 0,
                            nest->kind == STRIA_C128 ? PyComplex_ImagAsDouble(object) : 0};
    const size_t size = (size_t)stria_dtype_of(nest->kind).itemsize;
    const char truth = object == Py_True;
    memcpy(*at,
           nest->kind == STRIA_BOOL  ? (const void *)&truth
           : nest->kind == STRIA_I64 ? (const void *)&integer
                                     : parts,
           size);
    *at += size;
    return !PyErr_Occurred();
}

/* Returns the dtype of numbers if none is named: C's double becomes float32 in PyTorch. */
static stria_dtype usual(stria_dtype dtype)
{
    if (py_settings.rule == STRIA_PROMOTE_NUMPY) return dtype;
    return dtype.kind == STRIA_F64    ? stria_dtype_of(STRIA_F32)
           : dtype.kind == STRIA_C128 ? stria_dtype_of(STRIA_C64)
                                      : dtype;
}

/* Makes an array of a list of numbers of common types; NULL without an error for others, which the
 * registry's asarray reads or refuses. */
static PyObject *of_plain_numbers(const struct wish *wish)
{
    PyObject *const list = wish->object;
    struct nest nest = {.kind = STRIA_BOOL, .low = INT64_MIN, .high = INT64_MAX};
    const uint8_t kind = wish->has_dtype ? wish->dtype.kind : STRIA_BOOL;
    if (kind >= STRIA_I8 && kind <= STRIA_U64) {
        nest.high >>= 64 - 8 * wish->dtype.itemsize;
        nest.low = kind >= STRIA_U8 ? 0 : -nest.high - 1;
        if (kind >= STRIA_U8 && kind < STRIA_U64) nest.high = 2 * nest.high + 1;
    }
    stria_view view;
    PyObject *inner = Py_NewRef(list);
    while (inner && is_list(inner) && nest.ndim < STRIA_MAX_NDIM) {
        PyObject *const copy = copied(inner), *const items = copy ? copy : inner;
        const int64_t size = py_is_exact_list(items) ? PySequence_Size(items) : -1;
        PyObject *const item = size > 0 ? PySequence_GetItem(items, 0) : NULL;
        nest.shape[nest.ndim++] = size;
        Py_XDECREF(copy);
        Py_DECREF(inner);
        inner = item;
    }
    if (!inner) nest.kind = STRIA_F64; /* An empty list becomes floats in both NumPy and PyTorch. */
    Py_XDECREF(inner);
    const bool plain = measure_nest(&nest, list, 0);
    PyErr_Clear();
    PyObject *const made =
        plain ? py_array_new(&view, stria_dtype_of(nest.kind), nest.ndim, nest.shape) : NULL;
    char *at = made ? view.data : NULL;
    if (!made || fill_numbers(&at, &nest, list, 0)) return made;
    Py_DECREF(made);
    PyErr_Clear();
    return NULL;
}

/* Makes an array of other numbers, and of lists and tuples of them. */
static PyObject *of_numbers(const struct wish *wish)
{
    PyObject *const dtype = wish->has_dtype ? py_dtype_new(wish->dtype) : Py_NewRef(Py_None);
    if (!dtype) return NULL;
    PyObject *const args[] = {wish->object, dtype};
    PyObject *const made = py_call_named("asarray", args, 2);
    Py_DECREF(dtype);
    return made;
}

/* Tells whether a list holds arrays, at any depth; -1 with an exception. */
static int holds_arrays(PyObject *list)
{
    if (Py_EnterRecursiveCall(" while reading nested sequences")) return -1;
    PyObject *const items = py_items(list);
    const Py_ssize_t count = items ? PyTuple_Size(items) : 0;
    int found = items ? 0 : -1;
    for (Py_ssize_t i = 0; !found && i < count; i++) {
        PyObject *const item = PyTuple_GetItem(items, i);
        found = is_list(item) ? holds_arrays(item) : py_is_array(item) || py_is_array_like(item);
    }
    Py_XDECREF(items);
    Py_LeaveRecursiveCall();
    return found;
}

/* Makes the stack of a list of arrays or of lists of them. */
static PyObject *of_arrays(PyObject *list)
{
    PyObject *const items = py_items(list);
    const Py_ssize_t count = items ? PyTuple_Size(items) : 0;
    PyObject *parts = items ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; parts && i < count; i++) {
        const struct wish wish = {.object = PyTuple_GetItem(items, i), .copy = -1};
        PyObject *const part = make_array(&wish);
        if (!part || PyList_Append(parts, part)) Py_CLEAR(parts);
        Py_XDECREF(part);
    }
    Py_XDECREF(items);
    PyObject *const made = parts ? py_call_named("stack", &parts, 1) : NULL;
    Py_XDECREF(parts);
    return made;
}

static PyObject *of_list(const struct wish *wish)
{
    if (wish->copy == 0) return refuse_copy();
    PyObject *made = of_plain_numbers(wish);
    const bool plain = made != NULL;
    const int held = made || PyErr_Occurred() ? 0 : holds_arrays(wish->object);
    if (PyErr_Occurred()) return NULL;
    if (held) made = of_arrays(wish->object);
    if (!made) return held ? NULL : of_numbers(wish);
    if (!py_is_array(made)) return made;
    const stria_dtype own = py_array(made)->dtype, wanted = wish->has_dtype ? wish->dtype
                                                            : plain         ? usual(own)
                                                                            : own;
    return stria_dtype_equal(own, wanted) ? made : converted(made, wanted);
}

static PyObject *make_array(const struct wish *wish)
{
    PyObject *const object = wish->object;
    if (py_is_lazy(object)) {
        PyObject *const computed = PyObject_CallMethod(object, "compute", NULL);
        return computed && py_is_array(computed) ? adapt(computed, wish) : computed;
    }
    if (py_is_array(object)) return adapt(Py_NewRef(object), wish);
    if (PyRange_Check(object)) {
        struct wish listed = *wish;
        listed.object = PySequence_List(object);
        PyObject *const made = listed.object ? make_array(&listed) : NULL;
        Py_XDECREF(listed.object);
        return made;
    }
    if (is_list(object)) return of_list(wish);
    const bool number = PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
                        PyBool_Check(object) || PyComplex_CheckExact(object);
    PyObject *const taken = number ? NULL : py_foreign_array(object);
    if (taken) return adapt(taken, wish);
    if (PyErr_Occurred()) return NULL;
    return wish->copy == 0 ? refuse_copy() : of_numbers(wish);
}

PyObject *py_asarray(PyObject *object, const stria_dtype *dtype)
{
    struct wish wish = {.object = object, .has_dtype = dtype != NULL, .copy = -1};
    if (dtype) wish.dtype = *dtype;
    return make_array(&wish);
}

static int read_copy(int *out, PyObject *object)
{
    *out = object == Py_None ? -1 : PyObject_IsTrue(object);
    return object != Py_None && *out < 0 ? -1 : 0;
}

static bool is_text(PyObject *object, const char *text)
{
    return PyUnicode_Check(object) && !PyUnicode_CompareWithASCIIString(object, text);
}

static PyObject *create(PyObject *args, PyObject *keywords, PyObject *copy)
{
    static char *names[] = {"", "dtype", "device", "copy", "order", "ndmin", NULL};
    struct wish wish;
    PyObject *dtype = Py_None, *device = Py_None, *order = Py_None;
    int ndmin = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O$OOOi:asarray", names, &wish.object,
                                     &dtype, &device, &copy, &order, &ndmin) ||
        read_copy(&wish.copy, copy))
        return NULL;
    if (device != Py_None && !is_text(device, "cpu"))
        return PyErr_Format(PyExc_ValueError, "asarray: there is no device %R here", device);
    const bool fortran = is_text(order, "F"), c = is_text(order, "C");
    if (order != Py_None && !fortran && !c && !is_text(order, "A") && !is_text(order, "K"))
        return PyErr_Format(PyExc_ValueError, "asarray: order is 'C', 'F', 'A' or 'K', not %R",
                            order);
    const int found = dtype == Py_None ? 0 : py_dtype_read(&wish.dtype, dtype);
    if (found < 0) return NULL;
    if (dtype != Py_None && !found) return PyErr_Format(PyExc_TypeError, "%R is no dtype", dtype);
    wish.has_dtype = found > 0;
    PyObject *made = make_array(&wish);
    if (wish.has_dtype) stria_dtype_release(wish.dtype);
    if (made && (c || fortran) && py_is_array(made)) {
        PyObject *const ordered =
            py_call_named(fortran ? "asfortranarray" : "ascontiguousarray", &made, 1);
        Py_DECREF(made);
        made = ordered;
    }
    while (made && py_is_array(made) && py_array(made)->ndim < ndmin) {
        PyObject *const deeper = PyObject_GetItem(made, Py_None);
        Py_DECREF(made);
        made = deeper;
    }
    return made;
}

/* Calls asarray. One object alone is the usual call; others are read as Python reads its
 * arguments. */
static PyObject *create_fast(PyObject *const *args, Py_ssize_t given, PyObject *names, bool copies)
{
    const Py_ssize_t keywords = names ? PyTuple_Size(names) : 0;
    const char *const name = copies ? "array" : "asarray";
    if (given == 1 && !keywords) {
        const struct wish wish = {.object = args[0], .copy = copies ? 1 : -1};
        PyObject *const made = make_array(&wish);
        return made ? made : py_call_again(name, NULL, args, given, names);
    }
    PyObject *const tuple = PyTuple_New(given), *const dict = PyDict_New();
    int status = tuple && dict ? 0 : -1;
    for (Py_ssize_t i = 0; !status && i < given; i++)
        status = PyTuple_SetItem(tuple, i, Py_NewRef(args[i]));
    for (Py_ssize_t i = 0; !status && i < keywords; i++)
        status = PyDict_SetItem(dict, PyTuple_GetItem(names, i), args[given + i]);
    PyObject *const made = status ? NULL : create(tuple, dict, copies ? Py_True : Py_None);
    Py_XDECREF(tuple);
    Py_XDECREF(dict);
    return made ? made : py_call_again(name, NULL, args, given, names);
}

static PyObject *asarray(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given,
                         PyObject *names)
{
    return create_fast(args, given, names, false);
}

static PyObject *array(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given,
                       PyObject *names)
{
    return create_fast(args, given, names, true);
}

static PyMethodDef methods[] = {
    {"asarray", (PyCFunction)(void (*)(void))asarray, METH_FASTCALL | METH_KEYWORDS,
     "asarray(obj, /, dtype=None, *, device=None, copy=None, order=None)\n--\n\n"
     "An array of a number, nested lists, or an object with memory (the buffer protocol, "
     "__array_interface__, __dlpack__), whose elements are shared unless they have to be "
     "converted. copy=True always copies, copy=False refuses to."
     "\n\n>>> st.asarray([[1, 2], [3, 4]])\nstria.Array([[1, 2],\n             [3, 4]], "
     "dtype=int64)"},
    {"array", (PyCFunction)(void (*)(void))array, METH_FASTCALL | METH_KEYWORDS,
     "array(obj, /, dtype=None, *, device=None, copy=True, order=None, ndmin=0)\n--\n\n"
     "A new array of what asarray takes, with at least ndmin dims."
     "\n\n>>> st.array([1.0, 2.5])\nstria.Array([1. , 2.5], dtype=float64)"},
    {NULL, NULL, 0, NULL}};

int py_creation_ready(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
