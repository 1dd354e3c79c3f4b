/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria.ufunc: the functions that compute element by element from one operand or two, as objects
 * with methods of their own, like NumPy's. reduce, accumulate, outer and at are written in
 * _ufunc.py; the loop over rows that some of them need is here.
 */
#include <string.h>

#include "functions.h"

/* Declarations that the headers of 3.11 keep from the Limited API, and that every version since 3.8
 * has. */
#ifndef Py_TPFLAGS_HAVE_VECTORCALL
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#endif
typedef PyObject *vector_call(PyObject *self, PyObject *const *args, size_t count, PyObject *names);
/* A bit above the counts tells what a call may overwrite. */
enum { COUNT_BITS = 8 * sizeof(size_t) - 1 };

typedef struct Ufunc {
    PyObject_HEAD PyObject *weak; /* Weak references. */
    vector_call *call;
    const struct entry *entry;
    unsigned number;          /* Number of the entry. */
    int inputs, results, all; /* Number of operands, of results, and of both. */
} Ufunc;

static PyTypeObject *type;

static Ufunc *ufunc_of(PyObject *object)
{
    return (Ufunc *)object;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static PyObject *on_arrays(const Ufunc *f, PyObject *const *args, Py_ssize_t given)
{
    PyObject *const made = py_on_arrays(f->entry->op, f->inputs, args);
    return made ? made : py_call_again(f->entry->name, NULL, args, given, NULL);
}

static PyObject *call_vector(PyObject *self, PyObject *const *args, size_t count, PyObject *names)
{
    const Ufunc *const f = ufunc_of(self);
    const Py_ssize_t given = (Py_ssize_t)(count & ~((size_t)1 << COUNT_BITS));
    if (!names && given == f->inputs && !py_watching) {
        PyObject *const number = given == 1   ? py_on_number(f->entry->op, args[0])
                                 : given == 2 ? py_on_numbers(f->entry->op, args[0], args[1])
                                              : NULL;
        if (number || PyErr_Occurred()) return number;
        if (py_is_array(args[0]) && py_is_array(args[given - 1])) return on_arrays(f, args, given);
    }
    return py_call_entry(f->number, NULL, args, given, names);
}

/* Calls with arguments in a tuple and a dict, as f(*args, **keywords) of classes and C passes
 * them. */
static PyObject *call_tuple(PyObject *self, PyObject *args, PyObject *keywords)
{
    const Py_ssize_t given = PyTuple_Size(args);
    PyObject *const items = keywords ? PyMapping_Items(keywords) : PyList_New(0);
    const Py_ssize_t named = items ? PyList_Size(items) : 0;
    PyObject *const names = items && named ? PyTuple_New(named) : NULL;
    PyObject **const all = PyMem_Malloc((size_t)(given + named + 1) * sizeof *all);
    PyObject *made = NULL;
    if (items && all && (names || !named)) {
        for (Py_ssize_t i = 0; i < given; i++)
            all[i] = PyTuple_GetItem(args, i);
        for (Py_ssize_t i = 0; i < named; i++) {
            PyObject *const item = PyList_GetItem(items, i); /* Nobody else has this pair. */
            (void)PyTuple_SetItem(names, i, Py_NewRef(PyTuple_GetItem(item, 0)));
            all[given + i] = PyTuple_GetItem(item, 1);
        }
        made = call_vector(self, all, (size_t)given, names);
    } else if (!PyErr_Occurred()) {
        (void)PyErr_NoMemory();
    }
    PyMem_Free(all);
    Py_XDECREF(names);
    Py_XDECREF(items);
    return made;
}

/* ---- calls of NumPy's ufuncs ----------------------------------------------------------------- */

/*
 * The function of _numpy.py that answers calls of NumPy's ufuncs; Stria's functions for those that
 * it has met; and the types of operands that these may be called with at once.
 */
static PyObject *answer, *known, *types;

static PyObject *set_numpy(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *given[4];
    if (!PyArg_ParseTuple(args, "OO!O!O!:_set_numpy", &given[0], &PyDict_Type, &given[1],
                          &PySet_Type, &given[2], &PyDict_Type, &given[3]) ||
        py_numpy_scalars(given[3]))
        return NULL;
    PyObject **const places[] = {&answer, &known, &types};
    for (int i = 0; i < 3; i++) {
        PyObject *const before = *places[i];
        *places[i] = Py_NewRef(given[i]);
        Py_XDECREF(before); /* This may run code, which then finds the new one. */
    }
    return Py_NewRef(Py_None);
}

void py_meet_numpy(void)
{
    static bool done;
    PyObject *const modules = done ? NULL : PyImport_GetModuleDict(); /* Borrowed. */
    if (!modules || !PyDict_GetItemString(modules, "numpy")) return;
    done = true;
    PyObject *const met = PyImport_ImportModule("stria._numpy");
    if (!met) PyErr_Clear(); /* NumPy is loaded at this moment; the protocols import it later. */
    Py_XDECREF(met);
}

/* Answers a call (self, ufunc, how, *operands) of NEP 13 by Stria's function, if it is known; NULL
 * without an exception: _numpy.py has to. */
static PyObject *call_known(PyObject *const *args, Py_ssize_t count)
{
    if (!known || count < 3 || count > 4 || !PyUnicode_Check(args[1]) ||
        PyUnicode_CompareWithASCIIString(args[1], "__call__") != 0)
        return NULL;
    PyObject *const own = PyDict_GetItemWithError(known, args[0]);
    if (!own || Py_TYPE(own) != type || ufunc_of(own)->inputs != count - 2) return NULL;
    for (Py_ssize_t i = 2; i < count; i++)
        if (!py_is_array(args[i]) && PySet_Contains(types, (PyObject *)Py_TYPE(args[i])) <= 0)
            return NULL;
    PyObject *const made = call_vector(own, args + 2, (size_t)(count - 2), NULL);
    if (!made && (PyErr_ExceptionMatches(py_error_class(STRIA_ERR_ARGUMENT)) ||
                  PyErr_ExceptionMatches(PyExc_BufferError)))
        PyErr_Clear();
    return made;
}

static PyObject *array_ufunc(PyObject *self, PyObject *const *args, Py_ssize_t count,
                             PyObject *names)
{
    const Py_ssize_t keywords = names ? PyTuple_Size(names) : 0;
    PyObject *made = keywords ? NULL : call_known(args, count);
    if (made || PyErr_Occurred()) return made;
    PyObject *const tuple = PyTuple_New(count + 1), *const dict = PyDict_New();
    int status = tuple && dict ? PyTuple_SetItem(tuple, 0, Py_NewRef(self)) : -1;
    for (Py_ssize_t i = 0; !status && i < count; i++)
        status = PyTuple_SetItem(tuple, i + 1, Py_NewRef(args[i]));
    for (Py_ssize_t i = 0; !status && i < keywords; i++)
        status = PyDict_SetItem(dict, PyTuple_GetItem(names, i), args[count + i]);
    if (!status && answer) made = PyObject_Call(answer, tuple, dict);
    Py_XDECREF(tuple);
    Py_XDECREF(dict);
    return made;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static const char separator[] = "\n--\n\n"; /* Separates the signature from the text. */

static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(ufunc_of(self)->entry->name);
}

static PyObject *get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    const char *const doc = ufunc_of(self)->entry->function_doc, *const end =
                                                                     strstr(doc, separator);
    return PyUnicode_FromString(end ? end + sizeof separator - 1 : doc);
}

