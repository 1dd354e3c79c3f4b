/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations that elementwise_direct.c does not run: check, find the dtypes, run. Every
 * message begins with the operation and names the operand.
 */
#include "stria/elementwise.h"
#include "stria/user_function.h"

#include <stdio.h>

#include "ops/elementwise/operation.h"
#include "ops/operands.h"
#include "base/text_writer.h"

/* ---- inputs --------------------------------------------------------------------------------- */

stria_status stria__check_masked_exec(const stria_exec *exec, const char *op)
{
    if (!exec) return STRIA_OK;
    STRIA_TRY(stria__check_given_exec(exec, op, true));
    if (!exec->mask) return STRIA_OK;
    STRIA_TRY(stria__check_view(exec->mask, op, "where"));
    if (exec->mask->dtype.kind == STRIA_BOOL) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: where is of dtype %s, not bool; compare it with something, or view "
                       "bytes of 0 and 1 as bool",
                       op, stria__dtype_text(exec->mask->dtype).text);
}

stria_status stria__check_mask_room(const struct op_info *row, const stria_view *mask)
{
    enum { MOST = STRIA_MAX_OPERANDS - 3 };
    if (!mask || row->inputs <= MOST) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "%s: functions of %d inputs take no mask, %d at most do; compute all "
                       "elements and choose among them by stria_where",
                       row->name, row->inputs, MOST);
}

/* Finds the row of op, and checks its n operands and exec, which may be NULL. */
static stria_status check_inputs(const struct op_info **row, stria_op op, int n,
                                 const stria_view *const *operands, const stria_exec *exec)
{
    const struct op_info *const found = stria__op_info(op);
    if (!found)
        return stria__fail(STRIA_ERR_ARGUMENT, "elementwise: there is no operation %d", (int)op);
    if (n != found->inputs)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d operands, takes %d", found->name, n,
                           found->inputs);
    if (!operands) return stria__fail(STRIA_ERR_ARGUMENT, "%s: operands is NULL", found->name);
    STRIA_TRY(stria__check_masked_exec(exec, found->name));
    STRIA_TRY(stria__check_mask_room(found, mask_of(exec)));
    for (int i = 0; i < n; i++) {
        const char *const name = stria__operand_names(found)[i];
        STRIA_TRY(stria__check_view(operands[i], found->name, name));
        if (view_is_weak(operands[i])) STRIA_TRY(stria__check_weak(operands[i], found->name, name));
    }
    *row = found;
    return STRIA_OK;
}

/* ---- the output ----------------------------------------------------------------------------- */

static stria_status check_cast(const struct op_info *row, const stria_view *out,
                               const stria_view *const *operands, stria_dtype result,
                               stria_cast_policy policy)
{
    const bool same = out->dtype.kind == result.kind && result.kind <= STRIA_C128;
    if (same && policy == STRIA_CAST_SAME_KIND) return STRIA_OK;
    if (stria_can_cast(result, out->dtype, policy)) return STRIA_OK;
    const char *const remedy = stria_can_cast(result, out->dtype, STRIA_CAST_UNSAFE)
                                   ? ", or allow it by STRIA_CASTING_UNSAFE"
                                   : "";
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: the result of %s is %s, which does not cast to out's dtype %s under %s "
                       "rules; compute into %s%s",
                       row->name, stria__operands_text(row, operands).text,
                       stria__dtype_text(result).text, stria__dtype_text(out->dtype).text,
                       stria__policy_name(policy), stria__dtype_text(result).text, remedy);
}

/*
 * Checks the casts of inputs to the dtype of the kernel by the policy that exec names, as in NumPy.
 * Comparisons, logic and loops of users convert no operand by promotion, so that nothing is
 * checked.
 */
static stria_status check_input_casts(const struct op_info *row, const stria_view *const *operands,
                                      stria_dtype kernel, const stria_exec *exec)
{
    const stria_cast_policy policy = stria__casting_of(exec);
    if (policy <= STRIA_CAST_SAME_KIND || row->result == OP_LOGIC || row->result == OP_TRUTH ||
        row->user)
        return STRIA_OK;
    for (int i = row->result == OP_CHOICE; i < row->inputs; i++) {
        if (view_is_weak(operands[i]) || stria_can_cast(operands[i]->dtype, kernel, policy))
            continue;
        return stria__fail(STRIA_ERR_DTYPE,
                           "%s: %s of dtype %s does not cast to %s, in which it is computed, under "
                           "%s rules; cast it first",
                           row->name, stria__operand_names(row)[i],
                           stria__dtype_text(operands[i]->dtype).text,
                           stria__dtype_text(kernel).text, stria__policy_name(policy));
    }
    return STRIA_OK;
}

