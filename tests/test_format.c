/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays as text: numbers read back bit for bit and in no fewer digits, against strtod and printf;
 * layouts against texts of NumPy 2.4; sinks, sizes and refusals.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/format/columns.h"
#include "stria/stria.h"
#include "support/random.h"
#include "support/by_value.h"
#include "support/test.h"

static char text[1 << 16];

static void check(const stria_view *a, const stria_format_options *options, const char *wanted)
{
    size_t length = 0;
    ok(stria_format(text, sizeof text, &length, a, options, NULL));
    assert_string_equal(text, wanted);
    assert_int_equal(length, strlen(wanted));
}

static stria_view of(void *data, stria_dtype dtype, int ndim, const int64_t *shape)
{
    stria_view v;
    ok(stria_view_foreign(&v, data, dtype, ndim, shape, NULL, 0));
    return v;
}

#define OF(data, kind, ...)                                                                        \
    of(data, stria_dtype_of(STRIA_##kind), sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),     \
       (const int64_t[]){__VA_ARGS__})

/* ---- digits ---------------------------------------------------------------------------------- */

static double value_of(struct decimal d)
{
    char number[64];
    (void)snprintf(number, sizeof number, "%llue%d", (unsigned long long)d.digits, d.exponent);
    return strtod(number, NULL);
}

/* Digits beyond those that are needed to read the number back are those of its exact value. */
TEST(test_rounded)
{
    uint64_t seed = 29;
    int known = 0;
    for (int i = 0; i < 200000; i++) {
        char wanted[64], found[64];
        uint64_t bits = random_bits(&seed) & INT64_MAX;
        double x;
        if (i % 3 == 1) bits = (bits & ((UINT64_C(1) << 57) - 1)) | UINT64_C(1010) << 52;
        memcpy(&x, &bits, sizeof x);
        if (i % 3 == 2) x = (double)(bits % 100000) / 1024;
        if (!(x - x == 0) || x == 0) continue;
        const int count = 1 + (int)(bits >> 7 & 0xfff) % 17;
        struct decimal d;
        if (!stria__rounded(&d, x, count)) continue;
        known++;
        (void)snprintf(wanted, sizeof wanted, "%.*e", count - 1, x);
        (void)snprintf(found, sizeof found, "%llu", (unsigned long long)d.digits);
        assert_int_equal(strlen(found), count);
        assert_int_equal(d.exponent + count - 1, atoi(strchr(wanted, 'e') + 1));
        if (count > 1) memmove(wanted + 1, wanted + 2, (size_t)count - 1);
        wanted[count] = 0;
        assert_string_equal(found, wanted);
    }
    assert_true(known > 190000);
}

/* The digits read back; printf with one digit fewer does not, and with as many is not nearer. */
static void check_shortest(double x)
{
    char number[64];
    const struct decimal d = stria__shortest(x, (struct binary_format){53, -1074});
    const int digits = stria__count_digits(d.digits);
    if (value_of(d) != x)
        fail_msg("%.17g became %llue%d", x, (unsigned long long)d.digits, d.exponent);
    if (digits > 1) {
        (void)snprintf(number, sizeof number, "%.*e", digits - 2, x);
        if (strtod(number, NULL) == x) fail_msg("%.17g has fewer digits than %d", x, digits);
    }
    (void)snprintf(number, sizeof number, "%.*e", digits - 1, x);
    if (strtod(number, NULL) == x) {
        uint64_t printed = 0;
        for (const char *c = number; *c != 'e'; c++)
            if (*c != '.') printed = printed * 10 + (uint64_t)(*c - '0');
        const uint64_t apart = printed > d.digits ? printed - d.digits : d.digits - printed;
        if (apart > 0)
            fail_msg("%.17g: %llu is nearer than %llu", x, (unsigned long long)printed,
                     (unsigned long long)d.digits);
    }
    /* Rounding to fewer digits is exact, as in printf. */
    for (int keep = 1; keep < digits; keep += 3) {
        const struct decimal r = stria__decimal_round(d, d.exponent + digits - keep);
        (void)snprintf(number, sizeof number, "%.*e", keep - 1, x);
        if (value_of(r) != strtod(number, NULL)) fail_msg("%.17g to %d digits", x, keep);
    }
}

TEST(test_digits)
{
    static const double hard[] = {5e-324,
                                  1e-323,
                                  2.2250738585072014e-308,
                                  2.225073858507201e-308,
                                  1.7976931348623157e308,
                                  9007199254740993.0,
                                  1e23,
                                  9.5e-3,
                                  0.3,
                                  2.98023223876953125e-8,
                                  4.4501477170144023e-308,
                                  1e22,
                                  0.5,
                                  123456.5};
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        check_shortest(hard[i]);
    for (int e = -1074; e < 1024; e++)
        check_shortest(ldexp(1, e));
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_bits(&seed) >> 1;
        double x;
        if (i % 2) bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (UINT64_C(1000) + bits % 64) << 52;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x) && x > 0) check_shortest(x);
        const float f =
            (float)ldexp((double)(random_bits(&seed) >> 40), (int)(random_bits(&seed) % 200) - 140);
        if (f > 0 && isfinite(f)) {
            const struct decimal d = stria__shortest((double)f, (struct binary_format){24, -149});
            assert_true((float)value_of(d) == f);
            assert_true(d.digits < 1000000000);
        }
    }
}

