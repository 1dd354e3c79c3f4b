/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short ways for the commonest calls: a reduction of all elements, another shape, another order of
 * dims or dtype, new arrays of a shape. Each gives the result of the registry's function for the
 * same arguments, or declines, and then that function is called.
 */
#include <string.h>

#include "functions.h"

static bool read_int(int64_t *out, PyObject *object)
{
    int beyond = 1;
    if (PyLong_CheckExact(object)) *out = PyLong_AsLongLongAndOverflow(object, &beyond);
    return !beyond;
}

/* Reads ints, or one tuple or list of them; -1 for anything else, without an exception. */
static int read_ints(int64_t *out, PyObject *const *args, Py_ssize_t count)
{
    PyObject *const tuple = count == 1 && py_is_exact_list(args[0]) ? args[0] : NULL;
    const Py_ssize_t n = tuple ? PySequence_Size(tuple) : count;
    if (n > STRIA_MAX_NDIM) return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *const item = tuple ? PySequence_GetItem(tuple, i) : Py_NewRef(args[i]);
        const bool read = item && read_int(&out[i], item);
        Py_XDECREF(item);
        if (!item) PyErr_Clear(); /* Another thread made the list shorter. */
        if (!read) return -1;
    }
    return (int)n;
}

/* Returns the array of the call, and the arguments behind it; NULL if it is none. */
static PyObject *subject(PyObject *self, PyObject *const **args, Py_ssize_t *count)
{
    if (self) return self;
    if (*count < 1 || !py_is_array((*args)[0])) return NULL;
    ++*args;
    --*count;
    return (*args)[-1];
}

static PyObject *reshaped(PyObject *x, PyObject *const *args, Py_ssize_t count)
{
    stria_view a, out;
    int64_t shape[STRIA_MAX_NDIM];
    const int n = read_ints(shape, args, count);
    if (n < 0 || count == 0) return NULL;
    py_view(&a, py_array(x));
    if (!stria_is_contiguous(&a, STRIA_ORDER_C)) return NULL;
    const stria_status status = stria_view_shape(&out, &a, n, shape);
    return status ? py_raise(status) : py_array_of_view(&out, py_array_memory(py_array(x)));
}

static PyObject *permuted(PyObject *x, PyObject *const *args, Py_ssize_t count)
{
    stria_view a, out;
    int64_t numbers[STRIA_MAX_NDIM];
    int dims[STRIA_MAX_NDIM];
    const int n = read_ints(numbers, args, count);
    if (n < 0 || count == 0) return NULL;
    for (int i = 0; i < n; i++) {
        if (numbers[i] < -STRIA_MAX_NDIM || numbers[i] > STRIA_MAX_NDIM) return NULL;
        dims[i] = (int)numbers[i];
    }
    py_view(&a, py_array(x));
    const stria_status status = stria_permute(&out, &a, n, dims);
    return status ? py_raise(status) : py_array_of_view(&out, py_array_memory(py_array(x)));
}

/* Views the elements as another dtype; other arguments of view are shapes. */
static PyObject *viewed(PyObject *x, PyObject *const *args, Py_ssize_t count)
{
    stria_view a, out;
    stria_dtype dtype;
    if (count != 1 || (!PyUnicode_Check(args[0]) && !py_is_dtype(args[0]))) return NULL;
    if (py_dtype_read(&dtype, args[0]) <= 0) return NULL;
    py_view(&a, py_array(x));
    const stria_status status = stria_view_dtype(&out, &a, dtype);
    PyObject *const made =
        status ? py_raise(status) : py_array_of_view(&out, py_array_memory(py_array(x)));
    stria_dtype_release(dtype);
    return made;
}

static PyObject *reduced(stria_reduction op, PyObject *x)
{
    const stria_exec exec = py_exec();
    stria_view a, out;
    stria_dtype dtype;
    stria_status status;
    py_view(&a, py_array(x));
    if (a.dtype.kind > STRIA_C128 || stria_buffer_is_meta(a.buffer)) return NULL;
    status = stria_reduction_dtype(&dtype, op, a.dtype, py_settings.rule);
    if (status) return NULL;
    PyObject *const made = py_array_new(&out, dtype, 0, NULL);
    if (!made) return NULL;
    const int64_t bytes = stria_nbytes(&a);
    WITHOUT_GIL(bytes, status = stria_reduce_dims(&out, op, &a, STRIA_ALL_DIMS, NULL, NULL, &exec));
    if (!status) return py_as_number(made);
    Py_DECREF(made);
    return NULL; /* The function refuses it with its own name. */
}

