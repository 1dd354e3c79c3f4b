/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bits of every reduction and scan in every dtype, on every level of this machine, against the
 * hashes of tests/bits-v1-reductions. `test_reduce_hashes write` prints such a file; it changes
 * only with docs/reductions.md.
 *
 * Element i is made of a word, the i-th of a generator that counts (SplitMix64): numbers of the
 * magnitudes 2^-9 to 2^22, for products from 1/2 to 3/2 of both signs; of integers the word's low
 * bits. A hash goes over the results along each of several sets of dims, NaN of all kinds as one,
 * and no mode of the caller's floating-point arithmetic changes it.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/exact.h"
#include "support/fp_modes.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/test.h"

enum { LEAVES = 2, N = 530, LINES = 11, ITEMS = LEAVES * N * LINES, ITEM = 16, ROOM = 128 };

static _Alignas(64) char in[ITEMS * ITEM], out[ITEMS * ITEM + ITEM];

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_F64;
}

static double number_of(uint64_t word, bool near_one)
{
    const double part = (double)((int64_t)(word >> 40) - (INT64_C(1) << 23)) * 0x1p-23;
    if (near_one) return part < 0 ? part - 0.5 : part + 0.5;
    return part * (double)(UINT64_C(1) << (word >> 8 & 31)) * 0x1p-9;
}

