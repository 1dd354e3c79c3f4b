/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise calls that are refused: a good call with one thing spoilt. Checks the status and that
 * the message names the operand, and that not a byte of the output is written.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/indices.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROWS = 2, COLUMNS = 3, BYTES = 256 };

/* The good call: out (2, 3) f32 = op(a (2, 3) f32, b (3,) f32, b); where has a condition (3,) bool
 * before them. */
struct world {
    _Alignas(16) char memory[4][BYTES];
    stria_view out, condition, a, b;
    stria_exec exec;
    stria_op op;
    int n;
    const stria_view *operands[3], *target;
    const stria_view *const *list;
};

static void make_world(struct world *w, stria_op op)
{
    memset(w, 0, sizeof *w);
    memset(w->memory[0], 77, BYTES);
    w->out = OF(w->memory[0], F32, ROWS, COLUMNS);
    w->a = OF(w->memory[1], F32, ROWS, COLUMNS);
    w->b = OF(w->memory[2], F32, COLUMNS);
    w->condition = OF(w->memory[3], BOOL, COLUMNS);
    w->op = op;
    w->n = stria_op_inputs(op);
    const stria_view *const binary[] = {&w->a, &w->b, &w->b}, *const choice[] = {&w->condition,
                                                                                 &w->a, &w->b};
    memcpy(w->operands, op == STRIA_WHERE ? choice : binary, (size_t)w->n * sizeof *binary);
    w->target = &w->out;
    w->list = w->operands;
}

static stria_dtype dtype_of(const char *name)
{
    stria_dtype out;
    ok(stria_dtype_parse(&out, name));
    return out;
}

static void set_dtype(stria_view *a, const char *name)
{
    ok(stria_view_foreign(a, a->data, dtype_of(name), a->ndim, a->shape, NULL, 0));
}

/* ---- what is spoilt ------------------------------------------------------------------------- */

static void null_out(struct world *w)
{
    w->target = NULL;
}

static void null_a(struct world *w)
{
    w->operands[w->n - 2] = NULL;
}

static void null_b(struct world *w)
{
    w->operands[w->n - 1] = NULL;
}

static void null_list(struct world *w)
{
    w->list = NULL;
}

static void cleared_out(struct world *w)
{
    memset(&w->out, 0, sizeof w->out);
}

static void cleared_a(struct world *w)
{
    memset(&w->a, 0, sizeof w->a);
}

static void cleared_condition(struct world *w)
{
    memset(&w->condition, 0, sizeof w->condition);
}

static void ndim_of_b(struct world *w)
{
    w->b.ndim = 65;
}

static void ndim_of_out(struct world *w)
{
    w->out.ndim = -1;
}

static void kind_of_a(struct world *w)
{
    w->a.dtype.kind = 200;
}

static void item_of_b(struct world *w)
{
    w->b.dtype.itemsize = 0;
}

static void no_address(struct world *w)
{
    w->a.data = NULL;
}

static void negative_size(struct world *w)
{
    w->out.shape[0] = w->a.shape[0] = -1;
}

static void read_only(struct world *w)
{
    w->out = readonly_of(&w->out);
}

static void long_b(struct world *w)
{
    w->b.shape[0] = COLUMNS + 1;
}

static void narrow_out(struct world *w)
{
    w->out.shape[0] = 1;
}

static void flat_out(struct world *w)
{
    w->out = OF(w->memory[0], F32, COLUMNS);
    w->a.shape[0] = 1;
}

static void long_condition(struct world *w)
{
    w->condition.shape[0] = 2;
}

static void folded_out(struct world *w)
{
    w->out.strides[0] = 0;
}

static void interleaved_out(struct world *w)
{
    w->out.strides[0] = 4;
}

static void string_a(struct world *w)
{
    set_dtype(&w->a, "S4");
}

static void f8_both(struct world *w)
{
    set_dtype(&w->a, "f8e4m3");
    set_dtype(&w->b, "f8e4m3");
}

