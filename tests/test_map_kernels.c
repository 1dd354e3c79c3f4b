/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elementwise kernels of every level: values against support/arithmetic.h, layouts against
 * index arithmetic, element by element. Operands lie flush against inaccessible pages, before or
 * behind, and bytes of the output that belong to no element must stay. What functions of
 * mathematics compute is tested in test_math_functions.c; here it is what the scalar level gives
 * for one element at a time.
 */
#include <math.h>
#include <string.h>

#include "machine/dispatch.h"
#include "simd/complex_ops.h"
#include "machine/op_loop.h"
#include "support/slow.h"
#include "support/arithmetic.h"
#include "support/exact.h"
#include "support/guard.h"
#include "support/random.h"
#include "support/samples.h"
#include "support/test.h"

enum { OPERANDS = 4, MANY = 1 << 16, ITEM = 16, LONG = 1 << 19, EMPTY = 0x5A };

static struct guard guards[OPERANDS];
static char pool[OPERANDS][MANY * ITEM]; /* items of each dtype to compute with */
static char before[LONG], wanted[LONG];

/* ---- ops ------------------------------------------------------------------------------------ */

/* Returns the kind of an operand; operands 1 to n are inputs, and the first one of where is its
 * condition. */
static stria_kind kind_of(stria_op op, stria_kind kind, int operand)
{
    if (operand == 0) return result_kind(op, kind);
    return op == STRIA_WHERE && operand == 1 ? STRIA_BOOL : kind;
}

static int64_t size_of(stria_op op, stria_kind kind, int operand)
{
    return stria_dtype_of(kind_of(op, kind, operand)).itemsize;
}

/* Fills with random items; in bools any byte but 0 is true. */
static void fill_pool(char *out, stria_kind kind, uint64_t *seed)
{
    static const double specials[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 0x1p-149};
    if (kind != STRIA_BOOL) samples_fill(out, kind, MANY, seed);
    for (int64_t i = 0; kind == STRIA_BOOL && i < MANY; i++)
        out[i] = (char)(random_bits(seed) % 2 * (random_bits(seed) % 256));
    const stria_dtype real = stria_dtype_real(stria_dtype_of(kind));
    if (real.kind < STRIA_F8E4M3) return;
    const int64_t parts = (int64_t)MANY * stria_dtype_of(kind).itemsize / real.itemsize;
    for (int64_t i = 0; i < parts; i += random_between(seed, 1, 23)) {
        const double x = specials[random_between(seed, 0, 7)];
        const float narrow = (float)x;
        if (real.kind == STRIA_F64) memcpy(out + i * 8, &x, sizeof x);
        if (real.kind == STRIA_F32) memcpy(out + i * 4, &narrow, sizeof narrow);
    }
}

/* Fills with whole numbers of the kind, for exponents and decimals. */
static void fill_whole(char *out, stria_kind kind, uint64_t *seed)
{
    const int64_t item = stria_dtype_of(kind).itemsize;
    for (int64_t i = 0; i < MANY; i++) {
        const int64_t value = random_between(seed, -40, 40) * (i % 8 == 0 ? 9 : 1);
        exact_convert(out + i * item, kind, &value, STRIA_I64, false);
    }
}

static bool scales(stria_op op)
{
    return op == STRIA_LDEXP || op == STRIA_ROUND_DECIMALS;
}

static void compute_math(stria_op op, stria_kind kind, union item *items, void *out)
{
    union item item = {{0}};
    char *const ptr[] = {item.bytes, items[0].bytes, items[1].bytes};
    const int64_t size = stria_dtype_of(kind).itemsize;
    const stria_dim d[2] = {{1, {size, size, size}}, {1, {0}}};
    op_loop(stria__kernels_at(0), op, kind)(ptr, d);
    memcpy(out, item.bytes, (size_t)size_of(op, kind, 0));
}

static void compute(stria_op op, stria_kind kind, void *out, const void *const *in)
{
    union item items[OPERANDS] = {{{0}}};
    stria_kind kinds[OPERANDS] = {STRIA_BOOL};
    for (int k = 0; k < stria_op_inputs(op); k++) {
        kinds[k] = kind_of(op, kind, k + 1);
        memcpy(items[k].bytes, in[k], (size_t)size_of(op, kind, k + 1));
    }
    if ((int)op >= MAP_OPS && kind > STRIA_U64)
        compute_math(op, kind, items, out);
    else
        memcpy(out, expected_item(op, kind, items, kinds).bytes, (size_t)size_of(op, kind, 0));
}

/* Whether results agree. Bools are 0 or 1; magnitudes and quotients of c128 may be off by a unit in
 * the last place. */
