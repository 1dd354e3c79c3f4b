/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer operations that report overflow. The first pass only tells whether any element overflows,
 * without memory for the answers. If one does, a second pass finds the first of them; if none does,
 * the operation itself runs.
 */
#include <stdio.h>

#include "ops/composed/overflow.h"
#include "ops/elementwise/operation.h"
#include "plan/plan.h"
#include "stria/broadcast.h"
#include "stria/cast.h"
#include "view/view.h"
#include "ops/make.h"
#include "view/array.h"

/* A checked operation while it is made. */
struct checked {
    struct operation o;
    struct formula f; /* The formula of the inputs and the mask. */
    int ndim;         /* The shape to which the inputs broadcast. */
    int64_t shape[STRIA_MAX_NDIM];
};

static stria_status check_dtypes(const struct checked *c)
{
    const struct operation *const o = &c->o;
    const struct dtype_text kernel = stria__dtype_text(o->types.kernel);
    if (!is_integer_kind((stria_kind)o->types.kernel.kind))
        return stria__fail(STRIA_ERR_DTYPE,
                           "%s: %s are taken in %s; only integers are checked for overflow",
                           o->row->name, stria__operands_text(o->row, o->inputs).text, kernel.text);
    if (stria_can_cast(o->types.result, o->out->dtype, STRIA_CAST_SAFE)) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_DTYPE,
        "%s: out's dtype %s does not hold all of %s, in which it is checked; compute "
        "into %s",
        o->row->name, stria__dtype_text(o->out->dtype).text, kernel.text, kernel.text);
}

/* ---- the expression ------------------------------------------------------------------------- */

/*
 * Makes input i an operand in the dtype of the kernel. By PyTorch's rules an array without dims may
 * have a number out of its range, which counts as an overflow: then *fails is true.
 */
static int take_input(struct checked *c, const stria_view *a, int *fails)
{
    struct formula *const f = &c->f;
    const stria_dtype kernel = c->o.types.kernel;
    const int input = stria__formula_input(f, a);
    const int node = stria__formula_cast(f, input, (stria_kind)kernel.kind);
    if (view_is_weak(a) || stria_can_cast(a->dtype, kernel, STRIA_CAST_SAFE)) return node;
    const int other = apply2(f, STRIA_NOT_EQUAL, input, node);
    *fails = *fails < 0 ? other : apply2(f, STRIA_LOGICAL_OR, *fails, other);
    return node;
}

static void build_check(struct checked *c)
{
    struct formula *const f = &c->f;
    int inputs[2] = {0, 0}, beyond = -1;
    stria__formula_begin(f, NULL, 0, NULL);
    for (int i = 0; i < c->o.row->inputs; i++)
        inputs[i] = take_input(c, c->o.inputs[i], &beyond);
    int fails =
        stria__overflow(f, (stria_kind)c->o.types.kernel.kind, c->o.op, inputs[0], inputs[1]);
    if (beyond >= 0) fails = apply2(f, STRIA_LOGICAL_OR, beyond, fails);
    if (c->o.mask) (void)apply2(f, STRIA_LOGICAL_AND, fails, stria__formula_input(f, c->o.mask));
}

/* ---- the first failure ---------------------------------------------------------------------- */

static struct element_text text_of(const struct checked *c, int k, const int64_t *i)
{
    const struct element e = stria__element_at(c->o.inputs[k], c->ndim, i);
    return stria__element_text(&e);
}

static const char *sign_of(stria_op op)
{
    switch (op) {
    case STRIA_ADD: return "+";
    case STRIA_SUBTRACT: return "-";
    case STRIA_MULTIPLY: return "*";
    case STRIA_FLOOR_DIVIDE: return "//";
    default: return "%";
    }
}

static bool is_zero(const struct checked *c, const int64_t *i)
{
    const bool divides = c->o.op == STRIA_FLOOR_DIVIDE || c->o.op == STRIA_REMAINDER;
    return divides && text_of(c, 1, i).text[0] == '0';
}

