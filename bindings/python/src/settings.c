/* SPDX-License-Identifier: BSD-3-Clause */
/* How the calls of a thread run: what the context managers of the package set and put back. */
#include "binding.h"

_Thread_local struct settings py_settings = {.rule = STRIA_PROMOTE_NUMPY};

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

/* The rule in force. */
static PyObject *promotion(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyUnicode_FromString(py_settings.rule == STRIA_PROMOTE_NUMPY ? "numpy" : "torch");
}

/* ---- copies ---------------------------------------------------------------------------------- */

int py_note_copy(const char *what, const stria_view *view)
{
    const int64_t bytes = stria_nbytes(view);
    if (!py_settings.no_copies) {
        if (stria_buffer_is_meta(view->buffer)) return 0; /* recorded, and counted when computed */
        py_settings.copies += bytes > 0;
        py_settings.bytes += bytes;
        return 0;
    }
    if (bytes == 0) return 0;
    (void)PyErr_Format(
        py_error_class(STRIA_ERR_COPY),
        "%s: copies %lld bytes, which no_copies() forbids: there is no view of these "
        "elements in that layout",
        what, (long long)bytes);
    return -1;
}

/* Sets what holds for copies, and gives what held before and what was counted up to now. */
static PyObject *set_copies(PyObject *module, PyObject *args)
{
    int forbid, count;
    (void)module;
    if (!PyArg_ParseTuple(args, "(pp):_set_copies", &forbid, &count)) return NULL;
    PyObject *const before = Py_BuildValue("(NN)", PyBool_FromLong(py_settings.no_copies),
                                           PyBool_FromLong(py_settings.counts));
    if (before) {
        py_settings.no_copies = forbid != 0;
        py_settings.counts = count != 0;
    }
    return before;
}

static PyObject *copies(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_BuildValue("(LL)", (long long)py_settings.copies, (long long)py_settings.bytes);
}

/* ---- checked integers ------------------------------------------------------------------------ */

bool py_is_checked(stria_op op, stria_dtype dtype)
{
    return py_settings.checked && dtype.kind >= STRIA_I8 && dtype.kind <= STRIA_U64 &&
           (op == STRIA_ADD || op == STRIA_SUBTRACT || op == STRIA_MULTIPLY ||
            op == STRIA_NEGATIVE || op == STRIA_FLOOR_DIVIDE || op == STRIA_REMAINDER);
}

stria_status py_run_op(stria_op op, const stria_view *out, int n, const stria_view *const *operands,
                       const stria_exec *exec)
{
    return py_is_checked(op, out->dtype) ? stria_elementwise_checked(op, out, n, operands, exec)
                                         : stria_elementwise(op, out, n, operands, exec);
}

static PyObject *set_checked(PyObject *module, PyObject *truth)
{
    const bool before = py_settings.checked;
    const int now = PyObject_IsTrue(truth);
    (void)module;
    if (now < 0) return NULL;
    py_settings.checked = now != 0;
    return PyBool_FromLong(before);
}

static PyObject *checked(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyBool_FromLong(py_settings.checked);
}

/* ---- threads --------------------------------------------------------------------------------- */

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

/* What to write for a name of NumPy or PyTorch that is not here, or None. */
static PyObject *elsewhere(PyObject *module, PyObject *name)
{
    (void)module;
    const char *const text = PyUnicode_AsUTF8AndSize(name, NULL);
    const char *const write = text ? stria_function_elsewhere(text) : NULL;
    if (!text) return NULL;
    return write ? PyUnicode_FromString(write) : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"_elsewhere", elsewhere, METH_O, NULL},
    {"_set_call_threads", set_call_threads, METH_O, NULL},
    {"_promotion", promotion, METH_NOARGS, NULL},
    {"_set_promotion", set_promotion, METH_O, NULL},
    {"_set_copies", set_copies, METH_VARARGS, NULL},
    {"_copies", copies, METH_NOARGS, NULL},
    {"_set_checked", set_checked, METH_O, NULL},
    {"_checked", checked, METH_NOARGS, NULL},
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
