/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contractions against their definition, the sum of products over all indices: of small whole
 * numbers, which every order sums exactly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/indices.h"
#include "support/items.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/scattered.h"
#include "support/slow.h"
#include "support/by_value.h"
#include "support/test.h"

enum { MOST = 4, NAMES = 7 };

/* ---- operands -------------------------------------------------------------------------------- */

static stria_dtype any_dtype(uint64_t *seed, bool mixed)
{
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_U8,   STRIA_I8,   STRIA_I16, STRIA_I32,
                                       STRIA_I64,  STRIA_F16,  STRIA_BF16, STRIA_F32, STRIA_F64,
                                       STRIA_C64,  STRIA_C128, STRIA_U16,  STRIA_U32, STRIA_U64};
    stria_dtype dtype = stria_dtype_of(kinds[random_between(seed, 0, mixed ? 11 : 14)]);
    if (random_once(seed, 9)) dtype = stria_dtype_swap(dtype);
    return dtype;
}

/* ---- the definition -------------------------------------------------------------------------- */

struct number {
    int64_t whole; /* value of integers and bools */
    double re, im;
};

static struct number number_at(const stria_view *a, const int64_t *index)
{
    struct number n = {0};
    double x[2] = {0};
    stria_view item, value;
    const bool exact = a->dtype.kind < STRIA_F8E4M3;
    ok(stria_view_foreign(&item, address(a, index), a->dtype, 0, NULL, NULL, STRIA_READONLY));
    item.flags |= a->flags & (STRIA_CONJ | STRIA_NEG);
    ok(stria_view_foreign(&value, exact ? (void *)&n.whole : x,
                          stria_dtype_of(exact ? STRIA_I64 : STRIA_C128), 0, NULL, NULL, 0));
    ok(stria_copy(&value, &item, NULL));
    n.re = exact ? (double)n.whole : x[0];
    n.im = x[1];
    return n;
}

struct operand {
    stria_array array;
    char label[STRIA_MAX_NDIM + 1];
};

/* Computes an operand's index from the labels' indices; a label's size may be 1 in some
 * operands. */
static void index_of(int64_t *index, const stria_view *v, const char *label, const int64_t *at)
{
    for (int d = 0; d < v->ndim; d++)
        index[d] = v->shape[d] == 1 ? 0 : at[label[d] - 'a'];
}

/* Sums into dense i64 or c128 in the order of the result's dims, then converts to its dtype. */
static void define(stria_array *out, stria_dtype dtype, const char *label, const int64_t *size,
                   const struct operand *in, int n)
{
    const int ndim = (int)strlen(label);
    int64_t shape[STRIA_MAX_NDIM], at[NAMES] = {0};
    const bool exact = dtype.kind < STRIA_F8E4M3, truth = dtype.kind == STRIA_BOOL;
    RELEASED stria_array sums = {0};
    for (int d = 0; d < ndim; d++)
        shape[d] = size[label[d] - 'a'];
    ok(stria_zeros(&sums, stria_dtype_of(exact ? STRIA_I64 : STRIA_C128), ndim, shape));
    ok(stria_zeros(out, dtype, ndim, shape));
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
    ok(stria_copy(&out->view, &sums.view, NULL));
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
        /* Single numbers weigh less in type promotion. */
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
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "%s%s", i ? "," : "", in[i].label);
        if (i == 0)
            ok(stria_promote(&dtype, one, one, STRIA_PROMOTE_TORCH));
        else if (stria_promote(&dtype, dtype, one, STRIA_PROMOTE_TORCH) != STRIA_OK)
            goto end;
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
    ok(stria_einsum_new(&made, text, n, views, &exec));
    assert_int_equal(made.view.dtype.kind, dtype.kind);
    assert_true(same_elements(&made.view, &expected.view));
    stria_array_release(&made);
    stria_array_release(&out);
    stria_array_release(&expected);
end:
    for (int i = 0; i < n; i++)
        stria_array_release(&in[i].array);
}

TEST(test_einsum)
{
    const int rounds = sweep_is("full") ? 20000 : 600 / ONE_IN;
    for (int i = 0; i < rounds; i++)
        check_einsum(random_bits_at((uint64_t)i));
}

/* ---- matmul, tensordot, outer ---------------------------------------------------------------- */

/* Compares with einsum, which test_einsum compares with the definition. */
static void expect_einsum(const stria_array *made, const char *text, const stria_array *a,
                          const stria_array *b)
{
    RELEASED stria_array expected = {0};
    const stria_view *const operands[] = {&a->view, &b->view};
    ok(stria_einsum_new(&expected, text, 2, operands, NULL));
    if (!same_elements(&made->view, &expected.view)) fail_msg("%s", text);
}

