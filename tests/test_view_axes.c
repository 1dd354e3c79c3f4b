/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dims moved, added and put in other orders. Expected results are computed here from the
 * definitions in NumPy's and PyTorch's manuals, and compared element by element.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/axes.h"
#include "support/any_view.h"
#include "support/enumerate.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000, ROOM = 4096 };

struct order {
    int ndim, dims[8];
};

static void permuted(int64_t *source, const int64_t *index, const void *args)
{
    const struct order *order = args;
    for (int i = 0; i < order->ndim; i++)
        source[order->dims[i]] = index[i];
}

static void check_order(const stria_view *out, const stria_view *a, const struct order *order)
{
    int64_t shape[8];
    for (int d = 0; d < a->ndim; d++)
        shape[d] = a->shape[order->dims[d]];
    check_mapping(out, a, a->ndim, shape, permuted, order);
}

/* Draws a random order of dims; some of them are listed to move. */
static void shuffle(int *dims, int n, uint64_t *seed)
{
    for (int d = 0; d < n; d++) {
        const int at = (int)random_between(seed, 0, d);
        dims[d] = dims[at];
        dims[at] = d;
    }
}

/* NumPy: order = the others; for dest, src in sorted pairs: order.insert(dest, src). */
static struct order moved_by_insertion(int ndim, int count, const int *source,
                                       const int *destination)
{
    struct order order = {0, {0}};
    for (int d = 0; d < ndim; d++) {
        bool listed = false;
        for (int i = 0; i < count; i++)
            listed |= source[i] == d;
        if (!listed) order.dims[order.ndim++] = d;
    }
    for (int place = 0; place < ndim; place++)
        for (int i = 0; i < count; i++) {
            if (destination[i] != place) continue;
            for (int k = order.ndim++; k > place; k--)
                order.dims[k] = order.dims[k - 1];
            order.dims[place] = source[i];
        }
    return order;
}

TEST(test_movedim)
{
    uint64_t seed = 61;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        int source[6] = {0}, destination[6] = {0};
        any_view(&a, meta_memory, &seed, 6, 3);
        shuffle(source, a.ndim, &seed);
        shuffle(destination, a.ndim, &seed);
        const int count = (int)random_between(&seed, 0, a.ndim);
        const struct order order = moved_by_insertion(a.ndim, count, source, destination);
        for (int k = 0; k < count; k++) {
            source[k] -= random_once(&seed, 2) ? a.ndim : 0;
            destination[k] -= random_once(&seed, 2) ? a.ndim : 0;
        }
        ok(stria_movedim(&out, &a, count, source, destination));
        check_order(&out, &a, &order);
        CHECK_IN_PLACE(&out, &a, stria_movedim(to, from, count, source, destination));
    }
    stria_view scalar, out;
    ok(stria_view_make(&scalar, meta_memory, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 0));
    ok(stria_movedim(&out, &scalar, 1, (int[]){0}, (int[]){-1}));
    check_identical(&out, &scalar);
}

/* The implementation in NumPy's manual, as insertion into the list of dims. */
TEST(test_rollaxis)
{
    uint64_t seed = 62;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        do
            any_view(&a, meta_memory, &seed, 6, 3);
        while (a.ndim == 0);
        const int dim = (int)random_between(&seed, 0, a.ndim - 1);
        const int start = (int)random_between(&seed, 0, a.ndim);
        struct order order = {0, {0}};
        for (int d = 0; d <= a.ndim; d++) {
            if (d == start) order.dims[order.ndim++] = dim;
            if (d < a.ndim && d != dim) order.dims[order.ndim++] = d;
        }
        assert_int_equal(order.ndim, a.ndim);
        ok(stria_rollaxis(&out, &a, dim - a.ndim,
                          start < a.ndim && random_once(&seed, 2) ? start - a.ndim : start));
        check_order(&out, &a, &order);
        CHECK_IN_PLACE(&out, &a, stria_rollaxis(to, from, dim, start));
    }
}

