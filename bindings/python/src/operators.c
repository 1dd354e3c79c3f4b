/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators, and the short way of every elementwise operation: operands of one shape whose result
 * is small go into an object that holds it, without a buffer.
 */
#include <string.h>

#include "binding.h"

/* ---- elementwise operations into new arrays -------------------------------------------------- */

/* Returns the shape of the operands: the largest one's, if the others have 0 dims or the same
 * shape. */
static const stria_view *common(int n, const stria_view *const *operands)
{
    const stria_view *most = operands[0];
    for (int i = 1; i < n; i++)
        if (operands[i]->ndim > most->ndim) most = operands[i];
    for (int i = 0; i < n; i++) {
        const stria_view *const a = operands[i];
        if (a == most || a->ndim == 0) continue;
        if (a->ndim != most->ndim) return NULL;
        /* There are few dims: a call of memcmp would take longer. */
        for (int d = 0; d < a->ndim; d++)
            if (a->shape[d] != most->shape[d]) return NULL;
    }
    return most;
}

/* Tells whether no stride is larger than those of the dims before. */
static bool is_rows(const stria_view *a)
{
    for (int d = 1; d < a->ndim; d++) {
        const int64_t outer = a->strides[d - 1], inner = a->strides[d];
        if ((inner < 0 ? -inner : inner) > (outer < 0 ? -outer : outer) && a->shape[d] > 1)
            return false;
    }
    return true;
}

/* Tells whether a result in C order has the order of all operands. */
static bool are_rows(int n, const stria_view *const *operands)
{
    for (int i = 0; i < n; i++)
        if (!is_rows(operands[i])) return false;
    return true;
}

/* Tells whether C order is that of an operand which repeats no element: it wins over others. */
static bool any_rows(int n, const stria_view *const *operands)
{
    for (int i = 0; i < n; i++) {
        const int last = operands[i]->ndim - 1;
        if (last >= 0 && operands[i]->strides[last] && is_rows(operands[i])) return true;
    }
    return false;
}

/* Tells whether a result in Fortran's order has the order of the operands, which repeat no element.
 */
static bool are_columns(int n, const stria_view *const *operands)
{
    for (int i = 0; i < n; i++)
        for (int d = 0; d < operands[i]->ndim; d++) {
            const int64_t outer = d ? operands[i]->strides[d - 1] : 0,
                          inner = operands[i]->strides[d];
            if (inner == 0 || (inner < 0 ? -inner : inner) < (outer < 0 ? -outer : outer))
                return false;
        }
    return true;
}

/* Makes a new array in Fortran's order: its sizes and strides are those of the reversed shape, in
 * reverse. */
static PyObject *new_columns(stria_view *out, stria_dtype dtype, const stria_view *shape)
{
    const int n = shape->ndim;
    int64_t reversed[STRIA_MAX_NDIM];
    for (int d = 0; d < n; d++)
        reversed[d] = shape->shape[n - 1 - d];
    PyObject *const made = py_array_new(out, dtype, n, reversed);
    for (int d = 0; made && d < n; d++) {
        py_array(made)->dims[d] = shape->shape[d];
        py_array(made)->dims[n + d] = out->strides[n - 1 - d];
    }
    if (made) py_view(out, py_array(made));
    return made;
}

/* Returns the bytes of the largest operand, or RELEASE_FROM if a size or they are as large. */
static int64_t largest(int n, const stria_view *const *operands)
{
    int64_t bytes = 0;
    for (int i = 0; i < n; i++) {
        int64_t here = operands[i]->dtype.itemsize;
        for (int d = 0; d < operands[i]->ndim; d++) {
            if (operands[i]->shape[d] >= RELEASE_FROM || here >= RELEASE_FROM) return RELEASE_FROM;
            here *= operands[i]->shape[d];
        }
        if (here > bytes) bytes = here;
    }
    return bytes;
}

static bool any_meta(int n, const stria_view *const *operands)
{
    for (int i = 0; i < n; i++)
        if (operands[i]->buffer && stria_buffer_is_meta(operands[i]->buffer)) return true;
    return false;
}