/* Reads a dtype of numbers in native order; false for other dtypes, and for objects that name
 * none. */
static bool read_number_dtype(stria_dtype *out, PyObject *object)
{
    const bool names = PyUnicode_CheckExact(object) || py_is_dtype(object);
    if (!names || py_dtype_read(out, object) <= 0) return PyErr_Clear(), false;
    const bool plain = out->kind <= STRIA_C128 && !out->swapped;
    if (!plain) stria_dtype_release(*out);
    return plain;
}

/* Makes a new array of few elements, or NULL. */
static PyObject *few(stria_view *out, stria_dtype dtype, int n, const int64_t *shape)
{
    double bytes = dtype.itemsize;
    for (int i = 0; i < n; i++)
        bytes = shape[i] < 0 ? 1e9 : bytes * (double)shape[i];
    return n < 0 || bytes > SMALL ? NULL : py_array_new(out, dtype, n, shape);
}

static PyObject *empty(enum direct way, PyObject *const *args, Py_ssize_t count, PyObject *type)
{
    stria_view out;
    stria_dtype dtype = stria_dtype_of(STRIA_F64);
    int64_t shape[STRIA_MAX_NDIM];
    const int n = count == 1 ? read_ints(shape, args, 1) : -1;
    if (n < 0 || (type && !read_number_dtype(&dtype, type))) return NULL;
    if (way == DIRECT_ONES && dtype.kind != STRIA_F64) return NULL;
    PyObject *const made = few(&out, dtype, n, shape);
    if (!made || way == DIRECT_EMPTY) return made;
    const int64_t bytes = stria_nbytes(&out);
    if (way == DIRECT_ZEROS) memset(out.data, 0, (size_t)bytes);
    for (int64_t i = 0; way == DIRECT_ONES && i < bytes / 8; i++)
        ((double *)(void *)out.data)[i] = 1;
    return made;
}

/* Joins a few arrays of one dim and dtype. */
static PyObject *joined(PyObject *list)
{
    enum { PARTS = 8 };
    PyObject *parts[PARTS];
    stria_view view, out;
    int64_t size = 0;
    stria_dtype dtype = {0};
    const Py_ssize_t count = PyTuple_CheckExact(list) ? PyTuple_Size(list) : 0;
    if (count < 1 || count > PARTS || py_settings.no_copies || py_settings.counts) return NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        parts[i] = PyTuple_GetItem(list, i);
        if (!py_is_array(parts[i]) || py_array(parts[i])->ndim != 1) return NULL;
        py_view(&view, py_array(parts[i]));
        if (i == 0) dtype = view.dtype;
        if (view.dtype.kind > STRIA_C128 || view.dtype.swapped || view.dtype.kind != dtype.kind ||
            view.flags & (STRIA_CONJ | STRIA_NEG) || stria_buffer_is_meta(view.buffer) ||
            view.strides[0] != dtype.itemsize || view.shape[0] > LOCAL)
            return NULL;
        size += view.shape[0];
    }
    PyObject *const made = few(&out, dtype, 1, &size);
    for (Py_ssize_t i = 0; made && i < count; i++) {
        py_view(&view, py_array(parts[i]));
        memcpy(out.data, view.data, (size_t)(view.shape[0] * dtype.itemsize));
        out.data += view.shape[0] * dtype.itemsize;
    }
    return made;
}

/* Copies the few elements of an array in C order, in its dtype or in another one. */
static PyObject *copied(PyObject *x, const stria_dtype *dtype)
{
    stria_view a, out;
    py_view(&a, py_array(x));
    if (py_settings.no_copies || py_settings.counts || a.dtype.kind > STRIA_C128 ||
        a.dtype.swapped || a.flags & (STRIA_CONJ | STRIA_NEG) || stria_buffer_is_meta(a.buffer) ||
        !stria_is_contiguous(&a, STRIA_ORDER_C))
        return NULL;
    PyObject *const made = few(&out, dtype ? *dtype : a.dtype, a.ndim, a.shape);
    if (!made || !stria_copy(&out, &a, NULL)) return made;
    Py_DECREF(made);
    return NULL;
}

