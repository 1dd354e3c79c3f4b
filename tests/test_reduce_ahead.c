/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large arrays on a CPU whose own prefetching is too short, where rows are prefetched and combined
 * in other pieces: the results have the same bytes as on a CPU that needs no prefetches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "machine/machine.h"
#include "stria/stria.h"
#include "support/random.h"
#include "support/slow.h"

enum { BYTES = 17 * MIB };

static void ok(stria_status status)
{
    if (status != STRIA_OK) fail_msg("%s", stria_last_error());
}

/* Reduces as a CPU with such a second-level cache would. */
static stria_status reduce(stria_array *out, stria_reduction op, const stria_view *a, int dim,
                           int64_t l2)
{
    stria__machine_set_l2(l2);
    return stria_reduce_dims_new(out, op, a, dim == 2 ? STRIA_ALL_DIMS : 1, &dim, NULL, NULL);
}

static void compare(stria_reduction op, const stria_view *a, int dim)
{
    stria_array wanted = {0}, got = {0};
    if (reduce(&wanted, op, a, dim, MIB) != STRIA_OK) return;
    ok(reduce(&got, op, a, dim, MIB + 4096));
    assert_memory_equal(got.view.data, wanted.view.data, (size_t)stria_nbytes(&wanted.view));
    stria_array_release(&wanted);
    stria_array_release(&got);
}

static void test_same_bytes(void **state)
{
    (void)state;
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_I16, STRIA_F32};
    uint64_t seed = 12;
    stria__machine_set_l2(MIB);
    assert_true(stria__machine()->rows_ahead == 0);
    stria__machine_set_l2(MIB + 4096);
    assert_true(stria__machine()->rows_ahead > 0 && stria__machine()->far_rows < BYTES);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const stria_dtype dtype = stria_dtype_of(kinds[k]);
        const int64_t columns = 3001, rows = BYTES / dtype.itemsize / columns + 1;
        stria_array numbers = {0}, a = {0};
        ok(stria_empty(&numbers, stria_dtype_of(STRIA_I8), 2, (int64_t[]){rows, columns}));
        for (int64_t i = 0; i < rows * columns; i++)
            numbers.view.data[i] = (char)(random_bits(&seed) >> 57);
        ok(stria_astype(&a, &numbers.view, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL,
                        NULL));
        for (int op = 0; op < STRIA_PTP; op++)
            for (int dim = 0; dim <= 2; dim++) /* 2 stands for all dims */
                if ((op + dim + (int)k) % ONE_IN == 0) compare((stria_reduction)op, &a.view, dim);
        stria_array_release(&a);
        stria_array_release(&numbers);
    }
    stria__machine_set_l2(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
