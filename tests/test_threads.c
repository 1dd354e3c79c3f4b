/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Division of work: every task runs once, nothing is divided inside a parallel region or a task,
 * the host's OpenMP settings stay, and a forked child can go on.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "machine/machine.h"
#include "support/least_stack.h"
#include "support/child.h"
#include "support/pool.h"
#include "support/sanitizers.h"
#include "stria/stria.h"
#include "plan/threads.h"
#include "support/test.h"

/*
 * qemu-user forks with its own locks as they are: when another thread holds one at that moment, the
 * child waits for it for ever, deaf to alarms. So nothing here forks under it.
 */
#ifdef STRIA_EMULATED
enum { EMULATED = 1 };
#else
enum { EMULATED = 0 };
#endif

/* libomp keeps memory of threads that ended. LeakSanitizer calls this; otherwise it is unused. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libomp.so";
}

enum { LARGE = 1 << 30 };

enum { TASKS = 100 };

struct board {
    pthread_t by[TASKS];
    int times[TASKS];
};

static void note(void *data, int64_t i)
{
    struct board *board = data;
    board->by[i] = pthread_self();
    board->times[i]++;
}

static void check_board(const struct board *board, int64_t count, int64_t threads)
{
    int64_t changes = 0;
    for (int64_t i = 0; i < TASKS; i++)
        assert_int_equal(board->times[i], i < count);
    for (int64_t i = 1; i < count; i++)
        changes += !pthread_equal(board->by[i], board->by[i - 1]);
    assert_true(changes < (threads > 1 ? threads : 1)); /* neighbouring tasks run in one thread */
}

TEST(every_task_once)
{
    for (int threads = 0; threads <= 7; threads++)
        for (int64_t count = 0; count <= TASKS; count += count < 9 ? 1 : 13) {
            struct board pool = {.times = {0}}, back = pool, openmp = pool;
            stria__parallel(&(stria_exec){.run = pool_run}, threads, count, note, &pool);
            stria__parallel(&(stria_exec){.run = pool_run_backwards}, threads, count, note, &back);
            stria__parallel(NULL, threads, count, note, &openmp);
            check_board(&pool, count, threads);
            check_board(&back, count, threads);
            check_board(&openmp, count, threads);
        }
}

static void inner(void *data, int64_t i)
{
    struct board *board = data;
    const pthread_t self = pthread_self();
    struct board own = {.times = {0}};
    struct pool pool = {.calls = 0};
    const stria_exec exec = {.threads = 4, .run = pool_run, .context = &pool};
    board->times[i] += stria__threads_for(&exec, LARGE, 0) == 1;
    board->times[i] += stria__threads_for(NULL, LARGE, 0) == 1;
    stria__parallel(&exec, 4, 10, note, &own);
    for (int k = 0; k < 10; k++)
        board->times[i] += own.times[k] == 1 && pthread_equal(own.by[k], self);
    board->times[i] += pool.calls == 0;
}

TEST(nothing_nests)
{
    static const stria_exec pool = {.threads = 4, .run = pool_run};
    static const stria_exec *const execs[] = {&pool, NULL};
    for (int kind = 0; kind < 2; kind++) {
        struct board board = {.times = {0}};
        stria__parallel(execs[kind], 4, 4, inner, &board);
#ifndef _OPENMP
        if (kind == 1) continue; /* a serial build runs this outside a parallel region */
#endif
        for (int i = 0; i < 4; i++)
            assert_int_equal(board.times[i], 13);
    }
    /* outside the region threads are used again */
    assert_int_equal(stria__threads_for(&pool, LARGE, 0), 4);
}

#ifdef _OPENMP
TEST(the_host_region_is_respected)
{
    struct board board = {.times = {0}};
#pragma omp parallel num_threads(2)
    {
        inner(&board, omp_get_thread_num());
    }
    assert_int_equal(board.times[0], 13);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = 2, .run = pool_run}, LARGE, 0), 2);
}

static int max_threads(const char *unused)
{
    (void)unused;
    return omp_get_max_threads();
}

TEST(the_host_settings_stay)
{
    const int threads = omp_get_max_threads(), dynamic = omp_get_dynamic(),
              levels = omp_get_max_active_levels();
    struct board board = {.times = {0}};
    stria__parallel(NULL, threads + 1, TASKS, note, &board);
    if (!EMULATED) /* a fork pauses OpenMP's runtime */
        assert_int_equal(in_child(max_threads, NULL), threads);
    assert_int_equal(omp_get_max_threads(), threads);
    assert_int_equal(omp_get_dynamic(), dynamic);
    assert_int_equal(omp_get_max_active_levels(), levels);
    omp_set_num_threads(1);
    assert_int_equal(stria__threads_for(NULL, LARGE, 0), 1);
    omp_set_num_threads(threads);
}
#endif

static void *many_regions(void *data)
{
    int *wrong = data;
    for (int round = 0; round < 50; round++) {
        struct board board = {.times = {0}};
        stria__parallel(NULL, 3, TASKS, note, &board);
        for (int i = 0; i < TASKS; i++)
            *wrong += board.times[i] != 1;
    }
    return NULL;
}

