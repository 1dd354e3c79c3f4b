/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that move by masks, of every level. See support/operands.h. */
#include <string.h>

#include "machine/families.h"
#include "simd/map.h"
#include "support/operands.h"
#include "support/random.h"
#include "support/test.h"

static const int64_t items[] = {1, 2, 4, 8, 16};
enum { ITEMS = sizeof items / sizeof items[0] };

static struct guard mask_guard;

/* Makes n bytes before an inaccessible page, about `often` in 8 of which are not 0. */
static char *make_mask(int64_t n, int often)
{
    static uint64_t seed = 5;
    char *const mask = region(&mask_guard, 0, n, true).base;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = random_bits(&seed);
        mask[i] = (int)(bits % 8) < often ? (char)(1 + (bits >> 8) % 255) : 0;
    }
    return mask;
}

TEST(test_count)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int64_t n = 0; n < 40000; n = n < 200 ? n + 1 : 2 * n + 5)
            for (int often = 0; often <= 8; often += 4) {
                const char *const mask = make_mask(n, often);
                int64_t count = 0;
                for (int64_t i = 0; i < n; i++)
                    count += mask[i] != 0;
                assert_int_equal(kernels->count(mask, n), count);
            }
}

/* Checks that places are found, in exactly as much room as they take. */
static void check_find(const struct stria_kernels *kernels, int64_t n, int often)
{
    enum { FIRST = 1000, NUMBER = sizeof(int64_t) };
    const char *const mask = make_mask(n, often);
    int64_t held = 0;
    for (int64_t i = 0; i < n; i++)
        held += mask[i] != 0;
    const struct region out = region(&out_guard, 0, held * NUMBER, true);
    put_contents(out, region(&in_guard, 0, 0, true));
    for (int64_t i = 0, at = 0; i < n; i++)
        if (mask[i]) memcpy(expected_at(out, at++ * NUMBER), &(int64_t){FIRST + i}, (size_t)NUMBER);
    int64_t *const first = (int64_t *)(void *)out.base, *const end = first + held;
    assert_ptr_equal(kernels->find(first, end, mask, n, FIRST), end);
    compare(out, "find", NUMBER, n, held);
}

TEST(test_find)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int64_t n = 1; n < 2000; n += n < 400 ? 1 : 97)
            for (int often = 0; often <= 8; often++)
                check_find(kernels, n, often);
}

static void check_flat(const struct stria_kernels *kernels, int k, int64_t n, int often)
{
    const int64_t item = items[k];
    const char *const mask = make_mask(n, often);
    int64_t held = 0;
    for (int64_t i = 0; i < n; i++)
        held += mask[i] != 0;
    struct region out = region(&out_guard, 0, held * item, true);
    struct region in = region(&in_guard, 0, n * item, true);
    put_contents(out, in);
    for (int64_t i = 0, at = 0; i < n; i++)
        if (mask[i]) memcpy(expected_at(out, at++ * item), in.base + i * item, (size_t)item);
    char *const end = out.base + held * item;
    assert_ptr_equal(kernels->compress[k](out.base, end, in.base, mask, n), end);
    compare(out, "compress", item, n, held);

    for (int64_t so = item; so <= 3 * item; so += 2 * item) {
        out = region(&out_guard, 0, (n - 1) * so + item, true);
        in = region(&in_guard, 0, held * item, true);
        put_contents(out, in);
        for (int64_t i = 0, at = 0; i < n; i++)
            if (mask[i]) memcpy(expected_at(out, i * so), in.base + at++ * item, (size_t)item);
        const char *const last = in.base + held * item;
        assert_ptr_equal(kernels->expand[k](out.base, so, in.base, last, mask, n), last);
        compare(out, "expand", item, n, held);
    }
}

TEST(test_masked)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int k = 0; k < ITEMS; k++)
            for (int64_t n = 1; n < 600; n += n < 140 ? 1 : 37)
                for (int often = 0; often <= 8; often++)
                    check_flat(kernels, k, n, often);
}

/* Checks the kernel, which is where(mask, in, kept), with kept apart and as the output itself. */
static void check_choose(const struct stria_kernels *kernels, int k, int64_t n, int often,
                         bool keeps)
{
    const int64_t item = items[k];
    char *const mask = make_mask(n, often);
    struct region out = region(&out_guard, 0, n * item, true);
    const struct region in = region(&in_guard, 0, n * item, true);
    put_contents(out, in);
    char *const other =
        keeps ? NULL : memcpy(test_malloc((size_t)(n * item)), out.base, (size_t)(n * item));
    for (int64_t i = 0; i < n; i++)
        if (mask[i]) memcpy(expected_at(out, i * item), in.base + i * item, (size_t)item);
    const stria_dim d[2] = {{n, {item, 1, item, item}}, {1, {0}}};
    stria__ops_of(kernels)->choose_or_keep[k](
        (char *[]){out.base, mask, in.base, keeps ? out.base : other}, d);
    compare(out, "choose_or_keep", item, n, keeps);
    test_free(other);
}

TEST(test_choose)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int k = 0; k < ITEMS; k++)
            for (int64_t n = 1; stria__ops_of(kernels)->choose_or_keep[k] && n < 600;
                 n += n < 140 ? 1 : 37)
                for (int often = 0; often <= 8; often += 2) {
                    check_choose(kernels, k, n, often, true);
                    check_choose(kernels, k, n, often, false);
                }
}

static int set_up(void **state)
{
    mask_guard = guard_new(ROOM);
    return operands_set_up(state);
}

static int tear_down(void **state)
{
    guard_free(&mask_guard);
    return operands_tear_down(state);
}

int main(void)
{
    int failed = 0;
    do
        failed += run_listed(__FILE__, set_up, tear_down);
    while (sweep_again());
    return failed;
}
