/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/python_interpreter.h"

#include <stddef.h>

/* "python", "python3", "python3.11", "python3.11d", but not "python-config". */
static bool is_python_program(struct span module)
{
    if (!span_starts(module, SPAN("python")))
        return false;
    for (size_t i = sizeof("python") - 1; i < module.len; i++)
        if (module.at[i] != '.' && (module.at[i] < '0' || module.at[i] > '9') &&
            !(i + 1 == module.len && (module.at[i] == 'd' || module.at[i] == 't')))
            return false;
    return true;
}

bool python_is_interpreter(struct span module)
{
    return span_starts(module, SPAN("libpython")) || is_python_program(module);
}

bool python_is_plumbing(struct span function)
{
    static const char *const starts[] = {
        "_PyEval_",
        "PyEval_",
        "_PyFunction_Vectorcall",
        "PyObject_Call",
        "_PyObject_Call",
        "_PyObject_MakeTpCall",
        "PyObject_Vectorcall",
        "_PyObject_FastCall",
        "_PyVectorcall_",
        "PyVectorcall_",
        "object_vacall",
        "method_vectorcall",
        "cfunction_",
        "slot_tp_",
        "type_call",
        "vectorcall_",
        "builtin_exec",
        "builtin___build_class__",
        "run_mod",
        "run_eval_code_obj",
        "pyrun_",
        "_PyRun_",
        "PyRun_",
        "pymain_",
        "Py_RunMain",
        "Py_BytesMain",
        "Py_Main",
        "Py_DECREF",
        "Py_INCREF",
        "Py_XDECREF",
        "do_call_core",
        "call_function",
        "_PyObject_Vectorcall",
    };

    for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
        if (span_starts(function, span_of(starts[i])))
            return true;
    return false;
}
