/* SPDX-License-Identifier: Apache-2.0 */
/* derive.h — levels, each from the one above it */
#ifndef PTK_GRAPH_DERIVE_DERIVE_H
#define PTK_GRAPH_DERIVE_DERIVE_H

#include "base/checked.h"
#include "base/cli/cli.h"
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

/* What each function comes to, whatever its figures are met in: the events of a
 * timeline, the nodes of a call tree or the stacks of samples.
 *
 * A function that is inside itself adds to its cum and to its primitive calls once: a walk enters
 * and leaves functions as it goes, and only the outermost counts. */

/* In the graph's base units. */
struct function_total {
    int64_t cum, self;
    uint64_t open;   /* how often it is around the walk; of stacks: the last that had it */
    uint32_t number; /* in the order of their coming, from 1; 0: has not come yet */
};

/* What samples cannot tell: apart from the rest, so that theirs stay in the cache. */
struct function_calls {
    int64_t all, primitive;
    int64_t min, max; /* of one; min > max: of none is it known */
};

/* Ready for use when zeroed, but for the rows. */
struct function_totals {
    struct function_total *rows;  /* by frame, zeroed: one for each that may come */
    struct function_calls *calls; /* likewise; NULL: calls are not counted */
    frame_id *met;                /* by number - 1 */
    size_t count, cap;
};

static inline struct function_total *function_totals_at(struct function_totals *totals,
                                                        frame_id frame)
{
    struct function_total *row = &totals->rows[frame];

    if (!row->number) {
        totals->met = grow_one(totals->met, totals->count, &totals->cap, sizeof(*totals->met));
        totals->met[totals->count++] = frame;
        row->number = (uint32_t)totals->count;
        if (totals->calls)
            totals->calls[frame] = (struct function_calls){.min = INT64_MAX, .max = INT64_MIN};
    }
    return row;
}

/* The walk enters the function once more, or so many calls of it at once. */
static inline void function_totals_enter(struct function_totals *totals, frame_id frame,
                                         const struct function_calls *more, int64_t self,
                                         int64_t cum)
{
    struct function_total *row = function_totals_at(totals, frame);
    struct function_calls *calls = totals->calls ? &totals->calls[frame] : NULL;
    bool is_outermost = row->open++ == 0;

    row->self = checked_add(row->self, self);
    row->cum = is_outermost ? checked_add(row->cum, cum) : row->cum;
    if (!calls)
        return;
    calls->all = checked_add(calls->all, more->all);
    calls->primitive = checked_add(calls->primitive, is_outermost ? more->all : 0);
    calls->min = more->min < calls->min ? more->min : calls->min;
    calls->max = more->max > calls->max ? more->max : calls->max;
}

static inline void function_totals_leave(struct function_totals *totals, frame_id frame)
{
    totals->rows[frame].open--;
}

/* One sample whose stack has these functions, the leaf first, by its number, from 1. A function
 * that is on it several times counts once. */
static inline void function_totals_stack(struct function_totals *totals, const frame_id *frames,
                                         uint32_t depth, uint64_t number, int64_t amount)
{
    for (uint32_t i = 0; i < depth; i++) {
        struct function_total *row = &totals->rows[frames[i]];

        if (row->open == number)
            continue;
        function_totals_at(totals, frames[i]);
        row->open = number;
        row->cum = checked_add(row->cum, amount);
    }
    if (depth)
        totals->rows[frames[0]].self = checked_add(totals->rows[frames[0]].self, amount);
}

/* Adds what others have come to, which were met after these. */
void function_totals_add(struct function_totals *to, const struct function_totals *from);

/* Numbers them by their frames instead. */
void function_totals_sort(struct function_totals *totals);

/* Makes the flat level of them, in the order of their numbers, and frees them. Without `calls`
 * calls are UNKNOWN, and without `has_extremes` there are no columns of the shortest and
 * longest. */
void function_totals_finish(struct function_totals *totals, bool has_extremes,
                            struct functions *functions);

void function_totals_free(struct function_totals *totals);

#endif
