/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refusals of a mask and of a casting policy, and masks that test_elementwise does not draw: of new
 * arrays, strings and meta buffers. test_elementwise checks values under masks.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/random.h"
#include "support/test.h"

TEST(masks_that_are_none)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, z[6] = {0};
    uint8_t bytes[6] = {1, 1, 1, 1, 1, 1};
    const stria_view a = OF(x, F32, 2, 3), out = OF(z, F32, 2, 3);
    const stria_view number = OF(bytes, U8, 2, 3), wide = OF(bytes, BOOL, 1, 2, 3);
    const stria_view other = OF(bytes, BOOL, 2);
    stria_view cleared = {0};
    stria_exec exec = {.mask = &number};
    assert_int_equal(stria_exp(&out, &a, &exec), STRIA_ERR_DTYPE);
    assert_message("where is of dtype u8, not bool");
    exec.mask = &wide;
    assert_int_equal(stria_exp(&out, &a, &exec), STRIA_ERR_BROADCAST);
    assert_message("where of shape (1, 2, 3) has more dims than out of shape (2, 3)");
    exec.mask = &other;
    assert_int_equal(stria_exp(&out, &a, &exec), STRIA_ERR_BROADCAST);
    assert_message("where");
    exec.mask = &cleared;
    assert_int_equal(stria_exp(&out, &a, &exec), STRIA_ERR_ARGUMENT);
    assert_message("where");
    assert_true(z[0] == 0);
}

/* Functions that would compute all elements refuse a mask. */
TEST(functions_without_masks)
{
    float x[3] = {1, 2, 3}, z[3] = {0}, total = 0;
    uint8_t bytes[3] = {1, 0, 1};
    const stria_view a = OF(x, F32, 3), out = OF(z, F32, 3), mask = OF(bytes, BOOL, 3);
    const stria_view one = of(&total, STRIA_F32, 0, NULL);
    stria_exec exec = {.mask = &mask};
    assert_int_equal(stria_copy(&out, &a, &exec), STRIA_ERR_ARGUMENT);
    assert_message("a mask");
    assert_int_equal(stria_sum(&one, &a, STRIA_ALL_DIMS, NULL, &exec), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fill_item(&out, x, &exec), STRIA_ERR_ARGUMENT);
    exec = (stria_exec){.hints = STRIA_CASTING_UNSAFE};
    assert_int_equal(stria_copy(&out, &a, &exec), STRIA_ERR_ARGUMENT);
    assert_message("a policy of casts");
    assert_true(z[0] == 0 && total == 0);
}

TEST(overlap_with_a_mask)
{
    uint8_t bytes[4] = {1, 0, 1, 1}, flags[3] = {0, 1, 0};
    const stria_view all = OF(bytes, BOOL, 4), a = OF(flags, BOOL, 3);
    stria_view mask, out;
    stria_exec exec = {.hints = STRIA_NO_OVERLAP};
    ok(stria_narrow(&mask, &all, 0, 0, 3));
    ok(stria_narrow(&out, &all, 0, 1, 3));
    exec.mask = &mask;
    assert_int_equal(stria_logical_not(&out, &a, &exec), STRIA_ERR_OVERLAP);
    assert_message("out and where share bytes");
    exec.hints = 0;
    ok(stria_logical_not(&out, &a, &exec));
    assert_memory_equal(bytes, ((uint8_t[]){1, 1, 1, 1}), sizeof bytes);
    exec.mask = &out; /* a mask that is the output itself */
    bytes[2] = 0;
    ok(stria_logical_not(&out, &out, &exec));
    assert_memory_equal(bytes, ((uint8_t[]){1, 0, 0, 0}), sizeof bytes);
}

