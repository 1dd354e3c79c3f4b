/* SPDX-License-Identifier: BSD-3-Clause */
/* Lowers an expression to a list of values. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/op_loop.h"
#include "ops/expr/ready.h"
#include "plan/threads.h"
#include "view/view.h"

/* ---- kernels -------------------------------------------------------------------------------- */

/*
 * Sets the value of a node to the kernel of an operation over its operands, each of which has a
 * view, or to the result if they are constants.
 */
static void apply_operation(struct lowered_node *to, struct lowered *l, const struct operation *o,
                            const struct lowered_node *from, const stria_view *views)
{
    struct op_kernel kernel;
    stria__op_kernel(&kernel, o);
    int value[OPERANDS];
    stria_dtype dtypes[OPERANDS];
    for (int i = 0; i < kernel.map.nops - 1; i++) {
        const struct map_operand *const operand = &kernel.map.operand[1 + i];
        const stria_view *const a = operand->view;
        const ptrdiff_t k = a >= views && a < views + o->row->inputs ? a - views : -1;
        value[i] = k < 0 ? stria__lower_constant(l, a, operand->dtype) : from[k].value;
        dtypes[i] = k < 0 ? operand->dtype : stria_dtype_of(from[k].kind);
    }
    to->value = stria__lower_kernel(l, &kernel.map, value, dtypes);
    to->kind = (stria_kind)kernel.map.operand[0].dtype.kind;
}

/* Makes a view with the dtype and the number of dims of a node, and with the value of a
 * constant. */
static void describe(stria_view *out, const struct lowered *l, const struct lowered_node *node)
{
    const struct lowered_value *const v = &l->value[node->value];
    char *const data = v->what == VALUE_CONSTANT ? l->constant[v->index].item : NULL;
    view_set(out, data, NULL, stria_dtype_of(node->kind), node->weak ? STRIA_WEAK : 0, 0,
             out->shape, out->strides);
    out->ndim = node->ndim;
    for (int d = 0; d < node->ndim; d++) {
        out->shape[d] = 1;
        out->strides[d] = 0;
    }
}

static int cast(struct lowered *l, int value, stria_kind from, stria_kind kind)
{
    return stria__lower_cast(l, value, stria_dtype_of(from), stria_dtype_of(kind));
}

static void convert(struct lowered *l, struct lowered_node *node, stria_kind kind)
{
    node->value = cast(l, node->value, node->kind, kind);
    node->kind = kind;
}

static double number_of_constant(struct lowered *l, int value, stria_kind kind)
{
    double number;
    const int as_real = cast(l, value, kind, STRIA_F64);
    memcpy(&number, l->constant[l->value[as_real].index].item, sizeof number);
    return number;
}

/* Refuses an integer that is far from the result in floats: 2^62 * 4, 1 // 0. */
static stria_status check_integer(struct lowered *l, struct operation *o,
                                  const struct lowered_node *to, const struct lowered_node *from,
                                  const stria_view *views)
{
    struct lowered_node real;
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
#ifdef STRIA_SOME_LEFT_OUT
    if (!op_loop(stria__kernels(), o->op, STRIA_F64)) return stria__left_out(o->row->name, "math");
#endif
    o->types = (struct op_types){.kernel = f64, .written = f64, .result = f64};
    apply_operation(&real, l, o, from, views);
    const double got = number_of_constant(l, to->value, to->kind),
                 want = number_of_constant(l, real.value, STRIA_F64);
    if (fabs(got - want) < 0x1p62) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_ARGUMENT,
        "%s of weak integers is %g, which no integer of 64 bits is; make one a float", o->row->name,
        want);
}

/*
 * Computes an operation of weak scalars alone as Python computes with its numbers, in i64, f64 and
 * c128 under either rule; the result is a weak scalar, too.
 */
static stria_status lower_operation(struct lowered *l, const struct expr_node *node,
                                    struct lowered_node *to)
{
    struct lowered_node from[OPERANDS];
    stria_view *const views = l->operand, out;
    const stria_view *operands[OPERANDS];
    struct operation o = {.op = node->op,
                          .row = stria__op_info(node->op),
                          .out = &out,
                          .inputs = operands,
                          .exec = l->exec};
    STRIA_TRY(stria__check_mask_room(o.row, l->mask));
    to->ndim = 0;
    to->weak = !o.row->user; /* The result of a user's loop has a dtype, even for numbers. */
    for (int i = 0; i < node->count; i++) {
        from[i] = l->node[node->operand[i]];
        if (from[i].ndim > to->ndim) to->ndim = from[i].ndim;
        to->weak = to->weak && from[i].weak;
    }
    /* Python computes with bools as with integers if it computes with floats, too. */
    const bool counts = to->weak && (o.row->dtypes & OP_FLOATS) && o.row->result != OP_CHOICE;
    for (int i = 0; i < node->count; i++) {
        if (counts && from[i].kind == STRIA_BOOL) convert(l, &from[i], STRIA_I64);
        describe(&views[i], l, &from[i]);
        operands[i] = &views[i];
    }
    STRIA_TRY(stria__op_types(&o.types, o.row, operands,
                              to->weak ? STRIA_PROMOTE_NUMPY : promotion_of(l->exec)));
    if (to->weak && node->op == STRIA_POW)
        STRIA_TRY(stria__check_exponents(&o.types, operands[1], NULL));
    out = stria__plain_view(o.types.written);
    out.data = NULL;
    apply_operation(to, l, &o, from, views);
    if (to->weak && is_integer_kind(to->kind) && (o.row->dtypes & OP_FLOATS))
        return check_integer(l, &o, to, from, views);
    if (o.types.written.kind != o.types.result.kind)
        convert(l, to, (stria_kind)o.types.result.kind);
    /* The result is a count. */
    if (to->weak && !stria__is_weak_kind(to->kind)) convert(l, to, STRIA_I64);
    return STRIA_OK;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static int leaf_of(struct lowered *l, const stria_view *a)
{
    int i = 0;
    while (i < l->leaves && !stria_same_view(l->leaf[i], a))
        i++;
    if (i == l->leaves) l->leaf[l->leaves++] = a;
    const struct lowered_value v = {.what = VALUE_LEAF, .dtype = a->dtype, .index = i};
    return stria__lower_value(l, &v);
}

static stria_status lower_input(struct lowered *l, const stria_view *a, struct lowered_node *to)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    if (a->dtype.kind > STRIA_C128)
        return stria__fail(STRIA_ERR_DTYPE,
                           "it is no number; choose among strings and records with stria_where");
    *to = (struct lowered_node){.kind = kind, .ndim = a->ndim, .weak = view_is_weak(a)};
    /* A single element in memory is read now. */
    const bool single = stria_numel(a) == 1 && !view_is_meta(a);
    const bool constant = single && (!l->kept || view_is_weak(a));
    to->value = constant ? stria__lower_constant(l, a, stria_dtype_of(kind)) : leaf_of(l, a);
    return STRIA_OK;
}

