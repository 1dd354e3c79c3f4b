/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions, against the definitions of docs/reductions.md over elements that index arithmetic
 * finds: random views of every dtype and layout, on every level, on one thread and several, into
 * outputs of any layout and dtype.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/guard.h"
#include "support/indices.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/reference_tree.h"

enum { MOST = 20001 };

/* ---- what is expected ------------------------------------------------------------------------ */

/* The elements of one output in logical order, as f64 and as the 64 bits of an integer. */
static struct {
    int64_t n;
    double real[MOST];
    int64_t whole[MOST];
} elements;

static bool is_unsigned(stria_kind kind)
{
    return kind >= STRIA_U8 && kind <= STRIA_U64;
}

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_F64;
}

/* A value of any kind by a conversion that its own tests check. */
static void convert(const void *from, stria_kind from_kind, void *to, stria_kind to_kind)
{
    stria_view out, in;
    assert_int_equal(stria_view_foreign(&out, to, stria_dtype_of(to_kind), 0, NULL, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_view_foreign(&in, (void *)(uintptr_t)from, stria_dtype_of(from_kind), 0,
                                        NULL, NULL, STRIA_READONLY),
                     STRIA_OK);
    assert_int_equal(stria_copy(&out, &in), STRIA_OK);
}

static void convert_item(const char *item, stria_dtype dtype, void *to, stria_kind to_kind)
{
    stria_view out, in;
    assert_int_equal(stria_view_foreign(&out, to, stria_dtype_of(to_kind), 0, NULL, NULL, 0),
                     STRIA_OK);
    assert_int_equal(
        stria_view_foreign(&in, (void *)(uintptr_t)item, dtype, 0, NULL, NULL, STRIA_READONLY),
        STRIA_OK);
    assert_int_equal(stria_copy(&out, &in), STRIA_OK);
}

/* Reads those that have the index `at` along the dims that are kept. */
static void read_elements(const stria_view *a, uint64_t set, const int64_t *at)
{
    int64_t index[STRIA_MAX_NDIM];
    elements.n = 1;
    for (int d = 0; d < a->ndim; d++) {
        index[d] = set >> d & 1 ? 0 : at[d];
        if (set >> d & 1) elements.n *= a->shape[d];
    }
    const bool integral = a->dtype.kind <= STRIA_U64;
    for (int64_t i = 0; i < elements.n; i++) {
        const char *const item = address(a, index);
        convert_item(item, a->dtype, &elements.real[i], STRIA_F64);
        if (integral) convert_item(item, a->dtype, &elements.whole[i], STRIA_I64);
        for (int d = a->ndim - 1; d >= 0; d--) {
            if (!(set >> d & 1)) continue;
            if (++index[d] < a->shape[d]) break;
            index[d] = 0;
        }
    }
}

static bool is_below(stria_kind kind, int64_t i, int64_t j)
{
    const double a = elements.real[i], b = elements.real[j];
    if (is_unsigned(kind)) return (uint64_t)elements.whole[i] < (uint64_t)elements.whole[j];
    if (!is_float(kind)) return elements.whole[i] < elements.whole[j];
    return a < b || (a == b && signbit(a) && !signbit(b));
}

/* Where the largest or smallest element is, or a NaN. */
static int64_t extreme(stria_kind kind, bool largest, bool zeros_differ)
{
    int64_t best = 0;
    for (int64_t i = 0; i < elements.n; i++) {
        if (is_float(kind) && isnan(elements.real[i])) return i;
        if (is_float(kind) && !zeros_differ && elements.real[i] == elements.real[best]) continue;
        if (largest ? is_below(kind, best, i) : is_below(kind, i, best)) best = i;
    }
    return best;
}

static int64_t count_truth(stria_kind kind)
{
    int64_t count = 0;
    for (int64_t i = 0; i < elements.n; i++)
        count += is_float(kind) ? elements.real[i] != 0 : elements.whole[i] != 0;
    return count;
}

/* By the definition: deviations from the mean, less what the mean is off by. */
static double variance(double ddof)
{
    static double squares[MOST], deviations[MOST];
    const double n = (double)elements.n,
                 mean = (tree_of(false, elements.real, elements.n) + 0.0) / n;
    for (int64_t i = 0; i < elements.n; i++) {
        deviations[i] = elements.real[i] - mean;
        squares[i] = deviations[i] * deviations[i];
    }
    const double sum = tree_of(false, deviations, elements.n);
    const double rest = tree_of(false, squares, elements.n) - sum * sum / n;
    if (!(n - ddof > 0)) return NAN;
    return (rest < 0 ? 0.0 : rest) / (n - ddof);
}

/* Writes what op is expected to give for the elements, of out's dtype. */
static void expect(void *out, stria_kind to, stria_reduction op, stria_kind kind, double ddof)
{
    const int64_t truth = op >= STRIA_ALL ? count_truth(kind) : 0;
    uint64_t sum = 0, product = 1;
    double real = NAN;
    bool yes;
    for (int64_t i = 0; i < elements.n && kind <= STRIA_U64; i++) {
        sum += (uint64_t)elements.whole[i];
        product *= (uint64_t)elements.whole[i];
    }
    switch (op) {
    case STRIA_SUM:
    case STRIA_PROD:
        if (!is_float(kind)) {
            const uint64_t all = op == STRIA_SUM ? sum : product;
            convert(&all, STRIA_I64, out, to);
            return;
        }
        real = tree_of(op == STRIA_PROD, elements.real, elements.n);
        if (op == STRIA_SUM) real += 0.0;
        convert(&real, STRIA_F64, out, to);
        return;
    case STRIA_MEAN:
        real = (tree_of(false, elements.real, elements.n) + 0.0) / (double)elements.n;
        convert(&real, STRIA_F64, out, to);
        return;
    case STRIA_VAR:
    case STRIA_STD:
        real = variance(ddof);
        if (op == STRIA_STD) real = sqrt(real);
        convert(&real, STRIA_F64, out, to);
        return;
    case STRIA_ARGMAX:
    case STRIA_ARGMIN: {
        const int64_t i = extreme(kind, op == STRIA_ARGMAX, false);
        convert(&i, STRIA_I64, out, to);
        return;
    }
    case STRIA_MAX:
    case STRIA_MIN: {
        const int64_t i = extreme(kind, op == STRIA_MAX, true);
        if (is_float(kind))
            convert(&elements.real[i], STRIA_F64, out, to);
        else
            convert(&elements.whole[i], is_unsigned(kind) ? STRIA_U64 : STRIA_I64, out, to);
        return;
    }
    case STRIA_ALL:
    case STRIA_ANY:
        yes = op == STRIA_ALL ? truth == elements.n : truth > 0;
        convert(&yes, STRIA_BOOL, out, to);
        return;
    default: convert(&truth, STRIA_I64, out, to);
    }
}

static bool same_value(const char *a, const char *b, stria_dtype dtype)
{
    double x, y;
    if (memcmp(a, b, (size_t)dtype.itemsize) == 0) return true;
    if (!is_float((stria_kind)dtype.kind)) return false;
    convert(a, (stria_kind)dtype.kind, &x, STRIA_F64);
    convert(b, (stria_kind)dtype.kind, &y, STRIA_F64);
    return isnan(x) && isnan(y);
}

/* ---- random arrays --------------------------------------------------------------------------- */

static char memory[1 << 20];

/* Numbers of a size that sums neither lose nor are lost in; now and then special ones. */
static void fill(uint64_t *seed, const stria_view *a)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    const bool special = random_once(seed, 4);
    static const double specials[] = {0.0, -0.0, 1e300, -1e300, 1e-310, HUGE_VAL, NAN};
    if (stria_numel(a) == 0) return;
    do {
        double x = ldexp((double)(int64_t)random_bits(seed), -60);
        if (special && random_once(seed, 300)) x = specials[random_bits(seed) % 7];
        if (special && random_once(seed, 3)) x = (double)(int)x;
        stria_view item, value;
        assert_int_equal(stria_view_foreign(&item, address(a, index), a->dtype, 0, NULL, NULL, 0),
                         STRIA_OK);
        assert_int_equal(stria_view_foreign(&value, &x, stria_dtype_of(STRIA_F64), 0, NULL, NULL,
                                            STRIA_READONLY),
                         STRIA_OK);
        assert_int_equal(stria_copy(&item, &value), STRIA_OK);
    } while (next(index, a));
}

