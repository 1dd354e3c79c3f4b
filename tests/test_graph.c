/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs: what they compute, in which steps, and what is refused of graphs that others build. */
#include <stdlib.h>
#include <string.h>

#include "stria/graph.h"
#include "stria/stria.h"
#include "support/by_value.h"
#include "support/test.h"

/* Fails the test with the library's message. */
/* Makes an array of f32 with the numbers k * 0.37 % 5 - 1. */
static stria_array numbers(int ndim, const int64_t *shape)
{
    stria_array a = {.owned = NULL};
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), ndim, shape));
    for (int64_t k = 0; k < stria_numel(&a.view); k++)
        ((float *)a.view.data)[k] = (float)(k * 37 % 500) / 100 - 1;
    return a;
}

/* Makes an array of numbers of a dtype, in C or F order. */
static stria_array numbers_of(stria_kind kind, int ndim, const int64_t *shape, stria_order order)
{
    stria_array a = numbers(ndim, shape), made = {.owned = NULL};
    ok(stria_empty_ordered(&made, stria_dtype_of(kind), ndim, shape, order));
    ok(stria_copy(&made.view, &a.view, NULL));
    stria_array_release(&a);
    return made;
}

static void assert_same(const stria_view *a, const stria_view *b)
{
    stria_array x = {.owned = NULL}, y = {.owned = NULL};
    assert_int_equal(a->ndim, b->ndim);
    assert_memory_equal(a->shape, b->shape, (size_t)a->ndim * sizeof(int64_t));
    assert_true(stria_dtype_equal(a->dtype, b->dtype));
    ok(stria_empty(&x, a->dtype, a->ndim, a->shape));
    ok(stria_empty(&y, b->dtype, b->ndim, b->shape));
    ok(stria_copy(&x.view, a, NULL));
    ok(stria_copy(&y.view, b, NULL));
    assert_memory_equal(x.view.data, y.view.data, (size_t)stria_nbytes(&x.view));
    stria_array_release(&x);
    stria_array_release(&y);
}

static stria_graph *graph(void)
{
    stria_graph *g = NULL;
    ok(stria_graph_make(&g, STRIA_PROMOTE_TORCH));
    return g;
}

static int input(stria_graph *g, const stria_view *like)
{
    int node = -1;
    ok(stria_graph_input(g, &node, like));
    return node;
}

static int op2(stria_graph *g, stria_op op, int a, int b)
{
    int node = -1;
    ok(stria_graph_op(g, &node, op, 2, (int[]){a, b}));
    return node;
}

static int number(stria_graph *g, double value)
{
    int node = -1;
    ok(stria_graph_scalar(g, &node, STRIA_F64, &value));
    return node;
}

static int slice(stria_graph *g, int of, int dim, int64_t start, int64_t stop)
{
    stria_view view;
    int node = -1;
    ok(stria_narrow(&view, stria_graph_geometry(g, of), dim, start, stop - start));
    ok(stria_graph_view(g, &node, of, NULL, &view));
    return node;
}

static void assert_steps(const stria_graph *g, int steps)
{
    char text[8000];
    ok(stria_graph_explain(text, sizeof text, NULL, g));
    int lines = 0;
    for (const char *at = text; at; at = strchr(at, '\n'))
        lines += *(at += *at == '\n') != ' ';
    if (lines != steps) print_message("%s\n", text);
    assert_int_equal(lines, steps);
}

/* ---- random graphs, against the same calls one by one ------------------------------------------
 */

enum { MOST = 400 };

struct program {
    stria_graph *g;
    int count, node[MOST];
    stria_array value[MOST]; /* results of the same calls one by one */
};

static uint32_t seed;

static int any(int n)
{
    seed = seed * 1664525 + 1013904223;
    return (int)((seed >> 8) % (uint32_t)n);
}

static int add_value(struct program *p, int node, stria_array value)
{
    p->node[p->count] = node;
    p->value[p->count] = value;
    return p->count++;
}

static void add_input(struct program *p)
{
    const int64_t shapes[][2] = {{6, 5}, {1, 5}, {6, 1}, {6, 5}};
    const stria_array a = numbers(2, shapes[any(4)]);
    add_value(p, input(p->g, &a.view), a);
}

/* A user's function with two results: the sum of the squares of its operand, and of the negated
 * operand. */
static stria_status two_results(void *context, int count, stria_array *made, int n,
                                const stria_view *const *operands, const stria_exec *exec)
{
    (void)context, (void)count, (void)n;
    stria_status status = stria_elementwise_new(&made[0], STRIA_SQUARE, 1, operands, exec);
    if (!status) status = stria_elementwise_new(&made[1], STRIA_NEGATIVE, 1, operands, exec);
    return status;
}

