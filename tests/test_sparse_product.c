/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of sparse matrices against those of the dense ones, which are the same bits, as all
 * numbers are small and whole: dtypes, forms, layouts, threads, and what is refused.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/sparse.h"
#include "support/test.h"

enum { ROWS = 37, COLUMNS = 29, WIDE = 11 };

/* Makes an array of whole numbers from -3 to 3, of which most are 0 if it is `thin`. */
static void fill(stria_array *out, stria_kind kind, int ndim, int64_t rows, int64_t columns,
                 bool thin)
{
    uint32_t random = 12345;
    ok(stria_empty(out, stria_dtype_of(kind), ndim, (int64_t[]){rows, columns}));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < (ndim == 2 ? columns : 1); j++) {
            random = random * 1664525 + 1013904223;
            const double number = (int)(random >> 24) % 7 - (thin || kind == STRIA_U8 ? 0 : 3);
            const bool none = thin && (random >> 16 & 3 || i % 5 == 2);
            const double parts[2] = {none ? 0 : number, none ? 0 : number - 1};
            if (kind == STRIA_C64 || kind == STRIA_C128)
                ok(stria_set_c128(&out->view, ndim, (int64_t[]){i, j}, parts));
            else
                ok(stria_set_f64(&out->view, ndim, (int64_t[]){i, j}, parts[0]));
        }
}

/* Multiplies by all forms, into new arrays and into views, and compares. */
static void check_all(const stria_view *dense, const stria_view *b, const stria_exec *exec)
{
    stria_array wanted = {0}, made = {0}, into = {0}, compressed = {0};
    stria_coo coo = {0}, doubled = {0};
    stria_csr forms[3] = {0}, across = {0};
    stria_view back, every;
    bool same;
    ok(stria_matmul_new(&wanted, dense, b, NULL));
    ok(stria_coo_from_dense(&coo, dense, 2, NULL));
    ok(stria_csr_from_coo(&forms[0], &coo, NULL));
    ok(stria_transpose(&back, dense, 0, 1));
    ok(stria_coo_from_dense(&doubled, &back, 2, NULL));
    ok(stria_csr_from_coo(&across, &doubled, NULL));
    ok(stria_csr_transpose(&forms[1], &across, NULL));
    const stria_dtype narrow = stria_dtype_of(STRIA_I32);
    stria_array starts = {0}, columns = {0};
    ok(stria_astype(&starts, &forms[0].pointers.view, narrow, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS,
                    NULL, NULL));
    ok(stria_astype(&columns, &forms[0].indices.view, narrow, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS,
                    NULL, NULL));
    ok(stria_csr_make(&forms[2], &starts.view, &columns.view, &forms[0].values.view, STRIA_CSR,
                      dense->shape[0], dense->shape[1], 0, NULL));
    for (int i = 0; i < 3; i++) {
        ok(stria_csr_matmul_new(&made, &forms[i], b, exec));
        ok(stria_array_equal(&same, &made.view, &wanted.view, false, NULL));
        assert_true(same && stria_dtype_equal(made.view.dtype, wanted.view.dtype));
    }
    ok(stria_coo_matmul_new(&made, &coo, b, exec));
    ok(stria_array_equal(&same, &made.view, &wanted.view, false, NULL));
    assert_true(same);
    /* Into every second element of memory that is left alone otherwise, backwards. */
    const int64_t room[2] = {2 * made.view.shape[0], made.view.shape[1]};
    ok(stria_zeros(&into, made.view.dtype, made.view.ndim, room));
    ok(stria_slice(&every, &into.view, 0, STRIA_NONE, STRIA_NONE, -2));
    ok(stria_csr_matmul(&every, &forms[0], b, exec));
    ok(stria_array_equal(&same, &every, &wanted.view, false, NULL));
    assert_true(same);
    ok(stria_coo_matmul(&every, &coo, b, exec));
    ok(stria_array_equal(&same, &every, &wanted.view, false, NULL));
    assert_true(same);
    stria_array *const all[] = {&wanted, &made, &into, &compressed, &starts, &columns};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stria_array_release(all[i]);
    for (int i = 0; i < 3; i++)
        stria_csr_release(&forms[i]);
    stria_csr_release(&across);
    stria_coo_release(&coo);
    stria_coo_release(&doubled);
}

TEST(test_dtypes_and_layouts)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_C64, STRIA_C128,
                                       STRIA_I32, STRIA_U8,  STRIA_F16};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int columns = 1; columns <= WIDE; columns += 5) {
            RELEASED stria_array a = {0}, b = {0};
            stria_view view;
            fill(&a, kinds[k], 2, ROWS, COLUMNS, true);
            fill(&b, kinds[k == 0], 2, COLUMNS, columns, false);
            check_all(&a.view, &b.view, NULL);
            ok(stria_select(&view, &b.view, 1, columns - 1));
            check_all(&a.view, &view, NULL); /* a vector with gaps */
            ok(stria_slice(&view, &b.view, 0, STRIA_NONE, STRIA_NONE, -1));
            check_all(&a.view, &view, NULL);
        }
}

