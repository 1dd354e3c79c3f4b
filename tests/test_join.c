/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins and repetitions against their definitions by index: every test walks the result's indices
 * and computes the input and element from which each must come.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/test.h"

TEST(cat_and_stack)
{
    stria_array a = COUNTING(0, 2, 3, 4), b = COUNTING(100, 2, 5, 4), none = COUNTING(0, 0),
                out = {0};
    const stria_view *views[] = {&none.view, &a.view, &b.view};
    ok(stria_cat_new(&out, 3, views, -2, NULL));
    ASSERT_DENSE(&out, 2, 8, 4);
    int64_t i[3] = {0};
    do {
        const int64_t from[] = {i[0], i[1] < 3 ? i[1] : i[1] - 3, i[2]};
        assert_int_equal(at(&out.view, i), at(i[1] < 3 ? &a.view : &b.view, from));
    } while (next(i, &out.view));
    stria_array_release(&out);

    assert_int_equal(stria_cat_new(&out, 2, views + 1, 0, NULL), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(2, 5, 4)"));
    assert_int_equal(stria_cat_new(&out, 2, views + 1, 3, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_cat_new(&out, 0, views, 0, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_stack_new(&out, 2, views + 1, 0, NULL), STRIA_ERR_SHAPE);

    stria_array c = COUNTING(500, 2, 3, 4);
    views[2] = &c.view;
    for (int dim = -4; dim < 4; dim++) {
        ok(stria_stack_new(&out, 2, views + 1, dim, NULL));
        const int along = dim < 0 ? dim + 4 : dim;
        assert_int_equal(out.view.shape[along], 2);
        int64_t k[4] = {0};
        do {
            int64_t from[3];
            for (int d = 0, n = 0; d < 4; d++)
                if (d != along) from[n++] = k[d];
            assert_int_equal(at(&out.view, k), at(k[along] ? &c.view : &a.view, from));
        } while (next(k, &out.view));
        stria_array_release(&out);
    }
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&c);
    stria_array_release(&none);
}

TEST(channels_last_stays)
{
    stria_array a = {0}, b = COUNTING(0, 2, 3, 4, 5), out = {0};
    ok(stria_contiguous(&a, &b.view, STRIA_ORDER_CHANNELS_LAST, NULL, NULL));
    const stria_view *both[] = {&a.view, &a.view};
    ok(stria_cat_new(&out, 2, both, 1, NULL));
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_CHANNELS_LAST));
    assert_int_equal(at(&out.view, (int64_t[]){1, 4, 2, 3}), at(&b.view, (int64_t[]){1, 1, 2, 3}));
    stria_array_release(&out);
    ok(stria_stack_new(&out, 2, both, 0, NULL)); /* each part stays */
    stria_view part;
    ok(stria_select(&part, &out.view, 0, 1));
    assert_true(stria_is_contiguous(&part, STRIA_ORDER_CHANNELS_LAST));
    assert_int_equal(at(&part, (int64_t[]){1, 2, 3, 4}), at(&b.view, (int64_t[]){1, 2, 3, 4}));
    stria_array_release(&out);
    for (int64_t by = 0; by <= 1; by++) {
        ok(stria_roll_new(&out, &a.view, 1, &by, (int[]){3}, NULL));
        assert_true(stria_is_contiguous(&out.view, by ? STRIA_ORDER_CHANNELS_LAST : STRIA_ORDER_C));
        stria_array_release(&out);
    }
    both[1] = &b.view;
    ok(stria_cat_new(&out, 2, both, 1, NULL));
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_C));
    stria_array_release(&out);
    stria_array_release(&a);
    stria_array_release(&b);
}

