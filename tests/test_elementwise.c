/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations on operands of any layout, dtype, byte order and lazy sign, against C's
 * own arithmetic element by element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simd/ops.h"
#include "stria/stria.h"
#include "support/arithmetic.h"
#include "support/definitions.h"
#include "support/exact.h"
#include "support/indices.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/samples.h"
#include "support/test.h"

enum { MEMORY = 1 << 20, KINDS = STRIA_C128 + 1, NAME = 32 };

/* ---- stored items and their values ---------------------------------------------------------- */

static bool is_complex(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

static void swap_parts(char *item, stria_dtype dtype)
{
    const int n = dtype.itemsize / (is_complex((stria_kind)dtype.kind) ? 2 : 1);
    for (int part = 0; part < dtype.itemsize; part += n)
        for (int i = 0; i < n / 2; i++) {
            const char c = item[part + i];
            item[part + i] = item[part + n - 1 - i];
            item[part + n - 1 - i] = c;
        }
}

/* Applies lazy signs to an item: stored bytes become a value, and a value stored bytes. */
static void apply_flags(char *item, const stria_view *a)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    if ((a->flags & STRIA_NEG) && kind != STRIA_BOOL) exact_negate(item, kind);
    if ((a->flags & STRIA_CONJ) && is_complex(kind)) exact_conjugate(item, kind);
}

static union item value_at(const stria_view *a, const char *address)
{
    union item out = {.bytes = {0}};
    memcpy(out.bytes, address, (size_t)a->dtype.itemsize);
    if (a->dtype.swapped) swap_parts(out.bytes, a->dtype);
    apply_flags(out.bytes, a);
    return out;
}

/* Returns the address of a's element for index i of an array of the shape of `like`. */
static const char *address_for(const stria_view *a, const stria_view *like, const int64_t *i)
{
    const char *at = a->data;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1) at += i[d + like->ndim - a->ndim] * a->strides[d];
    return at;
}

/* ---- random calls --------------------------------------------------------------------------- */

struct call {
    stria_op op;
    stria_exec exec;
    int n;
    stria_view out, inputs[3], mask;
    const stria_view *operands[3];
    stria_cast_policy policy;
    stria_dtype result, kernel;
};

/* The operands: out, three inputs and a mask. */
enum { MEMORIES = 5, MASK = 4, MASK_MEMORY = 1 << 16 };
static struct random_memory memories[MEMORIES], before[MEMORIES];

static void make_memories(uint64_t *seed)
{
    for (int k = 0; k < MEMORIES; k++) {
        const int64_t size = k == MASK ? MASK_MEMORY : MEMORY;
        memories[k] = (struct random_memory){malloc((size_t)size), size};
        before[k] = (struct random_memory){malloc((size_t)size), size};
        assert_non_null(memories[k].start);
        assert_non_null(before[k].start);
        for (int64_t i = 0; i < size; i += 8) {
            const uint64_t bits = random_bits(seed);
            memcpy(memories[k].start + i, &bits, 8);
        }
    }
}

static void free_memories(void)
{
    for (int k = 0; k < MEMORIES; k++) {
        free(memories[k].start);
        free(before[k].start);
    }
}

static void decorate(uint64_t *seed, stria_view *a, stria_kind kind)
{
    const int32_t itemsize = stria_dtype_of(kind).itemsize;
    a->dtype = stria_dtype_of(kind);
    if (itemsize > 1 && random_once(seed, 6)) a->dtype = stria_dtype_swap(a->dtype);
    if (kind != STRIA_BOOL && random_once(seed, 6)) a->flags |= STRIA_NEG;
    if (is_complex(kind) && random_once(seed, 6)) a->flags |= STRIA_CONJ;
}

static stria_kind any_kind(uint64_t *seed)
{
    return (stria_kind)random_between(seed, 0, KINDS - 1);
}