static void f8_b(struct world *w)
{
    set_dtype(&w->b, "f8e5m2");
}

static void bool_both(struct world *w)
{
    set_dtype(&w->a, "bool");
    set_dtype(&w->b, "bool");
}

static void complex_a(struct world *w)
{
    set_dtype(&w->a, "c64");
}

static void complex_both(struct world *w)
{
    set_dtype(&w->a, "c64");
    set_dtype(&w->out, "c64");
}

static void unsigned_and_signed(struct world *w)
{
    set_dtype(&w->a, "u32");
    set_dtype(&w->b, "i32");
}

static void wide_integers(struct world *w)
{
    set_dtype(&w->a, "i64");
    set_dtype(&w->b, "i64");
    set_dtype(&w->out, "u64");
}

static void integer_out(struct world *w)
{
    set_dtype(&w->out, "i32");
}

static void numpy_f64_out(struct world *w)
{
    set_dtype(&w->a, "i32");
    w->exec.hints = STRIA_PROMOTE_AS_NUMPY;
    set_dtype(&w->out, "i64");
}

static void strings_of_two_sizes(struct world *w)
{
    set_dtype(&w->a, "S3");
    set_dtype(&w->b, "S5");
    set_dtype(&w->out, "S5");
}

static void string_into_other(struct world *w)
{
    set_dtype(&w->a, "S3");
    set_dtype(&w->b, "S3");
    set_dtype(&w->out, "S5");
}

static void integer_condition(struct world *w)
{
    set_dtype(&w->condition, "i32");
}

static void string_condition(struct world *w)
{
    set_dtype(&w->condition, "S1");
    w->exec.hints = STRIA_PROMOTE_AS_NUMPY;
}

static void weak_b(struct world *w, int64_t value)
{
    memcpy(w->memory[2], &value, sizeof value);
    ok(stria_weak(&w->b, STRIA_I64, w->memory[2]));
    set_dtype(&w->a, "u8");
}

static void large_scalar(struct world *w)
{
    weak_b(w, 300);
}

static void negative_scalar(struct world *w)
{
    weak_b(w, -1);
}

static void negative_scalar_of_nothing(struct world *w)
{
    weak_b(w, -1);
    w->a.shape[0] = w->out.shape[0] = 0;
}

/* All operands but the scalar are dense and of one dtype, which small calls treat separately. */
static void weak_of_higher_category(struct world *w, stria_kind kind, const char *others)
{
    ok(stria_weak(&w->b, kind, w->memory[2]));
    set_dtype(&w->a, others);
    set_dtype(&w->out, others);
}

static void float_among_integers(struct world *w)
{
    weak_of_higher_category(w, STRIA_F64, "i32");
}

static void complex_among_floats(struct world *w)
{
    weak_of_higher_category(w, STRIA_C128, "f32");
}

static void integer_among_bools(struct world *w)
{
    weak_of_higher_category(w, STRIA_I64, "bool");
}

static void weak_array(struct world *w)
{
    w->b.flags |= STRIA_WEAK;
}

static void weak_of_other_dtype(struct world *w)
{
    w->b = of(w->memory[2], STRIA_I16, 0, NULL);
    w->b.flags |= STRIA_WEAK;
}

static void negated_weak(struct world *w)
{
    weak_b(w, 1);
    w->b.flags |= STRIA_NEG;
}

static void weak_out(struct world *w)
{
    ok(stria_weak(&w->out, STRIA_F64, w->memory[0]));
    w->a = w->b = of(w->memory[1], STRIA_F32, 0, NULL);
}

static void unknown_hint(struct world *w)
{
    w->exec.hints = 1U << 31;
}

static void negative_threads(struct world *w)
{
    w->exec.threads = -1;
}

static void forbidden_overlap(struct world *w)
{
    w->exec.hints = STRIA_NO_OVERLAP;
    w->b.data = w->out.data + 4;
}

static void one_operand_less(struct world *w)
{
    w->n--;
}

static void operation_out_of_range(struct world *w)
{
    w->op = STRIA_OPS;
}

