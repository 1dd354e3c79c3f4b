/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of text, over the library's functions by name, that serve as backends of other languages:
 * the 26 primitives of a small APL, whose scalar functions are those of op.h and whose folds, scans
 * and products take any of these, and the 125 callbacks of an Nx backend that compute.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

/* The memory of m, v and x of the lines. */
static int64_t of_m[] = {3, 1, 2, 9, 7, 8}, of_v[] = {5, 2, 8, 2};
static double of_x[] = {0.5, -1.5, 2.25};

/*
 * A line has the name of a primitive, an expression of it, and what that gives; NULL where the text
 * is the name of a function of another library, which has to be found alone.
 */
struct line {
    const char *name, *text, *wanted;
};

static const struct line apl[] = {
    {"reduce", "sum(m, 1)", "tensor([6, 24])"},
    {"reduce", "fold_op(m, 'gcd', 1)", "tensor([1, 1])"},
    {"reduce", "fold_op(v, 'subtract')", "tensor(-7)"},
    {"reduce", "fold_op(m[:, :0], 'maximum', 1, initial=-1)", "tensor([-1, -1])"},
    {"scan", "cumsum(m, 1)", "tensor([[3, 4, 6], [9, 16, 24]])"},
    {"scan", "scan_op(v, 'subtract')", "tensor([5, 3, -5, -7])"},
    {"scan", "scan_op(m, 'gcd', 0)", "tensor([[3, 1, 2], [3, 1, 2]])"},
    {"outer product", "outer_op(v[:2], 'multiply', v)",
     "tensor([[25, 10, 40, 10], [10, 4, 16, 4]])"},
    {"outer product", "outer_op(v, 'equal', v).sum(1)", "tensor([1, 2, 1, 2])"},
    {"inner product", "m @ m.T", "tensor([[14, 50], [50, 194]])"},
    {"inner product", "fold_op(m.unsqueeze(2) + m.T.unsqueeze(0), 'minimum', 1)",
     "tensor([[2, 8], [8, 14]])"},
    {"inner product", "(m.unsqueeze(2) == m.T.unsqueeze(0)).all(1)",
     "tensor([[True, False], [False, True]])"},
    {"rank", "stack([m[0].msort(), m[1].msort()])", "tensor([[1, 2, 3], [7, 8, 9]])"},
    {"rank", "m + v[:2].unsqueeze(1)", "tensor([[8, 6, 7], [11, 9, 10]])"},
    {"reshape", "resize(v, (2, 3))", "tensor([[5, 2, 8], [2, 5, 2]])"},
    {"reshape", "resize(v, (3,))", "v[:3]"},
    {"ravel", "ravel(m)", "tensor([3, 1, 2, 9, 7, 8])"},
    {"ravel", "ravel(m.T)", "tensor([3, 9, 1, 7, 2, 8])"},
    {"transpose", "m.T", "tensor([[3, 9], [1, 7], [2, 8]])"},
    {"transpose", "permute(m.unsqueeze(0), (2, 0, 1))[1]", "tensor([[1, 7]])"},
    {"transpose", "diagonal(m)", "tensor([3, 7])"},
    {"take", "m[:, -2:]", "tensor([[1, 2], [7, 8]])"},
    {"take", "pad(v, (0, 2))", "tensor([5, 2, 8, 2, 0, 0])"},
    {"drop", "v[1:]", "tensor([2, 8, 2])"},
    {"drop", "m[:-1, 1:]", "tensor([[1, 2]])"},
    {"rotate", "flip(m, (1,))", "tensor([[2, 1, 3], [8, 7, 9]])"},
    {"rotate", "roll(v, -1)", "tensor([2, 8, 2, 5])"},
    {"rotate", "take_along_dim(m, (arange(3) + tensor([[1], [2]])) % 3, 1)",
     "tensor([[1, 2, 3], [8, 9, 7]])"},
    {"grade", "argsort(v, stable=True)", "tensor([1, 3, 0, 2])"},
    {"grade", "lexsort(flip(m.T, (0,)))", "tensor([0, 1])"},
    {"grade", "argsort(v, descending=True, stable=True)", "tensor([2, 0, 1, 3])"},
    {"index", "m[1, tensor([2, 0])]", "tensor([8, 9])"},
    {"index", "m[tensor([[0], [1]]), tensor([0, 2])]", "tensor([[3, 2], [9, 8]])"},
    {"index", "choose(tensor([0, 1, 1, 0]), [v, -v])", "tensor([5, -2, -8, 2])"},
    {"index of", "index_of(v, tensor([8, 3, 2]))", "tensor([2, -1, 1])"},
    {"index of", "index_of(v, tensor([9]), absent=4)", "tensor([4])"},
    {"member", "isin(v, tensor([2, 5]))", "tensor([True, True, False, True])"},
    {"unique", "unique_in_order(v)", "tensor([5, 2, 8])"},
    {"key", "label_op(ones(4, dtype=i64), 'add', index_of(unique_in_order(v), v), 3)",
     "tensor([1, 2, 1])"},
    {"key", "label_op(arange(4), 'maximum', index_of(unique_in_order(v), v), 3)",
     "tensor([0, 3, 2])"},
    {"partition", "segment_op(v, 'add', tensor([0, 1, 4]))", "tensor([5, 12])"},
    {"replicate", "repeat_interleave(v, tensor([1, 0, 2, 1]))", "tensor([5, 8, 8, 2])"},
    {"replicate", "masked_select(v, v > 2)", "tensor([5, 8])"},
    {"where", "nonzero(v == 2).ravel()", "tensor([1, 3])"},
    {"catenate", "cat([v, v[:1]])", "tensor([5, 2, 8, 2, 5])"},
    {"catenate", "stack([v, v], 1)[0]", "tensor([5, 5])"},
    {"encode", "(75 // tensor([60 * 60, 60, 1])) % tensor([24, 60, 60])", "tensor([0, 1, 15])"},
    {"decode", "(tensor([0, 1, 15]) * tensor([60 * 60, 60, 1])).sum()", "tensor(75)"},
    {"decode", "tensor([1, 0, 1, 1]) @ (2 ** arange(4)).flip(0)", "tensor(11)"},
    {"windows", "sliding_window_view(v, 2).sum(1)", "tensor([7, 10, 10])"},
    {"windows", "sliding_window_view(m, (2, 2)).amax((2, 3))", "tensor([[9, 8]])"},
    {"match", "array_equal(v, m.ravel()[:4])", "False"},
    {"amend", "scatter(v, 0, tensor([1, 3]), tensor([0, 7]))", "tensor([5, 0, 8, 7])"},
};

