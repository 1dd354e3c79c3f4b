/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: elementwise math. The first name of a row is the one that the library has
 * for the op, the others are PyTorch's and NumPy's; operators find their row by name (operators.c).
 */
#include <string.h>

#include "fuse.h"
#include "registry.h"

/* Whether a is a number as it was written. */
static bool is_weak(const stria_view *a)
{
    return a->flags & STRIA_WEAK;
}

static bool are_weak(int n, const stria_view *const *operands)
{
    for (int i = 0; i < n; i++)
        if (!is_weak(operands[i])) return false;
    return true;
}

/* The library's op by the first name of the row; STRIA_OPS: it has none. */
static stria_op op_of(const struct call *c)
{
    int op = 0;
    while (op < STRIA_OPS && !span_has(c->name, stria_op_name((stria_op)op)))
        op++;
    return (stria_op)op;
}

/* What is known of the step before it runs. */
static stria_status describe(struct math **out, struct call *c, stria_op op,
                             const stria_view *const *operands)
{
    struct math *math = *out = arena_take(c->arena, sizeof *math);
    math->op = op;
    math->rule = c->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
    math->count = stria_op_inputs(op);
    for (int i = 0; i < math->count; i++)
        math->operands[i] =
            memcpy(arena_take(c->arena, sizeof **operands), operands[i], sizeof **operands);
    return stria_result_dtype(&math->promoted, op, math->count, operands, math->rule);
}

/* Where the result goes. */
struct target {
    const struct arg *out;
    const stria_view *mask; /* NULL: there is none */
    uint32_t hints;         /* STRIA_CASTING_... */
};

/* Into out where it is given, into the first operand of add_ and its like, else into new memory. */
static stria_status run(struct call *c, const stria_view *const *operands, struct target to)
{
    const stria_exec exec = {.hints = to.hints | (c->numpy ? STRIA_PROMOTE_AS_NUMPY : 0),
                             .where = to.mask};
    const stria_op op = op_of(c);
    const int n = stria_op_inputs(op);
    const stria_view *into = to.out->given ? to.out->view : c->in_place ? operands[0] : NULL;
    if (c->in_place && is_weak(operands[0]))
        return call_refuse(c, STRIA_ERR_ARGUMENT, "%s: a number cannot be written to",
                           stria_op_name(op));
    struct math *math;
    const bool waits = c->fusion && !into && !to.mask && !to.hints && !are_weak(n, operands);
    if (waits)
        TRY(fuse_prepare(c->fusion, c->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH, n,
                         operands));
    else if (c->fusion)
        TRY(fuse_force_all(c->fusion));
    TRY(describe(&math, c, op, operands));
    if (waits) {
        TRY(fuse_math(c->fusion, &c->waits, &c->out, math, c->at));
        math->out = c->out.view;
        c->math = math;
        return STRIA_OK;
    }
    if (into)
        TRY(stria_elementwise(op, into, n, operands, &exec));
    else
        TRY(stria_elementwise_new(&c->out, op, n, operands, &exec));
    if (into) c->out = stria_array_share(into);
    math->out = c->out.view;
    math->masked = to.mask != NULL;
    c->math = math;
    return stria_elementwise_explain(math->how, sizeof math->how, op, &math->out, n, operands,
                                     &exec);
}

/* NumPy's default is the library's, and needs no hint. */
static stria_status read_casting(struct call *c, const struct arg *casting, uint32_t *hint)
{
    static const uint32_t hints[] = {[STRIA_CAST_UNSAFE] = STRIA_CASTING_UNSAFE,
                                     [STRIA_CAST_SAME_KIND] = 0,
                                     [STRIA_CAST_SAFE] = STRIA_CASTING_SAFE,
                                     [STRIA_CAST_EQUIV] = STRIA_CASTING_EQUIV,
                                     [STRIA_CAST_NO] = STRIA_CASTING_NO};
    stria_cast_policy policy;
    TRY(call_policy(c, casting->text, &policy));
    *hint = hints[policy];
    return STRIA_OK;
}

/*
 * The operands are the first arguments, in the order of the library's function; out, where and
 * casting follow (INTO).
 */
