/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions against the definitions of docs/reductions.md, over elements found by index
 * arithmetic: random views of every dtype and layout, on every level, on one thread and several,
 * into outputs of any layout and dtype.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/guard.h"
#include "support/indices.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/reference_tree.h"
#include "support/test.h"

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

/* Reads the elements whose index along the kept dims is `at`. */
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

/* Returns the place of the largest or smallest element, or of the first NaN. */
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

/* Returns the variance by definition: squared deviations from the mean, corrected for the error of
 * the mean. */
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

/* Writes the expected result of op for the elements, in out's dtype. */
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

static stria_dtype random_dtype(uint64_t *seed)
{
    const stria_dtype dtype = stria_dtype_of((stria_kind)random_between(seed, 0, STRIA_F64));
    return dtype.itemsize > 1 && random_once(seed, 6) ? stria_dtype_swap(dtype) : dtype;
}

/* Makes an array of some dtype; a dim may be repeated. */
static bool random_input(uint64_t *seed, stria_view *out)
{
    const stria_dtype dtype = random_dtype(seed);
    if (!random_view(seed, out, (struct random_memory){memory, sizeof memory}, dtype.itemsize))
        return false;
    out->dtype = dtype;
    if (dtype.kind == STRIA_BOOL) memset(memory, 0, sizeof memory);
    fill_numbers(seed, out);
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

/* Draws dims in any order, some counted from the end. */
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

TEST(test_random)
{
    uint64_t seed = 20;
    for (int level = 0; next_level(&level);)
        for (int i = 0; i < 600; i++) {
            RELEASED stria_array made = {0};
            stria_view a;
            struct reduce r = {.a = &a};
            const stria_exec exec = {.threads = (int)random_between(&seed, 1, 3), .run = pool_run};
            if (!random_input(&seed, &a)) continue;
            random_dims(&seed, &r);
            r.op = (stria_reduction)random_between(&seed, 0, STRIA_COUNT_NONZERO);
            r.keepdims = random_once(&seed, 2);
            r.ddof = random_once(&seed, 2) ? 1.5 : 0;
            const stria_reduce_options options = {.keepdims = r.keepdims, .ddof = r.ddof};
            const stria_status status =
                stria_reduce_dims_new(&made, r.op, &a, r.count, r.dims, &options, &exec);
            assert_int_equal(status, is_refused(&r) ? STRIA_ERR_SHAPE : STRIA_OK);
            if (status != STRIA_OK) continue;
            assert_result(&made.view, &r);
        }
}

/* Outputs with gaps, backwards, wider and byte-swapped; bytes between their elements stay. */
TEST(test_outputs)
{
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
        ok(stria_view_foreign(&out, room + 2048, dtype, r.keepdims ? 2 : 1, shape,
                              (int64_t[]){step, step}, 0));
        ok(stria_reduce_dims(&out, r.op, &a, 1, r.dims, NULL, NULL));
        stria_array native = {0};
        ok(stria_astype(&native, &out, stria_dtype_of((stria_kind)dtype.kind), STRIA_CAST_EQUIV,
                        STRIA_COPY_ALWAYS, NULL, NULL));
        assert_result(&native.view, &r);
        stria_array_release(&native);
        int64_t touched = 0;
        for (size_t k = 0; k < sizeof room; k++)
            touched += room[k] != 0x5a;
        assert_true(touched <= n * dtype.itemsize);
    }
}

TEST_MAIN(NULL, NULL)
