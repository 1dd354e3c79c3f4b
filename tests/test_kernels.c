/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every copy kernel of every level against index arithmetic, as checkasm does it: the level is
 * raised step by step and a function that was tested already is skipped. Operands lie flush against
 * inaccessible pages, before or behind; bytes of the destination that belong to no element must
 * keep their value.
 *
 * With STRIA_SWEEP=full in the environment: every length from 0 to 130, more distances, and, some
 * bytes away from the guarded pages, other alignments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "dispatch.h"
#include "stria/threads.h"
#include "support/guard.h"
#include "support/random.h"

enum { ROOM = 1 << 20, TABLE = 256 };

static struct guard out_guard, in_guard;
static char expected[ROOM], original[ROOM];
static const char *isa;
static bool full;
static int64_t apart; /* bytes between operands and the guarded pages */

enum { LONGEST = 130 };

/* After n: all lengths, or those around powers of two. */
static int64_t next_length(int64_t n, bool all)
{
    static const int64_t few[] = {1,  2,  3,  4,  5,  7,  8,  9,  15, 16,  17,  19,
                                  31, 32, 33, 47, 48, 63, 64, 65, 67, 100, 128, LONGEST};
    size_t k = 0;
    if (all) return n + 1;
    while (k < sizeof few / sizeof few[0] && few[k] <= n)
        k++;
    return k < sizeof few / sizeof few[0] ? few[k] : LONGEST + 1;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* A region of `size` bytes of which the elements use some; `low` counts the bytes before base. */
struct region {
    char *start, *base;
    size_t size;
};

static struct region region(const struct guard *guard, int64_t low, int64_t high, bool at_end)
{
    struct region r;
    r.size = (size_t)(high - low);
    assert_true(r.size + (size_t)apart <= ROOM);
    r.start = at_end ? guard_high(guard, r.size + (size_t)apart) : guard_low(guard) + apart;
    r.base = r.start - low;
    return r;
}

/* On a line, flush against the page before it. */
static struct region aligned_region(const struct guard *guard, int64_t size)
{
    return (struct region){guard_low(guard), guard_low(guard), (size_t)size};
}

static bool all_zero; /* what is read */

static void put_contents(struct region out, struct region in)
{
    memcpy(out.start, original, out.size);
    memcpy(expected, original, out.size);
    for (size_t i = 0; i < in.size; i++)
        in.start[i] = all_zero ? 0 : original[(i * 7 + 13) % ROOM];
}

static void compare(struct region out, const char *kernel, int64_t a, int64_t b, int64_t c)
{
    if (memcmp(out.start, expected, out.size) == 0) return;
    fail_msg("%s, %s: wrong for %lld, %lld, %lld", isa, kernel, (long long)a, (long long)b,
             (long long)c);
}

/* Where element (i, j) of r is expected. */
static char *expected_at(struct region r, int64_t offset)
{
    return expected + (r.base - r.start) + offset;
}

static void extend(int64_t *low, int64_t *high, int64_t n, int64_t s)
{
    if (n < 2) return;
    if (s < 0)
        *low += (n - 1) * s;
    else
        *high += (n - 1) * s;
}

/* ---- strided kernels ------------------------------------------------------------------------- */

typedef void strided_kernel(const struct strided *t);

static void check_strided(strided_kernel *kernel, struct strided t, bool at_end)
{
    int64_t low[2] = {0, 0}, high[2] = {t.item, t.item};
    for (int d = 0; d < 2; d++) {
        extend(&low[0], &high[0], t.n[d], t.so[d]);
        extend(&low[1], &high[1], t.n[d], t.si[d]);
    }
    const struct region out = region(&out_guard, low[0], high[0], at_end);
    const struct region in = region(&in_guard, low[1], high[1], at_end);
    put_contents(out, in);
    for (int64_t j = 0; j < t.n[1]; j++)
        for (int64_t i = 0; i < t.n[0]; i++)
            memcpy(expected_at(out, i * t.so[0] + j * t.so[1]), in.base + i * t.si[0] + j * t.si[1],
                   (size_t)t.item);
    t.out = out.base;
    t.in = in.base;
    kernel(&t);
    compare(out, "strided", t.item, t.n[0], t.si[0]);
}

/* Destinations with strides of 1, 2 or -3 items and more; sources with -9 .. 9, 16 or -16. */
static void sweep_strided(strided_kernel *kernel, int64_t item)
{
    static const int64_t out_steps[] = {1, 2, -3, 9, -16};
    for (int64_t step = -10; step <= 10; step++)
        for (int64_t n = 0; n <= LONGEST; n = next_length(n, full))
            for (size_t o = 0; o < (full ? 5 : 3); o++) {
                const int64_t rows = 1 + n % 3;
                const int64_t si = item * (step == 10 ? 16 : step == -10 ? -16 : step);
                const int64_t so = item * out_steps[o];
                const int64_t row = (n ? n : 1) * item * (o < 3 ? 3 : 16) + 5;
                const struct strided t = {
                    .n = {n, rows}, .so = {so, row}, .si = {si, -row}, .item = item};
                check_strided(kernel, t, step % 2 == 0);
                check_strided(kernel, t, step % 2 != 0);
            }
}

static void test_strided(void **state)
{
    static const int64_t sizes[SIZE_CLASSES] = {1, 2, 4, 8, 16, 0};
    static const int64_t any[] = {1,  2,  3,  5,  6,  7,  12, 15,  20,
                                  24, 31, 33, 48, 63, 64, 65, 100, 130};
    (void)state;
    strided_kernel *seen[SIZE_CLASSES] = {NULL};
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int c = 0; c < SIZE_CLASSES; c++) {
            strided_kernel *kernel = kernels->strided[c];
            if (kernel == seen[c]) continue;
            seen[c] = kernel;
            if (sizes[c]) sweep_strided(kernel, sizes[c]);
            for (size_t k = 0; !sizes[c] && k < sizeof any / sizeof any[0]; k++)
                sweep_strided(kernel, any[k]);
        }
    }
}

