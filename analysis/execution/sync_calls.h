/* SPDX-License-Identifier: Apache-2.0 */
/* sync_calls.h — functions whose calls wait for a device, as a rule
 *
 * Rows about waiting are not work. Some producers write them as such (KIND_SYNC); where they only
 * record the runtime's calls, its blocking functions are known by name, as nothing else tells.
 * Whether one call blocked is decided in blocked_calls.c. */
#ifndef PTK_ANALYSIS_EXECUTION_SYNC_CALLS_H
#define PTK_ANALYSIS_EXECUTION_SYNC_CALLS_H

#include "graph/model/graph.h"

/* By frame, whether it only waits; the arena's. */
bool *waiting_frames(const struct graph *graph, struct arena *arena);

#endif
