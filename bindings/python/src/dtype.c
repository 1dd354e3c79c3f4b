/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria.dtype: one object for each dtype of numbers, others are made as they are needed. They
 * compare with names and with NumPy's dtypes.
 */
#include <string.h>

#include "binding.h"

typedef struct {
    PyObject_HEAD stria_dtype dtype;
} Dtype;

static PyTypeObject *type;
static PyObject *numbers[STRIA_C128 + 1];

/* The names of the standard, and NumPy's and PyTorch's for dtypes that it does not have. */
static const char *const names[STRIA_C128 + 1] = {
    "bool",     "int8",    "int16",   "int32",         "int64",       "uint8",
    "uint16",   "uint32",  "uint64",  "float8_e4m3fn", "float8_e5m2", "float16",
    "bfloat16", "float32", "float64", "complex64",     "complex128"};

static stria_dtype dtype_of(PyObject *self)
{
    return ((Dtype *)self)->dtype;
}

bool py_is_dtype(PyObject *object)
{
    return Py_TYPE(object) == type;
}

stria_dtype py_dtype_value(PyObject *object)
{
    return dtype_of(object);
}

static PyObject *make_dtype(stria_dtype dtype)
{
    Dtype *const made = PyObject_New(Dtype, type);
    if (made) made->dtype = stria_dtype_retain(dtype);
    return (PyObject *)made;
}

PyObject *py_dtype_new(stria_dtype dtype)
{
    if (dtype.kind <= STRIA_C128 && !dtype.swapped) return Py_NewRef(numbers[dtype.kind]);
    return make_dtype(dtype);
}

/* Returns the library's text, of any length, as a str. */
static PyObject *format(stria_dtype dtype)
{
    char small[256];
    size_t size = 0;
    (void)stria_dtype_format(small, sizeof small, &size, dtype);
    if (size < sizeof small) return PyUnicode_FromStringAndSize(small, (Py_ssize_t)size);
    char *const text = PyMem_Malloc(size + 1);
    if (!text) return PyErr_NoMemory();
    (void)stria_dtype_format(text, size + 1, NULL, dtype);
    PyObject *const made = PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
    PyMem_Free(text);
    return made;
}

