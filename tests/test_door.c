/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bad operands of every public function that takes a view, an array or an exec. One row of the
 * table per function; tools/check_door.sh holds the table against the headers. A row calls its
 * function with good operands, and each test replaces one of them at a time by a bad one: there is
 * a status and a message that names the operand, and neither results nor operands have changed.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stria/stria.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

enum { MOST = 4 /* operands of a function */ };

/* The arguments of one call. `to` is NULL where a row is called without room for its result. */
struct call {
    const stria_view *v[MOST];
    stria_array *array;
    const stria_coo *coo;
    const stria_csr *csr;
    const stria_exec *exec;
    stria_dtype dtype;
    void *to;
    int64_t *count;
};

static const char path[] = "test_door.npy", new_path[] = "test_door_new.npy";
static const int order[] = {1, 0};
static const int64_t shape[] = {2, 3}, flat[] = {6}, steps[] = {12, 4}, sizes[] = {1, 1},
                     window[] = {1, 1}, corner[] = {1, -1};
static const float number = 7;
static const double wide_number = 7;
static const double half = 0.5;
static const stria_tolerance exact = {0, 0, false};
static stria_small *tiny;
static stria_expr *sum;        /* of inputs 0 and 1 */
static const int last[] = {2}; /* its node */

static stria_index_item items_of(const stria_view *array)
{
    return (stria_index_item){.kind = STRIA_INDEX_ARRAY, .array = array};
}

static int source, nowhere; /* descriptors: of the file at path, and of /dev/null */
static stria_npy_writer *writer;
static const char tensors_path[] = "test_door.safetensors";
static stria_safetensors *tensors;
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

