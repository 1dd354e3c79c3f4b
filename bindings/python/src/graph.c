/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of the library (stria/graph.h) for _lazy.py and _fused.py: nodes are made one by one, and
 * then run over arrays. Functions of Python are nodes, too.
 */
#include <string.h>

#include "functions.h"
#include "stria/graph.h"

typedef struct {
    PyObject_HEAD stria_graph *graph;
    int inputs, results;
} Graph;

static PyTypeObject *type;

static Graph *graph_of(PyObject *self)
{
    return (Graph *)self;
}

static PyObject *graph_new(PyTypeObject *class, PyObject *args, PyObject *Py_UNUSED(keywords))
{
    const char *rule;
    if (!PyArg_ParseTuple(args, "s:_Graph", &rule)) return NULL;
    Graph *const made = PyObject_New(Graph, class);
    if (!made) return NULL;
    made->graph = NULL;
    made->inputs = made->results = 0;
    const stria_status status = stria_graph_make(
        &made->graph, strcmp(rule, "numpy") ? STRIA_PROMOTE_TORCH : STRIA_PROMOTE_NUMPY);
    if (!status) return (PyObject *)made;
    Py_DECREF(made);
    return py_raise(status);
}

static void graph_dealloc(PyObject *self)
{
    PyTypeObject *const class = Py_TYPE(self);
    stria_graph_release(graph_of(self)->graph);
    PyObject_Free(self);
    Py_DECREF(class);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Returns a node's number, which is written by the call that gives the status. */
static PyObject *node_of(stria_status status, const int *node)
{
    return status ? py_raise(status) : PyLong_FromLong(*node);
}

/* Makes a view of an array, or of a float, which becomes a weak scalar with its value in
 * *number. */
static int read_input(stria_view *out, double *number, PyObject *object)
{
    if (py_is_array(object)) {
        py_view(out, py_array(object));
        return 0;
    }
    if (!PyFloat_Check(object)) return PyErr_Format(PyExc_TypeError, "%R is no array", object), -1;
    *number = PyFloat_AsDouble(object);
    const stria_status status = stria_weak(out, STRIA_F64, number);
    return status ? ((void)py_raise(status), -1) : 0;
}

static PyObject *input(PyObject *self, PyObject *array)
{
    stria_view view;
    int node = 0;
    double number;
    if (read_input(&view, &number, array)) return NULL;
    const stria_status status = stria_graph_input(graph_of(self)->graph, &node, &view);
    graph_of(self)->inputs += status == STRIA_OK;
    return node_of(status, &node);
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
        made = node_of(stria_graph_scalar(graph_of(self)->graph, &node,
                                          (stria_kind)view->dtype.kind, view->data),
                       &node);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R is no number", number);
    py_call_end(&call);
    return made;
}

/* Reads the integers of a tuple or list into new memory; NULL. */
static int *read_numbers(Py_ssize_t *count, PyObject *sequence)
{
    PyObject *const items = PySequence_Tuple(sequence);
    *count = items ? PyTuple_Size(items) : 0;
    int *const out = items ? PyMem_Malloc(((size_t)*count + 1) * sizeof *out) : NULL;
    for (Py_ssize_t i = 0; out && i < *count; i++) {
        const long n = PyLong_AsLong(PyTuple_GetItem(items, i));
        out[i] = n >= -(1 << 20) && n < 1 << 20 ? (int)n : -(1 << 20);
    }
    Py_XDECREF(items);
    if (out && !PyErr_Occurred()) return out;
    if (!PyErr_Occurred()) (void)PyErr_NoMemory();
    PyMem_Free(out);
    return NULL;
}

static PyObject *operation(PyObject *self, PyObject *args)
{
    int op, node = 0;
    PyObject *nodes;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "iO:op", &op, &nodes)) return NULL;
    int *const operands = read_numbers(&n, nodes);
    if (!operands) return NULL;
    const stria_status status =
        stria_graph_op(graph_of(self)->graph, &node, (stria_op)op, (int)n, operands);
    PyMem_Free(operands);
    return node_of(status, &node);
}

