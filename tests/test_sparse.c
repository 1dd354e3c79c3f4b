/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse arrays: what PyTorch 2.13 gave for small ones, dense arrays made by plain loops for random
 * ones, aliasing of the parts, and every refusal of the constructors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/random.h"

static stria_view view_of(void *data, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_view v;
    assert_int_equal(stria_view_foreign(&v, data, stria_dtype_of(kind), ndim, shape, NULL, 0),
                     STRIA_OK);
    return v;
}

static stria_view list_of(int64_t *data, int64_t n)
{
    return view_of(data, STRIA_I64, 1, &n);
}

static stria_view floats_of(float *data, int64_t n)
{
    return view_of(data, STRIA_F32, 1, &n);
}

static void assert_i64(const stria_view *a, int64_t n, const int64_t *expected)
{
    stria_array dense;
    assert_int_equal(stria_clone(&dense, a), STRIA_OK);
    assert_int_equal(stria_numel(a), n);
    assert_memory_equal(dense.view.data, expected, (size_t)n * 8);
    stria_array_release(&dense);
}

static void assert_f32(const stria_view *a, int64_t n, const float *expected)
{
    stria_array dense;
    assert_int_equal(stria_clone(&dense, a), STRIA_OK);
    assert_int_equal(stria_numel(a), n);
    assert_memory_equal(dense.view.data, expected, (size_t)n * 4);
    stria_array_release(&dense);
}

/* ---- small ones, as torch has them ----------------------------------------------------------- */

/* torch.sparse_coo_tensor([[0, 1, 1, 0], [2, 0, 2, 2]], values, (2, 3, ...)) */
static int64_t places[2][4] = {{0, 1, 1, 0}, {2, 0, 2, 2}};

static stria_coo example(float *values)
{
    stria_coo a;
    const stria_view indices = view_of(places, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view v = floats_of(values, 4);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 2, (int64_t[]){2, 3}, 0), STRIA_OK);
    return a;
}

static void test_coalesce(void **state)
{
    (void)state;
    float values[4] = {1, 2, 3, 4};
    stria_coo a = example(values), b, c;
    stria_view part;
    assert_false(a.coalesced);
    assert_int_equal(stria_coo_indices(&part, &a), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "coalesce first"));
    assert_int_equal(stria_coo_values(&part, &a), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_OK);
    assert_true(b.coalesced);
    assert_int_equal(stria_coo_indices(&part, &b), STRIA_OK);
    assert_i64(&part, 6, (int64_t[]){0, 1, 1, 2, 0, 2});
    assert_int_equal(stria_coo_values(&part, &b), STRIA_OK);
    assert_f32(&part, 3, (float[]){5, 2, 3});
    /* Again: the same arrays. */
    assert_int_equal(stria_coo_coalesce(&c, &b), STRIA_OK);
    assert_true(stria_same_view(&c.values.view, &b.values.view));
    assert_true(stria_same_view(&c.indices.view, &b.indices.view));
    stria_coo_release(&a);
    stria_coo_release(&b);
    stria_coo_release(&c);
    stria_coo_release(&c);
    stria_coo_release(NULL);
}

/* Writes through views of the parts and of the arrays that were given are seen by all. */
static void test_aliases(void **state)
{
    (void)state;
    float values[4] = {1, 2, 3, 4};
    stria_coo a = example(values), b;
    stria_array dense;
    stria_view part;
    assert_ptr_equal(a.values.view.data, values);
    assert_ptr_equal(a.indices.view.data, places);
    values[1] = 20;
    assert_int_equal(stria_coo_to_dense(&dense, &a), STRIA_OK);
    assert_f32(&dense.view, 6, (float[]){0, 0, 5, 20, 0, 3});
    stria_array_release(&dense);
    assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_OK);
    assert_int_equal(stria_coo_values(&part, &b), STRIA_OK);
    assert_int_equal(stria_fill(&part, &(float){7}), STRIA_OK);
    assert_int_equal(stria_coo_to_dense(&dense, &b), STRIA_OK);
    assert_f32(&dense.view, 6, (float[]){0, 0, 7, 7, 0, 7});
    stria_array_release(&dense);
    stria_coo_release(&a);
    stria_coo_release(&b);
}