/* Returns the dtype in which the operation is computed, from the dtype of the result. */
static stria_dtype kernel_of(const struct call *c)
{
    const stria_kind own = (stria_kind)c->inputs[0].dtype.kind;
    const bool changes = c->n == 1 && !op_is_logic(c->op) && result_kind(c->op, own) != own;
    return changes ? stria_dtype_of(own) : c->result;
}

/* Draws how the result is converted to out's dtype; for inputs only same_kind matters here. */
static void draw_policy(uint64_t *seed, struct call *c)
{
    c->policy = STRIA_CAST_SAME_KIND;
    if (!random_once(seed, 4)) return;
    c->policy = STRIA_CAST_UNSAFE;
    c->exec.hints |= STRIA_CASTING_UNSAFE;
}

static void draw_operation(uint64_t *seed, struct call *c)
{
    c->op = (stria_op)random_between(seed, 0, STRIA_OPS - 1);
    c->n = stria_op_inputs(c->op);
    c->exec = (stria_exec){.threads = (int)random_between(seed, 0, 3)};
    if (random_once(seed, 2)) c->exec.hints |= STRIA_PROMOTE_AS_NUMPY;
    draw_policy(seed, c);
    for (int k = 0; k < c->n; k++)
        c->operands[k] = &c->inputs[k];
}

static void lay_dense(uint64_t *seed, stria_view *a, int memory, stria_kind kind, int ndim,
                      const int64_t *shape)
{
    char *const at = memories[memory].start + random_between(seed, 0, 40);
    ok(stria_view_foreign(a, at, stria_dtype_of(kind), ndim, shape, NULL, 0));
}

/* Draws dense operands of one dtype and single elements, some of them where out is: small calls
 * have a way of their own for these. */
static void draw_dense(uint64_t *seed, struct call *c)
{
    const stria_kind kind = any_kind(seed);
    const int64_t shape[] = {random_between(seed, 1, 40), random_between(seed, 0, 40), 1};
    const int ndim = (int)random_between(seed, 0, 3);
    draw_operation(seed, c);
    lay_dense(seed, &c->out, 0, result_kind(c->op, kind), ndim, shape);
    for (int k = 0; k < c->n; k++) {
        const bool single = random_once(seed, 4);
        const bool condition = c->op == STRIA_WHERE && k == 0;
        lay_dense(seed, &c->inputs[k], random_once(seed, 6) ? 0 : 1 + k,
                  condition ? STRIA_BOOL : kind, single ? 0 : ndim, shape);
        if (random_once(seed, 6)) c->inputs[k].data = c->out.data;
    }
}

/* Draws operands of any layout; returns false where nothing fits. */
static bool draw_any(uint64_t *seed, struct call *c)
{
    const stria_kind common = any_kind(seed);
    stria_kind kinds[3], to = any_kind(seed);
    draw_operation(seed, c);
    for (int k = 0; k < c->n; k++) {
        kinds[k] = random_once(seed, 2) ? common : any_kind(seed);
        if (c->op == STRIA_WHERE && k == 0) kinds[k] = STRIA_BOOL;
    }
    if (!random_view(seed, &c->out, memories[0], stria_dtype_of(to).itemsize)) return false;
    decorate(seed, &c->out, to);
    for (int k = 0; k < c->n; k++) {
        const int where = random_once(seed, 5) ? 0 : 1 + k;
        stria_view like = c->out;
        like.dtype = stria_dtype_of(kinds[k]);
        if (!random_source(seed, &c->inputs[k], memories[where], &like)) return false;
        c->inputs[k].flags = 0;
        decorate(seed, &c->inputs[k], kinds[k]);
        if (c->inputs[k].ndim > c->out.ndim) return false; /* drops leading sizes of 1 */
    }
    return true;
}

/* Draws a mask of any layout and any bytes, which may be those of out; few or many of them are
 * true. */
