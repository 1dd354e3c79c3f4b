/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of the bench notice what is wrong: a byte, a place, a rounding, a gap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_narrow_floats),
        cmocka_unit_test(test_integers), cmocka_unit_test(test_numbers_are_ordinary),
        cmocka_unit_test(test_fills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
