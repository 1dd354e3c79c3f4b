/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of the bench notice what is wrong: a byte, a place, a rounding, a gap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "bench_values.h"
#include "stria/stria.h"

static stria_view view(void *data, stria_kind kind, int ndim, const int64_t *shape,
                       const int64_t *strides)
{
    stria_view out;
    assert_int_equal(stria_view_foreign(&out, data, stria_dtype_of(kind), ndim, shape, strides, 0),
                     STRIA_OK);
    return out;
}

static void test_copies(void **state)
{
    (void)state;
    const stria_kind kinds[] = {STRIA_U8, STRIA_F16, STRIA_F32, STRIA_F64, STRIA_C128};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const int64_t item = stria_dtype_of(kinds[k]).itemsize, shape[] = {3, 4, 5};
        char in[60 * 16], out[60 * 16];
        values_fill_bytes(in, sizeof in, k);
        /* The source is stored in the order (2, 0, 1). */
        const int64_t strides[] = {4 * item, item, 12 * item};
        const stria_view src = view(in, kinds[k], 3, shape, strides);
        const stria_view dst = view(out, kinds[k], 3, shape, NULL);
        for (int64_t i = 0, at = 0; i < 3; i++)
            for (int64_t j = 0; j < 4; j++)
                for (int64_t l = 0; l < 5; l++, at += item)
                    memcpy(out + at, in + i * strides[0] + j * strides[1] + l * strides[2],
                           (size_t)item);
        assert_true(values_copied(&dst, &src));
        for (int64_t at = 0; at < 60 * item; at++) {
            out[at] ^= 0x10;
            assert_false(values_copied(&dst, &src));
            out[at] ^= 0x10;
        }
    }
}

static bool converted(const void *out, stria_kind to, const void *in, stria_kind from)
{
    const stria_view dst = view((void *)(uintptr_t)out, to, 0, NULL, NULL);
    const stria_view src = view((void *)(uintptr_t)in, from, 0, NULL, NULL);
    return values_copied(&dst, &src);
}

/* Exactly one code is right for each number. */
static void only(uint16_t right, stria_kind to, float x)
{
    for (uint32_t code = 0; code < 0x10000; code++) {
        const uint16_t bits = (uint16_t)code;
        if (converted(&bits, to, &x, STRIA_F32) != (code == right))
            fail_msg("%a as code %#x, where %#x is right", (double)x, (unsigned)code,
                     (unsigned)right);
    }
}

static void test_narrow_floats(void **state)
{
    (void)state;
    only(0x3C00, STRIA_F16, 1.0f);
    only(0xBC00, STRIA_F16, -1.0f);
    only(0x3C00, STRIA_F16, 1.0f + 0x1p-11f);            /* a tie, to even: down */
    only(0x3C02, STRIA_F16, 1.0f + 3 * 0x1p-11f);        /* up */
    only(0x3C01, STRIA_F16, 1.0f + 0x1p-11f + 0x1p-23f); /* just above the tie */
    only(0x0001, STRIA_F16, 0x1p-24f);                   /* the least subnormal */
    only(0x7BFF, STRIA_F16, 65519.0f);
    only(0x7C00, STRIA_F16, 65520.0f);
    only(0x7C00, STRIA_F16, 1e30f);
    only(0x3F80, STRIA_BF16, 1.0f + 0x1p-8f);
    only(0x3F82, STRIA_BF16, 1.0f + 3 * 0x1p-8f);
    only(0xC2F6, STRIA_BF16, -123.0f);
}