static void add_call(struct program *p, int a)
{
    stria_array made[2] = {{.owned = NULL}, {.owned = NULL}};
    const stria_view *const of = &p->value[a].view;
    ok(two_results(NULL, 2, made, 1, &of, NULL));
    stria_array like[2] = {{.owned = NULL}, {.owned = NULL}};
    const stria_view *const geometry = stria_graph_geometry(p->g, p->node[a]);
    ok(two_results(NULL, 2, like, 1, &geometry, NULL));
    const stria_graph_call call = {.name = "two",
                                   .function = two_results,
                                   .count = 2,
                                   .likes = (const stria_view *[]){&like[0].view, &like[1].view}};
    int node;
    ok(stria_graph_call_function(p->g, &node, &call, 1, &p->node[a]));
    add_value(p, node, made[0]);
    add_value(p, node + 1, made[1]);
    stria_array_release(&like[0]);
    stria_array_release(&like[1]);
}

/* Makes the same view of the geometry and of the value. */
static stria_status view_of(stria_view *out, const stria_view *a, int what, int dim)
{
    if (what == 0) return stria_permute(out, a, 2, (int[]){1, 0});
    if (what == 1) return stria_flip(out, a, 1, &dim);
    if (what == 2 && a->shape[dim] > 1) return stria_narrow(out, a, dim, 1, a->shape[dim] - 1);
    return stria_narrow(out, a, dim, 0, 1);
}

static void add_view(struct program *p, int a)
{
    stria_view view, geometry;
    int node;
    const int what = any(4), dim = any(2);
    ok(view_of(&view, &p->value[a].view, what, dim));
    ok(view_of(&geometry, stria_graph_geometry(p->g, p->node[a]), what, dim));
    ok(stria_graph_view(p->g, &node, p->node[a], NULL, &geometry));
    add_value(p, node, shared_of(&view));
}

static void add_operation(struct program *p, int a, int b)
{
    static const stria_op ops[] = {STRIA_ADD, STRIA_SUBTRACT, STRIA_MULTIPLY, STRIA_ATAN2,
                                   STRIA_MAXIMUM};
    const stria_op op = ops[any(5)];
    stria_array made = {.owned = NULL};
    int node;
    const stria_view *const views[] = {&p->value[a].view, &p->value[b].view};
    if (stria_elementwise_new(&made, op, 2, views, NULL) != STRIA_OK) {
        assert_int_not_equal(stria_graph_op(p->g, &node, op, 2, (int[]){p->node[a], p->node[b]}),
                             STRIA_OK);
        return;
    }
    add_value(p, op2(p->g, op, p->node[a], p->node[b]), made);
}

static void add_reduction(struct program *p, int a)
{
    const stria_reduce_options keep = {.keepdims = true};
    stria_array made = {.owned = NULL};
    int node;
    const int dim = any(2);
    ok(stria_reduce_dims_new(&made, STRIA_SUM, &p->value[a].view, 1, &dim, &keep, NULL));
    ok(stria_graph_reduce(p->g, &node, STRIA_SUM, p->node[a], 1, &dim, &keep));
    add_value(p, node, made);
}

static void run_program(struct program *p, int results)
{
    const stria_view *inputs[MOST];
    stria_array made[8] = {{.owned = NULL}};
    int which[8], n = 0, roots[8];
    for (int j = 0; j < results; j++)
        roots[j] = p->node[which[j] = p->count - 1 - any(p->count / 3 + 1)];
    ok(stria_graph_prepare(p->g, results, roots));
    for (int i = 0; i < 4; i++)
        inputs[n++] = &p->value[i].view;
    for (int again = 0; again < 3; again++) {
        ok(stria_graph_run_new(made, p->g, n, inputs, NULL));
        for (int j = 0; j < results; j++)
            assert_same(&made[j].view, &p->value[which[j]].view);
    }
    /* Runs into arrays that exist. */
    const stria_view *outs[8];
    for (int j = 0; j < results; j++) {
        stria_array out = {.owned = NULL};
        ok(stria_empty_like(&out, &made[j].view, made[j].view.dtype, STRIA_ORDER_C));
        stria_array_release(&made[j]);
        made[j] = out;
        outs[j] = &made[j].view;
    }
    ok(stria_graph_run(outs, p->g, n, inputs, NULL));
    for (int j = 0; j < results; j++) {
        assert_same(&made[j].view, &p->value[which[j]].view);
        stria_array_release(&made[j]);
    }
}

TEST(random_graphs_give_what_their_calls_give)
{
    struct program *const p = malloc(sizeof *p);
    assert_non_null(p);
    for (int round = 0; round < 300; round++) {
        seed = (uint32_t)round;
        memset(p, 0, sizeof *p);
        p->g = graph();
        for (int i = 0; i < 4; i++)
            add_input(p);
        const int length = 3 + any(round % 10 ? 30 : 300);
        for (int i = 0; i < length && p->count < MOST - 4; i++) {
            const int a = any(p->count), b = p->count > 8 && any(3) ? p->count - 1 - any(8) : a;
            const int what = any(12);
            if (what == 0)
                add_call(p, a);
            else if (what < 4)
                add_view(p, b);
            else if (what == 4)
                add_reduction(p, a);
            else
                add_operation(p, a, b);
        }
        run_program(p, 1 + any(7));
        for (int i = 0; i < p->count; i++)
            stria_array_release(&p->value[i]);
        stria_graph_release(p->g);
    }
    free(p);
}

