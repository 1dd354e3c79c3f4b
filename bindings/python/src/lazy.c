/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The type in which _lazy.py records calls. Sums, differences, products and quotients of arrays of
 * the same layouts as some before, and slices of arrays, are recorded here without asking the
 * library again; and lazy arrays that consist of those alone run by the graph that was made the
 * first time.
 */
#include <stdatomic.h>
#include <string.h>

#include "binding.h"
#include "stria/graph.h"

enum { WORDS = 11, FORM_DIMS = 4, MOST_LEAVES = 16, PLACES = 512, MOST_FORMS = 2 * PLACES };

/*
 * An array of a layout, or an operation of two forms, or of one and a number. Words tell forms from
 * one another. A form is never released, so that only a few are made.
 */
struct form {
    int64_t word[WORDS];
    struct form *next;
    const struct form *of[2]; /* NULL: the number, which differs in each run. */
    /* Number of arrays and numbers that it is computed from, as often as they are named. */
    int leaves;
    PyObject *meta, *kind; /* Members of the lazy arrays; kind NULL: this is an array. */
    _Atomic(stria_graph *) graph;
};

struct lazy {
    PyObject_HEAD PyObject *kind, *args, *keywords, *meta, *value, *rule, *checked;
    PyObject *read;   /* List of sources; for an array, with those of views of it. */
    PyObject *leaves; /* Numbers and lazy arrays with values, which a form of operations reads. */
    const struct form *form;
    long long number;  /* Counts in the order of recording. */
    long long watched; /* Bytes of the first source. */
    bool noted;        /* Its sources note writes from now on. */
};

/* Functions of _lazy.py: record(name, a, b), view(lazy, array), item(lazy, key),
 * is_element(lazy). */
static PyObject *lazy_class, *record, *view_of_lazy, *item_of_lazy, *is_element;
static PyObject *no_args, *no_keywords, *no_sources;
static atomic_llong numbers;

static struct form *table[PLACES];
static int forms;
static atomic_flag locked = ATOMIC_FLAG_INIT;

static struct lazy *lazy_of(PyObject *self)
{
    return (struct lazy *)self;
}

static bool is_lazy(PyObject *object)
{
    return (PyObject *)Py_TYPE(object) == lazy_class;
}

static void set_member(PyObject **member, PyObject *to)
{
    PyObject *const before = *member;
    *member = Py_XNewRef(to);
    Py_XDECREF(before);
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* Finds the form of these words, or adds `made`, which has them; NULL: there is none. */
static struct form *find_form(const int64_t *word, struct form *made)
{
    uint64_t hash = 0;
    for (int i = 0; i < WORDS; i++)
        hash = (hash ^ (uint64_t)word[i]) * UINT64_C(0x9E3779B97F4A7C15), hash ^= hash >> 32;
    struct form **const place = &table[hash % PLACES];
    while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire)) {
    }
    struct form *found = *place;
    while (found && memcmp(found->word, word, sizeof found->word))
        found = found->next;
    if (!found && made && forms < MOST_FORMS) {
        forms++;
        made->next = *place;
        *place = found = made;
    }
    atomic_flag_clear_explicit(&locked, memory_order_release);
    return found;
}

/* Adds the form of these words; takes no reference over. */
static const struct form *add_form(const int64_t *word, const struct form *const *of,
                                   PyObject *meta, PyObject *kind)
{
    struct form *const made = PyMem_Calloc(1, sizeof *made);
    if (!made) return NULL;
    memcpy(made->word, word, sizeof made->word);
    made->leaves = of ? 0 : 1;
    for (int i = 0; of && i < 2; i++) {
        made->of[i] = of[i];
        made->leaves += of[i] ? of[i]->leaves : 1;
    }
    made->meta = Py_NewRef(meta);
    made->kind = Py_XNewRef(kind);
    const struct form *const found = find_form(word, made);
    if (found == made) return found;
    Py_DECREF(made->meta);
    Py_XDECREF(made->kind);
    PyMem_Free(made);
    return found;
}

/* Returns the form of an array; NULL if it has many dims, or is not of numbers. */
static const struct form *form_of_array(PyObject *array)
{
    const Array *const a = py_array(array);
    int64_t word[WORDS] = {-1, a->dtype.kind, (int64_t)a->flags & ~(int64_t)STRIA_READONLY};
    if (a->ndim > FORM_DIMS || a->dtype.kind > STRIA_C128 || !a->data) return NULL;
    word[1] |= (int64_t)a->dtype.swapped << 8 | (int64_t)a->ndim << 16;
    memcpy(word + 3, a->dims, 2 * (size_t)a->ndim * sizeof *word);
    const struct form *const found = find_form(word, NULL);
    if (found) return found;
    PyObject *const meta = py_meta(array);
    const struct form *const made = meta ? add_form(word, NULL, meta, NULL) : NULL;
    if (!meta) PyErr_Clear();
    Py_XDECREF(meta);
    return made;
}

