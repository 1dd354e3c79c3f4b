/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole plan: known layouts collapse to the loop nest worked out by hand; products that do not
 * fit; no heap allocation; bad arguments.
 */
#include <inttypes.h>
#include <string.h>

#include "plan/plan.h"
#include "support/heap.h"
#include "support/test.h"
#include "support/visits.h"

static char memory[1 << 16];

/* Makes a plan over f32 views of one shape; strides are given in items. */
static stria_plan plan_of(int ndim, const int64_t *shape, const int64_t *out, const int64_t *a,
                          uint32_t flags)
{
    stria_view view[2] = {view_by_hand(memory + 32768, ndim, shape, out),
                          view_by_hand(memory + 16384, ndim, shape, a)};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < ndim; i++)
            view[k].strides[i] *= 4;
    stria_plan plan;
    ok(stria_plan_make(&plan, 2, (const stria_view *[]){&view[0], &view[1]}, flags));
    return plan;
}

#define LIST(...) ((const int64_t[]){__VA_ARGS__})

static void expect(const stria_plan *plan, int ndim, const int64_t *n, const int64_t *out,
                   const int64_t *a)
{
    assert_int_equal(plan->ndim, ndim);
    for (int d = 0; d < ndim; d++) {
        assert_int_equal(plan->dims[d].n, n[d]);
        assert_int_equal(plan->dims[d].s[0], 4 * out[d]);
        assert_int_equal(plan->dims[d].s[1], 4 * a[d]);
    }
}

TEST(contiguous_is_one_dim)
{
    const stria_plan c = plan_of(4, LIST(2, 3, 4, 5), LIST(60, 20, 5, 1), LIST(60, 20, 5, 1), 0);
    expect(&c, 1, LIST(120), LIST(1), LIST(1));
    const stria_plan f = plan_of(4, LIST(2, 3, 4, 5), LIST(1, 2, 6, 24), LIST(1, 2, 6, 24), 0);
    expect(&f, 1, LIST(120), LIST(1), LIST(1));
}

TEST(permutations_keep_their_groups)
{
    /* transposed */
    const stria_plan t = plan_of(2, LIST(3, 5), LIST(5, 1), LIST(1, 3), 0);
    expect(&t, 2, LIST(5, 3), LIST(1, 5), LIST(3, 1));
    /* a dense (2,3,4,5) read as permute(2,3,0,1): two groups */
    const stria_plan g = plan_of(4, LIST(4, 5, 2, 3), LIST(30, 6, 3, 1), LIST(5, 1, 60, 20), 0);
    expect(&g, 2, LIST(6, 20), LIST(1, 6), LIST(20, 1));
    /* permute(0,2,1,3): the last dim, the middle two, the first */
    const stria_plan h = plan_of(4, LIST(2, 4, 3, 5), LIST(60, 15, 5, 1), LIST(60, 5, 20, 1), 0);
    expect(&h, 4, LIST(5, 3, 4, 2), LIST(1, 5, 15, 60), LIST(1, 20, 5, 60));
    /* the same with the output written in the input's order: the permutation disappears */
    const stria_plan s = plan_of(4, LIST(2, 4, 3, 5), LIST(60, 5, 20, 1), LIST(60, 5, 20, 1), 0);
    expect(&s, 1, LIST(120), LIST(1), LIST(1));
    /* channels last to channels first, (N,C,H,W) = (2,3,4,5) */
    const stria_plan n = plan_of(4, LIST(2, 3, 4, 5), LIST(60, 20, 5, 1), LIST(60, 1, 15, 3), 0);
    expect(&n, 3, LIST(20, 3, 2), LIST(1, 20, 60), LIST(3, 1, 60));
}

TEST(slices_and_repeats)
{
    /* a[:, ::2] of (3, 8): rows of 4 */
    const stria_plan s = plan_of(2, LIST(3, 4), LIST(4, 1), LIST(8, 2), 0);
    expect(&s, 1, LIST(12), LIST(1), LIST(2));
    /* a[:, :4] of (3, 8) */
    const stria_plan r = plan_of(2, LIST(3, 4), LIST(4, 1), LIST(8, 1), 0);
    expect(&r, 2, LIST(4, 3), LIST(1, 4), LIST(1, 8));
    /* a row repeated: (2, 3) with all of a's dims but the last at stride 0 */
    const stria_plan b = plan_of(3, LIST(2, 3, 4), LIST(12, 4, 1), LIST(0, 0, 1), 0);
    expect(&b, 2, LIST(4, 6), LIST(1, 4), LIST(1, 0));
    /* a scalar repeated */
    const stria_plan z = plan_of(3, LIST(2, 3, 4), LIST(12, 4, 1), LIST(0, 0, 0), 0);
    expect(&z, 1, LIST(24), LIST(1), LIST(0));
}

