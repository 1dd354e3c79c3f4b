/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of the registry as Python has it. */
#ifndef STRIA_PYTHON_FUNCTIONS_H
#define STRIA_PYTHON_FUNCTIONS_H

#include "binding.h"

enum { FUNCTIONS = 1024 /* that there are stubs for */ };

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
    DIRECT_ARANGE
};

struct entry {
    const stria_function *function;
    enum direct direct;
    stria_reduction reduction; /* of DIRECT_REDUCE */
    stria_op op;               /* of elementwise operations; -1 */
    int inputs;                /* of op */
    bool arrays;               /* makes new memory, so that a call may take long */
    bool moves;                /* gives views, or copies of elements as they are */
    bool torch;                /* PyTorch alone has it: its rule is meant */
    unsigned lacks;            /* STRIA_TAKES_OUT, ...: _options.py adds those */
    int seed; /* of what draws numbers: from as many positional arguments on seed= is there; -1 */
    bool method, attribute;
    bool by_element;                 /* an operation on one operand or two alike: a stria.ufunc */
    char name[64];                   /* "linalg.norm" */
    char *function_doc, *method_doc; /* with the text of the signature */
};

extern const char *const py_option_names[3]; /* by the bits of STRIA_TAKES_OUT, ... */

enum { FORMS = 16 /* of a name, at most */ };

/* The forms of a name. */
struct forms {
    const stria_function *function;
    int count;
    stria_form form[FORMS];
};

/*
 * Writes "name(x, /, axis=None)\n--\n\n" and what the function does, as __text_signature__ and
 * __doc__ are read from it: allocated by PyMem_Malloc, NULL with an exception. The signature is
 * that of NumPy's form with the most parameters, and the options that it lacks.
 */
char *py_signature_doc(const struct forms *forms, const char *name, bool method, unsigned lacks);

/* The reduction that a function of the library is; -1: none. */
int py_reduction(const char *c);
/* Sets the short way of a function that the library's function c does. */
void py_find_direct(struct entry *e, const char *c);
/*
 * Takes it for positional arguments, and dtype= of new arrays, or NULL; NULL without an exception
 * where it does not serve.
 */
PyObject *py_call_direct(const struct entry *e, PyObject *self, PyObject *const *args,
                         Py_ssize_t count, PyObject *dtype);

/* The stubs: function n calls entry n (stubs.c). */
PyObject *py_call_entry(unsigned n, PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *names);
extern PyCFunction const py_stubs[FUNCTIONS];

/* Functions with methods of their own (ufunc.c). */
int py_ufunc_ready(PyObject *module);
PyObject *py_ufunc_new(unsigned number, const struct entry *e); /* e lives as long as the module */

#endif
