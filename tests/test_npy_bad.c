/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hostile .npy bytes: every input has a name, the status it must get and a word that the message
 * must contain. Each goes through memory, a file that is read and a file that is mapped, with at
 * most 64 KiB allocated. The other half of the table are odd files that are good.
 */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "stria/npy.h"
#include "support/counting_allocator.h"
#include "support/temp_folder.h"

enum { MOST_ALLOCATED = 64 << 10 };

static struct temp_folder folder;

struct bytes {
    unsigned char *at;
    int64_t size;
};

static struct bytes bytes_new(int64_t size)
{
    struct bytes b = {calloc(1, (size_t)size + 1), size};
    assert_non_null(b.at);
    return b;
}

/* A version 1 to 3 file with that text, whatever it is, and `data` zero bytes. */
static struct bytes npy(int major, const char *text, int64_t text_size, int64_t data)
{
    const int64_t before = major == 1 ? 10 : 12;
    struct bytes b = bytes_new(before + text_size + data);
    memcpy(b.at, "\x93NUMPY", 6);
    b.at[6] = (unsigned char)major;
    for (int i = 0; i < before - 8; i++)
        b.at[8 + i] = (unsigned char)(text_size >> 8 * i);
    memcpy(b.at + before, text, (size_t)text_size);
    return b;
}

static void refused_or_good(stria_status got, const stria_array *array, stria_status expected,
                            const char *word, const char *id, const char *way)
{
    if (got != expected || (got != STRIA_OK && !strstr(stria_last_error(), word)))
        fail_msg("%s (%s): got %s '%s', expected %s with '%s'", id, way, stria_status_name(got),
                 stria_last_error(), stria_status_name(expected), word);
    if (got != STRIA_OK && (array->owned || array->view.data || array->view.ndim != 77))
        fail_msg("%s (%s): out was touched", id, way);
    if (got != STRIA_OK && allocation_counts.bytes > MOST_ALLOCATED)
        fail_msg("%s (%s): %lld bytes allocated", id, way, (long long)allocation_counts.bytes);
}

static void check(const char *id, struct bytes b, stria_status expected, const char *word)
{
    static const char *const ways[] = {"memory", "read", "map"};
    const char *path = temp_path(folder, "input.npy");
    /* A copy flush against the end of an allocation: sanitizers see the first byte too many. */
    unsigned char *exact = malloc((size_t)b.size ? (size_t)b.size : 1);
    assert_non_null(exact);
    memcpy(exact, b.at, (size_t)b.size);
    file_put(path, b.at, b.size);
    for (int way = 0; way < 3; way++) {
        stria_array array = {.view = {.ndim = 77}};
        counting_begin(0);
        const stria_status got = way == 0   ? stria_npy_parse(&array, exact, b.size)
                                 : way == 1 ? stria_npy_read(&array, path, STRIA_NPY_READ)
                                            : stria_npy_read(&array, path, STRIA_NPY_MAP);
        refused_or_good(got, &array, expected, word, id, ways[way]);
        if (got == STRIA_OK) stria_array_release(&array);
        if (allocation_counts.live) fail_msg("%s (%s): memory leaks", id, ways[way]);
        counting_end();
    }
    free(exact);
    free(b.at);
}

/* ---- the text of the header ------------------------------------------------------------------ */

#define D            "{'descr': '<f4', 'fortran_order': False, 'shape': "
#define SHAPE(dims)  D dims ", }\n"
#define DESCR(value) "{'descr': " value ", 'fortran_order': False, 'shape': (2,), }\n"

struct text_case {
    const char *id, *text;
    int data; /* bytes that follow */
    stria_status expected;
    const char *word;
};

#define FORMAT      STRIA_ERR_FORMAT
#define UNSUPPORTED STRIA_ERR_UNSUPPORTED

