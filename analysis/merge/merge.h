/* SPDX-License-Identifier: Apache-2.0 */
/* merge.h — many profiles as one */
#ifndef PTK_ANALYSIS_MERGE_MERGE_H
#define PTK_ANALYSIS_MERGE_MERGE_H

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"
#include "graph/model/calltree_builder.h"
#include "graph/model/graph.h"

/* ---- one profile out of many: paths, functions and calls that are the same are added up ---- */

/* Add profiles in any order and any grouping: the result is the same to the last byte of what is
 * written of it, so partial results can be merged again. What is kept is the union; each profile
 * can be freed once it has been added. */

/* Profiles added so far. Start zeroed; it must not move until merge_finish(). */
struct merge {
    struct graph graph;
    enum level level;  /* of all that were added: call tree, call graph or functions */
    bool keeps_labels; /* all of them (calltree.sets), and lines; set first */
    uint32_t profiles;
    int64_t runs; /* of which these are the sum */
    bool orders_differ;   /* the profiles have their value types in different orders */
    bool defaults_differ; /* and select different ones */

    struct calltree_builder tree_builder; /* call tree */
    struct idmap function_of;             /* by frame */
    struct idmap call_of;                 /* by caller and callee */
    struct VECTOR_OF(bool) is_listed;     /* by function: a profile has figures of its own for it */
};

/* Adds a profile, whose level must be derived down to what it has natively, or to its call tree if
 * that is a timeline. Value types that not all profiles have are left out, with a warning. False
 * with ERROR_USAGE when the profiles hold different levels or have no value type in common. */
MUST_CHECK bool merge_add(struct merge *merge, const struct graph *graph, struct error *err);

/* Hands over the merged graph in canonical order (see canonical.c), and frees the rest. */
void merge_finish(struct merge *merge, struct graph *graph);

void merge_abandon(struct merge *merge);

/* ---- one order for equal profiles, however they came about ---- */

/* Functions by name, file, line, module, address and kind; calls by caller and callee; the nodes of
 * a call tree depth first, children in the order of their functions. */

void canonical_tree(struct graph *graph);

/* Listed functions come first: is_listed[f] of each. */
void canonical_calls(struct graph *graph, const bool *is_listed);

#endif
