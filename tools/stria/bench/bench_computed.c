/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definition of ops, one element at a time: integers modulo 2^bits, floats in f64 and rounded
 * once, which for sums, differences and products of narrower ones is rounding the exact result.
 * The others are computed again by the library, one element at a time: what they give for an
 * element is what its tests hold against other libraries, which elements it is given is what is
 * in question here.
 */
#include <math.h>
#include <string.h>

#include "bench_values.h"

enum { MOST = 4 };

/* An operand's element, or a result: an integer modulo 2^64, or a number. */
struct number {
    bool whole;
    uint64_t integer;
    double real;
};

static bool is_whole(stria_dtype dtype)
{
    return dtype.kind <= STRIA_U64;
}

static struct number load(const stria_view *view, const char *item)
{
    struct number n = {.whole = is_whole(view->dtype)};
    const bool neg = view->flags & STRIA_NEG;
    if (n.whole) {
        const uint64_t stored = (uint64_t)values_integer(item, view->dtype);
        n.integer = neg ? 0 - stored : stored;
        const bool large = view->dtype.kind == STRIA_U64;
        n.real = large ? (double)n.integer : (double)(int64_t)n.integer;
    } else {
        const double stored = values_real(item, view->dtype);
        n.real = neg ? -stored : stored;
    }
    return n;
}

/* Into the dtype that the op computes in. */
static struct number promote(struct number n, stria_dtype promoted)
{
    if (is_whole(promoted)) return n;
    n.real = values_rounded(n.real, promoted);
    n.whole = false;
    return n;
}

static bool is_less(struct number a, struct number b)
{
    if (a.whole && b.whole && a.real == b.real) return (int64_t)a.integer < (int64_t)b.integer;
    return a.real < b.real;
}

static double exp10_of(double x)
{
    return pow(10, x);
}

static double sigmoid_of(double x)
{
    return 1 / (1 + exp(-x));
}

/* Of an argument that is reduced exactly; the products with pi are rounded. */
static double sinpi_by_sin(double x)
{
    const double turn = remainder(x, 2);
    const double rest = turn > 0.5 ? 1 - turn : turn < -0.5 ? -1 - turn : turn;
    return sin(3.14159265358979323846 * rest);
}

static double cospi_by_sin(double x)
{
    return sinpi_by_sin(0.5 - fabs(remainder(x, 2)));
}

static double rsqrt_by_sqrt(double x)
{
    return 1 / sqrt(x);
}

/* By Newton's steps on erf, or on erfc for what is close to 1; the C library does not have it. */
static double erfinv(double x)
{
    const double root_pi_half = 0.88622692545275801, a = fabs(x), w = -log1p(-a * a);
    const double part = 4.3307467507998732 - w / 2;
    if (!(a < 1)) return a == 1 ? x * (double)INFINITY : (double)NAN;
    if (a < 1e-9) return x * root_pi_half;
    double y = sqrt(sqrt(part * part + w / 0.147) - part);
    for (int step = 0; step < 5; step++) {
        const double by = (a < 0.5 ? a - erf(y) : erfc(y) - (1 - a)) * root_pi_half * exp(y * y);
        y += by * (1 + y * by);
    }
    return copysign(y, x);
}

/* Functions of mathematics by the C library; NULL for other ops. */
static double (*const functions[STRIA_OPS])(double) = {
    [STRIA_EXP] = exp,
    [STRIA_EXP2] = exp2,
    [STRIA_EXP10] = exp10_of,
    [STRIA_EXPM1] = expm1,
    [STRIA_LOG] = log,
    [STRIA_LOG2] = log2,
    [STRIA_LOG10] = log10,
    [STRIA_LOG1P] = log1p,
    [STRIA_SINH] = sinh,
    [STRIA_COSH] = cosh,
    [STRIA_TANH] = tanh,
    [STRIA_ASINH] = asinh,
    [STRIA_ACOSH] = acosh,
    [STRIA_ATANH] = atanh,
    [STRIA_SIGMOID] = sigmoid_of,
    [STRIA_SIN] = sin,
    [STRIA_COS] = cos,
    [STRIA_TAN] = tan,
    [STRIA_SINPI] = sinpi_by_sin,
    [STRIA_COSPI] = cospi_by_sin,
    [STRIA_ASIN] = asin,
    [STRIA_ACOS] = acos,
    [STRIA_ATAN] = atan,
    [STRIA_SQRT] = sqrt,
    [STRIA_RSQRT] = rsqrt_by_sqrt,
    [STRIA_CBRT] = cbrt,
    [STRIA_ERF] = erf,
    [STRIA_ERFC] = erfc,
    [STRIA_ERFINV] = erfinv,
    [STRIA_LGAMMA] = lgamma,
    [STRIA_TGAMMA] = tgamma,
};

static double logaddexp(double x, double y)
{
    const double apart = x == y ? 0 : fabs(x - y);
    return isnan(x) || isnan(y) ? x + y : fmax(x, y) + log1p(exp(-apart));
}

static double logaddexp2(double x, double y)
{
    const double apart = x == y ? 0 : fabs(x - y);
    return isnan(x) || isnan(y) ? x + y : fmax(x, y) + log1p(exp2(-apart)) / log(2.0);
}

static double (*const functions_of_two[STRIA_OPS])(double, double) = {
    [STRIA_POW] = pow,
    [STRIA_ATAN2] = atan2,
    [STRIA_HYPOT] = hypot,
    [STRIA_LOGADDEXP] = logaddexp,
    [STRIA_LOGADDEXP2] = logaddexp2,
};

