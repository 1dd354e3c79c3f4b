/* SPDX-License-Identifier: BSD-3-Clause */
/* x[...] and x[...] = value: numbers, slices, None, ..., masks, arrays and lists of indices,
 * fields. */
#include <string.h>

#include "binding.h"

enum { MOST = 2 * STRIA_MAX_NDIM + 2 /* Most items of an index. */ };

/* An index while it is read. */
struct key {
    struct call *call;
    int count;
    bool arrays;       /* There is an array among the items. */
    PyObject *made[8]; /* Arrays that were made from lists and tensors. */
    int nmade;
    stria_index_item items[MOST];
};

static void key_end(struct key *key)
{
    for (int i = 0; i < key->nmade; i++)
        Py_DECREF(key->made[i]);
}

/* Makes an array of a list, tuple or range; an empty one gives indices, which are integers. */
static PyObject *array_of_list(PyObject *object)
{
    static const int64_t none;
    stria_view view;
    const bool ready = PyList_Check(object) || PyTuple_Check(object);
    PyObject *const list = ready ? Py_NewRef(object) : PySequence_List(object);
    PyObject *const made = list ? py_call_named("asarray", &list, 1) : NULL;
    Py_XDECREF(list);
    if (!made || !py_is_array(made) || py_array(made)->ndim != 1 || py_array(made)->dims[0])
        return made;
    Py_DECREF(made);
    return py_array_new(&view, stria_dtype_of(STRIA_I64), 1, &none);
}

/*
 * Adds a mask without elements, which picks nothing along as many dims as it has. Where its size is
 * 0 that of the array may be any, as in NumPy: there are no indices. Elsewhere it is a mask of that
 * dim alone, whose size is checked.
 */
static int add_empty_mask(struct key *key, const stria_view *mask)
{
    static const int64_t none, again;
    static int64_t nothing;
    stria_view *const lines = py_call_take(key->call, (size_t)mask->ndim * sizeof *lines);
    if (!lines) return -1;
    if (key->count - 1 + mask->ndim > MOST) {
        PyErr_SetString(PyExc_IndexError, "too many items in an index");
        return -1;
    }
    for (int d = 0; d < mask->ndim; d++) {
        const bool any = mask->shape[d] == 0;
        const stria_status status =
            stria_view_foreign(&lines[d], &nothing, stria_dtype_of(any ? STRIA_I64 : STRIA_BOOL), 1,
                               any ? &none : &mask->shape[d], &again, STRIA_READONLY);
        if (status) return (void)py_raise(status), -1;
        key->items[key->count - 1 + d] =
            (stria_index_item){.kind = STRIA_INDEX_ARRAY, .array = &lines[d]};
    }
    key->count += mask->ndim - 1;
    key->arrays = true;
    return 0;
}

static int add_array(struct key *key, stria_index_item *item, const stria_arg *arg)
{
    const stria_view *const view = arg->value.view;
    if (view->dtype.kind == STRIA_BOOL && view->ndim > 0 && stria_numel(view) == 0)
        return add_empty_mask(key, view);
    if (view->ndim == 0 && view->dtype.kind >= STRIA_I8 && view->dtype.kind <= STRIA_U64) {
        item->kind = STRIA_INDEX_INT;
        const stria_status status = stria_get_i64(&item->start, view, 0, NULL);
        return status ? (void)py_raise(status), -1 : 0;
    }
    item->kind = STRIA_INDEX_ARRAY;
    item->array = view;
    key->arrays = true;
    return 0;
}

static int add_other(struct key *key, stria_index_item *item, PyObject *object)
{
    stria_arg arg;
    if (PyBool_Check(object)) {
        static const bool truths[] = {false, true};
        stria_view *const view = py_call_take(key->call, sizeof *view);
        if (!view) return -1;
        const stria_status status = stria_scalar(view, STRIA_BOOL, &truths[object == Py_True]);
        if (status) return (void)py_raise(status), -1;
        item->kind = STRIA_INDEX_ARRAY;
        item->array = view;
        key->arrays = true;
        return 0;
    }
    if (PyList_Check(object) || PyTuple_Check(object) || Py_TYPE(object) == &PyRange_Type ||
        py_is_lazy(object)) {
        if (key->nmade == sizeof key->made / sizeof *key->made) {
            PyErr_SetString(PyExc_IndexError, "more than 8 lists in one index");
            return -1;
        }
        PyObject *const made = py_is_lazy(object) ? PyObject_CallMethod(object, "compute", NULL)
                                                  : array_of_list(object);
        if (!made) return -1;
        key->made[key->nmade++] = made;
        object = made;
    }
    int found = py_read_operand(&arg, key->call, object);
    if (!found && key->nmade < (int)(sizeof key->made / sizeof *key->made) &&
        PyObject_HasAttrString((PyObject *)Py_TYPE(object), "__dlpack__")) {
        PyObject *const made = py_foreign_array(object); /* of a tensor */
        if (!made) return -1;
        key->made[key->nmade++] = object = made;
        found = py_read_operand(&arg, key->call, object);
    }
    if (found < 0) return -1;
    if (found && arg.kind == STRIA_ARG_VIEW) return add_array(key, item, &arg);
    PyObject *const number = PyIndex_Check(object) ? PyNumber_Index(object) : NULL;
    if (!number) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_IndexError,
                         "%R is no index: takes integers, slices, None, ..., and "
                         "arrays of integers or bool",
                         object);
        return -1;
    }
    item->kind = STRIA_INDEX_INT;
    item->start = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return item->start == -1 && PyErr_Occurred() ? -1 : 0;
}

