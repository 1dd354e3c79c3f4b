/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of the registry as Python has it. */
#ifndef STRIA_PYTHON_FUNCTIONS_H
#define STRIA_PYTHON_FUNCTIONS_H

#include "binding.h"

enum { FUNCTIONS = 1024 /* that there are stubs for */ };

struct entry {
    const stria_function *function;
    stria_op op; /* of elementwise operations; -1 */
    int inputs;  /* of op */
    bool arrays; /* makes new memory, so that a call may take long */
    bool torch;  /* PyTorch alone has it: its rule is meant */
    bool method, attribute;
    char name[64];                   /* "linalg.norm" */
    char *function_doc, *method_doc; /* with the text of the signature */
};

/*
 * Writes "name(x, /, axis=None)\n--\n\n" and what the function does, as __text_signature__ and
 * __doc__ are read from it: allocated by PyMem_Malloc, NULL with an exception.
 */
char *py_signature_doc(const stria_function *function, const char *name, bool method);
/* The form that a signature is that of: NumPy's, with the most parameters. */
int py_main_form(stria_form *out, const stria_function *function);

/* The stubs: function n calls entry n (stubs.c). */
PyObject *py_call_entry(unsigned n, PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *names);
extern PyCFunction const py_stubs[FUNCTIONS];

#endif
