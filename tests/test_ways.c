/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explanations name the ways that really run: for every layout of the tool's suites of copies,
 * conversions and operations, on one thread and two. The linker wraps the functions of the rows of
 * ways (CMakeLists.txt) and stria__strategy_run, so that the wrappers note what was asked to run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/ways.h"
#include "lang/eval.h"
#include "stria/stria.h"
#include "support/test.h"

#define WAYS(ROW)                                                                                  \
    ROW(direct)                                                                                    \
    ROW(small_cast)                                                                                \
    ROW(streamed_cast)                                                                             \
    ROW(panels)                                                                                    \
    ROW(row_pieces)                                                                                \
    ROW(blocks)

/* ---- what ran -------------------------------------------------------------------------------- */

enum { MOST = 64 };
static const char *ran[MOST]; /* names in the order of their calls; all parts run on this thread */
static int count;
static int depth; /* greater than 0 inside a way or strategy, whose own calls are not noted */

static void note(const char *name)
{
    if (depth == 0 && count < MOST) ran[count++] = name;
}

static bool run_noted(const struct way *way, const struct call *call, const stria_plan *plan)
{
    note(way->name);
    depth++;
    const bool done = way->run(call, plan);
    depth--;
    if (!done && depth == 0) count--;
    return done;
}

#define WRAPPED(name)                                                                              \
    extern const struct way __real_stria__way_##name;                                              \
    struct way __wrap_stria__way_##name;                                                           \
    static bool run_##name(const struct call *call, const stria_plan *plan)                        \
    {                                                                                              \
        return run_noted(&__real_stria__way_##name, call, plan);                                   \
    }
WAYS(WRAPPED)

void __real_stria__strategy_run(const struct strategy *way, const struct nest *nest, bool stream);
void __wrap_stria__strategy_run(const struct strategy *way, const struct nest *nest, bool stream);
void __wrap_stria__strategy_run(const struct strategy *way, const struct nest *nest, bool stream)
{
    note(way->name);
    depth++;
    __real_stria__strategy_run(way, nest, stream);
    depth--;
}

static int wrap_ways(void **state)
{
    (void)state;
#define WRAP(name)                                                                                 \
    __wrap_stria__way_##name = __real_stria__way_##name;                                           \
    __wrap_stria__way_##name.run = run_##name;
    WAYS(WRAP)
    return 0;
}

/* ---- cases ----------------------------------------------------------------------------------- */

enum { BYTES = 512 << 20, TEXT = 200 };
static _Alignas(4096) char from[BYTES], to[BYTES]; /* zeros; only pages that are read use memory */

struct test_case {
    char dtype[TEXT], to[TEXT], expr[TEXT], with[TEXT];
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
};

static const char *after(const char *line, const char *key)
{
    char mark[TEXT];
    (void)snprintf(mark, sizeof mark, "\"%s\": ", key);
    const char *const at = strstr(line, mark);
    return at ? at + strlen(mark) : NULL;
}

/* Reads the first text of a key; "" where the key is missing. */
static void read_text(char *out, const char *line, const char *key)
{
    const char *at = after(line, key);
    *out = '\0';
    if (at) (void)sscanf(at, *at == '[' ? "[\"%199[^\"]" : "\"%199[^\"]", out);
}

static int read_shape(int64_t *shape, const char *at, const char *ends)
{
    int ndim = 0, used;
    while (*at && !strchr(ends, *at)) {
        assert_int_equal(sscanf(at, "%" SCNd64 "%n", &shape[ndim++], &used), 1);
        at += used;
        at += strspn(at, ", ");
    }
    return ndim;
}

/* Reads the case on a line; returns false for lines of another kind. */
static bool read_case(struct test_case *out, const char *line)
{
    if (!after(line, "expr")) return false;
    read_text(out->dtype, line, "dtype");
    read_text(out->to, line, "to");
    read_text(out->expr, line, "expr");
    read_text(out->with, line, "with");
    out->ndim = read_shape(out->shape, after(line, "shape") + 1, "]");
    return true;
}

static stria_view view_of(char *memory, const char *dtype, int ndim, const int64_t *shape)
{
    stria_view view;
    stria_dtype items;
    ok(stria_dtype_parse(&items, dtype));
    ok(stria_view_foreign(&view, memory, items, ndim, shape, NULL, 0));
    assert_true(stria_nbytes(&view) <= BYTES);
    return view;
}

/* Makes the array that is written as NAME=SHAPE or NAME=SHAPE:DTYPE. */
static stria_view named_view(char *name, const struct test_case *c)
{
    const char *const dtype = strchr(c->with, ':');
    int64_t shape[STRIA_MAX_NDIM];
    *name = *c->with;
    const int ndim = read_shape(shape, c->with + strlen("y="), ":");
    return view_of(from, dtype ? dtype + 1 : c->dtype, ndim, shape);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/*
 * Compares the explanation, text by text, with the functions that ran. An explanation without a row
 * ran as a single row, by the short way for dense operands.
 */
static void assert_ran(const struct test_case *c, const char *told, bool alone)
{
    int seen = 0;
    for (const char *at = told; (at = strstr(at, " kernel"));) {
        char name[TEXT];
        assert_int_equal(sscanf(at, " kernel%*[s,] %199[^0-9]", name), 1);
        assert_true(strlen(name) > 4 && strcmp(name + strlen(name) - 4, " of ") == 0);
        name[strlen(name) - 4] = '\0';
        at += strlen(" kernel");
        if (count == 0 && (!strcmp(name, "rows") || !strcmp(name, "pieces"))) continue;
        if (seen >= count || strcmp(ran[seen], name) != 0)
            fail_msg("%s of %s: \"%s\" is told, and %s runs", c->expr, c->dtype, told,
                     seen < count ? ran[seen] : "nothing");
        seen++;
    }
    if (alone) assert_int_equal(seen, count);
}

/* Runs the parts of a call one after the other, in order. */
static void run_parts(void (*task)(void *data, int64_t i), void *data, int64_t n, void *context)
{
    (void)context;
    for (int64_t i = 0; i < n; i++)
        task(data, i);
}

static void check_copy(const struct test_case *c, int threads)
{
    const stria_exec exec = {.threads = threads, .run = run_parts};
    const stria_view whole = view_of(from, c->dtype, c->ndim, c->shape);
    const stria_named x = {"x", &whole};
    stria_view src = whole;
    stria_copy_plan plan;
    if (strstr(c->expr, "clone")) return;
    if (*c->expr) ok(stria_eval_view(&src, c->expr, 1, &x));
    const stria_view dst = view_of(to, *c->to ? c->to : c->dtype, src.ndim, src.shape);
    ok(stria_copy_plan_make(&plan, &dst, &src, &exec));
    count = 0;
    ok(stria_copy(&dst, &src, &exec));
    if (strcmp(plan.strategy, "convert") == 0)
        assert_ran(c, plan.reason, threads == 1);
    else if (count > 0 && strcmp(plan.strategy, ran[0]) != 0)
        fail_msg("%s of %s: %s is told, and %s runs", c->expr, c->dtype, plan.strategy, ran[0]);
}

static void check_operation(const struct test_case *c, int threads)
{
    const stria_exec exec = {.threads = threads, .run = run_parts};
    const stria_view whole = view_of(from, c->dtype, c->ndim, c->shape);
    char name[] = "w", told[4000] = "";
    const stria_view other = *c->with ? named_view(name, c) : whole;
    const stria_named views[] = {{name, &other}, {"x", &whole}, {"y", &whole},
                                 {"a", &whole},  {"b", &whole}, {"c", &whole},
                                 {"d", &whole},  {"e", &whole}, {"f", &whole}};
    const struct environment environment = {views, sizeof views / sizeof *views, WORLD_TORCH};
    struct failure failure = {.code = STRIA_OK};
    struct evaluation e = stria__evaluation_of(c->expr, &environment, &failure);
    e.waiting.tells = true;
    e.waiting.exec = &exec;
    count = 0;
    if (stria__evaluate(&e) != STRIA_OK) fail_msg("%s: %s", c->expr, failure.message);
    for (const struct step *step = e.first; step; step = step->next)
        if (step->math) strncat(told, step->math->how, sizeof told - strlen(told) - 1);
    assert_true(*told);
    assert_ran(c, told, threads == 1);
    stria__evaluation_end(&e);
}

static void check_suite(const char *suite, void (*check)(const struct test_case *c, int threads))
{
    char path[1000], line[1000];
    struct test_case c;
    int cases = 0;
    (void)snprintf(path, sizeof path, "%s/../tools/stria/bench/suites/%s.json", STRIA_TESTS, suite);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        for (int threads = 1; threads <= 2 && read_case(&c, line); threads++, cases++)
            check(&c, threads);
    assert_true(cases > 20);
    (void)fclose(file);
}

TEST(test_operations)
{
    check_suite("elementwise", check_operation);
}

TEST(test_conversions)
{
    check_suite("convert", check_copy);
}

TEST(test_copies)
{
    check_suite("small", check_copy);
    check_suite("layouts", check_copy);
}

/* Ways that no case of the suites takes. */
TEST(test_others)
{
    static const struct {
        struct test_case c;
        const char *name;
    } others[] = {{{"f64", "f32", ".T", "", {20, 30}, 2}, "one row"},
                  {{"f32", "i32", ".T", "", {4096, 2048}, 2}, "tiles"},
                  {{"u8", "f32", "[:, ::3]", "", {40, 300000}, 2}, "blocks"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        check_copy(&others[i].c, 1);
        assert_true(count > 0);
        assert_string_equal(ran[0], others[i].name);
    }
}

TEST_MAIN(wrap_ways, NULL)
