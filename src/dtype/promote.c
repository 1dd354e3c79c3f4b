/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Promotion by properties instead of by a table of pairs: a dtype's category, and how many bits of
 * integer, fraction and exponent it holds. NumPy's result is the smallest dtype that holds both; in
 * PyTorch's rule the higher category decides alone.
 */
#include "stria/promote.h"

#include "dtype.h"
#include "base/status.h"

enum category { BOOLEAN, UNSIGNED, SIGNED, FLOATING, COMPLEX, OTHER };

static enum category category_of(stria_kind kind)
{
    if (kind == STRIA_BOOL) return BOOLEAN;
    if (kind <= STRIA_I64) return SIGNED;
    if (kind <= STRIA_U64) return UNSIGNED;
    if (kind <= STRIA_F64) return FLOATING;
    return kind <= STRIA_C128 ? COMPLEX : OTHER;
}

static int size_of(stria_kind kind)
{
    return stria_dtype_of(kind).itemsize;
}

/* Tells whether a kind is one of those that PyTorch promotes only with floats. */
static bool is_wide_unsigned(stria_kind kind)
{
    return kind == STRIA_U16 || kind == STRIA_U32 || kind == STRIA_U64;
}

static stria_kind signed_of(int size)
{
    return size <= 1 ? STRIA_I8 : size == 2 ? STRIA_I16 : size == 4 ? STRIA_I32 : STRIA_I64;
}

static stria_kind complex_of(int real_size)
{
    return real_size <= 4 ? STRIA_C64 : STRIA_C128;
}

/* Returns the bytes of a float, or of the halves of a complex number. */
static int real_size(stria_kind kind)
{
    return size_of(real_kind(kind));
}

/*
 * Returns the common dtype of two floats, -1 if there is none. The two 16-bit floats have only f32
 * in common.
 */
static int common_float(stria_kind a, stria_kind b)
{
    if (size_of(a) != size_of(b)) return (int)(size_of(a) > size_of(b) ? a : b);
    return size_of(a) == 2 ? (int)STRIA_F32 : -1;
}

static int torch_integers(stria_kind a, stria_kind b)
{
    const enum category ca = category_of(a), cb = category_of(b);
    if (ca == SIGNED && cb == SIGNED) return (int)(size_of(a) > size_of(b) ? a : b);
    const stria_kind s = ca == SIGNED ? a : b; /* The other one is u8. */
    return (int)(size_of(s) > 1 ? s : STRIA_I16);
}

/* Applies PyTorch's rule; a has the lower category, or the same. */
static int torch_rule(stria_kind a, stria_kind b)
{
    const enum category ca = category_of(a), cb = category_of(b);
    if (is_float8_kind(a) || is_float8_kind(b)) return -1;
    if ((is_wide_unsigned(a) || is_wide_unsigned(b)) && cb != FLOATING) return -1;
    if (ca == BOOLEAN) return (int)b;
    if (is_integer_kind(a)) return is_integer_kind(b) ? torch_integers(a, b) : (int)b;
    if (cb == FLOATING) return common_float(a, b);
    return (int)complex_of(real_size(a) > real_size(b) ? real_size(a) : real_size(b));
}

static int numpy_integers(stria_kind a, stria_kind b)
{
    if (category_of(a) == category_of(b)) return (int)(size_of(a) > size_of(b) ? a : b);
    const stria_kind u = category_of(a) == UNSIGNED ? a : b, s = u == a ? b : a;
    if (size_of(s) > size_of(u)) return (int)s;
    return size_of(u) == 8 ? (int)STRIA_F64 : (int)signed_of(2 * size_of(u));
}

/* Returns the smallest float that is at least as wide as b and holds the integers a. */
static int numpy_integer_float(stria_kind a, stria_kind b)
{
    if (is_float8_kind(b)) return -1;
    const int needed = size_of(a) == 1 ? 2 : size_of(a) == 2 ? 4 : 8;
    if (size_of(b) >= needed) return (int)b;
    return needed == 4 ? (int)STRIA_F32 : (int)STRIA_F64;
}

static int numpy_rule(stria_kind a, stria_kind b)
{
    const enum category ca = category_of(a), cb = category_of(b);
    if (ca == BOOLEAN) return (int)b;
    if (is_integer_kind(a) && is_integer_kind(b)) return numpy_integers(a, b);
    if (is_integer_kind(a) && cb == FLOATING) return numpy_integer_float(a, b);
    if (cb == FLOATING) return common_float(a, b);
    const int needed = is_integer_kind(a) ? (size_of(a) <= 2 ? 4 : 8) : real_size(a);
    return (int)complex_of(needed > real_size(b) ? needed : real_size(b));
}

stria_status stria_promote(stria_dtype *out, stria_dtype a, stria_dtype b, stria_promotion rule)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "promote: out is NULL");
    if (rule != STRIA_PROMOTE_TORCH && rule != STRIA_PROMOTE_NUMPY)
        return stria__fail(STRIA_ERR_ARGUMENT, "promote: there is no rule %d", (int)rule);
    STRIA_TRY(stria__check_dtype(a, "promote"));
    STRIA_TRY(stria__check_dtype(b, "promote"));
    stria_kind low = (stria_kind)a.kind, high = (stria_kind)b.kind;
    const bool strings = low == high && (low == STRIA_BYTES || low == STRIA_UNICODE);
    a.swapped = b.swapped = false;
    if (strings || stria_dtype_equal(a, b)) {
        *out = a.itemsize > b.itemsize ? a : b;
        return STRIA_OK;
    }
    if (category_of(low) > category_of(high)) {
        low = (stria_kind)b.kind;
        high = (stria_kind)a.kind;
    }
    int kind = -1;
    if (low == high && low <= STRIA_C128)
        kind = (int)low;
    else if (category_of(high) != OTHER)
        kind = rule == STRIA_PROMOTE_NUMPY ? numpy_rule(low, high) : torch_rule(low, high);
    if (kind < 0)
        return stria__fail(STRIA_ERR_DTYPE,
                           "promote: %s and %s have no dtype in common; convert one of "
                           "them first",
                           stria__dtype_text(a).text, stria__dtype_text(b).text);
    *out = stria_dtype_of((stria_kind)kind);
    return STRIA_OK;
}
