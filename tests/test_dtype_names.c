/* SPDX-License-Identifier: BSD-3-Clause */
/* Every name of every dtype, and texts that are no names. tool/test_dtype_spelling.py asks
 * NumPy. */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

static const struct {
    stria_kind kind;
    const char *names[16];
} known[] = {
    {STRIA_BOOL, {"bool", "bool_", "?", "b1", "|b1", "torch.bool", "np.bool", "np.bool_"}},
    {STRIA_I8, {"i8", "int8", "i1", "|i1", "b", "byte", "char", "np.byte", "torch.char"}},
    {STRIA_I16, {"i16", "int16", "i2", "=i2", "h", "short", "torch.short", "np.short"}},
    {STRIA_I32, {"i32", "int32", "i4", "=i4", "i", "intc", "torch.int", "np.intc"}},
    {STRIA_I64, {"i64", "int64", "=i8", "q", "int", "int_", "long", "torch.long", "np.int_"}},
    {STRIA_U8, {"u8", "uint8", "u1", "|u1", "B", "ubyte", "torch.byte", "np.ubyte"}},
    {STRIA_U16, {"u16", "uint16", "u2", "=u2", "H", "ushort", "torch.uint16"}},
    {STRIA_U32, {"u32", "uint32", "u4", "=u4", "I", "uintc", "numpy.uint32"}},
    {STRIA_U64, {"u64", "uint64", "=u8", "Q", "uint", "uintp", "np.uint", "torch.uint64"}},
    {STRIA_F8E4M3, {"f8e4m3", "float8_e4m3fn", "torch.float8_e4m3fn"}},
    {STRIA_F8E5M2, {"f8e5m2", "float8_e5m2", "torch.float8_e5m2"}},
    {STRIA_F16, {"f16", "float16", "f2", "=f2", "half", "e", "torch.half", "np.half"}},
    {STRIA_BF16, {"bf16", "bfloat16", "torch.bfloat16"}},
    {STRIA_F32, {"f32", "float32", "f4", "=f4", "single", "f", "torch.float", "np.single"}},
    {STRIA_F64, {"f64", "float64", "f8", "=f8", "float", "double", "d", "stria.f64", "np.double"}},
    {STRIA_C64, {"c64", "complex64", "c8", "=c8", "csingle", "cfloat", "F", "torch.cfloat"}},
    {STRIA_C128, {"c128", "complex128", "c16", "=c16", "complex", "cdouble", "D", "torch.cdouble"}},
    {STRIA_BYTES, {"S0", "S5", "|S5", "<S5"}},
    {STRIA_UNICODE, {"U1", "=U3"}},
    {STRIA_VOID, {"V12", "|V12"}},
};

TEST(test_known)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (const char *const *name = known[i].names; *name; name++) {
            stria_dtype dtype;
            if (stria_dtype_parse(&dtype, *name)) fail_msg("%s", stria_last_error());
            if (dtype.kind != known[i].kind || dtype.swapped)
                fail_msg("%s is kind %d, not %d", *name, dtype.kind, (int)known[i].kind);
        }
}

/* Names that are printed can be read, in both byte orders. */
TEST(test_inverse)
{
    for (int kind = 0; kind < STRIA_RECORD; kind++)
        for (int swap = 0; swap < 2; swap++) {
            stria_dtype dtype = stria_dtype_of((stria_kind)kind), back;
            char name[32];
            if (kind >= STRIA_BYTES && kind <= STRIA_VOID)
                ok(stria_dtype_sized(&dtype, (stria_kind)kind, 7));
            if (swap) dtype = stria_dtype_swap(dtype);
            (void)stria_dtype_format(name, sizeof name, NULL, dtype);
            ok(stria_dtype_parse(&back, name));
            assert_true(stria_dtype_equal(dtype, back));
        }
}

/* Records as NumPy's str(dtype) prints them; where that would lose the layout, with the keys that
 * it takes. */
