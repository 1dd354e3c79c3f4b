/* SPDX-License-Identifier: BSD-3-Clause */
/* Small sparse arrays: results that PyTorch 2.13 gave, and sharing of the parts' memory. */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/sparse.h"
#include "support/test.h"

TEST(test_coalesce)
{
    float values[4] = {1, 2, 3, 4};
    stria_coo a = example(values), b = {0}, c = {0};
    stria_view part;
    assert_false(a.coalesced);
    assert_int_equal(stria_coo_indices(&part, &a), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "coalesce first"));
    assert_int_equal(stria_coo_values(&part, &a), STRIA_ERR_ARGUMENT);
    ok(stria_coo_coalesce(&b, &a, NULL));
    assert_true(b.coalesced);
    ok(stria_coo_indices(&part, &b));
    assert_i64(&part, 6, (int64_t[]){0, 1, 1, 2, 0, 2});
    ok(stria_coo_values(&part, &b));
    assert_f32(&part, 3, (float[]){5, 2, 3});
    /* Again: the same arrays. */
    ok(stria_coo_coalesce(&c, &b, NULL));
    assert_true(stria_same_view(&c.values.view, &b.values.view));
    assert_true(stria_same_view(&c.indices.view, &b.indices.view));
    stria_coo_release(&a);
    stria_coo_release(&b);
    stria_coo_release(&c);
    stria_coo_release(&c);
    stria_coo_release(NULL);
}

/* Writes through views of the parts, and to the given arrays, are seen by all. */
TEST(test_aliases)
{
    float values[4] = {1, 2, 3, 4};
    stria_coo a = example(values), b = {0};
    stria_array dense = {0};
    stria_view part;
    assert_ptr_equal(a.values.view.data, values);
    assert_ptr_equal(a.indices.view.data, places);
    values[1] = 20;
    ok(stria_coo_to_dense_new(&dense, &a, NULL));
    assert_f32(&dense.view, 6, (float[]){0, 0, 5, 20, 0, 3});
    stria_array_release(&dense);
    ok(stria_coo_coalesce(&b, &a, NULL));
    ok(stria_coo_values(&part, &b));
    ok(stria_fill_item(&part, &(float){7}, NULL));
    ok(stria_coo_to_dense_new(&dense, &b, NULL));
    assert_f32(&dense.view, 6, (float[]){0, 0, 7, 7, 0, 7});
    stria_array_release(&dense);
    stria_coo_release(&a);
    stria_coo_release(&b);
}