static const struct text_case texts[] = {
    /* sizes */
    {"shape-negative", SHAPE("(-1,)"), 64, FORMAT, "shape"},
    {"shape-hex", SHAPE("(0x4,)"), 64, FORMAT, "shape"},
    {"shape-python2-long", SHAPE("(4L,)"), 64, FORMAT, "shape"},
    {"shape-underscore", SHAPE("(0_4,)"), 64, FORMAT, "shape"},
    {"shape-underscore-inside", SHAPE("(1_0,)"), 64, FORMAT, "shape"},
    {"shape-leading-zero", SHAPE("(04,)"), 64, FORMAT, "shape"},
    {"shape-plus", SHAPE("(+4,)"), 64, FORMAT, "shape"},
    {"shape-float", SHAPE("(4.0,)"), 64, FORMAT, "shape: '4.0'"},
    {"shape-exponent", SHAPE("(4e0,)"), 64, FORMAT, "shape"},
    {"shape-true", SHAPE("(True,)"), 64, FORMAT, "shape"},
    {"shape-none", SHAPE("None"), 64, FORMAT, "shape"},
    {"shape-list", SHAPE("[4]"), 64, FORMAT, "shape"},
    {"shape-number", SHAPE("4"), 64, FORMAT, "shape"},
    {"shape-parenthesized-number", SHAPE("(4)"), 64, FORMAT, "(4,)"},
    {"shape-comma-only", SHAPE("(,)"), 64, FORMAT, "shape"},
    {"shape-two-commas", SHAPE("(4,,)"), 64, FORMAT, "shape"},
    {"shape-no-comma", SHAPE("(4 4)"), 64, FORMAT, "shape"},
    {"shape-string", SHAPE("('4',)"), 64, FORMAT, "shape"},
    {"shape-nested", SHAPE("((4,),)"), 64, FORMAT, "shape"},
    {"shape-open", D "(4, ", 64, FORMAT, "newline"},
    {"shape-open-line", D "(4, \n", 64, FORMAT, "shape"},
    {"shape-2^63", SHAPE("(9223372036854775808,)"), 64, FORMAT, "2^63"},
    {"shape-2^64", SHAPE("(18446744073709551616,)"), 64, FORMAT, "2^63"},
    {"shape-2^63-1", SHAPE("(9223372036854775807,)"), 64, FORMAT, "shape"},
    {"shape-wraps-to-0", SHAPE("(8589934592, 2147483648)"), 64, FORMAT, "shape"},
    {"shape-wraps-to-small", SHAPE("(4611686018427387905, 4)"), 64, FORMAT, "shape"},
    {"shape-bytes-wrap", SHAPE("(4611686018427387904,)"), 64, FORMAT, "shape"},
    {"shape-zero-times-huge", SHAPE("(0, 9223372036854775807, 9223372036854775807)"), 64, FORMAT,
     "shape"},
    {"shape-8-tib-no-data", SHAPE("(2199023255552,)"), 0, FORMAT, "8796093022208"},
    {"shape-larger-than-file", SHAPE("(17,)"), 64, FORMAT, "68 bytes"},
    {"data-one-byte-short", SHAPE("(16,)"), 63, FORMAT, "63"},
    {"data-one-byte-long", SHAPE("(16,)"), 65, STRIA_OK, ""},
    {"shape-0d", SHAPE("()"), 4, STRIA_OK, ""},
    {"shape-0d-no-data", SHAPE("()"), 3, FORMAT, "data"},
    {"shape-empty", SHAPE("(0,)"), 0, STRIA_OK, ""},
    {"shape-empty-last", SHAPE("(3, 0)"), 0, STRIA_OK, ""},
    {"shape-without-last-comma", SHAPE("(2, 2)"), 16, STRIA_OK, ""},
    {"shape-with-last-comma", SHAPE("(2, 2,)"), 16, STRIA_OK, ""},
    /* order */
    {"order-1", "{'descr': '<f4', 'fortran_order': 1, 'shape': (2,), }\n", 8, FORMAT,
     "fortran_order"},
    {"order-true", "{'descr': '<f4', 'fortran_order': true, 'shape': (2,), }\n", 8, FORMAT,
     "fortran_order"},
    {"order-none", "{'descr': '<f4', 'fortran_order': None, 'shape': (2,), }\n", 8, FORMAT,
     "fortran_order"},
    {"order-string", "{'descr': '<f4', 'fortran_order': 'True', 'shape': (2,), }\n", 8, FORMAT,
     "fortran_order"},
    /* keys */
    {"key-missing-descr", "{'fortran_order': False, 'shape': (2,), }\n", 8, FORMAT, "'descr'"},
    {"key-missing-order", "{'descr': '<f4', 'shape': (2,), }\n", 8, FORMAT, "'fortran_order'"},
    {"key-missing-shape", "{'descr': '<f4', 'fortran_order': False}\n", 8, FORMAT, "'shape'"},
    {"key-none", "{}\n", 8, FORMAT, "'descr'"},
    {"key-extra", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}\n", 8, FORMAT,
     "'x'"},
    {"key-duplicate", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'descr': '<i4'}\n",
     8, FORMAT, "'descr' twice"},
    {"key-duplicate-shape",
     "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'shape': (1,)}\n", 8, FORMAT,
     "'shape' twice"},
    {"key-number", "{1: 2}\n", 8, FORMAT, "key"},
    {"key-name", "{descr: '<f4', 'fortran_order': False, 'shape': (2,)}\n", 8, FORMAT, "key"},
    {"key-case", "{'Descr': '<f4', 'fortran_order': False, 'shape': (2,)}\n", 8, FORMAT, "'Descr'"},
    {"key-any-order", "{'shape': (2,), 'descr': '<f4', 'fortran_order': False}\n", 8, STRIA_OK, ""},
    {"key-other-quotes", "{\"shape\": (2,), \"descr\": \"<f4\", 'fortran_order': False}\n", 8,
     STRIA_OK, ""},
    {"key-no-spaces", "{'shape':(2,),'descr':'<f4','fortran_order':False}\n", 8, STRIA_OK, ""},
    {"key-many-spaces", "  {  'shape' : ( 2 , ) , 'descr':'<f4','fortran_order':False  }    \n", 8,
     STRIA_OK, ""},
    {"key-no-colon", "{'descr' '<f4', 'fortran_order': False, 'shape': (2,), }\n", 8, FORMAT,
     "colon"},
    {"key-two-commas", "{'descr': '<f4',, 'fortran_order': False, 'shape': (2,), }\n", 8, FORMAT,
     "key"},
    {"key-no-comma", "{'descr': '<f4' 'fortran_order': False, 'shape': (2,), }\n", 8, FORMAT,
     "comma"},
    {"key-comma-only", "{,}\n", 8, FORMAT, "key"},
    /* around the dictionary */
    {"text-trailing", SHAPE("(2,)") "x\n", 8, FORMAT, "after }"},
    {"text-trailing-name", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x\n", 8, FORMAT,
     "after }"},
    {"text-two-dicts", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}{}\n", 8, FORMAT,
     "after }"},
    {"text-no-newline", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} ", 8, FORMAT,
     "newline"},
    {"text-newline-only", "\n", 8, FORMAT, "{"},
    {"text-newline-inside", "{'descr': '<f4',\n'fortran_order': False, 'shape': (2,)}\n", 8, FORMAT,
     "key"},
    {"text-crlf", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\r\n", 8, FORMAT,
     "after }"},
    {"text-tab", "{'descr':\t'<f4', 'fortran_order': False, 'shape': (2,)}\n", 8, FORMAT, "descr"},
    {"text-comment", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} # x\n", 8, FORMAT,
     "#"},
    {"text-list", "['descr', '<f4']\n", 8, FORMAT, "{"},
    {"text-call", "dict(descr='<f4')\n", 8, FORMAT, "{"},
    {"text-open", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)\n", 8, FORMAT, "the end"},
    {"text-minus", "-{}\n", 8, FORMAT, "{"},
    /* dtypes */
    {"descr-size-3", DESCR("'<f3'"), 64, FORMAT, "descr '<f3'"},
    {"descr-long-double", DESCR("'<f16'"), 64, UNSUPPORTED, "long double"},
    {"descr-long-double-12", DESCR("'<f12'"), 64, UNSUPPORTED, "long double"},
    {"descr-long-complex", DESCR("'<c32'"), 64, UNSUPPORTED, "long double"},
    {"descr-no-order", DESCR("'f4'"), 64, FORMAT, "byte order"},
    {"descr-native-order", DESCR("'=f4'"), 64, FORMAT, "byte order"},
    {"descr-hidden-order", DESCR("'|f4'"), 64, FORMAT, "byte order"},
    {"descr-hidden-order-unicode", DESCR("'|U3'"), 64, FORMAT, "byte order"},
    {"descr-big-endian", DESCR("'>f4'"), 64, STRIA_OK, ""},
    {"descr-letter", DESCR("'<q4'"), 64, FORMAT, "descr"},
    {"descr-no-size", DESCR("'<f'"), 64, FORMAT, "descr"},
    {"descr-size-2^32", DESCR("'<f4294967296'"), 64, FORMAT, "descr"},
    {"descr-leading-zero", DESCR("'<f04'"), 64, FORMAT, "descr"},
    {"descr-space", DESCR("'<f4 '"), 64, FORMAT, "descr"},
    {"descr-empty", DESCR("''"), 64, FORMAT, "descr"},
    {"descr-order-only", DESCR("'<'"), 64, FORMAT, "descr"},
    {"descr-name", DESCR("'float32'"), 64, FORMAT, "descr"},
    {"descr-object", DESCR("'|O'"), 64, UNSUPPORTED, "objects"},
    {"descr-object-8", DESCR("'|O8'"), 64, UNSUPPORTED, "objects"},
    {"descr-object-no-order", DESCR("'O'"), 64, UNSUPPORTED, "objects"},
    {"descr-void-0", DESCR("'|V0'"), 64, UNSUPPORTED, "0 bytes"},
    {"descr-void-0-many",
     "{'descr': '|V0', 'fortran_order': False, 'shape': (9223372036854775807,), }\n", 0,
     UNSUPPORTED, "0 bytes"},
    {"descr-bytes-0", DESCR("'|S0'"), 64, UNSUPPORTED, "0 bytes"},
    {"descr-unicode-999999999", DESCR("'<U999999999'"), 64, UNSUPPORTED, "2147483647"},
    {"descr-bytes-2^31-1", DESCR("'|S2147483647'"), 64, FORMAT, "data"},
    {"descr-bytes-2^31", DESCR("'|S2147483648'"), 64, UNSUPPORTED, "2147483647"},
    {"descr-bytes-2^64", DESCR("'|S18446744073709551616'"), 64, FORMAT, "descr"},
    {"descr-bytes-negative", DESCR("'|S-1'"), 64, FORMAT, "descr"},
    {"descr-fields", DESCR("[('a', '<f4'), ('b', '<i4')]"), 64, STRIA_OK, ""},
    {"descr-fields-comma", DESCR("[('a', '<f4'),]"), 64, STRIA_OK, ""},
    {"descr-fields-short", DESCR("[('a', '<f8'), ('b', '<f8', (20,))]"), 64, FORMAT, "data"},
    {"descr-fields-nested", DESCR("[('a', [('b', '<f4')])]"), 64, STRIA_OK, ""},
    {"descr-fields-object", DESCR("[('a', '|O')]"), 64, UNSUPPORTED, "objects"},
    {"descr-fields-none", DESCR("[]"), 64, UNSUPPORTED, "0 bytes"},
    {"descr-fields-padding-only", DESCR("[('', '|V4')]"), 64, STRIA_OK, ""},
    {"descr-fields-no-name", DESCR("[('', '<f4')]"), 64, FORMAT, "name"},
    {"descr-fields-same-name", DESCR("[('a', '<f4'), ('a', '<f4')]"), 64, FORMAT, "twice"},
    {"descr-fields-title-is-name", DESCR("[(('b', 'a'), '<f4'), ('b', '<f4')]"), 64, FORMAT,
     "twice"},
    {"descr-fields-one-name", DESCR("[(('a'), '<f4')]"), 64, FORMAT, "belongs"},
    {"descr-fields-number", DESCR("[(1, '<f4')]"), 64, FORMAT, "name"},
    {"descr-fields-no-type", DESCR("[('a',)]"), 64, FORMAT, "descr"},
    {"descr-fields-bad-type", DESCR("[('a', '<f3')]"), 64, FORMAT, "<f3"},
    {"descr-fields-bad-nested", DESCR("[('a', '<f4'), ('b', [('c', '<f3')])]"), 64, FORMAT, "<f3"},
    {"descr-fields-shape", DESCR("[('a', '<f4', (-1,))]"), 64, FORMAT, "size"},
    {"descr-fields-shape-number", DESCR("[('a', '<f4', 2)]"), 64, FORMAT, "tuple"},
    {"descr-fields-shape-huge", DESCR("[('a', '<f4', (2147483647, 2147483647, 2147483647))]"), 64,
     UNSUPPORTED, "2147483647"},
    {"descr-fields-huge", DESCR("[('a', '|V2147483647'), ('b', '|V2147483647')]"), 64, UNSUPPORTED,
     "2147483647"},
    {"descr-fields-open", DESCR("[('a', '<f4')"), 64, FORMAT, "belongs"},
    {"descr-fields-four", DESCR("[('a', '<f4', (2,), 3)]"), 64, FORMAT, "belongs"},
    {"descr-fields-dict",
     DESCR("{'names': ['a', 'b'], 'formats': ['<f4', '<f4'], 'offsets': [0, 2]}"), 64, FORMAT,
     "descr"},
    {"descr-fields-titles", DESCR("[(('title', 'a'), '<f4')]"), 64, STRIA_OK, ""},
    {"descr-sub-array", DESCR("('<f4', (2,))"), 64, UNSUPPORTED, "sub-array"},
    {"descr-datetime", DESCR("'<M8[ns]'"), 64, UNSUPPORTED, "int64"},
    {"descr-timedelta", DESCR("'<m8[ns]'"), 64, UNSUPPORTED, "int64"},
    {"descr-datetime-generic", DESCR("'<M8'"), 64, UNSUPPORTED, "int64"},
    {"descr-non-ascii", DESCR("'<f\xc3\xa4'"), 64, FORMAT, "ASCII"},
    {"descr-escaped-quote", DESCR("'<f4\\''"), 64, FORMAT, "descr"},
    {"descr-escaped-letter", DESCR("'<\\x664'"), 64, FORMAT, "descr"},
    {"descr-quote-inside", DESCR("'<f4\"'"), 64, FORMAT, "descr"},
    {"descr-other-quotes", DESCR("\"<f4\""), 64, STRIA_OK, ""},
    {"descr-bytes-literal", DESCR("b'<f4'"), 64, FORMAT, "descr"},
    {"descr-raw-literal", DESCR("r'<f4'"), 64, FORMAT, "descr"},
    {"descr-triple-quotes", DESCR("'''<f4'''"), 64, FORMAT, "descr"},
    {"descr-two-strings", DESCR("'<f' '4'"), 64, FORMAT, "descr"},
    {"descr-open-quote", DESCR("'<f4"), 64, FORMAT, "descr"},
    {"descr-number", DESCR("4"), 64, FORMAT, "descr"},
    {"descr-none", DESCR("None"), 64, FORMAT, "descr"},
    {"descr-long", DESCR("'<fffffffffffffffffffffffffffffffffffffff'"), 64, FORMAT, "descr"},
    {"descr-bfloat16", DESCR("'<V2'"), 64, STRIA_OK, ""},
    {"descr-bool", DESCR("'|b1'"), 64, STRIA_OK, ""},
    {"descr-bool-order", DESCR("'<b1'"), 64, STRIA_OK, ""},
    {"descr-bool-2", DESCR("'<b2'"), 64, FORMAT, "descr"},
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int major = 1; major <= 3; major++) {
            const struct text_case *t = &texts[i];
            char id[80];
            (void)snprintf(id, sizeof id, "%s v%d", t->id, major);
            check(id, npy(major, t->text, (int64_t)strlen(t->text), t->data), t->expected, t->word);
        }
}