static void negative_operation(struct world *w)
{
    w->op = (stria_op)-1;
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct bad {
    stria_op op;
    void (*spoil)(struct world *w);
    stria_status status;
    const char *text; /* part of the message, which begins with the operation */
    bool needs_out;   /* without an output the call is good */
} cases[] = {
    {STRIA_ADD, null_out, STRIA_ERR_ARGUMENT, "add: out is NULL", true},
    {STRIA_ADD, null_a, STRIA_ERR_ARGUMENT, "add: a is NULL", false},
    {STRIA_ADD, null_b, STRIA_ERR_ARGUMENT, "add: b is NULL", false},
    {STRIA_WHERE, null_a, STRIA_ERR_ARGUMENT, "where: x is NULL", false},
    {STRIA_WHERE, null_b, STRIA_ERR_ARGUMENT, "where: y is NULL", false},
    {STRIA_ADD, null_list, STRIA_ERR_ARGUMENT, "add: operands is NULL", false},
    {STRIA_ADD, cleared_out, STRIA_ERR_ARGUMENT, "add: out is a cleared view", true},
    {STRIA_ADD, cleared_a, STRIA_ERR_ARGUMENT, "add: a is a cleared view", false},
    {STRIA_ABS, cleared_a, STRIA_ERR_ARGUMENT, "abs: a is a cleared view", false},
    {STRIA_EXP, cleared_a, STRIA_ERR_ARGUMENT, "exp: a is a cleared view", false},
    {STRIA_WHERE, cleared_condition, STRIA_ERR_ARGUMENT, "where: condition is a cleared", false},
    {STRIA_ADD, ndim_of_b, STRIA_ERR_ARGUMENT, "add: b has ndim 65", false},
    {STRIA_ADD, ndim_of_out, STRIA_ERR_ARGUMENT, "add: out has ndim -1", true},
    {STRIA_ADD, kind_of_a, STRIA_ERR_DTYPE, "add: a has kind 200", false},
    {STRIA_ADD, item_of_b, STRIA_ERR_DTYPE, "add: b has kind 13 with an item size of 0", false},
    {STRIA_ADD, no_address, STRIA_ERR_ARGUMENT, "add: a of shape (2, 3)", false},
    {STRIA_ADD, negative_size, STRIA_ERR_SHAPE, "add: out has a negative size", true},
    {STRIA_ADD, read_only, STRIA_ERR_READONLY, "add: out is read-only", true},
    {STRIA_ADD, weak_out, STRIA_ERR_READONLY, "add: out is read-only", true},
    {STRIA_ADD, long_b, STRIA_ERR_BROADCAST, "b of shape (4,)", false},
    {STRIA_ADD, long_b, STRIA_ERR_BROADCAST, "add: b of shape (4,)", true},
    {STRIA_ADD, narrow_out, STRIA_ERR_BROADCAST, "add: a of shape (2, 3)", true},
    {STRIA_ADD, flat_out, STRIA_ERR_BROADCAST, "add: a of shape (1, 3) has more dims", true},
    {STRIA_WHERE, long_condition, STRIA_ERR_BROADCAST, "where: condition of shape (2,)", true},
    {STRIA_ADD, folded_out, STRIA_ERR_OVERLAP, "add: elements of out", true},
    {STRIA_ADD, interleaved_out, STRIA_ERR_OVERLAP, "add: elements of out", true},
    {STRIA_ADD, forbidden_overlap, STRIA_ERR_OVERLAP, "add: out and b share bytes", true},
    {STRIA_ADD, string_a, STRIA_ERR_DTYPE, "add: a of dtype S4 and b of dtype f32", false},
    {STRIA_LESS, string_a, STRIA_ERR_DTYPE, "less: a of dtype S4 and b of dtype f32", false},
    {STRIA_WHERE, string_a, STRIA_ERR_DTYPE, "x of dtype S4 and y of dtype f32", false},
    {STRIA_ADD, f8_both, STRIA_ERR_DTYPE, "cast them to f16 or f32", false},
    {STRIA_EXP, f8_both, STRIA_ERR_DTYPE, "exp: a of dtype f8e4m3", false},
    {STRIA_ADD, f8_b, STRIA_ERR_DTYPE, "a of dtype f32 and b of dtype f8e5m2", false},
    {STRIA_LESS, f8_b, STRIA_ERR_DTYPE, "cast them to f16 or f32", false},
    {STRIA_SUBTRACT, bool_both, STRIA_ERR_DTYPE, "not defined for bool", false},
    {STRIA_LESS, complex_a, STRIA_ERR_DTYPE, "complex numbers have no order", false},
    {STRIA_ERF, complex_both, STRIA_ERR_DTYPE, "no complex version", false},
    {STRIA_ADD, complex_a, STRIA_ERR_DTYPE, "is c64, which does not cast to out's dtype f32", true},
    {STRIA_ADD, unsigned_and_signed, STRIA_ERR_DTYPE, "STRIA_PROMOTE_AS_NUMPY", false},
    {STRIA_ADD, wide_integers, STRIA_ERR_DTYPE, "i64, which does not cast to out's dtype u64",
     true},
    {STRIA_ADD, integer_out, STRIA_ERR_DTYPE, "f32, which does not cast to out's dtype i32", true},
    {STRIA_ADD, numpy_f64_out, STRIA_ERR_DTYPE, "f64, which does not cast", true},
    {STRIA_WHERE, strings_of_two_sizes, STRIA_ERR_DTYPE, "x of dtype S3 and y of dtype S5", false},
    {STRIA_WHERE, string_into_other, STRIA_ERR_DTYPE, "is S3, which does not cast", true},
    {STRIA_WHERE, integer_condition, STRIA_ERR_DTYPE, "where: condition is of dtype i32", false},
    {STRIA_WHERE, string_condition, STRIA_ERR_DTYPE, "where: condition is of dtype S1", false},
    {STRIA_ADD, large_scalar, STRIA_ERR_ARGUMENT, "add: b, the weak integer 300, is out", false},
    {STRIA_WHERE, large_scalar, STRIA_ERR_ARGUMENT, "where: y, the weak integer 300", false},
    {STRIA_MULTIPLY, negative_scalar, STRIA_ERR_ARGUMENT, "the weak integer -1", false},
    {STRIA_ADD, negative_scalar_of_nothing, STRIA_ERR_ARGUMENT, "the weak integer -1", false},
    {STRIA_ADD, float_among_integers, STRIA_ERR_DTYPE, "is f32, which does not cast", true},
    {STRIA_MULTIPLY, complex_among_floats, STRIA_ERR_DTYPE, "is c64, which does not cast", true},
    {STRIA_ADD, integer_among_bools, STRIA_ERR_DTYPE, "is i64, which does not cast", true},
    {STRIA_ADD, weak_array, STRIA_ERR_ARGUMENT, "add: b has STRIA_WEAK", false},
    {STRIA_ADD, weak_of_other_dtype, STRIA_ERR_ARGUMENT, "add: b has STRIA_WEAK", false},
    {STRIA_ADD, negated_weak, STRIA_ERR_ARGUMENT, "add: b has STRIA_WEAK", false},
    {STRIA_ADD, unknown_hint, STRIA_ERR_ARGUMENT, "hints 0x80000000", false},
    {STRIA_ADD, negative_threads, STRIA_ERR_ARGUMENT, "add: exec has -1 threads", false},
    {STRIA_ADD, one_operand_less, STRIA_ERR_ARGUMENT, "add: 1 operands, takes 2", false},
    {STRIA_ADD, operation_out_of_range, STRIA_ERR_ARGUMENT, "there is no operation", false},
    {STRIA_ADD, negative_operation, STRIA_ERR_ARGUMENT, "no operation -1", false},
};

static void refuse(const struct bad *bad)
{
    static struct world w, before;
    stria_array made = {0};
    char name[128];
    make_world(&w, bad->op);
    bad->spoil(&w);
    before = w;
    (void)snprintf(name, sizeof name, "%s of %s", bad->text, stria_op_name(bad->op));
    if (!bad->needs_out) {
        counting_begin(0);
        if (stria_elementwise_new(&made, w.op, w.n, w.list, &w.exec) != bad->status ||
            !strstr(stria_last_error(), bad->text))
            fail_msg("%s, into a new array: %s", name, stria_last_error());
        assert_int_equal(allocation_counts.live, 0);
        counting_end();
    }
    const stria_status status = stria_elementwise(w.target, w.op, w.n, w.list, &w.exec);
    if (status != bad->status || !strstr(stria_last_error(), bad->text))
        fail_msg("%s: status %d, %s", name, (int)status, stria_last_error());
    assert_memory_equal(w.memory, before.memory, sizeof w.memory);
}

TEST(bad_calls)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(&cases[i]);
}

