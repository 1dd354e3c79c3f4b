/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the registry as functions of the module, and as methods and attributes of
 * arrays. There is no other list of them: a new row appears here at the next import.
 */
#include <string.h>

#include "functions.h"

static struct entry *entries;
static unsigned functions;

/* ---- calls ----------------------------------------------------------------------------------- */

/* Checks device=, which is accepted everywhere, and must be the only one. */
static int check_device(const stria_arg *arg)
{
    if (strcmp(arg->name, "device") != 0 || arg->kind == STRIA_ARG_NONE) return 0;
    const bool known =
        arg->kind == STRIA_ARG_TEXT && arg->count == 3 && !memcmp(arg->value.text, "cpu", 3);
    if (known) return 0;
    PyErr_SetString(PyExc_ValueError, "there is no such device; it is \"cpu\"");
    return -1;
}

/* Notes the copies of a call that gives views, or copies of them. */
static int note_copies(const struct entry *e, const stria_results *results, struct call *call)
{
    for (int64_t i = 0; i < results->count; i++) {
        const stria_view *const made = &stria_results_at(results, i)->view;
        const struct seen *from = call->seen;
        bool shared = false, converted = from != NULL;
        for (; from; from = from->next) {
            const Array *const a = py_array(from->object);
            shared |= made->buffer ? a->buffer == made->buffer : !a->buffer;
            converted &= a->dtype.kind != made->dtype.kind;
        }
        if (call->seen && !shared && !converted && py_note_copy(e->name, made)) return -1;
    }
    return 0;
}

static PyObject *run_entry(const struct entry *e, int n, const stria_arg *args, struct call *call)
{
    const bool torch = e->torch;
    stria_results results;
    stria_exec exec = py_exec();
    const stria_promotion rule = torch ? STRIA_PROMOTE_TORCH : py_settings.rule;
    stria_status status;
    results.count = 0;
    results.several = results.answers = false;
    results.arrays = NULL;
    results.one.owned = NULL;
    if (torch) exec.hints = 0;
    WITHOUT_GIL(e->arrays ? call->bytes : 0,
                status = stria_call(&results, e->function, rule, n, args, &exec));
    if (status) return py_raise(status);
    const bool asked = e->moves && (py_settings.no_copies || py_settings.counts);
    PyObject *const made =
        asked && note_copies(e, &results, call) ? NULL : py_results(&results, call);
    stria_results_release(&results);
    return made;
}

/* ---- lazy arrays ----------------------------------------------------------------------------- */

/*
 * The class of _lazy.py, and the function that records a call: record(name, args, keywords).
 * Functions of _options.py that add keywords which the function lacks: add_options(name, args,
 * keywords); and that try a refused call otherwise: again(name, args, keywords). The function of
 * random.py that completes a call which draws numbers: draw(name, args, keywords). The function of
 * _errors.py that calls an operation and looks at its results: watched(name, args, keywords).
 */
static PyObject *lazy_type, *lazy_record, *add_options, *again, *draw, *watched;

bool py_is_lazy(PyObject *object)
{
    return (PyObject *)Py_TYPE(object) == lazy_type;
}

/* Tells whether one of the objects is lazy, or an item of one of them. */
static bool any_lazy(PyObject *const *objects, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const object = objects[i];
        if (py_is_lazy(object)) return true;
        if (!PyTuple_Check(object) && !PyList_Check(object)) continue;
        PyObject *const copy = py_is_exact_list(object) ? NULL : py_items(object);
        PyObject *const list = copy ? copy : object;
        const Py_ssize_t items = py_is_exact_list(list) ? PySequence_Size(list) : 0;
        bool lazy = false;
        for (Py_ssize_t j = 0; !lazy && j < items; j++) {
            PyObject *const item = PySequence_GetItem(list, j);
            lazy = item && py_is_lazy(item);
            Py_XDECREF(item);
            if (!item) PyErr_Clear(); /* The list became shorter. */
        }
        if (items == 0) PyErr_Clear(); /* The next reader has no memory either. */
        Py_XDECREF(copy);
        if (lazy) return true;
    }
    return false;
}

/* Calls a function of Python with the name and the arguments; to NULL: the one that creates
 * arrays for a recording. */
