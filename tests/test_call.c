/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions by name: found, described, called with tagged values, refused with their signatures. */
#include <stdio.h>
#include <string.h>
#include <limits.h>

#include "lang/registry.h"
#include "stria/stria.h"
#include "support/numbers.h"
#include "support/test.h"

static stria_status call(stria_results *r, const char *name, stria_promotion rule, int count,
                         const stria_arg *args)
{
    const stria_function *const f = stria_function_find(name);
    assert_non_null(f);
    return stria_call(r, f, rule, count, args, NULL);
}

/* Every row is a form of each of its names, and those are in order. */
TEST(test_functions)
{
    size_t forms = 0, names = 0;
    const struct function *row;
    for (size_t i = 0; (row = stria__registry_row(i)); i++) {
        struct text_span rest = stria__signature_names(row->signature);
        while (rest.length) {
            const struct text_span name = stria__span_take(&rest);
            const stria_function *const f = stria__lookup(name.text, name.length);
            bool there = false;
            for (int k = 0; f && k < f->count; k++)
                there = there || f->forms[k]->row == row;
            if (!there)
                fail_msg("%s is not found by %.*s", row->signature, (int)name.length, name.text);
            names++;
        }
        forms++;
    }
    size_t listed = 0;
    char before[80] = "", text[80];
    for (size_t i = 0; i < stria_function_count(); i++) {
        const stria_function *const f = stria_function_at(i);
        if (!f->copied) listed += (size_t)stria_function_forms(f);
        size_t used = 0;
        ok(stria_function_name(text, sizeof text, &used, f));
        assert_true(used < sizeof text);
        assert_true(strcmp(before, text) < 0);
        assert_ptr_equal(stria_function_find(text), f);
        memcpy(before, text, sizeof text);
    }
    assert_int_equal(listed, names);
    assert_true(forms > 400);
    assert_null(stria_function_at(stria_function_count()));
    assert_null(stria_function_find("no_such_function"));
    assert_null(stria_function_find(NULL));
}

TEST(test_description)
{
    char text[200];
    stria_form form;
    const stria_function *const f = stria_function_find("unsqueeze");
    ok(stria_function_form(&form, f, 0));
    assert_true(form.method && !form.attribute);
    assert_int_equal(form.origins & STRIA_IN_TORCH, form.by_numpy_only ? 0 : STRIA_IN_TORCH);
    assert_string_equal(form.c, "stria_unsqueeze");
    assert_non_null(strchr(form.doc, '.'));
    assert_int_equal(form.gives, STRIA_GIVES_VIEWS);
    size_t n = 0, again = 0;
    ok(stria_function_signature(text, sizeof text, &n, f, 0));
    assert_int_equal(n, strlen(text));
    assert_non_null(strstr(text, "unsqueeze(self"));
    char little[8];
    ok(stria_function_signature(little, sizeof little, &again, f, 0));
    assert_int_equal(again, n);
    assert_string_equal(little, "unsquee");
    ok(stria_function_signature(NULL, 0, &again, f, 0));
    assert_int_equal(again, n);
    assert_int_equal(stria_function_signature(NULL, 1, &again, f, 0), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_function_form(&form, f, 99), STRIA_ERR_ARGUMENT);
    ok(stria_function_form(&form, stria_function_find("ndim"), 0));
    assert_int_equal(form.gives, STRIA_GIVES_ANSWER);
    ok(stria_function_suggest(text, sizeof text, &again, "permut"));
    assert_int_equal(again, strlen(text));
    assert_non_null(strstr(text, "permute"));
    ok(stria_function_suggest(text, sizeof text, &again, "qqqqqqqqqq"));
    assert_int_equal(again, 0);
    const stria_function *const sum = stria_function_find("sum");
    ok(stria_function_form(&form, sum, 0));
    assert_int_equal(form.parameters, 7);
    stria_parameter p[3];
    for (int i = 0; i < 3; i++)
        ok(stria_function_parameter(&p[i], sum, 0, i));
    assert_true(p[1].none && !p[0].none);
    assert_int_equal(stria_function_parameter(p, sum, 0, 7), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_function_parameter(p, sum, 0, -1), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_function_parameter(p, sum, 9, 0), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_function_parameter(NULL, sum, 0, 0), STRIA_ERR_ARGUMENT);
    assert_memory_equal(p[1].names, "dim|axis", (size_t)p[1].names_length);
    assert_int_equal(p[1].names_length, 8);
    assert_string_equal(p[1].type, "dims");
    assert_memory_equal(p[2].fallback, "False", (size_t)p[2].fallback_length);
    assert_null(p[0].fallback);
    ok(stria_function_form(&form, stria_function_find("permute"), 0));
    for (int i = 0; i < 2; i++) {
        const stria_function *const permute = stria_function_find("permute");
        ok(stria_function_parameter(p, permute, 0, i));
        assert_int_equal(p->variadic, i);
    }
    assert_int_equal(stria_function_parameter_origins(sum, 0, "dim"), STRIA_IN_TORCH);
    assert_int_equal(stria_function_parameter_origins(sum, 0, "axis"),
                     STRIA_IN_NUMPY | STRIA_IN_ARRAY_API);
    /* all three libraries have the name */
    assert_int_equal(stria_function_parameter_origins(sum, 0, "out"), 0);
    assert_int_equal(stria_function_parameter_origins(sum, 0, "source"), 0);
    assert_int_equal(stria_function_parameter_origins(sum, 9, "dim"), 0);
    assert_int_equal(stria_function_parameter_origins(sum, 0, NULL), 0);
    assert_int_equal(stria_function_parameter_origins(NULL, 0, "dim"), 0);
    assert_string_equal(stria_function_elsewhere("append"), "cat((x, y))");
    assert_null(stria_function_elsewhere("cat"));
    assert_null(stria_function_elsewhere(NULL));
}

