/* SPDX-License-Identifier: BSD-3-Clause */
/* What is fetched ahead of a conversion: the rows of a box hold every item of its input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ops/convert/fetch.h"
#include "support/random.h"

enum { ROUNDS = 500, ITEM = 4, ITEMS = 6 * 6 * 6 };

static char memory[1 << 20];

/* Distances among which some make dense rows, overlapping ones, and rows far apart. */
static int64_t random_stride(uint64_t *seed)
{
    static const int64_t strides[] = {4, -4, 8, 24, -24, 60, 200, 4096, -4096, 10000};
    return strides[random_bits(seed) % (sizeof strides / sizeof strides[0])];
}

/* Marks every item of the box at `base`. */
static void mark(unsigned char *marks, const struct boxes *all, const char *base)
{
    int64_t index[3];
    const stria_dim *d = all->plan.dims;
    for (index[0] = 0; index[0] < all->size[0]; index[0]++)
        for (index[1] = 0; index[1] < all->size[1]; index[1]++)
            for (index[2] = 0; index[2] < all->size[2]; index[2]++)
                memset(marks + (base - memory) + index[0] * d[0].s[SRC] + index[1] * d[1].s[SRC] +
                           index[2] * d[2].s[SRC],
                       1, ITEM);
}

static void test_rows_hold_items(void **state)
{
    (void)state;
    static unsigned char marks[sizeof memory];
    uint64_t seed = 3;
    for (int round = 0; round < ROUNDS; round++) {
        struct boxes all = {.plan = {.ndim = 3, .nops = 2}, .moving = 3, .in_item = ITEM};
        struct fetch second, f;
        char *const base = memory + sizeof memory / 2;
        for (int d = 0; d < 3; d++) {
            all.size[d] = 1 + (int64_t)(random_bits(&seed) % 6);
            all.by_input[d] = d;
            all.plan.dims[d].s[SRC] = random_stride(&seed);
        }
        memset(marks, 0, sizeof marks);
        mark(marks, &all, base);
        stria__fetch_start(&f, &all, base, all.size);
        stria__fetch_start(&second, &all, base, all.size);
        f.then = &second;
        const int64_t rows = f.left;
        assert_in_range(rows, 1, ITEMS);
        for (int64_t i = 0; i < rows; i++) {
            memset(marks + (f.at - memory), 0, (size_t)f.row);
            stria__fetch(&f, f.row);
            assert_int_equal(f.left, rows - i - 1);
        }
        assert_null(memchr(marks, 1, sizeof marks));
        stria__fetch(&f, 1);
        assert_int_equal(second.left, rows - 1);
        stria__fetch(&f, INT64_MAX / 2);
        assert_int_equal(second.left, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_hold_items)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