static stria_status elementwise(struct call *c)
{
    const stria_op op = op_of(c);
    const int n = stria_op_inputs(op);
    const stria_view *operands[3];
    if (op == STRIA_OPS)
        return call_refuse(c, STRIA_ERR_UNSUPPORTED, "%.*s is not available", (int)c->name.length,
                           c->name.text);
    struct target to = {.out = &c->args[n], .mask = c->args[n + 1].view};
    TRY(read_casting(c, &c->args[n + 2], &to.hints));
    for (int i = 0; i < n; i++)
        operands[i] = c->args[i].view;
    return run(c, operands, to);
}

static stria_status where(struct call *c)
{
    const stria_view *const operands[] = {c->args[0].view, c->args[1].view, c->args[2].view};
    return run(c, operands, (struct target){.out = &c->args[3]});
}

/* x.where(condition, other), as torch.Tensor has it. */
static stria_status where_method(struct call *c)
{
    const stria_view *const operands[] = {c->args[1].view, c->args[0].view, c->args[2].view};
    return run(c, operands, (struct target){.out = &c->args[3]});
}

/* A view whose negatives are computed where it is read. */
static stria_status neg(struct call *c)
{
    return stria_neg_view(&c->out.view, c->self);
}

#define INTO "out:array?=None, where:operand?=None, casting:text='same_kind')"
#define ONE  "(self:operand, " INTO
#define TWO  "(self|x1:operand, other|x2:operand, " INTO

