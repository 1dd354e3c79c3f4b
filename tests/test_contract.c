/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contractions against their definition: the sum over all indices of products, of small whole
 * numbers, which every order sums exactly. And of other numbers, in the defined order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/slow.h"

enum { MOST = 4, NAMES = 7 };

#define OK(call) assert_int_equal(call, STRIA_OK)

/* ---- operands -------------------------------------------------------------------------------- */

/* An array of any layout: any order of dims, gaps, either direction, any alignment, lazy bits. */
static stria_array scattered(uint64_t *seed, stria_dtype dtype, int ndim, const int64_t *shape,
                             bool written)
{
    stria_array out = {0};
    int64_t strides[STRIA_MAX_NDIM], span = dtype.itemsize, first = 0;
    int order[STRIA_MAX_NDIM];
    const bool plain = random_once(seed, 3);
    for (int d = 0; d < ndim; d++) {
        const int to = plain ? d : (int)random_between(seed, 0, d);
        for (int i = d; i > to; i--)
            order[i] = order[i - 1];
        order[to] = d;
    }
    for (int i = ndim - 1; i >= 0; i--) {
        const int d = order[i];
        const int64_t n = shape[d] > 1 ? shape[d] : 1;
        int64_t step = span;
        if (!plain && random_once(seed, 4)) step += dtype.itemsize * random_between(seed, 1, 3);
        if (!plain && !written && random_once(seed, 12)) step = 0;
        if (step) span = step * n;
        strides[d] = step;
        if (!plain && random_once(seed, 5)) {
            strides[d] = -step;
            first += step * (n - 1);
        }
    }
    if (!plain && random_once(seed, 5)) first += random_between(seed, 1, 7);
    OK(stria_buffer_new(&out.owned, span + first + 8));
    OK(stria_view_make(&out.view, out.owned, dtype, ndim, shape, strides, first));
    memset(stria_buffer_data(out.owned), 0, (size_t)stria_buffer_size(out.owned));
    if (!plain && stria_dtype_is_complex(dtype) && random_once(seed, 3))
        out.view.flags |= STRIA_CONJ;
    if (!plain && dtype.kind >= STRIA_F16 && random_once(seed, 4)) out.view.flags |= STRIA_NEG;
    return out;
}

static stria_dtype any_dtype(uint64_t *seed, bool mixed)
{
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_U8,  STRIA_I8,   STRIA_I16, STRIA_I32,
                                       STRIA_I64,  STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64,
                                       STRIA_C64,  STRIA_C128, STRIA_U16, STRIA_U32, STRIA_U64};
    stria_dtype dtype = stria_dtype_of(kinds[random_between(seed, 0, mixed ? 11 : 14)]);
    if (random_once(seed, 9)) dtype = stria_dtype_swap(dtype);
    return dtype;
}

/* Small whole numbers, and small imaginary parts. */
static void fill_whole(uint64_t *seed, const stria_view *a)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    if (stria_numel(a) == 0) return;
    do {
        double x[2] = {(double)random_between(seed, -2, 2), (double)random_between(seed, -1, 1)};
        stria_view item, value;
        const bool is_complex = stria_dtype_is_complex(a->dtype);
        OK(stria_view_foreign(&item, address(a, index), a->dtype, 0, NULL, NULL, 0));
        OK(stria_view_foreign(&value, x, stria_dtype_of(is_complex ? STRIA_C128 : STRIA_F64), 0,
                              NULL, NULL, STRIA_READONLY));
        if (!is_complex && a->dtype.kind < STRIA_F8E4M3 && x[0] < 0) x[0] += 5;
        OK(stria_copy(&item, &value));
    } while (next(index, a));
}

/* ---- the definition -------------------------------------------------------------------------- */

struct number {
    int64_t whole; /* of integers and bools */
    double re, im;
};

