/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a timeline in one sweep, shared out by tracks, where nobody asks for callers. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "graph/derive/derive.h"
#include "graph/model/function_totals.h"
#include "graph/model/walks.h"

/* Events for which another thread is worth its start, and its rows their memory. */
enum { SHARE_MIN = 1 << 17, SHARE_MIN_PER_FRAME = 16 };

/* What one thread sweeps: these events, of whatever tracks. */
struct sweep_share {
    event_id begin, end;
    struct function_totals totals;
    struct open_events open; /* tagged with their frames */
};

struct flat_sweep {
    const struct graph *graph;
    struct sweep_share *shares;
    size_t count;
};

/* ---- one share ---- */

static inline void enter(struct sweep_share *share, const struct timeline *t, event_id event,
                         bool has_time)
{
    int64_t duration = t->duration[event], time = has_time ? duration : 0;
    const struct open_event *around = open_events_innermost(&share->open);
    const struct function_calls call = {.all = 1, .min = duration, .max = duration};

    function_totals_enter(&share->totals, t->frame[event], &call, time, time);
    if (around) {
        int64_t *self = &share->totals.rows[around->tag].self;

        *self = checked_sub(*self, time);
    }
    open_events_add(&share->open,
                    (struct open_event){t->start[event] + duration, event, t->frame[event]});
}

static inline void leave_until(struct sweep_share *share, int64_t time)
{
    for (const struct open_event *left; (left = open_events_close(&share->open, time));)
        function_totals_leave(&share->totals, left->tag);
}

static void sweep_track(struct sweep_share *share, const struct graph *graph,
                        const struct track *track)
{
    const struct timeline *t = &graph->timeline;
    bool has_time = track_takes_time(track), is_device = derive_of_device(graph);
    event_id begin = track->first, end = begin + track->count;

    if (!has_time && (begin < share->begin || begin >= share->end))
        return; /* they need not nest, so one thread takes all */
    if (has_time) {
        begin = begin > share->begin ? begin : share->begin;
        end = end < share->end ? end : share->end;
    }
    if (begin >= end)
        return;
    for (event_id e = track->first; e < begin; e++)
        if (t->start[e] + t->duration[e] > t->start[begin]) { /* open, and counted elsewhere */
            function_totals_at(&share->totals, t->frame[e])->open++;
            open_events_add(&share->open,
                            (struct open_event){t->start[e] + t->duration[e], e, t->frame[e]});
        }
    for (event_id event = begin; event < end; event++) {
        if (is_device && !frame_kind_is_device(graph_frame(graph, t->frame[event])->kind))
            continue;
        leave_until(share, t->start[event]);
        enter(share, t, event, derive_counts(graph, track, event));
    }
    leave_until(share, INT64_MAX);
}

/* On a copy, since threads that write side by side wait for each other's cache lines. */
static void sweep_share(void *context, size_t piece)
{
    const struct flat_sweep *sweep = context;
    const struct timeline *t = &sweep->graph->timeline;
    struct sweep_share share = sweep->shares[piece];

    for (uint32_t i = 0; i < t->track_count; i++)
        if (derive_wants(sweep->graph, &t->tracks[i]))
            sweep_track(&share, sweep->graph, &t->tracks[i]);
    sweep->shares[piece] = share;
}

/* ---- the whole ---- */

static void cut_shares(struct flat_sweep *sweep)
{
    const struct graph *graph = sweep->graph;
    size_t events = graph->timeline.count, frames = graph->frames.count;
    size_t least = frames * SHARE_MIN_PER_FRAME;
    size_t most = events / (least > SHARE_MIN ? least : SHARE_MIN) + 1;

    sweep->count = thread_budget() < most ? thread_budget() : most;
    sweep->shares = grow_zeroed(sweep->count, sizeof(*sweep->shares));
    for (size_t i = 0; i < sweep->count; i++) {
        sweep->shares[i].begin = (event_id)(events * i / sweep->count);
        sweep->shares[i].end = (event_id)(events * (i + 1) / sweep->count);
        struct function_totals *totals = &sweep->shares[i].totals;

        totals->rows = grow_zeroed(frames, sizeof(*totals->rows));
        totals->calls = grow_zeroed(frames, sizeof(*totals->calls));
    }
}

void derive_flat(struct graph *graph)
{
    struct flat_sweep sweep = {.graph = graph};

    cut_shares(&sweep);
    parallel_for(sweep.count, sweep.count, sweep_share, &sweep);
    for (size_t i = 1; i < sweep.count; i++)
        function_totals_add(&sweep.shares[0].totals, &sweep.shares[i].totals);
    function_totals_finish(&sweep.shares[0].totals, true, &graph->functions);
    graph->has[LEVEL_FLAT] = true;
    for (size_t i = 0; i < sweep.count; i++) {
        function_totals_free(&sweep.shares[i].totals);
        open_events_free(&sweep.shares[i].open);
    }
    free(sweep.shares);
}