static PyObject *get_signature(PyObject *self, void *Py_UNUSED(closure))
{
    const char *const doc = ufunc_of(self)->entry->function_doc,
                      *const end = strstr(doc, separator), *const first = strchr(doc, '(');
    if (!end || !first || first > end) return Py_NewRef(Py_None);
    return PyUnicode_FromStringAndSize(first, end - first);
}

/* Pickles have the name. */
static PyObject *reduce_name(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return get_name(self, NULL);
}

static PyObject *represent(PyObject *self)
{
    return PyUnicode_FromFormat("<stria.ufunc '%s'>", ufunc_of(self)->entry->name);
}

/* Returns itself: like a builtin function it is no method of the classes that have it as an
 * attribute. */
static PyObject *get_itself(PyObject *self, PyObject *Py_UNUSED(instance),
                            PyObject *Py_UNUSED(owner))
{
    return Py_NewRef(self);
}

static void dealloc(PyObject *self)
{
    PyTypeObject *const own = Py_TYPE(self);
    if (ufunc_of(self)->weak) PyObject_ClearWeakRefs(self);
    PyObject_Free(self);
    Py_DECREF(own);
}

static PyGetSetDef getset[] = {{"__name__", get_name, NULL, NULL, NULL},
                               {"__qualname__", get_name, NULL, NULL, NULL},
                               {"__doc__", get_doc, NULL, NULL, NULL},
                               {"__text_signature__", get_signature, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef own_methods[] = {{"__reduce__", reduce_name, METH_NOARGS, NULL},
                                    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Ufunc, weak), READONLY, NULL},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Ufunc, call), READONLY, NULL},
    {"nin", T_INT, offsetof(Ufunc, inputs), READONLY, "The number of operands."},
    {"nout", T_INT, offsetof(Ufunc, results), READONLY, "The number of results."},
    {"nargs", T_INT, offsetof(Ufunc, all), READONLY, "The number of operands and results."},
    {NULL, 0, 0, 0, NULL}};

PyObject *py_ufunc_new(unsigned number, const struct entry *e)
{
    Ufunc *const made = PyObject_Malloc(sizeof *made);
    if (!made) return PyErr_NoMemory();
    (void)PyObject_Init((PyObject *)made, type);
    made->weak = NULL;
    made->call = call_vector;
    made->entry = e;
    made->number = number;
    made->inputs = e->inputs;
    made->results = 1;
    made->all = e->inputs + 1;
    return (PyObject *)made;
}

