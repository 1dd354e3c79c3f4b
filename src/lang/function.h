/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An op as the registry knows it, and a call of it: arguments bound to the parameters of its
 * signature, and the place for its result. An op is one row; its function hands the arguments to
 * the library.
 */
#pragma once

#include "base/tool_api.h"
#include "environment.h"
#include "signature.h"
#include "stria/elementwise.h"
#include "stria/reduce.h"
#include "stria/scan.h"
#include "stria/sparse.h"
#include "stria/stria.h"
#include "tagged_value.h"

/* A sparse array as a value; it lives in the pool. */
struct sparse {
    bool compressed; /* CSR if true, else COO. */
    union {
        stria_coo coo;
        stria_csr csr;
    };
};

/* The argument that a parameter received. Which members are set follows from its type. */
struct arg {
    bool given; /* False: left out without a default, or None. */
    size_t at;  /* Byte of the EXPR. */
    /* Value as written; NULL for a default or for several positional ones. */
    const struct value *value;
    int64_t integer;                /* Value of an INT. */
    int dim;                        /* Value of a DIM. */
    bool truth;                     /* Value of a BOOL. */
    stria_order format;             /* Value of a FORMAT. */
    uint32_t class_bits;            /* Value of a CLASS. */
    const char *text;               /* Value of a TEXT. */
    stria_dtype dtype;              /* Value of a DTYPE. */
    int64_t count;                  /* Number of INTS, DIMS or ARRAYS. */
    const int64_t *ints;            /* Values of INTS. */
    const int *dims;                /* Values of DIMS. */
    const stria_view *view;         /* Value of an ARRAY. */
    const stria_view *const *views; /* Values of ARRAYS. */
};

/*
 * An elementwise op or a contraction as it was called, for showing it and for running it once more.
 */
struct math {
    stria_op op;
    /* Subscripts of a contraction, as stria_einsum takes them, in the pool; else NULL. */
    const char *subscripts;
    uint32_t hints; /* STRIA_REPRODUCIBLE if a contraction had it. */
    stria_promotion rule;
    int count;
    /* Copies of the operands; their memory may be freed unless it is kept, too. */
    const stria_view *operands[STRIA_USER_INPUTS];
    stria_view out;
    stria_dtype promoted; /* Dtype of the result; an out that was given may have another one. */
    bool masked;          /* A mask chose the elements. */
    /* How it runs, as stria_expr_explain tells; empty if it runs as a part of other math. */
    char how[600];
};

/* Returns its name, "add" or "einsum", as static text. */
TOOL_API const char *stria__math_name(const struct math *math);

/* A reduction, a scan, a median or a sort as it was called, for running it once more. */
enum folding_kind {
    FOLDING_REDUCES,
    FOLDING_SCANS,
    FOLDING_MEDIAN,
    FOLDING_SORTS,
    FOLDING_ARGSORTS
};

struct folding {
    enum folding_kind kind;
    stria_reduction reduction; /* Set for REDUCES. */
    stria_scan scan;           /* Set for SCANS. */
    stria_promotion rule;
    int count, dims[STRIA_MAX_NDIM]; /* Dims as the library takes them; a scan or sort has one. */
    double ddof;
    stria_view from; /* A copy; its memory may be freed unless it is kept, too. */
};

struct waiting;

struct invocation {
    const struct function *row;
    struct pool *pool;
    struct failure *failure;
    size_t at;              /* Byte of the EXPR where the step starts. */
    const stria_view *x;    /* The array that the expression is about. */
    const stria_view *self; /* The view of args[0]. */
    struct text_span name;  /* The first name of the row. */
    bool numpy;             /* NumPy's rules hold, not PyTorch's. */
    bool tells; /* Somebody is shown how things run, so that math, how and folding are wanted. */
    const stria_exec *exec; /* The caller's, without a mask; NULL: the default. */
    /* Collects math to be computed later (waiting.h); NULL: it is computed at once. */
    struct waiting *waiting;
    bool refused;  /* The op itself set the failure, not the library. */
    bool in_place; /* The name ends in an underscore: index_copy_. */
    bool copied;   /* The name ends in _copy: the result will be copied. */

    /* Several results: views of the arguments, of out.owned or of arrays that the pool has. */
    bool many;
    bool answers; /* answer stands instead of arrays */
    stria_view *pieces;
    int64_t count;
    struct sparse *sparse;         /* room for an answer that is sparse, in the pool */
    const struct math *math;       /* of an elementwise op or a contraction; else NULL */
    const char *how;               /* of a reduction: how it runs, in the pool; else NULL */
    const struct folding *folding; /* of one that can be run once more, in the pool; else NULL */

    /* From here on what is written before it is read. */
    struct value answer; /* that is no array (shape, ndim); what it points at lies in the pool */
    struct arg args[MAX_PARAMS];
    /* The result: out.view alone if it is a view, out.owned too if memory was made. */
    stria_array out;
};

/*
 * Tells which arguments may be computed later, together with the op (waiting.h): all of elementwise
 * math, the array of a reduction.
 */
enum may_wait { NOTHING_WAITS, FIRST_WAITS, ALL_WAIT };

/* An entry of functions.def. */
struct function {
    const char *signature;
    const char *whose; /* A letter for each name tells who has it, see functions.def. */
    stria_status (*run)(struct invocation *call);
    enum world world; /* The library whose meaning this is; ANY where both agree. */
    const char *c;    /* Name of the public C function that does it, or of the type that is read. */
    const char *doc;  /* One sentence of help. */
    int operation;    /* The stria_op that it computes of its first arguments; -1: none. */
    enum may_wait waits;
};