/* ---- the bytes before the text --------------------------------------------------------------- */

static const char good[] = SHAPE("(4,)");

static struct bytes good_file(void)
{
    return npy(1, good, sizeof good - 1, 16);
}

static void test_good(void **state)
{
    (void)state;
    check("good", good_file(), STRIA_OK, "");
}

static void test_magic(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int by = -1; by <= 1; by += 2) {
            struct bytes b = good_file();
            b.at[i] = (unsigned char)(b.at[i] + by);
            check("magic-off-by-one", b, FORMAT, "magic");
        }
}

static void test_versions(void **state)
{
    (void)state;
    static const struct {
        unsigned char major, minor;
        const char *text;
    } versions[] = {{0, 0, "0.0"}, {0, 1, "0.1"}, {1, 1, "1.1"},        {2, 1, "2.1"},
                    {3, 1, "3.1"}, {4, 0, "4.0"}, {255, 255, "255.255"}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct bytes b = good_file();
        b.at[6] = versions[i].major;
        b.at[7] = versions[i].minor;
        check("version", b, UNSUPPORTED, versions[i].text);
    }
}

static void with_length(const char *id, int major, uint32_t length, int64_t follow,
                        stria_status status, const char *word)
{
    struct bytes b = npy(major, "", 0, follow);
    memset(b.at + b.size - follow, ' ', (size_t)follow);
    for (int i = 0; i < (major == 1 ? 2 : 4); i++)
        b.at[8 + i] = (unsigned char)(length >> 8 * i);
    check(id, b, status, word);
}

