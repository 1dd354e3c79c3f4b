/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the Python array API standard 2024.12, by its names. Of the 67 elementwise ones
 * each is an operation of the library, or a view that costs nothing; those that reduce, scan and
 * search are functions. Each has its row in the manual.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

enum { FUNCTIONS = 67, LINE = 1024 };

/* The library's name follows a colon where it differs. */
static const char *const functions[] = {"abs",
                                        "acos",
                                        "acosh",
                                        "add",
                                        "asin",
                                        "asinh",
                                        "atan",
                                        "atan2",
                                        "atanh",
                                        "bitwise_and",
                                        "bitwise_left_shift:left_shift",
                                        "bitwise_invert:bitwise_not",
                                        "bitwise_or",
                                        "bitwise_right_shift:right_shift",
                                        "bitwise_xor",
                                        "ceil",
                                        "clip",
                                        "conj",
                                        "copysign",
                                        "cos",
                                        "cosh",
                                        "divide",
                                        "equal",
                                        "exp",
                                        "expm1",
                                        "floor",
                                        "floor_divide",
                                        "greater",
                                        "greater_equal",
                                        "hypot",
                                        "imag",
                                        "isfinite",
                                        "isinf",
                                        "isnan",
                                        "less",
                                        "less_equal",
                                        "log",
                                        "log1p",
                                        "log2",
                                        "log10",
                                        "logaddexp",
                                        "logical_and",
                                        "logical_not",
                                        "logical_or",
                                        "logical_xor",
                                        "maximum",
                                        "minimum",
                                        "multiply",
                                        "negative",
                                        "nextafter",
                                        "not_equal",
                                        "positive",
                                        "pow",
                                        "real",
                                        "reciprocal",
                                        "remainder",
                                        "round",
                                        "sign",
                                        "signbit",
                                        "sin",
                                        "sinh",
                                        "square",
                                        "sqrt",
                                        "subtract",
                                        "tan",
                                        "tanh",
                                        "trunc"};

static const char *const views[] = {"conj", "imag", "real"};

static bool is_operation(const char *name)
{
    for (int op = 0; op < STRIA_OPS; op++)
        if (!strcmp(stria_op_name((stria_op)op), name)) return true;
    return false;
}

static bool is_view(const char *name)
{
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (!strcmp(views[i], name)) return true;
    return false;
}

/* Whether a file has a row with both texts. */
static bool has_row(const char *file, const char *text, const char *other)
{
    char path[LINE], line[LINE];
    bool found = false;
    (void)snprintf(path, sizeof path, "%s/../docs/%s", STRIA_TESTS, file);
    FILE *const in = fopen(path, "r");
    assert_non_null(in);
    while (!found && fgets(line, sizeof line, in))
        found = line[0] == '|' && strstr(line, text) && strstr(line, other);
    (void)fclose(in);
    return found;
}

static bool is_in(const char *file, const char *name)
{
    char text[64];
    (void)snprintf(text, sizeof text, "`stria_%s`", name);
    return has_row(file, text, text);
}

TEST(every_function)
{
    assert_int_equal(sizeof functions / sizeof *functions, FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++) {
        const char *const colon = strchr(functions[i], ':');
        const char *const name = colon ? colon + 1 : functions[i];
        if (!is_operation(name) && !is_view(name)) fail_msg("there is no %s", name);
        if (!is_in(is_view(name) ? "views.md" : "elementwise.md", name))
            fail_msg("%s has no row in the manual", name);
    }
}

typedef void any_function(void);
#define FUNCTION(name, function)                                                                   \
    {                                                                                              \
#name, "`" #function "`", (any_function *)(function)                                       \
    }
/* The function has the name of the tool's op; in rows with FUNCTION it has another. */
#define NAMESAKE(name) FUNCTION(name, stria_##name)