static const char *const records[] = {
    "[('a', '<i4'), ('b', '<f8', (2,))]",
    "[('a', 'i1'), ('b', '?'), ('c', 'S5'), ('d', '>U3'), ('e', 'V4'), ('f', '>M8[25s]'), "
    "('g', '<f8', (2, 3)), ('h', '<c16'), ('i', '<i8'), ('j', 'u1', (0,)), ('k', '<m8')]",
    "[('p', [('x', '<f4'), ('q', [('z', '>u2', (3,))], (2,))]), (('a title', 'n'), '<u2')]",
    "{'names': ['a', 'b'], 'formats': ['<i4', ('<f8', (2,))], 'offsets': [4, 8], 'itemsize': 40}",
    "{'names': ['a', 'b'], 'formats': ['<i4', '<i2'], 'offsets': [8, 0], 'titles': ['t', None], "
    "'itemsize': 12}", /* the fields are out of order */
    "{'names': ['a', 'b'], 'formats': ['<i4', 'u1'], 'offsets': [0, 2], 'itemsize': 4}",
    "{'names': ['a', 'b', 'c'], 'formats': ['i1', '<f8', [('x', 'i1'), ('y', '<i4')]], "
    "'offsets': [0, 8, 16], 'itemsize': 24, 'aligned': True}", /* the inner record, too */
    "[('r', {'names': ['x', 'y'], 'formats': ['i1', '<i4'], 'offsets': [0, 4], 'itemsize': 8, "
    "'aligned': True}), ('s', 'u1')]",
    "{'names': ['a', 'b'], 'formats': ['<f8', {'names': ['x', 'y'], 'formats': ['i1', '<i4'], "
    "'offsets': [0, 1], 'itemsize': 5, 'aligned': False}], 'offsets': [0, 8], 'itemsize': 16, "
    "'aligned': True}",
    "[(\"it's\", '<f4'), ('a\"b', 'u1'), ('\\\\\\n\\x7f', 'u1'), ('h\xc3\xb6he', 'bf16'), "
    "('both \\'\"', '>bf16')]",
    "[('\\x90\\xa0\\xad\xc2\xa1\xc3\xad', '<i4')]",
    "[]",
    "{'names': [], 'formats': [], 'offsets': [], 'itemsize': 8}",
};

static char *format_of(stria_dtype dtype)
{
    size_t n = 0, again = 0;
    ok(stria_dtype_format(NULL, 0, &n, dtype));
    char *text = malloc(n + 1), part[20];
    assert_non_null(text);
    ok(stria_dtype_format(text, n + 1, NULL, dtype));
    assert_int_equal(strlen(text), n);
    ok(stria_dtype_format(part, sizeof part, &again, dtype));
    assert_int_equal(again, n); /* cut, not beyond */
    assert_int_equal(stria_dtype_format(NULL, 1, NULL, dtype), STRIA_ERR_ARGUMENT);
    assert_int_equal(strncmp(part, text, sizeof part - 1), 0);
    return text;
}

TEST(test_records)
{
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        stria_dtype dtype;
        if (stria_dtype_parse(&dtype, records[i])) fail_msg("%s", stria_last_error());
        char *const text = format_of(dtype);
        assert_string_equal(text, records[i]);
        free(text);
        stria_dtype_release(dtype);
    }
}

/* Records made by the constructor, not from text: their text has to give the same layout. */
TEST(test_records_inverse)
{
    const int64_t shape[] = {2, 3};
    const stria_field inner[] = {{"x", NULL, stria_dtype_of(STRIA_I8), 0, 0, NULL},
                                 {"y", "why", stria_dtype_of(STRIA_F64), 0, 2, shape}};
    for (int aligned = 0; aligned < 4; aligned++) {
        stria_dtype nested, outer, back;
        ok(stria_record_make(&nested, 2, inner, 0, aligned & 1));
        const stria_field fields[] = {{"a", NULL, stria_dtype_of(STRIA_U8), 0, 0, NULL},
                                      {"b", NULL, nested, 0, 1, shape},
                                      {"c", NULL, stria_dtype_of(STRIA_C64), 0, 0, NULL}};
        ok(stria_record_make(&outer, 3, fields, 0, aligned & 2));
        char *const text = format_of(outer);
        if (stria_dtype_parse(&back, text)) fail_msg("%s", stria_last_error());
        assert_true(stria_dtype_equal(outer, back));
        assert_int_equal(outer.alignment, back.alignment);
        assert_int_equal(stria_record_field(outer, 1)->dtype.alignment,
                         stria_record_field(back, 1)->dtype.alignment);
        free(text);
        stria_dtype_release(back);
        stria_dtype_release(outer);
        stria_dtype_release(nested);
    }
}

