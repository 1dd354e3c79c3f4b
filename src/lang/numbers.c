/* SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "eval.h"
#include "stria/elementwise.h"
#include "stria/mathematics.h"
#include "stria/value.h"

bool stria__value_truth(const struct value *value)
{
    switch (value->kind) {
    case VALUE_NONE: return false;
    case VALUE_BOOL: return value->truth;
    case VALUE_INT: return value->integer != 0;
    case VALUE_FLOAT: return value->number.real != 0;
    case VALUE_COMPLEX: return value->number.real != 0 || value->number.imaginary != 0;
    case VALUE_STRING: return value->string.length > 0;
    case VALUE_DICT:
    case VALUE_LIST:
    case VALUE_TUPLE: return value->list.count > 0;
    default: return true;
    }
}

/* Returns a truth as the integer 0 or 1, and other numbers as they are. */
static struct value plain(const struct value *value)
{
    struct value number = *value;
    if (value->kind != VALUE_BOOL) return number;
    number.kind = VALUE_INT;
    number.integer = value->truth;
    return number;
}

/* Tells whether only the sign of an integer is known. */
static bool is_unknown(const struct value *value)
{
    return value->kind == VALUE_INT && value->huge && !value->large;
}

/* ---- integers -------------------------------------------------------------------------------- */

static bool power(int64_t *out, int64_t base, int64_t exponent)
{
    int64_t square = base;
    bool fits = true;
    for (*out = 1; exponent > 0; exponent >>= 1) {
        if (exponent & 1) fits = fits && !__builtin_mul_overflow(*out, square, out);
        if (exponent > 1) fits = fits && !__builtin_mul_overflow(square, square, &square);
        if (!fits) return false;
    }
    return true;
}

/* Divides as Python does: quotients are rounded down, remainders have the sign of the divisor. */
static bool quotient(int64_t *out, bool remainder, int64_t a, int64_t b)
{
    if (b == 0 || (b == -1 && a == INT64_MIN)) return false;
    const bool down = a % b != 0 && (a % b < 0) != (b < 0);
    *out = remainder ? a % b + (down ? b : 0) : a / b - down;
    return true;
}

static bool shift(int64_t *out, bool left, int64_t a, int64_t by)
{
    if (by < 0) return false;
    if (!left) {
        *out = by > 63 ? -(a < 0) : a >> by;
        return true;
    }
    if (by > 62) return (*out = a) == 0;
    return !__builtin_mul_overflow(a, (int64_t)1 << by, out);
}

/* Computes an operation of integers; false if the result does not fit or there is none. */
static bool integers(int64_t *out, enum operation_code code, int64_t a, int64_t b)
{
    switch (code) {
    case OPERATION_ADD: return !__builtin_add_overflow(a, b, out);
    case OPERATION_SUBTRACT: return !__builtin_sub_overflow(a, b, out);
    case OPERATION_MULTIPLY: return !__builtin_mul_overflow(a, b, out);
    case OPERATION_FLOOR_DIVIDE: return quotient(out, false, a, b);
    case OPERATION_REMAINDER: return quotient(out, true, a, b);
    case OPERATION_POWER: return power(out, a, b);
    case OPERATION_BIT_AND: return *out = a & b, true;
    case OPERATION_BIT_OR: return *out = a | b, true;
    case OPERATION_BIT_XOR: return *out = a ^ b, true;
    case OPERATION_LEFT: return shift(out, true, a, b);
    case OPERATION_RIGHT: return shift(out, false, a, b);
    default: return false;
    }
}

static stria_status integer_operation(struct value *out, const struct operation *operation,
                                      const struct value *a, const struct value *b, size_t at,
                                      struct failure *failure)
{
    const enum operation_code code = operation->code;
    const bool divides = code == OPERATION_FLOOR_DIVIDE || code == OPERATION_REMAINDER;
    const bool shifts = code == OPERATION_LEFT || code == OPERATION_RIGHT;
    out->kind = VALUE_INT;
    if (!a->huge && !b->huge && integers(&out->integer, code, a->integer, b->integer))
        return STRIA_OK;
    return stria__fail_at(failure, STRIA_ERR_OVERFLOW, at, "%s",
                          divides && b->integer == 0 ? "division by zero"
                          : shifts && b->integer < 0 ? "a negative number of bits"
                                                     : "the result does not fit in 64 bits");
}

/* Returns the absolute value of an integer that 64 bits and a sign hold. */
static uint64_t magnitude(const struct value *integer)
{
    if (integer->huge) return integer->large;
    return integer->integer < 0 ? -(uint64_t)integer->integer : (uint64_t)integer->integer;
}