/* Returns the form of a lazy array; NULL: it has none. */
static const struct form *form_of(struct lazy *a)
{
    if (!a->form && a->value && py_is_array(a->value)) a->form = form_of_array(a->value);
    return a->form;
}

/*
 * Reads a number: a float, or an integer that every array beside it has room for. Returns the kind
 * of the scalar that it is; -1: it is none of these.
 */
static int read_number(void *out, PyObject *object, const struct form *beside)
{
    int beyond = 0;
    if (PyFloat_CheckExact(object)) {
        const double number = PyFloat_AsDouble(object);
        memcpy(out, &number, sizeof number);
        return STRIA_F64;
    }
    if (!PyLong_CheckExact(object)) return -1;
    const int64_t number = PyLong_AsLongLongAndOverflow(object, &beyond);
    const int kind = beside ? py_array(beside->meta)->dtype.kind : STRIA_I64;
    memcpy(out, &number, sizeof number);
    const bool narrow = kind <= STRIA_U64 && kind != STRIA_I64;
    return beyond || (narrow && (number < 0 || number > INT8_MAX)) ? -1 : STRIA_I64;
}

/* ---- recording ------------------------------------------------------------------------------- */

/* Makes a lazy array of these, of which nothing is recorded yet. */
static struct lazy *new_lazy(void)
{
    allocfunc alloc;
    const union {
        void *slot;
        allocfunc *unused;
    } got = {PyType_GetSlot((PyTypeObject *)lazy_class, Py_tp_alloc)};
    memcpy(&alloc, &got.slot, sizeof alloc);
    struct lazy *const made = (struct lazy *)alloc((PyTypeObject *)lazy_class, 0);
    if (made) made->number = atomic_fetch_add(&numbers, 1);
    return made;
}

/* Makes the sources of an array note writes from now on. */
static int note_sources(struct lazy *a)
{
    const Py_ssize_t count = a->noted || !a->read ? 0 : PyList_Size(a->read);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const told = PyObject_CallMethod(PyList_GetItem(a->read, i), "note", NULL);
        if (!told) return -1;
        Py_DECREF(told);
    }
    a->noted = true;
    return 0;
}

/* Puts the leaves of an operand behind the existing ones. */
static Py_ssize_t put_leaves(PyObject *leaves, Py_ssize_t at, PyObject *operand)
{
    PyObject *const own = is_lazy(operand) ? lazy_of(operand)->leaves : NULL;
    const Py_ssize_t count = own ? PyTuple_Size(own) : 1;
    for (Py_ssize_t i = 0; i < count; i++)
        (void)PyTuple_SetItem(leaves, at + i, Py_NewRef(own ? PyTuple_GetItem(own, i) : operand));
    return at + count;
}

/* Gives a lazy array its form, and the leaves of its operands. */
static int set_form(struct lazy *made, const struct form *form, PyObject *const *operands)
{
    Py_ssize_t at = 0;
    PyObject *const leaves = PyTuple_New(form->leaves);
    if (!leaves) return -1;
    for (int i = 0; i < 2; i++)
        at = put_leaves(leaves, at, operands[i]);
    made->form = form;
    made->leaves = leaves;
    return 0;
}

