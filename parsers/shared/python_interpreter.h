/* SPDX-License-Identifier: Apache-2.0 */
/* python_interpreter.h — which native code is CPython itself: what runs Python rather than being
 * run
 *
 * In a native profile of a Python program every stack is mostly this, and nothing of it tells the
 * program's own functions apart. */
#ifndef PTK_PARSERS_SHARED_PYTHON_INTERPRETER_H
#define PTK_PARSERS_SHARED_PYTHON_INTERPRETER_H

#include <stdbool.h>

#include "base/text/span.h"

/* The name that its frames get when they are folded into one. */
#define PYTHON_INTERPRETER "(Python interpreter)"

/* "libpython3.11.so.1.0", "python3.11": the file name of a library or program. */
bool python_is_interpreter(struct span module);

/* A function of the interpreter that only evaluates, calls, or starts: the loop and its plumbing.
 * Not what does work that a Python program asks for, such as list_sort or gc_collect. */
bool python_is_plumbing(struct span function);

#endif
