/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operation by its own function: what it gives is what stria_elementwise gives of its number,
 * whose values are those of test_elementwise.c, and its operands keep their order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/samples.h"

enum { ITEMS = 500, ROOM = ITEMS * 16 };

typedef stria_status of_one_operand(const stria_view *out, const stria_view *a,
                                    const stria_exec *exec);
typedef stria_status of_two_operands(const stria_view *out, const stria_view *a,
                                     const stria_view *b, const stria_exec *exec);
typedef stria_status of_three_operands(const stria_view *out, const stria_view *a,
                                       const stria_view *b, const stria_view *c,
                                       const stria_exec *exec);

static const struct {
    stria_op op;
    of_one_operand *function;
} of_one[] = {
    {STRIA_ABS, stria_abs},
    {STRIA_FABS, stria_fabs},
    {STRIA_NEGATIVE, stria_negative},
    {STRIA_POSITIVE, stria_positive},
    {STRIA_SIGN, stria_sign},
    {STRIA_SQUARE, stria_square},
    {STRIA_RECIPROCAL, stria_reciprocal},
    {STRIA_DEGREES, stria_degrees},
    {STRIA_RADIANS, stria_radians},
    {STRIA_LOGICAL_NOT, stria_logical_not},
    {STRIA_ISNAN, stria_isnan},
    {STRIA_ISINF, stria_isinf},
    {STRIA_ISFINITE, stria_isfinite},
    {STRIA_ISPOSINF, stria_isposinf},
    {STRIA_ISNEGINF, stria_isneginf},
    {STRIA_SIGNBIT, stria_signbit},
    {STRIA_BITWISE_NOT, stria_bitwise_not},
    {STRIA_BITWISE_COUNT, stria_bitwise_count},
    {STRIA_FLOOR, stria_floor},
    {STRIA_CEIL, stria_ceil},
    {STRIA_TRUNC, stria_trunc},
    {STRIA_FIX, stria_fix},
    {STRIA_ROUND, stria_round},
    {STRIA_RINT, stria_rint},
    {STRIA_FRAC, stria_frac},
    {STRIA_RELU, stria_relu},
    {STRIA_RELU6, stria_relu6},
    {STRIA_HARDSIGMOID, stria_hardsigmoid},
    {STRIA_HARDSWISH, stria_hardswish},
    {STRIA_SPACING, stria_spacing},
    {STRIA_ANGLE, stria_angle},
    {STRIA_SILU, stria_silu},
    {STRIA_MISH, stria_mish},
    {STRIA_SELU, stria_selu},
    {STRIA_GELU, stria_gelu},
    {STRIA_GELU_TANH, stria_gelu_tanh},
    {STRIA_LOG_SIGMOID, stria_log_sigmoid},
    {STRIA_LOGIT, stria_logit},
    {STRIA_SINC, stria_sinc},
    {STRIA_ENTR, stria_entr},
    {STRIA_ERFCX, stria_erfcx},
    {STRIA_LOG_NDTR, stria_log_ndtr},
    {STRIA_NDTRI, stria_ndtri},
    {STRIA_DIGAMMA, stria_digamma},
    {STRIA_I0, stria_i0},
    {STRIA_I0E, stria_i0e},
    {STRIA_I1, stria_i1},
    {STRIA_I1E, stria_i1e},
};

static const struct {
    stria_op op;
    of_two_operands *function;
} of_two[] = {
    {STRIA_ADD, stria_add},
    {STRIA_SUBTRACT, stria_subtract},
    {STRIA_MULTIPLY, stria_multiply},
    {STRIA_DIVIDE, stria_divide},
    {STRIA_COPYSIGN, stria_copysign},
    {STRIA_HEAVISIDE, stria_heaviside},
    {STRIA_LESS, stria_less},
    {STRIA_LESS_EQUAL, stria_less_equal},
    {STRIA_GREATER, stria_greater},
    {STRIA_GREATER_EQUAL, stria_greater_equal},
    {STRIA_EQUAL, stria_equal},
    {STRIA_NOT_EQUAL, stria_not_equal},
    {STRIA_LOGICAL_AND, stria_logical_and},
    {STRIA_LOGICAL_OR, stria_logical_or},
    {STRIA_LOGICAL_XOR, stria_logical_xor},
    {STRIA_BITWISE_AND, stria_bitwise_and},
    {STRIA_BITWISE_OR, stria_bitwise_or},
    {STRIA_BITWISE_XOR, stria_bitwise_xor},
    {STRIA_LEFT_SHIFT, stria_left_shift},
    {STRIA_RIGHT_SHIFT, stria_right_shift},
    {STRIA_GCD, stria_gcd},
    {STRIA_LCM, stria_lcm},
    {STRIA_FLOOR_DIVIDE, stria_floor_divide},
    {STRIA_REMAINDER, stria_remainder},
    {STRIA_FMOD, stria_fmod},
    {STRIA_MAXIMUM, stria_maximum},
    {STRIA_MINIMUM, stria_minimum},
    {STRIA_FMAX, stria_fmax},
    {STRIA_FMIN, stria_fmin},
    {STRIA_LEAKY_RELU, stria_leaky_relu},
    {STRIA_HARDSHRINK, stria_hardshrink},
    {STRIA_SOFTSHRINK, stria_softshrink},
    {STRIA_LDEXP, stria_ldexp},
    {STRIA_ROUND_DECIMALS, stria_round_decimals},
    {STRIA_NEXTAFTER, stria_nextafter},
    {STRIA_FLOAT_POWER, stria_float_power},
    {STRIA_ELU, stria_elu},
    {STRIA_CELU, stria_celu},
    {STRIA_SOFTPLUS, stria_softplus},
    {STRIA_XLOGY, stria_xlogy},
    {STRIA_XLOG1PY, stria_xlog1py},
};