static void test_from_dense(void **state)
{
    (void)state;
    float x[6] = {0, 1, 0, 2, 0, NAN}, empty[1] = {0};
    const stria_view v = view_of(x, STRIA_F32, 2, (int64_t[]){2, 3});
    const stria_view none = view_of(empty, STRIA_F32, 3, (int64_t[]){2, 3, 0});
    const stria_view number = view_of(x + 1, STRIA_F32, 0, NULL);
    stria_coo a;
    stria_array dense;
    x[2] = -0.0f; /* is zero */
    assert_int_equal(stria_coo_from_dense(&a, &v, 2), STRIA_OK);
    assert_i64(&a.indices.view, 6, (int64_t[]){0, 1, 1, 1, 0, 2});
    assert_f32(&a.values.view, 3, (float[]){1, 2, NAN});
    assert_true(a.coalesced);
    stria_coo_release(&a);
    /* torch: to_sparse(1) keeps the rows in which something is. */
    x[1] = 0;
    assert_int_equal(stria_coo_from_dense(&a, &v, 1), STRIA_OK);
    assert_i64(&a.indices.view, 1, (int64_t[]){1});
    assert_f32(&a.values.view, 3, (float[]){2, 0, NAN});
    stria_coo_release(&a);
    assert_int_equal(stria_coo_from_dense(&a, &none, 1), STRIA_OK);
    assert_int_equal(a.values.view.shape[0], 0);
    assert_int_equal(stria_coo_to_dense(&dense, &a), STRIA_OK);
    assert_int_equal(stria_numel(&dense.view), 0);
    stria_array_release(&dense);
    stria_coo_release(&a);
    /* torch.tensor(5.).to_sparse(): indices (0, 1), values (1,). */
    x[1] = 5;
    assert_int_equal(stria_coo_from_dense(&a, &number, 0), STRIA_OK);
    assert_int_equal(a.indices.view.shape[0], 0);
    assert_int_equal(a.indices.view.shape[1], 1);
    assert_int_equal(stria_coo_to_dense(&dense, &a), STRIA_OK);
    assert_int_equal(dense.view.ndim, 0);
    assert_f32(&dense.view, 1, (float[]){5});
    stria_array_release(&dense);
    stria_coo_release(&a);
    assert_int_equal(stria_coo_from_dense(&a, &v, 3), STRIA_ERR_DIM);
    assert_int_equal(stria_coo_from_dense(&a, &v, -1), STRIA_ERR_DIM);
}

