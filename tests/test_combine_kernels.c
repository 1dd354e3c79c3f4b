/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The combining kernels of every level, against support/arithmetic.h and one element after the
 * other. Operands lie flush against inaccessible pages, before or behind, or across the bounds of
 * their items, and everything between the elements of the destination must stay.
 */
#include <string.h>

#include "machine/families.h"
#include "simd/combine.h"
#include "support/arithmetic.h"
#include "support/exact.h"
#include "support/guard.h"
#include "support/random.h"
#include "support/samples.h"
#include "support/test.h"

enum { OPERANDS = 3, ROOM = 1 << 16, MANY = 1 << 16, ITEM = 16, INDEX = 8 };
enum placement { AT_END, AT_START, MISALIGNED, PLACEMENTS };

static struct guard guards[OPERANDS];
static char pool[MANY * ITEM], wanted[ROOM];
static uint64_t seed;

/* ---- one element ---------------------------------------------------------------------------- */

static union item load(const void *p, stria_kind kind)
{
    union item out = {{0}};
    memcpy(out.bytes, p, (size_t)stria_dtype_of(kind).itemsize);
    return out;
}

static bool is_less(stria_kind kind, union item a, union item b)
{
    const union item both[] = {a, b};
    const stria_kind kinds[] = {kind, kind};
    return expected_item(STRIA_LESS, kind, both, kinds).bytes[0];
}

static bool is_nan(stria_kind kind, union item a)
{
    double value;
    exact_convert(&value, STRIA_F64, a.bytes, kind, false);
    return value != value;
}

static union item combine(enum combine_op op, stria_kind kind, union item a, union item b)
{
    const union item both[] = {a, b};
    const stria_kind kinds[] = {kind, kind};
    const bool is_bool = kind == STRIA_BOOL;
    if (op == COMBINE_SUM || (is_bool && op == COMBINE_MAXIMUM))
        return expected_item(STRIA_ADD, kind, both, kinds);
    if (op == COMBINE_PRODUCT || is_bool) return expected_item(STRIA_MULTIPLY, kind, both, kinds);
    if (is_nan(kind, a)) return a;
    return (op == COMBINE_MINIMUM ? is_less(kind, a, b) : is_less(kind, b, a)) ? a : b;
}

/* ---- operands ------------------------------------------------------------------------------- */

static int64_t min2(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns `size` bytes for operand k. */
static char *place(int k, int64_t size, enum placement placement)
{
    char *const start = placement == AT_END ? guard_high(&guards[k], (size_t)size)
                                            : guard_low(&guards[k]) + (placement == MISALIGNED);
    assert_true(size <= ROOM - 1);
    return start;
}

/* Returns the bytes from the first byte of an operand to its element (0, 0), and in all. */
static int64_t before(const stria_dim *d, int k)
{
    return -min2(0, (d[0].n - 1) * d[0].s[k]) - min2(0, (d[1].n - 1) * d[1].s[k]);
}

static int64_t bytes(const stria_dim *d, int k, int64_t item)
{
    int64_t size = item;
    for (int i = 0; i < 2; i++)
        size += (d[i].n - 1) * (d[i].s[k] < 0 ? -d[i].s[k] : d[i].s[k]);
    return size;
}

static void fill(char *p, int64_t size, int64_t item)
{
    for (int64_t i = 0; i + item <= size; i += item)
        memcpy(p + i, pool + random_between(&seed, 0, MANY - 1) * item, (size_t)item);
}

/* Checks that items from `start` on are the wanted ones, bit for bit but for NaNs. */
static void compare(const char *start, int64_t size, stria_kind kind, const char *isa,
                    const char *kernel)
{
    const int64_t item = stria_dtype_of(kind).itemsize;
    for (int64_t i = 0; i + item <= size; i += item)
        if (memcmp(start + i, wanted + i, (size_t)item) != 0 &&
            !(kind != STRIA_BOOL &&
              same_number(kind, load(start + i, kind), load(wanted + i, kind), 0)))
            fail_msg("%s: %s of kind %d, %d bytes, is wrong at byte %d", isa, kernel, (int)kind,
                     (int)size, (int)i);
}

/* ---- combining ------------------------------------------------------------------------------ */

/* Items from one element to the next along d[0], and from one index to the next. */
struct layout {
    int64_t out, in, index;
};

static const struct layout layouts[] = {{0, 1, 1}, {1, 1, 0},  {1, 1, 1},  {2, 1, 1},
                                        {0, 2, 1}, {0, 0, 1},  {0, 1, -1}, {-1, 1, 0},
                                        {1, 0, 0}, {0, -1, 2}, {-2, -3, 0}};

static void check_combine(const struct stria_kernels *kernels, enum combine_op op, stria_kind kind,
                          struct layout l, int64_t n, bool scaled)
{
    enum { PLACES = 11 };
    const int64_t item = stria_dtype_of(kind).itemsize, rows = n % 3 + 1;
    const int64_t scale = scaled ? 3 * item : item;
    const stria_dim d[2] = {{n, {l.out * item, l.in * item, l.index * INDEX}},
                            {rows, {2 * item, -5 * item, 3 * INDEX}}};
    const enum placement placement = (enum placement)(n % PLACEMENTS);
    const int64_t size = bytes(d, 0, item) + (PLACES - 1) * scale;
    const int64_t in_bytes = bytes(d, 1, item), index_bytes = bytes(d, 2, INDEX);
    char *const start = place(0, size, placement), *const in = place(1, in_bytes, placement);
    char *const indices = place(2, index_bytes, placement);
    char *const ptr[] = {start + before(d, 0), in + before(d, 1), indices + before(d, 2)};
    fill(start, size, item);
    fill(in, in_bytes, item);
    for (int64_t i = 0; i < index_bytes; i += INDEX) {
        const int64_t index = random_between(&seed, 0, PLACES - 1);
        memcpy(indices + i, &index, sizeof index);
    }
    memcpy(wanted, start, (size_t)size);
    for (int64_t j = 0; j < rows; j++)
        for (int64_t i = 0; i < n; i++) {
            int64_t index;
            memcpy(&index, ptr[2] + i * d[0].s[2] + j * d[1].s[2], sizeof index);
            char *const to = wanted + before(d, 0) + i * d[0].s[0] + j * d[1].s[0] + index * scale;
            const char *const from = ptr[1] + i * d[0].s[1] + j * d[1].s[1];
            const union item made = combine(op, kind, load(to, kind), load(from, kind));
            memcpy(to, made.bytes, (size_t)item);
        }
    stria__combine_of(kernels)->at_indices[op][kind](ptr, d, scale);
    compare(start, size, kind, kernels->isa, "combine");
}

static void fill_pool(stria_kind kind)
{
    seed = (uint64_t)kind + 1;
    if (kind != STRIA_BOOL) samples_fill(pool, kind, MANY, &seed);
    for (int64_t i = 0; kind == STRIA_BOOL && i < MANY; i++)
        pool[i] = (char)(random_bits(&seed) % 2 * (random_bits(&seed) % 256));
}

static bool is_ordered(enum combine_op op)
{
    return op == COMBINE_MINIMUM || op == COMBINE_MAXIMUM;
}

static void check_combines(const struct stria_kernels *kernels, enum combine_op op, stria_kind kind)
{
    static const int64_t lengths[] = {1, 2, 3, 7, 16, 33, 64, 131};
    for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; k++)
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
            check_combine(kernels, op, kind, layouts[k], lengths[l], (k + l) % 3 == 1);
}

