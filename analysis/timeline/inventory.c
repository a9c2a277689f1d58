/* SPDX-License-Identifier: Apache-2.0 */
/* What a timeline contains: tracks, lanes, busy time, and its training steps. */
#include <math.h>
#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "analysis/timeline/serving_steps.h"
#include "base/checked.h"
#include "base/memory/memory.h"

static bool has_time(const struct track *track)
{
    return track->kind != TRACK_POINTS && track->kind != TRACK_TOTALS;
}

static void find_span(const struct timeline *t, struct inventory *inventory)
{
    inventory->first = INT64_MAX;
    inventory->last = INT64_MIN;
    for (uint32_t i = 0; i < t->track_count; i++)
        for (event_id e = t->tracks[i].first; e < t->tracks[i].first + t->tracks[i].count; e++) {
            int64_t end = t->start[e] + t->duration[e];

            if (!has_time(&t->tracks[i]))
                break;
            if (t->start[e] < inventory->first)
                inventory->first = t->start[e];
            if (end > inventory->last)
                inventory->last = end;
        }
    if (inventory->first > inventory->last)
        inventory->first = inventory->last = 0;
    inventory->span = inventory->last - inventory->first;
}

/* Events of one lane nest or follow each other, so an open end is all there is to remember. */
static void add_lane(const struct timeline *t, const struct track *lane, struct intervals *busy)
{
    int64_t start = 0, end = INT64_MIN;

    for (event_id e = lane->first; e < lane->first + lane->count; e++) {
        int64_t e_end = t->start[e] + t->duration[e];

        if (t->start[e] > end) {
            if (end != INT64_MIN)
                intervals_cover(busy, start, end);
            start = t->start[e];
        }
        end = e_end > end ? e_end : end;
    }
    if (end != INT64_MIN)
        intervals_cover(busy, start, end);
}

/* A track and its lanes; returns the first track after them. */
static uint32_t take_track(const struct timeline *t, uint32_t at, struct inventory *inventory)
{
    struct track_use *use = &inventory->tracks[inventory->track_count];
    struct intervals busy = {0};
    uint32_t next = at;

    *use = (struct track_use){.track = at};
    do {
        use->lanes++;
        use->events += t->tracks[next].count;
        if (has_time(&t->tracks[next]))
            add_lane(t, &t->tracks[next], &busy);
        next++;
    } while (next < t->track_count && t->tracks[next].lane > 0);
    intervals_unite(&busy);
    use->busy = intervals_length(&busy);
    use->busy_share =
        inventory->span > 0 ? (double)use->busy / (double)inventory->span : (double)NAN;
    intervals_free(&busy);
    inventory->events += use->events;
    inventory->track_count += use->events > 0;
    return next;
}

static void count_steps(const struct graph *graph, struct arena *arena, struct inventory *inventory)
{
    struct steps steps;

    steps_find(graph, arena, &steps);
    inventory->steps = steps.count;
    for (uint32_t i = 0; i < steps.count; i++) {
        int64_t step = steps.list[i].number;

        if (i == 0 || step < inventory->first_step)
            inventory->first_step = step;
        if (i == 0 || step > inventory->last_step)
            inventory->last_step = step;
    }
}

static void count_serving_steps(const struct graph *graph, struct arena *arena,
                                struct inventory *inventory)
{
    struct serving_steps steps;

    serving_steps_find(graph, false, arena, &steps);
    inventory->serving_steps = steps.count;
    for (uint32_t i = 0; i < steps.count; i++) {
        inventory->by_stage[steps.list[i].label->stage]++;
        inventory->serving_tokens =
            sum_known(inventory->serving_tokens, steps.list[i].label->tokens);
    }
}

void inventory_take(const struct graph *graph, struct arena *arena, struct inventory *inventory)
{
    const struct timeline *t = &graph->timeline;

    *inventory = (struct inventory){0};
    inventory->tracks = arena_array(arena, (size_t)t->track_count + 1, sizeof(*inventory->tracks));
    find_span(t, inventory);
    for (uint32_t i = 0; i < t->track_count;)
        i = take_track(t, i, inventory);
    count_steps(graph, arena, inventory);
    count_serving_steps(graph, arena, inventory);
}

/* ---- training steps ---- */

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

/* ---- least, most and mean ---- */

struct extremes extremes_of(int64_t *values, size_t count)
{
    struct extremes extremes = {0};

    for (size_t i = 1; i < count; i++) {
        extremes.least_at = values[i] < values[extremes.least_at] ? i : extremes.least_at;
        extremes.most_at = values[i] > values[extremes.most_at] ? i : extremes.most_at;
    }
    extremes.least = values[extremes.least_at];
    extremes.most = values[extremes.most_at];
    sort_numbers(values, count);
    extremes.median = values[(count - 1) / 2];
    return extremes;
}
