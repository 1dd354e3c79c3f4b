/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single elements: every item of the small floats against its definition, roundings at every
 * midpoint, limits of every integer dtype, lazy bits and byte order, addresses, refusals.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/by_value.h"
#include "support/test.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static stria_view scalar_of(void *item, stria_dtype dtype)
{
    stria_view v;
    ok(stria_view_foreign(&v, item, dtype, 0, NULL, NULL, 0));
    return v;
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* A binary float format by its definition; without infinities only the last pattern is NaN. */
struct format {
    stria_kind kind;
    int bits, mantissa, bias;
    bool infinities;
};

static const struct format formats[] = {{STRIA_F8E4M3, 8, 3, 7, false},
                                        {STRIA_F8E5M2, 8, 2, 15, true},
                                        {STRIA_F16, 16, 10, 15, true},
                                        {STRIA_BF16, 16, 7, 127, true}};

static double defined(const struct format *f, unsigned pattern)
{
    const unsigned sign = pattern >> (f->bits - 1), all = 1u << (f->bits - 1 - f->mantissa);
    const unsigned exponent = pattern >> f->mantissa & (all - 1);
    const unsigned fraction = pattern & ((1u << f->mantissa) - 1);
    double out;
    if (exponent == all - 1 && f->infinities)
        out = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == all - 1 && fraction == (1u << f->mantissa) - 1)
        out = (double)NAN;
    else
        out = ldexp(fraction + (exponent ? ldexp(1, f->mantissa) : 0),
                    (int)(exponent ? exponent : 1) - f->bias - f->mantissa);
    return sign ? -out : out;
}

static void write_pattern(char *item, const struct format *f, unsigned pattern)
{
    const uint8_t u8 = (uint8_t)pattern;
    const uint16_t u16 = (uint16_t)pattern;
    memcpy(item, f->bits == 8 ? (const void *)&u8 : &u16, (size_t)f->bits / 8);
}

TEST(items_have_their_values)
{
    for (int k = 0; k < COUNT(formats); k++)
        for (unsigned pattern = 0; pattern < 1u << formats[k].bits; pattern++) {
            char item[2];
            double got;
            const double wanted = defined(&formats[k], pattern);
            const stria_view v = scalar_of(item, stria_dtype_of(formats[k].kind));
            write_pattern(item, &formats[k], pattern);
            ok(stria_get_f64(&got, &v, 0, NULL));
            if (isnan(wanted))
                assert_true(isnan(got));
            else
                assert_memory_equal(&got, &wanted, sizeof got);
        }
}

static void expect_pattern(const struct format *f, double x, unsigned pattern)
{
    char item[2] = {0}, wanted[2] = {0};
    const stria_view v = scalar_of(item, stria_dtype_of(f->kind));
    write_pattern(wanted, f, pattern);
    ok(stria_set_f64(&v, 0, NULL, x));
    if (memcmp(item, wanted, sizeof item)) fail_msg("%a became another item than %#x", x, pattern);
}

/* Numbers between two neighbours: a tie goes to the even one, all others to the nearer one. */
TEST(floats_are_rounded_once)
{
    for (int k = 0; k < COUNT(formats); k++) {
        const struct format *const f = &formats[k];
        const unsigned sign = 1u << (f->bits - 1);
        for (unsigned low = 0; isfinite(defined(f, low + 1)); low++) {
            const double a = defined(f, low), b = defined(f, low + 1), middle = a + (b - a) / 2;
            expect_pattern(f, a, low);
            expect_pattern(f, middle, low + low % 2);
            expect_pattern(f, nextafter(middle, 0), low);
            expect_pattern(f, nextafter(middle, b), low + 1);
            expect_pattern(f, -nextafter(middle, b), (low + 1) | sign);
        }
    }
}