/* Rows long enough for whole lines, for a call of memcpy, and for streaming, at any alignment. */
static void test_long_rows(void **state)
{
    static const int64_t sizes[] = {128, 129, 191, 200, 300, 1000, 1024, 1025, 1500, 4099};
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (int64_t gap = 0; gap < 70; gap += 3) {
                const int64_t item = sizes[k];
                const int64_t n = 3 + gap % 4 * 3; /* up to more than are streamed side by side */
                struct strided t = {.n = {n, 2}, .item = item};
                t.so[0] = item + gap;
                t.so[1] = n * t.so[0] + 1;
                t.si[0] = -item - 64 + gap;
                t.si[1] = 0;
                for (int stream = 0; stream < 2; stream++) {
                    t.stream = stream;
                    check_strided(kernels->strided[SIZE_ANY], t, gap % 2);
                }
            }
    }
}

/* ---- fill ------------------------------------------------------------------------------------ */

static void test_fill(void **state)
{
    static const int64_t items[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 63, 64, 65, 100};
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (size_t k = 0; k < sizeof items / sizeof items[0]; k++)
            for (int64_t n = 0; n < 700; n += n < 140 ? 1 : 37) {
                const int64_t item = items[k], row = n * item + n % 5;
                struct strided t = {.n = {n, 3}, .so = {item, row}, .item = item};
                t.si[1] = n % 3 ? item : 0;
                for (int stream = 0; stream < 2; stream++) {
                    t.stream = stream;
                    check_strided(kernels->fill, t, stream);
                    check_strided(kernels->fill, t, !stream);
                }
            }
    }
}

