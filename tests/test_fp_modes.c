/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls compute to nearest and with denormal numbers, whatever mode the caller is in, and leave
 * that mode: every operation in every dtype, at once and by the engine, every conversion, and what
 * runs on other threads, against the same call in the default mode. Reductions and scans are in
 * test_reduce_hashes, other functions in test_door.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/arithmetic.h"
#include "support/fp_modes.h"
#include "support/random.h"
#include "support/test.h"

enum { ITEMS = 1000, FEW = 16, ITEM = 16, THREADED = 1 << 19 };

static _Alignas(64) char in[3][ITEMS * ITEM], want[2 * ITEMS * ITEM], got[2 * ITEMS * ITEM];

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F16 && kind <= STRIA_F64;
}

/* Puts numbers of magnitudes from 2^-30 to 1, every eighth one denormal; integers get random
 * bits. */
static void put_input(int k, stria_kind kind)
{
    const stria_kind part = (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    const int size = stria_dtype_of(part).itemsize, n = ITEMS * ITEM / size;
    for (int i = 0; i < n; i++) {
        uint64_t word = random_bits_at(((uint64_t)k << 32) + (uint64_t)i);
        const int bits = 8 * size, digits = part == STRIA_F64    ? 52
                                            : part == STRIA_F32  ? 23
                                            : part == STRIA_BF16 ? 7
                                                                 : 10;
        if (is_float(part)) {
            const uint64_t half = (UINT64_C(1) << (bits - 2 - digits)) - 1, /* the exponent of 1 */
                low = (UINT64_C(1) << digits) - 1, down = word >> 58 & (half < 30 ? 7 : 31);
            word = (word & low) | (i % 8 == 7 ? 0 : (half - down) << digits) |
                   (word >> 57 & 1) << (bits - 1);
        }
        if (part == STRIA_BOOL) word &= 1;
        memcpy(in[k] + i * size, &word, (size_t)size);
    }
}

static void hold(stria_kind kind, int64_t n, const char *name, const char *how, int mode)
{
    const int64_t item = stria_dtype_of(kind).itemsize;
    for (int64_t i = 0; i < n; i++) {
        union item a, b;
        if (!memcmp(want + i * item, got + i * item, (size_t)item)) continue;
        memcpy(a.bytes, want + i * item, (size_t)item);
        memcpy(b.bytes, got + i * item, (size_t)item);
        if (!same_number(kind, a, b, 0))
            fail_msg("%s into kind %d, %s, mode %d: element %lld", name, (int)kind, how, mode,
                     (long long)i);
    }
}

static stria_view view_of(const void *data, stria_kind kind, int64_t n, int64_t step)
{
    stria_view out;
    const int64_t stride = step * stria_dtype_of(kind).itemsize;
    ok(stria_view_foreign(&out, (void *)(uintptr_t)data, stria_dtype_of(kind), 1, &n, &stride, 0));
    return out;
}

/* Computes n items; apart: every other item of out, so that the engine runs the call in blocks. */
static bool try_op(stria_op op, stria_kind kind, int64_t n, bool apart)
{
    const char *const name = stria_op_name(op), *const how = apart ? "apart" : "dense";
    const int inputs = stria_op_inputs(op);
    stria_view views[3], out;
    const stria_view *list[3];
    stria_dtype result;
    for (int k = 0; k < inputs; k++) {
        const bool condition = op == STRIA_WHERE && k == 0;
        views[k] = view_of(in[k], condition ? STRIA_BOOL : kind, n, 1);
        list[k] = &views[k];
    }
    if (stria_result_dtype(&result, op, inputs, list, STRIA_PROMOTE_TORCH)) return false;
    for (int mode = 0; mode < FP_MODES; mode++) {
        char *const to = mode ? got : want;
        memset(to, 0, sizeof want);
        out = view_of(to, (stria_kind)result.kind, n, 1 + apart);
        set_fp_mode(mode);
        const uint64_t before = fp_control();
        const stria_status status = stria_elementwise(&out, op, inputs, list, NULL);
        const uint64_t after = fp_control();
        set_fp_mode(0);
        assert_true(before == after);
        if (status != STRIA_OK) return false;
        if (mode) hold((stria_kind)result.kind, n * (1 + apart), name, how, mode);
    }
    return true;
}

TEST(test_ops)
{
    int tried = 0;
    for (int kind = 0; kind <= STRIA_C128; kind++) {
        for (int k = 0; k < 3; k++)
            put_input(k, (stria_kind)kind);
        for (int op = 0; op < STRIA_OPS; op++) {
            tried += try_op((stria_op)op, (stria_kind)kind, FEW, false);
            tried += try_op((stria_op)op, (stria_kind)kind, ITEMS, true);
        }
    }
    assert_true(tried > 10 * STRIA_OPS);
}

TEST(test_conversions)
{
    for (int from = 0; from <= STRIA_C128; from++) {
        put_input(0, (stria_kind)from);
        for (int to = 0; to <= STRIA_C128; to++)
            for (int mode = 0; mode < 2 * FP_MODES; mode++) {
                const bool apart = mode >= FP_MODES;
                char *const data = mode % FP_MODES ? got : want;
                const stria_view a = view_of(in[0], (stria_kind)from, ITEMS, 1),
                                 out = view_of(data, (stria_kind)to, ITEMS, 1 + apart);
                memset(data, 0, sizeof got);
                set_fp_mode(mode % FP_MODES);
                const stria_status status = stria_copy(&out, &a, NULL);
                set_fp_mode(0);
                ok(status);
                if (mode % FP_MODES)
                    hold((stria_kind)to, ITEMS * (1 + apart), "copy", apart ? "apart" : "dense",
                         mode % FP_MODES);
            }
    }
}

/* Threads that start in another mode keep it for their life. */
TEST(test_threads)
{
    double *const x = malloc(3 * THREADED * sizeof *x);
    const int64_t n = THREADED;
    const stria_exec four = {.threads = 4}, one = {.threads = 1};
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        x[i] = (double)(i + 1) / 3e5;
    const stria_view a = view_of(x, STRIA_F64, n, 1), b = view_of(x + n, STRIA_F64, n, 1),
                     c = view_of(x + 2 * n, STRIA_F64, n, 1);
    const stria_view *const inputs[] = {&a};
    ok(stria_elementwise(&b, STRIA_EXP, 1, inputs, &one));
    set_fp_mode(1);
    stria_status status = stria_elementwise(&c, STRIA_EXP, 1, inputs, &four);
    set_fp_mode(0);
    ok(status);
    assert_memory_equal(x + n, x + 2 * n, (size_t)n * sizeof *x);
    memset(x + 2 * n, 0, (size_t)n * sizeof *x);
    ok(stria_elementwise(&c, STRIA_EXP, 1, inputs, &four));
    assert_memory_equal(x + n, x + 2 * n, (size_t)n * sizeof *x);
    free(x);
}

TEST_MAIN(NULL, NULL)