/* Implements matmul(a, b), of nodes. */
static PyObject *matmul(PyObject *self, PyObject *args)
{
    int a, b, node = 0;
    if (!PyArg_ParseTuple(args, "ii:matmul", &a, &b)) return NULL;
    return node_of(stria_graph_matmul(graph_of(self)->graph, &node, a, b), &node);
}

/* Implements reduce(reduction, node, dims or None, keepdims, ddof). */
static PyObject *reduce(PyObject *self, PyObject *args)
{
    int reduction, operand, keepdims, node = 0;
    PyObject *axes;
    Py_ssize_t n = 0;
    stria_reduce_options options = {0};
    if (!PyArg_ParseTuple(args, "iiOpd:reduce", &reduction, &operand, &axes, &keepdims,
                          &options.ddof))
        return NULL;
    options.keepdims = keepdims != 0;
    int *const dims = axes == Py_None ? NULL : read_numbers(&n, axes);
    if (axes != Py_None && !dims) return NULL;
    const stria_status status =
        stria_graph_reduce(graph_of(self)->graph, &node, (stria_reduction)reduction, operand,
                           dims ? (int)n : STRIA_ALL_DIMS, dims, &options);
    PyMem_Free(dims);
    return node_of(status, &node);
}

/* Implements view(node, base, view): takes of the node the view that `view` is of base; None if it
 * is no such view. */
static PyObject *view(PyObject *self, PyObject *args)
{
    int operand, node = 0;
    PyObject *base, *of;
    stria_view views[2];
    if (!PyArg_ParseTuple(args, "iOO:view", &operand, &base, &of)) return NULL;
    if (!py_is_array(base) || !py_is_array(of))
        return PyErr_SetString(PyExc_TypeError, "no arrays"), NULL;
    py_view(&views[0], py_array(base));
    py_view(&views[1], py_array(of));
    const stria_status status =
        stria_graph_view(graph_of(self)->graph, &node, operand, &views[0], &views[1]);
    if (status == STRIA_ERR_ARGUMENT || status == STRIA_ERR_UNSUPPORTED) return Py_NewRef(Py_None);
    return node_of(status, &node);
}

/* ---- functions of Python --------------------------------------------------------------------- */

/* Makes an array of an operand; memory of an object, which is little, is copied. */
static PyObject *array_of(const stria_view *view)
{
    stria_array made = {.owned = NULL};
    if (view->buffer) return py_array_of_view(view, NULL);
    const stria_status status = stria_clone_new(&made, view, NULL);
    return status ? py_raise(status) : py_array_of_owner(&made);
}

static int take_array(stria_array *out, PyObject *array)
{
    stria_view view;
    if (!py_is_array(array)) return PyErr_Format(PyExc_TypeError, "%R is no array", array), -1;
    py_view(&view, py_array(array));
    out->owned = NULL;
    const stria_status status =
        view.buffer ? stria_array_share(out, &view) : stria_clone_new(out, &view, NULL);
    return status ? ((void)py_raise(status), -1) : 0;
}

static int call_python(PyObject *function, int count, stria_array *made, int n,
                       const stria_view *const *operands)
{
    PyObject *const args = PyTuple_New(n);
    int failed = !args;
    for (int i = 0; i < n && !failed; i++) {
        PyObject *const array = array_of(operands[i]);
        failed = !array || PyTuple_SetItem(args, i, array);
    }
    PyObject *const creating = py_settings.creating, *const refusing = py_settings.refusing;
    py_settings.creating = py_settings.refusing = NULL; /* Nothing is recorded here. */
    PyObject *const result = failed ? NULL : PyObject_Call(function, args, NULL);
    py_settings.creating = creating;
    py_settings.refusing = refusing;
    Py_XDECREF(args);
    failed = !result;
    if (result && PyTuple_Check(result)) {
        failed = PyTuple_Size(result) != count;
        if (failed) PyErr_SetString(PyExc_RuntimeError, "another number of results");
        for (int i = 0; i < count && !failed; i++)
            failed = take_array(&made[i], PyTuple_GetItem(result, i));
    } else if (result) {
        failed = take_array(made, result);
    }
    Py_XDECREF(result);
    return failed;
}

