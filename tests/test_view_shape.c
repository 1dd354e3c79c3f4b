/* SPDX-License-Identifier: BSD-3-Clause */
/* Order of dims and dims of size 1, on thousands of random views, element by element. */
#include <limits.h>
#include <string.h>

#include "support/any_view.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000 };

struct order {
    int ndim, dims[6];
};

/* Element index of the result is the element whose index in dim dims[i] is index[i]. */
static void permuted(int64_t *source, const int64_t *index, const void *args)
{
    const struct order *order = args;
    for (int i = 0; i < order->ndim; i++)
        source[order->dims[i]] = index[i];
}

static struct order random_order(int ndim, uint64_t *seed)
{
    struct order order = {ndim, {0}};
    for (int d = 0; d < ndim; d++) {
        const int at = (int)random_between(seed, 0, d);
        order.dims[d] = order.dims[at];
        order.dims[at] = d;
    }
    return order;
}

static void check_order(const stria_view *out, const stria_view *a, const struct order *order)
{
    int64_t shape[6];
    for (int d = 0; d < a->ndim; d++)
        shape[d] = a->shape[order->dims[d]];
    check_mapping(out, a, a->ndim, shape, permuted, order);
    for (int d = 0; d < a->ndim; d++)
        assert_int_equal(out->strides[d], a->strides[order->dims[d]]);
}

TEST(test_permute)
{
    uint64_t seed = 1;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        int written[6];
        any_view(&a, meta_memory, &seed, 6, 4);
        const struct order order = random_order(a.ndim, &seed);
        for (int d = 0; d < a.ndim; d++)
            written[d] = order.dims[d] - (random_once(&seed, 2) ? a.ndim : 0);
        ok(stria_permute(&out, &a, a.ndim, written));
        check_order(&out, &a, &order);
        CHECK_IN_PLACE(&out, &a, stria_permute(to, from, from->ndim, written));
    }
}

TEST(test_transposes)
{
    uint64_t seed = 2;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        any_view(&a, meta_memory, &seed, 6, 4);
        const int n = a.ndim > 0 ? a.ndim : 1;
        const int dim0 = (int)random_between(&seed, -n, n - 1);
        const int dim1 = (int)random_between(&seed, -n, n - 1);
        struct order order = {a.ndim, {0, 1, 2, 3, 4, 5}};
        if (a.ndim > 0) {
            const int d = (dim0 + a.ndim) % a.ndim, e = (dim1 + a.ndim) % a.ndim;
            order.dims[d] = e;
            order.dims[e] = d;
        }
        ok(stria_transpose(&out, &a, dim0, dim1));
        check_order(&out, &a, &order);
        CHECK_IN_PLACE(&out, &a, stria_transpose(to, from, dim0, dim1));

        for (int d = 0; d < a.ndim; d++)
            order.dims[d] = a.ndim - 1 - d;
        ok(stria_reverse_dims(&out, &a));
        check_order(&out, &a, &order);
        CHECK_IN_PLACE(&out, &a, stria_reverse_dims(to, from));

        for (int d = 0; d < a.ndim; d++)
            order.dims[d] = d;
        if (a.ndim == 1) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "1 dim", to, stria_matrix_transpose(to, &a));
            continue;
        }
        if (a.ndim > 1) {
            order.dims[a.ndim - 1] = a.ndim - 2;
            order.dims[a.ndim - 2] = a.ndim - 1;
        }
        ok(stria_matrix_transpose(&out, &a));
        check_order(&out, &a, &order);
        CHECK_IN_PLACE(&out, &a, stria_matrix_transpose(to, from));
    }
}

