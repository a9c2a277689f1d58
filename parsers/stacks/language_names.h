/* SPDX-License-Identifier: Apache-2.0 */
/* language_names.h — what names of functions and files tell, Python's above all */
#ifndef PTK_PARSERS_STACKS_LANGUAGE_NAMES_H
#define PTK_PARSERS_STACKS_LANGUAGE_NAMES_H

#include <stdbool.h>

#include "base/memory/span.h"
#include "graph/build/builder.h"

/* ---- what Python's file and function names tell: modules and built-ins ---- */

enum { PYTHON_MODULE_MAX = 256 };

/* "/usr/lib/python3.11/json/decoder.py" → "json.decoder", ".../site-packages/numpy/__init__.py" →
 * "numpy", "work/main.py" → "main", "<frozen importlib._bootstrap>" → "importlib._bootstrap".
 * Empty when the file says nothing. The text lies in `room`. */
struct span python_module(struct span file, char room[PYTHON_MODULE_MAX]);

/* "m.c:12" → "m.c", and 12; all of the place, and 0, where it ends in no line. */
struct span place_file(struct span place, int64_t *line);

/* Whether it names Python source: "m.py", "m.pyx", "<string>". */
bool python_is_file(struct span path);

/* "<built-in method posix.stat>" → "posix", "<method 'append' of 'list' objects>" → "builtins".
 * Empty when the name says nothing. Part of `name`, or a literal. */
struct span python_builtin_module(struct span name);

/* ---- whether a sampler's frames say where functions begin, or which lines ran ---- */

/* Py-spy, unless it is told `--function`, and austin put the line that ran into the frame. One
 * function is then as many frames as lines of it were seen. Which it is, the frames tell: a
 * module's own code begins at line 1, so that one further down is a line that ran. Where no
 * module's code is seen, it is one when a name has several lines in one file. */

enum python_lines { PYTHON_LINES_TO_TELL, PYTHON_LINES_THAT_RAN };

/* Hands the frames of a file to the builder, whose ids for them go to `ids`. `lines` says which lines
 * they have, or that the frames are to tell. Lines that ran are kept where lines are asked for; else the frames of one function become one, which has no line: where it
 * begins is not known. Lambdas and comprehensions, which only their lines tell apart, keep theirs.
 * Once, after the last frame was read; the texts must be the builder's. */
void python_frames_give(struct builder *builder, struct frame *frames, size_t count,
                        enum python_lines lines, frame_id *ids);

/* The same for one frame of a file whose lines are known to be those that ran: it becomes its
 * function's. */
void python_forget_line(const struct builder *builder, struct frame *frame);

/* ---- which native code is CPython itself: what runs Python rather than being run ---- */

/* In a native profile of a Python program every stack is mostly this, and nothing of it tells the
 * program's own functions apart. */

/* The name that its frames get when they are folded into one. */
#define PYTHON_INTERPRETER "(Python interpreter)"

/* "libpython3.11.so.1.0", "python3.11": the file name of a library or program. */
bool python_is_interpreter(struct span module);

/* A function of the interpreter that only evaluates, calls, or starts: the loop and its plumbing.
 * Not what does work that a Python program asks for, such as list_sort or gc_collect. */
bool python_is_plumbing(struct span function);

#endif
