/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes in EXPR, each with the column of its message, and texts of any size and depth. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "expr_inputs.h"
#include "support/test.h"

static const struct {
    const char *expr;
    size_t column;
    stria_status code;
    const char *says; /* part of the message */
} bad[] = {
    /* tokens */
    {".view(3 $ 4)", 9, STRIA_ERR_FORMAT, "unexpected '$'"},
    {".view(3 ! 4)", 9, STRIA_ERR_FORMAT, "unexpected '!'"},
    {".view(\x01)", 7, STRIA_ERR_FORMAT, "0x01"},
    {"\xc3\xa9 .T", 1, STRIA_ERR_FORMAT, "0xc3"},
    {".view('u8", 7, STRIA_ERR_FORMAT, "not closed"},
    {".view('\\xg0')", 8, STRIA_ERR_FORMAT, "hexadecimal"},
    {".view(012)", 7, STRIA_ERR_FORMAT, "start with 0"},
    {".view(1__0)", 7, STRIA_ERR_FORMAT, "malformed number"},
    {".view(0x)", 7, STRIA_ERR_FORMAT, "malformed number"},
    {".view(1e)", 7, STRIA_ERR_FORMAT, "malformed number"},
    {".view(3abc)", 7, STRIA_ERR_FORMAT, "malformed number"},
    {".view(3 / 4)", 7, STRIA_ERR_ARGUMENT, "not a float"},
    /* grammar */
    {".", 2, STRIA_ERR_FORMAT, "a name after '.'"},
    {".5", 1, STRIA_ERR_ARGUMENT, "a float, not an array"},
    {"x y", 3, STRIA_ERR_FORMAT, "the end of the text"},
    {".view(3, -1", 12, STRIA_ERR_FORMAT, "text ends"},
    {".view(3,, 4)", 9, STRIA_ERR_FORMAT, "a value"},
    {".view(3 4)", 9, STRIA_ERR_FORMAT, "','"},
    {".view(a=)", 9, STRIA_ERR_FORMAT, "a value"},
    {".view(a==3)", 7, STRIA_ERR_ARGUMENT, "'a'"},
    {"x +", 4, STRIA_ERR_FORMAT, "a value expected, but the text ends"},
    {"x + * y", 5, STRIA_ERR_FORMAT, "a value expected before '*'"},
    {"x = y", 3, STRIA_ERR_FORMAT, "an operator"},
    {"x + .T", 5, STRIA_ERR_FORMAT, "a value expected before '.'"},
    {"-.T", 2, STRIA_ERR_FORMAT, "a value expected before '.'"},
    {"x == not y", 6, STRIA_ERR_FORMAT, "a value expected before 'not'"},
    {"x if y else k", 3, STRIA_ERR_FORMAT, "before 'if'"},
    {"x in y", 3, STRIA_ERR_FORMAT, "before 'in'"},
    {"(x + y", 7, STRIA_ERR_FORMAT, "text ends"},
    /* operators */
    {"x @ 'a'", 3, STRIA_ERR_ARGUMENT, "'@' wants arrays or numbers, not the string 'a'"},
    {"x and y", 3, STRIA_ERR_ARGUMENT, "'and' does not work on arrays: whether an array"},
    {"True or x", 1, STRIA_ERR_ARGUMENT, "a bool, not an array"},
    {"True and x and y", 12, STRIA_ERR_ARGUMENT, "write &, | and ~"},
    {"not x", 1, STRIA_ERR_ARGUMENT, "ambiguous"},
    {"x < y < 3", 7, STRIA_ERR_ARGUMENT, "(a < b) & (b < c)"},
    {"1 < x < 3", 7, STRIA_ERR_ARGUMENT, "'<' does not work on arrays"},
    {"x + 'a'", 3, STRIA_ERR_ARGUMENT, "'+' wants arrays or numbers, not the string 'a'"},
    {"None * x", 6, STRIA_ERR_ARGUMENT, "'*' wants arrays or numbers, not None"},
    {"x + [1, 2]", 3, STRIA_ERR_ARGUMENT, "not a list of 2"},
    {"2 + x * (1, 2)", 7, STRIA_ERR_ARGUMENT, "not a tuple of 2"},
    {"-(x < y)", 1, STRIA_ERR_DTYPE, "it is not defined for bool"},
    {"x + 18446744073709551616", 5, STRIA_ERR_OVERFLOW, "64 bits"},
    {"torch.add(x)", 12, STRIA_ERR_ARGUMENT, "other is missing"},
    {".view(1 << -1)", 7, STRIA_ERR_OVERFLOW, "negative number of bits"},
    {".view(1 << 63)", 7, STRIA_ERR_OVERFLOW, "64 bits"},
    {".view(2 ** 63)", 7, STRIA_ERR_OVERFLOW, "64 bits"},
    {".view(0 ** -1)", 7, STRIA_ERR_ARGUMENT, "'**' does not take these numbers"},
    {".view(1.0 / 0)", 7, STRIA_ERR_ARGUMENT, "division by zero"},
    {".view(~1.5)", 7, STRIA_ERR_ARGUMENT, "'~' wants an int"},
    {".view(1j < 2)", 7, STRIA_ERR_ARGUMENT, "complex numbers"},
    {".view(1 @ 2)", 7, STRIA_ERR_ARGUMENT, "'@' does not take numbers"},
    {".narrow(dim=0, 1, 2)", 16, STRIA_ERR_FORMAT, "positional"},
    {".view((3, 4]", 12, STRIA_ERR_FORMAT, "before ']'"},
    {"[", 2, STRIA_ERR_FORMAT, "text ends"},
    {"[]", 2, STRIA_ERR_FORMAT, "an index"},
    {"[1:2:3:4]", 7, STRIA_ERR_FORMAT, "','"},
    {"[0]]", 4, STRIA_ERR_FORMAT, "the end of the text"},
    {".T)", 3, STRIA_ERR_FORMAT, "the end of the text"},
    {"(x).T(", 7, STRIA_ERR_FORMAT, "a value"},
    {"{1: 2", 6, STRIA_ERR_FORMAT, "'}'"},
    /* names */
    {".permut(0)", 1, STRIA_ERR_UNSUPPORTED, "did you mean permute?"},
    {".T.foo(0)", 3, STRIA_ERR_UNSUPPORTED, "no op 'foo'"},
    {"torch.foo(x)", 1, STRIA_ERR_UNSUPPORTED, "of torch"},
    {"torch.foo", 1, STRIA_ERR_ARGUMENT, "torch.foo"},
    {"torch", 1, STRIA_ERR_ARGUMENT, ""},
    {".flatten", 1, STRIA_ERR_ARGUMENT, "write .flatten(...)"},
    {".expand_as(z)", 12, STRIA_ERR_ARGUMENT, "'z'"},
    {"z", 1, STRIA_ERR_ARGUMENT, "x, y, k"},
    {"3", 1, STRIA_ERR_ARGUMENT, "not an array"},
    {".shape", 1, STRIA_ERR_ARGUMENT, "a tuple of 3"},
    {".split(2).T", 1, STRIA_ERR_ARGUMENT, "pick one with [i]"},
    {"x(0)", 2, STRIA_ERR_FORMAT, "no op"},
    /* arguments */
    {".unsqueeze()", 12, STRIA_ERR_ARGUMENT, "dim is missing"},
    {".unsqueeze(0, 1)", 15, STRIA_ERR_ARGUMENT, "no room"},
    {".unsqueeze(0, dim=1)", 12, STRIA_ERR_ARGUMENT, ""},
    {".unsqueeze(foo=1)", 12, STRIA_ERR_ARGUMENT, "no argument 'foo'"},
    {".unsqueeze(dim=1, dim=2)", 19, STRIA_ERR_ARGUMENT, "more than once"},
    {".narrow(0, 1, length=1, len=2)", 25, STRIA_ERR_ARGUMENT, "more than once"},
    {".squeeze(dim=0, axis=0)", 17, STRIA_ERR_ARGUMENT, "'axis'"},
    {".unsqueeze(1.0)", 12, STRIA_ERR_ARGUMENT, "not a float"},
    {".unsqueeze(True)", 12, STRIA_ERR_ARGUMENT, "not a bool"},
    {".unsqueeze('0')", 12, STRIA_ERR_ARGUMENT, "the string '0'"},
    {".unsqueeze(None)", 12, STRIA_ERR_ARGUMENT, "not None"},
    {".unsqueeze(x)", 12, STRIA_ERR_ARGUMENT, "an array of 3 dims"},
    {".permute(2, 0, 1.5)", 16, STRIA_ERR_ARGUMENT, "not a float"},
    {".permute((2, 0), 1)", 18, STRIA_ERR_ARGUMENT, "no room"},
    {".view(99999999999999999999)", 7, STRIA_ERR_OVERFLOW, "64 bits"},
    {".view(-99999999999999999999)", 7, STRIA_ERR_OVERFLOW, "64 bits"},
    {".view(4611686018427387904 * 2)", 7, STRIA_ERR_OVERFLOW, "64 bits"},
    {".view(3 // 0)", 7, STRIA_ERR_OVERFLOW, "division by zero"},
    {".view(3 + 'a')", 7, STRIA_ERR_ARGUMENT, "'+' wants numbers"},
    {".unsqueeze(4294967296)", 12, STRIA_ERR_DIM, "4294967296"},
    {".view('foo')", 7, STRIA_ERR_DTYPE, "not a dtype"},
    {".view('u8\\x00')", 7, STRIA_ERR_DTYPE, "not a dtype"},
    {".contiguous(memory_format='X')", 27, STRIA_ERR_ARGUMENT, "a memory format"},
    {".reshape(20, 6, order='X')", 23, STRIA_ERR_ARGUMENT, "'C', 'F', 'A' or 'K'"},
    {".view(*3)", 7, STRIA_ERR_ARGUMENT, "* wants"},
    {".split(2)[2]", 11, STRIA_ERR_INDEX, "item 2"},
    {".split(2)[0, 1]", 10, STRIA_ERR_INDEX, "one int or slice"},
    {"[1.5]", 2, STRIA_ERR_ARGUMENT, "a float is no index"},
    {"[1:'a']", 4, STRIA_ERR_ARGUMENT, "made of ints and None"},
    {"[99999999999999999999]", 2, STRIA_ERR_OVERFLOW, "64 bits"},
    {"empty_strided((2, 3), (1,))", 1, STRIA_ERR_ARGUMENT, "2 sizes and 1 strides"},
    {"empty_permuted((2, 3), (1, 1))", 1, STRIA_ERR_DIM, "dim 1 is listed twice"},
    {".set_(y, 359, (2,))", 1, STRIA_ERR_BOUNDS, "1436 .. 1444"},
    {".set_(y, 4611686018427387904, (2,))", 1, STRIA_ERR_OVERFLOW, "4611686018427387904 items"},
    {".set_(k)", 1, STRIA_ERR_DTYPE, "i32"},
    {".compact('a')", 1, STRIA_ERR_ARGUMENT, "a number"},
    {".compact(1.5)", 1, STRIA_ERR_ARGUMENT, "1.5"},
    {".T.contiguous(memory_format=preserve_format)", 3, STRIA_ERR_ARGUMENT, "clone takes"},
    {".view(bool).positive()", 12, STRIA_ERR_DTYPE, "bool"},
    {".trace()", 1, STRIA_ERR_SHAPE, "3 dims"},
    {".view(np.matrix)", 1, STRIA_ERR_SHAPE, "a matrix"},
    {"[0].view(np.matrix).reshape(2, 3, 5)", 20, STRIA_ERR_SHAPE, "(2, 3, 5)"},
    {".view('i2', type=3)", 18, STRIA_ERR_ARGUMENT, "np.matrix, np.recarray or np.ndarray"},
    {".view([('a', 'i4'), ('a', 'i4')])", 7, STRIA_ERR_ARGUMENT, "'a'"},
    {".view([('a', 'foo')])", 14, STRIA_ERR_FORMAT, "not a dtype"},
    {".view([('a',)])", 8, STRIA_ERR_ARGUMENT, "(name, format)"},
    {".view([(1, 'i4')])", 9, STRIA_ERR_ARGUMENT, "name of a field"},
    {".view({'names': ['a']})", 7, STRIA_ERR_ARGUMENT, "'formats'"},
    {".view('(2f4,i4')", 7, STRIA_ERR_FORMAT, "end of the list"},
    {"[[[0], [1, 2]]]", 8, STRIA_ERR_SHAPE, "ragged"},
    {"[[0, 1.5]]", 2, STRIA_ERR_ARGUMENT, "ints or bools"},
    {"[['a', 0]]", 3, STRIA_ERR_ARGUMENT, "the string 'a'"},
    {".foo_copy(0)", 1, STRIA_ERR_UNSUPPORTED, "no op 'foo_copy'"},
    {".clone_copy()", 1, STRIA_ERR_UNSUPPORTED, "no op 'clone_copy'"},
    {"['a']", 1, STRIA_ERR_DTYPE, ""},
    /* refusals of the library point at their step */
    {".T.view(4, 30)", 3, STRIA_ERR_STRIDE, ""},
    {"  [0][5]", 6, STRIA_ERR_INDEX, ""},
    {".permute(0, 1)", 1, STRIA_ERR_DIM, ""},
    {"np.broadcast_to(x, (2, 4, -1, 6))", 1, STRIA_ERR_SHAPE, "negative"},
    {".broadcast_to(-1, 4, 5, 6)", 1, STRIA_ERR_SHAPE, "negative"},
    {".roll(1, (0, 1))", 1, STRIA_ERR_ARGUMENT, "1 shifts for 2 dims"},
    {"np.roll(x, (1, 2), axis=(0, 1, 2))", 1, STRIA_ERR_ARGUMENT, "2 shifts for 3 dims"},
    {".stride(3)", 1, STRIA_ERR_DIM, "dim 3 of 3"},
    {".index_copy(2147483647, [0], x)", 1, STRIA_ERR_DIM, "dim 2147483647"},
};

