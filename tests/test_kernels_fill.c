/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that fill, of every level. See support/operands.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "cpu.h"
#include "dispatch.h"
#include "support/operands.h"

static void test_fill(void **state)
{
    static const int64_t items[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 63, 64, 65, 100};
    (void)state;
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (size_t k = 0; k < sizeof items / sizeof items[0]; k++)
            for (int64_t n = 0; n < 700; n += n < 140 ? 1 : 37) {
                const int64_t item = items[k], row = n * item + n % 5;
                struct strided t = {.n = {n, 3}, .so = {item, row}, .item = item};
                t.si[1] = n % 3 ? item : 0;
                for (int stream = 0; stream < 2; stream++) {
                    t.stream = stream;
                    check_strided(kernels->fill, t, stream);
                    check_strided(kernels->fill, t, !stream);
                }
            }
    }
}

/* Zeros, whose lines the CPU may clear; other items must not be taken for them. */
static void test_clear(void **state)
{
    (void)state;
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (int64_t item = 1; item <= 32; item *= 2)
            for (int64_t n = 1; n < 400; n += n < 140 ? 1 : 37)
                for (int64_t gap = 0; gap < 3; gap++) {
                    struct strided t = {.n = {n, 2}, .so = {item, (n + gap) * item}, .item = item};
                    t.stream = true;
                    t.clear = stria__cpu_clears_lines();
                    t.si[1] = n % 5 ? 0 : item;
                    check_strided(kernels->fill, t, n % 2);
                    sweep.zeros = true;
                    check_strided(kernels->fill, t, n % 2);
                    sweep.zeros = false;
                }
    }
}

static void test_fill_word(void **state)
{
    (void)state;
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (int64_t item = 1; item <= 8; item *= 2)
            for (int64_t n = 1; n < 160; n++)
                for (int64_t k = 0; k < 20; k++) {
                    /* At the end of the guarded memory, and anywhere relative to lines. */
                    const struct region out = region(&out_guard, 0, n * item + k / 2, k % 2);
                    const struct region in = region(&in_guard, 0, item, true);
                    uint64_t word = 0;
                    put_contents(out, in);
                    for (int64_t i = 0; i < n; i++)
                        memcpy(expected_at(out, i * item), in.base, (size_t)item);
                    assert_true(stria__repeat_item(&word, in.base, item));
                    kernels->fill_word(out.base, n * item, word);
                    compare(out, "fill_word", item, n, k);
                }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_fill_word),
    };
    int failed = 0;
    do
        failed += cmocka_run_group_tests(tests, operands_set_up, operands_tear_down);
    while (sweep_again());
    return failed;
}
