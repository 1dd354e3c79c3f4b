/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of the registry, as Python has it. */
#pragma once

#include "binding.h"

enum { FUNCTIONS = 1024 /* Number of functions that there are stubs for. */ };

/* Calls that have a short way (direct.c). */
enum direct {
    DIRECT_NONE,
    DIRECT_RESHAPE,
    DIRECT_PERMUTE,
    DIRECT_VIEW,
    DIRECT_REDUCE,
    DIRECT_EMPTY,
    DIRECT_ZEROS,
    DIRECT_COPY,
    DIRECT_ASTYPE,
    DIRECT_ARANGE,
    DIRECT_PRODUCT,
    DIRECT_VECTORS,
    DIRECT_ONES,
    DIRECT_JOIN
};

struct entry {
    const stria_function *function;
    enum direct direct;
    stria_reduction reduction; /* The reduction of DIRECT_REDUCE. */
    stria_op op;               /* The operation of elementwise functions; -1. */
    int inputs;                /* Number of inputs of op. */
    bool arrays;               /* It makes new memory, so that a call may take long. */
    bool moves;                /* It gives views, or copies of unchanged elements. */
    bool writes;               /* It writes into its first operand. */
    bool torch;                /* Only PyTorch has this name, so that its promotion rule holds. */
    unsigned lacks;            /* Options such as STRIA_TAKES_OUT that _options.py adds. */
    /* The number of positional arguments of a drawing function from which seed= is given; -1. */
    int seed;
    bool method, attribute;
    bool creates;    /* It makes an array of a shape. */
    bool computes;   /* Its first form is an operation by element. */
    bool tells;      /* It gives one truth, which is Python's as with NumPy. */
    bool by_element; /* It is an operation on one operand or two alike: a stria.ufunc. */
    char name[64];   /* Such as "linalg.norm". */
    char *function_doc, *method_doc; /* Docstrings, with the text of the signature. */
};

/* Tells whether the short way is that of new arrays of a shape, which takes dtype=. */
static inline bool py_makes_directly(const struct entry *e)
{
    return e->direct == DIRECT_EMPTY || e->direct == DIRECT_ZEROS || e->direct == DIRECT_ONES;
}

extern const char *const py_option_names[3]; /* The names by the bits of STRIA_TAKES_OUT, ... */

enum { FORMS = 16 /* Most forms of a name. */ };

/* The forms of a name. */
struct forms {
    const stria_function *function;
    int count;
    stria_form form[FORMS];
};

/*
 * Makes "name(x, /, axis=None)\n--\n\n" and the description of the function, from which Python
 * reads __text_signature__ and __doc__: allocated by PyMem_Malloc, NULL with an exception. The
 * signature is that of NumPy's form with the most parameters, and the options that it lacks.
 */
char *py_signature_doc(const struct forms *forms, const char *name, bool method, unsigned lacks);

/* Returns the reduction that a function of the library computes; -1: none. */
int py_reduction(const char *c);
/* Sets the short way of a function that the library's function c implements. */
void py_find_direct(struct entry *e, const char *c);
/*
 * Calls the short way for positional arguments, and dtype= of new arrays, or NULL; NULL without an
 * exception if it does not serve.
 */
PyObject *py_call_direct(const struct entry *e, PyObject *self, PyObject *const *args,
                         Py_ssize_t count, PyObject *dtype);

/* The stubs: function n calls entry n (stubs.c). */
PyObject *py_call_entry(unsigned n, PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *names);
extern PyCFunction const py_stubs[FUNCTIONS];

/* Functions with methods of their own (ufunc.c). */
int py_ufunc_ready(PyObject *module);
/* The entry must live as long as the module. */
PyObject *py_ufunc_new(unsigned number, const struct entry *e);
