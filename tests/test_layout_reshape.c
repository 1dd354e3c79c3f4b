/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The algorithm for strides against the definition: list the addresses of all elements in C order,
 * take the only strides that the new shape could have from the first step along each dim, and see
 * whether they hold everywhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/any_view.h"
#include "support/enumerate.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROOM = 6 * 6 * 6 * 6 * 6 };

/* Computes the strides that addresses[] determine for a shape; returns false when no strides give
 * them. */
static bool strides_by_definition(int64_t *strides, const intptr_t *addresses, int ndim,
                                  const int64_t *shape)
{
    int64_t step = 1, index[STRIA_MAX_NDIM] = {0};
    for (int d = ndim - 1; d >= 0; d--) {
        strides[d] = shape[d] > 1 ? addresses[step] - addresses[0] : 0;
        step *= shape[d];
    }
    int64_t n = 0;
    do {
        if (addresses[0] + offset_of(index, ndim, strides) != addresses[n++]) return false;
    } while (next_index(index, ndim, shape));
    return true;
}

/* Draws a random factorization of n into up to 6 sizes, with ones in between. */
static int random_shape(int64_t *shape, int64_t n, uint64_t *seed)
{
    int ndim = 0;
    while (ndim < 6 && (n > 1 || random_between(seed, 0, 3) == 0)) {
        int64_t factor = 1;
        if (random_between(seed, 0, 3) != 0) {
            factor = random_between(seed, 1, n);
            while (n % factor)
                factor--;
        }
        if (ndim == 5) factor = n;
        shape[ndim++] = factor;
        n /= factor;
    }
    return ndim;
}

static void check_reshape(const stria_view *a, int ndim, const int64_t *shape)
{
    static intptr_t addresses[ROOM];
    int64_t strides[STRIA_MAX_NDIM];
    const int64_t n = enumerate_addresses(addresses, ROOM, a);
    const bool possible = strides_by_definition(strides, addresses, ndim, shape);
    stria_view out;
    const stria_status status = stria_view_shape(&out, a, ndim, shape);
    assert_true(n > 0);
    if (status != (possible ? STRIA_OK : STRIA_ERR_STRIDE))
        fail_msg("%s as %d dims (%d %d %d ...): %s; %s", view_text(a), ndim, (int)shape[0],
                 (int)shape[1], (int)shape[2], stria_status_name(status), stria_last_error());
    if (!possible) return;
    assert_int_equal(out.ndim, ndim);
    assert_ptr_equal(out.data, a->data);
    for (int d = 0; d < ndim; d++) {
        assert_int_equal(out.shape[d], shape[d]);
        if (shape[d] > 1) assert_int_equal(out.strides[d], strides[d]);
    }
}

TEST(test_random)
{
    uint64_t seed = 3;
    int views = 0;
    for (int i = 0; i < 100000; i++) {
        stria_view a;
        int64_t shape[6] = {0};
        any_view(&a, meta_memory, &seed, 5, 4);
        if (stria_numel(&a) == 0) continue;
        const int ndim = random_shape(shape, stria_numel(&a), &seed);
        check_reshape(&a, ndim, shape);
        stria_view out;
        views += stria_view_shape(&out, &a, ndim, shape) == STRIA_OK;
    }
    assert_in_range(views, 20000, 80000); /* both answers occur often */
}

/* Every layout of two dims of sizes 1..4 with strides -8..8, reshaped to every shape of two or
 * three dims. */
TEST(test_exhaustively)
{
    for (int64_t n = 1; n <= 4; n++)
        for (int64_t m = 1; m <= 4; m++)
            for (int64_t s = -8; s <= 8; s++)
                for (int64_t t = -8; t <= 8; t++) {
                    stria_view a;
                    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_U8), 2,
                                       (int64_t[]){n, m}, (int64_t[]){s, t}, 64));
                    for (int64_t i = 1; i <= n * m; i++) {
                        if (n * m % i) continue;
                        check_reshape(&a, 2, (int64_t[]){i, n * m / i, 0});
                        for (int64_t j = 1; j <= n * m / i; j++)
                            if (n * m / i % j == 0)
                                check_reshape(&a, 3, (int64_t[]){i, j, n * m / i / j});
                    }
                }
}

struct example {
    int old_ndim;
    int64_t old_shape[4], old_strides[4];
    int ndim;
    int64_t shape[6], strides[6];
};

/* Strides of dims of size 1 are PyTorch's, too (recorded from torch.Tensor.view, here in bytes). */
TEST(test_torch_strides)
{
    static const struct example examples[] = {
        {3, {2, 3, 4}, {12, 4, 1}, 6, {1, 2, 1, 3, 1, 4}, {24, 12, 12, 4, 4, 1}},
        {2, {4, 1}, {1, 99}, 3, {4, 1, 1}, {1, 99, 99}},
        {3, {4, 1, 3}, {3, 99, 1}, 4, {4, 1, 1, 3}, {3, 3, 3, 1}},
        {2, {8, 1}, {3, 24}, 3, {1, 8, 1}, {24, 3, 24}},
        {3, {1, 1, 16}, {40, 16, 1}, 3, {1, 1, 16}, {16, 16, 1}},
        {4, {1, 3, 4, 5}, {60, 1, 15, 3}, 3, {1, 3, 20}, {3, 1, 3}},
        {0, {0}, {0}, 3, {1, 1, 1}, {1, 1, 1}},
        {2, {0, 3}, {7, 5}, 2, {0, 3}, {7, 5}},
        {2, {0, 3}, {7, 5}, 3, {2, 0, 3}, {3, 3, 1}},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *e = &examples[i];
        stria_view a, out;
        ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_U8), e->old_ndim, e->old_shape,
                           e->old_strides, 0));
        ok(stria_view_shape(&out, &a, e->ndim, e->shape));
        for (int d = 0; d < e->ndim; d++)
            assert_int_equal(out.strides[d], e->strides[d]);
    }
}

