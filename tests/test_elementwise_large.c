/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on arrays so large that they bypass the caches, of operands that are dense along
 * another dim than the output, one or several of them, alone or beside dense ones, casts among
 * them, with odd ends. Each result has the bits of the same operation on contiguous copies that
 * stays in the caches.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/small_cache.h"
#include "support/test.h"

enum { INPUTS = 3, ITEMS = 1 << 16, ROOM = 10 * ITEMS };

static char *memory[INPUTS], *out_memory, *expected;

typedef stria_status call(const stria_view *out, const stria_view *in, const stria_exec *exec);

static stria_status exp_of(const stria_view *out, const stria_view *in, const stria_exec *exec)
{
    return stria_exp(out, in, exec);
}

static stria_status sum_of(const stria_view *out, const stria_view *in, const stria_exec *exec)
{
    return stria_add(out, in, in + 1, exec);
}

static stria_status choice_of(const stria_view *out, const stria_view *in, const stria_exec *exec)
{
    return stria_where(out, in, in + 1, in + 2, exec);
}

/*
 * The operation, the dtypes of its output and inputs, and how each of these lies: T: transposed, D:
 * dense like the output, R: one row for all, C: one column, S: one element.
 */
static const struct operation {
    call *run;
    int inputs;
    stria_kind out, in[INPUTS];
    const char *layouts;
} operations[] = {
    {exp_of, 1, STRIA_F32, {STRIA_F32}, "T"},
    {exp_of, 1, STRIA_F32, {STRIA_F64}, "T"},
    {exp_of, 1, STRIA_F16, {STRIA_F16}, "T"},
    {exp_of, 1, STRIA_F64, {STRIA_U8}, "T"},
    {sum_of, 2, STRIA_F32, {STRIA_F32, STRIA_F32}, "TT"},
    {sum_of, 2, STRIA_F32, {STRIA_F32, STRIA_F64}, "TS"},
    {sum_of, 2, STRIA_I8, {STRIA_U8, STRIA_I8}, "TT"},
    {sum_of, 2, STRIA_I16, {STRIA_I64, STRIA_U8}, "TT"},
    {sum_of, 2, STRIA_F64, {STRIA_F64, STRIA_F32}, "TT"},
    {sum_of, 2, STRIA_C64, {STRIA_C64, STRIA_F32}, "TS"},
    {choice_of, 3, STRIA_F32, {STRIA_BOOL, STRIA_F32, STRIA_F32}, "TTT"},
    {choice_of, 3, STRIA_U8, {STRIA_BOOL, STRIA_U8, STRIA_U8}, "TTS"},
    {sum_of, 2, STRIA_F32, {STRIA_F32, STRIA_F32}, "DT"},
    {sum_of, 2, STRIA_U8, {STRIA_U8, STRIA_U8}, "TD"},
    {sum_of, 2, STRIA_I64, {STRIA_I16, STRIA_I64}, "DT"},
    {sum_of, 2, STRIA_F64, {STRIA_U8, STRIA_F64}, "TD"},
    {sum_of, 2, STRIA_C64, {STRIA_C64, STRIA_C64}, "DT"},
    {sum_of, 2, STRIA_F32, {STRIA_U8, STRIA_F32}, "CT"},
    {sum_of, 2, STRIA_F32, {STRIA_U8, STRIA_F32}, "RT"},
    {choice_of, 3, STRIA_F32, {STRIA_BOOL, STRIA_F32, STRIA_F32}, "TDT"},
    {choice_of, 3, STRIA_F64, {STRIA_BOOL, STRIA_F64, STRIA_U8}, "CTT"},
    {choice_of, 3, STRIA_I16, {STRIA_BOOL, STRIA_I16, STRIA_U8}, "DTR"},
};

