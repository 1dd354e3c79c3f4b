/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How an op is called, written as in Python and read at run time:
 *
 *   "diagonal(self, offset:int=0, dim1|axis1:dim=0, dim2|axis2:dim=1)"
 *   "swapaxes|swapdims(self, dim0|axis1:dim, dim1|axis2:dim)"
 *   "permute(self, *dims|axes:dims)"        several ints, or one tuple or list of them
 *   "cat(self|tensors|arrays:arrays, ...)"  x joins the list in front: .cat([y, z], 1)
 *   "coalesce(self:sparse)"                 a method of sparse arrays
 *   "T"                                     an attribute
 *   "empty_strided(size:ints, ...)"         no self: a function only
 *
 * Names joined by | are the same thing in PyTorch and NumPy. A parameter with a default may be
 * left out, one whose type ends in ? may be None.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tool_api.h"
#include "stria/call.h"

enum { MAX_PARAMS = 12 };

#define PARAM_TYPES(TYPE)                                                                          \
    TYPE(ARRAY, "array")                                                                           \
    TYPE(ARRAYS, "arrays")                                                                         \
    TYPE(SPARSE, "sparse")                                                                         \
    TYPE(DATA, "data")       /* An array, or numbers that become one. */                           \
    TYPE(OPERAND, "operand") /* The same, but a number has no dtype of its own. */                 \
    TYPE(INT, "int")                                                                               \
    TYPE(INTS, "ints")                                                                             \
    TYPE(DIM, "dim")                                                                               \
    TYPE(DIMS, "dims")                                                                             \
    TYPE(BOOL, "bool")                                                                             \
    TYPE(TEXT, "text")                                                                             \
    TYPE(DTYPE, "dtype")                                                                           \
    TYPE(CLASS, "class")   /* np.matrix, np.recarray or np.ndarray. */                             \
    TYPE(FORMAT, "format") /* A memory format, or 'C', 'F', 'A' or 'K'. */                         \
    TYPE(ANY, "any")

#define PARAM_TYPE(type, text) TYPE_##type,
enum param_type { PARAM_TYPES(PARAM_TYPE) };

/* A piece of a signature's text. */
struct text_span {
    const char *text;
    size_t length;
};

enum { PARAM_NAMES = 5 /* test_call.c sees that they are enough */ };

struct param {
    struct text_span names;        /* "dim|axis" */
    uint32_t numbers[PARAM_NAMES]; /* of these names; 0 behind the last */
    enum param_type type;
    bool variadic, none, optional;
    struct text_span fallback; /* Text of the default of an optional parameter. */
};

struct signature {
    struct text_span names; /* "swapaxes|swapdims" */
    struct text_span name;  /* the first of them */
    bool attribute;
    bool self; /* The method's array is params[0]. */
    int count;
    struct param params[MAX_PARAMS];
};

/* Reads a signature; false if the text is malformed, which that of no row may be. */
TOOL_API bool stria__signature_read(struct signature *out, const char *text);
/* Returns the names at the start of a signature's text. */
TOOL_API struct text_span stria__signature_names(const char *text);
/* Returns which of the alternatives a|b|c the name is, from 0 on; -1: none. */
int stria__span_place(struct text_span names, struct text_span name);
/* Tells whether name is one of the alternatives a|b|c in names. */
TOOL_API bool stria__span_has(struct text_span names, const char *name);
/* Returns which of the names a|b|c the text is, from 0 on; -1: none. */
int stria__choice(const char *names, const char *text);
/* A number of a name, which is not 0: equal names have equal ones, and few others. */
uint32_t stria__name_number(struct text_span name);
/* Takes the first alternative off, and returns it. */
TOOL_API struct text_span stria__span_take(struct text_span *names);
/* Returns the first alternative. */
TOOL_API struct text_span stria__span_first(struct text_span names);
