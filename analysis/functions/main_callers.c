/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/call_edges.h"

int64_t *main_callers_find(const struct graph *graph, struct arena *arena)
{
    const struct calls *calls = &graph->calls;
    uint32_t functions = graph->functions.count;
    int64_t *caller = arena_array(arena, functions, sizeof(*caller));
    int64_t *time = arena_array(arena, functions, sizeof(*time)); /* of the calls from there */

    for (uint32_t i = 0; i < functions; i++)
        caller[i] = NO_CALLER;
    for (uint32_t call = 0; call < calls->count; call++) {
        uint32_t callee = calls->callee[call];

        if (calls->caller[call] == callee ||
            (caller[callee] != NO_CALLER && calls->cum[call] <= time[callee]))
            continue;
        caller[callee] = calls->caller[call];
        time[callee] = calls->cum[call];
    }
    return caller;
}
