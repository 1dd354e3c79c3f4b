/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checked integers against arithmetic in 128 bits: a part of the pairs of 8 bits, and hard and
 * random ones of the others; where the first overflow is, under masks and in any layout; and that
 * nothing is written.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

__extension__ typedef __int128 wide;

static const stria_op ops[] = {STRIA_ADD,      STRIA_SUBTRACT,     STRIA_MULTIPLY,
                               STRIA_NEGATIVE, STRIA_FLOOR_DIVIDE, STRIA_REMAINDER};
enum { OPS = sizeof ops / sizeof *ops };

static wide lowest(stria_kind kind)
{
    const int bits = 8 * stria_dtype_of(kind).itemsize;
    return kind <= STRIA_I64 ? -((wide)1 << (bits - 1)) : 0;
}

static wide highest(stria_kind kind)
{
    const int bits = 8 * stria_dtype_of(kind).itemsize;
    return ((wide)1 << (kind <= STRIA_I64 ? bits - 1 : bits)) - 1;
}

static wide read_item(const void *item, stria_kind kind)
{
    const int64_t size = stria_dtype_of(kind).itemsize;
    uint8_t bytes[8];
    wide value = 0;
    memcpy(bytes, item, (size_t)size);
    for (int64_t i = 0; i < size; i++)
        value |= (wide)bytes[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i]
                 << (8 * i);
    return value > highest(kind) ? value - ((wide)1 << (8 * size)) : value;
}

static void write_item(void *item, stria_kind kind, wide value)
{
    const uint64_t bits = (uint64_t)value;
    const uint8_t u8 = (uint8_t)bits;
    const uint16_t u16 = (uint16_t)bits;
    const uint32_t u32 = (uint32_t)bits;
    switch (stria_dtype_of(kind).itemsize) {
    case 1: memcpy(item, &u8, sizeof u8); break;
    case 2: memcpy(item, &u16, sizeof u16); break;
    case 4: memcpy(item, &u32, sizeof u32); break;
    default: memcpy(item, &bits, sizeof bits);
    }
}