/* Refuses an element: "add: 100 + 100 at index (0, 3) does not fit into i8; ...". */
static stria_status refuse_element(const struct checked *c, int64_t first)
{
    int64_t i[STRIA_MAX_NDIM];
    char what[192];
    stria__index_of(i, c->ndim, c->shape, first);
    if (c->o.row->inputs == 1)
        (void)snprintf(what, sizeof what, "-(%s)", text_of(c, 0, i).text);
    else
        (void)snprintf(what, sizeof what, "%s %s %s", text_of(c, 0, i).text, sign_of(c->o.op),
                       text_of(c, 1, i).text);
    if (is_zero(c, i))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: %s at index %s divides by zero; nothing was written",
                           c->o.row->name, what, stria__dims_text(c->ndim, i).text);
    return stria__fail(STRIA_ERR_OVERFLOW,
                       "%s: %s at index %s does not fit into %s; nothing was written, compute in a "
                       "wider dtype",
                       c->o.row->name, what, stria__dims_text(c->ndim, i).text,
                       stria__dtype_text(c->o.types.kernel).text);
}

/* Refuses the first element that overflows, if one does. */
static stria_status check_elements(struct checked *c)
{
    stria_exec exec = c->o.exec ? *c->o.exec : (stria_exec){0};
    bool found = false;
    int64_t first = 0;
    exec.mask = NULL;
    exec.hints = 0;
    build_check(c);
    STRIA_TRY(stria__formula_reduce(&c->f, STRIA_ANY, &found, STRIA_BOOL, &exec));
    if (!found) return STRIA_OK;
    build_check(c);
    STRIA_TRY(stria__formula_reduce(&c->f, STRIA_ARGMAX, &first, STRIA_I64, &exec));
    return refuse_element(c, first);
}

stria_status stria_elementwise_checked(const stria_view *out, stria_op op, int n,
                                       const stria_view *const *operands, const stria_exec *exec)
{
    struct checked c = {
        .o = {.op = op, .out = out, .inputs = operands, .exec = exec, .mask = mask_of(exec)}};
    const stria_view *views[3];
    STRIA_TRY(stria__check_operation(&c.o, n));
    if (!stria__is_checkable(op))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no checked version of it",
                           c.o.row->name);
    STRIA_TRY(check_dtypes(&c));
    for (int i = 0; i < n; i++)
        views[i] = operands[i];
    if (c.o.mask) views[n] = c.o.mask;
    const int count = n + (c.o.mask != NULL);
    STRIA_TRY(stria_broadcast_shape(&c.ndim, c.shape, count, views));
    if (view_is_meta(view_nearest(count, views)) || is_empty(c.ndim, c.shape)) return STRIA_OK;
    STRIA_TRY(check_elements(&c));
    return stria_elementwise(out, op, n, operands, exec);
}

stria_status stria_elementwise_checked_new(stria_array *out, stria_op op, int n,
                                           const stria_view *const *operands,
                                           const stria_exec *exec)
{
    stria_dtype dtype;
    MAKES(made, out, "elementwise_checked");
    STRIA_TRY(stria_result_dtype(&dtype, op, n, operands, promotion_of(exec)));
    STRIA_TRY(stria__make_results(1, &made, &dtype, stria_op_name(op), n, operands, mask_of(exec)));
    return stria__deliver(out, &made, stria_elementwise_checked(&made.view, op, n, operands, exec));
}

#define INPUTS_1   const stria_view *a
#define INPUTS_2   INPUTS_1, const stria_view *b
#define OPERANDS_1 a
#define OPERANDS_2 a, b
#define CHECKED(constant, name, inputs)                                                            \
    stria_status stria_##name##_checked(const stria_view *out, INPUTS_##inputs,                    \
                                        const stria_exec *exec)                                    \
    {                                                                                              \
        return stria_elementwise_checked(out, constant, inputs,                                    \
                                         (const stria_view *[]){OPERANDS_##inputs}, exec);         \
    }                                                                                              \
    stria_status stria_##name##_checked_new(stria_array *out, INPUTS_##inputs,                     \
                                            const stria_exec *exec)                                \
    {                                                                                              \
        return stria_elementwise_checked_new(out, constant, inputs,                                \
                                             (const stria_view *[]){OPERANDS_##inputs}, exec);     \
    }
STRIA_CHECKED_LIST(CHECKED)
