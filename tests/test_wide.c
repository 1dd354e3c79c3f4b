/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions of many arrays are one pass over memory: stencils, whose operands are shifted views
 * of one array, and up to 32 arrays of one layout. Results are those of a loop in C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/cmocka.h"
#include "support/small_cache.h"
#include "support/statuses.h"

enum { SIDE = 21, DEEP = 3, MOST = 32, TEXT = 2000 };

/* A cube of doubles, and its windows that a stencil of `count` points reads. */
struct cube {
    stria_array memory;
    stria_view point[MOST], middle;
    const stria_view *points[MOST];
    int count;
};

/* Makes windows at every distance from 0 to 2 along all dims; with `turned` the dims are in another
 * order. */
static void make_cube(struct cube *c, bool turned)
{
    const int64_t shape[] = {SIDE, SIDE + 2, SIDE + 4};
    *c = (struct cube){.count = DEEP * DEEP * DEEP};
    ok(stria_empty(&c->memory, stria_dtype_of(STRIA_F64), 3, shape));
    double *const x = (double *)(void *)c->memory.view.data;
    for (int64_t i = 0; i < stria_numel(&c->memory.view); i++)
        x[i] = (double)(i * i % 1009) / 7;
    stria_view whole = c->memory.view;
    if (turned) ok(stria_reverse_dims(&whole, &whole));
    for (int i = 0; i < c->count; i++) {
        const int at[] = {i / 9, i / 3 % 3, i % 3};
        c->point[i] = whole;
        c->points[i] = &c->point[i];
        for (int d = 0; d < 3; d++)
            ok(stria_narrow(&c->point[i], &c->point[i], d, at[d], whole.shape[d] - 2));
    }
    c->middle = c->point[c->count / 2];
}

static double weight(int i)
{
    return 0.25 * i - 3;
}

/* Makes x0 + w1*x1 + w2*x2 - w3*x3 + ... */
static stria_expr *make_sum(int count)
{
    char text[TEXT] = "x0", name[MOST][8];
    const char *names[MOST];
    stria_expr *e = NULL;
    for (int i = 0; i < count; i++) {
        (void)snprintf(name[i], sizeof name[i], "x%d", i);
        names[i] = name[i];
        const size_t used = strlen(text);
        if (i > 0)
            (void)snprintf(text + used, sizeof text - used, " %s %.2f*x%d", i % 3 ? "+" : "-",
                           weight(i), i);
    }
    ok(stria_expr_parse(&e, text, count, names));
    return e;
}

static double element(const stria_view *a, int64_t i, int64_t j, int64_t k)
{
    double x;
    memcpy(&x, a->data + i * a->strides[0] + j * a->strides[1] + k * a->strides[2], sizeof x);
    return x;
}

static double sum_at(const stria_view *const *points, int count, int64_t i, int64_t j, int64_t k)
{
    double sum = element(points[0], i, j, k);
    for (int p = 1; p < count; p++) {
        const volatile double term = weight(p) * element(points[p], i, j, k);
        sum = p % 3 ? sum + term : sum - term;
    }
    return sum;
}

static void expect_one_pass(const stria_expr *e, const stria_view *out, int n,
                            const stria_view *const *inputs)
{
    char text[TEXT];
    ok(stria_expr_explain(text, sizeof text, NULL, out, e, n, inputs, NULL));
    assert_null(strstr(text, "pass"));
}

/* Checks a result; out may be a window of the array itself; only elements where the mask is true
 * change. */
static void check(const stria_expr *e, const stria_view *out, int n, const stria_view *const *in,
                  const stria_exec *exec)
{
    const int64_t *const m = out->shape;
    double *const want = malloc((size_t)stria_nbytes(out)), *to = want;
    assert_non_null(want);
    for (int64_t i = 0; i < m[0]; i++)
        for (int64_t j = 0; j < m[1]; j++)
            for (int64_t k = 0; k < m[2]; k++)
                *to++ = exec->mask && !exec->mask->data[k] ? element(out, i, j, k)
                                                           : sum_at(in, n, i, j, k);
    expect_one_pass(e, out, n, in);
    ok(stria_expr_evaluate(out, e, n, in, exec));
    to = want;
    for (int64_t i = 0; i < m[0]; i++)
        for (int64_t j = 0; j < m[1]; j++)
            for (int64_t k = 0; k < m[2]; k++, to++)
                if (element(out, i, j, k) != *to)
                    fail_msg("%d arrays: element (%d, %d, %d)", n, (int)i, (int)j, (int)k);
    free(want);
}