TEST(test_matmul)
{
    uint64_t seed = 5;
    static const struct {
        const char *text;
        int na, nb;
        int64_t a[4], b[4];
    } cases[] = {
        {"ij,jk->ik", 2, 2, {3, 4}, {4, 5}},
        {"j,jk->k", 1, 2, {4}, {4, 5}},
        {"ij,j->i", 2, 1, {3, 4}, {4}},
        {"j,j->", 1, 1, {4}, {4}},
        {"bij,jk->bik", 3, 2, {2, 3, 4}, {4, 5}},
        {"ij,bjk->bik", 2, 3, {3, 4}, {2, 4, 5}},
        {"abij,abjk->abik", 4, 4, {2, 1, 3, 4}, {1, 3, 4, 5}},
        {"abij,j->abi", 4, 1, {2, 2, 3, 4}, {4}},
        {"j,abjk->abk", 1, 4, {4}, {2, 2, 4, 3}},
        {"ij,jk->ik", 2, 2, {3, 0}, {0, 5}},
        {"bij,bjk->bik", 3, 3, {0, 3, 4}, {1, 4, 5}},
        {"ij,jk->ik", 2, 2, {90, 300}, {300, 70}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = STRIA_F32; kind <= STRIA_C128; kind++) {
            stria_array a = whole(&seed, (stria_kind)kind, cases[i].na, cases[i].a), made = {0},
                        b = whole(&seed, (stria_kind)kind, cases[i].nb, cases[i].b), into = {0};
            ok(stria_matmul_new(&made, &a.view, &b.view, NULL));
            expect_einsum(&made, cases[i].text, &a, &b);
            ok(stria_empty_ordered(&into, made.view.dtype, made.view.ndim, made.view.shape,
                                   STRIA_ORDER_F));
            ok(stria_matmul(&into.view, &a.view, &b.view, NULL));
            assert_true(same_elements(&into.view, &made.view));
            stria_array_release(&a);
            stria_array_release(&b);
            stria_array_release(&made);
            stria_array_release(&into);
        }
}

/* A matrix times itself, transposed, of which a BLAS computes one half. */
TEST(test_itself)
{
    uint64_t seed = 6;
    static const int64_t shapes[][2] = {{40, 70}, {150, 33}, {33, 200}, {5, 90}};
    const stria_exec defined = {.hints = STRIA_REPRODUCIBLE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int kind = STRIA_F32; kind <= STRIA_C128; kind++) {
            stria_array a = whole(&seed, (stria_kind)kind, 2, shapes[i]), made[2] = {{0}, {0}};
            stria_view turned;
            ok(stria_transpose_2d(&turned, &a.view));
            for (int first = 0; first < 2; first++) {
                const stria_view *const x = first ? &turned : &a.view;
                const stria_view *const y = first ? &a.view : &turned;
                ok(stria_matmul_new(&made[0], x, y, NULL));
                ok(stria_matmul_new(&made[1], x, y, &defined));
                assert_true(same_elements(&made[0].view, &made[1].view));
            }
            stria_array_release(&a);
            stria_array_release(&made[0]);
            stria_array_release(&made[1]);
        }
}

TEST(test_tensordot)
{
    uint64_t seed = 6;
    stria_array a = WHOLE(&seed, STRIA_F64, 3, 4, 5), b = WHOLE(&seed, STRIA_F64, 5, 3, 2),
                made = {0}, v = WHOLE(&seed, STRIA_F64, 7);
    ok(stria_tensordot_new(&made, &a.view, &b.view, 2, (int[]){2, 0}, (int[]){0, 1}, NULL));
    expect_einsum(&made, "iaj,jik->ak", &a, &b);
    ok(stria_tensordot(&made.view, &a.view, &b.view, 2, (int[]){-3, -1}, (int[]){-2, 0}, NULL));
    expect_einsum(&made, "iaj,jik->ak", &a, &b);
    ok(stria_outer_new(&made, &a.view, &v.view, NULL));
    expect_einsum(&made, "abc,d->abcd", &a, &v);
    ok(stria_outer(&made.view, &a.view, &v.view, NULL));
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&v);
    stria_array_release(&made);
}

