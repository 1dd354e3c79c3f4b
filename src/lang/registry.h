/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one table of ops, of which rows/rows_*.c hold the rows by theme, and functions found by name.
 * All rows that have a name, whether as the first or as another one, are the forms of the function
 * of that name: its overloads, and what PyTorch and NumPy mean by it. NAME_copy is a function for
 * each NAME of views that no row has it for: every result of NAME, copied. Signatures are read when
 * their function is first looked for.
 */
#ifndef STRIA_LANG_REGISTRY_H
#define STRIA_LANG_REGISTRY_H

#include "function.h"
#include "stria/call.h"

/*
 * Functions of the library that need no more than their arguments as they are bound: those of one
 * type are run by one function. f is the function, a the arguments, c the call.
 */
#define ITEMS(...) __VA_ARGS__
#define VIEWING(CALL, name, types, more)                                                           \
    CALL(name, stria_status, (stria_view *, const stria_view *, ITEMS types),                      \
         f(&c->out.view, a->view, ITEMS more))
#define MAKING(CALL, name, types, more)                                                            \
    CALL(name, stria_status, (stria_array *, const stria_view *, ITEMS types),                     \
         f(&c->out, a->view, ITEMS more))
#define LIBRARY_CALLS(CALL)                                                                        \
    CALL(view, stria_status, (stria_view *, const stria_view *), stria__call_views(c, a, f))       \
    VIEWING(CALL, view_view, (const stria_view *), (a[1].view))                                    \
    VIEWING(CALL, dim, (int), (a[1].dim))                                                          \
    VIEWING(CALL, dim_dim, (int, int), (a[1].dim, a[2].dim))                                       \
    VIEWING(CALL, dims, (int, const int *), ((int)a[1].count, a[1].dims))                          \
    VIEWING(CALL, ints, (int, const int64_t *), ((int)a[1].count, a[1].ints))                      \
    VIEWING(CALL, dim_ints, (int, int, const int64_t *), (a[1].dim, (int)a[2].count, a[2].ints))   \
    VIEWING(CALL, dim_int, (int, int64_t), (a[1].dim, a[2].integer))                               \
    VIEWING(CALL, dim_int_int, (int, int64_t, int64_t), (a[1].dim, a[2].integer, a[3].integer))    \
    VIEWING(CALL, int_dim_dim, (int64_t, int, int), (a[1].integer, a[2].dim, a[3].dim))            \
    VIEWING(CALL, dtype, (stria_dtype), (a[1].dtype))                                              \
    VIEWING(CALL, dtype_dim, (stria_dtype, int), (a[1].dtype, a[2].dim))                           \
    VIEWING(CALL, dtype_int, (stria_dtype, int64_t), (a[1].dtype, a[2].integer))                   \
    VIEWING(CALL, class, (uint32_t), (a[1].class_bits))                                            \
    CALL(new, stria_status, (stria_array *, const stria_view *), f(&c->out, a->view))              \
    MAKING(CALL, new_int, (int64_t), (a[1].integer))                                               \
    MAKING(CALL, new_ints, (int, const int64_t *), ((int)a[1].count, a[1].ints))                   \
    MAKING(CALL, new_int_dim_dim, (int64_t, int, int), (a[1].integer, a[2].dim, a[3].dim))         \
    MAKING(CALL, new_order, (stria_order), (a[1].format))                                          \
    CALL(count, int64_t, (const stria_view *), stria__call_integer(c, f(a->view)))                 \
    CALL(is, bool, (const stria_view *), stria__call_truth(c, f(a->view)))                         \
    CALL(is_order, bool, (const stria_view *, stria_order),                                        \
         stria__call_truth(c, f(a->view, a[1].format)))                                            \
    CALL(are, bool, (const stria_view *, const stria_view *),                                      \
         stria__call_truth(c, f(a->view, a[1].view)))

#define DECLARE_CALL(name, result, parameters, call)                                               \
    typedef result library_##name parameters;                                                      \
    stria_status stria__run_##name(struct invocation *c);
LIBRARY_CALLS(DECLARE_CALL)

/*
 * Rows: of one of these functions alone; run by a function of its own; and by one of several rows,
 * which finds in the row the function or the number by which they differ.
 */