static bool agrees(stria_op op, stria_kind kind, const void *got, const void *want)
{
    union item a = {{0}}, b = {{0}};
    const stria_kind out = kind_of(op, kind, 0);
    memcpy(a.bytes, got, (size_t)size_of(op, kind, 0));
    memcpy(b.bytes, want, (size_t)size_of(op, kind, 0));
    if (out == STRIA_BOOL) return a.bytes[0] == b.bytes[0];
    return same_number(out, a, b,
                       kind == STRIA_C128 && (op == STRIA_ABS || op == STRIA_SIGN) ? 2 : 0);
}

/* ---- one call ------------------------------------------------------------------------------- */

struct call {
    const struct stria_kernels *kernels;
    stria_op op;
    stria_kind kind;
    stria_dim d[2];
    int in_place; /* number of the input that is the output; 0: none */
    bool at_end;
};

/* Sets where the elements of an operand begin and end, in bytes from element (0, 0). */
static void extent(const struct call *c, int k, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = size_of(c->op, c->kind, k);
    for (int dim = 0; dim < 2; dim++) {
        const int64_t last = (c->d[dim].n - 1) * c->d[dim].s[k];
        if (last < 0) *low += last;
        if (last > 0) *high += last;
    }
}

/* Puts operand k beside its inaccessible page; returns element (0, 0). */
static char *place(const struct call *c, int k, size_t *size, char **start)
{
    int64_t low, high;
    extent(c, k, &low, &high);
    *size = (size_t)(high - low);
    *start = c->at_end ? guard_high(&guards[k], *size) : guard_low(&guards[k]);
    return *start - low;
}

static int64_t at(const struct call *c, int k, int64_t i, int64_t j)
{
    return i * c->d[0].s[k] + j * c->d[1].s[k];
}

static void put_items(const struct call *c, int k, char *base, int64_t from)
{
    const int64_t item = size_of(c->op, c->kind, k);
    for (int64_t j = 0; j < c->d[1].n; j++)
        for (int64_t i = 0; i < c->d[0].n; i++)
            memcpy(base + at(c, k, i, j), pool[k] + (from + i + j * 77) % MANY * item,
                   (size_t)item);
}

static void fail_call(const struct call *c, const char *what, int64_t i, int64_t j)
{
    fail_msg(
        "%s: %s of kind %d, %lld x %lld, steps %lld %lld %lld %lld, in place %d: %s (%lld, %lld)",
        c->kernels->isa, stria_op_name(c->op), c->kind, (long long)c->d[0].n, (long long)c->d[1].n,
        (long long)c->d[0].s[0], (long long)c->d[0].s[1], (long long)c->d[0].s[2],
        (long long)c->d[0].s[3], c->in_place, what, (long long)i, (long long)j);
}

static void check_call(struct call c, int64_t from)
{
    const int n = stria_op_inputs(c.op) + 1;
    const int64_t item = size_of(c.op, c.kind, 0);
    char *ptr[OPERANDS], *start[OPERANDS];
    size_t size[OPERANDS];
    for (int dim = 0; dim < 2 && c.in_place; dim++)
        c.d[dim].s[c.in_place] = c.d[dim].s[0];
    for (int k = 0; k < n; k++)
        ptr[k] = place(&c, k, &size[k], &start[k]);
    if (c.in_place) ptr[c.in_place] = ptr[0];
    assert_true(size[0] <= LONG);
    memset(start[0], EMPTY, size[0]);
    for (int k = 1; k < n && c.d[0].n && c.d[1].n; k++)
        put_items(&c, k, ptr[k], from);
    memcpy(before, start[0], size[0]);
    memcpy(wanted, start[0], size[0]);
    const int64_t shift = ptr[0] - start[0];
    for (int64_t j = 0; j < c.d[1].n; j++)
        for (int64_t i = 0; i < c.d[0].n; i++) {
            const void *in[OPERANDS - 1] = {NULL};
            for (int k = 1; k < n; k++)
                in[k - 1] = (k == c.in_place ? before + shift : ptr[k]) + at(&c, k, i, j);
            compute(c.op, c.kind, wanted + shift + at(&c, 0, i, j), in);
        }
    op_loop(c.kernels, c.op, c.kind)(ptr, c.d);
    for (int64_t j = 0; j < c.d[1].n; j++)
        for (int64_t i = 0; i < c.d[0].n; i++) {
            char *const want = wanted + shift + at(&c, 0, i, j), *const got =
                                                                     ptr[0] + at(&c, 0, i, j);
            if (!agrees(c.op, c.kind, got, want)) fail_call(&c, "wrong at", i, j);
            memcpy(want, got, (size_t)item);
        }
    if (memcmp(wanted, start[0], size[0]) != 0) fail_call(&c, "wrote elsewhere", 0, 0);
}

