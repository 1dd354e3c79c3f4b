/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads: how many a call is given, that nothing is split inside a parallel region or a task, and
 * that a forked child can go on. The environment is read once per process, so every text is tried
 * in a child of its own; tests that would make this process read it come later.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef __linux__
#include <sched.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

#include "support/pool.h"
#include "support/sanitizers.h"
#include "support/temp_folder.h"
#include "threads.h"

/* libomp keeps what it knew of a thread that ended. Asked by LeakSanitizer, otherwise unused. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libomp.so";
}

enum { LARGE = 1 << 30, MOST = 1024, PATIENCE = 30 /* seconds until a child counts as hung */ };

/* What answer() returns in a forked child; -1 when the child did not live to tell. */
static int in_child(int (*answer)(const char *), const char *arg)
{
    int pipes[2], got = -1, status = 0;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(PATIENCE);
        const int result = answer(arg);
        const bool told = write(pipes[1], &result, sizeof result) == sizeof result;
        _exit(told ? 0 : 1);
    }
    (void)close(pipes[1]);
    const ssize_t n = read(pipes[0], &got, sizeof got);
    (void)close(pipes[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return n == sizeof got && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? got : -1;
}

/* ---- the setting ------------------------------------------------------------------------------
 */

static int threads_in(const char *text)
{
    if (setenv("STRIA_NUM_THREADS", text, 1) != 0) return -2;
    const int first = stria_threads();
    if (setenv("STRIA_NUM_THREADS", "77", 1) != 0) return -2;
    return stria_threads() == first ? first : -3; /* read once */
}

static void environment_is_read_once(void **state)
{
    (void)state;
    assert_int_equal(in_child(threads_in, "3"), 3);
    assert_int_equal(in_child(threads_in, "1"), 1);
    assert_int_equal(in_child(threads_in, "1000000000"), MOST);
    assert_int_equal(in_child(threads_in, "99999999999999999999999999"), MOST);
    static const char *const useless[] = {"",   "0",   "-1", "abc", "4x",   "x4",      " 4",
                                          "4 ", "4,2", "+4", "1e3", "0x10", "\xd9\xa3"};
    const int cpus = stria__cpus_allowed();
    for (size_t i = 0; i < sizeof useless / sizeof useless[0]; i++)
        assert_int_equal(in_child(threads_in, useless[i]), cpus);
}

static int setting_over(const char *text)
{
    if (setenv("STRIA_NUM_THREADS", text, 1) != 0) return -2;
    if (stria_set_threads(5) != STRIA_OK || stria_threads() != 5) return -3;
    if (stria_set_threads(0) != STRIA_OK) return -4;
    return stria_threads();
}

static void setting_wins_and_goes_back(void **state)
{
    (void)state;
    assert_int_equal(in_child(setting_over, "3"), 3);
}

#ifdef __linux__
static int threads_on_one_cpu(const char *unused)
{
    cpu_set_t all, one;
    (void)unused;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0) return -2;
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return -2;
    return stria_threads();
}

static void affinity_counts(void **state)
{
    (void)state;
    assert_int_equal(in_child(threads_on_one_cpu, NULL), 1);
}
#endif

static void setting_is_checked(void **state)
{
    (void)state;
    assert_int_equal(stria_set_threads(7), STRIA_OK);
    assert_int_equal(stria_set_threads(-2), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "-2"));
    assert_int_equal(stria_threads(), 7);
    assert_int_equal(stria_set_threads(INT_MIN), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_set_threads(INT_MAX), STRIA_OK);
    assert_int_equal(stria_threads(), MOST);
    assert_int_equal(stria_set_threads(0), STRIA_OK);
    assert_int_equal(stria_threads(), stria__cpus_allowed());
}

/* ---- the quota of a container --------------------------------------------------------------- */

static struct temp_folder groups;

static void put(const char *name, const char *text)
{
    file_put(temp_path(groups, name), text, (int64_t)strlen(text));
}

static int quota_of(const char *membership)
{
    put("self", membership);
    return stria__cpu_quota(temp_path(groups, "self"), groups.path);
}

