/* SPDX-License-Identifier: Apache-2.0 */
/* frame_label.h — how a frame is called when it must be told from all others in one text */
#ifndef PTK_GRAPH_MODEL_FRAME_LABEL_H
#define PTK_GRAPH_MODEL_FRAME_LABEL_H

#include "graph/model/graph.h"

/* As the users of its kind know it: "file:line(name)" for Python, "{name}" for its built-ins, the
 * bare name for the rest, with its place where that does not tell it (JavaScript). Raw bytes from the profile;
 * in `arena`, or the interned name. */
struct span frame_label(const struct graph *graph, frame_id id, struct arena *arena);

/* The same of a line's function, by where that begins, where it is known. */
struct span frame_label_of_function(const struct graph *graph, frame_id id, struct arena *arena);

#endif