/* A new array has the broadcast shape of inputs and mask, and is 0 where the mask is false. */
TEST(new_arrays)
{
    float x[3] = {1, 2, 3};
    uint8_t bytes[2] = {0, 1};
    const stria_view a = OF(x, F32, 3), mask = OF(bytes, BOOL, 2, 1);
    const stria_exec exec = {.mask = &mask};
    const stria_view *const operands[] = {&a, &a};
    stria_array out = {0};
    ok(stria_elementwise_new(&out, STRIA_ADD, 2, operands, &exec));
    ASSERT_SHAPE(&out, 2, 3);
    assert_memory_equal(out.view.data, ((float[]){0, 0, 0, 2, 4, 6}), 6 * sizeof *x);
    stria_array_release(&out);
    stria_expr *e;
    int n;
    ok(stria_expr_make(&e));
    ok(stria_expr_input(e, &n, 0));
    for (int depth = 0; depth < 2; depth++) { /* the input itself, then its negative */
        const float want = depth ? -3 : 3;
        ok(stria_expr_evaluate_new(&out, e, 1, operands, &exec));
        ASSERT_SHAPE(&out, 2, 3);
        float got[6];
        memcpy(got, out.view.data, sizeof got);
        assert_true(got[2] == 0 && got[5] == want);
        stria_array_release(&out);
        if (!depth) ok(stria_expr_op(e, &n, STRIA_NEGATIVE, 1, &n));
    }
    stria_expr_release(e);
    const stria_view other = OF(bytes, BOOL, 2);
    const stria_exec bad = {.mask = &other};
    assert_int_equal(stria_elementwise_new(&out, STRIA_ADD, 2, operands, &bad),
                     STRIA_ERR_BROADCAST);
    assert_message("where of shape (2,)");
}

/* An expression that is only one input, of the other byte order or with lazy bits, is written to a
 * wider dtype. */
TEST(inputs_alone)
{
    uint8_t bytes[2] = {0, 1}, big[4] = {0, 1, 0, 2};
    float x[4] = {1, 2, 3, 4}, z[4] = {9, 9, 9, 9};
    double y[2] = {9, 9};
    const stria_view mask = OF(bytes, BOOL, 2), to = OF(z, C64, 2), wide = OF(y, F64, 2);
    stria_view turned = OF(x, C64, 2), swapped = OF(big, U16, 2);
    const stria_exec exec = {.mask = &mask};
    stria_expr *e;
    int n;
    swapped.dtype = stria_dtype_swap(swapped.dtype);
    turned.flags |= STRIA_CONJ | STRIA_NEG;
    ok(stria_expr_make(&e));
    ok(stria_expr_input(e, &n, 0));
    ok(stria_expr_evaluate(&to, e, 1, (const stria_view *const[]){&turned}, &exec));
    assert_memory_equal(z, ((float[]){9, 9, -3, 4}), sizeof z);
    ok(stria_expr_evaluate(&wide, e, 1, (const stria_view *const[]){&swapped}, &exec));
    assert_memory_equal(y, ((double[]){9, 2}), sizeof y);
    stria_expr_release(e);
}

/* where chooses among strings of a size that no kernel moves at once. */
TEST(strings)
{
    stria_dtype dtype;
    char x[] = "abcdefghijklmnopqrstu", y[] = "ABCDEFGHIJKLMNOPQRSTU";
    char z[] = "---------------------";
    uint8_t truth[3] = {1, 0, 1}, bytes[3] = {0, 1, 1};
    const int64_t n = 3;
    stria_view a, b, out;
    ok(stria_dtype_sized(&dtype, STRIA_BYTES, 7));
    ok(stria_view_foreign(&a, x, dtype, 1, &n, NULL, 0));
    ok(stria_view_foreign(&b, y, dtype, 1, &n, NULL, 0));
    ok(stria_view_foreign(&out, z, dtype, 1, &n, NULL, 0));
    const stria_view condition = OF(truth, BOOL, 3), mask = OF(bytes, BOOL, 3);
    const stria_exec exec = {.mask = &mask};
    ok(stria_where(&out, &condition, &a, &b, &exec));
    assert_string_equal(z, "-------HIJKLMNopqrstu");
}

/* Checks one row of n elements: sums where the mask is true, and the old bytes elsewhere. */
static void check_row(int64_t n, int often)
{
    enum { MOST = 100000 };
    static float x[MOST], y[MOST], z[MOST];
    static uint8_t bytes[MOST];
    static uint64_t seed = 7;
    for (int64_t i = 0; i < n; i++) {
        x[i] = (float)i, y[i] = 0.5F, z[i] = -1;
        bytes[i] = (int)(random_bits(&seed) % 8) < often ? (uint8_t)(1 + i % 255) : 0;
    }
    const stria_view a = OF(x, F32, n), b = OF(y, F32, n), out = OF(z, F32, n);
    const stria_view mask = OF(bytes, BOOL, n);
    ok(stria_add(&out, &a, &b, &(stria_exec){.mask = &mask}));
    for (int64_t i = 0; i < n; i++)
        assert_true(z[i] == (bytes[i] ? (float)i + 0.5F : -1.0F));
}

/* Rows go through the kernel at once, in pieces in the caches, and by several threads. */
TEST(rows)
{
    const int64_t lengths[] = {1, 63, 64, 65, 1023, 1024, 1025, 5000, 20000, 100000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int often = 0; often <= 8; often += 2)
            check_row(lengths[i], often);
}

