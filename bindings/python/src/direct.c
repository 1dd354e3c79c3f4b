/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short ways of the calls that programs make most: a reduction of all elements, another shape,
 * another order of dims or dtype, new arrays of a shape. Each gives what the registry's function
 * gives for the same arguments, or declines, and then that function is called.
 */
#include <string.h>

#include "functions.h"

static bool read_int(int64_t *out, PyObject *object)
{
    int beyond = 1;
    if (PyLong_CheckExact(object)) *out = PyLong_AsLongLongAndOverflow(object, &beyond);
    return !beyond;
}

/* Reads ints, or one tuple or list of them; -1 for anything else, without an exception. */
static int read_ints(int64_t *out, PyObject *const *args, Py_ssize_t count)
{
    PyObject *const tuple = count == 1 && py_is_exact_list(args[0]) ? args[0] : NULL;
    const Py_ssize_t n = tuple ? PySequence_Size(tuple) : count;
    if (n > STRIA_MAX_NDIM) return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *const item = tuple ? PySequence_GetItem(tuple, i) : Py_NewRef(args[i]);
        const bool read = item && read_int(&out[i], item);
        Py_XDECREF(item);
        if (!item) PyErr_Clear(); /* another thread made the list shorter */
        if (!read) return -1;
    }
    return (int)n;
}

/* The array that the call is about, and what follows it; NULL if it is none. */
static PyObject *subject(PyObject *self, PyObject *const **args, Py_ssize_t *count)
{
    if (self) return self;
    if (*count < 1 || !py_is_array((*args)[0])) return NULL;
    ++*args;
    --*count;
    return (*args)[-1];
}

static PyObject *reshaped(PyObject *x, PyObject *const *args, Py_ssize_t count)
{
    stria_view a, out;
    int64_t shape[STRIA_MAX_NDIM];
    const int n = read_ints(shape, args, count);
    if (n < 0 || count == 0) return NULL;
    py_view(&a, py_array(x));
    if (!stria_is_contiguous(&a, STRIA_ORDER_C)) return NULL;
    const stria_status status = stria_view_shape(&out, &a, n, shape);
    return status ? py_raise(status) : py_array_of_view(&out, py_array_memory(py_array(x)));
}

static PyObject *permuted(PyObject *x, PyObject *const *args, Py_ssize_t count)
{
    stria_view a, out;
    int64_t numbers[STRIA_MAX_NDIM];
    int dims[STRIA_MAX_NDIM];
    const int n = read_ints(numbers, args, count);
    if (n < 0 || count == 0) return NULL;
    for (int i = 0; i < n; i++) {
        if (numbers[i] < -STRIA_MAX_NDIM || numbers[i] > STRIA_MAX_NDIM) return NULL;
        dims[i] = (int)numbers[i];
    }
    py_view(&a, py_array(x));
    const stria_status status = stria_permute(&out, &a, n, dims);
    return status ? py_raise(status) : py_array_of_view(&out, py_array_memory(py_array(x)));
}

/* The elements as another dtype; other arguments of view are shapes. */
static PyObject *viewed(PyObject *x, PyObject *const *args, Py_ssize_t count)
{
    stria_view a, out;
    stria_dtype dtype;
    if (count != 1 || (!PyUnicode_Check(args[0]) && !py_is_dtype(args[0]))) return NULL;
    if (py_dtype_read(&dtype, args[0]) <= 0) return NULL;
    py_view(&a, py_array(x));
    const stria_status status = stria_view_dtype(&out, &a, dtype);
    PyObject *const made =
        status ? py_raise(status) : py_array_of_view(&out, py_array_memory(py_array(x)));
    stria_dtype_release(dtype);
    return made;
}

static PyObject *reduced(stria_reduction op, PyObject *x)
{
    const stria_exec exec = py_exec();
    stria_view a, out;
    stria_dtype dtype;
    stria_status status;
    py_view(&a, py_array(x));
    if (a.dtype.kind > STRIA_C128 || stria_buffer_is_meta(a.buffer)) return NULL;
    status = stria_reduction_dtype(&dtype, op, a.dtype, py_settings.rule);
    if (status) return NULL;
    PyObject *const made = py_array_new(&out, dtype, 0, NULL);
    if (!made) return NULL;
    const int64_t bytes = stria_nbytes(&a);
    WITHOUT_GIL(bytes, status = stria_reduce_dims(op, &out, &a, STRIA_ALL_DIMS, NULL, NULL, &exec));
    if (!status) return made;
    Py_DECREF(made);
    return NULL; /* the function refuses it with its own name */
}

static PyObject *empty(bool zeros, PyObject *const *args, Py_ssize_t count)
{
    stria_view out;
    int64_t shape[STRIA_MAX_NDIM];
    const int n = count == 1 ? read_ints(shape, args, 1) : -1;
    double numel = 1;
    for (int i = 0; i < n; i++)
        numel = shape[i] < 0 ? 1e9 : numel * (double)shape[i];
    if (n < 0 || numel > SMALL / 8) return NULL;
    PyObject *const made = py_array_new(&out, stria_dtype_of(STRIA_F64), n, shape);
    if (made && zeros) memset(out.data, 0, (size_t)(8 * numel));
    return made;
}

PyObject *py_call_direct(const struct entry *e, PyObject *self, PyObject *const *args,
                         Py_ssize_t count)
{
    if (e->direct == DIRECT_EMPTY || e->direct == DIRECT_ZEROS)
        return self || py_settings.rule != STRIA_PROMOTE_NUMPY
                   ? NULL
                   : empty(e->direct == DIRECT_ZEROS, args, count);
    PyObject *const x = subject(self, &args, &count);
    if (!x) return NULL;
    switch (e->direct) {
    case DIRECT_RESHAPE: return reshaped(x, args, count);
    case DIRECT_VIEW: return viewed(x, args, count);
    case DIRECT_PERMUTE: return permuted(x, args, count);
    case DIRECT_REDUCE:
        return count || py_settings.rule != STRIA_PROMOTE_NUMPY ? NULL : reduced(e->reduction, x);
    default: return NULL;
    }
}

void py_find_direct(struct entry *e, const char *c)
{
    static const char *const reductions[] = {"sum", "prod", "mean", "max", "min", "all", "any"};
    static const struct {
        const char *name;
        enum direct way;
    } others[] = {{"reshape", DIRECT_RESHAPE}, {"view", DIRECT_VIEW},
                  {"permute", DIRECT_PERMUTE}, {"permute_dims", DIRECT_PERMUTE},
                  {"empty", DIRECT_EMPTY},     {"zeros", DIRECT_ZEROS}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(e->name, others[i].name)) e->direct = others[i].way;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        if (strcmp(e->name, reductions[i]) != 0 || strcmp(c + 6, reductions[i]) != 0) continue;
        for (int op = 0; op < STRIA_REDUCTIONS; op++)
            if (!strcmp(stria_reduction_name((stria_reduction)op), reductions[i])) {
                e->direct = DIRECT_REDUCE;
                e->reduction = (stria_reduction)op;
            }
    }
}