TEST(test_t)
{
    uint64_t seed = 63;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out, expected;
        any_view(&a, meta_memory, &seed, 3, 4);
        if (a.ndim > 2) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "3 dims", to, stria_transpose_2d(to, &a));
            continue;
        }
        ok(stria_transpose_2d(&out, &a));
        ok(stria_transpose(&expected, &a, 0, -1));
        check_identical(&out, &expected);
        CHECK_IN_PLACE(&out, &a, stria_transpose_2d(to, from));
    }
}

/* ---- dims of size 1 ------------------------------------------------------------------------ */

TEST(test_expand_dims)
{
    uint64_t seed = 64;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out, by_one;
        int places[8] = {0}, count = (int)random_between(&seed, 0, 3);
        any_view(&a, meta_memory, &seed, 4, 3);
        const int ndim = a.ndim + count;
        shuffle(places, ndim, &seed);
        by_one = a;
        for (int d = 0; d < ndim; d++) /* one after the other, from the left */
            for (int k = 0; k < count; k++)
                if (places[k] == d) ok(stria_unsqueeze(&by_one, &by_one, d));
        for (int k = 0; k < count; k++)
            places[k] -= random_once(&seed, 2) ? ndim : 0;
        ok(stria_expand_dims(&out, &a, count, places));
        check_identical(&out, &by_one);
        CHECK_IN_PLACE(&out, &a, stria_expand_dims(to, from, count, places));
    }
}

/* Shapes as the manuals list them; the strides of new dims as recorded from PyTorch, in bytes. */
TEST(test_atleast)
{
    typedef stria_status function(stria_view * out, const stria_view *a);
    static function *const functions[] = {stria_atleast_1d, stria_atleast_2d, stria_atleast_3d};
    static const struct {
        int ndim;
        int64_t shape[4], strides[4];
    } expected[3][4] = {
        {{1, {1}, {1}}, {1, {5}, {4}}, {2, {5, 6}, {24, 4}}, {3, {5, 6, 7}, {168, 28, 4}}},
        {{2, {1, 1}, {1, 1}},
         {2, {1, 5}, {20, 4}},
         {2, {5, 6}, {24, 4}},
         {3, {5, 6, 7}, {168, 28, 4}}},
        {{3, {1, 1, 1}, {1, 1, 1}},
         {3, {1, 5, 1}, {20, 4, 4}},
         {3, {5, 6, 1}, {24, 4, 4}},
         {3, {5, 6, 7}, {168, 28, 4}}},
    };
    for (int f = 0; f < 3; f++)
        for (int ndim = 0; ndim < 4; ndim++) {
            stria_view a, out;
            const stria_dtype dtype = stria_dtype_of(ndim == 0 ? STRIA_U8 : STRIA_F32);
            ok(stria_view_make(&a, meta_memory, dtype, ndim, (int64_t[]){5, 6, 7}, NULL, 8));
            ok(functions[f](&out, &a));
            const size_t bytes = (size_t)expected[f][ndim].ndim * sizeof(int64_t);
            assert_int_equal(out.ndim, expected[f][ndim].ndim);
            assert_memory_equal(out.shape, expected[f][ndim].shape, bytes);
            assert_memory_equal(out.strides, expected[f][ndim].strides, bytes);
            assert_ptr_equal(out.data, a.data);
            CHECK_IN_PLACE(&out, &a, functions[f](to, from));
        }
}

