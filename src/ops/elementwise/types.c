/* SPDX-License-Identifier: BSD-3-Clause */
/* Dtypes of an operation, and the table of operations. */
#include "ops/elementwise/operation.h"

#include <stdio.h>

#include "dtype/dtype.h"
#include "machine/op_loop.h"
#include "ops/elementwise/user_op.h"
#include "plan/threads.h"
#include "simd/complex_ops.h"
#include "base/status.h"
#include "stria/cast.h"

/* The operations that have a kernel for complex numbers besides those of stria/op.h. */
static const unsigned more[STRIA_OPS] = {
#define COMPLEX_TOO(constant, name) [constant] = OP_COMPLEX,
    STRIA_COMPLEX_LIST(COMPLEX_TOO)
#undef COMPLEX_TOO
};

static const struct op_info rows[] = {
#define ROW_OF_OP(constant, name, inputs, dtypes, result, cycles)                                  \
    [constant] = {#name, inputs, dtypes, result, cycles, false, NULL, 0, 0},
    STRIA_OP_LIST(ROW_OF_OP)
#undef ROW_OF_OP
};
_Static_assert(sizeof rows / sizeof *rows == STRIA_OPS, "STRIA_OPS numbers");

const struct op_info *stria__op_info(stria_op op)
{
    if ((unsigned)op < STRIA_OPS) return &rows[op];
    return stria__user_op((int)op - STRIA_OPS);
}

const char *const *stria__operand_names(const struct op_info *row)
{
    static const char *const usual[] = {"a", "b", "c", "d", "e", "f", "g"}, *const choice[] = {
                                                                                "condition", "x",
                                                                                "y"};
    return row->result == OP_CHOICE ? choice : usual;
}

int stria_op_count(void)
{
    return STRIA_OPS;
}

const char *stria_op_name(stria_op op)
{
    const struct op_info *const row = stria__op_info(op);
    return row ? row->name : NULL;
}

int stria_op_inputs(stria_op op)
{
    const struct op_info *const row = stria__op_info(op);
    return row ? row->inputs : 0;
}

/* ---- messages ------------------------------------------------------------------------------- */

struct operands_text stria__operands_text(const struct op_info *row,
                                          const stria_view *const *operands)
{
    struct operands_text out;
    size_t used = 0;
    out.text[0] = '\0';
    for (int i = 0; i < row->inputs && used < sizeof out.text; i++) {
        const char *const name = stria__operand_names(row)[i];
        const char *const between = i == 0 ? "" : i == row->inputs - 1 ? " and " : ", ";
        if (view_is_weak(operands[i]))
            used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s, %s,", between,
                                     name, stria__weak_text(operands[i]).text);
        else
            used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s of dtype %s",
                                     between, name, stria__dtype_text(operands[i]->dtype).text);
    }
    return out;
}

static stria_status refuse_common(const struct op_info *row, const stria_view *const *operands,
                                  stria_promotion rule)
{
    const bool torch = rule == STRIA_PROMOTE_TORCH;
    return stria__fail(
        STRIA_ERR_DTYPE, "%s: %s have no dtype in common by %s rules; cast one of them first%s",
        row->name, stria__operands_text(row, operands).text, torch ? "PyTorch's" : "NumPy's",
        torch ? ", or promote with STRIA_PROMOTE_AS_NUMPY" : "");
}

static stria_status refuse_dtype(const struct op_info *row, const stria_view *const *operands,
                                 stria_dtype common)
{
    const stria_kind kind = (stria_kind)common.kind;
    const char *remedy = "numbers only";
    if (is_float8_kind(kind))
        remedy = "8-bit floats compute nothing; cast them to f16 or f32";
    else if (is_complex_kind(kind))
        remedy = row->result == OP_TRUTH ? "complex numbers have no order; compare their real parts"
                                         : "there is no complex version of it";
    else if (kind == STRIA_BOOL)
        remedy = "it is not defined for bool; cast to an integer first";
    else if (is_float_kind(kind))
        remedy = "it is defined for integers only; cast to one first";
    else if (is_integer_kind(kind))
        remedy = "it is defined for floats only; cast to one first";
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s cannot be taken in %s: %s", row->name,
                       stria__operands_text(row, operands).text, stria__dtype_text(common).text,
                       remedy);
}

static stria_status refuse_scalar(const struct op_info *row, int i,
                                  const stria_view *const *operands, stria_dtype kernel)
{
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "%s: %s, %s, is out of the range of %s, in which the operation computes; "
                       "cast the other operand to a wider dtype first",
                       row->name, stria__operand_names(row)[i], stria__weak_text(operands[i]).text,
                       stria__dtype_text(kernel).text);
}

/* ---- result dtypes -------------------------------------------------------------------------- */

