/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scratch memory of threads: allocated once, given back when the thread ends, bounded by the
 * setting; without scratch memory results are the same. The reference is index arithmetic.
 */
#include <pthread.h>
#include <string.h>

#include "plan/arena.h"
#include "stria/copy.h"
#include "support/counting_allocator.h"
#include "support/test.h"

enum { N = 300 };

static double from[N][N];
static int16_t to[N][N];

/* Runs a transposed conversion, which needs scratch memory. */
static void *convert(void *arg)
{
    const int64_t shape[2] = {N, N}, strides[2] = {8, 8 * N};
    stria_view dst, src;
    bool *const right = arg;
    *right = stria_view_foreign(&dst, to, stria_dtype_of(STRIA_I16), 2, shape, NULL, 0) == 0 &&
             stria_view_foreign(&src, from, stria_dtype_of(STRIA_F64), 2, shape, strides, 0) == 0 &&
             stria_copy(&dst, &src, &(stria_exec){.threads = 1}) == 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            *right = *right && to[i][j] == (int16_t)from[j][i];
    return NULL;
}

static bool convert_in_thread(void)
{
    pthread_t thread;
    bool right = false;
    memset(to, 0x55, sizeof to);
    assert_int_equal(pthread_create(&thread, NULL, convert, &right), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return right;
}

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            from[i][j] = (i * 131 + j) % 1000;
    return 0;
}

TEST(test_given_back)
{
    counting_begin(0);
    assert_true(convert_in_thread());
    assert_int_equal(allocation_counts.calls, 1);
    assert_true(allocation_counts.bytes <= STRIA_SCRATCH);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
}

TEST(test_refused)
{
    counting_begin(1);
    assert_true(convert_in_thread());
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
}

/* Threads that only ask whether there is something allocate nothing. */
static void *look(void *unused)
{
    (void)unused;
    stria__arena_refresh();
    assert_null(stria__arena_borrow(false));
    return NULL;
}

TEST(test_looked_for)
{
    pthread_t thread;
    counting_begin(0);
    assert_int_equal(pthread_create(&thread, NULL, look, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
}

/* The destructor of a host comes after that of the arena, and calls the library. */
static pthread_key_t later;
static bool taken_later;

static void take_later(void *unused)
{
    char *const memory = stria__arena_take(100);
    (void)unused;
    taken_later = memory != NULL;
    if (!memory) return;
    memset(memory, 0x55, 100);
    stria__arena_give(memory);
}

static void *take_and_end(void *arg)
{
    assert_int_equal(pthread_setspecific(later, arg), 0);
    take_later(NULL);
    return NULL;
}

TEST(test_later_destructor)
{
    pthread_t thread;
    take_later(NULL); /* The arena's key is the first, whose destructor runs first. */
    assert_int_equal(pthread_key_create(&later, take_later), 0);
    counting_begin(0);
    assert_int_equal(pthread_create(&thread, NULL, take_and_end, &later), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(taken_later);
    assert_int_equal(allocation_counts.calls, 2);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    assert_int_equal(pthread_key_delete(later), 0);
}

TEST(test_limit)
{
    assert_int_equal(stria_scratch_limit(), STRIA_SCRATCH);
    assert_int_equal(stria_set_scratch_limit(-1), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_set_scratch_limit(STRIA_SCRATCH + 1), STRIA_ERR_ARGUMENT);
    for (int64_t limit = 0; limit <= 256 << 10; limit += 16 << 10) {
        ok(stria_set_scratch_limit(limit));
        counting_begin(0);
        assert_true(convert_in_thread());
        assert_true(allocation_counts.bytes <= limit);
        assert_int_equal(allocation_counts.live, 0);
        counting_end();
    }
    ok(stria_set_scratch_limit(STRIA_SCRATCH));
}

TEST(test_stack_order)
{
    stria__arena_refresh();
    const int64_t room = stria__arena_room();
    assert_true(room > STRIA_SCRATCH / 2);
    char *const a = stria__arena_take(100), *const b = stria__arena_take(1);
    assert_true(a && b && b >= a + 100);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_int_equal((uintptr_t)b % 64, 0);
    assert_null(stria__arena_take(room));
    stria__arena_give(a);
    assert_int_equal(stria__arena_room(), room);
    char *const all = stria__arena_take(room);
    assert_ptr_equal(all, a);
    assert_null(stria__arena_take(1));
    stria__arena_give(all);
}

/* A borrowed block stays when the limit changes, and is lent to one borrower at a time: a handler
 * may ask, too. */
TEST(test_borrowed)
{
    struct arena_kept *const kept = stria__arena_borrow(true);
    assert_non_null(kept);
    ok(stria_set_scratch_limit(STRIA_SCRATCH / 2));
    stria__arena_refresh();
    assert_null(stria__arena_borrow(true));
    memset(kept + 1, 0x55, ARENA_KEPT - sizeof *kept);
    stria__arena_return(kept);
    assert_null(stria__arena_borrow(false));
    ok(stria_set_scratch_limit(STRIA_SCRATCH));
}

TEST_MAIN(set_up, NULL)
