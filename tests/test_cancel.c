/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches: each function that takes an exec is asked whether it shall go on, and ended at the first
 * question, at the second, and so on to the last. It then says CANCELLED, its owners are as they
 * were and nothing leaks, which sanitizers look for; and where it is not ended, it does what it
 * does without a watch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <time.h>

#include "plan/threads.h"

#define DOOR_COLUMNS (1 << 17)
#include "door_calls.h"

/* Somebody who ends the work at question `most`. */
struct questions {
    int count, most;
    pthread_t caller;
};

static bool goes_on(void *context, int64_t bytes)
{
    struct questions *const q = context;
    (void)bytes;
    assert_true(pthread_equal(q->caller, pthread_self()));
    return ++q->count <= q->most;
}

static stria_status watched(const struct row *row, struct questions *q, int most, int threads)
{
    *q = (struct questions){0, most, pthread_self()};
    stria_watch watch = {.go_on = goes_on, .context = q};
    const stria_exec exec = {.threads = threads, .watch = &watch};
    struct call c = good_call(row);
    c.exec = &exec;
    const stria_status status = row->call(&c);
    if (status == STRIA_OK) release_owners(row, &c);
    return status;
}

static int wrong;

static int try_row(const struct row *row, int threads)
{
    enum { MOST_TRIED = 30 };
    struct questions q;
    if (watched(row, &q, INT32_MAX, threads) != STRIA_OK) {
        if (q.count > 0) fail_msg("%s: %s", row->function, stria_last_error());
        return 0;
    }
    const int all = q.count, step = all > MOST_TRIED ? all / MOST_TRIED : 1;
    const time_t begin = time(NULL);
    for (int most = 0; most < all && time(NULL) - begin < 3; most += step) {
        const stria_status status = watched(row, &q, most, threads);
        /* How often threads are asked depends on which of them is done first. */
        if (status != STRIA_ERR_CANCELLED && (threads == 1 || q.count > most))
            wrong++, print_error("%s, ended at question %d of %d: %s\n", row->function, most + 1,
                                 all, stria_status_name(status));
    }
    return all;
}

static void test_each_question(void **state)
{
    (void)state;
    int asked = 0, takes = 0;
    stria__watch_every(0);
    for (int i = 0; i < COUNT(rows); i++) {
        if (!(rows[i].flags & EXEC)) continue;
        takes++;
        const bool asks = try_row(&rows[i], 1) > 0;
        asked += asks;
        if (i % 4 == 0) (void)try_row(&rows[i], 2);
    }
    print_message("%d of %d functions are asked\n", asked, takes);
    assert_int_equal(wrong, 0);
    assert_true(asked > 250);
    stria__watch_every(WATCH_EVERY);
}

/* One line of a scan is cut where it is long, and has the same results. */
static void test_long_scan(void **state)
{
    enum { LONG = 3 << 18 };
    static const stria_scan scans[] = {STRIA_CUMSUM, STRIA_CUMPROD, STRIA_CUMMAX,
                                       STRIA_LOGCUMSUMEXP};
    stria_array a = {0}, whole = {0}, cut = {0};
    (void)state;
    stria__watch_every(0);
    assert_int_equal(stria_linspace(&a, stria_dtype_of(STRIA_F32), 0.99, 1.01, LONG, true, NULL),
                     STRIA_OK);
    for (int i = 0; i < COUNT(scans); i++) {
        for (int most = 0; most < 3; most++) {
            struct questions q = {0, most, pthread_self()};
            stria_watch watch = {.go_on = goes_on, .context = &q};
            assert_int_equal(stria_scan_dim_new(&cut, scans[i], &a.view, 0, NULL,
                                                &(stria_exec){.threads = 1, .watch = &watch}),
                             STRIA_ERR_CANCELLED);
        }
        struct questions q = {0, INT32_MAX, pthread_self()};
        stria_watch watch = {.go_on = goes_on, .context = &q};
        assert_int_equal(stria_scan_dim_new(&whole, scans[i], &a.view, 0, NULL, NULL), STRIA_OK);
        assert_int_equal(stria_scan_dim_new(&cut, scans[i], &a.view, 0, NULL,
                                            &(stria_exec){.threads = 1, .watch = &watch}),
                         STRIA_OK);
        assert_true(q.count >= 3);
        assert_memory_equal(cut.view.data, whole.view.data, LONG * sizeof(float));
    }
    stria_array_release(&a);
    stria_array_release(&whole);
    stria_array_release(&cut);
    stria__watch_every(WATCH_EVERY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_question),
                                       cmocka_unit_test(test_long_scan)};
    return cmocka_run_group_tests_name("cancel", tests, set_up, tear_down);
}