static struct number number_at(const stria_view *a, const int64_t *index)
{
    struct number n = {0};
    double x[2] = {0};
    stria_view item, value;
    const bool exact = a->dtype.kind < STRIA_F8E4M3;
    OK(stria_view_foreign(&item, address(a, index), a->dtype, 0, NULL, NULL, STRIA_READONLY));
    item.flags |= a->flags & (STRIA_CONJ | STRIA_NEG);
    OK(stria_view_foreign(&value, exact ? (void *)&n.whole : x,
                          stria_dtype_of(exact ? STRIA_I64 : STRIA_C128), 0, NULL, NULL, 0));
    OK(stria_copy(&value, &item));
    n.re = exact ? (double)n.whole : x[0];
    n.im = x[1];
    return n;
}

struct operand {
    stria_array array;
    char label[STRIA_MAX_NDIM + 1];
};

/* The labels of what is summed and the size of each, which may be 1 in some operands. */
static void index_of(int64_t *index, const stria_view *v, const char *label, const int64_t *at)
{
    for (int d = 0; d < v->ndim; d++)
        index[d] = v->shape[d] == 1 ? 0 : at[label[d] - 'a'];
}

/* Sums into dense i64 or c128 in the order of the result's dims, then makes its dtype of it. */
static void define(stria_array *out, stria_dtype dtype, const char *label, const int64_t *size,
                   const struct operand *in, int n)
{
    const int ndim = (int)strlen(label);
    int64_t shape[STRIA_MAX_NDIM], at[NAMES] = {0};
    const bool exact = dtype.kind < STRIA_F8E4M3, truth = dtype.kind == STRIA_BOOL;
    stria_array sums = {0};
    for (int d = 0; d < ndim; d++)
        shape[d] = size[label[d] - 'a'];
    OK(stria_zeros(&sums, stria_dtype_of(exact ? STRIA_I64 : STRIA_C128), ndim, shape));
    OK(stria_zeros(out, dtype, ndim, shape));
    bool more = true;
    for (int i = 0; i < NAMES; i++)
        more = more && size[i] != 0;
    while (more) {
        struct number product = {1, 1, 0};
        int64_t index[STRIA_MAX_NDIM];
        for (int i = 0; i < n; i++) {
            index_of(index, &in[i].array.view, in[i].label, at);
            const struct number x = number_at(&in[i].array.view, index);
            const double re = product.re * x.re - product.im * x.im;
            product.im = product.re * x.im + product.im * x.re;
            product.re = re;
            product.whole = (int64_t)((uint64_t)product.whole * (uint64_t)x.whole);
        }
        index_of(index, &sums.view, label, at);
        char *const sum = address(&sums.view, index);
        if (exact) {
            uint64_t *const whole = (void *)sum;
            *whole = truth ? *whole | (product.whole != 0) : *whole + (uint64_t)product.whole;
        } else {
            double *const parts = (void *)sum;
            parts[0] += product.re;
            parts[1] += product.im;
        }
        int i = 0;
        while (i < NAMES && ++at[i] >= size[i])
            at[i++] = 0;
        more = i < NAMES;
    }
    OK(stria_copy(&out->view, &sums.view));
    stria_array_release(&sums);
}

static bool same_elements(const stria_view *a, const stria_view *b)
{
    bool same;
    OK(stria_array_equal(&same, a, b, true, NULL));
    return same;
}

/* ---- einsum ---------------------------------------------------------------------------------- */

static void compute(const stria_view *out, const char *text, int n,
                    const stria_view *const *operands, const stria_exec *exec)
{
    const stria_status status = stria_einsum(out, text, n, operands, exec);
    if (status != STRIA_OK) fail_msg("%s: %s", text, stria_last_error());
}

