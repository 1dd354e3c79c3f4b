/* SPDX-License-Identifier: BSD-3-Clause */
/* The module stria._core, which the package stria shows as its own. */
#include "binding.h"

#include "stria/version.h"

static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "stria._core", .m_size = -1,
                          .m_doc = "The extension behind the package stria."};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *const module = PyModule_Create(&def);
    if (!module) return NULL;
    if (PyModule_AddStringConstant(module, "__version__", stria_version()) ||
        PyModule_AddIntConstant(module, "MAX_NDIM", STRIA_MAX_NDIM) || py_memory_ready() ||
        py_errors_ready(module) || py_dtype_ready(module) || py_array_ready(module) ||
        py_settings_ready(module) || py_dlpack_ready(module) || py_creation_ready(module) ||
        py_text_ready(module) || py_expression_ready(module) || py_files_ready(module) ||
        py_functions_ready(module)) {
        Py_DECREF(module);
        return NULL;
    }
#ifdef Py_GIL_DISABLED
    (void)PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}