static stria_dtype random_dtype(uint64_t *seed)
{
    const stria_dtype dtype = stria_dtype_of((stria_kind)random_between(seed, 0, STRIA_F64));
    return dtype.itemsize > 1 && random_once(seed, 6) ? stria_dtype_swap(dtype) : dtype;
}

/* Of some dtype; a dim may be repeated. */
static bool random_input(uint64_t *seed, stria_view *out)
{
    const stria_dtype dtype = random_dtype(seed);
    if (!random_view(seed, out, (struct random_memory){memory, sizeof memory}, dtype.itemsize))
        return false;
    out->dtype = dtype;
    if (dtype.kind == STRIA_BOOL) memset(memory, 0, sizeof memory);
    fill(seed, out);
    if (out->ndim > 0 && random_once(seed, 8))
        out->strides[random_bits(seed) % 3 % (uint64_t)out->ndim] = 0;
    return true;
}

/* ---- the check ------------------------------------------------------------------------------- */

struct reduce {
    stria_reduction op;
    const stria_view *a;
    int count, dims[STRIA_MAX_NDIM];
    uint64_t set;
    bool keepdims;
    double ddof;
};

/* The dims in any order, some counted from the end. */
static void random_dims(uint64_t *seed, struct reduce *r)
{
    r->count = 0;
    r->set = 0;
    for (int d = 0; d < r->a->ndim; d++) {
        if (random_once(seed, 2)) continue;
        const int at = (int)random_between(seed, 0, r->count);
        memmove(r->dims + at + 1, r->dims + at, (size_t)(r->count - at) * sizeof(int));
        r->dims[at] = random_once(seed, 2) ? d - r->a->ndim : d;
        r->count++;
        r->set |= UINT64_C(1) << d;
    }
}

