/* SPDX-License-Identifier: BSD-3-Clause */
/* How the calls of a thread run: what the context managers of the package set and put back. */
#include "binding.h"

_Thread_local struct settings py_settings = {0, STRIA_PROMOTE_NUMPY};

/* Sets the threads of each call and gives those before; 0 is the default. */
static PyObject *set_call_threads(PyObject *module, PyObject *number)
{
    const long n = PyLong_AsLong(number), before = py_settings.threads;
    (void)module;
    if (n == -1 && PyErr_Occurred()) return NULL;
    if (n < 0 || n > 1 << 20)
        return PyErr_Format(PyExc_ValueError, "threads: %ld is no number of threads", n);
    py_settings.threads = (int)n;
    return PyLong_FromLong(before);
}

/* Sets the rule of promotion, "numpy" or "torch", and gives the one before. */
static PyObject *set_promotion(PyObject *module, PyObject *name)
{
    const char *const before = py_settings.rule == STRIA_PROMOTE_NUMPY ? "numpy" : "torch";
    (void)module;
    if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "numpy") == 0)
        py_settings.rule = STRIA_PROMOTE_NUMPY;
    else if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "torch") == 0)
        py_settings.rule = STRIA_PROMOTE_TORCH;
    else
        return PyErr_Format(PyExc_ValueError, "promotion: %R is neither 'numpy' nor 'torch'", name);
    return PyUnicode_FromString(before);
}

static PyObject *set_threads(PyObject *module, PyObject *number)
{
    const long n = PyLong_AsLong(number);
    (void)module;
    if (n == -1 && PyErr_Occurred()) return NULL;
    if (n < 0 || n > 1 << 20)
        return PyErr_Format(PyExc_ValueError, "set_threads: %ld is no number of threads", n);
    const stria_status status = stria_set_threads((int)n);
    return status ? py_raise(status) : Py_NewRef(Py_None);
}

static PyObject *get_threads(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyLong_FromLong(py_settings.threads ? py_settings.threads : stria_threads());
}

static PyObject *isa_name(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyUnicode_FromString(stria_isa_name());
}

static PyMethodDef methods[] = {
    {"_set_call_threads", set_call_threads, METH_O, NULL},
    {"_set_promotion", set_promotion, METH_O, NULL},
    {"set_threads", set_threads, METH_O,
     "set_threads(n, /)\n--\n\nSets how many threads a call may use, in all threads; 0: as many as "
     "there are CPUs."},
    {"get_threads", get_threads, METH_NOARGS,
     "get_threads()\n--\n\nHow many threads a call of this thread may use."},
    {"isa_name", isa_name, METH_NOARGS,
     "isa_name()\n--\n\nThe instruction set in use, as \"avx2\"."},
    {NULL, NULL, 0, NULL}};

int py_settings_ready(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
