/* SPDX-License-Identifier: BSD-3-Clause */
/* The least stack that a thread may ask for: more than 128 KiB on some systems. */
#ifndef STRIA_TESTS_LEAST_STACK_H
#define STRIA_TESTS_LEAST_STACK_H

#include <stddef.h>
#include <unistd.h>

static inline size_t least_stack(void)
{
#ifdef _SC_THREAD_STACK_MIN
    return (size_t)sysconf(_SC_THREAD_STACK_MIN);
#else
    return 0;
#endif
}

#endif
