/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For test_door.c and test_exec.c: the table of public functions that take a view, an array or an
 * exec, each with a good call, and the arguments of these calls besides the operands.
 */
#pragma once

#include <stdbool.h>
#include <unistd.h>

#include "simd/ops.h"
#include "stria/stria.h"
#include "support/cmocka.h"

enum { MOST = 4 /* most operands of a function */ };

/* Shapes of operands of two dims; the larger ones are for calls that are worth threads. */
#ifndef DOOR_COLUMNS
#define DOOR_COLUMNS 3
#endif

/* The arguments of one call. `to` is NULL where a row is called without room for its result. */
struct call {
    const stria_view *v[MOST];
    stria_array *array;
    const stria_coo *coo;
    const stria_csr *csr;
    const stria_exec *exec;
    const stria_reduce_options *options;
    stria_dtype dtype;
    void *to;
    int64_t *count;
};

static const char path[] = "test_door.npy", new_path[] = "test_door_new.npy";
static const int order[] = {1, 0};
static const int64_t shape[STRIA_MAX_NDIM] = {2, DOOR_COLUMNS}, flat[] = {2 * DOOR_COLUMNS},
                     steps[STRIA_MAX_NDIM] = {4 * DOOR_COLUMNS, 4}, sizes[STRIA_MAX_NDIM] = {1, 1},
                     window[STRIA_MAX_NDIM] = {1, 1}, around[STRIA_MAX_NDIM] = {2, 3},
                     corner[STRIA_MAX_NDIM] = {1, -1};
static const float number[4] = {7, 7, 7, 7}; /* at least as large as any item */
static const double wide_number = 7, two_numbers[2] = {7, 7};
static const double half = 0.5;
static const int64_t far[] = {DOOR_COLUMNS - 2}; /* so that there are two windows */
static const stria_conv_options far_windows = {.count = 1, .stride = far};
static const stria_tolerance exact = {.equal_nan = false};
static stria_small *tiny;
static stria_results named;
static stria_prepared *prepared; /* x + y */
static stria_bound *bound;       /* the sum of one array */
static stria_expr *sum;          /* of inputs 0 and 1 */
static const int last[] = {2};   /* its node */
static stria_graph *open_graph;  /* of inputs that grow in number */
static stria_graph *summing;     /* sum as a graph */

/* A function of core dims that writes zeros. */
static void write_zeros(char *const *ptr, const int64_t *step, int64_t n, const int64_t *core,
                        const int64_t *strides, void *data)
{
    (void)data;
    for (int64_t b = 0; b < n; b++)
        for (int64_t i = 0; i < core[0]; i++)
            *(float *)(void *)(ptr[0] + b * step[0] + i * strides[0]) = 0;
}

static const stria_core_function zeroing = {
    .name = "zeros", .signature = "(n)->(n)", .kinds = {STRIA_F32, STRIA_F32}, .run = write_zeros};

static stria_index_item items_of(const stria_view *array)
{
    return (stria_index_item){.kind = STRIA_INDEX_ARRAY, .array = array};
}

static int source, nowhere; /* file descriptors: the file at path, and /dev/null */
static stria_npy_writer *writer;
static const char tensors_path[] = "test_door.safetensors", table_path[] = "test_door.csv";
static stria_safetensors *tensors;
#ifdef STRIA_HAVE_PNG
static const char picture_path[] = "test_door.png";
#endif
#ifdef STRIA_HAVE_ZIP
static const char archive_path[] = "test_door.npz";
static stria_npz *archive;
#endif

static int from_the_start(void)
{
    assert_int_equal(lseek(source, 0, SEEK_SET), 0);
    return source;
}

static stria_npy_writer *new_writer(void)
{
    stria_npy_abandon(writer);
    assert_int_equal(
        stria_npy_begin_fd(&writer, nowhere, stria_dtype_of(STRIA_F32), 2, shape, STRIA_ORDER_C),
        STRIA_OK);
    return writer;
}

static stria_ref *handle; /* of the row that is called */

static stria_ref **new_handle(void)
{
    stria_ref_release(handle);
    handle = NULL;
    return &handle;
}

static const stria_ref *handle_of_number(void)
{
    stria_view view;
    assert_int_equal(stria_scalar(&view, STRIA_F32, number), STRIA_OK);
    assert_int_equal(stria_ref_make(new_handle(), &view), STRIA_OK);
    return handle;
}

static stria_results *new_results(void)
{
    assert_int_equal(stria_eval(&named, "zeros(2, 3)", 0, NULL, NULL), STRIA_OK);
    return &named;
}

static stria_exact *running; /* of the row that is called */

static stria_exact **new_state(void)
{
    stria_exact_release(running);
    running = NULL;
    return &running;
}

static stria_exact *state_of(stria_exact_kind kind)
{
    static float edges[] = {0, 1, 2};
    stria_view view;
    assert_int_equal(stria_view_foreign(&view, edges, stria_dtype_of(STRIA_F32), 1,
                                        (const int64_t[]){3}, NULL, 0),
                     STRIA_OK);
    assert_int_equal(
        stria_exact_make(new_state(), kind, kind == STRIA_EXACT_HISTOGRAM ? &view : NULL),
        STRIA_OK);
    return running;
}

static bool drop_text(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return true;
}

/* DLPack tensors: room for one that is exported, the previous one, which is deleted, and others to
 * import. */
static int64_t dlpack_dims[2 * STRIA_MAX_NDIM], tensor_shape[] = {2, 3};
static float tensor_data[6];
static const stria_dl_tensor tensor_of_other = {.data = tensor_data,
                                                .device = {.device_type = STRIA_DLPACK_CPU},
                                                .ndim = 2,
                                                .dtype = {.code = 2, .bits = 32, .lanes = 1},
                                                .shape = tensor_shape};

static stria_dl_managed **given(const void *to)
{
    static stria_dl_managed *tensor;
    if (tensor) tensor->deleter(tensor);
    tensor = NULL;
    return to ? &tensor : NULL;
}

static stria_dl_legacy **given_legacy(const void *to)
{
    static stria_dl_legacy *tensor;
    if (tensor) tensor->deleter(tensor);
    tensor = NULL;
    return to ? &tensor : NULL;
}

static stria_dl_managed *new_tensor(void)
{
    static stria_dl_managed tensor = {.version = {.major = STRIA_DLPACK_MAJOR}};
    tensor.dl_tensor = tensor_of_other;
    return &tensor;
}

static stria_dl_legacy *new_legacy(void)
{
    static stria_dl_legacy tensor;
    tensor.dl_tensor = tensor_of_other;
    return &tensor;
}

#define LIST2                                                                                      \
    2, (const stria_view *[])                                                                      \
    {                                                                                              \
        c->v[0], c->v[1]                                                                           \
    }
#define ITEM(k)                                                                                    \
    1, (const stria_index_item[])                                                                  \
    {                                                                                              \
        items_of(c->v[k])                                                                          \
    }
#define ROOM  (stria_view *)c->to, 8, c->count
#define PLAIN STRIA_REDUCE_NONE

/*
 * Properties that a row is tested for, besides its operands: a result that is NULL, a bad exec, a
 * bad dtype. ARRAY, COO and CSR are results that own memory. SHARES: elements of dst may share
 * bytes. OPTIONS: those of reductions are taken.
 */
enum {
    OUT = 1,
    EXEC = 2,
    DTYPE = 4,
    ARRAY = OUT | 8,
    COO = OUT | 16,
    CSR = OUT | 32,
    SHARES = 64,
    OPTIONS = 128
};

/*
 * ROW(function, flags, operands, call). An operand is a letter, which says what a good one is (see
 * set_up), and what messages call it; a '?' before it says that it may be NULL.
 */
#ifdef STRIA_HAVE_PNG
#define PICTURE_ROWS                                                                               \
    ROW(stria_png_read, ARRAY | EXEC, "", (c->to, picture_path, STRIA_NPY_READ, c->exec))          \
    ROW(stria_png_write, EXEC, "b the view", (picture_path, c->v[0], c->exec))
#else
#define PICTURE_ROWS
#endif

/* A library without libzip refuses archives before it looks at anything else. */
#ifdef STRIA_HAVE_ZIP
#define ARCHIVE_ROWS                                                                               \
    ROW(stria_npz_read, ARRAY | EXEC, "", (c->to, archive, "x", STRIA_NPZ_READ, c->exec))          \
    ROW(stria_npz_write, EXEC, "m the view",                                                       \
        (archive_path, 1, (const char *[]){"x"}, &c->v[0], STRIA_NPZ_STORED, c->exec))
#else
#define ARCHIVE_ROWS
#endif

/* Operands of the elementwise operations: floats where the operation takes them, else integers. */
#define INPUTS_1(dtypes, result) (dtypes) & OP_FLOATS ? "m out;n a" : "m out;j a"
#define INPUTS_2(dtypes, result)                                                                   \
    (dtypes) & OP_FLOATS ? (result) == OP_SCALED ? "m out;n a;j b" : "m out;n a;n b"               \
                         : "m out;j a;j b"