static void test_lengths(void **state)
{
    (void)state;
    for (int major = 1; major <= 3; major++) {
        with_length("length-0", major, 0, 100, FORMAT, "length 0");
        with_length("length-1", major, 1, 100, FORMAT, "newline");
        with_length("length-65535-with-10-bytes", major, 65535, 10, FORMAT, "length 65535");
        with_length("length-one-more-than-file", major, 101, 100, FORMAT, "length 101");
        with_length("length-whole-file", major, 100, 100, FORMAT, "newline");
        with_length("length-65535", major, 65535, 65535, FORMAT, "newline");
    }
    with_length("length-2^32-1", 2, UINT32_MAX, 10, FORMAT, "length 4294967295");
    with_length("length-2^32-1", 3, UINT32_MAX, 10, FORMAT, "length 4294967295");
    with_length("length-65536", 2, 65536, 65536, FORMAT, "newline");
    with_length("length-65537", 2, 65537, 65537, UNSUPPORTED, "length 65537");
    with_length("length-1-mib", 3, 1 << 20, 1 << 20, UNSUPPORTED, "length 1048576");
}

static void test_every_truncation(void **state)
{
    (void)state;
    for (int major = 1; major <= 3; major++) {
        const struct bytes whole = npy(major, good, sizeof good - 1, 16);
        for (int64_t size = 0; size < whole.size; size++) {
            struct bytes b = bytes_new(size);
            memcpy(b.at, whole.at, (size_t)size);
            check("truncated", b, FORMAT, "npy");
        }
        free(whole.at);
    }
}