static unsigned set_of(stria_kind kind)
{
    if (kind == STRIA_BOOL) return OP_BOOL;
    if (is_integer_kind(kind)) return OP_INTEGERS;
    if (is_float_kind(kind) && !is_float8_kind(kind)) return OP_FLOATS;
    return is_complex_kind(kind) ? OP_COMPLEX : 0;
}

/*
 * Returns the float dtype of an integer: f32 by PyTorch's rule; by NumPy's the smallest that holds
 * all integers of the dtype, and f64 for 64 bits.
 */
static stria_dtype as_floating(stria_dtype dtype, stria_promotion rule)
{
    const stria_kind kind = (stria_kind)dtype.kind;
    if (kind != STRIA_BOOL && !is_integer_kind(kind)) return dtype;
    if (rule == STRIA_PROMOTE_TORCH) return dtype_of_number(STRIA_F32);
    const int size = dtype.itemsize;
    return dtype_of_number(size == 1 ? STRIA_F16 : size == 2 ? STRIA_F32 : STRIA_F64);
}

static stria_dtype as_number(stria_dtype dtype)
{
    return dtype.kind == STRIA_BOOL ? dtype_of_number(STRIA_I8) : dtype;
}

/* Returns f64 or c128 for a number. Other dtypes are returned as they are, and refused later. */
static stria_dtype as_wide(stria_dtype dtype)
{
    const stria_kind kind = (stria_kind)dtype.kind;
    if (is_complex_kind(kind)) return dtype_of_number(STRIA_C128);
    return kind <= STRIA_F64 && !is_float8_kind(kind) ? dtype_of_number(STRIA_F64) : dtype;
}

/*
 * Exponents and decimals are integers, which bf16 and the short integers do not hold: the loop
 * computes in a wider dtype, whose result is rounded or cut to what it would be.
 */
static stria_dtype as_scaled(stria_dtype dtype)
{
    const stria_kind kind = (stria_kind)dtype.kind;
    if (kind == STRIA_BF16) return dtype_of_number(STRIA_F32);
    if (!is_integer_kind(kind)) return dtype;
    return dtype_of_number(is_signed_kind(kind) ? STRIA_I64 : STRIA_U64);
}

/* Returns the dtype of the kernel for the common dtype of the operands. */
static stria_dtype as_taken(const struct op_info *row, stria_dtype common, stria_promotion rule)
{
    const stria_dtype floating = as_floating(common, rule);
    switch (row->result) {
    case OP_NUMBER:
    case OP_COUNT: return as_number(common);
    case OP_ANGLE:
    case OP_FLOATING: return floating;
    case OP_QUOTIENT: {
        const bool wide = rule == STRIA_PROMOTE_NUMPY && floating.kind != common.kind;
        return wide ? dtype_of_number(STRIA_F64) : floating;
    }
    case OP_WIDE: return as_wide(common);
    case OP_SCALED: return row->dtypes & OP_INTEGERS ? as_number(common) : floating;
    default: return common;
    }
}

/* Returns the dtype of results. The kernel may be missing, and of any dtype. */
static stria_dtype result_of(const struct op_info *row, stria_dtype kernel)
{
    const stria_kind kind = (stria_kind)kernel.kind;
    switch (row->result) {
    case OP_TEST: return dtype_of_number(STRIA_BOOL);
    case OP_COUNT: return dtype_of_number(STRIA_U8);
    case OP_ANGLE:
    case OP_REAL: return is_complex_kind(kind) ? dtype_of_number(real_kind(kind)) : kernel;
    default: return kernel;
    }
}

/* Tells whether all inputs are of one dtype that the operation has a kernel for. */
static bool have_own_kernel(const struct op_info *row, const stria_view *const *operands)
{
    for (int i = 0; i < row->inputs; i++)
        if (view_is_weak(operands[i]) || operands[i]->dtype.kind != operands[0]->dtype.kind)
            return false;
    return (set_of((stria_kind)operands[0]->dtype.kind) & row->dtypes) != 0;
}

/*
 * The dtypes of results that are bool. Logic converts other inputs to bool, each by itself, so that
 * no common dtype is needed. Comparisons convert nothing by promotion (compare.c): each dtype has
 * to be ordered by itself.
 */
static stria_status truth_types(struct op_types *out, const struct op_info *row,
                                const stria_view *const *operands)
{
    const bool logic = row->result == OP_LOGIC;
    out->kernel = out->written = out->result = dtype_of_number(STRIA_BOOL);
    for (int i = 0; i < row->inputs; i++) {
        const stria_kind kind = (stria_kind)operands[i]->dtype.kind;
        if (logic ? kind > STRIA_C128 : !(set_of(kind) & row->dtypes))
            return refuse_dtype(row, operands, operands[i]->dtype);
    }
    if (logic && have_own_kernel(row, operands))
        out->kernel = dtype_of_number((stria_kind)operands[0]->dtype.kind);
    return STRIA_OK;
}