static PyObject *as_type(PyObject *x, PyObject *const *args, Py_ssize_t count)
{
    stria_dtype dtype;
    return count == 1 && read_number_dtype(&dtype, args[0]) ? copied(x, &dtype) : NULL;
}

/* Makes the few integers from one to another, or from 0. */
static PyObject *integers(PyObject *const *args, Py_ssize_t count)
{
    stria_view out;
    int64_t ends[2] = {0, 0}, size = 0;
    if (count < 1 || count > 2) return NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!read_int(&ends[2 - count + i], args[i])) return NULL;
    if (ends[1] > ends[0] && __builtin_sub_overflow(ends[1], ends[0], &size)) return NULL;
    PyObject *const made = size <= SMALL ? few(&out, stria_dtype_of(STRIA_I64), 1, &size) : NULL;
    for (int64_t i = 0; made && i < size; i++)
        ((int64_t *)(void *)out.data)[i] = ends[0] + i;
    return made;
}

/* ---- products -------------------------------------------------------------------------------- */

enum {
    FEW = 2048,        /* Most products of elements that are added one vector after another. */
    FEW_COMPLEX = 216, /* Most products of complex elements that take less time one by one. */
};

/* Makes a matrix and a vector, or two vectors, views of one shape whose last dim is summed. */
static void align_vectors(stria_view *x, stria_view *y)
{
    if (x->ndim == 1 && y->ndim == 1) return;
    if (x->ndim == 1) {
        const stria_view vector = *x;
        *x = *y;
        *y = vector;
        const int64_t n = x->shape[0], stride = x->strides[0];
        x->shape[0] = x->shape[1];
        x->strides[0] = x->strides[1];
        x->shape[1] = n;
        x->strides[1] = stride;
    }
    y->shape[1] = y->shape[0];
    y->strides[1] = y->strides[0];
    y->shape[0] = x->shape[0];
    y->strides[0] = 0;
    y->ndim = 2;
}

static bool is_factor(const stria_view *a)
{
    return a->ndim >= 1 && a->ndim <= 2 && a->dtype.kind <= STRIA_C128 && !a->dtype.swapped &&
           a->dtype.kind != STRIA_F8E4M3 && a->dtype.kind != STRIA_F8E5M2 &&
           !stria_buffer_is_meta(a->buffer);
}

static void read_complex(double out[2], const stria_view *a, int64_t i, int64_t j)
{
    memcpy(out, a->data + i * a->strides[0] + j * a->strides[1], 2 * sizeof *out);
}

/* Multiplies matrices of few complex numbers in the library's order, which is another one for
 * single rows and columns: from +0, each product and each sum rounded. */
static void multiply_complex(const stria_view *out, const stria_view *x, const stria_view *y)
{
    double *to = (double *)(void *)out->data;
    for (int64_t i = 0; i < x->shape[0]; i++)
        for (int64_t j = 0; j < y->shape[1]; j++) {
            double sum[2] = {0, 0}, p[2], q[2];
            for (int64_t k = 0; k < x->shape[1]; k++) {
                read_complex(p, x, i, k);
                read_complex(q, y, k, j);
                sum[0] = sum[0] + p[0] * q[0];
                sum[0] = sum[0] + -p[1] * q[1];
                sum[1] = sum[1] + p[1] * q[0];
                sum[1] = sum[1] + p[0] * q[1];
            }
            *to++ = sum[0];
            *to++ = sum[1];
        }
}

