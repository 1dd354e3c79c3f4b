/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who runs a call is what exec says: with one thread none is started, and with a pool of the caller
 * OpenMP starts none. So it is for each function of the registry, by text, and for each row of
 * door_rows.h; what starts threads without an exec has a form that takes one. Each is called in a
 * process of its own, whose threads are counted.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdlib.h>
#include <sys/wait.h>

#define DOOR_COLUMNS (1 << 17)
#include "door_calls.h"
#include "support/sanitizers.h"
#include "support/slow.h"
#include "support/test.h"

/* The findings of a child process, as its exit code: a set of these. */
enum { STARTS_ALONE = 1, STARTS_BESIDE_POOL = 2, SPLITS = 4, USES_POOL = 8, DONE = 16 };

static int pool_calls;

static void in_pool(void (*task)(void *data, int64_t i), void *data, int64_t n, void *context)
{
    (void)context;
    pool_calls++;
    for (int64_t i = 0; i < n; i++)
        task(data, i);
}

static const stria_exec one_thread = {.threads = 1}, own_pool = {.threads = 2, .run = in_pool};

static int threads_of_process(void)
{
    int found = 0;
    DIR *const list = opendir("/proc/self/task");
    for (const struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list))
        found += entry->d_name[0] != '.';
    if (list) (void)closedir(list);
    return found;
}

static bool can_be_told(void)
{
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN)
        return false; /* sanitizers start threads and processes */
#ifdef STRIA_EMULATED
    return false;
#endif
    return threads_of_process() > 0 && stria_threads() > 1;
}

/* Runs `call` with three execs and ends the process with what was found. */
static void tell_in_child(bool (*call)(const void *what, const stria_exec *exec), const void *what)
{
    int found = 0;
    const int before = threads_of_process();
    if (call(what, &one_thread)) found |= DONE;
    if (threads_of_process() != before) _exit(found | STARTS_ALONE);
    if (call(what, &own_pool)) found |= DONE;
    if (threads_of_process() != before) _exit(found | STARTS_BESIDE_POOL);
    if (pool_calls) found |= USES_POOL;
    (void)call(what, NULL);
    if (threads_of_process() != before) found |= SPLITS;
    _exit(found);
}

static int told(bool (*call)(const void *what, const stria_exec *exec), const void *what)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) tell_in_child(call, what);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* Counts of calls: those that use threads, and errors, which are also printed. */
static struct {
    int splits, wrong, undone;
} tally;

/* Without OpenMP nothing starts a thread; with it, at least so many calls do. */
static bool splits_at_least(int least)
{
#ifdef _OPENMP
    return tally.splits > least;
#else
    (void)least;
    return tally.splits == 0;
#endif
}

static void note(const char *name, int found)
{
    const char *wrong = found & STARTS_ALONE         ? "starts threads where exec has one"
                        : found & STARTS_BESIDE_POOL ? "starts threads beside the caller's pool"
                        : (found & SPLITS) && !(found & USES_POOL)
                            ? "uses threads and not the caller's pool"
                            : NULL;
    tally.splits += (found & SPLITS) != 0;
    tally.undone += !(found & DONE);
    tally.wrong += wrong != NULL;
    if (wrong) print_error("%s %s\n", name, wrong);
}

/* ---- the registry ---------------------------------------------------------------------------- */

enum { ROWS_OF_X = 512, SMALL = 4, VIEWS = 7 };