static void test_transpose(void **state)
{
    (void)state;
    float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const stria_view indices = view_of(places, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view v = view_of(values, STRIA_F32, 2, (int64_t[]){4, 2});
    stria_coo a, t;
    assert_int_equal(stria_coo_make(&a, &indices, &v, 3, (int64_t[]){2, 3, 2}, 0), STRIA_OK);
    assert_int_equal(stria_coo_transpose(&t, &a, 0, 1), STRIA_OK);
    assert_i64(&t.indices.view, 8, (int64_t[]){2, 0, 2, 2, 0, 1, 1, 0});
    assert_ptr_equal(t.values.view.data, values);
    assert_int_equal(t.shape[0], 3);
    assert_int_equal(t.shape[1], 2);
    assert_false(t.coalesced);
    stria_coo_release(&t);
    assert_int_equal(stria_coo_transpose(&t, &a, 1, 2), STRIA_ERR_DIM);
    assert_non_null(strstr(stria_last_error(), "do not mix"));
    assert_int_equal(stria_coo_transpose(&t, &a, 0, 3), STRIA_ERR_DIM);
    assert_int_equal(stria_coo_permute(&t, &a, 2, (int[]){0, 1}), STRIA_ERR_DIM);
    stria_coo_release(&a);
}

/* torch: s.select(0, 1), h.select(2, 1), o.select(0, 1) with the last sparse dim. */
static void test_select(void **state)
{
    (void)state;
    float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int64_t line[3] = {1, 1, 0};
    const stria_view indices = view_of(places, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view one = view_of(line, STRIA_I64, 2, (int64_t[]){1, 3});
    const stria_view v = view_of(values, STRIA_F32, 2, (int64_t[]){4, 2});
    const stria_view w = floats_of(values + 1, 3);
    stria_coo a, s;
    stria_array dense;
    assert_int_equal(stria_coo_make(&a, &indices, &v, 3, (int64_t[]){2, 3, 2}, 0), STRIA_OK);
    assert_int_equal(stria_coo_select(&s, &a, 0, 1), STRIA_OK);
    assert_i64(&s.indices.view, 2, (int64_t[]){0, 2});
    assert_f32(&s.values.view, 4, (float[]){2, 3, 4, 5});
    assert_int_equal(s.ndim, 2);
    assert_int_equal(s.shape[0], 3);
    stria_coo_release(&s);
    assert_int_equal(stria_coo_select(&s, &a, -1, -1), STRIA_OK);
    assert_i64(&s.indices.view, 8, &places[0][0]);
    assert_f32(&s.values.view, 4, (float[]){1, 3, 5, 7});
    assert_ptr_equal(s.values.view.data, values + 1); /* a view */
    stria_coo_release(&s);
    assert_int_equal(stria_coo_select(&s, &a, 0, 2), STRIA_ERR_INDEX);
    assert_int_equal(stria_coo_select(&s, &a, 3, 0), STRIA_ERR_DIM);
    stria_coo_release(&a);

    assert_int_equal(stria_coo_make(&a, &one, &w, 1, (int64_t[]){3}, 0), STRIA_OK);
    assert_int_equal(stria_coo_select(&s, &a, 0, 1), STRIA_OK);
    assert_int_equal(s.sparse_dim, 0);
    assert_int_equal(s.ndim, 0);
    assert_int_equal(stria_coo_to_dense(&dense, &s), STRIA_OK);
    assert_f32(&dense.view, 1, (float[]){3}); /* tensor(3.): 1 + 2 */
    stria_array_release(&dense);
    stria_coo_release(&s);
    stria_coo_release(&a);
}

/* Nothing is added to entries that stand alone: -0.0 and NaNs keep their bits. */
static void test_exact_bits(void **state)
{
    (void)state;
    const uint32_t bits[3] = {0x80000000u, 0x7fc01234u, 0x80000000u};
    float values[3];
    int64_t line[3] = {2, 0, 1};
    memcpy(values, bits, sizeof bits);
    const stria_view indices = view_of(line, STRIA_I64, 2, (int64_t[]){1, 3});
    const stria_view v = floats_of(values, 3);
    stria_coo a, b;
    assert_int_equal(stria_coo_make(&a, &indices, &v, 1, (int64_t[]){3}, 0), STRIA_OK);
    assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_OK);
    const uint32_t sorted[3] = {0x7fc01234u, 0x80000000u, 0x80000000u};
    assert_memory_equal(b.values.view.data, sorted, sizeof sorted);
    stria_coo_release(&a);
    stria_coo_release(&b);
}

/* Items that have no sum can be sorted, and are refused where two meet. */
static void test_opaque_items(void **state)
{
    (void)state;
    char names[3][4] = {"abc", "def", "ghi"};
    int64_t line[3] = {2, 0, 1};
    const stria_view indices = view_of(line, STRIA_I64, 2, (int64_t[]){1, 3});
    stria_dtype bytes;
    stria_view v;
    stria_coo a, b;
    assert_int_equal(stria_dtype_sized(&bytes, STRIA_BYTES, 4), STRIA_OK);
    assert_int_equal(stria_view_foreign(&v, names, bytes, 1, (int64_t[]){3}, NULL, 0), STRIA_OK);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 1, (int64_t[]){3}, 0), STRIA_OK);
    assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_OK);
    assert_memory_equal(b.values.view.data, "def\0ghi\0abc", 12);
    stria_coo_release(&b);
    line[1] = 2;
    assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_ERR_DTYPE);
    stria_coo_release(&a);
}