static void assert_result(const stria_view *out, const struct reduce *r)
{
    int64_t at[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM] = {0};
    if (stria_numel(out) == 0) return;
    do {
        char expected[16];
        for (int d = 0, o = 0; d < r->a->ndim; d++) {
            at[d] = 0;
            if (!(r->set >> d & 1)) at[d] = index[o];
            if (!(r->set >> d & 1) || r->keepdims) o++;
        }
        read_elements(r->a, r->set, at);
        expect(expected, (stria_kind)out->dtype.kind, r->op, (stria_kind)r->a->dtype.kind, r->ddof);
        if (same_value(address(out, index), expected, out->dtype)) continue;
        print_error("%s of %lld elements of kind %d%s, output %lld ... of kind %d\n",
                    stria_reduction_name(r->op), (long long)elements.n, (int)r->a->dtype.kind,
                    r->a->dtype.swapped ? " swapped" : "", (long long)index[0],
                    (int)out->dtype.kind);
        print_view("a", r->a);
        fail();
    } while (next(index, out));
}

static bool is_refused(const struct reduce *r)
{
    int64_t n = 1, outputs = 1;
    for (int d = 0; d < r->a->ndim; d++)
        *(r->set >> d & 1 ? &n : &outputs) *= r->a->shape[d];
    return n == 0 && outputs > 0 && r->op >= STRIA_MAX && r->op <= STRIA_ARGMIN;
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 20;
    for (int level = 0; next_level(&level);)
        for (int i = 0; i < 600; i++) {
            stria_array made;
            stria_view a;
            struct reduce r = {.a = &a};
            const stria_exec exec = {.threads = (int)random_between(&seed, 1, 3), .run = pool_run};
            if (!random_input(&seed, &a)) continue;
            random_dims(&seed, &r);
            r.op = (stria_reduction)random_between(&seed, 0, STRIA_REDUCTIONS - 1);
            r.keepdims = random_once(&seed, 2);
            r.ddof = random_once(&seed, 2) ? 1.5 : 0;
            const stria_reduce_options options = {.keepdims = r.keepdims, .ddof = r.ddof};
            const stria_status status =
                stria_reduce_dims_new(&made, r.op, &a, r.count, r.dims, &options, &exec);
            assert_int_equal(status, is_refused(&r) ? STRIA_ERR_SHAPE : STRIA_OK);
            if (status != STRIA_OK) continue;
            assert_result(&made.view, &r);
            stria_array_release(&made);
        }
}

