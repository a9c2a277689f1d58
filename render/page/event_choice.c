/* SPDX-License-Identifier: Apache-2.0 */
/* event_choice.c — which events of a timeline a page keeps: by length, and all of them in its windows */
#include "render/page/page_data.h"

#include "base/checked.h"

/* Events are kept from so many units on; device work is dropped so many levels later. */
enum { LEAST_UNITS = 96, DEVICE_LEVELS = 10 };

static bool is_in_window(const struct event_choice *choice, int64_t start, int64_t end)
{
    for (uint32_t i = 0; i < choice->window_count; i++)
        if (start <= choice->windows[i].end && end >= choice->windows[i].start)
            return true;
    return false;
}

/* Up to which level, exclusive, an event of such a length is kept. */
static uint32_t levels_of_length(int64_t duration)
{
    uint64_t units = (uint64_t)duration / LEAST_UNITS;
    uint32_t levels = units ? 64 - (uint32_t)__builtin_clzll(units) : 1;

    return levels < PAGE_LEVELS ? levels : PAGE_LEVELS;
}

static uint32_t levels_of_event(const struct event_choice *choice, const struct track *track,
                                event_id event)
{
    const struct timeline *timeline = &choice->graph->timeline;
    uint32_t levels = levels_of_length(timeline->duration[event]);

    if (track->kind == TRACK_STREAM)
        levels += DEVICE_LEVELS;
    if (choice->window_count &&
        is_in_window(choice, timeline->start[event], event_end(timeline, event)))
        levels = PAGE_LEVELS;
    return levels < PAGE_LEVELS ? levels : PAGE_LEVELS;
}

/* ---- the windows ---- */

static uint32_t events_in(const struct timeline *timeline, const struct window_bounds *window)
{
    uint32_t count = 0;

    for (event_id event = 0; event < timeline->count; event++)
        count +=
            timeline->start[event] <= window->end && event_end(timeline, event) >= window->start;
    return count;
}

/* One that holds too much is left out, as all after it may still fit. */
static void choose_windows(struct event_choice *choice, const struct window_bounds *windows,
                           uint32_t count, uint32_t most, struct arena *arena)
{
    struct window_bounds *chosen = arena_array(arena, count, sizeof(*chosen));
    uint64_t held = 0;

    choice->windows = chosen;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t events = events_in(&choice->graph->timeline, &windows[i]);

        if (held + events > most)
            continue;
        held += events;
        chosen[choice->window_count++] = windows[i];
    }
}

/* ---- the level ---- */

static void find_bounds(struct event_choice *choice)
{
    const struct timeline *timeline = &choice->graph->timeline;

    choice->origin = INT64_MAX;
    choice->end = INT64_MIN;
    for (event_id event = 0; event < timeline->count; event++) {
        int64_t end = event_end(timeline, event);

        choice->origin =
            timeline->start[event] < choice->origin ? timeline->start[event] : choice->origin;
        choice->end = end > choice->end ? end : choice->end;
    }
    for (size_t i = 0; i < timeline->series.count; i++) {
        const struct series *series = &timeline->series.list[i];

        if (!series->count)
            continue;
        if (series->time[0] < choice->origin)
            choice->origin = series->time[0];
        if (series->time[series->count - 1] > choice->end)
            choice->end = series->time[series->count - 1];
    }
    if (choice->end < choice->origin)
        choice->origin = choice->end = 0;
}

static void count_levels(struct event_choice *choice)
{
    const struct timeline *timeline = &choice->graph->timeline;
    uint32_t ends_at[PAGE_LEVELS + 1] = {0};

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id event = track->first; event < track->first + track->count; event++)
            ends_at[levels_of_event(choice, track, event)]++;
    }
    for (uint32_t level = 0, left = timeline->count; level < PAGE_LEVELS; level++) {
        left -= ends_at[level];
        choice->kept_at[level] = left;
    }
}

void event_choice_begin(struct event_choice *choice, const struct graph *graph,
                        const struct window_bounds *windows, uint32_t count, uint32_t most,
                        struct arena *arena)
{
    /* Numbers of a script are exact below 2^53. */
    const int64_t exact = (int64_t)1 << 52;

    *choice = (struct event_choice){.graph = graph};
    choose_windows(choice, windows, count, most / 3, arena);
    find_bounds(choice);
    count_levels(choice);
    while (choice->level + 1 < PAGE_LEVELS &&
           (checked_sub(choice->end, choice->origin) >> choice->level) >= exact)
        choice->level++;
}

void event_choice_take(struct event_choice *choice, uint32_t level)
{
    const struct timeline *timeline = &choice->graph->timeline;

    bits_free(&choice->kept);
    bits_init(&choice->kept, timeline->count);
    choice->level = level;
    choice->unit = (int64_t)1 << level;
    choice->least = level ? (int64_t)LEAST_UNITS << level : 0;
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id event = track->first; event < track->first + track->count; event++)
            if (levels_of_event(choice, track, event) > level)
                bits_set(&choice->kept, event);
    }
    choice->kept_count = bits_count(&choice->kept);
}

uint64_t page_units(const struct event_choice *choice, int64_t time)
{
    return (uint64_t)checked_sub(time, choice->origin) >> choice->level;
}

void event_choice_free(struct event_choice *choice)
{
    bits_free(&choice->kept);
}
