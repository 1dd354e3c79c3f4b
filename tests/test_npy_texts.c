/* SPDX-License-Identifier: BSD-3-Clause */
/* Header texts of .npy files: hostile ones, and odd ones that are valid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/hostile_npy.h"
#include "support/temp_folder.h"
#include "support/test.h"

struct text_case {
    const char *id, *text;
    int data; /* bytes of elements after the header */
    stria_status expected;
    const char *word;
};

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
    {"descr-no-size", DESCR("'<f'"), 64, STRIA_OK, ""},
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
    {"descr-fields-0", DESCR("[('a', '<f4', (0,)), ('b', '|S0')]"), 64, UNSUPPORTED, "0 bytes"},
    {"descr-fields-nested-0", DESCR("[('a', [('b', '|V0')])]"), 64, UNSUPPORTED, "0 bytes"},
    {"descr-fields-some-0", DESCR("[('a', '|S0'), ('b', '<f4')]"), 64, STRIA_OK, ""},
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
    {"descr-datetime", DESCR("'<M8[ns]'"), 64, STRIA_OK, ""},
    {"descr-timedelta", DESCR("'>m8[25s]'"), 64, STRIA_OK, ""},
    {"descr-datetime-generic", DESCR("'<M8'"), 64, STRIA_OK, ""},
    {"descr-datetime-order", DESCR("'|M8[25s]'"), 64, FORMAT, "hides"},
    {"descr-datetime-unit", DESCR("'<M8[B]'"), 64, FORMAT, "descr"},
    {"descr-datetime-name", DESCR("'datetime64[s]'"), 64, FORMAT, "descr"},
    {"descr-datetime-zero", DESCR("'<M8[0s]'"), 64, FORMAT, "descr"},
    {"descr-non-ascii", DESCR("'<f\xc3\xa4'"), 64, FORMAT, "ASCII"},
    {"descr-non-ascii-long",
     DESCR(
         "'<"
         "f\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b"
         "\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b\xc2\x9b'"),
     64, FORMAT, "descr"},
    {"descr-escaped-quote", DESCR("'<f4\\''"), 64, FORMAT, "descr"},
    {"descr-escaped-letter", DESCR("'<\\x664'"), 64, FORMAT, "descr"},
    {"descr-quote-inside", DESCR("'<f4\"'"), 64, FORMAT, "descr"},
    {"descr-other-quotes", DESCR("\"<f4\""), 64, STRIA_OK, ""},
    {"descr-bytes-literal", DESCR("b'<f4'"), 64, FORMAT, "descr"},
    {"descr-raw-literal", DESCR("r'<f4'"), 64, FORMAT, "descr"},
    {"descr-triple-quotes", DESCR("'''<f4'''"), 64, FORMAT, "descr"},
    {"descr-two-strings", DESCR("'<f' '4'"), 64, FORMAT, "comma"},
    {"descr-open-quote", DESCR("'<f4"), 64, FORMAT, "descr"},
    {"descr-number", DESCR("4"), 64, FORMAT, "descr"},
    {"descr-none", DESCR("None"), 64, FORMAT, "descr"},
    {"descr-long", DESCR("'<fffffffffffffffffffffffffffffffffffffff'"), 64, FORMAT, "descr"},
    {"descr-bfloat16", DESCR("'<V2'"), 64, STRIA_OK, ""},
    {"descr-bool", DESCR("'|b1'"), 64, STRIA_OK, ""},
    {"descr-bool-order", DESCR("'<b1'"), 64, STRIA_OK, ""},
    {"descr-bool-2", DESCR("'<b2'"), 64, FORMAT, "descr"},
};

TEST(test_texts)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int major = 1; major <= 3; major++) {
            const struct text_case *t = &texts[i];
            char id[80];
            (void)snprintf(id, sizeof id, "%s v%d", t->id, major);
            check(id, npy(major, t->text, (int64_t)strlen(t->text), t->data), t->expected, t->word);
        }
}