/* Whether compute() has it, in the dtype that the op computes in. */
static bool is_defined(stria_op op, stria_dtype promoted)
{
    switch (op) {
    case STRIA_ADD:
    case STRIA_SUBTRACT:
    case STRIA_MULTIPLY:
    case STRIA_LESS:
    case STRIA_WHERE:
    case STRIA_ABS: return true;
    default: return !is_whole(promoted) && (functions[op] || functions_of_two[op]);
    }
}

/* The result; of floats before it is rounded. truth: the dtype is bool, where + is or, * is and. */
static struct number compute(stria_op op, const struct number *in, bool truth)
{
    const struct number a = in[0], b = in[1];
    struct number r = {.whole = a.whole};
    switch (op) {
    case STRIA_ADD:
        r.integer = truth ? a.integer | b.integer : a.integer + b.integer;
        r.real = a.real + b.real;
        break;
    case STRIA_SUBTRACT:
        r.integer = a.integer - b.integer;
        r.real = a.real - b.real;
        break;
    case STRIA_MULTIPLY:
        r.integer = truth ? a.integer & b.integer : a.integer * b.integer;
        r.real = a.real * b.real;
        break;
    case STRIA_LESS:
        r.whole = true;
        r.integer = is_less(a, b);
        break;
    case STRIA_WHERE: r = a.real != 0 ? b : in[2]; break;
    case STRIA_ABS:
        r.integer = a.real < 0 ? 0 - a.integer : a.integer;
        r.real = fabs(a.real);
        break;
    default:
        r.real = functions[op] ? functions[op](a.real) : functions_of_two[op](a.real, b.real);
        break;
    }
    return r;
}

/*
 * Functions of mathematics may be off by some units of f64, here and in the C library, and so on
 * the other side of the middle between two results.
 */
static bool is_result(stria_op op, const char *item, stria_dtype dtype, struct number n)
{
    if (n.whole) {
        const uint64_t mask = ~(uint64_t)0 >> (64 - 8 * dtype.itemsize);
        return ((uint64_t)values_integer(item, dtype) & mask) == (n.integer & mask);
    }
    if (isnan(n.real)) return values_is_nan(item, dtype);
    if (!functions[op] && !functions_of_two[op]) return values_nearest(item, dtype, n.real);
    const double part = n.real * 0x1p-49, below = n.real - part, above = n.real + part;
    if (dtype.kind == STRIA_F64) {
        double got;
        memcpy(&got, item, sizeof got);
        if (fabs(got - n.real) <= fabs(part)) return true;
    }
    return values_nearest(item, dtype, n.real) || values_nearest(item, dtype, below) ||
           values_nearest(item, dtype, above);
}

/* Of an operand that broadcasts to ndim dims: 0 where it has no dim or repeats its only element. */
static int64_t stride_in(const stria_view *a, int ndim, int d)
{
    const int own = d - (ndim - a->ndim);
    return own < 0 || a->shape[own] == 1 ? 0 : a->strides[own];
}

/* The element of a view: of one dim, or of none where the view has none, which promotion tells. */
static stria_view element_of(const stria_view *a, int64_t at)
{
    stria_view element = {.data = a->data + at, .dtype = a->dtype, .flags = a->flags};
    element.ndim = a->ndim > 0;
    element.shape[0] = 1;
    return element;
}

static bool same_item(const char *got, const char *wanted, stria_dtype dtype)
{
    if (memcmp(got, wanted, (size_t)dtype.itemsize) == 0) return true;
    return values_is_nan(got, dtype) && values_is_nan(wanted, dtype);
}

static bool is_same_alone(stria_op op, int count, const stria_view *const *views, const int64_t *at,
                          const stria_exec *exec)
{
    stria_view elements[MOST];
    const stria_view *inputs[MOST];
    char item[16];
    for (int i = 0; i < count; i++) {
        elements[i] = element_of(views[i], at[i]);
        inputs[i] = &elements[i];
    }
    elements[0].data = item;
    return stria_elementwise(op, &elements[0], count - 1, inputs + 1, exec) == STRIA_OK &&
           same_item(views[0]->data + at[0], item, views[0]->dtype);
}

static bool element_computed(stria_op op, stria_dtype promoted, int count,
                             const stria_view *const *views, const int64_t *at,
                             const stria_exec *exec)
{
    if (!is_defined(op, promoted)) return is_same_alone(op, count, views, at, exec);
    struct number in[MOST] = {{0}};
    const bool compares = op == STRIA_LESS, chooses = op == STRIA_WHERE;
    for (int i = 1; i < count; i++) {
        in[i - 1] = load(views[i], views[i]->data + at[i]);
        if (compares || (chooses && i == 1) || op == STRIA_ABS) continue;
        in[i - 1] = promote(in[i - 1], promoted);
    }
    const struct number result = compute(op, in, promoted.kind == STRIA_BOOL);
    return is_result(op, views[0]->data + at[0], views[0]->dtype, result);
}

bool values_computed(stria_op op, stria_dtype promoted, int count, const stria_view *const *views,
                     const stria_exec *exec)
{
    const stria_view *out = views[0];
    int64_t index[STRIA_MAX_NDIM] = {0}, at[MOST] = {0};
    int d;
    do {
        if (!element_computed(op, promoted, count, views, at, exec)) return false;
        for (d = out->ndim - 1; d >= 0; d--) {
            const bool ends = ++index[d] == out->shape[d];
            const int64_t by = ends ? 1 - out->shape[d] : 1;
            for (int i = 0; i < count; i++)
                at[i] += by * stride_in(views[i], out->ndim, d);
            if (!ends) break;
            index[d] = 0;
        }
    } while (d >= 0);
    return true;
}
