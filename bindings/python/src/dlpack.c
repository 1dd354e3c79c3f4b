/* SPDX-License-Identifier: BSD-3-Clause */
/* DLPack in Python: capsules that are handed out, and taken. The library does the rest
 * (dlpack.h). */
#include <string.h>

#include "binding.h"

static const char versioned[] = "dltensor_versioned", used_versioned[] = "used_dltensor_versioned",
                  legacy[] = "dltensor", used_legacy[] = "used_dltensor";

/* ---- handing out ----------------------------------------------------------------------------- */

/* Ends a capsule that nobody took. */
static void end_versioned(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, versioned)) return;
    stria_dl_managed *const tensor = PyCapsule_GetPointer(capsule, versioned);
    if (tensor->deleter) tensor->deleter(tensor);
}

static void end_legacy(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, legacy)) return;
    stria_dl_legacy *const tensor = PyCapsule_GetPointer(capsule, legacy);
    if (tensor->deleter) tensor->deleter(tensor);
}

/* Releases the object that keeps elements which lie in it. */
static void release_object(void *object)
{
    if (!Py_IsInitialized()) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)object);
    PyGILState_Release(state);
}

static stria_status export_versioned(stria_dl_managed **out, PyObject *self,
                                     stria_copy_policy policy)
{
    PyObject *const memory = py_array_memory(py_array(self));
    stria_view a;
    if (py_array_expose(self)) return STRIA_ERR_MEMORY;
    py_view(&a, py_array(self));
    if (policy == STRIA_COPY_IF_NEEDED && py_settings.no_copies) policy = STRIA_COPY_NEVER;
    if (memory && policy != STRIA_COPY_ALWAYS) {
        const stria_status status = stria_dlpack_export_owned(out, &a, memory, release_object);
        if (!status) Py_INCREF(memory);
        if (!status || policy == STRIA_COPY_NEVER) return status;
    }
    stria_outcome outcome;
    const stria_status status =
        stria_dlpack_export(out, &a, memory ? STRIA_COPY_ALWAYS : policy, &outcome, NULL);
    if (!status && outcome == STRIA_IS_COPY && py_settings.counts)
        (void)py_note_copy("__dlpack__", &a);
    return status;
}

static PyObject *capsule_of(PyObject *self, bool with_version, stria_copy_policy policy)
{
    if (with_version) {
        stria_dl_managed *tensor;
        if (export_versioned(&tensor, self, policy)) return py_raise_buffer_error();
        PyObject *const capsule = PyCapsule_New(tensor, versioned, end_versioned);
        if (!capsule) tensor->deleter(tensor);
        return capsule;
    }
    stria_dl_legacy *tensor;
    stria_view a;
    if (py_array_expose(self)) return NULL;
    py_view(&a, py_array(self));
    /* Elements that lie within an object are few, and are handed out as a copy. */
    if (py_array_memory(py_array(self)) && policy == STRIA_COPY_IF_NEEDED)
        policy = STRIA_COPY_ALWAYS;
    if (stria_dlpack_export_legacy(&tensor, &a, policy, NULL, NULL)) return py_raise_buffer_error();
    PyObject *const capsule = PyCapsule_New(tensor, legacy, end_legacy);
    if (!capsule) tensor->deleter(tensor);
    return capsule;
}

static int read_device(PyObject *object)
{
    long type, id;
    if (object == Py_None) return 0;
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2) {
        PyErr_SetString(PyExc_TypeError, "dl_device is a tuple of two integers");
        return -1;
    }
    type = PyLong_AsLong(PyTuple_GetItem(object, 0));
    id = PyLong_AsLong(PyTuple_GetItem(object, 1));
    if (PyErr_Occurred()) return -1;
    if (type == STRIA_DLPACK_CPU && id == 0) return 0;
    PyErr_Format(PyExc_BufferError, "the memory is the CPU's (1, 0), not that of device (%ld, %ld)",
                 type, id);
    return -1;
}

