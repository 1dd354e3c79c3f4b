/* SPDX-License-Identifier: BSD-3-Clause */
#include "failed.h"

#include <stdatomic.h>

static atomic_int failed = 1;

void failed_is(int status)
{
    atomic_store(&failed, status);
}

int failed_status(void)
{
    return atomic_load(&failed);
}