static bool draw_mask(uint64_t *seed, struct call *c)
{
    const int where = random_once(seed, 6) ? 0 : MASK;
    stria_view like = c->out;
    like.dtype = stria_dtype_of(STRIA_BOOL);
    if (!random_source(seed, &c->mask, memories[where], &like)) return false;
    if (c->mask.ndim > c->out.ndim) return false;
    c->mask.flags = 0;
    c->mask.dtype = like.dtype;
    c->exec.mask = &c->mask;
    const uint64_t one = UINT64_C(0x0101010101010101);
    const int density = (int)random_between(seed, 0, 4);
    for (int64_t i = 0; i < MASK_MEMORY; i += 8) {
        const uint64_t a = random_bits(seed), b = a >> 1;
        const uint64_t bytes[] = {0, a & b, a, a | b, one};
        const uint64_t truth = bytes[density] & one;
        memcpy(memories[MASK].start + i, &truth, 8);
    }
    return true;
}

static bool draw(uint64_t *seed, struct call *c)
{
    if (!random_once(seed, 3)) {
        if (!draw_any(seed, c)) return false;
    } else {
        draw_dense(seed, c);
    }
    return !random_once(seed, 3) || draw_mask(seed, c);
}

/* Returns the bytes before the call for an address in one of the memories. */
static const char *as_before(const char *at)
{
    for (int k = 0; k < MEMORIES; k++)
        if (at >= memories[k].start && at < memories[k].start + memories[k].size)
            return before[k].start + (at - memories[k].start);
    return NULL;
}

static int64_t tolerance(const struct call *c)
{
    const bool scaled = (c->op == STRIA_ABS || c->op == STRIA_SIGN) && c->kernel.kind == STRIA_C128;
    const bool is_f64 = c->result.kind == STRIA_F64;
    /* Their terms cancel near 0: test_math_functions and test_math_pairs have the bounds. */
    const bool cancels = c->op == STRIA_LOGADDEXP || c->op == STRIA_LOGADDEXP2;
    if (is_f64 && cancels) return INT64_C(1) << 30;
    /* their terms may cancel, too */
    if (is_f64 && (int)c->op >= STRIA_SILU) return INT64_C(1) << 20;
    return scaled || (is_f64 && (int)c->op >= MAP_OPS) ? 2 : 0;
}

static void print_item(const char *name, union item item)
{
    uint64_t words[2];
    memcpy(words, item.bytes, sizeof words);
    printf("  %s %016llx %016llx\n", name, (unsigned long long)words[0],
           (unsigned long long)words[1]);
}

static bool is_left_out(const struct call *c, const int64_t *i)
{
    return c->exec.mask && *as_before(address_for(&c->mask, &c->out, i)) == 0;
}

static bool is_right(const struct call *c, const int64_t *i)
{
    union item inputs[3];
    stria_kind kinds[3];
    const char *const at = address_for(&c->out, &c->out, i);
    if (is_left_out(c, i)) return !memcmp(at, as_before(at), (size_t)c->out.dtype.itemsize);
    for (int k = 0; k < c->n; k++) {
        kinds[k] = (stria_kind)c->inputs[k].dtype.kind;
        inputs[k] = value_at(&c->inputs[k], as_before(address_for(&c->inputs[k], &c->out, i)));
    }
    const union item exact = expected_item(c->op, (stria_kind)c->kernel.kind, inputs, kinds);
    union item want = {.bytes = {0}};
    exact_convert(want.bytes, (stria_kind)c->out.dtype.kind, exact.bytes,
                  (stria_kind)c->result.kind, false);
    const union item got = value_at(&c->out, at);
    const bool right = same_number((stria_kind)c->out.dtype.kind, got, want, tolerance(c));
    for (int k = 0; k < 2 + c->n && !right; k++)
        print_item(k == 0   ? "got"
                   : k == 1 ? "want"
                            : "input",
                   k == 0   ? got
                   : k == 1 ? want
                            : inputs[k - 2]);
    return right;
}

