/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An op as the registry knows it, and a call of it: arguments bound to the parameters of its
 * signature, and the place for its result. An op is one row; its function hands the arguments to
 * the library.
 */
#ifndef STRIA_LANG_FUNCTION_H
#define STRIA_LANG_FUNCTION_H

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
    bool compressed; /* csr, else coo */
    union {
        stria_coo coo;
        stria_csr csr;
    };
};

/* The argument that a parameter received. Which members are set follows from its type. */
struct arg {
    bool given;                     /* false: left out without a default, or None */
    size_t at;                      /* byte of the EXPR */
    const struct value *value;      /* as written; NULL: a default, or several positional ones */
    int64_t integer;                /* INT */
    int dim;                        /* DIM */
    bool truth;                     /* BOOL */
    stria_order format;             /* FORMAT */
    uint32_t class_bits;            /* CLASS */
    const char *text;               /* TEXT */
    stria_dtype dtype;              /* DTYPE */
    int64_t count;                  /* INTS, DIMS, ARRAYS */
    const int64_t *ints;            /* INTS */
    const int *dims;                /* DIMS */
    const stria_view *view;         /* ARRAY */
    const stria_view *const *views; /* ARRAYS */
};

/*
 * An elementwise op, or a contraction, as it was called: for showing it, and for running it once
 * more.
 */
struct math {
    stria_op op;
    const char *subscripts; /* of a contraction, those of stria_einsum, in the pool; else NULL */
    uint32_t hints;         /* of a contraction: STRIA_REPRODUCIBLE */
    stria_promotion rule;
    int count;
    /* Copies; the memory may be gone, unless all of it is kept. */
    const stria_view *operands[STRIA_USER_INPUTS];
    stria_view out;
    stria_dtype promoted; /* of the result; an out that was given may have another one */
    bool masked;          /* of some elements only */
    char how[600]; /* how it runs, as stria_expr_explain tells; empty: with the math that it is a
                      part of */
};

/* "add", "einsum": static text. */
const char *stria__math_name(const struct math *math);

/*
 * A reduction, a scan, a median or a sort as it was called, likewise.
 */
enum folding_kind {
    FOLDING_REDUCES,
    FOLDING_SCANS,
    FOLDING_MEDIAN,
    FOLDING_SORTS,
    FOLDING_ARGSORTS
};

struct folding {
    enum folding_kind kind;
    stria_reduction reduction; /* REDUCES */
    stria_scan scan;           /* SCANS */
    stria_promotion rule;
    int count, dims[STRIA_MAX_NDIM]; /* as the library takes them; one of a scan or sort */
    double ddof;
    stria_view from; /* a copy; the memory may be gone, unless all of it is kept */
};

struct waiting;

struct invocation {
    const struct function *row;
    struct pool *pool;
    struct failure *failure;
    size_t at;              /* byte of the EXPR where the step starts */
    const stria_view *x;    /* the array that the expression is about */
    const stria_view *self; /* args[0].view */
    struct text_span name;  /* the first one of the row */
    bool numpy;             /* NumPy's rules, not PyTorch's */
    bool tells;             /* somebody is shown how things run: math, how and folding are wanted */
    const stria_exec *exec; /* the caller's, without a mask; NULL: the default */
    struct waiting *waiting; /* where math waits (waiting.h); NULL: it is computed at once */
    bool refused;            /* the op itself set the failure, not the library */
    bool in_place;           /* the name ends in an underscore: index_copy_ */
    bool copied;             /* the name ends in _copy: the result will be copied */

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
    /* The result: out.view alone is a view; out.owned too when memory was made. */
    stria_array out;
};

/*
 * Which arguments may wait to be computed with the op (waiting.h): all of elementwise math, the
 * array of a reduction.
 */
enum may_wait { NOTHING_WAITS, FIRST_WAITS, ALL_WAIT };

/* An entry of functions.def. */
struct function {
    const char *signature;
    const char *whose; /* a letter for each name */
    stria_status (*run)(struct invocation *call);
    enum world world; /* the world whose meaning this is; ANY where they agree */
    const char *c;    /* the public function that does it in C, or the type that is read */
    const char *doc;  /* one sentence */
    int operation;    /* the stria_op that it computes of its first arguments; -1: none */
    enum may_wait waits;
};

/* The same view of the argument, or of each one of a list. */
stria_status stria__call_views(struct invocation *call, const struct arg *of,
                               stria_status (*view)(stria_view *out, const stria_view *a));