PyObject *py_dtype_name(stria_dtype dtype)
{
    return dtype.kind <= STRIA_C128 && !dtype.swapped ? PyUnicode_FromString(names[dtype.kind])
                                                      : format(dtype);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int parse(stria_dtype *out, const char *text)
{
    for (int kind = 0; kind <= STRIA_C128; kind++) {
        if (text[0] != names[kind][0] || strcmp(text, names[kind]) != 0) continue;
        *out = stria_dtype_of((stria_kind)kind);
        return 1;
    }
    /* A string of Python names NumPy's i8, which has eight bytes; the library's has eight bits. */
    if ((text[0] == 'i' || text[0] == 'u' || text[0] == 'f' || text[0] == 'c') && text[1] &&
        strspn(text + 1, "0123456789") == strlen(text + 1) && strlen(text) < 4) {
        char native[8];
        (void)PyOS_snprintf(native, sizeof native, "=%s", text);
        if (stria_dtype_parse(out, native) == STRIA_OK) return 1;
    }
    return stria_dtype_parse(out, text) == STRIA_OK;
}

static int parse_attribute(stria_dtype *out, PyObject *object, const char *name)
{
    PyObject *const text = name ? PyObject_GetAttrString(object, name) : PyObject_Str(object);
    const char *const read = text && PyUnicode_Check(text) ? py_utf8(text) : NULL;
    const int found = read ? parse(out, read) : 0;
    Py_XDECREF(text);
    PyErr_Clear();
    return found;
}

/* Tells whether it has an attribute; other errors count as no. */
static bool has_attribute(PyObject *object, const char *name)
{
    PyObject *const found = PyObject_GetAttrString(object, name);
    Py_XDECREF(found);
    PyErr_Clear();
    return found != NULL;
}

/* Tells whether a dtype of NumPy is one that a package has made. */
static bool is_of_package(PyObject *object)
{
    PyObject *const kind = PyObject_GetAttrString(object, "isbuiltin");
    const bool made = kind && PyLong_Check(kind) && PyLong_AsLong(kind) == 2;
    Py_XDECREF(kind);
    PyErr_Clear();
    return made;
}

/* Reads NumPy's dtypes: those of packages by name, records by their fields. */
static int read_numpy(stria_dtype *out, PyObject *object)
{
    PyObject *const fields = PyObject_GetAttrString(object, "fields");
    const bool record = fields && fields != Py_None;
    Py_XDECREF(fields);
    PyErr_Clear();
    if (record) return parse_attribute(out, object, NULL);
    if (parse_attribute(out, object, "str") && out->kind != STRIA_VOID) return 1;
    return parse_attribute(out, object, "name") ||
           (!is_of_package(object) && parse_attribute(out, object, "str"));
}

bool py_has_metadata(PyObject *object)
{
    if (py_is_dtype(object) || PyType_Check(object)) return false;
    PyObject *const metadata = PyObject_GetAttrString(object, "metadata");
    const bool has = metadata && metadata != Py_None && has_attribute(object, "itemsize");
    Py_XDECREF(metadata);
    PyErr_Clear();
    return has;
}

/* Reads the fields of a record as NumPy's lists, tuples and dicts have them, by _data_types.py. */
static int read_fields(stria_dtype *out, PyObject *object)
{
    PyObject *const module = PyImport_ImportModule("stria._data_types"),
                    *const text =
                        module ? PyObject_CallMethod(module, "_fields", "O", object) : NULL;
    const char *const read = text && PyUnicode_Check(text) ? py_utf8(text) : NULL;
    const int found = read ? parse(out, read) : 0;
    Py_XDECREF(module);
    Py_XDECREF(text);
    PyErr_Clear();
    return found;
}

int py_dtype_read(stria_dtype *out, PyObject *object)
{
    if (py_is_dtype(object)) {
        *out = stria_dtype_retain(dtype_of(object));
        return 1;
    }
    if (PyUnicode_Check(object)) {
        const char *const text = py_utf8(object);
        return text ? parse(out, text) : -1;
    }
    if (PyType_Check(object)) {
        if (object == (PyObject *)&PyFloat_Type) return parse(out, "float64");
        if (object == (PyObject *)&PyLong_Type) return parse(out, "int64");
        if (object == (PyObject *)&PyBool_Type) return parse(out, "bool");
        if (object == (PyObject *)&PyComplex_Type) return parse(out, "complex128");
        return parse_attribute(out, object, "__name__");
    }
    if (PyList_Check(object) || PyTuple_Check(object) || PyDict_Check(object))
        return read_fields(out, object);
    if (has_attribute(object, "itemsize") && has_attribute(object, "kind") &&
        has_attribute(object, "str"))
        return read_numpy(out, object);
    PyObject *const module = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__module__");
    const char *const from = module && PyUnicode_Check(module) ? py_utf8(module) : NULL;
    const bool torch = from && !strcmp(from, "torch") && !has_attribute(object, "shape");
    Py_XDECREF(module);
    PyErr_Clear();
    return torch ? parse_attribute(out, object, NULL) : 0;
}

/* ---- the type -------------------------------------------------------------------------------- */

/* Has NumPy read keywords, as align=, which places fields as C does. */
static PyObject *dtype_by_numpy(PyObject *args, PyObject *keywords)
{
    PyObject *const numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
    PyObject *const call = numpy ? PyObject_GetAttrString(numpy, "dtype") : NULL;
    PyObject *const theirs = call ? PyObject_Call(call, args, keywords) : NULL;
    PyObject *const made = theirs ? PyObject_CallFunction((PyObject *)type, "O", theirs) : NULL;
    if (!numpy)
        PyErr_SetString(PyExc_TypeError, "dtype: keywords are read by NumPy, where it is imported");
    Py_XDECREF(call);
    Py_XDECREF(theirs);
    return made;
}

static PyObject *dtype_new(PyTypeObject *Py_UNUSED(cls), PyObject *args, PyObject *keywords)
{
    PyObject *object;
    stria_dtype dtype;
    if (keywords && PyDict_Size(keywords)) return dtype_by_numpy(args, keywords);
    if (!PyArg_ParseTuple(args, "O:dtype", &object)) return NULL;
    const int found = py_dtype_read(&dtype, object);
    if (found < 0) return NULL;
    if (!found) return PyErr_Format(PyExc_TypeError, "%R is no dtype", object);
    PyObject *const made = py_dtype_new(dtype);
    stria_dtype_release(dtype);
    return made;
}

static void dtype_dealloc(PyObject *self)
{
    PyTypeObject *const of = Py_TYPE(self);
    stria_dtype_release(dtype_of(self));
    PyObject_Free(self);
    Py_DECREF(of);
}

static PyObject *dtype_str(PyObject *self)
{
    return py_dtype_name(dtype_of(self));
}

static PyObject *dtype_repr(PyObject *self)
{
    const bool named = dtype_of(self).kind <= STRIA_C128 && !dtype_of(self).swapped;
    PyObject *const text = dtype_str(self);
    PyObject *const made =
        text ? PyUnicode_FromFormat(named ? "stria.%U" : "stria.dtype(%R)", text) : NULL;
    Py_XDECREF(text);
    return made;
}

static Py_hash_t dtype_hash(PyObject *self)
{
    PyObject *const text = dtype_str(self);
    if (!text) return -1;
    const Py_hash_t hash = PyObject_Hash(text);
    Py_DECREF(text);
    return hash;
}

static PyObject *dtype_compare(PyObject *self, PyObject *other, int op)
{
    stria_dtype dtype;
    if (op != Py_EQ && op != Py_NE) return Py_NewRef(Py_NotImplemented);
    if (self == other) return PyBool_FromLong(op == Py_EQ);
    const int found = py_dtype_read(&dtype, other);
    if (found < 0) return NULL;
    if (!found)
        return PyUnicode_Check(other) ? PyBool_FromLong(op == Py_NE) : Py_NewRef(Py_NotImplemented);
    const bool equal = stria_dtype_equal(dtype_of(self), dtype);
    stria_dtype_release(dtype);
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *get_kind(PyObject *self, void *Py_UNUSED(closure))
{
    static const char kinds[] =
        "biiiiuuuufffff" /* The letters of f8 .. f64 are those of similar dtypes. */;
    const int kind = dtype_of(self).kind;
    static const char others[] = "SUVMmV";
    const char c = kind >= STRIA_BYTES ? others[kind - STRIA_BYTES]
                   : kind >= STRIA_C64 ? 'c'
                   : kind == STRIA_F64 ? 'f'
                                       : kinds[kind];
    return PyUnicode_FromStringAndSize(&c, 1);
}

static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    return dtype_str(self);
}

/* Returns NumPy's text of the array interface: "<f4"; "|V2" for dtypes that NumPy does not have. */
static PyObject *get_str(PyObject *self, void *Py_UNUSED(closure))
{
    const stria_dtype dtype = dtype_of(self);
    if (dtype.kind >= STRIA_BYTES && dtype.kind != STRIA_VOID) {
        PyObject *const text = format(dtype);
        const bool order = dtype.kind == STRIA_UNICODE || dtype.kind == STRIA_DATETIME ||
                           dtype.kind == STRIA_TIMEDELTA;
        const bool has = dtype.swapped || dtype.kind == STRIA_RECORD;
        PyObject *const made = text ? PyUnicode_FromFormat("%s%U",
                                                           has     ? ""
                                                           : order ? "<"
                                                                   : "|",
                                                           text)
                                    : NULL;
        Py_XDECREF(text);
        return made;
    }
    static const char letters[] = "biiiiuuuuVVfVffcc";
    const bool big = dtype.swapped; /* Stria runs on little-endian machines as a Python package. */
    const char letter = dtype.kind <= STRIA_C128 ? letters[dtype.kind] : 'V';
    return PyUnicode_FromFormat("%s%c%d",
                                dtype.itemsize == 1 || letter == 'V' ? "|"
                                : big                                ? ">"
                                                                     : "<",
                                letter, dtype.itemsize);
}

static PyObject *dtype_reduce(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *const text = dtype_str(self);
    return text ? Py_BuildValue("O(N)", (PyObject *)type, text) : NULL;
}

static PyGetSetDef dtype_getset[] = {
    {"name", get_name, NULL, "The name, as \"float32\".", NULL},
    {"str", get_str, NULL, "The text of NumPy's array interface, as \"<f4\".", NULL},
    {"kind", get_kind, NULL, "NumPy's letter for the kind: b i u f c S U V M m.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef dtype_members[] = {
    {"itemsize", T_INT, offsetof(Dtype, dtype.itemsize), READONLY, "Bytes of an item."},
    {"alignment", T_USHORT, offsetof(Dtype, dtype.alignment), READONLY,
     "Bytes of which addresses are multiples."},
    {NULL, 0, 0, 0, NULL}};

static PyMethodDef dtype_methods[] = {{"__reduce__", dtype_reduce, METH_NOARGS, NULL},
                                      {NULL, NULL, 0, NULL}};

static PyType_Slot dtype_slots[] = {
    {Py_tp_doc, "dtype(name, /)\n--\n\nWhat the items of an array are: a name of Stria, NumPy or "
                "PyTorch, a type of Python, or a dtype of NumPy.\n\n"
                ">>> st.dtype('f4'), st.dtype(int).itemsize\n(stria.float32, 8)"},
    {Py_tp_new, dtype_new},
    {Py_tp_dealloc, dtype_dealloc},
    {Py_tp_repr, dtype_repr},
    {Py_tp_str, dtype_str},
    {Py_tp_hash, dtype_hash},
    {Py_tp_richcompare, dtype_compare},
    {Py_tp_getset, dtype_getset},
    {Py_tp_members, dtype_members},
    {Py_tp_methods, dtype_methods},
    {0, NULL}};

static PyType_Spec spec = {.name = "stria.dtype",
                           .basicsize = sizeof(Dtype),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = dtype_slots};

int py_dtype_ready(PyObject *module)
{
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!type || PyModule_AddObjectRef(module, "dtype", (PyObject *)type)) return -1;
    for (int kind = 0; kind <= STRIA_C128; kind++) {
        numbers[kind] = make_dtype(stria_dtype_of((stria_kind)kind));
        if (!numbers[kind] || PyModule_AddObjectRef(module, names[kind], numbers[kind])) return -1;
    }
    return 0;
}
