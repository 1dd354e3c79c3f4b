/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches: each function that takes an exec is asked whether it shall go on, and ended at the first
 * question, at the second, and so on to the last. It then says CANCELLED, its owners are as they
 * were and nothing leaks, which sanitizers look for; and where it is not ended, it does what it
 * does without a watch.
 */
#include <pthread.h>
#include <time.h>

#include "plan/threads.h"

#define DOOR_COLUMNS (1 << 17)
#include "door_calls.h"
#include "support/slow.h"
#include "support/test.h"

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

enum { LONG_TEXT = 1 << 18 /* elements */ };

static int wrong;

static int try_row(const struct row *row, int threads)
{
    const int most_tried = sweep_is("few") ? 2 : 30;
    struct questions q;
    if (watched(row, &q, INT32_MAX, threads) != STRIA_OK) {
        if (q.count > 0) fail_msg("%s: %s", row->function, stria_last_error());
        return 0;
    }
    const int all = q.count, step = all > most_tried ? all / most_tried : 1;
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

TEST(test_each_question)
{
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
TEST(test_long_scan)
{
    enum { LONG = 3 << 18 };
    static const stria_scan scans[] = {STRIA_CUMSUM, STRIA_CUMPROD, STRIA_CUMMAX,
                                       STRIA_LOGCUMSUMEXP};
    stria_array a = {0}, whole = {0}, cut = {0};
    stria__watch_every(0);
    ok(stria_linspace(&a, stria_dtype_of(STRIA_F32), 0.99, 1.01, LONG, true, NULL));
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
        ok(stria_scan_dim_new(&whole, scans[i], &a.view, 0, NULL, NULL));
        ok(stria_scan_dim_new(&cut, scans[i], &a.view, 0, NULL,
                              &(stria_exec){.threads = 1, .watch = &watch}));
        assert_true(q.count >= 3);
        assert_memory_equal(cut.view.data, whole.view.data, LONG * sizeof(float));
    }
    stria_array_release(&a);
    stria_array_release(&whole);
    stria_array_release(&cut);
    stria__watch_every(WATCH_EVERY);
}

/* Calls of one thread that have no lines or rows to be asked between are asked all the same. */
TEST(test_long_texts)
{
    static const char *const texts[] = {
        "torch.index_add(x, 0, i, x)",
        "torch.scatter_reduce(x, 0, i, x, 'amax')",
        "torch.index_put(x, (i,), x, accumulate=True)",
        "x.op_at('hypot', i, x)",
        "torch.isin(x, x)",
        "torch.searchsorted(x, x)",
        "np.bincount(i)",
        "np.bincount(i, weights=x)",
        "stria.segment_sum(x, i, 262144)",
        "stria.label_op(x, 'hypot', i, 262144, initial=0)",
        "stria.rankdata(x)",
        "torch.unique(x.view(65536, 4), dim=0)",
        "np.convolve(x[:8192], x[:4096])",
        "stria.window_sum(x[:8192], 4096)",
        "torch.cat(x.view(1024, 256).unbind(0))",
        "torch.stack(x.view(1024, 256).unbind(0))",
        "torch.block_diag(*x[:1024].view(512, 2).unbind(0))",
        "torch.bmm(x.view(64, 64, 64).repeat(16, 1, 1), x.view(64, 64, 64).repeat(16, 1, 1))",
        "x.repeat(4).view(1024, 1024) @ x.repeat(4).view(1024, 1024)",
        "x.logcumsumexp(0)",
        "torch.where(x > 2, x, x).sort()"};
    stria_named views[2];
    stria_array x = {0}, i = {0};
    stria_results r = {0};
    stria__watch_every(0);
    ok(stria_linspace(&x, stria_dtype_of(STRIA_F64), 0, 1, LONG_TEXT, true, NULL));
    ok(stria_arange_i64(&i, stria_dtype_of(STRIA_I64), 0, LONG_TEXT, 1, NULL));
    views[0] = (stria_named){"x", &x.view};
    views[1] = (stria_named){"i", &i.view};
    for (int t = 0; t < COUNT(texts); t++) {
        struct questions q = {0, INT32_MAX, pthread_self()};
        stria_watch watch = {.go_on = goes_on, .context = &q};
        const stria_exec exec = {.threads = 1, .watch = &watch};
        if (stria_eval(&r, texts[t], 2, views, &exec) != STRIA_OK)
            wrong++, print_error("%s: %s\n", texts[t], stria_last_error());
        stria_results_release(&r);
        const int all = q.count;
        if (all < 6) wrong++, print_error("%s is asked %d times\n", texts[t], all);
        if (all < 6) continue;
        for (int most = 0; most < all; most += all / 6) {
            q = (struct questions){0, most, pthread_self()};
            watch.state[0] = watch.state[1] = 0;
            const stria_status status = stria_eval(&r, texts[t], 2, views, &exec);
            if (status != STRIA_ERR_CANCELLED)
                wrong++, print_error("%s, ended at question %d of %d: %s\n", texts[t], most + 1,
                                     all, stria_status_name(status));
        }
    }
    stria_array_release(&x);
    stria_array_release(&i);
    assert_int_equal(wrong, 0);
    stria__watch_every(WATCH_EVERY);
}

/* A product of a large matrix with a vector asks on one thread and on two, and ends where it is
 * told. */
TEST(products_with_vectors_ask)
{
    enum { M = 4500, N = 4096 };
    RELEASED stria_array a = {0}, x = {0}, y = {0};
    stria_view turned;
    stria__watch_every(0);
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F32), 2, (const int64_t[]){M, N}));
    ok(stria_zeros(&x, stria_dtype_of(STRIA_F32), 1, &(const int64_t){M > N ? M : N}));
    ok(stria_matrix_transpose(&turned, &a.view));
    for (int way = 0; way < 4; way++) {
        const stria_view *const matrix = way % 2 ? &turned : &a.view;
        stria_view vector;
        ok(stria_slice(&vector, &x.view, 0, 0, matrix->shape[1], 1));
        for (int most = 0; most < 4; most++) {
            struct questions q = {0, most < 3 ? most : INT32_MAX, pthread_self()};
            stria_watch watch = {.go_on = goes_on, .context = &q};
            const stria_exec exec = {.threads = 1 + way / 2, .watch = &watch};
            assert_int_equal(stria_matmul_new(&y, matrix, &vector, &exec),
                             most < 3 ? STRIA_ERR_CANCELLED : STRIA_OK);
            assert_true(q.count > 3 || most < 3);
        }
    }
    stria__watch_every(WATCH_EVERY);
}

TEST_MAIN(set_up, tear_down)
