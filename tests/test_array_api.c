/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 67 elementwise functions of the Python array API standard 2024.12, by its names: each is an
 * operation of the library, or a view that costs nothing, and has its row in the manual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "stria/stria.h"

enum { FUNCTIONS = 67, LINE = 1024 };

/* What is called otherwise in the library stands behind a colon. */
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

static bool is_in(const char *file, const char *name)
{
    char path[LINE], line[LINE], text[64];
    bool found = false;
    (void)snprintf(path, sizeof path, "%s/../docs/%s", STRIA_TESTS, file);
    (void)snprintf(text, sizeof text, "`stria_%s`", name);
    FILE *const in = fopen(path, "r");
    assert_non_null(in);
    while (!found && fgets(line, sizeof line, in))
        found = line[0] == '|' && strstr(line, text);
    (void)fclose(in);
    return found;
}

static void every_function(void **state)
{
    (void)state;
    assert_int_equal(sizeof functions / sizeof *functions, FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++) {
        const char *const colon = strchr(functions[i], ':');
        const char *const name = colon ? colon + 1 : functions[i];
        if (!is_operation(name) && !is_view(name)) fail_msg("there is no %s", name);
        if (!is_in(is_view(name) ? "views.md" : "elementwise.md", name))
            fail_msg("%s has no row in the manual", name);
    }
}

/* The views by their functions: of complex numbers the parts, of real ones the number itself. */
static void parts_are_views(void **state)
{
    (void)state;
    double pair[] = {3, 4};
    stria_view z, part;
    assert_int_equal(stria_view_foreign(&z, pair, stria_dtype_of(STRIA_C128), 0, NULL, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_real(&part, &z), STRIA_OK);
    assert_ptr_equal(part.data, pair);
    assert_int_equal(stria_imag(&part, &z), STRIA_OK);
    assert_ptr_equal(part.data, pair + 1);
    assert_int_equal(stria_conj(&part, &z), STRIA_OK);
    assert_true(part.flags & STRIA_CONJ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_function),
                                       cmocka_unit_test(parts_are_views)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