TEST(test_bad)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct failure failure = {0};
        struct evaluation e = inputs_evaluation(bad[i].expr, &inputs, &failure);
        const stria_status status = stria__evaluate(&e);
        const size_t column = failure.placed ? stria__column_of(bad[i].expr, failure.at) : 0;
        if (status != bad[i].code || failure.code != status || column != bad[i].column ||
            !strstr(failure.message, bad[i].says)) {
            print_error("%s\n  %s at column %zu: %s\n  wanted %s at column %zu: %s\n", bad[i].expr,
                        stria_status_name(status), column, failure.message,
                        stria_status_name(bad[i].code), bad[i].column, bad[i].says);
            wrong++;
        }
        stria__evaluation_end(&e);
    }
    assert_int_equal(wrong, 0);
}

/* ---- size and depth ----------------------------------------------------------------------- */

static char *repeated(const char *head, const char *unit, size_t count, const char *tail)
{
    const size_t n = strlen(unit);
    char *text = malloc(strlen(head) + n * count + strlen(tail) + 1);
    assert_non_null(text);
    char *end = stpcpy(text, head);
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, unit);
    (void)stpcpy(end, tail);
    return text;
}

static void assert_refused(char *expr, stria_status code, const char *says)
{
    struct failure failure = {0};
    struct evaluation e = inputs_evaluation(expr, &inputs, &failure);
    assert_int_equal(stria__evaluate(&e), code);
    assert_non_null(strstr(failure.message, says));
    stria__evaluation_end(&e);
    free(expr);
}

