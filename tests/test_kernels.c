/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that copy, of every level, and the choice of a level. See support/operands.h. */
#include <string.h>

#include "machine/dispatch.h"
#include "stria/threads.h"
#include "support/operands.h"
#include "support/test.h"

TEST(test_levels)
{
    assert_non_null(stria__kernels_at(0));
    assert_null(stria__kernels_at(-1));
    assert_null(stria__kernels_at(stria__kernels_count()));
    assert_false(stria__set_isa("no such level"));
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        assert_true(stria__set_isa(kernels->isa));
        assert_ptr_equal(stria__kernels(), kernels);
        assert_string_equal(stria_isa_name(), kernels->isa);
    }
    assert_true(stria__set_isa("scalar"));
    /* scalar, or the lowest level */
    assert_string_equal(stria_isa_name(), stria__kernels_at(0)->isa);
    assert_true(stria__set_isa(NULL));
}

/* ---- strided --------------------------------------------------------------------------------- */

/* Checks destinations with strides of 1, 2 or -3 items and more; sources with -9 .. 9, 16 or
 * -16. */
static void sweep_strided(strided_kernel *kernel, int64_t item)
{
    static const int64_t out_steps[] = {1, 2, -3, 9, -16};
    for (int64_t step = -10; step <= 10; step++)
        for (int64_t n = 0; n <= LONGEST; n = next_length(n, sweep.full))
            for (size_t o = 0; o < (sweep.full ? 5 : 3); o++) {
                const int64_t rows = 1 + n % 3;
                const int64_t si = item * (step == 10 ? 16 : step == -10 ? -16 : step);
                const int64_t so = item * out_steps[o];
                const int64_t row = (n ? n : 1) * item * (o < 3 ? 3 : 16) + 5;
                const struct strided t = {.n = {n, rows},
                                          .so = {so, row},
                                          .si = {si, -row},
                                          .item = item,
                                          .fetch = (n + step) % 2,
                                          .gaps = out_steps[o] != 1 && n % 3};
                check_strided(kernel, t, step % 2 == 0);
                check_strided(kernel, t, step % 2 != 0);
            }
}

TEST(test_strided)
{
    static const int64_t any[] = {1,  2,  3,  5,  6,  7,  12,  15,  20, 24,
                                  31, 33, 48, 63, 64, 65, 100, 130, 0};
    for (struct sized_kernels at = {.kernels = NULL}; next_sized(&at, any);) {
        strided_kernel *kernel = at.kernels->strided[at.size];
        if (!at.lower || kernel != at.lower->strided[at.size]) sweep_strided(kernel, at.item);
    }
}

/* Rows long enough for whole cache lines, for a call of memcpy, and for streaming, at any
 * alignment. */
TEST(test_long_rows)
{
    static const int64_t sizes[] = {128, 129, 191, 200, 300, 1000, 1024, 1025, 1500, 4099};
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (int64_t gap = 0; gap < 70; gap += 3) {
                const int64_t item = sizes[k];
                /* up to more rows than are streamed side by side */
                const int64_t n = 3 + gap % 4 * 3;
                struct strided t = {.n = {n, 2}, .item = item};
                t.so[0] = item + gap;
                t.so[1] = n * t.so[0] + 1;
                t.si[0] = -item - 64 + gap;
                t.si[1] = 0;
                for (int stream = 0; stream < 2; stream++) {
                    t.stream = stream;
                    check_strided(kernels->strided[SIZE_ANY], t, gap % 2);
                }
            }
    }
}

/* Rows, and groups of rows, that follow each other in the output, so that they share cache
 * lines. */
TEST(test_joined_rows)
{
    static const int64_t sizes[] = {64, 65, 72, 100, 127, 128, 191, 200, 1000, 1500, 3100};
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int64_t gap = -70; gap < 70; gap += 7) {
                const int64_t item = sizes[s], n = gap < -60 ? 50 : 2 + (gap + 70) % 5;
                struct strided t = {.n = {n, 3}, .item = item, .stream = true};
                t.so[0] = item;
                t.so[1] = n * item + (gap % 2 ? 1 : 0);
                t.si[0] = gap == 0 ? 0 : gap > 60 ? item + 5000 : item + gap;
                if (gap < -60) t.si[0] = 3; /* rows overlap like windows */
                t.si[1] = -n * item;
                for (int k = 0; k < 2; k++) {
                    check_strided(kernels->strided[SIZE_ANY], t, gap % 3);
                    t.si[0] = -t.si[0];
                }
            }
}