/* Checks that out can be written, that the inputs broadcast to its shape and that the result casts
 * to its dtype. */
static stria_status check_output(const struct operation *o)
{
    const struct op_info *const row = o->row;
    const struct output out = {row->name, "out", o->out, o->exec};
    const char *const *const names = stria__operand_names(row);
    bool apart;
    STRIA_TRY(stria__check_writable(o->out, row->name, "out"));
    for (int i = 0; i < row->inputs; i++)
        STRIA_TRY(stria__check_broadcasts(&out, o->inputs[i], names[i]));
    if (o->mask) STRIA_TRY(stria__check_broadcasts(&out, o->mask, "where"));
    STRIA_TRY(check_input_casts(row, o->inputs, o->types.kernel, o->exec));
    STRIA_TRY(check_cast(row, o->out, o->inputs, o->types.result, stria__casting_of(o->exec)));
    STRIA_TRY(stria__check_itself(o->out, row->name, "out"));
    if (!stria__forbids_overlap(o->exec)) return STRIA_OK;
    for (int i = 0; i < row->inputs; i++)
        STRIA_TRY(stria__check_apart(&apart, &out, o->inputs[i], names[i], true));
    return o->mask ? stria__check_apart(&apart, &out, o->mask, "where", true) : STRIA_OK;
}

/* ---- calls ---------------------------------------------------------------------------------- */

stria_status stria__check_operation(struct operation *o, int n)
{
    STRIA_TRY(check_inputs(&o->row, o->op, n, o->inputs, o->exec));
    STRIA_TRY(stria__check_view(o->out, o->row->name, "out"));
    STRIA_TRY(stria__op_types(&o->types, o->row, o->inputs, promotion_of(o->exec)));
    return check_output(o);
}

stria_status stria__elementwise_usual(stria_op op, const stria_view *out, int n,
                                      const stria_view *const *operands, const stria_exec *exec)
{
    /* The types are set by the check: clearing them would take 8 ns, a tenth of a small call. */
    struct operation o;
    o.op = op;
    o.out = out;
    o.inputs = operands;
    o.exec = exec;
    o.mask = mask_of(exec);
    o.text = NULL;
    o.size = 0;
    STRIA_TRY(stria__check_operation(&o, n));
    return stria__run_operation(&o);
}

stria_status stria_elementwise_explain(char *text, size_t size, size_t *length,
                                       const stria_view *out, stria_op op, int n,
                                       const stria_view *const *operands, const stria_exec *exec)
{
    struct operation o = {
        .op = op, .out = out, .inputs = operands, .exec = exec, .mask = mask_of(exec)};
    if (!text || !size)
        return stria__fail(STRIA_ERR_ARGUMENT, "elementwise_explain: there is no room for text");
    STRIA_TRY(stria__check_operation(&o, n));
    char whole[EXPLANATION] = "";
    o.text = whole;
    o.size = sizeof whole;
    STRIA_TRY(stria__run_operation(&o));
    struct written room = {text, size, 0};
    stria__print(&room, "%s", whole);
    if (length) *length = room.used;
    return STRIA_OK;
}

/* ---- into new arrays ------------------------------------------------------------------------ */

static stria_status check_result_dtype(const stria_dtype *out, stria_promotion rule)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "result_dtype: out is NULL");
    if (rule != STRIA_PROMOTE_TORCH && rule != STRIA_PROMOTE_NUMPY)
        return stria__fail(STRIA_ERR_ARGUMENT, "result_dtype: there is no rule %d", (int)rule);
    return STRIA_OK;
}

stria_status stria_result_dtype(stria_dtype *out, stria_op op, int n,
                                const stria_view *const *operands, stria_promotion rule)
{
    const struct op_info *row;
    struct op_types types;
    STRIA_TRY(check_result_dtype(out, rule));
    STRIA_TRY(check_inputs(&row, op, n, operands, NULL));
    STRIA_TRY(stria__op_types(&types, row, operands, rule));
    *out = types.result;
    return STRIA_OK;
}

/* Checks as many operands as a call may have; op is for messages. */
static stria_status check_operands(int n, const stria_view *const *operands, const char *op)
{
    enum { MOST = 1 << 16 };
    if (!operands) return stria__fail(STRIA_ERR_ARGUMENT, "%s: operands is NULL", op);
    if (n < 1 || n > MOST)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d operands, takes 1 to %d", op, n, (int)MOST);
    return stria__check_views(n, operands, op, "operand");
}

