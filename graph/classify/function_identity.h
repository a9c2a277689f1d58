/* SPDX-License-Identifier: Apache-2.0 */
/* function_identity.h — when a function of one build, or of one run, is that of another
 *
 * Names carry what changes without the function changing: addresses of objects, the numbers that
 * compilers give to clones and lambdas, template arguments; and functions move to other lines and
 * files. So functions are compared by keys that leave out more and more. */
#ifndef PTK_GRAPH_CLASSIFY_FUNCTION_IDENTITY_H
#define PTK_GRAPH_CLASSIFY_FUNCTION_IDENTITY_H

#include "base/text/string_table.h"
#include "graph/model/graph.h"

enum identity_level {
    IDENTITY_FILE,     /* name and file: the line may have moved */
    IDENTITY_CLONE,    /* without clone suffixes and lambda numbers, in a file of that base name */
    IDENTITY_TEMPLATE, /* and without arguments and template arguments */
    IDENTITY_NAME,     /* the bare name, in whatever file */
    IDENTITY_LEVELS
};

/* The name with every hexadecimal address as "0x…": what all runs of one build share. Code that no
 * symbol is known for is one function a library: "[libm.so]". */
str_id identity_name(const struct graph *graph, frame_id id, struct strings *strings);

/* The key of a frame whose texts are in `strings`; equal keys are one function at that level. */
str_id identity_key(struct strings *strings, const struct frame *frame, enum identity_level level);

#endif
