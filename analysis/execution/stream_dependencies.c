#include "analysis/execution/stream_dependencies.h"

#include "analysis/execution/last_completed.h"
#include "analysis/timeline/device_work.h"

/* How much work of the awaited stream is asked when it was launched. */
enum { WORKS_ASKED = 64 };

/* Streams' waits have tracks of their own, or stand among their work. */
static bool has_work(const struct graph *graph, const struct track *track)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (is_device_work(graph, e))
            return true;
    return false;
}

void awaited_index(const struct graph *graph, const struct waiting *waiting,
                   struct awaited *awaited)
{
    const struct timeline *timeline = &graph->timeline;

    *awaited = (struct awaited){.graph = graph, .waiting = waiting};
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (track->kind == TRACK_STREAM && track->lane == 0 && has_work(graph, track))
            *idmap_at(&awaited->stream_tracks,
                      idmap_pair((uint32_t)track->device, (uint32_t)stream_of_track(track))) = i;
    }
}

/* The track of the stream that a row on `track` says is waited for; IDMAP_NONE. */
static uint32_t source_of(const struct awaited *awaited, uint32_t track, event_id row)
{
    const struct timeline *timeline = &awaited->graph->timeline;
    int64_t stream;

    if (!property_of(&timeline->properties[PROP_WAIT_STREAM], row, &stream))
        return IDMAP_NONE;
    return idmap_find(&awaited->stream_tracks,
                      idmap_pair((uint32_t)timeline->tracks[track].device, (uint32_t)stream));
}

/* The last work that the stream had done by `time`, of that which had been launched when the row
 * said that it was waited for. */
static event_id awaited_of(const struct awaited *awaited, uint32_t track, event_id row,
                           int64_t time)
{
    const struct timeline *timeline = &awaited->graph->timeline;
    uint32_t source = source_of(awaited, track, row);
    event_id ended =
        source == IDMAP_NONE ? NO_EVENT : ended_on_stream(awaited->graph, source, time);

    for (int asked = 0; ended != NO_EVENT && asked < WORKS_ASKED; asked++) {
        event_id launch = timeline->launch[ended];

        if (launch == NO_EVENT || timeline->start[launch] <= timeline->start[row])
            return ended;
        ended = ended_on_stream(awaited->graph, source, timeline->start[ended]);
    }
    return NO_EVENT;
}

static event_id later_end(const struct timeline *timeline, event_id a, event_id b)
{
    if (a == NO_EVENT || b == NO_EVENT)
        return a == NO_EVENT ? b : a;
    return event_end(timeline, b) > event_end(timeline, a) ? b : a;
}

/* Where streams keep their waits among their work (MTIA), each lasts until what it is about has
 * ended: that of those right before `work`. */
static event_id awaited_on_track(const struct awaited *awaited, uint32_t track, event_id work)
{
    const struct timeline *timeline = &awaited->graph->timeline;
    event_id last = NO_EVENT, row = work;

    for (int asked = 0; row > timeline->tracks[track].first && asked < WORKS_ASKED; asked++) {
        uint32_t source;

        if (!awaited->waiting->is_wait[timeline->frame[--row]])
            break;
        source = source_of(awaited, track, row);
        if (source != IDMAP_NONE)
            last = later_end(timeline, last,
                             ended_on_stream(awaited->graph, source, event_end(timeline, row)));
    }
    return last;
}

event_id awaited_by(const struct awaited *awaited, uint32_t track, event_id work)
{
    const struct timeline *timeline = &awaited->graph->timeline;
    event_id launch = timeline->launch[work], before, last = NO_EVENT;
    struct stream_waits waits;

    if (launch == NO_EVENT)
        return NO_EVENT;
    before = work > timeline->tracks[track].first ? timeline->launch[work - 1] : NO_EVENT;
    waits = waiting_of_stream(awaited->graph, awaited->waiting, track,
                              before == NO_EVENT ? INT64_MIN : timeline->start[before],
                              timeline->start[launch]);
    for (uint32_t i = 0; i < waits.count; i++) {
        event_id ended = awaited_of(awaited, track, waits.rows[i], timeline->start[work]);

        last = later_end(timeline, last, ended);
    }
    return later_end(timeline, last, awaited_on_track(awaited, track, work));
}

void awaited_free(struct awaited *awaited)
{
    idmap_free(&awaited->stream_tracks);
}