static const struct long_case {
    const char *id, *before, *unit;
    int count;
    const char *after;
    stria_status expected;
    const char *word;
} long_texts[] = {
    {"nested-parentheses-5000", D, "(", 5000, ", }\n", FORMAT, "shape"},
    {"nested-brackets-5000", "{'descr': ", "[", 5000, "}\n", FORMAT, "belongs"},
    {"nested-fields-33", "{'descr': ", "[('a', ", 33, "}\n", FORMAT, "nested"},
    {"nested-fields-5000", "{'descr': ", "[('a', ", 5000, "}\n", FORMAT, "nested"},
    {"fields-same-name-400", "{'descr': [", "('a', '|u1'),", 400, "]}\n", FORMAT, "twice"},
    {"fields-of-nothing-9", "{'descr': [", "('a', []),", 9, "]}\n", FORMAT, "twice"},
    {"fields-of-nothing-200", "{'descr': [", "('a', []),", 200, "]}\n", FORMAT, "twice"},
    {"fields-of-nothing-6000", "{'descr': [", "('a', []),", 6000, "]}\n", UNSUPPORTED, "fields"},
    {"fields-of-commas", "{'descr': [", ",", 60000, "]}\n", UNSUPPORTED, "fields"},
    {"fields-4000", "{'descr': [", "('a', '|u1'),", 4000, "]}\n", UNSUPPORTED, "fields"},
    {"nested-braces-5000", "", "{", 5000, "\n", FORMAT, "key"},
    {"unary-minus-8000", D "(", "-", 8000, "1,), }\n", FORMAT, "shape"},
    {"number-5000-digits", D "(", "9", 5000, ",), }\n", FORMAT, "2^63"},
    {"zeros-5000", D "(", "0", 5000, ",), }\n", FORMAT, "shape"},
    {"dims-64", D "(", "1, ", 64, "), }\n", STRIA_OK, ""},
    {"dims-65", D "(", "1, ", 65, "), }\n", UNSUPPORTED, "64 dims"},
    {"dims-20000", D "(", "1, ", 20000, "), }\n", UNSUPPORTED, "64 dims"},
    {"dims-64-of-2", D "(", "2, ", 64, "), }\n", FORMAT, "2^63"},
    {"descr-60000", "{'descr': '", "f", 60000, "'}\n", FORMAT, "descr"},
    {"quote-60000", "{'", "f", 60000, "\n", FORMAT, "key"},
    {"good-and-60000-spaces", "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", " ",
     60000, "\n", STRIA_OK, ""},
};

/* Returns "before", then `unit` count times, then "after". */
static struct bytes repeated(const struct long_case *t)
{
    const size_t room =
        strlen(t->before) + strlen(t->unit) * (size_t)t->count + strlen(t->after) + 1;
    char *text = malloc(room);
    assert_non_null(text);
    char *at = text + snprintf(text, room, "%s", t->before);
    for (int i = 0; i < t->count; i++)
        at += snprintf(at, room - (size_t)(at - text), "%s", t->unit);
    at += snprintf(at, room - (size_t)(at - text), "%s", t->after);
    const struct bytes b = npy(2, text, at - text, 64);
    free(text);
    return b;
}

TEST(test_long_texts)
{
    for (size_t i = 0; i < sizeof long_texts / sizeof *long_texts; i++) {
        const struct long_case *t = &long_texts[i];
        check(t->id, repeated(t), t->expected, t->word);
    }
}

TEST(test_special_bytes)
{
    char text[] = SHAPE("(4,)");
    text[10] = 0; /* a NUL inside the quotes of descr */
    check("nul-in-string", npy(1, text, sizeof text - 1, 16), FORMAT, "descr");
    /* '<f4' with a NUL behind it is not '<f4'. */
    static const char after[] = DESCR("'<f4\0'");
    check("nul-after-descr", npy(1, after, sizeof after - 1, 16), FORMAT, "descr");
    memcpy(text, SHAPE("(4,)"), sizeof text);
    text[sizeof text - 3] = 0; /* replaces the closing brace */
    check("nul-in-text", npy(1, text, sizeof text - 1, 16), FORMAT, "'?'");
    /* Bad UTF-8: overlong, cut short, a surrogate, beyond U+10FFFF, a stray continuation byte. */
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

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