/* Names of the library where it has one of that meaning, else what composes it. */
static const struct line nx[] = {
    {"constant", "full((2,), 7)", "tensor([7, 7])"},
    {"from_binary", "v.view(u8).view(i64)", "v"},
    {"eye", "eye(2)", "tensor([[1, 0], [0, 1]])"},
    {"iota", "arange(3).expand(2, 3)", "tensor([[0, 1, 2], [0, 1, 2]])"},
    {"to_batched", "stack(m.split(1))", "m.unsqueeze(1)"},
    {"to_binary", "m.T.contiguous().view(u8)[0, :9]", "tensor([3, 0, 0, 0, 0, 0, 0, 0, 9])"},
    {"as_type", "x.to(i32)", "tensor([0, -1, 2])"},
    {"bitcast", "x[:1].view(i64)", "tensor([511 << 53])"},
    {"reshape", "m.reshape(3, 2)", "tensor([[3, 1], [2, 9], [7, 8]])"},
    {"squeeze", "m[:1].squeeze(0)", "m[0]"},
    {"broadcast", "v.unsqueeze(1).broadcast_to(4, 2)", "stack([v, v], 1)"},
    {"transpose", "permute(m, (1, 0))", "m.T"},
    {"pad", "pad(stack([v, full_like(v, 9)], 1).ravel()[:-1], (-1, 1))",
     "tensor([9, 2, 9, 8, 9, 2, 0])"},
    {"reverse", "flip(m, (0, 1))", "m[::-1, ::-1]"},
    {"dot", "einsum('bi,bi->b', m, m)", "tensor([14, 194])"},
    {"clip", "clip(v, 3, 6)", "tensor([5, 3, 6, 3])"},
    {"slice", "m[:, 0:3:2]", "tensor([[3, 2], [9, 8]])"},
    {"put_slice", "slice_scatter(v, tensor([0, 1]), 0, 1, 3)", "tensor([5, 0, 1, 2])"},
    {"take_along_axis", "take_along_dim(m, tensor([[2], [0]]), 1)", "tensor([[2], [9]])"},
    {"gather", "m[tensor([0, 1]), tensor([2, 0])]", "tensor([2, 9])"},
    {"concatenate", "cat([m, m], 1)[:, 3:]", "m"},
    {"select", "where(v > 4, v, 0)", "tensor([5, 0, 8, 0])"},
    {"conv", "conv(arange(4).reshape(1, 1, 4), tensor([[[1, 2]]]), stride=2, padding=1)",
     "tensor([[[0, 5, 3]]])"},
    {"all", "all(m > 1, 1)", "tensor([False, True])"},
    {"any", "any(m < 2, 1)", "tensor([True, False])"},
    {"sum", "sum(m, 0)", "tensor([12, 8, 10])"},
    {"product", "prod(m, 1)", "tensor([6, 504])"},
    {"reduce_max", "amax(m, 1)", "tensor([3, 9])"},
    {"reduce_min", "amin(m, 1)", "tensor([1, 7])"},
    {"argmax", "3 - flip(v % 4, (0,)).argmax()", "tensor(3)"},
    {"argmin", "argmin(m, 1)", "tensor([1, 1])"},
    {"reduce", "fold_op(m, 'host_blend', 1, initial=1)", "tensor([3, 12])"},
    {"window_reduce", "fold_op(sliding_window_view(v, 2)[::2], 'host_blend', 1)", "tensor([6, 9])"},
    {"window_sum", "sliding_window_view(v, 3)[:, ::2].sum(1)", "tensor([13, 4])"},
    {"window_product", "sliding_window_view(v, 2)[::2].prod(1)", "tensor([10, 16])"},
    {"window_max", "window_max(v, 2)", "tensor([5, 8, 8])"},
    {"window_min", "window_min(m, (2, 2))", "tensor([[1, 1]])"},
    {"map", "host_half(v)", "tensor([2.5, 1, 4, 1])"},
    {"sort", "m.msort()[::-1]", "m[::-1]"},
    {"argsort", "argsort(v, stable=True)", "tensor([1, 3, 0, 2])"},
    {"window_scatter_max",
     "index_add(zeros(6, dtype=i64), 0, take_along_dim(sliding_window_view(arange(6).reshape(2, "
     "3), (2, 2)).reshape(2, 4), sliding_window_view(m, (2, 2)).reshape(2, "
     "4).argmax(1).unsqueeze(1), 1).ravel(), tensor([10, 20]))",
     "tensor([0, 0, 0, 10, 0, 20])"},
    {"window_scatter_min",
     "index_add(zeros(6, dtype=i64), 0, take_along_dim(sliding_window_view(arange(6).reshape(2, "
     "3), (2, 2)).reshape(2, 4), sliding_window_view(m, (2, 2)).reshape(2, "
     "4).argmin(1).unsqueeze(1), 1).ravel(), tensor([10, 20]))",
     "tensor([0, 30, 0, 0, 0, 0])"},
    {"indexed_add", "index_put(v.clone(), (tensor([1, 1]),), tensor([1, 2]), accumulate=True)",
     "tensor([5, 5, 8, 2])"},
    {"indexed_put", "index_put(m.clone(), (tensor([0]), tensor([1])), tensor([7]))[0]",
     "tensor([3, 7, 2])"},
    {"lu", "linalg.lu_factor", NULL},
    {"triangular_solve", "linalg.solve_triangular", NULL},
    {"svd", "linalg.svd", NULL},
    {"fft", "fft.fft", NULL},
    {"ifft", "fft.ifft", NULL},
    {"fft2", "fft.fft2", NULL},
    {"ifft2", "fft.ifft2", NULL},
    {"add", "v + 1", "tensor([6, 3, 9, 3])"},
    {"subtract", "v - 1", "tensor([4, 1, 7, 1])"},
    {"multiply", "v * 2", "tensor([10, 4, 16, 4])"},
    {"pow", "v ** 2", "v * v"},
    {"remainder", "fmod(tensor([-7, 7]), 4)", "tensor([-3, 3])"},
    {"divide", "v / 2", "tensor([2.5, 1, 4, 1])"},
    {"atan2", "atan2(x - x, x.abs())", "x - x"},
    {"min", "minimum(v, 4)", "tensor([4, 2, 4, 2])"},
    {"max", "maximum(v, 4)", "tensor([5, 4, 8, 4])"},
    {"quotient", "quotient(tensor([-7, 7]), 2)", "tensor([-3, 3])"},
    {"bitwise_and", "v & 6", "tensor([4, 2, 0, 2])"},
    {"bitwise_or", "v | 1", "tensor([5, 3, 9, 3])"},
    {"bitwise_xor", "v ^ 1", "tensor([4, 3, 9, 3])"},
    {"left_shift", "v << 1", "v * 2"},
    {"right_shift", "v >> 1", "tensor([2, 1, 4, 1])"},
    {"equal", "v == 2", "tensor([False, True, False, True])"},
    {"not_equal", "v != 2", "~(v == 2)"},
    {"greater", "v > 2", "v >= 3"},
    {"less", "v < 5", "v <= 4"},
    {"greater_equal", "v >= 5", "v > 4"},
    {"less_equal", "v <= 2", "v == 2"},
    {"logical_and", "logical_and(v, v - 2)", "v != 2"},
    {"logical_or", "logical_or(v - 2, v - 5)", "v == v"},
    {"logical_xor", "logical_xor(v - 2, v - 5)", "(v == 2) | (v == 5)"},
    {"exp", "exp(x - x)", "x - x + 1"},
    {"expm1", "expm1(x - x)", "x - x"},
    {"sigmoid", "sigmoid(x - x)", "x - x + 0.5"},
    {"cos", "cos(x - x)", "x - x + 1"},
    {"sin", "sin(x - x)", "x - x"},
    {"tan", "tan(x - x)", "x - x"},
    {"cosh", "cosh(x - x)", "x - x + 1"},
    {"sinh", "sinh(x - x)", "x - x"},
    {"tanh", "tanh(x - x)", "x - x"},
    {"asinh", "asinh(x - x)", "x - x"},
    {"sqrt", "sqrt(x - x)", "x - x"},
    {"rsqrt", "rsqrt(x - x)", "1 / (x - x)"},
    {"cbrt", "cbrt(x - x)", "x - x"},
    {"erf", "erf(x - x)", "x - x"},
    {"erfc", "erfc(x - x)", "x - x + 1"},
    {"log", "log(x / x)", "x - x"},
    {"log1p", "log1p(x - x)", "x - x"},
    {"acos", "acos(x / x)", "x - x"},
    {"asin", "asin(x - x)", "x - x"},
    {"atan", "atan(x - x)", "x - x"},
    {"acosh", "acosh(x / x)", "x - x"},
    {"atanh", "atanh(x - x)", "x - x"},
    {"erf_inv", "erfinv(x - x)", "x - x"},
    {"abs", "abs(x)", "tensor([0.5, 1.5, 2.25])"},
    {"bitwise_not", "~v", "-v - 1"},
    {"ceil", "ceil(x)", "tensor([1., -1, 3])"},
    {"conjugate", "conj(x * 1j)", "x * -1j"},
    {"floor", "floor(x)", "tensor([0., -2, 2])"},
    {"negate", "-x", "0 - x"},
    {"round", "where(abs(x - trunc(x)) < 0.5, trunc(x), trunc(x) + sign(x))",
     "tensor([1., -2, 2])"},
    {"sign", "sign(x)", "tensor([1., -1, 1])"},
    {"count_leading_zeros", "count_leading_zeros(v)", "tensor([61, 62, 60, 62])"},
    {"population_count", "bitwise_count(v)", "tensor([2, 1, 1, 1])"},
    {"real", "real(x + 1j)", "x"},
    {"imag", "imag(x * 1j)", "x"},
    {"is_nan", "isnan((x - x) / (x - x))", "x == x"},
    {"is_infinity", "isinf(x / (x - x))", "x == x"},
    {"qr", "linalg.qr", NULL},
    {"cholesky", "linalg.cholesky", NULL},
    {"eigh", "linalg.eigh", NULL},
    {"solve", "linalg.solve", NULL},
    {"determinant", "linalg.det", NULL},
    {"logical_not", "logical_not(v - 2)", "v == 2"},
    {"phase", "angle(x.abs())", "x - x"},
    {"cumulative_sum", "cumsum(v, 0)", "tensor([5, 7, 15, 17])"},
    {"cumulative_product", "cumprod(v, 0)", "tensor([5, 10, 80, 160])"},
    {"cumulative_min", "scan_op(v, 'minimum')", "tensor([5, 2, 2, 2])"},
    {"cumulative_max", "scan_op(v, 'maximum')", "tensor([5, 5, 8, 8])"},
    {"all_close", "allclose(x, x + 1e-12)", "True"},
    {"top_k", "stack(topk(v, 2))", "tensor([[8, 5], [2, 0]])"},
};