TEST(flips)
{
    /* both read backwards: the same as forwards, from the other end */
    const stria_plan b = plan_of(2, LIST(3, 4), LIST(-4, -1), LIST(-4, -1), 0);
    expect(&b, 1, LIST(12), LIST(1), LIST(1));
    assert_ptr_equal(b.ptr[0], memory + 32768 - 11 * 4);
    assert_ptr_equal(b.ptr[1], memory + 16384 - 11 * 4);
    /* only the output: it goes forwards, the input backwards */
    const stria_plan o = plan_of(2, LIST(3, 4), LIST(-4, -1), LIST(4, 1), 0);
    expect(&o, 1, LIST(12), LIST(1), LIST(-1));
    assert_ptr_equal(o.ptr[1], memory + 16384 + 11 * 4);
    /* only the input: nothing moves */
    const stria_plan a = plan_of(2, LIST(3, 4), LIST(4, 1), LIST(-4, -1), 0);
    expect(&a, 1, LIST(12), LIST(1), LIST(-1));
    assert_ptr_equal(a.ptr[1], memory + 16384);
}

TEST(order_kept)
{
    const stria_plan t = plan_of(2, LIST(3, 5), LIST(1, 3), LIST(5, 1), STRIA_PLAN_KEEP_ORDER);
    expect(&t, 2, LIST(5, 3), LIST(3, 1), LIST(1, 5));
    const stria_plan c = plan_of(2, LIST(3, 4), LIST(4, 1), LIST(-4, -1), STRIA_PLAN_KEEP_ORDER);
    expect(&c, 1, LIST(12), LIST(1), LIST(-1));
    const stria_plan n = plan_of(1, LIST(4), LIST(-1), LIST(1), STRIA_PLAN_KEEP_ORDER);
    expect(&n, 1, LIST(4), LIST(-1), LIST(1));
}

/* A stride of 0 in the output does not decide the order of dims: the input's strides do. */
TEST(ties_go_to_the_inputs)
{
    const stria_plan r = plan_of(2, LIST(3, 5), LIST(0, 0), LIST(1, 3), 0);
    expect(&r, 1, LIST(15), LIST(0), LIST(1));
    const stria_plan s = plan_of(3, LIST(2, 3, 5), LIST(0, 1, 0), LIST(1, 2, 6), 0);
    expect(&s, 3, LIST(2, 3, 5), LIST(0, 1, 0), LIST(1, 2, 6));
    /* equal strides (an output that overlaps itself) */
    const stria_plan e = plan_of(2, LIST(3, 5), LIST(1, 1), LIST(1, 3), 0);
    expect(&e, 2, LIST(3, 5), LIST(1, 1), LIST(1, 3));
}

TEST(scalars_and_nothing)
{
    const stria_plan zero = plan_of(0, NULL, NULL, NULL, 0);
    expect(&zero, 1, LIST(1), LIST(0), LIST(0));
    const stria_plan ones = plan_of(3, LIST(1, 1, 1), LIST(7, -9, 0), LIST(3, 4, 5), 0);
    expect(&ones, 1, LIST(1), LIST(0), LIST(0));
    assert_ptr_equal(ones.ptr[0], memory + 32768);
    for (uint32_t flags = 0; flags <= STRIA_PLAN_KEEP_ORDER; flags++) {
        const stria_plan none = plan_of(3, LIST(4, 0, 3), LIST(-9, 5, -1), LIST(9, 5, 1), flags);
        expect(&none, 1, LIST(0), LIST(0), LIST(0));
        assert_ptr_equal(none.ptr[0], memory + 32768);
        assert_ptr_equal(none.ptr[1], memory + 16384);
    }
}