static const struct op ops[] = {
    {"add|add_" TWO, elementwise, WORLD_ANY},
    {"subtract|sub|subtract_|sub_" TWO, elementwise, WORLD_ANY},
    {"multiply|mul|multiply_|mul_" TWO, elementwise, WORLD_ANY},
    {"less|lt|less_|lt_" TWO, elementwise, WORLD_ANY},
    {"abs|absolute|abs_|absolute_" ONE, elementwise, WORLD_ANY},
    {"divide|div|true_divide|divide_|div_|true_divide_" TWO, elementwise, WORLD_ANY},
    {"fabs|fabs_" ONE, elementwise, WORLD_ANY},
    {"sign|sgn|sign_|sgn_" ONE, elementwise, WORLD_ANY},
    {"square|square_" ONE, elementwise, WORLD_ANY},
    {"reciprocal|reciprocal_" ONE, elementwise, WORLD_ANY},
    {"copysign|copysign_" TWO, elementwise, WORLD_ANY},
    {"heaviside|heaviside_" TWO, elementwise, WORLD_ANY},
    {"lerp|lerp_(self|input:operand, end:operand, weight:operand, " INTO, elementwise, WORLD_ANY},
    {"addcmul|addcmul_(self|input:operand, tensor1:operand, tensor2:operand, " INTO, elementwise,
     WORLD_ANY},
    {"addcdiv|addcdiv_(self|input:operand, tensor1:operand, tensor2:operand, " INTO, elementwise,
     WORLD_ANY},
    {"degrees|rad2deg|rad2deg_" ONE, elementwise, WORLD_ANY},
    {"radians|deg2rad|deg2rad_" ONE, elementwise, WORLD_ANY},
    {"less_equal|le|less_equal_|le_" TWO, elementwise, WORLD_ANY},
    {"greater|gt|greater_|gt_" TWO, elementwise, WORLD_ANY},
    {"greater_equal|ge|greater_equal_|ge_" TWO, elementwise, WORLD_ANY},
    {"equal|eq|equal_|eq_" TWO, elementwise, WORLD_ANY},
    {"not_equal|ne|not_equal_|ne_" TWO, elementwise, WORLD_ANY},
    {"logical_and|logical_and_" TWO, elementwise, WORLD_ANY},
    {"logical_or|logical_or_" TWO, elementwise, WORLD_ANY},
    {"logical_xor|logical_xor_" TWO, elementwise, WORLD_ANY},
    {"logical_not|logical_not_" ONE, elementwise, WORLD_ANY},
    {"isnan" ONE, elementwise, WORLD_ANY},
    {"isinf" ONE, elementwise, WORLD_ANY},
    {"isfinite" ONE, elementwise, WORLD_ANY},
    {"isposinf" ONE, elementwise, WORLD_ANY},
    {"isneginf" ONE, elementwise, WORLD_ANY},
    {"signbit" ONE, elementwise, WORLD_ANY},
    {"bitwise_and|bitwise_and_" TWO, elementwise, WORLD_ANY},
    {"bitwise_or|bitwise_or_" TWO, elementwise, WORLD_ANY},
    {"bitwise_xor|bitwise_xor_" TWO, elementwise, WORLD_ANY},
    {"bitwise_not|bitwise_invert|invert|bitwise_not_" ONE, elementwise, WORLD_ANY},
    {"left_shift|bitwise_left_shift|bitwise_left_shift_" TWO, elementwise, WORLD_ANY},
    {"right_shift|bitwise_right_shift|bitwise_right_shift_" TWO, elementwise, WORLD_ANY},
    {"bitwise_count" ONE, elementwise, WORLD_ANY},
    {"gcd|gcd_" TWO, elementwise, WORLD_ANY},
    {"lcm|lcm_" TWO, elementwise, WORLD_ANY},
    {"floor_divide|floor_divide_" TWO, elementwise, WORLD_ANY},
    {"remainder|mod|remainder_" TWO, elementwise, WORLD_ANY},
    {"fmod|fmod_" TWO, elementwise, WORLD_ANY},
    {"floor|floor_" ONE, elementwise, WORLD_ANY},
    {"ceil|ceil_" ONE, elementwise, WORLD_ANY},
    {"trunc|trunc_" ONE, elementwise, WORLD_ANY},
    {"fix|fix_" ONE, elementwise, WORLD_ANY},
    {"round|round_" ONE, elementwise, WORLD_ANY},
    {"rint" ONE, elementwise, WORLD_ANY},
    {"frac|frac_" ONE, elementwise, WORLD_ANY},
    {"maximum" TWO, elementwise, WORLD_ANY},
    {"minimum" TWO, elementwise, WORLD_ANY},
    {"fmax" TWO, elementwise, WORLD_ANY},
    {"fmin" TWO, elementwise, WORLD_ANY},
    {"clip|clamp|clip_|clamp_(self|a|input:operand, min|a_min:operand, max|a_max:operand, " INTO,
     elementwise, WORLD_ANY},
    {"relu|relu_" ONE, elementwise, WORLD_ANY},
    {"relu6" ONE, elementwise, WORLD_ANY},
    {"leaky_relu|leaky_relu_(self|input:operand, negative_slope:operand, " INTO, elementwise,
     WORLD_ANY},
    {"hardsigmoid|hardsigmoid_" ONE, elementwise, WORLD_ANY},
    {"hardswish|hardswish_" ONE, elementwise, WORLD_ANY},
    {"hardshrink(self|input:operand, lambd:operand, " INTO, elementwise, WORLD_ANY},
    {"softshrink(self|input:operand, lambd:operand, " INTO, elementwise, WORLD_ANY},
    {"threshold|threshold_(self|input:operand, threshold:operand, value:operand, " INTO,
     elementwise, WORLD_ANY},
    {"ldexp|ldexp_" TWO, elementwise, WORLD_ANY},
    {"fma(self|x1:operand, other|x2:operand, addend|x3:operand, " INTO, elementwise, WORLD_ANY},
    {"round_decimals(self|a|input:operand, decimals:operand, " INTO, elementwise, WORLD_ANY},
    {"nextafter|nextafter_" TWO, elementwise, WORLD_ANY},
    {"spacing" ONE, elementwise, WORLD_ANY},
    {"float_power|float_power_" TWO, elementwise, WORLD_ANY},
    {"angle" ONE, elementwise, WORLD_ANY},
    {"silu" ONE, elementwise, WORLD_ANY},
    {"mish" ONE, elementwise, WORLD_ANY},
    {"selu|selu_" ONE, elementwise, WORLD_ANY},
    {"gelu" ONE, elementwise, WORLD_ANY},
    {"gelu_tanh" ONE, elementwise, WORLD_ANY},
    {"log_sigmoid|logsigmoid|log_expit" ONE, elementwise, WORLD_ANY},
    {"logit|logit_" ONE, elementwise, WORLD_ANY},
    {"elu|elu_(self|input:operand, alpha:operand=1.0, " INTO, elementwise, WORLD_ANY},
    {"celu|celu_(self|input:operand, alpha:operand=1.0, " INTO, elementwise, WORLD_ANY},
    {"softplus(self|input:operand, beta:operand=1.0, " INTO, elementwise, WORLD_ANY},
    {"sinc|sinc_" ONE, elementwise, WORLD_ANY},
    {"entr" ONE, elementwise, WORLD_ANY},
    {"erfcx" ONE, elementwise, WORLD_ANY},
    {"log_ndtr" ONE, elementwise, WORLD_ANY},
    {"ndtri" ONE, elementwise, WORLD_ANY},
    {"digamma|digamma_|psi" ONE, elementwise, WORLD_ANY},
    {"i0|i0_" ONE, elementwise, WORLD_ANY},
    {"i0e" ONE, elementwise, WORLD_ANY},
    {"i1" ONE, elementwise, WORLD_ANY},
    {"i1e" ONE, elementwise, WORLD_ANY},
    {"xlogy|xlogy_" TWO, elementwise, WORLD_ANY},
    {"xlog1py" TWO, elementwise, WORLD_ANY},
    {"exp|exp_" ONE, elementwise, WORLD_ANY},
    {"exp2|exp2_" ONE, elementwise, WORLD_ANY},
    {"exp10|exp10_" ONE, elementwise, WORLD_ANY},
    {"expm1|expm1_" ONE, elementwise, WORLD_ANY},
    {"log|log_" ONE, elementwise, WORLD_ANY},
    {"log2|log2_" ONE, elementwise, WORLD_ANY},
    {"log10|log10_" ONE, elementwise, WORLD_ANY},
    {"log1p|log1p_" ONE, elementwise, WORLD_ANY},
    {"sinh|sinh_" ONE, elementwise, WORLD_ANY},
    {"cosh|cosh_" ONE, elementwise, WORLD_ANY},
    {"tanh|tanh_" ONE, elementwise, WORLD_ANY},
    {"asinh|arcsinh|asinh_|arcsinh_" ONE, elementwise, WORLD_ANY},
    {"acosh|arccosh|acosh_|arccosh_" ONE, elementwise, WORLD_ANY},
    {"atanh|arctanh|atanh_|arctanh_" ONE, elementwise, WORLD_ANY},
    {"sigmoid|expit|sigmoid_" ONE, elementwise, WORLD_ANY},
    {"sin|sin_" ONE, elementwise, WORLD_ANY},
    {"cos|cos_" ONE, elementwise, WORLD_ANY},
    {"tan|tan_" ONE, elementwise, WORLD_ANY},
    {"sinpi|sinpi_" ONE, elementwise, WORLD_ANY},
    {"cospi|cospi_" ONE, elementwise, WORLD_ANY},
    {"asin|arcsin|asin_|arcsin_" ONE, elementwise, WORLD_ANY},
    {"acos|arccos|acos_|arccos_" ONE, elementwise, WORLD_ANY},
    {"atan|arctan|atan_|arctan_" ONE, elementwise, WORLD_ANY},
    {"sqrt|sqrt_" ONE, elementwise, WORLD_ANY},
    {"rsqrt|rsqrt_" ONE, elementwise, WORLD_ANY},
    {"cbrt|cbrt_" ONE, elementwise, WORLD_ANY},
    {"erf|erf_" ONE, elementwise, WORLD_ANY},
    {"erfc|erfc_" ONE, elementwise, WORLD_ANY},
    {"erfinv|erfinv_" ONE, elementwise, WORLD_ANY},
    {"lgamma|lgamma_|gammaln" ONE, elementwise, WORLD_ANY},
    {"tgamma|gamma" ONE, elementwise, WORLD_ANY},
    {"pow|pow_|power" TWO, elementwise, WORLD_ANY},
    {"atan2|atan2_|arctan2|arctan2_" TWO, elementwise, WORLD_ANY},
    {"hypot|hypot_" TWO, elementwise, WORLD_ANY},
    {"logaddexp" TWO, elementwise, WORLD_ANY},
    {"logaddexp2" TWO, elementwise, WORLD_ANY},
    {"neg|negative(self)", neg, WORLD_ANY},
    {"negative|neg(self:operand, out:array, where:operand?=None, casting:text='same_kind')",
     elementwise, WORLD_ANY},
    {"where(condition:data, input|self|x:operand, other|y:operand, out:array?=None)", where,
     WORLD_ANY},
    {"where(self:operand, condition:data, other|y:operand, out:array?=None)", where_method,
     WORLD_TORCH},
};

bool math_may_wait(const struct op *op)
{
    return op->run == elementwise || op->run == where || op->run == where_method;
}

const struct op_group math_ops = {ops, sizeof ops / sizeof *ops};
