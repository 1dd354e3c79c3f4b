/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sparse arrays against dense ones made by plain loops. */
#include <string.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/sparse.h"
#include "support/test.h"

enum { MOST = 40, SIZE = 5 };

struct random_coo {
    int sparse_dim, dense;
    int64_t n, sizes[6], block;
    int64_t indices[3 * MOST];
    int64_t values[MOST * SIZE * SIZE];
};

static void draw(struct random_coo *r, uint64_t *seed)
{
    r->sparse_dim = (int)random_between(seed, 0, 3);
    r->dense = (int)random_between(seed, 0, 2);
    r->block = 1;
    bool room = true;
    for (int d = 0; d < r->sparse_dim + r->dense; d++) {
        r->sizes[d] = random_between(seed, random_between(seed, 0, 9) ? 1 : 0, SIZE);
        if (d < r->sparse_dim)
            room &= r->sizes[d] > 0;
        else
            r->block *= r->sizes[d];
    }
    r->n = room ? random_between(seed, 0, MOST) : 0;
    for (int d = 0; d < r->sparse_dim; d++)
        for (int64_t i = 0; i < r->n; i++)
            r->indices[d * r->n + i] = random_between(seed, 0, r->sizes[d] - 1);
    for (int64_t i = 0; i < r->n * r->block; i++)
        r->values[i] = random_between(seed, -9, 9);
}

static stria_coo make(struct random_coo *r)
{
    int64_t shape[4] = {r->n, r->sizes[r->sparse_dim], r->sizes[r->sparse_dim + 1], 0};
    const stria_view indices = view_of(r->indices, STRIA_I64, 2, (int64_t[]){r->sparse_dim, r->n});
    const stria_view values = view_of(r->values, STRIA_I64, 1 + r->dense, shape);
    stria_coo a = {0};
    ok(stria_coo_make(&a, &indices, &values, r->sparse_dim + r->dense, r->sizes, 0, NULL));
    return a;
}

/* Adds up all entries at each place, in C order; returns the number of elements. */
static int64_t add_up(int64_t *dense, const struct random_coo *r)
{
    int64_t numel = r->block;
    for (int d = 0; d < r->sparse_dim; d++)
        numel *= r->sizes[d];
    memset(dense, 0, (size_t)numel * sizeof *dense);
    for (int64_t i = 0; i < r->n; i++) {
        int64_t place = 0;
        for (int d = 0; d < r->sparse_dim; d++)
            place = place * r->sizes[d] + r->indices[d * r->n + i];
        for (int64_t k = 0; k < r->block; k++)
            dense[place * r->block + k] += r->values[i * r->block + k];
    }
    return numel;
}

static void assert_dense(const stria_coo *a, int64_t numel, const int64_t *expected)
{
    RELEASED stria_array dense = {0};
    ok(stria_coo_to_dense_new(&dense, a, NULL));
    assert_int_equal(stria_numel(&dense.view), numel);
    assert_memory_equal(dense.view.data, expected, (size_t)numel * 8);
}

/* Asserts that the entries are coalesced, as the constructor checks. */
static void assert_coalesced(const stria_coo *a)
{
    stria_coo again = {0};
    ok(stria_coo_make(&again, &a->indices.view, &a->values.view, a->ndim, a->shape,
                      STRIA_SPARSE_COALESCED, NULL));
    stria_coo_release(&again);
}

/* Compares permute and select of the sparse array, made dense, with the same of the dense array. */
static void check_views(const stria_coo *a, uint64_t *seed)
{
    int dims[6] = {0};
    stria_array dense = {0}, moved = {0};
    stria_view v;
    stria_coo b = {0};
    for (int d = 0; d < a->ndim; d++) {
        const int low = d < a->sparse_dim ? 0 : a->sparse_dim;
        const int at = (int)random_between(seed, low, d);
        dims[d] = dims[at];
        dims[at] = d;
    }
    ok(stria_coo_to_dense_new(&dense, a, NULL));
    ok(stria_coo_permute(&b, a, a->ndim, dims, NULL));
    ok(stria_permute(&v, &dense.view, a->ndim, dims));
    ok(stria_clone_new(&moved, &v, NULL));
    assert_dense(&b, stria_numel(&v), (const int64_t *)(const void *)moved.view.data);
    stria_array_release(&moved);
    const int dim = a->ndim ? (int)random_between(seed, 0, a->ndim - 1) : 0;
    if (a->ndim && b.shape[dim]) {
        const int64_t index = random_between(seed, 0, b.shape[dim] - 1);
        stria_coo s = {0};
        ok(stria_coo_select(&s, &b, dim, index, NULL));
        ok(stria_select(&v, &v, dim, index));
        ok(stria_clone_new(&moved, &v, NULL));
        assert_dense(&s, stria_numel(&v), (const int64_t *)(const void *)moved.view.data);
        stria_array_release(&moved);
        stria_coo_release(&s);
    }
    stria_coo_release(&b);
    stria_array_release(&dense);
}

static void check_csr(const stria_coo *a, int64_t numel, const int64_t *expected)
{
    stria_csr rows = {0}, columns = {0};
    stria_array dense = {0};
    stria_view v;
    ok(stria_csr_from_coo(&rows, a, NULL));
    /* Every pointer and index of it passes the constructor. */
    ok(stria_csr_make(&columns, &rows.pointers.view, &rows.indices.view, &rows.values.view,
                      STRIA_CSR, a->shape[0], a->shape[1], 0, NULL));
    stria_csr_release(&columns);
    ok(stria_csr_to_dense_new(&dense, &rows, NULL));
    assert_memory_equal(dense.view.data, expected, (size_t)numel * 8);
    stria_array_release(&dense);
    ok(stria_csr_transpose(&columns, &rows, NULL));
    ok(stria_csr_to_dense_new(&dense, &columns, NULL));
    ok(stria_transpose(&v, &dense.view, 0, 1));
    assert_i64(&v, numel, expected);
    stria_array_release(&dense);
    stria_csr_release(&columns);
    stria_csr_release(&rows);
}

static int64_t rows_in_use(const int64_t *dense, int64_t numel, int64_t block)
{
    int64_t count = 0;
    for (int64_t i = 0; block && i < numel / block; i++) {
        bool any = false;
        for (int64_t k = 0; k < block; k++)
            any |= dense[i * block + k] != 0;
        count += any;
    }
    return count;
}

TEST(test_random)
{
    static struct random_coo r;
    static int64_t expected[SIZE * SIZE * SIZE * SIZE * SIZE];
    uint64_t seed = 7;
    for (int round = 0; round < 2000; round++) {
        draw(&r, &seed);
        stria_coo a = make(&r), b = {0}, c = {0};
        stria_array dense = {0};
        const int64_t numel = add_up(expected, &r);
        assert_dense(&a, numel, expected);
        ok(stria_coo_coalesce(&b, &a, NULL));
        assert_coalesced(&b);
        assert_dense(&b, numel, expected);
        check_views(&a, &seed);
        check_views(&b, &seed);
        if (a.sparse_dim == 2) check_csr(&a, numel, expected);
        ok(stria_coo_to_dense_new(&dense, &a, NULL));
        ok(stria_coo_from_dense(&c, &dense.view, r.sparse_dim, NULL));
        assert_coalesced(&c);
        assert_int_equal(c.values.view.shape[0], rows_in_use(expected, numel, r.block));
        assert_dense(&c, numel, expected);
        stria_coo_release(&c);
        stria_array_release(&dense);
        stria_coo_release(&b);
        stria_coo_release(&a);
    }
}

TEST_MAIN(NULL, NULL)