static const struct {
    stria_op op;
    of_three_operands *function;
} of_three[] = {
    {STRIA_LERP, stria_lerp}, {STRIA_ADDCMUL, stria_addcmul},     {STRIA_ADDCDIV, stria_addcdiv},
    {STRIA_CLIP, stria_clip}, {STRIA_THRESHOLD, stria_threshold}, {STRIA_FMA, stria_fma},
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static char memory[3][ROOM], got[ROOM], want[ROOM];

static stria_view items(char *data, stria_kind kind)
{
    stria_view out;
    const int64_t n = ITEMS;
    assert_int_equal(stria_view_foreign(&out, data, stria_dtype_of(kind), 1, &n, NULL, 0),
                     STRIA_OK);
    return out;
}

/* Calls the function, and the operation by number, where it takes this kind; the results agree. */
static bool agree(stria_op op, stria_kind kind, of_one_operand *one, of_two_operands *two,
                  of_three_operands *three)
{
    const stria_view in[] = {items(memory[0], kind), items(memory[1], kind),
                             items(memory[2], kind)};
    const stria_view *const operands[] = {&in[0], &in[1], &in[2]};
    const int n = one ? 1 : two ? 2 : 3;
    stria_dtype dtype;
    if (op == STRIA_POW && kind == STRIA_I16) return false; /* integers have no negative powers */
    if (stria_result_dtype(&dtype, op, n, operands, STRIA_PROMOTE_TORCH) != STRIA_OK) return false;
    const stria_view to = items(got, (stria_kind)dtype.kind),
                     other = items(want, (stria_kind)dtype.kind);
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    assert_int_equal(stria_elementwise(op, &other, n, operands, NULL), STRIA_OK);
    const stria_status status = one   ? one(&to, &in[0], NULL)
                                : two ? two(&to, &in[0], &in[1], NULL)
                                      : three(&to, &in[0], &in[1], &in[2], NULL);
    assert_int_equal(status, STRIA_OK);
    if (memcmp(got, want, sizeof got) != 0)
        fail_msg("stria_%s of kind %d", stria_op_name(op), kind);
    return true;
}

static void check(stria_op op, of_one_operand *one, of_two_operands *two, of_three_operands *three,
                  bool seen[STRIA_OPS])
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_I16};
    int done = 0;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        uint64_t seed = 9;
        for (int k = 0; k < 3; k++)
            samples_fill(memory[k], kinds[i], ITEMS, &seed);
        done += agree(op, kinds[i], one, two, three);
    }
    assert_true(done > 0);
    assert_false(seen[op]);
    seen[op] = true;
}

static void every_name(void **state)
{
    (void)state;
    bool seen[STRIA_OPS] = {false};
    for (size_t i = 0; i < COUNT(of_one); i++)
        check(of_one[i].op, of_one[i].function, NULL, NULL, seen);
    for (size_t i = 0; i < COUNT(of_two); i++)
        check(of_two[i].op, NULL, of_two[i].function, NULL, seen);
    for (size_t i = 0; i < COUNT(of_three); i++)
        check(of_three[i].op, NULL, NULL, of_three[i].function, seen);
    /* Conditions and functions of mathematics have tests of their own. */
    for (int op = 0; op < STRIA_EXP; op++)
        if (!seen[op] && op != STRIA_WHERE)
            fail_msg("no row of stria_%s", stria_op_name((stria_op)op));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