/* Returns the sources that an operation of arrays reads itself. */
static PyObject *sources_of(PyObject *const *operands)
{
    PyObject *read[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        if (is_lazy(operands[i]) && lazy_of(operands[i])->value)
            read[i] = lazy_of(operands[i])->read;
    if (read[0] && read[1] && read[0] != read[1]) return PySequence_Concat(read[0], read[1]);
    return Py_NewRef(read[0] ? read[0] : read[1] ? read[1] : no_sources);
}

static PyObject *make_operation(const struct form *form, PyObject *const *operands)
{
    struct lazy *const made = new_lazy();
    if (!made) return NULL;
    made->kind = Py_NewRef(form->kind);
    made->meta = Py_NewRef(form->meta);
    made->args = PyTuple_Pack(2, operands[0], operands[1]);
    made->keywords = Py_NewRef(no_keywords);
    made->rule = PyUnicode_InternFromString(form->word[1] & 1 ? "numpy" : "torch");
    made->checked = Py_NewRef(form->word[1] & 2 ? Py_True : Py_False);
    made->read = sources_of(operands);
    int failed = !made->args || !made->rule || !made->read || set_form(made, form, operands);
    for (int i = 0; i < 2 && !failed; i++)
        if (is_lazy(operands[i]) && lazy_of(operands[i])->value)
            failed = note_sources(lazy_of(operands[i]));
    if (!failed) return (PyObject *)made;
    Py_DECREF(made);
    return NULL;
}

static PyObject *operate(stria_op op, const char *name, PyObject *a, PyObject *b)
{
    PyObject *const operands[] = {a, b};
    const struct form *of[2] = {NULL, NULL};
    const int numpy = py_settings.rule == STRIA_PROMOTE_NUMPY;
    int64_t word[WORDS] = {(int64_t)op, numpy | (py_settings.checked ? 2 : 0)}, number;
    for (int i = 0; i < 2; i++)
        of[i] = is_lazy(operands[i]) ? form_of(lazy_of(operands[i])) : NULL;
    bool known = !py_notes_errors();
    for (int i = 0; i < 2 && known; i++) {
        word[2 + i] = (int64_t)(intptr_t)of[i];
        if (of[i]) continue;
        word[4] = is_lazy(operands[i]) ? -1 : read_number(&number, operands[i], of[1 - i]);
        known = word[4] >= 0;
    }
    const int leaves = (of[0] ? of[0]->leaves : 1) + (of[1] ? of[1]->leaves : 1);
    known = known && leaves <= MOST_LEAVES;
    const struct form *form = known ? find_form(word, NULL) : NULL;
    if (form) return make_operation(form, operands);
    PyObject *const made = PyObject_CallFunction(record, "sOO", name, a, b);
    if (!made || !known || !is_lazy(made)) return made;
    PyObject *const simple = PyObject_CallFunctionObjArgs(is_element, made, NULL);
    struct lazy *const m = lazy_of(made);
    if (simple == Py_True && m->meta && m->kind) form = add_form(word, of, m->meta, m->kind);
    const int failed = !simple || (form && set_form(m, form, operands));
    Py_XDECREF(simple);
    if (!failed) return made;
    Py_DECREF(made);
    return NULL;
}

#define OPERATOR(name, op, function)                                                               \
    static PyObject *name(PyObject *a, PyObject *b)                                                \
    {                                                                                              \
        return operate(op, function, a, b);                                                        \
    }
OPERATOR(add, STRIA_ADD, "add")
OPERATOR(subtract, STRIA_SUBTRACT, "subtract")
OPERATOR(multiply, STRIA_MULTIPLY, "multiply")
OPERATOR(divide, STRIA_DIVIDE, "divide")

/* Tells whether a key consists of slices, integers and the like, which make a view. */
static bool makes_view(PyObject *key)
{
    const Py_ssize_t count = PyTuple_CheckExact(key) ? PyTuple_Size(key) : 1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const one = PyTuple_CheckExact(key) ? PyTuple_GetItem(key, i) : key;
        if (!PySlice_Check(one) && !PyLong_CheckExact(one) && one != Py_None && one != Py_Ellipsis)
            return false;
    }
    return true;
}

static PyObject *item(PyObject *self, PyObject *key)
{
    struct lazy *const a = lazy_of(self);
    if (!a->value || !py_is_array(a->value) || !makes_view(key))
        return PyObject_CallFunctionObjArgs(item_of_lazy, self, key, NULL);
    PyObject *const array = PyObject_GetItem(a->value, key);
    if (!array) return NULL;
    int64_t bytes = py_array(array)->dtype.itemsize;
    for (int d = 0; d < py_array(array)->ndim; d++)
        bytes *= py_array(array)->dims[d];
    struct lazy *const made = 4 * bytes < a->watched ? NULL : new_lazy();
    if (!made) {
        PyObject *const other =
            PyErr_Occurred() ? NULL : PyObject_CallFunctionObjArgs(view_of_lazy, self, array, NULL);
        Py_DECREF(array);
        return other;
    }
    made->value = array;
    made->read = Py_XNewRef(a->read);
    made->args = Py_NewRef(no_args);
    made->keywords = Py_NewRef(no_keywords);
    made->watched = a->watched;
    made->noted = a->noted;
    return (PyObject *)made;
}

/* ---- computing ------------------------------------------------------------------------------- */

