/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 26 primitives of a small APL, each as one line of text over the library's functions by name:
 * what a backend of an array language composes of them. Their scalar functions are those of op.h,
 * and reductions, scans and products take any of these.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"

/* What the lines call m and v. */
static int64_t of_m[] = {3, 1, 2, 9, 7, 8}, of_v[] = {5, 2, 8, 2};

/* A primitive, an expression of it, and what it gives. */
struct line {
    const char *primitive, *text, *wanted;
};

static const struct line lines[] = {
    {"reduce", "sum(m, 1)", "tensor([6, 24])"},
    {"reduce", "fold_op(m, 'gcd', 1)", "tensor([1, 1])"},
    {"reduce", "fold_op(v, 'subtract')", "tensor(-7)"},
    {"reduce", "fold_op(m[:, :0], 'maximum', 1, initial=-1)", "tensor([-1, -1])"},
    {"scan", "cumsum(m, 1)", "tensor([[3, 4, 6], [9, 16, 24]])"},
    {"scan", "scan_op(v, 'subtract')", "tensor([5, 3, -5, -7])"},
    {"scan", "scan_op(m, 'gcd', 0)", "tensor([[3, 1, 2], [3, 1, 2]])"},
    {"outer product", "outer_op(v[:2], 'multiply', v)",
     "tensor([[25, 10, 40, 10], [10, 4, 16, 4]])"},
    {"outer product", "outer_op(v, 'equal', v).sum(1)", "tensor([1, 2, 1, 2])"},
    {"inner product", "m @ m.T", "tensor([[14, 50], [50, 194]])"},
    {"inner product", "fold_op(m.unsqueeze(2) + m.T.unsqueeze(0), 'minimum', 1)",
     "tensor([[2, 8], [8, 14]])"},
    {"inner product", "(m.unsqueeze(2) == m.T.unsqueeze(0)).all(1)",
     "tensor([[True, False], [False, True]])"},
    {"rank", "stack([m[0].msort(), m[1].msort()])", "tensor([[1, 2, 3], [7, 8, 9]])"},
    {"rank", "m + v[:2].unsqueeze(1)", "tensor([[8, 6, 7], [11, 9, 10]])"},
    {"reshape", "resize(v, (2, 3))", "tensor([[5, 2, 8], [2, 5, 2]])"},
    {"reshape", "resize(v, (3,))", "v[:3]"},
    {"ravel", "ravel(m)", "tensor([3, 1, 2, 9, 7, 8])"},
    {"ravel", "ravel(m.T)", "tensor([3, 9, 1, 7, 2, 8])"},
    {"transpose", "m.T", "tensor([[3, 9], [1, 7], [2, 8]])"},
    {"transpose", "permute(m.unsqueeze(0), (2, 0, 1))[1]", "tensor([[1, 7]])"},
    {"transpose", "diagonal(m)", "tensor([3, 7])"},
    {"take", "m[:, -2:]", "tensor([[1, 2], [7, 8]])"},
    {"take", "pad(v, (0, 2))", "tensor([5, 2, 8, 2, 0, 0])"},
    {"drop", "v[1:]", "tensor([2, 8, 2])"},
    {"drop", "m[:-1, 1:]", "tensor([[1, 2]])"},
    {"rotate", "flip(m, (1,))", "tensor([[2, 1, 3], [8, 7, 9]])"},
    {"rotate", "roll(v, -1)", "tensor([2, 8, 2, 5])"},
    {"rotate", "take_along_dim(m, (arange(3) + tensor([[1], [2]])) % 3, 1)",
     "tensor([[1, 2, 3], [8, 9, 7]])"},
    {"grade", "argsort(v, stable=True)", "tensor([1, 3, 0, 2])"},
    {"grade", "lexsort(flip(m.T, (0,)))", "tensor([0, 1])"},
    {"grade", "argsort(v, descending=True, stable=True)", "tensor([2, 0, 1, 3])"},
    {"index", "m[1, tensor([2, 0])]", "tensor([8, 9])"},
    {"index", "m[tensor([[0], [1]]), tensor([0, 2])]", "tensor([[3, 2], [9, 8]])"},
    {"index", "choose(tensor([0, 1, 1, 0]), [v, -v])", "tensor([5, -2, -8, 2])"},
    {"index of", "index_of(v, tensor([8, 3, 2]))", "tensor([2, -1, 1])"},
    {"index of", "index_of(v, tensor([9]), absent=4)", "tensor([4])"},
    {"member", "isin(v, tensor([2, 5]))", "tensor([True, True, False, True])"},
    {"unique", "unique_in_order(v)", "tensor([5, 2, 8])"},
    {"key", "label_op(ones(4, dtype=i64), 'add', index_of(unique_in_order(v), v), 3)",
     "tensor([1, 2, 1])"},
    {"key", "label_op(arange(4), 'maximum', index_of(unique_in_order(v), v), 3)",
     "tensor([0, 3, 2])"},
    {"partition", "segment_op(v, 'add', tensor([0, 1, 4]))", "tensor([5, 12])"},
    {"replicate", "repeat_interleave(v, tensor([1, 0, 2, 1]))", "tensor([5, 8, 8, 2])"},
    {"replicate", "masked_select(v, v > 2)", "tensor([5, 8])"},
    {"where", "nonzero(v == 2).ravel()", "tensor([1, 3])"},
    {"catenate", "cat([v, v[:1]])", "tensor([5, 2, 8, 2, 5])"},
    {"catenate", "stack([v, v], 1)[0]", "tensor([5, 5])"},
    {"encode", "(75 // tensor([60 * 60, 60, 1])) % tensor([24, 60, 60])", "tensor([0, 1, 15])"},
    {"decode", "(tensor([0, 1, 15]) * tensor([60 * 60, 60, 1])).sum()", "tensor(75)"},
    {"decode", "tensor([1, 0, 1, 1]) @ (2 ** arange(4)).flip(0)", "tensor(11)"},
    {"windows", "sliding_window_view(v, 2).sum(1)", "tensor([7, 10, 10])"},
    {"windows", "sliding_window_view(m, (2, 2)).amax((2, 3))", "tensor([[9, 8]])"},
    {"match", "array_equal(v, m.ravel()[:4])", "False"},
    {"amend", "scatter(v, 0, tensor([1, 3]), tensor([0, 7]))", "tensor([5, 0, 8, 7])"},
};
enum { LINES = sizeof lines / sizeof *lines };