TEST(deepest)
{
    int64_t shape[STRIA_MAX_NDIM], c[STRIA_MAX_NDIM], reversed[STRIA_MAX_NDIM];
    for (int i = 0; i < STRIA_MAX_NDIM; i++) {
        shape[i] = i % 8 == 0 ? 2 : 1; /* 8 dims of 2 among 56 of 1 */
        c[i] = shape[i] == 2 ? (int64_t)128 >> (i / 8) : -77;
        reversed[i] = shape[i] == 2 ? (int64_t)1 << (i / 8) : 99;
    }
    const stria_plan same = plan_of(STRIA_MAX_NDIM, shape, c, c, 0);
    expect(&same, 1, LIST(256), LIST(1), LIST(1));
    const stria_plan r = plan_of(STRIA_MAX_NDIM, shape, c, reversed, 0);
    expect(&r, 8, LIST(2, 2, 2, 2, 2, 2, 2, 2), LIST(1, 2, 4, 8, 16, 32, 64, 128),
           LIST(128, 64, 32, 16, 8, 4, 2, 1));
}

/* Products that do not fit in 64 bits are never taken for equal, and do not wrap into a small
 * size. */
TEST(merging_never_wraps)
{
    stria_plan plan = {.ndim = 2, .nops = 1, .ptr = {memory}};
    plan.dims[0] = (stria_dim){.n = 4, .s = {INT64_C(1) << 62}};
    plan.dims[1] = (stria_dim){.n = 2, .s = {0}}; /* 4 x 2^62 is 0 modulo 2^64 */
    stria__plan_merge(&plan);
    assert_int_equal(plan.ndim, 2);

    plan = (stria_plan){.ndim = 2, .nops = 1, .ptr = {memory}};
    plan.dims[0] = plan.dims[1] = (stria_dim){.n = INT64_C(1) << 40, .s = {0}};
    stria__plan_merge(&plan);
    assert_int_equal(plan.ndim, 2);
    assert_int_equal(stria__plan_numel(&plan), INT64_MAX);
    assert_int_equal(stria__plan_traffic(&plan), 0);
    plan.dims[0].s[0] = 1;
    assert_int_equal(stria__plan_traffic(&plan), INT64_MAX);

    plan = (stria_plan){.ndim = 1, .nops = 1, .ptr = {memory}};
    plan.dims[0] = (stria_dim){.n = 2, .s = {INT64_MIN}};
    stria__plan_collapse(&plan, 0);
    assert_int_equal(plan.ndim, 1);
    assert_int_equal(plan.dims[0].n, 2);
}

static void expect_dims(const stria_plan *plan, int ndim, const int64_t (*dims)[4])
{
    assert_int_equal(plan->ndim, ndim);
    for (int d = 0; d < ndim; d++) {
        assert_int_equal(plan->dims[d].n, dims[d][0]);
        for (int k = 0; k < 3; k++)
            assert_int_equal(plan->dims[d].s[k], dims[d][k + 1]);
    }
}

/* Checks the worked example of docs/plan.md, table by table. */
TEST(the_documented_example)
{
    const stria_view planes =
        view_by_hand(memory + 92, 4, LIST(1, 4, 6, 3), LIST(288, -24, -4, 96));
    const stria_view photo = view_by_hand(memory + 1024, 3, LIST(4, 6, 3), LIST(144, 24, 4));
    const stria_view gains = view_by_hand(memory + 2048, 1, LIST(3), LIST(4));
    stria_plan plan;
    stria__plan_broadcast(&plan, 3, (const stria_view *[]){&planes, &photo, &gains});
    expect_dims(
        &plan, 4,
        (const int64_t[][4]){{3, 96, 4, 4}, {6, -4, 24, 0}, {4, -24, 144, 0}, {1, 0, 0, 0}});
    stria__plan_drop(&plan);
    expect_dims(&plan, 3, (const int64_t[][4]){{3, 96, 4, 4}, {6, -4, 24, 0}, {4, -24, 144, 0}});
    stria__plan_flip(&plan);
    expect_dims(&plan, 3, (const int64_t[][4]){{3, 96, 4, 4}, {6, 4, -24, 0}, {4, 24, -144, 0}});
    assert_ptr_equal(plan.ptr[0], memory);
    assert_ptr_equal(plan.ptr[1], memory + 1024 + 552);
    assert_ptr_equal(plan.ptr[2], memory + 2048);
    stria__plan_sort(&plan);
    expect_dims(&plan, 3, (const int64_t[][4]){{6, 4, -24, 0}, {4, 24, -144, 0}, {3, 96, 4, 4}});
    stria__plan_merge(&plan);
    expect_dims(&plan, 2, (const int64_t[][4]){{24, 4, -24, 0}, {3, 96, 4, 4}});
}