/* Runs a function of Python. An exception stays set in this thread, which runs the graph. */
static stria_status run_python(void *context, int count, stria_array *made, int n,
                               const stria_view *const *operands, const stria_exec *Py_UNUSED(exec))
{
    const PyGILState_STATE state = PyGILState_Ensure();
    const int failed = call_python(context, count, made, n, operands);
    PyGILState_Release(state);
    return failed ? stria_fail(STRIA_ERR_ARGUMENT, "a function of Python failed") : STRIA_OK;
}

static void release_function(void *function)
{
    Py_DECREF((PyObject *)function);
}

/* Implements call(name, function, nodes, likes): returns the number of the first result. */
static PyObject *call_function(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *function, *nodes, *likes;
    Py_ssize_t n;
    int node = 0;
    if (!PyArg_ParseTuple(args, "sOOO!:call", &name, &function, &nodes, &PyTuple_Type, &likes))
        return NULL;
    int *const operands = read_numbers(&n, nodes);
    if (!operands) return NULL;
    const Py_ssize_t count = PyTuple_Size(likes);
    stria_view *const views = PyMem_Malloc(((size_t)count + 1) * sizeof *views);
    const stria_view **const list = PyMem_Malloc(((size_t)count + 1) * sizeof *list);
    stria_status status = views && list ? STRIA_OK : STRIA_ERR_MEMORY;
    for (Py_ssize_t i = 0; i < count && !status; i++) {
        PyObject *const like = PyTuple_GetItem(likes, i);
        list[i] = &views[i];
        if (py_is_array(like))
            py_view(&views[i], py_array(like));
        else
            status = stria_fail(STRIA_ERR_ARGUMENT, "a result is no array");
    }
    const stria_graph_call call = {.name = name,
                                   .function = run_python,
                                   .context = function,
                                   .release = release_function,
                                   .count = (int)count,
                                   .likes = list};
    if (!status)
        status = stria_graph_call_function(graph_of(self)->graph, &node, &call, (int)n, operands);
    if (!status) Py_INCREF(function);
    PyMem_Free(operands);
    PyMem_Free(views);
    PyMem_Free(list);
    return node_of(status, &node);
}

/* ---- running --------------------------------------------------------------------------------- */

static PyObject *prepare_outs(PyObject *self, PyObject *results)
{
    Py_ssize_t n;
    int *const nodes = read_numbers(&n, results);
    if (!nodes) return NULL;
    const stria_status status = stria_graph_prepare(graph_of(self)->graph, (int)n, nodes);
    PyMem_Free(nodes);
    if (status) return py_raise(status);
    graph_of(self)->results = (int)n;
    Py_RETURN_NONE;
}

/* An array or a number that is read or written. */
struct operand {
    stria_view view;
    double number;
};

/* Reads the views of a tuple of arrays and floats, behind pointers to them, into new memory;
 * NULL. */
static const stria_view **read_views(int64_t *bytes, PyObject *objects, int n)
{
    if (!PyTuple_Check(objects) || PyTuple_Size(objects) != n)
        return PyErr_Format(PyExc_ValueError, "no tuple of %d arrays", n), NULL;
    const size_t heads = ((size_t)n + 2) / 2 * 2 * sizeof(stria_view *);
    const stria_view **const list = PyMem_Malloc(heads + (size_t)n * sizeof(struct operand));
    if (!list) return (void)PyErr_NoMemory(), NULL;
    struct operand *const operands = (struct operand *)((char *)list + heads);
    for (int i = 0; i < n; i++) {
        if (read_input(&operands[i].view, &operands[i].number, PyTuple_GetItem(objects, i)))
            return PyMem_Free(list), NULL;
        list[i] = &operands[i].view;
        const int64_t size = stria_nbytes(list[i]);
        if (size > *bytes) *bytes = size;
    }
    return list;
}