/* Facts about a form that a caller must know before the call. */
TEST(test_what_a_form_does)
{
    enum { OUT = STRIA_TAKES_OUT, WHERE = STRIA_TAKES_WHERE, DTYPE = STRIA_TAKES_DTYPE };
    static const struct {
        const char *name;
        int operation;
        uint32_t takes;
        bool writes, moves, sparse;
        int seed;
    } cases[] = {
        {"add", STRIA_ADD, OUT | WHERE, false, false, false, -1},
        {"add_", STRIA_ADD, OUT | WHERE, true, false, false, -1},
        {"sum", -1, OUT | WHERE | DTYPE, false, false, false, -1},
        {"permute", -1, 0, false, true, false, -1},
        {"permute_copy", -1, 0, false, true, false, -1},
        {"clone", -1, 0, false, true, false, -1},
        {"put", -1, 0, true, false, false, -1},
        {"byteswap", -1, 0, true, false, false, -1},
        {"coalesce", -1, 0, false, false, true, -1},
        {"cumsum", -1, OUT | DTYPE, false, false, false, -1},
        {"randint", -1, DTYPE, false, false, false, 3},
        {"rand", -1, DTYPE, false, false, false, INT_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stria_form form;
        const stria_function *const f = stria_function_find(cases[i].name);
        ok(stria_function_form(&form, f, 0));
        if (form.operation != cases[i].operation || form.takes != cases[i].takes ||
            form.writes != cases[i].writes || form.moves != cases[i].moves ||
            form.sparse != cases[i].sparse || form.seed != cases[i].seed)
            fail_msg("%s: operation %d, takes %u, writes %d, moves %d, sparse %d, seed %d",
                     cases[i].name, form.operation, form.takes, form.writes, form.moves,
                     form.sparse, form.seed);
    }
}

TEST(test_operation)
{
    stria_array x = numbers(1, (const int64_t[]){4}, STRIA_F32);
    stria_results r = {0};
    ok(call(&r, "add", STRIA_PROMOTE_TORCH, 2,
            (const stria_arg[]){stria_arg_view(&x.view), stria_arg_float(0.5)}));
    assert_int_equal(r.count, 1);
    assert_int_equal(r.one.view.dtype.kind, STRIA_F32);
    assert_true(item(&r.one.view, 1, (const int64_t[]){3}) == 4.5);
    /* Writes into out=, which is also the result. */
    const stria_arg into[] = {stria_arg_view(&x.view), stria_arg_view(&x.view),
                              stria_arg_named("out", stria_arg_view(&x.view))};
    ok(call(&r, "add", STRIA_PROMOTE_NUMPY, 3, into));
    assert_ptr_equal(stria_results_at(&r, 0)->view.data, x.view.data);
    assert_true(item(&x.view, 1, (const int64_t[]){3}) == 8);
    /* Works in place. */
    ok(call(&r, "mul_", STRIA_PROMOTE_TORCH, 2,
            (const stria_arg[]){stria_arg_view(&x.view), stria_arg_int(2)}));
    assert_true(item(&x.view, 1, (const int64_t[]){0}) == 4);
    stria_results_release(&r);
    stria_array_release(&x);
}

TEST(test_rules)
{
    stria_array x = numbers(1, (const int64_t[]){3}, STRIA_I32);
    stria_results r = {0};
    const stria_arg one[] = {stria_arg_view(&x.view)};
    ok(call(&r, "sqrt", STRIA_PROMOTE_TORCH, 1, one));
    assert_int_equal(r.one.view.dtype.kind, STRIA_F32);
    ok(call(&r, "sqrt", STRIA_PROMOTE_NUMPY, 1, one));
    assert_int_equal(r.one.view.dtype.kind, STRIA_F64);
    stria_results_release(&r);
    stria_array_release(&x);
}

/* Makes integers for a parameter; returns false where it takes something else. */
static bool integers_for(const struct param *p, const stria_arg *numbers, bool named, int *count,
                         stria_arg *to)
{
    const bool several = p->type == TYPE_INTS || p->type == TYPE_DIMS;
    *count = several && !named ? 3 : 1;
    for (int i = 0; i < *count; i++)
        to[i] = several && named ? stria_arg_tuple(3, numbers) : numbers[i];
    return several || p->type == TYPE_INT || p->type == TYPE_DIM;
}

/*
 * Makes the arguments of a form that takes an array and integers, in their places or by their
 * names. Returns their number, or 0 where the form takes something else.
 */
static int arguments_for(const struct form *form, const stria_view *a, const stria_arg *numbers,
                         bool named, char names[][40], stria_arg *to)
{
    const struct signature *const s = &form->signature;
    int used = 0, count = 1;
    if (s->attribute || s->count < 1 || s->params[0].type != TYPE_ARRAY) return 0;
    for (int i = 0; i < s->count; i++, used += count) {
        const struct param *const p = &s->params[i];
        const struct text_span name = stria__span_first(p->names);
        if (i == 0)
            to[0] = stria_arg_view(a);
        else if (!integers_for(p, numbers, named || !p->variadic, &count, &to[used]))
            return 0;
        (void)snprintf(names[i], 40, "%.*s", (int)name.length, name.text);
        if (named) to[used] = stria_arg_named(names[i], to[used]);
    }
    return used;
}

/* Arguments by place give the same results as arguments by name, refusals included. */
static void assert_same_by_names(const stria_function *f, const stria_view *a,
                                 const stria_arg *numbers)
{
    stria_results r[2] = {{0}, {0}};
    stria_status status[2];
    char message[2][1000], names[MAX_PARAMS][40];
    for (int named = 0; named < 2; named++) {
        stria_arg args[3 * MAX_PARAMS];
        const int count = arguments_for(f->forms[0], a, numbers, named, names, args);
        status[named] = stria_call(&r[named], f, STRIA_PROMOTE_TORCH, count, args, NULL);
        (void)snprintf(message[named], sizeof *message, "%s",
                       status[named] ? stria_last_error() : "");
    }
    assert_int_equal(status[0], status[1]);
    assert_string_equal(message[0], message[1]);
    assert_int_equal(r[0].count, r[1].count);
    assert_int_equal(r[0].answers, r[1].answers);
    assert_true(r[0].answer.value.integer == r[1].answer.value.integer);
    for (int64_t i = 0; i < r[0].count; i++) {
        const stria_view *const x = &stria_results_at(&r[0], i)->view,
                                *const y = &stria_results_at(&r[1], i)->view;
        bool equal = false;
        ok(stria_array_equal(&equal, x, y, true, NULL));
        assert_true(equal && x->ndim == y->ndim);
        assert_memory_equal(x->strides, y->strides, (size_t)x->ndim * sizeof *x->strides);
    }
    stria_results_release(&r[0]);
    stria_results_release(&r[1]);
}

TEST(test_arguments_in_place)
{
    stria_array x = numbers(3, (const int64_t[]){2, 3, 4}, STRIA_F64);
    static const int64_t sets[][3] = {{0, 1, 2},  {2, 0, 1},  {-1, 1, 0},
                                      {1, 1, 1},  {2, 3, 4},  {7, 0, 1},
                                      {6, 4, -1}, {3, 1, -7}, {INT64_MAX, INT64_MIN, 0}};
    int tried = 0;
    for (size_t i = 0; i < stria_function_count(); i++) {
        const stria_function *const f = stria_function_at(i);
        char names[MAX_PARAMS][40];
        stria_arg args[3 * MAX_PARAMS], three[3] = {stria_arg_int(0)};
        if (f->forms[0]->row->world == WORLD_NUMPY ||
            !arguments_for(f->forms[0], &x.view, three, true, names, args))
            continue;
        tried++;
        for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
            for (int d = 0; d < 3; d++)
                three[d] = stria_arg_int(sets[k][d]);
            assert_same_by_names(f, &x.view, three);
        }
    }
    assert_true(tried > 30);
    stria_array_release(&x);
}