/* Numbers beyond half a step above the largest one; infinities stay where the format has them. */
TEST(floats_that_do_not_fit)
{
    static const struct {
        stria_kind kind;
        double fits, too_large;
        bool infinite;
    } limits[] = {{STRIA_F8E4M3, 464, 0x1.d000000000001p8, false},
                  {STRIA_F8E5M2, 0x1.dffffffffffffp15, 61440, true},
                  {STRIA_F16, 0x1.ffdffffffffffp15, 65520, true},
                  {STRIA_BF16, 0x1.feffffffffffdp127, 0x1.ffp127, true},
                  {STRIA_F32, 0x1.fffffefffffffp127, 0x1.ffffffp127, true}};
    for (int k = 0; k < COUNT(limits); k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            char item[4] = {1, 1, 1, 1}, before[4];
            double got;
            const stria_view v = scalar_of(item, stria_dtype_of(limits[k].kind));
            ok(stria_set_f64(&v, 0, NULL, sign * limits[k].fits));
            memcpy(before, item, sizeof item);
            refused(stria_set_f64(&v, 0, NULL, sign * limits[k].too_large), STRIA_ERR_OVERFLOW,
                    "does not fit into");
            assert_memory_equal(item, before, sizeof item);
            const stria_status status = stria_set_f64(&v, 0, NULL, sign * (double)INFINITY);
            assert_int_equal(status, limits[k].infinite ? STRIA_OK : STRIA_ERR_OVERFLOW);
            ok(stria_set_f64(&v, 0, NULL, (double)NAN));
            ok(stria_get_f64(&got, &v, 0, NULL));
            assert_true(isnan(got));
        }
}

/* Rounded to f64 first these would be ties. */
TEST(integers_are_rounded_once)
{
    float f32;
    uint16_t bf16;
    double f64;
    stria_view v = scalar_of(&f32, stria_dtype_of(STRIA_F32));
    ok(stria_set_i64(&v, 0, NULL, -((INT64_C(1) << 62) + (INT64_C(1) << 38) + 1)));
    assert_true(f32 == -0x1.000002p62F);
    ok(stria_set_u64(&v, 0, NULL, UINT64_MAX));
    assert_true(f32 == 0x1p64F);
    v = scalar_of(&bf16, stria_dtype_of(STRIA_BF16));
    ok(stria_set_i64(&v, 0, NULL, (INT64_C(1) << 62) + (INT64_C(1) << 54) + 1));
    assert_int_equal(bf16, 0x5E81);
    v = scalar_of(&f64, stria_dtype_of(STRIA_F64));
    ok(stria_set_i64(&v, 0, NULL, (INT64_C(1) << 53) + 3));
    assert_true(f64 == 0x1.0000000000002p53);
    v = scalar_of(&f64, stria_dtype_of(STRIA_F16));
    refused(stria_set_u64(&v, 0, NULL, 65520), STRIA_ERR_OVERFLOW, "65520 does not fit into f16");
}

/* ---- integers -------------------------------------------------------------------------------- */

struct integer {
    stria_kind kind;
    int64_t low;
    uint64_t high;
};

static const struct integer integers[] = {
    {STRIA_I8, INT8_MIN, INT8_MAX},    {STRIA_I16, INT16_MIN, INT16_MAX},
    {STRIA_I32, INT32_MIN, INT32_MAX}, {STRIA_I64, INT64_MIN, INT64_MAX},
    {STRIA_U8, 0, UINT8_MAX},          {STRIA_U16, 0, UINT16_MAX},
    {STRIA_U32, 0, UINT32_MAX},        {STRIA_U64, 0, UINT64_MAX}};

