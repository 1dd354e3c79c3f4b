/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files: .npy and safetensors, read, mapped and written by the library (stria/npy.h,
 * stria/safetensors.h). _files.py decides by the name which of them a file is.
 */
#include <string.h>

#include "binding.h"

/* Returns the bytes of a path, in *keep, which the caller releases; NULL with an exception. */
static const char *path_of(PyObject **keep, PyObject *path)
{
    *keep = NULL;
    return PyUnicode_FSConverter(path, keep) ? PyBytes_AsString(*keep) : NULL;
}

/*
 * Reads a mode; -1 for none. "r" is mapped so that a stray write of another library costs a page
 * and no crash, and is shown read-only.
 */
static int mode_of(const char *text, bool *readonly)
{
    static const struct {
        const char *name;
        stria_npy_mode mode;
    } modes[] = {{"", STRIA_NPY_READ},
                 {"r", STRIA_NPY_MAP_COPY},
                 {"c", STRIA_NPY_MAP_COPY},
                 {"r+", STRIA_NPY_MAP_RW},
                 {"header", STRIA_NPY_HEADER}};
    *readonly = !strcmp(text, "r");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(text, modes[i].name)) return (int)modes[i].mode;
    PyErr_Format(PyExc_ValueError, "load: mmap is None, 'r', 'c', 'r+' or 'header', not '%s'",
                 text);
    return -1;
}

static PyObject *owner_of(stria_array *made, bool readonly)
{
    if (readonly) made->view.flags |= STRIA_READONLY;
    return py_array_of_owner(made);
}

/* Implements _load_npy(path, mode). */
static PyObject *load_npy(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *path, *keep;
    const char *text, *name;
    bool readonly;
    stria_array made = {.owned = NULL};
    stria_status status;
    if (!PyArg_ParseTuple(args, "Os:_load_npy", &path, &text)) return NULL;
    const int mode = mode_of(text, &readonly);
    if (mode < 0 || !(name = path_of(&keep, path))) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = stria_npy_read(&made, name, (stria_npy_mode)mode, NULL);
    Py_END_ALLOW_THREADS;
    Py_DECREF(keep);
    return status ? py_raise(status) : owner_of(&made, readonly);
}

/* Implements _parse_npy(bytes). */
static PyObject *parse_npy(PyObject *Py_UNUSED(module), PyObject *object)
{
    stria_array made = {.owned = NULL};
    Py_buffer bytes;
    if (PyObject_GetBuffer(object, &bytes, PyBUF_SIMPLE)) return NULL;
    const stria_status status = stria_npy_parse(&made, bytes.buf, bytes.len, NULL);
    PyBuffer_Release(&bytes);
    return status ? py_raise(status) : py_array_of_owner(&made);
}

/* Implements _save_npy(path, array). */
static PyObject *save_npy(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *path, *array, *keep;
    const char *name;
    stria_view a;
    stria_status status;
    if (!PyArg_ParseTuple(args, "OO:_save_npy", &path, &array)) return NULL;
    if (!py_is_array(array)) return PyErr_Format(PyExc_TypeError, "save: %R is no array", array);
    if (!(name = path_of(&keep, path))) return NULL;
    py_view(&a, py_array(array));
    Py_BEGIN_ALLOW_THREADS;
    status = stria_npy_write(name, &a, NULL);
    Py_END_ALLOW_THREADS;
    Py_DECREF(keep);
    return status ? py_raise(status) : Py_NewRef(Py_None);
}

/* Implements _create_npy(path, shape, dtype, fortran): zeros, mapped to be written. */
static PyObject *create_npy(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *path, *shape, *dtype, *keep;
    int fortran, ndim = 0;
    int64_t sizes[STRIA_MAX_NDIM];
    const char *name;
    stria_array made = {.owned = NULL};
    stria_status status;
    if (!PyArg_ParseTuple(args, "OO!Op:_create_npy", &path, &PyTuple_Type, &shape, &dtype,
                          &fortran))
        return NULL;
    if (!py_is_dtype(dtype)) return PyErr_Format(PyExc_TypeError, "%R is no dtype", dtype);
    if (PyTuple_Size(shape) > STRIA_MAX_NDIM)
        return PyErr_Format(PyExc_ValueError, "more than %d dims", STRIA_MAX_NDIM);
    for (; ndim < PyTuple_Size(shape); ndim++) {
        sizes[ndim] = PyLong_AsLongLong(PyTuple_GetItem(shape, ndim));
        if (sizes[ndim] == -1 && PyErr_Occurred()) return NULL;
    }
    if (!(name = path_of(&keep, path))) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = stria_npy_create(&made, name, py_dtype_value(dtype), ndim, sizes,
                              fortran ? STRIA_ORDER_F : STRIA_ORDER_C);
    Py_END_ALLOW_THREADS;
    Py_DECREF(keep);
    return status ? py_raise(status) : py_array_of_owner(&made);
}

