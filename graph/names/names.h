/* SPDX-License-Identifier: Apache-2.0 */
/* names.h — what people call a function: a head and facts, short, and different for each function of a graph */
#ifndef PTK_GRAPH_NAMES_NAMES_H
#define PTK_GRAPH_NAMES_NAMES_H

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "graph/model/graph.h"

/* ---- the label of a function ---- */

/* A label is a head, then facts, with single blanks between: "mul bf16 strided", "gemm bf16 128x128x64 tn",
 * "store.(*DB).Get", "attn.py:88(forward)". It follows from the full name, and is the same in every file, but for
 * facts behind it that tell functions of this graph apart whose labels would be equal: at last "#1", "#2".
 * The names of groups (--by file) and of lines of source stay as frame_label() has them. */

/* Lives as long as the graph, which keeps it: only from one thread at a time. Raw bytes, as the names. */
struct span graph_short_name(const struct graph *graph, frame_id id);

/* The label of such a name alone: of texts that have no frame. In `arena`. */
struct span short_name(struct span name, enum frame_kind kind, struct arena *arena);

/* The function alone, of a name of Python's that has file and line, too: "step" of "core.py(341): step". */
struct span python_function(struct span name);

/* The full name in one spelling of those that demanglers have: names of two files that differ in nothing else get the same.
 * It is no name for people. In `arena`, or as it is. */
struct span name_dialect(struct span name, enum frame_kind kind, struct arena *arena);

/* ---- fitted to a width ---- */

/* The labels of the rows of one table in at most `width` cells each (12 at least): facts go first, those that are
 * equal in all rows of a head before others, then scopes, then words at the end of an identifier, with the mark.
 * Different functions keep different texts, and each text selects its function alone where that is possible. frame
 * 0: the text is empty. */
struct span *short_names_fit(const struct graph *graph, const frame_id *frames, uint32_t count, size_t width,
                             struct span mark, struct arena *arena);

/* ---- typed back ---- */

/* Marks each function that a typed text means: the one whose label it is. False: none. */
bool short_name_select(const struct graph *graph, struct span typed, bool *matches);

/* Marks all functions with that head, or with its last scopes, that have all the facts typed behind it, in any order,
 * those that are not shown too. A mark at the end of an identifier stands for its rest. */
bool short_name_select_facts(const struct graph *graph, struct span typed, bool *matches);

#endif