/* Makes the nodes of a form. */
static stria_status put_nodes(stria_graph *g, int *node, const struct form *form)
{
    int operands[2];
    stria_view like;
    if (!form->kind) {
        py_view(&like, py_array(form->meta));
        return stria_graph_input(g, node, &like);
    }
    for (int i = 0; i < 2; i++) {
        const int64_t none = 0; /* The value has 8 bytes of zeros for either kind. */
        stria_status status = form->of[i] ? put_nodes(g, &operands[i], form->of[i])
                                          : stria_weak(&like, (stria_kind)form->word[4], &none);
        if (!status && !form->of[i]) status = stria_graph_input(g, &operands[i], &like);
        if (status) return status;
    }
    return stria_graph_op(g, node, (stria_op)form->word[0], 2, operands);
}

/* Returns the graph of a form, which is made once; NULL: there is none, and the general way tells
 * why. */
static stria_graph *graph_of(const struct form *form)
{
    struct form *const own = (struct form *)(uintptr_t)form;
    stria_graph *g = atomic_load(&own->graph), *none = NULL;
    int node = 0;
    if (g) return g;
    if (stria_graph_make(&g, form->word[1] & 1 ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH))
        return NULL;
    if (put_nodes(g, &node, form) || stria_graph_prepare(g, 1, &node)) {
        stria_graph_release(g);
        return NULL;
    }
    if (atomic_compare_exchange_strong(&own->graph, &none, g)) return g;
    stria_graph_release(g);
    return none;
}

/* Returns 1 if nothing that the leaves read was written since, 0 if so, -1 on failure. */
static int are_unchanged(PyObject *leaves)
{
    PyObject *before = NULL;
    for (Py_ssize_t i = 0; i < PyTuple_Size(leaves); i++) {
        PyObject *const leaf = PyTuple_GetItem(leaves, i);
        PyObject *const read = is_lazy(leaf) ? lazy_of(leaf)->read : NULL;
        for (Py_ssize_t k = 0; read && read != before && k < PyList_Size(read); k++) {
            PyObject *const told =
                PyObject_CallMethod(PyList_GetItem(read, k), "is_unchanged", NULL);
            if (told != Py_True) return Py_XDECREF(told), told ? 0 : -1;
            Py_DECREF(told);
        }
        before = read ? read : before;
    }
    return 1;
}

/* Keeps the computed value, and releases its operands. */
static void settle_value(struct lazy *a, PyObject *value)
{
    set_member(&a->value, value);
    set_member(&a->args, no_args);
    set_member(&a->keywords, no_keywords);
    set_member(&a->read, no_sources);
    set_member(&a->leaves, NULL);
    a->form = NULL;
}

static PyObject *run_form(const struct form *form, PyObject *leaves)
{
    stria_view views[MOST_LEAVES];
    const stria_view *inputs[MOST_LEAVES];
    int64_t number[MOST_LEAVES];
    stria_array made = {.owned = NULL};
    stria_graph *const g = graph_of(form);
    const stria_exec exec = py_exec();
    int64_t most = 0;
    if (!g) return Py_NewRef(Py_None);
    stria_status status = STRIA_OK;
    for (int i = 0; i < form->leaves && !status; i++) {
        PyObject *const leaf = PyTuple_GetItem(leaves, i);
        inputs[i] = &views[i];
        if (is_lazy(leaf))
            py_view(&views[i], py_array(lazy_of(leaf)->value));
        else
            status =
                stria_weak(&views[i], (stria_kind)read_number(&number[i], leaf, NULL), &number[i]);
        const int64_t bytes = stria_nbytes(&views[i]);
        if (bytes > most) most = bytes;
    }
    if (status) return py_raise(status);
    WITHOUT_GIL(most, status = stria_graph_run_new(&made, g, form->leaves, inputs, &exec));
    return status ? py_raise(status) : py_array_of_owner(&made);
}

/* Returns the array that it is, or becomes by the graph of its form; None: it has to be computed in
 * another way. */
static PyObject *quick(PyObject *self, PyObject *Py_UNUSED(unused))
{
    struct lazy *const a = lazy_of(self);
    const struct form *const form = a->form;
    if (a->value) return Py_NewRef(a->value);
    if (!form || !a->leaves) return Py_NewRef(Py_None);
    PyObject *const leaves = Py_NewRef(a->leaves);
    const int unchanged = are_unchanged(leaves);
    PyObject *const made = unchanged > 0   ? run_form(form, leaves)
                           : unchanged < 0 ? NULL
                                           : Py_NewRef(Py_None);
    Py_DECREF(leaves);
    if (!made || !py_is_array(made)) return made;
    if (!a->value) settle_value(a, made);
    Py_DECREF(made);
    return Py_NewRef(a->value); /* The value is that of the first thread. */
}

