/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions of the library (stria/expr.h) for _lazy.py, which keeps what was recorded and decides
 * what is computed together: nodes are made one by one, and then run over arrays.
 */
#include <string.h>

#include "functions.h"

typedef struct {
    PyObject_HEAD stria_expr *expr;
} Expression;

static PyTypeObject *type;

static stria_expr *expr_of(PyObject *self)
{
    return ((Expression *)self)->expr;
}

static PyObject *expression_new(PyTypeObject *class, PyObject *args, PyObject *keywords)
{
    Expression *const made = PyObject_New(Expression, class);
    (void)args, (void)keywords;
    if (!made) return NULL;
    made->expr = NULL;
    const stria_status status = stria_expr_new(&made->expr);
    if (!status) return (PyObject *)made;
    Py_DECREF(made);
    return py_raise(status);
}

static void expression_dealloc(PyObject *self)
{
    PyTypeObject *const class = Py_TYPE(self);
    stria_expr_free(expr_of(self));
    PyObject_Free(self);
    Py_DECREF(class);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* node is written by the call that gives the status. */
static PyObject *node_of(stria_status status, const int *node)
{
    return status ? py_raise(status) : PyLong_FromLong(*node);
}

static PyObject *input(PyObject *self, PyObject *number)
{
    int node = 0;
    const long n = PyLong_AsLong(number);
    if (n == -1 && PyErr_Occurred()) return NULL;
    return node_of(stria_expr_input(expr_of(self), &node, n >= 0 && n < 1 << 20 ? (int)n : -1),
                   &node);
}

static PyObject *scalar(PyObject *self, PyObject *number)
{
    struct call call;
    stria_arg arg;
    int node = 0;
    PyObject *made = NULL;
    py_call_begin(&call);
    const int found = py_read_operand(&arg, &call, number);
    const stria_view *const view =
        found > 0 && arg.kind != STRIA_ARG_VIEW ? py_operand_view(&call, &arg) : NULL;
    if (view)
        made = node_of(
            stria_expr_scalar(expr_of(self), &node, (stria_kind)view->dtype.kind, view->data),
            &node);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R is no number", number);
    py_call_end(&call);
    return made;
}

/* Reads at most `most` integers of a tuple or list; -1. */
static int read_numbers(int *out, PyObject *sequence, int most)
{
    const Py_ssize_t count = PySequence_Size(sequence);
    if (count < 0) return -1;
    if (count > most) return PyErr_SetString(PyExc_ValueError, "too many numbers"), -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const item = PySequence_GetItem(sequence, i);
        const long n = item ? PyLong_AsLong(item) : -1;
        Py_XDECREF(item);
        if (n == -1 && PyErr_Occurred()) return -1;
        out[i] = n >= -(1 << 20) && n < 1 << 20 ? (int)n : -(1 << 20);
    }
    return (int)count;
}

static PyObject *operation(PyObject *self, PyObject *args)
{
    int op, node = 0, operands[3];
    PyObject *nodes;
    if (!PyArg_ParseTuple(args, "iO:op", &op, &nodes)) return NULL;
    const int n = read_numbers(operands, nodes, 3);
    if (n < 0) return NULL;
    return node_of(stria_expr_op(expr_of(self), &node, (stria_op)op, n, operands), &node);
}

/* ---- running --------------------------------------------------------------------------------- */

/* The arrays that an expression is run over, and what it is told. */
struct run {
    struct call call;
    int n;
    const stria_view *views[STRIA_EXPR_INPUTS];
    stria_exec exec;
};