TEST(test_short_records)
{
    static const char *const pairs[][2] = {
        {"i4,(2,)f8", "[('f0', '<i4'), ('f1', '<f8', (2,))]"},
        {" (2, 3)f4 , 3u1, ", "[('f0', '<f4', (2, 3)), ('f1', 'u1', (3,))]"},
        {"i8,", "[('f0', '<i8')]"},
        {"[('a', '(2,)f8'), ('', 'i4,f4'), ('b', 'i8', 3,),]",
         "[('a', '<f8', (2,)), ('f1', [('f0', '<i4'), ('f1', '<f4')]), ('b', '<i8', (3,))]"},
        {"[('\\u00e9\\U0001f600\\u20ac\\x41', 'u1')]", "[('\xc3\xa9\xf0\x9f\x98\x80\xe2\x82\xac"
                                                       "A', 'u1')]"},
        {"{'formats': ('u1', 'f8'), 'aligned': True, 'names': ('a', 'b')}",
         "{'names': ['a', 'b'], 'formats': ['u1', '<f8'], 'offsets': [0, 8], 'itemsize': 16, "
         "'aligned': True}"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        stria_dtype dtype;
        if (stria_dtype_parse(&dtype, pairs[i][0])) fail_msg("%s", stria_last_error());
        char *const text = format_of(dtype);
        assert_string_equal(text, pairs[i][1]);
        free(text);
        stria_dtype_release(dtype);
    }
}

TEST(test_unknown)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "f33",
                                        "float ",
                                        " float",
                                        "float32 ",
                                        "<",
                                        "<f5",
                                        "<f32",
                                        "<float",
                                        "=int",
                                        "<<f4",
                                        "S",
                                        "S-1",
                                        "S05",
                                        "S 5",
                                        "torch",
                                        "torch.",
                                        "torch.f32",
                                        "np.f32",
                                        "np.u1",
                                        "np.i8",
                                        "np.",
                                        "torch.np.",
                                        "stria.",
                                        "np.torch.int",
                                        "float32 double",
                                        "common",
                                        "O",
                                        "M8[]",
                                        "<M8[s",
                                        "g",
                                        "f12",
                                        "longdouble",
                                        "torch.int_",
                                        "np.cfloat",
                                        "np.bfloat17",
                                        "[",
                                        "{}",
                                        "[('a', 'f4')",
                                        "[('a', 'f4')] x",
                                        "[('a', 'f4' (2,))]",
                                        "[('a', 'f4', (2,), 3)]",
                                        "[('a', ('(2,)f4', (3,)))]",
                                        "[('a\\",
                                        "[('a\\x0",
                                        "[('\\x00', 'f4')]",
                                        "[('\\ud800', 'f4')]",
                                        "[('\\U00110000', 'f4')]",
                                        "[('\\u12', 'f4')]",
                                        "[('a', 'f5')]",
                                        "(2,)f8",
                                        "i4((((",
                                        "f4,(2,",
                                        "{'names': ['a'], 'formats': ['f4', 'f4']}",
                                        "{'names': ['a', 'b'], 'formats': ['f4']}",
                                        "{'names': ['a'], 'formats': ['f4'], 'aligned': 1}",
                                        "{'names': ['a'], 'names': ['b'], 'formats': ['f4']}",
                                        "{'names': ['a'], 'formats': ['f4'], 'what': 1}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        stria_dtype dtype = stria_dtype_of(STRIA_U16);
        if (stria_dtype_parse(&dtype, texts[i]) != STRIA_ERR_FORMAT)
            fail_msg("'%s' is taken for kind %d", texts[i], dtype.kind);
        assert_int_equal(dtype.kind, STRIA_U16); /* the output is unchanged */
    }
    stria_dtype dtype;
    assert_int_equal(stria_dtype_parse(&dtype, "S99999999999"), STRIA_ERR_FORMAT);
    assert_int_equal(stria_dtype_parse(&dtype, "U2147483647"), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_dtype_parse(&dtype, "f4,(99999999999,)u1"), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_dtype_parse(&dtype, "[('a', 'u1'), ('a', 'u1')]"), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_dtype_parse(NULL, "f32"), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_dtype_parse(&dtype, NULL), STRIA_ERR_ARGUMENT);
}

TEST_MAIN(NULL, NULL)
