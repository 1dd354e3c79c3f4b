/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls by name whose arguments were bound once: they give what stria_call gives. */
#include <string.h>

#include "stria/stria.h"
#include "support/numbers.h"
#include "support/test.h"

static void assert_same(const stria_results *a, const stria_results *b)
{
    bool same = false;
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->answers, b->answers);
    assert_int_equal(a->answer.kind, b->answer.kind);
    for (int64_t i = 0; i < a->count; i++) {
        const stria_view *const x = &stria_results_at(a, i)->view, *const y =
                                                                       &stria_results_at(b, i)
                                                                            ->view;
        ok(stria_array_equal(&same, x, y, false, NULL));
        assert_true(same && stria_dtype_equal(x->dtype, y->dtype));
    }
}

/* Binds by one array, calls with another: what stria_call gives for that. */
static void check_bound(const char *name, int count, const stria_arg *args)
{
    const int64_t shape[] = {3, 4};
    stria_array sample = numbers(2, shape, STRIA_F64);
    stria_arg bound_by[8];
    memcpy(bound_by, args, (size_t)count * sizeof *args);
    bound_by[0] = stria_arg_view(&sample.view);
    const stria_function *const f = stria_function_find(name);
    stria_bound *bound = NULL;
    for (int rule = 0; rule < 2; rule++) {
        stria_results wanted = {0}, got = {0};
        const stria_promotion by = rule ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
        const stria_status status = stria_call(&wanted, f, by, count, args, NULL);
        if (stria_bind(&bound, f, by, count, bound_by) != STRIA_OK) {
            assert_int_not_equal(status, STRIA_OK);
            continue;
        }
        for (int i = 0; i < 2; i++)
            assert_int_equal(stria_bound_call(&got, bound, count, args, NULL), status);
        assert_same(&wanted, &got);
        stria_bound_release(bound);
        stria_results_release(&wanted);
        stria_results_release(&got);
    }
    stria_array_release(&sample);
}

TEST(test_bound)
{
    const int64_t shape[] = {2, 3, 4};
    stria_array a = numbers(3, shape, STRIA_F32), out = numbers(2, shape + 1, STRIA_F32);
    const stria_arg x = stria_arg_view(&a.view), zero = stria_arg_int(0), one = stria_arg_int(1),
                    yes = stria_arg_bool(true);
    const stria_arg both[] = {zero, one}, three[] = {x, x, x};
    const stria_arg pair = stria_arg_tuple(2, both);
    check_bound("sum", 1, (stria_arg[]){x});
    check_bound("sum", 2, (stria_arg[]){x, one});
    check_bound("sum", 2, (stria_arg[]){x, pair});
    check_bound("sum", 3,
                (stria_arg[]){x, stria_arg_named("keepdim", yes), stria_arg_named("dim", zero)});
    check_bound("sum", 3,
                (stria_arg[]){x, stria_arg_named("axis", zero),
                              stria_arg_named("out", stria_arg_view(&out.view))});
    check_bound(
        "sum", 2,
        (stria_arg[]){x, stria_arg_named("dtype", stria_arg_dtype(stria_dtype_of(STRIA_F64)))});
    check_bound("permute", 4, (stria_arg[]){x, one, stria_arg_int(2), zero});
    check_bound("swapaxes", 3, (stria_arg[]){x, zero, one});
    check_bound("roll", 3, (stria_arg[]){x, pair, pair});
    check_bound("flip", 2, (stria_arg[]){x, one});
    check_bound("var", 2, (stria_arg[]){x, stria_arg_named("dim", one)});
    check_bound("quantile", 3, (stria_arg[]){x, stria_arg_float(0.25), one});
    check_bound("clamp", 3, (stria_arg[]){x, stria_arg_int(2), stria_arg_float(7.5)});
    check_bound("add", 2, (stria_arg[]){x, x});
    check_bound("reshape", 2, (stria_arg[]){x, stria_arg_int(-1)});
    check_bound("sort", 2, (stria_arg[]){x, stria_arg_named("descending", yes)});
    check_bound("unbind", 1, (stria_arg[]){x});
    check_bound("ndim", 1, (stria_arg[]){x});
    check_bound("cat", 2, (stria_arg[]){stria_arg_tuple(3, three), zero});
    check_bound("stack", 1, (stria_arg[]){stria_arg_tuple(2, three)});
    check_bound("sum", 2, (stria_arg[]){x, stria_arg_int(7)}); /* refused when it runs */
    stria_array_release(&a);
    stria_array_release(&out);
}

