/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: elementwise math. The first name of a row is the one that the library has
 * for the op, the others are PyTorch's and NumPy's; operators find their row by name (operators.c).
 */
#include <string.h>

#include "lang/fusion.h"
#include "lang/registry.h"

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
static stria_op op_of(const struct invocation *c)
{
    int op = stria__math_operation(c->row);
    if (op >= 0) return (stria_op)op;
    op = 0;
    while (op < STRIA_OPS && !stria__span_has(c->name, stria_op_name((stria_op)op)))
        op++;
    return (stria_op)op;
}

/* What is known of the step before it runs. */
static stria_status describe(struct math **out, struct invocation *c, stria_op op,
                             const stria_view *const *operands)
{
    struct math *math = *out = stria__pool_take(c->pool, sizeof *math);
    TRY_MEMORY(math);
    math->op = op;
    math->rule = c->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
    math->count = stria_op_inputs(op);
    stria_view *const copies = stria__pool_array(c->pool, (size_t)math->count, sizeof *copies);
    TRY_MEMORY(copies);
    for (int i = 0; i < math->count; i++) {
        copies[i] = *operands[i];
        math->operands[i] = &copies[i];
    }
    return stria_result_dtype(&math->promoted, op, math->count, operands, math->rule);
}

/* Where the result goes. */
struct target {
    const struct arg *out;
    const stria_view *mask; /* NULL: there is none */
    uint32_t hints;         /* STRIA_CASTING_... */
};

/* Into out where it is given, into the first operand of add_ and its like, else into new memory. */
static stria_status run(struct invocation *c, const stria_view *const *operands, struct target to)
{
    stria_exec exec = stria__call_exec(c);
    exec.hints |= to.hints;
    exec.where = to.mask;
    const stria_op op = op_of(c);
    const int n = stria_op_inputs(op);
    const stria_view *into = to.out->given ? to.out->view : c->in_place ? operands[0] : NULL;
    if (c->in_place && is_weak(operands[0]))
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "%s: a number cannot be written to",
                                  stria_op_name(op));
    struct math *math = NULL;
    const bool waits = c->fusion && !into && !to.mask && !to.hints && !are_weak(n, operands);
    if (waits)
        TRY(stria__fuse_prepare(c->fusion, c->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH, n,
                                operands));
    else if (c->fusion)
        TRY(stria__fuse_force_all(c->fusion));
    if (waits || c->tells) TRY(describe(&math, c, op, operands));
    if (waits) {
        TRY(stria__fuse_math(c->fusion, &c->waits, &c->out, math, c->at));
        math->out = c->out.view;
        c->math = math;
        return STRIA_OK;
    }
    if (into)
        TRY(stria_elementwise(op, into, n, operands, &exec));
    else
        TRY(stria_elementwise_new(&c->out, op, n, operands, &exec));
    if (into) c->out = stria_array_share(into);
    if (!c->tells) return STRIA_OK;
    math->out = c->out.view;
    math->masked = to.mask != NULL;
    c->math = math;
    return stria_elementwise_explain(math->how, sizeof math->how, op, &math->out, n, operands,
                                     &exec);
}

/* NumPy's default is the library's, and needs no hint. */
static stria_status read_casting(struct invocation *c, const struct arg *casting, uint32_t *hint)
{
    static const uint32_t hints[] = {[STRIA_CAST_UNSAFE] = STRIA_CASTING_UNSAFE,
                                     [STRIA_CAST_SAME_KIND] = 0,
                                     [STRIA_CAST_SAFE] = STRIA_CASTING_SAFE,
                                     [STRIA_CAST_EQUIV] = STRIA_CASTING_EQUIV,
                                     [STRIA_CAST_NO] = STRIA_CASTING_NO};
    stria_cast_policy policy;
    TRY(stria__call_policy(c, casting->text, &policy));
    *hint = hints[policy];
    return STRIA_OK;
}

/*
 * The operands are the first arguments, in the order of the library's function; out, where and
 * casting follow (INTO).
 */
static stria_status elementwise(struct invocation *c)
{
    const stria_op op = op_of(c);
    const int n = stria_op_inputs(op);
    const stria_view *operands[3];
    if (op == STRIA_OPS)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED, "%.*s is not available",
                                  (int)c->name.length, c->name.text);
    struct target to = {.out = &c->args[n], .mask = c->args[n + 1].view};
    TRY(read_casting(c, &c->args[n + 2], &to.hints));
    for (int i = 0; i < n; i++)
        operands[i] = c->args[i].view;
    return run(c, operands, to);
}

static stria_status where(struct invocation *c)
{
    const stria_view *const operands[] = {c->args[0].view, c->args[1].view, c->args[2].view};
    return run(c, operands, (struct target){.out = &c->args[3]});
}