#define RUNS(name, result, parameters, call) , library_##name * : stria__run_##name
#define ROW(of, called, name, sentence)                                                            \
    {                                                                                              \
        .signature = called, .run = _Generic(&stria_##name LIBRARY_CALLS(RUNS)),                   \
        .world = WORLD_##of, .c = "stria_" #name, .doc = sentence,                                 \
        .function = (library_function *)stria_##name                                               \
    }
#define ROW_AS(of, called, by, number, name, sentence)                                             \
    {                                                                                              \
        .signature = called, .run = by, .world = WORLD_##of, .c = "stria_" #name, .doc = sentence, \
        .what = number                                                                             \
    }
#define ROW_OF(of, called, by, way, name, sentence)                                                \
    {                                                                                              \
        .signature = called, .run = by, .world = WORLD_##of, .c = "stria_" #name, .doc = sentence, \
        .function = (library_function *)way                                                        \
    }
#define ROW_BY(of, called, by, name, sentence) ROW_AS(of, called, by, 0, name, sentence)

/* What every maker of arrays takes at last, of which only the dtype means something here. */
#define WHERE_TO   "device:any?=None, requires_grad:any?=None, layout:any?=None)"
#define TORCH_MADE "dtype:dtype?=None, " WHERE_TO
#define NUMPY_MADE "dtype:dtype?=None, device:any?=None)"

/* The lists of rows, in the order of the registry: stria__rows_NAME, a theme, what they give. */
#define THEMES(THEME)                                                                              \
    THEME(math, "math by element", ARRAYS)                                                         \
    THEME(two, "math with two results", ARRAYS)                                                    \
    THEME(reduce, "reductions", ARRAYS)                                                            \
    THEME(contract, "matrix products", ARRAYS)                                                     \
    THEME(exact, "exact sums", ARRAYS)                                                             \
    THEME(window_ops, "windows, padding", ARRAYS)                                                  \
    THEME(scan, "scans, quantiles, comparisons", ARRAYS)                                           \
    THEME(sort, "sorting", ARRAYS)                                                                 \
    THEME(order, "order of dims", VIEWS)                                                           \
    THEME(dtype, "dtype", VIEWS)                                                                   \
    THEME(shape, "shape", VIEWS)                                                                   \
    THEME(index, "indexing", VIEWS)                                                                \
    THEME(gather, "indexing by arrays", ARRAYS)                                                    \
    THEME(scatter, "writing by arrays", ARRAYS)                                                    \
    THEME(split, "splitting", VIEWS)                                                               \
    THEME(broadcast, "broadcasting", VIEWS)                                                        \
    THEME(window, "windows, diagonals, flips", VIEWS)                                              \
    THEME(same, "the array itself", VIEWS)                                                         \
    THEME(complex, "complex numbers", VIEWS)                                                       \
    THEME(copy, "copies, conversions", ARRAYS)                                                     \
    THEME(make, "new arrays", ARRAYS)                                                              \
    THEME(create, "new arrays by a rule", ARRAYS)                                                  \
    THEME(random, "new arrays by a rule", ARRAYS)                                                  \
    THEME(data, "arrays of data, conversions by name", ARRAYS)                                     \
    THEME(owner, "in place", ARRAYS)                                                               \
    THEME(join, "joining, repeating", ARRAYS)                                                      \
    THEME(sparse, "sparse arrays", ARRAYS)                                                         \
    THEME(ask, "questions", ANSWER)

#define DECLARE_ROWS(rows, name, gives) extern const struct function_group stria__rows_##rows;
THEMES(DECLARE_ROWS)

/* What the rows of a list have in common. */
struct theme {
    const char *name;
    const struct function_group *rows;
    stria_gives gives; /* VIEWS: NAME_copy is NAME, then a copy of every result */
};

/* The rows in order, from 0 until NULL. */
const struct function *stria__registry_row(size_t i);
/* The theme that the row stands under. */
const struct theme *stria__registry_theme(const struct function *row);

/*
 * Which arguments may wait to be computed with the op (fusion.h): all of elementwise math, the
 * array of a reduction.
 */
enum waiting { NOTHING_WAITS, FIRST_WAITS, ALL_WAIT };

struct form {
    const struct function *row;
    struct signature signature;
    const struct theme *theme;
    enum waiting waits;
};

static inline bool stria__form_is_views(const struct form *form)
{
    return form->theme->gives == STRIA_GIVES_VIEWS;
}

struct stria_function {
    struct text_span name; /* lies in a signature, or of a copy in a list of those */
    int count;
    bool copied;   /* NAME_copy: the forms are those of NAME, and their results are copied */
    int operation; /* the stria_op that the first form is, into new memory; -1: none */
    const struct form *const *forms; /* in the order of the registry */
};

/* Returns the function of that name, or NULL. */
const stria_function *stria__lookup(const char *name, size_t length);

/* Returns the function of that name which was registered by a user, or NULL. */
const stria_function *stria__user_function(const char *name, size_t length);

/* Runs the operation that the first name of a row has; its operands are the first arguments. */
stria_status stria__call_operation(struct invocation *call);
bool stria__math_may_wait(const struct function *op);
/* The operation that the row computes of its operands as they are given, -1: none. */
int stria__math_operation(const struct function *op);
bool stria__reduction_may_wait(const struct function *op);
/* The names closest to one that is not there, as "a, b or c"; NULL when nothing is close. */
const char *stria__registry_suggest(const char *name, char *text, size_t size);

#endif
