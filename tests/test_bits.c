/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bits of every operation in every dtype, on every level of this machine, against the hashes of
 * tests/bits-v1. `test_bits write` prints such a file; docs/add-an-op.md tells when one may change.
 *
 * Item i of input k of an operation is made of a word, the i-th of a generator that counts
 * (SplitMix64) from 2^32 k on: every other one has the word's low bits, the rest are numbers of the
 * magnitudes 2^-9 to 2^22. NaN of all kinds count as one.
 */
#include <stdio.h>
#include <string.h>

#include "machine/dispatch.h"
#include "machine/op_loop.h"
#include "support/arithmetic.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/test.h"

enum { ITEMS = 4096, ITEM = 16, ROOM = 128 };

static char in[3][ITEMS * ITEM], out[ITEMS * ITEM];

/* ---- inputs --------------------------------------------------------------------------------- */

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F16 && kind <= STRIA_F64;
}

/* Puts one number of a kind that is not complex, in the byte order of the machine. */
static void put_number(char *to, stria_kind kind, uint64_t word, bool any)
{
    const int64_t part = (int64_t)(word >> 40) - (INT64_C(1) << 23);
    double number = (double)part * 0x1p-23;
    for (uint64_t e = word >> 8 & 31; e > 0; e--)
        number *= 2;
    number *= 0x1p-9;
    const uint8_t low = (uint8_t)word;
    if (kind == STRIA_BOOL)
        exact_convert(to, kind, &low, STRIA_U8, false);
    else if (any || !is_float(kind))
        exact_convert(to, kind, &word, STRIA_U64, false);
    else
        exact_convert(to, kind, &number, STRIA_F64, false);
    if (!any || !is_float(kind)) return;
    const uint16_t half = (uint16_t)word;
    const uint32_t single = (uint32_t)word;
    memcpy(to,
           kind == STRIA_F64   ? (const void *)&word
           : kind == STRIA_F32 ? (const void *)&single
                               : (const void *)&half,
           (size_t)stria_dtype_of(kind).itemsize);
}

static bool scales(stria_op op)
{
    return op == STRIA_LDEXP || op == STRIA_ROUND_DECIMALS;
}

static void put_input(stria_op op, stria_kind kind, int k)
{
    const stria_kind part = (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    const int parts = part == kind ? 1 : 2, size = stria_dtype_of(part).itemsize;
    for (int i = 0; i < ITEMS * parts; i++) {
        const uint64_t word = random_bits_at(((uint64_t)k << 32) + (uint64_t)i);
        const int64_t few = (int64_t)(word % 61) - 30;
        if (k == 1 && scales(op)) /* ops that scale take small exponents and decimals */
            exact_convert(in[k] + i * size, part, &few, STRIA_I64, false);
        else
            put_number(in[k] + i * size, part, word, i / parts % 2);
    }
}

static stria_kind input_kind(stria_op op, stria_kind kind, int k)
{
    return op == STRIA_WHERE && k == 0 ? STRIA_BOOL : kind;
}

/* ---- hashes --------------------------------------------------------------------------------- */

static bool is_nan(stria_kind kind, const char *item)
{
    double value = 0;
    if (is_float(kind)) exact_convert(&value, STRIA_F64, item, kind, false);
    return value != value;
}

/* Returns the FNV-1a hash of the bytes, the lowest of each number first. */
static uint64_t hash_of(stria_kind kind)
{
    const stria_kind part = (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    const int size = stria_dtype_of(part).itemsize;
    const int64_t count = ITEMS * (part == kind ? 1 : 2);
    const uint16_t one = 1;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int64_t i = 0; i < count; i++)
        for (int b = 0; b < size; b++) {
            const char *const item = out + i * size;
            const int at = *(const char *)&one ? b : size - 1 - b;
            const uint8_t byte = is_nan(part, item) ? 0xFF : (uint8_t)item[at];
            hash = (hash ^ byte) * UINT64_C(0x100000001B3);
        }
    return hash;
}

static uint64_t bits_of(int level, stria_op op, stria_kind kind)
{
    const stria_kind result = result_kind(op, kind);
    stria_dim d[2] = {{.n = ITEMS}, {.n = 1}};
    char *ptr[4] = {out};
    d[0].s[0] = stria_dtype_of(result).itemsize;
    for (int k = 0; k < stria_op_inputs(op); k++) {
        put_input(op, input_kind(op, kind, k), k);
        ptr[1 + k] = in[k];
        d[0].s[1 + k] = stria_dtype_of(input_kind(op, kind, k)).itemsize;
    }
    op_loop(stria__kernels_at(level), op, kind)(ptr, d);
    return hash_of(result);
}

/* ---- the file ------------------------------------------------------------------------------- */

typedef void with_bits(stria_op op, stria_kind kind, const char *dtype);

static void each(with_bits *act)
{
    for (int op = 0; op < STRIA_OPS; op++)
        for (int kind = 0; kind < NUMBERS; kind++) {
            char dtype[32];
            if (!op_loop(stria__kernels_at(0), (stria_op)op, (stria_kind)kind)) continue;
            (void)stria_dtype_format(dtype, sizeof dtype, NULL, stria_dtype_of((stria_kind)kind));
            act((stria_op)op, (stria_kind)kind, dtype);
        }
}

static void write_one(stria_op op, stria_kind kind, const char *dtype)
{
    printf("%s %s %016llx\n", stria_op_name(op), dtype, (unsigned long long)bits_of(0, op, kind));
}

static char text[1 << 17];
static int lines;

static void check_one(stria_op op, stria_kind kind, const char *dtype)
{
    char line[ROOM];
    lines++;
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        (void)snprintf(line, sizeof line, "\n%s %s %016llx\n", stria_op_name(op), dtype,
                       (unsigned long long)bits_of(level, op, kind));
        if (!strstr(text, line))
            fail_msg("%s: the bits are not those of tests/bits-v1:%s",
                     stria__kernels_at(level)->isa, line);
    }
}

TEST(same_bits)
{
    FILE *const file = fopen(STRIA_TESTS "/bits-v1", "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    assert_true(size < sizeof text - 1);
    each(check_one);
    int written = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        written += at[1] != '\0' && at[1] != '#';
    assert_int_equal(written, lines);
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "write") != 0) return run_listed(__FILE__, NULL, NULL);
    printf("# Hashes of results, see tests/test_bits.c and docs/add-an-op.md.\n");
    each(write_one);
    return 0;
}