static void check_limits(const struct integer *k, bool swapped)
{
    char item[8];
    int64_t i = 0;
    uint64_t u = 0;
    const stria_dtype native = stria_dtype_of(k->kind);
    const stria_view v = scalar_of(item, swapped ? stria_dtype_swap(native) : native);
    ok(stria_set_i64(&v, 0, NULL, k->low));
    ok(stria_get_i64(&i, &v, 0, NULL));
    assert_true(i == k->low);
    assert_int_equal(stria_get_u64(&u, &v, 0, NULL), k->low < 0 ? STRIA_ERR_OVERFLOW : STRIA_OK);
    ok(stria_set_u64(&v, 0, NULL, k->high));
    ok(stria_get_u64(&u, &v, 0, NULL));
    assert_true(u == k->high);
    assert_int_equal(stria_get_i64(&i, &v, 0, NULL),
                     k->high > INT64_MAX ? STRIA_ERR_OVERFLOW : STRIA_OK);
    if (k->low > INT64_MIN)
        refused(stria_set_i64(&v, 0, NULL, k->low - 1), STRIA_ERR_OVERFLOW, "does not fit into");
    if (k->high < UINT64_MAX)
        refused(stria_set_u64(&v, 0, NULL, k->high + 1), STRIA_ERR_OVERFLOW, "does not fit into");
    ok(stria_get_u64(&u, &v, 0, NULL));
    assert_true(u == k->high);
}

TEST(integers_have_their_limits)
{
    for (int k = 0; k < COUNT(integers); k++) {
        check_limits(&integers[k], false);
        if (k % 4 > 0) check_limits(&integers[k], true); /* single bytes have no byte order */
    }
}

TEST(floats_as_integers)
{
    double item = 0;
    int64_t i = 7;
    uint64_t u = 7;
    const stria_view v = scalar_of(&item, stria_dtype_of(STRIA_F64));
    static const double bad[] = {0.5, -1e-300, 0x1p63, -0x1.0000000000001p63, 1e300};
    for (int k = 0; k < COUNT(bad); k++) {
        item = bad[k];
        refused(stria_get_i64(&i, &v, 0, NULL), STRIA_ERR_OVERFLOW, "does not fit into i64");
    }
    item = (double)NAN;
    refused(stria_get_i64(&i, &v, 0, NULL), STRIA_ERR_OVERFLOW, "nan does not fit");
    item = -(double)INFINITY;
    refused(stria_get_u64(&u, &v, 0, NULL), STRIA_ERR_OVERFLOW, "-inf does not fit");
    assert_true(i == 7 && u == 7);
    item = -0x1p63;
    ok(stria_get_i64(&i, &v, 0, NULL));
    assert_true(i == INT64_MIN);
    item = 0x1.fffffffffffffp63;
    ok(stria_get_u64(&u, &v, 0, NULL));
    assert_true(u == UINT64_MAX - 2047);
    item = -0.0;
    ok(stria_get_u64(&u, &v, 0, NULL));
    assert_true(u == 0);
}

/* ---- bool, complex, lazy bits ---------------------------------------------------------------- */

TEST(bools)
{
    uint8_t item = 2; /* any byte but 0 is true */
    double number = (double)NAN;
    int64_t i;
    bool b = false;
    stria_view v = scalar_of(&item, stria_dtype_of(STRIA_BOOL));
    ok(stria_get_i64(&i, &v, 0, NULL));
    assert_int_equal(i, 1);
    ok(stria_set_f64(&v, 0, NULL, -0.0));
    assert_int_equal(item, 0);
    ok(stria_set_i64(&v, 0, NULL, -256));
    assert_int_equal(item, 1);
    ok(stria_set_c128(&v, 0, NULL, (const double[]){0, 1e-300}));
    assert_int_equal(item, 1);
    v = scalar_of(&number, stria_dtype_of(STRIA_F64));
    ok(stria_get_bool(&b, &v, 0, NULL));
    assert_true(b);
    ok(stria_set_bool(&v, 0, NULL, true));
    assert_true(number == 1);
}

