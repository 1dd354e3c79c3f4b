/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that transpose, of every level. See support/operands.h. */
#include <string.h>

#include "support/operands.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

enum { TABLE = 256 };

typedef void transpose_kernel(const struct transpose *t);

/* Draws the offsets of n rows in a random order. */
static void shuffled_rows(int64_t *at, int64_t n, int64_t pitch)
{
    uint64_t seed = (uint64_t)n;
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = random_between(&seed, 0, i);
        at[i] = at[j];
        at[j] = i * pitch;
    }
}

static void even_rows(int64_t *at, int64_t n, int64_t pitch)
{
    for (int64_t i = 0; i < n; i++)
        at[i] = i * pitch;
}

/* Returns every kind of slab, or none, by the number of columns. */
static struct column_slabs slabs_of(int64_t nq, int64_t item)
{
    if (item > LANE || nq % 3 == 0) return (struct column_slabs){0};
    const int64_t columns = nq % 3 * LINE / item;
    return (struct column_slabs){columns, nq % 4 * (LANE / item), nq / 2 % 3 * LINE / item};
}

static void check_transpose(transpose_kernel *kernel, int64_t item, int64_t np, int64_t nq,
                            int64_t gap, bool stream, bool collide, bool at_end, bool even)
{
    const bool in_even = even || np % 4 == 1, fetch = np % 2,
               any = item > LANE || (item & (item - 1)) != 0,
               tables = !even || stream || fetch || collide || any;
    int64_t out_at[TABLE], in_at[TABLE];
    const int64_t line = stream ? LINE : 1;
    const int64_t out_pitch = (nq * item + gap + line - 1) / line * line;
    const int64_t in_pitch = np * item + gap;
    (even ? even_rows : shuffled_rows)(out_at, np, out_pitch);
    (in_even ? even_rows : shuffled_rows)(in_at, nq, in_pitch);
    const int64_t size = (np - 1) * out_pitch + nq * item;
    const struct region out =
        stream ? aligned_region(&out_guard, size) : region(&out_guard, 0, size, at_end);
    const struct region in = region(&in_guard, 0, (nq - 1) * in_pitch + np * item, at_end);
    put_contents(out, in);
    for (int64_t p = 0; p < np; p++)
        for (int64_t q = 0; q < nq; q++)
            memcpy(expected_at(out, out_at[p] + q * item), in.base + in_at[q] + p * item,
                   (size_t)item);
    static _Alignas(LINE) char stage[TRANSPOSE_STAGE];
    const struct transpose t = {.out = out.base,
                                .in = in.base,
                                .stage = stage,
                                .out_at = tables ? out_at : NULL,
                                .in_at = tables ? in_at : NULL,
                                .np = np,
                                .nq = nq,
                                .item = item,
                                .even = even,
                                .in_even = in_even,
                                .out_pitch = even ? out_pitch : 0,
                                .in_pitch = in_even ? in_pitch : 0,
                                .stream = stream,
                                .fetch = fetch,
                                .pair = np % 3,
                                .rows = nq % 3 * 50,
                                .two_line_rows = np % 5 * 40,
                                .next = nq % 2 ? in.base : NULL,
                                .collide = collide,
                                .slabs = slabs_of(stream ? 0 : nq, item)};
    kernel(&t);
    compare(out, "transpose", item, np, nq);
}

static void sweep_transpose(transpose_kernel *kernel, int64_t item)
{
    const bool all = sweep.full && sweep.apart == 0;
    for (int64_t np = 1; np <= LONGEST; np = next_length(np, all))
        for (int64_t nq = 1; nq <= LONGEST; nq = next_length(nq, all))
            for (int k = (int)((np + nq) % ONE_IN); k < 16; k += ONE_IN)
                if (np * nq * item < ROOM / 16)
                    check_transpose(kernel, item, np, nq, np * nq % 3, k & 1, k & 2, k & 4, k & 8);
}