/* Versions 2 and 3 have a length of 4 bytes. */
static void test_ends_inside_length(void **state)
{
    (void)state;
    for (int size = 10; size < 12; size++) {
        struct bytes b = bytes_new(size);
        memcpy(b.at, "\x93NUMPY\x02\x00\x00\x00", 10);
        check("ends-inside-length", b, FORMAT, "inside its header length");
    }
}

/* Every byte of a good header replaced by every value: refused or read, never anything else. */
static void test_every_byte(void **state)
{
    (void)state;
    struct bytes b = good_file();
    int refused = 0;
    for (int64_t i = 0; i < b.size - 16; i++)
        for (int value = 0; value < 256; value++) {
            const unsigned char old = b.at[i];
            b.at[i] = (unsigned char)value;
            stria_array array;
            if (stria_npy_parse(&array, b.at, b.size) == STRIA_OK) {
                assert_true(stria_nbytes(&array.view) <= 16);
                stria_array_release(&array);
            } else {
                refused++;
            }
            b.at[i] = old;
        }
    assert_true(refused > 200 * (b.size - 16));
    free(b.at);
}

/* ---- long texts ------------------------------------------------------------------------------ */

/* "before", then `unit` count times, then "after". */
static struct bytes repeated(const char *before, const char *unit, int count, const char *after)
{
    const size_t room = strlen(before) + strlen(unit) * (size_t)count + strlen(after) + 1;
    char *text = malloc(room);
    assert_non_null(text);
    char *at = text + snprintf(text, room, "%s", before);
    for (int i = 0; i < count; i++)
        at += snprintf(at, room - (size_t)(at - text), "%s", unit);
    at += snprintf(at, room - (size_t)(at - text), "%s", after);
    const struct bytes b = npy(2, text, at - text, 64);
    free(text);
    return b;
}