static stria_named views_of(int64_t n, int k)
{
    static const char *const names[VIEWS] = {"x", "y", "b", "i", "j", "v", "e"};
    static const stria_kind kinds[VIEWS] = {STRIA_F32, STRIA_F32, STRIA_BOOL, STRIA_I64,
                                            STRIA_I64, STRIA_F32, STRIA_F32};
    static stria_array made[2][VIEWS];
    const bool is_flat = k == 3 || k >= 5, wide = n > SMALL;
    stria_array *const out = &made[wide][k];
    const int64_t dims[] = {is_flat ? n * n : n, n};
    if (!out->owned) {
        stria_exec exec = one_thread;
        assert_int_equal(stria_empty(out, stria_dtype_of(kinds[k]), is_flat ? 1 : 2, dims), 0);
        const int64_t most = k == 2 ? 2 : SMALL;
        stria_view bytes = out->view;
        if (k == 2) bytes.dtype = stria_dtype_of(STRIA_U8);
        ok(stria_random_integers(&bytes, NULL, 0, most, &exec));
        if (k == 6) assert_int_equal(stria_sort(&out->view, &out->view, 0, false, &exec), 0);
    }
    return (stria_named){names[k], &out->view};
}

static bool evaluates(const char *text, int64_t n, const stria_exec *exec)
{
    static const stria_budget budget = {.bytes = 1 << 28, .seconds = 20};
    stria_named views[VIEWS];
    stria_results results = {0};
    for (int k = 0; k < VIEWS; k++)
        views[k] = views_of(n, k);
    stria_exec bounded = exec ? *exec : (stria_exec){0};
    bounded.budget = &budget;
    const stria_status status = stria_eval(&results, text, VIEWS, views, &bounded);
    stria_results_release(&results);
    return status == STRIA_OK;
}

/* Arguments to try; no other operand has the layout of x.T. */
static const char *const arguments[] = {"%s(x.T)",
                                        "%s(x.T, y)",
                                        "x.T.%s",
                                        "x.%s_(x.T)",
                                        "x.%s_()",
                                        "%s(x, 1)",
                                        "%s(x, 0)",
                                        "%s(x, 1, i)",
                                        "%s(x, 1, j)",
                                        "%s(x, j, 1)",
                                        "%s((x.T, y))",
                                        "%s(x, b)",
                                        "%s(b, x.T, y)",
                                        "%s(x, b, 2.0)",
                                        "%s(x, 1, j, y)",
                                        "%s(x, (1, 1))",
                                        "%s(x, 0.5)",
                                        "%s(x, i)",
                                        "%s(e, v)",
                                        "%s(v, e)",
                                        "%s(j)",
                                        "%s(i)",
                                        "%s(v)",
                                        "%s(b)",
                                        "%s(j, j)",
                                        "%s(x, f64)",
                                        "%s(x, x, y)",
                                        "%s(x, 0, 1)",
                                        "%s(512, 512)",
                                        "%s((512, 512))",
                                        "%s(x, (1, 0))",
                                        "%s(x, (-1,))",
                                        "%s(x.T, (-1,))",
                                        "%s(x, y, 0)",
                                        "%s(0, 300000)",
                                        "x.%s_(1, j, y)",
                                        "x.%s_(b, 2.0)",
                                        "x.%s_(b, v)",
                                        "x.%s_(2)",
                                        "%s((512, 512), 2)",
                                        "%s(300000)",
                                        "%s('ij,jk->ik',x,y)",
                                        "%s(x, 9, (0, 9))",
                                        "%s(x, 1, 0, 2)",
                                        "x.%s_(i, v)"};

static bool call_by_text(const void *name, const stria_exec *exec)
{
    const uint32_t rules[] = {0, STRIA_PROMOTE_AS_NUMPY};
    bool done = false;
    for (int i = 0; i < COUNT(arguments); i++) {
        char text[128];
        (void)snprintf(text, sizeof text, arguments[i], (const char *)name);
        for (int r = 0; r < COUNT(rules); r++) {
            stria_exec how = exec ? *exec : (stria_exec){0}, alone = one_thread;
            how.hints |= rules[r];
            alone.hints |= rules[r];
            if (evaluates(text, SMALL, &alone)) done |= evaluates(text, ROWS_OF_X, &how);
        }
    }
    return done;
}