static PyObject *hand_over(PyObject *to, const char *name, PyObject *self, PyObject *const *args,
                           Py_ssize_t given, PyObject *names)
{
    const Py_ssize_t first = self ? 1 : 0, keywords = names ? PyTuple_Size(names) : 0;
    PyObject *const tuple = PyTuple_New(first + given), *const dict = PyDict_New();
    int status = tuple && dict ? 0 : -1;
    if (!status && self) status = PyTuple_SetItem(tuple, 0, Py_NewRef(self));
    for (Py_ssize_t i = 0; !status && i < given; i++)
        status = PyTuple_SetItem(tuple, first + i, Py_NewRef(args[i]));
    for (Py_ssize_t i = 0; !status && i < keywords; i++)
        status = PyDict_SetItem(dict, PyTuple_GetItem(names, i), args[given + i]);
    PyObject *const made = status ? NULL
                           : to   ? PyObject_CallFunction(to, "sOO", name, tuple, dict)
                                  : py_create_recorded(name, tuple, dict);
    Py_XDECREF(tuple);
    Py_XDECREF(dict);
    return made;
}

/* Tells whether a keyword is given that only _options.py knows. */
static bool any_option(const struct entry *e, PyObject *names)
{
    const Py_ssize_t count = PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (e->lacks >> k & 1 &&
                !PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), py_option_names[k]))
                return true;
    return false;
}

static PyObject *set_hooks(PyObject *Py_UNUSED(module), PyObject *args)
{
    static PyObject **const hooks[] = {&lazy_type, &lazy_record, &add_options,
                                       &again,     &draw,        &watched};
    PyObject *given[6];
    if (!PyArg_ParseTuple(args, "OOOOOO:_set_hooks", &given[0], &given[1], &given[2], &given[3],
                          &given[4], &given[5]))
        return NULL;
    for (int i = 0; i < 6; i++) {
        PyObject *const before = *hooks[i];
        *hooks[i] = Py_NewRef(given[i]);
        Py_XDECREF(before); /* This may run code, which then finds the new one. */
    }
    return Py_NewRef(Py_None);
}

/* Tells whether an object is an operand of its own class here, so that no other class is asked. */
static bool is_known(PyObject *object)
{
    return py_is_array(object) || PyLong_Check(object) || PyFloat_Check(object) ||
           PyComplex_Check(object) || PyList_Check(object) || PyTuple_Check(object);
}

PyObject *py_watched(const char *name, int n, PyObject *const *operands, PyObject *out)
{
    PyObject *const args[] = {operands[0], n > 1 ? operands[1] : out, out};
    PyObject *const names = out ? Py_BuildValue("(s)", "out") : NULL;
    if (out && !names) return NULL;
    PyObject *const made = hand_over(watched, name, NULL, args, n, names);
    Py_XDECREF(names);
    if (made || out || n < 2 || !PyErr_ExceptionMatches(PyExc_TypeError) ||
        (is_known(args[0]) && is_known(args[1])))
        return made;
    PyErr_Clear();
    return Py_NewRef(Py_NotImplemented);
}

static bool has_name(PyObject *names, const char *name)
{
    const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), name)) return true;
    return false;
}

/* Tells whether a call that draws numbers has neither a seed nor a stream. */
static bool lacks_seed(const struct entry *e, Py_ssize_t given, PyObject *names)
{
    if (e->seed < 0 || given > e->seed) return false;
    return !has_name(names, "seed") && !has_name(names, "stream");
}

/* Tells whether a call was refused for what its arguments are: NumPy may know what is meant. It is
 * not asked for results whose shape is not that of out=, which may be far larger, nor for numbers
 * that do not fit a dtype, except by arange, where they may wrap. */
static bool may_be_called_again(const char *name, PyObject *names)
{
    if (PyErr_ExceptionMatches(py_error_class(STRIA_ERR_SHAPE)) ||
        PyErr_ExceptionMatches(py_error_class(STRIA_ERR_BROADCAST)))
        return !has_name(names, "out");
    if (PyErr_ExceptionMatches(py_error_class(STRIA_ERR_OVERFLOW))) return !strcmp(name, "arange");
    static const stria_status kinds[] = {STRIA_ERR_ARGUMENT, STRIA_ERR_INDEX, STRIA_ERR_DTYPE,
                                         STRIA_ERR_UNSUPPORTED, STRIA_ERR_FORMAT};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (PyErr_ExceptionMatches(py_error_class(kinds[i]))) return true;
    return PyErr_ExceptionMatches(PyExc_BufferError) || PyErr_ExceptionMatches(PyExc_TypeError);
}

/*
 * Passes a call that was refused for its arguments to _options.py, which reads lists as arrays, and
 * knows more keywords; NULL with the first exception if that does not help.
 */