/* ---- gather and interleave ------------------------------------------------------------------- */

TEST(test_gather)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (int64_t item = 1; item <= 8; item++)
            for (int64_t s = -40; s <= 40; s++)
                for (int64_t n = 0; s != 0 && n < 300;
                     n += n <= LONGEST ? (sweep.full ? 1 : 1 + n % 3) : 41) {
                    const int64_t row = n * item + n % 5;
                    struct strided t = {.n = {n, 2}, .so = {item, row}, .item = item};
                    t.si[0] = s;
                    t.si[1] = n * (s < 0 ? -s : s);
                    t.stream = n % 2;
                    check_strided(kernels->gather, t, n % 4 < 2);
                }
    }
}

TEST(test_scatter)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (int64_t item = 1; item <= LANE; item++)
            for (int64_t so = item + 1; so <= SPREAD; so += sweep.full ? 1 : 1 + so / 5)
                for (int64_t n = 0; n < 700; n += sweep.full && n < LONGEST ? 1 : 1 + n / 2) {
                    struct strided t = {.n = {n, 2}, .so = {so, n * so + n % 9}, .item = item};
                    t.si[0] = item;
                    t.si[1] = n % 2 ? n * item : -(n * item + 3);
                    t.gaps = n % 5 < 3;
                    check_strided(kernels->scatter, t, n % 4 < 2);
                    t.si[0] = 0;
                    t.si[1] = n % 3 ? item : 0;
                    check_strided(kernels->scatter, t, n % 4 < 2);
                }
    }
}

TEST(test_interleave)
{
    static const int64_t items[] = {1, 2, 4, 8};
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (size_t k = 0; k < 4; k++)
            for (int64_t planes = 2; planes <= PLANES; planes++)
                for (int64_t n = 0; n < 300; n += n < 131 ? 1 : 41) {
                    const int64_t item = items[k];
                    struct strided t = {
                        .n = {planes, n}, .so = {item, planes * item}, .item = item};
                    t.si[0] = (n + 3) * item * (n % 2 ? 1 : -1);
                    t.si[1] = item;
                    t.stream = n % 3;
                    check_strided(kernels->interleave, t, n % 4 < 2);
                }
    }
}

/* ---- streaming copies ------------------------------------------------------------------------ */

TEST(test_stream)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (int64_t n = 1; n < 1200; n += n < 200 ? 1 : 13)
            for (int64_t k = 0; k < 4; k++) {
                const struct region out = region(&out_guard, 0, n, k % 2);
                const struct region in = region(&in_guard, 0, n, k / 2);
                put_contents(out, in);
                memcpy(expected_at(out, 0), in.base, (size_t)n);
                kernels->stream(out.base, in.base, n);
                kernels->fence();
                compare(out, "stream", n, k, 0);
                put_contents(out, in);
                memcpy(expected_at(out, 0), in.base, (size_t)n);
                kernels->copy(out.base, in.base, n);
                compare(out, "copy", n, k, 0);
            }
    }
}

/* Copies larger than the first or the second level of caches. */
TEST(test_long_copies)
{
    static const int64_t lengths[] = {16 << 10, 512 << 10};
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (size_t s = 0; s < sizeof lengths / sizeof lengths[0]; s++)
            for (int64_t n = lengths[s] - 1; n < lengths[s] + 200; n += 9)
                for (int64_t k = 0; k < 4; k++) {
                    const struct region out = region(&out_guard, 0, n, k % 2);
                    const struct region in = region(&in_guard, 0, n, k / 2);
                    put_contents(out, in);
                    memcpy(expected_at(out, 0), in.base, (size_t)n);
                    kernels->copy(out.base, in.base, n);
                    compare(out, "copy", n, k, 0);
                    put_contents(out, in);
                    memcpy(expected_at(out, 0), in.base, (size_t)n);
                    kernels->copy_far(out.base, in.base, n);
                    compare(out, "copy_far", n, k, 0);
                }
}

int main(void)
{
    int failed = 0;
    do
        failed += run_listed(__FILE__, operands_set_up, operands_tear_down);
    while (sweep_again());
    return failed;
}
