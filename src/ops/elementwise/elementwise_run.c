/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds for an operation whose operands are checked the loop and the dtypes that it takes. */
#include "ops/elementwise/elementwise_run.h"

#include "dispatch.h"
#include "ops/elementwise/nearest_bound.h"
#include "ops/elementwise/compare.h"
#include "ops/elementwise/exponents.h"
#include "ops/elementwise/mask.h"
#include "simd/op_loop.h"
#include "status.h"
#include "stria/expr.h"
#include "view/view.h"

/* The comparisons are ops in the order of enum comparison. */
_Static_assert(STRIA_NOT_EQUAL - STRIA_LESS == (int)COMPARE_NOT_EQUAL &&
                   STRIA_GREATER - STRIA_LESS == (int)COMPARE_GREATER,
               "ops and comparisons differ");

static enum mixed_pair pair_of(stria_kind a, stria_kind b)
{
    if (b == STRIA_C128) return a == STRIA_I64 ? MIXED_I64_C128 : MIXED_U64_C128;
    if (b == STRIA_U64) return MIXED_I64_U64;
    return a == STRIA_I64 ? MIXED_I64_F64 : MIXED_U64_F64;
}

static map_loop *comparison_loop(const struct comparands *c)
{
    const struct stria_kernels *const kernels = stria__kernels();
    const stria_kind a = c->kind[0], b = c->kind[1];
    if (a == b) return op_loop(kernels, (stria_op)(STRIA_LESS + (int)c->how), a);
    return kernels->ops->mixed[pair_of(a, b)][c->how];
}

/* ---- inputs of one element ------------------------------------------------------------------- */

/*
 * An element in the dtype of the kernel, as a 0-d view. It is cast once for the whole call, where
 * an instruction of the program would cast it for every strip.
 */
struct single {
    stria_view view;
    _Alignas(16) char item[16];
};

static void set_single(struct single *out, stria_dtype dtype)
{
    view_set(&out->view, out->item, NULL, dtype, STRIA_READONLY, 0, out->view.shape,
             out->view.strides);
}

static bool has_one_element(const stria_view *a)
{
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1) return false;
    return !view_is_meta(a);
}

