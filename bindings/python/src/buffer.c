/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffer protocol, by which NumPy, memoryview and others see an array's own memory. Sizes and
 * strides are those that the object holds; if it gets others it keeps these.
 */
#include <string.h>

#include "binding.h"

/* Formats of the struct module by kind; NULL if there is none. */
static const char *const native[STRIA_C128 + 1] = {"?",  "b",  "h", "i",  "q", "B", "H",  "I", "Q",
                                                   NULL, NULL, "e", NULL, "f", "d", "Zf", "Zd"};
static const char *const swapped[STRIA_C128 + 1] = {NULL, NULL, ">h", ">i",  ">q", NULL,
                                                    ">H", ">I", ">Q", NULL,  NULL, ">e",
                                                    NULL, ">f", ">d", ">Zf", ">Zd"};

static const char *format_of(stria_dtype dtype)
{
    return dtype.kind > STRIA_C128 ? NULL : (dtype.swapped ? swapped : native)[dtype.kind];
}

static int refuse_buffer(const char *why)
{
    PyErr_SetString(PyExc_BufferError, why);
    return -1;
}

enum { ORDERS = (PyBUF_C_CONTIGUOUS | PyBUF_F_CONTIGUOUS | PyBUF_ANY_CONTIGUOUS) & ~PyBUF_STRIDES };

/* Checks the orders that the consumer insists on. */
static int check_order(const stria_view *a, int flags)
{
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES && !(flags & ORDERS)) return 0;
    const bool c = stria_is_contiguous(a, STRIA_ORDER_C), f = stria_is_contiguous(a, STRIA_ORDER_F);
    const bool wants_c = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS,
               wants_f = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS,
               wants_any = (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS,
               takes_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    if ((wants_c && !c) || (wants_f && !f) || (wants_any && !c && !f) || (!takes_strides && !c))
        return refuse_buffer("the array is not contiguous in the order that is asked for; use "
                             ".contiguous()");
    return 0;
}

/*
 * Tells whether torch.asarray is likely to ask: it takes the bytes of a buffer for elements of its
 * own dtype, without a word. It asks for bytes to write, and then for bytes to read, as few others
 * do, and the function that runs names asarray, and nothing that fills buffers.
 */
static bool is_asked_by_torch(const stria_view *a)
{
    PyObject *const torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
    PyFrameObject *const frame = torch ? PyEval_GetFrame() : NULL; /* both borrowed */
    if (!frame || (a->ndim == 1 && a->dtype.kind == STRIA_F32)) return false;
    PyObject *const code = (PyObject *)PyFrame_GetCode(frame);
    PyObject *const names = PyObject_GetAttrString(code, "co_names");
    bool asks = false, fills = false;
    const Py_ssize_t count = names && PyTuple_Check(names) ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *const name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), NULL);
        if (name && !strcmp(name, "asarray")) asks = true;
        if (name && (strstr(name, "into") || strstr(name, "buffer"))) fills = true;
    }
    Py_XDECREF(names);
    Py_DECREF(code);
    PyErr_Clear();
    return asks && !fills;
}

/* Refuses what torch.asarray asks for; its own error replaces this one, so that a warning tells
 * what to write. */
static int refuse_torch(PyObject *self, int flags)
{
    static PyObject
        *refused; /* the array whose bytes it asks for again, only to read; never used */
    const bool again = flags == PyBUF_SIMPLE && refused == self;
    refused = NULL;
    if (!again) {
        stria_view a;
        py_view(&a, py_array(self));
        if (flags != PyBUF_WRITABLE || !is_asked_by_torch(&a)) return 0;
        refused = self;
        if (PyErr_WarnEx(PyExc_RuntimeWarning,
                         "torch.asarray reads the bytes of a buffer as elements of another dtype; "
                         "write torch.as_tensor(x) or torch.from_dlpack(x)",
                         1))
            return -1;
    }
    return refuse_buffer("torch.asarray reads bytes; write torch.from_dlpack(x)");
}

static int get_buffer(PyObject *self, Py_buffer *out, int flags)
{
    stria_view a;
    out->obj = NULL;
    if (!(flags & (PyBUF_FORMAT | PyBUF_ND)) && refuse_torch(self, flags)) return -1;
    /* It comes first, as it may run code that sets the shape. */
    if (py_array_expose(self)) return -1;
    py_view(&a, py_array(self));
    const char *const format = format_of(a.dtype);
    const bool writable = stria_is_writable(&a);
    if (stria_buffer_is_meta(a.buffer)) return refuse_buffer("a meta array has no memory");
    if (a.flags & (STRIA_CONJ | STRIA_NEG))
        return refuse_buffer(
            "elements that are conjugated or negated as they are read are no memory; use "
            ".clone()");
    if (!format)
        return refuse_buffer(
            "no buffer has elements of this dtype; use .astype(), or .view('uint8')");
    if ((flags & PyBUF_WRITABLE) && !writable) return refuse_buffer("the array is read-only");
    if (check_order(&a, flags)) return -1;
    int64_t *const dims = py_array_lend_dims(self);
    out->buf = a.data;
    out->len = (Py_ssize_t)stria_nbytes(&a);
    out->itemsize = a.dtype.itemsize;
    out->readonly = !writable;
    out->ndim = a.ndim;
    out->format = flags & PyBUF_FORMAT ? (char *)format : NULL;
    out->shape = flags & PyBUF_ND ? (Py_ssize_t *)dims : NULL;
    out->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? (Py_ssize_t *)dims + a.ndim : NULL;
    out->suboffsets = NULL;
    out->internal = NULL;
    if (!(flags & PyBUF_ND)) out->ndim = 1;
    out->obj = Py_NewRef(self);
    return 0;
}

_Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "sizes are those of the view");

PyType_Slot py_buffer_slots[] = {{Py_bf_getbuffer, get_buffer}, {0, NULL}};
