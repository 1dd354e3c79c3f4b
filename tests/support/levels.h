/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels of the instruction set that this machine has, one after the other. */
#pragma once

#include <stdbool.h>

#include "machine/dispatch.h"
#include "support/cmocka.h"

/* Has all calls use the next level after *level; returns false when none is left, and the best is
 * used again. */
static inline bool next_level(int *level)
{
    while (*level < stria__kernels_count()) {
        const struct stria_kernels *const kernels = stria__kernels_at((*level)++);
        if (!kernels) continue;
        assert_true(stria__set_isa(kernels->isa));
        return true;
    }
    assert_true(stria__set_isa(NULL));
    return false;
}