/* The output may be an operand, or a part of one. */
TEST(test_overlap)
{
    uint64_t seed = 7;
    stria_array a = WHOLE(&seed, STRIA_F32, 40, 40), copy = {0}, expected = {0};
    stria_view turned;
    ok(stria_clone_new(&copy, &a.view, NULL));
    ok(stria_matmul_new(&expected, &a.view, &a.view, NULL));
    const stria_exec exec = {.hints = STRIA_NO_OVERLAP};
    assert_int_equal(stria_matmul(&a.view, &a.view, &a.view, &exec), STRIA_ERR_OVERLAP);
    assert_true(same_elements(&a.view, &copy.view));
    ok(stria_reverse_dims(&turned, &a.view));
    ok(stria_matmul(&turned, &a.view, &a.view, NULL));
    assert_true(same_elements(&turned, &expected.view));
    stria_array_release(&a);
    stria_array_release(&copy);
    stria_array_release(&expected);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST(test_bad)
{
    uint64_t seed = 10;
    stria_array a = WHOLE(&seed, STRIA_F32, 2, 3), b = WHOLE(&seed, STRIA_F32, 3, 4), made = {0},
                e = {0}, s = {0};
    const stria_view *const ab[] = {&a.view, &b.view};
    ok(stria_empty(&e, stria_dtype_of(STRIA_F8E4M3), 2, (int64_t[]){3, 3}));
    ok(stria_empty(&s, stria_dtype_of(STRIA_F32), 0, NULL));
    static const struct {
        const char *text, *words;
        stria_status status;
    } cases[] = {
        {"ij,jk->ij,", "place 9", STRIA_ERR_ARGUMENT},
        {"ij,jk->il", "place 8: 'l' is in no operand", STRIA_ERR_ARGUMENT},
        {"ij,jk->ii", "place 8: 'i' is twice in the result", STRIA_ERR_ARGUMENT},
        {"ij,j1", "place 4", STRIA_ERR_ARGUMENT},
        {"ij", "fewer operands than the 2 given", STRIA_ERR_ARGUMENT},
        {"ij,jk,kl", "more operands than the 2 given", STRIA_ERR_ARGUMENT},
        {"ijk,jk", "3 letters for an operand of 2 dims", STRIA_ERR_SHAPE},
        {"i,jk", "1 letter for an operand of 2 dims", STRIA_ERR_SHAPE},
        {"i...j...,jk", "a second", STRIA_ERR_ARGUMENT},
        {"ij,ik->jk", "'i' has 2 elements in operand 0 and 3 in dim 0 of operand 1",
         STRIA_ERR_SHAPE},
        {"...j,jk->k", "lacks the \"...\"", STRIA_ERR_ARGUMENT},
        {"ij,jk-ik", "place 5", STRIA_ERR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused(stria_einsum_new(&made, cases[i].text, 2, ab, NULL), cases[i].status,
                cases[i].words);
    refused(stria_einsum_new(&made, NULL, 2, ab, NULL), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_einsum_new(&made, "ij,jk", 2, NULL, NULL), STRIA_ERR_ARGUMENT,
            "operands is NULL");
    refused(stria_einsum_new(&made, "", 0, ab, NULL), STRIA_ERR_ARGUMENT, "0 operands");
    refused(stria_matmul_new(&made, &a.view, &a.view, NULL), STRIA_ERR_SHAPE, "3 columns");
    refused(stria_matmul_new(&made, &s.view, &a.view, NULL), STRIA_ERR_SHAPE, "0 dims");
    refused(stria_matmul_new(&made, &a.view, &e.view, NULL), STRIA_ERR_DTYPE, "8-bit");
    refused(stria_matmul(&a.view, &a.view, &b.view, NULL), STRIA_ERR_SHAPE, "(2, 4)");
    refused(stria_tensordot_new(&made, &a.view, &b.view, 1, (int[]){0}, (int[]){0}, NULL),
            STRIA_ERR_SHAPE, "dim 0 of a has 2 elements");
    refused(stria_tensordot_new(&made, &a.view, &b.view, 1, (int[]){2}, (int[]){0}, NULL),
            STRIA_ERR_DIM, "dim 2");
    char text[256];
    refused(stria_einsum_explain(text, 0, NULL, &a.view, "ij->ij", 1, ab, NULL), STRIA_ERR_ARGUMENT,
            "room");
    assert_null(made.owned);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&e);
    stria_array_release(&s);
}

/* Empty sums are +0 in every dtype, and a sum of no elements over kept empty dims is empty. */
TEST(test_empty)
{
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_I8,  STRIA_U64, STRIA_F16,
                                       STRIA_F32,  STRIA_F64, STRIA_C64, STRIA_C128};
    uint64_t seed = 13;
    for (int k = 0; k < 8 * 2; k++) {
        const stria_exec exec = {.hints = k % 2 ? STRIA_REPRODUCIBLE : 0};
        stria_array a = WHOLE(&seed, kinds[k / 2], 2, 0), b = WHOLE(&seed, kinds[k / 2], 0, 3),
                    c = WHOLE(&seed, kinds[k / 2], 2, 3), none = {0}, zeros = {0};
        const stria_view *const ab[] = {&a.view, &b.view};
        ok(stria_zeros(&zeros, c.view.dtype, 2, c.view.shape));
        for (int way = 0; way < 3; way++) {
            memset(c.view.data, 1, (size_t)stria_nbytes(&c.view));
            ok(way == 0 ? stria_matmul(&c.view, &a.view, &b.view, &exec)
               : way == 1
                   ? stria_einsum(&c.view, "ij,jk->ik", 2, ab, &exec)
                   : stria_tensordot(&c.view, &a.view, &b.view, 1, (int[]){1}, (int[]){0}, &exec));
            assert_memory_equal(c.view.data, zeros.view.data, (size_t)stria_nbytes(&c.view));
        }
        refused(stria_matmul_new(&none, &b.view, &b.view, &exec), STRIA_ERR_SHAPE, "3 columns");
        stria_view batch_a, batch_b;
        ok(stria_broadcast_to(&batch_a, &c.view, 3, (int64_t[]){0, 2, 3}));
        ok(stria_matrix_transpose(&batch_b, &batch_a));
        ok(stria_matmul_new(&none, &batch_a, &batch_b, &exec));
        assert_true(none.view.ndim == 3 && none.view.shape[0] == 0 && none.view.shape[2] == 2);
        stria_array *const all[] = {&a, &b, &c, &none, &zeros};
        for (int i = 0; i < 5; i++)
            stria_array_release(all[i]);
    }
}

/* Outputs that cannot be written, and dtypes without a common one, are refused and nothing is
 * written. */
TEST(test_outputs)
{
    float x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8}, z[4] = {9, 9, 9, 9};
    int32_t n[4] = {1, 2, 3, 4};
    int64_t whole[4] = {9, 9, 9, 9}, days[4] = {0};
    const stria_view a = OF(x, F32, 2, 2), b = OF(y, F32, 2, 2), i = OF(n, I32, 2, 2),
                     out = OF(z, F32, 2, 2), to = OF(whole, I64, 2, 2),
                     readonly = readonly_of(&out);
    stria_view same = OF(z, F32, 1, 1), date = OF(days, I64, 2, 2);
    ok(stria_dtype_parse(&date.dtype, "M8[s]"));
    ok(stria_expand(&same, &same, 2, out.shape));
    refused(stria_matmul(&readonly, &a, &b, NULL), STRIA_ERR_READONLY, "out");
    refused(stria_matmul(&same, &a, &b, NULL), STRIA_ERR_OVERLAP, "out");
    refused(stria_matmul(&to, &a, &b, NULL), STRIA_ERR_DTYPE, "does not cast to out's dtype i64");
    refused(stria_matmul(&out, &a, &date, NULL), STRIA_ERR_DTYPE, "M8");
    refused(stria_einsum(&out, "ij,jk->ik", 2, (const stria_view *[]){&date, &date}, NULL),
            STRIA_ERR_DTYPE, "M8");
    refused(stria_matmul(&a, &a, &b, &(stria_exec){.hints = STRIA_NO_OVERLAP}), STRIA_ERR_OVERLAP,
            "STRIA_NO_OVERLAP");
    assert_true(z[0] == 9 && z[3] == 9 && whole[0] == 9 && x[0] == 1 && x[3] == 4);
    ok(stria_matmul(&out, &i, &b, NULL)); /* the operands are promoted */
    assert_true(z[0] == 19 && z[1] == 22 && z[2] == 43 && z[3] == 50);
    ok(stria_matmul(&a, &a, &b, NULL)); /* the result is as if a were copied first */
    assert_true(x[0] == 19 && x[1] == 22 && x[2] == 43 && x[3] == 50);
}

