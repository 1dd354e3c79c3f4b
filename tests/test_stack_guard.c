/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads whose stack is too small: they fault at the guard page and never write beyond it. Frames
 * larger than a page could step over it, so the library is compiled to touch every page of a frame
 * in turn (-fstack-clash-protection). Each call runs in a child, on a stack that has one guard page
 * below it and memory with a known pattern below that.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "stria/stria.h"
#include "support/child.h"
#include "support/sanitizers.h"
#include "support/test.h"

enum { BELOW = 1 << 20 /* bytes that a frame could reach by stepping over the guard */ };
enum { INTACT, OVERWRITTEN, FAILED };

static const stria_exec alone = {.threads = 1};
static stria_array floats, doubles, out;

static stria_status hash(void)
{
    stria_view t;
    stria_hash128 h;
    const stria_status status = stria_reverse_dims(&t, &floats.view);
    return status ? status : stria_hash(&h, &t, NULL);
}

static stria_status hash_negated(void)
{
    stria_view negated;
    stria_hash128 h;
    const stria_status status = stria_neg_view(&negated, &floats.view);
    return status ? status : stria_hash(&h, &negated, NULL);
}

static stria_status copy(void)
{
    stria_view t;
    const stria_status status = stria_reverse_dims(&t, &floats.view);
    return status ? status : stria_copy(&out.view, &t, &alone);
}

static stria_status convert(void)
{
    stria_view t;
    const stria_status status = stria_reverse_dims(&t, &doubles.view);
    return status ? status : stria_copy(&out.view, &t, &alone);
}

static stria_status add(void)
{
    stria_view t;
    const stria_status status = stria_reverse_dims(&t, &doubles.view);
    return status ? status : stria_add(&out.view, &floats.view, &t, &alone);
}

static stria_status find(void)
{
    stria_array found = {0};
    const stria_status status = stria_nonzero_new(&found, &floats.view, NULL);
    if (status == STRIA_OK) stria_array_release(&found);
    return status;
}

static stria_status (*const calls[])(void) = {hash, hash_negated, copy, convert, add, find};

static void *run(void *data)
{
    stria_status (*const *const call)(void) = data;
    return (*call)() == STRIA_OK ? NULL : data;
}

/* arg: the number of the call, then the kilobytes of its stack. */
static int on_stack(const char *arg)
{
    char *rest;
    const struct rlimit no_dump = {0, 0};
    const size_t number = (size_t)strtol(arg, &rest, 10);
    const size_t size = (size_t)strtol(rest, NULL, 10) << 10;
    const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    pthread_attr_t attr;
    pthread_t thread;
    char *const memory = mmap(NULL, BELOW + guard + size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || setrlimit(RLIMIT_CORE, &no_dump) != 0) return FAILED;
    memset(memory, 0xA5, BELOW);
    if (mprotect(memory + BELOW, guard, PROT_NONE) != 0 || pthread_attr_init(&attr) != 0 ||
        pthread_attr_setstack(&attr, memory + BELOW + guard, size) != 0 ||
        pthread_create(&thread, &attr, run, (void *)(uintptr_t)&calls[number]) != 0 ||
        pthread_join(thread, NULL) != 0)
        return FAILED;
    for (size_t i = 0; i < BELOW; i++)
        if ((unsigned char)memory[i] != 0xA5) return OVERWRITTEN;
    return INTACT;
}

TEST(small_stacks_fault_at_the_guard)
{
#ifdef STRIA_EMULATED
    skip(); /* the emulator has its own stacks and page faults */
#endif
    /* sanitizers check stacks themselves */
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN) skip();
    const int64_t shape[] = {500, 500};
    ok(stria_zeros(&floats, stria_dtype_of(STRIA_F32), 2, shape));
    ok(stria_zeros(&doubles, stria_dtype_of(STRIA_F64), 2, shape));
    ok(stria_zeros(&out, stria_dtype_of(STRIA_F32), 2, shape));
    ok(stria_set_scratch_limit(0)); /* so that buffers are on the stack */
    const long least = sysconf(_SC_THREAD_STACK_MIN) >> 10;
    for (size_t number = 0; number < sizeof calls / sizeof calls[0]; number++)
        for (long size = least; size <= 128; size += 8) {
            char arg[32];
            (void)snprintf(arg, sizeof arg, "%zu %ld", number, size);
            const int answer = in_child(on_stack, arg);
            if (answer != INTACT && answer != -1) print_message("%s: %d\n", arg, answer);
            assert_true(answer == INTACT || answer == -1);
        }
    ok(stria_set_scratch_limit(STRIA_SCRATCH));
    stria_array_release(&floats);
    stria_array_release(&doubles);
    stria_array_release(&out);
}

TEST_MAIN(NULL, NULL)
