/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a timeline: which events are kept, in a span of time, on some tracks, or in some functions. */
#include <stdlib.h>
#include <string.h>

#include "analysis/selection/select.h"
#include "graph/classify/event_class.h"
#include "graph/model/walks.h"

/* ---- the marked events alone ---- */

static void move_property(struct property_column *column, const event_id *place_of)
{
    uint32_t kept = 0;

    property_own(column);
    for (uint32_t i = 0; i < column->count; i++)
        if (place_of[column->event[i]] != NO_EVENT) {
            column->event[kept] = place_of[column->event[i]];
            if (column->value)
                column->value[kept++] = column->value[i];
            else
                column->narrow[kept++] = column->narrow[i];
        }
    column->count = kept;
}

static void move_event(struct timeline *timeline, event_id event, event_id place)
{
    timeline->start[place] = timeline->start[event];
    timeline->duration[place] = timeline->duration[event];
    timeline->frame[place] = timeline->frame[event];
    if (timeline->launch)
        timeline->launch[place] = timeline->launch[event];
    if (timeline->category)
        timeline->category[place] = timeline->category[event];
}

static uint32_t keep_events(struct graph *graph, const bool *keeps)
{
    struct timeline *timeline = &graph->timeline;
    event_id *place_of = grow_to(NULL, (size_t)timeline->count + 1, sizeof(*place_of));
    event_id kept = 0;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        struct track *track = &timeline->tracks[i];
        event_id first = track->first, past = track->first + track->count;

        track->first = kept;
        for (event_id e = first; e < past; e++) {
            place_of[e] = keeps[e] ? kept : NO_EVENT;
            if (keeps[e])
                move_event(timeline, e, kept++);
        }
        track->count = kept - track->first;
    }
    for (event_id e = 0; e < kept && timeline->launch; e++)
        if (timeline->launch[e] != NO_EVENT)
            timeline->launch[e] = place_of[timeline->launch[e]];
    for (int property = 0; property < PROP_COUNT; property++)
        move_property(&timeline->properties[property], place_of);
    timeline->count = kept;
    free(place_of);
    return kept;
}

static bool *no_events(const struct timeline *timeline)
{
    return grow_zeroed((size_t)timeline->count + 1, sizeof(bool));
}

/* ---- a span of time ---- */

/* Of an event that is cut its CPU time is taken to be spread evenly. */
static void clip_cpu_time(struct property_column *column, const struct timeline *timeline,
                          event_id event, int64_t kept)
{
    int64_t whole = timeline->duration[event];
    SEARCH(uint32_t, at, column->count, column->event[at] < event);

    if (kept >= whole || at == column->count || column->event[at] != event)
        return;
    property_widen(column);
    column->value[at] = (int64_t)((double)column->value[at] * ((double)kept / (double)whole));
}

static bool clip_event(struct timeline *timeline, event_id event, int64_t start, int64_t end)
{
    int64_t from = timeline->start[event], to = event_end(timeline, event);

    if (from >= end || (from == to ? from < start : to <= start))
        return false;
    from = from > start ? from : start;
    to = to < end ? to : end;
    clip_cpu_time(&timeline->properties[PROP_CPU_TIME], timeline, event, to - from);
    timeline->start[event] = from;
    timeline->duration[event] = to - from;
    return true;
}

/* The last value before the start holds from there on. */
static void clip_series(struct series *series, int64_t start, int64_t end)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < series->count && series->time[i] < end; i++) {
        int64_t time = series->time[i];

        if (time <= start)
            kept = 0;
        series->time[kept] = time < start ? start : time;
        series->value[kept++] = series->value[i];
    }
    series->count = kept;
}

/* Calls that end before the start, and those that were cut off before. */
static void note_early_calls(struct timeline *timeline, int64_t start)
{
    struct property_column *column = &timeline->properties[PROP_EARLY_CALL], calls = {0};
    struct property_cursors cursors = {.columns = timeline->properties};
    int64_t known;

    for (event_id e = 0; e < timeline->count && timeline->launch; e++) {
        event_id launch = timeline->launch[e];

        if (launch == NO_EVENT && property_near(&cursors, PROP_EARLY_CALL, e, &known))
            property_append(&calls, e, known);
        else if (launch != NO_EVENT && event_end(timeline, e) > start &&
                 event_end(timeline, launch) <= start)
            property_append(&calls, e, timeline->frame[launch]);
    }
    property_column_free(column);
    *column = calls;
}