/* Returns a new array that a run gave; views of memory in an object are copied. */
static PyObject *result_of(stria_array *made)
{
    if (!made->owned) {
        const stria_view view = made->view;
        const stria_status status = stria_clone_new(made, &view, NULL);
        if (status) return py_raise(status);
    }
    return py_array_of_owner(made);
}

static PyObject *run_new(const Graph *g, const stria_view **inputs, int64_t bytes)
{
    const stria_exec exec = py_exec();
    const int n = g->results;
    stria_array *const made = PyMem_Calloc((size_t)n, sizeof *made);
    if (!made) return PyErr_NoMemory();
    stria_status status;
    WITHOUT_GIL(bytes, status = stria_graph_run_new(made, g->graph, g->inputs, inputs, &exec));
    PyObject *list = status ? py_raise(status) : PyList_New(n);
    for (int i = 0; i < n; i++) {
        PyObject *const array = list ? result_of(&made[i]) : NULL;
        if (!list)
            stria_array_release(&made[i]);
        else if (!array || PyList_SetItem(list, i, array))
            Py_CLEAR(list);
    }
    PyMem_Free(made);
    return list;
}

/* Implements run(inputs, outs=None): returns new arrays, one for each result; or outs, which were
 * written. */
static PyObject *run_graph(PyObject *self, PyObject *args)
{
    const Graph *const g = graph_of(self);
    PyObject *arrays, *outs = Py_None, *result = NULL;
    int64_t bytes = 0;
    if (!PyArg_ParseTuple(args, "O|O:run", &arrays, &outs)) return NULL;
    const stria_view **const inputs = read_views(&bytes, arrays, g->inputs);
    if (!inputs) return NULL;
    if (outs == Py_None) {
        result = run_new(g, inputs, bytes);
    } else {
        int refused = 0;
        for (Py_ssize_t i = 0; PyTuple_Check(outs) && i < PyTuple_Size(outs) && !refused; i++)
            refused = py_refuse_write(PyTuple_GetItem(outs, i));
        const stria_view **const to = refused ? NULL : read_views(&bytes, outs, g->results);
        const stria_exec exec = py_exec();
        stria_status status = STRIA_OK;
        if (to) {
            WITHOUT_GIL(bytes, status = stria_graph_run(to, g->graph, g->inputs, inputs, &exec));
            result = status ? py_raise(status) : Py_NewRef(outs);
        }
        PyMem_Free(to);
    }
    PyMem_Free(inputs);
    return result;
}

static PyObject *explain(PyObject *self, PyObject *Py_UNUSED(unused))
{
    size_t used = 0;
    char first[1];
    stria_status status = stria_graph_explain(first, 1, &used, graph_of(self)->graph);
    if (status) return py_raise(status);
    char *const text = PyMem_Malloc(used + 1);
    if (!text) return PyErr_NoMemory();
    status = stria_graph_explain(text, used + 1, NULL, graph_of(self)->graph);
    PyObject *const made = status ? py_raise(status) : PyUnicode_FromString(text);
    PyMem_Free(text);
    return made;
}

