#include "analysis/execution/last_completed.h"

#include "analysis/timeline/device_work.h"
#include "base/memory/search.h"
#include "base/memory/sort.h"

/* How many events of a lane are looked at for one that is work. */
enum { EVENTS_ASKED = 64 };

static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
    return event_end(context, a) < event_end(context, b);
}

static void add_device(const struct timeline *timeline, const struct device_work *work,
                       struct arena *arena, struct ended_work *ended)
{
    ended->events = arena_array(arena, work->count, sizeof(*ended->events));
    for (uint32_t i = 0; i < work->count; i++)
        if (timeline->duration[work->events[i]])
            ended->events[ended->count++] = work->events[i];
    sort_stable(ended->events, ended->count, ends_before, timeline);
}

void ended_index(const struct graph *graph, struct arena *arena, struct ended *ended)
{
    const struct timeline *timeline = &graph->timeline;
    struct devices_work devices;
    uint32_t count = 0;

    *ended = (struct ended){.graph = graph};
    device_work_collect(graph, arena, &devices);
    ended->of_device = arena_array(arena, devices.count, sizeof(*ended->of_device));
    for (uint32_t i = 0; i < devices.count; i++)
        count += devices.list[i].count;
    ended->all.events = arena_array(arena, count, sizeof(*ended->all.events));
    for (uint32_t i = 0; i < devices.count; i++) {
        const struct device_work *work = &devices.list[i];

        for (uint32_t k = 0; k < work->count; k++)
            ended->all.events[ended->all.count++] = work->events[k];
        add_device(timeline, work, arena, &ended->of_device[i]);
        *idmap_at(&ended->devices, (uint32_t)work->device) = i;
    }
    sort_stable(ended->all.events, ended->all.count, ends_before, timeline);
}

event_id ended_before(const struct ended *ended, int64_t time)
{
    const struct ended_work *work = &ended->all;

    SEARCH(uint32_t, at, work->count, event_end(&ended->graph->timeline, work->events[at]) < time);
    return at ? work->events[at - 1] : NO_EVENT;
}

event_id ended_on_device(const struct ended *ended, int32_t device, int64_t time)
{
    uint32_t which = idmap_find(&ended->devices, (uint32_t)device);
    const struct ended_work *work;

    if (which == IDMAP_NONE)
        return NO_EVENT;
    work = &ended->of_device[which];
    SEARCH(uint32_t, at, work->count, event_end(&ended->graph->timeline, work->events[at]) <= time);
    return at ? work->events[at - 1] : NO_EVENT;
}

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

event_id ended_on_stream(const struct graph *graph, uint32_t track, int64_t time)
{
    const struct timeline *timeline = &graph->timeline;
    event_id last = NO_EVENT;

    while (timeline->tracks[track].lane)
        track--;
    do {
        event_id ended = ended_on_lane(graph, &timeline->tracks[track], time);

        if (ended != NO_EVENT &&
            (last == NO_EVENT || event_end(timeline, ended) > event_end(timeline, last)))
            last = ended;
    } while (++track < timeline->track_count && timeline->tracks[track].lane);
    return last;
}

void ended_free(struct ended *ended)
{
    idmap_free(&ended->devices);
}
