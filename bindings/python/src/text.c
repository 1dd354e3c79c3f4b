/* SPDX-License-Identifier: BSD-3-Clause */
/* stria.eval: text over named arrays, as stria_eval of the library reads it. */
#include "binding.h"

/* Reads the arrays that keywords name; a number is a weak scalar. */
static int read_names(stria_named *named, stria_arg *operands, struct call *call,
                      PyObject *const *values, PyObject *names, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        const int found = py_read_operand(&operands[i], call, values[i]);
        named[i].name = py_utf8(PyTuple_GetItem(names, i));
        if (found < 0 || !named[i].name) return -1;
        if (!found) {
            PyErr_Format(PyExc_TypeError, "eval: %s is neither an array nor a number",
                         named[i].name);
            return -1;
        }
        named[i].view = py_operand_view(call, &operands[i]);
        if (!named[i].view) return -1;
    }
    return 0;
}

static PyObject *eval(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given,
                      PyObject *names)
{
    const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
    stria_named named[STRIA_NAMES];
    stria_arg operands[STRIA_NAMES];
    stria_results results = {0};
    struct call call;
    if (given != 1 || !PyUnicode_Check(args[0]))
        return PyErr_Format(PyExc_TypeError, "eval takes one text, and arrays by their names");
    if (count > STRIA_NAMES)
        return PyErr_Format(PyExc_ValueError, "eval: %zd names are more than %d", count,
                            STRIA_NAMES);
    const char *const text = py_utf8(args[0]);
    if (!text) return NULL;
    py_call_begin(&call);
    PyObject *made = NULL;
    if (!read_names(named, operands, &call, args + given, names, count)) {
        const stria_exec exec = py_exec();
        stria_status status;
        WITHOUT_GIL(call.bytes, status = stria_eval(&results, text, (int)count, named, &exec));
        made = status ? py_raise(status) : py_results(&results, &call);
        stria_results_release(&results);
    }
    py_call_end(&call);
    return made;
}

static PyMethodDef methods[] = {
    {"eval", (PyCFunction)(void (*)(void))eval, METH_FASTCALL | METH_KEYWORDS,
     "eval(text, /, **arrays)\n--\n\nComputes an expression in the words of NumPy and PyTorch over "
     "named arrays, elementwise parts in one pass over memory."
     "\n\n>>> st.eval('a * 2 + 1', a=st.asarray([1, 2]))\nstria.Array([3, 5], dtype=int64)"},
    {NULL, NULL, 0, NULL}};

int py_text_ready(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