static PyObject *settle_with(PyObject *self, PyObject *value)
{
    settle_value(lazy_of(self), value);
    Py_RETURN_NONE;
}

/* ---- the type -------------------------------------------------------------------------------- */

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    const struct lazy *const a = lazy_of(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(a->kind);
    Py_VISIT(a->args);
    Py_VISIT(a->keywords);
    Py_VISIT(a->meta);
    Py_VISIT(a->value);
    Py_VISIT(a->read);
    Py_VISIT(a->leaves);
    return 0;
}

static int clear(PyObject *self)
{
    struct lazy *const a = lazy_of(self);
    PyObject **const members[] = {&a->kind, &a->args,    &a->keywords, &a->meta,  &a->value,
                                  &a->rule, &a->checked, &a->read,     &a->leaves};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        set_member(members[i], NULL);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *const class = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    PyObject_GC_Del(self);
    Py_DECREF(class);
}

static PyObject *lazy_new(PyTypeObject *Py_UNUSED(class), PyObject *Py_UNUSED(args),
                          PyObject *Py_UNUSED(keywords))
{
    return (PyObject *)new_lazy();
}

static PyObject *get_meta(PyObject *self, void *Py_UNUSED(unused))
{
    struct lazy *const a = lazy_of(self);
    if (!a->meta && a->value) a->meta = py_meta(a->value);
    if (!a->meta) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    return Py_NewRef(a->meta);
}

static int set_meta(PyObject *self, PyObject *meta, void *Py_UNUSED(unused))
{
    set_member(&lazy_of(self)->meta, meta);
    return 0;
}

static PyObject *set_lazy_hooks(PyObject *Py_UNUSED(module), PyObject *args)
{
    static PyObject **const hooks[] = {&lazy_class, &record, &view_of_lazy, &item_of_lazy,
                                       &is_element};
    PyObject *given[5];
    if (!PyArg_ParseTuple(args, "OOOOO:_set_lazy", &given[0], &given[1], &given[2], &given[3],
                          &given[4]))
        return NULL;
    for (int i = 0; i < 5; i++)
        set_member(hooks[i], given[i]);
    Py_RETURN_NONE;
}

int py_lazy_ready(PyObject *module)
{
    static PyMemberDef members[] = {
        {"_kind", T_OBJECT, offsetof(struct lazy, kind), 0, NULL},
        {"_args", T_OBJECT, offsetof(struct lazy, args), 0, NULL},
        {"_keywords", T_OBJECT, offsetof(struct lazy, keywords), 0, NULL},
        {"_value", T_OBJECT, offsetof(struct lazy, value), 0, NULL},
        {"_rule", T_OBJECT, offsetof(struct lazy, rule), 0, NULL},
        {"_checked", T_OBJECT, offsetof(struct lazy, checked), 0, NULL},
        {"_read", T_OBJECT, offsetof(struct lazy, read), 0, NULL},
        {"_number", T_LONGLONG, offsetof(struct lazy, number), READONLY, NULL},
        {"_watched", T_LONGLONG, offsetof(struct lazy, watched), 0, NULL},
        {NULL, 0, 0, 0, NULL}};
    static PyGetSetDef meta[] = {{"_meta", get_meta, set_meta, NULL, NULL},
                                 {NULL, NULL, NULL, NULL, NULL}};
    static PyMethodDef methods[] = {{"_quick", quick, METH_NOARGS, NULL},
                                    {"_settle", settle_with, METH_O, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyMethodDef functions[] = {{"_set_lazy", set_lazy_hooks, METH_VARARGS, NULL},
                                      {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_new, lazy_new},
                           {Py_tp_dealloc, dealloc},
                           {Py_tp_traverse, traverse},
                           {Py_tp_clear, clear},
                           {Py_tp_members, members},
                           {Py_tp_getset, meta},
                           {Py_tp_methods, methods},
                           {Py_nb_add, add},
                           {Py_nb_subtract, subtract},
                           {Py_nb_multiply, multiply},
                           {Py_nb_true_divide, divide},
                           {Py_mp_subscript, item},
                           {0, NULL}};
    PyType_Spec spec = {.name = "stria._core._Lazy",
                        .basicsize = sizeof(struct lazy),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                        .slots = slots};
    PyObject *const type = PyType_FromSpec(&spec);
    no_args = PyTuple_New(0);
    no_keywords = PyDict_New();
    no_sources = PyList_New(0);
    if (!type || !no_args || !no_keywords || !no_sources ||
        PyModule_AddObjectRef(module, "_Lazy", type))
        return -1;
    return PyModule_AddFunctions(module, functions);
}
