/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays from memory on CPUs whose rows are prefetched, or read at two places by turns, and
 * combined in other pieces: the bytes of a CPU that needs neither.
 */
#include "machine/machine.h"
#include "stria/stria.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

enum { BYTES = 17 * MIB };

enum { OTHERS = 3 };

/* The numbers of a CPU that reads rows in order, and of others. */
static struct stria__machine plain, others[OTHERS];

static void find_numbers(void)
{
    plain = *stria__machine_shipped();
    plain.rows_ahead = plain.columns_ahead = plain.rows_apart = 0;
    plain.far_rows = plain.far = 16 * MIB;
    for (int i = 0; i < OTHERS; i++)
        others[i] = plain;
    others[0].rows_ahead = 8 * KIB;
    others[0].columns_ahead = KIB;
    others[1].rows_apart = 64 * KIB;
    others[2].rows_apart = 5 * KIB;
    others[2].rows_ahead = others[2].columns_ahead = 2 * KIB;
    others[2].far_rows = STREAM_NEVER; /* from the third level */
}

static stria_status reduce(stria_array *out, stria_reduction op, const stria_view *a, int dim,
                           const struct stria__machine *numbers)
{
    stria__machine_use(numbers);
    return stria_reduce_dims_new(out, op, a, dim == 2 ? STRIA_ALL_DIMS : 1, &dim, NULL, NULL);
}

static void compare(stria_reduction op, const stria_view *a, int dim)
{
    RELEASED stria_array wanted = {0};
    if (reduce(&wanted, op, a, dim, &plain) != STRIA_OK) return;
    for (int i = 0; i < OTHERS; i++) {
        RELEASED stria_array got = {0};
        ok(reduce(&got, op, a, dim, &others[i]));
        assert_memory_equal(got.view.data, wanted.view.data, (size_t)stria_nbytes(&wanted.view));
    }
}

TEST(test_same_bytes)
{
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_I16, STRIA_F32, STRIA_F64};
    uint64_t seed = 12;
    find_numbers();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const stria_dtype dtype = stria_dtype_of(kinds[k]);
        const int64_t columns = 3001, rows = BYTES / dtype.itemsize / columns + 1;
        RELEASED stria_array numbers = {0}, a = {0};
        ok(stria_empty(&numbers, stria_dtype_of(STRIA_I8), 2, (int64_t[]){rows, columns}));
        for (int64_t i = 0; i < rows * columns; i++)
            numbers.view.data[i] = (char)(random_bits(&seed) >> 57);
        ok(stria_astype(&a, &numbers.view, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL,
                        NULL));
        for (int op = 0; op < STRIA_PTP; op++)
            for (int dim = 0; dim <= 2; dim++) /* 2 stands for all dims */
                if ((op + dim + (int)k) % ONE_IN == 0) compare((stria_reduction)op, &a.view, dim);
    }
    stria__machine_use(NULL);
}

TEST_MAIN(NULL, NULL)
