/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refusals of expressions: each names the node or the input, comes before anything is written, and
 * leaves the expression as it was. Also, every allocation fails once.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROWS = 20, COLUMNS = 30 };

static const int64_t shape[] = {ROWS, COLUMNS};

static stria_array matrix(stria_kind kind)
{
    stria_array out = {0};
    ok(stria_zeros(&out, stria_dtype_of(kind), 2, shape));
    return out;
}

static stria_expr *new_expr(void)
{
    stria_expr *out;
    ok(stria_expr_make(&out));
    return out;
}

static int input(stria_expr *expr, int index)
{
    int node = -1;
    ok(stria_expr_input(expr, &node, index));
    return node;
}

static int combine(stria_expr *expr, stria_op op, int a, int b)
{
    int node = -1;
    ok(stria_expr_op(expr, &node, op, 2, (int[]){a, b}));
    return node;
}

/* ---- building ------------------------------------------------------------------------------- */

TEST(test_nodes)
{
    const int64_t one = 1;
    int node = 77;
    stria_expr *const e = new_expr();
    refused(stria_expr_make(NULL), STRIA_ERR_ARGUMENT, "out is NULL");
    refused(stria_expr_op(e, &node, STRIA_ADD, 2, (int[]){0, 0}), STRIA_ERR_ARGUMENT, "node 0");
    assert_int_equal(input(e, 0), 0);
    refused(stria_expr_input(NULL, &node, 0), STRIA_ERR_ARGUMENT, "expr is NULL");
    refused(stria_expr_input(e, NULL, 0), STRIA_ERR_ARGUMENT, "node is NULL");
    refused(stria_expr_input(e, &node, -1), STRIA_ERR_ARGUMENT, "input -1");
    refused(stria_expr_input(e, &node, STRIA_EXPR_INPUTS), STRIA_ERR_ARGUMENT, "input 32");
    refused(stria_expr_op(e, &node, STRIA_OPS, 2, (int[]){0, 0}), STRIA_ERR_ARGUMENT,
            "no operation");
    refused(stria_expr_op(e, &node, (stria_op)-1, 2, (int[]){0, 0}), STRIA_ERR_ARGUMENT,
            "no operation");
    refused(stria_expr_op(e, &node, STRIA_ADD, 1, (int[]){0}), STRIA_ERR_ARGUMENT, "takes 2");
    refused(stria_expr_op(e, &node, STRIA_ADD, 2, NULL), STRIA_ERR_ARGUMENT, "operands is NULL");
    refused(stria_expr_op(e, &node, STRIA_ADD, 2, (int[]){0, 1}), STRIA_ERR_ARGUMENT, "node 1");
    refused(stria_expr_op(e, &node, STRIA_ADD, 2, (int[]){-1, 0}), STRIA_ERR_ARGUMENT, "node -1");
    refused(stria_expr_scalar(e, &node, STRIA_F32, &one), STRIA_ERR_ARGUMENT, "kind");
    refused(stria_expr_scalar(e, &node, STRIA_I64, NULL), STRIA_ERR_ARGUMENT, "value is NULL");
    refused(stria_expr_cast(e, &node, 1, STRIA_F32), STRIA_ERR_ARGUMENT, "node 1");
    refused(stria_expr_cast(e, &node, 0, STRIA_BYTES), STRIA_ERR_DTYPE, "no number");
    refused(stria_expr_cast(e, &node, 0, (stria_kind)-1), STRIA_ERR_DTYPE, "no number");
    assert_int_equal(node, 77);
    for (int i = 1; i < STRIA_EXPR_NODES; i++)
        assert_int_equal(combine(e, STRIA_ADD, i - 1, 0), i);
    refused(stria_expr_input(e, &node, 0), STRIA_ERR_ARGUMENT, "1000 nodes");
    stria_expr_release(e);
    stria_expr_release(NULL);
}

/* ---- evaluating ----------------------------------------------------------------------------- */