/* ---- random ones, against plain loops ---------------------------------------------------------
 */

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
    stria_coo a;
    assert_int_equal(stria_coo_make(&a, &indices, &values, r->sparse_dim + r->dense, r->sizes, 0),
                     STRIA_OK);
    return a;
}

/* The sum of all entries at each place, in C order; the number of elements. */
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
    stria_array dense;
    assert_int_equal(stria_coo_to_dense(&dense, a), STRIA_OK);
    assert_int_equal(stria_numel(&dense.view), numel);
    assert_memory_equal(dense.view.data, expected, (size_t)numel * 8);
    stria_array_release(&dense);
}

/* That it is coalesced: the constructor looks. */
static void assert_coalesced(const stria_coo *a)
{
    stria_coo again;
    assert_int_equal(stria_coo_make(&again, &a->indices.view, &a->values.view, a->ndim, a->shape,
                                    STRIA_SPARSE_COALESCED),
                     STRIA_OK);
    stria_coo_release(&again);
}

/* permute and select of the sparse array, then dense; dense, then permute and select. */
static void check_views(const stria_coo *a, uint64_t *seed)
{
    int dims[6] = {0};
    stria_array dense, moved;
    stria_view v;
    stria_coo b;
    for (int d = 0; d < a->ndim; d++) {
        const int low = d < a->sparse_dim ? 0 : a->sparse_dim;
        const int at = (int)random_between(seed, low, d);
        dims[d] = dims[at];
        dims[at] = d;
    }
    assert_int_equal(stria_coo_to_dense(&dense, a), STRIA_OK);
    assert_int_equal(stria_coo_permute(&b, a, a->ndim, dims), STRIA_OK);
    assert_int_equal(stria_permute(&v, &dense.view, a->ndim, dims), STRIA_OK);
    assert_int_equal(stria_clone(&moved, &v), STRIA_OK);
    assert_dense(&b, stria_numel(&v), (const int64_t *)(const void *)moved.view.data);
    stria_array_release(&moved);
    const int dim = a->ndim ? (int)random_between(seed, 0, a->ndim - 1) : 0;
    if (a->ndim && b.shape[dim]) {
        const int64_t index = random_between(seed, 0, b.shape[dim] - 1);
        stria_coo s;
        assert_int_equal(stria_coo_select(&s, &b, dim, index), STRIA_OK);
        assert_int_equal(stria_select(&v, &v, dim, index), STRIA_OK);
        assert_int_equal(stria_clone(&moved, &v), STRIA_OK);
        assert_dense(&s, stria_numel(&v), (const int64_t *)(const void *)moved.view.data);
        stria_array_release(&moved);
        stria_coo_release(&s);
    }
    stria_coo_release(&b);
    stria_array_release(&dense);
}