PyObject *py_call_again(const char *name, PyObject *self, PyObject *const *args, Py_ssize_t given,
                        PyObject *names)
{
    PyObject *type, *value, *trace;
    if (!again || !may_be_called_again(name, names)) return NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *const made = hand_over(again, name, self, args, given, names);
    if (made == Py_NotImplemented) {
        Py_DECREF(made);
        PyErr_Restore(type, value, trace);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return made;
}

/* Reads k= and offset= of any size: a diagonal beyond all others, however far. */
static bool read_far(stria_arg *out, PyObject *name, PyObject *object)
{
    int beyond = 0;
    if (PyLong_Check(object) && (!PyUnicode_CompareWithASCIIString(name, "k") ||
                                 !PyUnicode_CompareWithASCIIString(name, "offset")))
        (void)PyLong_AsLongLongAndOverflow(object, &beyond);
    if (beyond) *out = stria_arg_int(beyond > 0 ? INT64_MAX : INT64_MIN);
    return beyond != 0;
}

/* ---- calls of any arguments ------------------------------------------------------------------ */

static PyObject *call_general(const struct entry *e, PyObject *self, PyObject *const *args,
                              Py_ssize_t given, PyObject *names)
{
    struct call call;
    const Py_ssize_t keywords = names ? PyTuple_Size(names) : 0;
    const Py_ssize_t first = self ? 1 : 0;
    const Py_ssize_t n = first + given + keywords;
    if (lazy_type && any_lazy(args, given + keywords))
        return hand_over(lazy_record, e->name, self, args, given, names);
    if (e->lacks && names && add_options && any_option(e, names))
        return hand_over(add_options, e->name, self, args, given, names);
    if (draw && lacks_seed(e, given, names))
        return hand_over(draw, e->name, self, args, given, names);
    py_call_begin(&call);
    stria_arg *const list = py_call_take(&call, (size_t)(n ? n : 1) * sizeof *list);
    int status = list && n < 1 << 20 ? 0 : -1;
    if (!status && self) status = py_read_arg(&list[0], &call, self);
    for (Py_ssize_t i = 0; !status && i < given + keywords; i++)
        if (i < given || !read_far(&list[first + i], PyTuple_GetItem(names, i - given), args[i]))
            status = py_read_arg(&list[first + i], &call, args[i]);
    Py_ssize_t last = n;
    for (Py_ssize_t i = 0; !status && i < keywords; i++) {
        stria_arg *const arg = &list[first + given + i];
        arg->name = py_utf8(PyTuple_GetItem(names, i));
        status = arg->name ? check_device(arg) : -1;
    }
    PyObject *const made = status ? NULL : run_entry(e, (int)last, list, &call);
    py_call_end(&call);
    return made ? made : py_call_again(e->name, self, args, given, names);
}

/* Calls an operation on as many operands as it takes, into new memory or into out=. */
static PyObject *call_operation(const struct entry *e, PyObject *self, PyObject *const *args,
                                PyObject *out)
{
    struct call call;
    stria_arg operands[3];
    const stria_view *views[3];
    PyObject *made = NULL;
    int found = 1;
    py_call_begin(&call);
    for (int i = 0; i < e->inputs && found > 0; i++) {
        PyObject *const object = self ? i ? args[i - 1] : self : args[i];
        PyObject *const other = e->inputs != 2 ? NULL : self && i ? self : args[self ? 0 : 1 - i];
        found = py_operand(&views[i], &operands[i], &call, e->op, object, other);
    }
    if (found > 0 && !out) made = py_elementwise(e->op, e->inputs, views);
    if (found > 0 && out) {
        const stria_exec exec = py_exec();
        stria_view view;
        stria_status status;
        py_view(&view, py_array(out));
        const int64_t bytes = stria_nbytes(&view);
        WITHOUT_GIL(bytes, status = py_run_op(e->op, &view, e->inputs, views, &exec));
        made = status ? py_raise(status) : Py_NewRef(out);
    }
    py_call_end(&call);
    /* Another operand may know how to read them. */
    if (!found) return Py_NewRef(Py_NotImplemented);
    return made;
}

/* Refuses a call with options while integers are checked, since such calls are not. */
static int refuse_unchecked(const struct entry *e)
{
    if ((int)e->op < 0 || !py_is_checked(e->op, stria_dtype_of(STRIA_I64))) return 0;
    PyErr_Format(py_error_class(STRIA_ERR_UNSUPPORTED),
                 "%s: checked() takes operands and out= alone", e->name);
    return -1;
}

/* Names of keywords are compared as objects, of which each has one. */
static PyObject *out_word, *dtype_word;

static bool is_only(PyObject *names, PyObject *word)
{
    return PyTuple_Size(names) == 1 && PyTuple_GetItem(names, 0) == word;
}

/* Returns the truth in the place of an array of one, whose reference is taken; what waits stays. */
static PyObject *truth_of(PyObject *made)
{
    const int yes = py_is_array(made) ? PyObject_IsTrue(made) : -1;
    if (!py_is_array(made)) return made;
    Py_DECREF(made);
    return yes < 0 ? NULL : PyBool_FromLong(yes);
}

PyObject *py_call_entry(unsigned n, PyObject *self, PyObject *const *args, Py_ssize_t given,
                        PyObject *names)
{
    const struct entry *const e = &entries[n];
    PyObject *const method = self && py_is_array(self) ? self : NULL;
    if (py_refuse_writes(e->writes, method, args, given, names)) return NULL;
    if (py_notes_errors() && e->computes)
        return hand_over(watched, e->name, method, args, given, names);
    if (e->creates && py_settings.creating)
        return hand_over(NULL, e->name, method, args, given, names);
    if ((int)e->op >= 0 && given + (method ? 1 : 0) == e->inputs &&
        (!names || (is_only(names, out_word) && py_is_array(args[given])))) {
        PyObject *const made = call_operation(e, method, args, names ? args[given] : NULL);
        if (!made) return py_call_again(e->name, method, args, given, names);
        if (made != Py_NotImplemented) return made;
        Py_DECREF(made);
    }
    if (py_settings.checked && names && refuse_unchecked(e)) return NULL;
    const bool makes = py_makes_directly(e);
    if (e->direct && (!names || (makes && is_only(names, dtype_word)))) {
        PyObject *const made = py_call_direct(e, method, args, given, names ? args[given] : NULL);
        if (made || PyErr_Occurred()) return made;
    }
    PyObject *const made = call_general(e, method, args, given, names);
    return made && e->tells ? truth_of(made) : made;
}

PyObject *py_call_named(const char *name, PyObject *const *args, Py_ssize_t given)
{
    const stria_function *const function = stria_function_find(name);
    if (!function) return PyErr_Format(PyExc_TypeError, "there is no function %s", name);
    struct entry e = {.function = function, .arrays = true, .seed = -1};
    (void)PyOS_snprintf(e.name, sizeof e.name, "%s", name);
    return call_general(&e, NULL, args, given, NULL);
}

/* ---- what there is --------------------------------------------------------------------------- */

/* Tells whether a function that is no operation by element is one that errstate looks at. */
static bool is_watched(const char *name)
{
    static const char *const names[] = {"divmod",  "sum",    "prod",           "cumsum",
                                        "cumprod", "astype", "cumulative_sum", "cumulative_prod"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

static int describe(struct entry *e, const stria_function *function)
{
    struct forms forms = {.function = function};
    bool numpy = false, dense = false;
    *e = (struct entry){.function = function, .op = (stria_op)-1};
    (void)stria_function_name(e->name, sizeof e->name, NULL, function);
    const int count = stria_function_forms(function);
    unsigned lacks = STRIA_TAKES_OUT | STRIA_TAKES_WHERE | STRIA_TAKES_DTYPE;
    for (int i = 0; i < count && i < FORMS; i++) {
        stria_form *const form = &forms.form[i];
        if (stria_function_form(form, function, i)) break;
        if (!form->sparse) lacks &= ~form->takes;
        dense |= !form->sparse;
        forms.count++;
        numpy |= !form->by_torch_only;
        e->method |= form->method && !form->attribute;
        e->attribute |= form->attribute && !form->by_torch_only;
        e->arrays |= form->gives == STRIA_GIVES_ARRAYS;
        if (form->writes) lacks = 0;
        e->moves |= form->moves;
        e->writes |= form->writes;
    }
    e->torch = !numpy;
    e->creates = !strcmp(forms.form[0].theme, "new arrays") || !strcmp(e->name, "eye");
    e->tells = !strcmp(e->name, "array_equal") || !strcmp(e->name, "allclose");
    e->computes = (forms.form[0].operation >= 0 && !forms.form[0].writes) || is_watched(e->name);
    /* The other form of a quotient has a rounding_mode, without a default. */
    const bool single = count == 1 || (count == 2 && !strcmp(forms.form[1].c, "stria_quotient"));
    if (single && !forms.form[0].writes) {
        e->op = (stria_op)forms.form[0].operation;
        e->inputs = (int)e->op >= 0 ? stria_op_inputs(e->op) : 0;
        stria_parameter second;
        e->by_element = e->inputs == 1 ||
                        (e->inputs == 2 && !stria_function_parameter(&second, function, 0, 1) &&
                         !memcmp(second.names + second.names_length - 2, "x2", 2));
    }
    if (e->arrays && dense) e->lacks = lacks;
    e->seed = forms.form[0].seed;
    py_find_direct(e, forms.form[0].c);
    e->function_doc = py_signature_doc(&forms, e->name, false, e->lacks);
    e->method_doc = e->function_doc ? py_signature_doc(&forms, e->name, true, e->lacks) : NULL;
    return e->method_doc ? 0 : -1;
}

/* Tells whether a name is that of a type in the module: stria.float would hide what everybody reads
 * there. */
static bool is_dtype_name(const char *name)
{
    stria_dtype dtype;
    const bool is = stria_dtype_parse(&dtype, name) == STRIA_OK;
    if (is) stria_dtype_release(dtype);
    return is || !strcmp(name, "type") || !strcmp(name, "data") || !strcmp(name, "dtype");
}

static PyMethodDef *def(unsigned n, const char *name, const char *doc)
{
    PyMethodDef *const made = PyMem_Malloc(sizeof *made); /* It lives as long as the module. */
    if (!made) return (void)PyErr_NoMemory(), NULL;
    *made = (PyMethodDef){name, py_stubs[n], METH_FASTCALL | METH_KEYWORDS, doc};
    return made;
}

static int add_function(PyObject *module, unsigned n, PyObject *module_name)
{
    const char *const dot = strrchr(entries[n].name, '.');
    const char *const name = dot ? dot + 1 : entries[n].name;
    PyObject *const dict = PyModule_GetDict(module); /* Borrowed. */
    if (PyDict_GetItemString(dict, name)) return 0;
    const bool by_element = entries[n].by_element;
    PyMethodDef *const d = by_element ? NULL : def(n, name, entries[n].function_doc);
    PyObject *const made = by_element ? py_ufunc_new(n, &entries[n])
                           : d        ? PyCFunction_NewEx(d, module, module_name)
                                      : NULL;
    const int status = made ? PyDict_SetItemString(dict, name, made) : -1;
    Py_XDECREF(made);
    return status;
}

static PyObject *get_attribute(PyObject *self, void *closure)
{
    return py_call_entry((unsigned)(uintptr_t)closure, self, NULL, 0, NULL);
}

/* Writes a value into the view that an attribute is: x.real = 1. */
static int set_attribute(PyObject *self, PyObject *value, void *closure)
{
    PyObject *const view = value ? get_attribute(self, closure) : NULL;
    if (!value) PyErr_SetString(PyExc_AttributeError, "the attribute cannot be deleted");
    const int status = view ? py_assign(view, Py_Ellipsis, value) : -1;
    Py_XDECREF(view);
    return status;
}

/* Adds a descriptor. It looks in the dict of the type first, as an error for each name would take a
 * microsecond. */
static int add_descriptor(unsigned n, PyObject *own)
{
    const struct entry *const e = &entries[n];
    PyObject *made = NULL, *const name = PyUnicode_InternFromString(e->name);
    const int there = name ? PySequence_Contains(own, name) : -1;
    if (there) {
        Py_XDECREF(name);
        return there < 0 ? -1 : 0;
    }
    if (e->attribute) {
        PyGetSetDef *const d = PyMem_Malloc(sizeof *d);
        if (!d) return Py_DECREF(name), (void)PyErr_NoMemory(), -1;
        const setter set = !strcmp(e->name, "real") ? set_attribute : NULL;
        *d = (PyGetSetDef){e->name, get_attribute, set, e->function_doc, (void *)(uintptr_t)n};
        made = PyDescr_NewGetSet(py_array_type, d);
    } else {
        PyMethodDef *const d = def(n, e->name, e->method_doc);
        made = d ? PyDescr_NewMethod(py_array_type, d) : NULL;
    }
    const int status = made ? PyObject_SetAttr((PyObject *)py_array_type, name, made) : -1;
    Py_XDECREF(made);
    Py_DECREF(name);
    return status;
}

/* Returns the module of functions with a dot in their names, which linalg.py shows. */
static PyObject *submodule(PyObject *module, const char *name, const char *dot)
{
    char full[80], last[64];
    (void)PyOS_snprintf(last, sizeof last, "%.*s", (int)(dot - name), name);
    (void)PyOS_snprintf(full, sizeof full, "stria.%s", last);
    PyObject *const dict = PyModule_GetDict(module); /* Borrowed, as are the objects found in it. */
    PyObject *const found = PyDict_GetItemString(dict, last);
    if (found) return found;
    PyObject *const made = PyModule_New(full);
    const int status = made ? PyDict_SetItemString(dict, last, made) : -1;
    Py_XDECREF(made);
    return status ? NULL : made;
}

static const char *gives(const stria_form *form)
{
    return form->gives == STRIA_GIVES_ANSWER  ? "answer"
           : form->gives == STRIA_GIVES_VIEWS ? "views"
                                              : "arrays";
}

/* Tells whether a form has the name of the function of C that it calls, and so does nothing else.
 */
static bool is_plain(const stria_form *form)
{
    const char *const name = form->c + strlen("stria_");
    const size_t length = strlen(name);
    return !strncmp(form->signature, name, length) && strchr("|(", form->signature[length]);
}

/*
 * Returns the registry's entry of a name: (signature, doc, theme, gives, whose, attribute, c,
 * whether NumPy has it, the operation by element, its inputs, the reduction; -1: none) of each
 * form.
 */
static PyObject *forms(PyObject *Py_UNUSED(module), PyObject *name)
{
    const char *const text = py_utf8(name);
    const stria_function *const function = text ? stria_function_find(text) : NULL;
    PyObject *const list = text ? PyList_New(0) : NULL;
    stria_form f;
    for (int i = 0; list && i < stria_function_forms(function); i++) {
        if (stria_function_form(&f, function, i)) continue;
        const int op = strcmp(f.c, "stria_where") ? f.operation : STRIA_WHERE;
        PyObject *const row = Py_BuildValue(
            "(sssssOsiiii)", f.signature, f.doc, f.theme, gives(&f),
            f.by_torch_only   ? "torch"
            : f.by_numpy_only ? "numpy"
                              : "",
            f.attribute ? Py_True : Py_False, f.c, (f.origins & STRIA_IN_NUMPY) && !f.by_torch_only,
            op, op < 0 ? 0 : stria_op_inputs((stria_op)op), is_plain(&f) ? py_reduction(f.c) : -1);
        const int status = row ? PyList_Append(list, row) : -1;
        Py_XDECREF(row);
        if (status) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyMethodDef methods[] = {{"_forms", forms, METH_O, NULL},
                                {"_set_hooks", set_hooks, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

int py_functions_ready(PyObject *module)
{
    if (py_ufunc_ready(module) || PyModule_AddFunctions(module, methods)) return -1;
    PyObject *const own = PyUnicode_FromString("stria");
    out_word = PyUnicode_InternFromString("out");
    dtype_word = PyUnicode_InternFromString("dtype");
    PyObject *const dict = PyObject_GetAttrString((PyObject *)py_array_type, "__dict__");
    const int collects = PyGC_Disable(); /* Thousands of objects are made, and no garbage. */
    const size_t all = stria_function_count();
    int status = own && dict && out_word && dtype_word && all <= FUNCTIONS ? 0 : -1;
    if (status && !PyErr_Occurred())
        PyErr_SetString(PyExc_ImportError, "more functions than stubs");
    functions = (unsigned)all;
    entries = PyMem_Malloc(all * sizeof *entries);
    if (!entries) status = -1;
    for (unsigned n = 0; !status && n < functions; n++) {
        status = describe(&entries[n], stria_function_at(n));
        const char *const name = entries[n].name, *const dot = strrchr(name, '.');
        if (!status && dot) {
            PyObject *const sub = submodule(module, name, dot);
            PyObject *const full = sub ? PyModule_GetNameObject(sub) : NULL;
            status = full ? add_function(sub, n, full) : -1;
            Py_XDECREF(full);
        } else if (!status && !is_dtype_name(name)) {
            status = add_function(module, n, own);
        }
        if (!status && !dot && (entries[n].method || entries[n].attribute))
            status = add_descriptor(n, dict);
    }
    if (collects) (void)PyGC_Enable();
    Py_XDECREF(own);
    Py_XDECREF(dict);
    return status;
}