/* All functions that evaluate give the same refusal; out keeps its bytes. */
static void refused_by_all(const stria_expr *e, const stria_array *out, int n,
                           const stria_view *const *inputs, const stria_exec *exec,
                           stria_status wanted, const char *words)
{
    char text[100] = "untouched";
    stria_array made = {.owned = NULL};
    memset(out->view.data, 0x5A, (size_t)stria_nbytes(&out->view));
    refused(stria_expr_evaluate(&out->view, e, n, inputs, exec), wanted, words);
    refused(stria_expr_explain(text, sizeof text, NULL, &out->view, e, n, inputs, exec), wanted,
            words);
    refused(stria_expr_evaluate_new(&made, e, n, inputs, exec), wanted, words);
    assert_null(made.owned);
    assert_string_equal(text, "untouched");
    for (int64_t i = 0; i < stria_nbytes(&out->view); i++)
        assert_int_equal(out->view.data[i], 0x5A);
}

TEST(test_operands)
{
    const int64_t large = 1000;
    const int64_t other[] = {ROWS, COLUMNS + 1};
    stria_array f = matrix(STRIA_F32), b = matrix(STRIA_BOOL), u = matrix(STRIA_U8), wide = {0},
                text = {0};
    stria_array out = matrix(STRIA_F32);
    stria_expr *e = new_expr();
    stria_dtype dtype;
    ok(stria_zeros(&wide, stria_dtype_of(STRIA_F32), 2, other));
    ok(stria_zeros(&text, (stria_dtype){.kind = STRIA_BYTES, .alignment = 1, .itemsize = 3}, 2,
                   shape));
    refused_by_all(e, &out, 0, NULL, NULL, STRIA_ERR_ARGUMENT, "no nodes");
    refused_by_all(NULL, &out, 0, NULL, NULL, STRIA_ERR_ARGUMENT, "expr is NULL");
    const int x = input(e, 0), y = input(e, 1), z = combine(e, STRIA_SUBTRACT, x, y);
    (void)combine(e, STRIA_ADD, z, x);
#define VIEWS(a, b_) 2, (const stria_view *[]){&(a).view, &(b_).view}
    refused_by_all(e, &out, 1, (const stria_view *[]){&f.view}, NULL, STRIA_ERR_ARGUMENT,
                   "names input 1");
    refused_by_all(e, &out, 2, NULL, NULL, STRIA_ERR_ARGUMENT, "inputs is NULL");
    refused_by_all(e, &out, VIEWS(b, b), NULL, STRIA_ERR_DTYPE,
                   "node 2: subtract: a of dtype bool");
    refused_by_all(e, &out, VIEWS(f, text), NULL, STRIA_ERR_DTYPE, "node 1 (input 1)");
    refused_by_all(e, &out, VIEWS(f, wide), NULL, STRIA_ERR_BROADCAST, "");
    refused(stria_expr_result_dtype(&dtype, e, VIEWS(f, f), (stria_promotion)7), STRIA_ERR_ARGUMENT,
            "rule 7");
    refused(stria_expr_result_dtype(&dtype, e, VIEWS(b, b), STRIA_PROMOTE_NUMPY), STRIA_ERR_DTYPE,
            "node 2");
    int scalar;
    ok(stria_expr_scalar(e, &scalar, STRIA_I64, &large));
    (void)combine(e, STRIA_MULTIPLY, x, scalar);
    refused_by_all(e, &out, VIEWS(u, u), NULL, STRIA_ERR_ARGUMENT, "node 5: multiply");
    stria_expr_release(e);
    stria_array *const all[] = {&f, &b, &u, &wide, &text, &out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stria_array_release(all[i]);
}

TEST(test_outputs)
{
    const stria_exec apart = {.hints = STRIA_NO_OVERLAP};
    stria_array a = matrix(STRIA_F32), b = matrix(STRIA_F32), whole = matrix(STRIA_I32);
    stria_array out = matrix(STRIA_F32);
    stria_expr *const e = new_expr();
    const int x = input(e, 0), y = input(e, 1);
    (void)combine(e, STRIA_ADD, combine(e, STRIA_ADD, x, y), x);
    const stria_view *const inputs[] = {&a.view, &b.view};
    const stria_view fixed = readonly_of(&out.view);
    stria_view narrow, spread, later;
    refused(stria_expr_evaluate(&whole.view, e, 2, inputs, NULL), STRIA_ERR_DTYPE,
            "out's dtype i32");
    refused(stria_expr_evaluate(&fixed, e, 2, inputs, NULL), STRIA_ERR_READONLY, "out");
    ok(stria_narrow(&narrow, &out.view, 0, 0, 1));
    refused(stria_expr_evaluate(&narrow, e, 2, inputs, NULL), STRIA_ERR_BROADCAST, "input 0");
    ok(stria_expand(&spread, &narrow, 2, shape));
    refused(stria_expr_evaluate(&spread, e, 2, inputs, NULL), STRIA_ERR_OVERLAP, "out");
    ok(stria_flip(&later, &a.view, 1, (int[]){0}));
    refused(stria_expr_evaluate(&later, e, 2, inputs, &apart), STRIA_ERR_OVERLAP, "input 0");
    stria_expr_release(e);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&whole);
    stria_array_release(&out);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Builds and evaluates a sum of nine arrays, in two passes, into one of its inputs with rows
 * reversed. */
static stria_status build_and_evaluate(const stria_array *inputs, const stria_view *out)
{
    enum { MANY = 9 };
    const stria_view *views[MANY];
    stria_expr *e;
    stria_array made = {.owned = NULL};
    int sum = 0, node;
    stria_status status = stria_expr_make(&e);
    if (status != STRIA_OK) return status;
    for (int i = 0; i < MANY && status == STRIA_OK; i++) {
        views[i] = &inputs[i].view;
        status = stria_expr_input(e, &node, i);
        if (status == STRIA_OK && i > 0)
            status = stria_expr_op(e, &node, STRIA_ADD, 2, (int[]){sum, node});
        sum = node;
    }
    if (status == STRIA_OK) status = stria_expr_evaluate_new(&made, e, MANY, views, NULL);
    if (status == STRIA_OK) status = stria_expr_evaluate(out, e, MANY, views, NULL);
    stria_array_release(&made);
    stria_expr_release(e);
    return status;
}

TEST(test_no_memory)
{
    enum { MANY = 9 };
    stria_array inputs[MANY] = {0};
    stria_view turned;
    for (int i = 0; i < MANY; i++) {
        inputs[i] = matrix(STRIA_F32);
        for (int k = 0; k < ROWS * COLUMNS; k++)
            ((float *)(void *)inputs[i].view.data)[k] = (float)(k + i);
    }
    ok(stria_flip(&turned, &inputs[8].view, 1, (int[]){0}));
    int64_t calls = 0;
    for (int64_t fail_at = 1;; fail_at++) {
        counting_begin(fail_at);
        const stria_status status = build_and_evaluate(inputs, &turned);
        calls = allocation_counts.calls;
        const int64_t live = allocation_counts.live;
        counting_end();
        if (status == STRIA_OK) break;
        assert_int_equal(status, STRIA_ERR_MEMORY);
        assert_int_equal(live, 0);
        for (int k = 0; k < ROWS * COLUMNS; k++)
            assert_true(((float *)(void *)inputs[8].view.data)[k] == (float)(k + 8));
        assert_true(fail_at < 100);
    }
    assert_true(calls > 8);
    /* the sum of k + 0 .. k + 8, at the row to which k's was reversed */
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            assert_true(((float *)(void *)inputs[8].view.data)[(ROWS - 1 - i) * COLUMNS + j] ==
                        (float)(9 * (i * COLUMNS + j) + 36));
    for (int i = 0; i < MANY; i++)
        stria_array_release(&inputs[i]);
}

TEST_MAIN(NULL, NULL)