static void check_csr(const stria_coo *a, int64_t numel, const int64_t *expected)
{
    stria_csr rows, columns;
    stria_array dense;
    stria_view v;
    assert_int_equal(stria_csr_from_coo(&rows, a), STRIA_OK);
    /* Every pointer and index of it passes the constructor. */
    assert_int_equal(stria_csr_make(&columns, STRIA_CSR, &rows.pointers.view, &rows.indices.view,
                                    &rows.values.view, a->shape[0], a->shape[1], 0),
                     STRIA_OK);
    stria_csr_release(&columns);
    assert_int_equal(stria_csr_to_dense(&dense, &rows), STRIA_OK);
    assert_memory_equal(dense.view.data, expected, (size_t)numel * 8);
    stria_array_release(&dense);
    assert_int_equal(stria_csr_transpose(&columns, &rows), STRIA_OK);
    assert_int_equal(stria_csr_to_dense(&dense, &columns), STRIA_OK);
    assert_int_equal(stria_transpose(&v, &dense.view, 0, 1), STRIA_OK);
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

static void test_random(void **state)
{
    (void)state;
    static struct random_coo r;
    static int64_t expected[SIZE * SIZE * SIZE * SIZE * SIZE];
    uint64_t seed = 7;
    for (int round = 0; round < 2000; round++) {
        draw(&r, &seed);
        stria_coo a = make(&r), b, c;
        stria_array dense;
        const int64_t numel = add_up(expected, &r);
        assert_dense(&a, numel, expected);
        assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_OK);
        assert_coalesced(&b);
        assert_dense(&b, numel, expected);
        check_views(&a, &seed);
        check_views(&b, &seed);
        if (a.sparse_dim == 2) check_csr(&a, numel, expected);
        assert_int_equal(stria_coo_to_dense(&dense, &a), STRIA_OK);
        assert_int_equal(stria_coo_from_dense(&c, &dense.view, r.sparse_dim), STRIA_OK);
        assert_coalesced(&c);
        assert_int_equal(c.values.view.shape[0], rows_in_use(expected, numel, r.block));
        assert_dense(&c, numel, expected);
        stria_coo_release(&c);
        stria_array_release(&dense);
        stria_coo_release(&b);
        stria_coo_release(&a);
    }
}

/* Strided and shuffled parts, f16 sums rounded each time, many entries of one place. */
static void test_many_of_one(void **state)
{
    (void)state;
    enum { N = 3000 };
    static int64_t index[2 * N][2];
    static uint16_t ones[N];
    stria_view indices, values;
    stria_coo a, b;
    for (int i = 0; i < N; i++) {
        index[2 * i][0] = index[2 * i][1] = 4;
        ones[i] = 0x3c00;
    }
    const int64_t strides[] = {8, 32}, shape[] = {2, N};
    assert_int_equal(
        stria_view_foreign(&indices, index, stria_dtype_of(STRIA_I64), 2, shape, strides, 0),
        STRIA_OK);
    values = view_of(ones, STRIA_F16, 1, shape + 1);
    assert_int_equal(stria_coo_make(&a, &indices, &values, 2, NULL, 0), STRIA_OK);
    assert_int_equal(a.ndim, 2);
    assert_int_equal(a.shape[0], 5);
    assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_OK);
    assert_int_equal(b.values.view.shape[0], 1);
    /* 2048 + 1 is 2048 in f16: rounded each time. */
    assert_memory_equal(b.values.view.data, &(uint16_t){0x6800}, 2);
    stria_coo_release(&b);
    stria_coo_release(&a);
}

/* 1 + 1e8 - 1e8 is 0 in f32, in any other order of these three it is 1 or 0; they stay in theirs.
 */