PyObject *py_array_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *given)
{
    static const char *const names[] = {"stream", "max_version", "dl_device", "copy"};
    PyObject *values[] = {Py_None, Py_None, Py_None, Py_None};
    const Py_ssize_t keywords = given ? PyTuple_Size(given) : 0;
    long major = 0;
    if (count) {
        PyErr_SetString(PyExc_TypeError, "__dlpack__ takes keywords only");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < keywords; i++) {
        PyObject *const name = PyTuple_GetItem(given, i);
        int k = 0;
        while (k < 4 && PyUnicode_CompareWithASCIIString(name, names[k]) != 0)
            k++;
        if (k == 4) return PyErr_Format(PyExc_TypeError, "__dlpack__ has no parameter %R", name);
        values[k] = args[i];
    }
    PyObject *const stream = values[0], *const version = values[1], *const device = values[2],
                    *const copy = values[3];
    if (stream != Py_None) {
        PyErr_SetString(PyExc_BufferError, "a CPU has no streams; stream has to be None");
        return NULL;
    }
    if (version != Py_None) {
        if (!PyTuple_Check(version) || PyTuple_Size(version) < 1) {
            PyErr_SetString(PyExc_TypeError, "max_version is a tuple of two integers");
            return NULL;
        }
        major = PyLong_AsLong(PyTuple_GetItem(version, 0));
        if (major == -1 && PyErr_Occurred()) return NULL;
    }
    if (read_device(device)) return NULL;
    const int truth = copy == Py_None ? 0 : PyObject_IsTrue(copy);
    if (truth < 0) return NULL;
    return capsule_of(self, major >= 1,
                      copy == Py_None ? STRIA_COPY_IF_NEEDED
                      : truth         ? STRIA_COPY_ALWAYS
                                      : STRIA_COPY_NEVER);
}

PyObject *py_array_dlpack_device(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(unused))
{
    return Py_BuildValue("(ii)", (int)STRIA_DLPACK_CPU, 0);
}

/* ---- taking ---------------------------------------------------------------------------------- */

static PyObject *take_capsule(PyObject *capsule)
{
    stria_array made;
    stria_status status;
    made.owned = NULL; /* The view is large, and need not be set. */
    if (PyCapsule_IsValid(capsule, versioned)) {
        stria_dl_managed *const tensor = PyCapsule_GetPointer(capsule, versioned);
        if (PyCapsule_SetName(capsule, used_versioned)) return NULL;
        status = stria_dlpack_import(&made, tensor);
    } else if (PyCapsule_IsValid(capsule, legacy)) {
        stria_dl_legacy *const tensor = PyCapsule_GetPointer(capsule, legacy);
        if (PyCapsule_SetName(capsule, used_legacy)) return NULL;
        status = stria_dlpack_import_legacy(&made, tensor);
    } else {
        PyErr_SetString(PyExc_ValueError, "from_dlpack: the capsule is none of DLPack's, or was "
                                          "used before; each can be taken once");
        return NULL;
    }
    if (status == STRIA_ERR_UNSUPPORTED || status == STRIA_ERR_DTYPE)
        return py_raise_buffer_error();
    return status ? py_raise(status) : py_array_of_owner(&made);
}

/* The arguments for calls of producers are made once: nobody changes them. */
static PyObject *word, *usual;

static int make_words(void)
{
    word = PyUnicode_InternFromString("__dlpack__");
    /* The argument is found by its address. */
    PyObject *const name = PyUnicode_InternFromString("max_version");
    usual = name ? Py_BuildValue("{N(ii)}", name, (int)STRIA_DLPACK_MAJOR, (int)STRIA_DLPACK_MINOR)
                 : NULL;
    return word && usual ? 0 : -1;
}

/* Asks for a versioned capsule; producers that do not know this argument give the old one. */
static PyObject *ask(PyObject *object, PyObject *copy)
{
    /* A method of C is called through its type, without making an object that binds it. */
    PyObject *method = PyObject_GetAttr((PyObject *)Py_TYPE(object), word), *args;
    const bool of_type = method && Py_IS_TYPE(method, &PyMethodDescr_Type);
    if (!of_type) {
        PyErr_Clear();
        Py_XDECREF(method);
        method = PyObject_GetAttr(object, word);
    }
    args = !method ? NULL : of_type ? PyTuple_Pack(1, object) : PyTuple_New(0);
    PyObject *const keywords = copy == Py_None ? Py_NewRef(usual) : PyDict_Copy(usual);
    PyObject *capsule = NULL;
    if (args && keywords && (copy == Py_None || PyDict_SetItemString(keywords, "copy", copy) == 0))
        capsule = PyObject_Call(method, args, keywords);
    if (!capsule && args && keywords && PyErr_ExceptionMatches(PyExc_TypeError) &&
        copy == Py_None) {
        PyErr_Clear();
        capsule = PyObject_CallObject(method, args);
    }
    Py_XDECREF(keywords);
    Py_XDECREF(args);
    Py_XDECREF(method);
    return capsule;
}

