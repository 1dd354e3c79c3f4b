/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Padding, correlations and reductions in windows against their definitions, over layouts, levels,
 * threads and overlaps; and what is refused. tool/test_windows.py compares values with NumPy's.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/by_value.h"
#include "support/test.h"

static stria_view view_of(void *data, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_view out;
    ok(stria_view_foreign(&out, data, stria_dtype_of(kind), ndim, shape, NULL, 0));
    return out;
}

/* Returns the index of a that stands for index i beyond its edges, or -1 for the constant. */
static int64_t reflected(int64_t i, int64_t n, stria_pad_mode mode)
{
    while (i < 0 || i >= n) {
        if (mode == STRIA_PAD_CONSTANT) return -1;
        if (mode == STRIA_PAD_EDGE || n == 1) return i < 0 ? 0 : n - 1;
        if (mode == STRIA_PAD_WRAP) i += i < 0 ? n : -n;
        if (mode == STRIA_PAD_REFLECT) i = i < 0 ? -i : 2 * n - 2 - i;
        if (mode == STRIA_PAD_SYMMETRIC) i = i < 0 ? -1 - i : 2 * n - 1 - i;
    }
    return i;
}

/* Computations in a window of 2 dims. */
enum { ROWS = 23, COLUMNS = 90, TALL = 3, WIDE = 4 };
static double x[ROWS][COLUMNS], weight[TALL][WIDE];

/* Fills in the weights, none of which is 0: rows share the elements that they read. */
static void fill_weights(bool full)
{
    static const double some[TALL][WIDE] = {{1, 0, -2, 3}, {0, 5, 0, 0}, {7, -1, 0, 2}};
    for (int r = 0; r < TALL; r++)
        for (int c = 0; c < WIDE; c++)
            weight[r][c] = full && some[r][c] == 0 ? 4 + r : some[r][c];
}

static double padded_at(int64_t i, int64_t j, stria_pad_mode mode)
{
    const int64_t r = reflected(i, ROWS, mode), c = reflected(j, COLUMNS, mode);
    return r < 0 || c < 0 ? 9 : x[r][c];
}

/* Computes the expected result. op: a reduction, or STRIA_REDUCTIONS for weights. Numbers are
 * whole, so that no sum is rounded. */
static double expected(stria_reduction op, int64_t i, int64_t j, stria_pad_mode mode)
{
    double sum = 0, most = -1e9, least = 1e9;
    const bool none = mode == STRIA_PAD_NONE;
    for (int r = 0; r < TALL; r++)
        for (int c = 0; c < WIDE; c++) {
            const double value =
                padded_at(i + r - (none ? 0 : TALL / 2), j + c - (none ? 0 : WIDE / 2), mode);
            sum += op == STRIA_REDUCTIONS ? value * weight[r][c] : value;
            most = value > most ? value : most;
            least = value < least ? value : least;
        }
    return op == STRIA_MAX ? most : op == STRIA_MIN ? least : op == STRIA_MEAN ? sum / 12 : sum;
}

static stria_status compute(stria_array *out, stria_reduction op, const stria_view *a,
                            stria_pad_mode mode, const stria_exec *exec)
{
    const int64_t window[] = {TALL, WIDE};
    const double nine = 9;
    const int64_t whole_nine = 9;
    const stria_view weights = view_of(weight, STRIA_F64, 2, window);
    stria_view value;
    ok(stria_weak(&value, STRIA_F64, &nine));
    if (a->dtype.kind <= STRIA_U64) ok(stria_weak(&value, STRIA_I64, &whole_nine));
    if (op != STRIA_REDUCTIONS)
        return stria_window_reduce_new(out, op, a, a->ndim, window,
                                       &(stria_window_options){.mode = mode, .value = &value},
                                       exec);
    return stria_correlate_new(out, a, &weights,
                               &(stria_window_options){.mode = mode, .value = &value}, exec);
}

static void fill_numbers_of(uint64_t seed)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            x[i][j] = (double)random_between(&seed, 0, 10);
}

