/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/inventory.h"

#include "base/checked.h"
#include "base/memory/hash_index.h"
#include "base/memory/sort.h"

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

static void add_span(const struct timeline *timeline, event_id event, uint32_t step,
                     struct steps *steps)
{
    steps->spans[steps->span_count++] =
        (struct step_span){timeline->start[event], event_end(timeline, event), step};
}

static uint32_t add_step(const struct timeline *timeline, event_id event, int64_t number,
                         struct steps *steps)
{
    steps->list[steps->count] = (struct step){.number = number,
                                              .start = timeline->start[event],
                                              .end = event_end(timeline, event),
                                              .event = event};
    return steps->count++;
}

/* Events come by start, and so do the spans that they make. `last`: by step, its last span. */
static void add_event(const struct timeline *timeline, event_id event, struct idmap *numbers,
                      uint32_t *last, struct steps *steps)
{
    int64_t end = event_end(timeline, event), number = UNKNOWN;
    uint32_t *at;

    property_of(&timeline->properties[PROP_STEP], event, &number);
    at = idmap_at(numbers, (uint64_t)number);
    if (*at == IDMAP_NONE) {
        *at = add_step(timeline, event, number, steps);
        last[*at] = steps->span_count;
        add_span(timeline, event, *at, steps);
    } else if (timeline->start[event] > steps->spans[last[*at]].end) {
        last[*at] = steps->span_count;
        add_span(timeline, event, *at, steps);
    } else if (end > steps->spans[last[*at]].end) {
        steps->spans[last[*at]].end = end;
    }
    if (end > steps->list[*at].end)
        steps->list[*at].end = end;
}

void steps_find(const struct graph *graph, struct arena *arena, struct steps *steps)
{
    const struct timeline *timeline = &graph->timeline;
    uint32_t most = timeline->properties[PROP_STEP].count, count;
    event_id *found = arena_array(arena, most, sizeof(*found));
    uint32_t *last = arena_array(arena, most, sizeof(*last));
    struct idmap numbers = {0}; /* → step */

    count = find_on(timeline, true, found);
    if (count == 0)
        count = find_on(timeline, false, found);
    sort_stable(found, count, starts_before, timeline);
    *steps = (struct steps){.list = arena_array(arena, count, sizeof(*steps->list)),
                            .spans = arena_array(arena, count, sizeof(*steps->spans))};
    for (uint32_t i = 0; i < count; i++)
        add_event(timeline, found[i], &numbers, last, steps);
    for (uint32_t i = 0; i < steps->span_count; i++) {
        const struct step_span *span = &steps->spans[i];
        int64_t *length = &steps->list[span->step].length;

        *length = checked_add(*length, checked_sub(span->end, span->start));
    }
    idmap_free(&numbers);
}
