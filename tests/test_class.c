/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Class tags: matrices as numpy.matrix (NumPy 2.4) has them, shapes and strides; record arrays; and
 * that the tag is passed on by every op and changes nothing else.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/by_value.h"
#include "support/test.h"

static char memory[4096];

static stria_view array_of(int ndim, const int64_t *shape)
{
    stria_view v;
    ok(stria_view_foreign(&v, memory, stria_dtype_of(STRIA_I64), ndim, shape, NULL, 0));
    return v;
}

/* np.matrix(np.arange(12).reshape(3, 4)) */
static stria_view matrix(void)
{
    stria_view m = array_of(2, (int64_t[]){3, 4});
    ok(stria_view_as_class(&m, &m, STRIA_CLASS_MATRIX));
    return m;
}

static uint32_t class_of(const stria_view *a)
{
    return a->flags & STRIA_CLASS_MASK;
}

static stria_index_item integer(int64_t index)
{
    return (stria_index_item){.kind = STRIA_INDEX_INT, .start = index};
}

static stria_index_item from(int64_t start)
{
    return (stria_index_item){
        .kind = STRIA_INDEX_SLICE, .start = start, .stop = STRIA_NONE, .step = STRIA_NONE};
}

static stria_index_item newaxis(void)
{
    return (stria_index_item){.kind = STRIA_INDEX_NEWAXIS};
}

static stria_index_item ellipsis(void)
{
    return (stria_index_item){.kind = STRIA_INDEX_ELLIPSIS};
}

/* ---- indexing ------------------------------------------------------------------------------- */

TEST(test_matrix_index)
{
    const struct {
        int count;
        stria_index_item items[4];
        int ndim;
        int64_t shape[3], strides[3]; /* 0 where the size is 1 */
    } cases[] = {
        {1, {integer(1)}, 2, {1, 4}, {0, 8}},                        /* m[1] */
        {2, {from(0), integer(1)}, 2, {3, 1}, {32, 0}},              /* m[:, 1] */
        {2, {integer(0), from(1)}, 2, {1, 3}, {0, 8}},               /* m[0, 1:] */
        {2, {from(1), integer(0)}, 2, {2, 1}, {32, 0}},              /* m[1:, 0] */
        {2, {from(2), integer(0)}, 2, {1, 1}, {0, 0}},               /* m[2:, 0] */
        {1, {ellipsis()}, 2, {3, 4}, {32, 8}},                       /* m[...] */
        {0, {ellipsis()}, 2, {3, 4}, {32, 8}},                       /* m[()] */
        {2, {integer(0), ellipsis()}, 2, {1, 4}, {0, 8}},            /* m[0, ...] */
        {2, {ellipsis(), integer(0)}, 2, {3, 1}, {32, 0}},           /* m[..., 0] */
        {2, {newaxis(), integer(0)}, 2, {1, 4}, {0, 8}},             /* m[None, 0] */
        {3, {integer(0), from(0), newaxis()}, 2, {4, 1}, {8, 0}},    /* m[0, :, None] */
        {3, {integer(0), integer(0), newaxis()}, 2, {1, 1}, {0, 0}}, /* m[0, 0, None] */
        {3, {integer(0), newaxis(), integer(1)}, 2, {1, 1}, {0, 0}}, /* m[0, None, 1] */
        {1, {newaxis()}, 3, {1, 3, 4}, {0, 32, 8}},                  /* m[None] */
    };
    const stria_view m = matrix();
    stria_view out;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ok(stria_index(&out, &m, cases[i].count, cases[i].items));
        if (out.ndim != cases[i].ndim) fail_msg("case %zu has %d dims", i, (int)out.ndim);
        for (int d = 0; d < out.ndim; d++) {
            assert_int_equal(out.shape[d], cases[i].shape[d]);
            if (out.shape[d] != 1) assert_int_equal(out.strides[d], cases[i].strides[d]);
        }
        assert_int_equal(class_of(&out), STRIA_CLASS_MATRIX);
        /* The output is the input. */
        stria_view same = m;
        ok(stria_index(&same, &same, cases[i].count, cases[i].items));
        assert_true(stria_same_view(&same, &out));
    }
}

