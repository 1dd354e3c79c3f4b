/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of a program, which are listed where they are defined:
 *
 *   TEST(zeros_are_equal)
 *   {
 *       assert_true(equal(0, -0.0));
 *   }
 *
 *   TEST_MAIN(NULL, NULL)
 */
#pragma once

#include <stdlib.h>

#include "support/cmocka.h"
#include "support/statuses.h"

/* Stands before arrays that are declared, which are released where their block ends. */
#define RELEASED __attribute__((cleanup(stria_array_release)))

enum { MOST_TESTS = 64 };
static struct CMUnitTest listed_tests[MOST_TESTS];
static int listed_lines[MOST_TESTS], listed_count;

/* Lists tests by their lines: some systems call the constructors of a file from the last one on. */
static void list_test(struct CMUnitTest test, int line)
{
    if (listed_count == MOST_TESTS) abort();
    int at = listed_count++;
    for (; at > 0 && listed_lines[at - 1] > line; at--) {
        listed_tests[at] = listed_tests[at - 1];
        listed_lines[at] = listed_lines[at - 1];
    }
    listed_tests[at] = test;
    listed_lines[at] = line;
}

/* Begins a test that runs between two functions, which may be NULL. */
#define TEST_WITH(name, set_up, tear_down)                                                         \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void list_##name(void)                                     \
    {                                                                                              \
        list_test((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, set_up, tear_down),     \
                  __LINE__);                                                                       \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

/* Begins a test, whose body follows. */
#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Runs the tests of a file, between two functions that may be NULL; returns how many failed. */
static int run_listed(const char *file, CMFixtureFunction before_all, CMFixtureFunction after_all)
{
    return _cmocka_run_group_tests(file, listed_tests, (size_t)listed_count, before_all, after_all);
}

/* Is the program that does nothing else. */
#define TEST_MAIN(set_up, tear_down)                                                               \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_listed(__FILE__, set_up, tear_down);                                            \
    }
