/* SPDX-License-Identifier: BSD-3-Clause */
/* How the calls of a thread run: the settings that context managers of the package set and
 * restore. */
#include <string.h>

#include "binding.h"

_Thread_local struct settings py_settings = {.rule = STRIA_PROMOTE_NUMPY};
int py_watching;

static const char *rule_name(void)
{
    return py_settings.rule == STRIA_PROMOTE_NUMPY ? "numpy" : "torch";
}

/* Returns (rule, checked, threads, no_copies, counts); threads 0: the default. */
static PyObject *settings(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    const struct settings *const s = &py_settings;
    return Py_BuildValue("(sNiNN)", rule_name(), PyBool_FromLong(s->checked), s->threads,
                         PyBool_FromLong(s->no_copies), PyBool_FromLong(s->counts));
}

/* Sets what settings returns, and returns the settings from before. */
static PyObject *set_settings(PyObject *module, PyObject *args)
{
    const char *rule;
    int checked, threads, no_copies, counts;
    if (!PyArg_ParseTuple(args, "spipp:_set_settings", &rule, &checked, &threads, &no_copies,
                          &counts))
        return NULL;
    if (threads < 0 || threads > 1 << 20)
        return PyErr_Format(PyExc_ValueError, "threads: %d is no number of threads", threads);
    if (strcmp(rule, "numpy") != 0 && strcmp(rule, "torch") != 0)
        return PyErr_Format(PyExc_ValueError, "promotion: '%s' is neither 'numpy' nor 'torch'",
                            rule);
    PyObject *const before = settings(module, NULL);
    if (!before) return NULL;
    py_settings.rule = *rule == 'n' ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
    py_settings.checked = checked != 0;
    py_settings.threads = threads;
    py_settings.no_copies = no_copies != 0;
    py_settings.counts = counts != 0;
    return before;
}

/* Implements _note_errors(on): whether this thread notes them, and returns whether it did. */
static PyObject *note_errors(PyObject *Py_UNUSED(module), PyObject *on)
{
    const bool before = py_settings.errors;
    const int wanted = PyObject_IsTrue(on);
    if (wanted < 0) return NULL;
    py_settings.errors = wanted != 0;
    py_watching += (int)py_settings.errors - (int)before;
    return PyBool_FromLong(before);
}

/* Implements _set_creating(hook): what makes the arrays of functions that create some, in this
 * thread; returns what did before. */
static PyObject *set_creating(PyObject *Py_UNUSED(module), PyObject *hook)
{
    PyObject *const before = py_settings.creating;
    py_settings.creating = hook == Py_None ? NULL : Py_NewRef(hook);
    return before ? before : Py_NewRef(Py_None);
}

/* Implements _set_refusing(hook): what refuses to write into an array, in this thread; returns what
 * did before. */
static PyObject *set_refusing(PyObject *Py_UNUSED(module), PyObject *hook)
{
    PyObject *const before = py_settings.refusing;
    py_settings.refusing = hook == Py_None ? NULL : Py_NewRef(hook);
    return before ? before : Py_NewRef(Py_None);
}

int py_refuse_write(PyObject *object)
{
    PyObject *const hook = py_settings.refusing;
    if (!hook || !object || !py_is_array(object) || stria_buffer_is_meta(py_array(object)->buffer))
        return 0;
    PyObject *const made = PyObject_CallNoArgs(hook);
    Py_XDECREF(made);
    return made ? 0 : -1;
}

int py_refuse_writes(bool first, PyObject *self, PyObject *const *args, Py_ssize_t given,
                     PyObject *names)
{
    if (!py_settings.refusing) return 0;
    if (first && py_refuse_write(self ? self : given ? args[0] : NULL)) return -1;
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++) {
        PyObject *const out = args[given + i];
        if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), "out") != 0) continue;
        if (py_refuse_write(out)) return -1;
        for (Py_ssize_t k = 0; PyTuple_Check(out) && k < PyTuple_Size(out); k++)
            if (py_refuse_write(PyTuple_GetItem(out, k))) return -1;
    }
    return 0;
}

/* Implements _notes_errors(): whether this thread notes divisions by 0 and the like. */
static PyObject *notes_errors(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    return PyBool_FromLong(py_notes_errors());
}

PyObject *py_create_recorded(const char *name, PyObject *args, PyObject *keywords)
{
    PyObject *const hook = py_settings.creating, *const refusing = py_settings.refusing;
    PyObject *const given = keywords ? Py_NewRef(keywords) : PyDict_New();
    py_settings.creating = py_settings.refusing = NULL; /* The hook itself calls the function. */
    PyObject *const made = given ? PyObject_CallFunction(hook, "sOO", name, args, given) : NULL;
    py_settings.creating = hook;
    py_settings.refusing = refusing;
    Py_XDECREF(given);
    return made;
}

/* ---- copies ---------------------------------------------------------------------------------- */

