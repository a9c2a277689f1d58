/* SPDX-License-Identifier: Apache-2.0 */
/* python_names.h — what Python's file and function names tell: modules and built-ins */
#ifndef PTK_PARSERS_SHARED_PYTHON_NAMES_H
#define PTK_PARSERS_SHARED_PYTHON_NAMES_H

#include "base/text/span.h"

enum { PYTHON_MODULE_MAX = 256 };

/* "/usr/lib/python3.11/json/decoder.py" → "json.decoder", ".../site-packages/numpy/__init__.py" →
 * "numpy", "work/main.py" → "main", "<frozen importlib._bootstrap>" → "importlib._bootstrap".
 * Empty when the file says nothing. The text lies in `room`. */
struct span python_module(struct span file, char room[PYTHON_MODULE_MAX]);

/* Whether it names Python source: "m.py", "m.pyx", "<string>". */
bool python_is_file(struct span path);

/* "<built-in method posix.stat>" → "posix", "<method 'append' of 'list' objects>" → "builtins".
 * Empty when the name says nothing. Part of `name`, or a literal. */
struct span python_builtin_module(struct span name);

#endif