TEST(test_refusals)
{
    stria_view a, most;
    int64_t ones[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        ones[d] = 1;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    ok(stria_view_make(&a, meta_memory, u8, 3, (int64_t[]){2, 3, 4}, NULL, 0));
    ok(stria_view_make(&most, meta_memory, u8, 64, ones, NULL, 0));
    const int two[] = {0, 1}, same[] = {1, -2}, far[] = {0, 3};
    CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to, stria_movedim(to, &a, 2, same, two));
    CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to, stria_movedim(to, &a, 2, two, same));
    CHECK_REFUSED(STRIA_ERR_DIM, "dim 3", to, stria_movedim(to, &a, 2, two, far));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "-1 dims", to, stria_movedim(to, &a, -1, two, two));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_movedim(to, &a, 2, two, NULL));
    CHECK_REFUSED(STRIA_ERR_DIM, "start 4", to, stria_rollaxis(to, &a, 0, 4));
    CHECK_REFUSED(STRIA_ERR_DIM, "start -4", to, stria_rollaxis(to, &a, 0, -4));
    CHECK_REFUSED(STRIA_ERR_DIM, "dim 3", to, stria_rollaxis(to, &a, 3, 0));
    CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to, stria_expand_dims(to, &a, 2, (int[]){1, -4}));
    CHECK_REFUSED(STRIA_ERR_DIM, "-4 .. 3", to, stria_expand_dims(to, &a, 1, (int[]){4}));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "-1 dims", to, stria_expand_dims(to, &a, -1, two));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_expand_dims(to, &a, 2, NULL));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "64 dims", to, stria_expand_dims(to, &most, 1, two));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "100 new", to, stria_expand_dims(to, &a, 100, two));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_atleast_3d(to, NULL));
}

/* ---- orders of elements --------------------------------------------------------------------- */

/* Lists addresses with the first dim fastest. */
static int64_t enumerate_fortran(intptr_t *out, const stria_view *a)
{
    stria_view reversed;
    ok(stria_reverse_dims(&reversed, a));
    return enumerate_addresses(out, ROOM, &reversed);
}

static int random_shape(int64_t *shape, int64_t n, uint64_t *seed)
{
    int ndim = 0;
    for (; n > 1 && ndim < 4; ndim++) {
        int64_t factor = ndim == 3 ? n : random_between(seed, 1, n);
        while (n % factor)
            factor--;
        shape[ndim] = factor;
        n /= factor;
    }
    return ndim;
}

/* Reshaping in F order keeps the list of elements in F order, and exists when C would in a mirror.
 */
TEST(test_view_shape_order)
{
    static intptr_t before[ROOM], after[ROOM];
    uint64_t seed = 65;
    int made = 0, refused = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        stria_view a, out, mirrored, unused;
        int64_t shape[4], reversed[4];
        any_view(&a, meta_memory, &seed, 4, 4);
        if (stria_numel(&a) == 0) continue;
        const int ndim = random_shape(shape, stria_numel(&a), &seed);
        for (int d = 0; d < ndim; d++)
            reversed[d] = shape[ndim - 1 - d];
        ok(stria_reverse_dims(&mirrored, &a));
        const stria_status status = stria_view_shape(&unused, &mirrored, ndim, reversed);
        if (status != STRIA_OK) {
            CHECK_REFUSED(STRIA_ERR_STRIDE, "in Fortran order", to,
                          stria_view_shape_order(to, &a, ndim, shape, STRIA_ORDER_F));
            refused++;
            continue;
        }
        made++;
        ok(stria_view_shape_order(&out, &a, ndim, shape, STRIA_ORDER_F));
        assert_int_equal(out.ndim, ndim);
        assert_memory_equal(out.shape, shape, (size_t)ndim * sizeof *shape);
        const int64_t n = enumerate_fortran(before, &a);
        assert_int_equal(enumerate_fortran(after, &out), n);
        assert_memory_equal(after, before, (size_t)n * sizeof *before);
        CHECK_IN_PLACE(&out, &a, stria_view_shape_order(to, from, ndim, shape, STRIA_ORDER_F));
    }
    assert_true(made > ROUNDS && refused > ROUNDS / 2);
}

TEST(test_view_shape_order_rules)
{
    stria_view a, f, out;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    const int64_t shape[] = {-1, 2};
    ok(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){4, 6}, NULL, 0));
    ok(stria_reverse_dims(&f, &a));
    ok(stria_view_shape_order(&out, &a, 2, shape, STRIA_ORDER_C));
    assert_memory_equal(out.strides, ((int64_t[]){2, 1}), 2 * sizeof(int64_t));
    ok(stria_view_shape_order(&out, &a, 2, shape, STRIA_ORDER_A));
    assert_memory_equal(out.strides, ((int64_t[]){2, 1}), 2 * sizeof(int64_t));
    ok(stria_view_shape_order(&out, &f, 2, shape, STRIA_ORDER_A));
    assert_memory_equal(out.strides, ((int64_t[]){1, 12}), 2 * sizeof(int64_t));
    CHECK_REFUSED(STRIA_ERR_STRIDE, "stride[1] = 1 bytes is not stride[0] * size[0] = 6 x 4", to,
                  stria_view_shape_order(to, &a, 1, (int64_t[]){24}, STRIA_ORDER_F));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "C, F or A", to,
                  stria_view_shape_order(to, &a, 2, shape, STRIA_ORDER_K));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "C, F or A", to,
                  stria_view_shape_order(to, &a, 2, shape, (stria_order)99));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "24 elements", to,
                  stria_view_shape_order(to, &a, 2, (int64_t[]){5, 5}, STRIA_ORDER_F));
}

