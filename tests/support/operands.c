/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/operands.h"

#include <string.h>

#include "machine/dispatch.h"
#include "support/cmocka.h"
#include "support/random.h"
#include "support/slow.h"

struct sweep sweep;
struct guard out_guard, in_guard;

static char expected[ROOM], original[ROOM];
static const char *isa;

int operands_set_up(void **state)
{
    (void)state;
    uint64_t seed = 1;
    out_guard = guard_new(ROOM);
    in_guard = guard_new(ROOM);
    for (size_t i = 0; i < ROOM; i++)
        original[i] = (char)random_bits(&seed);
    sweep.full = sweep_is("full");
    return 0;
}

int operands_tear_down(void **state)
{
    (void)state;
    guard_free(&out_guard);
    guard_free(&in_guard);
    return 0;
}

bool sweep_again(void)
{
    sweep.apart = 1 + 2 * sweep.apart;
    return sweep.full && sweep.apart < 16;
}

const struct stria_kernels *next_kernels(int *level)
{
    while (*level < stria__kernels_count()) {
        const struct stria_kernels *kernels = stria__kernels_at((*level)++);
        if (!kernels) continue;
        isa = kernels->isa;
        return kernels;
    }
    return NULL;
}

bool next_sized(struct sized_kernels *at, const int64_t *any)
{
    if (!at->kernels || (at->next >= SIZE_ANY && any[at->next - SIZE_ANY] == 0)) {
        at->lower = at->kernels;
        at->kernels = next_kernels(&at->level);
        at->next = 0;
    }
    at->size = at->next < SIZE_ANY ? (enum size_class)at->next : SIZE_ANY;
    at->item = at->next < SIZE_ANY ? INT64_C(1) << at->next : any[at->next - SIZE_ANY];
    at->next++;
    return at->kernels != NULL;
}

int64_t next_length(int64_t n, bool all)
{
    static const int64_t few[] = {1,  2,  3,  4,  5,  7,  8,  9,  15, 16,  17,  19,
                                  31, 32, 33, 47, 48, 63, 64, 65, 67, 100, 128, LONGEST};
    size_t k = 0;
    if (all) return n + 1;
    while (k < sizeof few / sizeof few[0] && few[k] <= n)
        k++;
    return k < sizeof few / sizeof few[0] ? few[k] : LONGEST + 1;
}

struct region region(const struct guard *guard, int64_t low, int64_t high, bool at_end)
{
    struct region r;
    r.size = (size_t)(high - low);
    assert_true(r.size + (size_t)sweep.apart <= ROOM);
    r.start =
        at_end ? guard_high(guard, r.size + (size_t)sweep.apart) : guard_low(guard) + sweep.apart;
    r.base = r.start - low;
    return r;
}

struct region aligned_region(const struct guard *guard, int64_t size)
{
    return (struct region){guard_low(guard), guard_low(guard), (size_t)size};
}

void put_contents(struct region out, struct region in)
{
    memcpy(out.start, original, out.size);
    memcpy(expected, original, out.size);
    for (size_t i = 0; i < in.size; i++)
        in.start[i] = sweep.zeros ? 0 : original[(i * 7 + 13) % ROOM];
}

void compare(struct region out, const char *kernel, int64_t a, int64_t b, int64_t c)
{
    if (memcmp(out.start, expected, out.size) == 0) return;
    fail_msg("%s, %s: wrong for %lld, %lld, %lld", isa, kernel, (long long)a, (long long)b,
             (long long)c);
}

char *expected_at(struct region r, int64_t offset)
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

void check_strided(strided_kernel *kernel, struct strided t, bool at_end)
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