/* Zeros, whose lines the CPU may clear; other items must not be taken for them. */
static void test_clear(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int64_t item = 1; item <= 32; item *= 2)
            for (int64_t n = 1; n < 400; n += n < 140 ? 1 : 37)
                for (int64_t gap = 0; gap < 3; gap++) {
                    struct strided t = {.n = {n, 2}, .so = {item, (n + gap) * item}, .item = item};
                    t.stream = true;
                    t.clear = stria__cpu_clears_lines();
                    t.si[1] = n % 5 ? 0 : item;
                    check_strided(kernels->fill, t, n % 2);
                    all_zero = true;
                    check_strided(kernels->fill, t, n % 2);
                    all_zero = false;
                }
    }
}

/* ---- gather and interleave ------------------------------------------------------------------- */

static void test_gather(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int64_t item = 1; item <= 8; item++)
            for (int64_t s = -40; s <= 40; s++)
                for (int64_t n = 0; s != 0 && n < 300;
                     n += n <= LONGEST ? (full ? 1 : 1 + n % 3) : 41) {
                    const int64_t row = n * item + n % 5;
                    struct strided t = {.n = {n, 2}, .so = {item, row}, .item = item};
                    t.si[0] = s;
                    t.si[1] = n * (s < 0 ? -s : s);
                    t.stream = n % 2;
                    check_strided(kernels->gather, t, n % 4 < 2);
                }
    }
}

static void test_scatter(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int64_t item = 1; item <= LANE; item++)
            for (int64_t so = item + 1; so <= SPREAD; so += full ? 1 : 1 + so / 5)
                for (int64_t n = 0; n < 700; n += full && n < LONGEST ? 1 : 1 + n / 2) {
                    struct strided t = {.n = {n, 2}, .so = {so, n * so + n % 9}, .item = item};
                    t.si[0] = item;
                    t.si[1] = n % 2 ? n * item : -(n * item + 3);
                    check_strided(kernels->scatter, t, n % 4 < 2);
                    t.si[0] = 0;
                    t.si[1] = n % 3 ? item : 0;
                    check_strided(kernels->scatter, t, n % 4 < 2);
                }
    }
}

static void test_interleave(void **state)
{
    static const int64_t items[] = {1, 2, 4, 8};
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (size_t k = 0; k < 4; k++)
            for (int64_t planes = 2; planes <= PLANES; planes++)
                for (int64_t n = 0; n < 300; n += n < 131 ? 1 : 41) {
                    const int64_t item = items[k];
                    struct strided t = {
                        .n = {planes, n}, .so = {item, planes * item}, .item = item};
                    t.si[0] = (n + 3) * item * (n % 2 ? 1 : -1);
                    t.si[1] = item;
                    t.stream = n % 3;
                    check_strided(kernels->interleave, t, n % 4 < 2);
                }
    }
}

/* ---- streaming copies ------------------------------------------------------------------------ */

static void test_stream(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int64_t n = 1; n < 1200; n += n < 200 ? 1 : 13)
            for (int64_t k = 0; k < 4; k++) {
                const struct region out = region(&out_guard, 0, n, k % 2);
                const struct region in = region(&in_guard, 0, n, k / 2);
                put_contents(out, in);
                memcpy(expected, in.base, (size_t)n);
                if (n % 2)
                    kernels->stream(out.base, in.base, n);
                else
                    kernels->stream_piece(out.base, in.base, n);
                kernels->fence();
                compare(out, "stream", n, k, 0);
                put_contents(out, in);
                memcpy(expected, in.base, (size_t)n);
                kernels->copy(out.base, in.base, n);
                compare(out, "copy", n, k, 0);
            }
    }
}

