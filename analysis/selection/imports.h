/* SPDX-License-Identifier: Apache-2.0 */
/* imports.h — a run apart from what it spent on importing modules: --no-imports
 *
 * On a call tree that is exact: no stack with an import on it is kept. A call graph has no stacks:
 *
 * - What is an import itself, or the body of a module that took no longer than the longest import,
 *   goes: longer ones are the program's.
 * - Of every other function goes the part of its figures that its callers spent in imports, in
 *   proportion to the time of their calls: all or nothing where it has one caller, else an estimate.
 * - Of a cumulative time goes what the imports below took. */
#ifndef PTK_ANALYSIS_SELECTION_IMPORTS_H
#define PTK_ANALYSIS_SELECTION_IMPORTS_H

#include "graph/model/graph.h"

/* Narrows the graph; returns how much self time went. Of a flat profile only the rows of imports
 * themselves go. */
int64_t select_no_imports(struct graph *graph);

#endif