/* m[1, 2] is a number, m[0] starts where row 0 does. */
TEST(test_matrix_elements)
{
    const stria_view m = matrix();
    const stria_index_item element[] = {integer(1), integer(2)}, column[] = {from(1), integer(3)};
    stria_view out;
    ok(stria_index(&out, &m, 2, element));
    assert_int_equal(out.ndim, 0);
    assert_int_equal(class_of(&out), 0);
    assert_ptr_equal(out.data, memory + 48);
    ok(stria_index(&out, &m, 2, column));
    assert_ptr_equal(out.data, memory + 56);
    assert_true(stria_is_contiguous(&out, STRIA_ORDER_C) == false);
    const stria_index_item outside[] = {integer(3)};
    assert_int_equal(stria_index(&out, &m, 1, outside), STRIA_ERR_INDEX);
}

/* Indexes by arrays: np.matrix(np.arange(12).reshape(3, 4))[[0, 2]] and so on. */
TEST(test_matrix_index_arrays)
{
    stria_view pair;
    ok(stria_view_foreign(&pair, (int64_t[]){0, 2}, stria_dtype_of(STRIA_I64), 1, (int64_t[]){2},
                          NULL, 0));
    const stria_index_item list = {.kind = STRIA_INDEX_ARRAY, .array = &pair};
    const struct {
        int count;
        stria_index_item items[2];
        int64_t shape[2];
    } cases[] = {
        {1, {list}, {2, 4}},             /* m[[0, 2]] */
        {2, {integer(0), list}, {1, 2}}, /* m[0, [0, 2]] */
        {2, {list, integer(0)}, {2, 1}}, /* m[[0, 2], 0] */
        {2, {list, list}, {1, 2}},       /* m[[0, 2], [0, 2]] */
        {2, {from(0), list}, {3, 2}},    /* m[:, [0, 2]] */
    };
    const stria_view m = matrix();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RELEASED stria_array out = {0};
        ok(stria_index_arrays_new(&out, &m, cases[i].count, cases[i].items, STRIA_PLACE_NUMPY,
                                  NULL));
        assert_int_equal(class_of(&out.view), STRIA_CLASS_MATRIX);
        assert_int_equal(out.view.ndim, 2);
        assert_memory_equal(out.view.shape, cases[i].shape, 16);
    }
}

/* ---- the form of a matrix ------------------------------------------------------------------- */

/* np.zeros(shape).view(np.matrix).shape */
TEST(test_as_matrix)
{
    static const struct {
        int ndim;
        int64_t shape[4], formed[2];
    } cases[] = {
        {0, {0}, {1, 1}},          {1, {3}, {1, 3}},       {1, {0}, {1, 0}},
        {2, {2, 3}, {2, 3}},       {3, {1, 2, 3}, {2, 3}}, {3, {2, 1, 3}, {2, 3}},
        {3, {2, 3, 1}, {2, 3}},    {3, {1, 1, 5}, {1, 5}}, {3, {1, 1, 1}, {1, 1}},
        {4, {1, 5, 1, 1}, {1, 5}},
    };
    stria_view v, out;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        v = array_of(cases[i].ndim, cases[i].shape);
        ok(stria_view_as_class(&out, &v, STRIA_CLASS_MATRIX));
        assert_int_equal(out.ndim, 2);
        assert_int_equal(out.shape[0], cases[i].formed[0]);
        assert_int_equal(out.shape[1], cases[i].formed[1]);
        assert_true(stria_is_contiguous(&out, STRIA_ORDER_C));
        ok(stria_view_as_class(&v, &v, STRIA_CLASS_MATRIX));
        assert_true(stria_same_view(&v, &out));
    }
    v = array_of(3, (int64_t[]){2, 2, 3});
    out = matrix();
    assert_int_equal(stria_view_as_class(&out, &v, STRIA_CLASS_MATRIX), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(2, 2, 3)"));
    assert_int_equal(out.shape[1], 4);
    assert_int_equal(stria_view_as_class(&out, &v, 1), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_view_as_class(&out, &v, 0x10000), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_view_as_class(NULL, &v, 0), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_view_as_class(&out, NULL, 0), STRIA_ERR_ARGUMENT);
}