/* So many results at once that half of the scratch memory of a row holds less than a cache line of
 * the output. */
TEST(wide_results)
{
    enum { N = 2000 };
    static double x[N][2], y[N][2];
    static uint8_t bytes[N], got[N];
    const char *const names[] = {"x", "y"};
    const stria_view a = OF(x, C128, N), b = OF(y, C128, N), out = OF(got, BOOL, N);
    const stria_view mask = OF(bytes, BOOL, N), *const inputs[] = {&a, &b};
    stria_expr *e;
    for (int i = 0; i < N; i++) {
        x[i][0] = y[i][0] = 1;
        y[i][1] = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + (i % 3 == 0);
        bytes[i] = i % 2 == 0;
        got[i] = 7;
    }
    ok(stria_expr_parse(&e, "(x*1j+(x*2j+(x*3j+(x*4j+(x*5j+(x*6j+(x*7j+(x*8j+x)))))))) == y", 2,
                        names));
    const stria_exec exec = {.threads = 1, .mask = &mask};
    ok(stria_expr_evaluate(&out, e, 2, inputs, &exec));
    for (int i = 0; i < N; i++)
        assert_int_equal(got[i], i % 2 ? 7 : i % 3 != 0);
    stria_expr_release(e);
}

/* Nothing is computed where the mask has no memory. */
TEST(meta_masks)
{
    float x[3] = {1, 2, 3};
    const int64_t n = 3;
    const stria_view a = OF(x, F32, 3);
    const stria_view *const operands[] = {&a};
    stria_buffer *meta;
    stria_view mask;
    stria_array out = {0};
    ok(stria_buffer_meta(&meta, n));
    ok(stria_view_make(&mask, meta, stria_dtype_of(STRIA_BOOL), 1, &n, NULL, 0));
    const stria_exec exec = {.mask = &mask};
    ok(stria_negative(&a, &a, &exec));
    assert_true(x[0] == 1);
    ok(stria_elementwise_new(&out, STRIA_NEGATIVE, 1, operands, &exec));
    assert_true(stria_buffer_is_meta(out.view.buffer));
    stria_array_release(&out);
    stria_buffer_release(meta);
}

TEST(policies_of_casts)
{
    float x[2] = {1.75F, -3e9F};
    int32_t whole[2] = {3, 4};
    double wide[2];
    const stria_view a = OF(x, F32, 2), i = OF(whole, I32, 2), f = OF(wide, F64, 2);
    const stria_exec no = {.hints = STRIA_CASTING_NO}, equiv = {.hints = STRIA_CASTING_EQUIV},
                     safe = {.hints = STRIA_CASTING_SAFE}, any = {.hints = STRIA_CASTING_UNSAFE};
    const stria_exec both = {.hints = STRIA_CASTING_NO | STRIA_CASTING_SAFE};
    stria_view swapped = f;
    assert_int_equal(stria_positive(&i, &a, NULL), STRIA_ERR_DTYPE);
    assert_message("allow it by STRIA_CASTING_UNSAFE");
    assert_int_equal(stria_positive(&i, &a, &safe), STRIA_ERR_DTYPE);
    assert_message("under safe rules");
    assert_int_equal(whole[0], 3);
    ok(stria_positive(&i, &a, &any));
    assert_int_equal(whole[0], 1);
    assert_int_equal(whole[1], INT32_MIN); /* stria_copy saturates */
    assert_int_equal(stria_positive(&f, &a, &equiv), STRIA_ERR_DTYPE);
    ok(stria_positive(&f, &a, &safe));
    assert_int_equal(stria_positive(&a, &f, &safe), STRIA_ERR_DTYPE);
    swapped.dtype.swapped = true;
    assert_int_equal(stria_positive(&swapped, &f, &no), STRIA_ERR_DTYPE);
    assert_message("under no rules");
    ok(stria_positive(&swapped, &f, &equiv));
    ok(stria_positive(&f, &f, &no));
    assert_int_equal(stria_add(&f, &f, &a, &equiv), STRIA_ERR_DTYPE);
    assert_message(
        "b of dtype f32 does not cast to f64, in which it is computed, under equiv rules");
    assert_int_equal(stria_add(&f, &f, &f, &both), STRIA_ERR_ARGUMENT);
    assert_message("several policies");
    /* compared as they are, without a cast */
    ok(stria_less(&f, &f, &a, &safe));
}

TEST_MAIN(NULL, NULL)