static int add_index_item(struct key *key, PyObject *object)
{
    if (key->count == MOST) {
        PyErr_SetString(PyExc_IndexError, "too many items in an index");
        return -1;
    }
    stria_index_item *const item = &key->items[key->count++];
    item->array = NULL;
    if (PyLong_CheckExact(object)) {
        int beyond;
        item->kind = STRIA_INDEX_INT;
        item->start = PyLong_AsLongLongAndOverflow(object, &beyond);
        if (!beyond) return 0;
        PyErr_SetString(PyExc_IndexError, "an index does not fit in 64 bits");
        return -1;
    }
    if (PySlice_Check(object)) {
        Py_ssize_t start, stop, step;
        if (PySlice_Unpack(object, &start, &stop, &step)) return -1;
        item->kind = STRIA_INDEX_SLICE;
        item->start = start;
        item->stop = stop;
        item->step = step;
        return 0;
    }
    if (object == Py_None || object == Py_Ellipsis) {
        item->kind = object == Py_None ? STRIA_INDEX_NEWAXIS : STRIA_INDEX_ELLIPSIS;
        return 0;
    }
    return add_other(key, item, object);
}

static int read_key(struct key *key, struct call *call, PyObject *object)
{
    key->call = call;
    key->count = key->nmade = 0;
    key->arrays = false;
    if (!PyTuple_Check(object)) return add_index_item(key, object);
    const Py_ssize_t count = PyTuple_Size(object);
    for (Py_ssize_t i = 0; i < count; i++)
        if (add_index_item(key, PyTuple_GetItem(object, i))) return -1;
    return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns a field of a record, or several. */
static PyObject *fields(PyObject *self, PyObject *key)
{
    stria_view a, out;
    py_view(&a, py_array(self));
    const char *const name = py_utf8(key);
    if (!name) return NULL;
    const stria_status status = stria_view_field(&out, &a, name);
    return status ? py_raise(status) : py_array_of_view(&out, py_array_memory(py_array(self)));
}

/* Raises an IndexError for indices that do not fit the array, as NumPy does. */
static PyObject *raise_index(stria_status status)
{
    return py_raise(status == STRIA_ERR_SHAPE || status == STRIA_ERR_BROADCAST ? STRIA_ERR_INDEX
                                                                               : status);
}

/*
 * Returns an element that integers alone chose: by NumPy's rule a value of its own, which nobody
 * writes; records, and elements without memory, stay views, as all do by PyTorch's rule.
 */
static inline PyObject *element(PyObject *self, const stria_view *at)
{
    return py_settings.rule != STRIA_PROMOTE_NUMPY || at->dtype.kind == STRIA_RECORD ||
                   stria_buffer_is_meta(at->buffer)
               ? py_array_of_view(at, py_array_memory(py_array(self)))
               : py_array_of_element(at);
}

/* Returns a field; that of one record is an element, too. */
static PyObject *field(PyObject *self, PyObject *key)
{
    PyObject *const found = fields(self, key);
    if (!found || py_array(found)->ndim) return found;
    stria_view at;
    py_view(&at, py_array(found));
    PyObject *const made = element(found, &at);
    Py_DECREF(found);
    return made;
}

static bool only_integers(const struct key *key)
{
    for (int i = 0; i < key->count; i++)
        if (key->items[i].kind != STRIA_INDEX_INT) return false;
    return true;
}

static bool is_plain(const stria_view *a, int ndim, uint8_t last)
{
    return a->ndim == ndim && a->dtype.kind <= last && !a->dtype.swapped &&
           !(a->flags & (STRIA_CONJ | STRIA_NEG)) && !stria_buffer_is_meta(a->buffer);
}

/* Takes a few elements of one dim by a line of integers; NULL if the library has to do or refuse
 * it. */
static PyObject *few_elements(const stria_view *a, const struct key *key)
{
    const stria_view *const at = key->items[0].array;
    stria_view out;
    if (key->count != 1 || !is_plain(a, 1, STRIA_C128) || !is_plain(at, 1, STRIA_I64) ||
        at->dtype.kind != STRIA_I64 || at->shape[0] > SMALL / a->dtype.itemsize ||
        py_settings.no_copies || py_settings.counts)
        return NULL;
    PyObject *const made = py_array_new(&out, a->dtype, 1, at->shape);
    const int64_t n = a->shape[0], size = a->dtype.itemsize;
    for (int64_t i = 0; made && i < at->shape[0]; i++) {
        int64_t place;
        memcpy(&place, at->data + i * at->strides[0], sizeof place);
        if (place < 0) place += n;
        if (place < 0 || place >= n) return Py_DECREF(made), NULL;
        memcpy(out.data + i * size, a->data + place * a->strides[0], (size_t)size);
    }
    return made;
}

/* Returns the number of elements of a view if it lies in C order and is small, else -1. */
static int64_t few_of(const stria_view *a)
{
    int64_t stride = a->dtype.itemsize, count = 1;
    for (int d = a->ndim - 1; d >= 0; d--) {
        if (a->strides[d] != stride || a->shape[d] < 1 || a->shape[d] > SMALL) return -1;
        stride *= a->shape[d];
        count *= a->shape[d];
        if (stride > SMALL) return -1;
    }
    return count;
}

/* Takes the elements of a few that a mask of their shape picks; NULL as few_elements. */
static PyObject *few_by_mask(const stria_view *a, const struct key *key)
{
    const stria_view *const mask = key->items[0].array;
    stria_view out;
    if (key->count != 1 || !is_plain(a, a->ndim, STRIA_C128) || a->ndim == 0 ||
        !is_plain(mask, a->ndim, STRIA_BOOL) || py_settings.no_copies || py_settings.counts)
        return NULL;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != mask->shape[d]) return NULL;
    const int64_t n = few_of(a), size = a->dtype.itemsize;
    bool picked[SMALL];
    int64_t count = 0;
    if (n < 0 || few_of(mask) < 0) return NULL;
    for (int64_t i = 0; i < n; i++) /* A copy, since another thread may write the mask meanwhile. */
        count += picked[i] = mask->data[i] != 0;
    PyObject *const made = py_array_new(&out, a->dtype, 1, &count);
    char *to = made ? out.data : NULL;
    for (int64_t i = 0; made && i < n; i++) {
        if (!picked[i]) continue;
        memcpy(to, a->data + i * size, (size_t)size);
        to += size;
    }
    return made;
}