/* ---- layouts: texts of NumPy 2.4 ------------------------------------------------------------- */

TEST(test_numbers)
{
    double x[] = {1, 2.5, -0.0, 3.14159265358979, NAN, -INFINITY};
    stria_view v = OF(x, F64, 2, 3);
    check(&v, NULL,
          "[[ 1.          2.5        -0.        ]\n [ 3.14159265         nan        -inf]]");
    double mixed[] = {1e-5, 12345.678, 0};
    v = OF(mixed, F64, 3);
    check(&v, NULL, "[1.0000000e-05 1.2345678e+04 0.0000000e+00]");
    double one = 0.1;
    v = of(&one, stria_dtype_of(STRIA_F64), 0, NULL);
    check(&v, NULL, "0.1");
    one = 1e16;
    check(&v, NULL, "1e+16");
    one = 100;
    check(&v, NULL, "100.0");
    float single[] = {0.1F, 16777216};
    v = OF(single, F32, 2);
    check(&v, NULL, "[1.0000000e-01 1.6777216e+07]");
    int16_t i[] = {-32768, 7, 100, 0};
    v = OF(i, I16, 2, 1, 2);
    check(&v, NULL, "[[[-32768      7]]\n\n [[   100      0]]]");
    uint8_t b[] = {1, 0};
    v = OF(b, BOOL, 2);
    check(&v, NULL, "[ True False]");
    double c[] = {1, 2, NAN, -0.5};
    v = OF(c, C128, 2);
    check(&v, NULL, "[ 1.+2.j  nan-0.5j]");
    v = OF(c, C128, 1);
    ok(stria_select(&v, &v, 0, 0));
    check(&v, NULL, "(1+2j)");
    ok(stria_conj(&v, &v));
    check(&v, NULL, "(1-2j)");
    v = OF(x, F64, 0);
    v.shape[0] = 0;
    check(&v, NULL, "[]");
}

TEST(test_long)
{
    static int32_t many[2000];
    for (int k = 0; k < 2000; k++)
        many[k] = k;
    stria_view v = OF(many, I32, 2000);
    check(&v, NULL, "[   0    1    2 ... 1997 1998 1999]");
    v = OF(many, I32, 40, 50);
    check(&v, NULL,
          "[[   0    1    2 ...   47   48   49]\n [  50   51   52 ...   97   98   99]\n"
          " [ 100  101  102 ...  147  148  149]\n ...\n [1850 1851 1852 ... 1897 1898 1899]\n"
          " [1900 1901 1902 ... 1947 1948 1949]\n [1950 1951 1952 ... 1997 1998 1999]]");
    v = OF(many, I32, 30);
    check(&v, NULL,
          "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
          " 24 25 26 27 28 29]");
    stria_format_options o;
    stria_format_defaults(&o);
    o.threshold = 5;
    o.edgeitems = 1;
    check(&v, &o, "[ 0 ... 29]");
    ok(stria_slice(&v, &v, 0, STRIA_NONE, STRIA_NONE, -10));
    check(&v, NULL, "[29 19  9]");
}

TEST(test_records_and_strings)
{
    char s[] = "ab\0c'\n";
    stria_dtype dtype, record;
    ok(stria_dtype_sized(&dtype, STRIA_BYTES, 3));
    stria_view v = of(s, dtype, 1, (int64_t[]){2});
    check(&v, NULL, "[b'ab' b\"c'\\n\"]");
    uint32_t u[] = {'x', 0, 0xe9, 0x1f600};
    ok(stria_dtype_sized(&dtype, STRIA_UNICODE, 2));
    v = of(u, dtype, 1, (int64_t[]){2});
    check(&v, NULL, "['x' '\xc3\xa9\xf0\x9f\x98\x80']");
    uint32_t hidden[] = {0x200b, 0x3000, 0xe000, 0x10fffe, 0xfdef, 0xfdf0, 0x3fffd, 0x2027};
    ok(stria_dtype_sized(&dtype, STRIA_UNICODE, 8));
    v = of(hidden, dtype, 1, (int64_t[]){1}); /* the same characters as in str.isprintable */
    check(&v, NULL,
          "['\\u200b\\u3000\\ue000\\U0010fffe\\ufdef\xef\xb7\xb0\xf0\xbf\xbf\xbd\xe2\x80\xa7']");
    ok(stria_dtype_sized(&dtype, STRIA_VOID, 2));
    unsigned char opaque[] = {0xab, 1};
    v = of(opaque, dtype, 1, (int64_t[]){1});
    check(&v, NULL, "[b'\\xAB\\x01']");
    const int64_t two = 2;
    const stria_field fields[] = {
        {"a", NULL, stria_dtype_of(STRIA_I32), STRIA_OFFSET_NEXT, 0, NULL},
        {"b", NULL, stria_dtype_of(STRIA_F32), STRIA_OFFSET_NEXT, 1, &two}};
    ok(stria_record_make(&record, 2, fields, 0, false));
    struct {
        int32_t a;
        float b[2];
    } rows[] = {{1, {2.5F, 3}}, {-10, {4.25F, 5}}};
    v = of(rows, record, 1, &two);
    check(&v, NULL, "[(  1, [2.5 , 3.  ]) (-10, [4.25, 5.  ])]");
    v = of(rows, record, 0, NULL); /* alone, floats are printed as Python prints them */
    check(&v, NULL, "(1, [2.5, 3.0])");
    stria_dtype_release(record);
}