TEST(counts)
{
    const stria_plan t = plan_of(2, LIST(30, 50), LIST(50, 1), LIST(1, 30), 0);
    assert_int_equal(stria__plan_numel(&t), 1500);
    assert_int_equal(stria__plan_traffic(&t), 1500 * (4 + 4));
    const stria_plan column = plan_of(1, LIST(10), LIST(1), LIST(100), 0);
    /* each item costs a cache line */
    assert_int_equal(stria__plan_traffic(&column), 10 * (4 + 64));
    const stria_plan repeated = plan_of(1, LIST(10), LIST(-1), LIST(0), 0);
    assert_int_equal(stria__plan_traffic(&repeated), 10 * 4);
    const stria_plan none = plan_of(2, LIST(0, 5), LIST(5, 1), LIST(5, 1), 0);
    assert_int_equal(stria__plan_numel(&none), 0);
}

TEST(nothing_is_allocated)
{
    if (!heap_is_counted()) skip();
    stria_plan plan;
    struct operands o;
    for (uint64_t seed = 0; seed < 100; seed++) {
        operands_random(&o, seed);
        const int64_t before = heap_calls();
        const stria_status status = stria_plan_make(&plan, o.nops, o.list, 0);
        const int64_t after = heap_calls();
        ok(status);
        assert_int_equal(after, before);
    }
}

/* ---- bad arguments: a status, a message that says which, and the plan as it was ------------- */

static void make_refused(stria_status wanted, const char *word, int nops,
                         const stria_view *const *views, uint32_t flags)
{
    stria_plan plan, before;
    memset(&plan, 0x5a, sizeof plan);
    memcpy(&before, &plan, sizeof plan);
    assert_int_equal(stria_plan_make(&plan, nops, views, flags), wanted);
    assert_memory_equal(&plan, &before, sizeof plan);
    if (!strstr(stria_last_error(), word)) {
        print_error("'%s' does not say '%s'\n", stria_last_error(), word);
        fail();
    }
}

TEST(bad_arguments)
{
    const stria_view a = view_by_hand(memory, 2, LIST(3, 4), LIST(16, 4));
    const stria_view *nine[] = {&a, &a, &a, &a, &a, &a, &a, &a, &a};
    stria_plan plan;
    assert_int_equal(stria_plan_make(NULL, 1, nine, 0), STRIA_ERR_ARGUMENT);
    make_refused(STRIA_ERR_ARGUMENT, "NULL", 1, NULL, 0);
    make_refused(STRIA_ERR_ARGUMENT, "0 operands", 0, nine, 0);
    make_refused(STRIA_ERR_ARGUMENT, "-1 operands", -1, nine, 0);
    make_refused(STRIA_ERR_ARGUMENT, "9 operands", 9, nine, 0);
    ok(stria_plan_make(&plan, 8, nine, 0));
    make_refused(STRIA_ERR_ARGUMENT, "0x6", 1, nine, 7 & ~(uint32_t)1);
    make_refused(STRIA_ERR_ARGUMENT, "operand 1", 2, (const stria_view *[]){&a, NULL}, 0);

    stria_view bad = a;
    bad.ndim = 65;
    make_refused(STRIA_ERR_ARGUMENT, "operand 1 has ndim 65", 2, (const stria_view *[]){&a, &bad},
                 0);
    bad.ndim = -1;
    make_refused(STRIA_ERR_ARGUMENT, "operand 1 has ndim -1", 2, (const stria_view *[]){&a, &bad},
                 0);
    bad = a;
    bad.shape[1] = -4;
    make_refused(STRIA_ERR_SHAPE, "-4", 1, (const stria_view *[]){&bad}, 0);
    make_refused(STRIA_ERR_BROADCAST, "-4", 2, (const stria_view *[]){&a, &bad}, 0);
}

