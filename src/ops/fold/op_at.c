/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies an operation to indexed elements, one after another. */
#include "stria/fold.h"

#include "ops/elementwise/user_op.h"
#include "ops/fold/steps.h"
#include "ops/index/indexed.h"
#include "ops/operands.h"

struct applied {
    stria_op op;
    const struct op_info *row;
    struct op_types types;
    map_loop *loop;
    bool in_place;            /* It takes and gives elements as they lie in out. */
    const stria_view *values; /* NULL: the operation is one of one input. */
};

/* Tells whether the operation takes one dtype and gives it. Comparisons have no dtype that they
 * take. */
static bool keeps_dtype(const struct applied *f, const stria_view *out)
{
    const struct op_types *const t = &f->types;
    if (f->row->result == OP_TRUTH) return out->dtype.kind == STRIA_BOOL;
    const bool user = !f->row->user || f->row->inputs < 2 || t->user->in[0] == t->user->in[1];
    return user && t->result.kind == t->kernel.kind && t->written.kind == t->kernel.kind;
}

static stria_status check_values(const struct op_info *row, const stria_view *values)
{
    if (row->inputs > 2)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: it takes %d operands; op_at of one or two",
                           row->name, row->inputs);
    if (!values == (row->inputs == 1)) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: values %s", row->name,
                       values ? "are given, and it takes one operand" : "is NULL");
}

/* Finds the loop for elements of out. */
static stria_status find_applied(struct applied *f, stria_op op, const stria_view *out,
                                 const stria_view *values, const stria_exec *exec)
{
    f->values = values;
    f->op = op;
    f->row = stria__op_info(op);
    if (!f->row) return stria__fail(STRIA_ERR_ARGUMENT, "op_at: there is no operation %d", (int)op);
    static const bool item = false;
    stria_view truth;
    view_of_item(&truth, &item, STRIA_BOOL);
    const bool logic = f->row->result == OP_LOGIC;
    const stria_view *const alike[] = {out, out}, *const given[] = {logic ? &truth : out,
                                                                    logic ? &truth : values};
    const stria_promotion rule = promotion_of(exec);
    STRIA_TRY(check_values(f->row, values));
    STRIA_TRY(stria__op_types(&f->types, f->row, alike, rule));
    const stria_dtype own = native_of(out->dtype);
    const bool casts = !values || (view_is_weak(values)
                                       ? stria__weak_fits(values, (stria_kind)own.kind)
                                       : stria_can_cast(values->dtype, own, STRIA_CAST_SAME_KIND));
    if (!casts || !keeps_dtype(f, out) || f->types.kernel.kind != own.kind)
        STRIA_TRY(stria__op_types(&f->types, f->row, given, rule));
    f->in_place = f->types.kernel.kind == own.kind && !out->dtype.swapped &&
                  !(out->flags & (STRIA_CONJ | STRIA_NEG));
    f->loop = stria__step_loop(op, f->row, &f->types, exec);
    if (keeps_dtype(f, out))
        return stria__check_result(f->types.result, out, STRIA_CAST_SAME_KIND, f->row->name, "out");
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: it takes %s and gives %s, which is no element to go on with",
                       f->row->name, stria__dtype_text(f->types.kernel).text,
                       stria__dtype_text(f->types.result).text);
}

/* Applies the operation in a copy of the dtype of its results, and writes the places back. */
__attribute__((noinline)) static stria_status
apply_in_copy(const struct applied *f, const stria_view *a, const struct place *place)
{
    const char *const name = f->row->name;
    OWNED_ARRAYS(copy, made);
    STRIA_TRY(stria__empty_as(&copy, a, f->types.kernel, STRIA_ORDER_C, name));
    STRIA_TRY(stria_copy(&copy.view, a, NULL));
    STRIA_TRY(stria__apply_place(&copy.view, place, f->values, f->loop, f->row->alone, name));
    STRIA_TRY(stria__take_at(&made, &copy.view, place, name));
    return stria__write_place(a, place, &made.view, STRIA_REDUCE_NONE, name);
}

static stria_status apply_at(void *arg, const stria_view *a, const struct place *place)
{
    const struct applied *const f = arg;
    if (!f->in_place) return apply_in_copy(f, a, place);
    return stria__apply_place(a, place, f->values, f->loop, f->row->alone, f->row->name);
}

stria_status stria_op_at(const stria_view *out, stria_op op, int count,
                         const stria_index_item *items, const stria_view *values,
                         stria_placement placement, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    TAKES_EXEC(exec, "op_at");
    struct applied f;
    STRIA_TRY(stria__check_writable(out, "op_at", "out"));
    if (values) STRIA_TRY(stria__check_view(values, "op_at", "values"));
    STRIA_TRY(find_applied(&f, op, out, values, exec));
    STRIA_TRY(stria__check_itself(out, f.row->name, "out"));
    if (values && op == STRIA_POW && !view_is_meta(values))
        STRIA_TRY(stria__check_exponents(&f.types, values, NULL));
    return stria__at_items(out, count, items, placement, apply_at, &f);
}