/* ---- steps -------------------------------------------------------------------------------------
 */

TEST(a_reduction_of_an_expression_is_one_step)
{
    for (int64_t n = 16; n <= 16000; n *= 1000) {
        const stria_array x = numbers(1, &n);
        stria_graph *const g = graph();
        int total;
        const int a = input(g, &x.view), b = input(g, &x.view),
                  sum = op2(g, STRIA_ADD, op2(g, STRIA_MULTIPLY, a, number(g, 2)), b);
        ok(stria_graph_reduce(g, &total, STRIA_SUM, sum, 1, (int[]){0}, NULL));
        ok(stria_graph_prepare(g, 1, &total));
        assert_steps(g, n > 2048 ? 1 : 2); /* of few elements two steps are faster */
        stria_graph_release(g);
        stria_array_release(&(stria_array){.owned = x.owned});
    }
}

TEST(slices_of_what_was_computed_are_one_step)
{
    const int64_t shape[] = {40, 30};
    stria_array x = numbers(2, shape), made = {.owned = NULL};
    stria_graph *const g = graph();
    const int a = input(g, &x.view), twice = op2(g, STRIA_MULTIPLY, a, number(g, 2));
    int node = op2(g, STRIA_ADD, slice(g, twice, 0, 2, 40), slice(g, twice, 0, 0, 38));
    node = op2(g, STRIA_SUBTRACT, node, slice(g, a, 0, 1, 39));
    ok(stria_graph_prepare(g, 1, &node));
    char text[2000];
    ok(stria_graph_explain(text, sizeof text, NULL, g));
    assert_non_null(strstr(text, "of 3 arrays")); /* the arrays are views of x, none a result */
    ok(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&x.view}, NULL));
    const float *const from = (const float *)x.view.data, *const to = (float *)made.view.data;
    for (int64_t k = 0; k < 38 * 30; k++)
        assert_true(to[k] == from[k + 60] * 2 + from[k] * 2 - from[k + 30]);
    stria_array_release(&x);
    stria_array_release(&made);
    stria_graph_release(g);
}

/* By PyTorch's rule f64 of 0 dims give way to f32 of others, also where a view of what they give
 * is computed from views of both. */
TEST(arrays_of_no_dims_give_way_in_views)
{
    const int64_t shape[] = {3, 4};
    stria_array x = numbers(2, shape), third = numbers_of(STRIA_F64, 0, NULL, STRIA_ORDER_C),
                all = {.owned = NULL}, made = {.owned = NULL};
    const stria_op ops[] = {STRIA_MULTIPLY, STRIA_EQUAL};
    const stria_view *const both[] = {&x.view, &third.view};
    *(double *)third.view.data = 1.0 / 3;
    ((float *)x.view.data)[0] = 1.0f / 3;
    for (int i = 0; i < 6; i++) {
        stria_graph *const g = graph();
        const int a = input(g, both[0]), b = input(g, both[1]), whole = op2(g, ops[i % 2], a, b);
        stria_view wanted, view = *stria_graph_geometry(g, whole);
        int node;
        ok(stria_elementwise_new(&all, ops[i % 2], 2, both, NULL));
        wanted = all.view;
        for (int d = 0; d < i / 2; d++) {
            ok(stria_select(&wanted, &wanted, 0, 0));
            ok(stria_select(&view, &view, 0, 0));
        }
        ok(stria_reverse_dims(&wanted, &wanted));
        ok(stria_reverse_dims(&view, &view));
        ok(stria_graph_view(g, &node, whole, NULL, &view));
        ok(stria_graph_prepare(g, 1, &node));
        ok(stria_graph_run_new(&made, g, 2, both, NULL));
        assert_same(&made.view, &wanted);
        stria_graph_release(g);
    }
    stria_array_release(&x);
    stria_array_release(&third);
    stria_array_release(&all);
    stria_array_release(&made);
}

TEST(a_small_array_is_computed_once_for_many_elements)
{
    const int64_t shape[] = {200, 100};
    stria_array x = numbers(2, shape), made = {.owned = NULL};
    for (int rows = 3; rows <= 200; rows += 197) { /* Three rows are not worth another step. */
        stria_view part;
        ok(stria_narrow(&part, &x.view, 0, 0, rows));
        stria_graph *const g = graph();
        const int a = input(g, &part), row = slice(g, a, 0, 0, 1);
        int grown = -1;
        ok(stria_graph_op(g, &grown, STRIA_EXP, 1, &row));
        const int sum = op2(g, STRIA_ADD, a, grown);
        ok(stria_graph_prepare(g, 1, &sum));
        assert_steps(g, rows == 3 ? 2 : 3);
        ok(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&part}, NULL));
        stria_graph_release(g);
    }
    stria_array_release(&x);
    stria_array_release(&made);
}