/* Checks each kernel of one level that exists, with items in the pools. */
typedef void check_kernel(struct call c);

/* Fills input k of the op; ops that take the same dtypes get the same items. */
static void fill_input(stria_op op, stria_kind kind, int k)
{
    static int filled[OPERANDS] = {-1, -1, -1, -1};
    const bool whole = k == 2 && scales(op);
    const stria_kind of = kind_of(op, kind, k);
    const int what = 2 * (int)of + whole;
    uint64_t seed = (uint64_t)(what * OPERANDS + k) + 1;
    if (filled[k] == what) return;
    filled[k] = what;
    (whole ? fill_whole : fill_pool)(pool[k], of, &seed);
}

static void each_kernel(check_kernel *check)
{
    int kernels = 0;
    for (int kind = 0; kind < NUMBERS; kind++)
        for (int op = 0; op < STRIA_OPS; op++) {
            if (!op_loop(stria__kernels_at(0), (stria_op)op, (stria_kind)kind)) continue;
            for (int k = 1; k <= stria_op_inputs((stria_op)op); k++)
                fill_input((stria_op)op, (stria_kind)kind, k);
            for (int level = 0; level < stria__kernels_count(); level++) {
                const struct stria_kernels *const at_level = stria__kernels_at(level);
                if (!at_level) continue;
                assert_non_null(op_loop(at_level, (stria_op)op, (stria_kind)kind));
                check((struct call){at_level, (stria_op)op, (stria_kind)kind, {{0}}, 0, true});
                kernels++;
            }
        }
    assert_true(kernels > 0);
}

/* ---- the tests ------------------------------------------------------------------------------ */

static void set_steps(struct call *c, const int64_t steps[OPERANDS])
{
    for (int k = 0; k <= stria_op_inputs(c->op); k++) {
        const int64_t item = size_of(c->op, c->kind, k);
        c->d[0].s[k] = steps[k] == 99 ? item + 1 : steps[k] * item;
        c->d[1].s[k] = 3 * item;
    }
}

/*
 * Checks every item of an input of up to 16 bits; of wider ones a part of the pools, another part
 * for the next dtype.
 */
static void check_values(struct call c)
{
    static const int64_t dense[OPERANDS] = {1, 1, 1, 1};
    const bool all = stria_op_inputs(c.op) == 1 && size_of(c.op, c.kind, 1) <= 2;
    set_steps(&c, dense);
    c.d[1].n = 1;
    c.d[0].n = all ? LONG / ITEM / ONE_IN : LONG / ITEM / 4 / ONE_OF_MANY;
    const int64_t from = c.d[0].n * (((int)c.op + (int)c.kind) % (all ? ONE_IN : ONE_OF_MANY));
    check_call(c, from);
    if (all) check_call(c, LONG / ITEM + from);
}

TEST(test_values)
{
    each_kernel(check_values);
}

static const int64_t lengths[] = {0,  1,  2,  3,  4,  5,   7,   8,   9,   15,  16,  17,  31, 32,
                                  33, 63, 64, 65, 67, 127, 128, 131, 255, 256, 257, 259, 515};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* Returns a length to begin with, which differs between dtypes and operations. */
static int first_length(struct call c)
{
    return ((int)c.op + (int)c.kind) % ONE_OF_MANY;
}

/* Checks dense operands, and inputs one or more of which are a single item, up to four vectors. */
static void check_dense(struct call c)
{
    for (int l = first_length(c); l < LENGTHS; l += ONE_OF_MANY)
        for (int scalars = 0; scalars < 1 << stria_op_inputs(c.op); scalars++) {
            const int64_t steps[OPERANDS] = {1, !(scalars & 1), !(scalars & 2), !(scalars & 4)};
            set_steps(&c, steps);
            c.d[0].n = lengths[l];
            c.d[1].n = 1;
            c.at_end = l % 2;
            check_call(c, l * 100);
            c.at_end = !c.at_end;
            check_call(c, l * 100);
        }
}

TEST(test_dense)
{
    each_kernel(check_dense);
}

/* Checks operands with gaps, backwards, and unaligned; with rows before and behind. */
static void check_strided(struct call c)
{
    static const int64_t steps[][OPERANDS] = {{1, 2, 1, 1},   {2, 1, 1, 1},  {1, 1, -1, 1},
                                              {-1, 1, 1, 1},  {3, 0, -2, 0}, {99, 1, 1, 99},
                                              {1, 99, 99, 1}, {-2, 0, 0, 0}, {1, 0, 3, -1}};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
        for (int l = first_length(c); l < LENGTHS; l += 3 * ONE_OF_MANY) {
            set_steps(&c, steps[s]);
            c.d[0].n = lengths[l];
            c.d[1].n = l % 4;
            for (int k = 0; k <= stria_op_inputs(c.op); k++)
                c.d[1].s[k] = (k + l) % 3 && k > 0 ? (k % 2 ? -1 : 1) * c.d[0].s[k] * l : 0;
            const int64_t out = c.d[0].s[0] < 0 ? -c.d[0].s[0] : c.d[0].s[0];
            c.d[1].s[0] = (l % 2 ? -1 : 1) * (out * c.d[0].n + 5);
            c.at_end = (l + (int)s) % 2;
            check_call(c, l * 10);
        }
}

