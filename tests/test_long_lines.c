/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads on one line give the bits that one thread gives: elements of every kind of key,
 * with ties and NaN, at the length from which threads are used, or one fewer.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

enum { LEAST = 1 << 16, RESULTS = 4 };
static const int64_t sizes[] = {LEAST - 1, LEAST, LEAST + 1, 3 * LEAST + 17};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const kinds[] = {"bool", "i8",  "u16", ">i4", "i64", "u64",
                                    "f16",  "f32", "f64", "c64", "S9",  "m8[s]"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* How elements are distributed: random; few different values; nearly equal, but for the last
 * bytes. */
enum shape { NOISE, FEW, CLOSE, SHAPES };

static stria_array some_line(uint64_t *seed, const char *kind, enum shape shape, int64_t n)
{
    static const unsigned char some[] = {0, 0x80, 0x7F, 0xFF, 0x3F, 1};
    stria_dtype dtype;
    stria_array a = {0};
    ok(stria_dtype_parse(&dtype, kind));
    ok(stria_empty(&a, dtype, 1, &n));
    unsigned char *const bytes = (void *)a.view.data;
    for (int64_t i = 0; i < n * dtype.itemsize; i++) {
        const uint64_t bits = random_bits(seed);
        const bool noise = shape == NOISE || (shape == CLOSE && i % dtype.itemsize < 2);
        bytes[i] = dtype.kind == STRIA_BOOL ? bits % 2
                   : noise                  ? (unsigned char)bits
                   : shape == CLOSE         ? 0x3F
                                            : some[bits % sizeof some];
    }
    return a;
}

/* An operation on a line; returns whether it uses several threads of the caller's pool. */
typedef bool operate(stria_array *out, const stria_view *a, const stria_exec *exec);

static bool sort_up(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_sort_new(out, a, 0, false, exec));
    return true;
}

static bool sort_down(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_sort_new(out, a, 0, true, exec));
    return true;
}

static bool argsort_down(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_argsort_new(out, a, 0, true, exec));
    return true;
}

static bool rank_dense(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    ok(stria_rank_new(out, a, 0, STRIA_RANK_DENSE, exec));
    return true;
}

static bool first_few(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    const int64_t k = 300;
    ok(stria_empty(&out[0], a->dtype, 1, &k));
    ok(stria_empty(&out[1], stria_dtype_of(STRIA_I64), 1, &k));
    ok(stria_topk(&out[0].view, &out[1].view, a, k, 0, true, exec));
    return a->dtype.kind < STRIA_C64; /* dtypes whose elements sort by one key */
}

static bool quantiles(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    static const double q[] = {0, 0.3, 0.5, 1};
    if (a->dtype.kind > STRIA_F64) return false;
    ok(stria_quantile_new(&out[0], a, 4, q, 1, (int[]){0}, NULL, exec));
    ok(stria_quantile_new(
        &out[1], a, 4, q, 1, (int[]){0},
        &(stria_quantile_options){.method = STRIA_QUANTILE_HAZEN, .skip_nan = true}, exec));
    return true;
}

/* ---- what has threads by the setting alone --------------------------------------------------- */

static void set_threads(const stria_exec *exec)
{
    ok(stria_set_threads(exec->threads < 2 ? 1 : 2));
}

static bool is_real(const stria_view *a)
{
    return a->dtype.kind <= STRIA_F64;
}

static stria_array zeros(stria_kind kind, int64_t n)
{
    stria_array made = {0};
    ok(stria_zeros(&made, stria_dtype_of(kind), 1, &n));
    return made;
}

static bool count_bins(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    set_threads(exec);
    if (!is_real(a)) return false;
    out[0] = zeros(STRIA_I64, 50);
    ok(stria_histogram(&out[0].view, a, -1, 5, NULL));
    return false;
}

static bool count_values(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    stria_array small = {0};
    const stria_dtype dtype = stria_dtype_of(STRIA_U16);
    set_threads(exec);
    if (!is_real(a)) return false;
    ok(stria_astype(&small, a, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL, NULL));
    ok(stria_bincount_new(&out[0], &small.view, 10, NULL));
    stria_array_release(&small);
    return false;
}

