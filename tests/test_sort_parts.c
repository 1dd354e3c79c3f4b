/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Partial sorts against a whole sort, which test_sort.c compares with a definition: partitions, the
 * first k, ranks, unique elements, places of elements in other arrays.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/elements.h"
#include "support/items.h"
#include "support/mapping.h"
#include "support/test.h"

enum { ROWS = 3 };

static const char *const kinds[] = {"bool", "i8",  "u16", ">i4", "i64", "u64",   "f16",
                                    "f32",  "f64", "c64", "S9",  "U2",  "m8[s]", "f8e4m3"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Makes lines along dim 0 or 1 with few different elements, NaN among them. */
static stria_array some_lines(uint64_t *seed, int kind, int64_t n, int dim)
{
    static const unsigned char some[] = {0, 0x80, 0x7F, 0xFF, 0x3F, 1};
    const int64_t shape[] = {dim ? ROWS : n, dim ? n : ROWS};
    stria_dtype dtype;
    stria_array a = {0};
    ok(stria_dtype_parse(&dtype, kinds[kind]));
    ok(stria_empty(&a, dtype, 2, shape));
    const bool many = random_once(seed, 2);
    unsigned char *const bytes = (void *)a.view.data;
    for (int64_t i = 0; i < n * ROWS * dtype.itemsize; i++) {
        const uint64_t bits = random_bits(seed);
        bytes[i] = dtype.kind == STRIA_BOOL         ? bits % 2
                   : many && i % dtype.itemsize < 2 ? (unsigned char)bits
                                                    : some[bits % sizeof some];
    }
    return a;
}

static int64_t place_of(const stria_view *a, int64_t i, int64_t row, int dim)
{
    int64_t index;
    memcpy(&index, address(a, dim ? (int64_t[]){row, i} : (int64_t[]){i, row}), sizeof index);
    return index;
}

static void check_taken(const stria_view *values, const stria_view *a, const stria_view *indices,
                        int dim)
{
    RELEASED stria_array expected = {0};
    ok(stria_take_along_dim_new(&expected, a, indices, dim, NULL));
    char *const found = elements_of(values), *const wanted = elements_of(&expected.view);
    assert_memory_equal(found, wanted, (size_t)stria_nbytes(values));
    free(found);
    free(wanted);
}

/* ---- parts of lines -------------------------------------------------------------------------- */

/* Checks that both parts have the elements of the sorted line, in the order of places. */
static void check_partition(const stria_view *a, const stria_view *order, int64_t k, int dim)
{
    RELEASED stria_array values = {0}, places = {0};
    const int64_t n = a->shape[dim];
    ok(stria_partition_new(&values, a, k, dim, NULL));
    ok(stria_argpartition_new(&places, a, k - n, dim, NULL));
    check_taken(&values.view, a, &places.view, dim);
    for (int64_t row = 0; row < ROWS; row++) {
        unsigned char *const first = calloc((size_t)n, 1);
        assert_non_null(first);
        for (int64_t i = 0; i < k; i++)
            first[place_of(order, i, row, dim)] = 1;
        for (int64_t i = 0; i < n; i++) {
            const int64_t place = place_of(&places.view, i, row, dim);
            if (i == k)
                assert_int_equal(place, place_of(order, k, row, dim));
            else
                assert_int_equal(first[place], i < k);
            if (i > 0 && i != k && i != k + 1)
                assert_true(place > place_of(&places.view, i - 1, row, dim));
        }
        free(first);
    }
}

static void check_topk(const stria_view *a, int64_t k, int dim, bool largest)
{
    RELEASED stria_array order = {0}, values = {0}, places = {0};
    stria_view first;
    int64_t shape[] = {a->shape[0], a->shape[1]};
    shape[dim] = k;
    ok(stria_argsort_new(&order, a, dim, largest, NULL));
    ok(stria_narrow(&first, &order.view, dim, 0, k));
    ok(stria_empty(&values, a->dtype, 2, shape));
    ok(stria_empty(&places, stria_dtype_of(STRIA_I64), 2, shape));
    ok(stria_topk(&values.view, &places.view, a, k, dim, largest, NULL));
    char *const found = elements_of(&places.view), *const wanted = elements_of(&first);
    assert_memory_equal(found, wanted, (size_t)stria_nbytes(&first));
    free(found);
    free(wanted);
    check_taken(&values.view, a, &places.view, dim);
}

TEST(test_parts)
{
    static const int64_t lengths[] = {1, 2, 40, 300, 5000};
    uint64_t seed = 3;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            const int64_t n = lengths[l], ks[] = {0, n / 2, n - 1, n < 10 ? n : 10};
            const int dim = (int)(l % 2);
            stria_array a = some_lines(&seed, kind, n, dim), order = {0};
            ok(stria_argsort_new(&order, &a.view, dim, false, NULL));
            for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
                if (ks[i] < n) check_partition(&a.view, &order.view, ks[i], dim);
                check_topk(&a.view, ks[i], dim, i % 2);
            }
            stria_array_release(&order);
            stria_array_release(&a);
        }
}

