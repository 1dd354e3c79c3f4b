/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * f(view) is f(contiguous(view)), bit for bit but for NaN, on every instruction set level, in every
 * layout of the operands and for any number of threads: all results are compared with one dense
 * result of the lowest level on one thread.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/slow.h"
#include "support/arithmetic.h"
#include "support/levels.h"
#include "support/samples.h"
#include "support/test.h"

enum { ROWS = 100, COLUMNS = 403, COUNT = ROWS * COLUMNS };

static const int64_t shape[] = {ROWS, COLUMNS};

enum layout { DENSE, TRANSPOSED, BACKWARDS, STEPPED, MISALIGNED, LAYOUTS };

/* Makes room for the same shape in a layout; in NumPy's words of a larger array b: b, b.T, b[::-1],
 * ... */
static stria_array room(enum layout layout, stria_kind kind)
{
    const int64_t turned[] = {COLUMNS, ROWS}, wide[] = {ROWS, 2 * COLUMNS};
    const int64_t bytes = COUNT * (int64_t)stria_dtype_of(kind).itemsize + 1;
    const stria_dtype dtype = stria_dtype_of(kind);
    stria_array out = {0};
    stria_status status = STRIA_OK;
    if (layout == MISALIGNED) {
        ok(stria_empty(&out, stria_dtype_of(STRIA_U8), 1, &bytes));
        status = stria_view_make(&out.view, out.owned, dtype, 2, shape, NULL, 1);
    } else {
        const int64_t *const made = layout == TRANSPOSED ? turned
                                    : layout == STEPPED  ? wide
                                                         : shape;
        ok(stria_empty(&out, dtype, 2, made));
        if (layout == TRANSPOSED) status = stria_reverse_dims(&out.view, &out.view);
        if (layout == STEPPED) status = stria_slice(&out.view, &out.view, 1, 1, STRIA_NONE, 2);
        if (layout == BACKWARDS)
            status = stria_slice(&out.view, &out.view, 1, STRIA_NONE, STRIA_NONE, -1);
    }
    ok(status);
    return out;
}

static stria_array samples(stria_kind kind, uint64_t *seed)
{
    stria_array out = room(DENSE, kind);
    samples_fill(out.view.data, kind, COUNT, seed);
    return out;
}

static stria_array laid_out(const stria_view *a, enum layout layout)
{
    stria_array out = room(layout, (stria_kind)a->dtype.kind);
    ok(stria_copy(&out.view, a, NULL));
    return out;
}

static void hold_against(const stria_view *want, const stria_view *got, const char *op, int layout,
                         int threads)
{
    const stria_kind kind = (stria_kind)want->dtype.kind;
    const size_t item = (size_t)want->dtype.itemsize;
    if (!memcmp(want->data, got->data, COUNT * item)) return;
    for (size_t i = 0; i < COUNT; i++) {
        union item a, b;
        memcpy(a.bytes, want->data + i * item, item);
        memcpy(b.bytes, got->data + i * item, item);
        if (!same_number(kind, a, b, 0))
            fail_msg("%s into kind %d, %s, layout %d, %d threads: element %zu", op, (int)kind,
                     stria_isa_name(), layout, threads, i);
    }
}

/* Checks an operation whose inputs and output have different layouts. */
static void check_layout(stria_op op, const stria_array *inputs, const stria_view *want, int layout,
                         int threads)
{
    const int n = stria_op_inputs(op);
    const stria_exec exec = {.threads = threads};
    const stria_view *operands[3];
    stria_array made[3] = {0}, out = room((enum layout)layout, (stria_kind)want->dtype.kind),
                dense = {0};
    for (int k = 0; k < n; k++) {
        made[k] = laid_out(&inputs[k].view, (enum layout)((layout * (k + 1)) % LAYOUTS));
        operands[k] = &made[k].view;
    }
    ok(stria_elementwise(&out.view, op, n, operands, &exec));
    ok(stria_contiguous(&dense, &out.view, STRIA_ORDER_C, NULL, NULL));
    hold_against(want, &dense.view, stria_op_name(op), layout, threads);
    stria_array_release(&dense);
    stria_array_release(&out);
    for (int k = 0; k < n; k++)
        stria_array_release(&made[k]);
}

static void check_operation(stria_op op, stria_kind kind, uint64_t *seed)
{
    static const int threads[] = {1, 2, 3, 8};
    const int n = stria_op_inputs(op);
    const stria_exec serial = {.threads = 1};
    const stria_view *operands[3];
    stria_array inputs[3] = {0}, want = {0};
    int level = 0, turn = 0;
    stria_dtype dtype;
    for (int k = 0; k < n; k++) {
        inputs[k] = samples(op == STRIA_WHERE && k == 0 ? STRIA_BOOL : kind, seed);
        operands[k] = &inputs[k].view;
    }
    const bool refusable = op == STRIA_POW && kind < STRIA_F16; /* negative exponents are refused */
    if (!refusable &&
        stria_result_dtype(&dtype, op, n, operands, STRIA_PROMOTE_TORCH) == STRIA_OK) {
        assert_true(next_level(&level));
        ok(stria_elementwise_new(&want, op, n, operands, &serial));
        for (level = 0; next_level(&level);)
            for (int layout = 0; layout < LAYOUTS; layout++, turn++)
                if (turn % 2 || level == stria__kernels_count()) /* the slower levels less often */
                    check_layout(op, inputs, &want.view, layout, threads[turn / 2 % 4]);
        stria_array_release(&want);
    }
    for (int k = 0; k < n; k++)
        stria_array_release(&inputs[k]);
}

TEST(same_bits)
{
    uint64_t seed = 3;
    for (int op = 0; op < STRIA_OPS; op++)
        for (int kind = 0; kind <= STRIA_C128; kind++)
            if ((op + kind) % ONE_OF_MANY == 0)
                check_operation((stria_op)op, (stria_kind)kind, &seed);
}

/* Operands are converted on the way in and out. */
TEST(same_bits_of_several_dtypes)
{
    uint64_t seed = 5;
    static const stria_kind kinds[] = {STRIA_U8,  STRIA_F32,  STRIA_F64,
                                       STRIA_I16, STRIA_BF16, STRIA_I64};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (int i = 0; i < KINDS; i++) {
        stria_array a = samples(kinds[i], &seed), b = samples(kinds[(i + 1) % KINDS], &seed),
                    want = {0}, other = {0};
        const stria_view *const operands[] = {&a.view, &b.view};
        int level = 0;
        assert_true(next_level(&level));
        ok(stria_elementwise_new(&want, STRIA_MULTIPLY, 2, operands, NULL));
        for (level = 0; next_level(&level);)
            for (int layout = 0; layout < LAYOUTS; layout++)
                check_layout(STRIA_MULTIPLY, (stria_array[]){a, b}, &want.view, layout, 1 + layout);
        /* compares with operands that were promoted before */
        stria_array wide[2] = {0};
        for (int k = 0; k < 2; k++)
            ok(stria_astype(&wide[k], operands[k], want.view.dtype, STRIA_CAST_UNSAFE,
                            STRIA_COPY_ALWAYS, NULL, NULL));
        const stria_view *const alike[] = {&wide[0].view, &wide[1].view};
        ok(stria_elementwise_new(&other, STRIA_MULTIPLY, 2, alike, NULL));
        hold_against(&want.view, &other.view, "promoted multiply", 0, 0);
        stria_array_release(&wide[0]);
        stria_array_release(&wide[1]);
        stria_array_release(&other);
        stria_array_release(&want);
        stria_array_release(&a);
        stria_array_release(&b);
    }
}

TEST_MAIN(NULL, NULL)
