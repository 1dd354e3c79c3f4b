/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the dtypes and the loop of the steps of a fold, and runs them. */
#include "ops/fold/steps.h"

#include <math.h>

#include "engine/scan_run.h"
#include "machine/families.h"
#include "ops/elementwise/user_op.h"
#include "ops/operands.h"
#include "ops/reduce/reduction.h"
#include "stria/fold.h"

/* ---- operations ------------------------------------------------------------------------------ */

#define ALIKE(reduction, scan, combine)                                                            \
    {                                                                                              \
        reduction, scan, combine, true, false, 0                                                   \
    }
#define FROM(identity, reduction, scan, by)                                                        \
    {                                                                                              \
        reduction, scan, by, true, true, identity                                                  \
    }

/* The rules of the library's operations that have an identity or a way of their own. */
static const struct known_rule {
    stria_op op;
    struct op_rule rule;
} known[] = {
    {STRIA_ADD, FROM(0, STRIA_SUM, STRIA_CUMSUM, STRIA_REDUCE_SUM)},
    {STRIA_MULTIPLY, FROM(1, STRIA_PROD, STRIA_CUMPROD, STRIA_REDUCE_PROD)},
    {STRIA_MAXIMUM, ALIKE(STRIA_MAX, STRIA_CUMMAX, STRIA_REDUCE_MAX)},
    {STRIA_MINIMUM, ALIKE(STRIA_MIN, STRIA_CUMMIN, STRIA_REDUCE_MIN)},
    {STRIA_FMAX, ALIKE(STRIA_NANMAX, -1, STRIA_REDUCE_NONE)},
    {STRIA_FMIN, ALIKE(STRIA_NANMIN, -1, STRIA_REDUCE_NONE)},
    {STRIA_LOGICAL_AND, FROM(1, STRIA_ALL, -1, STRIA_REDUCE_NONE)},
    {STRIA_LOGICAL_OR, FROM(0, STRIA_ANY, -1, STRIA_REDUCE_NONE)},
    {STRIA_LOGICAL_XOR, FROM(0, -1, -1, STRIA_REDUCE_NONE)},
    {STRIA_BITWISE_AND, FROM(-1, STRIA_BITS_AND, -1, STRIA_REDUCE_NONE)},
    {STRIA_BITWISE_OR, FROM(0, STRIA_BITS_OR, -1, STRIA_REDUCE_NONE)},
    {STRIA_BITWISE_XOR, FROM(0, STRIA_BITS_XOR, -1, STRIA_REDUCE_NONE)},
    {STRIA_GCD, FROM(0, -1, -1, STRIA_REDUCE_NONE)},
    {STRIA_HYPOT, {-1, -1, STRIA_REDUCE_NONE, false, true, 0}},
    {STRIA_LOGADDEXP,
     {STRIA_LOGSUMEXP, STRIA_LOGCUMSUMEXP, STRIA_REDUCE_NONE, false, true, -INFINITY}},
    {STRIA_LOGADDEXP2, {-1, -1, STRIA_REDUCE_NONE, false, true, -INFINITY}},
};

static struct op_rule rule_of(stria_op op, const struct op_info *row)
{
    const struct op_rule none = {-1,
                                 -1,
                                 STRIA_REDUCE_NONE,
                                 (row->flags & STRIA_USER_ASSOCIATIVE) != 0,
                                 (row->flags & STRIA_USER_IDENTITY) != 0,
                                 row->identity};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].op == op) return known[i].rule;
    return none;
}

/* Writes a number as an item of a dtype; -1 of integers has all bits set. */
static stria_status write_number(const stria_view *to, double number)
{
    const int64_t whole = fabs(number) < 0x1p63 ? (int64_t)number : 0;
    const bool is_whole = (double)whole == number;
    stria_view from;
    if (is_whole)
        view_of_item(&from, &whole, STRIA_I64);
    else
        view_of_item(&from, &number, STRIA_F64);
    return stria_copy(to, &from, NULL);
}