/* Lines each of whose elements is one of the first k so far, and lines where none after the k-th
 * is. */
TEST(test_topk_of_sorted)
{
    enum { N = 40000 };
    const int64_t shape[] = {1, N};
    RELEASED stria_array a = {0};
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 2, shape));
    for (int64_t i = 0; i < N; i++)
        ((float *)(void *)a.view.data)[i] = i % 7 ? (float)(i / 3) : NAN;
    for (int64_t k = 0; k < 3000; k += 600)
        for (int largest = 0; largest < 2; largest++)
            check_topk(&a.view, k, 1, largest);
}

/* ---- ranks and keys -------------------------------------------------------------------------- */

TEST(test_ranks)
{
    double x[] = {2, NAN, -0.0, 2, 0, -1, NAN}, average[7];
    const int64_t expected[][7] = {[STRIA_RANK_MIN] = {4, 6, 2, 4, 2, 1, 6},
                                   [STRIA_RANK_MAX] = {5, 7, 3, 5, 3, 1, 7},
                                   [STRIA_RANK_DENSE] = {3, 4, 2, 3, 2, 1, 4},
                                   [STRIA_RANK_ORDINAL] = {4, 6, 2, 5, 3, 1, 7}};
    const stria_view a = OF(x, F64, 7), mean = OF(average, F64, 7);
    for (int method = STRIA_RANK_MIN; method < STRIA_RANK_METHODS; method++) {
        RELEASED stria_array made = {0};
        ok(stria_rank_new(&made, &a, 0, (stria_rank_method)method, NULL));
        assert_memory_equal(made.view.data, expected[method], sizeof expected[method]);
    }
    ok(stria_rank(&mean, &a, 0, STRIA_RANK_AVERAGE, NULL));
    assert_memory_equal(average, ((double[]){4.5, 6.5, 2.5, 4.5, 2.5, 1, 6.5}), sizeof average);
    refused(stria_rank(&mean, &a, 0, STRIA_RANK_METHODS, NULL), STRIA_ERR_ARGUMENT, "no method");
    refused(stria_rank(&mean, &a, 0, STRIA_RANK_MIN, NULL), STRIA_ERR_DTYPE, "must be i64");
}

/* The order is that of records with the keys as fields, the last key first. */
TEST(test_keys)
{
    enum { N = 400 };
    struct pair {
        int8_t second, first;
        char third[2];
    } pairs[N];
    uint64_t seed = 4;
    stria_dtype dtype;
    stria_view all, keys[3];
    stria_array found = {0}, expected = {0};
    for (int i = 0; i < N; i++)
        pairs[i] = (struct pair){(int8_t)random_between(&seed, -2, 2),
                                 (int8_t)random_between(&seed, -2, 2),
                                 {(char)random_between(&seed, 'a', 'c'), 0}};
    ok(stria_dtype_parse(&dtype, "{'names': ['f', 's', 't'], 'formats': ['i1', 'i1', 'S2'], "
                                 "'offsets': [1, 0, 2]}"));
    ok(stria_view_foreign(&all, pairs, dtype, 1, (int64_t[]){N}, NULL, STRIA_READONLY));
    ok(stria_view_field(&keys[2], &all, "f"));
    ok(stria_view_field(&keys[1], &all, "s"));
    ok(stria_view_field(&keys[0], &all, "t"));
    ok(stria_argsort_new(&expected, &all, 0, false, NULL));
    ok(stria_lexsort_new(&found, 3, (const stria_view *const[]){&keys[0], &keys[1], &keys[2]}, 0,
                         NULL));
    assert_memory_equal(found.view.data, expected.view.data, N * sizeof(int64_t));
    stria_view shorter = keys[0];
    shorter.shape[0]--;
    refused(stria_lexsort_new(&found, 2, (const stria_view *const[]){&keys[1], &shorter}, 0, NULL),
            STRIA_ERR_SHAPE, "key 1 has shape (399,), key 0 has (400,)");
    refused(stria_lexsort_new(&found, 0, NULL, 0, NULL), STRIA_ERR_ARGUMENT, "0 keys");
    stria_array_release(&found);
    stria_array_release(&expected);
    stria_dtype_release(dtype);
}