static void check(stria_reduction op, const stria_view *a, stria_pad_mode mode,
                  const stria_exec *exec)
{
    RELEASED stria_array made = {0};
    double found;
    ok(compute(&made, op, a, mode, exec));
    assert_int_equal(made.view.shape[0], mode ? ROWS : ROWS - TALL + 1);
    for (int64_t i = 0; i < made.view.shape[0]; i++)
        for (int64_t j = 0; j < made.view.shape[1]; j++) {
            convert_item(address(&made.view, (int64_t[]){i, j}), made.view.dtype, &found,
                         STRIA_F64);
            const double wanted = expected(op, i, j, mode);
            if (!(fabs(found - wanted) <= 1e-6 * fabs(wanted)) &&
                !(op == STRIA_MEAN && made.view.dtype.itemsize == 2))
                fail_msg("op %d mode %d at %d, %d: %g, wanted %g", op, mode, (int)i, (int)j, found,
                         wanted);
        }
}

static const stria_reduction ops[] = {STRIA_SUM, STRIA_MEAN, STRIA_MAX, STRIA_MIN,
                                      STRIA_REDUCTIONS};

/* Every dtype, mode and operation, from layouts of every kind. */
TEST(test_definitions)
{
    static const stria_kind kinds[] = {STRIA_U8,  STRIA_I16, STRIA_I32, STRIA_U64,
                                       STRIA_F16, STRIA_F32, STRIA_F64};
    const int64_t shape[] = {ROWS, COLUMNS};
    const stria_exec exec = {.threads = 3, .run = pool_run};
    fill_numbers_of(1);
    const stria_view wide = view_of(x, STRIA_F64, 2, shape);
    for (int k = 0; k < 7; k++) {
        RELEASED stria_array a = {0}, turned = {0}, spaced = {0}, swapped = {0};
        stria_view flat, views[4];
        ok(stria_astype(&a, &wide, stria_dtype_of(kinds[k]), STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS,
                        NULL, NULL));
        views[0] = a.view;
        ok(stria_permute(&flat, &a.view, 2, (int[]){1, 0}));
        ok(stria_clone_new(&turned, &flat, NULL));
        ok(stria_permute(&views[1], &turned.view, 2, (int[]){1, 0}));
        ok(stria_repeat_interleave_new(&spaced, &a.view, 3, 1, NULL));
        ok(stria_slice(&views[2], &spaced.view, 1, 2, STRIA_NONE, 3));
        ok(stria_byteswap_new(&swapped, &a.view, NULL));
        ok(stria_newbyteorder(&views[3], &swapped.view));
        for (int mode = 0; mode < STRIA_PAD_MODES; mode++) {
            fill_weights(false);
            for (int op = 0; op < 5; op++)
                check(ops[op], &views[(mode + op) % 4], (stria_pad_mode)mode,
                      op % 2 ? &exec : NULL);
            fill_weights(true);
            check(STRIA_REDUCTIONS, &views[mode % 2 * 3], (stria_pad_mode)mode, NULL);
        }
    }
}

/* Sums of rounded products, and sums of negative zeros, at every level. */
TEST(test_rounding)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    uint64_t seed = 4;
    const stria_view a = view_of(x, STRIA_F64, 2, shape);
    fill_weights(true);
    for (int zeros = 0; zeros < 2; zeros++) {
        fill_finite(&seed, &a);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS && zeros; j++)
                x[i][j] = -0.0;
        for (int r = 0; r < TALL && zeros; r++)
            for (int c = 0; c < WIDE; c++)
                weight[r][c] = 1;
        for (int level = 0; next_level(&level);) {
            RELEASED stria_array made = {0};
            ok(compute(&made, STRIA_REDUCTIONS, &a, STRIA_PAD_NONE, NULL));
            for (int64_t i = 0; i <= ROWS - TALL; i++)
                for (int64_t j = 0; j <= COLUMNS - WIDE; j++) {
                    double sum = x[i][j] * weight[0][0];
                    for (int64_t k = 1; k < TALL * WIDE; k++) {
                        const double product =
                            x[i + k / WIDE][j + k % WIDE] * weight[k / WIDE][k % WIDE];
                        sum += product;
                    }
                    assert_memory_equal(address(&made.view, (int64_t[]){i, j}), &sum, sizeof sum);
                }
        }
    }
}

