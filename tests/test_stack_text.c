/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text stays within the stack that threads.h promises, whatever it is: every text in quotes or
 * backquotes of the documents, and texts that a grammar draws, evaluated, prepared and explained,
 * over large views of layouts that take the ways with the largest blocks, and over small ones.
 */
#define _POSIX_C_SOURCE 200809L /* stpcpy */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/guarded_views.h"
#include "fuzz/text_grammar.h"
#include "lang/eval.h"
#include "support/random.h"
#include "support/sanitizers.h"
#include "support/small_cache.h"
#include "support/stack_depth.h"
#include "support/by_value.h"
#include "support/cmocka.h"
#include "support/statuses.h"

enum { MOST = 400, LETTERS = 26, LARGE = 6 };

static const stria_exec alone = {.threads = 1},
                        as_numpy = {.threads = 1, .hints = STRIA_PROMOTE_AS_NUMPY};
static const stria_budget budget = {.bytes = 64 << 20, .seconds = 1};

/* Results so far: the text that went deepest, and how many were computed. */
static struct depths {
    ptrdiff_t deepest;
    int texts, computed;
    char text[MOST + 1];
    const char *how;
} depths;

/* ---- operands -------------------------------------------------------------------------------- */

static stria_array large[LARGE];

/* Views named by the letters, each one of the large views. */
static stria_named letters[LETTERS];

static void make_large(void)
{
    static const char *const texts[LARGE] = {
        "torch.arange(60000.).to(torch.float64).reshape(200, 300).T", /* 300 rows of 200 */
        "torch.arange(60000.).reshape(300, 200) / 7",
        "torch.arange(120000.).to(torch.complex64).reshape(400, 300).T[:, ::2]",
        "torch.arange(60000).reshape(300, 200) % 3 == 0",
        "torch.arange(60000).reshape(300, 200) % 200",
        "torch.tensor([3, 0, 2, 1])"};
    /* The number of the large view that each letter names, from a on. */
    static const char which[LETTERS + 1] = "010234015550321005210401021"; /* x is 0, y is 1 */
    static char names[LETTERS][2];
    for (int i = 0; i < LARGE; i++) {
        stria_results r = {0};
        ok(stria_eval(&r, texts[i], 0, NULL, &alone));
        large[i] = shared_of(&r.one.view);
        stria_results_release(&r);
    }
    for (int i = 0; i < LETTERS; i++) {
        names[i][0] = (char)('a' + i);
        letters[i] = (stria_named){names[i], &large[which[i] - '0'].view};
    }
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void note(const char *text, const char *how, ptrdiff_t depth)
{
    if (depth <= depths.deepest) return;
    depths.deepest = depth;
    depths.how = how;
    (void)snprintf(depths.text, sizeof depths.text, "%s", text);
}

static void measure_eval(const char *text, int count, const stria_named *named,
                         const stria_exec *exec)
{
    char here;
    stria_results r = {0};
    stack_paint();
    stria_exec bounded = exec ? *exec : (stria_exec){0};
    bounded.budget = &budget;
    const stria_status status = stria_eval(&r, text, count, named, &bounded);
    note(text, "eval", stack_depth(&here));
    depths.computed += status == STRIA_OK;
    depths.texts++;
    stria_results_release(&r);
}

static void measure_prepared(const char *text, int count, const stria_named *named)
{
    char here;
    stria_results r = {0};
    stria_prepared *prepared = NULL;
    const char *names[LETTERS];
    const stria_view *views[LETTERS];
    for (int i = 0; i < count; i++) {
        names[i] = named[i].name;
        views[i] = named[i].view;
    }
    stack_paint();
    if (stria_prepare(&prepared, text, count, names) == STRIA_OK &&
        stria_prepared_run(&r, prepared, count, views, &alone) == STRIA_OK)
        stria_results_release(&r);
    stria_prepared_release(prepared);
    note(text, "prepared", stack_depth(&here));
}

/* Measures a text as explanations of the tool and of Python evaluate it. */
static void measure_told(const char *text, int count, const stria_named *named)
{
    char here;
    struct failure failure = {.code = STRIA_OK};
    const struct environment environment = {
        .views = named, .count = (size_t)count, .rules = WORLD_TORCH};
    stack_paint();
    struct evaluation e = stria__evaluation_of(text, &environment, &failure);
    e.waiting.exec = &alone;
    e.waiting.tells = true;
    (void)stria__evaluate(&e);
    stria__evaluation_end(&e);
    note(text, "explained", stack_depth(&here));
}

static void measure_all_ways(const char *text, int count, const stria_named *named)
{
    measure_eval(text, count, named, &alone);
    measure_eval(text, count, named, &as_numpy);
    measure_prepared(text, count, named);
}

static void expect_promised_stack(int computed)
{
    if (depths.deepest > STRIA_STACK - STACK_TAKEN)
        fail_msg("%s of \"%s\": %td bytes of stack", depths.how, depths.text, depths.deepest);
    if (depths.computed < computed)
        fail_msg("only %d of %d texts were computed", depths.computed, depths.texts);
}

static void measure_on_painted_stack(void *(*work)(void *data), void *data)
{
    memset(&depths, 0, sizeof depths);
    assert_null(on_painted_stack(work, data));
}

/* A thread's first call makes its arena, which the C library allocates. */
static void make_arena(void)
{
    stria_array copy = {0};
    ok(stria_clone_new(&copy, letters[0].view, NULL));
    stria_array_release(&copy);
}

/* ---- texts of the documents ------------------------------------------------------------------ */

/* Measures each text of at most MOST bytes of a line that stands between two of the same marks. */
static void measure_line(const char *line, char mark)
{
    char text[MOST + 1];
    for (const char *at = strchr(line, mark), *end; at; at = strchr(end, mark)) {
        end = strchr(at + 1, mark);
        if (!end) return;
        const size_t length = (size_t)(end - at - 1);
        if (length == 0 || length > MOST) continue;
        memcpy(text, at + 1, length);
        text[length] = 0;
        measure_all_ways(text, LETTERS, letters);
        measure_told(text, LETTERS, letters);
    }
}

static void *measure_documents(void *data)
{
    static const char *const pages[] = {"README.md",
                                        "docs/language.md",
                                        "docs/reductions.md",
                                        "docs/elementwise.md",
                                        "docs/expressions.md",
                                        "docs/views.md",
                                        "docs/windows.md",
                                        "docs/sorting.md",
                                        "docs/tool.md",
                                        "docs/python.md",
                                        "docs/random.md",
                                        "docs/linear-algebra.md",
                                        "docs/interpreter.md",
                                        "docs/npy.md",
                                        "docs/parts.md",
                                        "docs/performance.md",
                                        "docs/pictures-and-tables.md",
                                        "docs/exact.md",
                                        "docs/conversion.md",
                                        "docs/embed-in-cmake.md"};
    static char line[1 << 14];
    (void)data;
    make_arena();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/../%s", STRIA_TESTS, pages[i]);
        FILE *const file = fopen(path, "r");
        if (!file) return (void *)(uintptr_t)pages[i];
        while (fgets(line, sizeof line, file)) {
            measure_line(line, '`');
            measure_line(line, '"');
            measure_line(line, '\'');
        }
        (void)fclose(file);
    }
    return NULL;
}