static void quotas_of_all_groups_count(void **state)
{
    (void)state;
    groups = temp_folder_new();
    assert_int_equal(mkdir(temp_path(groups, "a"), 0700), 0);
    assert_int_equal(mkdir(temp_path(groups, "a/b"), 0700), 0);
    assert_int_equal(quota_of("0::/a/b\n"), INT_MAX);
    put("a/b/cpu.max", "max 100000\n");
    assert_int_equal(quota_of("0::/a/b\n"), INT_MAX);
    put("a/cpu.max", "350000 100000\n");
    assert_int_equal(quota_of("0::/a/b\n"), 3);
    assert_int_equal(quota_of("3:cpuset:/x\n0::/a/b\n"), 3);
    assert_int_equal(quota_of("0::/a/\n"), 3);
    assert_int_equal(quota_of("0::/\n"), INT_MAX);
    assert_int_equal(quota_of("1:cpu:/a/b\n"), INT_MAX);
    put("a/b/cpu.max", "40000 100000\n");
    assert_int_equal(quota_of("0::/a/b"), 1);
    put("a/b/cpu.max", "800000 0\n");
    assert_int_equal(quota_of("0::/a/b"), 3);
    put("a/b/cpu.max", "99999999999999999999 1\n");
    assert_int_equal(quota_of("0::/a/b"), 3);
    /* in a container that sees its own group as the root, whatever its name is outside */
    put("cpu.max", "200000 100000\n");
    assert_int_equal(quota_of("0::/docker/0123456789abcdef\n"), 2);
    assert_int_equal(quota_of("0::/\n"), 2);
    assert_int_equal(quota_of(""), INT_MAX);
    assert_int_equal(stria__cpu_quota(temp_path(groups, "absent"), groups.path), INT_MAX);
    (void)unlink(temp_path(groups, "a/b/cpu.max"));
    (void)unlink(temp_path(groups, "a/cpu.max"));
    assert_int_equal(rmdir(temp_path(groups, "a/b")), 0);
    assert_int_equal(rmdir(temp_path(groups, "a")), 0);
    temp_folder_remove(groups);
}

/* ---- how many ---------------------------------------------------------------------------------
 */

static void little_work_stays_in_one_thread(void **state)
{
    (void)state;
    const stria_exec exec = {.threads = 8, .run = pool_run};
    const int64_t grain = 256 << 10;
    assert_int_equal(stria__threads_for(&exec, 0), 1);
    assert_int_equal(stria__threads_for(&exec, grain), 1);
    assert_int_equal(stria__threads_for(&exec, 2 * grain - 1), 1);
    assert_int_equal(stria__threads_for(&exec, 2 * grain), 2);
    assert_int_equal(stria__threads_for(&exec, 5 * grain), 5);
    assert_int_equal(stria__threads_for(&exec, INT64_MAX), 8);
}

static void call_setting_and_cpus_limit(void **state)
{
    (void)state;
    const int cpus = stria__cpus_allowed();
    assert_int_equal(stria_set_threads(4), STRIA_OK);
    /* a caller's pool knows its own CPUs */
    assert_int_equal(stria__threads_for(&(stria_exec){.run = pool_run}, LARGE), 4);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = -3, .run = pool_run}, LARGE), 4);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = 9, .run = pool_run}, LARGE), 9);
    assert_int_equal(
        stria__threads_for(&(stria_exec){.threads = INT_MAX, .run = pool_run}, INT64_MAX), MOST);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = 1}, LARGE), 1);
#ifdef _OPENMP
    const int wanted = cpus < omp_get_max_threads() ? cpus : omp_get_max_threads();
    assert_int_equal(stria__threads_for(NULL, LARGE), wanted < 4 ? wanted : 4);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = MOST}, INT64_MAX), wanted);
#else
    (void)cpus;
    assert_int_equal(stria__threads_for(NULL, LARGE), 1);
#endif
    assert_int_equal(stria_set_threads(0), STRIA_OK);
}

/* ---- who does what ----------------------------------------------------------------------------
 */

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
    assert_true(changes < (threads > 1 ? threads : 1)); /* neighbours in one thread */
}

static void every_task_once(void **state)
{
    (void)state;
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
    board->times[i] += stria__threads_for(&exec, LARGE) == 1;
    board->times[i] += stria__threads_for(NULL, LARGE) == 1;
    stria__parallel(&exec, 4, 10, note, &own);
    for (int k = 0; k < 10; k++)
        board->times[i] += own.times[k] == 1 && pthread_equal(own.by[k], self);
    board->times[i] += pool.calls == 0;
}