static void test_integers(void **state)
{
    (void)state;
    const struct {
        float x;
        int8_t i8;
        uint8_t u8;
    } cases[] = {{1.9f, 1, 1},       {-1.9f, -1, 0},     {127.9f, 127, 127},
                 {300.0f, 127, 255}, {-300.0f, -128, 0}, {200.5f, 127, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int code = 0; code < 256; code++) {
            const uint8_t bits = (uint8_t)code;
            assert_int_equal(converted(&bits, STRIA_I8, &cases[i].x, STRIA_F32),
                             bits == (uint8_t)cases[i].i8);
            assert_int_equal(converted(&bits, STRIA_U8, &cases[i].x, STRIA_F32),
                             bits == cases[i].u8);
        }
    const int32_t wide = -77 + 512;
    const int8_t wrapped = -77, other = 51;
    assert_true(converted(&wrapped, STRIA_I8, &wide, STRIA_I32));
    assert_false(converted(&other, STRIA_I8, &wide, STRIA_I32));
    const uint8_t byte = 200;
    const float good = 200, bad = -56;
    assert_true(converted(&good, STRIA_F32, &byte, STRIA_U8));
    assert_false(converted(&bad, STRIA_F32, &byte, STRIA_U8));
}

static void test_numbers_are_ordinary(void **state)
{
    (void)state;
    float f32[1000];
    uint16_t f16[1000];
    values_fill_numbers((char *)f32, sizeof f32, stria_dtype_of(STRIA_F32), 1);
    values_fill_numbers((char *)f16, sizeof f16, stria_dtype_of(STRIA_F16), 1);
    int different = 0;
    for (int i = 0; i < 1000; i++) {
        assert_true(f32[i] >= 1 && f32[i] < 256);
        assert_true(f16[i] >= 0x3C00 && f16[i] < 0x5C00);
        different += f32[i] != f32[0];
    }
    assert_true(different > 900);
}

static void test_fills(void **state)
{
    (void)state;
    char data[64];
    const int64_t shape[] = {3, 4}, strides[] = {20, 2};
    const char item[] = {1, 2};
    const stria_view dst = view(data + 2, STRIA_F16, 2, shape, strides);
    for (int broken = -1; broken < 64; broken++) {
        memset(data, 0x5A, sizeof data);
        for (int64_t i = 0; i < 3; i++)
            for (int64_t j = 0; j < 4; j++)
                memcpy(data + 2 + i * 20 + j * 2, item, 2);
        if (broken >= 0) data[broken] ^= 4; /* an element, or a byte between them */
        assert_int_equal(values_filled(&dst, item, data, sizeof data, 0x5A), broken < 0);
    }
}

/* ---- math ----------------------------------------------------------------------------------- */

static bool computed(stria_op op, stria_kind promoted, int count, const stria_view *const *views)
{
    return values_computed(op, stria_dtype_of(promoted), count, views, NULL);
}

static void test_sums(void **state)
{
    (void)state;
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {0.5f, 0.25f};
    float out[6];
    const int64_t shape[] = {3, 2}, turned[] = {4, 12};
    const stria_view to = view(out, STRIA_F32, 2, shape, NULL);
    const stria_view x = view((void *)(uintptr_t)a, STRIA_F32, 2, shape, turned);
    const stria_view row = view((void *)(uintptr_t)b, STRIA_F32, 1, shape + 1, NULL);
    const stria_view *const all[] = {&to, &x, &row};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            out[2 * i + j] = a[i + 3 * j] + b[j];
    assert_true(computed(STRIA_ADD, STRIA_F32, 3, all));
    assert_false(computed(STRIA_SUBTRACT, STRIA_F32, 3, all));
    for (int i = 0; i < 6; i++) { /* one unit off, anywhere */
        const float right = out[i];
        out[i] = nextafterf(right, 0);
        assert_false(computed(STRIA_ADD, STRIA_F32, 3, all));
        out[i] = right;
    }
    assert_true(computed(STRIA_ADD, STRIA_F32, 3, all));
}

/* Ops without a definition here, which are computed one element at a time; NaN equals NaN. */
static void test_other_ops(void **state)
{
    (void)state;
    const float a[] = {1, NAN, 3, -4, 5, 6}, b[] = {2, 2};
    float out[6];
    bool truth[6];
    const int64_t shape[] = {3, 2}, turned[] = {4, 12};
    const stria_view to = view(out, STRIA_F32, 2, shape, NULL);
    const stria_view is = view(truth, STRIA_BOOL, 2, shape, NULL);
    const stria_view x = view((void *)(uintptr_t)a, STRIA_F32, 2, shape, turned);
    const stria_view row = view((void *)(uintptr_t)b, STRIA_F32, 1, shape + 1, NULL);
    const stria_view *const larger[] = {&to, &x, &row}, *const asked[] = {&is, &x};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            const float value = a[i + 3 * j];
            out[2 * i + j] = value < 2 ? 2 : value;
            truth[2 * i + j] = isnan(value);
        }
    assert_true(computed(STRIA_MAXIMUM, STRIA_F32, 3, larger));
    assert_false(computed(STRIA_MINIMUM, STRIA_F32, 3, larger));
    assert_true(computed(STRIA_ISNAN, STRIA_F32, 2, asked));
    for (int i = 0; i < 6; i++) {
        const float right = out[i];
        out[i] = isnan(right) ? 2 : NAN;
        truth[i] = !truth[i];
        assert_false(computed(STRIA_MAXIMUM, STRIA_F32, 3, larger));
        assert_false(computed(STRIA_ISNAN, STRIA_F32, 2, asked));
        out[i] = right;
        truth[i] = !truth[i];
    }
}