static void texts_of_the_documents(void **state)
{
    (void)state;
    /* frames are larger under sanitizers */
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN) skip();
    measure_on_painted_stack(measure_documents, NULL);
    expect_promised_stack(500);
}

/* ---- texts that are drawn -------------------------------------------------------------------- */

static void *measure_drawn(void *data)
{
    static struct guarded_views g;
    static char text[MOST + 1];
    const int count = *(const int *)data;
    make_arena();
    for (int i = 0; i < count; i++) {
        uint64_t seed = (uint64_t)i;
        uint8_t bytes[600];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)random_bits(&seed);
        struct input in = {bytes, sizeof bytes};
        stria_named small[GUARDED_VIEWS];
        take_views(&g, &in);
        for (int k = 0; k < GUARDED_VIEWS; k++)
            small[k] = (stria_named){text_names[k], &g.views[k]};
        (void)put_text_value(&in, text, MOST, 0);
        measure_all_ways(text, GUARDED_VIEWS, small);
        measure_all_ways(text, LETTERS, letters);
        if (i % 4 == 0) measure_told(text, LETTERS, letters);
    }
    return NULL;
}

static void texts_that_are_drawn(void **state)
{
    int count = 1000; /* with fewer, too few may compute something */
    (void)state;
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN) skip();
    measure_on_painted_stack(measure_drawn, &count);
    expect_promised_stack(count / 2);
}