/* Fills with numbers below 100, or true and false: every operation is defined for them. */
static void set_values(char *to, stria_kind kind, uint64_t *seed)
{
    static char small[ITEMS];
    stria_view from, values;
    const int64_t n = ITEMS;
    for (int64_t i = 0; i < n; i++)
        small[i] = (char)(random_bits(seed) % (kind == STRIA_BOOL ? 2 : 100));
    ok(stria_view_foreign(&from, small, stria_dtype_of(STRIA_U8), 1, &n, NULL, 0));
    ok(stria_view_foreign(&values, to, stria_dtype_of(kind), 1, &n, NULL, 0));
    ok(stria_copy(&values, &from, NULL));
}

static stria_view view_of(char *at, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_view out;
    ok(stria_view_foreign(&out, at, stria_dtype_of(kind), ndim, shape, NULL, 0));
    return out;
}

/* Makes input k of that shape. */
static stria_view input(int k, const struct operation *o, int ndim, const int64_t *shape)
{
    const char how = o->layouts[k];
    int64_t lies[STRIA_MAX_NDIM];
    for (int d = 0; d < ndim; d++) {
        lies[d] = shape[how == 'T' ? ndim - 1 - d : d];
        if (how == 'S' || (how == 'R' && d < ndim - 1) || (how == 'C' && d > 0)) lies[d] = 1;
    }
    stria_view out = view_of(memory[k], o->in[k], ndim, lies);
    if (how == 'T') ok(stria_reverse_dims(&out, &out));
    return out;
}

static void check(const struct operation *o, int ndim, const int64_t *shape, int64_t at)
{
    static const stria_exec alone = {.threads = 1},
                            kept = {.threads = 1, .hints = STRIA_WILL_READ_SOON};
    stria_array dense[INPUTS] = {{0}};
    stria_view in[INPUTS], copies[INPUTS];
    for (int k = 0; k < o->inputs; k++) {
        in[k] = input(k, o, ndim, shape);
        ok(stria_contiguous(&dense[k], &in[k], STRIA_ORDER_C, NULL, NULL));
        copies[k] = dense[k].view;
    }
    const stria_view out = view_of(out_memory + at, o->out, ndim, shape);
    const stria_view want = view_of(expected + at, o->out, ndim, shape);
    memset(out_memory, 0x5A, ROOM);
    memset(expected, 0x5A, ROOM);
    ok(o->run(&out, in, &alone));
    ok(o->run(&want, copies, &kept));
    if (memcmp(out_memory, expected, ROOM) != 0)
        fail_msg("%s: operation %d of %lld x %lld at %lld", stria_isa_name(), (int)(o - operations),
                 (long long)shape[0], (long long)shape[ndim - 1], (long long)at);
    for (int k = 0; k < o->inputs; k++)
        stria_array_release(&dense[k]);
}

static void check_operation(const struct operation *o, size_t number)
{
    static const struct {
        int ndim;
        int64_t shape[3];
    } shapes[] = {{2, {256, 256}}, {2, {101, 256}}, {2, {256, 131}},   {2, {70, 832}},
                  {2, {64, 64}},   {2, {323, 192}}, {3, {64, 10, 64}}, {3, {70, 3, 192}}};
    const size_t count = sizeof shapes / sizeof shapes[0];
    uint64_t seed = number;
    for (int k = 0; k < o->inputs; k++)
        set_values(memory[k], o->in[k], &seed);
    for (size_t s = number % ONE_IN; s < count; s += ONE_IN) {
        check(o, shapes[s].ndim, shapes[s].shape, 0);
        check(o, shapes[s].ndim, shapes[s].shape, 16);
    }
}

TEST_WITH(test_transposed, small_cache, real_cache)
{
    for (int level = 0; next_level(&level);)
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
            check_operation(&operations[i], i);
}

int main(void)
{
    char **const all[] = {&memory[0], &memory[1], &memory[2], &out_memory, &expected};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!(*all[i] = aligned_alloc(64, ROOM))) return 1;
    const int failed = run_listed(__FILE__, NULL, NULL);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(*all[i]);
    return failed;
}
