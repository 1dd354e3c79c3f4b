/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* Declares pthread_getattr_np. */
#define _DARWIN_C_SOURCE
#include "stack.h"

#include <pthread.h>
#include <stddef.h>

#include "stria/threads.h"

/* Bytes that callers may have used of STRIA_STACK, where the system does not tell the bounds of the
 * stack. */
enum { BEFORE = 8 << 10 };

static _Thread_local struct stack {
    uintptr_t lowest, size;
} stack;

static bool is_within(const struct stack *s, uintptr_t at)
{
    return at - s->lowest < s->size;
}

static void find_stack(void)
{
#ifdef __linux__
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0)
        stack = (struct stack){(uintptr_t)lowest, size};
    (void)pthread_attr_destroy(&attributes);
#elif defined(__APPLE__)
    const uintptr_t size = pthread_get_stacksize_np(pthread_self());
    stack = (struct stack){(uintptr_t)pthread_get_stackaddr_np(pthread_self()) - size, size};
#endif
}

/* Returns the lowest address; a stack that the program made itself, as for coroutines, is taken to
 * have STRIA_STACK bytes. */
uintptr_t stria__stack_least(int below)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!stack.size) find_stack();
    return is_within(&stack, here) ? stack.lowest + (uintptr_t)below
                                   : here - (uintptr_t)(STRIA_STACK - BEFORE - below);
}

stria_status stria__fail_deep(struct failure *failure, size_t at)
{
    const bool known = is_within(&stack, (uintptr_t)__builtin_frame_address(0));
    return stria__fail_at(failure, STRIA_ERR_FORMAT, at,
                          "brackets, signs and right operands are nested deeper than the stack of "
                          "this thread, %zu bytes, has room for",
                          known ? (size_t)stack.size : (size_t)STRIA_STACK);
}