/* A number that is an input may be another one in each run. */
TEST(numbers_are_inputs)
{
    const int64_t n = 10;
    stria_array x = numbers(1, &n), made = {.owned = NULL};
    double step = 0.5;
    stria_view weak;
    ok(stria_weak(&weak, STRIA_F64, &step));
    stria_graph *const g = graph();
    const int a = input(g, &x.view), dt = input(g, &weak);
    const int node = op2(g, STRIA_MULTIPLY, a, dt);
    ok(stria_graph_prepare(g, 1, &node));
    for (int again = 0; again < 4; again++, step *= 2) {
        ok(stria_graph_run_new(&made, g, 2, (const stria_view *[]){&x.view, &weak}, NULL));
        assert_int_equal(made.view.dtype.kind, STRIA_F32);
        for (int64_t k = 0; k < n; k++)
            assert_true(((float *)made.view.data)[k] ==
                        ((const float *)x.view.data)[k] * (float)step);
    }
    stria_array_release(&x);
    stria_array_release(&made);
    stria_graph_release(g);
}

TEST(text_makes_nodes)
{
    const int64_t shape[] = {4, 6};
    static const char *const names[] = {"a", "b"};
    stria_array x = numbers(2, shape), made = {.owned = NULL};
    stria_graph *const g = graph();
    const int a = input(g, &x.view), b = op2(g, STRIA_ADD, a, a);
    int node = -7, other;
    ok(stria_graph_text(g, &node, "(a * 2 - b.T.flip(0).T)[1:].sort(1)[0].cumsum(0) / a.shape[0]",
                        2, names, (int[]){a, b}));
    const int count = node;
    assert_int_equal(stria_graph_text(g, &other, "a + b.nonzero().sum()", 2, names, (int[]){a, b}),
                     STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_eval_column(), 6);
    assert_int_equal(stria_graph_text(g, &other, "a.exp() + b.add_(1)", 2, names, (int[]){a, b}),
                     STRIA_ERR_READONLY);
    assert_int_equal(stria_eval_column(), 12);
    assert_int_equal(stria_graph_text(g, &other, "a +", 2, names, (int[]){a, b}), STRIA_ERR_FORMAT);
    assert_int_equal(stria_graph_text(g, &other, "a.shape", 2, names, (int[]){a, b}),
                     STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_graph_text(g, &other, "a", 2, names, (int[]){a, 999}),
                     STRIA_ERR_ARGUMENT);
    assert_null(stria_graph_geometry(g, count + 1)); /* the graph is unchanged */
    ok(stria_graph_prepare(g, 1, &node));
    stria_results want = {0};
    const stria_named named = {"a", &x.view};
    ok(stria_eval(&want, "(a * 2 - (a + a).T.flip(0).T)[1:].sort(1)[0].cumsum(0) / a.shape[0]", 1,
                  &named, NULL));
    for (int again = 0; again < 3; again++) {
        ok(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&x.view}, NULL));
        assert_same(&made.view, &want.one.view);
    }
    stria_results_release(&want);
    stria_graph_release(g);
    stria_array_release(&x);
    stria_array_release(&made);
}

/* ---- what is refused ---------------------------------------------------------------------------
 */