#define INPUTS_3(dtypes, result)                                                                   \
    (result) == OP_CHOICE ? "m out;b condition;n x;n y" : "m out;n a;n b;n c"
#define GIVEN_1 (c->v[0], c->v[1], c->exec)
#define GIVEN_2 (c->v[0], c->v[1], c->v[2], c->exec)
#define GIVEN_3 (c->v[0], c->v[1], c->v[2], c->v[3], c->exec)
#define OP_ROW(constant, name, inputs, dtypes, result, cycles)                                     \
    ROW(stria_##name, EXEC, INPUTS_##inputs(dtypes, result), GIVEN_##inputs)

/* The same into new arrays. */
#define NEW_INPUTS_1(dtypes, result) (dtypes) & OP_FLOATS ? "n a" : "j a"
#define NEW_INPUTS_2(dtypes, result)                                                               \
    (dtypes) & OP_FLOATS ? (result) == OP_SCALED ? "n a;j b" : "n a;n b" : "j a;j b"
#define NEW_INPUTS_3(dtypes, result) (result) == OP_CHOICE ? "b condition;n x;n y" : "n a;n b;n c"
#define NEW_GIVEN_1                  (c->to, c->v[0], c->exec)
#define NEW_GIVEN_2                  (c->to, c->v[0], c->v[1], c->exec)
#define NEW_GIVEN_3                  (c->to, c->v[0], c->v[1], c->v[2], c->exec)
#define OP_NEW_ROW(constant, name, inputs, dtypes, result, cycles)                                 \
    ROW(stria_##name##_new, ARRAY | EXEC, NEW_INPUTS_##inputs(dtypes, result), NEW_GIVEN_##inputs)
#define CHECKED_1 "i a"
#define CHECKED_2 "i a;d b"
#define CHECKED_NEW_ROW(constant, name, inputs)                                                    \
    ROW(stria_##name##_checked_new, ARRAY | EXEC, CHECKED_##inputs, NEW_GIVEN_##inputs)
#define SCAN_NEW_ROW(constant, name)                                                               \
    ROW(stria_##name##_new, ARRAY | EXEC, "n a", (c->to, c->v[0], 1, c->exec))

/* The reductions, of integers, which all of them take. */
#define MORE_plain
#define MORE_ddof 0,
#define MORE_p    2,
#define REDUCTION_ROW(constant, name, option)                                                      \
    ROW(stria_##name, EXEC, "w out;j a", (c->v[0], c->v[1], 1, order, MORE_##option c->exec))

#define REDUCTION_NEW_ROW(constant, name, option)                                                  \
    ROW(stria_##name##_new, ARRAY | EXEC, "j a",                                                   \
        (c->to, c->v[0], 1, order, MORE_##option false, c->exec))

/* The second of two results, whose first is what is looked at. */
static stria_array second;

#define ROWS                                                                                       \
    STRIA_OP_LIST(OP_ROW)                                                                          \
    STRIA_OP_LIST(OP_NEW_ROW)                                                                      \
    STRIA_CHECKED_LIST(CHECKED_NEW_ROW)                                                            \
    STRIA_SCAN_LIST(SCAN_NEW_ROW)                                                                  \
    STRIA_REDUCTION_LIST(REDUCTION_ROW)                                                            \
    STRIA_REDUCTION_LIST(REDUCTION_NEW_ROW)                                                        \
    ROW(stria_elementwise_checked_new, ARRAY | EXEC, "j a;j b",                                    \
        (c->to, STRIA_ADD, LIST2, c->exec))                                                        \
    ROW(stria_isclose_new, ARRAY | EXEC, "n a;n b", (c->to, c->v[0], c->v[1], NULL, c->exec))      \
    ROW(stria_nan_to_num_new, ARRAY | EXEC, "n a;?a nan",                                          \
        (c->to, c->v[0], c->v[1], NULL, NULL, c->exec))                                            \
    ROW(stria_divmod_new, ARRAY | EXEC, "n a;n b", (c->to, &second, c->v[0], c->v[1], c->exec))    \
    ROW(stria_modf_new, ARRAY | EXEC, "n a", (c->to, &second, c->v[0], c->exec))                   \
    ROW(stria_frexp_new, ARRAY | EXEC, "n a", (c->to, &second, c->v[0], c->exec))                  \
    ROW(stria_sincos_new, ARRAY | EXEC, "n a", (c->to, &second, c->v[0], c->exec))                 \
    ROW(stria_minmax_new, ARRAY | EXEC, "m a",                                                     \
        (c->to, &second, c->v[0], 1, order, false, c->exec))                                       \
    ROW(stria_mean_var_new, ARRAY | EXEC, "m a",                                                   \
        (c->to, &second, c->v[0], 1, order, 0, false, c->exec))                                    \
    ROW(stria_median_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, order, false, c->exec))         \
    ROW(stria_histogram_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 3, 0, 9, c->exec))              \
    ROW(stria_histogram_edges_new, ARRAY | EXEC, "m a;e edges",                                    \
        (c->to, c->v[0], c->v[1], c->exec))                                                        \
    ROW(stria_searchsorted_new, ARRAY | EXEC, "e sorted;?k sorter;m values",                       \
        (c->to, c->v[0], c->v[1], c->v[2], false, c->exec))                                        \
    ROW(stria_isin_new, ARRAY | EXEC, "m a;e b", (c->to, c->v[0], c->v[1], false, c->exec))        \
    ROW(stria_topk_new, ARRAY | EXEC, "n a", (c->to, &second, c->v[0], 3, 1, true, c->exec))       \
    ROW(stria_full, ARRAY | EXEC | DTYPE, "a value",                                               \
        (c->to, c->dtype, 2, shape, c->v[0], c->exec))                                             \
    ROW(stria_full_like, ARRAY | EXEC | DTYPE, "m the view;a value",                               \
        (c->to, c->v[0], c->dtype, STRIA_ORDER_K, c->v[1], c->exec))                               \
    ROW(stria_empty, ARRAY | DTYPE, "", (c->to, c->dtype, 2, shape))                               \
    ROW(stria_zeros, ARRAY | DTYPE, "", (c->to, c->dtype, 2, shape))                               \
    ROW(stria_empty_ordered, ARRAY | DTYPE, "", (c->to, c->dtype, 2, shape, STRIA_ORDER_F))        \
    ROW(stria_empty_like, ARRAY | DTYPE, "m the view", (c->to, c->v[0], c->dtype, STRIA_ORDER_K))  \
    ROW(stria_zeros_like, ARRAY | DTYPE, "m the view", (c->to, c->v[0], c->dtype, STRIA_ORDER_K))  \
    ROW(stria_empty_strided, ARRAY | DTYPE, "", (c->to, c->dtype, 2, shape, steps))                \
    ROW(stria_new_empty_strided, ARRAY | DTYPE, "m the view",                                      \
        (c->to, c->v[0], c->dtype, 2, shape, steps))                                               \
    ROW(stria_empty_permuted, ARRAY | DTYPE, "", (c->to, c->dtype, 2, shape, order))               \
    ROW(stria_resize, 0, "A the array", (c->array, 1, flat, NULL))                                 \
    ROW(stria_resize_zeroed, 0, "A the array", (c->array, 1, flat))                                \
    ROW(stria_set, 0, "A the array;m the view", (c->array, c->v[1]))                               \
    ROW(stria_transpose_2d, OUT, "m the view", (c->to, c->v[0]))                                   \
    ROW(stria_movedim, OUT, "m the view", (c->to, c->v[0], 1, order, order))                       \
    ROW(stria_rollaxis, OUT, "m the view", (c->to, c->v[0], 1, 0))                                 \
    ROW(stria_expand_dims, OUT, "m the view", (c->to, c->v[0], 1, order))                          \
    ROW(stria_atleast_1d, OUT, "m the view", (c->to, c->v[0]))                                     \
    ROW(stria_atleast_2d, OUT, "m the view", (c->to, c->v[0]))                                     \
    ROW(stria_atleast_3d, OUT, "m the view", (c->to, c->v[0]))                                     \
    ROW(stria_expand, OUT, "m the view", (c->to, c->v[0], 2, shape))                               \
    ROW(stria_expand_as, OUT, "m the view;n b", (c->to, c->v[0], c->v[1]))                         \
    ROW(stria_broadcast_to, OUT, "m the view", (c->to, c->v[0], 2, shape))                         \
    ROW(stria_broadcast_shape, OUT, "m view 0;n view 1", ((int *)c->count, c->to, LIST2))          \
    ROW(stria_broadcast_tensors, OUT, "m view 0;n view 1", (c->to, LIST2))                         \
    ROW(stria_meshgrid, OUT, "w view 0;w view 1", (c->to, LIST2, 0))                               \
    ROW(stria_copy_cast, EXEC, "m out;n src", (c->v[0], c->v[1], STRIA_CAST_UNSAFE, c->exec))      \
    ROW(stria_astype, ARRAY | EXEC | DTYPE, "m the view",                                          \
        (c->to, c->v[0], c->dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL, c->exec))           \
    ROW(stria_real, OUT, "c the view", (c->to, c->v[0]))                                           \
    ROW(stria_imag, OUT, "c the view", (c->to, c->v[0]))                                           \
    ROW(stria_view_as_real, OUT, "c the view", (c->to, c->v[0]))                                   \
    ROW(stria_view_as_complex, OUT, "p the view", (c->to, c->v[0]))                                \
    ROW(stria_conj, OUT, "c the view", (c->to, c->v[0]))                                           \
    ROW(stria_neg_view, OUT, "m the view", (c->to, c->v[0]))                                       \
    ROW(stria_adjoint, OUT, "m the view", (c->to, c->v[0]))                                        \
    ROW(stria_matrix_adjoint, OUT, "m the view", (c->to, c->v[0]))                                 \
    ROW(stria_copy, EXEC, "m out;n src", (c->v[0], c->v[1], c->exec))                              \
    ROW(stria_copy_plan_make, OUT | EXEC, "m out;n src", (c->to, c->v[0], c->v[1], c->exec))       \
    ROW(stria_contiguous, ARRAY | EXEC, "m the view",                                              \
        (c->to, c->v[0], STRIA_ORDER_F, NULL, c->exec))                                            \
    ROW(stria_clone_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], c->exec))                    \
    ROW(stria_clone_ordered_new, ARRAY | EXEC, "m the view",                                       \
        (c->to, c->v[0], STRIA_ORDER_F, c->exec))                                                  \
    ROW(stria_compact, ARRAY | EXEC, "m the view", (c->to, c->v[0], 0.5, NULL, c->exec))           \
    ROW(stria_reshape, ARRAY | EXEC, "m the view",                                                 \
        (c->to, c->v[0], 1, flat, STRIA_COPY_ALWAYS, NULL, c->exec))                               \
    ROW(stria_fill, EXEC | SHARES, "m out;a value", (c->v[0], c->v[1], c->exec))                   \
    ROW(stria_fill_item, EXEC | SHARES, "m out", (c->v[0], &number, c->exec))                      \
    ROW(stria_full_item, ARRAY | EXEC | DTYPE, "", (c->to, c->dtype, 2, shape, &number, c->exec))  \
    ROW(stria_full_like_item, ARRAY | EXEC | DTYPE, "m the view",                                  \
        (c->to, c->v[0], c->dtype, STRIA_ORDER_K, &number, c->exec))                               \
    ROW(stria_arange_i64, ARRAY | EXEC | DTYPE, "", (c->to, c->dtype, 0, 5, 2, c->exec))           \
    ROW(stria_arange_f64, ARRAY | EXEC | DTYPE, "", (c->to, c->dtype, 0, 5, 0.5, c->exec))         \
    ROW(stria_linspace, ARRAY | EXEC | DTYPE, "", (c->to, c->dtype, 0, 5, 7, true, c->exec))       \
    ROW(stria_linspace_complex, ARRAY | EXEC, "",                                                  \
        (c->to, stria_dtype_of(STRIA_C64), two_numbers, two_numbers, 7, true, c->exec))            \
    ROW(stria_eye, ARRAY | EXEC | DTYPE, "", (c->to, c->dtype, 2, 3, 1, c->exec))                  \
    ROW(stria_tri, ARRAY | EXEC | DTYPE, "", (c->to, c->dtype, 2, 3, 1, c->exec))                  \
    ROW(stria_random_uniform, EXEC, "m out", (c->v[0], NULL, 0, 1, c->exec))                       \
    ROW(stria_random_normal, EXEC, "m out", (c->v[0], NULL, 0, 1, c->exec))                        \
    ROW(stria_random_integers, EXEC, "m out", (c->v[0], NULL, 0, 9, c->exec))                      \
    ROW(stria_random_bits, EXEC, "j out", (c->v[0], NULL, c->exec))                                \
    ROW(stria_small_view, OUT, "", (c->to, tiny))                                                  \
    ROW(stria_ref_make, 0, "m the view", (new_handle(), c->v[0]))                                  \
    ROW(stria_ref_view, OUT, "", (c->to, handle_of_number()))                                      \
    ROW(stria_results_take, ARRAY, "", (c->to, new_results(), 0))                                  \
    ROW(stria_at, OUT, "m the view", (c->to, c->v[0], 2, corner))                                  \
    ROW(stria_get_bool, OUT, "m the view", (c->to, c->v[0], 2, corner))                            \
    ROW(stria_get_i64, OUT, "m the view", (c->to, c->v[0], 2, corner))                             \
    ROW(stria_get_u64, OUT, "m the view", (c->to, c->v[0], 2, corner))                             \
    ROW(stria_get_f64, OUT, "m the view", (c->to, c->v[0], 2, corner))                             \
    ROW(stria_get_c128, OUT, "m the view", (c->to, c->v[0], 2, corner))                            \
    ROW(stria_set_bool, SHARES, "m the view", (c->v[0], 2, corner, true))                          \
    ROW(stria_set_i64, SHARES, "m the view", (c->v[0], 2, corner, -1))                             \
    ROW(stria_set_u64, SHARES, "m the view", (c->v[0], 2, corner, 1))                              \
    ROW(stria_set_f64, SHARES, "m the view", (c->v[0], 2, corner, 0.5))                            \
    ROW(stria_set_c128, SHARES, "m the view", (c->v[0], 2, corner, (const double[2]){1, 0}))       \
    ROW(stria_scalar, OUT, "", (c->to, STRIA_F64, &wide_number))                                   \
    ROW(stria_format_to, EXEC, "m the view", (drop_text, NULL, c->v[0], NULL, c->exec))            \
    ROW(stria_format, EXEC, "m the view", (NULL, 0, NULL, c->v[0], NULL, c->exec))                 \
    ROW(stria_describe, 0, "m the view", (NULL, 0, NULL, c->v[0]))                                 \
    ROW(stria_hash, OUT | EXEC, "m the view", (c->to, c->v[0], c->exec))                           \
    ROW(stria_permute_in_place, OUT | EXEC, "m the array", (c->to, c->v[0], 2, order, c->exec))    \
    ROW(stria_transpose_in_place, OUT | EXEC, "m the array", (c->to, c->v[0], 0, 1, c->exec))      \
    ROW(stria_byteswap, EXEC, "m the array", (c->v[0], c->exec))                                   \
    ROW(stria_byteswap_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], c->exec))                 \
    ROW(stria_take_new, ARRAY | EXEC, "m the view;i the index",                                    \
        (c->to, c->v[0], c->v[1], STRIA_INDEX_RAISE, c->exec))                                     \
    ROW(stria_take_dim_new, ARRAY | EXEC, "m the view;i the index",                                \
        (c->to, c->v[0], c->v[1], 0, STRIA_INDEX_RAISE, c->exec))                                  \
    ROW(stria_gather_new, ARRAY | EXEC, "m the view;j the index",                                  \
        (c->to, c->v[0], c->v[1], 0, c->exec))                                                     \
    ROW(stria_take_along_dim_new, ARRAY | EXEC, "m the view;j the index",                          \
        (c->to, c->v[0], c->v[1], 0, c->exec))                                                     \
    ROW(stria_masked_select_new, ARRAY | EXEC, "m the view;b the mask",                            \
        (c->to, c->v[0], c->v[1], c->exec))                                                        \
    ROW(stria_nonzero_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], c->exec))                  \
    ROW(stria_index_arrays_new, ARRAY | EXEC, "m the view;i the array of item 0",                  \
        (c->to, c->v[0], ITEM(1), STRIA_PLACE_NUMPY, c->exec))                                     \
    ROW(stria_take, EXEC, "w out;n the view;i the index",                                          \
        (c->v[0], c->v[1], c->v[2], STRIA_INDEX_RAISE, c->exec))                                   \
    ROW(stria_take_dim, EXEC, "n out;m the view;i the index",                                      \
        (c->v[0], c->v[1], c->v[2], 0, STRIA_INDEX_RAISE, c->exec))                                \
    ROW(stria_gather, EXEC, "n out;m the view;j the index",                                        \
        (c->v[0], c->v[1], c->v[2], 0, c->exec))                                                   \
    ROW(stria_take_along_dim, EXEC, "n out;m the view;j the index",                                \
        (c->v[0], c->v[1], c->v[2], 0, c->exec))                                                   \
    ROW(stria_masked_select, EXEC, "w out;m the view;b the mask",                                  \
        (c->v[0], c->v[1], c->v[2], c->exec))                                                      \
    ROW(stria_index_arrays, EXEC, "n out;m the view;i the array of item 0",                        \
        (c->v[0], c->v[1], ITEM(2), STRIA_PLACE_NUMPY, c->exec))                                   \
    ROW(stria_index_put, EXEC | SHARES, "m out;n values;i the array of item 0",                    \
        (c->v[0], ITEM(2), c->v[1], STRIA_PLACE_NUMPY, PLAIN, c->exec))                            \
    ROW(stria_put, EXEC | SHARES, "m out;i the index;w values",                                    \
        (c->v[0], c->v[1], c->v[2], STRIA_INDEX_RAISE, PLAIN, c->exec))                            \
    ROW(stria_scatter, EXEC | SHARES, "m out;j the index;n src",                                   \
        (c->v[0], c->v[1], c->v[2], 0, PLAIN, c->exec))                                            \
    ROW(stria_scatter_reduce, EXEC, "m out;j the index;n src",                                     \
        (c->v[0], c->v[1], c->v[2], 0, STRIA_REDUCE_MEAN, false, c->exec))                         \
    ROW(stria_index_copy, EXEC | SHARES, "m out;i the index;n src",                                \
        (c->v[0], c->v[1], c->v[2], 0, PLAIN, c->exec))                                            \
    ROW(stria_index_reduce, EXEC, "m out;i the index;n src",                                       \
        (c->v[0], c->v[1], c->v[2], 0, STRIA_REDUCE_MAX, true, c->exec))                           \
    ROW(stria_index_add, EXEC, "m out;i the index;n src;?a alpha",                                 \
        (c->v[0], c->v[1], c->v[2], c->v[3], 0, c->exec))                                          \
    ROW(stria_masked_fill, EXEC | SHARES, "m out;b the mask;a the value",                          \
        (c->v[0], c->v[1], c->v[2], c->exec))                                                      \
    ROW(stria_masked_scatter, EXEC | SHARES, "m out;b the mask;n src",                             \
        (c->v[0], c->v[1], c->v[2], c->exec))                                                      \
    ROW(stria_weak, OUT, "", (c->to, STRIA_F64, &wide_number))                                     \
    ROW(stria_isclose, EXEC, "b out;m a;n b",                                                      \
        (c->v[0], c->v[1], c->v[2],                                                                \
         &(stria_tolerance){.rtol = 1e-5, .atol = 1e-8, .equal_nan = false}, c->exec))             \
    ROW(stria_nan_to_num, EXEC, "m out;n a", (c->v[0], c->v[1], NULL, NULL, NULL, c->exec))        \
    ROW(stria_elementwise, EXEC, "m out;n a;n b",                                                  \
        (c->v[0], STRIA_ADD, 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                \
    ROW(stria_elementwise_explain, EXEC, "m out;n a;n b",                                          \
        ((char *)c->to, 1, NULL, c->v[0], STRIA_ADD, 2, (const stria_view *[]){c->v[1], c->v[2]},  \
         c->exec))                                                                                 \
    ROW(stria_elementwise_new, ARRAY | EXEC, "m a;n b", (c->to, STRIA_ADD, LIST2, c->exec))        \
    ROW(stria_add_checked, EXEC, "i out;i a;i b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_subtract_checked, EXEC, "i out;i a;i b", (c->v[0], c->v[1], c->v[2], c->exec))       \
    ROW(stria_multiply_checked, EXEC, "i out;i a;i b", (c->v[0], c->v[1], c->v[2], c->exec))       \
    ROW(stria_floor_divide_checked, EXEC, "i out;i a;d b", (c->v[0], c->v[1], c->v[2], c->exec))   \
    ROW(stria_remainder_checked, EXEC, "i out;i a;d b", (c->v[0], c->v[1], c->v[2], c->exec))      \
    ROW(stria_negative_checked, EXEC, "i out;i a", (c->v[0], c->v[1], c->exec))                    \
    ROW(stria_elementwise_checked, EXEC, "i out;i a;i b",                                          \
        (c->v[0], STRIA_ADD, 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                \
    ROW(stria_divmod, EXEC, "m quotient;n remainder;n a;n b",                                      \
        (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))                                             \
    ROW(stria_modf, EXEC, "m fraction;n whole;n a", (c->v[0], c->v[1], c->v[2], c->exec))          \
    ROW(stria_frexp, EXEC, "m mantissa;n exponent;n a", (c->v[0], c->v[1], c->v[2], c->exec))      \
    ROW(stria_sincos, EXEC, "m sine;n cosine;n a", (c->v[0], c->v[1], c->v[2], c->exec))           \
    ROW(stria_result_empty, ARRAY | DTYPE, "m operand 0;n operand 1", (c->to, LIST2, c->dtype))    \
    ROW(stria_result_dtype, OUT, "m a;n b", (c->to, STRIA_ADD, LIST2, STRIA_PROMOTE_TORCH))        \
    ROW(stria_promote_operands, OUT, "m operand 0;n operand 1",                                    \
        (c->to, LIST2, STRIA_PROMOTE_NUMPY))                                                       \
    ROW(stria_expr_evaluate, EXEC, "m out;n input 0;n input 1",                                    \
        (c->v[0], sum, 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                      \
    ROW(stria_expr_explain, EXEC, "m out;n input 0;n input 1",                                     \
        ((char *)c->to, 1, NULL, c->v[0], sum, 2, (const stria_view *[]){c->v[1], c->v[2]},        \
         c->exec))                                                                                 \
    ROW(stria_expr_evaluate_new, ARRAY | EXEC, "m input 0;n input 1",                              \
        (c->to, sum, LIST2, c->exec))                                                              \
    ROW(stria_expr_evaluate_several, EXEC, "m out 0;n input 0;n input 1",                          \
        (&c->v[0], sum, 1, last, 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))            \
    ROW(stria_expr_result_dtype, OUT, "m input 0;n input 1",                                       \
        (c->to, sum, LIST2, STRIA_PROMOTE_TORCH))                                                  \
    ROW(stria_expr_reduce, EXEC | OPTIONS, "w out;m input 0;n input 1",                            \
        (c->v[0], sum, STRIA_SUM, 2, (const stria_view *[]){c->v[1], c->v[2]}, 1, order,           \
         c->options, c->exec))                                                                     \
    ROW(stria_expr_reduce_new, ARRAY | EXEC | OPTIONS, "m input 0;n input 1",                      \
        (c->to, sum, STRIA_SUM, LIST2, 1, order, c->options, c->exec))                             \
    ROW(stria_expr_reduce_explain, EXEC | OPTIONS, "w out;m input 0;n input 1",                    \
        ((char *)c->to, 1, NULL, c->v[0], sum, STRIA_SUM, 2,                                       \
         (const stria_view *[]){c->v[1], c->v[2]}, 1, order, c->options, c->exec))                 \
    ROW(stria_graph_input, OUT, "m the view", (open_graph, c->to, c->v[0]))                        \
    ROW(stria_graph_view, OUT, "m the view", (open_graph, c->to, 0, c->v[0], c->v[0]))             \
    ROW(stria_graph_run, EXEC, "m out 0;m input 0;n input 1",                                      \
        (&c->v[0], summing, 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                 \
    ROW(stria_graph_run_new, ARRAY | EXEC, "m input 0;n input 1",                                  \
        (c->to, summing, 2, (const stria_view *[]){c->v[0], c->v[1]}, c->exec))                    \
    ROW(stria_call, EXEC, "m argument 1",                                                          \
        (&named, stria_function_find("sum"), STRIA_PROMOTE_TORCH, 1,                               \
         (const stria_arg[]){stria_arg_view(c->v[0])}, c->exec))                                   \
    ROW(stria_bound_call, EXEC, "m argument 1",                                                    \
        (&named, bound, 1, (const stria_arg[]){stria_arg_view(c->v[0])}, c->exec))                 \
    ROW(stria_eval, EXEC, "m view 0;n view 1",                                                     \
        (&named, "x + y", 2, (const stria_named[]){{"x", c->v[0]}, {"y", c->v[1]}}, c->exec))      \
    ROW(stria_eval_view, OUT, "m view 0",                                                          \
        (c->to, "[::-1]", 1, (const stria_named[]){{"x", c->v[0]}}))                               \
    ROW(stria_prepared_run, EXEC, "m view 0;n view 1",                                             \
        (&named, prepared, 2, (const stria_view *[]){c->v[0], c->v[1]}, c->exec))                  \
    ROW(stria_matmul, EXEC, "s out;m a;p b", (c->v[0], c->v[1], c->v[2], c->exec))                 \
    ROW(stria_matmul_new, ARRAY | EXEC, "m a;p b", (c->to, c->v[0], c->v[1], c->exec))             \
    ROW(stria_tensordot, EXEC, "s out;m a;p b",                                                    \
        (c->v[0], c->v[1], c->v[2], 1, order, order + 1, c->exec))                                 \
    ROW(stria_tensordot_new, ARRAY | EXEC, "m a;p b",                                              \
        (c->to, c->v[0], c->v[1], 1, order, order + 1, c->exec))                                   \
    ROW(stria_outer, EXEC, "s out;w a;y b", (c->v[0], c->v[1], c->v[2], c->exec))                  \
    ROW(stria_outer_new, ARRAY | EXEC, "w a;y b", (c->to, c->v[0], c->v[1], c->exec))              \
    ROW(stria_einsum, EXEC, "m out;n operand 0;n operand 1",                                       \
        (c->v[0], "ij,ij->ij", 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))              \
    ROW(stria_einsum_new, ARRAY | EXEC, "m operand 0;n operand 1",                                 \
        (c->to, "ij,kj", LIST2, c->exec))                                                          \
    ROW(stria_einsum_explain, EXEC, "m out;n operand 0;n operand 1",                               \
        ((char *)c->to, 1, NULL, c->v[0], "ij,ij->ij", 2,                                          \
         (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                                       \
    ROW(stria_as_blas_matrix, OUT, "m view", (c->to, c->v[0]))                                     \
    ROW(stria_cat_new, ARRAY | EXEC, "m view 0;n view 1", (c->to, LIST2, 0, c->exec))              \
    ROW(stria_stack_new, ARRAY | EXEC, "m view 0;n view 1", (c->to, LIST2, 0, c->exec))            \
    ROW(stria_cat_as_new, ARRAY | EXEC, "m view 0;n view 1",                                       \
        (c->to, LIST2, 0, NULL, STRIA_PROMOTE_NUMPY, c->exec))                                     \
    ROW(stria_stack_as_new, ARRAY | EXEC, "m view 0;n view 1",                                     \
        (c->to, LIST2, 0, NULL, STRIA_PROMOTE_NUMPY, c->exec))                                     \
    ROW(stria_cat, EXEC, "m out;n view 0",                                                         \
        (c->v[0], 1, (const stria_view *[]){c->v[1]}, 0, c->exec))                                 \
    ROW(stria_stack, EXEC, "g out;w view 0",                                                       \
        (c->v[0], 1, (const stria_view *[]){c->v[1]}, 0, c->exec))                                 \
    ROW(stria_hstack, EXEC, "m out;n view 0",                                                      \
        (c->v[0], 1, (const stria_view *[]){c->v[1]}, c->exec))                                    \
    ROW(stria_hstack_new, ARRAY | EXEC, "m view 0;n view 1", (c->to, LIST2, c->exec))              \
    ROW(stria_vstack, EXEC, "m out;n view 0",                                                      \
        (c->v[0], 1, (const stria_view *[]){c->v[1]}, c->exec))                                    \
    ROW(stria_vstack_new, ARRAY | EXEC, "m view 0;n view 1", (c->to, LIST2, c->exec))              \
    ROW(stria_dstack, EXEC, "t out;n view 0",                                                      \
        (c->v[0], 1, (const stria_view *[]){c->v[1]}, c->exec))                                    \
    ROW(stria_dstack_new, ARRAY | EXEC, "m view 0;n view 1", (c->to, LIST2, c->exec))              \
    ROW(stria_column_stack, EXEC, "m out;n view 0",                                                \
        (c->v[0], 1, (const stria_view *[]){c->v[1]}, c->exec))                                    \
    ROW(stria_column_stack_new, ARRAY | EXEC, "m view 0;n view 1", (c->to, LIST2, c->exec))        \
    ROW(stria_block_diag, EXEC, "m out;n view 0",                                                  \
        (c->v[0], 1, (const stria_view *[]){c->v[1]}, c->exec))                                    \
    ROW(stria_block_diag_new, ARRAY | EXEC, "m view 0;n view 1", (c->to, LIST2, c->exec))          \
    ROW(stria_repeat, EXEC, "m out;n the view", (c->v[0], c->v[1], 2, sizes, c->exec))             \
    ROW(stria_repeat_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], 2, shape, c->exec))         \
    ROW(stria_tile, EXEC, "m out;n the view", (c->v[0], c->v[1], 1, sizes, c->exec))               \
    ROW(stria_tile_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], 1, shape, c->exec))           \
    ROW(stria_repeat_interleave, EXEC, "m out;n the view", (c->v[0], c->v[1], 1, 0, c->exec))      \
    ROW(stria_repeat_interleave_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], 2, 0, c->exec))  \
    ROW(stria_repeat_each_new, ARRAY | EXEC, "m the view;i the view of repeats",                   \
        (c->to, c->v[0], c->v[1], 0, c->exec))                                                     \
    ROW(stria_roll, EXEC, "m out;n the view", (c->v[0], c->v[1], 1, flat, NULL, c->exec))          \
    ROW(stria_roll_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], 1, flat, NULL, c->exec))      \
    ROW(stria_tril, EXEC, "m out;n the view", (c->v[0], c->v[1], 0, c->exec))                      \
    ROW(stria_tril_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], 0, c->exec))                  \
    ROW(stria_triu, EXEC, "m out;n the view", (c->v[0], c->v[1], 0, c->exec))                      \
    ROW(stria_triu_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], 0, c->exec))                  \
    ROW(stria_diag_embed, EXEC, "s out;w the view", (c->v[0], c->v[1], 0, 0, 1, c->exec))          \
    ROW(stria_diag_embed_new, ARRAY | EXEC, "w the view", (c->to, c->v[0], 0, 0, 1, c->exec))      \
    ROW(stria_diag, EXEC, "w out;n the view", (c->v[0], c->v[1], 0, c->exec))                      \
    ROW(stria_diag_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], 0, c->exec))                  \
    ROW(stria_npy_read, ARRAY | EXEC, "", (c->to, path, STRIA_NPY_READ, c->exec))                  \
    ROW(stria_npy_read_fd, ARRAY | EXEC, "", (c->to, from_the_start(), STRIA_NPY_READ, c->exec))   \
    ROW(stria_npy_parse, ARRAY | EXEC, "", (c->to, npy, (int64_t)npy_size, c->exec))               \
    ROW(stria_npy_write, EXEC, "m the view", (path, c->v[0], c->exec))                             \
    ROW(stria_npy_write_fd, EXEC, "m the view", (nowhere, c->v[0], c->exec))                       \
    ROW(stria_npy_create, ARRAY | DTYPE, "", (c->to, new_path, c->dtype, 2, shape, STRIA_ORDER_C)) \
    ROW(stria_raw_read, ARRAY | DTYPE | EXEC, "",                                                  \
        (c->to, path, c->dtype, 2, shape, 8, STRIA_NPY_READ, c->exec))                             \
    ROW(stria_raw_write, EXEC, "m the view", (new_path, c->v[0], c->exec))                         \
    ROW(stria_dlpack_describe, OUT, "m the view", (c->to, dlpack_dims, c->v[0]))                   \
    ROW(stria_dlpack_export, OUT | EXEC, "m the view",                                             \
        (given(c->to), c->v[0], STRIA_COPY_NEVER, NULL, c->exec))                                  \
    ROW(stria_dlpack_export_legacy, OUT | EXEC, "m the view",                                      \
        (given_legacy(c->to), c->v[0], STRIA_COPY_ALWAYS, NULL, c->exec))                          \
    ROW(stria_dlpack_export_owned, OUT, "m the view", (given(c->to), c->v[0], NULL, NULL))         \
    ROW(stria_dlpack_borrow, OUT, "", (c->to, &tensor_of_other, 0))                                \
    ROW(stria_dlpack_import, ARRAY, "", (c->to, new_tensor()))                                     \
    ROW(stria_dlpack_import_legacy, ARRAY, "", (c->to, new_legacy()))                              \
    ROW(stria_safetensors_get, ARRAY | EXEC, "", (c->to, tensors, "x", c->exec))                   \
    ROW(stria_safetensors_write, EXEC, "m the view",                                               \
        (tensors_path, 1, (const char *[]){"x"}, &c->v[0], c->exec))                               \
    ROW(stria_csv_parse, ARRAY | EXEC, "", (c->to, "1,2\n3,4", 7, 0, c->exec))                     \
    ROW(stria_csv_read, ARRAY | EXEC, "", (c->to, table_path, 0, c->exec))                         \
    ROW(stria_csv_write, EXEC, "m the view", (table_path, c->v[0], 0, NULL, c->exec))              \
    PICTURE_ROWS                                                                                   \
    ARCHIVE_ROWS                                                                                   \
    ROW(stria_npy_flush, 0, "M the array", (c->array))                                             \
    ROW(stria_npy_put, EXEC, "m the block",                                                        \
        (new_writer(), c->v[0], 2, (int64_t[]){0, 0}, c->exec))                                    \
    ROW(stria_plan_make, OUT, "m operand 0;n operand 1", (c->to, LIST2, 0))                        \
    ROW(stria_view_field, OUT, "r the view", (c->to, c->v[0], "y"))                                \
    ROW(stria_view_fields, OUT, "r the view", (c->to, c->v[0]))                                    \
    ROW(stria_trace, EXEC | SHARES, "a out;m the view", (c->v[0], c->v[1], c->exec))               \
    ROW(stria_trace_new, ARRAY | EXEC, "m the view", (c->to, c->v[0], c->exec))                    \
    ROW(stria_vecdot, EXEC, "w out;m a;n b", (c->v[0], c->v[1], c->v[2], 1, order, c->exec))       \
    ROW(stria_vecdot_new, ARRAY | EXEC, "m a;n b",                                                 \
        (c->to, c->v[0], c->v[1], 1, order, false, c->exec))                                       \
    ROW(stria_exact_reduce, EXEC, "w out;m a",                                                     \
        (c->v[0], STRIA_VAR, c->v[1], 1, order, 0, c->exec))                                       \
    ROW(stria_exact_reduce_new, ARRAY | EXEC, "m a",                                               \
        (c->to, STRIA_MEAN, c->v[0], 1, order, 0, false, c->exec))                                 \
    ROW(stria_exact_moment, EXEC, "w out;m a",                                                     \
        (c->v[0], STRIA_MOMENT_SKEWNESS, c->v[1], 1, order, c->exec))                              \
    ROW(stria_exact_moment_new, ARRAY | EXEC, "m a",                                               \
        (c->to, STRIA_MOMENT_FOURTH, c->v[0], 1, order, false, c->exec))                           \
    ROW(stria_exact_shape, SHARES, "a out",                                                        \
        (c->v[0], state_of(STRIA_EXACT_POWERS), STRIA_MOMENT_THIRD))                               \
    ROW(stria_exact_dot, EXEC | SHARES, "a out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))     \
    ROW(stria_exact_dot_new, ARRAY | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], c->exec))          \
    ROW(stria_exact_make, 0, "?e edges",                                                           \
        (new_state(), c->v[0] ? STRIA_EXACT_HISTOGRAM : STRIA_EXACT_SUM, c->v[0]))                 \
    ROW(stria_exact_add, EXEC, "m a", (state_of(STRIA_EXACT_SUM), c->v[0], c->exec))               \
    ROW(stria_exact_add_at, EXEC, "m a",                                                           \
        (state_of(STRIA_EXACT_EXTREMES), c->v[0], 0, 2, steps, c->exec))                           \
    ROW(stria_exact_add_product, EXEC, "m a;n b",                                                  \
        (state_of(STRIA_EXACT_SUM), c->v[0], c->v[1], c->exec))                                    \
    ROW(stria_exact_result, SHARES, "a out", (c->v[0], state_of(STRIA_EXACT_SUM), STRIA_SUM, 0))   \
    ROW(stria_exact_counts, 0, "i out", (c->v[0], state_of(STRIA_EXACT_HISTOGRAM)))                \
    ROW(stria_exact_edges, 0, "e out", (c->v[0], state_of(STRIA_EXACT_HISTOGRAM)))                 \
    ROW(stria_pad, EXEC, "m out;n a;?a value",                                                     \
        (c->v[0], c->v[1], 2, sizes,                                                               \
         &(stria_window_options){.mode = STRIA_PAD_CONSTANT, .value = c->v[2]}, c->exec))          \
    ROW(stria_pad_new, ARRAY | EXEC, "m a;?a value",                                               \
        (c->to, c->v[0], 2, sizes, sizes,                                                          \
         &(stria_window_options){.mode = STRIA_PAD_CONSTANT, .value = c->v[1]}, c->exec))          \
    ROW(stria_correlate, EXEC, "m out;n a;g weights;?a value",                                     \
        (c->v[0], c->v[1], c->v[2],                                                                \
         &(stria_window_options){.mode = STRIA_PAD_CONSTANT, .value = c->v[3]}, c->exec))          \
    ROW(stria_correlate_new, ARRAY | EXEC, "m a;g weights;?a value",                               \
        (c->to, c->v[0], c->v[1],                                                                  \
         &(stria_window_options){.mode = STRIA_PAD_CONSTANT, .value = c->v[2]}, c->exec))          \
    ROW(stria_window_reduce, EXEC, "m out;n a;?a value",                                           \
        (c->v[0], STRIA_MEAN, c->v[1], 2, around,                                                  \
         &(stria_window_options){.mode = STRIA_PAD_CONSTANT, .value = c->v[2]}, c->exec))          \
    ROW(stria_window_reduce_new, ARRAY | EXEC, "m a;?a value",                                     \
        (c->to, STRIA_MAX, c->v[0], 2, around,                                                     \
         &(stria_window_options){.mode = STRIA_PAD_CONSTANT, .value = c->v[1]}, c->exec))          \
    ROW(stria_average, EXEC, "w out;m a;n weights",                                                \
        (c->v[0], c->v[1], c->v[2], 1, order, c->exec))                                            \
    ROW(stria_average_new, ARRAY | EXEC, "m a;n weights",                                          \
        (c->to, c->v[0], c->v[1], 1, order, false, c->exec))                                       \
    ROW(stria_minmax, EXEC, "w out;y out;m a", (c->v[0], c->v[1], c->v[2], 1, order, c->exec))     \
    ROW(stria_mean_var, EXEC, "w out;y out;m a",                                                   \
        (c->v[0], c->v[1], c->v[2], 1, order, 0, c->exec))                                         \
    ROW(stria_cumsum, EXEC, "m out;n a", (c->v[0], c->v[1], 1, c->exec))                           \
    ROW(stria_cumprod, EXEC, "m out;n a", (c->v[0], c->v[1], 1, c->exec))                          \
    ROW(stria_cummax, EXEC, "m out;n a", (c->v[0], c->v[1], 1, c->exec))                           \
    ROW(stria_cummin, EXEC, "m out;n a", (c->v[0], c->v[1], 1, c->exec))                           \
    ROW(stria_logcumsumexp, EXEC, "m out;n a", (c->v[0], c->v[1], 1, c->exec))                     \
    ROW(stria_scan_dim, EXEC, "m out;n a", (c->v[0], STRIA_CUMSUM, c->v[1], 1, NULL, c->exec))     \
    ROW(stria_scan_dim_new, ARRAY | EXEC, "m a", (c->to, STRIA_CUMSUM, c->v[0], 1, NULL, c->exec)) \
    ROW(stria_fold_op, EXEC, "w out;m a",                                                          \
        (c->v[0], STRIA_SUBTRACT, c->v[1], 1, order, NULL, c->exec))                               \
    ROW(stria_fold_op_new, ARRAY | EXEC, "m a",                                                    \
        (c->to, STRIA_SUBTRACT, c->v[0], 1, order, NULL, c->exec))                                 \
    ROW(stria_scan_op, EXEC, "m out;n a", (c->v[0], STRIA_SUBTRACT, c->v[1], 1, NULL, c->exec))    \
    ROW(stria_scan_op_new, ARRAY | EXEC, "m a",                                                    \
        (c->to, STRIA_SUBTRACT, c->v[0], 1, NULL, c->exec))                                        \
    ROW(stria_segment_op, EXEC, "m out;n a;k offsets",                                             \
        (c->v[0], STRIA_HYPOT, c->v[1], c->v[2], 0, NULL, c->exec))                                \
    ROW(stria_label_op, EXEC, "m out;n a;i labels",                                                \
        (c->v[0], STRIA_HYPOT, c->v[1], c->v[2], 0, NULL, c->exec))                                \
    ROW(stria_segment_op_new, ARRAY | EXEC, "m a;i offsets",                                       \
        (c->to, STRIA_HYPOT, c->v[0], c->v[1], 1, NULL, c->exec))                                  \
    ROW(stria_label_op_new, ARRAY | EXEC, "m a;i labels",                                          \
        (c->to, STRIA_HYPOT, c->v[0], c->v[1], 0, 9, NULL, c->exec))                               \
    ROW(stria_outer_op, EXEC, "s out;w a;y b",                                                     \
        (c->v[0], STRIA_SUBTRACT, c->v[1], c->v[2], c->exec))                                      \
    ROW(stria_outer_op_new, ARRAY | EXEC, "w a;y b",                                               \
        (c->to, STRIA_SUBTRACT, c->v[0], c->v[1], c->exec))                                        \
    ROW(stria_inner_op, EXEC, "s out;m a;p b",                                                     \
        (c->v[0], STRIA_MINIMUM, STRIA_ADD, c->v[1], c->v[2], c->exec))                            \
    ROW(stria_inner_op_new, ARRAY | EXEC, "m a;p b",                                               \
        (c->to, STRIA_MINIMUM, STRIA_ADD, c->v[0], c->v[1], c->exec))                              \
    ROW(stria_core_call, EXEC, "m out;n an input", (1, &c->v[0], &zeroing, 1, &c->v[1], c->exec))  \
    ROW(stria_op_at, EXEC, "m out;n values;i the array of item 0",                                 \
        (c->v[0], STRIA_SUBTRACT, ITEM(2), c->v[1], STRIA_PLACE_NUMPY, c->exec))                   \
    ROW(stria_diff, EXEC, "m out;n a", (c->v[0], c->v[1], 0, 1, c->exec))                          \
    ROW(stria_diff_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, 1, c->exec))                      \
    ROW(stria_quantile, EXEC, "g out;m a", (c->v[0], c->v[1], 1, &half, 1, order, NULL, c->exec))  \
    ROW(stria_quantile_new, ARRAY | EXEC, "m a",                                                   \
        (c->to, c->v[0], 1, &half, 1, order, NULL, c->exec))                                       \
    ROW(stria_median, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                    \
    ROW(stria_histogram, EXEC, "k counts;m a", (c->v[0], c->v[1], 0, 9, c->exec))                  \
    ROW(stria_histogram_edges, EXEC, "i counts;m a;e edges", (c->v[0], c->v[1], c->v[2], c->exec)) \
    ROW(stria_bincount, EXEC, "k counts;i a", (c->v[0], c->v[1], c->exec))                         \
    ROW(stria_bincount_weights_new, ARRAY | EXEC, "i a;y weights",                                 \
        (c->to, c->v[0], c->v[1], 3, c->exec))                                                     \
    ROW(stria_bincount_new, ARRAY | EXEC, "i a", (c->to, c->v[0], 3, c->exec))                     \
    ROW(stria_searchsorted, EXEC, "j out;e sorted;?k sorter;m values",                             \
        (c->v[0], c->v[1], c->v[2], c->v[3], false, c->exec))                                      \
    ROW(stria_sort, EXEC, "m out;n a", (c->v[0], c->v[1], 1, false, c->exec))                      \
    ROW(stria_sort_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, false, c->exec))                  \
    ROW(stria_argsort, EXEC, "j out;m a", (c->v[0], c->v[1], 1, false, c->exec))                   \
    ROW(stria_argsort_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, false, c->exec))               \
    ROW(stria_lexsort, EXEC, "j out;m key 0;n key 1",                                              \
        (c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]}, 1, c->exec))                        \
    ROW(stria_lexsort_new, ARRAY | EXEC, "m key 0;n key 1", (c->to, LIST2, 1, c->exec))            \
    ROW(stria_partition, EXEC, "m out;n a", (c->v[0], c->v[1], 1, 1, c->exec))                     \
    ROW(stria_partition_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, 1, c->exec))                 \
    ROW(stria_argpartition, EXEC, "j out;m a", (c->v[0], c->v[1], 1, 1, c->exec))                  \
    ROW(stria_argpartition_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, 1, c->exec))              \
    ROW(stria_topk, EXEC, "m values;j indices;n a",                                                \
        (c->v[0], c->v[1], c->v[2], 3, 1, true, c->exec))                                          \
    ROW(stria_rank, EXEC, "j out;m a", (c->v[0], c->v[1], 1, STRIA_RANK_MIN, c->exec))             \
    ROW(stria_rank_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, STRIA_RANK_AVERAGE, c->exec))     \
    ROW(stria_unique_new, ARRAY | EXEC, "m a", (c->to, NULL, NULL, NULL, c->v[0], true, c->exec))  \
    ROW(stria_unique_dim_new, ARRAY | EXEC, "m a",                                                 \
        (c->to, NULL, NULL, NULL, c->v[0], 0, true, c->exec))                                      \
    ROW(stria_isin, EXEC, "b out;m a;e b", (c->v[0], c->v[1], c->v[2], false, c->exec))            \
    ROW(stria_array_equal, OUT | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], false, c->exec))       \
    ROW(stria_allclose, OUT | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], &exact, c->exec))         \
    ROW(stria_compare, OUT | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], &exact, c->exec))          \
    ROW(stria_reduce_dims, EXEC | OPTIONS, "w out;m a",                                            \
        (c->v[0], STRIA_SUM, c->v[1], 1, order, c->options, c->exec))                              \
    ROW(stria_reduce_dims_new, ARRAY | EXEC | OPTIONS, "m a",                                      \
        (c->to, STRIA_SUM, c->v[0], 1, order, c->options, c->exec))                                \
    ROW(stria_reduce_dims_explain, EXEC | OPTIONS, "w out;m a",                                    \
        ((char *)c->to, 1, NULL, c->v[0], STRIA_SUM, c->v[1], 1, order, c->options, c->exec))      \
    ROW(stria_view_dtype, OUT | DTYPE, "m the view", (c->to, c->v[0], c->dtype))                   \
    ROW(stria_view_dtype_dim, OUT | DTYPE, "m the view", (c->to, c->v[0], c->dtype, 1))            \
    ROW(stria_newbyteorder, OUT, "m the view", (c->to, c->v[0]))                                   \
    ROW(stria_getfield, OUT | DTYPE, "m the view", (c->to, c->v[0], c->dtype, 0))                  \
    ROW(stria_view_as_class, OUT, "m the view", (c->to, c->v[0], STRIA_CLASS_MATRIX))              \
    ROW(stria_coo_make, COO | EXEC, "x the view of indices;w the view of values",                  \
        (c->to, c->v[0], c->v[1], 0, NULL, 0, c->exec))                                            \
    ROW(stria_coo_indices, OUT, "S", (c->to, c->coo))                                              \
    ROW(stria_coo_values, OUT, "S", (c->to, c->coo))                                               \
    ROW(stria_coo_coalesce, COO | EXEC, "S", (c->to, c->coo, c->exec))                             \
    ROW(stria_coo_to_dense, EXEC, "n out;S", (c->v[0], c->coo, c->exec))                           \
    ROW(stria_coo_to_dense_new, ARRAY | EXEC, "S", (c->to, c->coo, c->exec))                       \
    ROW(stria_coo_from_dense, COO | EXEC, "m the view", (c->to, c->v[0], 2, c->exec))              \
    ROW(stria_coo_permute, COO | EXEC, "S", (c->to, c->coo, 2, order, c->exec))                    \
    ROW(stria_coo_transpose, COO, "S", (c->to, c->coo, 0, 1))                                      \
    ROW(stria_coo_select, COO | EXEC, "S", (c->to, c->coo, 0, 1, c->exec))                         \
    ROW(stria_csr_make, CSR | EXEC,                                                                \
        "k the view of pointers;i the view of indices;w the view of values",                       \
        (c->to, c->v[0], c->v[1], c->v[2], STRIA_CSR, 2, 2, 0, c->exec))                           \
    ROW(stria_csr_crow_indices, OUT, "R", (c->to, c->csr))                                         \
    ROW(stria_csr_col_indices, OUT, "R", (c->to, c->csr))                                          \
    ROW(stria_csr_ccol_indices, OUT, "C", (c->to, c->csr))                                         \
    ROW(stria_csr_row_indices, OUT, "C", (c->to, c->csr))                                          \
    ROW(stria_csr_values, OUT, "R", (c->to, c->csr))                                               \
    ROW(stria_csr_transpose, CSR | EXEC, "R", (c->to, c->csr, c->exec))                            \
    ROW(stria_csr_to_dense, EXEC, "n out;R", (c->v[0], c->csr, c->exec))                           \
    ROW(stria_csr_to_dense_new, ARRAY | EXEC, "R", (c->to, c->csr, c->exec))                       \
    ROW(stria_tensordot_batch, EXEC, "w out;s a;s b",                                              \
        (c->v[0], c->v[1], c->v[2], 1, order, order, 1, order + 1, order + 1, c->exec))            \
    ROW(stria_tensordot_batch_new, ARRAY | EXEC, "m a;n b",                                        \
        (c->to, c->v[0], c->v[1], 1, order, order, 1, order + 1, order + 1, c->exec))              \
    ROW(stria_conv, EXEC, "s out;m a;q weights",                                                   \
        (c->v[0], c->v[1], c->v[2], &far_windows, c->exec))                                        \
    ROW(stria_conv_new, ARRAY | EXEC, "m a;q weights",                                             \
        (c->to, c->v[0], c->v[1], &far_windows, c->exec))                                          \
    ROW(stria_convolve, EXEC, "w out;w a;y b",                                                     \
        (c->v[0], c->v[1], c->v[2], STRIA_CONVOLVE_SAME, c->exec))                                 \
    ROW(stria_convolve_new, ARRAY | EXEC, "w a;y b",                                               \
        (c->to, c->v[0], c->v[1], STRIA_CONVOLVE_FULL, c->exec))                                   \
    ROW(stria_interp, EXEC, "w out;y x;i points;i values",                                         \
        (c->v[0], c->v[1], c->v[2], c->v[3], NULL, c->exec))                                       \
    ROW(stria_interp_new, ARRAY | EXEC, "m x;i points;i values",                                   \
        (c->to, c->v[0], c->v[1], c->v[2], NULL, c->exec))                                         \
    ROW(stria_gradient, EXEC, "m out;n a;?a spacing", (c->v[0], c->v[1], c->v[2], 0, 1, c->exec))  \
    ROW(stria_gradient_new, ARRAY | EXEC, "m a;?a spacing",                                        \
        (c->to, c->v[0], c->v[1], 0, 1, c->exec))                                                  \
    ROW(stria_cov, EXEC, "s out;m a", (c->v[0], c->v[1], NULL, NULL, 1, c->exec))                  \
    ROW(stria_cov_new, ARRAY | EXEC, "s a;?y frequencies;?w weights",                              \
        (c->to, c->v[0], c->v[1], c->v[2], 1, c->exec))                                            \
    ROW(stria_corrcoef, EXEC, "s out;m a", (c->v[0], c->v[1], c->exec))                            \
    ROW(stria_corrcoef_new, ARRAY | EXEC, "m a", (c->to, c->v[0], c->exec))                        \
    ROW(stria_digitize, EXEC, "j out;m a;e edges", (c->v[0], c->v[1], c->v[2], false, c->exec))    \
    ROW(stria_digitize_new, ARRAY | EXEC, "m a;e edges",                                           \
        (c->to, c->v[0], c->v[1], false, c->exec))                                                 \
    ROW(stria_unravel_index, EXEC, "j out;k a",                                                    \
        (c->v[0], c->v[1], 2, shape, STRIA_ORDER_C, c->exec))                                      \
    ROW(stria_unravel_index_new, ARRAY | EXEC, "k a",                                              \
        (c->to, c->v[0], 2, shape, STRIA_ORDER_C, c->exec))                                        \
    ROW(stria_ravel_index, EXEC, "i out;i an index;i an index",                                    \
        (c->v[0], 2, c->v + 1, 2, shape, STRIA_INDEX_RAISE, STRIA_ORDER_C, c->exec))               \
    ROW(stria_ravel_index_new, ARRAY | EXEC, "i an index;i an index",                              \
        (c->to, 2, c->v, 2, shape, STRIA_INDEX_RAISE, STRIA_ORDER_C, c->exec))                     \
    ROW(stria_index_of, EXEC, "j out;n a;m b", (c->v[0], c->v[1], c->v[2], -1, c->exec))           \
    ROW(stria_index_of_new, ARRAY | EXEC, "n a;m b", (c->to, c->v[0], c->v[1], -1, c->exec))       \
    ROW(stria_unique_in_order_new, ARRAY | EXEC, "m a",                                            \
        (c->to, NULL, NULL, NULL, c->v[0], true, c->exec))                                         \
    ROW(stria_resize_cyclic, EXEC, "m out;w a", (c->v[0], c->v[1], c->exec))                       \
    ROW(stria_resize_cyclic_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 2, shape, c->exec))         \
    ROW(stria_quotient, EXEC, "m out;n a;m b", (c->v[0], c->v[1], c->v[2], c->exec))               \
    ROW(stria_quotient_new, ARRAY | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], c->exec))           \
    ROW(stria_count_leading_zeros, EXEC, "i out;i a", (c->v[0], c->v[1], c->exec))                 \
    ROW(stria_count_leading_zeros_new, ARRAY | EXEC, "i a", (c->to, c->v[0], c->exec))             \
    ROW(stria_csr_from_coo, CSR | EXEC, "S", (c->to, c->coo, c->exec))                             \
    ROW(stria_csr_matmul, EXEC, "s out;R;p b", (c->v[0], c->csr, c->v[2], c->exec))                \
    ROW(stria_coo_matmul, EXEC, "s out;S;p b", (c->v[0], c->coo, c->v[2], c->exec))                \
    ROW(stria_csr_matmul_new, ARRAY | EXEC, "R;p b", (c->to, c->csr, c->v[1], c->exec))            \
    ROW(stria_coo_matmul_new, ARRAY | EXEC, "S;p b", (c->to, c->coo, c->v[1], c->exec))            \
    ROW(stria_split, 0, "m the view", (ROOM, c->v[0], 1, 0))                                       \
    ROW(stria_split_sizes, 0, "m the view", (ROOM, c->v[0], 2, sizes, 0))                          \
    ROW(stria_chunk, 0, "m the view", (ROOM, c->v[0], 2, 0))                                       \
    ROW(stria_unbind, 0, "m the view", (ROOM, c->v[0], 0))                                         \
    ROW(stria_tensor_split, 0, "m the view", (ROOM, c->v[0], 2, 0))                                \
    ROW(stria_tensor_split_at, 0, "m the view", (ROOM, c->v[0], 1, sizes, 0))                      \
    ROW(stria_split_equal, 0, "m the view", (ROOM, c->v[0], 2, 0))                                 \
    ROW(stria_hsplit, 0, "m the view", (ROOM, c->v[0], 3))                                         \
    ROW(stria_hsplit_at, 0, "m the view", (ROOM, c->v[0], 1, sizes))                               \
    ROW(stria_vsplit, 0, "m the view", (ROOM, c->v[0], 2))                                         \
    ROW(stria_vsplit_at, 0, "m the view", (ROOM, c->v[0], 1, sizes))                               \
    ROW(stria_dsplit, 0, "q the view", (ROOM, c->v[0], 1))                                         \
    ROW(stria_dsplit_at, 0, "q the view", (ROOM, c->v[0], 1, sizes))                               \
    ROW(stria_storage_offset, OUT, "m the view", (c->to, c->v[0]))                                 \
    ROW(stria_view_readonly, OUT, "m the view", (c->to, c->v[0]))                                  \
    ROW(stria_array_share, ARRAY, "m the view", (c->to, c->v[0]))                                  \
    ROW(stria_storage, OUT, "m the view", (c->to, c->v[0]))                                        \
    ROW(stria_view_make, OUT | DTYPE, "", (c->to, buffer, c->dtype, 2, shape, NULL, 0))            \
    ROW(stria_view_foreign, OUT | DTYPE, "", (c->to, memory.m, c->dtype, 2, shape, NULL, 0))       \
    ROW(stria_permute, OUT, "m the view", (c->to, c->v[0], 2, order))                              \
    ROW(stria_transpose, OUT, "m the view", (c->to, c->v[0], 0, 1))                                \
    ROW(stria_reverse_dims, OUT, "m the view", (c->to, c->v[0]))                                   \
    ROW(stria_matrix_transpose, OUT, "m the view", (c->to, c->v[0]))                               \
    ROW(stria_view_shape, OUT, "m the view", (c->to, c->v[0], 1, flat))                            \
    ROW(stria_view_as, OUT, "m the view;n b", (c->to, c->v[0], c->v[1]))                           \
    ROW(stria_view_shape_order, OUT, "m the view", (c->to, c->v[0], 2, shape, STRIA_ORDER_C))      \
    ROW(stria_ravel, OUT, "m the view", (c->to, c->v[0], STRIA_ORDER_C))                           \
    ROW(stria_flatten, OUT, "m the view", (c->to, c->v[0], 0, 1))                                  \
    ROW(stria_unflatten, OUT, "m the view", (c->to, c->v[0], 1, 1, &shape[1]))                     \
    ROW(stria_squeeze, OUT, "m the view", (c->to, c->v[0]))                                        \
    ROW(stria_squeeze_dims, OUT, "m the view", (c->to, c->v[0], 1, order, false))                  \
    ROW(stria_unsqueeze, OUT, "m the view", (c->to, c->v[0], 0))                                   \
    ROW(stria_index, OUT, "m the view", (c->to, c->v[0], 0, NULL))                                 \
    ROW(stria_select, OUT, "m the view", (c->to, c->v[0], 0, 1))                                   \
    ROW(stria_narrow, OUT, "m the view", (c->to, c->v[0], 0, 0, 1))                                \
    ROW(stria_slice, OUT, "m the view", (c->to, c->v[0], 0, 0, 2, 1))                              \
    ROW(stria_flip, OUT, "m the view", (c->to, c->v[0], 1, order))                                 \
    ROW(stria_fliplr, OUT, "m the view", (c->to, c->v[0]))                                         \
    ROW(stria_flipud, OUT, "m the view", (c->to, c->v[0]))                                         \
    ROW(stria_rot90, OUT, "m the view", (c->to, c->v[0], 1, 0, 1))                                 \
    ROW(stria_diagonal, OUT, "m the view", (c->to, c->v[0], 0, 0, 1))                              \
    ROW(stria_unfold, OUT, "m the view", (c->to, c->v[0], 0, 1, 1))                                \
    ROW(stria_sliding_window_view, OUT, "m the view", (c->to, c->v[0], 2, window, NULL, false))    \
    ROW(stria_as_strided, OUT, "m the view", (c->to, c->v[0], 2, shape, steps, 0))                 \
    ROW(stria_as_strided_from, OUT, "m the view", (c->to, c->v[0], 2, shape, steps, 0))