TEST(stacks_of_low_rank)
{
    stria_array row = COUNTING(0, 3), other = COUNTING(10, 3), m = COUNTING(20, 2, 3), out = {0};
    const stria_view *rows[] = {&row.view, &other.view}, *mixed[] = {&row.view, &m.view};
    ok(stria_hstack_new(&out, 2, rows, NULL));
    ASSERT_DENSE(&out, 6);
    assert_int_equal(at(&out.view, (int64_t[]){4}), 11);
    stria_array_release(&out);
    ok(stria_vstack_new(&out, 2, mixed, NULL));
    ASSERT_DENSE(&out, 3, 3);
    assert_int_equal(at(&out.view, (int64_t[]){2, 1}), at(&m.view, (int64_t[]){1, 1}));
    stria_array_release(&out);
    ok(stria_dstack_new(&out, 2, rows, NULL));
    ASSERT_DENSE(&out, 1, 3, 2);
    assert_int_equal(at(&out.view, (int64_t[]){0, 2, 1}), 12);
    stria_array_release(&out);
    ok(stria_column_stack_new(&out, 2, rows, NULL));
    ASSERT_DENSE(&out, 3, 2);
    assert_int_equal(at(&out.view, (int64_t[]){2, 1}), 12);
    stria_array_release(&out);
    ok(stria_block_diag_new(&out, 2, mixed, NULL));
    ASSERT_DENSE(&out, 3, 6);
    int64_t i[2] = {0};
    do {
        int32_t want = 0;
        if (i[0] == 0 && i[1] < 3) want = at(&row.view, (int64_t[]){i[1]});
        if (i[0] > 0 && i[1] >= 3) want = at(&m.view, (int64_t[]){i[0] - 1, i[1] - 3});
        assert_int_equal(at(&out.view, i), want);
    } while (next(i, &out.view));
    stria_array_release(&out);
    stria_array_release(&row);
    stria_array_release(&other);
    stria_array_release(&m);
}