TEST(nodes_of_strangers_are_refused)
{
    const int64_t shape[] = {3, 4};
    stria_array x = numbers(2, shape), y = numbers(1, &shape[0]);
    stria_graph *const g = graph();
    int node = -7;
    const int a = input(g, &x.view), b = input(g, &y.view), two = number(g, 2);
    refused(stria_graph_op(g, &node, STRIA_ADD, 2, (int[]){a, 99}), STRIA_ERR_ARGUMENT,
            "node 3: operand 1 is node 99");
    refused(stria_graph_op(g, &node, STRIA_ADD, 2, (int[]){a, -1}), STRIA_ERR_ARGUMENT,
            "operand 1 is node -1");
    refused(stria_graph_op(g, &node, STRIA_ADD, 2, (int[]){a, 3}), STRIA_ERR_ARGUMENT,
            /* an operand cannot be a later node: there are no cycles */
            "operand 1 is node 3");
    refused(stria_graph_op(g, &node, STRIA_ADD, 2, (int[]){a, b}), STRIA_ERR_BROADCAST, "node 3: ");
    refused(stria_graph_op(g, &node, STRIA_ADD, 2, (int[]){two, two}), STRIA_ERR_ARGUMENT,
            "numbers alone");
    refused(stria_graph_op(g, &node, STRIA_ADD, 3, (int[]){a, a, a}), STRIA_ERR_ARGUMENT,
            "node 3: ");
    refused(stria_graph_op(g, &node, (stria_op)9999, 2, (int[]){a, a}), STRIA_ERR_ARGUMENT,
            "node 3: ");
    refused(stria_graph_op(g, &node, STRIA_ADD, 2, NULL), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_graph_reduce(g, &node, STRIA_SUM, a, 1, (int[]){2}, NULL), STRIA_ERR_DIM,
            "node 3: ");
    refused(stria_graph_reduce(g, &node, STRIA_SUM, a, 1, NULL, NULL), STRIA_ERR_ARGUMENT,
            "node 3: ");
    refused(stria_graph_view(g, &node, a, NULL, &x.view), STRIA_ERR_ARGUMENT,
            "of what has the geometry of node 0");
    stria_view beyond = *stria_graph_geometry(g, a);
    beyond.shape[0] = 4;
    refused(stria_graph_view(g, &node, a, NULL, &beyond), STRIA_ERR_BOUNDS, "node 3: ");
    refused(stria_graph_input(g, &node, NULL), STRIA_ERR_ARGUMENT, "node 3: ");
    refused(stria_graph_scalar(g, &node, STRIA_F32, &x), STRIA_ERR_ARGUMENT, "node 3: ");
    refused(stria_graph_prepare(g, 0, &a), STRIA_ERR_ARGUMENT, "0 results");
    refused(stria_graph_prepare(g, 1, (int[]){3}), STRIA_ERR_ARGUMENT, "node 3");
    refused(stria_graph_run_new(&y, g, 0, NULL, NULL), STRIA_ERR_ARGUMENT, "not prepared");
    assert_int_equal(node, -7);
    assert_null(stria_graph_geometry(g, 3));
    ok(stria_graph_prepare(g, 1, &a));
    refused(stria_graph_op(g, &node, STRIA_ADD, 2, (int[]){a, a}), STRIA_ERR_ARGUMENT,
            "is prepared");
    refused(stria_graph_prepare(g, 1, &a), STRIA_ERR_ARGUMENT, "prepared already");
    stria_graph_release(g);
    stria_graph_release(NULL);
    stria_array_release(&x);
    stria_array_release(&y);
}

TEST(runs_of_strangers_are_refused)
{
    const int64_t shape[] = {3, 4};
    stria_array x = numbers(2, shape), y = numbers(2, shape), before = {.owned = NULL},
                made = {.owned = NULL};
    stria_view turned, cleared = x.view;
    ok(stria_permute(&turned, &x.view, 2, (int[]){1, 0}));
    ok(stria_clone_new(&before, &y.view, NULL));
    cleared.data = NULL;
    cleared.buffer = NULL;
    stria_graph *const g = graph();
    const int a = input(g, &x.view), twice = op2(g, STRIA_ADD, a, a);
    int sum, total;
    ok(stria_graph_reduce(g, &sum, STRIA_SUM, a, 1, (int[]){0}, NULL));
    total = op2(g, STRIA_ADD, sum, a);
    ok(stria_graph_prepare(g, 2, (int[]){twice, total}));
    const stria_view *const in[] = {&x.view};
    refused(stria_graph_run_new(&made, g, 0, NULL, NULL), STRIA_ERR_ARGUMENT, "takes 1");
    refused(stria_graph_run_new(&made, g, 1, NULL, NULL), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&turned}, NULL),
            STRIA_ERR_ARGUMENT, "input 0 (node 0) has shape (4, 3)");
    refused(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&cleared}, NULL),
            STRIA_ERR_ARGUMENT, "input 0");
    refused(stria_graph_run_new(&made, g, 1, (const stria_view *[]){NULL}, NULL),
            STRIA_ERR_ARGUMENT, "input 0");
    refused(
        stria_graph_run_new(&made, g, 1, (const stria_view *[]){stria_graph_geometry(g, a)}, NULL),
        STRIA_ERR_ARGUMENT, "no memory");
    /* The first result is written before the second one reads x. */
    refused(stria_graph_run((const stria_view *[]){&x.view, &y.view}, g, 1, in, NULL),
            STRIA_ERR_OVERLAP, "out 0 (node 1) shares bytes with input 0");
    refused(stria_graph_run((const stria_view *[]){&y.view, &y.view}, g, 1, in, NULL),
            STRIA_ERR_OVERLAP, "share bytes");
    refused(stria_graph_run((const stria_view *[]){&y.view, &turned}, g, 1, in, NULL),
            STRIA_ERR_SHAPE, "shape");
    refused(stria_graph_run((const stria_view *[]){&y.view, NULL}, g, 1, in, NULL),
            STRIA_ERR_ARGUMENT, "NULL");
    assert_same(&y.view, &before.view); /* nothing is written */
    ok(stria_graph_run((const stria_view *[]){&y.view, &x.view}, g, 1, in, NULL));
    stria_graph_release(g);
    stria_array_release(&x);
    stria_array_release(&y);
    stria_array_release(&before);
}