TEST(test_combine)
{
    for (int kind = 0; kind < NUMBERS; kind++) {
        fill_pool((stria_kind)kind);
        for (int op = 0; op < COMBINE_OPS; op++)
            for (int level = 0; level < stria__kernels_count(); level++) {
                const struct stria_kernels *const kernels = stria__kernels_at(level);
                const bool is_there = kind < STRIA_C64 || !is_ordered((enum combine_op)op);
                if (!kernels) continue;
                assert_int_equal(stria__combine_of(kernels)->at_indices[op][kind] != NULL,
                                 is_there);
                if (is_there) check_combines(kernels, (enum combine_op)op, (stria_kind)kind);
            }
    }
}

/* Nothing is read or written for no elements. */
TEST(test_empty)
{
    char *const ptr[] = {NULL, NULL, NULL};
    const stria_dim none[2] = {{.n = 3, .s = {4, 4, 8}}, {.n = 0}};
    for (int level = 0; level < stria__kernels_count(); level++)
        if (stria__kernels_at(level))
            stria__combine_of(stria__kernels_at(level))
                ->at_indices[COMBINE_SUM][STRIA_F32](ptr, none, 4);
}

/* ---- quotients ------------------------------------------------------------------------------ */

/* Checks sum / count for sums of -7 and 20 and several counts, 1 included, in every kind. */
static void check_divide(const struct stria_kernels *kernels, stria_kind kind, bool in_place)
{
    enum { N = 6 };
    static const int64_t counts[N] = {0, 1, 2, 3, 4, -5};
    static const double floored[2][N] = {{20, 20, 10, 6, 5, 20}, {-7, -7, -4, -3, -2, -7}};
    const bool is_float = kind >= STRIA_F8E4M3, is_unsigned = kind >= STRIA_U8 && !is_float;
    const int64_t item = stria_dtype_of(kind).itemsize;
    for (int negative = 0; negative < (is_unsigned ? 1 : 2); negative++) {
        char in[N * ITEM], out[N * ITEM];
        for (int i = 0; i < N; i++) {
            const double sum = negative ? -7 : 20, count = counts[i] > 1 ? (double)counts[i] : 1;
            const double quotient = is_float ? sum / count : floored[negative][i];
            exact_convert(in + i * item, kind, &sum, STRIA_F64, false);
            exact_convert(wanted + i * item, kind, &quotient, STRIA_F64, false);
        }
        char *const ptr[] = {in_place ? in : out, in, (char *)(uintptr_t)counts};
        const stria_dim d[2] = {{2, {item, item, INDEX}}, {3, {2 * item, 2 * item, 2 * INDEX}}};
        stria__combine_of(kernels)->divide[kind](ptr, d);
        compare(ptr[0], N * item, kind, kernels->isa, "divide");
    }
}

TEST(test_divide)
{
    for (int level = 0; level < stria__kernels_count(); level++) {
        const struct stria_kernels *const kernels = stria__kernels_at(level);
        if (!kernels) continue;
        assert_null(stria__combine_of(kernels)->divide[STRIA_BOOL]);
        for (int kind = STRIA_BOOL + 1; kind < NUMBERS; kind++)
            for (int in_place = 0; in_place < 2; in_place++)
                check_divide(kernels, (stria_kind)kind, in_place);
    }
}

static int set_up(void **state)
{
    (void)state;
    guards_new(guards, OPERANDS, ROOM);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    guards_free(guards, OPERANDS);
    return 0;
}

TEST_MAIN(set_up, tear_down)
