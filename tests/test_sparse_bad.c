/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse arrays: every refusal of the constructors, memory that runs out, meta buffers. */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/sparse.h"
#include "support/test.h"

TEST(test_coo_refusals)
{
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
    stria_coo a = {0};
    assert_int_equal(stria_coo_make(NULL, &indices, &v, 2, shape, 0, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, NULL, &v, 2, shape, 0, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, &indices, NULL, 2, shape, 0, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 2, shape, 4, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_coo_make(&a, &indices, &three, 2, shape, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &flat, &v, 2, shape, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 3, deep, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 1, shape, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_coo_make(&a, &small, &v, 2, shape, 0, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_coo_make(&a, &v, &v, 2, shape, 0, NULL), STRIA_ERR_DTYPE);
    negated = indices;
    negated.flags |= STRIA_NEG;
    assert_int_equal(stria_coo_make(&a, &negated, &v, 2, shape, 0, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 2, shape, 0, NULL), STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "entry 2 has index 3 in dim 1, which has size 3"));
    bad[1][2] = -1;
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 2, shape, 0, NULL), STRIA_ERR_INDEX);
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 0, NULL, 0, NULL), STRIA_ERR_INDEX);
    bad[1][2] = INT64_MAX;
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 0, NULL, 0, NULL), STRIA_ERR_INDEX);
    stria_view endless, none;
    const stria_view many = view_of(values, STRIA_F32, 3, (int64_t[]){0, 1, 1});
    none = view_of(places, STRIA_I64, 2, (int64_t[]){1, 0});
    ok(stria_expand(&endless, &none, 2, (int64_t[]){INT64_MAX, 0}));
    assert_int_equal(stria_coo_make(&a, &endless, &many, 0, NULL, 0, NULL), STRIA_ERR_SHAPE);
    bad[1][2] = INT64_MAX - 1;
    assert_int_equal(stria_coo_make(&a, &wrong, &v, 0, NULL, 0, NULL), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 2, shape, STRIA_SPARSE_COALESCED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "entries 2 and 3 are not in order"));
}

/* Structs with wrong members are refused where they are used. */
TEST(test_trusted)
{
    float values[4] = {1, 2, 3, 4};
    int64_t bad[2][4] = {{0, 1, 1 << 20, 0}, {2, 0, -7, 2}};
    const stria_view wrong = view_of(bad, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view v = floats_of(values, 4);
    int64_t pointers[3] = {0, 1 << 20, 4};
    const stria_view p = list_of(pointers, 3), i = list_of(bad[0], 4);
    stria_coo a = {0};
    stria_csr m = {0};
    stria_array dense = {0};
    ok(stria_coo_make(&a, &wrong, &v, 2, (int64_t[]){2, 3}, STRIA_SPARSE_TRUSTED, NULL));
    assert_int_equal(stria_coo_to_dense_new(&dense, &a, NULL), STRIA_ERR_INDEX);
    stria_coo_release(&a);
    ok(stria_coo_make(&a, &wrong, &v, 2, (int64_t[]){2, 3},
                      STRIA_SPARSE_TRUSTED | STRIA_SPARSE_COALESCED, NULL));
    assert_int_equal(stria_csr_from_coo(&m, &a, NULL), STRIA_ERR_INDEX);
    stria_coo_release(&a);
    ok(stria_csr_make(&m, &p, &i, &v, STRIA_CSR, 2, 3, STRIA_SPARSE_TRUSTED, NULL));
    assert_int_equal(stria_csr_to_dense_new(&dense, &m, NULL), STRIA_ERR_INDEX);
    pointers[1] = 1;
    assert_int_equal(stria_csr_to_dense_new(&dense, &m, NULL), STRIA_ERR_INDEX);
    stria_csr_release(&m);
}

/* A dtype that cannot be added is found last: the result has not changed by then. */
TEST(test_no_sum)
{
    int64_t twice[2] = {1, 1};
    char values[8] = {0};
    stria_dtype opaque;
    stria_coo a = {0}, b = {0}, before = {0};
    ok(stria_dtype_sized(&opaque, STRIA_VOID, 4));
    const stria_view indices = view_of(twice, STRIA_I64, 2, (int64_t[]){1, 2});
    stria_view v = view_of(values, STRIA_F32, 1, (int64_t[]){2});
    ok(stria_view_dtype(&v, &v, opaque));
    ok(stria_coo_make(&a, &indices, &v, 1, (int64_t[]){3}, 0, NULL));
    memset(&b, 1, sizeof b);
    b.indices.owned = b.values.owned = NULL;
    before = b;
    assert_int_equal(stria_coo_coalesce(&b, &a, NULL), STRIA_ERR_DTYPE);
    assert_memory_equal(&b, &before, sizeof b);
    stria_coo_release(&a);
}

/* A call that is repeated with every allocation refused in turn, for a COO, a CSR or a dense
 * result. */
struct attempt {
    stria_coo a;
    stria_view full;
    stria_coo coo;
    stria_csr csr;
    stria_array dense;
};

static stria_status coalesce(struct attempt *t)
{
    return stria_coo_coalesce(&t->coo, &t->a, NULL);
}

static stria_status from_dense(struct attempt *t)
{
    return stria_coo_from_dense(&t->coo, &t->full, 1, NULL);
}

static stria_status choose(struct attempt *t)
{
    return stria_coo_select(&t->coo, &t->a, 0, 1, NULL);
}

static stria_status from_coo(struct attempt *t)
{
    return stria_csr_from_coo(&t->csr, &t->a, NULL);
}

static stria_status to_dense(struct attempt *t)
{
    return stria_coo_to_dense_new(&t->dense, &t->a, NULL);
}

static void release_coo(struct attempt *t)
{
    stria_coo_release(&t->coo);
}

static void release_csr(struct attempt *t)
{
    stria_csr_release(&t->csr);
}

static void release_dense(struct attempt *t)
{
    stria_array_release(&t->dense);
}

TEST(test_out_of_memory)
{
    static const struct {
        stria_status (*run)(struct attempt *);
        void (*release)(struct attempt *);
    } calls[] = {
        {coalesce, release_coo}, {from_dense, release_coo}, {choose, release_coo},
        {from_coo, release_csr}, {to_dense, release_dense},
    };
    float values[4] = {1, 2, 3, 4};
    stria_array full = {0};
    struct attempt before;
    memset(&before, 1, sizeof before);
    before.coo.indices.owned = before.coo.values.owned = before.dense.owned = NULL;
    before.csr.pointers.owned = before.csr.indices.owned = before.csr.values.owned = NULL;
    before.a = example(values);
    ok(stria_coo_to_dense_new(&full, &before.a, NULL));
    before.full = full.view;
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        stria_status status = STRIA_ERR_MEMORY;
        for (int64_t fail_at = 1; status != STRIA_OK; fail_at++) {
            struct attempt t = before;
            counting_begin(fail_at);
            status = calls[k].run(&t);
            if (status == STRIA_OK) {
                assert_true(fail_at > 1);
                calls[k].release(&t);
            } else {
                assert_int_equal(status, STRIA_ERR_MEMORY);
                assert_memory_equal(&t, &before, sizeof t);
            }
            assert_int_equal(allocation_counts.live, 0);
            counting_end();
        }
    }
    stria_array_release(&full);
    stria_coo_release(&before.a);
}

