/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that are streamed row by row: rows of any length, which begin anywhere in a cache line
 * and are adjacent or leave gaps, which must not change. Each result is compared with the
 * definition, element by element.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/small_cache.h"
#include "support/test.h"

enum { ROOM = 1 << 20, CANARY = 0x5A };

/* An output of three dims in a buffer of marks, and inputs of the same shape whose rows have
 * gaps. */
struct rows {
    int64_t shape[3], strides[3], offset;
};

static struct rows draw(uint64_t *seed, int64_t item)
{
    struct rows r;
    r.shape[0] = random_between(seed, 1, 3);
    r.shape[1] = random_between(seed, 1, 9);
    r.shape[2] = 1024 / item + random_between(seed, 0, 1499);
    r.strides[2] = item;
    r.strides[1] = r.shape[2] * item;
    if (random_once(seed, 3)) r.strides[1] += random_between(seed, 1, 200);
    r.strides[0] = r.shape[1] * r.strides[1];
    if (random_once(seed, 3)) r.strides[0] += random_between(seed, 1, 200);
    r.offset = random_between(seed, 0, 129);
    if (random_once(seed, 2)) r.offset -= r.offset % item;
    return r;
}

static stria_array buffer(void)
{
    const int64_t bytes = ROOM;
    stria_array out = {0};
    ok(stria_empty(&out, stria_dtype_of(STRIA_U8), 1, &bytes));
    memset(out.view.data, CANARY, ROOM);
    return out;
}

static stria_view view_of(const stria_array *memory, stria_kind kind, const struct rows *r)
{
    stria_view v;
    ok(stria_view_make(&v, memory->owned, stria_dtype_of(kind), 3, r->shape, r->strides,
                       r->offset));
    return v;
}

/* Returns the address of an element. */
static char *at(const stria_view *v, int64_t i, int64_t j, int64_t k)
{
    return v->data + i * v->strides[0] + j * v->strides[1] + k * v->strides[2];
}

/*
 * Makes an input of small numbers with rows one element apart: half of them dense, the others
 * flipped, or with elements up to 5 apart.
 */
static stria_array input(stria_kind kind, const struct rows *r, uint64_t *seed)
{
    const int64_t apart = random_once(seed, 2) ? 1 : random_between(seed, 1, 5);
    const int64_t wide[] = {r->shape[0], r->shape[1], r->shape[2] * apart + 1};
    stria_array out = {0};
    stria_array bytes = {0};
    ok(stria_empty(&bytes, stria_dtype_of(STRIA_U8), 3, wide));
    for (int64_t i = 0; i < wide[0] * wide[1] * wide[2]; i++)
        bytes.view.data[i] = (char)random_between(seed, 0, 99);
    ok(stria_empty(&out, stria_dtype_of(kind), 3, wide));
    ok(stria_copy(&out.view, &bytes.view, NULL));
    ok(stria_slice(&out.view, &out.view, 2, 1, STRIA_NONE, apart));
    if (random_once(seed, 4)) ok(stria_flip(&out.view, &out.view, 1, (const int[]){2}));
    stria_array_release(&bytes);
    return out;
}

static double number(const stria_view *v, int64_t i, int64_t j, int64_t k)
{
    int16_t n;
    float f;
    double d;
    switch (v->dtype.kind) {
    case STRIA_U8: return *(const uint8_t *)at(v, i, j, k);
    case STRIA_I16: memcpy(&n, at(v, i, j, k), sizeof n); return n;
    case STRIA_F32: memcpy(&f, at(v, i, j, k), sizeof f); return (double)f;
    default: memcpy(&d, at(v, i, j, k), sizeof d); return d;
    }
}

/*
 * Compares out with a + b, or with a alone, where the mask, if there is one, is true, and
 * overwrites these elements by marks: then all bytes have to be marks.
 */
static void hold(const stria_view *out, const stria_view *a, const stria_view *b,
                 const stria_view *mask, const stria_array *memory)
{
    for (int64_t i = 0; i < out->shape[0]; i++)
        for (int64_t j = 0; j < out->shape[1]; j++)
            for (int64_t k = 0; k < out->shape[2]; k++) {
                if (mask && !*at(mask, i, j, k)) continue;
                const double want = number(a, i, j, k) + (b ? number(b, i, j, k) : 0);
                if (number(out, i, j, k) != want)
                    fail_msg("element %d, %d, %d of %d, %d, %d at byte %d", (int)i, (int)j, (int)k,
                             (int)out->shape[0], (int)out->shape[1], (int)out->shape[2],
                             (int)(out->data - memory->view.data));
                memset(at(out, i, j, k), CANARY, (size_t)out->dtype.itemsize);
            }
    for (int64_t i = 0; i < ROOM; i++)
        if (memory->view.data[i] != CANARY) fail_msg("byte %d was written", (int)i);
}

