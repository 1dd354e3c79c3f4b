/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module stria._core, which the package stria shows as its own. There is one of each type, and
 * one set of hooks, in a process: they belong to the main interpreter, and no other may import it.
 */
#include "binding.h"

#include "stria/machine.h"
#include "stria/version.h"

static PyObject *first; /* The module that was made, until Python ends. */

static void forget(void)
{
    first = NULL;
}

/* Takes the user's own profile (machine.h); errors in it are a warning. */
static int take_profile(void)
{
    return stria_machine_load(NULL) == STRIA_OK
               ? 0
               : PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "%s: `stria tune` makes it anew",
                                  stria_last_error());
}

static int check_version(void)
{
    if (stria_version_check(STRIA_VERSION) == STRIA_OK) return 0;
    PyErr_SetString(PyExc_ImportError, stria_last_error());
    return -1;
}

static int fill_module(PyObject *module)
{
    return check_version() || take_profile() ||
                   PyModule_AddStringConstant(module, "__version__", stria_version()) ||
                   PyModule_AddIntConstant(module, "MAX_NDIM", STRIA_MAX_NDIM) ||
                   py_errors_ready(module) || py_dtype_ready(module) || py_array_ready(module) ||
                   py_settings_ready(module) || py_dlpack_ready(module) ||
                   py_creation_ready(module) || py_text_ready(module) || py_graph_ready(module) ||
                   py_lazy_ready(module) || py_files_ready(module) || py_functions_ready(module)
               ? -1
               : 0;
}

/* Fills the module; a second import, as by another name, gets what the first one made. */
static int execute(PyObject *module)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError,
                        "stria is for the main interpreter: a subinterpreter cannot import it");
        return -1;
    }
    if (first) return PyDict_Merge(PyModule_GetDict(module), PyModule_GetDict(first), 0);
    if (fill_module(module)) return -1;
    first = Py_NewRef(module);
    (void)Py_AtExit(forget);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute},
#ifdef Py_GIL_DISABLED
                                   {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                   {0, NULL}};

static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "stria._core",
                          .m_doc = "The extension behind the package stria.", .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&def);
}
