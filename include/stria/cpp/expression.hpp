/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions: what operators and functions of elements record. The type of an expression has its
 * program, one code for each node in postfix order, and an object of it has the leaves, counted
 * nodes and numbers. Each type keeps one stria_expr, made at its first evaluation, which keeps the
 * layouts that it was evaluated with; numbers are inputs of it, so that others cost nothing.
 */
#ifndef STRIA_CPP_EXPRESSION_HPP
#define STRIA_CPP_EXPRESSION_HPP

#include "handle.hpp"

namespace stria
{

template <class E = any_element> class array;
template <class E = any_element> class view;
template <class E, class Code> class expression;

namespace detail
{

/* ---- programs ------------------------------------------------------------------------------- */

/* A code is the number of an operation, or one of these. */
inline constexpr short CODE_HELD = -1, CODE_NUMBER = -2, CODE_CAST = 1000; /* and the kind */

template <short... C> struct code {
    static constexpr short list[sizeof...(C)] = {C...};
    static constexpr int length = sizeof...(C);
    static constexpr int numbers = (static_cast<int>(C == CODE_NUMBER) + ...);
    static constexpr int leaves = (static_cast<int>(C < 0) + ...);
};

template <short Op, short... A> code<A..., Op> coded(code<A...>);
template <short Op, short... A, short... B> code<A..., B..., Op> coded(code<A...>, code<B...>);
template <short Op, short... A, short... B, short... C>
code<A..., B..., C..., Op> coded(code<A...>, code<B...>, code<C...>);

struct program {
    std::atomic<stria_expr *> made;
    const short *code;
    int length;
};

/* One for each type of expression. It is never freed, as other threads may be evaluating it. */
template <class E, class Code> inline program program_of{{nullptr}, Code::list, Code::length};

inline stria_status program_put(stria_expr *e, int *out, int code, int *input, const int *operands,
                                int count)
{
    if (code < 0) return stria_expr_input(e, out, (*input)++);
    if (code >= CODE_CAST)
        return stria_expr_cast(e, out, operands[0], static_cast<stria_kind>(code - CODE_CAST));
    return stria_expr_op(e, out, static_cast<stria_op>(code), count, operands);
}

STRIA_CPP_COLD inline const stria_expr *program_made(program &p)
{
    stria_expr *e = nullptr, *none = nullptr;
    int stack[STRIA_EXPR_INPUTS], height = 0, input = 0;
    stria_status status = stria_expr_make(&e);
    for (int i = 0; i < p.length && status == STRIA_OK; i++) {
        const int c = p.code[i];
        const int takes = c < 0            ? 0
                          : c >= CODE_CAST ? 1
                                           : stria_op_inputs(static_cast<stria_op>(c));
        height -= takes;
        int node;
        status = program_put(e, &node, c, &input, stack + height, takes);
        stack[height++] = node;
    }
    if (status == STRIA_OK && p.made.compare_exchange_strong(none, e, std::memory_order_acq_rel))
        return e;
    stria_expr_release(e);
    check(status);
    return none;
}

/* ---- leaves --------------------------------------------------------------------------------- */

struct leaf {
    node *held; /* NULL: a number */
    unsigned char kind;
    bool weak;
    alignas(16) unsigned char value[16];
};

/* The array that a leaf is, or a 0-d view of its number that is made in `room`. */
inline const stria_view *view_of(const leaf &l, stria_view *room) noexcept
{
    if (l.held) return &l.held->a.view;
    room->data = const_cast<char *>(reinterpret_cast<const char *>(l.value));
    room->buffer = nullptr;
    room->dtype = stria_dtype_of(static_cast<stria_kind>(l.kind));
    room->flags = l.weak ? STRIA_READONLY | STRIA_WEAK : STRIA_READONLY;
    room->ndim = 0;
    return room;
}

/* A program and its leaves, some of which are numbers: an expression, whatever its type. */
struct evaluation {
    program *of;
    const leaf *leaves;
    int count, numbers;
};

/* The inputs of an evaluation with less than `Numbers` numbers. */
template <std::size_t Numbers> struct gathered {
    const stria_view *views[STRIA_EXPR_INPUTS];
    stria_view numbers[Numbers];
    explicit gathered(const evaluation &e) noexcept
    {
        int number = 0;
        for (int i = 0; i < e.count; i++) {
            views[i] = view_of(e.leaves[i], &numbers[number]);
            if (!e.leaves[i].held) number++;
        }
    }
};

/* Calls f with the kept expression of an evaluation and its inputs. */
template <std::size_t Numbers, class F> stria_status with_inputs_of(const evaluation &e, F &&f)
{
    const gathered<Numbers> in(e);
    const stria_expr *kept = e.of->made.load(std::memory_order_acquire);
    if (!kept) kept = program_made(*e.of);
    return f(kept, in.views);
}

/* Evaluates into a view, or into a new array where that is NULL. */
STRIA_CPP_NOINLINE inline stria_status evaluate(const evaluation &e, const stria_view *out,
                                                stria_array *made)
{
    const auto call = [&](const stria_expr *kept, const stria_view *const *views) {
        return out ? stria_expr_evaluate(out, kept, e.count, views, exec())
                   : stria_expr_evaluate_new(made, kept, e.count, views, exec());
    };
    return e.numbers < 4 ? with_inputs_of<4>(e, call)
                         : with_inputs_of<STRIA_EXPR_INPUTS + 1>(e, call);
}

inline handle evaluated(const evaluation &e)
{
    return made([&](stria_array *out) { return evaluate(e, nullptr, out); });
}

/* Reduces into a view, or into a new array where that is NULL. */
STRIA_CPP_NOINLINE inline stria_status reduce(const evaluation &e, const stria_view *out,
                                              stria_array *made, stria_reduction op,
                                              const dims &over, const stria_reduce_options &options)
{
    const auto call = [&](const stria_expr *kept, const stria_view *const *views) {
        return out ? stria_expr_reduce(out, kept, op, e.count, views, over.count(), over.data(),
                                       &options, exec())
                   : stria_expr_reduce_new(made, kept, op, e.count, views, over.count(),
                                           over.data(), &options, exec());
    };
    return e.numbers < 4 ? with_inputs_of<4>(e, call)
                         : with_inputs_of<STRIA_EXPR_INPUTS + 1>(e, call);
}

/*
 * Tells whether the shape to which leaves broadcast is that of a view: all of them broadcast to it,
 * and one of them has it.
 */
inline bool has_shape_of(const evaluation &e, const stria_view *to) noexcept
{
    bool equal = false;
    for (int i = 0; i < e.count; i++) {
        if (!e.leaves[i].held) continue;
        const stria_view &a = e.leaves[i].held->a.view;
        const int missing = to->ndim - a.ndim;
        bool whole = missing == 0;
        if (missing < 0) return false;
        for (int d = 0; d < a.ndim; d++) {
            if (a.shape[d] == to->shape[missing + d]) continue;
            if (a.shape[d] != 1) return false;
            whole = false;
        }
        equal = equal || whole;
    }
    return equal;
}

/* Assigns to an array: in place where it has the shape of the result, else into new memory. */
STRIA_CPP_NOINLINE inline void assign(handle &to, const evaluation &e)
{
    if (to.valid() && has_shape_of(e, to.c())) {
        check(evaluate(e, to.c(), nullptr));
        return;
    }
    handle made = evaluated(e);
    if (made.valid()) to = std::move(made);
}

/* ---- operands ------------------------------------------------------------------------------- */

/* Bases by which arrays and views, and expressions, are known. */
class holder
{
  public:
    /* The view for functions of C, borrowed for as long as this object holds it. */
    const stria_view *c() const noexcept
    {
        return handle_.c();
    }
    /* Tells whether there is an array, of whatever size, at all. */
    bool valid() const noexcept
    {
        return handle_.valid();
    }
    int ndim() const noexcept
    {
        return c()->ndim;
    }
    stria::shape shape() const
    {
        return stria::shape(c()->shape, c()->ndim);
    }
    /* The size of a dim, which may be negative to count from the end. */
    std::int64_t extent(int dim) const
    {
        const int at = dim < 0 ? dim + ndim() : dim;
        if (at >= 0 && at < ndim()) return c()->shape[at];
        check(stria_fail(STRIA_ERR_DIM, "extent: there is no dim %d of %d", dim, ndim()));
        return 0;
    }
    /* In bytes, of any sign. */
    stria::shape strides() const
    {
        return stria::shape(c()->strides, c()->ndim);
    }
    std::size_t size() const noexcept
    {
        return valid() ? static_cast<std::size_t>(stria_numel(c())) : 0;
    }
    bool empty() const noexcept
    {
        return size() == 0;
    }
    stria_dtype dtype() const noexcept
    {
        return c()->dtype;
    }
    bool is_contiguous(stria_order order = STRIA_ORDER_C) const noexcept
    {
        return stria_is_contiguous(c(), order);
    }
    bool is_writable() const noexcept
    {
        return stria_is_writable(c());
    }

