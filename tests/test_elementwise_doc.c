/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/elementwise.md has every operation of the library in its first table, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "stria/stria.h"

enum { LINE = 1024 };

static const char before[] = "`stria_";

static int op_of(const char *name, size_t length)
{
    for (int op = 0; op < STRIA_OPS; op++) {
        const char *const own = stria_op_name((stria_op)op);
        if (strlen(own) == length && !memcmp(own, name, length)) return op;
    }
    return -1;
}

/* Every name in the first cell of a row. */
static void count_names(const char *cell, int found[STRIA_OPS])
{
    const char *const end = strchr(cell, '|');
    assert_non_null(end);
    for (const char *at = strstr(cell, before); at && at < end; at = strstr(at, before)) {
        at += strlen(before);
        const int op = op_of(at, strcspn(at, "`"));
        if (op < 0) fail_msg("there is no operation %.20s", at);
        found[op]++;
    }
}

static void every_operation(void **state)
{
    (void)state;
    char line[LINE];
    int found[STRIA_OPS] = {0};
    bool inside = false;
    FILE *const file = fopen(STRIA_TESTS "/../docs/elementwise.md", "r");
    assert_non_null(file);
    while (fgets(line, LINE, file)) {
        if (!strncmp(line, "| operation | torch", 19)) inside = true;
        if (line[0] != '|') inside = false;
        if (inside) count_names(line + 1, found);
    }
    (void)fclose(file);
    for (int op = 0; op < STRIA_OPS; op++)
        if (found[op] != 1)
            fail_msg("%s stands in the table %d times", stria_op_name((stria_op)op), found[op]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
