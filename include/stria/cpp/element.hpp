/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of C++ that are elements, and the types of what is computed of them. */
#ifndef STRIA_CPP_ELEMENT_HPP
#define STRIA_CPP_ELEMENT_HPP

#include <cstdint>
#include <type_traits>

#include "../stria.h"

namespace stria
{

/* Elements whose dtype is known at run time alone: array<> and view<>. */
struct any_element;

namespace detail
{

enum category { IS_BOOL, IS_INTEGER, IS_FLOAT, IS_COMPLEX };

inline constexpr int NO_KIND = -1, ANY_KIND = -2;

template <class T> constexpr int kind_of_arithmetic()
{
    constexpr bool sign = std::is_signed_v<T>;
    if (std::is_same_v<T, bool>) return STRIA_BOOL;
    if (std::is_same_v<T, float>) return STRIA_F32;
    if (std::is_same_v<T, double>) return STRIA_F64;
    if (!std::is_integral_v<T>) return NO_KIND;
    switch (sizeof(T)) {
    case 1: return sign ? STRIA_I8 : STRIA_U8;
    case 2: return sign ? STRIA_I16 : STRIA_U16;
    case 4: return sign ? STRIA_I32 : STRIA_U32;
    case 8: return sign ? STRIA_I64 : STRIA_U64;
    default: return NO_KIND;
    }
}

/* The kind of elements of type T; complex.hpp has those of std::complex. */
template <class T> struct element {
    static constexpr int kind = kind_of_arithmetic<T>();
};
template <> struct element<any_element> {
    static constexpr int kind = ANY_KIND;
};
template <class T> struct element<const T> : element<T> {
};

constexpr category category_of(int kind)
{
    return kind == STRIA_BOOL                        ? IS_BOOL
           : kind <= STRIA_U64                       ? IS_INTEGER
           : kind == STRIA_C64 || kind == STRIA_C128 ? IS_COMPLEX
                                                     : IS_FLOAT;
}

/* The type of elements of a kind. */
template <int Kind> struct type_of_kind;
template <> struct type_of_kind<ANY_KIND> {
    using type = any_element;
};
#define STRIA_CPP_TYPE(kind, of)                                                                   \
    template <> struct type_of_kind<kind> {                                                        \
        using type = of;                                                                           \
    };
STRIA_CPP_TYPE(STRIA_BOOL, bool)
STRIA_CPP_TYPE(STRIA_I8, std::int8_t)
STRIA_CPP_TYPE(STRIA_I16, std::int16_t)
STRIA_CPP_TYPE(STRIA_I32, std::int32_t)
STRIA_CPP_TYPE(STRIA_I64, std::int64_t)
STRIA_CPP_TYPE(STRIA_U8, std::uint8_t)
STRIA_CPP_TYPE(STRIA_U16, std::uint16_t)
STRIA_CPP_TYPE(STRIA_U32, std::uint32_t)
STRIA_CPP_TYPE(STRIA_U64, std::uint64_t)
STRIA_CPP_TYPE(STRIA_F32, float)
STRIA_CPP_TYPE(STRIA_F64, double)
#undef STRIA_CPP_TYPE

/* ---- results ------------------------------------------------------------------------------- */

constexpr bool is_signed_kind(int kind)
{
    return kind >= STRIA_I8 && kind <= STRIA_I64;
}

/* PyTorch's common dtype of two, the library's default; NO_KIND where there is none. */
constexpr int promoted(int a, int b)
{
    if (a == b) return a;
    if (a == ANY_KIND || b == ANY_KIND) return ANY_KIND;
    if (category_of(a) > category_of(b)) return promoted(b, a);
    if (category_of(b) == IS_COMPLEX) return a == STRIA_F64 || a == STRIA_C128 ? STRIA_C128 : b;
    if (category_of(b) == IS_FLOAT) return category_of(a) == IS_FLOAT && a > b ? a : b;
    if (a > STRIA_U8 || b > STRIA_U8) return NO_KIND;
    if (category_of(a) == IS_BOOL) return b;
    if (is_signed_kind(a) && is_signed_kind(b)) return a > b ? a : b;
    const int sign = is_signed_kind(a) ? a : b;
    return sign == STRIA_I8 ? STRIA_I16 : sign;
}

/* The last column but one of op.h: how the dtype of a result follows from those of the inputs. */
enum result_rule {
    OP_SAME,
    OP_NUMBER,
    OP_TRUTH,
    OP_TEST,
    OP_LOGIC,
    OP_COUNT,
    OP_REAL,
    OP_ANGLE,
    OP_FLOATING,
    OP_QUOTIENT,
    OP_SCALED,
    OP_WIDE,
    OP_CHOICE
};

#define STRIA_CPP_RULE(constant, name, inputs, dtypes, result, cycles)                             \
    case constant: return result;
constexpr result_rule rule_of(stria_op op)
{
    switch (op) {
        STRIA_OP_LIST(STRIA_CPP_RULE)
    }
    return OP_SAME;
}
#undef STRIA_CPP_RULE

constexpr int real_kind(int kind)
{
    return kind == STRIA_C64 ? STRIA_F32 : kind == STRIA_C128 ? STRIA_F64 : kind;
}

constexpr int floating_kind(int kind)
{
    return kind >= 0 && category_of(kind) < IS_FLOAT ? STRIA_F32 : kind;
}

/* Tells whether operand i of an operation takes part in the common dtype. */
constexpr bool takes_part(result_rule rule, int i, int kind)
{
    return !(rule == OP_CHOICE && i == 0) &&
           !(rule == OP_SCALED && i == 1 && kind >= 0 && category_of(kind) <= IS_INTEGER);
}

/* The kind of the result for inputs of n kinds, to which numbers were converted. */
constexpr int result_kind(stria_op op, int n, const int *kinds)
{
    const result_rule rule = rule_of(op);
    if (rule == OP_TRUTH || rule == OP_TEST || rule == OP_LOGIC) return STRIA_BOOL;
    if (rule == OP_COUNT) return STRIA_U8;
    int common = NO_KIND;
    bool first = true;
    for (int i = 0; i < n; i++) {
        if (!takes_part(rule, i, kinds[i])) continue;
        common = first ? kinds[i] : common == NO_KIND ? NO_KIND : promoted(common, kinds[i]);
        first = false;
    }
    switch (rule) {
    case OP_SCALED:
        return op == STRIA_LDEXP ? floating_kind(common) : common == STRIA_BOOL ? STRIA_I8 : common;
    case OP_NUMBER: return common == STRIA_BOOL ? STRIA_I8 : common;
    case OP_REAL: return real_kind(common);
    case OP_ANGLE: return floating_kind(real_kind(common));
    case OP_FLOATING:
    case OP_QUOTIENT: return floating_kind(common);
    case OP_WIDE:
        return common < 0 ? common : category_of(common) == IS_COMPLEX ? STRIA_C128 : STRIA_F64;
    default: return common;
    }
}

/* The kind that a reduction gives. */
constexpr int reduced_kind(stria_reduction op, int kind)
{
    if (op == STRIA_ALL || op == STRIA_ANY) return STRIA_BOOL;
    if (op == STRIA_ARGMAX || op == STRIA_ARGMIN || op == STRIA_COUNT_NONZERO) return STRIA_I64;
    if (kind == ANY_KIND) return kind;
    const bool whole = category_of(kind) <= IS_INTEGER;
    switch (op) {
    case STRIA_SUM:
    case STRIA_PROD:
    case STRIA_NANSUM:
    case STRIA_NANPROD: return whole ? STRIA_I64 : kind;
    case STRIA_MEAN:
    case STRIA_NANMEAN:
    case STRIA_LOGSUMEXP: return whole ? STRIA_F64 : kind;
    case STRIA_VAR:
    case STRIA_STD:
    case STRIA_NANVAR:
    case STRIA_NANSTD:
    case STRIA_NORM: return whole ? STRIA_F64 : real_kind(kind);
    default: return kind;
    }
}

} // namespace detail

/* Tells whether a type is one of elements: bool, integers, float, double, complex of the two. */
template <class T> inline constexpr bool is_element_v = detail::element<T>::kind >= 0;

/* The kind of the elements that are of type T, which may be const. */
template <class T> constexpr stria_kind kind_of()
{
    static_assert(is_element_v<T>, "elements are bool, integers, float, double, or std::complex of "
                                   "the two with stria/complex.hpp");
    return static_cast<stria_kind>(detail::element<T>::kind);
}

template <class T> stria_dtype dtype_of() noexcept
{
    return stria_dtype_of(kind_of<T>());
}

} // namespace stria

#endif
