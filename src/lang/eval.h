/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The meaning of an EXPR: each op of the chain is looked up in the registry, bound, and run by the
 * library. What happened is kept as a list of steps; the arrays that were made live until the end.
 */
#ifndef STRIA_LANG_EVAL_H
#define STRIA_LANG_EVAL_H

#include "environment.h"
#include "function.h"
#include "syntax.h"
#include "waiting.h"

enum { EVAL_MAX_ARRAYS = 1 << 16 }; /* made by one EXPR, pieces of splits included */

/* How an array lies in memory: what is shown of it. */
struct array_geometry {
    stria_dtype dtype;
    uint32_t flags;
    int ndim;
    const int64_t *shape, *strides; /* strides and offset in bytes */
    int64_t offset;
    const char *alias; /* the input whose memory it shares; NULL: new memory */
};

struct step {
    struct step *next;
    const char *op;    /* as written; "index" for [ ] */
    size_t start, end; /* bytes of the EXPR */
    stria_outcome kind;
    bool many; /* a tuple of arrays */
    size_t count;
    const struct array_geometry *outs;
    const stria_view *from;  /* the array that the op took; NULL: none, or several. Of the last step
                                only it can be looked at: others may be gone */
    const struct math *math; /* of an elementwise op or a contraction; else NULL */
    const char *how;         /* of a reduction, as struct invocation has it; else NULL */
    const struct folding *folding; /* likewise */
    bool by_rows;                  /* it was asked for no other order than C */
};

struct held {
    stria_array *arrays; /* owned, as is the memory they stand in */
    size_t count;
};

struct evaluation {
    const char *source;
    const struct environment *environment;
    struct failure *failure;
    struct pool pool;
    struct step *first, *last; /* unless unlisted */
    struct held *held;         /* a stack */
    size_t nheld, room, made;
    stria_array from;       /* what the last step's from is part of */
    struct waiting waiting; /* how all of it runs is set before */
    bool timed;             /* set before: the thread's budget bounds the time */
    bool asking;            /* set before: the EXPR may stand for an answer, no array */
    bool unlisted;          /* set before: nobody looks at the steps */
    bool lazily;            /* set before: what the EXPR gives may wait, see wait_open */
    /* set before: runs the call that the EXPR ends in, bound and with nothing waiting, in place of
       its row, where it is written by one of these names, a|b, or by any; NULL: the row does */
    stria_status (*last_call)(struct invocation *call, void *context);
    void *context; /* of last_call */
    const char *last_names;
    const struct node *root;
    struct failure *worst;      /* of the forms of a function that do not take its arguments */
    uintptr_t least;            /* of the stack, see stack.h */
    const struct value *answer; /* that answer, with no outputs; else NULL */
    bool many;                  /* the EXPR stands for a tuple of arrays */
    size_t count;
    const stria_view *const *outputs; /* borrowed: valid until evaluation_end */
};

struct evaluation stria__evaluation_of(const char *source, const struct environment *environment,
                                       struct failure *failure);
/* Reads and runs source. On failure the steps before it are still listed. */
stria_status stria__evaluate(struct evaluation *e);
/* Tells the failure of running out of memory, where nobody did. Returns status. */
stria_status stria__evaluate_ended(struct evaluation *e, stria_status status);
/* The same for a tree that was read from source into e's pool. */
stria_status stria__evaluate_tree(struct evaluation *e, const struct node *tree);
void stria__evaluation_end(struct evaluation *e);

/*
 * Makes of text that is elementwise operations on names and numbers alone one expression, whose
 * inputs are the names in their order. *out is NULL where it is something else, which evaluation
 * computes: a name alone is the view itself, numbers alone are a number. MEMORY.
 */
stria_status stria__compile(stria_expr **out, const struct node *tree, int count,
                            const char *const *names);

stria_status stria__geometry_of(struct array_geometry *out, struct evaluation *e,
                                const stria_view *view);
const char *stria__outcome_name(stria_outcome outcome);

/* The rest of this header is for the other files of the evaluation. */

/* The number that an INT, FLOAT or IMAGINARY node stands for; out->at is not written. */
void stria__number_of_node(struct value *out, const struct node *node);
stria_status stria__eval_node(struct evaluation *e, const struct node *node, struct value *out);
/* The values of the nodes that the node lists; out->at is not written. */
stria_status stria__eval_list(struct evaluation *e, const struct node *node, enum value_kind kind,
                              struct value *out);
/* x[...]: a view, an item of a tuple, or advanced indexing. */
stria_status stria__eval_subscript(struct evaluation *e, const struct value *base,
                                   const struct node *node, struct value *out);
/* x['a'] and x[['a', 'b']], index being the string or the list of them. */
stria_status stria__eval_field(struct evaluation *e, const struct value *base,
                               const struct value *index, size_t start, size_t end,
                               struct value *out);
/* A call by name; receiver NULL: a function. call NULL: an attribute. */
stria_status stria__eval_call(struct evaluation *e, const char *name, enum world world,
                              const struct value *receiver, const struct node *call, size_t start,
                              size_t end, struct value *out);
/* The same of values: what an operator stands for. */
stria_status stria__eval_function(struct evaluation *e, const char *name, struct value *values,
                                  size_t count, size_t start, size_t end, struct value *out);
/*
 * Python's operators on plain numbers: True, 3, 1.5, 2j. Integers have 64 bits. Of one number (b
 * NULL) or of two. ARGUMENT for operands that are no numbers or that the operation does not take,
 * OVERFLOW beyond 64 bits and for a division by zero; at `at`.
 */
stria_status stria__number_operation(struct value *out, const struct operation *operation,
                                     const struct value *a, const struct value *b, size_t at,
                                     struct failure *failure);
/* Tells whether Python takes a value for true, which must not be an array. */
bool stria__value_truth(const struct value *value);
/* Operators on numbers and arrays. */
stria_status stria__eval_operator(struct evaluation *e, const struct node *node, struct value *out);
/* Computes the arrays of value that wait. */
stria_status stria__eval_force(struct evaluation *e, const struct value *value);
/* Gives back what is held above mark, except what the result stands for, which is the newest. */
void stria__eval_release(struct evaluation *e, size_t mark, const struct value *result);
/* Makes a value and a step of what a call of an op gave, and takes over call->out. */
stria_status stria__eval_result(struct evaluation *e, struct invocation *call, int nargs,
                                const char *name, size_t end, struct value *out);
/* Makes *out the same tuple, whose arrays are held once more. */
stria_status stria__eval_share(struct evaluation *e, const struct value *tuple, struct value *out);
/* slice(...), dtype(...), Size(...): false when name is none of them. */
bool stria__eval_builtin(const char *name);
stria_status stria__eval_builtin_call(struct evaluation *e, const char *name,
                                      const struct node *call, struct value *out);

#endif