/* Arguments that were bound by name are not the operation's in their places. */
TEST(test_bound_names)
{
    const int64_t two = 2;
    RELEASED stria_array ten = {0}, one = {0};
    const double values[] = {10, 1};
    stria_view a, b;
    ok(stria_scalar(&a, STRIA_F64, &values[0]));
    ok(stria_scalar(&b, STRIA_F64, &values[1]));
    ok(stria_full(&ten, stria_dtype_of(STRIA_F64), 1, &two, &a, NULL));
    ok(stria_full(&one, stria_dtype_of(STRIA_F64), 1, &two, &b, NULL));
    const stria_arg named[] = {stria_arg_named("other", stria_arg_view(&one.view)),
                               stria_arg_named("input", stria_arg_view(&ten.view))},
                    plain[] = {stria_arg_view(&one.view), stria_arg_view(&ten.view)};
    stria_results r = {0};
    stria_bound *bound = NULL;
    ok(stria_bind(&bound, stria_function_find("sub"), STRIA_PROMOTE_TORCH, 2, named));
    ok(stria_bound_call(&r, bound, 2, plain, NULL));
    assert_true(item(&stria_results_at(&r, 0)->view, 1, (const int64_t[]){1}) == 9);
    stria_bound_release(bound);

    /* A dim is one integer, and a tuple of sizes is one shape. */
    const stria_arg pair[] = {stria_arg_int(2), stria_arg_int(3)}, shape = stria_arg_tuple(2, pair);
    const stria_arg picks[] = {plain[0], stria_arg_int(0), stria_arg_int(1)},
                    wrong[] = {plain[0], stria_arg_int(0), shape};
    ok(stria_bind(&bound, stria_function_find("select"), STRIA_PROMOTE_TORCH, 3, picks));
    assert_int_equal(stria_bound_call(&r, bound, 3, wrong, NULL), STRIA_ERR_ARGUMENT);
    stria_bound_release(bound);
    const stria_function *const shapes = stria_function_find("broadcast_shapes");
    ok(stria_bind(&bound, shapes, STRIA_PROMOTE_TORCH, 1, &shape));
    ok(stria_bound_call(&r, bound, 1, &shape, NULL));
    assert_int_equal(r.answer.count, 2);
    stria_bound_release(bound);
    stria_results_release(&r);
}

TEST(test_bound_refusals)
{
    const int64_t shape[] = {2, 3};
    stria_array a = numbers(2, shape, STRIA_F64);
    const stria_function *const sum = stria_function_find("sum");
    const stria_arg args[] = {stria_arg_view(&a.view), stria_arg_named("dim", stria_arg_int(0))},
                    unknown[] = {stria_arg_view(&a.view),
                                 stria_arg_named("axes", stria_arg_int(0))},
                    text[] = {stria_arg_view(&a.view), stria_arg_text("rows", 4)};
    stria_results r = {0};
    stria_bound *bound = NULL;
    assert_int_equal(stria_bind(&bound, sum, STRIA_PROMOTE_TORCH, 2, unknown), STRIA_ERR_ARGUMENT);
    assert_message("'axes'");
    assert_int_equal(stria_bind(NULL, sum, STRIA_PROMOTE_TORCH, 2, args), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_bind(&bound, NULL, STRIA_PROMOTE_TORCH, 2, args), STRIA_ERR_ARGUMENT);
    assert_null(bound);
    ok(stria_bind(&bound, sum, STRIA_PROMOTE_TORCH, 2, args));
    assert_int_equal(stria_bound_call(&r, bound, 1, args, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_bound_call(&r, NULL, 2, args, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_bound_call(NULL, bound, 2, args, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_bound_call(&r, bound, 2, text, NULL), STRIA_ERR_ARGUMENT);
    assert_message("must be an int");
    assert_message("argument 2");
    assert_int_equal(r.count, 0);
    stria_bound_release(bound);
    stria_bound_release(NULL);
    stria_array_release(&a);
}

TEST_MAIN(NULL, NULL)
