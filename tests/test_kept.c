/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that the default allocator keeps: who gets it again, what bounds it, and that no block is
 * given twice, whatever threads and children do.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "stria/stria.h"
#include "support/child.h"
#include "support/counting_allocator.h"
#include "support/sanitizers.h"
#include "support/test.h"

enum { MIB = 1 << 20 };

static int keep_much(void **state)
{
    (void)state;
    return stria_set_keep_limit(0) || stria_set_keep_limit(256 * MIB);
}

static stria_allocator allocator_in_use(void)
{
    stria_allocator a;
    stria_get_allocator(&a);
    return a;
}

static char *take(size_t size)
{
    const stria_allocator a = allocator_in_use();
    char *const memory = a.alloc(size, STRIA_ALIGNMENT, a.context);
    assert_non_null(memory);
    return memory;
}

static void give(char *memory, size_t size)
{
    const stria_allocator a = allocator_in_use();
    a.free(memory, size, a.context);
}

TEST_WITH(a_block_comes_again_for_its_size, keep_much, NULL)
{
    static const size_t sizes[] = {65 << 10, 100000, MIB + 9, 4 * MIB + 9, 5 * MIB, 80000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *const first = take(sizes[i]);
        memset(first, 1, sizes[i]);
        give(first, sizes[i]);
        assert_true(stria_kept() >= (int64_t)sizes[i]);
        char *const second = take(sizes[i] - 1);
        assert_ptr_equal(second, first);
        memset(second, 2, sizes[i]);
        give(second, sizes[i] - 1);
        char *const larger = take(2 * sizes[i]);
        assert_ptr_not_equal(larger, first);
        give(larger, 2 * sizes[i]);
        ok(stria_set_keep_limit(0));
        assert_int_equal(stria_kept(), 0);
        ok(stria_set_keep_limit(256 * MIB));
    }
    char *const little = take(60000);
    give(little, 60000);
    assert_int_equal(stria_kept(), 0);
}

TEST_WITH(alignment_is_what_is_asked_for, keep_much, NULL)
{
    const stria_allocator a = allocator_in_use();
    char *block[8];
    for (int i = 0; i < 8; i++)
        block[i] = take(MIB);
    for (int i = 0; i < 8; i++)
        give(block[i], MIB);
    for (int i = 0; i < 8; i++) {
        block[i] = a.alloc(MIB, 2 * MIB, a.context);
        assert_int_equal((uintptr_t)block[i] % (2 * MIB), 0);
    }
    for (int i = 0; i < 8; i++)
        a.free(block[i], MIB, a.context);
}

TEST_WITH(the_limit_holds, keep_much, NULL)
{
    char *block[20];
    assert_int_equal(stria_set_keep_limit(-1), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_keep_limit(), 256 * MIB);
    ok(stria_set_keep_limit(10 * MIB));
    for (int i = 0; i < 20; i++)
        block[i] = take(MIB);
    for (int i = 0; i < 20; i++) {
        give(block[i], MIB);
        assert_true(stria_kept() <= 10 * MIB);
    }
    assert_int_equal(stria_kept(), 10 * MIB);
    give(take(11 * MIB), 11 * MIB); /* which is more than may be kept */
    assert_int_equal(stria_kept(), 10 * MIB);
    ok(stria_set_keep_limit(3 * MIB));
    assert_int_equal(stria_kept(), 3 * MIB);
    char *const oldest = take(MIB); /* of those that were not dropped */
    assert_ptr_equal(oldest, block[17]);
    give(oldest, MIB);
    ok(stria_set_keep_limit(256 * MIB));
    for (int i = 0; i < 20; i++)
        block[i] = take(MIB);
    for (int i = 0; i < 20; i++)
        give(block[i], MIB);
    assert_int_equal(stria_kept(), 16 * MIB);
}

TEST_WITH(a_block_goes_that_others_pass_over, keep_much, NULL)
{
    give(take(8 * MIB), 8 * MIB);
    for (int i = 0; i < 100; i++)
        give(take(MIB), MIB);
    assert_int_equal(stria_kept(), 9 * MIB);
    for (int i = 0; i < 100; i++)
        give(take(MIB), MIB);
    assert_int_equal(stria_kept(), MIB);
}

TEST_WITH(other_allocators_keep_nothing, keep_much, NULL)
{
    char *const own = take(MIB);
    counting_begin(0);
    for (int i = 0; i < 4; i++) {
        char *const memory = take(MIB);
        give(memory, MIB);
    }
    assert_int_equal(allocation_counts.calls, 4);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    assert_int_equal(stria_kept(), 0);
    give(own, MIB);
    assert_int_equal(stria_kept(), MIB);
}