TEST(test_from_dense)
{
    float x[6] = {0, 1, 0, 2, 0, NAN}, empty[1] = {0};
    const stria_view v = view_of(x, STRIA_F32, 2, (int64_t[]){2, 3});
    const stria_view none = view_of(empty, STRIA_F32, 3, (int64_t[]){2, 3, 0});
    const stria_view number = view_of(x + 1, STRIA_F32, 0, NULL);
    stria_coo a = {0};
    stria_array dense = {0};
    x[2] = -0.0f; /* is zero */
    ok(stria_coo_from_dense(&a, &v, 2, NULL));
    assert_i64(&a.indices.view, 6, (int64_t[]){0, 1, 1, 1, 0, 2});
    assert_f32(&a.values.view, 3, (float[]){1, 2, NAN});
    assert_true(a.coalesced);
    stria_coo_release(&a);
    /* torch: to_sparse(1) keeps the rows that are not all 0. */
    x[1] = 0;
    ok(stria_coo_from_dense(&a, &v, 1, NULL));
    assert_i64(&a.indices.view, 1, (int64_t[]){1});
    assert_f32(&a.values.view, 3, (float[]){2, 0, NAN});
    stria_coo_release(&a);
    ok(stria_coo_from_dense(&a, &none, 1, NULL));
    assert_int_equal(a.values.view.shape[0], 0);
    ok(stria_coo_to_dense_new(&dense, &a, NULL));
    assert_int_equal(stria_numel(&dense.view), 0);
    stria_array_release(&dense);
    stria_coo_release(&a);
    /* torch.tensor(5.).to_sparse(): indices (0, 1), values (1,). */
    x[1] = 5;
    ok(stria_coo_from_dense(&a, &number, 0, NULL));
    assert_int_equal(a.indices.view.shape[0], 0);
    assert_int_equal(a.indices.view.shape[1], 1);
    ok(stria_coo_to_dense_new(&dense, &a, NULL));
    assert_int_equal(dense.view.ndim, 0);
    assert_f32(&dense.view, 1, (float[]){5});
    stria_array_release(&dense);
    stria_coo_release(&a);
    /* In bools every byte but 0 is true. */
    uint8_t truth[3] = {0, 2, 255};
    const stria_view bytes = view_of(truth, STRIA_BOOL, 1, (int64_t[]){3});
    ok(stria_coo_from_dense(&a, &bytes, 1, NULL));
    assert_i64(&a.indices.view, 2, (int64_t[]){1, 2});
    stria_coo_release(&a);
    assert_int_equal(stria_coo_from_dense(&a, &v, 3, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_coo_from_dense(&a, &v, -1, NULL), STRIA_ERR_DIM);
}

TEST(test_transpose)
{
    float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const stria_view indices = view_of(places, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view v = view_of(values, STRIA_F32, 2, (int64_t[]){4, 2});
    stria_coo a = {0}, t = {0};
    ok(stria_coo_make(&a, &indices, &v, 3, (int64_t[]){2, 3, 2}, 0, NULL));
    ok(stria_coo_transpose(&t, &a, 0, 1));
    assert_i64(&t.indices.view, 8, (int64_t[]){2, 0, 2, 2, 0, 1, 1, 0});
    assert_ptr_equal(t.values.view.data, values);
    assert_int_equal(t.shape[0], 3);
    assert_int_equal(t.shape[1], 2);
    assert_false(t.coalesced);
    stria_coo_release(&t);
    assert_int_equal(stria_coo_transpose(&t, &a, 1, 2), STRIA_ERR_DIM);
    assert_non_null(strstr(stria_last_error(), "do not mix"));
    assert_int_equal(stria_coo_transpose(&t, &a, 0, 3), STRIA_ERR_DIM);
    assert_int_equal(stria_coo_permute(&t, &a, 2, (int[]){0, 1}, NULL), STRIA_ERR_DIM);
    stria_coo_release(&a);
}

/* torch: s.select(0, 1), h.select(2, 1), o.select(0, 1) with the last sparse dim. */
TEST(test_select)
{
    float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int64_t line[3] = {1, 1, 0};
    const stria_view indices = view_of(places, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view one = view_of(line, STRIA_I64, 2, (int64_t[]){1, 3});
    const stria_view v = view_of(values, STRIA_F32, 2, (int64_t[]){4, 2});
    const stria_view w = floats_of(values + 1, 3);
    stria_coo a = {0}, s = {0};
    stria_array dense = {0};
    ok(stria_coo_make(&a, &indices, &v, 3, (int64_t[]){2, 3, 2}, 0, NULL));
    ok(stria_coo_select(&s, &a, 0, 1, NULL));
    assert_i64(&s.indices.view, 2, (int64_t[]){0, 2});
    assert_f32(&s.values.view, 4, (float[]){2, 3, 4, 5});
    assert_int_equal(s.ndim, 2);
    assert_int_equal(s.shape[0], 3);
    stria_coo_release(&s);
    ok(stria_coo_select(&s, &a, -1, -1, NULL));
    assert_i64(&s.indices.view, 8, &places[0][0]);
    assert_f32(&s.values.view, 4, (float[]){1, 3, 5, 7});
    assert_ptr_equal(s.values.view.data, values + 1); /* the result is a view */
    stria_coo_release(&s);
    assert_int_equal(stria_coo_select(&s, &a, 0, 2, NULL), STRIA_ERR_INDEX);
    assert_int_equal(stria_coo_select(&s, &a, 3, 0, NULL), STRIA_ERR_DIM);
    stria_coo_release(&a);

    ok(stria_coo_make(&a, &one, &w, 1, (int64_t[]){3}, 0, NULL));
    ok(stria_coo_select(&s, &a, 0, 1, NULL));
    assert_int_equal(s.sparse_dim, 0);
    assert_int_equal(s.ndim, 0);
    ok(stria_coo_to_dense_new(&dense, &s, NULL));
    assert_f32(&dense.view, 1, (float[]){3}); /* tensor(3.): 1 + 2 */
    stria_array_release(&dense);
    stria_coo_release(&s);
    stria_coo_release(&a);
}

/* Indices may begin at any byte. */
TEST(test_unaligned)
{
    char bytes[3 * sizeof(int64_t) + 1];
    float x[] = {1, 2, 4};
    memcpy(bytes + 1, ((int64_t[]){2, 0, 2}), 3 * sizeof(int64_t));
    stria_view indices;
    const stria_view v = floats_of(x, 3);
    stria_coo a = {0};
    stria_array dense = {0};
    ok(stria_view_foreign(&indices, bytes + 1, stria_dtype_of(STRIA_I64), 2, (int64_t[]){1, 3},
                          NULL, 0));
    ok(stria_coo_make(&a, &indices, &v, -1, NULL, 0, NULL));
    ok(stria_coo_coalesce(&a, &a, NULL));
    ok(stria_coo_to_dense_new(&dense, &a, NULL));
    assert_f32(&dense.view, 3, (float[]){2, 0, 5});
    stria_array_release(&dense);
    stria_coo_release(&a);
}

/* Values without duplicates are not changed by an addition: -0.0 and NaNs keep their bits. */
TEST(test_exact_bits)
{
    const uint32_t bits[3] = {0x80000000u, 0x7fc01234u, 0x80000000u};
    float values[3];
    int64_t line[3] = {2, 0, 1};
    memcpy(values, bits, sizeof bits);
    const stria_view indices = view_of(line, STRIA_I64, 2, (int64_t[]){1, 3});
    const stria_view v = floats_of(values, 3);
    stria_coo a = {0}, b = {0};
    ok(stria_coo_make(&a, &indices, &v, 1, (int64_t[]){3}, 0, NULL));
    ok(stria_coo_coalesce(&b, &a, NULL));
    const uint32_t sorted[3] = {0x7fc01234u, 0x80000000u, 0x80000000u};
    assert_memory_equal(b.values.view.data, sorted, sizeof sorted);
    stria_coo_release(&a);
    stria_coo_release(&b);
}

/* Items that cannot be added can be sorted, and are refused where two have the same index. */
TEST(test_opaque_items)
{
    char names[3][4] = {"abc", "def", "ghi"};
    int64_t line[3] = {2, 0, 1};
    const stria_view indices = view_of(line, STRIA_I64, 2, (int64_t[]){1, 3});
    stria_dtype bytes;
    stria_view v;
    stria_coo a = {0}, b = {0};
    ok(stria_dtype_sized(&bytes, STRIA_BYTES, 4));
    ok(stria_view_foreign(&v, names, bytes, 1, (int64_t[]){3}, NULL, 0));
    ok(stria_coo_make(&a, &indices, &v, 1, (int64_t[]){3}, 0, NULL));
    ok(stria_coo_coalesce(&b, &a, NULL));
    assert_memory_equal(b.values.view.data, "def\0ghi\0abc", 12);
    stria_coo_release(&b);
    line[1] = 2;
    assert_int_equal(stria_coo_coalesce(&b, &a, NULL), STRIA_ERR_DTYPE);
    stria_coo_release(&a);
}

/* Strided and shuffled parts, f16 sums rounded after each addition, many entries at one index. */
TEST(test_many_of_one)
{
    enum { N = 3000 };
    static int64_t index[2 * N][2];
    static uint16_t ones[N];
    stria_view indices, values;
    stria_coo a = {0}, b = {0};
    for (int i = 0; i < N; i++) {
        index[2 * i][0] = index[2 * i][1] = 4;
        ones[i] = 0x3c00;
    }
    const int64_t strides[] = {8, 32}, shape[] = {2, N};
    ok(stria_view_foreign(&indices, index, stria_dtype_of(STRIA_I64), 2, shape, strides, 0));
    values = view_of(ones, STRIA_F16, 1, shape + 1);
    ok(stria_coo_make(&a, &indices, &values, 2, NULL, 0, NULL));
    assert_int_equal(a.ndim, 2);
    assert_int_equal(a.shape[0], 5);
    ok(stria_coo_coalesce(&b, &a, NULL));
    assert_int_equal(b.values.view.shape[0], 1);
    /* 2048 + 1 is 2048 in f16: rounded after each addition. */
    assert_memory_equal(b.values.view.data, &(uint16_t){0x6800}, 2);
    stria_coo_release(&b);
    stria_coo_release(&a);
}

/* 1 + 1e8 - 1e8 is 0 in f32, other orders of the three give 1 or 0; entries keep their order. */
TEST(test_order_of_sums)
{
    float values[6] = {1, 7, 1e8f, -1e8f, -1e8f, 1e8f};
    int64_t line[6] = {3, 0, 3, 3, 1, 1};
    const stria_view indices = view_of(line, STRIA_I64, 2, (int64_t[]){1, 6});
    const stria_view v = floats_of(values, 6);
    stria_coo a = {0}, b = {0};
    for (int swap = 0; swap < 2; swap++) {
        if (swap) { /* 1e8 - 1e8 + 1 */
            values[0] = 1e8f;
            values[2] = -1e8f;
            values[3] = 1;
        }
        ok(stria_coo_make(&a, &indices, &v, 1, (int64_t[]){4}, 0, NULL));
        ok(stria_coo_coalesce(&b, &a, NULL));
        assert_i64(&b.indices.view, 3, (int64_t[]){0, 1, 3});
        assert_f32(&b.values.view, 3, (float[]){7, 0, swap ? 1 : 0});
        stria_coo_release(&a);
        stria_coo_release(&b);
    }
}

/* ---- compressed matrices --------------------------------------------------------------------- */

/* [[0, 1, 0], [2, 0, 3]] */
TEST(test_csr)
{
    int32_t pointers[3] = {0, 1, 3}, columns[3] = {1, 0, 2};
    float values[3] = {1, 2, 3};
    const stria_view p = view_of(pointers, STRIA_I32, 1, (int64_t[]){3});
    const stria_view c = view_of(columns, STRIA_I32, 1, (int64_t[]){3});
    const stria_view v = floats_of(values, 3);
    stria_csr a = {0}, t = {0};
    stria_view part;
    stria_array dense = {0};
    ok(stria_csr_make(&a, &p, &c, &v, STRIA_CSR, 2, 3, 0, NULL));
    ok(stria_csr_to_dense_new(&dense, &a, NULL));
    assert_f32(&dense.view, 6, (float[]){0, 1, 0, 2, 0, 3});
    stria_array_release(&dense);
    ok(stria_csr_crow_indices(&part, &a));
    assert_ptr_equal(part.data, pointers);
    ok(stria_csr_col_indices(&part, &a));
    assert_ptr_equal(part.data, columns);
    ok(stria_csr_values(&part, &a));
    assert_ptr_equal(part.data, values);
    assert_int_equal(stria_csr_ccol_indices(&part, &a), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_row_indices(&part, &a), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "crow_indices and col_indices"));
    ok(stria_csr_transpose(&t, &a, NULL));
    assert_int_equal(t.compression, STRIA_CSC);
    assert_int_equal(t.shape[0], 3);
    ok(stria_csr_row_indices(&part, &t));
    assert_ptr_equal(part.data, columns);
    ok(stria_csr_ccol_indices(&part, &t));
    assert_ptr_equal(part.data, pointers);
    assert_int_equal(stria_csr_crow_indices(&part, &t), STRIA_ERR_ARGUMENT);
    values[0] = 10;
    ok(stria_csr_to_dense_new(&dense, &t, NULL));
    assert_f32(&dense.view, 6, (float[]){0, 2, 10, 0, 0, 3});
    stria_array_release(&dense);
    stria_csr_release(&t);
    stria_csr_release(&t);
    stria_csr_release(NULL);
    stria_csr_release(&a);
}

TEST_MAIN(NULL, NULL)