/*
 * The dtypes of results by NumPy's rule, which depend on the kinds of two operands alone: kind + 1
 * as the library told once, 0 if it was not asked. Weak scalars are kinds of their own.
 */
enum { KINDS = STRIA_C128 + 1 + 4 };
static uint8_t told[STRIA_OPS][KINDS][KINDS];

static int kind_of(const stria_view *a)
{
    if (a->dtype.swapped || a->dtype.kind > STRIA_C128) return -1;
    if (!(a->flags & STRIA_WEAK)) return a->dtype.kind;
    switch (a->dtype.kind) {
    case STRIA_BOOL: return KINDS - 4;
    case STRIA_I64: return KINDS - 3;
    case STRIA_F64: return KINDS - 2;
    case STRIA_C128: return KINDS - 1;
    default: return -1; /* An integer beyond i64. */
    }
}

static stria_status result_dtype(stria_dtype *out, stria_op op, int n,
                                 const stria_view *const *operands, stria_promotion rule)
{
    const int a = n <= 2 && rule == STRIA_PROMOTE_NUMPY ? kind_of(operands[0]) : -1;
    const int b = n == 2 && a >= 0 ? kind_of(operands[1]) : a;
    uint8_t *const known = a >= 0 && b >= 0 ? &told[op][a][b] : NULL;
    if (known && *known) {
        const bool first = *known == a + 1; /* The usual case, without a call. */
        *out = first ? operands[0]->dtype : stria_dtype_of((stria_kind)(*known - 1));
        return STRIA_OK;
    }
    const stria_status status = stria_result_dtype(out, op, n, operands, rule);
    if (!status && known && out->kind <= STRIA_C128) *known = (uint8_t)(out->kind + 1);
    return status;
}

/* Runs a checked operation; shape and dtype are those of a result without memory. */
static PyObject *checked(stria_op op, int n, const stria_view *const *operands, int64_t bytes)
{
    stria_view absent[3], out;
    const stria_view *views[3];
    stria_array shape = {.owned = NULL}, meta = {.owned = NULL};
    const stria_exec exec = py_exec();
    stria_status status = stria_buffer_meta(&meta.owned, 1);
    for (int i = 0; i < n; i++) {
        absent[i] = *operands[i];
        if (!(absent[i].flags & STRIA_WEAK)) absent[i].buffer = meta.owned;
        views[i] = &absent[i];
    }
    if (!status) status = stria_elementwise_new(&shape, op, n, views, &exec);
    stria_array_release(&meta);
    if (status) return py_raise(status);
    PyObject *const made = py_array_new(&out, shape.view.dtype, shape.view.ndim, shape.view.shape);
    stria_array_release(&shape);
    if (!made) return NULL;
    WITHOUT_GIL(bytes, status = py_run_op(op, &out, n, operands, &exec));
    if (!status) return made;
    Py_DECREF(made);
    return py_raise(status);
}

PyObject *py_elementwise(stria_op op, int n, const stria_view *const *operands)
{
    const struct settings *const settings = &py_settings;
    const stria_exec exec = py_exec_of(settings);
    const stria_view *const shape = common(n, operands);
    const int64_t bytes = largest(n, operands);
    stria_status status;
    const bool small = shape && bytes <= SMALL,
               rows = shape && bytes < RELEASE_FROM &&
                      (are_rows(n, operands) || (small && any_rows(n, operands)));
    if ((rows || (small && are_columns(n, operands))) && !any_meta(n, operands)) {
        stria_dtype dtype;
        stria_view out;
        status = result_dtype(&dtype, op, n, operands, settings->rule);
        if (status) return py_raise(status);
        PyObject *const made = rows ? py_array_new(&out, dtype, shape->ndim, shape->shape)
                                    : new_columns(&out, dtype, shape);
        if (!made) return NULL;
        status = settings->checked ? py_run_op(op, &out, n, operands, &exec)
                                   : stria_elementwise(&out, op, n, operands, &exec);
        if (!status) return py_as_number(made);
        Py_DECREF(made);
        return py_raise(status);
    }
    stria_array made = {.owned = NULL};
    if (settings->checked) return checked(op, n, operands, bytes);
    WITHOUT_GIL(bytes, status = stria_elementwise_new(&made, op, n, operands, &exec));
    return status ? py_raise(status) : py_array_of_owner(&made);
}