TEST(test_views_and_answers)
{
    stria_array x = numbers(3, (const int64_t[]){2, 3, 4}, STRIA_F64);
    stria_results r = {0};
    const stria_arg dims[] = {stria_arg_int(2), stria_arg_int(0), stria_arg_int(1)};
    const stria_arg permute[] = {stria_arg_view(&x.view),
                                 stria_arg_named("dims", stria_arg_tuple(3, dims))};
    ok(call(&r, "permute", STRIA_PROMOTE_TORCH, 2, permute));
    assert_ptr_equal(r.one.view.data, x.view.data);
    assert_int_equal(r.one.view.shape[0], 4);
    const stria_arg one[] = {stria_arg_view(&x.view)};
    ok(call(&r, "shape", STRIA_PROMOTE_TORCH, 1, one));
    assert_true(r.answers);
    assert_int_equal(r.answer.count, 3);
    assert_int_equal(r.integers[2], 4);
    ok(call(&r, "is_contiguous", STRIA_PROMOTE_TORCH, 1, one));
    assert_true(r.answers && r.answer.kind == STRIA_ARG_BOOL && r.answer.value.truth);
    const stria_arg split[] = {stria_arg_view(&x.view), stria_arg_int(3),
                               stria_arg_named("dim", stria_arg_int(2))};
    ok(call(&r, "split", STRIA_PROMOTE_TORCH, 3, split));
    assert_true(r.several);
    assert_int_equal(r.count, 2);
    assert_int_equal(stria_results_at(&r, 1)->view.shape[2], 1);
    assert_null(stria_results_at(&r, 2));
    ok(call(&r, "T", STRIA_PROMOTE_TORCH, 1, one));
    assert_int_equal(r.one.view.shape[0], 4);
    const stria_arg sum[] = {stria_arg_view(&x.view), stria_arg_named("dim", stria_arg_int(1)),
                             stria_arg_named("keepdim", stria_arg_bool(true))};
    ok(call(&r, "sum", STRIA_PROMOTE_TORCH, 3, sum));
    assert_int_equal(r.one.view.shape[1], 1);
    assert_true(item(&r.one.view, 3, (const int64_t[]){0, 0, 0}) == 1 + 5 + 9);
    stria_results_release(&r);
    stria_array_release(&x);
}