static void test_fill_word(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int64_t item = 1; item <= 8; item *= 2)
            for (int64_t n = 1; n < 160; n++)
                for (int64_t k = 0; k < 20; k++) {
                    /* At the end of the guarded memory, and anywhere relative to lines. */
                    const struct region out = region(&out_guard, 0, n * item + k / 2, k % 2);
                    const struct region in = region(&in_guard, 0, item, true);
                    uint64_t word = 0;
                    put_contents(out, in);
                    for (int64_t i = 0; i < n; i++)
                        memcpy(expected_at(out, i * item), in.base, (size_t)item);
                    assert_true(stria__repeat_item(&word, in.base, item));
                    kernels->fill_word(out.base, n * item, word);
                    compare(out, "fill_word", item, n, k);
                }
    }
}

/* ---- transpositions -------------------------------------------------------------------------- */

typedef void transpose_kernel(const struct transpose *t);

/* Offsets of n rows in an order that is not their own. */
static void shuffled_rows(int64_t *at, int64_t n, int64_t pitch)
{
    uint64_t seed = (uint64_t)n;
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = random_between(&seed, 0, i);
        at[i] = at[j];
        at[j] = i * pitch;
    }
}

static void check_transpose(transpose_kernel *kernel, int64_t item, int64_t np, int64_t nq,
                            int64_t gap, bool stream, bool collide, bool at_end)
{
    int64_t out_at[TABLE], in_at[TABLE];
    const int64_t line = stream ? LINE : 1;
    const int64_t out_pitch = (nq * item + gap + line - 1) / line * line;
    const int64_t in_pitch = np * item + gap;
    shuffled_rows(out_at, np, out_pitch);
    shuffled_rows(in_at, nq, in_pitch);
    const int64_t size = (np - 1) * out_pitch + nq * item;
    const struct region out =
        stream ? aligned_region(&out_guard, size) : region(&out_guard, 0, size, at_end);
    const struct region in = region(&in_guard, 0, (nq - 1) * in_pitch + np * item, at_end);
    put_contents(out, in);
    for (int64_t p = 0; p < np; p++)
        for (int64_t q = 0; q < nq; q++)
            memcpy(expected_at(out, out_at[p] + q * item), in.base + in_at[q] + p * item,
                   (size_t)item);
    const struct transpose t = {.out = out.base,
                                .in = in.base,
                                .out_at = out_at,
                                .in_at = in_at,
                                .np = np,
                                .nq = nq,
                                .item = item,
                                .stream = stream,
                                .fetch = np % 2,
                                .pair = np % 3,
                                .rows = nq % 3 * 50,
                                .next = nq % 2 ? in.base : NULL,
                                .collide = collide};
    kernel(&t);
    compare(out, "transpose", item, np, nq);
}

static void sweep_transpose(transpose_kernel *kernel, int64_t item)
{
    const bool all = full && apart == 0;
    for (int64_t np = 1; np <= LONGEST; np = next_length(np, all))
        for (int64_t nq = 1; nq <= LONGEST; nq = next_length(nq, all))
            for (int k = 0; k < 8; k++)
                if (np * nq * item < ROOM / 16)
                    check_transpose(kernel, item, np, nq, np * nq % 3, k & 1, k & 2, k & 4);
}

static void test_transpose(void **state)
{
    static const int64_t sizes[SIZE_CLASSES] = {1, 2, 4, 8, 16, 0};
    static const int64_t any[] = {3, 6, 12, 20, 24, 40, 64};
    (void)state;
    transpose_kernel *seen[SIZE_CLASSES] = {NULL};
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int c = 0; c < SIZE_CLASSES; c++) {
            transpose_kernel *kernel = kernels->transpose[c];
            if (kernel == seen[c]) continue;
            seen[c] = kernel;
            if (sizes[c]) sweep_transpose(kernel, sizes[c]);
            for (size_t k = 0; !sizes[c] && k < sizeof any / sizeof any[0]; k++)
                sweep_transpose(kernel, any[k]);
        }
    }
}

/*
 * Rows leave a stage in blocks of `bytes` bytes, the last one shorter, at any place relative to
 * lines.
 */
