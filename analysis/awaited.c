#include "analysis/awaited.h"

#include "analysis/device_work.h"
#include "base/search.h"

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

/* The last work of a track that had ended by `time`; NO_EVENT. */
static event_id last_on_track(const struct timeline *timeline, uint32_t track, int64_t time)
{
    event_id first = timeline->tracks[track].first;

    SEARCH(uint32_t, at, timeline->tracks[track].count, event_end(timeline, first + at) <= time);
    return at ? first + at - 1 : NO_EVENT;
}

event_id awaited_by(const struct awaited *awaited, uint32_t track, event_id work)
{
    const struct timeline *timeline = &awaited->graph->timeline;
    event_id launch = timeline->launch[work], before, wait;
    uint32_t source;
    int64_t stream;

    if (launch == NO_EVENT)
        return NO_EVENT;
    before = work > timeline->tracks[track].first ? timeline->launch[work - 1] : NO_EVENT;
    wait = waiting_of_stream(awaited->graph, awaited->waiting, track,
                             before == NO_EVENT ? INT64_MIN : timeline->start[before],
                             timeline->start[launch]);
    if (wait == NO_EVENT || !property_of(&timeline->properties[PROP_WAIT_STREAM], wait, &stream))
        return NO_EVENT;
    source = idmap_find(&awaited->stream_tracks,
                        idmap_pair((uint32_t)timeline->tracks[track].device, (uint32_t)stream));
    if (source == IDMAP_NONE)
        return NO_EVENT;
    wait = last_on_track(timeline, source, timeline->start[work]);
    return wait != NO_EVENT && timeline->duration[wait] ? wait
                                                        : NO_EVENT; /* or it might go round */
}

void awaited_free(struct awaited *awaited)
{
    idmap_free(&awaited->stream_tracks);
}