static wide floored(wide a, wide b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/* Computes the exact result; returns false where a quotient has no value. */
static bool exact(wide *out, stria_op op, wide a, wide b)
{
    switch (op) {
    case STRIA_ADD: *out = a + b; return true;
    case STRIA_SUBTRACT: *out = a - b; return true;
    case STRIA_MULTIPLY: /* the product of two u64 may need more than 128 bits */
        if (__builtin_mul_overflow(a, b, out)) *out = (wide)1 << 100;
        return true;
    case STRIA_NEGATIVE: *out = -a; return true;
    case STRIA_FLOOR_DIVIDE:
        if (b != 0) *out = floored(a, b);
        return b != 0;
    default:
        if (b != 0) *out = a - floored(a, b) * b;
        return b != 0;
    }
}

static void check_one(stria_op op, stria_kind kind, wide a, wide b)
{
    char x[8], y[8], z[8] = {77, 77, 77, 77, 77, 77, 77, 77}, before[8];
    wide want = 0;
    write_item(x, kind, a);
    write_item(y, kind, b);
    memcpy(before, z, sizeof z);
    const stria_view left = of(x, kind, 0, NULL), right = of(y, kind, 0, NULL),
                     out = of(z, kind, 0, NULL);
    const bool defined = exact(&want, op, a, b);
    const bool fits = defined && want >= lowest(kind) && want <= highest(kind);
    const stria_status wanted = fits ? STRIA_OK : defined ? STRIA_ERR_OVERFLOW : STRIA_ERR_ARGUMENT;
    const stria_status status = stria_elementwise_checked(
        &out, op, stria_op_inputs(op), (const stria_view *[]){&left, &right}, NULL);
    const bool right_bytes = fits ? read_item(z, kind) == want : !memcmp(z, before, sizeof z);
    if (status != wanted || !right_bytes)
        fail_msg("%s of kind %d: %lld, %lld: status %d (%s)", stria_op_name(op), (int)kind,
                 (long long)a, (long long)b, (int)status, stria_last_error());
}

TEST(all_pairs_of_bytes)
{
    const stria_kind kinds[] = {STRIA_I8, STRIA_U8};
    const int step = 2 * ONE_OF_MANY + 1; /* odd, so that in time every remainder occurs */
    for (int k = 0; k < 2; k++)
        for (wide a = lowest(kinds[k]); a <= highest(kinds[k]); a += 1)
            for (wide b = lowest(kinds[k]) + (a & 1); b <= highest(kinds[k]); b += step)
                for (int op = 0; op < OPS; op++)
                    check_one(ops[op], kinds[k], a, b);
}

TEST(hard_pairs)
{
    uint64_t seed = 5;
    for (stria_kind kind = STRIA_I8; kind <= STRIA_U64; kind++) {
        const wide low = lowest(kind), high = highest(kind),
                   root = (wide)1 << (4 * stria_dtype_of(kind).itemsize);
        const wide hard[] = {low,
                             low + 1,
                             low / 2,
                             0,
                             1,
                             2,
                             high / 2,
                             high - 1,
                             high,
                             root,
                             root - 1,
                             low < 0 ? -1 : 3,
                             low < 0 ? -2 : 5,
                             low < 0 ? -root / 2 : 7};
        const int count = (int)(sizeof hard / sizeof *hard);
        for (int op = 0; op < OPS; op++) {
            for (int i = 0; i < count * count; i++)
                check_one(ops[op], kind, hard[i / count], hard[i % count]);
            for (int i = 0; i < 200; i++) {
                const uint64_t a = random_bits(&seed) >> random_between(&seed, 0, 63),
                               b = random_bits(&seed) >> random_between(&seed, 0, 63);
                char x[8], y[8];
                write_item(x, kind, (wide)a);
                write_item(y, kind, (wide)b);
                check_one(ops[op], kind, read_item(x, kind), read_item(y, kind));
            }
        }
    }
}

/* The first overflow in C order of the shape is reported, whatever the strides; masked elements are
 * not. */
TEST(the_first_one)
{
    enum { ROWS = 70, COLUMNS = 90 };
    static int32_t x[COLUMNS][ROWS], z[ROWS][COLUMNS];
    static uint8_t bytes[ROWS][COLUMNS];
    int32_t row[COLUMNS];
    stria_view a = OF(x, I32, COLUMNS, ROWS);
    const stria_view b = OF(row, I32, COLUMNS), out = OF(z, I32, ROWS, COLUMNS),
                     mask = OF(bytes, BOOL, ROWS, COLUMNS);
    stria_exec exec = {.mask = &mask, .threads = 2};
    ok(stria_reverse_dims(&a, &a));
    memset(bytes, 1, sizeof bytes);
    for (int j = 0; j < COLUMNS; j++)
        row[j] = 10 + j;
    x[7][20] = x[3][40] = INT32_MAX - 5;
    assert_int_equal(stria_add_checked(&out, &a, &b, NULL), STRIA_ERR_OVERFLOW);
    assert_message(
        "add: 2147483642 + 17 at index (20, 7) does not fit into i32; nothing was written");
    bytes[20][7] = 0;
    assert_int_equal(stria_add_checked(&out, &a, &b, &exec), STRIA_ERR_OVERFLOW);
    assert_message("at index (40, 3)");
    bytes[40][3] = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        assert_int_equal(z[i / COLUMNS][i % COLUMNS], 0);
    ok(stria_add_checked(&out, &a, &b, &exec));
    assert_true(z[20][7] == 0 && z[40][3] == 0 && z[0][3] == 13);
    row[5] = 0;
    assert_int_equal(stria_floor_divide_checked(&out, &a, &b, NULL), STRIA_ERR_ARGUMENT);
    assert_message("floor_divide: 0 // 0 at index (0, 5) divides by zero");
    assert_int_equal(stria_remainder_checked(&out, &a, &b, NULL), STRIA_ERR_ARGUMENT);
    assert_message("0 % 0");
    for (int i = 0; i < ROWS; i++)
        bytes[i][5] = 0;
    ok(stria_remainder_checked(&out, &a, &b, &exec));
    exec.mask = NULL;
    ok(stria_remainder(&out, &a, &b, &exec)); /* gives 0; nothing is refused */
    assert_int_equal(z[0][5], 0);
}

/* Checks strange layouts, dtypes and scalars. */
TEST(operands)
{
    int8_t x[3] = {100, -128, 5}, z[3] = {1, 2, 3};
    uint8_t u[3] = {1, 2, 255};
    int16_t big = 300, wide_out[3];
    float f[3];
    bool truth[3] = {true, true, false};
    const int64_t thirty = 30;
    const stria_view a = OF(x, I8, 3), b = OF(u, U8, 3), out = OF(z, I8, 3), fl = OF(f, F32, 3),
                     bo = OF(truth, BOOL, 3), w = OF(wide_out, I16, 3),
                     none = of(&big, STRIA_I16, 0, NULL);
    stria_view scalar, negative;
    ok(stria_weak(&scalar, STRIA_I64, &thirty));
    assert_int_equal(stria_add_checked(&out, &a, &scalar, NULL), STRIA_ERR_OVERFLOW);
    assert_message("add: 100 + 30 at index (0,) does not fit into i8");
    assert_int_equal(stria_add_checked(&out, &a, &none, NULL),
                     STRIA_ERR_OVERFLOW); /* 300 wraps in i8 */
    assert_message("100 + 300");
    /* both inputs are computed in i16 */
    ok(stria_add_checked(&w, &a, &b, NULL));
    assert_int_equal(wide_out[2], 260);
    assert_int_equal(stria_add_checked(&out, &a, &b, NULL), STRIA_ERR_DTYPE);
    assert_message("out's dtype i8 does not hold all of i16");
    ok(stria_neg_view(&negative, &a));
    assert_int_equal(stria_negative_checked(&out, &a, NULL), STRIA_ERR_OVERFLOW);
    assert_message("negative: -(-128) at index (1,)");
    ok(stria_subtract_checked(&out, &negative, &negative, NULL));
    assert_int_equal(stria_add_checked(&fl, &fl, &fl, NULL), STRIA_ERR_DTYPE);
    assert_message("only integers are checked for overflow");
    assert_int_equal(stria_add_checked(&bo, &bo, &bo, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(
        stria_elementwise_checked(&out, STRIA_GCD, 2, (const stria_view *[]){&a, &a}, NULL),
        STRIA_ERR_ARGUMENT);
    assert_message("gcd: there is no checked version of it");
    assert_int_equal(stria_multiply_checked(&out, &a, NULL, NULL), STRIA_ERR_ARGUMENT);
    x[0] = 3, x[1] = -11;
    /* the output is the input */
    ok(stria_multiply_checked(&a, &a, &a, NULL));
    assert_true(x[0] == 9 && x[1] == 121 && x[2] == 25);
    assert_int_equal(stria_multiply_checked(&a, &a, &a, NULL), STRIA_ERR_OVERFLOW);
    assert_true(x[0] == 9 && x[1] == 121 && x[2] == 25);
}

TEST_MAIN(NULL, NULL)