static void test_long_texts(void **state)
{
    (void)state;
    check("nested-parentheses-5000", repeated(D, "(", 5000, ", }\n"), FORMAT, "shape");
    check("nested-brackets-5000", repeated("{'descr': ", "[", 5000, "}\n"), FORMAT, "belongs");
    check("nested-fields-33", repeated("{'descr': ", "[('a', ", 33, "}\n"), FORMAT, "nested");
    check("nested-fields-5000", repeated("{'descr': ", "[('a', ", 5000, "}\n"), UNSUPPORTED,
          "fields");
    check("fields-same-name-400", repeated("{'descr': [", "('a', '|u1'),", 400, "]}\n"), FORMAT,
          "twice");
    check("fields-4000", repeated("{'descr': [", "('a', '|u1'),", 4000, "]}\n"), UNSUPPORTED,
          "fields");
    check("nested-braces-5000", repeated("", "{", 5000, "\n"), FORMAT, "key");
    check("unary-minus-8000", repeated(D "(", "-", 8000, "1,), }\n"), FORMAT, "shape");
    check("number-5000-digits", repeated(D "(", "9", 5000, ",), }\n"), FORMAT, "2^63");
    check("zeros-5000", repeated(D "(", "0", 5000, ",), }\n"), FORMAT, "shape");
    check("dims-64", repeated(D "(", "1, ", 64, "), }\n"), STRIA_OK, "");
    check("dims-65", repeated(D "(", "1, ", 65, "), }\n"), UNSUPPORTED, "64 dims");
    check("dims-20000", repeated(D "(", "1, ", 20000, "), }\n"), UNSUPPORTED, "64 dims");
    check("dims-64-of-2", repeated(D "(", "2, ", 64, "), }\n"), FORMAT, "2^63");
    check("descr-60000", repeated("{'descr': '", "f", 60000, "'}\n"), FORMAT, "descr");
    check("quote-60000", repeated("{'", "f", 60000, "\n"), FORMAT, "key");
    check("good-and-60000-spaces",
          repeated("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", " ", 60000, "\n"),
          STRIA_OK, "");
}