/* Outputs with gaps, backwards, wider and swapped; what lies between their elements stays. */
static void test_outputs(void **state)
{
    (void)state;
    uint64_t seed = 21;
    static float data[24][40];
    static char room[4096];
    for (int i = 0; i < 24 * 40; i++)
        data[i / 40][i % 40] = (float)i * 0.1f;
    const stria_view a = OF(data, F32, 24, 40);
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_F16, STRIA_BF16, STRIA_C64};
    for (int i = 0; i < 200; i++) {
        stria_view out;
        struct reduce r = {.op = i % 2 ? STRIA_SUM : STRIA_MEAN, .a = &a, .count = 1};
        r.dims[0] = (int)random_between(&seed, 0, 1);
        r.set = UINT64_C(1) << r.dims[0];
        r.keepdims = random_once(&seed, 2);
        stria_dtype dtype = stria_dtype_of(kinds[random_bits(&seed) % 4]);
        if (random_once(&seed, 3)) dtype = stria_dtype_swap(dtype);
        const int64_t n = r.dims[0] == 0 ? 40 : 24, s = random_between(&seed, 16, 40);
        const int64_t step = random_once(&seed, 2) ? s : -s;
        const int64_t shape[] = {r.dims[0] == 0 && r.keepdims ? 1 : n, r.dims[0] == 0 ? n : 1};
        memset(room, 0x5a, sizeof room);
        assert_int_equal(stria_view_foreign(&out, room + 2048, dtype, r.keepdims ? 2 : 1, shape,
                                            (int64_t[]){step, step}, 0),
                         STRIA_OK);
        assert_int_equal(stria_reduce_dims(r.op, &out, &a, 1, r.dims, NULL, NULL), STRIA_OK);
        stria_array native;
        assert_int_equal(stria_astype(&native, &out, stria_dtype_of((stria_kind)dtype.kind),
                                      STRIA_CAST_EQUIV, STRIA_COPY_ALWAYS, NULL, NULL),
                         STRIA_OK);
        assert_result(&native.view, &r);
        stria_array_release(&native);
        int64_t touched = 0;
        for (size_t k = 0; k < sizeof room; k++)
            touched += room[k] != 0x5a;
        assert_true(touched <= n * dtype.itemsize);
    }
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Every layout of the same numbers, any number of threads, each level, and a row alone: one sum. */
static void test_bits(void **state)
{
    (void)state;
    enum { ROWS = 37, N = 700 };
    stria_array a, sums[3];
    uint64_t seed = 22;
    assert_int_equal(stria_empty(&a, stria_dtype_of(STRIA_F64), 2, (int64_t[]){ROWS, N}), STRIA_OK);
    fill(&seed, &a.view);
    double all = 0;
    uint64_t hash = 0;
    for (int level = 0; next_level(&level);)
        for (int order = STRIA_ORDER_C; order <= STRIA_ORDER_F; order++)
            for (int threads = 1; threads <= 8; threads = threads * 2 + 1) {
                stria_array copy;
                const stria_exec exec = {.threads = threads, .run = pool_run_backwards};
                assert_int_equal(stria_clone_ordered(&copy, &a.view, (stria_order)order), STRIA_OK);
                for (int d = 0; d < 3; d++)
                    assert_int_equal(stria_reduce_dims_new(&sums[d], STRIA_SUM, &copy.view,
                                                           d < 2 ? 1 : STRIA_ALL_DIMS, &d, NULL,
                                                           &exec),
                                     STRIA_OK);
                if (hash == 0) {
                    memcpy(&all, sums[2].view.data, sizeof all);
                    memcpy(&hash, sums[1].view.data + 8 * 5, sizeof hash);
                }
                assert_memory_equal(sums[2].view.data, &all, sizeof all);
                assert_memory_equal(sums[1].view.data + 8 * 5, &hash, sizeof hash);
                for (int64_t row = 0; row < ROWS; row++) {
                    stria_view alone;
                    double sum;
                    const stria_view out = OF(&sum, F64, 1);
                    assert_int_equal(stria_narrow(&alone, &copy.view, 0, row, 1), STRIA_OK);
                    assert_int_equal(stria_sum(&out, &alone, 1, (int[]){1}, NULL), STRIA_OK);
                    assert_memory_equal(sums[1].view.data + 8 * row, &sum, sizeof sum);
                }
                for (int d = 0; d < 3; d++)
                    stria_array_release(&sums[d]);
                stria_array_release(&copy);
            }
    stria_array_release(&a);
}

