/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that sort keys, of every level, against qsort and in front of guarded pages; and
 * sorted numbers of every kind and length, in one line or several, and partitions of them against
 * what the indices that sort them name, whose own test holds them against a definition.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/families.h"
#include "simd/sort.h"
#include "stria/stria.h"
#include "support/operands.h"
#include "support/random.h"
#include "support/test.h"

enum { LENGTHS = 1000, MOST = 5000, WORST = 9000, LONG = 140003 };

static uint64_t seed = 11;

/* ---- kernels --------------------------------------------------------------------------------- */

static void put(char *keys, int64_t i, int64_t key, int size)
{
    const int32_t small = (int32_t)key;
    memcpy(keys + i * size, size == 8 ? (const void *)&key : (const void *)&small, (size_t)size);
}

static int64_t get(const char *keys, int64_t i, int size)
{
    int32_t small;
    int64_t large;
    memcpy(size == 8 ? (void *)&large : (void *)&small, keys + i * size, (size_t)size);
    return size == 8 ? large : small;
}

enum { ANY, FEW, UP, DOWN, PIPE, EQUAL, EXTREME, STEPS, PATTERNS };

static int64_t pattern(int which, int64_t i, int64_t n, int size)
{
    const int64_t least = size == 8 ? INT64_MIN : INT32_MIN, most = -(least + 1);
    switch (which) {
    case ANY: return (int64_t)random_bits(&seed) >> (size == 8 ? 0 : 32);
    case FEW: return random_between(&seed, -2, 3);
    case UP: return i - n / 2;
    case DOWN: return n - i;
    case PIPE: return i < n / 2 ? i : n - i;
    case EQUAL: return n % 3 ? 7 : n % 2 ? most : least;
    case EXTREME: return random_once(&seed, 3) ? most : random_once(&seed, 2) ? least : i;
    default: return i % 17 * 100 - i / 17;
    }
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Splits and sorts n keys, which end before an inaccessible page or begin behind one. */
static void check_keys(const struct sort_kernels *kernels, int64_t *wanted, int64_t n, int size,
                       bool splits)
{
    char *const keys = region(&out_guard, 0, n * size, n % 2).base;
    const int64_t pivot = n > 0 ? wanted[n / 3] : 0;
    int64_t less = 0;
    for (int64_t i = 0; i < n; i++) {
        put(keys, i, wanted[i], size);
        less += wanted[i] < pivot;
    }
    qsort(wanted, (size_t)n, sizeof *wanted, by_value);
    if (splits) assert_int_equal(kernels->split[size == 8](keys, n, pivot), less);
    for (int64_t i = 0; splits && i < n; i++)
        assert_int_equal(get(keys, i, size) < pivot, i < less);
    kernels->sort[size == 8](keys, n, NULL);
    for (int64_t i = 0; i < n; i++)
        if (get(keys, i, size) != wanted[i])
            fail_msg("%d bytes, %d keys: key %d", size, (int)n, (int)i);
}

/* Keys as f64. */
static void check_real(const struct sort_kernels *kernels, const int64_t *keys, int64_t n)
{
    static int64_t wanted[WORST];
    double *const x = (void *)region(&out_guard, 0, n * 8, n % 2).base;
    for (int64_t i = 0; i < n; i++)
        x[i] = (double)keys[i];
    memcpy(wanted, keys, (size_t)n * sizeof *wanted);
    qsort(wanted, (size_t)n, sizeof *wanted, by_value);
    kernels->sort[KEY_REAL](x, n, NULL);
    for (int64_t i = 0; i < n; i++)
        assert_true(x[i] == (double)wanted[i]);
}

TEST(test_keys)
{
    static int64_t wanted[MOST];
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int size = 4; size <= 8 && stria__sort_of(kernels)->sort[size == 8]; size += 4)
            for (int64_t n = 0; n <= MOST; n = n < LENGTHS ? n + 1 : n + 797)
                for (int which = 0; which < PATTERNS; which++) {
                    for (int64_t i = 0; i < n; i++)
                        wanted[i] = pattern(which, i, n, size);
                    if (size == 8 && stria__sort_of(kernels)->sort[KEY_REAL])
                        check_real(stria__sort_of(kernels), wanted, n);
                    check_keys(stria__sort_of(kernels), wanted, n, size, true);
                }
}

/* Each of some rows that follow each other, flush with a page. */
TEST(test_rows)
{
    enum { ROWS = 70 };
    static int64_t wanted[ROWS * SHORT_ROW];
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int size = 4; size <= 8 && stria__sort_of(kernels)->sort_rows[size == 8]; size += 4)
            for (int64_t n = 1; n <= SHORT_ROW; n++)
                for (int64_t rows = 0; rows <= ROWS; rows++) {
                    char *const keys = region(&out_guard, 0, rows * n * size, rows % 2).base;
                    for (int64_t i = 0; i < rows * n; i++) {
                        wanted[i] = pattern((int)(rows % PATTERNS), i, rows * n, size);
                        put(keys, i, wanted[i], size);
                    }
                    for (int64_t r = 0; r < rows; r++)
                        qsort(wanted + r * n, (size_t)n, sizeof *wanted, by_value);
                    stria__sort_of(kernels)->sort_rows[size == 8](keys, rows, n);
                    for (int64_t i = 0; i < rows * n; i++)
                        if (get(keys, i, size) != wanted[i])
                            fail_msg("%d bytes, %d rows of %d: key %d", size, (int)rows, (int)n,
                                     (int)i);
                }
}