static void test_order_of_sums(void **state)
{
    (void)state;
    float values[6] = {1, 7, 1e8f, -1e8f, -1e8f, 1e8f};
    int64_t line[6] = {3, 0, 3, 3, 1, 1};
    const stria_view indices = view_of(line, STRIA_I64, 2, (int64_t[]){1, 6});
    const stria_view v = floats_of(values, 6);
    stria_coo a, b;
    for (int swap = 0; swap < 2; swap++) {
        if (swap) { /* 1e8 - 1e8 + 1 */
            values[0] = 1e8f;
            values[2] = -1e8f;
            values[3] = 1;
        }
        assert_int_equal(stria_coo_make(&a, &indices, &v, 1, (int64_t[]){4}, 0), STRIA_OK);
        assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_OK);
        assert_i64(&b.indices.view, 3, (int64_t[]){0, 1, 3});
        assert_f32(&b.values.view, 3, (float[]){7, 0, swap ? 1 : 0});
        stria_coo_release(&a);
        stria_coo_release(&b);
    }
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void test_coo_refusals(void **state)
{
    (void)state;
    float values[4] = {1, 2, 3, 4};
    int64_t bad[2][4] = {{0, 1, 1, 0}, {2, 0, 3, 2}};
    int32_t narrow[2][4] = {{0}};
    const stria_view indices = view_of(places, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view wrong = view_of(bad, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view small = view_of(narrow, STRIA_I32, 2, (int64_t[]){2, 4});
    const stria_view flat = view_of(places, STRIA_I64, 1, (int64_t[]){4});
    const stria_view v = floats_of(values, 4), three = floats_of(values, 3);
    const int64_t shape[] = {2, 3}, deep[] = {2, 3, 4};
    stria_view negated;
    stria_coo a;
    assert_int_equal(stria_coo_make(NULL, &indices, &v, 2, shape, 0), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, NULL, &v, 2, shape, 0), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, &indices, NULL, 2, shape, 0), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 2, shape, 4), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, &indices, &three, 2, shape, 0), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &flat, &v, 2, shape, 0), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 3, deep, 0), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 1, shape, 0), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &small, &v, 2, shape, 0), STRIA_ERR_DTYPE);
    assert_int_equal(stria_coo_make(&a, &v, &v, 2, shape, 0), STRIA_ERR_DTYPE);
    negated = indices;
    negated.flags |= STRIA_NEG;
    assert_int_equal(stria_coo_make(&a, &negated, &v, 2, shape, 0), STRIA_ERR_DTYPE);
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 2, shape, 0), STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "entry 2 has index 3 in dim 1, which has size 3"));
    bad[1][2] = -1;
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 2, shape, 0), STRIA_ERR_INDEX);
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 0, NULL, 0), STRIA_ERR_INDEX);
    bad[1][2] = INT64_MAX;
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 0, NULL, 0), STRIA_ERR_INDEX);
    bad[1][2] = INT64_MAX - 1;
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 0, NULL, 0), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 2, shape, STRIA_SPARSE_COALESCED),
                     STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "entries 2 and 3 are not in order"));
}

/* What was trusted and is wrong is refused where it is used, and never followed. */
static void test_trusted(void **state)
{
    (void)state;
    float values[4] = {1, 2, 3, 4};
    int64_t bad[2][4] = {{0, 1, 1 << 20, 0}, {2, 0, -7, 2}};
    const stria_view wrong = view_of(bad, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view v = floats_of(values, 4);
    int64_t pointers[3] = {0, 1 << 20, 4};
    const stria_view p = list_of(pointers, 3), i = list_of(bad[0], 4);
    stria_coo a;
    stria_csr m;
    stria_array dense;
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 2, (int64_t[]){2, 3}, STRIA_SPARSE_TRUSTED),
                     STRIA_OK);
    assert_int_equal(stria_coo_to_dense(&dense, &a), STRIA_ERR_INDEX);
    stria_coo_release(&a);
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 2, (int64_t[]){2, 3},
                                    STRIA_SPARSE_TRUSTED | STRIA_SPARSE_COALESCED),
                     STRIA_OK);
    assert_int_equal(stria_csr_from_coo(&m, &a), STRIA_ERR_INDEX);
    stria_coo_release(&a);
    assert_int_equal(stria_csr_make(&m, STRIA_CSR, &p, &i, &v, 2, 3, STRIA_SPARSE_TRUSTED),
                     STRIA_OK);
    assert_int_equal(stria_csr_to_dense(&dense, &m), STRIA_ERR_INDEX);
    pointers[1] = 1;
    assert_int_equal(stria_csr_to_dense(&dense, &m), STRIA_ERR_INDEX);
    stria_csr_release(&m);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    float values[4] = {1, 2, 3, 4};
    stria_coo a = example(values), b;
    stria_csr m;
    stria_array dense;
    int failures = 0;
    for (int64_t fail_at = 1; fail_at < 40; fail_at++) {
        counting_begin(fail_at);
        if (stria_coo_coalesce(&b, &a) == STRIA_OK)
            stria_coo_release(&b);
        else
            failures++;
        assert_int_equal(allocation_counts.live, 0);
        counting_begin(fail_at);
        if (stria_csr_from_coo(&m, &a) == STRIA_OK)
            stria_csr_release(&m);
        else
            failures++;
        assert_int_equal(allocation_counts.live, 0);
        counting_begin(fail_at);
        if (stria_coo_to_dense(&dense, &a) == STRIA_OK)
            stria_array_release(&dense);
        else
            failures++;
        assert_int_equal(allocation_counts.live, 0);
        counting_begin(fail_at);
        if (stria_coo_select(&b, &a, 0, 1) == STRIA_OK)
            stria_coo_release(&b);
        else
            failures++;
        assert_int_equal(allocation_counts.live, 0);
        counting_end();
    }
    assert_true(failures > 10);
    stria_coo_release(&a);
}