static void nothing_nests(void **state)
{
    (void)state;
    static const stria_exec pool = {.threads = 4, .run = pool_run};
    static const stria_exec *const execs[] = {&pool, NULL};
    for (int kind = 0; kind < 2; kind++) {
        struct board board = {.times = {0}};
        stria__parallel(execs[kind], 4, 4, inner, &board);
#ifndef _OPENMP
        if (kind == 1) continue; /* a serial build runs this outside any region */
#endif
        for (int i = 0; i < 4; i++)
            assert_int_equal(board.times[i], 13);
    }
    /* and outside again */
    assert_int_equal(stria__threads_for(&pool, LARGE), 4);
}

#ifdef _OPENMP
static void the_host_region_is_respected(void **state)
{
    (void)state;
    struct board board = {.times = {0}};
#pragma omp parallel num_threads(2)
    {
        inner(&board, omp_get_thread_num());
    }
    assert_int_equal(board.times[0], 13);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = 2, .run = pool_run}, LARGE), 2);
}

static int max_threads(const char *unused)
{
    (void)unused;
    return omp_get_max_threads();
}

static void the_host_settings_stay(void **state)
{
    (void)state;
    const int threads = omp_get_max_threads(), dynamic = omp_get_dynamic(),
              levels = omp_get_max_active_levels();
    struct board board = {.times = {0}};
    stria__parallel(NULL, threads + 1, TASKS, note, &board);
    assert_int_equal(in_child(max_threads, NULL), threads); /* a fork pauses the runtime */
    assert_int_equal(omp_get_max_threads(), threads);
    assert_int_equal(omp_get_dynamic(), dynamic);
    assert_int_equal(omp_get_max_active_levels(), levels);
    omp_set_num_threads(1);
    assert_int_equal(stria__threads_for(NULL, LARGE), 1);
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

static void callers_do_not_meet(void **state)
{
    (void)state;
    pthread_t caller[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&caller[i], NULL, many_regions, &wrong[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(caller[i], NULL), 0);
        assert_int_equal(wrong[i], 0);
    }
}

/* ---- fork ---------------------------------------------------------------------------------------
 */

/* Runs a region, then the same in a child of this child as often as arg has letters. */
static int regions_in_children(const char *arg)
{
    struct board board = {.times = {0}};
    stria__parallel(NULL, 2, TASKS, note, &board);
    for (int i = 0; i < TASKS; i++)
        if (board.times[i] != 1) return -2;
    return *arg ? in_child(regions_in_children, arg + 1) : 42;
}

static void a_forked_child_goes_on(void **state)
{
    (void)state;
    if (BUILT_WITH_TSAN) skip(); /* it kills a forked child that starts threads */
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

static void a_thread_may_fork(void **state)
{
    (void)state;
    if (BUILT_WITH_TSAN) skip();
    pthread_t thread;
    int got = 0;
    assert_int_equal(pthread_create(&thread, NULL, fork_from_here, &got), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(got, 42);
}

static void forks_beside_busy_threads(void **state)
{
    (void)state;
    if (BUILT_WITH_TSAN) skip();
    pthread_t busy;
    int wrong = 0;
    assert_int_equal(pthread_create(&busy, NULL, many_regions, &wrong), 0);
    for (int round = 0; round < 10; round++)
        assert_int_equal(in_child(regions_in_children, ""), 42);
    assert_int_equal(pthread_join(busy, NULL), 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    (void)unsetenv("STRIA_NUM_THREADS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment_is_read_once),
        cmocka_unit_test(setting_wins_and_goes_back),
#ifdef __linux__
        cmocka_unit_test(affinity_counts),
#endif
        cmocka_unit_test(setting_is_checked),
        cmocka_unit_test(quotas_of_all_groups_count),
        cmocka_unit_test(little_work_stays_in_one_thread),
        cmocka_unit_test(call_setting_and_cpus_limit),
        cmocka_unit_test(every_task_once),
        cmocka_unit_test(nothing_nests),
#ifdef _OPENMP
        cmocka_unit_test(the_host_region_is_respected),
        cmocka_unit_test(the_host_settings_stay),
#endif
        cmocka_unit_test(callers_do_not_meet),
        cmocka_unit_test(a_forked_child_goes_on),
        cmocka_unit_test(a_thread_may_fork),
        cmocka_unit_test(forks_beside_busy_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