/* Casts the element of an operand; false where it needs no cast, or is left to the program. */
static bool cast_single(struct single *out, const struct map_operand *operand,
                        const stria_exec *exec)
{
    struct conversion how;
    if (operand->dtype.itemsize > (int)sizeof out->item) return false;
    set_single(out, operand->dtype);
    if (stria__convert(&how, &out->view, operand->view, exec) != STRIA_OK || !how.row) return false;
    how.row(&how, out->item, operand->view->data, how.parts);
    return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

stria_status stria__run_loop(const struct operation *o, map_loop *loop, int nops,
                             const struct map_operand *operands)
{
    struct single single[LOOP_OPERANDS];
    struct map_operand all[LOOP_OPERANDS];
    if (o->take) return o->take(o->by, loop, nops, operands);
    for (int k = 0; k < nops; k++) {
        all[k] = operands[k];
        if (k > 0 && has_one_element(all[k].view) && cast_single(&single[k], &all[k], o->exec))
            all[k].view = &single[k].view;
    }
    const struct map_mask mask = stria__mask_for(o->mask, all[0].view->dtype.itemsize);
    if (o->text)
        return stria__map_explain(o->text, o->size, loop, o->row->cycles, nops, all, &mask,
                                  o->exec);
    return stria__map(loop, o->row->cycles, nops, all, &mask, o->exec);
}

static stria_status run_comparison(const struct operation *o)
{
    struct comparands c;
    stria__plan_comparison(&c, (enum comparison)(o->op - STRIA_LESS), o->inputs[0], o->inputs[1]);
    const struct map_operand operands[] = {{o->out, o->types.result},
                                           {c.operands[0], stria_dtype_of(c.kind[0])},
                                           {c.operands[1], stria_dtype_of(c.kind[1])}};
    return stria__run_loop(o, comparison_loop(&c), 3, operands);
}

/*
 * The loop writes another dtype than the result's, and out has a third one: what the result's dtype
 * does not hold has to be cut or rounded on the way, which an expression does.
 */
static stria_status run_through_result(const struct operation *o)
{
    stria_expr *expr;
    int node[STRIA_MAX_OPERANDS] = {0}, result;
    STRIA_TRY(stria_expr_new(&expr));
    stria_status status = STRIA_OK;
    for (int i = 0; i < o->row->inputs && status == STRIA_OK; i++)
        status = stria_expr_input(expr, &node[i], i);
    if (status == STRIA_OK) status = stria_expr_op(expr, &result, o->op, o->row->inputs, node);
    if (status == STRIA_OK)
        status = stria_expr_evaluate(expr, o->out, o->row->inputs, o->inputs, o->exec);
    stria_expr_free(expr);
    return status;
}

static bool is_direct(const struct operation *o)
{
    const struct op_types *const t = &o->types;
    return o->take || o->text || t->written.kind == t->result.kind ||
           o->out->dtype.kind == t->result.kind;
}

/*
 * A scalar that bounds less than its dtype does (stria__op_types has refused those that bound more)
 * is replaced by the end of the range.
 */
static const stria_view *within_range(const struct operation *o, int i, stria_view *scalar,
                                      uint64_t *item)
{
    const stria_view *const a = o->inputs[i];
    const stria_kind kind = (stria_kind)o->types.kernel.kind;
    if (o->op != STRIA_CLIP || !view_is_weak(a) || stria__weak_fits(a, kind)) return a;
    *item = stria__bound(stria__weak_real(a), kind, i == 1 ? BOUND_UP : BOUND_DOWN).item;
    view_set(scalar, (char *)item, NULL, o->types.kernel, STRIA_READONLY, 0, scalar->shape,
             scalar->strides);
    return scalar;
}

static stria_status run_usual(const struct operation *o)
{
    enum { INPUTS = 3 };
    stria_view scalar[INPUTS];
    uint64_t item[INPUTS];
    if (!is_direct(o)) return run_through_result(o);
    struct map_operand operands[STRIA_MAX_OPERANDS] = {{o->out, o->types.written}};
    map_loop *const loop = op_loop(stria__kernels(), o->op, (stria_kind)o->types.kernel.kind);
    assert(loop);
    for (int i = 0; i < o->row->inputs; i++)
        operands[1 + i] =
            (struct map_operand){within_range(o, i, &scalar[i], &item[i]), o->types.kernel};
    return stria__run_loop(o, loop, 1 + o->row->inputs, operands);
}

/* Tells whether it is a power whose exponent is the scalar 2. An expression looks by itself. */
static bool is_square(const struct operation *o)
{
    if (o->op != STRIA_POW || o->take || o->types.kernel.kind >= STRIA_C64) return false;
    const stria_view *const b = o->inputs[1];
    const bool plain = b->ndim == 0 && !b->dtype.swapped && !(b->flags & (STRIA_CONJ | STRIA_NEG));
    return is_direct(o) && plain && !view_is_meta(b) &&
           stria__is_two((stria_kind)b->dtype.kind, b->data);
}

static stria_status run_square(const struct operation *o)
{
    struct operation square = *o;
    square.op = STRIA_SQUARE;
    square.row = stria__op_info(STRIA_SQUARE);
    return run_usual(&square);
}

static bool has_work(const struct operation *o)
{
    bool meta = !o->text && (view_is_meta(o->out) || (o->mask && view_is_meta(o->mask)));
    for (int i = 0; i < o->row->inputs; i++)
        meta |= !o->text && view_is_meta(o->inputs[i]);
    return !meta && !is_empty(o->out->ndim, o->out->shape) && o->out->dtype.itemsize > 0;
}

stria_status stria__run_operation(const struct operation *o)
{
    if (!has_work(o)) return STRIA_OK;
    if (o->op == STRIA_POW && !o->take && !o->text)
        STRIA_TRY(stria__check_exponents(&o->types, o->inputs[1], mask_of(o->exec)));
    stria_status status;
    switch (o->row->result) {
    case OP_TRUTH: status = run_comparison(o); break;
    case OP_CHOICE: status = stria__run_where(o); break;
    default: status = is_square(o) ? run_square(o) : run_usual(o);
    }
    if (status == STRIA_ERR_MEMORY)
        return stria__fail(STRIA_ERR_MEMORY,
                           "%s: no memory for the temporaries that operands of out's shape %s need",
                           o->row->name, stria__dims_text(o->out->ndim, o->out->shape).text);
    return status;
}