/* NAME_copy exists for each method and function that makes views, and shares no memory. */
TEST(test_copies)
{
    char text[100];
    stria_form form;
    for (size_t i = 0; i < stria_function_count(); i++) {
        const stria_function *const f = stria_function_at(i);
        bool views = false;
        for (int k = 0; k < f->count && !f->copied; k++)
            views =
                views || (stria__form_is_views(f->forms[k]) && !f->forms[k]->signature.attribute);
        size_t length = 0;
        ok(stria_function_name(text, sizeof text, &length, f));
        memcpy(text + length, "_copy", 6);
        if (views && !stria_function_find(text)) fail_msg("there is no %s", text);
    }
    const stria_function *const f = stria_function_find("permute_copy");
    ok(stria_function_form(&form, f, 0));
    assert_true(form.copied && form.gives == STRIA_GIVES_ARRAYS && form.origins == STRIA_IN_TORCH);
    (void)stria_function_signature(text, sizeof text, NULL, f, 0);
    assert_string_equal(text, "permute_copy(self, *dims)");
    assert_false(stria_function_find("index_copy")->copied);
    assert_null(stria_function_find("T_copy"));

    stria_array x = numbers(2, (const int64_t[]){3, 4}, STRIA_F32);
    stria_results r = {0}, view = {0};
    const stria_arg args[] = {stria_arg_view(&x.view), stria_arg_int(1), stria_arg_int(0)};
    ok(call(&r, "permute_copy", STRIA_PROMOTE_TORCH, 3, args));
    ok(call(&view, "permute", STRIA_PROMOTE_TORCH, 3, args));
    bool same = false;
    ok(stria_array_equal(&same, &r.one.view, &view.one.view, false, NULL));
    assert_true(same && r.one.view.buffer != x.view.buffer);
    ok(call(&r, "unbind_copy", STRIA_PROMOTE_TORCH, 1, args));
    assert_true(r.several && r.count == 3);
    assert_true(item(&stria_results_at(&r, 2)->view, 1, (const int64_t[]){3}) == 12);
    assert_true(stria_results_at(&r, 2)->view.buffer != x.view.buffer);
    stria_results_release(&r);
    stria_results_release(&view);
    stria_array_release(&x);
}