uint32_t timeline_clip(struct graph *graph, int64_t start, int64_t end)
{
    struct timeline *timeline = &graph->timeline;
    bool *keeps = no_events(timeline);
    uint32_t kept;

    note_early_calls(timeline, start);
    for (event_id e = 0; e < timeline->count; e++)
        keeps[e] = clip_event(timeline, e, start, end);
    for (uint32_t i = 0; i < timeline->series.count; i++)
        clip_series(&timeline->series.list[i], start, end);
    kept = keep_events(graph, keeps);
    free(keeps);
    return kept;
}

/* ---- some tracks ---- */

uint32_t timeline_keep_tracks(struct graph *graph, const bool *keeps_track)
{
    struct timeline *timeline = &graph->timeline;
    bool *keeps = no_events(timeline);
    uint32_t kept;

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (keeps_track[i] && timeline->tracks[i].count)
            memset(keeps + timeline->tracks[i].first, true, timeline->tracks[i].count);
    kept = keep_events(graph, keeps);
    free(keeps);
    return kept;
}

/* ---- some functions ---- */

/* Whether an event matches, or one around it, or the call that launched it. The host's are marked first. */
static void mark_inside(const struct timeline *timeline, bool is_of_device, bool *marks)
{
    struct open_events open = {0};

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if ((track->kind == TRACK_STREAM) != is_of_device)
            continue;
        open.depth = 0;
        for (event_id e = track->first; e < track->first + track->count; e++) {
            open_events_close_all(&open, timeline->start[e]);
            if (open.depth && marks[open_events_innermost(&open)->event])
                marks[e] = true;
            if (is_of_device && timeline->launch && timeline->launch[e] != NO_EVENT &&
                marks[timeline->launch[e]])
                marks[e] = true;
            open_events_add(&open, (struct open_event){event_end(timeline, e), e, 0});
        }
    }
    open_events_free(&open);
}

/* A launch by what is left out is the innermost event's around it that stays. */
static void launch_by_callers(struct timeline *timeline, const bool *keeps)
{
    event_id *instead = grow_to(NULL, (size_t)timeline->count + 1, sizeof(*instead));
    struct open_events open = {0};

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        open.depth = 0;
        for (event_id e = track->first; e < track->first + track->count; e++) {
            open_events_close_all(&open, timeline->start[e]);
            instead[e] = keeps[e]     ? e
                         : open.depth ? instead[open_events_innermost(&open)->event]
                                      : NO_EVENT;
            open_events_add(&open, (struct open_event){event_end(timeline, e), e, 0});
        }
    }
    for (event_id e = 0; e < timeline->count; e++)
        if (timeline->launch[e] != NO_EVENT)
            timeline->launch[e] = instead[timeline->launch[e]];
    open_events_free(&open);
    free(instead);
}

/* What is inside, or all but that; and the steps, for answers of each step. */
static uint32_t keep_inside(struct graph *graph, bool *marks, bool is_focus, bool keeps_steps)
{
    const struct property_column *steps = &graph->timeline.properties[PROP_STEP];

    mark_inside(&graph->timeline, false, marks);
    mark_inside(&graph->timeline, true, marks);
    for (event_id e = 0; e < graph->timeline.count && !is_focus; e++)
        marks[e] = !marks[e];
    for (uint32_t i = 0; i < steps->count && keeps_steps; i++)
        marks[steps->event[i]] = true;
    return keep_events(graph, marks);
}

uint32_t timeline_focus(struct graph *graph, const bool *matches, bool keeps_steps)
{
    bool *marks = no_events(&graph->timeline);
    uint32_t kept;

    memcpy(marks, matches, graph->timeline.count * sizeof(*marks));
    kept = keep_inside(graph, marks, true, keeps_steps);
    free(marks);
    return kept;
}

void timeline_select(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct timeline *timeline = &graph->timeline;
    bool *marks = no_events(timeline);

    for (event_id e = 0; e < timeline->count; e++)
        marks[e] = matches[timeline->frame[e]] != (kind == FILTER_HIDE);
    if (kind == FILTER_FOCUS || kind == FILTER_IGNORE) {
        keep_inside(graph, marks, kind == FILTER_FOCUS, true);
    } else {
        if (timeline->launch)
            launch_by_callers(timeline, marks);
        keep_events(graph, marks);
    }
    free(marks);
}

void timeline_without_imports(struct graph *graph)
{
    bool *is_import = grow_zeroed(graph->frames.count, sizeof(*is_import));

    for (frame_id id = 1; id < graph->frames.count; id++)
        is_import[id] = graph_class(graph, id).is_import;
    timeline_select(graph, FILTER_IGNORE, is_import);
    free(is_import);
}