static PyObject *flush(PyObject *Py_UNUSED(module), PyObject *array)
{
    stria_view a;
    stria_status status;
    if (!py_is_array(array)) return PyErr_Format(PyExc_TypeError, "flush: %R is no array", array);
    py_view(&a, py_array(array));
    stria_array shared = {.owned = NULL};
    status = stria_array_share(&shared, &a);
    if (status) return py_raise(status);
    Py_BEGIN_ALLOW_THREADS;
    status = stria_npy_flush(&shared);
    Py_END_ALLOW_THREADS;
    stria_array_release(&shared);
    return status ? py_raise(status) : Py_NewRef(Py_None);
}

/* ---- safetensors ----------------------------------------------------------------------------- */

/* Implements _load_safetensors(path, mode): all arrays by name, in the order of the file. */
static PyObject *load_safetensors(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *path, *keep;
    const char *text, *name;
    bool readonly;
    stria_safetensors *file;
    stria_status status;
    if (!PyArg_ParseTuple(args, "Os:_load_safetensors", &path, &text)) return NULL;
    const int mode = mode_of(text, &readonly);
    if (mode < 0 || !(name = path_of(&keep, path))) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = stria_safetensors_open(&file, name, (stria_npy_mode)mode);
    Py_END_ALLOW_THREADS;
    Py_DECREF(keep);
    if (status) return py_raise(status);
    PyObject *const dict = PyDict_New();
    int failed = !dict;
    for (int64_t i = 0; !failed && i < stria_safetensors_count(file); i++) {
        stria_array made = {.owned = NULL};
        const char *const key = stria_safetensors_name(file, i);
        status = stria_safetensors_get(&made, file, key, NULL);
        PyObject *const array = status ? py_raise(status) : owner_of(&made, readonly);
        failed = !array || PyDict_SetItemString(dict, key, array);
        Py_XDECREF(array);
    }
    stria_safetensors_release(file);
    if (!failed) return dict;
    Py_XDECREF(dict);
    return NULL;
}

struct members {
    Py_ssize_t count;
    const char **names;
    const stria_view **views;
    stria_view *view;
};

static int read_members(struct members *m, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t at = 0, i = 0;
    while (PyDict_Next(dict, &at, &key, &value) && i < m->count) {
        m->names[i] = py_utf8(key);
        if (!m->names[i] || !py_is_array(value)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "save: takes arrays by names, not %R: %R", key, value);
            return -1;
        }
        py_view(&m->view[i], py_array(value));
        m->views[i] = &m->view[i];
        i++;
    }
    m->count = i;
    return 0;
}

/* Implements _save_safetensors(path, arrays); it reads a copy of the dict, as others may change
 * it. */
static PyObject *save_safetensors(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *path, *dict, *keep = NULL, *made = NULL;
    struct members m;
    struct call call;
    if (!PyArg_ParseTuple(args, "OO!:_save_safetensors", &path, &PyDict_Type, &dict)) return NULL;
    py_call_begin(&call);
    dict = py_call_keep(&call, PyDict_Copy(dict));
    m.count = dict ? PyDict_Size(dict) : 0;
    const size_t n = (size_t)(m.count ? m.count : 1);
    m.names = py_call_take(&call, n * sizeof *m.names);
    m.views = py_call_take(&call, n * sizeof *m.views);
    m.view = py_call_take(&call, n * sizeof *m.view);
    const char *const name = dict && m.names && m.views && m.view ? path_of(&keep, path) : NULL;
    if (name && !read_members(&m, dict)) {
        stria_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = stria_safetensors_write(name, (int)m.count, m.names, m.views, NULL);
        Py_END_ALLOW_THREADS;
        made = status ? py_raise(status) : Py_NewRef(Py_None);
    }
    py_call_end(&call);
    Py_XDECREF(keep);
    return made;
}

static PyMethodDef methods[] = {
    {"_load_npy", load_npy, METH_VARARGS, NULL},
    {"_parse_npy", parse_npy, METH_O, NULL},
    {"_save_npy", save_npy, METH_VARARGS, NULL},
    {"_create_npy", create_npy, METH_VARARGS, NULL},
    {"flush", flush, METH_O,
     "flush(x, /)\n--\n\nWaits until what was written to an array of a "
     "mapped file is on the disk."
     "\n\n>>> import os, tempfile\n>>> folder = tempfile.TemporaryDirectory()\n>>> x = "
     "st.create(os.path.join(folder.name, 'x.npy'), (2, 3))\n>>> st.flush(x)"},
    {"_load_safetensors", load_safetensors, METH_VARARGS, NULL},
    {"_save_safetensors", save_safetensors, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

int py_files_ready(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