static void of_host_half(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    for (int64_t i = 0; i < n; i++)
        *(double *)(ptr[0] + i * step[0]) = *(const double *)(ptr[1] + i * step[1]) / 2;
}

static void of_host_blend(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    for (int64_t i = 0; i < n; i++)
        *(int64_t *)(ptr[0] + i * step[0]) =
            *(const int64_t *)(ptr[1] + i * step[1]) + *(const int64_t *)(ptr[2] + i * step[2]) / 2;
}

/* Registers what the host of a callback hands over: a function of one element, and one of two. */
static int of_the_host(void **state)
{
    (void)state;
    const stria_user_loop half = {.inputs = {STRIA_F64}, .out = STRIA_F64, .run = of_host_half};
    const stria_user_loop blend = {
        .inputs = {STRIA_I64, STRIA_I64}, .out = STRIA_I64, .run = of_host_blend};
    const stria_user_function functions[] = {
        {.name = "host_half", .inputs = 1, .count = 1, .loops = &half},
        {.name = "host_blend", .inputs = 2, .count = 1, .loops = &blend}};
    for (int i = 0; i < 2; i++)
        ok(stria_user_register(NULL, &functions[i]));
    return 0;
}

/* Tells whether the text is true; it gives one array without dims, or an answer. */
static bool is_true(const char *text)
{
    stria_view m, v, x;
    const stria_dtype i64 = stria_dtype_of(STRIA_I64), f64 = stria_dtype_of(STRIA_F64);
    assert_int_equal(stria_view_foreign(&m, of_m, i64, 2, (const int64_t[]){2, 3}, NULL, 0), 0);
    assert_int_equal(stria_view_foreign(&v, of_v, i64, 1, (const int64_t[]){4}, NULL, 0), 0);
    assert_int_equal(stria_view_foreign(&x, of_x, f64, 1, (const int64_t[]){3}, NULL, 0), 0);
    const stria_named names[] = {{"m", &m}, {"v", &v}, {"x", &x}};
    stria_results r = {0};
    if (stria_eval(&r, text, 3, names, NULL)) fail_msg("%s: %s", text, stria_last_error());
    double truth = 0;
    assert_int_equal(stria_results_count(&r), 1);
    ok(stria_get_f64(&truth, &stria_results_at(&r, 0)->view, 0, NULL));
    stria_results_release(&r);
    return truth != 0;
}