/* Long enough that blocks are divided among threads. */
static void test_threads(void **state)
{
    (void)state;
    enum { N = 3000001 };
    stria_array a;
    uint64_t seed = 23;
    assert_int_equal(stria_empty(&a, stria_dtype_of(STRIA_F32), 1, (int64_t[]){N}), STRIA_OK);
    float *const x = (float *)(void *)a.view.data;
    double *const wide = test_malloc(N * sizeof *wide);
    for (int i = 0; i < N; i++)
        wide[i] = x[i] = (float)ldexp((double)(int64_t)random_bits(&seed), -62);
    const double expected = tree_of(false, wide, N) + 0.0;
    for (int threads = 1; threads < 9; threads++) {
        double sum;
        struct pool pool = {0};
        const stria_view out = OF(&sum, F64, 1);
        const stria_exec exec = {.threads = threads, .run = pool_run, .context = &pool};
        assert_int_equal(
            stria_reduce_dims(STRIA_SUM, &out, &a.view, STRIA_ALL_DIMS, NULL, NULL, &exec),
            STRIA_OK);
        assert_memory_equal(&sum, &expected, sizeof sum);
        assert_true(threads == 1 ? pool.calls == 0 : pool.calls == 1);
    }
    test_free(wide);
    stria_array_release(&a);
}

/* ---- special shapes and values --------------------------------------------------------------- */

static void test_empty(void **state)
{
    (void)state;
    static const double none[STRIA_REDUCTIONS] = {[STRIA_PROD] = 1,
                                                  [STRIA_MEAN] = NAN,
                                                  [STRIA_VAR] = NAN,
                                                  [STRIA_STD] = NAN,
                                                  [STRIA_ALL] = 1};
    for (int op = 0; op < STRIA_REDUCTIONS; op++)
        for (int kind = 0; kind <= STRIA_F64; kind++) {
            stria_array a, made;
            assert_int_equal(
                stria_empty(&a, stria_dtype_of((stria_kind)kind), 2, (int64_t[]){0, 3}), STRIA_OK);
            assert_int_equal(stria_reduce_dims_new(&made, (stria_reduction)op, &a.view, 1,
                                                   (int[]){1}, NULL, NULL),
                             STRIA_OK);
            assert_int_equal(stria_numel(&made.view), 0);
            stria_array_release(&made);
            const stria_status status =
                stria_reduce_dims_new(&made, (stria_reduction)op, &a.view, 1, (int[]){0},
                                      &(stria_reduce_options){.keepdims = true}, NULL);
            if (op >= STRIA_MAX && op <= STRIA_ARGMIN) {
                assert_int_equal(status, STRIA_ERR_SHAPE);
                assert_non_null(strstr(stria_last_error(), "dim 0"));
            } else {
                assert_int_equal(status, STRIA_OK);
                ASSERT_SHAPE(&made, 1, 3);
                for (int i = 0; i < 3; i++) {
                    double x;
                    convert(made.view.data + i * made.view.dtype.itemsize,
                            (stria_kind)made.view.dtype.kind, &x, STRIA_F64);
                    assert_true(isnan(none[op]) ? isnan(x) : x == none[op] && !signbit(x));
                }
                stria_array_release(&made);
            }
            stria_array_release(&a);
        }
}

