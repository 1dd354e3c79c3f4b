/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Complex views and lazy bits, by value: each element, read as its view's bits say, is compared
 * with C's own conj, creal and cimag of the input's.
 */
#include <complex.h>
#include <string.h>

#include "stria/complex.h"
#include "stria/view.h"
#include "support/enumerate.h"
#include "support/mapping.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 3000, BYTES = 1 << 14 };

static char memory[BYTES]; /* random numbers that are exact in f32 */

static int fill_memory(void **state)
{
    (void)state;
    uint64_t seed = 70;
    for (size_t i = 0; i < BYTES; i += sizeof(float)) {
        const float number = (float)random_between(&seed, -1000, 1000);
        memcpy(memory + i, &number, sizeof number);
    }
    return 0;
}

static double number_at(const char *at, bool wide)
{
    float narrow;
    double number;
    memcpy(&narrow, at, sizeof narrow);
    memcpy(&number, at, sizeof number);
    return wide ? number : (double)narrow;
}

/* Returns the element that the view stands for: neg(conj(stored)). */
static double complex value(const stria_view *a, const int64_t *index)
{
    const char *at = a->data + offset_of(index, a->ndim, a->strides);
    const bool wide = a->dtype.kind == STRIA_F64 || a->dtype.kind == STRIA_C128;
    double re = number_at(at, wide), im = 0;
    if (stria_dtype_is_complex(a->dtype)) im = number_at(at + a->dtype.itemsize / 2, wide);
    if (stria_dtype_is_complex(a->dtype) && a->flags & STRIA_CONJ) im = -im;
    if (a->flags & STRIA_NEG) {
        re = -re;
        im = -im;
    }
    double complex z; /* not every compiler has CMPLX */
    memcpy(&z, (const double[]){re, im}, sizeof z);
    return z;
}

static bool same_bits(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0 || (x == 0 && y == 0);
}

static void check_value(double complex found, double complex expected)
{
    assert_true(same_bits(creal(found), creal(expected)));
    assert_true(same_bits(cimag(found), cimag(expected)));
}

/* Makes a complex view with gaps, reversed and repeated dims, and any lazy bits. */
static void any_complex(stria_view *out, int min_ndim, int max_ndim, uint64_t *seed)
{
    const stria_dtype dtype = stria_dtype_of(random_once(seed, 2) ? STRIA_C64 : STRIA_C128);
    const int ndim = (int)random_between(seed, min_ndim, max_ndim);
    int64_t shape[4], strides[4];
    for (int d = 0; d < ndim; d++) {
        shape[d] = random_between(seed, 1, 4);
        strides[d] = 4 * random_between(seed, -20, 20);
    }
    ok(stria_view_foreign(out, memory + BYTES / 2, dtype, ndim, shape, strides, 0));
    out->flags = (random_once(seed, 2) ? STRIA_CONJ : 0) | (random_once(seed, 2) ? STRIA_NEG : 0) |
                 (random_once(seed, 2) ? STRIA_READONLY : 0);
}

TEST(test_parts)
{
    uint64_t seed = 71;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, re, im, conjugated, negated;
        int64_t index[STRIA_MAX_NDIM] = {0};
        any_complex(&a, 0, 4, &seed);
        ok(stria_real(&re, &a));
        ok(stria_imag(&im, &a));
        ok(stria_conj(&conjugated, &a));
        ok(stria_neg_view(&negated, &a));
        assert_true(stria_dtype_equal(re.dtype, stria_dtype_real(a.dtype)));
        assert_true(stria_dtype_equal(im.dtype, stria_dtype_real(a.dtype)));
        assert_int_equal((re.flags | im.flags) & STRIA_CONJ, 0);
        assert_int_equal(re.flags & STRIA_READONLY, a.flags & STRIA_READONLY);
        assert_int_equal(im.flags & STRIA_READONLY, a.flags & STRIA_READONLY);
        do {
            const double complex z = value(&a, index);
            check_value(value(&re, index), creal(z));
            check_value(value(&im, index), cimag(z));
            check_value(value(&conjugated, index), conj(z));
            check_value(value(&negated, index), -z);
        } while (next_index(index, a.ndim, a.shape));
        CHECK_IN_PLACE(&re, &a, stria_real(to, from));
        CHECK_IN_PLACE(&im, &a, stria_imag(to, from));
        CHECK_IN_PLACE(&conjugated, &a, stria_conj(to, from));
        /* conjugating twice gives the same view */
        CHECK_IN_PLACE(&a, &conjugated, stria_conj(to, from));
        CHECK_IN_PLACE(&a, &negated, stria_neg_view(to, from));
    }
}