int py_note_copy(const char *what, const stria_view *view)
{
    const int64_t bytes = stria_nbytes(view);
    if (!py_settings.no_copies) {
        /* It is recorded, and counted when it is computed. */
        if (stria_buffer_is_meta(view->buffer)) return 0;
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

static PyObject *copies(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
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
    return py_is_checked(op, out->dtype) ? stria_elementwise_checked(out, op, n, operands, exec)
                                         : stria_elementwise(out, op, n, operands, exec);
}

/* ---- threads --------------------------------------------------------------------------------- */

static PyObject *set_threads(PyObject *Py_UNUSED(module), PyObject *number)
{
    const long n = PyLong_AsLong(number);
    if (n == -1 && PyErr_Occurred()) return NULL;
    if (n < 0 || n > 1 << 20)
        return PyErr_Format(PyExc_ValueError, "set_threads: %ld is no number of threads", n);
    const stria_status status = stria_set_threads((int)n);
    return status ? py_raise(status) : Py_NewRef(Py_None);
}

static PyObject *get_threads(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    return PyLong_FromLong(py_settings.threads ? py_settings.threads : stria_threads());
}

static PyObject *set_keep_limit(PyObject *Py_UNUSED(module), PyObject *number)
{
    const int64_t bytes = PyLong_AsLongLong(number);
    if (bytes == -1 && PyErr_Occurred()) return NULL;
    const stria_status status = stria_set_keep_limit(bytes);
    return status ? py_raise(status) : Py_NewRef(Py_None);
}

static PyObject *isa_name(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    return PyUnicode_FromString(stria_isa_name());
}

static PyObject *machine_profile(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    return PyUnicode_FromString(stria_machine_profile());
}

/* Returns the text to write for a name of NumPy or PyTorch that is not here, or None. */
static PyObject *elsewhere(PyObject *Py_UNUSED(module), PyObject *name)
{
    const char *const text = py_utf8(name);
    const char *const write = text ? stria_function_elsewhere(text) : NULL;
    PyErr_Clear(); /* Text that C cannot hold is no name either. */
    return write ? PyUnicode_FromString(write) : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"_elsewhere", elsewhere, METH_O, NULL},
    {"_settings", settings, METH_NOARGS, NULL},
    {"_set_settings", set_settings, METH_VARARGS, NULL},
    {"_set_creating", set_creating, METH_O, NULL},
    {"_set_refusing", set_refusing, METH_O, NULL},
    {"_note_errors", note_errors, METH_O, NULL},
    {"_notes_errors", notes_errors, METH_NOARGS, NULL},
    {"_copies", copies, METH_NOARGS, NULL},
    {"set_threads", set_threads, METH_O,
     "set_threads(n, /)\n--\n\nSets how many threads a call may use, in all threads; 0: as many as "
     "there are CPUs."
     "\n\n>>> st.set_threads(0)"},
    {"get_threads", get_threads, METH_NOARGS,
     "get_threads()\n--\n\nHow many threads a call of this thread may use."
     "\n\n>>> st.get_threads() >= 1\nTrue"},
    {"set_keep_limit", set_keep_limit, METH_O,
     "set_keep_limit(bytes, /)\n--\n\nSets how many bytes of memory that arrays gave back are kept "
     "for the next arrays of their sizes, and gives back what is more; 0: none."
     "\n\n>>> limit = st.set_keep_limit(1 << 20)"},
    {"isa_name", isa_name, METH_NOARGS,
     "isa_name()\n--\n\nThe instruction set in use, as \"avx2\"."
     "\n\n>>> st.isa_name() != ''\nTrue"},
    {"machine_profile", machine_profile, METH_NOARGS,
     "machine_profile()\n--\n\nWhere the numbers in use come from by which loops are chosen: the "
     "path of a profile of `stria tune`, the name of a CPU, or \"caches\"."
     "\n\n>>> name = st.machine_profile()"},
    {NULL, NULL, 0, NULL}};

/*
 * Looks for signals some twenty times in a second: to take the GIL can take 5 ms where another
 * thread has it. What a handler raises stays set, for py_raise.
 */
static bool has_no_signal(void *Py_UNUSED(context), int64_t Py_UNUSED(bytes))
{
    enum { ONE_OF = 16 };
    static unsigned calls;
    if (++calls % ONE_OF) return true;
    const PyGILState_STATE held = PyGILState_Ensure();
    stria_watch *const own = py_settings.watch; /* which is not for what handlers call */
    py_settings.watch = NULL;
    const bool raised = PyErr_CheckSignals() != 0;
    py_settings.watch = own;
    PyGILState_Release(held);
    return !raised;
}

static stria_watch interrupts = {.go_on = has_no_signal};

int py_settings_ready(PyObject *module)
{
    py_settings.watch = &interrupts;
    return PyModule_AddFunctions(module, methods);
}