stria_status stria_op_identity(double *out, bool *out_exists, stria_op op)
{
    const struct op_info *const row = stria__op_info(op);
    if (!out || !out_exists) return stria__fail(STRIA_ERR_ARGUMENT, "op_identity: out is NULL");
    if (!row)
        return stria__fail(STRIA_ERR_ARGUMENT, "op_identity: there is no operation %d", (int)op);
    const struct op_rule rule = rule_of(op, row);
    *out_exists = rule.has_identity;
    *out = rule.identity;
    return STRIA_OK;
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

/* Two elements of a dtype that have no data. */
struct two_elements {
    stria_view one;
    const stria_view *inputs[2];
};

static void set_two(struct two_elements *out, stria_dtype dtype)
{
    view_set(&out->one, NULL, NULL, dtype, 0, 1, (int64_t[]){2}, (int64_t[]){dtype.itemsize});
    out->inputs[0] = out->inputs[1] = &out->one;
}

/* Tells whether a step takes what it gives. */
static bool repeats(const struct steps *s, stria_dtype dtype)
{
    const struct op_types *const t = &s->types;
    const bool user = !s->row->user || (t->user->in[0] == t->user->in[1]);
    return user && t->kernel.kind == dtype.kind && t->result.kind == dtype.kind &&
           t->written.kind == dtype.kind;
}

static stria_status find_dtype(struct steps *s, stria_dtype dtype, bool given)
{
    const stria_promotion rule = promotion_of(s->exec);
    struct two_elements two;
    if (s->row->result == OP_LOGIC && dtype.kind <= STRIA_C128) dtype = dtype_of_number(STRIA_BOOL);
    set_two(&two, dtype);
    STRIA_TRY(stria__op_types(&s->types, s->row, two.inputs, rule));
    if (!repeats(s, dtype) && !given &&
        stria_can_cast(dtype, s->types.result, STRIA_CAST_SAME_KIND)) {
        set_two(&two, s->types.result);
        STRIA_TRY(stria__op_types(&s->types, s->row, two.inputs, rule));
    }
    if (repeats(s, two.one.dtype)) {
        s->takes = s->result = two.one.dtype;
        return STRIA_OK;
    }
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: two elements of %s give %s, which is no operand of the next step; cast "
                       "the elements first",
                       s->row->name, stria__dtype_text(two.one.dtype).text,
                       stria__dtype_text(s->types.result).text);
}

/* Finds the dtypes of a sum or product, which are those of the reduction. */
static stria_status find_wide_dtype(struct steps *s, stria_dtype dtype, bool given)
{
    STRIA_TRY(stria__reduced_dtype(&s->result, stria__reduction_info(STRIA_SUM), s->row->name,
                                   dtype, promotion_of(s->exec)));
    if (given) s->result = dtype;
    s->takes = s->result;
    if (stria_dtype_is_complex(s->takes))
        s->takes = dtype_of_number(STRIA_C128);
    else if (s->takes.kind > STRIA_U64)
        s->takes = dtype_of_number(STRIA_F64);
    struct two_elements two;
    set_two(&two, s->takes);
    return stria__op_types(&s->types, s->row, two.inputs, promotion_of(s->exec));
}

/* Separate, as the room that it takes is not needed while loops run. */
__attribute__((noinline)) map_loop *stria__step_loop(stria_op op, const struct op_info *row,
                                                     const struct op_types *types,
                                                     const stria_exec *exec)
{
    struct two_elements in, out;
    struct op_kernel kernel;
    set_two(&in, types->kernel);
    set_two(&out, types->written);
    stria__op_kernel(&kernel, &(struct operation){.op = op,
                                                  .row = row,
                                                  .types = *types,
                                                  .out = &out.one,
                                                  .inputs = in.inputs,
                                                  .exec = exec});
    return kernel.map.loop;
}

