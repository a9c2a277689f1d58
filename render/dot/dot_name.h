/* SPDX-License-Identifier: Apache-2.0 */
/* dot_name.h — a function's name as it stands in a box: short, and on several lines if asked */
#ifndef PTK_RENDER_DOT_DOT_NAME_H
#define PTK_RENDER_DOT_DOT_NAME_H

#include <stdio.h>

#include "graph/model/graph.h"

/* "decoder:332:decode" for Python, "~:0:<built-in …>" for its built-ins, the name for the rest;
 * escaped. Names of more than 4095 bytes are cut. */
void dot_name(FILE *out, const struct graph *graph, const struct frame *frame,
              bool strips_arguments, bool wraps);

/* The name, a line for each of its parts: "json", "decode"; without arguments. Python's functions
 * with their file and line below. Escaped. */
void dot_name_parts(FILE *out, const struct graph *graph, const struct frame *frame);

/* The file, or the whole name where there is none; escaped. */
void dot_tooltip(FILE *out, const struct graph *graph, const struct frame *frame);

#endif