TEST(test_pairs)
{
    uint64_t seed = 72;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, pairs, back;
        int64_t index[STRIA_MAX_NDIM] = {0};
        any_complex(&a, 0, 4, &seed);
        if (a.flags & STRIA_CONJ) {
            CHECK_REFUSED(STRIA_ERR_DTYPE, "resolve_conj", to, stria_view_as_real(to, &a));
            continue;
        }
        ok(stria_view_as_real(&pairs, &a));
        assert_int_equal(pairs.ndim, a.ndim + 1);
        assert_int_equal(pairs.shape[a.ndim], 2);
        do {
            const double complex z = value(&a, index);
            index[a.ndim] = 0;
            check_value(value(&pairs, index), creal(z));
            index[a.ndim] = 1;
            check_value(value(&pairs, index), cimag(z));
            index[a.ndim] = 0;
        } while (next_index(index, a.ndim, a.shape));
        ok(stria_view_as_complex(&back, &pairs));
        check_identical(&back, &a);
        CHECK_IN_PLACE(&pairs, &a, stria_view_as_real(to, from));
        CHECK_IN_PLACE(&a, &pairs, stria_view_as_complex(to, from));
    }
}

TEST(test_conjugate_transposes)
{
    uint64_t seed = 73;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, m, h;
        int64_t index[STRIA_MAX_NDIM] = {0}, swapped[STRIA_MAX_NDIM];
        any_complex(&a, 0, 4, &seed);
        if (a.ndim == 1) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "no matrix", to, stria_matrix_adjoint(to, &a));
            CHECK_REFUSED(STRIA_ERR_SHAPE, "1 dims", to, stria_adjoint(to, &a));
            continue;
        }
        ok(stria_matrix_adjoint(&m, &a));
        CHECK_IN_PLACE(&m, &a, stria_matrix_adjoint(to, from));
        if (a.ndim > 2) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "mH", to, stria_adjoint(to, &a));
        } else {
            ok(stria_adjoint(&h, &a));
            check_identical(&h, &m);
            CHECK_IN_PLACE(&m, &a, stria_adjoint(to, from));
        }
        do {
            memcpy(swapped, index, sizeof swapped);
            if (a.ndim >= 2) {
                swapped[a.ndim - 1] = index[a.ndim - 2];
                swapped[a.ndim - 2] = index[a.ndim - 1];
            }
            check_value(value(&m, swapped), conj(value(&a, index)));
        } while (next_index(index, a.ndim, a.shape));
    }
}

TEST(test_real_dtypes)
{
    stria_view a, out;
    const int64_t shape[] = {3, 2};
    for (int kind = STRIA_BOOL; kind <= STRIA_F64; kind++) {
        const stria_dtype dtype = stria_dtype_of((stria_kind)kind);
        ok(stria_view_foreign(&a, memory, dtype, 2, shape, NULL, 0));
        ok(stria_real(&out, &a));
        check_identical(&out, &a);
        ok(stria_conj(&out, &a));
        check_identical(&out, &a);
        ok(stria_adjoint(&out, &a));
        assert_int_equal(out.flags, 0);
        CHECK_REFUSED(STRIA_ERR_DTYPE, "not complex", to, stria_imag(to, &a));
        CHECK_REFUSED(STRIA_ERR_DTYPE, "not complex", to, stria_view_as_real(to, &a));
        if (kind == STRIA_F32 || kind == STRIA_F64)
            ok(stria_view_as_complex(&out, &a));
        else
            CHECK_REFUSED(STRIA_ERR_DTYPE, "not f32 or f64", to, stria_view_as_complex(to, &a));
        if (kind != STRIA_BOOL)
            ok(stria_neg_view(&out, &a));
        else
            CHECK_REFUSED(STRIA_ERR_DTYPE, "only numbers", to, stria_neg_view(to, &a));
    }
}

TEST(test_view_as_complex_rules)
{
    stria_view a, out;
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    ok(stria_view_foreign(&a, memory, f32, 2, (int64_t[]){3, 3}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "size 2", to, stria_view_as_complex(to, &a));
    ok(stria_view_foreign(&a, memory, f32, 1, (int64_t[]){2}, (int64_t[]){8}, 0));
    CHECK_REFUSED(STRIA_ERR_STRIDE, "8 bytes apart", to, stria_view_as_complex(to, &a));
    ok(stria_view_foreign(&a, memory, f32, 0, NULL, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "()", to, stria_view_as_complex(to, &a));
    /* Rows an odd number of reals apart: refused by PyTorch, whose strides count elements; accepted
     * here. */
    ok(stria_view_foreign(&a, memory + 4, f32, 2, (int64_t[]){3, 2}, (int64_t[]){12, 4}, 0));
    ok(stria_view_as_complex(&out, &a));
    assert_int_equal(out.strides[0], 12);
    assert_int_equal(out.dtype.kind, STRIA_C64);
    /* Byte order is kept, part by part. */
    a.dtype = stria_dtype_swap(a.dtype);
    ok(stria_view_as_complex(&out, &a));
    assert_true(out.dtype.swapped);
    ok(stria_imag(&a, &out));
    assert_true(a.dtype.swapped);
    assert_int_equal(a.dtype.itemsize, 4);
    /* There is no room for another dim; and an empty view's address stays. */
    int64_t ones[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        ones[d] = 1;
    const stria_dtype c64 = stria_dtype_of(STRIA_C64);
    ok(stria_view_foreign(&a, memory, c64, 64, ones, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "64 dims", to, stria_view_as_real(to, &a));
    ok(stria_view_foreign(&a, NULL, c64, 1, (int64_t[]){0}, NULL, 0));
    ok(stria_imag(&out, &a));
    assert_null(out.data);
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_conj(to, NULL));
}

TEST_MAIN(fill_memory, NULL)