/* An array field is shortened like an array, by its own number of items. */
TEST(test_long_fields)
{
    const int64_t shape[] = {3, 4}, rows[] = {INT64_C(1) << 40, 0};
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    const stria_field fields[] = {{"a", NULL, u8, STRIA_OFFSET_NEXT, 2, shape},
                                  {"b", NULL, u8, STRIA_OFFSET_NEXT, 2, rows},
                                  {"c", NULL, u8, STRIA_OFFSET_NEXT, 1, shape}};
    stria_dtype record;
    ok(stria_record_make(&record, 3, fields, 0, false));
    uint8_t items[15];
    for (uint8_t i = 0; i < 15; i++)
        items[i] = i;
    const stria_view v = of(items, record, 0, NULL);
    stria_format_options o;
    stria_format_defaults(&o);
    o.edgeitems = 1;
    check(&v, &o,
          "([[ 0,  1,  2,  3], [ 4,  5,  6,  7], [ 8,  9, 10, 11]], [[], ..., []], [12, 13, 14])");
    o.threshold = 3;
    check(&v, &o, "([[ 0, ...,  3], ..., [ 8, ..., 11]], [[], ..., []], [12, 13, 14])");
    o.edgeitems = 0;
    check(&v, &o, "([...], [...], [12, 13, 14])");
    stria_dtype_release(record);
}

/* Rows without items: no line length fits, and no threshold shows them all. */
TEST(test_fields_without_items)
{
    const int64_t many = INT64_C(1) << 62, shapes[][2] = {{many, 0}, {0, many}};
    for (int i = 0; i < 2; i++) {
        const stria_field fields[] = {
            {"a", NULL, stria_dtype_of(STRIA_C128), STRIA_OFFSET_NEXT, 2, shapes[i]},
            {"b", NULL, stria_dtype_of(STRIA_U8), STRIA_OFFSET_NEXT, 0, NULL}};
        stria_dtype record;
        ok(stria_record_make(&record, 2, fields, 0, false));
        assert_int_equal(record.itemsize, 1);
        uint8_t item = 7;
        const stria_view v = of(&item, record, 0, NULL);
        stria_format_options o;
        stria_format_defaults(&o);
        o.edgeitems = 1;
        o.threshold = INT64_MAX;
        check(&v, &o, i == 0 ? "([[], ..., []], 7)" : "([], 7)");
        stria_dtype_release(record);
    }
}

static bool stop(void *context, const char *part, size_t size)
{
    (void)context, (void)part, (void)size;
    return false;
}

TEST(test_sinks_and_refusals)
{
    char small[8];
    int32_t x[] = {1, 2, 3, 4};
    const stria_view v = OF(x, I32, 4);
    size_t length = 0;
    ok(stria_format(small, sizeof small, &length, &v, NULL, NULL));
    assert_string_equal(small, "[1 2 3 ");
    assert_int_equal(length, 9);
    ok(stria_format(NULL, 0, &length, &v, NULL, NULL));
    assert_int_equal(stria_format(NULL, 1, &length, &v, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_format_to(NULL, NULL, &v, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_format_to(stop, NULL, &v, NULL, NULL), STRIA_ERR_IO);
    stria_format_options o;
    stria_format_defaults(&o);
    o.precision = -2;
    assert_int_equal(stria_format(small, 8, NULL, &v, &o, NULL), STRIA_ERR_ARGUMENT);
    stria_format_defaults(&o);
    o.edgeitems = -1;
    assert_int_equal(stria_format(small, 8, NULL, &v, &o, NULL), STRIA_ERR_ARGUMENT);
    stria_buffer *meta;
    stria_view absent;
    ok(stria_buffer_meta(&meta, 4));
    ok(stria_view_make(&absent, meta, stria_dtype_of(STRIA_I32), 0, NULL, NULL, 0));
    assert_int_equal(stria_format(small, 8, NULL, &absent, NULL, NULL), STRIA_ERR_UNSUPPORTED);
    stria_buffer_release(meta);
    stria_view t = readonly_of(&v);
    ok(stria_describe(text, sizeof text, &length, &t));
    assert_string_equal(text, "i32 (4,), strides (4,) bytes, C order, read-only, foreign memory");
    assert_int_equal(length, strlen(text));
}

TEST_MAIN(NULL, NULL)