static int begin(struct run *run, PyObject *inputs, const char *rule)
{
    const Py_ssize_t count = PyTuple_Check(inputs) ? PyTuple_Size(inputs) : -1;
    py_call_begin(&run->call);
    run->n = (int)count;
    run->exec = py_exec();
    run->exec.hints = strcmp(rule, "numpy") ? 0 : STRIA_PROMOTE_AS_NUMPY;
    if (count < 0 || count > STRIA_EXPR_INPUTS)
        return PyErr_SetString(PyExc_ValueError, "no tuple of at most 32 arrays"), -1;
    for (int i = 0; i < run->n; i++) {
        stria_arg arg;
        PyObject *const array = PyTuple_GetItem(inputs, i);
        if (!py_is_array(array)) return PyErr_Format(PyExc_TypeError, "%R is no array", array), -1;
        if (py_read_operand(&arg, &run->call, array) < 0) return -1;
        run->views[i] = arg.value.view;
    }
    return 0;
}

static PyObject *arrays_of(stria_array *made, int count)
{
    PyObject *const list = PyList_New(count);
    int failed = !list;
    for (int i = 0; i < count; i++) {
        PyObject *const array =
            failed ? (stria_array_release(&made[i]), NULL) : py_array_of_owner(&made[i]);
        failed |= !array || PyList_SetItem(list, i, array);
    }
    if (!failed) return list;
    Py_XDECREF(list);
    return NULL;
}

/* evaluate(nodes, inputs, rule, out=None): new arrays, one for each node; or out. */
static PyObject *evaluate(PyObject *self, PyObject *args)
{
    struct run run;
    PyObject *nodes, *inputs, *out = Py_None, *result = NULL;
    const char *rule;
    int which[STRIA_EXPR_OUTPUTS];
    if (!PyArg_ParseTuple(args, "OOs|O:evaluate", &nodes, &inputs, &rule, &out)) return NULL;
    const int count = read_numbers(which, nodes, STRIA_EXPR_OUTPUTS);
    if (count < 0) return NULL;
    if (!begin(&run, inputs, rule)) {
        const stria_expr *const e = expr_of(self);
        stria_array made[STRIA_EXPR_OUTPUTS] = {{.owned = NULL}};
        stria_status status;
        if (py_is_array(out)) {
            stria_view view;
            py_view(&view, py_array(out));
            WITHOUT_GIL(run.call.bytes, status = stria_expr_evaluate_several(
                                            e, count, which, (const stria_view *const[]){&view},
                                            run.n, run.views, &run.exec));
            result = status ? py_raise(status) : Py_NewRef(out);
        } else {
            WITHOUT_GIL(run.call.bytes, status = stria_expr_evaluate_several_new(
                                            made, e, count, which, run.n, run.views, &run.exec));
            result = status ? py_raise(status) : arrays_of(made, count);
        }
    }
    py_call_end(&run.call);
    return result;
}

/* reduce(reduction, inputs, rule, dims or None, keepdims, ddof): of the node that was made last. */
static PyObject *reduce(PyObject *self, PyObject *args)
{
    struct run run;
    PyObject *inputs, *axes, *result = NULL;
    stria_reduce_options options = {0};
    const char *rule;
    int reduction, keepdims, dims[STRIA_MAX_NDIM];
    if (!PyArg_ParseTuple(args, "iOsOpd:reduce", &reduction, &inputs, &rule, &axes, &keepdims,
                          &options.ddof))
        return NULL;
    options.keepdims = keepdims != 0;
    const int count = axes == Py_None ? STRIA_ALL_DIMS : read_numbers(dims, axes, STRIA_MAX_NDIM);
    if (count < 0 && PyErr_Occurred()) return NULL;
    if (!begin(&run, inputs, rule)) {
        stria_array made = {.owned = NULL};
        stria_status status;
        WITHOUT_GIL(run.call.bytes, status = stria_expr_reduce_new(
                                        &made, expr_of(self), (stria_reduction)reduction, run.n,
                                        run.views, count, dims, &options, &run.exec));
        result = status ? py_raise(status) : py_array_of_owner(&made);
    }
    py_call_end(&run.call);
    return result;
}