/* Each allocation fails once: nothing is left behind, and nothing leaks. */
TEST(test_no_memory)
{
    uint64_t seed = 11;
    stria_array a = WHOLE(&seed, STRIA_F16, 40, 50), b = WHOLE(&seed, STRIA_F16, 50, 30),
                c = WHOLE(&seed, STRIA_F16, 30, 8), made = {0};
    const stria_view *const operands[] = {&a.view, &b.view, &c.view};
    for (int64_t fail_at = 1; fail_at > 0; fail_at++) {
        counting_begin(fail_at);
        const stria_status status = stria_einsum_new(&made, "ij,jk,kl->il", 3, operands, NULL);
        const bool done = allocation_counts.calls < fail_at;
        stria_array_release(&made);
        assert_int_equal(allocation_counts.live, 0);
        counting_end();
        assert_int_equal(status, done ? STRIA_OK : STRIA_ERR_MEMORY);
        if (done) break;
    }
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&c);
}

TEST(test_explain)
{
    uint64_t seed = 12;
    char text[512];
    stria_array a = WHOLE(&seed, STRIA_F32, 40, 50), b = WHOLE(&seed, STRIA_F32, 50, 30),
                c = WHOLE(&seed, STRIA_F32, 40, 30), d = WHOLE(&seed, STRIA_F32, 30, 30);
    const stria_view *const operands[] = {&a.view, &b.view, &d.view};
    const stria_exec exec = {.hints = STRIA_REPRODUCIBLE};
    ok(stria_einsum_explain(text, sizeof text, NULL, &c.view, "ij,jk->ik", 2, operands, &exec));
    assert_non_null(strstr(text, "40 x 50 x 30 (rows, summed, columns) in f32"));
    assert_non_null(strstr(text, "by Stria's kernels"));
    ok(stria_einsum_explain(text, sizeof text, NULL, &c.view, "ij,jk,kl->il", 3, operands, &exec));
    assert_non_null(strstr(text, "; then "));
    ok(stria_einsum_explain(text, 8, NULL, &c.view, "ij,jk->ik", 2, operands, &exec));
    assert_int_equal(strlen(text), 7);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&c);
    stria_array_release(&d);
}