TEST(test_squeeze)
{
    uint64_t seed = 4;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        struct order kept = {0, {0}};
        int64_t shape[6];
        int dims[6], count = 0;
        const bool all = random_once(&seed, 2);
        bool one[6], strict_ok = true;
        any_view(&a, meta_memory, &seed, 6, 2);
        for (int d = 0; d < a.ndim; d++) {
            one[d] = all || random_once(&seed, 2);
            if (one[d] && a.shape[d] != 1) strict_ok = false;
            if (one[d]) dims[count++] = random_once(&seed, 2) ? d : d - a.ndim;
            if (one[d] && a.shape[d] == 1) continue;
            shape[kept.ndim] = a.shape[d];
            kept.dims[kept.ndim++] = d;
        }
        ok(all ? stria_squeeze(&out, &a) : stria_squeeze_dims(&out, &a, count, dims, false));
        check_mapping(&out, &a, kept.ndim, shape, permuted, &kept);
        if (all) CHECK_IN_PLACE(&out, &a, stria_squeeze(to, from));
        CHECK_IN_PLACE(&out, &a, stria_squeeze_dims(to, from, count, dims, false));
        if (strict_ok)
            CHECK_IN_PLACE(&out, &a, stria_squeeze_dims(to, from, count, dims, true));
        else
            CHECK_REFUSED(STRIA_ERR_SHAPE, "only a size of 1", to,
                          stria_squeeze_dims(to, &a, count, dims, true));
    }
}

TEST(test_unsqueeze)
{
    uint64_t seed = 5;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out, back;
        int64_t shape[7];
        struct order order = {0, {0}};
        any_view(&a, meta_memory, &seed, 5, 4);
        const int d = (int)random_between(&seed, 0, a.ndim);
        const int dim = random_once(&seed, 2) ? d : d - a.ndim - 1;
        for (int k = 0; k <= a.ndim; k++) {
            shape[k] = k == d ? 1 : a.shape[k - (k > d)];
            order.dims[order.ndim++] = k == d ? 5 : k - (k > d); /* a dim that is out of range */
        }
        ok(stria_unsqueeze(&out, &a, dim));
        check_mapping(&out, &a, a.ndim + 1, shape, permuted, &order);
        CHECK_IN_PLACE(&out, &a, stria_unsqueeze(to, from, dim));
        ok(stria_squeeze_dims(&back, &out, 1, &dim, true));
        check_identical(&back, &a);
        if (d == a.ndim) assert_int_equal(out.strides[d], a.dtype.itemsize);
        int64_t product;
        if (d < a.ndim && !__builtin_mul_overflow(a.shape[d], a.strides[d], &product))
            assert_int_equal(out.strides[d], product);
    }
}

/* Maps an index of the result to the number of the element in C order, and that to the input's
 * index. */
struct shapes {
    int to_ndim, from_ndim;
    const int64_t *to, *from;
};

static void renumbered(int64_t *source, const int64_t *index, const void *args)
{
    const struct shapes *s = args;
    int64_t n = 0;
    for (int d = 0; d < s->to_ndim; d++)
        n = n * s->to[d] + index[d];
    for (int d = s->from_ndim - 1; d >= 0; d--) {
        source[d] = n % s->from[d];
        n /= s->from[d];
    }
}

TEST(test_flatten)
{
    uint64_t seed = 6;
    int views = 0;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        int64_t shape[6], merged = 1;
        int ndim = 0;
        any_view(&a, meta_memory, &seed, 6, 4);
        const int n = a.ndim > 0 ? a.ndim : 1;
        const int end = (int)random_between(&seed, 0, n - 1),
                  start = (int)random_between(&seed, 0, end);
        for (int d = 0; d < start; d++)
            shape[ndim++] = a.shape[d];
        for (int d = start; d <= end && d < a.ndim; d++)
            merged *= a.shape[d];
        shape[ndim++] = merged;
        for (int d = end + 1; d < a.ndim; d++)
            shape[ndim++] = a.shape[d];
        if (stria_flatten(&out, &a, start, end - n) != STRIA_OK) {
            stria_view same;
            CHECK_REFUSED(STRIA_ERR_STRIDE, "flatten", to, stria_flatten(to, &a, start, end));
            assert_int_equal(stria_view_shape(&same, &a, ndim, shape), STRIA_ERR_STRIDE);
            continue;
        }
        views++;
        const struct shapes shapes = {ndim, a.ndim, out.shape, a.shape};
        check_mapping(&out, &a, ndim, shape, renumbered, &shapes);
        if (start == end && a.ndim > 0) check_identical(&out, &a);
        CHECK_IN_PLACE(&out, &a, stria_flatten(to, from, start, end));
    }
    assert_in_range(views, ROUNDS / 4, ROUNDS - 100);
}