TEST(test_meta)
{
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    stria_buffer *meta;
    stria_view indices, values;
    stria_coo a = {0}, b = {0};
    stria_array dense = {0};
    const int64_t huge = INT64_C(1) << 40;
    ok(stria_buffer_meta(&meta, huge * 16));
    ok(stria_view_make(&indices, meta, stria_dtype_of(STRIA_I64), 2, (int64_t[]){2, huge}, NULL,
                       0));
    ok(stria_view_make(&values, meta, stria_dtype_of(STRIA_F32), 1, &huge, NULL, 0));
    ok(stria_coo_make(&a, &indices, &values, 2, (int64_t[]){7, 7}, 0, NULL));
    assert_int_equal(stria_coo_coalesce(&b, &a, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_coo_to_dense_new(&dense, &a, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_coo_make(&b, &indices, &values, 0, NULL, 0, NULL),
                     STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_coo_from_dense(&b, &values, 1, NULL), STRIA_ERR_UNSUPPORTED);
    stria_coo_release(&a);
    stria_buffer_release(meta);
}

/* Invalid inputs, of which PyTorch 2.14 accepts all but one unless asked to check. */
TEST(test_csr_refusals)
{
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
    stria_csr a = {0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        memcpy(pointers, cases[k].pointers, sizeof pointers);
        memcpy(indices, cases[k].indices, sizeof indices);
        const stria_view p = list_of(pointers, cases[k].np), i = list_of(indices, 3);
        assert_int_equal(stria_csr_make(&a, &p, &i, &v, STRIA_CSR, cases[k].rows, 3, 0, NULL),
                         cases[k].status);
        if (!strstr(stria_last_error(), cases[k].says)) fail_msg("%s", stria_last_error());
        assert_int_equal(stria_csr_make(&a, &p, &i, &v, STRIA_CSC, 3, cases[k].rows, 0, NULL),
                         cases[k].status);
    }
    memcpy(pointers, (int64_t[]){0, 1, 3}, 24);
    memcpy(indices, (int64_t[]){1, 0, 2}, 24);
    int32_t narrow[3] = {1, 0, 2};
    const stria_view p = list_of(pointers, 3), i = list_of(indices, 3);
    const stria_view mixed = view_of(narrow, STRIA_I32, 1, (int64_t[]){3});
    assert_int_equal(stria_csr_make(&a, &p, &i, &two, STRIA_CSR, 2, 3, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_csr_make(&a, &p, &mixed, &v, STRIA_CSR, 2, 3, 0, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_csr_make(&a, &v, &i, &v, STRIA_CSR, 2, 3, 0, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_csr_make(&a, &p, &i, &v, (stria_compression)2, 2, 3, 0, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_make(&a, &p, &i, &v, STRIA_CSR, 2, 3, STRIA_SPARSE_COALESCED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_make(NULL, &p, &i, &v, STRIA_CSR, 2, 3, 0, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csr_make(&a, &p, &i, &v, STRIA_CSR, -1, 3, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_csr_make(&a, &p, &i, &v, STRIA_CSR, 2, INT64_MAX, 0, NULL),
                     STRIA_ERR_OVERFLOW);
    ok(stria_csr_make(&a, &p, &i, &v, STRIA_CSR, 2, 3, 0, NULL));
    stria_csr_release(&a);
}

TEST_MAIN(NULL, NULL)