static void assert_values(const stria_view *a, const stria_view *b)
{
    stria_array x = {0}, y = {0};
    ok(stria_clone_ordered_new(&x, a, STRIA_ORDER_C, NULL));
    ok(stria_clone_ordered_new(&y, b, STRIA_ORDER_C, NULL));
    assert_int_equal(stria_numel(&x.view), stria_numel(&y.view));
    assert_memory_equal(x.view.data, y.view.data, (size_t)stria_nbytes(&y.view));
    stria_array_release(&x);
    stria_array_release(&y);
}

/* Asserts that the product is that of the defined order, in any layout and on several threads. */
static void assert_product(const stria_view *a, const stria_view *b)
{
    const stria_exec defined = {.hints = STRIA_REPRODUCIBLE, .threads = 1},
                     several = {.threads = 3};
    stria_array right = {0}, made = {0}, wide = {0};
    stria_view every;
    ok(stria_matmul_new(&right, a, b, &defined));
    for (int i = 0; i < 2; i++) {
        ok(stria_matmul_new(&made, a, b, i ? &several : NULL));
        assert_values(&made.view, &right.view);
    }
    int64_t shape[2] = {right.view.shape[0], right.view.ndim > 1 ? right.view.shape[1] : 1};
    shape[right.view.ndim - 1] *= 2;
    ok(stria_empty(&wide, right.view.dtype, right.view.ndim, shape));
    ok(stria_slice(&every, &wide.view, right.view.ndim - 1, 0, shape[right.view.ndim - 1], 2));
    ok(stria_matmul(&every, a, b, NULL));
    assert_values(&every, &right.view);
    stria_array_release(&right);
    stria_array_release(&made);
    stria_array_release(&wide);
}

/* Matrices with vectors, large and small, and with few rows. */
TEST(test_vectors)
{
    static const int64_t sizes[][2] = {{303, 405}, {7, 300}, {300, 7}, {129, 256}, {2, 5000}};
    uint64_t seed = 13;
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const int64_t m = sizes[i / 2][0], n = sizes[i / 2][1];
        const stria_kind kind = i % 2 ? STRIA_F64 : STRIA_F32;
        stria_array a = WHOLE(&seed, kind, m, n), x = WHOLE(&seed, kind, n),
                    y = WHOLE(&seed, kind, m), far = WHOLE(&seed, kind, 2 * n);
        stria_view turned, every;
        ok(stria_matrix_transpose(&turned, &a.view));
        ok(stria_slice(&every, &far.view, 0, 0, 2 * n, 2));
        assert_product(&a.view, &x.view);
        assert_product(&a.view, &every);
        assert_product(&y.view, &a.view);
        assert_product(&every, &turned);
        assert_product(&turned, &y.view);
        stria_array_release(&a);
        stria_array_release(&x);
        stria_array_release(&y);
        stria_array_release(&far);
    }
    stria_array few = WHOLE(&seed, STRIA_F64, 9, 700), many = WHOLE(&seed, STRIA_F64, 700, 1600);
    assert_product(&few.view, &many.view);
    stria_array_release(&few);
    stria_array_release(&many);
}

TEST_MAIN(NULL, NULL)