TEST(callers_do_not_meet)
{
    pthread_t caller[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&caller[i], NULL, many_regions, &wrong[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(caller[i], NULL), 0);
        assert_int_equal(wrong[i], 0);
    }
}

/* ---- fork -------------------------------------------------------------------------------- */

/* Runs a region, then the same in a child of this child, as often as arg has letters. */
static int regions_in_children(const char *arg)
{
    struct board board = {.times = {0}};
    stria__parallel(NULL, 2, TASKS, note, &board);
    for (int i = 0; i < TASKS; i++)
        if (board.times[i] != 1) return -2;
    return *arg ? in_child(regions_in_children, arg + 1) : 42;
}

TEST(a_forked_child_goes_on)
{
    if (BUILT_WITH_TSAN || EMULATED) skip(); /* TSan kills a child that starts threads */
    for (int round = 0; round < 3; round++) {
        struct board board = {.times = {0}};
        stria__parallel(NULL, 2, TASKS, note, &board); /* threads exist when it forks */
        assert_int_equal(in_child(regions_in_children, "cc"), 42);
        stria__parallel(NULL, 2, TASKS, note, &board);
        for (int i = 0; i < TASKS; i++)
            assert_int_equal(board.times[i], 2);
    }
}

static void *fork_from_here(void *data)
{
    int *got = data;
    struct board board = {.times = {0}};
    stria__parallel(NULL, 2, TASKS, note, &board);
    *got = in_child(regions_in_children, "c");
    return NULL;
}

TEST(a_thread_may_fork)
{
    if (BUILT_WITH_TSAN || EMULATED) skip();
    pthread_t thread;
    int got = 0;
    assert_int_equal(pthread_create(&thread, NULL, fork_from_here, &got), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(got, 42);
}

/* ASan's own allocator of gcc 12 stays locked in a child where another thread was using it. */
TEST(forks_beside_busy_threads)
{
    if (BUILT_WITH_TSAN || BUILT_WITH_ASAN || EMULATED) skip();
    pthread_t busy;
    int wrong = 0;
    assert_int_equal(pthread_create(&busy, NULL, many_regions, &wrong), 0);
    for (int round = 0; round < 10; round++)
        assert_int_equal(in_child(regions_in_children, ""), 42);
    assert_int_equal(pthread_join(busy, NULL), 0);
    assert_int_equal(wrong, 0);
}

/* Uses two buffers at once: the stage, and that of the negating copy into it. */
static bool hash_negative(const stria_view *a)
{
    stria_view negative;
    stria_hash128 hash;
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN) return true; /* every frame is larger */
    return stria_neg_view(&negative, a) == STRIA_OK &&
           stria_hash(&hash, &negative, NULL) == STRIA_OK;
}

/* Short steps along different dims with items of 1 and 2 bytes, which copies take in several
 * stages. */
static bool hash_steps(void)
{
    enum { ROWS = 600, COLUMNS = 3000, STEP = 8 };
    static const stria_kind kinds[] = {STRIA_I8, STRIA_I16};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        const int64_t shape[] = {COLUMNS, STEP * ROWS};
        RELEASED stria_array a = {0};
        stria_view t;
        stria_hash128 hash;
        good = stria_zeros(&a, stria_dtype_of(kinds[i]), 2, shape) == STRIA_OK &&
               stria_transpose(&t, &a.view, 0, 1) == STRIA_OK;
        t.shape[0] = ROWS;
        t.strides[0] *= STEP;
        good = good && stria_hash(&hash, &t, NULL) == STRIA_OK && hash_negative(&t);
    }
    return good;
}

/* Makes the calls with the largest buffers: transposed, to another dtype, staged, hashed, moved in
 * place. */
static bool use_buffers(stria_array *from, stria_array *to)
{
    enum { ROWS = 1021, COLUMNS = 1537 };
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F16, STRIA_F64};
    const int64_t shape[] = {ROWS, COLUMNS}, turned[] = {COLUMNS, ROWS};
    stria_view t;
    stria_hash128 hash;
    bool good = stria_zeros(from, stria_dtype_of(STRIA_F32), 2, shape) == STRIA_OK &&
                stria_transpose(&t, &from->view, 0, 1) == STRIA_OK;
    for (int i = 0; i < 3 && good; i++)
        good = stria_zeros(&to[i], stria_dtype_of(kinds[i]), 2, turned) == STRIA_OK &&
               stria_copy(&to[i].view, &t, NULL) == STRIA_OK;
    good = good && stria_hash(&hash, &t, NULL) == STRIA_OK && hash_negative(&t);
    t.shape[0] /= 2; /* every second column */
    t.strides[0] *= 2;
    good = good && stria_hash(&hash, &t, NULL) == STRIA_OK && hash_negative(&t);
    for (int i = 0; i < 3 && good; i++) {
        stria_view half = to[i].view;
        half.shape[0] /= 2;
        good = stria_copy(&half, &t, NULL) == STRIA_OK;
    }
    return good && stria_transpose_in_place(&from->view, &from->view, 0, 1, NULL) == STRIA_OK;
}