static void check_stencils(bool turned)
{
    struct cube c;
    make_cube(&c, turned);
    stria_array out = {0}, mask = {0};
    ok(stria_zeros(&out, stria_dtype_of(STRIA_F64), 3, c.middle.shape));
    ok(stria_zeros(&mask, stria_dtype_of(STRIA_BOOL), 1, &c.middle.shape[2]));
    for (int64_t k = 0; k < c.middle.shape[2]; k += 3)
        mask.view.data[k] = true;
    static const int counts[] = {3, 9, 27};
    for (int i = 0; i < 3; i++) {
        stria_expr *const e = make_sum(counts[i]);
        for (int threads = 1; threads <= 3; threads++) {
            const stria_exec exec = {.threads = threads},
                             masked = {.threads = threads, .mask = &mask.view};
            check(e, &out.view, counts[i], c.points, &exec);
            check(e, &out.view, counts[i], c.points, &masked);
        }
        check(e, &c.middle, counts[i], c.points, &(stria_exec){0});
        stria_expr_release(e);
    }
    stria_array_release(&mask);
    stria_array_release(&out);
    stria_array_release(&c.memory);
}

static void test_stencils(void **state)
{
    (void)state;
    check_stencils(false);
    check_stencils(true);
}

/* 32 separate arrays, with and without gaps in their rows. */
static void test_many_arrays(void **state)
{
    (void)state;
    const int64_t shape[] = {5, 7, 300};
    const int64_t strides[][3] = {{8 * 7 * 300, 8 * 300, 8}, {8 * 7 * 304, 8 * 304, 8}};
    stria_array array[MOST + 1];
    const stria_view *in[MOST];
    memset(array, 0, sizeof array);
    for (int i = 0; i <= MOST; i++) {
        ok(stria_empty_strided(&array[i], stria_dtype_of(STRIA_F64), 3, shape, strides[i % 2]));
        if (i < MOST) in[i] = &array[i].view;
        for (int64_t k = 0; k < shape[0] * shape[1] * shape[2]; k++)
            memcpy(array[i].view.data + k / shape[2] % shape[1] * array[i].view.strides[1] +
                       k / shape[2] / shape[1] * array[i].view.strides[0] + k % shape[2] * 8,
                   &(double){(double)(k % (i + 5))}, sizeof(double));
    }
    stria_expr *const e = make_sum(MOST);
    for (int threads = 1; threads <= 3; threads++)
        check(e, &array[MOST].view, MOST, in, &(stria_exec){.threads = threads});
    stria_expr_release(e);
    for (int i = 0; i <= MOST; i++)
        stria_array_release(&array[i]);
}

/* Rows with gaps between them: one kernel computes the sums, and no result is streamed past the
 * caches. */
static void test_rows_with_gaps(void **state)
{
    (void)state;
    const int64_t shape[] = {1, 400, 64}, strides[] = {400 * 66 * 8, 66 * 8, 8};
    stria_array array[4] = {0};
    const stria_view *in[3];
    char text[TEXT];
    for (int i = 0; i < 4; i++) {
        ok(stria_empty_strided(&array[i], stria_dtype_of(STRIA_F64), 3, shape, strides));
        for (int64_t k = 0; k < shape[1] * shape[2]; k++)
            memcpy(array[i].view.data + k / shape[2] * strides[1] + k % shape[2] * 8,
                   &(double){(double)(k % (i + 5)) / 3}, sizeof(double));
        if (i < 3) in[i] = &array[i].view;
    }
    stria_expr *const e = make_sum(3);
    check(e, &array[3].view, 3, in, &(stria_exec){.threads = 1});
    ok(stria_expr_explain(text, sizeof text, NULL, &array[3].view, e, 3, in, NULL));
    assert_non_null(strstr(text, "weighted sum of 3: 1 kernel"));
    assert_null(strstr(text, "streamed"));
    stria_expr_release(e);
    for (int i = 0; i < 4; i++)
        stria_array_release(&array[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stencils),
        cmocka_unit_test(test_many_arrays),
        cmocka_unit_test_setup_teardown(test_stencils, small_cache, real_cache),
        cmocka_unit_test_setup_teardown(test_many_arrays, small_cache, real_cache),
        cmocka_unit_test_setup_teardown(test_rows_with_gaps, small_cache, real_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