static void test_special_bytes(void **state)
{
    (void)state;
    char text[] = SHAPE("(4,)");
    text[10] = 0; /* inside the quotes of descr */
    check("nul-in-string", npy(1, text, sizeof text - 1, 16), FORMAT, "descr");
    /* '<f4' with a NUL behind it is not '<f4'. */
    static const char after[] = DESCR("'<f4\0'");
    check("nul-after-descr", npy(1, after, sizeof after - 1, 16), FORMAT, "descr");
    memcpy(text, SHAPE("(4,)"), sizeof text);
    text[sizeof text - 3] = 0; /* for } */
    check("nul-in-text", npy(1, text, sizeof text - 1, 16), FORMAT, "'?'");
    /* Overlong, cut short, a surrogate, beyond U+10FFFF, a stray continuation. */
    static const char *const bad[] = {"\xc0\x80",         "\xe0\x80\x80", "\xc3",
                                      "\xe2\x82",         "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80", "\x80",         "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char descr[64];
        (void)snprintf(descr, sizeof descr, "{'descr': '%s', }\n", bad[i]);
        check("utf8", npy(3, descr, (int64_t)strlen(descr), 16), FORMAT, "UTF-8");
    }
    check("utf8-cut-by-the-end", npy(3, "{'descr': '\xc3", 12, 0), FORMAT, "UTF-8");
    static const char fine[] = "{'\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80': 1}\n";
    check("utf8-fine", npy(3, fine, sizeof fine - 1, 16), FORMAT, "extra key");
}

