/* SPDX-License-Identifier: Apache-2.0 */
/* What device work waits for: work before it on its stream, and work on other streams. */
#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"

/* How many events are looked at for one that will do. */
enum { EVENTS_ASKED = 64 };

static uint64_t stream_key(const struct track *track)
{
    return idmap_pair((uint32_t)track->device, (uint32_t)stream_of_track(track));
}

/* Streams' waits have tracks of their own, or stand among their work. */
static void index_track(const struct graph *graph, uint32_t at, struct stream_waits *waits)
{
    const struct timeline *timeline = &graph->timeline;
    const struct track *track = &timeline->tracks[at];
    const struct property_column *sources = &timeline->properties[PROP_WAIT_STREAM];
    bool has_work = false;

    for (event_id e = track->first; e < track->first + track->count && !has_work; e++)
        has_work = is_device_work(graph, e);
    if (has_work && track->lane == 0)
        *idmap_at(&waits->stream_tracks, stream_key(track)) = at;

    SEARCH(uint32_t, first, sources->count, sources->event[first] < track->first);
    for (; first < sources->count && sources->event[first] < track->first + track->count; first++) {
        uint32_t *rows =
            idmap_at(&waits->rows_of, idmap_pair((uint32_t)track->device, (uint32_t)track->tid));

        if (*rows == IDMAP_NONE)
            *rows = waits->row_count;
        waits->rows[waits->row_count++] = sources->event[first];
    }
}

void stream_waits_index(const struct graph *graph, struct stream_waits *waits)
{
    const struct timeline *timeline = &graph->timeline;

    *waits = (struct stream_waits){.graph = graph};
    waits->rows = grow_to(NULL, (size_t)timeline->properties[PROP_WAIT_STREAM].count + 1,
                          sizeof(*waits->rows));
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_STREAM)
            index_track(graph, i, waits);
}

/* ---- what a stream had done ---- */

/* Waits that some producers write among the work do nothing, and what took no time leads
 * nowhere. */
static bool is_passed_over(const struct graph *graph, event_id event)
{
    return graph->timeline.duration[event] == 0 || !is_device_work(graph, event);
}

static event_id ended_on_lane(const struct graph *graph, const struct track *lane, int64_t time)
{
    const struct timeline *timeline = &graph->timeline;

    SEARCH(uint32_t, at, lane->count, event_end(timeline, lane->first + at) <= time);
    for (int asked = 0; at && asked < EVENTS_ASKED; at--, asked++)
        if (!is_passed_over(graph, lane->first + at - 1))
            return lane->first + at - 1;
    return NO_EVENT;
}

static event_id later_end(const struct timeline *timeline, event_id a, event_id b)
{
    if (a == NO_EVENT || b == NO_EVENT)
        return a == NO_EVENT ? b : a;
    return event_end(timeline, b) > event_end(timeline, a) ? b : a;
}

event_id ended_on_stream(const struct graph *graph, uint32_t track, int64_t time)
{
    const struct timeline *timeline = &graph->timeline;
    event_id last = NO_EVENT;

    while (timeline->tracks[track].lane)
        track--;
    do
        last = later_end(timeline, last, ended_on_lane(graph, &timeline->tracks[track], time));
    while (++track < timeline->track_count && timeline->tracks[track].lane);
    return last;
}

event_id ended_of_launched(const struct graph *graph, uint32_t track, int64_t time,
                           int64_t launched_by)
{
    const struct timeline *timeline = &graph->timeline;
    event_id ended = ended_on_stream(graph, track, time);

    for (int asked = 0; ended != NO_EVENT && asked < EVENTS_ASKED; asked++) {
        event_id launch = timeline->launch ? timeline->launch[ended] : NO_EVENT;

        if (launch == NO_EVENT || timeline->start[launch] <= launched_by)
            return ended;
        ended = ended_on_stream(graph, track, timeline->start[ended]);
    }
    return NO_EVENT;
}

/* ---- work on other streams ---- */

uint32_t stream_track(const struct stream_waits *waits, int32_t device, int64_t stream)
{
    return idmap_find(&waits->stream_tracks, idmap_pair((uint32_t)device, (uint32_t)stream));
}

/* The track of the stream that a row on `track` says is waited for; IDMAP_NONE. */
static uint32_t source_of(const struct stream_waits *waits, uint32_t track, event_id row)
{
    const struct timeline *timeline = &waits->graph->timeline;
    int64_t stream;

    if (!property_of(&timeline->properties[PROP_WAIT_STREAM], row, &stream))
        return IDMAP_NONE;
    return stream_track(waits, timeline->tracks[track].device, stream);
}