TEST(shapes_that_do_not_broadcast)
{
    const stria_view out = view_by_hand(memory, 2, LIST(3, 4), LIST(16, 4));
    const stria_view other = view_by_hand(memory, 2, LIST(3, 5), LIST(20, 4));
    const stria_view more = view_by_hand(memory, 3, LIST(2, 3, 4), LIST(48, 16, 4));
    const stria_view ones = view_by_hand(memory, 4, LIST(1, 1, 3, 4), LIST(5, 5, 16, 4));
    const stria_view none = view_by_hand(memory, 2, LIST(0, 4), LIST(16, 4));
    const stria_view one = view_by_hand(memory, 2, LIST(1, 4), LIST(16, 4));
    stria_plan plan;
    make_refused(STRIA_ERR_BROADCAST, "operand 1 of shape (3, 5)", 2,
                 (const stria_view *[]){&out, &other}, 0);
    make_refused(STRIA_ERR_BROADCAST, "dim 1 its size 5 is neither 4 nor 1", 2,
                 (const stria_view *[]){&out, &other}, 0);
    const stria_view row = view_by_hand(memory, 1, LIST(5), LIST(4));
    make_refused(STRIA_ERR_BROADCAST, "dim 1 its size 5 is neither 4 nor 1", 2,
                 (const stria_view *[]){&out, &row}, 0);
    make_refused(STRIA_ERR_BROADCAST, "(2, 3, 4) has more dims", 3,
                 (const stria_view *[]){&out, &out, &more}, 0);
    make_refused(STRIA_ERR_BROADCAST, "size 0", 2, (const stria_view *[]){&one, &none}, 0);
    /* the output itself is never broadcast */
    make_refused(STRIA_ERR_BROADCAST, "never broadcast itself: along dim 0 its size 3 is not 1", 2,
                 (const stria_view *[]){&one, &out}, 0);
    ok(stria_plan_make(&plan, 2, (const stria_view *[]){&out, &ones}, 0));
    ok(stria_plan_make(&plan, 2, (const stria_view *[]){&none, &one}, 0));
    assert_int_equal(plan.dims[0].n, 0);
}

/* A plan moved to other addresses is the plan of views that begin there. */
TEST(rebound_plans_visit_other_memory)
{
    int64_t moved = 0;
    for (uint64_t seed = 0; seed < 500; seed++)
        for (uint32_t flags = 0; flags <= STRIA_PLAN_KEEP_ORDER; flags++) {
            struct operands o;
            stria_plan plan, wanted;
            char *data[STRIA_MAX_OPERANDS];
            operands_random(&o, seed);
            ok(stria_plan_make(&plan, o.nops, o.list, flags));
            for (int k = 0; k < o.nops; k++) {
                moved += plan.ptr[k] != o.view[k].data;
                data[k] = (char *)(uintptr_t)(0x123457 + 100003 * (uint64_t)k);
                o.view[k].data = data[k];
            }
            ok(stria_plan_make(&wanted, o.nops, o.list, flags));
            ok(stria_plan_rebind(&plan, o.nops, data));
            for (int k = 0; k < o.nops; k++)
                assert_ptr_equal(plan.ptr[k], wanted.ptr[k]);
        }
    assert_true(moved > 100);
}

TEST(rebinding_refuses_bad_input)
{
    char bytes[8];
    const stria_view v = view_by_hand(bytes + 7, 1, (int64_t[]){8}, (int64_t[]){-1});
    stria_plan plan, cleared = {0};
    char *const data[] = {bytes, bytes + 1}, *const none[] = {bytes, NULL};
    ok(stria_plan_make(&plan, 2, (const stria_view *[]){&v, &v}, 0));
    assert_int_equal(stria_plan_rebind(NULL, 2, data), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_plan_rebind(&cleared, 2, data), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_plan_rebind(&plan, 2, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_plan_rebind(&plan, 1, data), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "2 operands"));
    assert_int_equal(stria_plan_rebind(&plan, 2, none), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "operand 1"));
    assert_ptr_equal(plan.ptr[0], bytes); /* unchanged */
    const stria_view nothing = view_by_hand(NULL, 1, (int64_t[]){0}, (int64_t[]){1});
    ok(stria_plan_make(&plan, 1, (const stria_view *[]){&nothing}, 0));
    ok(stria_plan_rebind(&plan, 1, &none[1]));
}

TEST_MAIN(NULL, NULL)
