/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions by name: what an interpreter, a binding or a tool calls without knowing it when it is
 * compiled. Each function that PyTorch and NumPy have for arrays, and each method of theirs, is
 * found by the name that it has there, with its parameters, their types and defaults, and called
 * with tagged values, bound as Python binds arguments:
 *
 *     stria_results r = {0};
 *     const stria_arg args[] = {stria_arg_view(&x), stria_arg_int(0), stria_arg_int(-1)};
 *     const stria_function *f = stria_function_find("movedim");
 *     if (!stria_call(&r, f, STRIA_PROMOTE_TORCH, 3, args, NULL))
 *         use(&stria_results_at(&r, 0)->view);
 *     stria_results_release(&r);
 *
 * A function has one or more forms: overloads, and what PyTorch and NumPy mean by one name. A call
 * takes the first of them, of the rule's, whose parameters take the arguments. NAME_copy is there
 * for each NAME that makes views: what NAME gives, in new memory.
 */
#ifndef STRIA_CALL_H
#define STRIA_CALL_H

#include "array.h"
#include "copy.h"
#include "promote.h"
#include "ref.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- functions ----------------------------------------------------------------------------- */

/* A function: all forms that are called by one name. Static, never released. */
typedef struct stria_function stria_function;

/* Returns the function of that name, as "permute", "swapaxes" or "linalg.diagonal"; or NULL. */
STRIA_API const stria_function *stria_function_find(const char *name);

/* Enumerate the functions in the order of their names, from 0; NULL beyond the last. */
STRIA_API size_t stria_function_count(void);
STRIA_API const stria_function *stria_function_at(size_t i);

/*
 * Writes the names that are closest to one that is not there, as "a, b or c"; nothing where none is
 * close. text receives at most size bytes, terminated, and may be NULL where size is 0 (ARGUMENT
 * otherwise); *length, which may be NULL, becomes the length of the whole.
 */
STRIA_API stria_status stria_function_suggest(char *text, size_t size, size_t *length,
                                              const char *name);

/*
 * Returns what to write for a name of PyTorch or NumPy that is no function here, as "cat((x, y))"
 * for "append"; NULL where nothing is known. Static.
 */
STRIA_API const char *stria_function_elsewhere(const char *name);

/* The kind of result that a form gives. */
typedef enum stria_gives {
    STRIA_GIVES_VIEWS = 0,  /* views of its arguments, or copies where there is no view */
    STRIA_GIVES_ARRAYS = 1, /* new arrays, or out= and what is written in place */
    STRIA_GIVES_ANSWER = 2  /* no array: a number, a bool, a dtype, a tuple of numbers */
} stria_gives;

/* Who has a function of that name, as a set. */
enum { STRIA_IN_TORCH = 1, STRIA_IN_NUMPY = 2, STRIA_IN_ARRAY_API = 4 };

/* Options that a form may take, as a set. */
enum { STRIA_TAKES_OUT = 1, STRIA_TAKES_WHERE = 2, STRIA_TAKES_DTYPE = 4 };

/* A parameter of a form; all text is static. */
typedef struct stria_parameter {
    const char *names;                 /* alternatives, joined by |: "dim|axis" */
    const char *type;                  /* what it takes: "array", "dims", "text", ...; terminated */
    const char *fallback;              /* the default as Python writes it; NULL: there is none */
    int names_length, fallback_length; /* of these texts, which no end follows */
    bool variadic;                     /* several arguments, or one tuple or list of them */
    bool none;                         /* it may be None */
    uint64_t reserved[2];              /* the library's own */
} stria_parameter;

/* One form of a function; all text is static. */
typedef struct stria_form {
    const char *signature; /* as the registry writes it: "swapaxes|swapdims(self, axis0:dim, ...)",
                              names joined by | are alternatives, :type follows a name */
    const char *doc;       /* one sentence */
    const char *c;         /* the function of C that does it, or the type that is read */
    const char *theme;     /* what it is listed under */
    int parameters;        /* how many; see stria_function_parameter */
    uint32_t origins;      /* STRIA_IN_TORCH, ...: who has it by the function's name */
    stria_gives gives;
    bool attribute;       /* written without parentheses: x.T */
    bool method;          /* the first parameter is the array that it is called on */
    bool by_torch_only;   /* NumPy means something else by the name, or nothing */
    bool by_numpy_only;   /* likewise PyTorch */
    bool copied;          /* of NAME_copy: all else is said of NAME, whose views are copied */
    bool writes;          /* writes into an array that it is given, or into a copy of that */
    bool moves;           /* gives elements as they are: views, copies, conversions */
    bool sparse;          /* takes or makes a sparse array */
    int operation;        /* the stria_op that it computes of its first arguments; -1: none */
    uint32_t takes;       /* STRIA_TAKES_OUT, ...: its parameters out, where, dtype */
    int seed;             /* of what draws numbers how many positional arguments may stand before
                             seed; INT_MAX behind *sizes, which takes all; -1: there is no seed */
    uint64_t reserved[4]; /* the library's own */
} stria_form;