static stria_status lower_node(struct lowered *l, const struct expr_node *node,
                               const stria_view *const *inputs)
{
    struct lowered_node *const to = &l->node[l->nodes];
    const struct lowered_node *const operand = &l->node[node->operand[0]];
    stria_view scalar;
    switch (node->what) {
    case NODE_INPUT: return lower_input(l, inputs[node->input], to);
    case NODE_SCALAR:
        scalar = stria__plain_view(stria_dtype_of(node->kind));
        scalar.data = (char *)(uintptr_t)node->value;
        *to = (struct lowered_node){.kind = node->kind, .weak = true};
        to->value = stria__lower_constant(l, &scalar, stria_dtype_of(node->kind));
        return STRIA_OK;
    case NODE_CAST:
        *to = (struct lowered_node){.kind = node->kind, .ndim = operand->ndim};
        to->value = cast(l, operand->value, operand->kind, node->kind);
        return STRIA_OK;
    default: return lower_operation(l, node, to);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t rounded(size_t size)
{
    return (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

/*
 * Allocates the lists. Each operand of a node may take a cast and a scalar's place; each node gives
 * a value. Weak scalars may be computed twice, a subtracted product has a factor with another sign,
 * and each pair of added values may come with the weights of a sum.
 */
static stria_status make_room(struct lowered *l, const stria_expr *expr)
{
    size_t most = 1;
    for (int i = 0; i < expr->count; i++)
        most += 6 + 3 * (size_t)expr->nodes[i].count;
    for (l->places = 16; l->places < 2 * most; l->places *= 2) {
    }
    const size_t nodes = rounded((size_t)expr->count * sizeof *l->node),
                 values = rounded(most * sizeof *l->value),
                 constants = rounded(most * sizeof *l->constant),
                 leaves = rounded((size_t)expr->inputs * sizeof *l->leaf + 1),
                 table = rounded(l->places * sizeof *l->table),
                 operands = rounded(OPERANDS * sizeof *l->operand), pass = rounded(sizeof *l->pass);
    l->size = nodes + values + constants + leaves + table + operands + pass;
    l->from = stria__allocator();
    char *memory = l->from.alloc(l->size, _Alignof(max_align_t), l->from.context);
    if (!memory)
        return stria__fail(STRIA_ERR_MEMORY, "expr: no memory to prepare %d nodes", expr->count);
    l->node = (struct lowered_node *)(void *)memory;
    l->value = (struct lowered_value *)(void *)(memory += nodes);
    l->constant = (struct constant *)(void *)(memory += values);
    l->leaf = (const stria_view **)(void *)(memory += constants);
    l->table = (int32_t *)(void *)(memory += leaves);
    l->operand = (stria_view *)(void *)(memory += table);
    l->pass = (struct expr_pass *)(void *)(memory + operands);
    memset(l->table, 0, table);
    return STRIA_OK;
}

void stria__lowered_free(const struct lowered *l)
{
    if (l->node) l->from.free(l->node, l->size, l->from.context);
}

/* Refuses a node: "expr, node 3: add: a of dtype ...". */
static stria_status refuse_node(const stria_expr *expr, int n, stria_status status)
{
    const struct expr_node *const node = &expr->nodes[n];
    if (expr->name) return stria__fail(status, "%s: %s", expr->name, stria_last_error());
    if (node->what == NODE_INPUT)
        return stria__fail(status, "expr, node %d (input %d): %s", n, node->input,
                           stria_last_error());
    return stria__fail(status, "expr, node %d: %s", n, stria_last_error());
}

stria_status stria__expr_lower(struct lowered *out, const stria_expr *expr,
                               const stria_view *const *inputs, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    *out = (struct lowered){
        .exec = exec, .mask = mask_of(exec), .kept = stria__ready_is_next(expr), .apart = -1};
    STRIA_TRY(make_room(out, expr));
    for (; out->nodes < expr->count; out->nodes++) {
        const stria_status status = lower_node(out, &expr->nodes[out->nodes], inputs);
        if (status == STRIA_OK) continue;
        const stria_status refused = refuse_node(expr, out->nodes, status);
        stria__lowered_free(out);
        out->node = NULL;
        return refused;
    }
    return STRIA_OK;
}