/* Makes the result the same kind of view of the argument, or of each array of a list. */
stria_status stria__call_views(struct invocation *call, const struct arg *of,
                               stria_status (*view)(stria_view *out, const stria_view *a));
/* Sets an answer that is no array. Returns OK. */
stria_status stria__call_answer(struct invocation *call, struct value answer);
stria_status stria__call_integer(struct invocation *call, int64_t integer);
stria_status stria__call_truth(struct invocation *call, bool truth);
stria_status stria__call_sizes(struct invocation *call, size_t n, const int64_t *values,
                               int64_t unit);

/* Passes on a status whose failure is already set, unless it is a lack of memory. Returns
 * status. */
stria_status stria__call_told(struct invocation *call, stria_status status);

/* Gives the array to the pool; *out is its view. MEMORY. */
stria_status stria__call_hold(struct invocation *call, const stria_view **out, stria_array made);
/* Makes *out the elements of a in C order as one dim; the pool owns its memory. */
stria_status stria__call_flat(struct invocation *call, const stria_view **out, const stria_view *a);

/* Notes the operands and the promotion rule, for showing the call or running it once more.
 * MEMORY. */
stria_status stria__call_math(struct math **out, struct invocation *call, int count,
                              const stria_view *const *operands);

/* Reads the number, of any dtype, from a view of one element. */
stria_status stria__call_number(double *out, const stria_view *scalar);

/* Returns the kind of floats that the row makes if no dtype is given. */
static inline stria_kind stria__row_floats(const struct function *row)
{
    return row->world == WORLD_NUMPY ? STRIA_F64 : STRIA_F32;
}

static inline stria_dtype stria__dtype_or(const struct arg *arg, stria_dtype fallback)
{
    return arg->given ? arg->dtype : fallback;
}

/* Replaces the dtype of Python's floats by f32, as PyTorch does. */
static inline stria_dtype stria__torch_dtype(stria_dtype dtype)
{
    return dtype.kind == STRIA_F64    ? stria_dtype_of(STRIA_F32)
           : dtype.kind == STRIA_C128 ? stria_dtype_of(STRIA_C64)
                                      : dtype;
}

static inline stria_promotion stria__call_rule(const struct invocation *call)
{
    return call->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
}

/* Makes `out`, which was written, the result if status is OK. Returns status. */
stria_status stria__call_wrote(struct invocation *call, const stria_view *out, stria_status status);

/* Converts count strides or offsets from elements, as PyTorch counts, to bytes, in the pool.
 * OVERFLOW. */
stria_status stria__call_bytes(struct invocation *call, int64_t **out, const int64_t *elements,
                               int64_t count, stria_dtype dtype);

/* Converts the strides of a size, which must be as many as its dims: ARGUMENT. */
stria_status stria__call_strides(struct invocation *call, int64_t **out, const struct arg *size,
                                 const struct arg *stride, stria_dtype dtype);

/* Returns how the library is to run the call: the caller's threads, the promotion rule. */
TOOL_API stria_exec stria__call_exec(const struct invocation *call);

/* Gives the results the shape that their class requires: a numpy.matrix has 2 dims. */
stria_status stria__call_class(struct invocation *call, const char *name);
/* Makes room in c->pieces for count results. MEMORY. */
stria_status stria__call_pieces(struct invocation *call, int64_t count);
/* Makes the array, which the pool takes over, result i. MEMORY. */
stria_status stria__call_piece(struct invocation *call, int64_t i, stria_array made);
/* Makes count arrays the results, or releases them if status is a failure. Returns status. */
stria_status stria__call_give(struct invocation *call, int count, stria_array *made,
                              stria_status status);
/* Puts each result into new memory in C order. */
stria_status stria__call_copies(struct invocation *call);

/* Makes a new, unwritten array in C order, or a meta array if EXPR is only explained. */
stria_status stria__call_make(struct invocation *call, stria_dtype dtype, const struct arg *shape);

/* Refuses literal integers that an integer dtype does not hold. OVERFLOW. */
stria_status stria__call_holds(stria_dtype dtype, const struct arg *data);

/*
 * Returns the number of dims as the library takes it. If none are given, all dims are reduced; by
 * PyTorch's rules an empty tuple means all, too.
 */
int stria__call_dims(const struct invocation *call, const struct arg *dims);

/*
 * Replaces the text of argument i by its place among the names a|b|c. ARGUMENT with the given
 * message, in which %.40s stands for the text.
 */
stria_status stria__call_choice(struct invocation *call, int i, const char *names,
                                const char *refusal);
/* Does the same for casting='same_kind'; the integer is a stria_cast_policy. */
stria_status stria__call_policy(struct invocation *call, int i);

/* Refuses the call, at its step, with a message of the language's own. Returns status. */
TOOL_API stria_status stria__call_refuse(struct invocation *call, stria_status status,
                                         const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns its name, such as "sum", "cumsum" or "median", as static text. */
TOOL_API const char *stria__folding_name(const struct folding *f);

/* Notes what can be run once more of the array of a call that tells. */
void stria__folding_keep(struct invocation *call, struct folding what, int count, const int *dims);

/* Runs the kept call once more, on a, into existing memory. */
TOOL_API stria_status stria__folding_run(const struct folding *f, const stria_view *out,
                                         const stria_view *a, const stria_exec *exec);
