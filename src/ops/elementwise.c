/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementwise operations that are not run at once (elementwise_direct.c): check, find the dtypes,
 * run. */
#include "stria/elementwise.h"

#include <stdio.h>

#include "array.h"
#include "fp_mode.h"
#include "ops/elementwise/check.h"
#include "ops/elementwise/elementwise_run.h"
#include "ops/make.h"
#include "ops/result_layout.h"
#include "status.h"
#include "view/view.h"

stria_status stria__check_operation(struct operation *o, int n)
{
    STRIA_TRY(stria__check_inputs(&o->row, o->op, n, o->inputs, o->exec));
    STRIA_TRY(stria__check_view(o->out, o->row->name, "out"));
    STRIA_TRY(stria__op_types(&o->types, o->row, o->inputs, promotion_of(o->exec)));
    return stria__check_output(o->row, o->out, o->inputs, &o->types, o->exec);
}

stria_status stria__elementwise_usual(stria_op op, const stria_view *out, int n,
                                      const stria_view *const *operands, const stria_exec *exec)
{
    /* The types are set by the check: to clear them takes 8 ns, a tenth of a small call. */
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

stria_status stria_elementwise_explain(char *text, size_t size, stria_op op, const stria_view *out,
                                       int n, const stria_view *const *operands,
                                       const stria_exec *exec)
{
    struct operation o = {
        .op = op, .out = out, .inputs = operands, .exec = exec, .mask = mask_of(exec)};
    if (!text || !size)
        return stria__fail(STRIA_ERR_ARGUMENT, "elementwise_explain: there is no room for text");
    STRIA_TRY(stria__check_operation(&o, n));
    o.text = text;
    o.size = size;
    *text = '\0';
    return stria__run_operation(&o);
}

/* ---- into new arrays ------------------------------------------------------------------------ */

stria_status stria_result_dtype(stria_dtype *out, stria_op op, int n,
                                const stria_view *const *operands, stria_promotion rule)
{
    const struct op_info *row;
    struct op_types types;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "result_dtype: out is NULL");
    if (rule != STRIA_PROMOTE_TORCH && rule != STRIA_PROMOTE_NUMPY)
        return stria__fail(STRIA_ERR_ARGUMENT, "result_dtype: there is no rule %d", (int)rule);
    STRIA_TRY(stria__check_inputs(&row, op, n, operands, NULL));
    STRIA_TRY(stria__op_types(&types, row, operands, rule));
    *out = types.result;
    return STRIA_OK;
}

stria_status stria_result_empty(stria_array *out, stria_dtype dtype, int n,
                                const stria_view *const *operands)
{
    enum { MOST = 1 << 16 };
    if (!out || !operands)
        return stria__fail(STRIA_ERR_ARGUMENT, "result_empty: %s is NULL",
                           out ? "operands" : "out");
    if (n < 1 || n > MOST)
        return stria__fail(STRIA_ERR_ARGUMENT, "result_empty: %d operands, takes 1 to %d", n,
                           (int)MOST);
    STRIA_TRY(stria__check_dtype(dtype, "result_empty"));
    for (int i = 0; i < n; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "operand %d", i);
        STRIA_TRY(stria__check_view(operands[i], "result_empty", name));
    }
    return stria__make_result(out, "result_empty", n, operands, dtype);
}

static const char *name_of(const struct op_info *row, int i)
{
    return i < row->inputs ? stria__operand_names(row)[i] : "where";
}

/* "a of shape (2, 3), b of shape (4,)" */
static stria_status refuse_shapes(const struct op_info *row, int n,
                                  const stria_view *const *operands)
{
    char text[640];
    size_t used = 0;
    for (int i = 0; i < n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s of shape %s",
                                 i == 0 ? "" : ", ", name_of(row, i),
                                 stria__dims_text(operands[i]->ndim, operands[i]->shape).text);
    return stria__fail(STRIA_ERR_BROADCAST,
                       "%s: %s do not broadcast together; counted from the last dim sizes must be "
                       "equal or 1",
                       row->name, text);
}

/* A mask takes part in the shape, and what it leaves out is 0. */
static stria_status make(stria_array *out, const struct operation *o)
{
    stria_view wide[4];
    const stria_view *all[4], *given[4];
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
    IN_DEFAULT_FP_MODE;
    struct operation o = {.op = op, .inputs = operands, .exec = exec, .mask = mask_of(exec)};
    stria_array made;
    array_none(&made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "elementwise: out is NULL");
    STRIA_TRY(stria__check_inputs(&o.row, op, n, operands, exec));
    STRIA_TRY(stria__op_types(&o.types, o.row, operands, promotion_of(exec)));
    STRIA_TRY(stria__check_input_casts(o.row, operands, o.types.kernel, exec));
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
        return stria_elementwise(constant, out, inputs, (const stria_view *[]){OPERANDS_##inputs}, \
                                 exec);                                                            \
    }
STRIA_OP_LIST(FUNCTION)
