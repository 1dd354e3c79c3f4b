/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of the bench's reductions: right results pass, and every one that is changed fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "bench_folded.h"
#include "stria/stria.h"

enum { ROWS = 6, N = 5 };

static void ok(stria_status status)
{
    if (status != STRIA_OK) fail_msg("%s", stria_last_error());
}

/* By hand: x[r][c] is r * c - 7, over rows and over columns. */
static void test_by_hand(void **state)
{
    (void)state;
    static const double sums[2][ROWS] = {{-42, -27, -12, 3, 18}, {-35, -25, -15, -5, 5, 15}};
    static const double largest[2][ROWS] = {{-7, -2, 3, 8, 13}, {-7, -3, 1, 5, 9, 13}};
    double x[ROWS][N], got[ROWS];
    stria_view a, out;
    for (int i = 0; i < ROWS * N; i++)
        x[i / N][i % N] = i / N * (i % N) - 7;
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_F64), 2, (int64_t[]){ROWS, N}, NULL, 0));
    for (int dim = 0; dim < 2; dim++) {
        const int64_t n = dim == 0 ? N : ROWS;
        ok(stria_view_foreign(&out, got, stria_dtype_of(STRIA_F64), 1, &n, NULL, 0));
        struct folding f = {.reduction = STRIA_SUM, .count = 1, .dims = {dim}};
        memcpy(got, sums[dim], sizeof got);
        assert_true(folded_right(&f, &out, &a));
        got[n - 1] += 1e-9;
        assert_false(folded_right(&f, &out, &a));
        f.reduction = STRIA_MAX;
        memcpy(got, largest[dim], sizeof got);
        assert_true(folded_right(&f, &out, &a));
        got[0] = -6;
        assert_false(folded_right(&f, &out, &a));
    }
}

/* Whatever the library gives is right, and wrong when any of its elements is another number. */
static void check(const struct folding *f, const stria_view *a, stria_kind kind)
{
    stria_array made = {0};
    const int64_t n = a->shape[1 - f->dims[0]];
    const stria_exec exec = {0};
    if (f->kind == FOLDING_SCANS)
        ok(stria_empty(&made, stria_dtype_of(kind), 2, a->shape));
    else
        ok(stria_empty(&made, stria_dtype_of(kind), 1, &n));
    assert_true(folded_checkable(f, &made.view, a));
    ok(stria__folding_run(f, &made.view, a, &exec));
    assert_true(folded_right(f, &made.view, a));
    const int64_t item = made.view.dtype.itemsize;
    for (int64_t i = 0; i < stria_numel(&made.view); i++) {
        char kept[8], *const at = made.view.data + i * item;
        memcpy(kept, at, (size_t)item);
        at[item - 1] ^= 1; /* the highest byte of little-endian items, the only one of bool */
        assert_false(folded_right(f, &made.view, a));
        memcpy(at, kept, (size_t)item);
    }
    stria_array_release(&made);
}

static void test_every_one(void **state)
{
    (void)state;
    static const struct {
        stria_reduction op;
        stria_kind gives;
    } all[] = {
        {STRIA_SUM, STRIA_F32},    {STRIA_MEAN, STRIA_F32},   {STRIA_VAR, STRIA_F32},
        {STRIA_STD, STRIA_F32},    {STRIA_MAX, STRIA_F32},    {STRIA_MIN, STRIA_F32},
        {STRIA_ARGMAX, STRIA_I64}, {STRIA_ARGMIN, STRIA_I64}, {STRIA_COUNT_NONZERO, STRIA_I64},
        {STRIA_ALL, STRIA_BOOL},   {STRIA_ANY, STRIA_BOOL}};
    stria_array a = {0};
    stria_view turned;
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 2, (int64_t[]){ROWS, N}));
    ok(stria_T(&turned, &a.view));
    for (int dim = 0; dim < 2; dim++)
        for (int i = 0; i < 13; i++) {
            struct folding f = {.count = 1, .dims = {dim}, .ddof = 1};
            if (i < 11) f.reduction = all[i].op;
            if (i == 11) f.kind = FOLDING_SCANS;
            if (i == 12) f.kind = FOLDING_MEDIAN;
            folded_fill(&f, a.view.data, ROWS * N * 4, a.view.dtype);
            check(&f, &a.view, i < 11 ? all[i].gives : STRIA_F32);
            check(&f, &turned, i < 11 ? all[i].gives : STRIA_F32);
        }
    stria_array_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_every_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
