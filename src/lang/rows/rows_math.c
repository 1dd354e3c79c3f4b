/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: elementwise math. The first name of a row is the one that the library has
 * for the op, the others are PyTorch's and NumPy's; operators find their row by name
 * (syntax_lex.c).
 */
#include <string.h>

#include "lang/fusion.h"
#include "lang/registry.h"

/* Tells whether all are numbers as they were written. */
static bool are_weak(int n, const stria_view *const *operands)
{
    for (int i = 0; i < n; i++)
        if (!(operands[i]->flags & STRIA_WEAK)) return false;
    return true;
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
    const stria_op op = (stria_op)c->row->what;
    const int n = stria_op_inputs(op);
    const stria_view *into = to.out->given ? to.out->view : c->in_place ? operands[0] : NULL;
    if (c->in_place && operands[0]->flags & STRIA_WEAK)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "%s: a number cannot be written to",
                                  stria_op_name(op));
    struct math *math = NULL;
    const bool waits = c->fusion && !into && !to.mask && !to.hints && !are_weak(n, operands);
    if (waits)
        STRIA_TRY(stria__fuse_prepare(c->fusion, stria__call_rule(c), n, operands));
    else if (c->fusion)
        STRIA_TRY(stria__fuse_force_all(c->fusion));
    if (waits || c->tells) {
        STRIA_TRY(stria__call_math(&math, c, n, operands));
        math->op = op;
    }
    if (waits) {
        STRIA_TRY(stria__fuse_math(c->fusion, &c->waits, &c->out, math, c->at));
        math->out = c->out.view;
        math->promoted = math->out.dtype;
        c->math = math;
        return STRIA_OK;
    }
    if (math) STRIA_TRY(stria_result_dtype(&math->promoted, op, math->count, operands, math->rule));
    STRIA_TRY(into ? stria__call_wrote(c, into, stria_elementwise(op, into, n, operands, &exec))
                   : stria_elementwise_new(&c->out, op, n, operands, &exec));
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
    STRIA_TRY(stria__call_policy(c, casting->text, &policy));
    *hint = hints[policy];
    return STRIA_OK;
}

/*
 * The operands are the first arguments, in the order of the library's function; out, where and
 * casting follow (INTO).
 */
