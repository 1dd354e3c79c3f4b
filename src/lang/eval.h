/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evaluates an EXPR: each op of the chain is looked up in the registry, bound, and run by the
 * library. A list of steps tells what happened; the arrays that were made live until the end.
 */
#pragma once

#include "base/tool_api.h"
#include "environment.h"
#include "function.h"
#include "syntax.h"
#include "waiting.h"

/* Most arrays that one EXPR may make, pieces of splits included. */
enum { EVAL_MAX_ARRAYS = 1 << 16 };

/* Describes how an array lies in memory, for showing it. */
struct array_geometry {
    stria_dtype dtype;
    uint32_t flags;
    int ndim;
    const int64_t *shape, *strides; /* Strides and offset are in bytes. */
    int64_t offset;
    const char *alias; /* Name of the input whose memory it shares; NULL: new memory. */
};

struct step {
    struct step *next;
    const char *op;    /* Name as written; "index" for [ ]. */
    size_t start, end; /* Bytes of the EXPR that the step is written in. */
    stria_outcome kind;
    bool many; /* The result is a tuple of arrays. */
    size_t count;
    const struct array_geometry *outs;
    /* The array that the op took; NULL if none or several. Only that of the last step is sure to
     * exist still. */
    const stria_view *from;
    const struct math *math;       /* Set for an elementwise op or a contraction; else NULL. */
    const char *how;               /* Set for a reduction, as in struct invocation; else NULL. */
    const struct folding *folding; /* Set for a reduction that can run once more; else NULL. */
    bool by_rows;                  /* No order but C was asked for. */
};

struct held {
    stria_array *arrays; /* Owned, as is the memory that they lie in. */
    size_t count;
};

struct evaluation {
    const char *source;
    const struct environment *environment;
    struct failure *failure;
    struct pool pool;
    struct step *first, *last; /* NULL where the steps are not listed. */
    struct held *held;         /* A stack. */
    size_t nheld, room, made;
    stria_array from;       /* Shared from the array whose view is the last step's `from`. */
    struct waiting waiting; /* Its options of how operations run are set before. */
    bool timed;             /* Set before: the thread's budget bounds the time. */
    bool asking;            /* Set before: the EXPR may stand for an answer that is no array. */
    bool unlisted;          /* Set before: no steps are listed. */
    /* Set before: the array of the EXPR may be left to be computed later, see wait_open. */
    bool lazily;
    /* Set before: runs the last call of the EXPR in place of its row, bound and with nothing
     * waiting, if it is written by one of last_names (a|b; NULL: by any). NULL: the row runs it. */
    stria_status (*last_call)(struct invocation *call, void *context);
    void *context; /* Passed to last_call. */
    const char *last_names;
    const struct node *root;
    /* The most telling failure among forms that do not take the arguments. */
    struct failure *worst;
    uintptr_t least; /* Lowest address that the stack may reach, see stack.h. */
    /* The answer of an EXPR that stands for one and has no outputs; else NULL. */
    const struct value *answer;
    bool many; /* The EXPR stands for a tuple of arrays. */
    size_t count;
    const stria_view *const *outputs; /* Borrowed; valid until evaluation_end. */
};

TOOL_API struct evaluation stria__evaluation_of(const char *source,
                                                const struct environment *environment,
                                                struct failure *failure);
/* Reads and runs source. On failure the steps before it are still listed. */
TOOL_API stria_status stria__evaluate(struct evaluation *e);
/* Reports a lack of memory as a failure if nobody did. Returns status. */
stria_status stria__evaluate_ended(struct evaluation *e, stria_status status);
/* Does the same for a tree that was read from source into e's pool. */
TOOL_API stria_status stria__evaluate_tree(struct evaluation *e, const struct node *tree);
TOOL_API void stria__evaluation_end(struct evaluation *e);

/*
 * Compiles text that consists of elementwise operations on names and numbers to one expression,
 * whose inputs are the names in their order. *out is NULL for other text, which must be evaluated:
 * a name alone stands for the view itself, numbers alone for a number. MEMORY.
 */
stria_status stria__compile(stria_expr **out, const struct node *tree, int count,
                            const char *const *names);

TOOL_API stria_status stria__geometry_of(struct array_geometry *out, struct evaluation *e,
                                         const stria_view *view);
TOOL_API const char *stria__outcome_name(stria_outcome outcome);

/* The rest of this header is used only by the other files of the evaluation. */

/* Makes the value of an INT, FLOAT or IMAGINARY node; out->at is not written. */
void stria__number_of_node(struct value *out, const struct node *node);
stria_status stria__eval_node(struct evaluation *e, const struct node *node, struct value *out);
/* Makes the values of the nodes in the node's list; out->at is not written. */
stria_status stria__eval_list(struct evaluation *e, const struct node *node, enum value_kind kind,
                              struct value *out);
/* Evaluates x[...]: a view, an item of a tuple, or advanced indexing. */
stria_status stria__eval_subscript(struct evaluation *e, const struct value *base,
                                   const struct node *node, struct value *out);
/* Evaluates x['a'] and x[['a', 'b']]; index is the string or the list of them. */
stria_status stria__eval_field(struct evaluation *e, const struct value *base,
                               const struct value *index, size_t start, size_t end,
                               struct value *out);
/* Evaluates a call by name. receiver NULL: a function; call NULL: an attribute. */
stria_status stria__eval_call(struct evaluation *e, const char *name, enum world world,
                              const struct value *receiver, const struct node *call, size_t start,
                              size_t end, struct value *out);
/* Calls a function by name on values, as operators do. */
stria_status stria__eval_function(struct evaluation *e, const char *name, struct value *values,
                                  size_t count, size_t start, size_t end, struct value *out);
/*
 * Computes Python's operators on plain numbers: True, 3, 1.5, 2j; b is NULL for one operand.
 * Integers have 64 bits. ARGUMENT for operands that are no numbers or that the operation does not
 * take, OVERFLOW beyond 64 bits and for a division by zero; the failure is placed at `at`.
 */
stria_status stria__number_operation(struct value *out, const struct operation *operation,
                                     const struct value *a, const struct value *b, size_t at,
                                     struct failure *failure);
/* Tells whether Python takes a value for true; it must not be an array. */
bool stria__value_truth(const struct value *value);
/* Evaluates operators on numbers and arrays. */
stria_status stria__eval_operator(struct evaluation *e, const struct node *node, struct value *out);
/* Computes the arrays of the value that wait. */
stria_status stria__eval_force(struct evaluation *e, const struct value *value);
/* Releases arrays held above mark, except those of the result, which are the newest. */
void stria__eval_release(struct evaluation *e, size_t mark, const struct value *result);
/* Makes a value and a step of the result of a call, and takes over call->out. */
stria_status stria__eval_result(struct evaluation *e, struct invocation *call, int nargs,
                                const char *name, size_t end, struct value *out);
/* Makes *out the same tuple, and holds its arrays once more. */
stria_status stria__eval_share(struct evaluation *e, const struct value *tuple, struct value *out);
/* Tells whether name is a builtin: slice(...), dtype(...), Size(...). */
bool stria__eval_builtin(const char *name);
stria_status stria__eval_builtin_call(struct evaluation *e, const char *name,
                                      const struct node *call, struct value *out);