PyObject *py_on_arrays(stria_op op, int n, PyObject *const *arrays)
{
    stria_view views[2];
    const stria_view *const operands[] = {&views[0], &views[1]};
    for (int i = 0; i < n; i++)
        py_view(&views[i], py_array(arrays[i]));
    return py_elementwise(op, n, operands);
}

/* ---- operators ------------------------------------------------------------------------------- */

/*
 * Reads an integer beyond 64 bits, which py_read_operand refused: beside floats it becomes a float,
 * and integers of an array compare with it as with an infinity.
 */
static int read_large(stria_arg *out, stria_op op, PyObject *number, PyObject *other)
{
    if (!PyLong_CheckExact(number) || !other || !py_is_array(other)) return -1;
    const uint8_t kind = py_array(other)->dtype.kind;
    const bool integers = kind <= STRIA_U64;
    const bool compares = op >= STRIA_LESS && op <= STRIA_NOT_EQUAL;
    int beyond;
    if (kind > STRIA_C128 || (integers && !compares)) return -1;
    PyErr_Clear();
    (void)PyLong_AsLongLongAndOverflow(number, &beyond);
    const double value = integers ? beyond * Py_HUGE_VAL : PyLong_AsDouble(number);
    *out = stria_arg_float(value);
    return value == -1 && PyErr_Occurred() ? -1 : 1;
}

int py_operand(const stria_view **out, stria_arg *number, struct call *call, stria_op op,
               PyObject *object, PyObject *other)
{
    if (py_is_array(object)) {
        stria_view *const view = py_call_view(call);
        if (!view) return -1;
        py_view(view, py_array(object));
        *out = view;
        return 1;
    }
    const struct guest *const before = call->guests;
    int found = py_read_operand(number, call, object);
    if (call->guests != before && py_is_derived(object)) return 0; /* Its own keep its mask. */
    if (found < 0 && PyErr_ExceptionMatches(PyExc_BufferError) && py_is_array_like(object)) {
        PyErr_Clear();
        return 0; /* NumPy may know the elements, such as objects. */
    }
    if (found < 0) found = read_large(number, op, object, other);
    if (found <= 0) return found;
    *out = py_operand_view(call, number);
    return *out ? 1 : -1;
}

/* Reads both operands. 1: both were read; 0: Python has to ask the other operand; -1. */
static int read_both(stria_arg args[2], const stria_view *views[2], struct call *call, stria_op op,
                     PyObject *a, PyObject *b)
{
    const int found = py_operand(&views[0], &args[0], call, op, a, b);
    return found > 0 ? py_operand(&views[1], &args[1], call, op, b, a) : found;
}

static bool is_sequence(PyObject *object)
{
    return PyList_Check(object) || PyTuple_Check(object) || PyRange_Check(object);
}

/* Handles lists, tuples and ranges beside arrays: they become arrays, as in NumPy. Other objects
 * may implement the operator themselves. */
static PyObject *beside_list(stria_op op, PyObject *a, PyObject *b,
                             PyObject *(*call)(stria_op op, PyObject *a, PyObject *b))
{
    PyObject **const list = is_sequence(a) ? &a : is_sequence(b) ? &b : NULL;
    PyObject *const array = list ? py_asarray(*list, NULL) : NULL;
    if (!array) return list ? NULL : Py_NewRef(Py_NotImplemented);
    *list = array;
    PyObject *const made = call(op, a, b);
    Py_DECREF(array);
    return made;
}