TEST(test_unflatten)
{
    uint64_t seed = 7;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        any_view(&a, meta_memory, &seed, 5, 6);
        if (a.ndim == 0) {
            CHECK_REFUSED(STRIA_ERR_DIM, "0 dims", to,
                          stria_unflatten(to, &a, 0, 1, (int64_t[]){1}));
            continue;
        }
        const int d = (int)random_between(&seed, 0, a.ndim - 1);
        int64_t first = random_between(&seed, 1, 6), shape[7];
        if (a.shape[d] % first) first = 1;
        int64_t sizes[2] = {first, a.shape[d] / first};
        for (int k = 0; k <= a.ndim; k++)
            shape[k] = k == d ? sizes[0] : k == d + 1 ? sizes[1] : a.shape[k - (k > d)];
        if (random_once(&seed, 2) && sizes[1] > 0) sizes[0] = -1;
        if (random_once(&seed, 2) && sizes[0] > 0) sizes[1] = -1;
        ok(stria_unflatten(&out, &a, d - a.ndim, 2, sizes));
        const struct shapes shapes = {a.ndim + 1, a.ndim, out.shape, a.shape};
        check_mapping(&out, &a, a.ndim + 1, shape, renumbered, &shapes);
        CHECK_IN_PLACE(&out, &a, stria_unflatten(to, from, d, 2, sizes));
    }
}

TEST(test_refusals)
{
    stria_view a, most;
    int64_t ones[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        ones[d] = 1;
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    ok(stria_view_make(&a, meta_memory, f32, 3, (int64_t[]){2, 3, 4}, NULL, 0));
    ok(stria_view_make(&most, meta_memory, f32, STRIA_MAX_NDIM, ones, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_DIM, "every dim", to, stria_permute(to, &a, 2, (int[]){0, 1}));
    CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to, stria_permute(to, &a, 3, (int[]){0, 1, -3}));
    CHECK_REFUSED(STRIA_ERR_DIM, "-3 .. 2", to, stria_permute(to, &a, 3, (int[]){0, 1, 3}));
    CHECK_REFUSED(STRIA_ERR_DIM, "-4", to, stria_permute(to, &a, 3, (int[]){0, 1, -4}));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_permute(to, &a, 3, NULL));
    CHECK_REFUSED(STRIA_ERR_DIM, "2147483647", to, stria_transpose(to, &a, 0, INT_MAX));
    CHECK_REFUSED(STRIA_ERR_DIM, "-2147483648", to, stria_transpose(to, &a, INT_MIN, 0));
    CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to,
                  stria_squeeze_dims(to, &a, 2, (int[]){0, 0}, false));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "-1 dims", to, stria_squeeze_dims(to, &a, -1, NULL, false));
    CHECK_REFUSED(STRIA_ERR_DIM, "-4 .. 3", to, stria_unsqueeze(to, &a, 4));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "64 dims", to, stria_unsqueeze(to, &most, 0));
    CHECK_REFUSED(STRIA_ERR_DIM, "comes after", to, stria_flatten(to, &a, 2, 1));
    CHECK_REFUSED(STRIA_ERR_DIM, "3", to, stria_flatten(to, &a, 0, 3));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "4 elements", to,
                  stria_unflatten(to, &a, 2, 2, (int64_t[]){3, -1}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "0 dims", to, stria_unflatten(to, &a, 2, 0, NULL));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "2 dims", to,
                  stria_unflatten(to, &most, 2, 2, (int64_t[]){1, 1}));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_unflatten(to, &a, 2, 2, NULL));
    stria_view nothing;
    ok(stria_view_make(&nothing, meta_memory, f32, 2, (int64_t[]){8, 0}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63", to,
                  stria_unflatten(to, &nothing, 1, 2, (int64_t[]){INT64_C(1) << 60, 0}));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_reverse_dims(to, NULL));
    refused(stria_reverse_dims(NULL, &a), STRIA_ERR_ARGUMENT, "out is NULL");
    a.ndim = 65;
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "ndim 65", to, stria_reverse_dims(to, &a));
    a.ndim = -1;
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "ndim -1", to, stria_squeeze(to, &a));
}

TEST_MAIN(make_meta_memory, free_meta_memory)