static bool drop_text(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return true;
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
 * What a row is tested for, besides its operands: a result that is NULL, a bad exec, a bad dtype.
 * ARRAY, COO and CSR are results that own memory.
 */
enum { OUT = 1, EXEC = 2, DTYPE = 4, ARRAY = OUT | 8, COO = OUT | 16, CSR = OUT | 32 };

/*
 * ROW(function, flags, operands, call). An operand is a letter, which says what a good one is (see
 * set_up), and what messages call it.
 */
/* A library without libzip refuses archives before it looks at anything else. */
#ifdef STRIA_HAVE_ZIP
#define ARCHIVE_ROWS                                                                               \
    ROW(stria_npz_read, ARRAY, "", (c->to, archive, "x", STRIA_NPZ_READ))                          \
    ROW(stria_npz_write, 0, "m the view",                                                          \
        (archive_path, 1, (const char *[]){"x"}, &c->v[0], STRIA_NPZ_STORED))
#else
#define ARCHIVE_ROWS
#endif

#define ROWS                                                                                       \
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
    ROW(stria_t, OUT, "m the view", (c->to, c->v[0]))                                              \
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
    ROW(stria_copy_cast, EXEC, "m dst;n src", (c->v[0], c->v[1], STRIA_CAST_UNSAFE, c->exec))      \
    ROW(stria_astype, ARRAY | EXEC | DTYPE, "m the view",                                          \
        (c->to, c->v[0], c->dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, c->exec, NULL))           \
    ROW(stria_real, OUT, "c the view", (c->to, c->v[0]))                                           \
    ROW(stria_imag, OUT, "c the view", (c->to, c->v[0]))                                           \
    ROW(stria_view_as_real, OUT, "c the view", (c->to, c->v[0]))                                   \
    ROW(stria_view_as_complex, OUT, "p the view", (c->to, c->v[0]))                                \
    ROW(stria_conj, OUT, "c the view", (c->to, c->v[0]))                                           \
    ROW(stria_neg_view, OUT, "m the view", (c->to, c->v[0]))                                       \
    ROW(stria_H, OUT, "m the view", (c->to, c->v[0]))                                              \
    ROW(stria_mH, OUT, "m the view", (c->to, c->v[0]))                                             \
    ROW(stria_copy, 0, "m dst;n src", (c->v[0], c->v[1]))                                          \
    ROW(stria_copy_with, EXEC, "m dst;n src", (c->v[0], c->v[1], c->exec))                         \
    ROW(stria_copy_plan_make, OUT | EXEC, "m dst;n src", (c->to, c->v[0], c->v[1], c->exec))       \
    ROW(stria_contiguous, ARRAY, "m the view", (c->to, c->v[0], STRIA_ORDER_F, NULL))              \
    ROW(stria_clone, ARRAY, "m the view", (c->to, c->v[0]))                                        \
    ROW(stria_clone_ordered, ARRAY, "m the view", (c->to, c->v[0], STRIA_ORDER_F))                 \
    ROW(stria_compact, ARRAY, "m the view", (c->to, c->v[0], 0.5, NULL))                           \
    ROW(stria_reshape, ARRAY, "m the view", (c->to, c->v[0], 1, flat, STRIA_COPY_ALWAYS, NULL))    \
    ROW(stria_fill, 0, "m dst", (c->v[0], &number))                                                \
    ROW(stria_fill_with, EXEC, "m dst", (c->v[0], &number, c->exec))                               \
    ROW(stria_full, ARRAY | DTYPE, "", (c->to, c->dtype, 2, shape, &number))                       \
    ROW(stria_full_like, ARRAY | DTYPE, "m the view",                                              \
        (c->to, c->v[0], c->dtype, STRIA_ORDER_K, &number))                                        \
    ROW(stria_arange_i64, ARRAY | DTYPE, "", (c->to, c->dtype, 0, 5, 2))                           \
    ROW(stria_arange_f64, ARRAY | DTYPE, "", (c->to, c->dtype, 0, 5, 0.5))                         \
    ROW(stria_linspace, ARRAY | DTYPE, "", (c->to, c->dtype, 0, 5, 7, true))                       \
    ROW(stria_eye, ARRAY | DTYPE, "", (c->to, c->dtype, 2, 3, 1))                                  \
    ROW(stria_tri, ARRAY | DTYPE, "", (c->to, c->dtype, 2, 3, 1))                                  \
    ROW(stria_random_uniform, EXEC, "m out", (c->v[0], NULL, 0, 1, c->exec))                       \
    ROW(stria_random_normal, EXEC, "m out", (c->v[0], NULL, 0, 1, c->exec))                        \
    ROW(stria_random_integers, EXEC, "m out", (c->v[0], NULL, 0, 9, c->exec))                      \
    ROW(stria_random_bits, EXEC, "j out", (c->v[0], NULL, c->exec))                                \
    ROW(stria_small_view, OUT, "", (c->to, tiny))                                                  \
    ROW(stria_at, OUT, "m the view", (c->to, c->v[0], 2, corner))                                  \
    ROW(stria_get_bool, OUT, "m the view", (c->to, c->v[0], 2, corner))                            \
    ROW(stria_get_i64, OUT, "m the view", (c->to, c->v[0], 2, corner))                             \
    ROW(stria_get_u64, OUT, "m the view", (c->to, c->v[0], 2, corner))                             \
    ROW(stria_get_f64, OUT, "m the view", (c->to, c->v[0], 2, corner))                             \
    ROW(stria_get_c128, OUT, "m the view", (c->to, c->v[0], 2, corner))                            \
    ROW(stria_set_bool, 0, "m the view", (c->v[0], 2, corner, true))                               \
    ROW(stria_set_i64, 0, "m the view", (c->v[0], 2, corner, -1))                                  \
    ROW(stria_set_u64, 0, "m the view", (c->v[0], 2, corner, 1))                                   \
    ROW(stria_set_f64, 0, "m the view", (c->v[0], 2, corner, 0.5))                                 \
    ROW(stria_set_c128, 0, "m the view", (c->v[0], 2, corner, (const double[2]){1, 0}))            \
    ROW(stria_scalar, OUT, "", (c->to, STRIA_F64, &wide_number))                                   \
    ROW(stria_format_to, 0, "m the view", (drop_text, NULL, c->v[0], NULL))                        \
    ROW(stria_format, 0, "m the view", (NULL, 0, NULL, c->v[0], NULL))                             \
    ROW(stria_describe, 0, "m the view", (NULL, 0, NULL, c->v[0]))                                 \
    ROW(stria_hash, OUT, "m the view", (c->to, c->v[0]))                                           \
    ROW(stria_permute_in_place, OUT, "m the array", (c->to, c->v[0], 2, order))                    \
    ROW(stria_transpose_in_place, OUT, "m the array", (c->to, c->v[0], 0, 1))                      \
    ROW(stria_byteswap, EXEC, "m the array", (c->v[0], c->exec))                                   \
    ROW(stria_byteswapped, ARRAY | EXEC, "m the view", (c->to, c->v[0], c->exec))                  \
    ROW(stria_take, ARRAY, "m the view;i the index", (c->to, c->v[0], c->v[1], STRIA_INDEX_RAISE)) \
    ROW(stria_take_dim, ARRAY, "m the view;i the index",                                           \
        (c->to, c->v[0], c->v[1], 0, STRIA_INDEX_RAISE))                                           \
    ROW(stria_gather, ARRAY, "m the view;j the index", (c->to, c->v[0], 0, c->v[1]))               \
    ROW(stria_take_along_dim, ARRAY, "m the view;j the index", (c->to, c->v[0], c->v[1], 0))       \
    ROW(stria_masked_select, ARRAY, "m the view;b the mask", (c->to, c->v[0], c->v[1]))            \
    ROW(stria_nonzero, ARRAY, "m the view", (c->to, c->v[0]))                                      \
    ROW(stria_index_arrays, ARRAY, "m the view;i the array of item 0",                             \
        (c->to, c->v[0], ITEM(1), STRIA_PLACE_NUMPY))                                              \
    ROW(stria_index_put, 0, "m dst;n values;i the array of item 0",                                \
        (c->v[0], ITEM(2), c->v[1], STRIA_PLACE_NUMPY, PLAIN))                                     \
    ROW(stria_put, 0, "m dst;i the index;w values",                                                \
        (c->v[0], c->v[1], c->v[2], STRIA_INDEX_RAISE, PLAIN))                                     \
    ROW(stria_scatter, 0, "m dst;j the index;n src", (c->v[0], 0, c->v[1], c->v[2], PLAIN))        \
    ROW(stria_scatter_reduce, 0, "m dst;j the index;n src",                                        \
        (c->v[0], 0, c->v[1], c->v[2], STRIA_REDUCE_MEAN, false))                                  \
    ROW(stria_index_copy, 0, "m dst;i the index;n src", (c->v[0], 0, c->v[1], c->v[2], PLAIN))     \
    ROW(stria_index_reduce, 0, "m dst;i the index;n src",                                          \
        (c->v[0], 0, c->v[1], c->v[2], STRIA_REDUCE_MAX, true))                                    \
    ROW(stria_index_add, 0, "m dst;i the index;n src", (c->v[0], 0, c->v[1], c->v[2], NULL))       \
    ROW(stria_masked_fill, 0, "m dst;b the mask;a the value", (c->v[0], c->v[1], c->v[2]))         \
    ROW(stria_masked_scatter, 0, "m dst;b the mask;n src", (c->v[0], c->v[1], c->v[2]))            \
    ROW(stria_weak, OUT, "", (c->to, STRIA_F64, &wide_number))                                     \
    ROW(stria_add, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                    \
    ROW(stria_subtract, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))               \
    ROW(stria_multiply, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))               \
    ROW(stria_less, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                   \
    ROW(stria_divide, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                 \
    ROW(stria_fabs, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_positive, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                            \
    ROW(stria_sign, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_square, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                              \
    ROW(stria_reciprocal, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                          \
    ROW(stria_copysign, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))               \
    ROW(stria_heaviside, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))              \
    ROW(stria_lerp, EXEC, "m out;n a;n b;n c", (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))      \
    ROW(stria_addcmul, EXEC, "m out;n a;n b;n c", (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))   \
    ROW(stria_addcdiv, EXEC, "m out;n a;n b;n c", (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))   \
    ROW(stria_degrees, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                             \
    ROW(stria_radians, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                             \
    ROW(stria_less_equal, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_greater, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                \
    ROW(stria_greater_equal, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))          \
    ROW(stria_equal, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                  \
    ROW(stria_not_equal, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))              \
    ROW(stria_logical_and, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_logical_or, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_logical_xor, EXEC, "b out;m a;n b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_logical_not, EXEC, "b out;m a", (c->v[0], c->v[1], c->exec))                         \
    ROW(stria_isnan, EXEC, "b out;m a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_isinf, EXEC, "b out;m a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_isfinite, EXEC, "b out;m a", (c->v[0], c->v[1], c->exec))                            \
    ROW(stria_isposinf, EXEC, "b out;m a", (c->v[0], c->v[1], c->exec))                            \
    ROW(stria_isneginf, EXEC, "b out;m a", (c->v[0], c->v[1], c->exec))                            \
    ROW(stria_signbit, EXEC, "b out;m a", (c->v[0], c->v[1], c->exec))                             \
    ROW(stria_bitwise_and, EXEC, "m out;j a;j b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_bitwise_or, EXEC, "m out;j a;j b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_bitwise_xor, EXEC, "m out;j a;j b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_bitwise_not, EXEC, "m out;j a", (c->v[0], c->v[1], c->exec))                         \
    ROW(stria_left_shift, EXEC, "m out;j a;j b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_right_shift, EXEC, "m out;j a;j b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_bitwise_count, EXEC, "m out;j a", (c->v[0], c->v[1], c->exec))                       \
    ROW(stria_gcd, EXEC, "m out;j a;j b", (c->v[0], c->v[1], c->v[2], c->exec))                    \
    ROW(stria_lcm, EXEC, "m out;j a;j b", (c->v[0], c->v[1], c->v[2], c->exec))                    \
    ROW(stria_floor_divide, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))           \
    ROW(stria_remainder, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))              \
    ROW(stria_fmod, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                   \
    ROW(stria_floor, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_ceil, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_trunc, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_fix, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_round, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_rint, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_frac, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_maximum, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                \
    ROW(stria_minimum, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                \
    ROW(stria_fmax, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                   \
    ROW(stria_fmin, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                   \
    ROW(stria_clip, EXEC, "m out;n a;n b;n c", (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))      \
    ROW(stria_relu, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_relu6, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_leaky_relu, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_hardsigmoid, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                         \
    ROW(stria_hardswish, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                           \
    ROW(stria_hardshrink, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_softshrink, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_threshold, EXEC, "m out;n a;n b;n c", (c->v[0], c->v[1], c->v[2], c->v[3], c->exec)) \
    ROW(stria_ldexp, EXEC, "m out;n a;j b", (c->v[0], c->v[1], c->v[2], c->exec))                  \
    ROW(stria_round_decimals, EXEC, "m out;n a;j b", (c->v[0], c->v[1], c->v[2], c->exec))         \
    ROW(stria_nextafter, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))              \
    ROW(stria_float_power, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_elu, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                    \
    ROW(stria_celu, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                   \
    ROW(stria_softplus, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))               \
    ROW(stria_xlogy, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                  \
    ROW(stria_xlog1py, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                \
    ROW(stria_fma, EXEC, "m out;n a;n b;n c", (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))       \
    ROW(stria_spacing, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                             \
    ROW(stria_angle, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_silu, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_mish, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_selu, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_gelu, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_gelu_tanh, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                           \
    ROW(stria_log_sigmoid, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                         \
    ROW(stria_logit, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_sinc, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_entr, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_erfcx, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_log_ndtr, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                            \
    ROW(stria_ndtri, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_digamma, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                             \
    ROW(stria_i0, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                  \
    ROW(stria_i0e, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_i1, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                  \
    ROW(stria_i1e, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_isclose, EXEC, "b out;m a;n b",                                                      \
        (c->v[0], c->v[1], c->v[2], 1e-5, 1e-8, false, c->exec))                                   \
    ROW(stria_nan_to_num, EXEC, "m out;n a", (c->v[0], c->v[1], NULL, NULL, NULL, c->exec))        \
    ROW(stria_negative, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                            \
    ROW(stria_abs, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_exp, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_exp2, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_exp10, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_expm1, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_log, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_log2, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_log10, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_log1p, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_sinh, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_cosh, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_tanh, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_asinh, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_acosh, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_atanh, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_sigmoid, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                             \
    ROW(stria_sin, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_cos, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_tan, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_sinpi, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_cospi, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_asin, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_acos, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_atan, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_sqrt, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_rsqrt, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                               \
    ROW(stria_cbrt, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_erf, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                 \
    ROW(stria_erfc, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                                \
    ROW(stria_erfinv, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                              \
    ROW(stria_lgamma, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                              \
    ROW(stria_tgamma, EXEC, "m out;n a", (c->v[0], c->v[1], c->exec))                              \
    ROW(stria_pow, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                    \
    ROW(stria_atan2, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                  \
    ROW(stria_hypot, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))                  \
    ROW(stria_logaddexp, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))              \
    ROW(stria_logaddexp2, EXEC, "m out;n a;n b", (c->v[0], c->v[1], c->v[2], c->exec))             \
    ROW(stria_where, EXEC, "m out;b condition;n x;n y",                                            \
        (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))                                             \
    ROW(stria_elementwise, EXEC, "m out;n a;n b",                                                  \
        (STRIA_ADD, c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                \
    ROW(stria_elementwise_explain, EXEC, "m out;n a;n b",                                          \
        ((char *)c->to, 1, STRIA_ADD, c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]},        \
         c->exec))                                                                                 \
    ROW(stria_elementwise_new, ARRAY | EXEC, "m a;n b", (c->to, STRIA_ADD, LIST2, c->exec))        \
    ROW(stria_add_checked, EXEC, "i out;i a;i b", (c->v[0], c->v[1], c->v[2], c->exec))            \
    ROW(stria_subtract_checked, EXEC, "i out;i a;i b", (c->v[0], c->v[1], c->v[2], c->exec))       \
    ROW(stria_multiply_checked, EXEC, "i out;i a;i b", (c->v[0], c->v[1], c->v[2], c->exec))       \
    ROW(stria_floor_divide_checked, EXEC, "i out;i a;d b", (c->v[0], c->v[1], c->v[2], c->exec))   \
    ROW(stria_remainder_checked, EXEC, "i out;i a;d b", (c->v[0], c->v[1], c->v[2], c->exec))      \
    ROW(stria_negative_checked, EXEC, "i out;i a", (c->v[0], c->v[1], c->exec))                    \
    ROW(stria_elementwise_checked, EXEC, "i out;i a;i b",                                          \
        (STRIA_ADD, c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                \
    ROW(stria_divmod, EXEC, "m quotient;n remainder;n a;n b",                                      \
        (c->v[0], c->v[1], c->v[2], c->v[3], c->exec))                                             \
    ROW(stria_modf, EXEC, "m fraction;n whole;n a", (c->v[0], c->v[1], c->v[2], c->exec))          \
    ROW(stria_frexp, EXEC, "m mantissa;n exponent;n a", (c->v[0], c->v[1], c->v[2], c->exec))      \
    ROW(stria_sincos, EXEC, "m sine;n cosine;n a", (c->v[0], c->v[1], c->v[2], c->exec))           \
    ROW(stria_result_empty, ARRAY | DTYPE, "m operand 0;n operand 1", (c->to, c->dtype, LIST2))    \
    ROW(stria_result_dtype, OUT, "m a;n b", (c->to, STRIA_ADD, LIST2, STRIA_PROMOTE_TORCH))        \
    ROW(stria_expr_evaluate, EXEC, "m out;n input 0;n input 1",                                    \
        (sum, c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))                      \
    ROW(stria_expr_explain, EXEC, "m out;n input 0;n input 1",                                     \
        ((char *)c->to, 1, sum, c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))    \
    ROW(stria_expr_evaluate_new, ARRAY | EXEC, "m input 0;n input 1",                              \
        (c->to, sum, LIST2, c->exec))                                                              \
    ROW(stria_expr_evaluate_several, EXEC, "m out 0;n input 0;n input 1",                          \
        (sum, 1, last, &c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]}, c->exec))            \
    ROW(stria_expr_evaluate_several_new, ARRAY | EXEC, "m input 0;n input 1",                      \
        (c->to, sum, 1, last, LIST2, c->exec))                                                     \
    ROW(stria_expr_result_dtype, OUT, "m input 0;n input 1",                                       \
        (c->to, sum, LIST2, STRIA_PROMOTE_TORCH))                                                  \
    ROW(stria_expr_reduce, EXEC, "w out;m input 0;n input 1",                                      \
        (sum, STRIA_SUM, c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]}, 1, order, NULL,     \
         c->exec))                                                                                 \
    ROW(stria_expr_reduce_new, ARRAY | EXEC, "m input 0;n input 1",                                \
        (c->to, sum, STRIA_SUM, LIST2, 1, order, NULL, c->exec))                                   \
    ROW(stria_expr_reduce_explain, EXEC, "w out;m input 0;n input 1",                              \
        ((char *)c->to, 1, sum, STRIA_SUM, c->v[0], 2, (const stria_view *[]){c->v[1], c->v[2]},   \
         1, order, NULL, c->exec))                                                                 \
    ROW(stria_cat, ARRAY, "m view 0;n view 1", (c->to, LIST2, 0))                                  \
    ROW(stria_stack, ARRAY, "m view 0;n view 1", (c->to, LIST2, 0))                                \
    ROW(stria_hstack, ARRAY, "m view 0;n view 1", (c->to, LIST2))                                  \
    ROW(stria_vstack, ARRAY, "m view 0;n view 1", (c->to, LIST2))                                  \
    ROW(stria_dstack, ARRAY, "m view 0;n view 1", (c->to, LIST2))                                  \
    ROW(stria_column_stack, ARRAY, "m view 0;n view 1", (c->to, LIST2))                            \
    ROW(stria_block_diag, ARRAY, "m view 0;n view 1", (c->to, LIST2))                              \
    ROW(stria_repeat, ARRAY, "m the view", (c->to, c->v[0], 2, shape))                             \
    ROW(stria_tile, ARRAY, "m the view", (c->to, c->v[0], 1, shape))                               \
    ROW(stria_repeat_interleave, ARRAY, "m the view", (c->to, c->v[0], 2, 0))                      \
    ROW(stria_repeat_each, ARRAY, "m the view;i the view of repeats",                              \
        (c->to, c->v[0], c->v[1], 0))                                                              \
    ROW(stria_roll, ARRAY, "m the view", (c->to, c->v[0], 1, flat, NULL))                          \
    ROW(stria_tril, ARRAY, "m the view", (c->to, c->v[0], 0))                                      \
    ROW(stria_triu, ARRAY, "m the view", (c->to, c->v[0], 0))                                      \
    ROW(stria_diag_embed, ARRAY, "w the view", (c->to, c->v[0], 0, 0, 1))                          \
    ROW(stria_diag, ARRAY, "m the view", (c->to, c->v[0], 0))                                      \
    ROW(stria_npy_read, ARRAY, "", (c->to, path, STRIA_NPY_READ))                                  \
    ROW(stria_npy_read_fd, ARRAY, "", (c->to, from_the_start(), STRIA_NPY_READ))                   \
    ROW(stria_npy_parse, ARRAY, "", (c->to, npy, (int64_t)npy_size))                               \
    ROW(stria_npy_write, 0, "m the view", (path, c->v[0]))                                         \
    ROW(stria_npy_write_fd, 0, "m the view", (nowhere, c->v[0]))                                   \
    ROW(stria_npy_create, ARRAY | DTYPE, "", (c->to, new_path, c->dtype, 2, shape, STRIA_ORDER_C)) \
    ROW(stria_raw_read, ARRAY | DTYPE, "", (c->to, path, c->dtype, 2, shape, 8, STRIA_NPY_READ))   \
    ROW(stria_raw_write, 0, "m the view", (new_path, c->v[0]))                                     \
    ROW(stria_safetensors_get, ARRAY, "", (c->to, tensors, "x"))                                   \
    ROW(stria_safetensors_write, 0, "m the view",                                                  \
        (tensors_path, 1, (const char *[]){"x"}, &c->v[0]))                                        \
    ARCHIVE_ROWS                                                                                   \
    ROW(stria_npy_flush, 0, "M the array", (c->array))                                             \
    ROW(stria_npy_put, 0, "m the block", (new_writer(), (int64_t[]){0, 0}, c->v[0]))               \
    ROW(stria_plan_make, OUT, "m operand 0;n operand 1", (c->to, LIST2, 0))                        \
    ROW(stria_view_field, OUT, "r the view", (c->to, c->v[0], "y"))                                \
    ROW(stria_view_fields, OUT, "r the view", (c->to, c->v[0]))                                    \
    ROW(stria_trace, ARRAY, "m the view", (c->to, c->v[0]))                                        \
    ROW(stria_bits_and, EXEC, "i out;j a", (c->v[0], c->v[1], 1, order, c->exec))                  \
    ROW(stria_bits_or, EXEC, "i out;j a", (c->v[0], c->v[1], 1, order, c->exec))                   \
    ROW(stria_bits_xor, EXEC, "i out;j a", (c->v[0], c->v[1], 1, order, c->exec))                  \
    ROW(stria_ptp, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                       \
    ROW(stria_logsumexp, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                 \
    ROW(stria_nansum, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                    \
    ROW(stria_nanprod, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                   \
    ROW(stria_nanmean, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                   \
    ROW(stria_nanmax, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                    \
    ROW(stria_nanmin, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                    \
    ROW(stria_nanvar, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, 2, c->exec))                 \
    ROW(stria_nanstd, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, 2, c->exec))                 \
    ROW(stria_norm, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, 2, c->exec))                   \
    ROW(stria_vecdot, EXEC, "w out;m a;n b", (c->v[0], c->v[1], c->v[2], 1, order, c->exec))       \
    ROW(stria_vecdot_new, ARRAY | EXEC, "m a;n b",                                                 \
        (c->to, c->v[0], c->v[1], 1, order, false, c->exec))                                       \
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
    ROW(stria_scan_dim, EXEC, "m out;n a", (STRIA_CUMSUM, c->v[0], c->v[1], 1, NULL, c->exec))     \
    ROW(stria_scan_dim_new, ARRAY | EXEC, "m a", (c->to, STRIA_CUMSUM, c->v[0], 1, NULL, c->exec)) \
    ROW(stria_diff, EXEC, "m out;n a", (c->v[0], c->v[1], 0, 1, c->exec))                          \
    ROW(stria_diff_new, ARRAY | EXEC, "m a", (c->to, c->v[0], 1, 1, c->exec))                      \
    ROW(stria_quantile, EXEC, "g out;m a",                                                         \
        (c->v[0], c->v[1], 1, &half, 1, order, STRIA_QUANTILE_LINEAR, false, c->exec))             \
    ROW(stria_quantile_new, ARRAY | EXEC, "m a",                                                   \
        (c->to, c->v[0], 1, &half, 1, order, STRIA_QUANTILE_LINEAR, false, false, c->exec))        \
    ROW(stria_median, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                    \
    ROW(stria_histogram, 0, "k counts;m a", (c->v[0], c->v[1], 0, 9))                              \
    ROW(stria_histogram_edges, 0, "i counts;m a;e edges", (c->v[0], c->v[1], c->v[2]))             \
    ROW(stria_bincount, 0, "k counts;i a", (c->v[0], c->v[1]))                                     \
    ROW(stria_bincount_new, ARRAY, "i a", (c->to, c->v[0], 3))                                     \
    ROW(stria_searchsorted, 0, "j out;e sorted;m values", (c->v[0], c->v[1], c->v[2], false))      \
    ROW(stria_array_equal, OUT | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], false, c->exec))       \
    ROW(stria_allclose, OUT | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], &exact, c->exec))         \
    ROW(stria_compare, OUT | EXEC, "m a;n b", (c->to, c->v[0], c->v[1], &exact, c->exec))          \
    ROW(stria_sum, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                       \
    ROW(stria_prod, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                      \
    ROW(stria_mean, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                      \
    ROW(stria_max, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                       \
    ROW(stria_min, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                       \
    ROW(stria_argmax, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                    \
    ROW(stria_argmin, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                    \
    ROW(stria_var, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, 0, c->exec))                    \
    ROW(stria_std, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, 0, c->exec))                    \
    ROW(stria_all, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                       \
    ROW(stria_any, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))                       \
    ROW(stria_count_nonzero, EXEC, "w out;m a", (c->v[0], c->v[1], 1, order, c->exec))             \
    ROW(stria_reduce_dims, EXEC, "w out;m a",                                                      \
        (STRIA_SUM, c->v[0], c->v[1], 1, order, NULL, c->exec))                                    \
    ROW(stria_reduce_dims_new, ARRAY | EXEC, "m a",                                                \
        (c->to, STRIA_SUM, c->v[0], 1, order, NULL, c->exec))                                      \
    ROW(stria_reduce_dims_explain, EXEC, "w out;m a",                                              \
        ((char *)c->to, 1, STRIA_SUM, c->v[0], c->v[1], 1, order, NULL, c->exec))                  \
    ROW(stria_view_dtype, OUT | DTYPE, "m the view", (c->to, c->v[0], c->dtype))                   \
    ROW(stria_view_dtype_dim, OUT | DTYPE, "m the view", (c->to, c->v[0], c->dtype, 1))            \
    ROW(stria_newbyteorder, OUT, "m the view", (c->to, c->v[0]))                                   \
    ROW(stria_getfield, OUT | DTYPE, "m the view", (c->to, c->v[0], c->dtype, 0))                  \
    ROW(stria_view_as_class, OUT, "m the view", (c->to, c->v[0], STRIA_CLASS_MATRIX))              \
    ROW(stria_coo_make, COO, "x the view of indices;w the view of values",                         \
        (c->to, c->v[0], c->v[1], 0, NULL, 0))                                                     \
    ROW(stria_coo_indices, OUT, "S", (c->to, c->coo))                                              \
    ROW(stria_coo_values, OUT, "S", (c->to, c->coo))                                               \
    ROW(stria_coo_coalesce, COO, "S", (c->to, c->coo))                                             \
    ROW(stria_coo_to_dense, ARRAY, "S", (c->to, c->coo))                                           \
    ROW(stria_coo_from_dense, COO, "m the view", (c->to, c->v[0], 2))                              \
    ROW(stria_coo_permute, COO, "S", (c->to, c->coo, 2, order))                                    \
    ROW(stria_coo_transpose, COO, "S", (c->to, c->coo, 0, 1))                                      \
    ROW(stria_coo_select, COO, "S", (c->to, c->coo, 0, 1))                                         \
    ROW(stria_csr_make, CSR, "k the view of pointers;i the view of indices;w the view of values",  \
        (c->to, STRIA_CSR, c->v[0], c->v[1], c->v[2], 2, 2, 0))                                    \
    ROW(stria_csr_crow_indices, OUT, "R", (c->to, c->csr))                                         \
    ROW(stria_csr_col_indices, OUT, "R", (c->to, c->csr))                                          \
    ROW(stria_csr_ccol_indices, OUT, "C", (c->to, c->csr))                                         \
    ROW(stria_csr_row_indices, OUT, "C", (c->to, c->csr))                                          \
    ROW(stria_csr_values, OUT, "R", (c->to, c->csr))                                               \
    ROW(stria_csr_transpose, CSR, "R", (c->to, c->csr))                                            \
    ROW(stria_csr_to_dense, ARRAY, "R", (c->to, c->csr))                                           \
    ROW(stria_csr_from_coo, CSR, "S", (c->to, c->coo))                                             \
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
    ROW(stria_storage, OUT, "m the view", (c->to, c->v[0]))                                        \
    ROW(stria_view_make, OUT | DTYPE, "", (c->to, buffer, c->dtype, 2, shape, NULL, 0))            \
    ROW(stria_view_foreign, OUT | DTYPE, "", (c->to, memory.m, c->dtype, 2, shape, NULL, 0))       \
    ROW(stria_permute, OUT, "m the view", (c->to, c->v[0], 2, order))                              \
    ROW(stria_transpose, OUT, "m the view", (c->to, c->v[0], 0, 1))                                \
    ROW(stria_T, OUT, "m the view", (c->to, c->v[0]))                                              \
    ROW(stria_mT, OUT, "m the view", (c->to, c->v[0]))                                             \
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

/* ---- good operands -------------------------------------------------------------------------- */

/* Everything that operands lie in, so that one comparison tells whether anything was written. */
static struct memory {
    float m[6], n[6], w[2], y[2], a, p[6], q[8], c[12], r[4];
    int64_t i[2], j[6], x[2], k[3], d[2];
    uint8_t b[6];
} memory;

static stria_buffer *buffer; /* of memory.m */
static stria_dtype record;
static stria_array owned;
static stria_coo coo;
static stria_csr csr, csc;
static char npy[256]; /* the file at path */
static size_t npy_size;

static stria_view of(void *data, stria_kind kind, int ndim, const int64_t *dims)
{
    const stria_dtype dtype = kind == STRIA_RECORD ? record : stria_dtype_of(kind);
    stria_view out;
    assert_int_equal(stria_view_foreign(&out, data, dtype, ndim, dims, NULL, 0), STRIA_OK);
    return out;
}

static stria_view good(char letter)
{
    stria_view out;
    switch (letter) {
    case 'm':
        assert_int_equal(
            stria_view_make(&out, buffer, stria_dtype_of(STRIA_F32), 2, shape, NULL, 0), STRIA_OK);
        return out;
    case 'n': return of(memory.n, STRIA_F32, 2, shape);
    case 'w': return of(memory.w, STRIA_F32, 1, (int64_t[]){2});
    case 'g': return of(memory.w, STRIA_F32, 2, (int64_t[]){1, 2});
    case 'e': return of(memory.k, STRIA_I64, 1, (int64_t[]){3});
    case 'y': return of(memory.y, STRIA_F32, 1, (int64_t[]){2});
    case 'a': return of(&memory.a, STRIA_F32, 0, NULL);
    case 'p': return of(memory.p, STRIA_F32, 2, (int64_t[]){3, 2});
    case 'q': return of(memory.q, STRIA_F32, 3, (int64_t[]){2, 2, 2});
    case 'c': return of(memory.c, STRIA_C64, 2, shape);
    case 'r': return of(memory.r, STRIA_RECORD, 1, (int64_t[]){2});
    case 'i': return of(memory.i, STRIA_I64, 1, (int64_t[]){2});
    case 'j': return of(memory.j, STRIA_I64, 2, shape);
    case 'x': return of(memory.x, STRIA_I64, 2, (int64_t[]){1, 2});
    case 'k': return of(memory.k, STRIA_I64, 1, (int64_t[]){3});
    case 'd': return of(memory.d, STRIA_I64, 1, (int64_t[]){2}); /* no zeros */
    default: return of(memory.b, STRIA_BOOL, 2, shape);
    }
}

static void fill_memory(void)
{
    memory = (struct memory){.m = {1, 2, 3, 4, 5, 6},
                             .n = {7, 8, 9, 10, 11, 12},
                             .i = {0, 1},
                             .x = {0, 1},
                             .k = {0, 1, 2},
                             .b = {1, 0, 0, 1, 0, 0},
                             .d = {3, -4}};
}

static int set_up(void **state)
{
    (void)state;
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    const stria_field fields[] = {{.name = "x", .dtype = f32},
                                  {.name = "y", .dtype = f32, .offset = STRIA_OFFSET_NEXT}};
    fill_memory();
    assert_int_equal(stria_record_new(&record, 2, fields, 0, false), STRIA_OK);
    assert_int_equal(stria_buffer_wrap(&buffer, memory.m, sizeof memory.m, false, NULL, NULL),
                     STRIA_OK);
    assert_int_equal(stria_small_new(&tiny, f32, 2, shape), STRIA_OK);
    const stria_view m = good('m');
    assert_int_equal(stria_coo_from_dense(&coo, &m, 2), STRIA_OK);
    assert_int_equal(stria_csr_from_coo(&csr, &coo), STRIA_OK);
    assert_int_equal(stria_csr_transpose(&csc, &csr), STRIA_OK);
    assert_int_equal(stria_npy_write(path, &m), STRIA_OK);
    assert_int_equal(
        stria_safetensors_write(tensors_path, 1, (const char *[]){"x"}, (const stria_view *[]){&m}),
        STRIA_OK);
    assert_int_equal(stria_safetensors_open(&tensors, tensors_path, STRIA_NPY_READ), STRIA_OK);
#ifdef STRIA_HAVE_ZIP
    assert_int_equal(stria_npz_write(archive_path, 1, (const char *[]){"x"},
                                     (const stria_view *[]){&m}, STRIA_NPZ_STORED),
                     STRIA_OK);
    assert_int_equal(stria_npz_open(&archive, archive_path), STRIA_OK);
#endif
    int node[3];
    assert_int_equal(stria_expr_new(&sum), STRIA_OK);
    assert_int_equal(stria_expr_input(sum, &node[0], 0), STRIA_OK);
    assert_int_equal(stria_expr_input(sum, &node[1], 1), STRIA_OK);
    assert_int_equal(stria_expr_op(sum, &node[2], STRIA_ADD, 2, node), STRIA_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    npy_size = fread(npy, 1, sizeof npy, file);
    assert_int_equal(fclose(file), 0);
    source = open(path, O_RDONLY);
    nowhere = open("/dev/null", O_WRONLY);
    assert_true(source >= 0 && nowhere >= 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stria_coo_release(&coo);
    stria_csr_release(&csr);
    stria_csr_release(&csc);
    stria_buffer_release(buffer);
    stria_dtype_release(record);
    stria_small_release(tiny);
    stria_expr_free(sum);
    stria_npy_abandon(writer);
    stria_safetensors_close(tensors);
    assert_int_equal(remove(tensors_path), 0);
#ifdef STRIA_HAVE_ZIP
    stria_npz_close(archive);
    assert_int_equal(remove(archive_path), 0);
#endif
    (void)close(source);
    (void)close(nowhere);
    return remove(path) || remove(new_path);
}

/* ---- bad operands --------------------------------------------------------------------------- */

struct bad {
    const stria_view *view;
    stria_status status;
    const char *words;
};

enum { BADS = 11 };
static stria_view bad_view[BADS];
static struct bad bads[BADS];

static void add(int i, const stria_view *view, stria_status status, const char *words)
{
    if (view) bad_view[i] = *view;
    bads[i] = (struct bad){view ? &bad_view[i] : NULL, status, words};
}

static void make_bads(void)
{
    const stria_view m = good('m'), cleared = {.data = NULL};
    stria_array released = {0};
    stria_view odd[8];
    assert_int_equal(stria_zeros(&released, stria_dtype_of(STRIA_F32), 2, shape), STRIA_OK);
    stria_array_release(&released);
    for (int i = 0; i < COUNT(odd); i++)
        odd[i] = m;
    odd[0].ndim = -1;
    odd[1].ndim = STRIA_MAX_NDIM + 1;
    odd[2].dtype.kind = 200;
    odd[3].dtype.itemsize = 0;
    odd[4].dtype.itemsize = 8;
    odd[5].dtype.kind = STRIA_RECORD;
    odd[6].data = NULL;
    odd[7].data = NULL;
    odd[7].ndim = 0;
    add(0, NULL, STRIA_ERR_ARGUMENT, "is NULL");
    add(1, &cleared, STRIA_ERR_ARGUMENT, "cleared");
    add(2, &released.view, STRIA_ERR_ARGUMENT, "cleared");
    add(3, &odd[0], STRIA_ERR_ARGUMENT, "ndim -1");
    add(4, &odd[1], STRIA_ERR_ARGUMENT, "ndim 65");
    add(5, &odd[2], STRIA_ERR_DTYPE, "no dtype");
    add(6, &odd[3], STRIA_ERR_DTYPE, "no dtype");
    add(7, &odd[4], STRIA_ERR_DTYPE, "no dtype");
    add(8, &odd[5], STRIA_ERR_DTYPE, "no dtype");
    add(9, &odd[6], STRIA_ERR_ARGUMENT, "no data");
    add(10, &odd[7], STRIA_ERR_ARGUMENT, "no data");
}

/* ---- the table ------------------------------------------------------------------------------ */

struct row {
    const char *function;
    int flags;
    const char *operands;
    stria_status (*call)(const struct call *c);
};

#define ROW(function, flags, operands, arguments)                                                  \
    static stria_status call_##function(const struct call *c)                                      \
    {                                                                                              \
        return function arguments;                                                                 \
    }
ROWS
#undef ROW

#define ROW(function, flags, operands, arguments) {#function, flags, operands, call_##function},
    static const struct row rows[] = {ROWS};
#undef ROW

/* Room for what any of the functions makes. */
static union result {
    stria_view views[8];
    stria_array array;
    stria_coo coo;
    stria_csr csr;
    stria_plan plan;
    stria_copy_plan copy_plan;
    stria_dtype dtype;
    int64_t shape[STRIA_MAX_NDIM];
} result, untouched;
static int64_t count;

/* The operands of a row as words: letters, and what messages call them. */
struct operand {
    char letter;
    char name[40];
};

static int operands_of(struct operand *out, const char *text)
{
    int n = 0;
    while (*text) {
        const size_t length = strcspn(text, ";");
        out[n].letter = *text;
        out[n].name[0] = 0;
        if (length > 2)
            (void)snprintf(out[n].name, sizeof out[n].name, "%.*s", (int)length - 2, text + 2);
        n++;
        text += length + (text[length] == ';');
    }
    return n;
}

static stria_view operand_view[MOST];

static bool makes(const struct row *row, int owner)
{
    return (row->flags & ~(EXEC | DTYPE)) == owner;
}

/* An owner has to own something or nothing; all else in it may be anything. */
static void fill_result(union result *to, const struct row *row)
{
    memset(to, 0x5a, sizeof *to);
    if (makes(row, ARRAY)) to->array.owned = NULL;
    if (makes(row, COO)) to->coo.indices.owned = to->coo.values.owned = NULL;
    if (makes(row, CSR))
        to->csr.pointers.owned = to->csr.indices.owned = to->csr.values.owned = NULL;
}

/* Good arguments, and results and memory as they are before each call. */
static struct call good_call(const struct row *row)
{
    struct operand operands[MOST];
    struct call c = {.dtype = stria_dtype_of(STRIA_F32), .to = &result, .count = &count};
    const int n = operands_of(operands, row->operands);
    fill_memory();
    fill_result(&result, row);
    fill_result(&untouched, row);
    count = 77;
    for (int k = 0; k < n; k++) {
        const char letter = operands[k].letter;
        if (letter == 'A') {
            assert_int_equal(stria_zeros(&owned, c.dtype, 2, shape), STRIA_OK);
            c.array = &owned;
        } else if (letter == 'M') {
            assert_int_equal(stria_npy_read(&owned, path, STRIA_NPY_MAP_RW), STRIA_OK);
            c.array = &owned;
        } else if (letter == 'S') {
            c.coo = &coo;
        } else if (letter == 'R' || letter == 'C') {
            c.csr = letter == 'R' ? &csr : &csc;
        } else {
            operand_view[k] = good(letter);
            c.v[k] = &operand_view[k];
        }
    }
    return c;
}

/* The status and message, and that nothing was written. */
static void expect(const struct row *row, const struct call *c, stria_status wanted,
                   const char *name, const char *words)
{
    const struct memory before = memory;
    const stria_array owner = owned;
    const stria_status status = row->call(c);
    const char *const text = stria_last_error();
    if (status != wanted || !strstr(text, name) || !strstr(text, words)) {
        print_error("%s: %s, \"%s\"; wanted %s, '%s' and '%s'\n", row->function,
                    stria_status_name(status), text, stria_status_name(wanted), name, words);
        fail();
    }
    assert_memory_equal(&memory, &before, sizeof memory);
    assert_memory_equal(&result, &untouched, sizeof result);
    assert_memory_equal(&owned, &owner, sizeof owned);
    assert_int_equal(count, 77);
}

/* ---- the tests ------------------------------------------------------------------------------ */

static void release_owners(const struct row *row, const struct call *c)
{
    if (makes(row, ARRAY)) stria_array_release(&result.array);
    if (makes(row, COO)) stria_coo_release(&result.coo);
    if (makes(row, CSR)) stria_csr_release(&result.csr);
    if (c->array) stria_array_release(&owned);
}

static void good_operands_are_taken(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(rows); i++) {
        const struct call c = good_call(&rows[i]);
        if (rows[i].call(&c) != STRIA_OK) {
            print_error("%s: %s\n", rows[i].function, stria_last_error());
            fail();
        }
        release_owners(&rows[i], &c);
    }
}

/* The same call with one bad operand: a view, or an array of which that is the view. */
static void check_bad_view(const struct row *row, int k, const struct operand *operand,
                           const struct bad *bad)
{
    struct call c = good_call(row);
    stria_array array = {.owned = NULL};
    const bool whole = operand->letter == 'A' || operand->letter == 'M';
    if (!whole) {
        c.v[k] = bad->view;
    } else {
        if (bad->view) array.view = *bad->view;
        c.array = bad->view ? &array : NULL;
    }
    expect(row, &c, bad->status, operand->name, bad->words);
    if (whole || c.array) stria_array_release(&owned);
}

static void bad_views_are_refused(void **state)
{
    (void)state;
    make_bads();
    for (int i = 0; i < COUNT(rows); i++) {
        struct operand operands[MOST];
        const int n = operands_of(operands, rows[i].operands);
        for (int k = 0; k < n; k++)
            for (int b = 0; b < BADS && !strchr("SRC", operands[k].letter); b++)
                check_bad_view(&rows[i], k, &operands[k], &bads[b]);
    }
}

static void bad_sparse_arrays_are_refused(void **state)
{
    (void)state;
    static stria_coo cleared_coo, odd_coo;
    static stria_csr cleared_csr, odd_csr;
    int refused = 0;
    odd_coo = coo;
    odd_coo.ndim = STRIA_MAX_NDIM + 1;
    odd_csr = csr;
    odd_csr.compression = (stria_compression)7;
    const stria_coo *const coos[] = {NULL, &cleared_coo, &odd_coo};
    const stria_csr *const csrs[] = {NULL, &cleared_csr, &odd_csr};
    static const char *const words[] = {"is NULL", "cleared", "dims"};
    for (int i = 0; i < COUNT(rows); i++)
        for (int b = 0; b < COUNT(words) && strpbrk(rows[i].operands, "SRC"); b++) {
            struct call c = good_call(&rows[i]);
            if (c.coo)
                c.coo = coos[b];
            else
                c.csr = csrs[b];
            refused++;
            expect(&rows[i], &c, STRIA_ERR_ARGUMENT, "array", words[b]);
        }
    assert_true(refused > 0);
}

static void bad_execs_are_refused(void **state)
{
    (void)state;
    const stria_exec bad[] = {{.threads = -1}, {.threads = INT32_MIN}, {.hints = 1u << 31}};
    static const char *const words[] = {"-1 threads", "threads", "hints 0x80000000"};
    for (int i = 0; i < COUNT(rows); i++)
        for (int b = 0; b < COUNT(bad) && rows[i].flags & EXEC; b++) {
            struct call c = good_call(&rows[i]);
            c.exec = &bad[b];
            expect(&rows[i], &c, STRIA_ERR_ARGUMENT, "exec", words[b]);
        }
}

static void bad_dtypes_are_refused(void **state)
{
    (void)state;
    const stria_dtype bad[] = {{.kind = 200, .itemsize = 4},
                               {.kind = STRIA_F32, .itemsize = 0},
                               {.kind = STRIA_F32, .itemsize = -4},
                               {.kind = STRIA_U8, .itemsize = 1, .swapped = true},
                               {.kind = STRIA_F32, .itemsize = 4, .record = record.record},
                               {.kind = STRIA_RECORD, .itemsize = 4}};
    for (int i = 0; i < COUNT(rows); i++)
        for (int b = 0; b < COUNT(bad) && rows[i].flags & DTYPE; b++) {
            struct call c = good_call(&rows[i]);
            c.dtype = bad[b];
            expect(&rows[i], &c, STRIA_ERR_DTYPE, "", "no dtype");
        }
}

static void missing_results_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(rows); i++) {
        if (!(rows[i].flags & OUT)) continue;
        struct call c = good_call(&rows[i]);
        c.to = NULL;
        expect(&rows[i], &c, STRIA_ERR_ARGUMENT, "", "NULL");
    }
}

/* ---- results that own something already ----------------------------------------------------- */

/* The array of a result that is filled last. */
static stria_array *last_owner(const struct row *row)
{
    if (makes(row, ARRAY)) return &result.array;
    if (makes(row, COO)) return &result.coo.values;
    return makes(row, CSR) ? &result.csr.values : NULL;
}

static void count_release(void *data, int64_t size, void *context)
{
    (void)data, (void)size;
    ++*(int *)context;
}

static void own_counted(stria_array *out, int *released)
{
    static float old[2];
    stria_view view;
    stria_buffer *counted;
    assert_int_equal(stria_buffer_wrap(&counted, old, sizeof old, false, count_release, released),
                     STRIA_OK);
    assert_int_equal(
        stria_view_make(&view, counted, stria_dtype_of(STRIA_F32), 1, (int64_t[]){2}, NULL, 0),
        STRIA_OK);
    *out = stria_array_share(&view);
    stria_buffer_release(counted);
}

/* What a result owned is released when there is a new one, and kept when there is none. */
static void owners_are_replaced(void **state)
{
    (void)state;
    int replaced = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        struct call c = good_call(&rows[i]);
        stria_array *const owner = last_owner(&rows[i]);
        int released = 0;
        if (!owner) continue;
        own_counted(owner, &released);
        const stria_array before = *owner;
        if (rows[i].call(&c) != STRIA_OK || released != 1)
            fail_msg("%s released %d old results", rows[i].function, released);
        release_owners(&rows[i], &c);
        replaced++;
        if (!c.v[0] && !(rows[i].flags & DTYPE)) continue;
        c = good_call(&rows[i]);
        own_counted(owner, &released);
        if (c.v[0]) c.v[0] = NULL;
        c.dtype.kind = 200;
        assert_int_not_equal(rows[i].call(&c), STRIA_OK);
        assert_int_equal(released, 1);
        assert_int_equal(owner->view.shape[0], before.view.shape[0]);
        release_owners(&rows[i], &c);
        assert_int_equal(released, 2);
    }
    assert_true(replaced > 40);
}

/* An array may be filled from a view of itself. */
static void owners_may_be_operands(void **state)
{
    (void)state;
    int tried = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        if (!makes(&rows[i], ARRAY)) continue;
        struct operand operands[MOST];
        const int n = operands_of(operands, rows[i].operands);
        for (int k = 0; k < n; k++) {
            struct call c = good_call(&rows[i]);
            stria_hash128 wanted, made;
            if (!c.v[k]) continue;
            assert_int_equal(rows[i].call(&c), STRIA_OK);
            const bool random = strstr(rows[i].function, "empty") != NULL;
            if (random) assert_int_equal(stria_fill(&result.array.view, &number), STRIA_OK);
            assert_int_equal(stria_hash(&wanted, &result.array.view), STRIA_OK);
            stria_array_release(&result.array);
            assert_int_equal(stria_clone(&result.array, c.v[k]), STRIA_OK);
            c.v[k] = &result.array.view;
            if (rows[i].call(&c) != STRIA_OK)
                fail_msg("%s: %s", rows[i].function, stria_last_error());
            if (random) assert_int_equal(stria_fill(&result.array.view, &number), STRIA_OK);
            assert_int_equal(stria_hash(&made, &result.array.view), STRIA_OK);
            if (wanted.low != made.low || wanted.high != made.high)
                fail_msg("%s, operand %d: another result into itself", rows[i].function, k);
            release_owners(&rows[i], &c);
            tried++;
        }
    }
    assert_true(tried > 40);
}

/* ---- functions without a status ------------------------------------------------------------- */

static stria_view view_made;
static stria_array array_made;

static int64_t made_view(const stria_view *a)
{
    view_made = stria_view_readonly(a);
    return view_made.ndim;
}

static int64_t made_array(const stria_view *a)
{
    array_made = stria_array_share(a);
    const bool owns = array_made.owned != NULL;
    stria_array_release(&array_made);
    return owns;
}

/* QUESTION(function, answer for a, which is 0, false or nothing for what is no view). */
#define QUESTIONS                                                                                  \
    QUESTION(stria_numel, stria_numel(a))                                                          \
    QUESTION(stria_nbytes, stria_nbytes(a))                                                        \
    QUESTION(stria_offset, a ? 0 : stria_offset(a))                                                \
    QUESTION(stria_is_contiguous, stria_is_contiguous(a, STRIA_ORDER_C))                           \
    QUESTION(stria_is_aligned, stria_is_aligned(a))                                                \
    QUESTION(stria_retained_bytes, a ? 0 : stria_retained_bytes(a))                                \
    QUESTION(stria_is_view, stria_is_view(a))                                                      \
    QUESTION(stria_is_writable, a ? 0 : stria_is_writable(a))                                      \
    QUESTION(stria_same_view, stria_same_view(a, a))                                               \
    QUESTION(stria_view_readonly, made_view(a))                                                    \
    QUESTION(stria_array_share, made_array(a))                                                     \
    QUESTION(stria_shares_memory, (int64_t)stria_shares_memory(a, a, 1000))                        \
    QUESTION(stria_may_share_memory, stria_may_share_memory(a, a))                                 \
    QUESTION(stria_overlaps_itself, (int64_t)stria_overlaps_itself(a, 1000))

static void questions_have_answers(void **state)
{
    (void)state;
    make_bads();
    for (int b = 0; b < BADS; b++) {
        const stria_view *const a = bads[b].view;
        const bool no_view = !a || a->ndim < 0 || a->ndim > STRIA_MAX_NDIM;
#define QUESTION(function, answer)                                                                 \
    {                                                                                              \
        const int64_t answer_ = answer;                                                            \
        if (no_view && answer_ != 0) print_error("%s: %lld\n", #function, (long long)answer_);     \
        assert_false(no_view &&answer_ != 0);                                                      \
    }
        QUESTIONS
#undef QUESTION
    }
}

static stria_status never_called(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)ptr, (void)d, (void)arg;
    fail();
    return STRIA_OK;
}

/* PLAN(function, call): plans that are missing or cleared, and what else is missing beside one. */
#define PLANS                                                                                      \
    PLAN(stria_walk, (NULL, never_called, NULL, NULL))                                             \
    PLAN(stria_walk, (&nothing, never_called, NULL, NULL))                                         \
    PLAN(stria_walk, (&some, NULL, NULL, NULL))                                                    \
    PLAN(stria_walk, (&some, never_called, NULL, &(stria_exec){.threads = -1}))                    \
    PLAN(stria_walk, (&some, never_called, NULL, &(stria_exec){.hints = 1u << 30}))                \
    PLAN(stria_plan_rebind, (NULL, 1, data))                                                       \
    PLAN(stria_plan_rebind, (&nothing, 1, data))                                                   \
    PLAN(stria_plan_rebind, (&some, 1, NULL))                                                      \
    PLAN(stria_plan_rebind, (&some, 2, data))                                                      \
    PLAN(stria_plan_rebind, (&some, 1, &(char *){NULL}))                                           \
    PLAN(stria_copy_plan_run_at, (NULL, data[0], data[0]))                                         \
    PLAN(stria_copy_plan_run_at, (&no_copy, data[0], data[0]))

static void bad_plans_are_refused(void **state)
{
    (void)state;
    const stria_copy_plan no_copy = {.strategy = NULL};
    stria_plan nothing = {.ndim = 0}, some;
    const stria_view m = good('m');
    char *const data[] = {m.data, m.data};
    assert_int_equal(stria_plan_make(&some, 1, (const stria_view *[]){&m}, 0), STRIA_OK);
#define PLAN(function, arguments) assert_int_equal(function arguments, STRIA_ERR_ARGUMENT);
    PLANS
#undef PLAN
}

/* VOID(function, call): nothing can be reported, and nothing happens. */
#define VOIDS                                                                                      \
    VOID(stria_copy_plan_run, (NULL))                                                              \
    VOID(stria_copy_plan_run, (&no_copy))                                                          \
    VOID(stria_array_release, (NULL))                                                              \
    VOID(stria_array_release, (&array))                                                            \
    VOID(stria_coo_release, (NULL))                                                                \
    VOID(stria_coo_release, (&sparse))                                                             \
    VOID(stria_csr_release, (NULL))                                                                \
    VOID(stria_csr_release, (&compressed))

static void nothing_happens(void **state)
{
    (void)state;
    static const stria_copy_plan no_copy;
    stria_array array = {.owned = NULL};
    stria_coo sparse = {.ndim = 0};
    stria_csr compressed = {.ndim = 0};
#define VOID(function, arguments) function arguments;
    VOIDS
#undef VOID
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_operands_are_taken),
        cmocka_unit_test(bad_views_are_refused),
        cmocka_unit_test(bad_sparse_arrays_are_refused),
        cmocka_unit_test(bad_execs_are_refused),
        cmocka_unit_test(bad_dtypes_are_refused),
        cmocka_unit_test(missing_results_are_refused),
        cmocka_unit_test(owners_are_replaced),
        cmocka_unit_test(owners_may_be_operands),
        cmocka_unit_test(questions_have_answers),
        cmocka_unit_test(bad_plans_are_refused),
        cmocka_unit_test(nothing_happens),
    };
    return cmocka_run_group_tests_name("door", tests, set_up, tear_down);
}