TEST(repetitions)
{
    stria_array a = COUNTING(0, 3, 4), out = {0};
    const int64_t times[] = {2, 3, 5};
    ok(stria_repeat_new(&out, &a.view, 3, times, NULL));
    ASSERT_DENSE(&out, 2, 9, 20);
    int64_t i[3] = {0};
    do
        assert_int_equal(at(&out.view, i), at(&a.view, (int64_t[]){i[1] % 3, i[2] % 4}));
    while (next(i, &out.view));
    stria_array_release(&out);

    assert_int_equal(stria_repeat_new(&out, &a.view, 1, times, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_repeat_new(&out, &a.view, 2, (int64_t[]){1, -1}, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_repeat_new(&out, &a.view, 2, (int64_t[]){1, INT64_MAX}, NULL),
                     STRIA_ERR_OVERFLOW);
    ok(stria_tile_new(&out, &a.view, 1, times, NULL));
    ASSERT_DENSE(&out, 3, 8);
    stria_array_release(&out);
    ok(stria_tile_new(&out, &a.view, 2, (int64_t[]){0, 2}, NULL));
    ASSERT_DENSE(&out, 0, 8);
    stria_array_release(&out);

    for (int dim = 0; dim < 2; dim++) {
        ok(stria_repeat_interleave_new(&out, &a.view, 3, dim, NULL));
        int64_t k[2] = {0};
        do {
            int64_t from[] = {k[0], k[1]};
            from[dim] /= 3;
            assert_int_equal(at(&out.view, k), at(&a.view, from));
        } while (next(k, &out.view));
        assert_int_equal(out.view.shape[dim], 3 * a.view.shape[dim]);
        stria_array_release(&out);
    }
    stria_array_release(&a);
}

TEST(rolls)
{
    stria_array a = COUNTING(0, 3, 4, 5), out = {0};
    const int dims[] = {0, -1, 0};
    const int64_t shifts[] = {1, -7, 4};
    ok(stria_roll_new(&out, &a.view, 3, shifts, dims, NULL));
    ASSERT_DENSE(&out, 3, 4, 5);
    int64_t i[3] = {0};
    do {
        const int64_t from[] = {(i[0] + 30 - 5) % 3, i[1], (i[2] + 7) % 5};
        assert_int_equal(at(&out.view, i), at(&a.view, from));
    } while (next(i, &out.view));
    stria_array_release(&out);

    ok(stria_roll_new(&out, &a.view, 1, (int64_t[]){INT64_MIN}, NULL, NULL));
    const int64_t shift = ((INT64_MIN % 60) + 60) % 60;
    memset(i, 0, sizeof i);
    do {
        const int64_t flat = ((i[0] * 4 + i[1]) * 5 + i[2] - shift + 60) % 60;
        const int64_t from[] = {flat / 20, flat / 5 % 4, flat % 5};
        assert_int_equal(at(&out.view, i), at(&a.view, from));
    } while (next(i, &out.view));
    stria_array_release(&out);
    /* Two shifts of a dim, each nearly its size, add up beyond 64 bits. */
    stria_array one = COUNTING(0, 1), same = {0};
    stria_view wide;
    ok(stria_expand(&wide, &one.view, 1, (int64_t[]){INT64_MAX}));
    assert_int_not_equal(stria_roll_new(&same, &wide, 2, (int64_t[]){-1, -1}, (int[]){0, 0}, NULL),
                         STRIA_OK);
    stria_array_release(&one);
    assert_int_equal(stria_roll_new(&out, &a.view, 2, shifts, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_roll_new(&out, &a.view, 1, shifts, (int[]){3}, NULL), STRIA_ERR_DIM);
    stria_array_release(&a);
}

TEST(triangles)
{
    stria_array a = COUNTING(1, 2, 3, 4), out = {0};
    const int64_t ks[] = {INT64_MIN, -3, -1, 0, 1, 3, 4, INT64_MAX};
    for (size_t n = 0; n < sizeof ks / sizeof *ks; n++)
        for (int upper = 0; upper < 2; upper++) {
            const int64_t k = ks[n] < -100 ? -100 : ks[n] > 100 ? 100 : ks[n];
            ok(upper ? stria_triu_new(&out, &a.view, ks[n], NULL)
                     : stria_tril_new(&out, &a.view, ks[n], NULL));
            int64_t i[3] = {0};
            do {
                const bool kept = upper ? i[2] - i[1] >= k : i[2] - i[1] <= k;
                assert_int_equal(at(&out.view, i), kept ? at(&a.view, i) : 0);
            } while (next(i, &out.view));
            stria_array_release(&out);
        }
    stria_array row = COUNTING(1, 3);
    assert_int_equal(stria_tril_new(&out, &row.view, 0, NULL), STRIA_ERR_SHAPE);
    stria_array_release(&row);
    stria_array_release(&a);
}

static void check_triangles(const stria_view *a)
{
    for (int64_t k = -3; k <= 40; k += k < 2 ? 1 : 13)
        for (int upper = 0; upper < 2; upper++) {
            RELEASED stria_array out = {0};
            ok(upper ? stria_triu_new(&out, a, k, NULL) : stria_tril_new(&out, a, k, NULL));
            int64_t i[3] = {0};
            do {
                const bool kept = upper ? i[2] - i[1] >= k : i[2] - i[1] <= k;
                assert_int_equal(at(&out.view, i), kept ? at(a, i) : 0);
            } while (next(i, &out.view));
        }
}

/* Small matrices and large ones, mostly crossed by the diagonal or not, dense along rows or not. */
TEST(triangles_of_any_layout)
{
    static const int64_t shapes[][3] = {{3, 5, 7},  {2, 40, 3},   {2, 3, 40},
                                        {1, 50, 1}, {2, 150, 90}, {1, 90, 300}};
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        stria_array a = counting(1, 3, shapes[n]), dense = {0};
        stria_view half;
        check_triangles(&a.view); /* dense along dim 0 */
        ok(stria_clone_ordered_new(&dense, &a.view, STRIA_ORDER_C, NULL));
        check_triangles(&dense.view);
        ok(stria_slice(&half, &dense.view, 1, 0, shapes[n][1], 2));
        check_triangles(&half);
        ok(stria_flip(&half, &dense.view, 1, (int[]){2}));
        check_triangles(&half);
        stria_array_release(&dense);
        stria_array_release(&a);
    }
}

/* Elements that are kept are converted or conjugated. */
TEST(triangles_of_other_items)
{
    int16_t swapped[2][2] = {{1, 2}, {3, 4}};
    float complex_[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    stria_view a = OF(swapped, I16, 2, 2), b = OF(complex_, C64, 2, 2);
    stria_array out = {0};
    a.dtype = stria_dtype_swap(a.dtype);
    ok(stria_tril_new(&out, &a, 0, NULL));
    assert_memory_equal(out.view.data, ((int16_t[]){0x100, 0, 0x300, 0x400}), 8);
    stria_array_release(&out);
    ok(stria_conj(&b, &b));
    ok(stria_triu_new(&out, &b, 0, NULL));
    assert_memory_equal(out.view.data, ((float[]){1, -2, 3, -4, 0, 0, 7, -8}), 32);
    stria_array_release(&out);
}

TEST(diagonals)
{
    stria_array a = COUNTING(1, 2, 3), row = COUNTING(1, 3), out = {0};
    for (int64_t k = -2; k <= 2; k++) {
        const int64_t away = k < 0 ? -k : k;
        ok(stria_diag_embed_new(&out, &a.view, k, -1, 0, NULL));
        ASSERT_DENSE(&out, 3 + away, 2, 3 + away);
        int64_t i[3] = {0};
        do {
            const bool on = i[0] - i[2] == k; /* dim1 is the last, dim2 the first */
            const int64_t from[] = {i[1], k < 0 ? i[0] : i[2]};
            assert_int_equal(at(&out.view, i), on ? at(&a.view, from) : 0);
        } while (next(i, &out.view));
        stria_array_release(&out);
        ok(stria_diag_new(&out, &row.view, k, NULL));
        ASSERT_DENSE(&out, 3 + away, 3 + away);
        stria_array_release(&out);
    }
    ok(stria_diag_new(&out, &a.view, 1, NULL));
    ASSERT_DENSE(&out, 2);
    assert_int_equal(at(&out.view, (int64_t[]){1}), at(&a.view, (int64_t[]){1, 2}));
    stria_array_release(&out);
    assert_int_equal(stria_diag_embed_new(&out, &a.view, 0, 1, -2, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_diag_embed_new(&out, &a.view, INT64_MIN, 0, 1, NULL),
                     STRIA_ERR_OVERFLOW);
    stria_array_release(&row);
    stria_array_release(&a);
}

/* Joined elements are in native byte order, as in NumPy; those that only move keep their own. */
TEST(byte_orders)
{
    const stria_dtype i32 = stria_dtype_of(STRIA_I32), swapped = stria_dtype_swap(i32);
    const int32_t items[] = {1, 0x01020304};
    stria_view a;
    stria_array out = {0};
    ok(stria_view_foreign(&a, (void *)(uintptr_t)items, swapped, 1, (int64_t[]){2}, NULL,
                          STRIA_READONLY));
    const stria_view *twice[] = {&a, &a};
    for (int n = 1; n <= 2; n++) {
        ok(stria_cat_new(&out, n, twice, 0, NULL));
        assert_true(stria_dtype_equal(out.view.dtype, i32));
        assert_int_equal(at(&out.view, (int64_t[]){2 * n - 2}), 0x01000000);
        assert_int_equal(at(&out.view, (int64_t[]){2 * n - 1}), 0x04030201);
        stria_array_release(&out);
    }
    ok(stria_stack_new(&out, 2, twice, 0, NULL));
    assert_true(stria_dtype_equal(out.view.dtype, i32));
    stria_array_release(&out);
    ok(stria_roll_new(&out, &a, 1, (int64_t[]){1}, NULL, NULL));
    assert_true(stria_dtype_equal(out.view.dtype, swapped));
    assert_int_equal(at(&out.view, (int64_t[]){1}), 1);
    stria_array_release(&out);
}

/* With meta buffers everything is described and nothing moves. */
TEST(without_memory)
{
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    stria_buffer *buffer;
    stria_view a;
    stria_array out = {0};
    const int64_t shape[] = {1 << 20, 1 << 20};
    ok(stria_buffer_meta(&buffer, (int64_t)1 << 40));
    ok(stria_view_make(&a, buffer, stria_dtype_of(STRIA_U8), 2, shape, NULL, 0));
    const stria_view *twice[] = {&a, &a};
    ok(stria_cat_new(&out, 2, twice, 1, NULL));
    assert_true(stria_buffer_is_meta(out.owned));
    ASSERT_DENSE(&out, 1 << 20, 2 << 20);
    stria_array_release(&out);
    ok(stria_roll_new(&out, &a, 1, shape, NULL, NULL));
    stria_array_release(&out);
    ok(stria_block_diag_new(&out, 2, twice, NULL));
    stria_array_release(&out);

    /* rows without elements take no time */
    const int64_t high[] = {(int64_t)1 << 39, 2}, empty[] = {INT64_MAX, 0};
    ok(stria_view_make(&a, buffer, stria_dtype_of(STRIA_U8), 2, high, NULL, 0));
    ok(stria_triu_new(&out, &a, 1, NULL));
    assert_true(stria_buffer_is_meta(out.owned));
    stria_array_release(&out);
    ok(stria_view_foreign(&a, &a, stria_dtype_of(STRIA_U8), 2, empty, NULL, 0));
    ok(stria_tril_new(&out, &a, 0, NULL));
    assert_int_equal(out.view.shape[0], INT64_MAX);
    stria_array_release(&out);
    stria_buffer_release(buffer);
}

/* Joins into views that exist, which may overlap the inputs; with a dtype, and by NumPy's rule. */
TEST(into_views_and_dtypes)
{
    int64_t whole[] = {1, 2, 3, 4, 5, 6};
    uint16_t half[] = {0x3C00, 0xC000}; /* 1, -2 */
    float real[4], wanted[] = {1, 2, 1, -2};
    const int64_t two = 2, four = 4, square[] = {2, 2};
    stria_view a, b, to, parts;
    stria_array made = {0};
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    ok(stria_view_foreign(&a, whole, stria_dtype_of(STRIA_I64), 1, &two, NULL, 0));
    ok(stria_view_foreign(&b, half, stria_dtype_of(STRIA_F16), 1, &two, NULL, 0));
    ok(stria_view_foreign(&to, real, f32, 1, &four, NULL, 0));
    ok(stria_view_foreign(&parts, real, f32, 2, square, NULL, 0));
    const stria_view *const both[] = {&a, &b};
    ok(stria_cat(&to, 2, both, 0, NULL));
    assert_memory_equal(real, wanted, sizeof real);
    memset(real, 0, sizeof real);
    ok(stria_stack(&parts, 2, both, 0, NULL));
    assert_memory_equal(real, wanted, sizeof real);
    ok(stria_cat_as_new(&made, 2, both, 0, NULL, STRIA_PROMOTE_NUMPY, NULL));
    assert_int_equal(made.view.dtype.kind, STRIA_F64);
    ok(stria_stack_as_new(&made, 2, both, 1, &f32, STRIA_PROMOTE_TORCH, NULL));
    assert_true(made.view.dtype.kind == STRIA_F32 && made.view.shape[1] == 2);
    stria_array_release(&made);

    /* 5 6 1 2 over 1 2 3 4 */
    stria_view out = a, last = a;
    out.shape[0] = 4;
    last.data += 4 * sizeof *whole;
    const stria_view *const turned[] = {&last, &a};
    ok(stria_cat(&out, 2, turned, 0, NULL));
    assert_true(whole[0] == 5 && whole[1] == 6 && whole[2] == 1 && whole[3] == 2);
    assert_int_equal(stria_cat(&a, 2, both, 0, NULL), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "out has shape (2,), the result has (4,)"));
    assert_int_equal(stria_cat(&out, 2, both, 0, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_cat_as_new(&made, 2, both, 0, NULL, (stria_promotion)9, NULL),
                     STRIA_ERR_ARGUMENT);
}

/* ---- into views of any strides, of another dtype, and over the input ------------------------- */

static const int64_t two[] = {2, 1}, by[] = {3, -1};
static const int both_dims[] = {0, 1};
#define TWICE                                                                                      \
    2, (const stria_view *[])                                                                      \
    {                                                                                              \
        a, a                                                                                       \
    }
#define FORMS(X)                                                                                   \
    X(hstack, TWICE, NULL)                                                                         \
    X(vstack, TWICE, NULL)                                                                         \
    X(dstack, TWICE, NULL)                                                                         \
    X(column_stack, TWICE, NULL)                                                                   \
    X(block_diag, TWICE, NULL)                                                                     \
    X(stack, TWICE, 1, NULL)                                                                       \
    X(cat, TWICE, 1, NULL)                                                                         \
    X(repeat, a, 2, two, NULL)                                                                     \
    X(tile, a, 1, two, NULL)                                                                       \
    X(repeat_interleave, a, 3, 1, NULL)                                                            \
    X(roll, a, 1, by, NULL, NULL)                                                                  \
    X(roll, a, 2, by, both_dims, NULL)                                                             \
    X(tril, a, 1, NULL)                                                                            \
    X(triu, a, -1, NULL)                                                                           \
    X(diag_embed, a, 1, 2, 0, NULL)                                                                \
    X(diag, a, -1, NULL)                                                                           \
    X(trace, a, NULL)
#define PLACES 17

static stria_status call_form(int which, const stria_view *out, stria_array *made,
                              const stria_view *a)
{
    int at = 0;
#define X(name, ...)                                                                               \
    if (at++ == which)                                                                             \
        return out ? stria_##name(out, __VA_ARGS__) : stria_##name##_new(made, __VA_ARGS__);
    FORMS(X)
#undef X
    return STRIA_ERR_ARGUMENT;
}

TEST(test_forms_into_views)
{
    for (int which = 0; which < PLACES; which++) {
        RELEASED stria_array base = {0}, made = {0}, wide = {0}, back = {0}, over = {0},
                             memory = {0};
        stria_view a, out, tall;
        bool same = false;
        ok(stria_arange_i64(&base, stria_dtype_of(STRIA_F32), 1, 21, 1, NULL));
        ok(stria_view_shape(&a, &base.view, 2, (int64_t[]){4, 5}));
        ok(call_form(which, NULL, &made, &a));
        refused(call_form(which, NULL, NULL, &a), STRIA_ERR_ARGUMENT, "NULL");

        /* Every second element of a larger array of f64, back to front along the first dim. */
        int64_t shape[STRIA_MAX_NDIM];
        const int ndim = made.view.ndim;
        for (int d = 0; d < ndim; d++)
            shape[d] = made.view.shape[d] * 2;
        ok(stria_zeros(&wide, stria_dtype_of(STRIA_F64), ndim, shape));
        out = wide.view;
        for (int d = 0; d < ndim; d++)
            ok(stria_slice(&out, &out, d, STRIA_NONE, STRIA_NONE, d ? 2 : -2));
        ok(call_form(which, &out, NULL, &a));
        ok(stria_astype(&back, &out, stria_dtype_of(STRIA_F32), STRIA_CAST_SAME_KIND,
                        STRIA_COPY_ALWAYS, NULL, NULL));
        ok(stria_array_equal(&same, &back.view, &made.view, false, NULL));
        assert_true(same);

        /* The output begins where the input does. */
        const int64_t all = stria_numel(&made.view) + 20;
        ok(stria_zeros(&memory, stria_dtype_of(STRIA_F32), 1, &all));
        ok(stria_narrow(&tall, &memory.view, 0, 0, 20));
        ok(stria_view_shape(&tall, &tall, 2, (int64_t[]){4, 5}));
        ok(stria_copy(&tall, &a, NULL));
        ok(stria_narrow(&out, &memory.view, 0, 0, all - 20));
        ok(stria_view_shape(&out, &out, ndim, made.view.shape));
        ok(call_form(which, &out, NULL, &tall));
        ok(stria_array_equal(&same, &out, &made.view, false, NULL));
        assert_true(same);

        /* Nothing changes where it is refused. */
        ok(stria_clone_new(&over, &out, NULL));
        out.flags |= STRIA_READONLY;
        refused(call_form(which, &out, NULL, &a), STRIA_ERR_READONLY, "");
        ok(stria_array_equal(&same, &out, &over.view, false, NULL));
        assert_true(same);
        refused(call_form(which, &base.view, NULL, &a), STRIA_ERR_SHAPE, "out has shape");
    }
}

TEST_MAIN(NULL, NULL)