static PyObject *index_by(PyObject *self, const struct key *key)
{
    stria_view a, out;
    py_view(&a, py_array(self));
    if (!key->arrays) {
        const stria_status status = stria_index(&out, &a, key->count, key->items);
        if (status) return py_raise(status);
        return out.ndim == 0 && only_integers(key)
                   ? element(self, &out)
                   : py_array_of_view(&out, py_array_memory(py_array(self)));
    }
    const bool masks = key->items[0].array && key->items[0].array->dtype.kind == STRIA_BOOL;
    PyObject *const few = masks ? few_by_mask(&a, key) : few_elements(&a, key);
    if (few || PyErr_Occurred()) return few;
    stria_array made = {.owned = NULL};
    stria_status status;
    const int64_t bytes = stria_nbytes(&a);
    WITHOUT_GIL(bytes, status = stria_index_arrays_new(&made, &a, key->count, key->items,
                                                       STRIA_PLACE_NUMPY, NULL));
    if (status) return raise_index(status);
    if ((py_settings.no_copies || py_settings.counts) &&
        py_note_copy("an index of arrays", &made.view)) {
        stria_array_release(&made);
        return NULL;
    }
    return py_array_of_owner(&made);
}

/*
 * Finds the element that integers choose, one for each dim, as a view of no dims; false for other
 * indices, and for those that are refused.
 */