/* Holds lines to what they give; those without it name functions of libraries of their own. */
static void hold(int count, const struct line *lines, int wanted_names)
{
    int names = 0;
    for (int i = 0; i < count; i++) {
        const struct line *const l = &lines[i];
        char text[1000];
        names += i == 0 || strcmp(l->name, lines[i - 1].name) != 0;
        if (!l->wanted) {
            if (!stria_function_find(l->text)) fail_msg("%s: there is no %s", l->name, l->text);
            continue;
        }
        const bool truth = !strcmp(l->wanted, "True") || !strcmp(l->wanted, "False");
        (void)snprintf(text, sizeof text, truth ? "%s" : "array_equal(%s, %s)", l->text, l->wanted);
        if (is_true(text) != (strcmp(l->wanted, "False") != 0))
            fail_msg("%s: %s is not %s", l->name, l->text, l->wanted);
    }
    assert_int_equal(names, wanted_names);
}

TEST(primitives_of_apl)
{
    hold(sizeof apl / sizeof *apl, apl, 26);
}

TEST(callbacks_of_nx)
{
    hold(sizeof nx / sizeof *nx, nx, 125);
}

/* A fixed point: the calls stop where two steps match. */
TEST(fixed_point)
{
    double now[] = {2, 9, 16}, next[3];
    stria_view a, b;
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    assert_int_equal(stria_view_foreign(&a, now, f64, 1, (const int64_t[]){3}, NULL, 0), 0);
    assert_int_equal(stria_view_foreign(&b, next, f64, 1, (const int64_t[]){3}, NULL, 0), 0);
    bool equal = false;
    for (int step = 0; step < 100 && !equal; step++) {
        ok(stria_sqrt(&b, &a, NULL));
        ok(stria_array_equal(&equal, &a, &b, false, NULL));
        memcpy(now, next, sizeof now);
    }
    assert_true(equal && now[0] == 1 && now[2] == 1);
}

TEST_MAIN(of_the_host, NULL)
