/* SPDX-License-Identifier: BSD-3-Clause */
/* Single items of any dtype, by conversions that their own tests check, and arrays of them. */
#pragma once

#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/cmocka.h"
#include "support/indices.h"
#include "support/random.h"

/* Converts a value from any kind to any other by stria_copy, whose own tests check it. */
static inline void convert(const void *from, stria_kind from_kind, void *to, stria_kind to_kind)
{
    stria_view out, in;
    assert_int_equal(stria_view_foreign(&out, to, stria_dtype_of(to_kind), 0, NULL, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_view_foreign(&in, (void *)(uintptr_t)from, stria_dtype_of(from_kind), 0,
                                        NULL, NULL, STRIA_READONLY),
                     STRIA_OK);
    assert_int_equal(stria_copy(&out, &in, NULL), STRIA_OK);
}

static inline void convert_item(const char *item, stria_dtype dtype, void *to, stria_kind to_kind)
{
    stria_view out, in;
    assert_int_equal(stria_view_foreign(&out, to, stria_dtype_of(to_kind), 0, NULL, NULL, 0),
                     STRIA_OK);
    assert_int_equal(
        stria_view_foreign(&in, (void *)(uintptr_t)item, dtype, 0, NULL, NULL, STRIA_READONLY),
        STRIA_OK);
    assert_int_equal(stria_copy(&out, &in, NULL), STRIA_OK);
}

/* Fills with numbers of similar size, so that sums lose none of them; now and then special ones. */
static inline void fill_numbers(uint64_t *seed, const stria_view *a)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    const bool special = random_once(seed, 4);
    static const double specials[] = {0.0, -0.0, 1e300, -1e300, 1e-310, HUGE_VAL, NAN};
    if (stria_numel(a) == 0) return;
    do {
        double x = ldexp((double)(int64_t)random_bits(seed), -60);
        if (special && random_once(seed, 300)) x = specials[random_bits(seed) % 7];
        if (special && random_once(seed, 3)) x = trunc(x);
        stria_view item, value;
        assert_int_equal(stria_view_foreign(&item, address(a, index), a->dtype, 0, NULL, NULL, 0),
                         STRIA_OK);
        assert_int_equal(stria_view_foreign(&value, &x, stria_dtype_of(STRIA_F64), 0, NULL, NULL,
                                            STRIA_READONLY),
                         STRIA_OK);
        assert_int_equal(stria_copy(&item, &value, NULL), STRIA_OK);
    } while (next(index, a));
}

/* Fills integers with any bits and floats with finite numbers, since the bits of NaN are not
 * defined. */
static inline void fill_finite(uint64_t *seed, const stria_view *a)
{
    const bool is_float = a->dtype.kind == STRIA_F32 || a->dtype.kind == STRIA_F64;
    const int64_t item = a->dtype.itemsize;
    fill_numbers(seed, a);
    for (int64_t i = 0; is_float && i < stria_numel(a); i++) {
        const double wide = ldexp((double)(int64_t)random_bits(seed), -62);
        const float narrow = (float)wide;
        memcpy(a->data + i * item, item == 8 ? (const void *)&wide : &narrow, (size_t)item);
    }
}
