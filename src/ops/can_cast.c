/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NumPy's casting rules, derived from what the formats can hold instead of from a table of pairs,
 * so that a new format is one line.
 */
#include "stria/cast.h"

#include "dtype/dtype.h"

enum rank { BOOL, UNSIGNED, SIGNED, FLOAT, COMPLEX };

/*
 * Values of a dtype: an integer has `digits` bits for its magnitude. A float holds integers of so
 * many bits, in steps of down to 2^lowest and up to 2^highest.
 */
struct range {
    int rank, digits, lowest, highest;
};

static const struct range ranges[] = {
    [STRIA_BOOL] = {BOOL, 1, 0, 0},
    [STRIA_I8] = {SIGNED, 7, 0, 0},
    [STRIA_I16] = {SIGNED, 15, 0, 0},
    [STRIA_I32] = {SIGNED, 31, 0, 0},
    [STRIA_I64] = {SIGNED, 63, 0, 0},
    [STRIA_U8] = {UNSIGNED, 8, 0, 0},
    [STRIA_U16] = {UNSIGNED, 16, 0, 0},
    [STRIA_U32] = {UNSIGNED, 32, 0, 0},
    [STRIA_U64] = {UNSIGNED, 64, 0, 0},
    [STRIA_F8E4M3] = {FLOAT, 4, -9, 9},
    [STRIA_F8E5M2] = {FLOAT, 3, -16, 16},
    [STRIA_F16] = {FLOAT, 11, -24, 16},
    [STRIA_BF16] = {FLOAT, 8, -133, 128},
    [STRIA_F32] = {FLOAT, 24, -149, 128},
    [STRIA_F64] = {FLOAT, 53, -1074, 1024},
    [STRIA_C64] = {COMPLEX, 24, -149, 128},
    [STRIA_C128] = {COMPLEX, 53, -1074, 1024},
};

static bool holds(struct range to, struct range from)
{
    if (from.rank == BOOL) return true;
    if (to.rank < from.rank) return false;
    if (to.rank <= SIGNED) return to.digits >= from.digits;
    /* 64-bit integers lose digits in f64, and are safe all the same in NumPy. */
    if (from.rank <= SIGNED) return to.digits >= from.digits || to.digits == 53;
    return to.digits >= from.digits && to.lowest <= from.lowest && to.highest >= from.highest;
}

bool stria_can_cast(stria_dtype from, stria_dtype to, stria_cast_policy policy)
{
    if (!stria__dtype_is_valid(from) || !stria__dtype_is_valid(to)) return false;
    stria_dtype native = from;
    native.swapped = to.swapped;
    if (policy == STRIA_CAST_NO) return stria_dtype_equal(from, to);
    if (stria_dtype_equal(native, to)) return true;
    if (policy == STRIA_CAST_EQUIV || from.kind > STRIA_C128 || to.kind > STRIA_C128) return false;
    const struct range a = ranges[from.kind], b = ranges[to.kind];
    switch (policy) {
    case STRIA_CAST_SAFE: return holds(b, a);
    case STRIA_CAST_SAME_KIND: return b.rank >= a.rank;
    default: return true;
    }
}