TEST(test_transpose)
{
    static const int64_t any[] = {3, 6, 12, 20, 24, 40, 64, 128, 0};
    for (struct sized_kernels at = {.kernels = NULL}; next_sized(&at, any);) {
        transpose_kernel *kernel = at.kernels->transpose[at.size];
        if (!at.lower || kernel != at.lower->transpose[at.size]) sweep_transpose(kernel, at.item);
    }
}

/*
 * Checks that rows leave a stage in blocks of `bytes` bytes, the last one shorter, at any place
 * relative to lines.
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

TEST(test_unstage)
{
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));) {
        for (int64_t bytes = 1; bytes <= 320; bytes += bytes < 135 ? 1 : 11)
            for (int64_t np = 1; np <= 16; np += 5)
                for (int64_t gap = 0; gap < 70; gap += 23) {
                    check_unstage(kernels, np, bytes, 1, gap);
                    for (int64_t blocks = 2; bytes >= LINE && blocks < 5; blocks++)
                        check_unstage(kernels, np, bytes, blocks, gap);
                }
    }
}

/* Checks a kernel that stores rows and transposes a line of each of nq rows by turns. */
static void check_turn_tile(void (*kernel)(const struct turned_tile *t), int64_t item, int64_t nq,
                            int64_t gap)
{
    enum { ROWS = 3, LINES = 5, ROW = LINES * LINE };
    static _Alignas(LINE) char stage[ROWS_STAGE], tile[64 * (ROWS_MOST * 8 + LINE)];
    static _Alignas(LINE) char rows[ROWS * ROW];
    const int64_t np = LINE / item, pitch = LINE + gap, out_pitch = nq * item + gap % 2 * LINE,
                  stored = nq % 3 == 0 ? 0 : ROWS;
    const struct region in = region(&in_guard, 0, (nq - 1) * pitch + LINE, gap % 2);
    const struct region out = aligned_region(&out_guard, ROWS * (ROW + LINE));
    put_contents(out, in);
    for (int64_t i = 0; i < ROWS * ROW; i++)
        rows[i] = (char)(i * 7);
    for (int64_t i = 0; i < stored; i++)
        memcpy(expected_at(out, i * (ROW + LINE)), rows + i * ROW, ROW);
    const struct lines_of_rows later[2] = {{NULL, in.base, 2, 1, 0, 0}, {NULL, rows, 1, 2, ROW, 0}};
    const struct turned_tile t = {.out = tile,
                                  .in = in.base,
                                  .out_pitch = out_pitch,
                                  .pitch = pitch,
                                  .nq = nq,
                                  .stage = stage,
                                  .ahead = gap % 3 ? in.base : NULL,
                                  .later = later,
                                  .count = (int)(nq % 5 % 3),
                                  .stored = {out.base, rows, LINES, stored, ROW, ROW + LINE}};
    kernel(&t);
    compare(out, "turn_tile stores", item, nq, gap);
    for (int64_t p = 0; p < np; p++)
        for (int64_t q = 0; q < nq; q++)
            if (memcmp(tile + p * out_pitch + q * item, in.base + q * pitch + p * item,
                       (size_t)item) != 0)
                fail_msg("turn_tile of %d bytes, %d rows: (%d, %d)", (int)item, (int)nq, (int)p,
                         (int)q);
}

TEST(test_turn_tile)
{
    static const int64_t any[] = {0};
    for (struct sized_kernels at = {.kernels = NULL}; next_sized(&at, any);) {
        if (!at.kernels->turn_tile[at.size]) continue;
        for (int64_t nq = LINE / at.item; nq <= ROWS_MOST; nq += LINE / at.item)
            for (int64_t gap = 0; gap < 8; gap++)
                check_turn_tile(at.kernels->turn_tile[at.size], at.item, nq, gap);
    }
}

int main(void)
{
    int failed = 0;
    do
        failed += run_listed(__FILE__, operands_set_up, operands_tear_down);
    while (sweep_again());
    return failed;
}
