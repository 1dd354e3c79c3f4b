/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables as text: accepted forms, refusals, and numbers against strtod. Each text ends where its
 * memory ends.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/guard.h"
#include "support/random.h"
#include "support/test.h"

enum { LONGEST = 1 << 16 };

static const char path[] = "test_csv.csv";
static struct guard room;

static int set_up(void **state)
{
    (void)state;
    room = guard_new(LONGEST);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    guard_free(&room);
    return remove(path);
}

static stria_status parse(stria_array *out, const char *text, size_t size, char delimiter)
{
    char *const at = guard_high(&room, size);
    memcpy(at, text, size);
    return stria_csv_parse(out, at, (int64_t)size, delimiter, NULL);
}

static void expect(const char *text, char delimiter, int64_t rows, int64_t columns,
                   const double *wanted)
{
    RELEASED stria_array got = {0};
    if (parse(&got, text, strlen(text), delimiter) != STRIA_OK)
        fail_msg("%s: %s", text, stria_last_error());
    assert_int_equal(got.view.dtype.kind, STRIA_F64);
    assert_int_equal(got.view.ndim, 2);
    assert_int_equal(got.view.shape[0], rows);
    assert_int_equal(got.view.shape[1], columns);
    const double *const numbers = (const double *)(const void *)got.view.data;
    for (int64_t i = 0; i < rows * columns; i++)
        if (memcmp(&numbers[i], &wanted[i], sizeof *numbers) != 0 &&
            !(isnan(numbers[i]) && isnan(wanted[i])))
            fail_msg("%s: %.17g, not %.17g", text, numbers[i], wanted[i]);
}

static void refuse(const char *text, char delimiter, const char *words)
{
    stria_array got = {0};
    ok(stria_zeros(&got, stria_dtype_of(STRIA_F64), 0, NULL));
    stria_buffer *const kept = got.owned;
    assert_int_equal(parse(&got, text, strlen(text), delimiter), STRIA_ERR_FORMAT);
    if (!strstr(stria_last_error(), words)) fail_msg("%s: %s", text, stria_last_error());
    assert_ptr_equal(got.owned, kept);
    stria_array_release(&got);
}

TEST(test_forms)
{
    const double four[] = {1, -2.5, 3e4, 0.125}, nan = (double)NAN, inf = (double)INFINITY;
    expect("1,-2.5\n3e4,.125\n", 0, 2, 2, four);
    expect("\xef\xbb\xbfx,y\r\n1,-2.5\r\n3E+4,0.125", 0, 2, 2, four);
    expect("1\t-2.5\n\n# a comment, and more\n3e4\t0.125", 0, 2, 2, four);
    expect(" 1 ; -2.5 \n +3e4 ;0.125\n  \n", 0, 2, 2, four);
    expect("# a b\n  1   -2.5\n3e4 \t 0.125  \n", 0, 2, 2, four);
    expect("\"a, b\",\"c \"\"d\"\"\"\n\"1\",-2.5\n3e4,\" .125\"", 0, 2, 2,
           (const double[]){1, -2.5, 3e4, 0.125});
    expect("1|-2.5\n3e4|.125", '|', 2, 2, four);
    expect("1\n-2.5\n3e4\n.125", 0, 4, 1, four);
    expect("a\n1\n-2.5", 0, 2, 1, four);
    expect(",1,\nNaN,n/a,-nan\nNULL,none,NA", 0, 3, 3,
           (const double[]){nan, 1, nan, nan, nan, nan, nan, nan, nan});
    expect("inf,-Infinity\n+INF,-0.0", 0, 2, 2, (const double[]){inf, -inf, inf, -0.0});
    expect("1,,\n,,2", 0, 2, 3, (const double[]){1, nan, nan, nan, nan, 2});
}