/* The same bits at every level. */
TEST(test_levels)
{
    const int64_t shape[] = {ROWS, COLUMNS}, window[] = {TALL, WIDE};
    uint64_t seed = 3;
    const stria_view a = view_of(x, STRIA_F64, 2, shape);
    RELEASED stria_array first = {0};
    fill_finite(&seed, &a);
    fill_weights(false);
    for (int level = 0; next_level(&level);)
        for (int op = 0; op < 5; op++) {
            RELEASED stria_array made = {0};
            ok(compute(&made, ops[op], &a, STRIA_PAD_REFLECT, NULL));
            if (op == 4 && !first.owned) first = shared_of(&made.view);
            if (op == 4) assert_memory_equal(made.view.data, first.view.data, sizeof x);
        }
    (void)window;
}

/* The output is the input, shifted, or another dtype; inputs are a single row and a number. */
TEST(test_places)
{
    double row[] = {1, 2, 3, 4, 5, 6}, two[] = {1, 10}, number = 3, three = 3;
    const int64_t n = 4, w = 2, window[] = {2};
    float narrow[6];
    stria_view a = view_of(row, STRIA_F64, 1, &n), out = view_of(row + 1, STRIA_F64, 1, &n),
               weights = view_of(two, STRIA_F64, 1, &w), to = view_of(narrow, STRIA_F32, 1, &n);
    ok(stria_correlate(&to, &a, &weights, &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL));
    assert_true(narrow[0] == 11 && narrow[1] == 21 && narrow[3] == 43);
    ok(stria_correlate(&out, &a, &weights, &(stria_window_options){.mode = STRIA_PAD_CONSTANT},
                       NULL));
    assert_true(row[0] == 1 && row[1] == 10 && row[2] == 21 && row[4] == 43 && row[5] == 6);
    refused(stria_window_reduce(&out, STRIA_MAX, &a, a.ndim, window,
                                &(stria_window_options){.mode = STRIA_PAD_WRAP},
                                &(stria_exec){.hints = STRIA_NO_OVERLAP}),
            STRIA_ERR_OVERLAP, "out");
    const stria_view one = view_of(&number, STRIA_F64, 0, NULL),
                     by = view_of(&three, STRIA_F64, 0, NULL);
    ok(stria_correlate(&one, &one, &by, NULL, NULL));
    assert_true(number == 9);
}

/* Pads any dtype, by negative widths, and empty arrays. */
TEST(test_pad)
{
    char text[] = "abcd", padded[12];
    const int64_t n = 4, m = 12, few = 2, none = 0, before[] = {3}, less[] = {-1};
    stria_dtype letter;
    ok(stria_dtype_sized(&letter, STRIA_BYTES, 1));
    stria_view a = view_of(text, STRIA_U8, 1, &n), to = view_of(padded, STRIA_U8, 1, &m);
    a.dtype = to.dtype = letter;
    static const char *const wanted[] = {
        "", "", "aaaabcdddddd", "dcbabcdcbabc", "cbaabcddcbaa", "bcdabcdabcda"};
    for (int mode = STRIA_PAD_EDGE; mode < STRIA_PAD_MODES; mode++) {
        ok(stria_pad(&to, &a, a.ndim, before, &(stria_window_options){.mode = (stria_pad_mode)mode},
                     NULL));
        assert_memory_equal(padded, wanted[mode], 12);
    }
    ok(stria_pad(&to, &a, a.ndim, before, &(stria_window_options){.mode = STRIA_PAD_CONSTANT},
                 NULL));
    assert_memory_equal(padded, "\0\0\0abcd\0\0\0\0\0", 12);
    to.shape[0] = few;
    ok(stria_pad(&to, &a, a.ndim, less, &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL));
    assert_memory_equal(padded, "bc", 2);
    a.shape[0] = none;
    refused(
        stria_pad(&to, &a, a.ndim, before, &(stria_window_options){.mode = STRIA_PAD_WRAP}, NULL),
        STRIA_ERR_SHAPE, "dim 0 has no elements that could go on");
}