/* ---- threads and children -------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 2000, HELD = 5 };

/* Holds blocks with marks of its own, which another owner of the same block would change. */
static void *take_and_give(void *arg)
{
    const uint32_t own = (uint32_t)(uintptr_t)arg << 24;
    uint32_t *held[HELD] = {NULL};
    size_t bytes[HELD] = {0};
    uintptr_t wrong = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uint32_t at = i % HELD;
        if (held[at]) {
            const size_t last = bytes[at] / sizeof **held - 1;
            wrong += held[at][0] != (own | at) || held[at][last] != (own | at);
            give((char *)held[at], bytes[at]);
        }
        bytes[at] = (size_t)(80 + i % 3 * 40) << 10;
        held[at] = (uint32_t *)(void *)take(bytes[at]);
        held[at][0] = held[at][bytes[at] / sizeof **held - 1] = own | at;
    }
    for (int k = 0; k < HELD; k++)
        give((char *)held[k], bytes[k]);
    return (void *)wrong;
}

TEST_WITH(threads_never_share_a_block, keep_much, NULL)
{
    pthread_t thread[THREADS];
    void *wrong;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, take_and_give, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], &wrong), 0);
        assert_null(wrong);
    }
}

static atomic_bool goes_on;

static void *take_and_give_on(void *arg)
{
    (void)arg;
    while (atomic_load(&goes_on))
        give(take(MIB), MIB);
    return NULL;
}

/* The limit is set while other threads are in the table, and holds when they have left it. */
TEST_WITH(a_limit_holds_for_those_who_are_inside, keep_much, NULL)
{
    enum { TRIES = 300, INSIDE = 3 };
    pthread_t thread[INSIDE];
    for (int i = 0; i < TRIES; i++) {
        ok(stria_set_keep_limit(256 * MIB));
        give(take(2 * MIB), 2 * MIB);
        atomic_store(&goes_on, true);
        for (int k = 0; k < INSIDE; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, take_and_give_on, NULL), 0);
        ok(stria_set_keep_limit(0));
        atomic_store(&goes_on, false);
        for (int k = 0; k < INSIDE; k++)
            assert_int_equal(pthread_join(thread[k], NULL), 0);
        assert_int_equal(stria_kept(), 0);
    }
}

static int use_blocks(const char *arg)
{
    (void)arg;
    return (int)(uintptr_t)take_and_give((void *)(uintptr_t)9);
}

/* Forks again and again while other threads are in the table. */
TEST_WITH(a_child_goes_on, keep_much, NULL)
{
    pthread_t thread[THREADS];
    if (BUILT_WITH_TSAN) skip(); /* It takes the parent's threads for ones that a child has left. */
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, take_and_give, (void *)(i + 1)), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(in_child(use_blocks, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(thread[i], &wrong), 0);
        assert_null(wrong);
    }
}

/* Has 120 of 128 MiB beyond what it uses now, keeps 100 of them, and wants 110 of another size. */
static int takes_what_is_kept(const char *arg)
{
    struct rlimit space;
    long pages = 0;
    char statm[64];
    FILE *const file = fopen("/proc/self/statm", "r");
    (void)arg;
    if (!file || !fgets(statm, sizeof statm, file) || sscanf(statm, "%ld", &pages) != 1) return 1;
    (void)fclose(file);
    give(take(100 * MIB), 100 * MIB);
    space.rlim_cur = space.rlim_max = (rlim_t)pages * 4096 + (rlim_t)128 * MIB;
    if (setrlimit(RLIMIT_AS, &space) != 0 || stria_kept() != 100 * MIB) return 2;
    const stria_allocator a = allocator_in_use();
    char *const memory = a.alloc(110 * MIB, STRIA_ALIGNMENT, a.context);
    if (!memory || stria_kept() != 0) return 3;
    a.free(memory, 110 * MIB, a.context);
    return 0;
}

TEST_WITH(what_is_kept_is_given_back_before_memory_is_refused, keep_much, NULL)
{
    bool has_limits = !BUILT_WITH_ASAN && !BUILT_WITH_MSAN && !BUILT_WITH_TSAN;
#if !defined __linux__ || defined STRIA_EMULATED
    has_limits = false;
#endif
    if (!has_limits) skip();
    assert_int_equal(in_child(takes_what_is_kept, NULL), 0);
}

TEST_MAIN(NULL, NULL)