static void test_meta(void **state)
{
    (void)state;
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    stria_buffer *meta;
    stria_view indices, values;
    stria_coo a, b;
    stria_array dense;
    const int64_t huge = INT64_C(1) << 40;
    assert_int_equal(stria_buffer_meta(&meta, huge * 16), STRIA_OK);
    assert_int_equal(stria_view_make(&indices, meta, stria_dtype_of(STRIA_I64), 2,
                                     (int64_t[]){2, huge}, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_view_make(&values, meta, stria_dtype_of(STRIA_F32), 1, &huge, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_coo_make(&a, &indices, &values, 2, (int64_t[]){7, 7}, 0), STRIA_OK);
    assert_int_equal(stria_coo_coalesce(&b, &a), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_coo_to_dense(&dense, &a), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_coo_make(&b, &indices, &values, 0, NULL, 0), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_coo_from_dense(&b, &values, 1), STRIA_ERR_UNSUPPORTED);
    stria_coo_release(&a);
    stria_buffer_release(meta);
}

/* ---- compressed matrices --------------------------------------------------------------------- */

/* [[0, 1, 0], [2, 0, 3]] */
static void test_csr(void **state)
{
    (void)state;
    int32_t pointers[3] = {0, 1, 3}, columns[3] = {1, 0, 2};
    float values[3] = {1, 2, 3};
    const stria_view p = view_of(pointers, STRIA_I32, 1, (int64_t[]){3});
    const stria_view c = view_of(columns, STRIA_I32, 1, (int64_t[]){3});
    const stria_view v = floats_of(values, 3);
    stria_csr a, t;
    stria_view part;
    stria_array dense;
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &c, &v, 2, 3, 0), STRIA_OK);
    assert_int_equal(stria_csr_to_dense(&dense, &a), STRIA_OK);
    assert_f32(&dense.view, 6, (float[]){0, 1, 0, 2, 0, 3});
    stria_array_release(&dense);
    assert_int_equal(stria_csr_crow_indices(&part, &a), STRIA_OK);
    assert_ptr_equal(part.data, pointers);
    assert_int_equal(stria_csr_col_indices(&part, &a), STRIA_OK);
    assert_ptr_equal(part.data, columns);
    assert_int_equal(stria_csr_values(&part, &a), STRIA_OK);
    assert_ptr_equal(part.data, values);
    assert_int_equal(stria_csr_ccol_indices(&part, &a), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_row_indices(&part, &a), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "crow_indices and col_indices"));
    assert_int_equal(stria_csr_transpose(&t, &a), STRIA_OK);
    assert_int_equal(t.compression, STRIA_CSC);
    assert_int_equal(t.shape[0], 3);
    assert_int_equal(stria_csr_row_indices(&part, &t), STRIA_OK);
    assert_ptr_equal(part.data, columns);
    assert_int_equal(stria_csr_ccol_indices(&part, &t), STRIA_OK);
    assert_ptr_equal(part.data, pointers);
    assert_int_equal(stria_csr_crow_indices(&part, &t), STRIA_ERR_ARGUMENT);
    values[0] = 10;
    assert_int_equal(stria_csr_to_dense(&dense, &t), STRIA_OK);
    assert_f32(&dense.view, 6, (float[]){0, 2, 10, 0, 0, 3});
    stria_array_release(&dense);
    stria_csr_release(&t);
    stria_csr_release(&t);
    stria_csr_release(NULL);
    stria_csr_release(&a);
}

