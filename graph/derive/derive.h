/* SPDX-License-Identifier: Apache-2.0 */
/* derive.h — levels, each from the one above it */
#ifndef PTK_GRAPH_DERIVE_DERIVE_H
#define PTK_GRAPH_DERIVE_DERIVE_H

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* ---- each level from the one above; levels are made by graph_need() alone ---- */

/* Timeline → call tree: events nest by time on their track, tracks merge. Fills the first value's
 * column with each event's time less that of the events inside it. */
void derive_calltree(struct graph *graph);

/* Timeline → flat in one sweep, where nobody asks for callers: the same figures as by the call
 * tree, in the order in which functions begin. Not for device time by launch, which only a tree
 * has. */
void derive_flat(struct graph *graph);

/* Whether the selected value is CPU time, which only a tree has. */
bool derive_of_cpu(const struct graph *graph);

/* Whether the selected value is device time, */
bool derive_of_device(const struct graph *graph);

/* ... which hangs below the calls that launched it, where these are known. */
bool derive_by_launch(const struct graph *graph);

/* Whether the track's events are part of the selected value. */
bool derive_wants(const struct graph *graph, const struct track *track);

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

/* ---- the level that a question needs, derived from the one above on first use ---- */

/* Makes sure that the graph has `level`. False with ERROR_LACK, in the user's terms, when the
 * format holds less; `question` completes the sentence: "overlap cannot be computed". */
MUST_CHECK bool graph_need(struct graph *graph, enum level level, const char *question,
                           struct error *err);

/* The call tree, or the call graph of a format that holds no more; and what graph_whole() asks for.
 * A tree's edges, which nobody looks at then, are not made. */
MUST_CHECK bool graph_need_paths(struct graph *graph, const char *question, struct error *err);

/* The totals of the graph's calls: its own, or those that it adds up in `made`, which the caller
 * frees with edge_totals_free(). */
const struct edge_totals *graph_edge_totals(const struct graph *graph, struct edge_totals *made);

/* What 100 % of self means: the sum over all functions, those left out by a selection too;
 * of inclusive figures the largest, since they cannot be added up. */
int64_t graph_total(const struct graph *graph);

/* Of a profile that is no timeline: whether a function is none, but time in which nothing was to be
 * done (V8's "(idle)"); and the total without such time, which no change of the program makes
 * less. */
bool graph_is_waiting(const struct graph *graph, uint32_t function);
int64_t graph_work(const struct graph *graph);

/* The same of a sampled profile: it stands beside the stacks there, and has a row, but no share. */
bool graph_is_idle(const struct graph *graph, frame_id frame);
int64_t graph_idle(const struct graph *graph);

/* What 100 % of cum means: the total without idle time, or the largest cum where that is more (a
 * profile that lost some of its self time). Never less than 0. */
int64_t graph_whole(const struct graph *graph);

/* Keeps total and whole as they are now: shares of a selection are shares of everything. Needs
 * LEVEL_FLAT. */
void graph_narrow(struct graph *graph);

/* "timeline", "call tree". */
const char *level_title(enum level level);

#endif