TEST(test_strided)
{
    each_kernel(check_strided);
}

static void check_in_place(struct call c)
{
    static const int64_t steps[][OPERANDS] = {
        {1, 1, 1, 1}, {-1, 1, 1, 1}, {2, 1, 1, 1}, {1, 0, 0, 0}, {99, 0, 1, 0}};
    const int64_t item = size_of(c.op, c.kind, 0);
    for (int k = 1; k <= stria_op_inputs(c.op); k++) {
        if (size_of(c.op, c.kind, k) != item) continue;
        for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
            for (int l = 1 + first_length(c); l < LENGTHS; l += 2 * ONE_OF_MANY) {
                set_steps(&c, steps[s]);
                c.in_place = k;
                c.d[0].n = lengths[l];
                c.d[1].n = 2;
                c.d[1].s[0] = 2000 * item + 7;
                c.at_end = l % 4 == 1;
                check_call(c, l * 10);
            }
    }
}

TEST(test_in_place)
{
    each_kernel(check_in_place);
}

/* The table has, for each dtype of each row of op.h, a kernel or none, as the row says. */
TEST(test_table)
{
#define DTYPES(constant, name, inputs, dtypes, result, cycles) [constant] = dtypes,
    static const int dtypes[] = {STRIA_OP_LIST(DTYPES)};
#undef DTYPES
    static const int more[STRIA_OPS] = {
#define COMPLEX_TOO(constant, name) [constant] = OP_COMPLEX,
        STRIA_COMPLEX_LIST(COMPLEX_TOO)
#undef COMPLEX_TOO
    };
    for (int op = 0; op < STRIA_OPS; op++)
        for (int kind = 0; kind < NUMBERS; kind++) {
            const bool small = kind == STRIA_F8E4M3 || kind == STRIA_F8E5M2;
            const int set = kind == STRIA_BOOL  ? OP_BOOL
                            : kind <= STRIA_U64 ? OP_INTEGERS
                            : small             ? 0
                            : kind <= STRIA_F64 ? OP_FLOATS
                                                : OP_COMPLEX;
            for (int level = 0; level < stria__kernels_count(); level++)
                if (stria__kernels_at(level))
                    assert_int_equal(
                        op_loop(stria__kernels_at(level), (stria_op)op, (stria_kind)kind) != NULL,
                        ((dtypes[op] | more[op]) & set) != 0);
        }
    assert_null(op_loop(stria__kernels_at(0), STRIA_SUBTRACT, STRIA_BOOL));
    assert_null(op_loop(stria__kernels_at(0), STRIA_LESS, STRIA_C64));
    assert_null(op_loop(stria__kernels_at(0), STRIA_EXP, STRIA_I32));
}

/* Results that no larger type holds, by name. */
TEST(test_specials)
{
    const double in[][2] = {{INFINITY, NAN}, {NAN, -INFINITY}, {3e300, 4e300}, {3e-320, 4e-320},
                            {-0.0, -0.0},    {NAN, 1},         {1e308, 1e308}, {5e-324, 0}};
    const double out[] = {INFINITY, INFINITY, 5e300, 5e-320, 0, NAN, 0x1.92c80954c51f5p+1023,
                          5e-324};
    enum { N = sizeof out / sizeof out[0] };
    const stria_dim d[2] = {{N, {8, 16}}, {1, {0}}};
    for (int level = 0; level < stria__kernels_count(); level++) {
        double got[N];
        char *const ptr[] = {(char *)got, (char *)(uintptr_t)in};
        if (!stria__kernels_at(level)) continue;
        op_loop(stria__kernels_at(level), STRIA_ABS, STRIA_C128)(ptr, d);
        for (int i = 0; i < N; i++)
            if (!agrees(STRIA_ABS, STRIA_C128, &got[i], &out[i]))
                fail_msg("%s: |(%g, %g)| is %g", stria__kernels_at(level)->isa, in[i][0], in[i][1],
                         got[i]);
    }
}

static int set_up(void **state)
{
    (void)state;
    guards_new(guards, OPERANDS, LONG);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    guards_free(guards, OPERANDS);
    return 0;
}

TEST_MAIN(set_up, tear_down)