PyObject *py_from_dlpack(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count,
                         PyObject *names)
{
    PyObject *device = Py_None, *copy = Py_None;
    const Py_ssize_t keywords = names ? PyTuple_Size(names) : 0;
    if (count != 1) {
        PyErr_SetString(PyExc_TypeError, "from_dlpack takes one object by position");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < keywords; i++) {
        PyObject *const name = PyTuple_GetItem(names, i);
        if (!PyUnicode_CompareWithASCIIString(name, "device"))
            device = args[count + i];
        else if (!PyUnicode_CompareWithASCIIString(name, "copy"))
            copy = args[count + i];
        else
            return PyErr_Format(PyExc_TypeError, "from_dlpack has no parameter %R", name);
    }
    if (device != Py_None &&
        !(PyUnicode_Check(device) && !PyUnicode_CompareWithASCIIString(device, "cpu")))
        return PyErr_Format(PyExc_ValueError, "from_dlpack: there is no device %R here", device);
    if (PyCapsule_CheckExact(args[0])) return take_capsule(args[0]);
    PyObject *const capsule = ask(args[0], copy);
    if (!capsule) return NULL;
    PyObject *made = NULL;
    if (PyCapsule_CheckExact(capsule))
        made = take_capsule(capsule);
    else
        PyErr_SetString(PyExc_TypeError, "__dlpack__() gave no capsule");
    Py_DECREF(capsule);
    return made;
}

/* ---- the exchange table ---------------------------------------------------------------------- */

/*
 * The table of DLPack 1.2 and later, by which a consumer in C gets at the memory without a call of
 * Python. Types of the table are declared by their layout; see the header of DLPack.
 */
struct api {
    struct {
        struct {
            uint32_t major, minor;
        } version;
        struct api *previous;
    } header;
    int (*allocate)(stria_dl_tensor *prototype, stria_dl_managed **out, void *error_context,
                    void (*set_error)(void *error_context, const char *kind, const char *message));
    int (*from_object)(void *object, stria_dl_managed **out);
    int (*to_object)(stria_dl_managed *tensor, void **out);
    void *tensor_of; /* NULL: objects hold strides in bytes, a tensor's count elements. */
    int (*stream)(int32_t device_type, int32_t device_id, void **out);
};

static int table_allocate(stria_dl_tensor *prototype, stria_dl_managed **out, void *error_context,
                          void (*set_error)(void *, const char *, const char *))
{
    stria_array made = {.owned = NULL};
    stria_dl_tensor shaped = *prototype;
    stria_view view;
    static char nothing;
    /* Only dtype and shape of the prototype count; reading no elements makes both known. */
    shaped.strides = NULL;
    shaped.data = &nothing;
    shaped.byte_offset = 0;
    stria_status status = stria_dlpack_borrow(&view, &shaped, 0);
    if (!status) status = stria_empty(&made, view.dtype, view.ndim, view.shape);
    if (!status) status = stria_dlpack_export(out, &made.view, STRIA_COPY_NEVER, NULL, NULL);
    stria_array_release(&made);
    if (!status) return 0;
    if (set_error)
        set_error(error_context, status == STRIA_ERR_MEMORY ? "MemoryError" : "ValueError",
                  stria_last_error());
    return -1;
}

static int table_from_object(void *object, stria_dl_managed **out)
{
    if (!py_is_array(object)) {
        PyErr_SetString(PyExc_TypeError, "the object is no stria.Array");
        return -1;
    }
    if (!export_versioned(out, object, STRIA_COPY_IF_NEEDED)) return 0;
    (void)py_raise_buffer_error();
    return -1;
}

static int table_to_object(stria_dl_managed *tensor, void **out)
{
    stria_array made = {.owned = NULL};
    const stria_status status = stria_dlpack_import(&made, tensor);
    *out = status ? py_raise(status) : py_array_of_owner(&made);
    return *out ? 0 : -1;
}

static int table_stream(int32_t Py_UNUSED(device_type), int32_t Py_UNUSED(device_id), void **out)
{
    *out = NULL;
    return 0;
}

static struct api table = {{{STRIA_DLPACK_MAJOR, STRIA_DLPACK_MINOR}, NULL},
                           table_allocate,
                           table_from_object,
                           table_to_object,
                           NULL,
                           table_stream};

static PyMethodDef functions[] = {
    {"from_dlpack", (PyCFunction)(void (*)(void))py_from_dlpack, METH_FASTCALL | METH_KEYWORDS,
     "from_dlpack(x, /, *, device=None, copy=None)\n--\n\nAn array of another library, without a "
     "copy: what has __dlpack__."
     "\n\n>>> st.from_dlpack(st.arange(3))\nstria.Array([0, 1, 2], dtype=int64)"},
    {NULL, NULL, 0, NULL}};

int py_dlpack_ready(PyObject *module)
{
    if (make_words()) return -1;
    PyObject *const capsule = PyCapsule_New(&table, "dlpack_exchange_api", NULL);
    const int status = capsule ? PyObject_SetAttrString((PyObject *)py_array_type,
                                                        "__dlpack_c_exchange_api__", capsule)
                               : -1;
    Py_XDECREF(capsule);
    return status ? -1 : PyModule_AddFunctions(module, functions);
}