/* Refuses a text beside an array of texts, dates or records, with which NumPy may compute. */
static bool refuse_text(stria_op op, PyObject *a, PyObject *b)
{
    PyObject *const array = py_is_array(a) ? a : b, *const text = py_is_array(a) ? b : a;
    if (!py_is_array(array) || py_array(array)->dtype.kind <= STRIA_C128 ||
        (!PyUnicode_Check(text) && !PyBytes_Check(text)))
        return false;
    PyObject *const dtype = py_dtype_new(py_array(array)->dtype);
    if (dtype)
        PyErr_Format(py_error_class(STRIA_ERR_DTYPE),
                     "%s: %S and %R; NumPy, where it is imported, takes texts of one kind, and "
                     "dates that are numpy.datetime64",
                     stria_op_name(op), dtype, text);
    Py_XDECREF(dtype);
    return true;
}

/* Tells whether it is an array of dims, which is no number. */
static bool has_dims(PyObject *object)
{
    return py_is_array(object) && py_array(object)->ndim > 0;
}

/* Passes an operator that was refused on, as the function of its name is. */
static PyObject *operate_again(stria_op op, int n, PyObject *const *operands)
{
    return py_call_again(stria_op_name(op), NULL, operands, n, NULL);
}

static PyObject *binary(stria_op op, PyObject *a, PyObject *b)
{
    PyObject *const both[] = {a, b};
    if (py_notes_errors()) return py_watched(stria_op_name(op), 2, both, NULL);
    if (!has_dims(a) && !has_dims(b)) {
        PyObject *const number = py_on_numbers(op, a, b);
        if (number || PyErr_Occurred()) return number;
    }
    if (py_is_array(a) && py_is_array(b)) {
        PyObject *const made = py_on_arrays(op, 2, both);
        return made ? made : operate_again(op, 2, both);
    }
    struct call call;
    stria_arg args[2];
    const stria_view *views[2];
    py_call_begin(&call);
    int found = read_both(args, views, &call, op, a, b);
    if (!found && refuse_text(op, a, b)) found = -1;
    PyObject *const made = found > 0   ? py_elementwise(op, 2, views)
                           : found < 0 ? NULL
                                       : beside_list(op, a, b, binary);
    py_call_end(&call);
    return made || !found ? made : operate_again(op, 2, both);
}

static PyObject *unary(stria_op op, PyObject *object)
{
    if (py_notes_errors()) return py_watched(stria_op_name(op), 1, &object, NULL);
    PyObject *const number = has_dims(object) ? NULL : py_on_number(op, object);
    if (number || PyErr_Occurred()) return number;
    PyObject *const made = py_on_arrays(op, 1, &object);
    return made ? made : operate_again(op, 1, &object);
}

/* Passes an operator on whose result the first operand refused. */
static PyObject *write_again(stria_op op, PyObject *a, PyObject *b)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *const names = Py_BuildValue("(s)", "out");
    PyErr_Restore(type, value, trace);
    PyObject *const args[] = {a, b, a};
    PyObject *const made = names ? py_call_again(stria_op_name(op), NULL, args, 2, names) : NULL;
    Py_XDECREF(names);
    return made;
}

/* Writes into the first operand; NotImplemented if the second is no operand. */
static PyObject *write_in_place(stria_op op, PyObject *a, PyObject *b)
{
    if (py_refuse_write(a)) return NULL;
    if (py_notes_errors()) return py_watched(stria_op_name(op), 2, (PyObject *const[]){a, b}, a);
    struct call call;
    stria_arg args[2];
    const stria_view *views[2];
    const stria_exec exec = py_exec();
    PyObject *made = NULL;
    py_call_begin(&call);
    const int found = read_both(args, views, &call, op, a, b);
    if (found > 0) {
        stria_status status;
        const int64_t bytes = stria_nbytes(views[0]);
        WITHOUT_GIL(bytes, status = py_run_op(op, views[0], 2, views, &exec));
        made = status ? py_raise(status) : Py_NewRef(a);
    } else if (!found) {
        made = beside_list(op, a, b, write_in_place);
    }
    py_call_end(&call);
    return made || !found ? made : write_again(op, a, b);
}