static bool find_places(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    stria_array sorted = {0};
    stria_view some;
    set_threads(exec);
    ok(stria_narrow(&some, a, 0, 5, 1000));
    ok(stria_sort_new(&sorted, &some, 0, false, exec));
    out[0] = zeros(STRIA_I64, stria_numel(a));
    out[1] = zeros(STRIA_BOOL, stria_numel(a));
    ok(stria_searchsorted(&out[0].view, &sorted.view, NULL, a, true, NULL));
    ok(stria_isin(&out[1].view, a, &some, false, NULL));
    stria_array_release(&sorted);
    return false;
}

static bool select_by_mask(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    const int64_t n = stria_numel(a), gaps = 3;
    stria_array mask = zeros(STRIA_BOOL, n * gaps);
    stria_view spaced, selected;
    uint64_t seed = 3;
    set_threads(exec);
    for (int64_t i = 0; i < n * gaps; i++)
        mask.view.data[i] = random_bits(&seed) % 7 == 0;
    ok(stria_slice(&spaced, &mask.view, 0, 1, n * gaps, gaps));
    ok(stria_masked_select_new(&out[0], a, &spaced, NULL));
    ok(stria_nonzero_new(&out[1], &mask.view, NULL));
    ok(stria_empty(&out[2], a->dtype, 1, &n));
    ok(stria_copy(&out[2].view, a, NULL));
    ok(stria_flip(&selected, &out[0].view, 1, (int[]){0}));
    ok(stria_masked_scatter(&out[2].view, &spaced, &selected, NULL));
    if (is_real(a)) ok(stria_nonzero_new(&out[3], a, NULL));
    stria_array_release(&mask);
    return false;
}

static bool different(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    set_threads(exec);
    ok(stria_unique_new(&out[0], &out[1], &out[2], &out[3], a, true, NULL));
    for (int i = 0; i < RESULTS; i++)
        stria_array_release(&out[i]);
    ok(stria_unique_new(&out[0], &out[1], &out[2], &out[3], a, false, NULL));
    return false;
}

static bool part_lines(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    const int64_t n = stria_numel(a);
    ok(stria_partition_new(&out[0], a, n / 3, 0, exec));
    ok(stria_argpartition_new(&out[1], a, 2 * n / 3, 0, exec));
    ok(stria_argpartition_new(&out[2], a, n - 1, 0, exec));
    ok(stria_partition_new(&out[3], a, 0, 0, exec));
    return true;
}

/* Makes rows of 5 of a line, without the rest. */
static void view_rows(stria_view *rows, const stria_view *a)
{
    const int64_t side = 5, n = stria_numel(a) / side * side;
    ok(stria_narrow(rows, a, 0, 0, n));
    ok(stria_view_shape(rows, rows, 2, (int64_t[]){n / side, side}));
}

static bool find_in_rows(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    stria_view rows, columns, twice;
    set_threads(exec);
    if (!is_real(a)) return false;
    view_rows(&rows, a);
    ok(stria_reverse_dims(&columns, &rows));
    ok(stria_nonzero_new(&out[0], &rows, NULL));
    ok(stria_nonzero_new(&out[1], &columns, NULL));
    ok(stria_view_shape(&twice, &rows, 3, (int64_t[]){-1, 1, 5}));
    ok(stria_nonzero_new(&out[2], &twice, NULL));
    return false;
}

/* Makes numbers of a's kind without NaN, since a sum may be any NaN. */
static stria_array small_numbers(const stria_view *a)
{
    stria_array bytes = {0}, made = {0};
    ok(stria_astype(&bytes, a, stria_dtype_of(STRIA_I8), STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL,
                    NULL));
    ok(stria_astype(&made, &bytes.view, a->dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL,
                    NULL));
    stria_array_release(&bytes);
    return made;
}