/* The invalid inputs of which PyTorch 2.14 accepts all but one unless it is asked to look. */
static void test_csr_refusals(void **state)
{
    (void)state;
    static const struct {
        int64_t pointers[5], indices[3];
        int np, rows;
        stria_status status;
        const char *says;
    } cases[] = {
        {{1, 1, 3}, {1, 0, 2}, 3, 2, STRIA_ERR_INDEX, "starts with 1"},
        {{0, 1, 2}, {1, 0, 2}, 3, 2, STRIA_ERR_INDEX, "ends with 2, but there are 3"},
        {{0, 2, 1, 3}, {0, 1, 2}, 4, 3, STRIA_ERR_INDEX, "falls from 2 to 1 behind row 1"},
        {{0, 1, 3}, {1, 0, 3}, 3, 2, STRIA_ERR_INDEX, "column 3, but there are 3"},
        {{0, 1, 3}, {-1, 0, 2}, 3, 2, STRIA_ERR_INDEX, "entry 0 has column -1"},
        {{0, 1, 3}, {1, 2, 0}, 3, 2, STRIA_ERR_INDEX, "in row 1 column 0 follows column 2"},
        {{0, 1, 3}, {1, 2, 2}, 3, 2, STRIA_ERR_INDEX, "in row 1 column 2 follows column 2"},
        {{0, 3}, {0, 1, 2}, 2, 2, STRIA_ERR_SHAPE, "2 rows"},
        {{0}, {0, 1, 2}, 0, 2, STRIA_ERR_SHAPE, "2 rows"},
        {{0, 1, INT64_MAX, 3}, {1, 0, 2}, 4, 3, STRIA_ERR_INDEX, "falls from"},
    };
    float values[3] = {1, 2, 3};
    const stria_view v = floats_of(values, 3), two = floats_of(values, 2);
    int64_t pointers[5], indices[3];
    stria_csr a;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        memcpy(pointers, cases[k].pointers, sizeof pointers);
        memcpy(indices, cases[k].indices, sizeof indices);
        const stria_view p = list_of(pointers, cases[k].np), i = list_of(indices, 3);
        assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &i, &v, cases[k].rows, 3, 0),
                         cases[k].status);
        if (!strstr(stria_last_error(), cases[k].says)) fail_msg("%s", stria_last_error());
        assert_int_equal(stria_csr_make(&a, STRIA_CSC, &p, &i, &v, 3, cases[k].rows, 0),
                         cases[k].status);
    }
    memcpy(pointers, (int64_t[]){0, 1, 3}, 24);
    memcpy(indices, (int64_t[]){1, 0, 2}, 24);
    int32_t narrow[3] = {1, 0, 2};
    const stria_view p = list_of(pointers, 3), i = list_of(indices, 3);
    const stria_view mixed = view_of(narrow, STRIA_I32, 1, (int64_t[]){3});
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &i, &two, 2, 3, 0), STRIA_ERR_SHAPE);
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &mixed, &v, 2, 3, 0), STRIA_ERR_DTYPE);
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &v, &i, &v, 2, 3, 0), STRIA_ERR_DTYPE);
    assert_int_equal(stria_csr_make(&a, (stria_compression)2, &p, &i, &v, 2, 3, 0),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &i, &v, 2, 3, STRIA_SPARSE_COALESCED),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_make(NULL, STRIA_CSR, &p, &i, &v, 2, 3, 0), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &i, &v, -1, 3, 0), STRIA_ERR_SHAPE);
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &i, &v, 2, INT64_MAX, 0),
                     STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_csr_make(&a, STRIA_CSR, &p, &i, &v, 2, 3, 0), STRIA_OK);
    stria_csr_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coalesce),      cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_from_dense),    cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_select),        cmocka_unit_test(test_exact_bits),
        cmocka_unit_test(test_opaque_items),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_many_of_one),   cmocka_unit_test(test_order_of_sums),
        cmocka_unit_test(test_coo_refusals),  cmocka_unit_test(test_trusted),
        cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_meta),
        cmocka_unit_test(test_csr),           cmocka_unit_test(test_csr_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