TEST(complex_numbers)
{
    float item[2] = {3, 4};
    double got[2], real;
    stria_view v = scalar_of(item, stria_dtype_of(STRIA_C64)), lazy;
    ok(stria_conj(&lazy, &v));
    ok(stria_get_c128(got, &lazy, 0, NULL));
    assert_true(got[0] == 3 && got[1] == -4);
    refused(stria_get_f64(&real, &lazy, 0, NULL), STRIA_ERR_OVERFLOW, "3-4j does not fit into f64");
    ok(stria_neg_view(&lazy, &lazy));
    ok(stria_set_c128(&lazy, 0, NULL, (const double[]){1, 2}));
    assert_true(item[0] == -1 && item[1] == 2);
    refused(stria_set_c128(&v, 0, NULL, (const double[]){1, 1e39}), STRIA_ERR_OVERFLOW, "into c64");
    assert_true(item[0] == -1 && item[1] == 2);
    ok(stria_set_i64(&v, 0, NULL, -5));
    assert_true(item[0] == -5 && item[1] == 0);
    ok(stria_get_f64(&real, &v, 0, NULL));
    assert_true(real == -5);
    unsigned char swapped[16] = {[0] = 0x3F, [1] = 0xF0, [8] = 0xC0};
    v = scalar_of(swapped, stria_dtype_swap(stria_dtype_of(STRIA_C128)));
    const unsigned one = 1;
    if (*(const unsigned char *)&one == 1) {
        ok(stria_get_c128(got, &v, 0, NULL));
        assert_true(got[0] == 1 && got[1] == -2);
    }
}

/* The smallest integer is its own negative; unsigned negatives wrap modulo 2^bits. */
TEST(negative_views)
{
    int8_t item = -128;
    uint16_t wide = 1;
    int64_t i;
    stria_view v = scalar_of(&item, stria_dtype_of(STRIA_I8));
    ok(stria_neg_view(&v, &v));
    ok(stria_get_i64(&i, &v, 0, NULL));
    assert_int_equal(i, -128);
    ok(stria_set_i64(&v, 0, NULL, 127));
    assert_int_equal(item, -127);
    ok(stria_set_i64(&v, 0, NULL, -128));
    assert_int_equal(item, -128);
    v = scalar_of(&wide, stria_dtype_of(STRIA_U16));
    ok(stria_neg_view(&v, &v));
    ok(stria_get_i64(&i, &v, 0, NULL));
    assert_int_equal(i, 65535);
    ok(stria_set_i64(&v, 0, NULL, 65535));
    assert_int_equal(wide, 1);
}

/* ---- places ---------------------------------------------------------------------------------- */

TEST(elements_are_found)
{
    int32_t memory[2][3][4];
    const int64_t shape[] = {2, 3, 4};
    stria_view a, v;
    for (int i = 0; i < 24; i++)
        ((int32_t *)memory)[i] = i;
    ok(stria_view_foreign(&a, memory, stria_dtype_of(STRIA_I32), 3, shape, NULL, 0));
    ok(stria_permute(&v, &a, 3, (const int[]){2, 0, 1}));
    ok(stria_slice(&v, &v, 0, STRIA_NONE, STRIA_NONE, -1));
    for (int64_t i = -4; i < 4; i++)
        for (int64_t j = -2; j < 2; j++)
            for (int64_t k = -3; k < 3; k++) {
                int64_t got;
                void *at;
                const int64_t index[] = {i, j, k};
                int32_t *const place = &memory[(j + 2) % 2][(k + 3) % 3][3 - (i + 4) % 4];
                ok(stria_at(&at, &v, 3, index));
                assert_ptr_equal(at, place);
                ok(stria_get_i64(&got, &v, 3, index));
                assert_int_equal(got, *place);
                ok(stria_set_i64(&v, 3, index, got + 1));
                assert_int_equal(*place, got + 1);
                *place = (int32_t)got;
            }
    ok(stria_view_foreign(&v, (char *)memory + 1, stria_dtype_of(STRIA_F64), 0, NULL, NULL,
                          0)); /* at any alignment */
    double x = 0;
    ok(stria_set_f64(&v, 0, NULL, 0.1));
    ok(stria_get_f64(&x, &v, 0, NULL));
    assert_true(x == 0.1);
}

