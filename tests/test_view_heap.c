/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views do not allocate: every view function runs, on views of 1 and of 8 dims, while the process's
 * allocations are counted; refusals, too, with their messages.
 */
#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/heap.h"
#include "support/by_value.h"
#include "support/test.h"

static stria_view a, b, c, d; /* float, complex, pairs of floats, and records of two floats */
static stria_view out[16];

static const int dims[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
static const int64_t all[] = {-1};

static void count(const char *name, stria_status status)
{
    if (status != STRIA_OK) fail_msg("%s: %s", name, stria_last_error());
}

#define RUN(call) count(#call, call)

/* New owners of the same memory: a reference is counted, nothing is allocated. */
static void run_owners(void)
{
    static stria_array owner;
    RUN(stria_reshape(&owner, &a, 1, all, STRIA_COPY_NEVER, NULL, NULL));
    stria_array_release(&owner);
    RUN(stria_contiguous(&owner, &a, STRIA_ORDER_C, NULL, NULL));
    stria_array_release(&owner);
}

static void run_views(void)
{
    const int n = a.ndim;
    int64_t pieces, offset;
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    const stria_view *const views[] = {&a, &a};
    const stria_index_item items[] = {
        {.kind = STRIA_INDEX_NEWAXIS},
        {.kind = STRIA_INDEX_ELLIPSIS},
        {.kind = STRIA_INDEX_SLICE, .start = STRIA_NONE, .stop = STRIA_NONE, .step = -1}};
    stria_view vector;
    RUN(stria_view_make(out, a.buffer, a.dtype, n, a.shape, a.strides, 0));
    RUN(stria_view_make(out, a.buffer, a.dtype, n, a.shape, NULL, 0));
    RUN(stria_view_foreign(out, a.data, a.dtype, n, a.shape, NULL, 0));
    RUN(stria_permute(out, &a, n, dims));
    RUN(stria_transpose(out, &a, 0, -1));
    RUN(stria_reverse_dims(out, &a));
    RUN(stria_movedim(out, &a, 1, dims, dims + n - 1));
    RUN(stria_rollaxis(out, &a, n - 1, 0));
    RUN(stria_view_shape(out, &a, 1, all));
    RUN(stria_view_shape_order(out, &out[0], 1, all, STRIA_ORDER_F));
    RUN(stria_view_as(out, &a, &a));
    RUN(stria_ravel(out, &a, STRIA_ORDER_K));
    RUN(stria_flatten(out, &a, 0, -1));
    RUN(stria_unflatten(out, &a, 0, 2, (const int64_t[]){-1, 1}));
    RUN(stria_squeeze(out, &a));
    RUN(stria_squeeze_dims(out, &a, 1, dims, false));
    RUN(stria_unsqueeze(out, &a, 0));
    RUN(stria_expand_dims(out, &a, 2, dims));
    RUN(stria_atleast_1d(out, &a));
    RUN(stria_atleast_2d(out, &a));
    RUN(stria_atleast_3d(out, &a));
    RUN(stria_index(out, &a, 3, items));
    RUN(stria_select(&vector, &a, 0, -1));
    RUN(stria_narrow(out, &a, 0, 1, 1));
    RUN(stria_slice(&vector, &a, 0, 0, 1, 1));
    RUN(stria_expand(out, &vector, n, a.shape));
    RUN(stria_expand_as(out, &vector, &a));
    RUN(stria_broadcast_to(out, &vector, n, a.shape));
    RUN(stria_broadcast_shape(&ndim, shape, 2, views));
    RUN(stria_broadcast_tensors(out, 2, views));
    RUN(stria_flip(out, &a, n, dims));
    RUN(stria_flipud(out, &a));
    RUN(stria_unfold(out, &a, 0, 2, 1));
    RUN(stria_sliding_window_view(out, &a, 1, ones, dims, false));
    RUN(stria_as_strided(out, &a, n, a.shape, a.strides, 0));
    RUN(stria_as_strided_from(out, &a, n, a.shape, a.strides, 0));
    RUN(stria_split(out, 16, &pieces, &a, 1, 0));
    RUN(stria_split_sizes(out, 16, &pieces, &a, 1, a.shape, 0));
    RUN(stria_chunk(out, 16, &pieces, &a, 2, 0));
    RUN(stria_unbind(out, 16, &pieces, &a, 0));
    RUN(stria_tensor_split(out, 16, &pieces, &a, 3, 0));
    RUN(stria_tensor_split_at(out, 16, &pieces, &a, 1, ones, 0));
    RUN(stria_split_equal(out, 16, &pieces, &a, 2, 0));
    RUN(stria_hsplit(out, 16, &pieces, &a, 2));
    RUN(stria_view_dtype(out, &a, stria_dtype_of(STRIA_U8)));
    RUN(stria_view_dtype_dim(out, &a, stria_dtype_of(STRIA_U16), -1));
    RUN(stria_newbyteorder(out, &a));
    RUN(stria_getfield(out, &a, stria_dtype_of(STRIA_U8), 3));
    RUN(stria_real(out, &b));
    RUN(stria_imag(out, &b));
    RUN(stria_conj(out, &b));
    RUN(stria_neg_view(out, &b));
    RUN(stria_view_as_real(out, &b));
    RUN(stria_view_as_complex(out, &c));
    RUN(stria_storage(out, &a));
    RUN(stria_storage_offset(&offset, &a));
    RUN(stria_view_field(out, &d, "im"));
    RUN(stria_view_fields(out, &d));
    RUN(stria_view_dtype(out, &b, d.dtype));
    RUN(stria_hsplit_at(out, 16, &pieces, &a, 1, ones));
    run_owners();
    out[0] = readonly_of(&a);
    if (n >= 3) {
        RUN(stria_dsplit(out, 16, &pieces, &a, 2));
        RUN(stria_dsplit_at(out, 16, &pieces, &a, 1, ones));
    }
    if (n >= 2) {
        RUN(stria_matrix_transpose(out, &a));
        RUN(stria_matrix_adjoint(out, &b));
        RUN(stria_fliplr(out, &a));
        RUN(stria_rot90(out, &a, 1, 0, 1));
        RUN(stria_diagonal(out, &a, 0, 0, 1));
        RUN(stria_vsplit(out, 16, &pieces, &a, 2));
        RUN(stria_vsplit_at(out, 16, &pieces, &a, 1, ones));
    } else {
        RUN(stria_view_as_class(out, &a, STRIA_CLASS_MATRIX));
        RUN(stria_transpose_2d(out, &a));
        RUN(stria_meshgrid(out, 2, views, 0));
    }
}

static void run_questions(void)
{
    volatile int64_t sum = stria_numel(&a) + stria_nbytes(&a) + stria_offset(&a);
    sum += stria_is_contiguous(&a, STRIA_ORDER_C) + stria_is_contiguous(&a, STRIA_ORDER_K);
    sum += stria_is_aligned(&a) + stria_is_writable(&a) + stria_same_view(&a, &b);
    sum += stria_is_view(&a) + stria_retained_bytes(&a) + stria_may_share_memory(&a, &b);
    sum += (int64_t)stria_shares_memory(&a, &b, 1000) + (int64_t)stria_overlaps_itself(&a, 1000);
    (void)sum;
}

static void run_refusals(void)
{
    stria_view turned;
    const int64_t wrong[] = {5, 5};
    RUN(stria_reverse_dims(&turned, &a));
    if (a.ndim > 1) {
        assert_int_equal(stria_view_shape(out, &turned, 1, all), STRIA_ERR_STRIDE);
        assert_int_equal(stria_view_shape_order(out, &a, 1, all, STRIA_ORDER_F), STRIA_ERR_STRIDE);
    }
    assert_int_equal(stria_view_shape(out, &a, 2, wrong), STRIA_ERR_SHAPE);
    assert_int_equal(stria_permute(out, &a, 9, dims), STRIA_ERR_DIM);
    assert_int_equal(stria_select(out, &a, 0, 99), STRIA_ERR_INDEX);
    assert_int_equal(stria_as_strided(out, &a, a.ndim, a.shape, a.strides, 99999),
                     STRIA_ERR_BOUNDS);
}

TEST(test_no_heap)
{
    if (!heap_is_counted()) skip();
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    const stria_field parts[] = {{.name = "re", .dtype = f32, .offset = STRIA_OFFSET_NEXT},
                                 {.name = "im", .dtype = f32, .offset = STRIA_OFFSET_NEXT}};
    stria_dtype pair;
    ok(stria_record_make(&pair, 2, parts, 0, false));
    static const int64_t shapes[][8] = {{2}, {2, 2, 2, 2, 2, 2, 2, 2}};
    for (int k = 0; k < 2; k++) {
        const int ndim = k ? 8 : 1;
        RELEASED stria_array f = {0}, z = {0};
        ok(stria_zeros(&f, stria_dtype_of(STRIA_F32), ndim, shapes[k]));
        ok(stria_zeros(&z, stria_dtype_of(STRIA_C64), ndim, shapes[k]));
        a = f.view;
        b = z.view;
        c = f.view;
        d = z.view;
        d.dtype = pair;
        run_views(); /* runs once before, since a first call may allocate */
        run_questions();
        run_refusals();
        counting_begin(0);
        const int64_t before = heap_calls();
        run_views();
        run_questions();
        run_refusals();
        assert_int_equal(heap_calls(), before);
        assert_int_equal(allocation_counts.calls, 0);
        counting_end();
    }
    stria_dtype_release(pair);
}

TEST_MAIN(NULL, NULL)
