/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense copies of every length class, in each way that some CPU copies. */
#include <stdlib.h>
#include <string.h>

#include "machine/cpu.h"
#include "move/dense.h"
#include "support/levels.h"
#include "support/test.h"

enum { MOST = 3 << 20, AROUND = 256 };

static unsigned char *in, *out;

/* Asserts that n bytes from `at` on are the input's, and no others have changed. */
static void assert_copied(int64_t at, int64_t from, int64_t n)
{
    assert_memory_equal(out + at, in + from, (size_t)n);
    for (int64_t i = 1; i <= AROUND; i++)
        if (out[at - i] != 0xee || out[at + n + i - 1] != 0xee)
            fail_msg("%lld bytes: one beside them was written", (long long)n);
    memset(out + at, 0xee, (size_t)n);
}

static void check(int64_t n)
{
    static const int64_t starts[][2] = {{0, 0}, {0, 5}, {7, 0}, {63, 33}, {64, 4}};
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
        const int64_t at = AROUND + starts[k][0], from = starts[k][1];
        stria__copy_bytes((char *)out + at, (char *)in + from, n);
        assert_copied(at, from, n);
        stria__copy_large((char *)out + at, (char *)in + from, n);
        assert_copied(at, from, n);
        stria__cpu_move_string(out + at, in + from, (size_t)n);
        assert_copied(at, from, n);
    }
}

static void check_lengths(void)
{
    const int64_t near = stria__machine()->copy_near;
    for (int64_t n = 1; n < 300; n += n < 130 ? 1 : 13)
        check(n);
    for (int64_t n = near - 2; n <= near + 2; n++)
        check(n);
    check(5 * near + 77);
    check(MOST);
}

TEST(test_lengths)
{
    for (int level = 0; next_level(&level);) {
        check_lengths();
        stria__machine_set_l2(2 << 20);
        check_lengths();
        stria__machine_set_l2(0);
    }
}

int main(void)
{
    in = malloc(MOST + 2 * AROUND);
    out = malloc(MOST + 3 * AROUND);
    if (!in || !out) return 1;
    for (int64_t i = 0; i < MOST + 2 * AROUND; i++)
        in[i] = (unsigned char)(i * 7 + i / 251);
    memset(out, 0xee, MOST + 3 * AROUND);
    const int failed = run_listed(__FILE__, NULL, NULL);
    free(in);
    free(out);
    return failed;
}