static bool evaluates(const char *text)
{
    stria_view m, v;
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    assert_int_equal(stria_view_foreign(&m, of_m, i64, 2, (const int64_t[]){2, 3}, NULL, 0), 0);
    assert_int_equal(stria_view_foreign(&v, of_v, i64, 1, (const int64_t[]){4}, NULL, 0), 0);
    const stria_named names[] = {{"m", &m}, {"v", &v}};
    stria_results r = {0};
    if (stria_eval(&r, text, 2, names, NULL)) fail_msg("%s: %s", text, stria_last_error());
    double truth = 0;
    assert_int_equal(stria_results_count(&r), 1);
    assert_int_equal(stria_get_f64(&truth, &stria_results_at(&r, 0)->view, 0, NULL), STRIA_OK);
    stria_results_release(&r);
    return truth != 0;
}

static void each_line(void **state)
{
    (void)state;
    char text[400];
    for (int i = 0; i < LINES; i++) {
        const bool matches = !strcmp(lines[i].primitive, "match");
        (void)snprintf(text, sizeof text, matches ? "%s" : "array_equal(%s, %s)", lines[i].text,
                       lines[i].wanted);
        if (evaluates(text) == matches)
            fail_msg("%s: %s is not %s", lines[i].primitive, lines[i].text, lines[i].wanted);
    }
}

/* The list is whole: lines of one primitive stand together. */
static void list(void **state)
{
    (void)state;
    int primitives = 0;
    for (int i = 0; i < LINES; i++)
        primitives += i == 0 || strcmp(lines[i].primitive, lines[i - 1].primitive) != 0;
    assert_int_equal(primitives, 26);
    assert_int_equal(LINES, 53);
}

/* A fixed point: the calls stop where two steps match. */
static void fixed_point(void **state)
{
    (void)state;
    double now[] = {2, 9, 16}, next[3];
    stria_view a, b;
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    assert_int_equal(stria_view_foreign(&a, now, f64, 1, (const int64_t[]){3}, NULL, 0), 0);
    assert_int_equal(stria_view_foreign(&b, next, f64, 1, (const int64_t[]){3}, NULL, 0), 0);
    bool equal = false;
    for (int step = 0; step < 100 && !equal; step++) {
        assert_int_equal(stria_sqrt(&b, &a, NULL), STRIA_OK);
        assert_int_equal(stria_array_equal(&equal, &a, &b, false, NULL), STRIA_OK);
        memcpy(now, next, sizeof now);
    }
    assert_true(equal && now[0] == 1 && now[2] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line),
        cmocka_unit_test(list),
        cmocka_unit_test(fixed_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
