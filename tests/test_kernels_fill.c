/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that fill, of every level. See support/operands.h. */
#include <string.h>

#include "machine/cpu.h"
#include "machine/dispatch.h"
#include "support/operands.h"
#include "support/test.h"

TEST(test_fill)
{
    static const int64_t items[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 63, 64, 65, 100};
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

/* Items of zeros, for which the CPU may clear whole lines; no other items may be treated so. */
TEST(test_clear)
{
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

TEST(test_fill_word)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (int64_t item = 1; item <= 8; item *= 2)
            for (int64_t n = 1; n < 160; n++)
                for (int64_t k = 0; k < 20; k++) {
                    /* The output ends at an inaccessible page, or lies anywhere relative to cache
                     * lines. */
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

/* Checks that item i is repeated as often as i and `most` determine, in exactly as much room. */
static void check_repeat_each(const struct stria_kernels *kernels, int64_t item, int64_t n,
                              int64_t most)
{
    enum { BEFORE = 3, LARGEST = 300 }; /* BEFORE: items before the result, which are not written */
    int64_t starts[LARGEST + 1] = {BEFORE};
    for (int64_t i = 0; i < n; i++)
        starts[i + 1] = starts[i] + (i * 7 + i / 5) % (most + 1);
    const int64_t si = n % 2 ? item : 2 * item;
    const struct region out = region(&out_guard, 0, starts[n] * item, true);
    const struct region in = region(&in_guard, 0, (n - 1) * si + item, true);
    put_contents(out, in);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = starts[i]; k < starts[i + 1]; k++)
            memcpy(expected_at(out, k * item), in.base + i * si, (size_t)item);
    kernels->repeat_each(&(struct repeats){
        .out = out.base, .in = in.base, .n = n, .si = si, .item = item, .starts = starts});
    compare(out, "repeat_each", item, n, most);
}

TEST(test_repeat_each)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 12, 16, 24, 48, 64, 100, 1500};
    static const int64_t most[] = {0, 1, 2, 7, 100};
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (size_t k = 0; k < sizeof items / sizeof items[0]; k++)
            for (size_t m = 0; m < sizeof most / sizeof most[0]; m++)
                for (int64_t n = 1; n < 300; n += n < 40 ? 1 : 61)
                    if (n * most[m] * items[k] < ROOM / 2)
                        check_repeat_each(kernels, items[k], n, most[m]);
}

int main(void)
{
    int failed = 0;
    do
        failed += run_listed(__FILE__, operands_set_up, operands_tear_down);
    while (sweep_again());
    return failed;
}