/* ---- deep texts ------------------------------------------------------------------------------ */

/* Text that is nested n deep: n times `open`, `inner`, n times `close`. */
static const struct nesting {
    const char *open, *inner, *close;
} nestings[] = {{"(", "x", ")"},
                {"-", "x", ""},
                {"x + (", "x", ")"},
                {"abs(", "window_max(y, [7, 7], mode='edge')", ")"},
                {"(x.T @ ", "y.double()", ")"},
                {"x.add(", "exact_dot(x, x)", ")"},
                {"sum(", "ger(arange(5), digamma(y[0]))", ")"},
                {"where(x > 0, x, ", "x", ")"},
                {"x.T.T.add(", "x.sum(0)", ".T)"},
                {"[", "1", "]"},
                {"x[:(", "1", ")]"},
                {"x[..., (", "0", ")]"},
                {"x.reshape(*", "x", ".T.shape)"},
                {"slice(", "1", ")"},
                {"2**-", "2", ""},
                {"x or x and x < x | x ^ x & x << x + x * -(", "x", ")"}};

static void write_nested(char *out, const struct nesting *of, int n)
{
    *out = 0;
    for (int i = 0; i < n; i++)
        out = stpcpy(out, of->open);
    out = stpcpy(out, of->inner);
    for (int i = 0; i < n; i++)
        out = stpcpy(out, of->close);
}

static __attribute__((noinline)) stria_status evaluate_nested(const char *text)
{
    stria_results r = {0};
    const stria_status status = stria_eval(&r, text, LETTERS, letters, &alone);
    stria_results_release(&r);
    return status;
}

static bool too_deep_for_the_stack(void)
{
    return strstr(stria_last_error(), "stack of this thread") != NULL;
}

/* Deep text that was parsed on a large stack. */
static stria_prepared *prepared;
static int refused; /* number of texts that were too deep */

static __attribute__((noinline)) bool refuses_prepared(void)
{
    stria_results r = {0};
    return stria_prepared_run(&r, prepared, 1, (const stria_view *[]){letters['x' - 'a'].view},
                              &alone) == STRIA_ERR_FORMAT &&
           too_deep_for_the_stack();
}

/* Evaluates it on the stack that every thread has, of which the test itself takes little. */
static void *evaluate_deep(void *data)
{
    static char text[1 << 14];
    (void)data;
    if (!refuses_prepared()) return "what was prepared runs";
    for (size_t i = 0; i < sizeof nestings / sizeof *nestings; i++)
        for (int n = 1; n < 190; n += n < 40 ? 1 : 30) {
            write_nested(text, &nestings[i], n);
            const stria_status status = evaluate_nested(text);
            const bool deep = status != STRIA_OK && too_deep_for_the_stack();
            refused += deep;
            if (deep && n < 6) return (void *)(uintptr_t)nestings[i].open;
        }
    return NULL;
}

static void deep_texts_on_a_small_stack(void **state)
{
    pthread_attr_t attributes;
    pthread_t thread;
    void *failed = NULL;
    static char text[1 << 14];
    (void)state;
    /* Frames are larger where everything is checked. */
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN || BUILT_WITH_UBSAN) skip();
    write_nested(text, &(const struct nesting){"cumsum(", "x", ", 0)"}, 150);
    ok(stria_prepare(&prepared, text, 1, (const char *const[]){"x"}));
    const size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(
        pthread_attr_setstacksize(&attributes, least > STRIA_STACK ? least : STRIA_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, evaluate_deep, NULL), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    if (failed) fail_msg("%s", (const char *)failed);
    stria_prepared_release(prepared);
    if (least <= STRIA_STACK) assert_in_range(refused, 100, 2000);
}

/* ---- set up ---------------------------------------------------------------------------------- */

static int set_up(void **state)
{
    /* without a BLAS, which may take any amount of stack */
    const stria_blas none = {.int_bits = 32};
    ok(stria_set_blas(&none));
    (void)state;
    make_large();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < LARGE; i++)
        stria_array_release(&large[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_the_documents),
        cmocka_unit_test_setup_teardown(texts_of_the_documents, small_cache, real_cache),
        cmocka_unit_test(texts_that_are_drawn),
        cmocka_unit_test(deep_texts_on_a_small_stack),
        cmocka_unit_test_setup_teardown(texts_that_are_drawn, small_cache, real_cache),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