static void check_unstage(const struct stria_kernels *kernels, int64_t np, int64_t bytes,
                          int64_t blocks, int64_t gap)
{
    enum { PITCH = 512 };
    static _Alignas(LINE) char rows[16 * PITCH];
    const int64_t row = blocks * bytes - bytes / 3, out_pitch = row + gap;
    int64_t out_at[16], at[16], in_at[2] = {0, 64};
    const struct region out = region(&out_guard, 0, (np - 1) * out_pitch + row, gap % 2);
    const struct region in = region(&in_guard, 0, np * row, true);
    put_contents(out, in);
    for (int64_t p = 0; p < np; p++) {
        memcpy(expected_at(out, p * out_pitch), in.base + p * row, (size_t)row);
        out_at[p] = p * out_pitch;
        at[p] = p * PITCH + (int64_t)((uintptr_t)(out.base + out_at[p]) % LINE);
    }
    for (int64_t b = 0, done = 0; b < blocks; b++) {
        const int64_t n = b + 1 < blocks ? bytes : row - done;
        for (int64_t p = 0; p < np; p++)
            memcpy(rows + at[p], in.base + p * row + done, (size_t)n);
        const struct staged_rows t = {.out = out.base + done,
                                      .out_at = out_at,
                                      .rows = rows,
                                      .pitch = PITCH,
                                      .at = at,
                                      .np = np,
                                      .bytes = n,
                                      .goes_on = b > 0,
                                      .ends = b + 1 == blocks,
                                      .next = b % 2 ? in.base : NULL,
                                      .next_at = in_at,
                                      .nq = 2,
                                      .run = 100};
        kernels->unstage(&t);
        done += n;
    }
    kernels->fence();
    compare(out, "unstage", np, bytes, blocks);
}

static void test_unstage(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        isa = kernels->isa;
        for (int64_t bytes = 1; bytes <= 320; bytes += bytes < 135 ? 1 : 11)
            for (int64_t np = 1; np <= 16; np += 5)
                for (int64_t gap = 0; gap < 70; gap += 23) {
                    check_unstage(kernels, np, bytes, 1, gap);
                    for (int64_t blocks = 2; bytes >= LINE && blocks < 5; blocks++)
                        check_unstage(kernels, np, bytes, blocks, gap);
                }
    }
}

/* ---- levels ---------------------------------------------------------------------------------- */

static void test_levels(void **state)
{
    (void)state;
    assert_non_null(stria__kernels_at(0));
    assert_null(stria__kernels_at(-1));
    assert_null(stria__kernels_at(stria__kernels_count()));
    assert_false(stria__set_isa("no such level"));
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        assert_true(stria__set_isa(kernels->isa));
        assert_ptr_equal(stria__kernels(), kernels);
        assert_string_equal(stria_isa_name(), kernels->isa);
    }
    assert_true(stria__set_isa("scalar"));
    assert_string_equal(stria_isa_name(), "scalar");
    assert_true(stria__set_isa(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),     cmocka_unit_test(test_strided),
        cmocka_unit_test(test_long_rows),  cmocka_unit_test(test_fill),
        cmocka_unit_test(test_clear),      cmocka_unit_test(test_fill_word),
        cmocka_unit_test(test_gather),     cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_interleave), cmocka_unit_test(test_stream),
        cmocka_unit_test(test_transpose),  cmocka_unit_test(test_unstage),
    };
    uint64_t seed = 1;
    out_guard = guard_new(ROOM);
    in_guard = guard_new(ROOM);
    for (size_t i = 0; i < ROOM; i++)
        original[i] = (char)random_bits(&seed);
    const char *const sweep = getenv("STRIA_SWEEP");
    full = sweep && strcmp(sweep, "full") == 0;
    int failed = 0;
    for (apart = 0; apart < (full ? 16 : 1); apart = 1 + 2 * apart)
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    guard_free(&out_guard);
    guard_free(&in_guard);
    return failed;
}
