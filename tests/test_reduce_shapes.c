/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every reduction and scan of every dtype over unusual views: without dims, of single elements, of
 * 64 dims, repeated with strides of 0, in the other byte order, empty. They give the bits, or the
 * refusal, of a dense copy in native order.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

static int8_t numbers[] = {3, 1, 2, 0, 2, 1};

/* Makes an array of 2 x 3 of a dtype, in either byte order. */
static void make(stria_array *out, stria_kind kind, bool swapped)
{
    stria_dtype dtype = stria_dtype_of(kind);
    stria_view small;
    dtype.swapped = swapped && dtype.itemsize > 1;
    ok(stria_view_foreign(&small, numbers, stria_dtype_of(STRIA_I8), 2, (int64_t[]){2, 3}, NULL,
                          0));
    ok(stria_empty(out, dtype, 2, (int64_t[]){2, 3}));
    ok(stria_copy(&out->view, &small, NULL));
}

/* Runs a reduction, or, from STRIA_REDUCTIONS on, a scan along the first of the dims. */
static stria_status run(stria_array *made, int op, const stria_view *a, int count, const int *dims)
{
    const stria_reduce_options options = {.ddof = 1, .p = 2};
    if (op < STRIA_REDUCTIONS)
        return stria_reduce_dims_new(made, (stria_reduction)op, a, count, dims, &options, NULL);
    return stria_scan_dim_new(made, (stria_scan)(op - STRIA_REDUCTIONS), a, dims[0], NULL, NULL);
}

static void check(int op, const stria_view *a, int count, const int *dims)
{
    RELEASED stria_array dense = {0}, got = {0}, want = {0};
    ok(stria_empty(&dense, stria_dtype_of((stria_kind)a->dtype.kind), a->ndim, a->shape));
    ok(stria_copy(&dense.view, a, NULL));
    const stria_status expected = run(&want, op, &dense.view, count, dims),
                       status = run(&got, op, a, count, dims);
    assert_int_equal(status, expected);
    bool equal = true;
    if (status == STRIA_OK) {
        RELEASED stria_array other = {0};
        ok(stria_clone_ordered_new(&other, &got.view, STRIA_ORDER_C, NULL));
        const size_t bytes = (size_t)stria_nbytes(&want.view);
        equal = stria_nbytes(&other.view) == (int64_t)bytes &&
                (bytes == 0 || memcmp(other.view.data, want.view.data, bytes) == 0);
    }
    if (!equal)
        fail_msg("%s of kind %d in %d dims differs",
                 op < STRIA_REDUCTIONS ? stria_reduction_name((stria_reduction)op)
                                       : stria_scan_name((stria_scan)(op - STRIA_REDUCTIONS)),
                 (int)a->dtype.kind, (int)a->ndim);
}

/* Checks the first dim, the last one, and all. */
static void check_dims(const stria_view *a)
{
    for (int op = 0; op < (int)STRIA_REDUCTIONS + (int)STRIA_SCANS; op++) {
        check(op, a, 1, (int[]){0});
        check(op, a, 1, (int[]){-1});
        check(op, a, STRIA_ALL_DIMS, (int[]){0});
    }
}

static void check_kind(stria_kind kind, bool swapped)
{
    RELEASED stria_array a = {0};
    stria_view v;
    int64_t shape[STRIA_MAX_NDIM];
    make(&a, kind, swapped);
    check_dims(&a.view);
    ok(stria_select(&v, &a.view, 0, 1));
    ok(stria_select(&v, &v, 0, 2));
    check_dims(&v); /* no dims */
    ok(stria_view_shape(&v, &v, 3, (int64_t[]){1, 1, 1}));
    check_dims(&v);
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        shape[d] = d == 0 ? 2 : d == STRIA_MAX_NDIM - 1 ? 3 : 1;
    ok(stria_view_shape(&v, &a.view, STRIA_MAX_NDIM, shape));
    check_dims(&v);
    ok(stria_broadcast_to(&v, &a.view, 3, (int64_t[]){300, 2, 3}));
    check_dims(&v);
    ok(stria_narrow(&v, &a.view, 0, 1, 0));
    check_dims(&v);
}

TEST(test_shapes)
{
    for (int kind = 0; kind <= STRIA_C128; kind++) {
        check_kind((stria_kind)kind, false);
        check_kind((stria_kind)kind, true);
    }
}

TEST_MAIN(NULL, NULL)
