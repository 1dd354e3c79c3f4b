/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of few rows and of short rows, and of more columns than are combined at once: every
 * output has the bits of its elements reduced alone.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/arithmetic.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/samples.h"
#include "support/test.h"

static uint64_t seed = 5;
static const stria_exec one_thread = {.threads = 1};

static void fill(const stria_view *a)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const int64_t n = stria_numel(a);
    char *const p = a->data;
    if (kind != STRIA_BOOL) samples_fill(p, kind, n, &seed);
    for (int64_t i = 0; kind == STRIA_BOOL && i < n; i++)
        p[i] = (char)(random_bits(&seed) % 2);
}

static union item item_at(const stria_view *a, int64_t i)
{
    union item out = {{0}};
    memcpy(out.bytes, (char *)a->data + i * a->dtype.itemsize, (size_t)a->dtype.itemsize);
    return out;
}

/* Compares output j of `all`, over dim d of a, with the reduction of its elements alone. */
static void check_output(stria_reduction op, const stria_view *a, int d, const stria_view *all,
                         int64_t j)
{
    const stria_reduce_options options = {.p = 2};
    const stria_kind kind = (stria_kind)all->dtype.kind;
    RELEASED stria_array elements = {0}, one = {0};
    stria_view line;
    ok(stria_select(&line, a, 1 - d, j));
    ok(stria_clone_new(&elements, &line, NULL));
    ok(stria_reduce_dims_new(&one, op, &elements.view, STRIA_ALL_DIMS, NULL, &options,
                             &one_thread));
    const union item got = item_at(all, j), wanted = item_at(&one.view, 0);
    if (memcmp(got.bytes, wanted.bytes, (size_t)all->dtype.itemsize) != 0 &&
        (kind == STRIA_BOOL || !same_number(kind, got, wanted, 0)))
        fail_msg("%s of kind %d, %d elements along dim %d: output %d of %d differs",
                 stria_reduction_name(op), (int)a->dtype.kind, (int)a->shape[d], d, (int)j,
                 (int)a->shape[1 - d]);
}

static void check(stria_reduction op, const stria_view *a, int d)
{
    const stria_reduce_options options = {.p = 2};
    const int64_t w = a->shape[1 - d];
    RELEASED stria_array all = {0};
    if (stria_reduce_dims_new(&all, op, a, 1, &d, &options, &one_thread) != STRIA_OK) return;
    check_output(op, a, d, &all.view, 0);
    check_output(op, a, d, &all.view, w - 1);
    for (int i = 0; i < 3; i++)
        check_output(op, a, d, &all.view, random_between(&seed, 0, w - 1));
}

/* Checks n elements for each of w outputs, in rows and in columns. */
static void check_all(stria_kind kind, int64_t n, int64_t w)
{
    for (int d = 0; d < 2; d++) {
        RELEASED stria_array a = {0};
        ok(stria_empty(&a, stria_dtype_of(kind), 2,
                       d == 0 ? (int64_t[]){n, w} : (int64_t[]){w, n}));
        fill(&a.view);
        for (int op = 0; stria_reduction_name((stria_reduction)op); op++)
            check((stria_reduction)op, &a.view, d);
    }
}

/* Each level takes a third of the sizes of each kind; all sizes occur over the levels and kinds. */
TEST(test_outputs_alone)
{
    static const struct {
        int64_t n, w;
    } sizes[] = {{1, 70},  {2, 19},  {3, 70},  {4, 19},  {5, 70},   {8, 19},   {9, 70},
                 {16, 19}, {17, 70}, {24, 19}, {33, 70}, {3, 2100}, {40, 1100}};
    for (int level = 0; next_level(&level);)
        for (int kind = 0; kind <= STRIA_C128; kind++)
            for (int i = (kind + level) % 3; i < (int)(sizeof sizes / sizeof *sizes); i += 3)
                check_all((stria_kind)kind, sizes[i].n, sizes[i].w);
}

TEST_MAIN(NULL, NULL)