PyObject *py_small_product(PyObject *a, PyObject *b)
{
    stria_view x, y, out;
    int64_t shape[2];
    int ndim = 0;
    if (!py_is_array(a) || !py_is_array(b) || py_settings.rule != STRIA_PROMOTE_NUMPY) return NULL;
    py_view(&x, py_array(a));
    py_view(&y, py_array(b));
    if (!is_factor(&x) || !is_factor(&y) || x.dtype.kind != y.dtype.kind) return NULL;
    const bool matrices = x.ndim == 2 && y.ndim == 2;
    const int64_t n = x.shape[x.ndim - 1];
    if (n != y.shape[0] || (x.dtype.kind > STRIA_F64 && !matrices)) return NULL;
    if (x.ndim == 2) shape[ndim++] = x.shape[0];
    if (y.ndim == 2) shape[ndim++] = y.shape[1];
    double products = (double)n, largest = 1;
    for (int d = 0; d < ndim; d++) {
        products *= (double)shape[d];
        largest *= (double)shape[d];
    }
    if (products * x.dtype.itemsize > RELEASE_FROM || largest * x.dtype.itemsize > SMALL * 8)
        return NULL;
    PyObject *const made = py_array_new(&out, x.dtype, ndim, shape);
    if (!made) return NULL;
    const stria_exec exec = py_exec();
    const int last = -1;
    stria_status status = STRIA_OK;
    if (matrices && x.dtype.kind == STRIA_C128 && products <= FEW_COMPLEX && py_rounds_as_usual() &&
        shape[0] > 1 && n > 1 && shape[1] > 1 &&
        !((x.flags | y.flags) & (STRIA_CONJ | STRIA_NEG))) {
        multiply_complex(&out, &x, &y);
    } else if (matrices || products > FEW) {
        status = stria_matmul(&out, &x, &y, &exec);
    } else {
        align_vectors(&x, &y);
        status = stria_vecdot(&out, &x, &y, 1, &last, &exec);
    }
    if (!status) return py_as_number(made);
    Py_DECREF(made);
    return NULL; /* The function refuses it with its own name. */
}

PyObject *py_call_direct(const struct entry *e, PyObject *self, PyObject *const *args,
                         Py_ssize_t count, PyObject *dtype)
{
    if (e->direct == DIRECT_JOIN) return self || count != 1 ? NULL : joined(args[0]);
    if (py_makes_directly(e) || e->direct == DIRECT_ARANGE) {
        if (self || py_settings.rule != STRIA_PROMOTE_NUMPY) return NULL;
        return e->direct == DIRECT_ARANGE ? integers(args, count)
                                          : empty(e->direct, args, count, dtype);
    }
    PyObject *const x = subject(self, &args, &count);
    if (!x) return NULL;
    switch (e->direct) {
    case DIRECT_RESHAPE: return reshaped(x, args, count);
    case DIRECT_VIEW: return viewed(x, args, count);
    case DIRECT_PERMUTE: return permuted(x, args, count);
    case DIRECT_COPY: return count ? NULL : copied(x, NULL);
    case DIRECT_ASTYPE: return as_type(x, args, count);
    case DIRECT_PRODUCT: return count == 1 ? py_small_product(x, args[0]) : NULL;
    case DIRECT_VECTORS:
        return count == 1 && py_array(x)->ndim == 1 && py_is_array(args[0]) &&
                       py_array(args[0])->ndim == 1
                   ? py_small_product(x, args[0])
                   : NULL;
    case DIRECT_REDUCE:
        return count || py_settings.rule != STRIA_PROMOTE_NUMPY ? NULL : reduced(e->reduction, x);
    default: return NULL;
    }
}

int py_reduction(const char *c)
{
    int op = stria_reduction_count();
    while (--op >= 0 && strcmp(c + 6, stria_reduction_name((stria_reduction)op)) != 0)
        continue;
    return op;
}

void py_find_direct(struct entry *e, const char *c)
{
    static const char *const reductions[] = {"sum", "prod", "mean",   "max",   "min",
                                             "all", "any",  "argmax", "argmin"};
    static const struct {
        const char *name;
        enum direct way;
    } others[] = {{"reshape", DIRECT_RESHAPE}, {"view", DIRECT_VIEW},
                  {"permute", DIRECT_PERMUTE}, {"permute_dims", DIRECT_PERMUTE},
                  {"empty", DIRECT_EMPTY},     {"zeros", DIRECT_ZEROS},
                  {"copy", DIRECT_COPY},       {"clone", DIRECT_COPY},
                  {"astype", DIRECT_ASTYPE},   {"arange", DIRECT_ARANGE},
                  {"matmul", DIRECT_PRODUCT},  {"dot", DIRECT_PRODUCT},
                  {"vecdot", DIRECT_VECTORS},  {"inner", DIRECT_VECTORS},
                  {"ones", DIRECT_ONES},       {"concatenate", DIRECT_JOIN},
                  {"concat", DIRECT_JOIN},     {"cat", DIRECT_JOIN}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(e->name, others[i].name)) e->direct = others[i].way;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        if (strcmp(e->name, reductions[i]) != 0 || strcmp(c + 6, reductions[i]) != 0) continue;
        if (py_reduction(c) >= 0) {
            e->direct = DIRECT_REDUCE;
            e->reduction = (stria_reduction)py_reduction(c);
        }
    }
}