static PyMethodDef graph_methods[] = {{"input", input, METH_O, NULL},
                                      {"scalar", scalar, METH_O, NULL},
                                      {"op", operation, METH_VARARGS, NULL},
                                      {"matmul", matmul, METH_VARARGS, NULL},
                                      {"reduce", reduce, METH_VARARGS, NULL},
                                      {"view", view, METH_VARARGS, NULL},
                                      {"call", call_function, METH_VARARGS, NULL},
                                      {"prepare", prepare_outs, METH_O, NULL},
                                      {"run", run_graph, METH_VARARGS, NULL},
                                      {"explain", explain, METH_NOARGS, NULL},
                                      {NULL, NULL, 0, NULL}};

/* ---- the module ------------------------------------------------------------------------------ */

PyObject *py_meta(PyObject *object)
{
    stria_array made = {.owned = NULL};
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

static PyObject *meta(PyObject *Py_UNUSED(module), PyObject *object)
{
    return py_meta(object);
}

/* Returns bytes that tell for which layout a graph is made, without the dtype: lazy bits, sizes,
 * strides. */
static PyObject *layout(PyObject *Py_UNUSED(module), PyObject *object)
{
    int64_t all[1 + 2 * STRIA_MAX_NDIM];
    if (!py_is_array(object)) return PyErr_Format(PyExc_TypeError, "%R is no array", object);
    const Array *const a = py_array(object);
    const size_t dims = 2 * (size_t)a->ndim;
    all[0] = a->flags & ~(uint32_t)STRIA_READONLY;
    memcpy(all + 1, a->dims, dims * sizeof *all);
    return PyBytes_FromStringAndSize((const char *)all, (Py_ssize_t)((1 + dims) * sizeof *all));
}

/* ---- steps of a recorded function ------------------------------------------------------------ */

/* An array of a list, or the view of it that another one, without memory, is of its like. */
struct place {
    Py_ssize_t slot;
    ptrdiff_t offset;
    PyObject *view; /* NULL: the array itself. */
};

/* Runs a graph, makes a product, calls a function, or writes a value. */
typedef struct {
    PyObject_HEAD Graph *graph; /* NULL: it is one of the others. */
    PyObject *value; /* The function, None for a product; the value, unless an input is the one that
                        is written. */
    int inputs, results;
    bool writes; /* The last place is written; else its view has the layout of what is called. */
    struct place *place;
    Py_ssize_t *slot; /* The places of new arrays. */
} Step;

static PyTypeObject *step_type;

static Step *step_of(PyObject *self)
{
    return (Step *)self;
}

/* Reads (slot, offset, view or None). */
static int set_place(struct place *place, PyObject *from)
{
    Py_ssize_t offset;
    PyObject *of;
    if (!PyArg_ParseTuple(from, "nnO", &place->slot, &offset, &of)) return -1;
    place->offset = offset;
    place->view = py_is_array(of) ? Py_NewRef(of) : NULL;
    return 0;
}

static void step_dealloc(PyObject *self)
{
    Step *const s = step_of(self);
    PyTypeObject *const class = Py_TYPE(self);
    for (int i = 0; s->place && i <= s->inputs; i++)
        Py_XDECREF(s->place[i].view);
    PyMem_Free(s->place);
    PyMem_Free(s->slot);
    Py_XDECREF((PyObject *)s->graph);
    Py_XDECREF(s->value);
    PyObject_Free(self);
    Py_DECREF(class);
}

/* Implements _Step(graph or None, inputs, out or None, slots of results, value). */
static PyObject *step_new(PyTypeObject *class, PyObject *args, PyObject *Py_UNUSED(keywords))
{
    PyObject *graph, *inputs, *out, *slots, *value;
    if (!PyArg_ParseTuple(args, "OO!OO!O:_Step", &graph, &PyList_Type, &inputs, &out, &PyList_Type,
                          &slots, &value))
        return NULL;
    Step *const s = PyObject_New(Step, class);
    if (!s) return NULL;
    s->graph = graph == Py_None ? NULL : graph_of(Py_NewRef(graph));
    s->value = Py_NewRef(value);
    s->inputs = (int)PyList_Size(inputs);
    s->results = (int)PyList_Size(slots);
    s->writes = out != Py_None && s->results == 0;
    s->place = PyMem_Calloc((size_t)s->inputs + 1, sizeof *s->place);
    s->slot = PyMem_Calloc((size_t)s->results + 1, sizeof *s->slot);
    int failed = !s->place || !s->slot;
    for (int i = 0; i < s->inputs && !failed; i++)
        failed = set_place(&s->place[i], PyList_GetItem(inputs, i));
    if (!failed && out != Py_None) failed = set_place(&s->place[s->inputs], out);
    for (int i = 0; i < s->results && !failed; i++)
        s->slot[i] = PyLong_AsSsize_t(PyList_GetItem(slots, i));
    if (!failed && !PyErr_Occurred()) return (PyObject *)s;
    if (!PyErr_Occurred()) (void)PyErr_NoMemory();
    Py_DECREF((PyObject *)s);
    return NULL;
}

/* Returns the array that a place has a view of, borrowed. */
static Array *view_at(stria_view *out, const struct place *place, PyObject *slots)
{
    PyObject *const object = PyList_GetItem(slots, place->slot);
    if (!object) return NULL;
    if (!py_is_array(object))
        return PyErr_SetString(PyExc_TypeError, "fused: an array is not there"), NULL;
    Array *const a = py_array(object);
    py_view(out, place->view ? py_array(place->view) : a);
    if (!place->view) return a;
    out->data = a->data + place->offset;
    out->buffer = a->buffer;
    out->flags |= a->flags & STRIA_READONLY;
    return a;
}

static PyObject *array_at(const struct place *place, PyObject *slots)
{
    stria_view view;
    Array *const a = view_at(&view, place, slots);
    if (!a || !place->view) return Py_XNewRef((PyObject *)a);
    return py_array_of_view(&view, py_array_memory(a));
}

/* Implements _at(slots, place): the array at a place. */
static PyObject *at(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *slots, *from;
    struct place place;
    if (!PyArg_ParseTuple(args, "O!O:_at", &PyList_Type, &slots, &from) || set_place(&place, from))
        return NULL;
    PyObject *const made = array_at(&place, slots);
    Py_XDECREF(place.view);
    return made;
}

/* Returns an array in the layout for which later steps were made; takes the reference over. */
static PyObject *laid_like(PyObject *made, PyObject *like)
{
    stria_view view, wanted;
    stria_array laid = {.owned = NULL};
    if (!py_is_array(made) || !like) return made;
    const Array *const a = py_array(made), *const b = py_array(like);
    const size_t dims = (size_t)b->ndim * sizeof *a->dims;
    const bool same = a->ndim == b->ndim && stria_dtype_equal(a->dtype, b->dtype) &&
                      !memcmp(a->dims, b->dims, dims);
    if (same && !((a->flags ^ b->flags) & ~(uint32_t)STRIA_READONLY) &&
        !memcmp(a->dims + a->ndim, b->dims + b->ndim, dims))
        return made;
    py_view(&view, a);
    py_view(&wanted, b);
    stria_status status =
        same ? stria_empty_strided(&laid, wanted.dtype, wanted.ndim, wanted.shape, wanted.strides)
             : stria_fail(STRIA_ERR_ARGUMENT, "fused: a function gave another shape or dtype than "
                                              "when it was recorded");
    laid.view.flags |= wanted.flags & (STRIA_CONJ | STRIA_NEG); /* through which steps read it */
    if (!status) status = stria_copy(&laid.view, &view, NULL);
    Py_DECREF(made);
    if (!status) return py_array_of_owner(&laid);
    stria_array_release(&laid);
    return py_raise(status);
}

/* Makes a product of the two inputs, and keeps it. */
static int multiply_at(const Step *s, PyObject *slots)
{
    stria_view views[2];
    stria_array made = {.owned = NULL};
    const stria_exec exec = py_exec();
    for (int i = 0; i < 2; i++)
        if (!view_at(&views[i], &s->place[i], slots)) return -1;
    stria_status status;
    const int64_t sizes[] = {stria_nbytes(&views[0]), stria_nbytes(&views[1])},
                  bytes = sizes[sizes[0] < sizes[1]];
    WITHOUT_GIL(bytes, status = stria_matmul_new(&made, &views[0], &views[1], &exec));
    PyObject *array = status ? py_raise(status) : result_of(&made);
    if (array) array = laid_like(array, s->place[s->inputs].view);
    return array ? PyList_SetItem(slots, s->slot[0], array) : -1;
}

/* Calls the function on the inputs, and keeps the array that it gives. */
static int call_at(const Step *s, PyObject *slots)
{
    PyObject *const args = PyTuple_New(s->inputs);
    int failed = !args;
    for (int i = 0; i < s->inputs && !failed; i++) {
        PyObject *const array = array_at(&s->place[i], slots);
        failed = !array || PyTuple_SetItem(args, i, array);
    }
    PyObject *made = failed ? NULL : PyObject_Call(s->value, args, NULL);
    Py_XDECREF(args);
    if (made && PyTuple_Check(made) && PyTuple_Size(made) == 1) {
        PyObject *const only = Py_NewRef(PyTuple_GetItem(made, 0));
        Py_DECREF(made);
        made = only;
    }
    if (made) made = laid_like(made, s->place[s->inputs].view);
    return made ? PyList_SetItem(slots, s->slot[0], made) : -1;
}

/* Writes the value, or else the input. */
static int assign_at(const Step *s, PyObject *slots)
{
    PyObject *const from = s->inputs ? array_at(&s->place[0], slots) : Py_NewRef(s->value);
    PyObject *const to = from ? array_at(&s->place[s->inputs], slots) : NULL;
    const int status = to ? py_assign(to, Py_Ellipsis, from) : -1;
    Py_XDECREF(to);
    Py_XDECREF(from);
    return status;
}

/* Keeps result i of a graph, whose reference is taken, in the layout that the value tells. */
static int keep_result(const Step *s, int i, PyObject *made, PyObject *slots)
{
    PyObject *const like = PyTuple_Check(s->value) ? PyTuple_GetItem(s->value, i) : NULL;
    PyObject *const laid = laid_like(made, like);
    return laid ? PyList_SetItem(slots, s->slot[i], laid) : -1;
}

static int run_graph_at(const Step *s, PyObject *slots)
{
    const size_t heads = ((size_t)s->inputs + 2) / 2 * 2 * sizeof(stria_view *);
    const stria_view **const list =
        PyMem_Malloc(heads + (size_t)s->inputs * sizeof(struct operand));
    struct operand *const operands = (struct operand *)((char *)list + heads);
    stria_view view, *const out = &view;
    int64_t bytes = 0;
    int failed = list ? 0 : (PyErr_NoMemory(), -1);
    for (int i = 0; i < s->inputs && !failed; i++) {
        PyObject *const object = PyList_GetItem(slots, s->place[i].slot);
        list[i] = &operands[i].view;
        failed = object && PyFloat_Check(object)
                     ? read_input(&operands[i].view, &operands[i].number, object)
                     : !view_at(&operands[i].view, &s->place[i], slots);
        const int64_t size = failed ? 0 : stria_nbytes(list[i]);
        if (size > bytes) bytes = size;
    }
    if (!failed && s->writes) {
        const stria_exec exec = py_exec();
        stria_status status = STRIA_OK;
        failed = !view_at(out, &s->place[s->inputs], slots);
        if (!failed) {
            const stria_view *const outs[] = {out};
            WITHOUT_GIL(bytes,
                        status = stria_graph_run(outs, s->graph->graph, s->inputs, list, &exec));
        }
        if (status) failed = ((void)py_raise(status), -1);
    } else if (!failed) {
        PyObject *const made = run_new(s->graph, list, bytes);
        failed = made ? 0 : -1;
        for (int i = 0; i < s->results && !failed; i++)
            failed = keep_result(s, i, Py_NewRef(PyList_GetItem(made, i)), slots);
        Py_XDECREF(made);
    }
    PyMem_Free(list);
    return failed;
}

/* Implements _run_steps(slots, steps): runs each (step, slots to clear behind it); steps that are
 * no _Step are called with the list. */
static PyObject *run_steps(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *slots, *steps;
    if (!PyArg_ParseTuple(args, "O!O!:_run_steps", &PyList_Type, &slots, &PyList_Type, &steps))
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_Size(steps); i++) {
        PyObject *step, *after;
        if (!PyArg_ParseTuple(PyList_GetItem(steps, i), "OO!", &step, &PyTuple_Type, &after))
            return NULL;
        if (Py_TYPE(step) == step_type) {
            const Step *const s = step_of(step);
            if (s->graph              ? run_graph_at(s, slots)
                : s->writes           ? assign_at(s, slots)
                : s->value == Py_None ? multiply_at(s, slots)
                                      : call_at(s, slots))
                return NULL;
        } else {
            PyObject *const made = PyObject_CallFunctionObjArgs(step, slots, NULL);
            Py_XDECREF(made);
            if (!made) return NULL;
        }
        for (Py_ssize_t k = 0; k < PyTuple_Size(after); k++)
            if (PyList_SetItem(slots, PyLong_AsSsize_t(PyTuple_GetItem(after, k)),
                               Py_NewRef(Py_None)))
                return NULL;
    }
    Py_RETURN_NONE;
}