/* Divides two integers and rounds once; b is not 0. */
static double true_quotient(const struct value *a, const struct value *b)
{
    const uint64_t divisor = magnitude(b);
    uint64_t whole = magnitude(a) / divisor, rest = magnitude(a) % divisor;
    double unit = (a->integer < 0) != (b->integer < 0) ? -1 : 1;
    /* Each round adds a bit of the quotient. */
    for (; rest && whole < (uint64_t)1 << 62; unit /= 2) {
        const bool bit = rest >= divisor - rest;
        rest = bit ? rest - (divisor - rest) : 2 * rest;
        whole = 2 * whole + bit;
    }
    /* The last bit tells rounding that others follow. */
    return unit * (double)(whole | (rest != 0));
}

/* ---- floats and complex numbers -------------------------------------------------------------- */

static double complex as_complex(const struct value *value)
{
    if (value->kind == VALUE_INT)
        return value->huge ? (double)value->large : (double)value->integer;
    const double parts[2] = {value->number.real,
                             value->kind == VALUE_COMPLEX ? value->number.imaginary : 0};
    double complex number;
    memcpy(&number, parts, sizeof number);
    return number;
}

typedef stria_status array_operation(const stria_view *out, const stria_view *a,
                                     const stria_view *b, const stria_exec *exec);

/* Computes with arrays of one element, in f64 or c128, for the same bits on every machine. */
static bool as_arrays(void *out, array_operation *operation, stria_kind kind, const void *a,
                      const void *b)
{
    stria_view result, left, right;
    return stria_view_foreign(&result, out, stria_dtype_of(kind), 0, NULL, NULL, 0) == STRIA_OK &&
           stria_scalar(&left, kind, a) == STRIA_OK && stria_scalar(&right, kind, b) == STRIA_OK &&
           operation(&result, &left, &right, NULL) == STRIA_OK;
}

static bool is_whole(double x)
{
    return !(fabs(x) < 0x1p52) || x == (double)(int64_t)x;
}

/* Computes an operation of real numbers; false if Python has no real answer. */
static bool reals(double *out, enum operation_code code, double a, double b)
{
    switch (code) {
    case OPERATION_ADD: *out = a + b; return true;
    case OPERATION_SUBTRACT: *out = a - b; return true;
    case OPERATION_MULTIPLY: *out = a * b; return true;
    case OPERATION_DIVIDE: *out = a / b; return b != 0;
    case OPERATION_FLOOR_DIVIDE:
        return b != 0 && as_arrays(out, stria_floor_divide, STRIA_F64, &a, &b);
    case OPERATION_REMAINDER: return b != 0 && as_arrays(out, stria_remainder, STRIA_F64, &a, &b);
    case OPERATION_POWER:
        return (a >= 0 || is_whole(b)) && (a != 0 || b >= 0) &&
               as_arrays(out, stria_pow, STRIA_F64, &a, &b);
    default: return false;
    }
}

static bool complexes(double complex *out, enum operation_code code, double complex a,
                      double complex b)
{
    switch (code) {
    case OPERATION_ADD: *out = a + b; return true;
    case OPERATION_SUBTRACT: *out = a - b; return true;
    case OPERATION_MULTIPLY: *out = a * b; return true;
    case OPERATION_DIVIDE: *out = a / b; return b != 0;
    case OPERATION_POWER: return as_arrays(out, stria_pow, STRIA_C128, &a, &b);
    default: return false;
    }
}

static stria_status inexact(struct value *out, const struct operation *operation,
                            const struct value *a, const struct value *b, size_t at,
                            struct failure *failure)
{
    const double complex left = as_complex(a), right = as_complex(b);
    double complex result = 0;
    bool done;
    out->kind = a->kind == VALUE_COMPLEX || b->kind == VALUE_COMPLEX ? VALUE_COMPLEX : VALUE_FLOAT;
    if (out->kind == VALUE_COMPLEX) {
        done = complexes(&result, operation->code, left, right);
    } else {
        double real = 0;
        const bool whole = a->kind == VALUE_INT && b->kind == VALUE_INT;
        done = reals(&real, operation->code, creal(left), creal(right));
        if (done && whole && operation->code == OPERATION_DIVIDE) real = true_quotient(a, b);
        result = real;
    }
    out->number.real = creal(result);
    out->number.imaginary = cimag(result);
    if (done) return STRIA_OK;
    const bool divides = right == 0 && operation->level == LEVEL_PRODUCT;
    return stria__fail_at(failure, STRIA_ERR_ARGUMENT, at,
                          divides ? "division by zero" : "'%s' does not take these numbers",
                          operation->text);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static int order_integers(const struct value *a, const struct value *b)
{
    if (a->huge || b->huge) {
        const uint64_t left = a->integer < 0 ? 0 : magnitude(a);
        const uint64_t right = b->integer < 0 ? 0 : magnitude(b);
        return (left > right) - (left < right);
    }
    return (a->integer > b->integer) - (a->integer < b->integer);
}

/* Compares an integer with a float without rounding it; 2 for a NaN. */
static int order_exactly(const struct value *integer, double x)
{
    const int sign = (x > 0) - (x < 0);
    if (x != x) return 2;
    if (!(fabs(x) < 0x1p64) || (integer->integer < 0) != (sign < 0)) return sign < 0 ? 1 : -1;
    const uint64_t left = magnitude(integer), right = (uint64_t)fabs(x);
    if (left != right) return (left > right) == (sign >= 0) ? 1 : -1;
    return fabs(x) > (double)right ? -sign : 0;
}

/* Compares real parts: -1, 0, 1; 2 for a NaN. */
static int order_reals(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_INT && b->kind == VALUE_INT) return order_integers(a, b);
    const double left = creal(as_complex(a)), right = creal(as_complex(b));
    if (a->kind == VALUE_INT) return order_exactly(a, right);
    if (b->kind == VALUE_INT) {
        const int sign = order_exactly(b, left);
        return sign == 2 ? sign : -sign;
    }
    if (left != left || right != right) return 2;
    return (left > right) - (left < right);
}