/* The step that writes the second result would refuse it when the first one is written. */
TEST(forbidden_overlap_is_refused_before_anything_is_written)
{
    const int64_t shape[] = {4, 4};
    const stria_exec apart = {.hints = STRIA_NO_OVERLAP};
    stria_array x = numbers(2, shape), y = numbers(2, shape), before = {.owned = NULL};
    stria_view turned;
    int sum;
    ok(stria_permute(&turned, &x.view, 2, (int[]){1, 0}));
    ok(stria_clone_new(&before, &y.view, NULL));
    stria_graph *const g = graph();
    const int a = input(g, &x.view), twice = op2(g, STRIA_ADD, a, a);
    ok(stria_graph_reduce(g, &sum, STRIA_SUM, a, 1, (int[]){0}, NULL));
    const int total = op2(g, STRIA_ADD, sum, a);
    ok(stria_graph_prepare(g, 2, (int[]){twice, total}));
    const stria_view *const in[] = {&x.view};
    refused(stria_graph_run((const stria_view *[]){&y.view, &turned}, g, 1, in, &apart),
            STRIA_ERR_OVERLAP, "STRIA_NO_OVERLAP");
    assert_same(&y.view, &before.view);
    ok(stria_graph_run((const stria_view *[]){&y.view, &x.view}, g, 1, in, &apart));
    stria_graph_release(g);
    stria_array_release(&x);
    stria_array_release(&y);
    stria_array_release(&before);
}

/* A step that reads a turned view of what it would write, or that reduces it, refuses it, too. */
TEST(what_no_step_can_do_in_place_is_refused_before_anything_is_written)
{
    const int64_t shape[] = {1, 1}, wide[] = {2, 3};
    const stria_exec apart = {.hints = STRIA_NO_OVERLAP};
    for (int turned = 0; turned < 2; turned++) {
        stria_array x = numbers(2, turned ? wide : shape), y = numbers(2, shape),
                    before = {.owned = NULL};
        stria_view view;
        int last;
        ok(stria_clone_new(&before, &y.view, NULL));
        stria_graph *const g = graph();
        const int a = input(g, &x.view), b = input(g, &y.view), twice = op2(g, STRIA_ADD, b, b);
        if (turned) {
            ok(stria_flip(&view, stria_graph_geometry(g, a), 1, (int[]){1}));
            ok(stria_graph_view(g, &last, a, NULL, &view));
            last = op2(g, STRIA_ADD, last, a);
        } else {
            ok(stria_graph_reduce(g, &last, STRIA_SUM, a, 1, (int[]){0},
                                  &(stria_reduce_options){.keepdims = true}));
        }
        ok(stria_graph_prepare(g, 2, (int[]){twice, last}));
        const stria_view *const in[] = {&x.view, &y.view};
        refused(stria_graph_run((const stria_view *[]){&y.view, &x.view}, g, 2, in, &apart),
                STRIA_ERR_OVERLAP, "STRIA_NO_OVERLAP");
        assert_same(&y.view, &before.view);
        ok(stria_graph_run((const stria_view *[]){&y.view, &x.view}, g, 2, in, NULL));
        stria_graph_release(g);
        stria_array_release(&x);
        stria_array_release(&y);
        stria_array_release(&before);
    }
}

/* The caller's arrays may own what is read, and what other results lie in. */
TEST(results_may_replace_owners_of_inputs)
{
    const int64_t n = 10;
    stria_array both[] = {numbers(1, &n), numbers(1, &n)}, kept[2] = {{.owned = NULL}};
    stria_graph *const g = graph();
    const int a = input(g, &both[0].view), b = input(g, &both[1].view),
              results[] = {b, slice(g, a, 0, 0, n)};
    ((float *)both[1].view.data)[0] = 7;
    for (int i = 0; i < 2; i++)
        ok(stria_clone_new(&kept[i], &both[1 - i].view, NULL));
    ok(stria_graph_prepare(g, 2, results));
    ok(stria_graph_run_new(both, g, 2, (const stria_view *[]){&both[0].view, &both[1].view}, NULL));
    stria_graph_release(g);
    for (int i = 0; i < 2; i++) {
        assert_same(&both[i].view, &kept[i].view);
        stria_array_release(&both[i]);
        stria_array_release(&kept[i]);
    }
}

static stria_status fails(void *context, int count, stria_array *made, int n,
                          const stria_view *const *operands, const stria_exec *exec)
{
    (void)count, (void)n, (void)exec;
    const int64_t size = 3;
    if (!context) return stria_fail(STRIA_ERR_IO, "fails: the disk is full");
    (void)operands;
    return stria_empty(made, stria_dtype_of(STRIA_F32), 1, &size);
}