/* Returns the number of forms, at least 1; 0 for NULL. */
STRIA_API int stria_function_forms(const stria_function *function);
/* Tells about form i, from 0. ARGUMENT: NULL, no such form. */
STRIA_API STRIA_MUST_USE stria_status stria_function_form(stria_form *out,
                                                          const stria_function *function, int i);

/* Tells about parameter i of a form, from 0. ARGUMENT: NULL, no such form or parameter. */
STRIA_API STRIA_MUST_USE stria_status stria_function_parameter(stria_parameter *out,
                                                               const stria_function *function,
                                                               int form, int i);

/*
 * Tells who calls a parameter of form i by that name, where its names differ, as a set of
 * STRIA_IN_TORCH, ...: of sum "dim" is PyTorch's, "axis" NumPy's and the Array API's. 0: NULL, no
 * such form, a name that all have alike or that is Stria's own.
 */
STRIA_API uint32_t stria_function_parameter_origins(const stria_function *function, int i,
                                                    const char *name);

/*
 * Write the name, or the signature of form i as Python writes it ("swapaxes(self, axis0, axis1)",
 * "flatten(self, start_dim=0, end_dim=-1)"); nothing for NULL and no such form. text and length are
 * those of stria_function_suggest.
 */
STRIA_API stria_status stria_function_name(char *text, size_t size, size_t *length,
                                           const stria_function *function);
STRIA_API stria_status stria_function_signature(char *text, size_t size, size_t *length,
                                                const stria_function *function, int i);

/* ---- arguments ----------------------------------------------------------------------------- */

typedef enum stria_arg_kind {
    STRIA_ARG_NONE = 0, /* None; newaxis in an index */
    STRIA_ARG_BOOL = 1,
    STRIA_ARG_INT = 2,     /* integer */
    STRIA_ARG_UINT = 3,    /* unsigned_integer, for what is beyond int64_t */
    STRIA_ARG_FLOAT = 4,   /* real */
    STRIA_ARG_COMPLEX = 5, /* complex: two doubles, the real part first */
    STRIA_ARG_TEXT = 6,    /* text, count bytes; "sum", "C", "<f4" */
    STRIA_ARG_ELLIPSIS = 7,
    STRIA_ARG_SLICE = 8,  /* items[0..2]: start, stop and step, each INT or NONE */
    STRIA_ARG_DTYPE = 9,  /* dtype */
    STRIA_ARG_ORDER = 10, /* order: a memory format */
    STRIA_ARG_LIST = 11,  /* items, count of them */
    STRIA_ARG_TUPLE = 12, /* likewise */
    STRIA_ARG_VIEW = 13,  /* view */
    STRIA_ARG_REF = 14    /* ref */
} stria_arg_kind;

/* A tagged value. What it points at is borrowed for the time of the call. */
typedef struct stria_arg {
    const char *name; /* of the parameter, for a keyword argument; NULL: by position */
    stria_arg_kind kind;
    int64_t count; /* TEXT: bytes; LIST, TUPLE: items */
    union {
        bool truth;
        int64_t integer;
        uint64_t unsigned_integer;
        double real;
        double complex_parts[2];
        const char *text;
        stria_dtype dtype;
        stria_order order;
        const struct stria_arg *items;
        const stria_view *view;
        const stria_ref *ref;
    } value;
} stria_arg;

/* An argument of a kind, whose value is to be filled in; None needs none. */
static inline stria_arg stria_arg_of(stria_arg_kind kind)
{
    stria_arg arg;
#ifdef __cplusplus
    arg.name = nullptr;
#else
    arg.name = NULL;
#endif
    arg.kind = kind;
    arg.count = 0;
    arg.value.complex_parts[0] = 0;
    arg.value.complex_parts[1] = 0;
    return arg;
}

static inline stria_arg stria_arg_view(const stria_view *view)
{
    stria_arg arg = stria_arg_of(STRIA_ARG_VIEW);
    arg.value.view = view;
    return arg;
}

static inline stria_arg stria_arg_int(int64_t integer)
{
    stria_arg arg = stria_arg_of(STRIA_ARG_INT);
    arg.value.integer = integer;
    return arg;
}

static inline stria_arg stria_arg_float(double real)
{
    stria_arg arg = stria_arg_of(STRIA_ARG_FLOAT);
    arg.value.real = real;
    return arg;
}

static inline stria_arg stria_arg_bool(bool truth)
{
    stria_arg arg = stria_arg_of(STRIA_ARG_BOOL);
    arg.value.truth = truth;
    return arg;
}