static bool find_element(stria_view *out, const Array *a, PyObject *key)
{
    const bool one = !PyTuple_CheckExact(key);
    const Py_ssize_t count = one ? 1 : PyTuple_Size(key);
    if (count != a->ndim || count == 0 || (one && PySlice_Check(key))) return false;
    int64_t offset = 0;
    for (Py_ssize_t d = 0; d < count; d++) {
        PyObject *const item = one ? key : PyTuple_GetItem(key, d);
        int beyond = 1;
        int64_t i = 0;
        const int64_t n = a->dims[d];
        if (PyLong_CheckExact(item))
            i = PyLong_AsLongLongAndOverflow(item, &beyond);
        else if (py_index_of_scalar(&i, item))
            beyond = 0;
        if (i < 0) i += n;
        if (beyond || i < 0 || i >= n) return false;
        offset += i * a->dims[count + d];
    }
    out->data = a->data + offset;
    out->buffer = a->buffer;
    out->dtype = a->dtype;
    out->flags = a->flags;
    out->ndim = 0;
    return true;
}

/* Has _options.py read or write what was refused of texts, dates and records. */
static PyObject *index_again(PyObject *self, PyObject *key, PyObject *value)
{
    PyObject *const args[] = {key, value};
    if (py_array(self)->dtype.kind <= STRIA_C128) return NULL;
    return py_call_again(value ? "__setitem__" : "__getitem__", self, args, value ? 2 : 1, NULL);
}

PyObject *py_index(PyObject *self, PyObject *object)
{
    struct call call;
    struct key key;
    stria_view at;
    if (find_element(&at, py_array(self), object)) return element(self, &at);
    if (PyUnicode_Check(object)) return field(self, object);
    py_call_begin(&call);
    PyObject *const made = read_key(&key, &call, object) ? NULL : index_by(self, &key);
    key_end(&key);
    py_call_end(&call);
    return made ? made : index_again(self, object, NULL);
}

static PyObject *item_at(PyObject *self, Py_ssize_t i)
{
    stria_view a, out;
    const stria_index_item item = {.kind = STRIA_INDEX_INT, .start = i};
    const Array *const line = py_array(self);
    if (line->ndim == 1 && i >= 0 && i < line->dims[0]) {
        out.data = line->data + i * line->dims[1];
        out.buffer = line->buffer;
        out.dtype = line->dtype;
        out.flags = line->flags;
        out.ndim = 0;
        return element(self, &out);
    }
    py_view(&a, py_array(self));
    if (a.ndim && (i < 0 || i >= a.shape[0])) {
        /* Loops over an array end by this error: a message without numbers is faster. */
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return NULL;
    }
    const stria_status status = stria_index(&out, &a, 1, &item);
    if (status) return py_raise(status);
    return out.ndim == 0 ? element(self, &out)
                         : py_array_of_view(&out, py_array_memory(py_array(self)));
}

static Py_ssize_t length(PyObject *self)
{
    if (py_array(self)->ndim) return (Py_ssize_t)py_array(self)->dims[0];
    PyErr_SetString(PyExc_TypeError, "an array of 0 dims has no length");
    return -1;
}