static void report(const struct call *c, uint64_t seed)
{
    printf("seed %llu, %s, %s, hints %u, threads %d\n", (unsigned long long)seed, stria_isa_name(),
           stria_op_name(c->op), (unsigned)c->exec.hints, c->exec.threads);
    for (int k = -1; k < c->n; k++) {
        const stria_view *const a = k < 0 ? &c->out : &c->inputs[k];
        char dtype[NAME];
        (void)stria_dtype_format(dtype, sizeof dtype, NULL, a->dtype);
        printf("%s, flags %u\n", dtype, (unsigned)a->flags);
        print_view(k < 0 ? "out" : "input", a);
    }
    if (c->exec.mask) print_view("where", &c->mask);
}

static bool run_one(uint64_t seed)
{
    static struct call c;
    const uint64_t start = seed;
    const stria_promotion rules[] = {STRIA_PROMOTE_TORCH, STRIA_PROMOTE_NUMPY};
    if (!draw(&seed, &c)) return false;
    const stria_promotion rule = rules[(c.exec.hints & STRIA_PROMOTE_AS_NUMPY) != 0];
    const stria_status told = stria_result_dtype(&c.result, c.op, c.n, c.operands, rule);
    if (told == STRIA_OK && !op_is_defined(c.op, (stria_kind)kernel_of(&c).kind)) return false;
    const bool castable = told == STRIA_OK && stria_can_cast(c.result, c.out.dtype, c.policy);
    for (int k = 0; k < MEMORIES; k++)
        memcpy(before[k].start, memories[k].start, (size_t)memories[k].size);
    const stria_status status = stria_elementwise(&c.out, c.op, c.n, c.operands, &c.exec);
    if (status != (castable ? STRIA_OK : STRIA_ERR_DTYPE)) {
        report(&c, start);
        fail_msg("status %d: %s", (int)status, stria_last_error());
    }
    if (!castable) assert_memory_equal(before[0].start, memories[0].start, MEMORY);
    if (!castable || stria_numel(&c.out) == 0) return castable;
    c.kernel = kernel_of(&c);
    int64_t i[STRIA_MAX_NDIM] = {0};
    do
        if (!is_right(&c, i)) {
            report(&c, start);
            fail_msg("element %lld %lld", (long long)i[0], (long long)i[1]);
        }
    while (next(i, &c.out));
    return true;
}

TEST(random_calls)
{
    enum { COUNT_OF_CALLS = 1500, LEAST = 300 };
    uint64_t seed = 7;
    make_memories(&seed);
    for (int level = 0; next_level(&level);) {
        int done = 0;
        for (int i = 0; i < COUNT_OF_CALLS; i++)
            done += run_one(random_bits(&seed));
        assert_true(done >= LEAST);
    }
    free_memories();
}

/*
 * A product of bf16 in the middle between two bf16, and an addend that decides but is lost in an
 * f64 sum: -253440 and 1.3e-39.
 */
TEST(fma_rounds_once)
{
    uint16_t items[] = {0x5004, 0xb7f0, 0x000e};
    const uint16_t want = 0xc877;
    union item in[3] = {{.alignment = 0}};
    for (int k = 0; k < 3; k++)
        memcpy(in[k].bytes, &items[k], sizeof items[k]);
    for (int level = 0; next_level(&level);) {
        uint16_t out = 0;
        const stria_view x = of(&items[0], STRIA_BF16, 0, NULL),
                         y = of(&items[1], STRIA_BF16, 0, NULL),
                         z = of(&items[2], STRIA_BF16, 0, NULL), to = of(&out, STRIA_BF16, 0, NULL);
        ok(stria_fma(&to, &x, &y, &z, NULL));
        assert_int_equal(out, want);
    }
    assert_memory_equal(defined_item(STRIA_FMA, STRIA_BF16, in).bytes, &want, sizeof want);
}

TEST_MAIN(NULL, NULL)