static stria_status comparison(struct value *out, const struct operation *operation,
                               const struct value *a, const struct value *b, size_t at,
                               struct failure *failure)
{
    const bool imaginary = a->kind == VALUE_COMPLEX || b->kind == VALUE_COMPLEX;
    const bool equality =
        operation->code == OPERATION_EQUAL || operation->code == OPERATION_NOT_EQUAL;
    if (imaginary && !equality)
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, at, "'%s' does not take complex numbers",
                              operation->text);
    int sign = order_reals(a, b);
    if (imaginary && cimag(as_complex(a)) != cimag(as_complex(b))) sign = 2;
    out->kind = VALUE_BOOL;
    switch (operation->code) {
    case OPERATION_LESS: out->truth = sign == -1; break;
    case OPERATION_LESS_EQUAL: out->truth = sign <= 0; break;
    case OPERATION_GREATER: out->truth = sign == 1; break;
    case OPERATION_GREATER_EQUAL: out->truth = sign == 0 || sign == 1; break;
    case OPERATION_EQUAL: out->truth = sign == 0; break;
    default: out->truth = sign != 0; break;
    }
    return STRIA_OK;
}

/* ---- one and two operands -------------------------------------------------------------------- */

static stria_status negative(struct value *out, const struct value *a, size_t at,
                             struct failure *failure)
{
    if (a->kind != VALUE_INT) {
        out->number.real = -a->number.real;
        out->number.imaginary = -a->number.imaginary;
        return STRIA_OK;
    }
    if (a->huge) { /* 2^63, which does not fit, has the least integer as its negative. */
        out->huge = a->large != (uint64_t)INT64_MAX + 1;
        out->large = 0;
        out->integer = a->integer < 0 ? INT64_MAX : INT64_MIN;
        return STRIA_OK;
    }
    if (!__builtin_sub_overflow(0, a->integer, &out->integer)) return STRIA_OK;
    return stria__fail_at(failure, STRIA_ERR_OVERFLOW, at, "the result does not fit in 64 bits");
}

static stria_status unary(struct value *out, const struct operation *operation,
                          const struct value *a, size_t at, struct failure *failure)
{
    *out = *a;
    out->at = at;
    if (operation->code == OPERATION_NEGATIVE) return negative(out, a, at, failure);
    if (operation->code == OPERATION_POSITIVE) return STRIA_OK;
    if (a->kind != VALUE_INT || a->huge)
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, at, "'%s' wants an int of 64 bits",
                              operation->text);
    out->integer = ~a->integer;
    return STRIA_OK;
}

stria_status stria__number_operation(struct value *out, const struct operation *operation,
                                     const struct value *a, const struct value *b, size_t at,
                                     struct failure *failure)
{
    char text[VALUE_TEXT];
    if (!stria__value_is_number(a) || (b && !stria__value_is_number(b)))
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, at, "'%s' wants numbers, not %s",
                              operation->text,
                              stria__value_describe(stria__value_is_number(a) ? b : a, text));
    if (operation->code == OPERATION_MATMUL)
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, at, "'@' does not take numbers");
    const struct value left = plain(a), right = b ? plain(b) : (struct value){.kind = VALUE_INT};
    *out = (struct value){.at = at};
    if (!b) return unary(out, operation, &left, at, failure);
    if (is_unknown(&left) || is_unknown(&right))
        return stria__fail_at(failure, STRIA_ERR_OVERFLOW, at, "a number does not fit in 64 bits");
    if (operation->level == LEVEL_COMPARISON)
        return comparison(out, operation, &left, &right, at, failure);
    const bool whole = left.kind == VALUE_INT && right.kind == VALUE_INT;
    const bool fraction = operation->code == OPERATION_DIVIDE ||
                          (operation->code == OPERATION_POWER && whole && right.integer < 0);
    if (whole && !fraction) return integer_operation(out, operation, &left, &right, at, failure);
    return inexact(out, operation, &left, &right, at, failure);
}