/* Writes several values to each element, so that their order is part of the result. */
static bool write_by_index(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    static const stria_index_item all = {
        .kind = STRIA_INDEX_SLICE, .start = STRIA_NONE, .stop = STRIA_NONE, .step = STRIA_NONE};
    const int64_t square[] = {5, 5}, n = stria_numel(a) / square[0];
    stria_view rows, index, columns, places;
    uint64_t seed = 5;
    set_threads(exec);
    if (!is_real(a) || a->dtype.kind == STRIA_BOOL) return false;
    stria_array numbers = small_numbers(a), to = zeros(STRIA_I64, square[1] * n);
    int64_t *const x = (int64_t *)(void *)to.view.data;
    for (int64_t i = 0; i < square[1] * n; i++)
        x[i] = random_between(&seed, 0, square[1] - 1);
    view_rows(&rows, &numbers.view);
    ok(stria_reverse_dims(&columns, &rows));
    ok(stria_view_shape(&index, &to.view, 2, rows.shape));
    ok(stria_narrow(&places, &to.view, 0, 0, n));
    for (int i = 0; i < RESULTS; i++)
        ok(stria_zeros(&out[i], a->dtype, 2, i < 2 ? rows.shape : square));
    const stria_index_item items[] = {all, {.kind = STRIA_INDEX_ARRAY, .array = &places}};
    ok(stria_scatter(&out[0].view, &index, &rows, 1, STRIA_REDUCE_NONE, NULL));
    ok(stria_scatter(&out[1].view, &index, &rows, 1, STRIA_REDUCE_SUM, NULL));
    ok(stria_index_add(&out[2].view, &places, &rows, NULL, 0, NULL));
    ok(stria_index_put(&out[3].view, 2, items, &columns, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE,
                       NULL));
    stria_array_release(&to);
    stria_array_release(&numbers);
    return false;
}

static operate *const operations[] = {part_lines,     find_in_rows, write_by_index, different,
                                      select_by_mask, count_bins,   count_values,   find_places,
                                      first_few,      quantiles,    sort_up,        sort_down,
                                      argsort_down,   rank_dense};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void check_same(stria_array *all, stria_array *one)
{
    for (int i = 0; i < RESULTS; i++) {
        assert_int_equal(stria_nbytes(&all[i].view), stria_nbytes(&one[i].view));
        if (stria_nbytes(&one[i].view) > 0)
            assert_memory_equal(all[i].view.data, one[i].view.data,
                                (size_t)stria_nbytes(&one[i].view));
        stria_array_release(&all[i]);
    }
}

static void check_operation(operate *operation, const stria_view *a)
{
    stria_array one[RESULTS] = {{.owned = NULL}}, all[RESULTS] = {{.owned = NULL}};
    struct pool seen = {0};
    const stria_exec alone = {.threads = 1, .run = pool_run, .context = &seen};
    (void)operation(one, a, &alone);
    assert_int_equal(seen.calls, 0);
    static const int threads[] = {2, 3, 8};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        seen.calls = 0;
        const stria_exec exec = {.threads = threads[t], .run = pool_run, .context = &seen};
        if (operation(all, a, &exec) && stria_numel(a) >= LEAST) assert_true(seen.calls > 0);
        assert_true(seen.widest <= threads[t]);
        check_same(all, one);
    }
    const stria_exec backwards = {.threads = 3, .run = pool_run_backwards};
    (void)operation(all, a, &backwards);
    check_same(all, one);
    for (int i = 0; i < RESULTS; i++)
        stria_array_release(&one[i]);
}

TEST(test_orders)
{
    uint64_t seed = 46;
    int number = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int shape = 0; shape < SHAPES; shape++) {
            if (number++ % ONE_IN != 0) continue;
            const int64_t n = sizes[random_between(&seed, 0, SIZES - 1)];
            stria_array a = some_line(&seed, kinds[kind], (enum shape)shape, n);
            for (int i = 0; i < OPERATIONS; i++)
                check_operation(operations[i], &a.view);
            stria_array_release(&a);
        }
}

/* The first bad element is reported, whichever thread finds another one first. */
TEST(test_refusal)
{
    stria_array a = zeros(STRIA_I64, sizes[3]), counts = zeros(STRIA_I64, 2);
    int64_t *const x = (int64_t *)(void *)a.view.data;
    x[LEAST / 2] = 7;
    x[2 * LEAST] = 8;
    ok(stria_set_threads(2));
    assert_int_equal(stria_bincount(&counts.view, &a.view, NULL), STRIA_ERR_BOUNDS);
    assert_message("an element is 7,");
    stria_array_release(&a);
    stria_array_release(&counts);
}

TEST_MAIN(NULL, NULL)
