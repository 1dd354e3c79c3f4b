/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of views, operations, reductions, scans and copies: by C functions, by name, as
 * text, as prepared text and by the tool they give the same dtype, shape and bits.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/temp_folder.h"
#include "support/by_value.h"
#include "support/test.h"

enum { PROGRAMS = 400, BY_TOOL = 25, STEPS = 10, TEXT = 1000 };

enum kind { UNARY, SCALAR, AGAIN, TURN, FLIP, NARROW, UNSQUEEZE, REDUCE, SCAN, COPY };

/* Text of an operation: `before`, the text so far, then `after`, where @ and # stand for the
 * numbers of the step. */
static const struct op {
    enum kind kind;
    int number; /* number of the operation, the reduction or the scan */
    const char *name, *before, *after;
} ops[] = {
    {UNARY, STRIA_SIN, "sin", "sin(", ")"},
    {UNARY, STRIA_ABS, "abs", "", ".abs()"},
    {UNARY, STRIA_FLOOR, "floor", "torch.floor(", ")"},
    {UNARY, STRIA_TANH, "tanh", "", ".tanh()"},
    {SCALAR, STRIA_ADD, "add", "(", " + 0.75)"},
    {SCALAR, STRIA_MULTIPLY, "multiply", "(", " * 0.75)"},
    {SCALAR, STRIA_MAXIMUM, "maximum", "maximum(", ", 0.75)"},
    {AGAIN, STRIA_SUBTRACT, "subtract", "(", " - x)"},
    {TURN, 0, "transpose", "", ".transpose(@, #)"},
    {FLIP, 0, "flip", "", ".flip(@)"},
    {NARROW, 0, "narrow", "", ".narrow(@, #, 2)"},
    {UNSQUEEZE, 0, "unsqueeze", "", ".unsqueeze(@)"},
    {REDUCE, STRIA_SUM, "sum", "", ".sum(@)"},
    {REDUCE, STRIA_MAX, "amax", "", ".amax(dim=@)"},
    {SCAN, STRIA_CUMSUM, "cumsum", "", ".cumsum(@)"},
    {COPY, 0, "clone", "", ".clone()"},
};

struct step {
    const struct op *op;
    int first, second;
};

/* ---- the programs ---------------------------------------------------------------------------- */

/* Draws a step that the view allows; returns false where it allows none of that op. */
static bool draw(struct step *out, uint64_t *seed, const stria_view *a, const stria_view *x)
{
    out->op = &ops[random_between(seed, 0, sizeof ops / sizeof *ops - 1)];
    if (out->op->kind == AGAIN)
        return a->ndim == x->ndim &&
               !memcmp(a->shape, x->shape, (size_t)a->ndim * sizeof *a->shape);
    if (out->op->kind < TURN || out->op->kind == COPY) return true;
    if (out->op->kind == UNSQUEEZE) {
        out->first = (int)random_between(seed, 0, a->ndim);
        return a->ndim < 5;
    }
    if (a->ndim == 0) return false;
    out->first = (int)random_between(seed, 0, a->ndim - 1);
    out->second = (int)random_between(seed, 0, a->ndim - 1);
    if (out->op->kind != NARROW) return true;
    out->second = (int)random_between(seed, 0, 1);
    return a->shape[out->first] >= 3;
}

static stria_status by_c(stria_array *a, const struct step *s, const stria_view *x)
{
    static const double number = 0.75;
    stria_view view = a->view, scalar;
    stria_array made = {0};
    const stria_op op = (stria_op)s->op->number;
    const stria_view *operands[] = {&a->view, x};
    stria_status status = STRIA_OK;
    switch (s->op->kind) {
    case SCALAR:
        status = stria_weak(&scalar, STRIA_F64, &number);
        operands[1] = &scalar; /* fall through */
    case AGAIN:
    case UNARY:
        if (!status)
            status = stria_elementwise_new(&made, op, s->op->kind == UNARY ? 1 : 2, operands, NULL);
        break;
    case TURN: status = stria_transpose(&view, &view, s->first, s->second); break;
    case FLIP: status = stria_flip(&view, &view, 1, &s->first); break;
    case NARROW: status = stria_narrow(&view, &view, s->first, s->second, 2); break;
    case UNSQUEEZE: status = stria_unsqueeze(&view, &view, s->first); break;
    case REDUCE:
        status = stria_reduce_dims_new(&made, (stria_reduction)s->op->number, &a->view, 1,
                                       &s->first, NULL, NULL);
        break;
    case SCAN:
        status =
            stria_scan_dim_new(&made, (stria_scan)s->op->number, &a->view, s->first, NULL, NULL);
        break;
    case COPY: status = stria_clone_new(&made, &a->view, NULL); break;
    }
    if (status != STRIA_OK) return status;
    if (!made.owned) made = shared_of(&view);
    stria_array_release(a);
    *a = made;
    return STRIA_OK;
}