static bool viewable_under(const stria_view *a, const int *order, int ndim, const int64_t *shape)
{
    stria_view permuted, out;
    ok(stria_permute(&permuted, a, a->ndim, order));
    return stria_view_shape(&out, &permuted, ndim, shape) == STRIA_OK;
}

static bool any_order(const stria_view *a, int *order, int at, int ndim, const int64_t *shape)
{
    if (at == a->ndim) return viewable_under(a, order, ndim, shape);
    for (int d = 0; d < a->ndim; d++) {
        bool used = false;
        for (int i = 0; i < at; i++)
            used |= order[i] == d;
        order[at] = d;
        if (!used && any_order(a, order, at + 1, ndim, shape)) return true;
    }
    return false;
}

/* Parses "permute(2, 0, 1)". */
static bool suggested_order(int *order, const char *text)
{
    const char *at = strstr(text, "permute(");
    if (!at) return false;
    at += strlen("permute(");
    for (int i = 0; *at != ')'; i++) {
        char *end;
        order[i] = (int)strtol(at, &end, 10);
        at = end;
        while (*at == ',' || *at == ' ')
            at++;
    }
    return true;
}

/* A refusal names an equation that is false, and a permutation exactly when one would help. */
TEST(test_refusals_tell_the_truth)
{
    uint64_t seed = 11;
    int with = 0, without = 0;
    for (int i = 0; i < 40000; i++) {
        stria_view a, out;
        int64_t shape[6] = {0};
        int order[STRIA_MAX_NDIM];
        any_view(&a, meta_memory, &seed, 4, 4);
        const int ndim = stria_numel(&a) ? random_shape(shape, stria_numel(&a), &seed) : -1;
        if (ndim < 0 || stria_view_shape(&out, &a, ndim, shape) == STRIA_OK) continue;
        char text[1024];
        (void)snprintf(text, sizeof text, "%s", stria_last_error());
        int d = 0, e = 0, f = 0;
        long long left = 0, stride = 0, size = 0, right = 0, bytes = -1;
        const char *equation = strstr(text, "but stride[");
        assert_non_null(equation);
        assert_int_equal(sscanf(equation,
                                "but stride[%d] = %lld bytes is not stride[%d] * size[%d] "
                                "= %lld x %lld = %lld bytes; reshape would copy %lld bytes",
                                &d, &left, &e, &f, &stride, &size, &right, &bytes),
                         8);
        assert_true(d < e && e == f);
        assert_int_equal(left, a.strides[d]);
        assert_int_equal(stride, a.strides[e]);
        assert_int_equal(size, a.shape[e]);
        assert_int_equal(right, stride * size);
        assert_int_not_equal(left, right);
        assert_int_equal(bytes, stria_nbytes(&a));
        for (int k = d + 1; k < e; k++)
            assert_int_equal(a.shape[k], 1);
        const bool found = suggested_order(order, text);
        if (found) assert_true(viewable_under(&a, order, ndim, shape));
        int any[STRIA_MAX_NDIM];
        if (!found && any_order(&a, any, 0, ndim, shape)) fail_msg("%s: %s", view_text(&a), text);
        if (!found) assert_non_null(strstr(text, "no order of the dims has such a view"));
        with += found;
        without += !found;
    }
    assert_true(with > 1000 && without > 1000);
}

TEST(test_inferred_sizes)
{
    stria_view a, out;
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_F32), 3, (int64_t[]){2, 3, 4}, NULL,
                       0));
    ok(stria_view_shape(&out, &a, 3, (int64_t[]){4, -1, 1}));
    assert_int_equal(out.shape[1], 6);
    ok(stria_view_shape(&out, &a, 1, (int64_t[]){-1}));
    assert_int_equal(out.shape[0], 24);
    ok(stria_view_shape(&out, &a, 2, (int64_t[]){-1, 24}));
    assert_int_equal(out.shape[0], 1);
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_F32), 2, (int64_t[]){0, 4}, NULL, 0));
    ok(stria_view_shape(&out, &a, 2, (int64_t[]){-1, 7}));
    assert_int_equal(out.shape[0], 0);
    /* The output is the input, in the same struct. */
    ok(stria_view_shape(&a, &a, 3, (int64_t[]){5, 0, 2}));
    assert_int_equal(a.ndim, 3);
    assert_int_equal(a.shape[0], 5);
}

TEST_MAIN(make_meta_memory, free_meta_memory)