/* explain(inputs, rule, out): how the node that was made last would be run. */
static PyObject *explain(PyObject *self, PyObject *args)
{
    struct run run;
    PyObject *inputs, *out, *result = NULL;
    const char *rule;
    char text[4096];
    if (!PyArg_ParseTuple(args, "OsO:explain", &inputs, &rule, &out)) return NULL;
    if (!py_is_array(out)) return PyErr_Format(PyExc_TypeError, "%R is no array", out);
    if (!begin(&run, inputs, rule)) {
        stria_view view;
        py_view(&view, py_array(out));
        const stria_status status = stria_expr_explain(text, sizeof text, expr_of(self), &view,
                                                       run.n, run.views, &run.exec);
        result = status ? py_raise(status) : PyUnicode_FromString(text);
    }
    py_call_end(&run.call);
    return result;
}

static PyMethodDef expression_methods[] = {{"input", input, METH_O, NULL},
                                           {"scalar", scalar, METH_O, NULL},
                                           {"op", operation, METH_VARARGS, NULL},
                                           {"evaluate", evaluate, METH_VARARGS, NULL},
                                           {"reduce", reduce, METH_VARARGS, NULL},
                                           {"explain", explain, METH_VARARGS, NULL},
                                           {NULL, NULL, 0, NULL}};

/* ---- the module ------------------------------------------------------------------------------ */

/* An array of the same layout that has no memory. */
static PyObject *meta(PyObject *module, PyObject *object)
{
    stria_array made = {.owned = NULL};
    (void)module;
    if (!py_is_array(object)) return PyErr_Format(PyExc_TypeError, "%R is no array", object);
    const Array *const a = py_array(object);
    int64_t low = 0, high = a->dtype.itemsize;
    for (int d = 0; d < a->ndim; d++) {
        const int64_t reach = (a->dims[d] - 1) * a->dims[a->ndim + d];
        if (a->dims[d] == 0) low = high = 0;
        if (high == 0) break;
        *(reach < 0 ? &low : &high) += reach;
    }
    stria_status status = stria_buffer_meta(&made.owned, high - low);
    if (!status)
        status = stria_view_make(&made.view, made.owned, a->dtype, a->ndim, a->dims,
                                 a->dims + a->ndim, -low);
    if (!status) return py_array_of_owner(&made);
    stria_array_release(&made);
    return py_raise(status);
}

/* (name, constant, inputs, guessed cycles of an element) of every operation. */
static PyObject *operations(PyObject *module, PyObject *unused)
{
    static const struct {
        const char *name;
        int op, inputs;
        double cycles;
    } rows[] = {
#define ROW(constant, name, inputs, dtypes, result, cycles) {#name, constant, inputs, cycles},
        STRIA_OP_LIST(ROW)
#undef ROW
    };
    const int count = (int)(sizeof rows / sizeof *rows);
    PyObject *const made = PyTuple_New(count);
    (void)module, (void)unused;
    for (int i = 0; made && i < count; i++)
        (void)PyTuple_SetItem(
            made, i,
            Py_BuildValue("siid", rows[i].name, rows[i].op, rows[i].inputs, rows[i].cycles));
    return made;
}

/* The names of reductions, in the order of their constants. */
static PyObject *reductions(PyObject *module, PyObject *unused)
{
    PyObject *const made = PyTuple_New(STRIA_REDUCTIONS);
    (void)module, (void)unused;
    for (int op = 0; made && op < STRIA_REDUCTIONS; op++)
        (void)PyTuple_SetItem(made, op,
                              PyUnicode_FromString(stria_reduction_name((stria_reduction)op)));
    return made;
}

static PyMethodDef methods[] = {{"_meta", meta, METH_O, NULL},
                                {"_operations", operations, METH_NOARGS, NULL},
                                {"_reductions", reductions, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};

int py_expression_ready(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_new, expression_new},
                           {Py_tp_dealloc, expression_dealloc},
                           {Py_tp_methods, expression_methods},
                           {0, NULL}};
    PyType_Spec spec = {.name = "stria._core._Expression",
                        .basicsize = sizeof(Expression),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = slots};
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!type || PyModule_AddObjectRef(module, "_Expression", (PyObject *)type)) return -1;
    return PyModule_AddFunctions(module, methods);
}
