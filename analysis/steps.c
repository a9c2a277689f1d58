#include "analysis/steps.h"

#include "analysis/device_work.h"
#include "base/sort.h"

/* Ranges that the host named may stand on a device as well, where its work for them ran. */
static bool is_on_host(const struct timeline *timeline, event_id event)
{
    return timeline->tracks[track_of_event(timeline, event)].device < 0;
}

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *timeline = context;

    return timeline->start[a] < timeline->start[b];
}

static uint32_t find_on(const struct timeline *timeline, bool host, event_id *found)
{
    const struct property_column *column = &timeline->properties[PROP_STEP];
    uint32_t count = 0;

    for (uint32_t i = 0; i < column->count; i++)
        if (is_on_host(timeline, column->event[i]) == host)
            found[count++] = column->event[i];
    return count;
}

void steps_find(const struct graph *graph, struct arena *arena, struct steps *steps)
{
    const struct timeline *timeline = &graph->timeline;
    const struct property_column *column = &timeline->properties[PROP_STEP];
    event_id *found = arena_array(arena, column->count, sizeof(*found));

    steps->count = find_on(timeline, true, found);
    if (steps->count == 0)
        steps->count = find_on(timeline, false, found);
    sort_stable(found, steps->count, starts_before, timeline);
    steps->list = arena_array(arena, steps->count, sizeof(*steps->list));
    for (uint32_t i = 0; i < steps->count; i++) {
        struct step *step = &steps->list[i];

        step->event = found[i];
        step->start = timeline->start[found[i]];
        step->end = event_end(timeline, found[i]);
        if (!property_of(column, found[i], &step->number))
            step->number = UNKNOWN;
    }
}
