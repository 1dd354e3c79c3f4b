/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementwise operations that are not run at once (direct.c): check, find the dtypes, run. */
#include "stria/elementwise.h"

#include "ops/elementwise/check.h"
#include "ops/elementwise/mask.h"
#include "ops/elementwise/elementwise_run.h"
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
    o.take = NULL;
    o.by = NULL;
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