static stria_status by_name(stria_results *r, const struct step *s, const stria_view *x)
{
    const stria_array before = shared_of(&r->one.view);
    stria_array held = before;
    stria_arg args[4] = {stria_arg_view(&held.view), stria_arg_int(s->first),
                         stria_arg_int(s->second), stria_arg_int(2)};
    static const int counts[] = {
        [UNARY] = 1,  [SCALAR] = 2,    [AGAIN] = 2,  [TURN] = 3, [FLIP] = 2,
        [NARROW] = 4, [UNSQUEEZE] = 2, [REDUCE] = 2, [SCAN] = 2, [COPY] = 1};
    if (s->op->kind == SCALAR) args[1] = stria_arg_float(0.75);
    if (s->op->kind == AGAIN) args[1] = stria_arg_view(x);
    if (s->op->number == STRIA_MAX && s->op->kind == REDUCE)
        args[1] = stria_arg_named("dim", args[1]);
    const stria_status status = stria_call(r, stria_function_find(s->op->name), STRIA_PROMOTE_TORCH,
                                           counts[s->op->kind], args, NULL);
    stria_array_release(&held);
    return status;
}

static void write_step(char *text, const struct step *s)
{
    char made[TEXT];
    size_t length = (size_t)snprintf(made, sizeof made, "%s%s", s->op->before, text);
    for (const char *at = s->op->after; *at; at++)
        length += (size_t)(*at == '@' || *at == '#'
                               ? snprintf(made + length, sizeof made - length, "%d",
                                          *at == '@' ? s->first : s->second)
                               : snprintf(made + length, sizeof made - length, "%c", *at));
    memcpy(text, made, length + 1);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void assert_same(const stria_view *a, const stria_view *b, const char *way, const char *text)
{
    stria_hash128 u, v;
    if (a->ndim != b->ndim || memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) != 0 ||
        !stria_dtype_equal(a->dtype, b->dtype))
        fail_msg("%s: %s has another shape or dtype", text, way);
    assert_int_equal(stria_hash(&u, a, NULL), STRIA_OK);
    assert_int_equal(stria_hash(&v, b, NULL), STRIA_OK);
    if (u.high != v.high || u.low != v.low) fail_msg("%s: %s has other bits", text, way);
}

static void by_text(const char *text, const stria_view *x, const stria_view *wanted)
{
    const stria_named named = {"x", x};
    stria_results r = {0};
    stria_prepared *p = NULL;
    if (stria_eval(&r, text, 1, &named, NULL)) fail_msg("%s: %s", text, stria_last_error());
    assert_same(&r.one.view, wanted, "text", text);
    assert_int_equal(stria_prepare(&p, text, 1, &named.name), STRIA_OK);
    for (int time = 0; time < 3; time++) {
        if (stria_prepared_run(&r, p, 1, &x, NULL)) fail_msg("%s: %s", text, stria_last_error());
        assert_same(&r.one.view, wanted, "prepared text", text);
    }
    stria_prepared_release(p);
    stria_results_release(&r);
}

static void by_tool(const char *tool, const char *text, const stria_view *x,
                    const stria_view *wanted)
{
    char command[2 * TEXT];
    RELEASED stria_array made = {0};
    assert_int_equal(stria_npy_write(temp_path(group_folder, "x.npy"), x, NULL), STRIA_OK);
    (void)snprintf(command, sizeof command, "'%s' apply '%s' '%s' -o '%s' > /dev/null", tool,
                   temp_path(group_folder, "x.npy"), text, temp_path(group_folder, "out.npy"));
    if (system(command)) fail_msg("%s", command); /* NOLINT: the test's own text */
    assert_int_equal(
        stria_npy_read(&made, temp_path(group_folder, "out.npy"), STRIA_NPY_READ, NULL), STRIA_OK);
    assert_same(&made.view, wanted, "the tool", text);
}

static stria_array draw_input(uint64_t *seed)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_I32, STRIA_F16};
    const int64_t shape[] = {random_between(seed, 1, 5), random_between(seed, 1, 40),
                             random_between(seed, 1, 5)};
    const stria_kind kind = kinds[random_between(seed, 0, 3)];
    const bool whole = kind == STRIA_I32;
    stria_array out = {0};
    assert_int_equal(stria_empty(&out, stria_dtype_of(kind), 3, shape), STRIA_OK);
    for (int64_t i = 0; i < stria_numel(&out.view); i++) {
        const int64_t at[] = {i / (shape[1] * shape[2]), i / shape[2] % shape[1], i % shape[2]};
        assert_int_equal(stria_set_f64(&out.view, 3, at,
                                       (double)random_between(seed, -40, 40) / (whole ? 1 : 8)),
                         STRIA_OK);
    }
    return out;
}

TEST(test_programs)
{
    const char *const tool = getenv("STRIA_TOOL");
    for (int i = 0; i < PROGRAMS; i++) {
        uint64_t seed = (uint64_t)i;
        char text[TEXT] = "x";
        stria_array x = draw_input(&seed), a = shared_of(&x.view);
        stria_results named = {0};
        named.count = 1;
        named.one = shared_of(&x.view);
        for (int k = (int)random_between(&seed, 1, STEPS); k > 0; k--) {
            struct step step = {NULL, 0, 0};
            if (!draw(&step, &seed, &a.view, &x.view)) continue;
            write_step(text, &step);
            if (by_c(&a, &step, &x.view) || by_name(&named, &step, &x.view))
                fail_msg("program %d: %s: %s", i, text, stria_last_error());
            assert_same(&named.one.view, &a.view, "by name", text);
        }
        by_text(text, &x.view, &a.view);
        if (tool && i < BY_TOOL) by_tool(tool, text, &x.view, &a.view);
        stria_results_release(&named);
        stria_array_release(&a);
        stria_array_release(&x);
    }
}

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
