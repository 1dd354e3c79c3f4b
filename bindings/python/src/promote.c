/* SPDX-License-Identifier: BSD-3-Clause */
/* result_type and can_cast, of arrays, dtypes and numbers. */
#include <string.h>

#include "binding.h"

/* Takes one more dtype into the common one. */
static stria_status join(stria_dtype *common, bool *any, stria_dtype dtype)
{
    if (!*any) {
        *common = dtype;
        *any = true;
        return STRIA_OK;
    }
    return stria_promote(common, *common, dtype, py_settings.rule);
}

/* The dtype of something beside a number, which is weak. */
static stria_status with_number(stria_dtype *common, bool any, const stria_arg *number,
                                struct call *call)
{
    static const bool truth;
    static const double zeros[2];
    stria_view condition, value;
    const stria_view *const weak = py_operand_view(call, number);
    if (!weak) return STRIA_ERR_MEMORY;
    stria_status status = stria_scalar(&condition, STRIA_BOOL, &truth);
    if (!any) {
        *common = stria_dtype_of(weak->dtype.kind == STRIA_U64 ? STRIA_I64
                                                               : (stria_kind)weak->dtype.kind);
        return status;
    }
    if (!status && common->kind <= STRIA_C128)
        status = stria_view_foreign(&value, (void *)(uintptr_t)zeros, *common, 0, NULL, NULL,
                                    STRIA_READONLY);
    else if (!status)
        return STRIA_OK;
    const stria_view *const operands[] = {&condition, &value, weak};
    return status ? status : stria_result_dtype(common, STRIA_WHERE, 3, operands, py_settings.rule);
}

static bool is_number(const stria_arg *arg)
{
    return arg->kind >= STRIA_ARG_BOOL && arg->kind <= STRIA_ARG_COMPLEX;
}

static PyObject *result_type(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    struct call call;
    stria_dtype common;
    bool any = false;
    stria_status status = STRIA_OK;
    (void)module;
    if (count == 0) {
        PyErr_SetString(PyExc_ValueError, "result_type: at least one array or dtype is wanted");
        return NULL;
    }
    py_call_begin(&call);
    stria_arg *const list = py_call_take(&call, (size_t)count * sizeof *list);
    int bad = list ? 0 : -1;
    for (Py_ssize_t i = 0; !bad && i < count; i++) {
        stria_dtype named;
        if (PyUnicode_Check(args[i]) && py_dtype_read(&named, args[i]) > 0 && !named.record)
            list[i] = stria_arg_dtype(named);
        else
            bad = py_read_arg(&list[i], &call, args[i]);
    }
    for (Py_ssize_t i = 0; !bad && !status && i < count; i++) {
        if (list[i].kind == STRIA_ARG_VIEW)
            status = join(&common, &any, list[i].value.view->dtype);
        else if (list[i].kind == STRIA_ARG_DTYPE)
            status = join(&common, &any, list[i].value.dtype);
        else if (!is_number(&list[i])) {
            PyErr_Format(PyExc_TypeError, "result_type: %R is no array, dtype or number", args[i]);
            bad = -1;
        }
    }
    /* Numbers come last, the highest category too: where there are only numbers, the others join
     * it. */
    for (int kind = STRIA_ARG_COMPLEX; kind >= STRIA_ARG_BOOL; kind--)
        for (Py_ssize_t i = 0; !bad && !status && i < count; i++) {
            if ((int)list[i].kind != kind) continue;
            status = with_number(&common, any, &list[i], &call);
            any = true;
        }
    PyObject *const made = bad ? NULL : status ? py_raise(status) : py_dtype_new(common);
    py_call_end(&call);
    return made;
}

static int read_from(stria_dtype *out, PyObject *object)
{
    if (!py_is_array(object)) return py_dtype_read(out, object);
    *out = stria_dtype_retain(py_array(object)->dtype);
    return 1;
}

static PyObject *can_cast(PyObject *module, PyObject *args, PyObject *keywords)
{
    static const char *const policies[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    static const stria_cast_policy values[] = {STRIA_CAST_NO, STRIA_CAST_EQUIV, STRIA_CAST_SAFE,
                                               STRIA_CAST_SAME_KIND, STRIA_CAST_UNSAFE};
    static char *names[] = {"", "", "casting", NULL};
    const char *casting = "safe";
    PyObject *objects[2];
    stria_dtype from, to;
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|s:can_cast", names, &objects[0],
                                     &objects[1], &casting))
        return NULL;
    for (int i = 0; i < 5; i++) {
        if (strcmp(casting, policies[i]) != 0) continue;
        if (read_from(&from, objects[0]) <= 0)
            return PyErr_Format(PyExc_TypeError, "can_cast: %R is no dtype", objects[0]);
        if (read_from(&to, objects[1]) <= 0) {
            stria_dtype_release(from);
            return PyErr_Format(PyExc_TypeError, "can_cast: %R is no dtype", objects[1]);
        }
        const bool can = stria_can_cast(from, to, values[i]);
        stria_dtype_release(from);
        stria_dtype_release(to);
        return PyBool_FromLong(can);
    }
    return PyErr_Format(PyExc_ValueError,
                        "can_cast: casting %s is none of no, equiv, safe, "
                        "same_kind, unsafe",
                        casting);
}

static PyMethodDef methods[] = {
    {"result_type", (PyCFunction)(void (*)(void))result_type, METH_FASTCALL,
     "result_type(*arrays_and_dtypes)\n--\n\nThe dtype of what is computed of arrays, dtypes and "
     "numbers."},
    {"can_cast", (PyCFunction)(void (*)(void))can_cast, METH_VARARGS | METH_KEYWORDS,
     "can_cast(from_, to, /, casting='safe')\n--\n\nWhether a dtype, or that of an array, may be "
     "cast to another one."},
    {NULL, NULL, 0, NULL}};

int py_promote_ready(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
