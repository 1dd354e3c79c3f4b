/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What threads do together with one line gives the bits that one thread gives, whatever they are:
 * elements of every kind of key, with ties and NaN, as many as are worth it or one fewer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "stria/stria.h"
#include "support/pool.h"
#include "support/random.h"

static void ok(stria_status status)
{
    if (status != STRIA_OK) fail_msg("%s", stria_last_error());
}

enum { LEAST = 1 << 16, RESULTS = 4 };
static const int64_t sizes[] = {LEAST - 1, LEAST, LEAST + 1, 3 * LEAST + 17};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const kinds[] = {"bool", "i8",  "u16", ">i4", "i64", "u64",
                                    "f16",  "f32", "f64", "c64", "S9",  "m8[s]"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* How elements are distributed: noise; few different ones; nearly one, but for the last bytes. */
enum shape { NOISE, FEW, CLOSE, SHAPES };

static stria_array some_line(uint64_t *seed, const char *kind, enum shape shape, int64_t n)
{
    static const unsigned char some[] = {0, 0x80, 0x7F, 0xFF, 0x3F, 1};
    stria_dtype dtype;
    stria_array a = {0};
    ok(stria_dtype_parse(&dtype, kind));
    ok(stria_empty(&a, dtype, 1, &n));
    unsigned char *const bytes = (void *)a.view.data;
    for (int64_t i = 0; i < n * dtype.itemsize; i++) {
        const uint64_t bits = random_bits(seed);
        const bool noise = shape == NOISE || (shape == CLOSE && i % dtype.itemsize < 2);
        bytes[i] = dtype.kind == STRIA_BOOL ? bits % 2
                   : noise                  ? (unsigned char)bits
                   : shape == CLOSE         ? 0x3F
                                            : some[bits % sizeof some];
    }
    return a;
}

/* An operation on a line; true where it is divided among a pool of the caller's. */
typedef bool operate(stria_array *out, const stria_view *a, const stria_exec *exec);

static bool sort_up(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_sort_new(out, a, 0, false, exec));
    return true;
}

static bool sort_down(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_sort_new(out, a, 0, true, exec));
    return true;
}

static bool argsort_down(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_argsort_new(out, a, 0, true, exec));
    return true;
}

static bool rank_dense(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_rank_new(out, a, 0, STRIA_RANK_DENSE, exec));
    return true;
}

static operate *const operations[] = {sort_up, sort_down, argsort_down, rank_dense};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void check_same(stria_array *all, stria_array *one)
{
    for (int i = 0; i < RESULTS; i++) {
        assert_int_equal(stria_nbytes(&all[i].view), stria_nbytes(&one[i].view));
        if (stria_nbytes(&one[i].view) > 0)
            assert_memory_equal(all[i].view.data, one[i].view.data,
                                (size_t)stria_nbytes(&one[i].view));
        stria_array_release(&all[i]);
    }
}

static void check_operation(operate *operation, const stria_view *a)
{
    stria_array one[RESULTS] = {{.owned = NULL}}, all[RESULTS] = {{.owned = NULL}};
    struct pool seen = {0};
    const stria_exec alone = {.threads = 1, .run = pool_run, .context = &seen};
    (void)operation(one, a, &alone);
    assert_int_equal(seen.calls, 0);
    static const int threads[] = {2, 3, 8};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        seen.calls = 0;
        const stria_exec exec = {.threads = threads[t], .run = pool_run, .context = &seen};
        if (operation(all, a, &exec) && stria_numel(a) >= LEAST) assert_true(seen.calls > 0);
        assert_true(seen.widest <= threads[t]);
        check_same(all, one);
    }
    const stria_exec backwards = {.threads = 3, .run = pool_run_backwards};
    (void)operation(all, a, &backwards);
    check_same(all, one);
    for (int i = 0; i < RESULTS; i++)
        stria_array_release(&one[i]);
}

static void test_orders(void **state)
{
    (void)state;
    uint64_t seed = 46;
    for (int kind = 0; kind < KINDS; kind++)
        for (int shape = 0; shape < SHAPES; shape++) {
            const int64_t n = sizes[random_between(&seed, 0, SIZES - 1)];
            stria_array a = some_line(&seed, kinds[kind], (enum shape)shape, n);
            for (int i = 0; i < OPERATIONS; i++)
                check_operation(operations[i], &a.view);
            stria_array_release(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