/* Nothing is spoilt, and all calls run. */
TEST(good_calls)
{
    for (int op = 0; op < STRIA_OPS; op++) {
        static struct world w;
        make_world(&w, (stria_op)op);
        stria_dtype result;
        const stria_status told =
            stria_result_dtype(&result, w.op, w.n, w.list, STRIA_PROMOTE_TORCH);
        const bool of_bits = op >= STRIA_BITWISE_AND && op <= STRIA_LCM; /* floats are refused */
        const bool of_integers = of_bits || op == STRIA_LDEXP || op == STRIA_ROUND_DECIMALS;
        assert_int_equal(told, of_integers ? STRIA_ERR_DTYPE : STRIA_OK);
        if (of_integers) continue;
        if (result.kind == STRIA_BOOL) set_dtype(&w.out, "bool");
        ok(stria_elementwise(w.target, w.op, w.n, w.list, &w.exec));
    }
}

static void expect_named(stria_status status, const char *text)
{
    assert_int_equal(status, STRIA_ERR_ARGUMENT);
    assert_string_equal(stria_last_error(), text);
}

TEST(by_name)
{
    static struct world w;
    make_world(&w, STRIA_ADD);
    expect_named(stria_add(NULL, &w.a, &w.b, NULL), "add: out is NULL");
    expect_named(stria_subtract(NULL, &w.a, &w.b, NULL), "subtract: out is NULL");
    expect_named(stria_multiply(NULL, &w.a, &w.b, NULL), "multiply: out is NULL");
    expect_named(stria_less(NULL, &w.a, &w.b, NULL), "less: out is NULL");
    expect_named(stria_abs(NULL, &w.a, NULL), "abs: out is NULL");
    expect_named(stria_exp(NULL, &w.a, NULL), "exp: out is NULL");
    expect_named(stria_where(NULL, &w.condition, &w.a, &w.b, NULL), "where: out is NULL");
    expect_named(stria_where(&w.out, NULL, &w.a, &w.b, NULL), "where: condition is NULL");
    assert_null(stria_op_name((stria_op)-1));
    assert_null(stria_op_name(STRIA_OPS));
    assert_int_equal(stria_op_inputs(STRIA_OPS), 0);
}

TEST(bad_scalars_and_rules)
{
    static struct world w;
    stria_view out;
    stria_dtype dtype;
    const int64_t one = 1;
    make_world(&w, STRIA_ADD);
    assert_int_equal(stria_weak(NULL, STRIA_I64, &one), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_weak(&out, STRIA_I64, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_weak(&out, STRIA_I32, &one), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_weak(&out, (stria_kind)-1, &one), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_result_dtype(NULL, STRIA_ADD, 2, w.list, STRIA_PROMOTE_TORCH),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_result_dtype(&dtype, STRIA_ADD, 2, w.list, (stria_promotion)2),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_elementwise_new(NULL, STRIA_ADD, 2, w.list, NULL), STRIA_ERR_ARGUMENT);
}

TEST_MAIN(NULL, NULL)