/* Boxes that are scattered by a streaming transposition. */
static bool use_them_at_once(void)
{
    /* every frame is larger under sanitizers */
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN) return true;
    static const stria_exec alone = {.threads = 1};
    const int64_t shape[] = {9, 100000}, turned[] = {100000, 9};
    stria_array from = {0}, to = {0};
    stria_dtype swapped = stria_dtype_of(STRIA_F16);
    stria_view t;
    swapped.swapped = true;
    const bool good = stria_zeros(&from, stria_dtype_of(STRIA_I64), 2, shape) == STRIA_OK &&
                      stria_zeros(&to, swapped, 2, turned) == STRIA_OK &&
                      stria_transpose(&t, &from.view, 0, 1) == STRIA_OK &&
                      stria_copy(&to.view, &t, &alone) == STRIA_OK;
    stria_array_release(&from);
    stria_array_release(&to);
    return good;
}

static void *on_small_stack(void *data)
{
    stria_array from = {0}, to[3] = {0};
    memset(to, 0, sizeof to);
    *(bool *)data = use_buffers(&from, to) && use_them_at_once() && hash_steps();
    stria_array_release(&from);
    for (int i = 0; i < 3; i++)
        stria_array_release(&to[i]);
    return NULL;
}

TEST(the_stack_that_is_told_suffices)
{
    pthread_t thread;
    pthread_attr_t attr;
    bool good = false;
    assert_int_equal(pthread_attr_init(&attr), 0);
    /* AddressSanitizer puts unused memory around every buffer. */
    const size_t wanted = (BUILT_WITH_ASAN ? 8 : 1) * (size_t)STRIA_STACK, least = least_stack();
    assert_int_equal(pthread_attr_setstacksize(&attr, wanted > least ? wanted : least), 0);
    stria__machine_set_l2(64 << 10); /* so that copies of a megabyte are streamed */
    assert_int_equal(pthread_create(&thread, &attr, on_small_stack, &good), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    stria__machine_set_l2(0);
    assert_int_equal(pthread_attr_destroy(&attr), 0);
    assert_true(good);
}

/* ---- first touch ----------------------------------------------------------------------------- */

enum { TOUCHED = 3 << 20, PAGE_ITEMS = 1024 };

/* The memory, and the share that wrote first to each of its pages, from 1 on. */
static float touched[TOUCHED];
struct touch {
    uint8_t by[TOUCHED / PAGE_ITEMS];
};

static void note_touches(void (*task)(void *data, int64_t i), void *data, int64_t count,
                         void *context)
{
    struct touch *const touch = context;
    for (int64_t i = 0; i < count; i++) {
        task(data, i);
        for (int64_t page = 0; page < TOUCHED / PAGE_ITEMS; page++)
            if (touch->by[page] == 0 && touched[page * PAGE_ITEMS] != 0)
                touch->by[page] = (uint8_t)(i + 1);
    }
}

/*
 * A page lies on the node of the thread that writes to it first. What fills an array and what
 * computes with it later divide it alike, so that each thread finds its pages near.
 */
TEST(fills_and_operations_divide_memory_alike)
{
    for (int threads = 2; threads <= 16; threads += 7)
        for (int ndim = 1; ndim <= 2; ndim++) {
            static struct touch fill, add, copy;
            const int64_t shape[] = {ndim == 1 ? TOUCHED : 3 << 8, 1 << 12};
            stria_exec exec = {.threads = threads, .run = note_touches, .context = &fill};
            int64_t other = 0;
            stria_view v;
            memset(touched, 0, sizeof touched);
            memset(&fill, 0, sizeof fill);
            memset(&add, 0, sizeof add);
            memset(&copy, 0, sizeof copy);
            const float one = 1;
            ok(stria_view_foreign(&v, touched, stria_dtype_of(STRIA_F32), ndim, shape, NULL, 0));
            ok(stria_fill_item(&v, &one, &exec));
            stria_array ones = {.owned = NULL};
            ok(stria_clone_new(&ones, &v, NULL));
            memset(touched, 0, sizeof touched);
            exec.context = &add;
            ok(stria_add(&v, &ones.view, &ones.view, &exec));
            memset(touched, 0, sizeof touched);
            exec.context = &copy;
            ok(stria_copy(&v, &ones.view, &exec));
            for (int64_t page = 0; page < TOUCHED / PAGE_ITEMS; page++) {
                assert_int_not_equal(fill.by[page], 0);
                other += fill.by[page] != add.by[page] || fill.by[page] != copy.by[page];
            }
            assert_true(other <= threads);
            assert_int_equal(fill.by[TOUCHED / PAGE_ITEMS - 1], threads);
            stria_array_release(&ones);
        }
}

TEST_MAIN(NULL, NULL)