/* ---- files that are no files ----------------------------------------------------------------- */

static void refuse_path(const char *path, stria_status expected, const char *word)
{
    for (int mode = STRIA_NPY_READ; mode <= STRIA_NPY_MAP; mode++) {
        stria_array array = {.view = {.ndim = 77}};
        counting_begin(0);
        const stria_status got = stria_npy_read(&array, path, (stria_npy_mode)mode);
        refused_or_good(got, &array, expected, word, path, mode ? "map" : "read");
        counting_end();
    }
}

static void test_other_files(void **state)
{
    (void)state;
    const char *fifo = temp_path(folder, "fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    refuse_path(fifo, UNSUPPORTED, "pipe");
    assert_int_equal(remove(fifo), 0);
    refuse_path(folder.path, UNSUPPORTED, "folder");
    refuse_path("/dev/zero", UNSUPPORTED, "device");
    refuse_path("/dev/null", UNSUPPORTED, "device");
    refuse_path(temp_path(folder, "missing.npy"), STRIA_ERR_IO, "missing.npy: open");
    refuse_path("", STRIA_ERR_IO, "open");
    stria_array array;
    assert_int_equal(stria_npy_read(&array, NULL, STRIA_NPY_READ), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_read(NULL, "x", STRIA_NPY_READ), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_read(&array, "x", (stria_npy_mode)7), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_parse(&array, NULL, 5), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_parse(&array, "", -1), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_parse(&array, NULL, 0), STRIA_ERR_FORMAT);
}

/* A sparse file as large as it claims, but for one byte: refused before any memory is taken. */
static void test_sparse(void **state)
{
    (void)state;
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    const char *path = temp_path(folder, "sparse.npy");
    struct bytes b = npy(1, SHAPE("(274877906944,)"), sizeof SHAPE("(274877906944,)") - 1, 0);
    file_put(path, b.at, b.size);
    const off_t whole = (off_t)b.size + ((off_t)1 << 40);
    if (truncate(path, whole - 1) == 0) {
        refuse_path(path, FORMAT, "1099511627776");
        /* And complete: a terabyte of nothing is mapped at once. */
        assert_int_equal(truncate(path, whole), 0);
        stria_array array;
        assert_int_equal(stria_npy_read(&array, path, STRIA_NPY_MAP), STRIA_OK);
        assert_int_equal(stria_nbytes(&array.view), INT64_C(1) << 40);
        assert_int_equal(array.view.data[(INT64_C(1) << 40) - 1], 0);
        stria_array_release(&array);
    }
    assert_int_equal(remove(path), 0);
    free(b.at);
}

static int setup(void **state)
{
    (void)state;
    folder = temp_folder_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_folder_remove(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),          cmocka_unit_test(test_texts),
        cmocka_unit_test(test_magic),         cmocka_unit_test(test_versions),
        cmocka_unit_test(test_lengths),       cmocka_unit_test(test_every_truncation),
        cmocka_unit_test(test_every_byte),    cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_special_bytes), cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_sparse),        cmocka_unit_test(test_ends_inside_length),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