/* Indexes x by every kind of key. */
TEST(test_index)
{
    stria_array x = numbers(2, (const int64_t[]){4, 6}, STRIA_F64);
    stria_results r = {0};
    const stria_arg bounds[] = {stria_arg_int(1), stria_arg_of(STRIA_ARG_NONE), stria_arg_int(2)},
                    picked[] = {stria_arg_int(2), stria_arg_int(0), stria_arg_int(-1)};
    stria_arg slice = stria_arg_of(STRIA_ARG_SLICE), list = stria_arg_of(STRIA_ARG_LIST);
    slice.value.items = bounds;
    list.value.items = picked;
    list.count = 3;
    const stria_arg keys[] = {stria_arg_of(STRIA_ARG_ELLIPSIS), slice},
                    both[] = {stria_arg_int(1), list};
    const stria_arg view = stria_arg_view(&x.view);
    ok(call(&r, "__getitem__", STRIA_PROMOTE_TORCH, 2,
            (const stria_arg[]){view, stria_arg_tuple(2, keys)}));
    assert_ptr_equal(r.one.view.data, x.view.data + 8);
    assert_true(r.one.view.shape[1] == 3 && r.one.view.strides[1] == 16);
    ok(call(&r, "__getitem__", STRIA_PROMOTE_TORCH, 2,
            (const stria_arg[]){view, stria_arg_tuple(2, both)}));
    assert_true(r.one.view.ndim == 1 && item(&r.one.view, 1, (const int64_t[]){2}) == 12);
    ok(call(&r, "__getitem__", STRIA_PROMOTE_NUMPY, 2,
            (const stria_arg[]){view, stria_arg_int(-1)}));
    assert_true(r.one.view.ndim == 1 && item(&r.one.view, 1, (const int64_t[]){0}) == 19);
    assert_int_equal(call(&r, "__getitem__", STRIA_PROMOTE_TORCH, 2,
                          (const stria_arg[]){view, stria_arg_int(4)}),
                     STRIA_ERR_INDEX);
    assert_int_equal(call(&r, "__getitem__", STRIA_PROMOTE_TORCH, 2,
                          (const stria_arg[]){view, stria_arg_float(0.5)}),
                     STRIA_ERR_ARGUMENT);
    assert_message("__getitem__: a float is no index");
    /* x[1, [2, 0, -1]] = 7; x[..., 1::2] = 2.0 */
    ok(call(&r, "__setitem__", STRIA_PROMOTE_TORCH, 3,
            (const stria_arg[]){view, stria_arg_tuple(2, both), stria_arg_int(7)}));
    assert_ptr_equal(r.one.view.data, x.view.data);
    assert_true(item(&x.view, 2, (const int64_t[]){1, 2}) == 7);
    assert_true(item(&x.view, 2, (const int64_t[]){1, 5}) == 7);
    assert_true(item(&x.view, 2, (const int64_t[]){1, 1}) == 8);
    ok(call(&r, "__setitem__", STRIA_PROMOTE_NUMPY, 3,
            (const stria_arg[]){view, stria_arg_tuple(2, keys), stria_arg_float(2)}));
    assert_true(item(&x.view, 2, (const int64_t[]){1, 5}) == 2);
    assert_true(item(&x.view, 2, (const int64_t[]){3, 4}) == 23);
    assert_int_equal(
        call(&r, "asarray", STRIA_PROMOTE_NUMPY, 2,
             (const stria_arg[]){stria_arg_int(-129), stria_arg_dtype(stria_dtype_of(STRIA_I8))}),
        STRIA_ERR_OVERFLOW);
    assert_int_equal(call(&r, "__setitem__", STRIA_PROMOTE_NUMPY, 3,
                          (const stria_arg[]){view, stria_arg_int(4), stria_arg_int(1)}),
                     STRIA_ERR_INDEX);
    stria_results_release(&r);
    stria_array_release(&x);
}