stria_status stria_promote_operands(stria_dtype *out, int n, const stria_view *const *operands,
                                    stria_promotion rule)
{
    stria_dtype found;
    STRIA_TRY(check_result_dtype(out, rule));
    STRIA_TRY(check_operands(n, operands, "promote_operands"));
    STRIA_TRY(stria__promote_operands(&found, n, operands, rule));
    *out = found;
    return STRIA_OK;
}

stria_status stria_result_empty(stria_array *out, int n, const stria_view *const *operands,
                                stria_dtype dtype)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "result_empty: out is NULL");
    STRIA_TRY(check_operands(n, operands, "result_empty"));
    STRIA_TRY(stria__check_dtype(dtype, "result_empty"));
    return stria__make_result(out, "result_empty", n, operands, dtype);
}

/* Refuses shapes that do not broadcast: "a of shape (2, 3), b of shape (4,)". */
static stria_status refuse_shapes(const struct op_info *row, int n,
                                  const stria_view *const *operands)
{
    char text[640];
    size_t used = 0;
    for (int i = 0; i < n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s of shape %s",
                                 i == 0 ? "" : ", ",
                                 i < row->inputs ? stria__operand_names(row)[i] : "where",
                                 stria__dims_text(operands[i]->ndim, operands[i]->shape).text);
    return stria__fail(
        STRIA_ERR_BROADCAST,
        "%s: %s do not broadcast together; counted from the last dim sizes must be equal or 1",
        row->name, text);
}

/* Makes the result. A mask takes part in the shape, and elements that it leaves out are 0. Not
 * inlined, so that what runs has 8 KB of stack more. */
__attribute__((noinline)) static stria_status make(stria_array *out, const struct operation *o)
{
    stria_view wide[STRIA_USER_INPUTS + 1];
    const stria_view *all[STRIA_USER_INPUTS + 1], *given[STRIA_USER_INPUTS + 1];
    int n = 0;
    for (; n < o->row->inputs; n++)
        given[n] = o->inputs[n];
    if (o->mask) given[n++] = o->mask;
    stria_status status = stria__broadcast_views(wide, n, given, o->row->name);
    if (status == STRIA_ERR_BROADCAST) return refuse_shapes(o->row, n, given);
    if (status != STRIA_OK) return status;
    for (int i = 0; i < n; i++)
        all[i] = &wide[i];
    STRIA_TRY(stria__make_voted(out, n, all, view_nearest(n, given), o->types.result));
    if (!o->mask || view_is_meta(&out->view)) return STRIA_OK;
    status = stria__fill_zero(&out->view);
    if (status != STRIA_OK) stria_array_release(out);
    return status;
}

stria_status stria_elementwise_new(stria_array *out, stria_op op, int n,
                                   const stria_view *const *operands, const stria_exec *exec)
{
    COMPUTES(exec);
    struct operation o = {.op = op, .inputs = operands, .exec = exec, .mask = mask_of(exec)};
    MAKES(made, out, "elementwise");
    STRIA_TRY(check_inputs(&o.row, op, n, operands, exec));
    STRIA_TRY(stria__op_types(&o.types, o.row, operands, promotion_of(exec)));
    STRIA_TRY(check_input_casts(o.row, operands, o.types.kernel, exec));
    STRIA_TRY(make(&made, &o));
    o.out = &made.view;
    return stria__deliver(out, &made, stria__run_operation(&o));
}

/* ---- every operation by its name ------------------------------------------------------------ */

#define INPUTS_1   const stria_view *a
#define INPUTS_2   INPUTS_1, const stria_view *b
#define INPUTS_3   INPUTS_2, const stria_view *c
#define OPERANDS_1 a
#define OPERANDS_2 a, b
#define OPERANDS_3 a, b, c

#define FUNCTION(constant, name, inputs, ...)                                                      \
    stria_status stria_##name(const stria_view *out, INPUTS_##inputs, const stria_exec *exec)      \
    {                                                                                              \
        return stria_elementwise(out, constant, inputs, (const stria_view *[]){OPERANDS_##inputs}, \
                                 exec);                                                            \
    }
STRIA_OP_LIST(FUNCTION)

#define NEW(constant, name, inputs, ...)                                                           \
    stria_status stria_##name##_new(stria_array *out, INPUTS_##inputs, const stria_exec *exec)     \
    {                                                                                              \
        return stria_elementwise_new(out, constant, inputs,                                        \
                                     (const stria_view *[]){OPERANDS_##inputs}, exec);             \
    }
STRIA_OP_LIST(NEW)