TEST_WITH(test_casts, small_cache, real_cache)
{
    uint64_t seed = 1;
    stria_array memory = buffer();
    for (int n = 0; n < 150; n++) {
        const stria_kind from = n % 2 ? STRIA_U8 : STRIA_F32, to = n % 3 ? STRIA_F64 : STRIA_F32;
        const struct rows r = draw(&seed, stria_dtype_of(to).itemsize);
        const stria_view out = view_of(&memory, to, &r);
        stria_array a = input(from, &r, &seed);
        ok(stria_copy(&out, &a.view, NULL));
        hold(&out, &a.view, NULL, NULL, &memory);
        stria_array_release(&a);
    }
    stria_array_release(&memory);
}

/* Items at a constant distance, in either direction, are gathered from whole cache lines. */
TEST_WITH(test_steps, small_cache, real_cache)
{
    static const stria_kind kinds[] = {STRIA_I16, STRIA_F32, STRIA_F64};
    uint64_t seed = 5;
    stria_array memory = buffer();
    for (int n = 0; n < 150; n++) {
        const stria_kind kind = kinds[n % 3];
        const struct rows r = draw(&seed, stria_dtype_of(kind).itemsize);
        const stria_view out = view_of(&memory, kind, &r);
        const int64_t step = random_between(&seed, 1, 5);
        struct rows wide = r;
        wide.shape[2] *= step;
        stria_array a = input(kind, &wide, &seed);
        ok(stria_slice(&a.view, &a.view, 2, 0, STRIA_NONE, step));
        if (random_once(&seed, 2)) ok(stria_flip(&a.view, &a.view, 1, (int[]){2}));
        ok(stria_copy(&out, &a.view, NULL));
        hold(&out, &a.view, NULL, NULL, &memory);
        stria_array_release(&a);
    }
    stria_array_release(&memory);
}

/* Makes a mask that is false in some rows, and in long parts of others. */
static stria_array mask_of(const struct rows *r, uint64_t *seed)
{
    stria_array out = {0};
    ok(stria_zeros(&out, stria_dtype_of(STRIA_BOOL), 3, r->shape));
    const int64_t n = r->shape[0] * r->shape[1] * r->shape[2];
    for (int64_t i = 0; i < n; i += random_between(seed, 1, 900))
        for (int64_t j = i; j < n && j < i + random_between(seed, 1, 500); j++)
            out.view.data[j] = (char)random_between(seed, 0, 1);
    return out;
}

static void check_sums(uint64_t seed, bool masked)
{
    stria_array memory = buffer();
    for (int n = 0; n < 150; n++) {
        const struct rows r = draw(&seed, 4);
        const stria_view out = view_of(&memory, STRIA_F32, &r);
        stria_array a = input(STRIA_F32, &r, &seed),
                    b = input(n % 3 ? STRIA_F32 : STRIA_U8, &r, &seed), mask = {0};
        if (masked) mask = mask_of(&r, &seed);
        const stria_view *const where = masked ? &mask.view : NULL;
        const stria_exec exec = {.threads = 1 + n % 2, .mask = where};
        ok(stria_add(&out, &a.view, &b.view, &exec));
        hold(&out, &a.view, &b.view, where, &memory);
        stria_array_release(&a);
        stria_array_release(&b);
        stria_array_release(&mask);
    }
    stria_array_release(&memory);
}

TEST_WITH(test_sums, small_cache, real_cache)
{
    check_sums(2, false);
}

/* Masked results are written through the caches, piece by piece: elements where the mask is false
 * stay. */
TEST_WITH(test_masked, small_cache, real_cache)
{
    check_sums(3, true);
}

/* The expression reads the array that it writes. */
TEST_WITH(test_in_place, small_cache, real_cache)
{
    uint64_t seed = 4;
    stria_array memory = buffer();
    const char *const names[] = {"x", "a", "b"};
    stria_expr *expr;
    ok(stria_expr_parse(&expr, "x * 0 + a + b", 3, names));
    for (int n = 0; n < 60; n++) {
        const struct rows r = draw(&seed, 4);
        const stria_view out = view_of(&memory, STRIA_F32, &r);
        stria_array a = input(STRIA_F32, &r, &seed), b = input(STRIA_F32, &r, &seed);
        const stria_view *const inputs[] = {&out, &a.view, &b.view};
        const stria_exec exec = {.threads = 1 + n % 2};
        ok(stria_expr_evaluate(&out, expr, 3, inputs, &exec));
        hold(&out, &a.view, &b.view, NULL, &memory);
        stria_array_release(&a);
        stria_array_release(&b);
    }
    stria_expr_release(expr);
    stria_array_release(&memory);
}

TEST_MAIN(NULL, NULL)
