/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Masked additions of layouts that were added before, at other addresses, so that operands and the
 * mask overlap the output in every way. Every result is compared with index arithmetic on a copy of
 * the memory, and every byte of the memory.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/test.h"

enum { ROOM = 6000, SIDE = 12, LAYOUTS = 10, ROUNDS = 4000, OUT = 0, A, B, MASK, ROLES };

/* Sizes, and for each operand the bytes from one element to the next along each dim. */
struct layout {
    int64_t n[2], s[ROLES][2];
    stria_kind narrow; /* dtype of operand b */
};

static char memory[ROOM], before[ROOM], expected[ROOM];

static struct layout draw_layout(uint64_t *seed)
{
    struct layout l;
    l.narrow = random_between(seed, 0, 1) ? STRIA_I32 : STRIA_I16;
    l.n[0] = 1 + random_between(seed, 0, SIDE - 1);
    l.n[1] = 1 + random_between(seed, 0, SIDE - 1);
    for (int k = 0; k < ROLES; k++) {
        const int64_t item = k == MASK ? 1 : k == B && l.narrow == STRIA_I16 ? 2 : 4;
        const int64_t inner = item * (1 + random_between(seed, 0, 1));
        const bool turned = random_between(seed, 0, 2) == 0;
        l.s[k][turned] = inner * SIDE;
        l.s[k][!turned] = inner;
        if (k > 0 && random_between(seed, 0, 4) == 0) l.s[k][random_between(seed, 0, 1)] = 0;
    }
    return l;
}

static char *address(const stria_view *view, const char *base, int64_t i, int64_t j)
{
    return (char *)(uintptr_t)base + (view->data - memory) + i * view->strides[0] +
           j * view->strides[1];
}

static int32_t number_at(const stria_view *view, int64_t i, int64_t j)
{
    int32_t wide;
    int16_t narrow;
    if (view->dtype.kind == STRIA_I32) {
        memcpy(&wide, address(view, before, i, j), sizeof wide);
        return wide;
    }
    memcpy(&narrow, address(view, before, i, j), sizeof narrow);
    return narrow;
}

static void add_masked(const struct layout *l, const stria_view *views)
{
    memcpy(before, memory, ROOM);
    memcpy(expected, memory, ROOM);
    for (int64_t i = 0; i < l->n[0]; i++)
        for (int64_t j = 0; j < l->n[1]; j++) {
            const uint32_t sum =
                (uint32_t)number_at(&views[A], i, j) + (uint32_t)number_at(&views[B], i, j);
            if (*address(&views[MASK], before, i, j))
                memcpy(address(&views[OUT], expected, i, j), &sum, sizeof sum);
        }
}

static void set_view(stria_view *out, const struct layout *l, int k, stria_kind kind, int64_t at)
{
    ok(stria_view_foreign(out, memory + at, stria_dtype_of(kind), 2, l->n, l->s[k], 0));
}

static void check_call(const struct layout *l, const int64_t *at, uint64_t *seed)
{
    stria_view views[ROLES];
    set_view(&views[OUT], l, OUT, STRIA_I32, at[OUT]);
    set_view(&views[A], l, A, STRIA_I32, at[A]);
    set_view(&views[B], l, B, l->narrow, at[B]);
    set_view(&views[MASK], l, MASK, STRIA_BOOL, at[MASK]);
    for (int i = 0; i < ROOM; i++)
        memory[i] = (char)random_between(seed, 0, 1);
    add_masked(l, views);
    const stria_exec exec = {.mask = &views[MASK], .threads = 1};
    ok(stria_add(&views[OUT], &views[A], &views[B], &exec));
    assert_memory_equal(memory, expected, ROOM);
}

/* Draws an address far enough from the end for every layout; a multiple of the largest item. */
static int64_t draw_address(uint64_t *seed)
{
    return 4 * random_between(seed, 0, (ROOM - 2 * 4 * SIDE * SIDE - 64) / 4);
}

TEST(masked_calls_come_again)
{
    uint64_t seed = 5;
    struct layout layouts[LAYOUTS];
    int64_t at[ROLES];
    for (int i = 0; i < LAYOUTS; i++)
        layouts[i] = draw_layout(&seed);
    for (int round = 0; round < ROUNDS; round++) {
        const struct layout *const l = &layouts[random_between(&seed, 0, LAYOUTS - 1)];
        for (int k = 0; k < ROLES; k++)
            at[k] = draw_address(&seed);
        if (round % 3 == 0) at[A] = at[OUT];
        for (int again = 0; again < 4; again++) {
            check_call(l, at, &seed);
            if (again == 1) at[1 + random_between(&seed, 0, ROLES - 2)] = draw_address(&seed);
        }
    }
}

TEST_MAIN(NULL, NULL)