TEST(text_and_names_obey)
{
    if (!can_be_told()) skip();
    memset(&tally, 0, sizeof tally);
    const size_t functions = stria_function_count();
    for (int k = 0; k < VIEWS; k++)
        (void)views_of(SMALL, k), (void)views_of(ROWS_OF_X, k);
    for (size_t i = 0; i < functions; i += (size_t)ONE_OF_MANY) {
        char name[64];
        size_t length = 0;
        ok(stria_function_name(name, sizeof name, &length, stria_function_at(i)));
        assert_true(length < sizeof name);
        note(name, told(call_by_text, name));
    }
    print_message("%zu functions: %d use threads, %d had no call\n", functions, tally.splits,
                  tally.undone);
    assert_int_equal(tally.wrong, 0);
    assert_true(splits_at_least(100 / ONE_OF_MANY) && tally.undone < (int)functions / 4);
}

/* ---- the headers ----------------------------------------------------------------------------- */

static bool call_row(const void *what, const stria_exec *exec)
{
    const struct row *const row = what;
    struct call c = good_call(row);
    c.exec = exec;
    if (row->call(&c) != STRIA_OK) return false;
    release_owners(row, &c);
    return true;
}

/* Makes an input of out's dtype and shape be out read backwards: the call needs a temporary. */
static bool call_row_overlapping(const void *what, const stria_exec *exec)
{
    const struct row *const row = what;
    struct call c = good_call(row);
    stria_view backwards;
    c.exec = exec;
    if (!c.v[0] || row->flags & OUT || stria_flip(&backwards, c.v[0], 1, order) != STRIA_OK)
        return false;
    for (int k = 1; k < MOST; k++)
        if (c.v[k] && row->operands[0] == 'm' && stria_dtype_equal(c.v[k]->dtype, c.v[0]->dtype) &&
            c.v[k]->ndim == 2 && c.v[k]->shape[1] == DOOR_COLUMNS)
            c.v[k] = &backwards;
    return row->call(&c) == STRIA_OK;
}

static bool has_form_with_exec(const char *function)
{
    char name[96];
    (void)snprintf(name, sizeof name, "%s_with", function);
    for (int i = 0; i < COUNT(rows); i++)
        if (rows[i].flags & EXEC && strcmp(rows[i].function, name) == 0) return true;
    return false;
}

TEST(rows_with_operands_that_overlap_obey)
{
    if (!can_be_told()) skip();
    memset(&tally, 0, sizeof tally);
    for (int i = 0; i < COUNT(rows); i++)
        if (rows[i].flags & EXEC && strncmp(rows[i].operands, "m out;n", 7) == 0)
            note(rows[i].function, told(call_row_overlapping, &rows[i]));
    print_message("%d use threads, %d had no call\n", tally.splits, tally.undone);
    assert_int_equal(tally.wrong, 0);
    assert_true(splits_at_least(100));
}

TEST(rows_obey)
{
    if (!can_be_told()) skip();
    memset(&tally, 0, sizeof tally);
    for (int i = 0; i < COUNT(rows); i += ONE_OF_MANY) {
        const int found = told(call_row, &rows[i]);
        if (rows[i].flags & EXEC) {
            note(rows[i].function, found);
        } else if (found & (STARTS_ALONE | STARTS_BESIDE_POOL) &&
                   !has_form_with_exec(rows[i].function)) {
            print_error("%s uses threads and has no form with exec\n", rows[i].function);
            tally.wrong++;
        }
    }
    print_message("%d rows: %d use threads, %d had no call\n", COUNT(rows), tally.splits,
                  tally.undone);
    assert_int_equal(tally.wrong, 0);
    assert_true(splits_at_least(100 / ONE_OF_MANY));
}

int main(void)
{
    if (setenv("STRIA_BLAS", "none", 1) != 0) return 1; /* a BLAS has its own threads */
    return run_listed(__FILE__, set_up, tear_down);
}