stria_status stria__call_operation(struct invocation *c)
{
    const stria_op op = (stria_op)c->row->what;
    const int n = stria_op_inputs(op);
    const stria_view *operands[STRIA_USER_INPUTS];
    struct target to = {.out = &c->args[n], .mask = c->args[n + 1].view};
    STRIA_TRY(read_casting(c, &c->args[n + 2], &to.hints));
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

/* Bounded on one side, or on none. */
static stria_status clip_open(struct invocation *c)
{
    const struct arg *const low = &c->args[1], *const high = &c->args[2];
    const stria_view *const out = c->args[3].given ? c->args[3].view : c->in_place ? c->self : NULL;
    const stria_view *const operands[] = {c->args[0].view, low->given ? low->view : high->view};
    const stria_op op = low->given ? STRIA_MAXIMUM : STRIA_MINIMUM;
    stria_exec exec = stria__call_exec(c);
    exec.where = c->args[4].view;
    if (!low->given && !high->given)
        return out ? stria__call_wrote(c, out, stria_copy(out, operands[0]))
                   : stria_clone(&c->out, operands[0]);
    return out ? stria__call_wrote(c, out, stria_elementwise(op, out, 2, operands, &exec))
               : stria_elementwise_new(&c->out, op, 2, operands, &exec);
}

#define INTO  "out:array?=None, where:operand?=None, casting:text='same_kind')"
#define ONE   "(self:operand, " INTO
#define TWO   "(self|x1:operand, other|x2:operand, " INTO
#define THREE "(self|x1:operand, other|x2:operand, third|x3:operand, " INTO
#define MADE  "(self:operand, out:array, where:operand?=None, casting:text='same_kind')"

/* What an operation is called that stands in stria/op.h and not below, by its number of inputs. */
#define CALLED_1(name) "|" #name "_" ONE
#define CALLED_2(name) "|" #name "_" TWO
#define CALLED_3(name) "|" #name "_" THREE
#define CALLED(constant, name, inputs, dtypes, result, cycles)                                     \
    MATH(name, CALLED_##inputs(name), "Computes " #name " of each element."),

#define PLACE(constant, name, inputs, dtypes, result, cycles) place_##name = constant,
enum { STRIA_OP_LIST(PLACE) };

/* An operation by its names, of which the library's own is the first, and its parameters. */
#define OPERATION(name, called, doc)                                                               \
    ROW_AS(ANY, #name called, stria__call_operation, place_##name, name, doc)
#define MATH(name, called, doc) [place_##name] = OPERATION(name, called, doc)

/* Rows below take the place of the one that stria/op.h gives. */
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
static const struct function ops[] = {
    STRIA_OP_LIST(CALLED) /* then names that others have, and sentences */
    MATH(add, "|add_" TWO, "Computes self + other."),
    MATH(subtract, "|sub|subtract_|sub_" TWO, "Computes self - other."),
    MATH(multiply, "|mul|multiply_|mul_" TWO, "Computes self * other."),
    MATH(divide, "|div|true_divide|divide_|div_|true_divide_" TWO,
         "Computes self / other, of integers a float."),
    [STRIA_WHERE] =
        ROW_AS(ANY, "where(condition:data, input|self|x:operand, other|y:operand, out:array?=None)",
               where, STRIA_WHERE, where, "Takes self where condition is true, other elsewhere."),
    MATH(abs, "|absolute|abs_|absolute_" ONE,
         "Computes the magnitude, of complex numbers a real one."),
    MATH(fabs, "|fabs_" ONE, "Computes the magnitude, of integers a float."),
    [STRIA_NEGATIVE] = ROW(ANY, "neg|negative(self)", neg_view,
                           "Negates, where elements are read; nothing is copied."),
    MATH(positive, MADE, "Computes +self, which is self."),
    MATH(sign, "|sgn|sign_|sgn_" ONE,
         "Computes -1, 0 or 1; of a complex number the one of magnitude 1 in its direction."),
    MATH(square, "|square_" ONE, "Computes self * self."),
    MATH(reciprocal, "|reciprocal_" ONE, "Computes 1 / self."),
    MATH(copysign, "|copysign_" TWO, "Computes the magnitude of self with the sign of other."),
    MATH(heaviside, "|heaviside_" TWO, "Computes 0 below 0, 1 above 0, and other at 0."),
    MATH(lerp, "|lerp_(self|input:operand, end:operand, weight:operand, " INTO,
         "Computes the number at part weight of the way from self to end."),
    MATH(addcmul, "|addcmul_(self|input:operand, tensor1:operand, tensor2:operand, " INTO,
         "Computes self + tensor1 * tensor2."),
    MATH(addcdiv, "|addcdiv_(self|input:operand, tensor1:operand, tensor2:operand, " INTO,
         "Computes self + tensor1 / tensor2."),
    MATH(degrees, "|rad2deg|rad2deg_" ONE, "Converts radians to degrees."),
    MATH(radians, "|deg2rad|deg2rad_" ONE, "Converts degrees to radians."),
    MATH(less, "|lt|less_|lt_" TWO, "Tells whether self < other."),
    MATH(less_equal, "|le|less_equal_|le_" TWO, "Tells whether self <= other."),
    MATH(greater, "|gt|greater_|gt_" TWO, "Tells whether self > other."),
    MATH(greater_equal, "|ge|greater_equal_|ge_" TWO, "Tells whether self >= other."),
    MATH(equal, "|eq|equal_|eq_" TWO, "Tells whether self == other."),
    MATH(not_equal, "|ne|not_equal_|ne_" TWO, "Tells whether self != other."),
    MATH(logical_and, "|logical_and_" TWO, "Tells whether both are true, which is what is not 0."),
    MATH(logical_or, "|logical_or_" TWO,
         "Tells whether one of them is true, which is what is not 0."),
    MATH(logical_xor, "|logical_xor_" TWO,
         "Tells whether exactly one of them is true, which is what is not 0."),
    MATH(logical_not, "|logical_not_" ONE, "Tells whether self is 0."),
    MATH(isnan, ONE, "Tells whether it is NaN."),
    MATH(isinf, ONE, "Tells whether it is infinite."),
    MATH(isfinite, ONE, "Tells whether it is neither infinite nor NaN."),
    MATH(isposinf, ONE, "Tells whether it is +inf."),
    MATH(isneginf, ONE, "Tells whether it is -inf."),
    MATH(signbit, ONE, "Tells whether the sign bit is set, of -0 too."),
    MATH(bitwise_and, "|bitwise_and_" TWO, "Computes self & other of the bits."),
    MATH(bitwise_or, "|bitwise_or_" TWO, "Computes self | other of the bits."),
    MATH(bitwise_xor, "|bitwise_xor_" TWO, "Computes self ^ other of the bits."),
    MATH(bitwise_not, "|bitwise_invert|invert|bitwise_not_" ONE,
         "Inverts the bits; of bool it is logical."),
    MATH(left_shift, "|bitwise_left_shift|bitwise_left_shift_" TWO, "Computes self << other."),
    MATH(right_shift, "|bitwise_right_shift|bitwise_right_shift_" TWO, "Computes self >> other."),
    MATH(bitwise_count, ONE, "Counts the bits that are set in the magnitude."),
    MATH(gcd, "|gcd_" TWO, "Computes the greatest common divisor."),
    MATH(lcm, "|lcm_" TWO, "Computes the least common multiple."),
    MATH(floor_divide, "|floor_divide_" TWO, "Computes floor(self / other)."),
    MATH(remainder, "|mod|remainder_" TWO,
         "Computes the remainder of floor(self / other), with the sign of other."),
    MATH(fmod, "|fmod_" TWO,
         "Computes the remainder of trunc(self / other), with the sign of self."),
    MATH(floor, "|floor_" ONE, "Rounds down."),
    MATH(ceil, "|ceil_" ONE, "Rounds up."),
    MATH(trunc, "|trunc_" ONE, "Rounds towards 0."),
    MATH(fix, "|fix_" ONE, "Rounds towards 0."),
    MATH(round, "|round_" ONE, "Rounds to the nearest whole number, half way to the even one."),
    MATH(rint, ONE,
         "Rounds to the nearest whole number, half way to the even one; of integers a float."),
    MATH(frac, "|frac_" ONE, "Computes what trunc cuts off."),
    MATH(maximum, TWO, "Takes the greater; NaN where one is."),
    MATH(minimum, TWO, "Takes the smaller; NaN where one is."),
    MATH(fmax, TWO, "Takes the greater; beside a NaN the other one."),
    MATH(fmin, TWO, "Takes the smaller; beside a NaN the other one."),
    MATH(clip,
         "|clamp|clip_|clamp_(self|a|input:operand, min|a_min:operand, max|a_max:operand, " INTO,
         "Bounds self by min and max."),
    MATH(relu, "|relu_" ONE, "Computes max(self, 0)."),
    MATH(relu6, ONE, "Computes min(max(self, 0), 6)."),
    MATH(leaky_relu, "|leaky_relu_(self|input:operand, negative_slope:operand, " INTO,
         "Takes self above 0, self * negative_slope elsewhere."),
    MATH(hardsigmoid, "|hardsigmoid_" ONE, "Computes (self + 3) / 6, bounded by 0 and 1."),
    MATH(hardswish, "|hardswish_" ONE, "Computes self * hardsigmoid(self)."),
    MATH(hardshrink, "(self|input:operand, lambd:operand, " INTO,
         "Takes self, but 0 where its magnitude is at most lambd."),
    MATH(softshrink, "(self|input:operand, lambd:operand, " INTO,
         "Moves self towards 0 by lambd, at most to 0."),
    MATH(threshold, "|threshold_(self|input:operand, threshold:operand, value:operand, " INTO,
         "Takes self above threshold, value elsewhere."),
    MATH(ldexp, "|ldexp_" TWO, "Computes self * 2**other."),
    MATH(fma, "(self|x1:operand, other|x2:operand, addend|x3:operand, " INTO,
         "Computes self * other + addend, rounded once."),
    MATH(round_decimals, "|around(self|a|input:operand, decimals:operand, " INTO,
         "Rounds to so many decimals, half way to the even digit."),
    MATH(nextafter, "|nextafter_" TWO, "Returns the next number after self towards other."),
    MATH(spacing, ONE, "Returns the distance to the next number away from 0."),
    MATH(exp, "|exp_" ONE, "Computes e to the power of self."),
    MATH(exp2, "|exp2_" ONE, "Computes 2 to the power of self."),
    MATH(exp10, "|exp10_" ONE, "Computes 10 to the power of self."),
    MATH(expm1, "|expm1_" ONE, "Computes exp(self) - 1, exact near 0."),
    MATH(log, "|log_" ONE, "Computes the natural logarithm."),
    MATH(log2, "|log2_" ONE, "Computes the logarithm to base 2."),
    MATH(log10, "|log10_" ONE, "Computes the logarithm to base 10."),
    MATH(log1p, "|log1p_" ONE, "Computes log(1 + self), exact near 0."),
    MATH(sinh, "|sinh_" ONE, "Computes the hyperbolic sine."),
    MATH(cosh, "|cosh_" ONE, "Computes the hyperbolic cosine."),
    MATH(tanh, "|tanh_" ONE, "Computes the hyperbolic tangent."),
    MATH(asinh, "|arcsinh|asinh_|arcsinh_" ONE, "Computes the inverse hyperbolic sine."),
    MATH(acosh, "|arccosh|acosh_|arccosh_" ONE, "Computes the inverse hyperbolic cosine."),
    MATH(atanh, "|arctanh|atanh_|arctanh_" ONE, "Computes the inverse hyperbolic tangent."),
    MATH(sigmoid, "|expit|sigmoid_" ONE, "Computes 1 / (1 + exp(-self))."),
    MATH(sin, "|sin_" ONE, "Computes the sine of radians."),
    MATH(cos, "|cos_" ONE, "Computes the cosine of radians."),
    MATH(tan, "|tan_" ONE, "Computes the tangent of radians."),
    MATH(rsqrt, "|rsqrt_" ONE, "Computes 1 / sqrt(self)."),
    MATH(asin, "|arcsin|asin_|arcsin_" ONE, "Computes the inverse sine in radians."),
    MATH(acos, "|arccos|acos_|arccos_" ONE, "Computes the inverse cosine in radians."),
    MATH(atan, "|arctan|atan_|arctan_" ONE, "Computes the inverse tangent in radians."),
    MATH(sinpi, "|sinpi_" ONE, "Computes sin(pi * self)."),
    MATH(cospi, "|cospi_" ONE, "Computes cos(pi * self)."),
    MATH(sqrt, "|sqrt_" ONE, "Computes the square root."),
    MATH(cbrt, "|cbrt_" ONE, "Computes the cube root."),
    MATH(erf, "|erf_" ONE, "Computes the error function."),
    MATH(erfc, "|erfc_" ONE, "Computes 1 - erf(self), exact where that is small."),
    MATH(erfinv, "|erfinv_" ONE, "Computes the inverse of the error function."),
    MATH(lgamma, "|lgamma_|gammaln" ONE,
         "Computes the logarithm of the magnitude of the gamma function."),
    MATH(tgamma, "|gamma" ONE, "Computes the gamma function."),
    MATH(pow, "|pow_|power" TWO, "Computes self to the power of other."),
    MATH(float_power, "|float_power_" TWO, "Computes self to the power of other, in f64 or c128."),
    MATH(angle, ONE, "Computes the angle of a complex number in radians."),
    MATH(atan2, "|atan2_|arctan2|arctan2_" TWO,
         "Computes the angle of the point (other, self) in radians."),
    MATH(hypot, "|hypot_" TWO, "Computes sqrt(self**2 + other**2) without overflow."),
    MATH(logaddexp, TWO, "Computes log(exp(self) + exp(other)) without overflow."),
    MATH(logaddexp2, TWO, "Computes log2(2**self + 2**other) without overflow."),
    MATH(silu, ONE, "Computes self * sigmoid(self)."),
    MATH(mish, ONE, "Computes self * tanh(log(1 + exp(self)))."),
    MATH(selu, "|selu_" ONE, "Computes elu with the scale and alpha of self-normalizing networks."),
    MATH(gelu, ONE, "Computes self times the cumulative normal distribution of self."),
    MATH(gelu_tanh, ONE, "Computes the approximation of gelu by tanh."),
    MATH(log_sigmoid, "|logsigmoid|log_expit" ONE, "Computes log(sigmoid(self))."),
    MATH(logit, "|logit_" ONE, "Computes log(self / (1 - self))."),
    MATH(elu, "|elu_(self|input:operand, alpha:operand=1.0, " INTO,
         "Takes self above 0, alpha * (exp(self) - 1) elsewhere."),
    MATH(celu, "|celu_(self|input:operand, alpha:operand=1.0, " INTO,
         "Takes self above 0, alpha * (exp(self / alpha) - 1) elsewhere."),
    MATH(softplus, "(self|input:operand, beta:operand=1.0, " INTO,
         "Computes log(1 + exp(self * beta)) / beta."),
    MATH(sinc, "|sinc_" ONE, "Computes sin(pi * self) / (pi * self), 1 at 0."),
    MATH(entr, ONE, "Computes -self * log(self), 0 at 0."),
    MATH(erfcx, ONE, "Computes exp(self**2) * erfc(self)."),
    MATH(log_ndtr, ONE, "Computes the logarithm of the cumulative normal distribution."),
    MATH(ndtri, ONE, "Computes the inverse of the cumulative normal distribution."),
    MATH(digamma, "|digamma_|psi" ONE,
         "Computes the derivative of the logarithm of the gamma function."),
    MATH(i0, "|i0_" ONE, "Computes the modified Bessel function of order 0."),
    MATH(i0e, ONE, "Computes i0(self) * exp(-abs(self))."),
    MATH(i1, ONE, "Computes the modified Bessel function of order 1."),
    MATH(i1e, ONE, "Computes i1(self) * exp(-abs(self))."),
    MATH(xlogy, "|xlogy_" TWO, "Computes self * log(other), 0 where self is 0."),
    MATH(xlog1py, TWO, "Computes self * log(1 + other), 0 where self is 0."),
    /* What makes a view is asked first, or stands in rows_owner.c. */
    OPERATION(negative, "|neg" MADE, "Computes -self."),
    ROW_AS(ANY, "round|round_(self|a|input:operand, decimals:operand, " INTO, stria__call_operation,
           STRIA_ROUND_DECIMALS, round_decimals,
           "Rounds to so many decimals, half way to the even digit."),
    ROW_BY(ANY,
           "clip|clamp|clip_|clamp_(self|a|input:operand, min|a_min:operand?=None, "
           "max|a_max:operand?=None, " INTO,
           clip_open, clip, "Bounds self by min and max, where they are not None."),
    ROW_AS(TORCH, "where(self:operand, condition:data, other|y:operand, out:array?=None)",
           where_method, STRIA_WHERE, where,
           "Takes self where condition is true, other elsewhere."),
};
#pragma GCC diagnostic pop

int stria__math_operation(const struct function *op)
{
    return op->run == stria__call_operation ? op->what : -1;
}

bool stria__math_may_wait(const struct function *op)
{
    return op->run == stria__call_operation || op->run == where || op->run == where_method;
}

const struct function_group stria__rows_math = {ops, sizeof ops / sizeof *ops};