static int by_value(const void *a, const void *b)
{
    const intptr_t x = *(const intptr_t *)a, y = *(const intptr_t *)b;
    return (x > y) - (x < y);
}

/* The elements side by side, in the order in which C, F or the memory itself has them. */
TEST(test_ravel)
{
    static intptr_t expected[ROOM], found[ROOM];
    static const stria_order orders[] = {STRIA_ORDER_C, STRIA_ORDER_F, STRIA_ORDER_A,
                                         STRIA_ORDER_K};
    uint64_t seed = 66;
    int made[4] = {0};
    for (int i = 0; i < 4 * ROUNDS; i++) {
        stria_view a, out;
        any_view(&a, meta_memory, &seed, 3, 4);
        const bool fortran =
            stria_is_contiguous(&a, STRIA_ORDER_F) && !stria_is_contiguous(&a, STRIA_ORDER_C);
        for (int k = 0; k < 4; k++) {
            const bool by_f = orders[k] == STRIA_ORDER_F || (orders[k] == STRIA_ORDER_A && fortran);
            const int64_t n =
                by_f ? enumerate_fortran(expected, &a) : enumerate_addresses(expected, ROOM, &a);
            if (orders[k] == STRIA_ORDER_K) qsort(expected, (size_t)n, sizeof *expected, by_value);
            bool dense = true;
            for (int64_t j = 1; j < n; j++)
                dense &= expected[j] == expected[0] + (intptr_t)(j * a.dtype.itemsize);
            /* In K order an element other than the first may come first: the view begins at a's own
             * start. */
            dense &= n == 0 || expected[0] == (intptr_t)a.data;
            if (!dense) {
                CHECK_REFUSED(STRIA_ERR_STRIDE, "ravel", to, stria_ravel(to, &a, orders[k]));
                continue;
            }
            ok(stria_ravel(&out, &a, orders[k]));
            assert_int_equal(out.ndim, 1);
            assert_int_equal(out.strides[0], a.dtype.itemsize);
            assert_int_equal(enumerate_addresses(found, ROOM, &out), n);
            assert_memory_equal(found, expected, (size_t)n * sizeof *found);
            CHECK_IN_PLACE(&out, &a, stria_ravel(to, from, orders[k]));
            made[k]++;
        }
    }
    for (int k = 0; k < 4; k++)
        assert_in_range(made[k], ROUNDS / 2, 4 * ROUNDS - ROUNDS / 4);
    stria_view a;
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "order 99", to, stria_ravel(to, &a, (stria_order)99));
}

TEST(test_view_as)
{
    stria_view a, b, out;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8), f32 = stria_dtype_of(STRIA_F32);
    ok(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){4, 6}, NULL, 5));
    ok(stria_view_make(&b, meta_memory, f32, 3, (int64_t[]){2, 3, 4}, NULL, 0));
    ok(stria_view_as(&out, &a, &b));
    assert_memory_equal(out.shape, b.shape, 3 * sizeof(int64_t));
    assert_ptr_equal(out.data, a.data);
    /* the output is the array whose shape is asked for */
    ok(stria_view_as(&b, &a, &b));
    check_identical(&b, &out);
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_view_as(to, &a, NULL));
    b.shape[0] = 1;
    CHECK_REFUSED(STRIA_ERR_SHAPE, "24 elements", to, stria_view_as(to, &a, &b));
}

TEST_MAIN(make_meta_memory, free_meta_memory)