/* Threads give the bits of one thread: rows that are empty, long, and many. */
TEST(test_threads)
{
    RELEASED stria_array a = {0}, b = {0};
    fill(&a, STRIA_F64, 2, 900, 700, true);
    fill(&b, STRIA_F64, 2, 700, 2, false);
    for (int threads = 1; threads < 4; threads++)
        check_all(&a.view, &b.view, &(stria_exec){.threads = threads});
}

TEST(test_sums_and_overlap)
{
    float values[4] = {1, 2, 3, 4}, x[3] = {10, 20, 30};
    const stria_view b = view_of(x, STRIA_F32, 1, (int64_t[]){3}),
                     out = view_of(x, STRIA_F32, 1, (int64_t[]){2});
    stria_coo a = example(values); /* not coalesced: two entries are at (0, 2) */
    stria_array made = {0};
    ok(stria_coo_matmul_new(&made, &a, &b, NULL));
    assert_f32(&made.view, 2, (float[]){150, 110});
    refused(stria_coo_matmul(&out, &a, &b, &(stria_exec){.hints = STRIA_NO_OVERLAP}),
            STRIA_ERR_OVERLAP, "out and b");
    ok(stria_coo_matmul(&out, &a, &b, NULL));
    assert_f32(&out, 2, (float[]){150, 110});
    stria_array_release(&made);
    stria_coo_release(&a);
}

TEST(test_empty)
{
    stria_array a = {0}, b = {0}, c = {0};
    stria_coo coo = {0};
    fill(&a, STRIA_F32, 2, 3, 4, false);
    ok(stria_fill_item(&a.view, &(float){0}, NULL));
    fill(&b, STRIA_F32, 2, 4, 2, false);
    check_all(&a.view, &b.view, NULL);
    ok(stria_zeros(&c, stria_dtype_of(STRIA_F32), 2, (int64_t[]){4, 0}));
    check_all(&a.view, &c.view, NULL);
    stria_array_release(&a);
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F32), 2, (int64_t[]){0, 4}));
    check_all(&a.view, &b.view, NULL);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&c);
    stria_coo_release(&coo);
}

TEST(test_refusals)
{
    float values[4] = {1, 2, 3, 4}, x[8] = {0};
    int64_t starts[3] = {0, 1, 2}, columns[2] = {0, 7}, wild[3] = {0, 9, 2};
    const stria_view v = view_of(values, STRIA_F32, 1, (int64_t[]){2}),
                     b = view_of(x, STRIA_F32, 1, (int64_t[]){3}),
                     two = view_of(x, STRIA_F32, 1, (int64_t[]){2}),
                     cube = view_of(x, STRIA_F32, 3, (int64_t[]){3, 1, 1}),
                     dates = view_of(x, STRIA_I64, 1, (int64_t[]){3}), s = list_of(starts, 3),
                     w = list_of(wild, 3), c = list_of(columns, 2),
                     dense = view_of(values, STRIA_F32, 2, (int64_t[]){2, 2});
    stria_view times = dates;
    stria_array made = {0};
    stria_coo coo = example(values), line = {0};
    stria_csr csr = {0}, deep = {0}, odd = {0};
    times.dtype.kind = STRIA_DATETIME;
    ok(stria_csr_make(&csr, &s, &c, &v, STRIA_CSR, 2, 3, STRIA_SPARSE_TRUSTED, NULL));
    refused(stria_csr_matmul_new(&made, &csr, &b, NULL), STRIA_ERR_INDEX, "3 columns");
    ok(stria_csr_make(&odd, &w, &c, &v, STRIA_CSR, 2, 3, STRIA_SPARSE_TRUSTED, NULL));
    refused(stria_csr_matmul_new(&made, &odd, &b, NULL), STRIA_ERR_INDEX, "2 rows");
    refused(stria_csr_matmul_new(&made, &csr, &two, NULL), STRIA_ERR_SHAPE, "3 columns of a");
    refused(stria_csr_matmul_new(&made, &csr, &cube, NULL), STRIA_ERR_SHAPE, "vector or matrix");
    refused(stria_coo_matmul_new(&made, &coo, &times, NULL), STRIA_ERR_DTYPE, "b is");
    refused(stria_coo_matmul(&b, &coo, &b, NULL), STRIA_ERR_SHAPE, "out has shape (3,)");
    ok(stria_csr_make(&deep, &s, &c, &dense, STRIA_CSR, 2, 8, 0, NULL));
    refused(stria_csr_matmul_new(&made, &deep, &b, NULL), STRIA_ERR_SHAPE, "1 dense");
    ok(stria_coo_from_dense(&line, &dense, 1, NULL));
    refused(stria_coo_matmul_new(&made, &line, &two, NULL), STRIA_ERR_SHAPE, "1 sparse dims");
    refused(stria_csr_matmul_new(NULL, &csr, &b, NULL), STRIA_ERR_ARGUMENT, "NULL");
    stria_coo_release(&coo);
    stria_coo_release(&line);
    stria_csr_release(&csr);
    stria_csr_release(&deep);
    stria_csr_release(&odd);
}

TEST_MAIN(NULL, NULL)
