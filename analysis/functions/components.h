/* SPDX-License-Identifier: Apache-2.0 */
/* components.h — functions that call one another in a cycle, found together (Tarjan 1972) */
#ifndef PTK_ANALYSIS_FUNCTIONS_COMPONENTS_H
#define PTK_ANALYSIS_FUNCTIONS_COMPONENTS_H

#include "analysis/functions/call_edges.h"

/* Functions of one component reach each other over calls; most components are one function.
 * Numbered so that calls from one to another always go from the higher number to the lower. */
struct components {
    uint32_t count;
    uint32_t *of;             /* by function */
    uint32_t *first, *member; /* functions of c: member[first[c]] … member[first[c + 1] - 1] */
};

void components_find(const struct graph *graph, const struct edges *edges, struct arena *arena,
                     struct components *components);

#endif