/* A refused call leaves the results as they were. */
TEST(test_refusals)
{
    stria_array x = numbers(2, (const int64_t[]){2, 3}, STRIA_F64);
    stria_results r = {0};
    const stria_arg view = stria_arg_view(&x.view);
    ok(call(&r, "neg", STRIA_PROMOTE_TORCH, 1, &view));
    const char *const kept = r.one.view.data;
    const struct {
        const char *name, *part;
        int count;
        stria_arg args[3];
    } bad[] = {
        {"permute", "permute_dims(self, *dims", 2, {view, stria_arg_float(1.5)}},
        {"permute", "(argument 2)", 2, {view, stria_arg_float(1.5)}},
        {"transpose", "is missing", 1, {view}},
        {"flatten", "no argument 'axis'", 2, {view, stria_arg_named("axis", stria_arg_int(0))}},
        {"squeeze", "no room", 3, {view, stria_arg_int(0), stria_arg_int(1)}},
        {"swapaxes",
         "more than once",
         3,
         {view, stria_arg_int(0), stria_arg_named("axis0", stria_arg_int(1))}},
        {"add", "NULL", 2, {view, stria_arg_view(NULL)}},
        {"movedim", "9", 3, {view, stria_arg_int(9), stria_arg_int(0)}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (call(&r, bad[i].name, STRIA_PROMOTE_TORCH, bad[i].count, bad[i].args) == STRIA_OK)
            fail_msg("case %zu: %s is not refused", i, bad[i].name);
        assert_message(bad[i].part);
        assert_message(i == 6 ? "argument 2" : bad[i].name);
        assert_ptr_equal(r.one.view.data, kept);
    }
    const stria_arg unknown[] = {view, {.kind = (stria_arg_kind)77}};
    assert_int_equal(call(&r, "add", STRIA_PROMOTE_TORCH, 2, unknown), STRIA_ERR_ARGUMENT);
    assert_message("no known kind");
    const stria_arg late[] = {stria_arg_named("self", view), stria_arg_int(0)};
    assert_int_equal(call(&r, "select", STRIA_PROMOTE_TORCH, 2, late), STRIA_ERR_ARGUMENT);
    assert_message("has no name and follows");
    assert_int_equal(stria_call(&r, NULL, STRIA_PROMOTE_TORCH, 0, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_call(&r, stria_function_find("neg"), (stria_promotion)9, 1, &view, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_ptr_equal(r.one.view.data, kept);
    stria_results_release(&r);
    stria_array_release(&x);
}

/* Lists that contain each other would be endless, which is a caller's error; deep ones are
 * refused. */
TEST(test_deep_list)
{
    stria_arg lists[80] = {stria_arg_int(1)};
    stria_results r = {0};
    for (int i = 1; i < 80; i++)
        lists[i] = stria_arg_tuple(1, &lists[i - 1]);
    assert_int_equal(call(&r, "tensor", STRIA_PROMOTE_TORCH, 1, &lists[79]), STRIA_ERR_ARGUMENT);
    assert_message("deeper");
    static stria_arg slices[300];
    for (int i = 3; i < 300; i += 3) {
        slices[i] = stria_arg_of(STRIA_ARG_SLICE);
        slices[i].value.items = &slices[i - 3];
    }
    assert_int_equal(call(&r, "tensor", STRIA_PROMOTE_TORCH, 1, &slices[297]), STRIA_ERR_ARGUMENT);
    assert_message("deeper");
}

TEST_MAIN(NULL, NULL)