  protected:
    holder() noexcept = default;
    explicit holder(handle h) noexcept : handle_(std::move(h)) {}
    handle handle_;

    template <class X> friend void put_held(leaf *at, X &&x) noexcept;
    friend const handle &handle_of(const holder &h) noexcept;
    friend handle &handle_of(holder &h) noexcept;
};

inline const handle &handle_of(const holder &h) noexcept
{
    return h.handle_;
}
inline handle &handle_of(holder &h) noexcept
{
    return h.handle_;
}

struct recorded {
};

enum operand_class { NO_OPERAND, A_NUMBER, A_HOLDER, AN_EXPRESSION };

template <class X> using bare = std::remove_cv_t<std::remove_reference_t<X>>;

template <class X> constexpr operand_class operand_class_of()
{
    if constexpr (std::is_base_of_v<holder, X>)
        return A_HOLDER;
    else if constexpr (std::is_base_of_v<recorded, X>)
        return AN_EXPRESSION;
    else
        return is_element_v<X> ? A_NUMBER : NO_OPERAND;
}

template <class X> inline constexpr operand_class class_of = operand_class_of<bare<X>>();
template <class X> inline constexpr bool is_array = class_of<X> >= A_HOLDER;
template <class... X>
inline constexpr bool are_operands = (is_array<X> || ...) && ((class_of<X> != NO_OPERAND) && ...);
template <class... X> using for_operands = std::enable_if_t<are_operands<X...>>;
template <class X> using for_array = std::enable_if_t<is_array<X>>;

/* The kind and the program of an operand. */
template <class X, operand_class = class_of<X>> struct operand;
template <class X> struct operand<X, A_NUMBER> {
    using value_type = X;
    static constexpr int kind = element<X>::kind;
    using coded_as = code<CODE_NUMBER>;
};
template <class X> struct operand<X, A_HOLDER> {
    using value_type = typename X::value_type;
    static constexpr int kind = element<typename X::value_type>::kind;
    using coded_as = code<CODE_HELD>;
};
template <class X> struct operand<X, AN_EXPRESSION> {
    using value_type = typename X::value_type;
    static constexpr int kind = element<typename X::value_type>::kind;
    using coded_as = typename X::coded_as;
};

/* The element type of an operand. */
template <class X> using value_of = typename operand<bare<X>>::value_type;

struct kinds {
    int of[3];
};

/*
 * Numbers take the kind of the elements that they meet where its category is not lower than theirs.
 * Where no elements say, as in where(c, 1, 0), the numbers have their common kind.
 */
constexpr kinds settled(stria_op op, int n, const int *kind, const bool *number)
{
    const result_rule rule = rule_of(op);
    kinds made = {{NO_KIND, NO_KIND, NO_KIND}};
    int common = NO_KIND, among_numbers = NO_KIND;
    for (int i = 0; i < n; i++) {
        if (!takes_part(rule, i, kind[i])) continue;
        int &which = number[i] ? among_numbers : common;
        which = which == NO_KIND ? kind[i] : promoted(which, kind[i]);
    }
    if (common == NO_KIND) common = among_numbers;
    for (int i = 0; i < n; i++) {
        made.of[i] = kind[i];
        if (!number[i] || !takes_part(rule, i, kind[i]) || common == NO_KIND) continue;
        if (common == ANY_KIND || category_of(kind[i]) <= category_of(common)) made.of[i] = common;
    }
    return made;
}

/* ---- numbers -------------------------------------------------------------------------------- */

STRIA_CPP_COLD inline void refuse_number()
{
    check(stria_fail(STRIA_ERR_ARGUMENT, "a number does not fit the elements that it meets"));
}

/* Converts a number to a type of no lower category; complex.hpp does so for complex types. */
template <class To, class From> struct number_as {
    static To of(From from)
    {
        const To to = static_cast<To>(from);
        if constexpr (std::is_integral_v<To>)
            if (static_cast<From>(to) != from || (to < To()) != (from < From())) refuse_number();
        return to;
    }
};
template <class T> struct number_as<T, T> {
    static T of(T from)
    {
        return from;
    }
};
template <class From> struct number_as<bool, From> {
    static bool of(From from)
    {
        return from != From();
    }
};
template <> struct number_as<bool, bool> {
    static bool of(bool from)
    {
        return from;
    }
};

template <class T> void put_value(leaf *at, const T &value, bool weak) noexcept
{
    static_assert(sizeof(T) <= sizeof at->value, "a number has at most 16 bytes");
    at->held = nullptr;
    at->kind = static_cast<unsigned char>(element<T>::kind);
    at->weak = weak;
    std::memcpy(at->value, &value, sizeof value);
}

template <int Kind, class X> void put_number(leaf *at, const X &number)
{
    if constexpr (Kind != ANY_KIND)
        put_value(at, number_as<typename type_of_kind<Kind>::type, X>::of(number), false);
    else if constexpr (std::is_floating_point_v<X>)
        put_value(at, static_cast<double>(number), true);
    else if constexpr (std::is_same_v<X, bool> || !std::is_integral_v<X>)
        put_value(at, number, true);
    else
        put_value(at, number_as<std::int64_t, X>::of(number), true);
}

/* ---- recording ------------------------------------------------------------------------------ */

template <class X> void put_held(leaf *at, X &&x) noexcept
{
    if constexpr (std::is_lvalue_reference_v<X>)
        at->held = static_cast<const holder &>(x).handle_.retained();
    else
        at->held = static_cast<holder &>(x).handle_.taken();
}

inline void copy_leaves(leaf *to, const leaf *from, int count) noexcept
{
    for (int i = 0; i < count; i++) {
        to[i] = from[i];
        node_retained(to[i].held);
    }
}

inline void move_leaves(leaf *to, leaf *from, int count) noexcept
{
    for (int i = 0; i < count; i++) {
        to[i] = from[i];
        from[i].held = nullptr;
    }
}

/* Puts the leaves of an operand; returns the place of the next ones. */
template <int Kind, class X> leaf *put_operand(leaf *at, X &&x)
{
    if constexpr (class_of<X> == A_NUMBER) {
        put_number<Kind>(at, x);
        return at + 1;
    } else if constexpr (class_of<X> == A_HOLDER) {
        if (!x.valid()) {
            put_value(at, false, false);
            at->kind = STRIA_VOID; /* which expressions refuse */
            check(stria_fail(STRIA_ERR_ARGUMENT, "an operand is an array that was never made, or "
                                                 "that was moved away"));
        }
        if (x.valid()) put_held(at, std::forward<X>(x));
        return at + 1;
    } else {
        constexpr int count = bare<X>::coded_as::leaves;
        if constexpr (std::is_lvalue_reference_v<X>)
            copy_leaves(at, x.leaves(), count);
        else
            move_leaves(at, x.leaves(), count);
        return at + count;
    }
}

} // namespace detail

/*
 * A lazy result with elements of type E, which is computed where it is assigned or reduced, and as
 * often. It keeps its operands alive, and may be returned and stored; elements that are written
 * before the evaluation are seen by it.
 */
template <class E, class Code> class expression : public detail::recorded
{
  public:
    using value_type = E;
    using coded_as = Code;

    expression(const expression &other) noexcept
    {
        detail::copy_leaves(leaves_, other.leaves_, Code::leaves);
    }
    expression(expression &&other) noexcept
    {
        detail::move_leaves(leaves_, other.leaves_, Code::leaves);
    }
    expression &operator=(const expression &) = delete;
    ~expression()
    {
        for (detail::leaf &l : leaves_)
            detail::node_released(l.held);
    }

    /* The result, in a new array. */
    array<E> eval() const
    {
        return array<E>(*this);
    }

    const detail::leaf *leaves() const noexcept
    {
        return leaves_;
    }
    detail::leaf *leaves() noexcept
    {
        return leaves_;
    }
    /* What is evaluated, for as long as this object lives. */
    detail::evaluation evaluation() const noexcept
    {
        return {&detail::program_of<E, Code>, leaves_, Code::leaves, Code::numbers};
    }

  private:
    template <class Made, int... Kind, class... X>
    friend Made detail_recorded(std::integer_sequence<int, Kind...>, X &&...x);
    expression() noexcept
    {
        for (detail::leaf &l : leaves_)
            l.held = nullptr;
    }
    static_assert(Code::leaves <= STRIA_EXPR_INPUTS,
                  "an expression reads at most 32 arrays and numbers: assign a part of it first");
    detail::leaf leaves_[Code::leaves];
};

template <class Made, int... Kind, class... X>
Made detail_recorded(std::integer_sequence<int, Kind...>, X &&...x)
{
    Made made;
    detail::leaf *at = made.leaves();
    ((at = detail::put_operand<Kind>(at, std::forward<X>(x))), ...);
    return made;
}

namespace detail
{

template <stria_op Op, class... X> struct recording {
    static constexpr int n = sizeof...(X);
    static constexpr int given[] = {operand<X>::kind...};
    static constexpr bool number[] = {class_of<X> == A_NUMBER...};
    static constexpr kinds in = settled(Op, n, given, number);
    static constexpr int out = result_kind(Op, n, in.of);
    static_assert(out != NO_KIND, "these elements have no common type: cast<T>(...) one of them");
    using coded_as = decltype(coded<static_cast<short>(Op)>(typename operand<X>::coded_as()...));
    using type = expression<typename type_of_kind<out>::type, coded_as>;
    template <std::size_t... I>
    static std::integer_sequence<int, in.of[I]...> sequence(std::index_sequence<I...>);
    using operand_kinds = decltype(sequence(std::make_index_sequence<sizeof...(X)>()));
};

template <stria_op Op, class... X> auto record(X &&...x)
{
    using R = recording<Op, bare<X>...>;
    return detail_recorded<typename R::type>(typename R::operand_kinds(), std::forward<X>(x)...);
}

} // namespace detail

/* x with elements of another type, converted as copies convert: cast<double>(x). */
template <class T, class X, class = detail::for_array<X>> auto cast(X &&x)
{
    using from = detail::operand<detail::bare<X>>;
    constexpr short to = static_cast<short>(detail::CODE_CAST + kind_of<T>());
    using made = expression<T, decltype(detail::coded<to>(typename from::coded_as()))>;
    return detail_recorded<made>(std::integer_sequence<int, from::kind>(), std::forward<X>(x));
}

/* ---- operators ------------------------------------------------------------------------------ */

#define STRIA_CPP_UNARY(op, constant)                                                              \
    template <class A, class = detail::for_array<A>> auto operator op(A &&a)                       \
    {                                                                                              \
        return detail::record<constant>(std::forward<A>(a));                                       \
    }
#define STRIA_CPP_BINARY(op, constant)                                                             \
    template <class A, class B, class = detail::for_operands<A, B>> auto operator op(A &&a, B &&b) \
    {                                                                                              \
        return detail::record<constant>(std::forward<A>(a), std::forward<B>(b));                   \
    }
STRIA_CPP_UNARY(+, STRIA_POSITIVE)
STRIA_CPP_UNARY(-, STRIA_NEGATIVE)
STRIA_CPP_UNARY(~, STRIA_BITWISE_NOT)
STRIA_CPP_UNARY(!, STRIA_LOGICAL_NOT)
STRIA_CPP_BINARY(+, STRIA_ADD)
STRIA_CPP_BINARY(-, STRIA_SUBTRACT)
STRIA_CPP_BINARY(*, STRIA_MULTIPLY)
STRIA_CPP_BINARY(/, STRIA_DIVIDE)
STRIA_CPP_BINARY(%, STRIA_REMAINDER)
STRIA_CPP_BINARY(&, STRIA_BITWISE_AND)
STRIA_CPP_BINARY(|, STRIA_BITWISE_OR)
STRIA_CPP_BINARY(^, STRIA_BITWISE_XOR)
STRIA_CPP_BINARY(<<, STRIA_LEFT_SHIFT)
STRIA_CPP_BINARY(>>, STRIA_RIGHT_SHIFT)
STRIA_CPP_BINARY(<, STRIA_LESS)
STRIA_CPP_BINARY(<=, STRIA_LESS_EQUAL)
STRIA_CPP_BINARY(>, STRIA_GREATER)
STRIA_CPP_BINARY(>=, STRIA_GREATER_EQUAL)
STRIA_CPP_BINARY(==, STRIA_EQUAL)
STRIA_CPP_BINARY(!=, STRIA_NOT_EQUAL)
STRIA_CPP_BINARY(&&, STRIA_LOGICAL_AND)
STRIA_CPP_BINARY(||, STRIA_LOGICAL_OR)
#undef STRIA_CPP_UNARY
#undef STRIA_CPP_BINARY

/* The operations of op.h by their names: exp(a), maximum(a, 0), where(a > 0, a, -1), ... */
#define STRIA_CPP_FUNCTION_1(constant, name)                                                       \
    template <class A, class = detail::for_array<A>> auto name(A &&a)                              \
    {                                                                                              \
        return detail::record<constant>(std::forward<A>(a));                                       \
    }
#define STRIA_CPP_FUNCTION_2(constant, name)                                                       \
    template <class A, class B, class = detail::for_operands<A, B>> auto name(A &&a, B &&b)        \
    {                                                                                              \
        return detail::record<constant>(std::forward<A>(a), std::forward<B>(b));                   \
    }
#define STRIA_CPP_FUNCTION_3(constant, name)                                                       \
    template <class A, class B, class C, class = detail::for_operands<A, B, C>>                    \
    auto name(A &&a, B &&b, C &&c)                                                                 \
    {                                                                                              \
        return detail::record<constant>(std::forward<A>(a), std::forward<B>(b),                    \
                                        std::forward<C>(c));                                       \
    }
#define STRIA_CPP_FUNCTION(constant, name, inputs, dtypes, result, cycles)                         \
    STRIA_CPP_FUNCTION_##inputs(constant, name)
STRIA_OP_LIST(STRIA_CPP_FUNCTION)
#undef STRIA_CPP_FUNCTION
#undef STRIA_CPP_FUNCTION_1
#undef STRIA_CPP_FUNCTION_2
#undef STRIA_CPP_FUNCTION_3

} // namespace stria

#endif
