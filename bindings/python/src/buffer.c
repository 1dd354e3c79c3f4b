/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffer protocol, by which NumPy, memoryview and others see an array's own memory. Sizes and
 * strides are those that the object holds; if it gets others it keeps these.
 */
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

static int get_buffer(PyObject *self, Py_buffer *out, int flags)
{
    stria_view a;
    out->obj = NULL;
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