/* Returns an array on the memory of a tensor, whose own operator would make a new tensor, where
 * made is NotImplemented; else NULL, as for other objects. */
static PyObject *array_of_tensor(PyObject *made, PyObject *object)
{
    if (made != Py_NotImplemented || py_is_array_like(object) ||
        !PyObject_HasAttrString((PyObject *)Py_TYPE(object), "__dlpack__"))
        return NULL;
    return py_asarray(object, NULL);
}

/*
 * Writes into the first operand, which stays the same object. An element that was taken by integers
 * is a value, as numbers are: x += 1 makes another one.
 */
static PyObject *in_place(stria_op op, PyObject *a, PyObject *b)
{
    if (py_array(a)->ndim == 0 && py_array(a)->flags & STRIA_READONLY) return binary(op, a, b);
    PyObject *made = write_in_place(op, a, b);
    PyObject *const array = array_of_tensor(made, b);
    if (!array && !PyErr_Occurred()) return made;
    Py_XDECREF(made);
    made = array ? write_in_place(op, a, array) : NULL;
    Py_XDECREF(array);
    return made;
}

/* Tells whether one is a list, and the other an integer that repeats it, as NumPy's scalars do. */
static bool repeats(PyObject *list, PyObject *number)
{
    return py_is_exact_list(list) && py_is_array(number) && py_is_number(number) &&
           py_array(number)->dtype.kind >= STRIA_I8 && py_array(number)->dtype.kind <= STRIA_U64 &&
           py_settings.rule == STRIA_PROMOTE_NUMPY;
}

#define BINARY(name, op)                                                                           \
    static PyObject *name(PyObject *a, PyObject *b)                                                \
    {                                                                                              \
        return binary(op, a, b);                                                                   \
    }                                                                                              \
    static PyObject *name##_in_place(PyObject *a, PyObject *b)                                     \
    {                                                                                              \
        return in_place(op, a, b);                                                                 \
    }
#define UNARY(name, op)                                                                            \
    static PyObject *name(PyObject *a)                                                             \
    {                                                                                              \
        return unary(op, a);                                                                       \
    }

BINARY(add, STRIA_ADD)
BINARY(subtract, STRIA_SUBTRACT)
BINARY(multiply, STRIA_MULTIPLY)
BINARY(true_divide, STRIA_DIVIDE)
BINARY(floor_divide, STRIA_FLOOR_DIVIDE)
BINARY(modulo, STRIA_REMAINDER)
BINARY(left_shift, STRIA_LEFT_SHIFT)
BINARY(right_shift, STRIA_RIGHT_SHIFT)
BINARY(bitwise_and, STRIA_BITWISE_AND)
BINARY(bitwise_or, STRIA_BITWISE_OR)
BINARY(bitwise_xor, STRIA_BITWISE_XOR)
UNARY(negative, STRIA_NEGATIVE)
UNARY(positive, STRIA_POSITIVE)
UNARY(absolute, STRIA_ABS)
UNARY(invert, STRIA_BITWISE_NOT)

/* Leaves the repetition of a list to the list. */
static PyObject *multiply_or_repeat(PyObject *a, PyObject *b)
{
    return repeats(a, b) || repeats(b, a) ? Py_NewRef(Py_NotImplemented) : multiply(a, b);
}

static PyObject *no_modulus(void)
{
    PyErr_SetString(PyExc_TypeError, "pow: takes no modulus");
    return NULL;
}

static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus)
{
    return modulus != Py_None ? no_modulus() : binary(STRIA_POW, a, b);
}

static PyObject *power_in_place(PyObject *a, PyObject *b, PyObject *modulus)
{
    return modulus != Py_None ? no_modulus() : in_place(STRIA_POW, a, b);
}

