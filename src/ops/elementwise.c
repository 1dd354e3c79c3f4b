/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementwise operations that are not run at once (direct.c): check, find the dtypes, run. */
#include "stria/elementwise.h"

#include "ops/elementwise/check.h"
#include "ops/elementwise/mask.h"
#include "ops/elementwise/run.h"
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

stria_status stria_add(const stria_view *out, const stria_view *a, const stria_view *b,
                       const stria_exec *exec)
{
    return stria_elementwise(STRIA_ADD, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_subtract(const stria_view *out, const stria_view *a, const stria_view *b,
                            const stria_exec *exec)
{
    return stria_elementwise(STRIA_SUBTRACT, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_multiply(const stria_view *out, const stria_view *a, const stria_view *b,
                            const stria_exec *exec)
{
    return stria_elementwise(STRIA_MULTIPLY, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_less(const stria_view *out, const stria_view *a, const stria_view *b,
                        const stria_exec *exec)
{
    return stria_elementwise(STRIA_LESS, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_abs(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ABS, out, 1, &a, exec);
}

stria_status stria_exp(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_EXP, out, 1, &a, exec);
}

stria_status stria_exp2(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_EXP2, out, 1, &a, exec);
}

stria_status stria_exp10(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_EXP10, out, 1, &a, exec);
}

stria_status stria_expm1(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_EXPM1, out, 1, &a, exec);
}

stria_status stria_log(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOG, out, 1, &a, exec);
}

stria_status stria_log2(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOG2, out, 1, &a, exec);
}

stria_status stria_log10(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOG10, out, 1, &a, exec);
}

stria_status stria_log1p(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOG1P, out, 1, &a, exec);
}

stria_status stria_sinh(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SINH, out, 1, &a, exec);
}

stria_status stria_cosh(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_COSH, out, 1, &a, exec);
}

stria_status stria_tanh(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_TANH, out, 1, &a, exec);
}

stria_status stria_asinh(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ASINH, out, 1, &a, exec);
}

stria_status stria_acosh(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ACOSH, out, 1, &a, exec);
}

stria_status stria_atanh(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ATANH, out, 1, &a, exec);
}

stria_status stria_sigmoid(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SIGMOID, out, 1, &a, exec);
}

stria_status stria_sin(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SIN, out, 1, &a, exec);
}

stria_status stria_cos(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_COS, out, 1, &a, exec);
}

stria_status stria_tan(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_TAN, out, 1, &a, exec);
}

stria_status stria_sinpi(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SINPI, out, 1, &a, exec);
}

stria_status stria_cospi(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_COSPI, out, 1, &a, exec);
}

stria_status stria_asin(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ASIN, out, 1, &a, exec);
}

stria_status stria_acos(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ACOS, out, 1, &a, exec);
}

stria_status stria_atan(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ATAN, out, 1, &a, exec);
}

stria_status stria_sqrt(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SQRT, out, 1, &a, exec);
}

stria_status stria_rsqrt(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_RSQRT, out, 1, &a, exec);
}

stria_status stria_cbrt(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_CBRT, out, 1, &a, exec);
}

stria_status stria_where(const stria_view *out, const stria_view *condition, const stria_view *x,
                         const stria_view *y, const stria_exec *exec)
{
    return stria_elementwise(STRIA_WHERE, out, 3, (const stria_view *[]){condition, x, y}, exec);
}

/* ---- special functions ------------------------------------------------------------------------
 */

stria_status stria_erf(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ERF, out, 1, &a, exec);
}

stria_status stria_erfc(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ERFC, out, 1, &a, exec);
}

stria_status stria_erfinv(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ERFINV, out, 1, &a, exec);
}

stria_status stria_lgamma(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LGAMMA, out, 1, &a, exec);
}

stria_status stria_tgamma(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_TGAMMA, out, 1, &a, exec);
}

stria_status stria_pow(const stria_view *out, const stria_view *a, const stria_view *b,
                       const stria_exec *exec)
{
    return stria_elementwise(STRIA_POW, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_float_power(const stria_view *out, const stria_view *a, const stria_view *b,
                               const stria_exec *exec)
{
    return stria_elementwise(STRIA_FLOAT_POWER, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_angle(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ANGLE, out, 1, &a, exec);
}

stria_status stria_atan2(const stria_view *out, const stria_view *a, const stria_view *b,
                         const stria_exec *exec)
{
    return stria_elementwise(STRIA_ATAN2, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_hypot(const stria_view *out, const stria_view *a, const stria_view *b,
                         const stria_exec *exec)
{
    return stria_elementwise(STRIA_HYPOT, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_logaddexp(const stria_view *out, const stria_view *a, const stria_view *b,
                             const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOGADDEXP, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_logaddexp2(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOGADDEXP2, out, 2, (const stria_view *[]){a, b}, exec);
}