TEST(test_bounds)
{
    assert_refused(repeated("", "(", 100000, ""), STRIA_ERR_FORMAT, "nested deeper");
    assert_refused(repeated("", "[", 100000, ""), STRIA_ERR_FORMAT, "nested deeper");
    assert_refused(repeated(".view(", "-", 100000, "1)"), STRIA_ERR_FORMAT, "nested deeper");
    assert_refused(repeated(".view(1", "+1", 100000, ")"), STRIA_ERR_SHAPE, "100001");
    assert_refused(repeated("", "x+", 70000, "x"), STRIA_ERR_UNSUPPORTED, "at most 65536 arrays");
    assert_refused(repeated("", "x<=", 100000, "x"), STRIA_ERR_ARGUMENT, "'<='");
    assert_refused(repeated("", "1 and ", 100000, "zz"), STRIA_ERR_ARGUMENT, "'zz' is neither");
    assert_refused(repeated("", "2**", 100000, "x"), STRIA_ERR_FORMAT, "nested deeper");
    assert_refused(repeated("", "not ", 100000, "x"), STRIA_ERR_FORMAT, "nested deeper");
    assert_refused(repeated("", ".T", 100000, ""), STRIA_ERR_UNSUPPORTED, "at most 65536 arrays");
    assert_refused(repeated(".view(", "1,", 300000, ")"), STRIA_ERR_SHAPE, "");
    assert_refused(repeated("", " ", EXPR_MAX_LENGTH + 1, ""), STRIA_ERR_OVERFLOW, "bytes");
    assert_refused(repeated(".view(", "9", 5000, ")"), STRIA_ERR_OVERFLOW, "64 bits");
    assert_refused(repeated(".expand(1000000, 4, 5, 6).unbind(0", "", 0, ")"),
                   STRIA_ERR_UNSUPPORTED, "too many");
}

/* Each of the nested brackets begins with a chain of operators. */
TEST(test_tall)
{
    char *head = repeated(".view(", "(", 150, "1");
    char *row = repeated("", "+1", 150, ")");
    assert_refused(repeated(head, row, 150, ")"), STRIA_ERR_SHAPE, "22501");
    free(head);
    free(row);
}

TEST(test_long_chain)
{
    struct failure failure = {0};
    char *expr = repeated("", ".T", 10000, "");
    struct evaluation e = inputs_evaluation(expr, &inputs, &failure);
    assert_int_equal(stria__evaluate(&e), STRIA_OK);
    size_t steps = 0;
    for (const struct step *step = e.first; step; step = step->next)
        steps++;
    assert_int_equal(steps, 10000);
    assert_int_equal(e.nheld, 1); /* values that are no longer needed were released on the way */
    stria__evaluation_end(&e);
    free(expr);
}

TEST_MAIN(inputs_set_up, inputs_tear_down)
