/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "support/stack_depth.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "support/cmocka.h"

enum { PATTERN = 0xA5, STACK = 512 << 10 };

static char *stack;

void *on_painted_stack(void *(*work)(void *data), void *data)
{
    pthread_attr_t attr;
    pthread_t thread;
    void *result = NULL;
    stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(stack, MAP_FAILED);
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstack(&attr, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attr, work, data), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_int_equal(pthread_attr_destroy(&attr), 0);
    assert_int_equal(munmap(stack, STACK), 0);
    return result;
}

__attribute__((noinline)) void stack_paint(void)
{
    enum { OWN = 1024 };
    volatile char here = 0;
    (void)here;
    memset(stack, PATTERN, (size_t)((uintptr_t)&here - (uintptr_t)stack - OWN));
}

__attribute__((noinline)) ptrdiff_t stack_depth(const char *from)
{
    enum { STEP = 256 };
    char pattern[STEP];
    memset(pattern, PATTERN, STEP);
    const char *lowest = stack;
    while (memcmp(lowest, pattern, STEP) == 0)
        lowest += STEP;
    while (*lowest == (char)PATTERN)
        lowest++;
    return (ptrdiff_t)((uintptr_t)from - (uintptr_t)lowest);
}