/* ---- sets ------------------------------------------------------------------------------------ */

TEST(test_unique)
{
    double x[2][4] = {{3, NAN, -0.0, 3}, {0, 3, NAN, 1}};
    RELEASED stria_array values = {0}, first = {0}, inverse = {0}, counts = {0};
    const stria_view a = OF(x, F64, 2, 4);
    ok(stria_unique_new(&values, &first, &inverse, &counts, &a, true, NULL));
    const double *const found = (const void *)values.view.data;
    assert_int_equal(values.view.shape[0], 4);
    assert_true(found[0] == 0 && signbit(found[0]) && found[1] == 1 && found[2] == 3 &&
                isnan(found[3]));
    assert_memory_equal(first.view.data, ((int64_t[]){2, 7, 0, 1}), 4 * sizeof(int64_t));
    assert_memory_equal(counts.view.data, ((int64_t[]){2, 1, 3, 2}), 4 * sizeof(int64_t));
    assert_memory_equal(inverse.view.data, ((int64_t[]){2, 3, 0, 2, 0, 2, 3, 1}),
                        8 * sizeof(int64_t));
    assert_int_equal(inverse.view.ndim, 2);
    ok(stria_unique_new(&values, NULL, NULL, &counts, &a, false, NULL));
    assert_int_equal(values.view.shape[0], 5);
    assert_memory_equal(counts.view.data, ((int64_t[]){2, 1, 3, 1, 1}), 5 * sizeof(int64_t));
    for (int64_t fail_at = 1; fail_at < 8; fail_at++) {
        counting_begin(fail_at);
        const stria_status status = stria_unique_new(&values, &first, NULL, NULL, &a, true, NULL);
        counting_end();
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        assert_true(values.view.shape[0] == (status == STRIA_OK ? 4 : 5) || fail_at > 1);
    }
}

/* Few elements that differ among many equal ones, then more, and NaN, which all differ. */
TEST(test_unique_of_many)
{
    enum { TIMES = 17000, EACH = 8, MANY = TIMES * EACH, LARGE = 1 << 19, DIFFERENT = 2500 };
    static const double x[EACH] = {3, NAN, -0.0, 3, 0, 3, NAN, 1};
    static const int64_t wanted_first[] = {2, 7, 0, 1}, wanted_counts[] = {2, 1, 3, 2},
                         wanted_inverse[EACH] = {2, 3, 0, 2, 0, 2, 3, 1};
    double *const all = malloc(LARGE * sizeof *all);
    int64_t *const numbers = (int64_t *)(void *)all;
    assert_non_null(all);
    stria_array values = {0}, first = {0}, inverse = {0}, counts = {0};
    const stria_view a = OF(all, F64, MANY);
    for (int64_t i = 0; i < MANY; i++)
        all[i] = x[i % EACH];
    ok(stria_unique_new(&values, &first, &inverse, &counts, &a, true, NULL));
    assert_int_equal(values.view.shape[0], 4);
    assert_memory_equal(first.view.data, wanted_first, sizeof wanted_first);
    for (int i = 0; i < 4; i++) {
        const double value = ((const double *)(const void *)values.view.data)[i];
        assert_memory_equal(&value, &x[wanted_first[i]], sizeof value);
        assert_int_equal(((const int64_t *)(const void *)counts.view.data)[i],
                         TIMES * wanted_counts[i]);
    }
    for (int64_t i = 0; i < MANY; i++)
        assert_int_equal(((const int64_t *)(const void *)inverse.view.data)[i],
                         wanted_inverse[i % EACH]);
    ok(stria_unique_new(&values, NULL, NULL, NULL, &a, false, NULL));
    assert_int_equal(values.view.shape[0], 3 + 2 * TIMES);
    for (int different = DIFFERENT; different <= 8 * DIFFERENT; different *= 2) {
        const int64_t count = different <= 2 * DIFFERENT ? MANY : LARGE;
        const stria_view n = of(numbers, STRIA_I64, 1, &count);
        for (int64_t i = 0; i < count; i++)
            numbers[i] = ((i * 7919 % different) << 33) - different;
        ok(stria_unique_new(&values, &first, &inverse, NULL, &n, true, NULL));
        assert_int_equal(values.view.shape[0], different);
        for (int64_t i = 0; i < count; i++) {
            const int64_t rank = ((const int64_t *)(const void *)inverse.view.data)[i];
            assert_int_equal(rank, i * 7919 % different);
            assert_int_equal(((const int64_t *)(const void *)values.view.data)[rank], numbers[i]);
            if (i < different)
                assert_int_equal(((const int64_t *)(const void *)first.view.data)[rank], i);
        }
    }
    stria_array_release(&values);
    stria_array_release(&first);
    stria_array_release(&inverse);
    stria_array_release(&counts);
    free(all);
}

