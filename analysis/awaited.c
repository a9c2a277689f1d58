#include "analysis/awaited.h"

#include "analysis/device_work.h"
#include "analysis/ended.h"

/* How much work of the awaited stream is asked when it was launched. */
enum { WORKS_ASKED = 64 };

void awaited_index(const struct graph *graph, const struct waiting *waiting,
                   struct awaited *awaited)
{
    const struct timeline *timeline = &graph->timeline;

    *awaited = (struct awaited){.graph = graph, .waiting = waiting};
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (track->kind == TRACK_STREAM && track->lane == 0 && track->count &&
            is_device_work(graph, track->first))
            *idmap_at(&awaited->stream_tracks,
                      idmap_pair((uint32_t)track->device, (uint32_t)track->tid)) = i;
    }
}

/* The last work that the stream had done by `time`, of that which had been launched when the row said
 * that it was waited for. */
static event_id awaited_of(const struct awaited *awaited, uint32_t track, event_id row,
                           int64_t time)
{
    const struct timeline *timeline = &awaited->graph->timeline;
    event_id ended;
    uint32_t source;
    int64_t stream;

    if (!property_of(&timeline->properties[PROP_WAIT_STREAM], row, &stream))
        return NO_EVENT;
    source = idmap_find(&awaited->stream_tracks,
                        idmap_pair((uint32_t)timeline->tracks[track].device, (uint32_t)stream));
    if (source == IDMAP_NONE)
        return NO_EVENT;
    ended = ended_on_stream(awaited->graph, source, time);
    for (int asked = 0; ended != NO_EVENT && asked < WORKS_ASKED; asked++) {
        event_id launch = timeline->launch[ended];

        if (launch == NO_EVENT || timeline->start[launch] <= timeline->start[row])
            return ended;
        ended = ended_on_stream(awaited->graph, source, timeline->start[ended]);
    }
    return NO_EVENT;
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

        if (last == NO_EVENT ||
            (ended != NO_EVENT && event_end(timeline, ended) > event_end(timeline, last)))
            last = ended;
    }
    return last;
}

void awaited_free(struct awaited *awaited)
{
    idmap_free(&awaited->stream_tracks);
}