/* Implements _overlap(a, b): tells whether two arrays may share bytes; both have memory, or neither
 * has. */
static PyObject *overlap(PyObject *Py_UNUSED(module), PyObject *args)
{
    enum { WORK = 4096 };
    PyObject *arrays[2];
    stria_view views[2];
    if (!PyArg_ParseTuple(args, "OO:_overlap", &arrays[0], &arrays[1])) return NULL;
    for (int i = 0; i < 2; i++) {
        if (!py_is_array(arrays[i])) return PyErr_SetString(PyExc_TypeError, "no arrays"), NULL;
        py_view(&views[i], py_array(arrays[i]));
    }
    return PyBool_FromLong(stria_shares_memory(&views[0], &views[1], WORK) != STRIA_OVERLAP_NO);
}

static PyMethodDef methods[] = {{"_meta", meta, METH_O, NULL},
                                {"_overlap", overlap, METH_VARARGS, NULL},
                                {"_layout", layout, METH_O, NULL},
                                {"_at", at, METH_VARARGS, NULL},
                                {"_run_steps", run_steps, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

int py_graph_ready(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_new, graph_new},
                           {Py_tp_dealloc, graph_dealloc},
                           {Py_tp_methods, graph_methods},
                           {0, NULL}};
    PyType_Spec spec = {.name = "stria._core._Graph",
                        .basicsize = sizeof(Graph),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = slots};
    PyType_Slot step_slots[] = {{Py_tp_new, step_new}, {Py_tp_dealloc, step_dealloc}, {0, NULL}};
    PyType_Spec step_spec = {.name = "stria._core._Step",
                             .basicsize = sizeof(Step),
                             .flags = Py_TPFLAGS_DEFAULT,
                             .slots = step_slots};
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    step_type = (PyTypeObject *)PyType_FromSpec(&step_spec);
    if (!type || !step_type || PyModule_AddObjectRef(module, "_Graph", (PyObject *)type) ||
        PyModule_AddObjectRef(module, "_Step", (PyObject *)step_type) ||
        PyModule_AddIntConstant(module, "_NEGATIVE", STRIA_NEGATIVE))
        return -1;
    return PyModule_AddFunctions(module, methods);
}