TEST(refusals)
{
    static const int64_t shape[] = {2, 0, 3}, matrix[] = {2, 3};
    float memory[6] = {1, 2, 3, 4, 5, 6};
    void *at = NULL;
    double x = 5;
    stria_buffer *meta;
    stria_view v, empty, text;
    ok(stria_view_foreign(&v, memory, stria_dtype_of(STRIA_F32), 2, matrix, NULL, 0));
    refused(stria_get_f64(&x, &v, 2, (const int64_t[]){0, 3}), STRIA_ERR_INDEX,
            "get_f64: index 3 of dim 1 is out of range for its 3 elements; the shape is (2, 3)");
    refused(stria_get_f64(&x, &v, 2, (const int64_t[]){-3, 0}), STRIA_ERR_INDEX,
            "index -3 of dim 0");
    refused(stria_get_f64(&x, &v, 2, (const int64_t[]){INT64_MIN, 0}), STRIA_ERR_INDEX, "dim 0");
    refused(stria_get_f64(&x, &v, 2, (const int64_t[]){INT64_MAX, 0}), STRIA_ERR_INDEX, "dim 0");
    refused(stria_get_f64(&x, &v, 1, (const int64_t[]){0}), STRIA_ERR_INDEX, "1 indices for 2");
    refused(stria_get_f64(&x, &v, 2, NULL), STRIA_ERR_ARGUMENT, "index is NULL");
    refused(stria_set_c128(&v, 2, (const int64_t[]){0, 0}, NULL), STRIA_ERR_ARGUMENT, "value");
    const stria_view fixed = readonly_of(&v);
    refused(stria_set_f64(&fixed, 2, (const int64_t[]){0, 0}, 1), STRIA_ERR_READONLY, "read-only");
    ok(stria_view_foreign(&empty, memory, stria_dtype_of(STRIA_F32), 3, shape, NULL, 0));
    refused(stria_at(&at, &empty, 3, (const int64_t[]){0, 0, 0}), STRIA_ERR_INDEX, "0 elements");
    stria_dtype s4;
    ok(stria_dtype_sized(&s4, STRIA_BYTES, 4));
    text = scalar_of(memory, s4);
    refused(stria_get_f64(&x, &text, 0, NULL), STRIA_ERR_DTYPE, "S4 is no number");
    refused(stria_set_f64(&text, 0, NULL, 1), STRIA_ERR_DTYPE, "S4 is no number");
    ok(stria_at(&at, &text, 0, NULL));
    assert_ptr_equal(at, memory);
    ok(stria_buffer_meta(&meta, 64));
    ok(stria_view_make(&v, meta, stria_dtype_of(STRIA_F32), 0, NULL, NULL, 0));
    refused(stria_get_f64(&x, &v, 0, NULL), STRIA_ERR_UNSUPPORTED, "meta");
    refused(stria_set_f64(&v, 0, NULL, 1), STRIA_ERR_UNSUPPORTED, "meta");
    stria_buffer_release(meta);
    assert_true(x == 5);
    for (int i = 0; i < 6; i++)
        assert_true(memory[i] == (float)(i + 1));
}

/* Unlike a weak scalar a 0-d array has a dtype of its own: by NumPy's rules u8 + i16 is i16. */
TEST(scalars)
{
    uint8_t memory[3] = {1, 2, 255};
    const int16_t ten = 10;
    int64_t third;
    RELEASED stria_array out = {0};
    stria_view a, s;
    ok(stria_view_foreign(&a, memory, stria_dtype_of(STRIA_U8), 1, (const int64_t[]){3}, NULL, 0));
    ok(stria_scalar(&s, STRIA_I16, &ten));
    assert_false(stria_is_writable(&s));
    const stria_view *const operands[] = {&a, &s};
    const stria_exec numpy = {.hints = STRIA_PROMOTE_AS_NUMPY};
    ok(stria_elementwise_new(&out, STRIA_ADD, 2, operands, &numpy));
    assert_int_equal(out.view.dtype.kind, STRIA_I16);
    ok(stria_get_i64(&third, &out.view, 1, (const int64_t[]){-1}));
    assert_int_equal(third, 265);
    refused(stria_scalar(&s, STRIA_BYTES, &ten), STRIA_ERR_ARGUMENT, "kind");
    refused(stria_scalar(&s, (stria_kind)-1, &ten), STRIA_ERR_ARGUMENT, "kind -1");
}

TEST_MAIN(NULL, NULL)
