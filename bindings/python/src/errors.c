/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exceptions. Each status has its class, which derives from stria.Error and from the class that
 * Python's own functions and NumPy's raise in that case; .status is the library's name of it.
 */
#include <string.h>

#include "binding.h"

enum { STATUSES = 18 };

static PyObject *error, *classes[STATUSES];
static PyObject
    *beyond; /* NumPy's OverflowError: an integer beside an array whose dtype lacks it. */

#define ROW(status, name, first, second)                                                           \
    {                                                                                              \
        status, "stria." name, first, second                                                       \
    }

static const struct {
    stria_status status;
    const char *name;
    PyObject **first, **second; /* The classes of Python. */
} rows[] = {
    ROW(STRIA_ERR_ARGUMENT, "ArgumentError", &PyExc_ValueError, &PyExc_TypeError),
    ROW(STRIA_ERR_SHAPE, "ShapeError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_DIM, "AxisError", &PyExc_ValueError, &PyExc_IndexError),
    ROW(STRIA_ERR_INDEX, "BadIndexError", &PyExc_IndexError, NULL),
    ROW(STRIA_ERR_STRIDE, "StrideError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_BROADCAST, "BroadcastError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_BOUNDS, "BoundsError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_OVERFLOW, "OutOfRangeError", &PyExc_OverflowError, NULL),
    ROW(STRIA_ERR_DTYPE, "DTypeError", &PyExc_TypeError, NULL),
    ROW(STRIA_ERR_READONLY, "ReadOnlyError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_OVERLAP, "OverlapError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_COPY, "CopyError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_MEMORY, "OutOfMemoryError", &PyExc_MemoryError, NULL),
    ROW(STRIA_ERR_IO, "FileError", &PyExc_OSError, NULL),
    ROW(STRIA_ERR_FORMAT, "FormatError", &PyExc_ValueError, NULL),
    ROW(STRIA_ERR_UNSUPPORTED, "UnsupportedError", &PyExc_NotImplementedError, NULL),
    ROW(STRIA_ERR_CANCELLED, "CancelledError", &PyExc_InterruptedError, NULL),
};

static int make_error(PyObject *module, size_t i)
{
    PyObject *const bases = rows[i].second ? PyTuple_Pack(3, error, *rows[i].first, *rows[i].second)
                                           : PyTuple_Pack(2, error, *rows[i].first);
    PyObject *const dict = Py_BuildValue("{ss}", "status", stria_status_name(rows[i].status));
    PyObject *const made =
        bases && dict
            ? PyErr_NewExceptionWithDoc(rows[i].name, "An error of the library.", bases, dict)
            : NULL;
    Py_XDECREF(bases);
    Py_XDECREF(dict);
    if (!made) return -1;
    classes[-rows[i].status] = made;
    return PyModule_AddObjectRef(module, rows[i].name + sizeof "stria." - 1, made);
}

int py_errors_ready(PyObject *module)
{
    PyObject *const dict = Py_BuildValue("{ss}", "status", "error");
    if (!dict) return -1;
    error = PyErr_NewExceptionWithDoc(
        "stria.Error", "What the library refuses; .status names the kind.", NULL, dict);
    Py_DECREF(dict);
    if (!error || PyModule_AddObjectRef(module, "Error", error)) return -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (make_error(module, i)) return -1;
    PyObject *const bases =
        PyTuple_Pack(2, classes[-STRIA_ERR_ARGUMENT], classes[-STRIA_ERR_OVERFLOW]);
    if (bases)
        beyond = PyErr_NewExceptionWithDoc("stria.OverflowError", "An error of the library.", bases,
                                           NULL);
    Py_XDECREF(bases);
    return beyond ? 0 : -1;
}

PyObject *py_error_class(stria_status status)
{
    return -status > 0 && -status < STATUSES ? classes[-status] : error;
}

/* Replaces names of C in the text by Python's. Takes the reference over. */
static PyObject *in_python(PyObject *text)
{
    static const char *const names[][2] = {{"STRIA_CASTING_UNSAFE", "casting='unsafe'"},
                                           {"STRIA_PROMOTE_AS_NUMPY", "promotion('numpy')"},
                                           {"STRIA_NPY_MAP_RW", "load(mmap='r+')"},
                                           {"stria_npy_create", "create()"},
                                           {"stria_copy", "copyto(..., casting='unsafe')"},
                                           {"stria_multiply", "multiply"},
                                           {"stria_where", "where"},
                                           {"stria_view_as_real", "view_as_real"}};
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++) {
        PyObject *const made = PyObject_CallMethod(text, "replace", "ss", names[i][0], names[i][1]);
        Py_DECREF(text);
        text = made;
    }
    return text;
}

PyObject *py_raise(stria_status status)
{
    if (PyErr_Occurred()) return NULL;
    const char *const said = stria_last_error();
    PyObject *const text =
        status == STRIA_ERR_DTYPE || status == STRIA_ERR_ARGUMENT
            ? in_python(PyUnicode_DecodeUTF8(said, (Py_ssize_t)strlen(said), "replace"))
            : NULL;
    const bool range =
        text && status == STRIA_ERR_ARGUMENT && strstr(said, " is out of the range of ");
    if (text)
        PyErr_SetObject(range ? beyond : py_error_class(status), text);
    else if (!PyErr_Occurred())
        PyErr_SetString(py_error_class(status), said);
    Py_XDECREF(text);
    return NULL;
}

PyObject *py_raise_buffer_error(void)
{
    PyErr_SetString(PyExc_BufferError, stria_last_error());
    return NULL;
}