TEST(test_refused)
{
    double row[8] = {0}, big[2] = {1, 1}, pair[2];
    const int64_t n = 3, w = 2, few[] = {1, 1}, long_window[] = {9}, zero[] = {0},
                  far[] = {INT64_MAX};
    stria_array made = {0};
    const stria_view a = view_of(row, STRIA_F64, 1, &n), out = view_of(row + 4, STRIA_F64, 1, &n),
                     weights = view_of(big, STRIA_F64, 1, &w),
                     flat = view_of(big, STRIA_F64, 2, few),
                     complex_weights = view_of(pair, STRIA_C128, 1, few),
                     whole = view_of(row + 4, STRIA_I64, 1, &n);
    refused(stria_correlate(&out, &a, &flat, &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL),
            STRIA_ERR_SHAPE, "weights have 2 dims, a has 1");
    refused(stria_correlate(&out, &a, &complex_weights,
                            &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL),
            STRIA_ERR_DTYPE, "weights are real numbers");
    refused(stria_correlate(&out, &a, &weights, NULL, NULL), STRIA_ERR_SHAPE,
            "the result has (2,)");
    refused(stria_correlate(&whole, &a, &weights, &(stria_window_options){.mode = STRIA_PAD_EDGE},
                            NULL),
            STRIA_ERR_DTYPE, "out");
    refused(
        stria_correlate(&out, &a, &weights, &(stria_window_options){.mode = STRIA_PAD_MODES}, NULL),
        STRIA_ERR_ARGUMENT, "no mode 6");
    refused(stria_correlate(&out, &a, &weights,
                            &(stria_window_options){.mode = STRIA_PAD_CONSTANT, .value = &a}, NULL),
            STRIA_ERR_SHAPE, "value has 1 dims");
    refused(stria_window_reduce_new(&made, STRIA_MAX, &a, a.ndim, long_window, NULL, NULL),
            STRIA_ERR_SHAPE, "a window of 9 elements does not fit in dim 0 of 3");
    refused(stria_window_reduce_new(&made, STRIA_MAX, &a, a.ndim, zero,
                                    &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL),
            STRIA_ERR_SHAPE, "0 elements along dim 0");
    refused(stria_window_reduce_new(&made, STRIA_PROD, &a, a.ndim, few,
                                    &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL),
            STRIA_ERR_ARGUMENT, "no sum, mean, max or min");
    refused(stria_pad_new(&made, &a, a.ndim, far, far,
                          &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL),
            STRIA_ERR_OVERFLOW, "overflows");
    refused(stria_pad(&out, &a, a.ndim, few, &(stria_window_options){.mode = STRIA_PAD_NONE}, NULL),
            STRIA_ERR_ARGUMENT, "goes nowhere");
    refused(stria_pad(&out, &a, a.ndim + 1, few, NULL, NULL), STRIA_ERR_SHAPE, "numbers for a of");
    assert_null(made.owned);
}

/* Every allocation is refused in turn. */
TEST(test_no_memory)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    fill_numbers_of(2);
    const stria_view a = view_of(x, STRIA_F64, 2, shape);
    for (int op = 0; op < 5; op++)
        for (int64_t fail_at = 1;; fail_at++) {
            stria_array made = {0};
            counting_begin(fail_at);
            const stria_status status = compute(&made, ops[op], &a, STRIA_PAD_WRAP, NULL);
            const bool refused = allocation_counts.calls >= fail_at;
            stria_array_release(&made);
            counting_end();
            if (status != STRIA_OK) assert_int_equal(status, STRIA_ERR_MEMORY);
            if (!refused) break;
        }
}

/* Complex numbers are computed by parts: both are written, or none. */
TEST(without_memory_no_part_is_written)
{
    static const int64_t shape[] = {6}, kept[] = {4}, window[] = {3};
    float numbers[12] = {1, 2, 3, 4, 5, 6}, sums[8];
    stria_view a, out;
    ok(stria_view_foreign(&a, numbers, stria_dtype_of(STRIA_C64), 1, shape, NULL, 0));
    ok(stria_view_foreign(&out, sums, stria_dtype_of(STRIA_C64), 1, kept, NULL, 0));
    stria_status status = STRIA_ERR_MEMORY;
    for (int64_t fail_at = 1; status != STRIA_OK; fail_at++) {
        for (int i = 0; i < 8; i++)
            sums[i] = 77;
        counting_begin(fail_at);
        status = stria_window_reduce(&out, STRIA_SUM, &a, 1, window, NULL, NULL);
        counting_end();
        if (status != STRIA_OK) assert_int_equal(status, STRIA_ERR_MEMORY);
        for (int i = 0; i < 8 && status != STRIA_OK; i++)
            assert_true(sums[i] == 77);
    }
    assert_true(sums[0] == 9 && sums[1] == 12);
}

TEST_MAIN(NULL, NULL)