/* Statistical, searching and utility functions, and vecdot and vector_norm. */
static const struct {
    const char *name, *text;
    any_function *function;
} others[] = {FUNCTION(cumulative_prod, stria_scan_dim),
              FUNCTION(cumulative_sum, stria_scan_dim),
              NAMESAKE(max),
              NAMESAKE(mean),
              NAMESAKE(min),
              NAMESAKE(prod),
              NAMESAKE(std),
              NAMESAKE(sum),
              NAMESAKE(var),
              NAMESAKE(argmax),
              NAMESAKE(argmin),
              NAMESAKE(count_nonzero),
              FUNCTION(nonzero, stria_nonzero_new),
              NAMESAKE(searchsorted),
              NAMESAKE(where),
              NAMESAKE(all),
              NAMESAKE(any),
              NAMESAKE(diff),
              NAMESAKE(vecdot),
              FUNCTION(vector_norm, stria_norm)};

/* Every function is in the manual of reductions, or in a table of the tool's ops, which another
 * test compares with the tool. */
TEST(every_other_function)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char name[64], row[64];
        (void)snprintf(name, sizeof name, "`%s`", others[i].name);
        (void)snprintf(row, sizeof row, "%s | `", others[i].text);
        assert_non_null(others[i].function);
        if (!has_row("reductions.md", name, others[i].text))
            fail_msg("docs/reductions.md has no row of %s with %s", name, others[i].text);
        if (!has_row("views.md", name, others[i].text) && !has_row("reductions.md", row, name))
            fail_msg("docs/views.md has no row of %s with %s", name, others[i].text);
    }
}

/* Checks the keyword arguments of the standard, each once. */
TEST(keywords)
{
    int32_t x[2][3] = {{3, 0, 5}, {1, 0, 0}};
    int64_t counts[2], sums[2][4];
    double spread[1];
    RELEASED stria_array made = {0};
    stria_view a, to;
    const int dim = 1;
    const int64_t shape[] = {2, 3}, kept[] = {2, 1}, more[] = {2, 4}, one[] = {1, 1};
    const stria_reduce_options correction = {.ddof = 1, .keepdims = true};
    const stria_scan_options initial = {.include_initial = true};
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_I32), 2, shape, NULL, 0));
    ok(stria_view_foreign(&to, counts, stria_dtype_of(STRIA_I64), 2, kept, NULL, 0));
    ok(stria_count_nonzero(&to, &a, 1, &dim, NULL));
    assert_true(counts[0] == 2 && counts[1] == 1);
    ok(stria_argmax(&to, &a, 1, &dim, NULL));
    assert_true(counts[0] == 2 && counts[1] == 0);
    ok(stria_view_foreign(&to, sums, stria_dtype_of(STRIA_I64), 2, more, NULL, 0));
    ok(stria_scan_dim(&to, STRIA_CUMSUM, &a, dim, &initial, NULL));
    assert_memory_equal(sums, ((int64_t[]){0, 3, 3, 8, 0, 1, 1, 1}), sizeof sums);
    ok(stria_view_foreign(&to, spread, stria_dtype_of(STRIA_F64), 2, one, NULL, 0));
    ok(stria_reduce_dims(&to, STRIA_VAR, &a, STRIA_ALL_DIMS, NULL, &correction, NULL));
    assert_true(spread[0] == 4.3); /* (35 - 81 / 6) / 5 */
    ok(stria_nonzero_new(&made, &a, NULL));
    assert_int_equal(made.view.shape[0], 3);
}

/* The parts of complex numbers are views, and so is the real part of real ones, which is the number
 * itself. */
TEST(parts_are_views)
{
    double pair[] = {3, 4};
    stria_view z, part;
    ok(stria_view_foreign(&z, pair, stria_dtype_of(STRIA_C128), 0, NULL, NULL, 0));
    ok(stria_real(&part, &z));
    assert_ptr_equal(part.data, pair);
    ok(stria_imag(&part, &z));
    assert_ptr_equal(part.data, pair + 1);
    ok(stria_conj(&part, &z));
    assert_true(part.flags & STRIA_CONJ);
}

TEST_MAIN(NULL, NULL)