stria_status stria__find_steps(struct steps *s, stria_op op, const stria_view *a,
                               const stria_dtype *dtype, bool wide, const stria_exec *exec)
{
    stria_view identity;
    const struct op_info *const row = stria__op_info(op);
    if (!row) return stria__fail(STRIA_ERR_ARGUMENT, "fold: there is no operation %d", (int)op);
    if (row->inputs != 2)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: it takes %d operands; folds are of two",
                           row->name, row->inputs);
    STRIA_TRY(stria__check_exec(exec, row->name));
    STRIA_TRY(stria__check_view(a, row->name, "a"));
    if (dtype) STRIA_TRY(stria__check_number(*dtype, row->name, "dtype"));
    *s = (struct steps){.op = op, .row = row, .rule = rule_of(op, row), .exec = exec};
    if (row->alone) {
        s->alone = exec ? *exec : (stria_exec){.threads = 1};
        s->alone.threads = 1;
        s->exec = &s->alone;
    }
    const stria_dtype from = dtype ? dtype_of_number((stria_kind)dtype->kind) : native_of(a->dtype);
    const bool is_wide = wide && (op == STRIA_ADD || op == STRIA_MULTIPLY);
    STRIA_TRY(is_wide ? find_wide_dtype(s, from, dtype != NULL)
                      : find_dtype(s, from, dtype != NULL));
    s->loop = stria__step_loop(op, row, &s->types, exec);
    if (!s->rule.has_identity) return STRIA_OK;
    view_of_item(&identity, s->identity, (stria_kind)s->takes.kind);
    return write_number(&identity, s->rule.identity);
}

stria_status stria__steps_begin(struct steps *s, const stria_view *initial)
{
    const char *const name = s->row->name;
    stria_view item;
    if (!initial) return STRIA_OK;
    STRIA_TRY(stria__check_view(initial, name, "initial"));
    STRIA_TRY(stria__check_number(initial->dtype, name, "initial"));
    if (initial->ndim != 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: initial has %d dims, must be 0-d", name,
                           (int)initial->ndim);
    const bool weak = view_is_weak(initial);
    if (weak ? !stria__weak_fits(initial, (stria_kind)s->takes.kind)
             : !stria_can_cast(initial->dtype, s->takes, STRIA_CAST_SAME_KIND))
        return stria__fail(STRIA_ERR_DTYPE,
                           "%s: initial is %s, which does not cast to %s, in which elements are "
                           "combined, under same_kind rules",
                           name, stria__dtype_text(initial->dtype).text,
                           stria__dtype_text(s->takes).text);
    STRIA_TRY(stria__check_memory(initial, name, "initial"));
    view_of_item(&item, s->initial, (stria_kind)s->takes.kind);
    s->starts = true;
    return stria_copy(&item, initial, NULL);
}

/* ---- running --------------------------------------------------------------------------------- */

stria_status stria__check_steps(const struct steps *s, const stria_view *a, int dim, int64_t first)
{
    stria_view exponents;
    if (s->op != STRIA_POW || a->shape[dim] <= first) return STRIA_OK;
    STRIA_TRY(stria_narrow(&exponents, a, dim, first, a->shape[dim] - first));
    return stria__check_exponents(&s->types, &exponents, NULL);
}

/* Returns the kernel that combines elements of one line, in order; NULL: there is none. */
static combine_loop *line_kernel(const struct steps *s)
{
    static const enum combine_op ops[] = {[STRIA_REDUCE_SUM] = COMBINE_SUM,
                                          [STRIA_REDUCE_PROD] = COMBINE_PRODUCT,
                                          [STRIA_REDUCE_MIN] = COMBINE_MINIMUM,
                                          [STRIA_REDUCE_MAX] = COMBINE_MAXIMUM};
    if (!steps_combine(s)) return NULL;
    return stria__combine()->at_indices[ops[s->rule.combine]][s->takes.kind];
}

stria_status stria__run_steps(const struct steps *s, const stria_view *out, const stria_view *a,
                              int dim, const int64_t *offsets, int64_t count)
{
    const struct scan_call call = {.out = out,
                                   .a = a,
                                   .dim = dim,
                                   .next = s->loop,
                                   .takes = s->takes,
                                   .cycles = s->row->cycles + 2,
                                   .initial = s->starts ? s->initial : NULL,
                                   .offsets = offsets,
                                   .count = count,
                                   .none = steps_of_none(s),
                                   .line = line_kernel(s)};
    stria__scan(&call, s->exec);
    return stria__watch_end(s->exec);
}