/* Items of 0 bytes, which have no key, are all equal, however many there are. */
TEST(test_unique_of_no_bytes)
{
    static const char *const names[] = {"S0", "U0", "V0", "[('a', 'V0')]"};
    const int64_t n = 1 << 17;
    char none[1];
    for (int i = 0; i < 4; i++) {
        stria_array values = {0}, counts = {0};
        stria_dtype dtype;
        stria_view a;
        ok(stria_dtype_parse(&dtype, names[i]));
        ok(stria_view_foreign(&a, none, dtype, 1, &n, NULL, 0));
        ok(stria_unique_new(&values, NULL, NULL, &counts, &a, true, NULL));
        assert_int_equal(values.view.shape[0], 1);
        assert_int_equal(*(const int64_t *)(const void *)counts.view.data, n);
        stria_array_release(&values);
        stria_array_release(&counts);
        stria_dtype_release(dtype);
    }
}

/* Results that are dense but unaligned. */
TEST(test_unaligned)
{
    enum { N = 5 };
    double x[N] = {3, 1, 2, 5, 4};
    char memory[N * 8 + 1];
    const int64_t n = N;
    const stria_view a = OF(x, F64, N);
    stria_view out;
    ok(stria_view_foreign(&out, memory + 1, stria_dtype_of(STRIA_I64), 1, &n, NULL, 0));
    ok(stria_argsort(&out, &a, 0, false, NULL));
    assert_memory_equal(memory + 1, ((int64_t[]){1, 2, 0, 4, 3}), sizeof x);
    ok(stria_rank(&out, &a, 0, STRIA_RANK_ORDINAL, NULL));
    assert_memory_equal(memory + 1, ((int64_t[]){3, 1, 2, 5, 4}), sizeof x);
    ok(stria_argpartition(&out, &a, 0, 0, NULL));
    assert_int_equal(memory[1], 1);
}

/* The inverse and the values give the array again, in any dtype. */
TEST(test_inverse)
{
    uint64_t seed = 8;
    for (int kind = 0; kind < KINDS; kind++) {
        stria_array a = some_lines(&seed, kind, 200, 1), native = {0}, order = {0}, again = {0},
                    values = {0}, inverse = {0}, counts = {0}, ranks = {0}, back = {0};
        ok(stria_unique_new(&values, NULL, &inverse, &counts, &a.view, true, NULL));
        ok(stria_take_new(&again, &values.view, &inverse.view, STRIA_INDEX_RAISE, NULL));
        /* Equal elements, of which some are other bits; complex NaN have one number only there. */
        const bool is_complex = stria_dtype_is_complex(a.view.dtype);
        stria_view line, flat;
        const int64_t n = stria_numel(&a.view);
        ok(stria_view_shape(&line, &a.view, 1, &n));
        ok(stria_view_shape(&flat, &again.view, 1, &n));
        if (is_complex) {
            ok(stria_unique_new(&native, NULL, &ranks, NULL, &line, true, NULL));
            ok(stria_unique_new(&order, NULL, &back, NULL, &flat, true, NULL));
        } else {
            ok(stria_rank_new(&ranks, &line, 0, STRIA_RANK_DENSE, NULL));
            ok(stria_rank_new(&back, &flat, 0, STRIA_RANK_DENSE, NULL));
        }
        assert_memory_equal(ranks.view.data, back.view.data, (size_t)n * sizeof(int64_t));
        int64_t sum = 0;
        for (int64_t i = 0; i < counts.view.shape[0]; i++)
            sum += ((const int64_t *)(const void *)counts.view.data)[i];
        assert_int_equal(sum, n);
        stria_array *const all[] = {&a,       &native, &order, &again, &values,
                                    &inverse, &counts, &ranks, &back};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            stria_array_release(all[i]);
    }
}