/* The changes that NumPy makes to a new view of the type, after ops that know nothing of
 * matrices. */
TEST(test_matrix_again)
{
    const stria_view m = matrix();
    stria_view out;
    ok(stria_view_shape(&out, &m, 1, (int64_t[]){12}));
    assert_int_equal(out.ndim, 1);
    assert_int_equal(class_of(&out), STRIA_CLASS_MATRIX);
    ok(stria_view_as_class(&out, &out, STRIA_CLASS_MATRIX));
    assert_int_equal(out.shape[0], 1); /* m.reshape(12): (1, 12) */
    ok(stria_diagonal(&out, &m, 0, 0, 1));
    ok(stria_view_as_class(&out, &out, class_of(&out)));
    assert_int_equal(out.shape[1], 3); /* m.diagonal(): (1, 3), stride 40 */
    assert_int_equal(out.strides[1], 40);
    ok(stria_view_shape(&out, &m, 3, (int64_t[]){1, 3, 4}));
    ok(stria_view_as_class(&out, &out, class_of(&out)));
    assert_int_equal(out.ndim, 2);
    ok(stria_view_shape(&out, &m, 3, (int64_t[]){2, 2, 3}));
    assert_int_equal(stria_view_as_class(&out, &out, class_of(&out)), STRIA_ERR_SHAPE);
    /* m.view(np.ndarray): an ordinary array again */
    ok(stria_view_as_class(&out, &m, 0));
    assert_int_equal(out.flags, 0);
    const stria_index_item row[] = {integer(0)};
    ok(stria_index(&out, &out, 1, row));
    assert_int_equal(out.ndim, 1);
}

/* ---- inheritance ---------------------------------------------------------------------------- */

TEST(test_inherited)
{
    const uint32_t own = 0xab00;
    stria_view a = array_of(2, (int64_t[]){3, 4}), v, pieces[3];
    stria_array made = {0};
    int64_t count;
    ok(stria_view_as_class(&a, &a, own));
    ok(stria_reverse_dims(&v, &a));
    assert_int_equal(class_of(&v), own);
    ok(stria_select(&v, &v, 0, 1));
    assert_int_equal(class_of(&v), own);
    ok(stria_as_strided(&v, &a, 1, (int64_t[]){2}, (int64_t[]){8}, 0));
    assert_int_equal(class_of(&v), own);
    ok(stria_view_dtype(&v, &a, stria_dtype_of(STRIA_U8)));
    assert_int_equal(class_of(&v), own);
    ok(stria_broadcast_to(&v, &a, 3, (int64_t[]){2, 3, 4}));
    assert_int_equal(v.flags, own | STRIA_READONLY);
    v = readonly_of(&a);
    assert_int_equal(v.flags, own | STRIA_READONLY);
    ok(stria_unbind(pieces, 3, &count, &a, 0));
    for (int i = 0; i < 3; i++)
        assert_int_equal(class_of(&pieces[i]), own);
    /* Copies of it are of its class, without its other flags. */
    ok(stria_clone_new(&made, &v, NULL));
    assert_int_equal(made.view.flags, own);
    stria_array_release(&made);
    ok(stria_empty_like(&made, &v, v.dtype, STRIA_ORDER_K));
    assert_int_equal(made.view.flags, own);
    stria_array_release(&made);
    ok(stria_astype(&made, &a, stria_dtype_of(STRIA_F32), STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS,
                    NULL, NULL));
    assert_int_equal(made.view.flags, own);
    stria_array_release(&made);
}

