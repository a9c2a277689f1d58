/* SPDX-License-Identifier: Apache-2.0 */
/* derive.h — each level from the one above; levels are made by graph_need() alone */
#ifndef PTK_GRAPH_DERIVE_DERIVE_H
#define PTK_GRAPH_DERIVE_DERIVE_H

#include "graph/model/graph.h"

/* Timeline → call tree: events nest by time on their track, tracks merge. Fills the first value's
 * column with each event's time less that of the events inside it. */
void derive_calltree(struct graph *graph);

/* Timeline → flat in one sweep, where nobody asks for callers: the same figures as by the call
 * tree, in the order in which functions begin. Not for device time by launch, which only a tree
 * has. */
void derive_flat(struct graph *graph);

/* Whether the selected value is device time, */
bool derive_of_device(const struct graph *graph);

/* ... which hangs below the calls that launched it, where these are known. */
bool derive_by_launch(const struct graph *graph);

/* Whether the track's events are part of the selected value. */
bool derive_wants(const struct graph *graph, const struct track *track);

struct calltree_builder;

/* Whether an event's time counts: on a stream waiting is no work, and the host's call that waits
 * has it. */
static inline bool derive_counts(const struct graph *graph, const struct track *track,
                                 event_id event)
{
    return track_takes_time(track) &&
           (track->kind != TRACK_STREAM ||
            graph_frame(graph, graph->timeline.frame[event])->kind != KIND_SYNC);
}

/* One more call of a node, with so much of the selected value's self time. */
void derive_call(struct graph *graph, node_id node, int64_t self);

/* Call tree → call graph and flat, for the selected value: contexts of one function merge.
 * A function (or an edge) that is below itself adds to its cum and primitive calls once. */
void derive_calls(struct graph *graph);

/* The same without the edges: flat alone. */
void derive_functions(struct graph *graph);

#endif