TEST(test_refusals)
{
    refuse("", 0, "no line");
    refuse("\n \r\n# nothing\n", 0, "no line");
    refuse("only,a,header\n\n", 0, "no numbers follow");
    refuse("1,2\n3", 0, "line 2 has fewer fields than the 2");
    refuse("1,2\n3,4,5", 0, "line 2 has more fields than the 2");
    refuse("a,b\n1,2\n\n3,x y\n", 0, "line 4, field 2: 'x y' is no number");
    refuse("1,2\n3,\"4\n", 0, "line 2: a quote is open");
    refuse("1,2\n3,\"4\" 5\n", 0, "text behind the quotes");
    refuse("1,2\n3,12abc", 0, "'12abc'");
    refuse("1 2\n3 12abc", 0, "'12abc'");
    refuse("1,2\n3,1.2.3", 0, "'1.2.3'");
    refuse("1,2\n3,--1", 0, "'--1'");
    refuse("1,2\n3,0x10", 0, "'0x10'");
    refuse("1,2\n3,1e", 0, "'1e'");
    refuse("1,2\n3,.", 0, "'.'");
    /* One line has many fields and the others few: memory is not needed for a full rectangle. */
    char text[LONGEST];
    memset(text, ',', LONGEST / 2);
    memset(text + LONGEST / 2, '\n', LONGEST / 2 - 1);
    for (int i = 1; i < LONGEST / 2 - 1; i += 2)
        text[LONGEST / 2 + i] = '1';
    text[LONGEST - 1] = 0;
    refuse(text, 0, "line 2 has fewer");
    stria_array got = {0};
    assert_int_equal(stria_csv_parse(&got, "1", 1, '.', NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csv_parse(&got, "1", 1, 'e', NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csv_parse(&got, NULL, 1, 0, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csv_parse(&got, "1", -1, 0, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csv_read(&got, "nowhere/x.csv", 0, NULL), STRIA_ERR_IO);
    assert_int_equal(stria_csv_read(&got, "/dev/null", 0, NULL), STRIA_ERR_UNSUPPORTED);
}

/* Digits, a point and an exponent at random are read as strtod reads them. */
TEST(test_numbers)
{
    uint64_t seed = 12;
    for (int i = 0; i < 20000; i++) {
        char text[120];
        int length = 0;
        const int digits = (int)random_between(&seed, 0, 23) + 1,
                  point = (int)random_between(&seed, 0, 25);
        if (random_between(&seed, 0, 1)) text[length++] = '-';
        for (int k = 0; k < digits; k++) {
            if (k == point) text[length++] = '.';
            text[length++] = (char)('0' + random_between(&seed, 0, 9));
        }
        if (random_between(&seed, 0, 1))
            length += snprintf(text + length, 20, "e%d", (int)random_between(&seed, 0, 699) - 350);
        text[length] = 0;
        expect(text, ',', 1, 1, (const double[]){strtod(text, NULL)});
    }
    const char *const hard[] = {"9007199254740993",
                                "9007199254740993.0",
                                "1e23",
                                "8.5e-324",
                                "18446744073709551615",
                                "18446744073709551616",
                                "1e400",
                                "2.2250738585072011e-308",
                                "00000000000000000000000000001.5",
                                "0.00000000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        expect(hard[i], ',', 1, 1, (const double[]){strtod(hard[i], NULL)});
}

/* Any bytes are read or refused, and no byte beyond them is read. */
TEST(test_any_bytes)
{
    static const char some[] = "0123456789.,;\t \n\r\"#-+eEnai\xff\0";
    uint64_t seed = 5;
    for (int i = 0; i < 20000; i++) {
        char text[40];
        stria_array got = {0};
        const size_t size = (size_t)random_between(&seed, 0, (int64_t)sizeof text - 1);
        for (size_t k = 0; k < size; k++)
            text[k] = some[(size_t)random_between(&seed, 0, (int64_t)sizeof some - 1)];
        const char delimiter = "\0,; \t"[random_between(&seed, 0, 4)];
        const stria_status status = parse(&got, text, size, delimiter);
        assert_true(status == STRIA_OK || status == STRIA_ERR_FORMAT);
        if (status == STRIA_OK) stria_array_release(&got);
    }
}

static void write_and_read(const stria_view *a, char delimiter, const char *header)
{
    RELEASED stria_array got = {0}, back = {0};
    stria_view as = *a;
    bool equal;
    if (stria_csv_write(path, a, delimiter, header, NULL) != STRIA_OK)
        fail_msg("%s", stria_last_error());
    if (stria_csv_read(&got, path, delimiter, NULL) != STRIA_OK) fail_msg("%s", stria_last_error());
    if (as.ndim < 2) ok(stria_unsqueeze(&as, &as, as.ndim));
    if (as.ndim < 2) ok(stria_unsqueeze(&as, &as, as.ndim));
    ok(stria_zeros(&back, a->dtype, 2, got.view.shape));
    ok(stria_copy(&back.view, &got.view, NULL));
    ok(stria_array_equal(&equal, &back.view, &as, true, NULL));
    assert_true(equal);
}

TEST(test_written)
{
    stria_array a = {0};
    stria_view turned, row, halves, bits;
    const stria_random numbers = {.seed = 3};
    const stria_kind kinds[] = {STRIA_BOOL, STRIA_I8,  STRIA_U8,   STRIA_I32, STRIA_U32,
                                STRIA_F16,  STRIA_F32, STRIA_BF16, STRIA_F64};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const bool bytes = kinds[k] < STRIA_F16;
        ok(stria_zeros(&a, stria_dtype_of(kinds[k]), 2, (const int64_t[]){300, 7}));
        ok(bytes ? stria_random_bits(&a.view, &numbers, NULL)
                 : stria_random_uniform(&a.view, &numbers, -1e4, 1e4, NULL));
        write_and_read(&a.view, 0, NULL);
        ok(stria_reverse_dims(&turned, &a.view));
        ok(stria_slice(&halves, &turned, 1, 299, -301, -2));
        write_and_read(&halves, '\t', NULL);
        ok(stria_select(&row, &turned, 0, 3));
        write_and_read(&row, ';', "the third");
        ok(stria_select(&row, &row, 0, 3));
        write_and_read(&row, ' ', NULL);
        stria_array_release(&a);
    }
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F64), 1, (const int64_t[]){300}));
    ok(stria_view_dtype(&bits, &a.view, stria_dtype_of(STRIA_U64)));
    ok(stria_random_bits(&bits, &numbers, NULL));
    write_and_read(&a.view, 0, NULL);
    stria_array_release(&a);
}

TEST(test_unwritten)
{
    RELEASED stria_array a = {0}, c = {0};
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F32), 3, (const int64_t[]){1, 1, 1}));
    ok(stria_zeros(&c, stria_dtype_of(STRIA_C64), 0, NULL));
    (void)remove(path);
    assert_int_equal(stria_csv_write(path, &a.view, 0, NULL, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_csv_write(path, &c.view, 0, NULL, NULL), STRIA_ERR_UNSUPPORTED);
    ok(stria_as_strided(&a.view, &a.view, 0, NULL, NULL, 0));
    assert_int_equal(stria_csv_write(path, &a.view, 'e', NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csv_write(path, &a.view, 0, "a\nb", NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_csv_write("nowhere/x", &a.view, 0, NULL, NULL), STRIA_ERR_IO);
    assert_null(fopen(path, "r"));
    ok(stria_csv_write(path, &a.view, 0, NULL, NULL));
}

TEST_MAIN(set_up, tear_down)