/* Answers that are no arrays. Returns OK. */
stria_status stria__call_answer(struct invocation *call, struct value answer);
stria_status stria__call_integer(struct invocation *call, int64_t integer);
stria_status stria__call_truth(struct invocation *call, bool truth);
stria_status stria__call_sizes(struct invocation *call, size_t n, const int64_t *values,
                               int64_t unit);

/* Passes on a status whose failure has been set, unless there was no memory. Returns status. */
stria_status stria__call_told(struct invocation *call, stria_status status);

/* *out is the array, which goes with the pool. MEMORY. */
stria_status stria__call_hold(struct invocation *call, const stria_view **out, stria_array made);
/* *out has the elements of a in C order as one dim; it goes with the pool. */
stria_status stria__call_flat(struct invocation *call, const stria_view **out, const stria_view *a);

/* Notes the operands of what can be shown or run once more, and the rule. MEMORY. */
stria_status stria__call_math(struct math **out, struct invocation *call, int count,
                              const stria_view *const *operands);

/* The number, of any dtype, that a view of no dims, or of one element, has. */
stria_status stria__call_number(double *out, const stria_view *scalar);

/* The floats that the row makes where no dtype is given. */
static inline stria_kind stria__row_floats(const struct function *row)
{
    return row->world == WORLD_NUMPY ? STRIA_F64 : STRIA_F32;
}

static inline stria_dtype stria__dtype_or(const struct arg *arg, stria_dtype fallback)
{
    return arg->given ? arg->dtype : fallback;
}

/* PyTorch takes Python's floats for f32. */
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

/* The result is out, where it was written, if that is OK. Returns status. */
stria_status stria__call_wrote(struct invocation *call, const stria_view *out, stria_status status);

/* PyTorch counts strides and offsets in elements: count of them in bytes, in the pool. OVERFLOW.
 */
stria_status stria__call_bytes(struct invocation *call, int64_t **out, const int64_t *elements,
                               int64_t count, stria_dtype dtype);

/* The same of the strides of a size, of which there are as many: ARGUMENT. */
stria_status stria__call_strides(struct invocation *call, int64_t **out, const struct arg *size,
                                 const struct arg *stride, stria_dtype dtype);

/* How the library is to run the call: the caller's threads, the rule of promotion. */
stria_exec stria__call_exec(const struct invocation *call);

/* Gives the results the shape that their class wants: a numpy.matrix has 2 dims. */
stria_status stria__call_class(struct invocation *call, const char *name);
/* Room in c->pieces for count results; MEMORY. */
stria_status stria__call_pieces(struct invocation *call, int64_t count);
/* Makes the array, which the pool takes over, result i. MEMORY. */
stria_status stria__call_piece(struct invocation *call, int64_t i, stria_array made);
/* Puts each result into new memory in C order. */
stria_status stria__call_copies(struct invocation *call);

/* A new array in C order with nothing written; a meta array where EXPR is only explained. */
stria_status stria__call_make(struct invocation *call, stria_dtype dtype, const struct arg *shape);

/* Refuses integers that are written as such and that a dtype of integers does not hold: OVERFLOW.
 */
stria_status stria__call_holds(stria_dtype dtype, const struct arg *data);

/*
 * The number of dims of an argument as the library takes them: without any all are reduced, and by
 * PyTorch's rules with an empty tuple of them, too.
 */
int stria__call_dims(const struct invocation *call, const struct arg *dims);

/*
 * Makes the text of argument i the integer that says which of the names a|b|c it is. ARGUMENT, with
 * the refusal, in which %.40s stands for the text.
 */
stria_status stria__call_choice(struct invocation *call, int i, const char *names,
                                const char *refusal);
/* Does that for casting='same_kind': the integer is a stria_cast_policy. */
stria_status stria__call_policy(struct invocation *call, int i);

/* A refusal of the tool's own, at the step. Returns status. */
stria_status stria__call_refuse(struct invocation *call, stria_status status, const char *format,
                                ...) __attribute__((format(printf, 3, 4)));

/* "sum", "cumsum", "median": static text. */
const char *stria__folding_name(const struct folding *f);

/* Notes what can be run once more of the array of a call that tells. */
void stria__folding_keep(struct invocation *call, struct folding what, int count, const int *dims);

/* Runs the call that was kept once more, on a, into memory that is there. */
stria_status stria__folding_run(const struct folding *f, const stria_view *out, const stria_view *a,
                                const stria_exec *exec);

#endif
