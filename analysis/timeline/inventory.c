/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/inventory.h"

#include <math.h>

#include "analysis/timeline/device_work.h"

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

void inventory_take(const struct graph *graph, struct arena *arena, struct inventory *inventory)
{
    const struct timeline *t = &graph->timeline;

    *inventory = (struct inventory){0};
    inventory->tracks = arena_array(arena, (size_t)t->track_count + 1, sizeof(*inventory->tracks));
    find_span(t, inventory);
    for (uint32_t i = 0; i < t->track_count;)
        i = take_track(t, i, inventory);
    count_steps(graph, arena, inventory);
}