/* ---- at ----------------------------------------------------------------------------------------
 */

/* An operation that is applied to elements of out, one after another, with values. */
struct sweep {
    const Ufunc *f;
    stria_view out, values, at;
    bool has_values;
};

/* Writes each result in the dtype of out, whatever is lost, as NumPy does. */
static stria_status sweep_elements(const struct sweep *s, const stria_exec *exec)
{
    stria_view to = s->out, value = s->values;
    const stria_view *const operands[] = {&to, &value};
    stria_status status = STRIA_OK;
    to.ndim = value.ndim = 0;
    for (int64_t i = 0; !status && i < s->at.shape[0]; i++) {
        int64_t place;
        memcpy(&place, s->at.data + i * s->at.strides[0], sizeof place);
        if (place < 0 || place >= s->out.shape[0]) return STRIA_ERR_INDEX;
        to.data = s->out.data + place * s->out.strides[0];
        if (s->has_values) value.data = s->values.data + i * s->values.strides[0];
        status = py_run_op(s->f->entry->op, &to, s->f->inputs, operands, exec);
    }
    return status;
}

/* Applies the operation by the library's loop, where that converts nothing back. */
static stria_status sweep_all(const struct sweep *s, const stria_exec *exec)
{
    const stria_index_item item = {.kind = STRIA_INDEX_ARRAY, .array = &s->at};
    stria_exec unsafe = *exec;
    const bool alike = !s->has_values || s->values.dtype.kind == s->out.dtype.kind;
    const stria_status status =
        alike ? stria_op_at(&s->out, s->f->entry->op, 1, &item, s->has_values ? &s->values : NULL,
                            STRIA_PLACE_NUMPY, exec)
              : STRIA_ERR_DTYPE;
    if (status != STRIA_ERR_DTYPE) return status;
    unsafe.hints |= STRIA_CASTING_UNSAFE;
    return sweep_elements(s, &unsafe);
}

/*
 * Implements _sweep(f, out, values, at): out[at[i]] = f(out[at[i]], values[i]) for each i, one
 * after another, or f(out[at[i]]) if values is None. The arrays have one dim.
 */
static PyObject *sweep(PyObject *Py_UNUSED(module), PyObject *args)
{
    struct sweep s = {.has_values = false};
    PyObject *f, *out, *values, *at;
    if (!PyArg_ParseTuple(args, "O!OOO:_sweep", type, &f, &out, &values, &at)) return NULL;
    s.f = ufunc_of(f);
    s.has_values = py_is_array(values);
    if (!py_is_array(out) || !py_is_array(at) || s.has_values != (s.f->inputs == 2))
        return PyErr_Format(PyExc_TypeError, "_sweep: arguments that do not fit");
    py_view(&s.out, py_array(out));
    py_view(&s.at, py_array(at));
    if (s.has_values) py_view(&s.values, py_array(values));
    if (s.out.ndim != 1 || s.at.ndim != 1 || s.at.dtype.kind != STRIA_I64 || s.at.dtype.swapped ||
        (s.has_values && (s.values.ndim != 1 || s.values.shape[0] != s.at.shape[0])))
        return PyErr_Format(PyExc_TypeError, "_sweep: shapes that do not fit");
    const stria_exec exec = py_exec();
    stria_status status;
    WITHOUT_GIL(64 * s.at.shape[0], status = sweep_all(&s, &exec));
    if (status == STRIA_ERR_INDEX)
        return PyErr_Format(py_error_class(status), "%s.at: an index is out of bounds",
                            s.f->entry->name);
    return status ? py_raise(status) : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {{"_sweep", sweep, METH_VARARGS, NULL},
                                {"_set_numpy", set_numpy, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyMethodDef protocol = {"__array_ufunc__", (PyCFunction)(void (*)(void))array_ufunc,
                               METH_FASTCALL | METH_KEYWORDS,
                               "__array_ufunc__($self, ufunc, method, /, *inputs, **kwargs)\n--\n\n"
                               "Answers a call of NumPy's ufunc (NEP 13)."};

int py_ufunc_ready(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_call, call_tuple},     {Py_tp_dealloc, dealloc},
                           {Py_tp_getset, getset},       {Py_tp_members, members},
                           {Py_tp_repr, represent},      {Py_tp_descr_get, get_itself},
                           {Py_tp_methods, own_methods}, {0, NULL}};
    PyType_Spec spec = {.name = "stria.ufunc",
                        .basicsize = sizeof(Ufunc),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!type || PyModule_AddObjectRef(module, "ufunc", (PyObject *)type)) return -1;
    PyObject *const method = PyDescr_NewMethod(py_array_type, &protocol);
    const int added =
        method ? PyObject_SetAttrString((PyObject *)py_array_type, "__array_ufunc__", method) : -1;
    Py_XDECREF(method);
    if (added) return -1;
    return PyModule_AddFunctions(module, methods);
}