static int64_t integer_at(const stria_array *a, int64_t i)
{
    return ((const int64_t *)(const void *)a->view.data)[i];
}

/* A bool is true for every byte other than 0. */
TEST(test_bools)
{
    uint8_t x[] = {2, 255, 0, 3, 1, 0}, out[6];
    static const uint8_t truth[] = {1, 1, 0, 1, 1, 0};
    int64_t places[6];
    bool in[6];
    stria_array made = {0}, which = {0};
    const stria_view a = OF(x, BOOL, 6), sorted = OF(out, BOOL, 6), p = OF(places, I64, 6),
                     two = OF(out, BOOL, 2), at = OF(places, I64, 2), one = OF(x, BOOL, 1),
                     found = OF(in, BOOL, 6), rows = OF(x, BOOL, 6, 1);
    ok(stria_sort(&sorted, &a, 0, false, NULL));
    assert_memory_equal(out, ((uint8_t[]){0, 0, 2, 255, 3, 1}), 6);
    ok(stria_argsort(&p, &a, 0, false, NULL));
    assert_memory_equal(places, ((int64_t[]){2, 5, 0, 1, 3, 4}), sizeof places);
    ok(stria_argsort(&p, &a, 0, true, NULL));
    assert_memory_equal(places, ((int64_t[]){0, 1, 3, 4, 2, 5}), sizeof places);
    ok(stria_argpartition(&p, &a, 1, 0, NULL));
    assert_memory_equal(places, ((int64_t[]){2, 5, 0, 1, 3, 4}), sizeof places);
    ok(stria_topk(&two, &at, &a, 2, 0, true, NULL));
    assert_memory_equal(places, ((int64_t[]){0, 1}), 2 * sizeof *places);
    ok(stria_lexsort_new(&made, 1, (const stria_view *[]){&a}, 0, NULL));
    assert_int_equal(integer_at(&made, 2), 0);
    stria_array_release(&made);
    ok(stria_rank_new(&made, &a, 0, STRIA_RANK_DENSE, NULL));
    for (int i = 0; i < 6; i++)
        assert_int_equal(integer_at(&made, i), 1 + truth[i]);
    stria_array_release(&made);
    ok(stria_unique_new(&made, NULL, &which, NULL, &a, true, NULL));
    for (int i = 0; i < 6; i++)
        assert_int_equal(integer_at(&which, i), truth[i]);
    assert_int_equal(made.view.shape[0], 2);
    stria_array_release(&which);
    stria_array_release(&made);
    ok(stria_unique_dim_new(&made, NULL, NULL, NULL, &rows, 0, true, NULL));
    assert_int_equal(made.view.shape[0], 2);
    stria_array_release(&made);
    ok(stria_searchsorted(&p, &sorted, NULL, &a, false, NULL));
    ok(stria_isin(&found, &a, &one, false, NULL));
    for (int i = 0; i < 6; i++)
        assert_true(in[i] == (truth[i] == 1));
}

/* Complex numbers with a NaN are equal to each other, whichever part it is. */
TEST(test_unique_complex_nan)
{
    double z[][2] = {{2, NAN}, {NAN, 1}, {1, 0}, {NAN, NAN}, {1, NAN}, {1, 0}};
    stria_array values = {0}, first = {0}, which = {0}, often = {0};
    const stria_view a = OF(z, C128, 6), rows = OF(z, C128, 6, 1);
    for (int i = 0; i < 2; i++) {
        if (i == 0) ok(stria_unique_new(&values, &first, &which, &often, &a, true, NULL));
        if (i == 1) ok(stria_unique_dim_new(&values, &first, &which, &often, &rows, 0, true, NULL));
        assert_int_equal(values.view.shape[0], 2);
        assert_memory_equal(values.view.data, z[2], sizeof *z);
        assert_memory_equal(values.view.data + sizeof *z, z[0], sizeof *z);
        assert_true(integer_at(&first, 0) == 2 && integer_at(&first, 1) == 0);
        assert_true(integer_at(&often, 0) == 2 && integer_at(&often, 1) == 4);
        for (int k = 0; k < 6; k++)
            assert_int_equal(integer_at(&which, k), k != 2 && k != 5);
        stria_array *const made[] = {&values, &first, &which, &often};
        for (int k = 0; k < 4; k++)
            stria_array_release(made[k]);
    }
    ok(stria_unique_new(&values, NULL, NULL, NULL, &a, false, NULL));
    assert_int_equal(values.view.shape[0], 5);
    stria_array_release(&values);
}

