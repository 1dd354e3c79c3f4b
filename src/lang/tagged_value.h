/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The value of an expression: a number, a name, a tuple, an array. Values live in a
 * pool; the arrays they point at belong to the evaluation (eval.h) or to its inputs.
 */
#pragma once

#include "base/tool_api.h"
#include "failure.h"
#include "view/pool.h"
#include "stria/array.h"

/* The kinds of values, and their names in messages. */
#define VALUE_KINDS(KIND)                                                                          \
    KIND(NONE, "None")                                                                             \
    KIND(BOOL, "a bool")                                                                           \
    KIND(INT, "an int")                                                                            \
    KIND(FLOAT, "a float")                                                                         \
    KIND(COMPLEX, "a complex")                                                                     \
    KIND(STRING, "a string")                                                                       \
    KIND(ELLIPSIS, "...")                                                                          \
    KIND(SLICE, "a slice")                                                                         \
    KIND(DTYPE, "a dtype")                                                                         \
    KIND(FORMAT, "a memory format")  /* Its value is the member order. */                          \
    KIND(CLASS, "a class of arrays") /* np.matrix, in the member class_bits. */                    \
    KIND(DICT, "a dict")             /* Items: key, value, key, value, ... */                      \
    KIND(LIST, "a list")                                                                           \
    KIND(TUPLE, "a tuple")                                                                         \
    KIND(ARRAY, "an array")                                                                        \
    KIND(SPARSE, "a sparse array")                                                                 \
    KIND(OTHER, "a name") /* A name that is accepted and has no effect: torch.strided. */

#define VALUE_KIND(kind, text) VALUE_##kind,
enum value_kind { VALUE_KINDS(VALUE_KIND) };

struct sparse;

struct value {
    enum value_kind kind;
    bool huge; /* An INT is beyond int64_t; integer holds the nearest end. */
    /* An op answered with it; an empty TUPLE of sizes has it, one of arrays has not. */
    bool answered;

    size_t at;      /* Byte of the EXPR where it is written. */
    uint64_t large; /* Value of a huge, positive INT if 64 bits hold it, else 0. */
    union {
        bool truth;
        int64_t integer;
        struct {
            double real, imaginary;
        } number; /* FLOAT, COMPLEX */
        struct {
            const char *text; /* Terminated. */
            size_t length;
        } string;
        struct {
            const struct value *start, *stop, *step; /* VALUE_NONE where omitted. */
        } slice;
        stria_dtype dtype;
        stria_order order;
        uint32_t class_bits;
        struct {
            struct value *items;
            size_t count;
        } list; /* Parts of a DICT, LIST or TUPLE. */
        const stria_view *view;
        const struct sparse *sparse; /* See function.h. */
    };
};

/* Describes a value for messages: "an int", "a tuple of 3", "an array". text has room for
 * VALUE_TEXT bytes. */
enum { VALUE_TEXT = 64 };
const char *stria__value_describe(const struct value *value, char *text);

static inline bool stria__value_is_number(const struct value *value)
{
    return value->kind >= VALUE_BOOL && value->kind <= VALUE_COMPLEX;
}

static inline bool stria__value_is_sequence(const struct value *value)
{
    return value->kind == VALUE_LIST || value->kind == VALUE_TUPLE;
}

/* Returns the items of a tuple or list; another value is one item. */
struct value_items {
    const struct value *items;
    size_t count;
};

static inline struct value_items stria__value_items(const struct value *value)
{
    return stria__value_is_sequence(value)
               ? (struct value_items){value->list.items, value->list.count}
               : (struct value_items){value, 1};
}

/* Tells whether the value is a tuple or list of arrays only, and of at least one. */
bool stria__value_is_arrays(const struct value *value);

/*
 * Reads the elements of an integer or bool array as 64-bit integers in C order, in the pool. DTYPE
 * for another dtype, UNSUPPORTED for a meta array, which has no values.
 */
stria_status stria__value_integers(const int64_t **out, int64_t *count, const stria_view *view,
                                   struct pool *pool, size_t at, struct failure *failure);

/* Does the same for an array of no dims, which is one integer. */
stria_status stria__value_integer(int64_t *out, const struct value *array, struct pool *pool,
                                  struct failure *failure);

/* ---- numbers and lists as arrays: [0, 2] among indices, .masked_fill(mask, 0.5) -------------- */

/*
 * Makes the value an array: an array is itself, a number is 0-d, nested tuples and lists have the
 * shape of their nesting. Its dtype is bool, i64, f64 or c128, the first that holds every item; an
 * empty list is `of_none`: i64 where indices are meant, else f64. ARGUMENT for other values, SHAPE
 * for ragged lists, OVERFLOW beyond 64 bits.
 */
stria_status stria__list_array(const stria_view **out, const struct value *value,
                               stria_kind of_none, struct pool *pool, struct failure *failure);

/*
 * Makes the value an operand of an elementwise op: an array is itself, a number a weak scalar that
 * gives way in promotion, a list what list_array makes of it; in the pool. ARGUMENT for other
 * values, OVERFLOW for integers beyond 64 bits.
 */
stria_status stria__weak_operand(const stria_view **out, const struct value *value,
                                 struct pool *pool, struct failure *failure);

/* Return the arguments of stria_weak for a number that fits in 64 bits. */
TOOL_API stria_kind stria__weak_kind(const struct value *value);
TOOL_API const void *stria__weak_item(const struct value *value);

/* ---- dtypes ---------------------------------------------------------------------------------- */

/*
 * Makes the dtype that a value stands for: bare names, NumPy's strings, and records as numpy.dtype
 * takes them: [('a', '<i4'), ('b', 'f8', (2,))], {'names': ..., 'formats': ...}, 'i4,(2,)f8'.
 * Descriptions of records live as long as the pool. align: as numpy.dtype(align=True). ARGUMENT
 * when it is no dtype, FORMAT for text that is none.
 */
stria_status stria__dtype_value(stria_dtype *out, const struct value *value, bool align,
                                struct pool *pool, struct failure *failure);