/* Operands are rounded to the dtype of the op, results once more. */
static void test_roundings(void **state)
{
    (void)state;
    const uint16_t half[] = {0x3C01}; /* 1 + 2^-10 */
    const int16_t whole[] = {2049};   /* 2048 in f16 */
    const uint8_t byte[] = {200}, byte2[] = {100};
    uint16_t sum = 0x6801; /* 2048 + 2 */
    uint8_t wrapped = 44;
    const stria_view h = view((void *)(uintptr_t)half, STRIA_F16, 0, NULL, NULL);
    const stria_view w = view((void *)(uintptr_t)whole, STRIA_I16, 0, NULL, NULL);
    const stria_view s = view(&sum, STRIA_F16, 0, NULL, NULL);
    const stria_view u = view((void *)(uintptr_t)byte, STRIA_U8, 0, NULL, NULL);
    const stria_view v = view((void *)(uintptr_t)byte2, STRIA_U8, 0, NULL, NULL);
    const stria_view r = view(&wrapped, STRIA_U8, 0, NULL, NULL);
    assert_true(computed(STRIA_ADD, STRIA_F16, 3, (const stria_view *[]){&s, &h, &w}));
    sum = 0x6800;
    assert_false(computed(STRIA_ADD, STRIA_F16, 3, (const stria_view *[]){&s, &h, &w}));
    assert_true(computed(STRIA_ADD, STRIA_U8, 3, (const stria_view *[]){&r, &u, &v}));
    wrapped = 255;
    assert_false(computed(STRIA_ADD, STRIA_U8, 3, (const stria_view *[]){&r, &u, &v}));
}

static void test_functions(void **state)
{
    (void)state;
    const double x[] = {-1, 0.5, 3};
    double out[3];
    uint8_t less[3] = {1, 0, 0};
    const int64_t n = 3;
    const stria_view a = view((void *)(uintptr_t)x, STRIA_F64, 1, &n, NULL);
    const stria_view o = view(out, STRIA_F64, 1, &n, NULL), l = view(less, STRIA_BOOL, 1, &n, NULL);
    const double half = 0.5;
    const stria_view h = view((void *)(uintptr_t)&half, STRIA_F64, 0, NULL, NULL);
    for (int i = 0; i < 3; i++)
        out[i] = exp(x[i]);
    assert_true(computed(STRIA_EXP, STRIA_F64, 2, (const stria_view *[]){&o, &a}));
    out[2] *= 1 + 1e-14;
    assert_false(computed(STRIA_EXP, STRIA_F64, 2, (const stria_view *[]){&o, &a}));
    assert_true(computed(STRIA_LESS, STRIA_BOOL, 3, (const stria_view *[]){&l, &a, &h}));
    less[1] = 1;
    assert_false(computed(STRIA_LESS, STRIA_BOOL, 3, (const stria_view *[]){&l, &a, &h}));
    less[1] = 0;
    out[0] = -1, out[1] = out[2] = 0.5;
    assert_true(computed(STRIA_WHERE, STRIA_F64, 4, (const stria_view *[]){&o, &l, &a, &h}));
    out[0] = 0.5;
    assert_false(computed(STRIA_WHERE, STRIA_F64, 4, (const stria_view *[]){&o, &l, &a, &h}));
    out[0] = 1, out[1] = 0.5, out[2] = 3;
    assert_true(computed(STRIA_ABS, STRIA_F64, 2, (const stria_view *[]){&o, &a}));
    out[0] = -1;
    assert_false(computed(STRIA_ABS, STRIA_F64, 2, (const stria_view *[]){&o, &a}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),      cmocka_unit_test(test_other_ops),
        cmocka_unit_test(test_roundings), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_copies),    cmocka_unit_test(test_narrow_floats),
        cmocka_unit_test(test_integers),  cmocka_unit_test(test_numbers_are_ordinary),
        cmocka_unit_test(test_fills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