/*
 * The places of the samples of m keys that kernels with vectors of w lanes take: 8 vectors of few
 * keys, or single ones of many. Returns how many there are.
 */
static int samples_of(int64_t *places, int64_t m, int w)
{
    enum { MANY = 4096 };
    uint64_t random = (uint64_t)m;
    const int count = m < MANY ? 8 * w : 16 * w;
    for (int i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        places[i] = m < MANY ? i / w * ((m - w) / 7) + i % w
                             : (int64_t)((random >> 32) * (uint64_t)m >> 32);
    }
    return count;
}

/* The pivot: the middle sample, of 8 vectors that of the medians of lanes. */
static int64_t pivot_of(int64_t *samples, int count, int w)
{
    int64_t lane[8], medians[16];
    for (int j = 0; j < w && count == 8 * w; j++) {
        for (int i = 0; i < 8; i++)
            lane[i] = samples[i * w + j];
        qsort(lane, 8, sizeof *lane, by_value);
        medians[j] = lane[4];
    }
    int64_t *const all = count == 8 * w ? medians : samples;
    const int n = count == 8 * w ? w : count;
    qsort(all, (size_t)n, sizeof *all, by_value);
    return all[n / 2];
}

/* Makes keys whose samples are always the least of the remaining ones, the worst case. */
static void make_worst(const struct sort_kernels *kernels, int64_t *values, int64_t n, int w,
                       int size)
{
    static char keys[WORST * 8];
    static int64_t at[WORST];
    int64_t next = 0, m = n, places[256], samples[256];
    for (int64_t i = 0; i < n; i++) {
        values[i] = n;
        at[i] = i;
    }
    while (m > 16 * w) {
        const int count = samples_of(places, m, w);
        for (int i = 0; i < count; i++) {
            int64_t *const value = &values[at[places[i]]];
            if (*value == n) *value = next++;
            samples[i] = *value;
        }
        const int64_t pivot = pivot_of(samples, count, w);
        for (int64_t i = 0; i < m; i++)
            put(keys, i, values[at[i]] < pivot ? at[i] : at[i] + n, size);
        const int64_t less = kernels->split[size == 8](keys, m, n);
        if (less == 0) break;
        m -= less;
        for (int64_t i = 0; i < m; i++)
            at[i] = get(keys, less + i, size) - n;
    }
    for (int64_t i = 0; i < n; i++)
        if (values[i] == n) values[i] = next++;
}

TEST(test_worst)
{
    static int64_t wanted[WORST];
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int size = 4; size <= 8 && stria__sort_of(kernels)->sort[size == 8]; size += 4)
            for (int w = 2; w <= 16; w *= 2)
                for (int64_t n = 4000; n <= WORST; n += 5000) {
                    make_worst(stria__sort_of(kernels), wanted, n, w, size);
                    if (size == 8 && stria__sort_of(kernels)->sort[KEY_REAL])
                        check_real(stria__sort_of(kernels), wanted, n);
                    check_keys(stria__sort_of(kernels), wanted, n, size, false);
                }
}