static int contains(PyObject *self, PyObject *value)
{
    PyObject *const equal = PyObject_RichCompare(self, value, Py_EQ);
    if (!equal || !py_is_array(equal)) {
        Py_XDECREF(equal);
        return equal ? 0 : -1;
    }
    PyObject *const any = py_call_named("any", &equal, 1);
    Py_DECREF(equal);
    const int found = any ? PyObject_IsTrue(any) : -1;
    Py_XDECREF(any);
    return found;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Makes a number one of the dtype that it is written to; an integer that does not fit is
 * refused. */
static stria_status number_as(stria_view *out, char room[16], const stria_arg *arg,
                              stria_dtype dtype)
{
    stria_view weak;
    stria_status status = STRIA_OK;
    dtype.swapped = false;
    memset(room, 0, 16);
    status = stria_view_foreign(out, room, dtype, 0, NULL, NULL, 0);
    if (status) return status;
    switch (arg->kind) {
    case STRIA_ARG_INT: return stria_set_i64(out, 0, NULL, arg->value.integer);
    case STRIA_ARG_UINT: return stria_set_u64(out, 0, NULL, arg->value.unsigned_integer);
    case STRIA_ARG_BOOL: return stria_set_bool(out, 0, NULL, arg->value.truth);
    case STRIA_ARG_FLOAT: status = stria_scalar(&weak, STRIA_F64, &arg->value.real); break;
    default: status = stria_scalar(&weak, STRIA_C128, arg->value.complex_parts); break;
    }
    return status ? status : stria_copy(out, &weak, NULL);
}

static int write_view(PyObject *self, const struct key *key, const stria_view *value, int64_t bytes)
{
    const stria_exec exec = {.threads = py_settings.threads};
    stria_view a, dst;
    stria_status status;
    py_view(&a, py_array(self));
    if (key->arrays) {
        const int64_t more = stria_nbytes(&a);
        WITHOUT_GIL(more > bytes ? more : bytes,
                    status = stria_index_put(&a, key->count, key->items, value, STRIA_PLACE_NUMPY,
                                             STRIA_REDUCE_NONE, NULL));
        return status ? (void)py_raise(status), -1 : 0;
    }
    status = stria_index(&dst, &a, key->count, key->items);
    const int64_t more = status ? 0 : stria_nbytes(&dst);
    stria_view from = *value;
    /* Leading sizes of 1 beyond the dims of the destination do not count by NumPy's rule. */
    while (!status && from.ndim > dst.ndim && from.shape[0] == 1)
        status = stria_select(&from, &from, 0, 0);
    if (!status) WITHOUT_GIL(more, status = stria_copy(&dst, &from, &exec));
    return status ? (void)py_raise(status), -1 : 0;
}

static int write_value(PyObject *self, const struct key *key, struct call *call, PyObject *value)
{
    char room[16];
    stria_arg arg;
    stria_view number;
    PyObject *made = NULL;
    int found = py_read_operand(&arg, call, value);
    if (found < 0) return -1;
    if (found && arg.kind == STRIA_ARG_COMPLEX && py_array(self)->dtype.kind < STRIA_C64) {
        PyErr_Format(py_error_class(STRIA_ERR_DTYPE),
                     "the complex number %R does not go into an array of reals; write its .real",
                     value);
        return -1;
    }
    if (found && arg.kind != STRIA_ARG_VIEW && py_array(self)->dtype.kind <= STRIA_C128) {
        const stria_status status = number_as(&number, room, &arg, py_array(self)->dtype);
        return status ? (void)py_raise(status), -1 : write_view(self, key, &number, 0);
    }
    if (!found || arg.kind != STRIA_ARG_VIEW) {
        /* Integers of a list have to fit, too. */
        const stria_dtype *const dtype = &py_array(self)->dtype;
        const bool integers = dtype->kind >= STRIA_I8 && dtype->kind <= STRIA_U64 &&
                              (PyList_Check(value) || PyTuple_Check(value));
        made = py_is_lazy(value) ? PyObject_CallMethod(value, "compute", NULL)
                                 : py_asarray(value, integers ? dtype : NULL);
        found = !made ? -1 : !py_is_array(made) ? 0 : py_read_operand(&arg, call, made);
    }
    int status = -1;
    if (found > 0 && arg.kind == STRIA_ARG_VIEW)
        status = write_view(self, key, arg.value.view, call->bytes);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R cannot be written into an array", value);
    Py_XDECREF(made);
    return status;
}

/* Tells whether an index is a mask of no dims that is false. Nothing is written to a number then,
 * even if it is read-only, as every result of no dims is: libraries fill in so what NumPy gives. */
static bool masks_nothing(PyObject *object)
{
    bool value = true;
    stria_view mask;
    if (!py_is_array(object) || py_array(object)->ndim ||
        py_array(object)->dtype.kind != STRIA_BOOL)
        return false;
    py_view(&mask, py_array(object));
    return !stria_get_bool(&value, &mask, 0, NULL) && !value;
}

int py_assign(PyObject *self, PyObject *object, PyObject *value)
{
    struct call call;
    struct key key;
    stria_view at;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
        return -1;
    }
    if (py_refuse_write(self)) return -1;
    if (find_element(&at, py_array(self), object)) {
        const int written = py_write_number(&at, value);
        if (written) return written > 0 ? 0 : -1;
    }
    if (PyUnicode_Check(object)) {
        PyObject *const field = fields(self, object);
        const int status = field ? py_assign(field, Py_Ellipsis, value) : -1;
        Py_XDECREF(field);
        return status;
    }
    if (py_array(self)->ndim == 0 && masks_nothing(object)) return 0;
    py_call_begin(&call);
    const int status = read_key(&key, &call, object) ? -1 : write_value(self, &key, &call, value);
    key_end(&key);
    py_call_end(&call);
    PyObject *const made = status ? index_again(self, object, value) : NULL;
    Py_XDECREF(made);
    return made ? 0 : status;
}

PyType_Slot py_index_slots[] = {{Py_mp_subscript, py_index},
                                {Py_mp_ass_subscript, py_assign},
                                {Py_mp_length, length},
                                {Py_sq_length, length},
                                {Py_sq_item, item_at},
                                {Py_sq_contains, contains},
                                {0, NULL}};