/* Ops made of other ops give the same for a matrix as for any array. */
TEST(test_ops_do_not_care)
{
    for (int64_t i = 0; i < 12; i++)
        memcpy(memory + 8 * (size_t)i, &i, 8);
    const stria_view m = matrix(), a = array_of(2, (int64_t[]){3, 4});
    const stria_view *const both[] = {&a, &m};
    int64_t picks[] = {2, 0};
    const int64_t shape[] = {2};
    stria_view index;
    ok(stria_view_foreign(&index, picks, stria_dtype_of(STRIA_I64), 1, shape, NULL, 0));
    stria_array out[2][6] = {0};
    for (int i = 0; i < 2; i++) {
        const stria_view *const x = both[i], *const pair[] = {x, x};
        ok(stria_roll_new(&out[i][0], x, 1, &(int64_t){5}, NULL, NULL));
        ok(stria_tril_new(&out[i][1], x, 0, NULL));
        ok(stria_dstack_new(&out[i][2], 2, pair, NULL));
        ok(stria_repeat_new(&out[i][3], x, 3, (int64_t[]){2, 1, 2}, NULL));
        ok(stria_take_dim_new(&out[i][4], x, &index, 1, STRIA_INDEX_RAISE, NULL));
        ok(stria_trace_new(&out[i][5], x, NULL));
    }
    for (int k = 0; k < 6; k++) {
        const stria_view *const x = &out[0][k].view, *const y = &out[1][k].view;
        assert_int_equal(x->ndim, y->ndim);
        assert_memory_equal(x->shape, y->shape, (size_t)x->ndim * 8);
        assert_memory_equal(x->data, y->data, (size_t)stria_nbytes(x));
        stria_array_release(&out[0][k]);
        stria_array_release(&out[1][k]);
    }
    /* Assigns to a row of a matrix. */
    const stria_index_item row[] = {integer(0)};
    const stria_view values = array_of(1, (int64_t[]){4});
    ok(stria_index_put(&m, 1, row, &values, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE, NULL));
}

/* ---- record arrays -------------------------------------------------------------------------- */

/* r.a is an ndarray, r.b (a record) a recarray, r.b.c an ndarray, r[1:] a recarray. */
TEST(test_recarray)
{
    const stria_field inner[] = {
        {.name = "c", .dtype = stria_dtype_of(STRIA_F32), .offset = STRIA_OFFSET_NEXT},
        {.name = "d", .dtype = stria_dtype_of(STRIA_I16), .offset = STRIA_OFFSET_NEXT}};
    stria_dtype b, r;
    ok(stria_record_make(&b, 2, inner, 0, false));
    const stria_field outer[] = {
        {.name = "a", .dtype = stria_dtype_of(STRIA_I32), .offset = STRIA_OFFSET_NEXT},
        {.name = "b", .dtype = b, .offset = STRIA_OFFSET_NEXT}};
    ok(stria_record_make(&r, 2, outer, 0, false));
    stria_array x = {0};
    stria_view v;
    ok(stria_zeros(&x, r, 1, (int64_t[]){3}));
    ok(stria_view_as_class(&x.view, &x.view, STRIA_CLASS_RECARRAY));
    ok(stria_view_field(&v, &x.view, "a"));
    assert_int_equal(class_of(&v), 0);
    ok(stria_view_field(&v, &x.view, "b"));
    assert_int_equal(class_of(&v), STRIA_CLASS_RECARRAY);
    ok(stria_view_field(&v, &v, "c"));
    assert_int_equal(class_of(&v), 0);
    ok(stria_view_field(&v, &x.view, "b.d"));
    assert_int_equal(class_of(&v), 0);
    ok(stria_slice(&v, &x.view, 0, 1, STRIA_NONE, 1));
    assert_int_equal(class_of(&v), STRIA_CLASS_RECARRAY);
    /* A matrix of records keeps its class in every field. */
    ok(stria_view_as_class(&v, &x.view, STRIA_CLASS_MATRIX));
    assert_int_equal(v.ndim, 2);
    ok(stria_view_field(&v, &v, "a"));
    assert_int_equal(class_of(&v), STRIA_CLASS_MATRIX);
    stria_array_release(&x);
    stria_dtype_release(r);
    stria_dtype_release(b);
}

TEST_MAIN(NULL, NULL)
