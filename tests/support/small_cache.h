/* SPDX-License-Identifier: BSD-3-Clause */
/* Setup and teardown: with a cache this small everything is large enough to be streamed. */
#pragma once

#include "machine/machine.h"

static inline int small_cache(void **state)
{
    (void)state;
    stria__machine_set_l2(1);
    return 0;
}

static inline int real_cache(void **state)
{
    (void)state;
    stria__machine_set_l2(0);
    return 0;
}