/* 64 dims, none, sizes of 1, and no dim reduced. */
static void test_dims(void **state)
{
    (void)state;
    static float many[64];
    int64_t shape[STRIA_MAX_NDIM];
    int dims[STRIA_MAX_NDIM];
    float sum = 0, one = -3;
    stria_array made;
    for (int d = 0; d < STRIA_MAX_NDIM; d++) {
        shape[d] = d % 11 == 0 ? 2 : 1;
        dims[d] = d - STRIA_MAX_NDIM;
        many[d] = (float)d;
        sum += (float)d;
    }
    const stria_view deep = of(many, STRIA_F32, STRIA_MAX_NDIM, shape);
    assert_int_equal(
        stria_reduce_dims_new(&made, STRIA_SUM, &deep, STRIA_MAX_NDIM, dims, NULL, NULL), STRIA_OK);
    assert_int_equal(made.view.ndim, 0);
    assert_memory_equal(made.view.data, &sum, sizeof sum);
    stria_array_release(&made);
    const stria_view scalar = of(&one, STRIA_F32, 0, NULL);
    for (int d = -1; d <= 0; d++) {
        assert_int_equal(stria_reduce_dims_new(&made, STRIA_MAX, &scalar, 1, &d,
                                               &(stria_reduce_options){.keepdims = true}, NULL),
                         STRIA_OK);
        assert_int_equal(made.view.ndim, 0);
        assert_memory_equal(made.view.data, &one, sizeof one);
        stria_array_release(&made);
    }
    assert_int_equal(stria_reduce_dims_new(&made, STRIA_SUM, &deep, 0, NULL, NULL, NULL), STRIA_OK);
    assert_int_equal(made.view.ndim, STRIA_MAX_NDIM);
    assert_memory_equal(made.view.data, many, sizeof many);
    stria_array_release(&made);
}

static void test_zeros(void **state)
{
    (void)state;
    float zeros[] = {-0.0f, -0.0f, 0.0f}, out;
    const stria_view result = of(&out, STRIA_F32, 0, NULL), negative = OF(zeros, F32, 2),
                     mixed = OF(zeros, F32, 3);
    assert_int_equal(stria_sum(&result, &negative, 1, (int[]){0}, NULL), STRIA_OK);
    assert_true(out == 0 && !signbit(out));
    assert_int_equal(stria_max(&result, &mixed, 1, (int[]){0}, NULL), STRIA_OK);
    assert_true(out == 0 && !signbit(out));
    assert_int_equal(stria_min(&result, &mixed, 1, (int[]){0}, NULL), STRIA_OK);
    assert_true(out == 0 && signbit(out));
    assert_int_equal(stria_max(&result, &negative, 1, (int[]){0}, NULL), STRIA_OK);
    assert_true(out == 0 && signbit(out));
}