/* x.where(condition, other), as torch.Tensor has it. */
static stria_status where_method(struct invocation *c)
{
    const stria_view *const operands[] = {c->args[1].view, c->args[0].view, c->args[2].view};
    return run(c, operands, (struct target){.out = &c->args[3]});
}

/* A view whose negatives are computed where it is read. */
static stria_status neg(struct invocation *c)
{
    return stria_neg_view(&c->out.view, c->self);
}

#define INTO "out:array?=None, where:operand?=None, casting:text='same_kind')"
#define ONE  "(self:operand, " INTO
#define TWO  "(self|x1:operand, other|x2:operand, " INTO
#define MADE "(self:operand, out:array, where:operand?=None, casting:text='same_kind')"

/* An op is called by its own name, and in place with _, unless there is another row below. */
#define OWN_1                            ONE
#define OWN_2                            TWO
#define OWN_3                            "(self|x1:operand, other|x2:operand, addend|x3:operand, " INTO
#define OWN(constant, name, inputs, ...) CALLED(constant, #name "|" #name "_" OWN_##inputs),
#define CALLED(constant, signature)      [constant] = {signature, elementwise, WORLD_ANY}

#pragma GCC diagnostic ignored "-Woverride-init"
static const struct function ops[] = {
    STRIA_OP_LIST(OWN) /* and by other names: */
    CALLED(STRIA_SUBTRACT, "subtract|sub|subtract_|sub_" TWO),
    CALLED(STRIA_MULTIPLY, "multiply|mul|multiply_|mul_" TWO),
    CALLED(STRIA_LESS, "less|lt|less_|lt_" TWO),
    CALLED(STRIA_ABS, "abs|absolute|abs_|absolute_" ONE),
    CALLED(STRIA_DIVIDE, "divide|div|true_divide|divide_|div_|true_divide_" TWO),
    CALLED(STRIA_SIGN, "sign|sgn|sign_|sgn_" ONE),
    CALLED(STRIA_LERP, "lerp|lerp_(self|input:operand, end:operand, weight:operand, " INTO),
    CALLED(STRIA_ADDCMUL,
           "addcmul|addcmul_(self|input:operand, tensor1:operand, tensor2:operand, " INTO),
    CALLED(STRIA_ADDCDIV,
           "addcdiv|addcdiv_(self|input:operand, tensor1:operand, tensor2:operand, " INTO),
    CALLED(STRIA_DEGREES, "degrees|rad2deg|rad2deg_" ONE),
    CALLED(STRIA_RADIANS, "radians|deg2rad|deg2rad_" ONE),
    CALLED(STRIA_LESS_EQUAL, "less_equal|le|less_equal_|le_" TWO),
    CALLED(STRIA_GREATER, "greater|gt|greater_|gt_" TWO),
    CALLED(STRIA_GREATER_EQUAL, "greater_equal|ge|greater_equal_|ge_" TWO),
    CALLED(STRIA_EQUAL, "equal|eq|equal_|eq_" TWO),
    CALLED(STRIA_NOT_EQUAL, "not_equal|ne|not_equal_|ne_" TWO),
    CALLED(STRIA_ISNAN, "isnan" ONE),
    CALLED(STRIA_ISINF, "isinf" ONE),
    CALLED(STRIA_ISFINITE, "isfinite" ONE),
    CALLED(STRIA_ISPOSINF, "isposinf" ONE),
    CALLED(STRIA_ISNEGINF, "isneginf" ONE),
    CALLED(STRIA_SIGNBIT, "signbit" ONE),
    CALLED(STRIA_BITWISE_NOT, "bitwise_not|bitwise_invert|invert|bitwise_not_" ONE),
    CALLED(STRIA_LEFT_SHIFT, "left_shift|bitwise_left_shift|bitwise_left_shift_" TWO),
    CALLED(STRIA_RIGHT_SHIFT, "right_shift|bitwise_right_shift|bitwise_right_shift_" TWO),
    CALLED(STRIA_BITWISE_COUNT, "bitwise_count" ONE),
    CALLED(STRIA_REMAINDER, "remainder|mod|remainder_" TWO),
    CALLED(STRIA_RINT, "rint" ONE),
    CALLED(STRIA_MAXIMUM, "maximum" TWO),
    CALLED(STRIA_MINIMUM, "minimum" TWO),
    CALLED(STRIA_FMAX, "fmax" TWO),
    CALLED(STRIA_FMIN, "fmin" TWO),
    CALLED(STRIA_CLIP, "clip|clamp|clip_|clamp_(self|a|input:operand, min|a_min:operand, "
                       "max|a_max:operand, " INTO),
    CALLED(STRIA_RELU6, "relu6" ONE),
    CALLED(STRIA_LEAKY_RELU,
           "leaky_relu|leaky_relu_(self|input:operand, negative_slope:operand, " INTO),
    CALLED(STRIA_HARDSHRINK, "hardshrink(self|input:operand, lambd:operand, " INTO),
    CALLED(STRIA_SOFTSHRINK, "softshrink(self|input:operand, lambd:operand, " INTO),
    CALLED(STRIA_THRESHOLD,
           "threshold|threshold_(self|input:operand, threshold:operand, value:operand, " INTO),
    CALLED(STRIA_FMA, "fma(self|x1:operand, other|x2:operand, addend|x3:operand, " INTO),
    CALLED(STRIA_ROUND_DECIMALS, "round_decimals(self|a|input:operand, decimals:operand, " INTO),
    CALLED(STRIA_SPACING, "spacing" ONE),
    CALLED(STRIA_ANGLE, "angle" ONE),
    CALLED(STRIA_SILU, "silu" ONE),
    CALLED(STRIA_MISH, "mish" ONE),
    CALLED(STRIA_GELU, "gelu" ONE),
    CALLED(STRIA_GELU_TANH, "gelu_tanh" ONE),
    CALLED(STRIA_LOG_SIGMOID, "log_sigmoid|logsigmoid|log_expit" ONE),
    CALLED(STRIA_ELU, "elu|elu_(self|input:operand, alpha:operand=1.0, " INTO),
    CALLED(STRIA_CELU, "celu|celu_(self|input:operand, alpha:operand=1.0, " INTO),
    CALLED(STRIA_SOFTPLUS, "softplus(self|input:operand, beta:operand=1.0, " INTO),
    CALLED(STRIA_ENTR, "entr" ONE),
    CALLED(STRIA_ERFCX, "erfcx" ONE),
    CALLED(STRIA_LOG_NDTR, "log_ndtr" ONE),
    CALLED(STRIA_NDTRI, "ndtri" ONE),
    CALLED(STRIA_DIGAMMA, "digamma|digamma_|psi" ONE),
    CALLED(STRIA_I0E, "i0e" ONE),
    CALLED(STRIA_I1, "i1" ONE),
    CALLED(STRIA_I1E, "i1e" ONE),
    CALLED(STRIA_XLOG1PY, "xlog1py" TWO),
    CALLED(STRIA_ASINH, "asinh|arcsinh|asinh_|arcsinh_" ONE),
    CALLED(STRIA_ACOSH, "acosh|arccosh|acosh_|arccosh_" ONE),
    CALLED(STRIA_ATANH, "atanh|arctanh|atanh_|arctanh_" ONE),
    CALLED(STRIA_SIGMOID, "sigmoid|expit|sigmoid_" ONE),
    CALLED(STRIA_ASIN, "asin|arcsin|asin_|arcsin_" ONE),
    CALLED(STRIA_ACOS, "acos|arccos|acos_|arccos_" ONE),
    CALLED(STRIA_ATAN, "atan|arctan|atan_|arctan_" ONE),
    CALLED(STRIA_LGAMMA, "lgamma|lgamma_|gammaln" ONE),
    CALLED(STRIA_TGAMMA, "tgamma|gamma" ONE),
    CALLED(STRIA_POW, "pow|pow_|power" TWO),
    CALLED(STRIA_ATAN2, "atan2|atan2_|arctan2|arctan2_" TWO),
    CALLED(STRIA_LOGADDEXP, "logaddexp" TWO),
    CALLED(STRIA_LOGADDEXP2, "logaddexp2" TWO),
    [STRIA_WHERE] =
        {"where(condition:data, input|self|x:operand, other|y:operand, out:array?=None)", where,
         WORLD_ANY},
    /* What makes a view is asked first, or stands in rows_owner.c. */
    [STRIA_NEGATIVE] = {"neg|negative(self)", neg, WORLD_ANY},
    CALLED(STRIA_POSITIVE, "positive" MADE),
    CALLED(STRIA_OPS, "negative|neg" MADE),
    {"where(self:operand, condition:data, other|y:operand, out:array?=None)", where_method,
     WORLD_TORCH},
};

int stria__math_operation(const struct function *op)
{
    const bool one = op >= ops && op < ops + STRIA_OPS && op->run == elementwise;
    return one ? (int)(op - ops) : -1;
}

bool stria__math_may_wait(const struct function *op)
{
    return op->run == elementwise || op->run == where || op->run == where_method;
}

const struct function_group stria__rows_math = {ops, sizeof ops / sizeof *ops};