static void put_input(stria_kind kind, bool near_one)
{
    const stria_kind part = (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    const int parts = part == kind ? 1 : 2, size = stria_dtype_of(part).itemsize;
    for (int i = 0; i < ITEMS * parts; i++) {
        const uint64_t word = random_bits_at((uint64_t)i);
        const double number = number_of(word, near_one);
        const uint8_t low = (uint8_t)word;
        if (is_float(part))
            exact_convert(in + i * size, part, &number, STRIA_F64, false);
        else if (kind == STRIA_BOOL)
            exact_convert(in + i * size, part, &low, STRIA_U8, false);
        else
            exact_convert(in + i * size, part, &word, STRIA_U64, false);
    }
}

/* Whether an item is NaN: its magnitude is above that of infinity, or above the largest number
 * where the dtype has no infinity. */
static bool is_nan(stria_kind kind, const char *item)
{
    static const uint16_t infinity[] = {
        [STRIA_F8E4M3] = 0x7E, [STRIA_F8E5M2] = 0x7C, [STRIA_F16] = 0x7C00, [STRIA_BF16] = 0x7F80};
    uint16_t half = 0;
    float single;
    double wide;
    memcpy(&single, item, sizeof single);
    memcpy(&wide, item, sizeof wide);
    if (kind == STRIA_F32) return single != single;
    if (kind == STRIA_F64) return wide != wide;
    const bool byte = kind == STRIA_F8E4M3 || kind == STRIA_F8E5M2;
    memcpy(&half, item, sizeof half);
    if (byte) half = (uint8_t)*item;
    return is_float(kind) && (half & (byte ? 0x7F : 0x7FFF)) > infinity[kind];
}

/* Adds bytes to an FNV-1a hash, the lowest of each number first. */
static uint64_t hash_on(uint64_t hash, const stria_view *made)
{
    const stria_kind part = (stria_kind)stria_dtype_real(made->dtype).kind;
    const int size = stria_dtype_of(part).itemsize;
    const int64_t count = stria_nbytes(made) / size;
    const uint16_t one = 1;
    for (int64_t i = 0; i < count; i++) {
        const char *const item = made->data + i * size;
        const bool nan = is_nan(part, item);
        for (int b = 0; b < size; b++) {
            const uint8_t byte = (uint8_t)item[*(const char *)&one ? b : size - 1 - b];
            hash = (hash ^ (nan ? 0xFF : byte)) * UINT64_C(0x100000001B3);
        }
    }
    return hash;
}

/* ---- what is hashed -------------------------------------------------------------------------- */

/* Returns the name of a reduction, or, from STRIA_REDUCTIONS on, of a scan. */
static const char *name_of(int op)
{
    return op < STRIA_REDUCTIONS ? stria_reduction_name((stria_reduction)op)
                                 : stria_scan_name((stria_scan)(op - STRIA_REDUCTIONS));
}

/* The floating-point mode of the caller, on which no result depends: it changes from hash to
 * hash. */
static int mode;

static stria_status run(stria_view *to, int op, const stria_view *a, int count, const int *dims)
{
    const stria_reduce_options options = {.ddof = 1, .p = 2};
    stria_array made = {0};
    set_fp_mode(mode);
    const stria_status status =
        op < STRIA_REDUCTIONS
            ? stria_reduce_dims_new(&made, (stria_reduction)op, a, count, dims, &options, NULL)
            : stria_scan_dim_new(&made, (stria_scan)(op - STRIA_REDUCTIONS), a, dims[0], NULL,
                                 NULL);
    set_fp_mode(0);
    if (status != STRIA_OK) return status;
    ok(stria_view_foreign(to, out, made.view.dtype, made.view.ndim, made.view.shape, NULL, 0));
    ok(stria_copy(to, &made.view, NULL));
    stria_array_release(&made);
    return STRIA_OK;
}

/* Hashes the result of op; returns false where the dtype is not supported. */
static bool bits_of(uint64_t *hash, int op, stria_kind kind)
{
    static const int sets[][2] = {{0, -1}, {1, -1}, {2, -1}, {0, 2}, {1, 2}};
    const bool scans = op >= STRIA_REDUCTIONS, place = op == STRIA_ARGMAX || op == STRIA_ARGMIN;
    stria_view a, to;
    ok(stria_view_foreign(&a, in, stria_dtype_of(kind), 3, (int64_t[]){LEAVES, N, LINES}, NULL, 0));
    *hash = UINT64_C(0xCBF29CE484222325);
    for (int s = 0; s < (scans || place ? 3 : 5); s++) {
        if (run(&to, op, &a, s < 3 ? 1 : 2, sets[s]) != STRIA_OK) return false;
        *hash = hash_on(*hash, &to);
    }
    return true;
}

static bool is_product(int op)
{
    return op == STRIA_PROD || op == STRIA_NANPROD || op == STRIA_REDUCTIONS + (int)STRIA_CUMPROD;
}

/* ---- the file -------------------------------------------------------------------------------- */

typedef void with_line(const char *line);

/* Acts on the line of every level; returns how many different ones there should be. */
static int each(with_line *act)
{
    enum { OPS = STRIA_REDUCTIONS + STRIA_SCANS };
    int lines = 0;
    for (int i = 0; i <= 2 * STRIA_C128 + 1; i++) {
        const stria_kind kind = (stria_kind)(i / 2);
        put_input(kind, i % 2 == 1);
        for (int op = 0; op < OPS; op++) {
            char dtype[32], line[ROOM];
            uint64_t hash;
            if (is_product(op) != (i % 2 == 1) || !bits_of(&hash, op, kind)) continue;
            (void)stria_dtype_format(dtype, sizeof dtype, NULL, stria_dtype_of(kind));
            for (int level = 0; next_level(&level);) {
                mode = (mode + 1) % FP_MODES;
                (void)bits_of(&hash, op, kind);
                (void)snprintf(line, sizeof line, "\n%s %s %016llx\n", name_of(op), dtype,
                               (unsigned long long)hash);
                act(line);
            }
            lines++;
        }
    }
    return lines;
}

/* Prints a hash once for all levels that agree. */
static void write_one(const char *line)
{
    static char last[ROOM];
    if (strcmp(line, last) != 0) printf("%s", line + 1);
    (void)snprintf(last, sizeof last, "%s", line);
}

static char text[1 << 15];

static void check_one(const char *line)
{
    if (!strstr(text, line))
        fail_msg("%s: the bits are not those of tests/bits-v1-reductions:%s", stria_isa_name(),
                 line);
}

TEST(same_bits)
{
    FILE *const file = fopen(STRIA_TESTS "/bits-v1-reductions", "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    assert_true(size < sizeof text - 1);
    int written = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        written += at[1] != '\0' && at[1] != '#';
    assert_int_equal(each(check_one), written);
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "write") != 0) return run_listed(__FILE__, NULL, NULL);
    printf("# Hashes of results, see tests/test_reduce_hashes.c and docs/reductions.md.\n");
    (void)each(write_one);
    return 0;
}