TEST(functions_may_fail_and_break_their_word)
{
    const int64_t n = 10;
    stria_array x = numbers(1, &n), made = {.owned = NULL};
    for (int wrong = 0; wrong < 2; wrong++) {
        stria_graph *const g = graph();
        const int a = input(g, &x.view);
        const stria_view *const like = stria_graph_geometry(g, a);
        const stria_graph_call call = {.name = "fails",
                                       .function = fails,
                                       .context = wrong ? &wrong : NULL,
                                       .count = 1,
                                       .likes = &like};
        int node;
        ok(stria_graph_call_function(g, &node, &call, 1, &a));
        ok(stria_graph_prepare(g, 1, &node));
        refused(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&x.view}, NULL),
                wrong ? STRIA_ERR_ARGUMENT : STRIA_ERR_IO, "fails");
        assert_null(made.owned);
        stria_graph_release(g);
    }
    stria_array_release(&x);
}

static stria_status conjugates(void *context, int count, stria_array *made, int n,
                               const stria_view *const *operands, const stria_exec *exec)
{
    stria_view view = *operands[0];
    (void)count, (void)n, (void)exec;
    const stria_status status = context ? stria_conj(&view, operands[0]) : STRIA_OK;
    return status ? status : stria_array_share(made, &view);
}

/* A function promises conjugates, or none, in C order, and gives such in another order, or none. */
TEST(results_of_functions_are_conjugated_as_promised)
{
    const int64_t shape[] = {2, 3};
    for (int i = 0; i < 8; i++) {
        const bool gives = i & 1, promises = i & 2;
        stria_array x = numbers_of(STRIA_C64, 2, shape, i & 4 ? STRIA_ORDER_F : STRIA_ORDER_C);
        stria_array c = numbers_of(STRIA_C64, 2, shape, STRIA_ORDER_C), made = {.owned = NULL};
        stria_view like = c.view, want = x.view, turned;
        for (int k = 0; k < 6; k++)
            ((float *)x.view.data)[2 * k + 1] = (float)(k + 1);
        if (promises) ok(stria_conj(&like, &c.view));
        if (gives) ok(stria_conj(&want, &x.view));
        ok(stria_matrix_transpose(&want, &want));
        stria_graph *const g = graph();
        const int a = input(g, &x.view);
        const stria_view *const likes[] = {&like};
        const stria_graph_call call = {.name = "conjugates",
                                       .function = conjugates,
                                       .context = gives ? &x : NULL,
                                       .count = 1,
                                       .likes = likes};
        int node, view;
        ok(stria_graph_call_function(g, &node, &call, 1, &a));
        ok(stria_matrix_transpose(&turned, stria_graph_geometry(g, node)));
        ok(stria_graph_view(g, &view, node, NULL, &turned));
        ok(stria_graph_prepare(g, 1, &view));
        ok(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&x.view}, NULL));
        assert_same(&made.view, &want);
        stria_array_release(&made);
        stria_graph_release(g);
        stria_array_release(&x);
        stria_array_release(&c);
    }
}

/* A chain of 10,000 operations, and arrays of 64 dims. */
TEST(long_graphs_and_many_dims_run)
{
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        shape[d] = d < 3 ? 2 : 1;
    stria_array x = numbers(STRIA_MAX_NDIM, shape), made = {.owned = NULL};
    stria_graph *const g = graph();
    const int a = input(g, &x.view);
    int node = a;
    for (int i = 0; i < 10000; i++)
        node = op2(g, i % 2 ? STRIA_SUBTRACT : STRIA_ADD, node, a);
    ok(stria_graph_prepare(g, 1, &node));
    ok(stria_graph_run_new(&made, g, 1, (const stria_view *[]){&x.view}, NULL));
    stria_array want = {.owned = NULL};
    ok(stria_clone_new(&want, &x.view, NULL));
    for (int i = 0; i < 10000; i++)
        ok(stria_elementwise(&want.view, i % 2 ? STRIA_SUBTRACT : STRIA_ADD, 2,
                             (const stria_view *[]){&want.view, &x.view}, NULL));
    assert_same(&made.view, &want.view);
    stria_graph_release(g);
    stria_array_release(&x);
    stria_array_release(&made);
    stria_array_release(&want);
}

/* Runs the graph and asserts that each result is the product that the call gives. */
static void assert_products(const stria_graph *g, int n, const stria_view *const *inputs, int count,
                            const stria_view *const (*operands)[2], const char *step)
{
    stria_array made[2] = {{.owned = NULL}}, right = {.owned = NULL};
    char text[2000];
    ok(stria_graph_run_new(made, g, n, inputs, NULL));
    for (int j = 0; j < count; j++) {
        ok(stria_matmul_new(&right, operands[j][0], operands[j][1], NULL));
        assert_same(&made[j].view, &right.view);
        stria_array_release(&made[j]);
    }
    ok(stria_graph_explain(text, sizeof text, NULL, g));
    if (!strstr(text, step)) fail_msg("'%s' lacks '%s'", text, step);
    stria_array_release(&right);
}

/* A matrix, in C or F order, and a vector for each side. */
struct products {
    stria_array a, x, y;
    stria_graph *g;
    int node[3], product[2];
};