static stria_status check_condition(const struct op_info *row, const stria_view *const *operands,
                                    stria_promotion rule)
{
    const stria_kind kind = (stria_kind)operands[0]->dtype.kind;
    if (kind == STRIA_BOOL || kind == STRIA_U8) return STRIA_OK;
    if (rule == STRIA_PROMOTE_NUMPY && kind <= STRIA_C128) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: condition is of dtype %s, not bool; compare it with something%s",
                       row->name, stria__dtype_text(operands[0]->dtype).text,
                       kind <= STRIA_C128 ? ", or use STRIA_PROMOTE_AS_NUMPY" : "");
}

/* Sets *out to the common dtype of inputs first and on; equal native dtypes take a short way. */
static stria_status common_dtype(stria_dtype *out, const struct op_info *row, int first,
                                 const stria_view *const *operands, stria_promotion rule)
{
    const int n = row->result == OP_SCALED ? 1 : row->inputs - first;
    const stria_view *const *const from = operands + first;
    const stria_view *const a = from[0], *const b = from[n - 1];
    if (n <= 2 && dtype_is_native_number(&a->dtype) && a->dtype.kind == b->dtype.kind &&
        !((a->flags | b->flags) & STRIA_WEAK)) {
        *out = from[0]->dtype;
        return STRIA_OK;
    }
    const stria_status status = stria__promote_operands(out, n, from, rule);
    if (status == STRIA_ERR_DTYPE) return refuse_common(row, operands, rule);
    return status;
}

/* Checks the second input of ldexp and round_decimals. */
static stria_status check_whole(const struct op_info *row, const stria_view *const *operands)
{
    const stria_kind kind = (stria_kind)operands[1]->dtype.kind;
    if (kind == STRIA_BOOL || is_integer_kind(kind)) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s: b has to be of integers; cast it to i32 first",
                       row->name, stria__operands_text(row, operands).text);
}

stria_status stria__op_types(struct op_types *out, const struct op_info *row,
                             const stria_view *const *operands, stria_promotion rule)
{
    const int first = row->result == OP_CHOICE ? 1 : 0;
    if (row->user) return stria__user_types(out, row, operands);
#ifdef STRIA_SOME_LEFT_OUT
    if (!stria__ops()) return stria__left_out(row->name, "elementwise");
    for (int i = 0; i < row->inputs && row->result != OP_CHOICE; i++)
        STRIA_TRY(stria__check_built(operands[i]->dtype, row->name));
#endif
    if (row->result == OP_TRUTH || row->result == OP_LOGIC) return truth_types(out, row, operands);
    if (row->result == OP_CHOICE) STRIA_TRY(check_condition(row, operands, rule));
    if (row->result == OP_SCALED) STRIA_TRY(check_whole(row, operands));
    STRIA_TRY(common_dtype(&out->kernel, row, first, operands, rule));
    out->kernel = as_taken(row, out->kernel, rule);
    out->result = result_of(row, out->kernel);
    if (row->result == OP_SCALED) out->kernel = as_scaled(out->kernel);
    out->written = row->result == OP_SCALED ? out->kernel : out->result;
    /* Choices move items, so that strings and records must have exactly one dtype. */
    for (int i = first; row->result == OP_CHOICE && i < row->inputs; i++)
        if (!stria_can_cast(operands[i]->dtype, out->kernel, STRIA_CAST_UNSAFE))
            return refuse_common(row, operands, rule);
    if (row->result != OP_CHOICE &&
        !(set_of((stria_kind)out->kernel.kind) & (row->dtypes | more[row - rows])))
        return refuse_dtype(row, operands, out->kernel);
    for (int i = first; i < row->inputs; i++) {
        if (!view_is_weak(operands[i])) continue;
        /* Exponents and decimals may be negative whatever they scale. */
        const stria_kind kind = (stria_kind)out->kernel.kind,
                         to = row->result == OP_SCALED && i > 0 && kind == STRIA_U64 ? STRIA_I64
                                                                                     : kind;
        /* No number of the dtype lies beyond some bounds of clip. */
        const bool idle =
            row - rows == STRIA_CLIP && i > 0 && weak_value(operands[i]).negative == (i == 1);
        if (!idle && !stria__weak_fits(operands[i], to))
            return refuse_scalar(row, i, operands, out->kernel);
    }
#ifdef STRIA_SOME_LEFT_OUT
    if (row->result != OP_CHOICE) STRIA_TRY(stria__check_built(out->kernel, row->name));
    if (row->result != OP_CHOICE &&
        !op_loop(stria__kernels(), (stria_op)(row - rows), (stria_kind)out->kernel.kind))
        return stria__left_out(row->name, "math");
#endif
    return STRIA_OK;
}