static void check_einsum(uint64_t seed)
{
    const uint64_t begin = seed;
    struct operand in[MOST] = {{{0}, ""}};
    stria_array expected = {0}, out, made = {0};
    const stria_view *views[MOST];
    int64_t size[NAMES];
    char text[256] = "", label[NAMES + 1];
    int used = 0, kept = 0;
    bool seen[NAMES] = {false};
    const int n = (int)random_between(&seed, 1, random_once(&seed, 3) ? MOST : 2);
    const bool mixed = random_once(&seed, 4), large = random_once(&seed, 12) && n < 3;
    const stria_dtype common = any_dtype(&seed, false);
    for (int i = 0; i < NAMES; i++)
        size[i] = random_once(&seed, 60) ? 0 : random_between(&seed, 1, n > 2 ? 3 : 4);
    if (large) size[0] = 37, size[1] = 41, size[2] = 35;
    stria_dtype dtype = {0};
    for (int i = 0; i < n; i++) {
        int64_t shape[STRIA_MAX_NDIM];
        /* Single numbers weigh less in promotion. */
        const int ndim = (int)random_between(&seed, large ? 2 : mixed, large ? 3 : 4);
        for (int d = 0; d < ndim; d++) {
            const int name = (int)random_between(&seed, 0, large && d < 2 ? 2 : NAMES - 1);
            in[i].label[d] = (char)('a' + name);
            shape[d] = random_once(&seed, 15) ? 1 : size[name];
            for (int e = 0; e < d; e++)
                if (in[i].label[e] == in[i].label[d]) shape[d] = shape[e];
            seen[name] = true;
        }
        const stria_dtype one = mixed ? any_dtype(&seed, true) : common;
        in[i].array = scattered(&seed, one, ndim, shape, false);
        fill_whole(&seed, &in[i].array.view);
        views[i] = &in[i].array.view;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", i ? "," : "", in[i].label);
        if (i == 0) OK(stria_promote(&dtype, one, one, STRIA_PROMOTE_TORCH));
        else if (stria_promote(&dtype, dtype, one, STRIA_PROMOTE_TORCH) != STRIA_OK) goto end;
    }
    for (int i = 0; i < NAMES; i++) { /* sizes as they are in the operands */
        int64_t most = 1;
        for (int j = 0; j < n; j++)
            for (int d = 0; d < views[j]->ndim; d++)
                if (in[j].label[d] == 'a' + i && (views[j]->shape[d] != 1)) most = size[i];
        size[i] = most;
        if (!seen[i] || random_once(&seed, 2)) continue;
        const int to = (int)random_between(&seed, 0, kept);
        memmove(label + to + 1, label + to, (size_t)(kept - to));
        label[to] = (char)('a' + i);
        kept++;
    }
    label[kept] = 0;
    (void)snprintf(text + used, sizeof text - (size_t)used, "->%s", label);
    define(&expected, dtype, label, size, in, n);
    out = scattered(&seed, dtype, kept, expected.view.shape, true);
    struct pool pool = {0};
    const stria_exec exec = {.threads = (int)random_between(&seed, 0, 3),
                             .hints = random_once(&seed, 2) ? STRIA_REPRODUCIBLE : 0,
                             .run = random_once(&seed, 3) ? pool_run : NULL,
                             .context = &pool};
    compute(&out.view, text, n, views, &exec);
    if (!same_elements(&out.view, &expected.view))
        fail_msg("%s of kind %d, seed %llu", text, dtype.kind, (unsigned long long)begin);
    OK(stria_einsum_new(&made, text, n, views, &exec));
    assert_int_equal(made.view.dtype.kind, dtype.kind);
    assert_true(same_elements(&made.view, &expected.view));
    stria_array_release(&made);
    stria_array_release(&out);
    stria_array_release(&expected);
end:
    for (int i = 0; i < n; i++)
        stria_array_release(&in[i].array);
}

static void test_einsum(void **state)
{
    (void)state;
    const int rounds = sweep_is("full") ? 20000 : 600 / ONE_IN;
    for (int i = 0; i < rounds; i++)
        check_einsum(random_bits_at((uint64_t)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_einsum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