static void begin_products(struct products *p)
{
    p->g = graph();
    p->node[0] = input(p->g, &p->a.view);
    p->node[1] = input(p->g, &p->x.view);
    p->node[2] = input(p->g, &p->y.view);
}

static void test_together(struct products *p)
{
    const stria_view *const inputs[] = {&p->a.view, &p->x.view, &p->y.view};
    stria_array first = {.owned = NULL};
    ok(stria_matmul_new(&first, &p->a.view, &p->x.view, NULL));
    const stria_view *const expected[][2] = {
        {&p->a.view, &p->x.view}, {&p->y.view, &p->a.view}, {&first.view, &p->a.view}};
    for (int after = 0; after < 2; after++) {
        begin_products(p);
        ok(stria_graph_matmul(p->g, &p->product[0], p->node[0], p->node[1]));
        ok(stria_graph_matmul(p->g, &p->product[1], after ? p->product[0] : p->node[2],
                              p->node[0]));
        ok(stria_graph_prepare(p->g, 2, p->product));
        const stria_view *const both[][2] = {{expected[0][0], expected[0][1]},
                                             {expected[1 + after][0], expected[1 + after][1]}};
        assert_products(p->g, 3, inputs, 2, both,
                        "2 product(s) with vectors of a matrix that is read once");
        stria_graph_release(p->g);
    }
    stria_array_release(&first);
}

/* Multiplies a times a number, or a + a, with a vector from either side. */
static void test_computed(struct products *p, double number, const char *scaled,
                          const char *computed)
{
    stria_array matrix = {.owned = NULL};
    stria_view weak;
    ok(stria_weak(&weak, STRIA_F64, &number));
    const stria_view *const inputs[] = {&p->a.view, &p->x.view, &p->y.view};
    for (int way = 0; way < 4; way++) {
        const stria_view *const both[] = {&p->a.view, way < 2 ? &weak : &p->a.view};
        const stria_op op = way < 2 ? STRIA_MULTIPLY : STRIA_ADD;
        int factor, made;
        ok(stria_elementwise_new(&matrix, op, 2, both, NULL));
        begin_products(p);
        ok(stria_graph_scalar(p->g, &factor, STRIA_F64, &number));
        ok(stria_graph_op(p->g, &made, op, 2, (int[]){p->node[0], way < 2 ? factor : p->node[0]}));
        ok(stria_graph_matmul(p->g, p->product, way % 2 ? p->node[2] : made,
                              way % 2 ? made : p->node[1]));
        ok(stria_graph_prepare(p->g, 1, p->product));
        const stria_view *const expected[][2] = {
            {way % 2 ? &p->y.view : &matrix.view, way % 2 ? &matrix.view : &p->x.view}};
        assert_products(p->g, 3, inputs, 1, expected, way < 2 ? scaled : computed);
        stria_graph_release(p->g);
    }
    stria_array_release(&matrix);
}

/* Products of one matrix with vectors have the bits of the calls, large and small, in both orders.
 */
TEST(test_products)
{
    static const int64_t sizes[][2] = {{611, 405}, {9, 20}, {40, 1500}};
    for (int i = 0; i < 12; i++) {
        const int64_t *const shape = sizes[i / 4];
        const stria_kind kind = i & 1 ? STRIA_F64 : STRIA_F32;
        struct products p = {.a = numbers_of(kind, 2, shape, i & 2 ? STRIA_ORDER_F : STRIA_ORDER_C),
                             .x = numbers_of(kind, 1, &shape[1], STRIA_ORDER_C),
                             .y = numbers_of(kind, 1, &shape[0], STRIA_ORDER_C)};
        test_together(&p);
        const bool as_it_is = i / 4 == 1 || i & 2;
        test_computed(&p, 1.3, as_it_is ? "" : "scaled as it is read",
                      as_it_is ? "" : "computed block by block");
        ok(stria_abs(&p.a.view, &p.a.view, NULL));
        ok(stria_abs(&p.x.view, &p.x.view, NULL));
        ok(stria_abs(&p.y.view, &p.y.view, NULL));
        test_computed(&p, 1e300 * (i & 1 ? 1e300 : 1), "", "");
        stria_array_release(&p.a);
        stria_array_release(&p.x);
        stria_array_release(&p.y);
    }
    stria_graph *const g = graph();
    const int64_t shape[] = {3, 4};
    stria_array a = numbers(2, shape);
    const int node = input(g, &a.view);
    int made;
    refused(stria_graph_matmul(g, &made, node, node), STRIA_ERR_SHAPE, "node 1: matmul");
    refused(stria_graph_matmul(g, NULL, node, node), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_graph_matmul(g, &made, node, 7), STRIA_ERR_ARGUMENT, "7");
    stria_graph_release(g);
    stria_array_release(&a);
}

TEST_MAIN(NULL, NULL)