/* Each by its own name. */
static void test_names(void **state)
{
    (void)state;
    float x[] = {2, 0, 3}, value;
    bool truth;
    int64_t count;
    const stria_view a = OF(x, F32, 3), out = of(&value, STRIA_F32, 0, NULL),
                     answer = of(&truth, STRIA_BOOL, 0, NULL),
                     counted = of(&count, STRIA_I64, 0, NULL);
    assert_int_equal(stria_prod(&out, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
    assert_true(value == 0);
    assert_int_equal(stria_any(&answer, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
    assert_true(truth);
    assert_int_equal(stria_all(&answer, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
    assert_false(truth);
    assert_int_equal(stria_count_nonzero(&counted, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
    assert_int_equal(count, 2);
    assert_string_equal(stria_reduction_name(STRIA_COUNT_NONZERO), "count_nonzero");
    assert_null(stria_reduction_name(STRIA_REDUCTIONS));
    assert_int_equal(stria_argmax(&counted, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
    assert_int_equal(count, 2);
    assert_int_equal(stria_argmin(&counted, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
    assert_int_equal(count, 1);
    x[2] = 4;
    assert_int_equal(stria_var(&out, &a, STRIA_ALL_DIMS, NULL, 1, NULL), STRIA_OK);
    assert_true(value == 4);
    assert_int_equal(stria_std(&out, &a, STRIA_ALL_DIMS, NULL, 1, NULL), STRIA_OK);
    assert_true(value == 2);
    assert_int_equal(stria_std(&out, &a, STRIA_ALL_DIMS, NULL, -1, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_var(&out, &a, STRIA_ALL_DIMS, NULL, 3, NULL), STRIA_OK);
    assert_true(isnan(value));
}

static void test_complex(void **state)
{
    (void)state;
    float x[3][2][2] = {{{1, 2}, {3, -4}}, {{5, 6}, {7, 8}}, {{0, -0.0f}, {0.5f, 0}}}, out[2][2];
    stria_view a = OF(x, C64, 3, 2);
    const stria_view result = OF(out, C64, 2);
    assert_int_equal(stria_sum(&result, &a, 1, (int[]){0}, NULL), STRIA_OK);
    assert_memory_equal(out, ((float[]){6, 8, 10.5f, 4}), sizeof out);
    a.flags |= STRIA_CONJ;
    assert_int_equal(stria_mean(&result, &a, 1, (int[]){0}, NULL), STRIA_OK);
    assert_memory_equal(out, ((float[]){2, (float)(-8.0 / 3), 3.5f, (float)(-4.0 / 3)}),
                        sizeof out);
    a.flags = STRIA_NEG;
    assert_int_equal(stria_sum(&result, &a, 1, (int[]){0}, NULL), STRIA_OK);
    assert_memory_equal(out, ((float[]){-6, -8, -10.5f, -4}), sizeof out);
    bool truth[3];
    const stria_view answer = OF(truth, BOOL, 3);
    assert_int_equal(stria_all(&answer, &a, 1, (int[]){1}, NULL), STRIA_OK);
    assert_true(truth[0] && truth[1] && !truth[2]);
    assert_int_equal(stria_max(&result, &a, 1, (int[]){0}, NULL), STRIA_ERR_DTYPE);
}

/* Of equal elements the first, and the first NaN, wherever the blocks of the kernels begin. */
static void test_first(void **state)
{
    (void)state;
    enum { N = 5000 };
    static float x[N];
    int64_t index;
    const stria_view a = OF(x, F32, N), out = of(&index, STRIA_I64, 0, NULL);
    for (int level = 0; next_level(&level);)
        for (int i = 0; i < N - 7; i += 311) {
            memset(x, 0, sizeof x);
            x[i] = -0.0f;
            assert_int_equal(stria_argmin(&out, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
            assert_int_equal(index, 0);
            x[i] = x[i + 7] = 1;
            assert_int_equal(stria_argmax(&out, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
            assert_int_equal(index, i);
            x[i + 1] = -NAN;
            x[i + 6] = NAN;
            assert_int_equal(stria_argmax(&out, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
            assert_int_equal(index, i + 1);
            assert_int_equal(stria_argmin(&out, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_OK);
            assert_int_equal(index, i + 1);
        }
}

/* The result is as if the input had been copied first. */
static void test_overlap(void **state)
{
    (void)state;
    float x[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    const stria_view a = OF(x, F32, 4, 3);
    stria_view row;
    assert_int_equal(stria_select(&row, &a, 0, 0), STRIA_OK);
    assert_int_equal(stria_sum(&row, &a, 1, (int[]){0}, &(stria_exec){.hints = STRIA_NO_OVERLAP}),
                     STRIA_ERR_OVERLAP);
    assert_true(x[0][0] == 1);
    assert_int_equal(stria_sum(&row, &a, 1, (int[]){0}, NULL), STRIA_OK);
    assert_memory_equal(x, ((float[]){22, 26, 30}), 12);
    assert_true(x[1][0] == 4);
}

static void test_refusals(void **state)
{
    (void)state;
    float x[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int32_t i[3] = {7, 7, 7};
    const stria_view a = OF(x, F32, 2, 3), whole = OF(i, I32, 3), row = OF(x, F32, 3);
    assert_int_equal(stria_sum(&row, &a, 1, (int[]){2}, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_sum(&row, &a, 2, (int[]){0, -2}, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_sum(&row, &a, 1, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_sum(&row, &a, -2, (int[]){0}, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_sum(&row, &a, 1, (int[]){1}, NULL), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(3,)"));
    assert_int_equal(stria_sum(&whole, &a, 1, (int[]){0}, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(i[0], 7);
    const stria_view fixed = stria_view_readonly(&row);
    assert_int_equal(stria_sum(&fixed, &a, 1, (int[]){0}, NULL), STRIA_ERR_READONLY);
    stria_view repeated;
    const stria_view one = OF(x, F32, 1);
    assert_int_equal(stria_expand(&repeated, &one, 1, (int64_t[]){3}), STRIA_OK);
    assert_int_equal(stria_sum(&repeated, &a, 1, (int[]){0}, NULL), STRIA_ERR_OVERLAP);
    assert_int_equal(stria_reduce_dims(STRIA_REDUCTIONS, &row, &a, 1, (int[]){0}, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_true(x[0][0] == 1);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Operands flush against inaccessible pages, in both forms and of every length around a leaf. */
static void test_guards(void **state)
{
    (void)state;
    enum { ROOM = 1 << 17 };
    struct guard in = guard_new(ROOM), to = guard_new(ROOM);
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_U8, STRIA_I32, STRIA_F16};
    for (int level = 0; next_level(&level);)
        for (int k = 0; k < 5; k++)
            for (int64_t n = 1; n < 530; n += n < 40 ? 1 : 61)
                for (int64_t w = 1; w < 20; w += 6)
                    for (int form = 0; form < 2; form++) {
                        const stria_dtype dtype = stria_dtype_of(kinds[k]);
                        const int64_t shape[] = {form ? n : w, form ? w : n};
                        stria_view a, out;
                        char *const data = guard_high(&in, (size_t)(n * w * dtype.itemsize));
                        memset(data, 1, (size_t)(n * w * dtype.itemsize));
                        assert_int_equal(
                            stria_view_foreign(&a, data, dtype, 2, shape, NULL, STRIA_READONLY),
                            STRIA_OK);
                        assert_int_equal(stria_view_foreign(&out, guard_high(&to, (size_t)w * 8),
                                                            stria_dtype_of(STRIA_F64), 1, &w, NULL,
                                                            0),
                                         STRIA_OK);
                        const int dim = !form;
                        assert_int_equal(stria_mean(&out, &a, 1, &dim, NULL), STRIA_OK);
                        double first, mean;
                        convert(data, kinds[k], &first, STRIA_F64);
                        for (int64_t i = 0; i < w; i++) {
                            memcpy(&mean, out.data + 8 * i, sizeof mean);
                            assert_true(fabs(mean - first) <= 1e-12 * fabs(first));
                        }
                        assert_int_equal(stria_max(&out, &a, 1, &dim, NULL), STRIA_OK);
                        memcpy(&mean, out.data, sizeof mean);
                        assert_true(mean == first);
                    }
    guard_free(&in);
    guard_free(&to);
}

/* Without scratch, and with memory refused at every call, the same bits or MEMORY. */
static void test_little_memory(void **state)
{
    (void)state;
    enum { N = 2000 };
    static float x[N][3];
    float sums[3], again[3];
    double means[N];
    uint64_t seed = 24;
    for (int i = 0; i < N * 3; i++)
        x[i / 3][i % 3] = (float)ldexp((double)(int64_t)random_bits(&seed), -60);
    const stria_view a = OF(x, F32, N, 3), out = OF(sums, F32, 3), more = OF(again, F32, 3),
                     mean = OF(means, F64, N);
    assert_int_equal(stria_sum(&out, &a, 1, (int[]){0}, NULL), STRIA_OK);
    assert_int_equal(stria_set_scratch_limit(0), STRIA_OK);
    assert_int_equal(stria_sum(&more, &a, 1, (int[]){0}, NULL), STRIA_OK);
    assert_memory_equal(sums, again, sizeof sums);
    assert_int_equal(stria_mean(&mean, &a, 1, (int[]){1}, NULL), STRIA_OK);
    assert_int_equal(stria_set_scratch_limit(STRIA_SCRATCH), STRIA_OK);
    for (int64_t fail_at = 1; fail_at < 4; fail_at++) {
        stria_array made;
        counting_begin(fail_at);
        const stria_status status =
            stria_reduce_dims_new(&made, STRIA_SUM, &a, 1, (int[]){0}, NULL, NULL);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        if (status == STRIA_OK) {
            assert_memory_equal(made.view.data, sums, sizeof sums);
            stria_array_release(&made);
        }
        counting_end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),  cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_bits),    cmocka_unit_test(test_threads),
        cmocka_unit_test(test_empty),   cmocka_unit_test(test_dims),
        cmocka_unit_test(test_zeros),   cmocka_unit_test(test_names),
        cmocka_unit_test(test_first),   cmocka_unit_test(test_complex),
        cmocka_unit_test(test_overlap), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_guards),  cmocka_unit_test(test_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