TEST(test_isin)
{
    double x[] = {1, NAN, -0.0, 2.5}, y[] = {NAN, 0, 2.5};
    int64_t i[] = {1, -2, 3}, large = INT64_MAX;
    bool in[4];
    const stria_view a = OF(x, F64, 4), b = OF(y, F64, 3), n = OF(i, I64, 3), out = OF(in, BOOL, 4),
                     three = OF(in, BOOL, 3), one = of(&large, STRIA_I64, 0, NULL);
    ok(stria_isin(&out, &a, &b, false, NULL));
    assert_memory_equal(in, ((bool[]){false, false, true, true}), 4);
    ok(stria_isin(&out, &a, &n, true, NULL));
    assert_memory_equal(in, ((bool[]){false, true, true, true}), 4);
    ok(stria_isin(&three, &n, &one, false, NULL));
    assert_memory_equal(in, ((bool[]){false, false, false}), 3);
    refused(stria_isin(&out, &n, &b, false, NULL), STRIA_ERR_SHAPE, "out has shape (4,)");
    refused(stria_isin(&a, &a, &b, false, NULL), STRIA_ERR_DTYPE, "out is f64, must be bool");
}

TEST(test_sorters)
{
    double x[] = {3, 1, 2}, y[] = {2.5, 1};
    int64_t sorter[] = {1, 2, 0}, twice[] = {1, 1, 0}, far[] = {1, 2, 3}, places[2] = {7, 7};
    const stria_view a = OF(x, F64, 3), v = OF(y, F64, 2), s = OF(sorter, I64, 3),
                     t = OF(twice, I64, 3), f = OF(far, I64, 3), p = OF(places, I64, 2);
    refused(stria_searchsorted(&p, &a, &t, &v, false, NULL), STRIA_ERR_ARGUMENT,
            "sorter[1] is 1 once more");
    refused(stria_searchsorted(&p, &a, &f, &v, false, NULL), STRIA_ERR_ARGUMENT, "sorter[2] is 3");
    refused(stria_searchsorted(&p, &a, &p, &v, false, NULL), STRIA_ERR_SHAPE, "sorter");
    refused(stria_searchsorted(&p, &a, &a, &v, false, NULL), STRIA_ERR_DTYPE, "sorter is f64");
    refused(stria_searchsorted(&p, &a, NULL, &v, false, NULL), STRIA_ERR_ARGUMENT, "not sorted");
    assert_int_equal(places[0], 7);
    ok(stria_searchsorted(&p, &a, &s, &v, true, NULL));
    assert_memory_equal(places, ((int64_t[]){2, 1}), sizeof places);
}

TEST(test_refusals)
{
    float x[3] = {1, 2, 3}, y[2];
    int64_t i[2];
    const stria_view a = OF(x, F32, 3), b = OF(y, F32, 2), n = OF(i, I64, 2);
    refused(stria_topk(&b, &n, &a, 4, 0, true, NULL), STRIA_ERR_ARGUMENT, "k is 4");
    refused(stria_topk(&b, &n, &a, -1, 0, true, NULL), STRIA_ERR_ARGUMENT, "k is -1");
    refused(stria_topk(&b, &n, &a, 3, 0, true, NULL), STRIA_ERR_SHAPE, "values");
    refused(stria_topk(&b, &b, &a, 2, 0, true, NULL), STRIA_ERR_DTYPE, "indices");
    refused(stria_partition(&a, &a, 3, 0, NULL), STRIA_ERR_ARGUMENT, "k is 3");
    ok(stria_partition(&a, &a, 1, 0, NULL));
    refused(stria_argpartition(&a, &a, 1, 0, NULL), STRIA_ERR_DTYPE, "out is f32");
}

TEST_MAIN(NULL, NULL)
