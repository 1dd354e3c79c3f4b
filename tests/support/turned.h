/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of random numbers whose dims lie in memory in any order and direction. */
#pragma once

#include "items.h"
#include "random.h"
#include "stria/stria.h"
#include "support/cmocka.h"

enum { TURNED_DIMS = 3 };

/* Makes an array of that shape, sometimes in the other byte order. */
static inline void make_turned(stria_array *made, uint64_t *seed, stria_dtype dtype,
                               const int64_t *shape)
{
    int64_t turned[TURNED_DIMS];
    int order[TURNED_DIMS] = {0, 1, 2}, back[TURNED_DIMS];
    if (random_once(seed, 6)) dtype = stria_dtype_swap(dtype);
    for (int d = TURNED_DIMS - 1; d > 0; d--) {
        const int j = (int)random_between(seed, 0, d), k = order[d];
        order[d] = order[j];
        order[j] = k;
    }
    for (int d = 0; d < TURNED_DIMS; d++) {
        back[order[d]] = d;
        turned[d] = shape[order[d]];
    }
    assert_int_equal(stria_empty(made, dtype, TURNED_DIMS, turned), STRIA_OK);
    fill_numbers(seed, &made->view);
    assert_int_equal(stria_permute(&made->view, &made->view, TURNED_DIMS, back), STRIA_OK);
    for (int d = 0; d < TURNED_DIMS; d++)
        if (random_once(seed, 5))
            assert_int_equal(stria_flip(&made->view, &made->view, 1, &d), STRIA_OK);
}