/* Keys are ordered like floats, and are turned back into the same floats. */
TEST(test_floats)
{
    enum { N = 67 };
    const struct key_form up = {.magnitude = INT64_MAX, .infinity = UINT64_C(0x7FF) << 52},
                          down = {.flip = UINT64_MAX,
                                  .magnitude = INT64_MAX,
                                  .infinity = UINT64_C(0x7FF) << 52};
    double x[N], y[N];
    int64_t keys[N];
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (int k = 0; k < 2; k++) {
            const struct key_form *const form = k ? &down : &up;
            for (int i = 0; i < N; i++)
                x[i] = (double)(int64_t)random_bits(&seed) * (i % 5 ? 1 : 1e-300);
            assert_false(stria__sort_of(kernels)->to_keys[3](keys, (const char *)x, N, form));
            for (int i = 1; i < N; i++)
                assert_int_equal(x[i] < x[i - 1],
                                 k ? keys[i] > keys[i - 1] : keys[i] < keys[i - 1]);
            stria__sort_of(kernels)->to_numbers[3](y, keys, N, form);
            assert_memory_equal(x, y, sizeof x);
            x[N - 2] = -0.0;
            assert_true(stria__sort_of(kernels)->to_keys[3](x, (const char *)x, N, form));
            y[1] = -y[1] / 0.0 * 0.0;
            assert_true(stria__sort_of(kernels)->to_keys[3](y, (const char *)y, N, form));
        }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static const char *const kinds[] = {"bool", "i8",  "u8",  "i16",    "u16",    "i32",
                                    "u32",  "i64", "u64", "f8e4m3", "f8e5m2", "f16",
                                    "bf16", "f32", "f64", "M8[s]",  "m8[D]"};

/* Fills with random bits, few numbers, or mostly zeros and NaN of all kinds. */
static void fill(char *to, int64_t n, int size, int which)
{
    const int64_t bytes = n * size;
    for (int64_t i = 0; i < bytes; i++)
        to[i] = (char)random_bits(&seed);
    for (int64_t i = 0; which > 0 && i < n; i++) {
        /* the highest byte on little-endian machines */
        char *const last = to + i * size + size - 1;
        if (which == 1)
            memcpy(to + i * size, to + random_between(&seed, 0, n < 5 ? n - 1 : 5) * size,
                   (size_t)size);
        else if (random_once(&seed, 2))
            memset(to + i * size, 0, (size_t)size - 1), *last &= (char)0x80;
        else if (random_once(&seed, 2))
            *last |= 0x7F, last[size > 1 ? -1 : 0] |= (char)0x70;
    }
}

/* Fails where items are not those that an order names, of lines of n. */
static void check_order(const stria_view *a, const stria_view *items, const stria_view *order,
                        int64_t n, const char *what)
{
    const size_t item = (size_t)a->dtype.itemsize;
    for (int64_t i = 0; i < stria_numel(a); i++) {
        int64_t at;
        memcpy(&at, order->data + i * 8, sizeof at);
        if (memcmp(items->data + (size_t)i * item, a->data + (size_t)(i / n * n + at) * item, item))
            fail_msg("kind %d, lines of %d %s: number %d", a->dtype.kind, (int)n, what, (int)i);
    }
}

/* Lines of n along dim 1 in order. */
static void check_sorted(const stria_view *a, bool down, const stria_exec *exec)
{
    RELEASED stria_array order = {0}, sorted = {0}, copy = {0};
    ok(stria_argsort_new(&order, a, 1, down, exec));
    ok(stria_sort_new(&sorted, a, 1, down, exec));
    ok(stria_clone_new(&copy, a, NULL));
    ok(stria_sort(&copy.view, &copy.view, 1, down, exec));
    check_order(a, &sorted.view, &order.view, a->shape[1], down ? "down" : "up");
    assert_memory_equal(copy.view.data, sorted.view.data, (size_t)stria_nbytes(a));
}

/* A line with item k where it belongs, and both sides of it in their order. */
static void check_parted(const stria_view *a, const stria_exec *exec)
{
    const int64_t n = a->shape[1], k = random_between(&seed, 0, n - 1);
    RELEASED stria_array order = {0}, parts = {0}, places = {0};
    int64_t first = 0, last = k + 1;
    ok(stria_argsort_new(&order, a, 1, false, exec));
    ok(stria_partition_new(&parts, a, k, 1, exec));
    ok(stria_argpartition_new(&places, a, k, 1, exec));
    check_order(a, &parts.view, &places.view, n, "parted");
    const int64_t *const sorted = (const void *)order.view.data;
    const int64_t *const found = (const void *)places.view.data;
    char *const before = calloc((size_t)n, 1);
    for (int64_t i = 0; i < k; i++)
        before[sorted[i]] = 1;
    assert_int_equal(found[k], sorted[k]);
    for (int64_t i = 0; i < n; i++)
        if (i != sorted[k]) assert_int_equal(found[before[i] ? first++ : last++], i);
    free(before);
}

static void check_kind(const char *name, int64_t lines, int64_t n, int threads)
{
    stria_dtype dtype;
    RELEASED stria_array a = {0};
    const stria_exec exec = {.threads = threads};
    ok(stria_dtype_parse(&dtype, name));
    ok(stria_empty(&a, dtype, 2, (int64_t[]){lines, n}));
    for (int which = 0; which < 3; which++) {
        fill(a.view.data, lines * n, dtype.itemsize, which);
        check_sorted(&a.view, which == 1, &exec);
        check_sorted(&a.view, which != 1, &exec);
        if (lines == 1 && n > 0 && (n < 40 || n > 500)) check_parted(&a.view, &exec);
    }
}

TEST(test_numbers)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        assert_true(stria__set_isa(kernels->isa));
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            for (int64_t n = 0; n <= LENGTHS; n = n < 150 ? n + 1 : n + 37)
                check_kind(kinds[k], 1, n, 1);
            for (int64_t n = 1; n <= 20; n++)
                check_kind(kinds[k], 3 + 200 / n, n, 1);
            if ((k + (size_t)level) % 2)
                check_kind(kinds[k], 1, LONG, 1 + ((int)k / 2 + level) % 4);
        }
    }
    assert_true(stria__set_isa(NULL));
}

TEST_MAIN(operands_set_up, operands_tear_down)