static PyObject *divide_both(PyObject *a, PyObject *b)
{
    if (py_notes_errors()) return py_watched("divmod", 2, (PyObject *const[]){a, b}, NULL);
    PyObject *const quotient = binary(STRIA_FLOOR_DIVIDE, a, b);
    if (!quotient || quotient == Py_NotImplemented) return quotient;
    PyObject *const rest = binary(STRIA_REMAINDER, a, b);
    if (rest) return Py_BuildValue("(NN)", quotient, rest);
    Py_DECREF(quotient);
    return NULL;
}

/* Calls the registry's function, if it has one. */
static PyObject *matrix_multiply(PyObject *a, PyObject *b)
{
    PyObject *const args[] = {a, b};
    for (int i = 0; i < 2; i++)
        if (!py_is_array(args[i]) && !PyList_Check(args[i]) && !PyTuple_Check(args[i]) &&
            !py_is_array_like(args[i]))
            return Py_NewRef(Py_NotImplemented);
    PyObject *const small = py_small_product(a, b);
    if (small || PyErr_Occurred()) return small;
    return py_call_named("matmul", args, 2);
}

static PyObject *matrix_multiply_in_place(PyObject *a, PyObject *b)
{
    PyObject *product = matrix_multiply(a, b);
    PyObject *const array = array_of_tensor(product, b);
    if (array || PyErr_Occurred()) {
        Py_XDECREF(product);
        product = array ? matrix_multiply(a, array) : NULL;
        Py_XDECREF(array);
    }
    if (!product || product == Py_NotImplemented) return product;
    const int status = py_assign(a, Py_Ellipsis, product);
    Py_DECREF(product);
    return status ? NULL : Py_NewRef(a);
}

static PyObject *compare(PyObject *a, PyObject *b, int how)
{
    static const stria_op ops[] = {
        [Py_LT] = STRIA_LESS,      [Py_LE] = STRIA_LESS_EQUAL, [Py_EQ] = STRIA_EQUAL,
        [Py_NE] = STRIA_NOT_EQUAL, [Py_GT] = STRIA_GREATER,    [Py_GE] = STRIA_GREATER_EQUAL};
    return binary(ops[how], a, b);
}

PyType_Slot py_operator_slots[] = {{Py_nb_add, add},
                                   {Py_nb_inplace_add, add_in_place},
                                   {Py_nb_subtract, subtract},
                                   {Py_nb_inplace_subtract, subtract_in_place},
                                   {Py_nb_multiply, multiply_or_repeat},
                                   {Py_nb_inplace_multiply, multiply_in_place},
                                   {Py_nb_true_divide, true_divide},
                                   {Py_nb_inplace_true_divide, true_divide_in_place},
                                   {Py_nb_floor_divide, floor_divide},
                                   {Py_nb_inplace_floor_divide, floor_divide_in_place},
                                   {Py_nb_remainder, modulo},
                                   {Py_nb_inplace_remainder, modulo_in_place},
                                   {Py_nb_divmod, divide_both},
                                   {Py_nb_power, power},
                                   {Py_nb_inplace_power, power_in_place},
                                   {Py_nb_lshift, left_shift},
                                   {Py_nb_inplace_lshift, left_shift_in_place},
                                   {Py_nb_rshift, right_shift},
                                   {Py_nb_inplace_rshift, right_shift_in_place},
                                   {Py_nb_and, bitwise_and},
                                   {Py_nb_inplace_and, bitwise_and_in_place},
                                   {Py_nb_or, bitwise_or},
                                   {Py_nb_inplace_or, bitwise_or_in_place},
                                   {Py_nb_xor, bitwise_xor},
                                   {Py_nb_inplace_xor, bitwise_xor_in_place},
                                   {Py_nb_matrix_multiply, matrix_multiply},
                                   {Py_nb_inplace_matrix_multiply, matrix_multiply_in_place},
                                   {Py_nb_negative, negative},
                                   {Py_nb_positive, positive},
                                   {Py_nb_absolute, absolute},
                                   {Py_nb_invert, invert},
                                   {Py_tp_richcompare, compare},
                                   {0, NULL}};
