/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The number of threads: by the setting, the environment, affinity, the CPU quota of a container,
 * the work. The environment is read once per process, so every text is tried in a child of its own;
 * tests that would make this process read it come later.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

#include "support/child.h"
#include "support/pool.h"
#include "support/temp_folder.h"
#include "plan/threads.h"
#include "support/test.h"

enum { LARGE = 1 << 30, MOST = 1024 };

static int threads_in(const char *text)
{
    if (setenv("STRIA_NUM_THREADS", text, 1) != 0) return -2;
    const int first = stria_threads();
    if (setenv("STRIA_NUM_THREADS", "77", 1) != 0) return -2;
    return stria_threads() == first ? first : -3; /* the environment is read once */
}

TEST(environment_is_read_once)
{
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

TEST(setting_wins_and_goes_back)
{
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

TEST(affinity_counts)
{
    assert_int_equal(in_child(threads_on_one_cpu, NULL), 1);
}
#endif

TEST(setting_is_checked)
{
    ok(stria_set_threads(7));
    assert_int_equal(stria_set_threads(-2), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "-2"));
    assert_int_equal(stria_threads(), 7);
    assert_int_equal(stria_set_threads(INT_MIN), STRIA_ERR_ARGUMENT);
    ok(stria_set_threads(INT_MAX));
    assert_int_equal(stria_threads(), MOST);
    ok(stria_set_threads(0));
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

TEST(quotas_of_all_groups_count)
{
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
    /* in a container that sees its own group as the root, whatever the group's name outside */
    put("cpu.max", "200000 100000\n");
    assert_int_equal(quota_of("0::/docker/0123456789abcdef\n"), 2);
    assert_int_equal(quota_of("0::/\n"), 2);
    assert_int_equal(quota_of(""), INT_MAX);
    assert_int_equal(stria__cpu_quota(temp_path(groups, "absent"), groups.path), INT_MAX);
    /* paths that fit into a buffer one by one, but not together */
    char membership[4096], tree[4096];
    memset(membership, 'g', sizeof membership);
    memcpy(membership, "0::/", 4);
    memset(tree, '/', sizeof tree);
    membership[sizeof membership - 1] = tree[sizeof tree - 1] = '\0';
    put("self", membership);
    assert_int_equal(stria__cpu_quota(temp_path(groups, "self"), tree), INT_MAX);
    (void)unlink(temp_path(groups, "a/b/cpu.max"));
    (void)unlink(temp_path(groups, "a/cpu.max"));
    assert_int_equal(rmdir(temp_path(groups, "a/b")), 0);
    assert_int_equal(rmdir(temp_path(groups, "a")), 0);
    temp_folder_remove(groups);
}

/* ---- how many ---------------------------------------------------------------------------- */

TEST(little_work_stays_in_one_thread)
{
    const stria_exec exec = {.threads = 8, .run = pool_run};
    const int64_t grain = 256 << 10;
    assert_int_equal(stria__threads_for(&exec, 0, 0), 1);
    assert_int_equal(stria__threads_for(&exec, grain, 0), 1);
    assert_int_equal(stria__threads_for(&exec, 2 * grain - 1, 0), 1);
    assert_int_equal(stria__threads_for(&exec, 2 * grain, 0), 2);
    assert_int_equal(stria__threads_for(&exec, 5 * grain, 0), 5);
    assert_int_equal(stria__threads_for(&exec, INT64_MAX, 0), 8);
}

TEST(arithmetic_is_work_too)
{
    const stria_exec exec = {.threads = 8, .run = pool_run};
    const int64_t grain = 256 << 10;
    const double cycles = 20000; /* cycles in which one thread moves `grain` bytes */
    assert_int_equal(stria__threads_for(&exec, 0, 2 * cycles - 1), 1);
    assert_int_equal(stria__threads_for(&exec, 0, 2 * cycles), 2);
    assert_int_equal(stria__threads_for(&exec, grain, 5 * cycles), 5);
    /* computing goes on while bytes are moved: the two do not add up */
    assert_int_equal(stria__threads_for(&exec, 5 * grain, 3 * cycles), 5);
    assert_int_equal(stria__threads_for(&exec, grain, cycles), 1);
    assert_int_equal(stria__threads_for(&exec, 0, 1e300), 8);
    assert_int_equal(stria__threads_for(&exec, INT64_MAX, 1e300), 8);
}

TEST(call_setting_and_cpus_limit)
{
    const int cpus = stria__cpus_allowed();
    ok(stria_set_threads(4));
    /* a caller's pool knows its own CPUs */
    assert_int_equal(stria__threads_for(&(stria_exec){.run = pool_run}, LARGE, 0), 4);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = -3, .run = pool_run}, LARGE, 0),
                     4);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = 9, .run = pool_run}, LARGE, 0), 9);
    assert_int_equal(
        stria__threads_for(&(stria_exec){.threads = INT_MAX, .run = pool_run}, INT64_MAX, 0), MOST);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = 1}, LARGE, 0), 1);
#ifdef _OPENMP
    const int wanted = cpus < omp_get_max_threads() ? cpus : omp_get_max_threads();
    assert_int_equal(stria__threads_for(NULL, LARGE, 0), wanted < 4 ? wanted : 4);
    assert_int_equal(stria__threads_for(&(stria_exec){.threads = MOST}, INT64_MAX, 0), wanted);
#else
    (void)cpus;
    assert_int_equal(stria__threads_for(NULL, LARGE, 0), 1);
#endif
    ok(stria_set_threads(0));
}

int main(void)
{
    (void)unsetenv("STRIA_NUM_THREADS");
    return run_listed(__FILE__, NULL, NULL);
}