/* length bytes of text. */
static inline stria_arg stria_arg_text(const char *text, int64_t length)
{
    stria_arg arg = stria_arg_of(STRIA_ARG_TEXT);
    arg.count = length;
    arg.value.text = text;
    return arg;
}

static inline stria_arg stria_arg_dtype(stria_dtype dtype)
{
    stria_arg arg = stria_arg_of(STRIA_ARG_DTYPE);
    arg.value.dtype = dtype;
    return arg;
}

static inline stria_arg stria_arg_tuple(int64_t count, const stria_arg *items)
{
    stria_arg arg = stria_arg_of(STRIA_ARG_TUPLE);
    arg.count = count;
    arg.value.items = items;
    return arg;
}

/* Makes a keyword argument of one. */
static inline stria_arg stria_arg_named(const char *name, stria_arg arg)
{
    arg.name = name;
    return arg;
}

/* ---- results ------------------------------------------------------------------------------- */

/*
 * The results of a call: arrays, or an answer that is no array. Initialize with {0}; a function
 * that fills it releases what it held before, and leaves it as it is on failure.
 */
typedef struct stria_results {
    int64_t count;       /* of arrays */
    bool several;        /* a tuple of arrays, maybe of one or none */
    bool answers;        /* answer stands instead of arrays */
    stria_array one;     /* owned: the array where there is one and no tuple */
    stria_array *arrays; /* owned: those of a tuple */
    stria_arg answer;    /* NONE, BOOL, INT, UINT, FLOAT, COMPLEX, DTYPE, TEXT (static), or a TUPLE
                            of answer.count numbers, which are integers[] */
    int64_t integers[STRIA_MAX_NDIM];
    char error[512];      /* see stria_results_error */
    uint64_t reserved[8]; /* the library's own */
} stria_results;

/* Returns the number of arrays. */
STRIA_API int64_t stria_results_count(const stria_results *results);
/* Returns array i, from 0, which lies in the results; NULL where there is none. */
STRIA_API const stria_array *stria_results_at(const stria_results *results, int64_t i);
/* Moves array i to its new owner; an array without memory stays in its place. ARGUMENT: none. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_results_take(stria_array *out,
                                                                     stria_results *results,
                                                                     int64_t i);
/* Makes a handle of array i, owned by the caller. ARGUMENT: there is none. MEMORY. */
STRIA_API STRIA_MUST_USE stria_status stria_results_ref(stria_ref **out,
                                                        const stria_results *results, int64_t i);
/* Returns the answer, which lies in the results; NULL where there are arrays instead. */
STRIA_API const stria_arg *stria_results_answer(const stria_results *results);
/*
 * Returns the message of the last call that was to fill these results, shortened where it is long;
 * "" where that succeeded. Other than stria_last_error it may be read on another thread, as
 * runtimes do that move their tasks between threads.
 */
STRIA_API const char *stria_results_error(const stria_results *results);
/* Releases the arrays and clears the results. NULL and cleared results are allowed. */
STRIA_API void stria_results_release(stria_results *results);

/*
 * Calls a function with `count` arguments, those without a name first. A method takes what it is
 * called on as its first argument, an attribute takes one. rule: whose meaning of the name, and
 * whose rules of promotion. Numbers are weak scalars where the parameter is an operand. exec may be
 * NULL; its mask is refused (where= is an argument).
 *
 * Views among the results lie in the memory of the arguments and hold references to it; where an
 * argument has no buffer they borrow its memory. ARGUMENT: NULL, arguments that no form takes (the
 * message names the function, the parameter and the position, and prints the signatures); what the
 * function itself refuses. Nothing is written then.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_call(stria_results *results,
                                                             const stria_function *function,
                                                             stria_promotion rule, int count,
                                                             const stria_arg *args,
                                                             const stria_exec *exec);

/* ---- calls that are bound once ------------------------------------------------------------- */

/* The form that takes arguments of given kinds, and the parameter of each. Owned by who bound it.
 */
typedef struct stria_bound stria_bound;

/*
 * Binds a call: finds the form that takes arguments like these, which stand for those of later
 * calls, and notes the parameter of each. Elements are not read. The errors of stria_call, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_bind(stria_bound **out, const stria_function *function,
                                                 stria_promotion rule, int count,
                                                 const stria_arg *args);
/*
 * Calls it with other arguments in the same places: as many, of the same kinds; their names are not
 * read again. Several threads may call one bound call at once. The results and errors of
 * stria_call; an argument of another kind is refused where its parameter does not take it.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_bound_call(stria_results *results,
                                                                   const stria_bound *bound,
                                                                   int count, const stria_arg *args,
                                                                   const stria_exec *exec);
/* NULL is allowed. */
STRIA_API void stria_bound_release(stria_bound *bound);

#ifdef __cplusplus
}
#endif

#endif