/* Of the rows in (after, until] that make the stream of `track` wait for another. */
static event_id dependency_by_rows(const struct stream_waits *waits, uint32_t track, int64_t after,
                                   int64_t until, int64_t time)
{
    const struct timeline *timeline = &waits->graph->timeline;
    const struct track *waiting = &timeline->tracks[track], *holder;
    uint32_t first =
        idmap_find(&waits->rows_of, idmap_pair((uint32_t)waiting->device, (uint32_t)waiting->tid));
    event_id last = NO_EVENT;
    const event_id *rows;

    if (first == IDMAP_NONE)
        return NO_EVENT;
    rows = waits->rows + first;
    holder = &timeline->tracks[track_of_event(timeline, *rows)];
    SEARCH(uint32_t, past, waits->row_count - first,
           rows[past] - holder->first < holder->count && timeline->start[rows[past]] <= until);
    for (uint32_t i = past, asked = 0;
         i > 0 && timeline->start[rows[i - 1]] > after && asked < EVENTS_ASKED; i--, asked++) {
        uint32_t source = source_of(waits, track, rows[i - 1]);

        if (source != IDMAP_NONE)
            last = later_end(
                timeline, last,
                ended_of_launched(waits->graph, source, time, timeline->start[rows[i - 1]]));
    }
    return last;
}

/* Where streams keep their waits among their work (MTIA), each lasts until what it is about has
 * ended: that of those right before `work`. */
static event_id dependency_on_track(const struct stream_waits *waits, uint32_t track, event_id work)
{
    const struct graph *graph = waits->graph;
    const struct timeline *timeline = &graph->timeline;
    event_id last = NO_EVENT, row = work;

    for (int asked = 0; row > timeline->tracks[track].first && asked < EVENTS_ASKED; asked++) {
        uint32_t source;

        if (graph_frame(graph, timeline->frame[--row])->kind != KIND_SYNC)
            break;
        source = source_of(waits, track, row);
        if (source != IDMAP_NONE)
            last =
                later_end(timeline, last, ended_on_stream(graph, source, event_end(timeline, row)));
    }
    return last;
}

event_id stream_dependency(const struct stream_waits *waits, uint32_t track, event_id work)
{
    const struct timeline *timeline = &waits->graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[work] : NO_EVENT, before;

    if (launch == NO_EVENT || waits->row_count == 0)
        return NO_EVENT;
    before = work > timeline->tracks[track].first ? timeline->launch[work - 1] : NO_EVENT;
    return later_end(timeline,
                     dependency_by_rows(waits, track,
                                        before == NO_EVENT ? INT64_MIN : timeline->start[before],
                                        timeline->start[launch], timeline->start[work]),
                     dependency_on_track(waits, track, work));
}

void stream_waits_free(struct stream_waits *waits)
{
    idmap_free(&waits->stream_tracks);
    idmap_free(&waits->rows_of);
    free(waits->rows);
    *waits = (struct stream_waits){0};
}

/* ---- device work by its end and by its launch ---- */

static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
    return event_end(context, a) < event_end(context, b);
}

static bool launched_before(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *timeline = context;

    return timeline->launch[a] < timeline->launch[b];
}

void build_device_index(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    uint32_t works = 0, rows = 0;

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_STREAM)
            works += timeline->tracks[i].count;
    builder->by_end = grow_to(NULL, (size_t)works + 1, sizeof(*builder->by_end));
    builder->by_launch = grow_to(NULL, (size_t)works + 1, sizeof(*builder->by_launch));
    builder->sync_rows = builder->by_launch + works + 1; /* from the end: rows are no work */
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (track->kind != TRACK_STREAM)
            continue;
        for (event_id e = track->first; e < track->first + track->count; e++) {
            bool is_launched = timeline->launch && timeline->launch[e] != NO_EVENT;

            if (is_device_work(builder->graph, e)) {
                builder->by_end[builder->work_count++] = e;
                if (is_launched)
                    builder->by_launch[builder->launched_count++] = e;
            } else if (is_launched) {
                *--builder->sync_rows = e;
                rows++;
            }
        }
    }
    builder->sync_row_count = rows;
    sort_stable(builder->by_end, builder->work_count, ends_before, timeline);
    sort_stable(builder->by_launch, builder->launched_count, launched_before, timeline);
    for (uint32_t i = 0; i < rows / 2; i++) { /* as the file has them */
        event_id row = builder->sync_rows[i];

        builder->sync_rows[i] = builder->sync_rows[rows - 1 - i];
        builder->sync_rows[rows - 1 - i] = row;
    }
    sort_stable(builder->sync_rows, rows, launched_before, timeline);
}

uint32_t first_launched_by(const struct task_builder *builder, event_id call, uint32_t near)
{
    const event_id *works = builder->by_launch;

    SEARCH_NEAR(uint32_t, at, near, builder->launched_count,
                builder->timeline->launch[works[at]] < call);
    return at;
}
