/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a run that is meant: a training step, a range that the host was in, or from when to when. */
#include "cmd/options/time_window.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/timeline_layout.h"
#include "analysis/selection/select.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "graph/derive/derive.h"

/* A number and a unit; ns. */
static bool parse_time(const char *text, int64_t *time, struct error *err)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    char *rest;
    double number = strtod(text, &rest);

    for (size_t i = 0; rest > text && i < COUNT_OF(units); i++)
        if (strcmp(rest, units[i].name) == 0 && fabs(number * units[i].ns) < 0x1p61) {
            *time = (int64_t)llround(number * units[i].ns);
            return true;
        }
    error_set(err, ERROR_USAGE, "'%.60s' is not a time", text);
    return error_hint(err, "a number and its unit: 1.5s, 20ms, 300us, 7ns");
}

/* "6", or "6-8". */
static bool read_steps(const char *text, int64_t *first, int64_t *last, struct error *err)
{
    struct span rest = span_of(text), from = span_split(&rest, '-');
    bool is_one = from.len == strlen(text);

    return (span_to_i64(from, first) && span_to_i64(is_one ? from : rest, last) &&
            *first <= *last) ||
           error_set(err, ERROR_USAGE, "--step takes the number of a step, or N-M, not '%.60s'",
                     text);
}

static bool find_steps(const char *text, const struct graph *graph, int64_t *start, int64_t *end,
                       struct error *err)
{
    struct arena arena = {0};
    struct steps steps;
    int64_t first, last;
    bool is_found = false;

    if (!read_steps(text, &first, &last, err))
        return false;
    steps_find(graph, &arena, &steps);
    for (uint32_t i = 0; i < steps.count; i++) {
        const struct step *step = &steps.list[i];

        if (step->number < first || step->number > last || (is_found && first == last))
            continue;
        *start = !is_found || step->start < *start ? step->start : *start;
        *end = !is_found || step->end > *end ? step->end : *end;
        is_found = true;
    }
    if (!is_found) {
        error_set(err, ERROR_LACK, "there is no step %.40s", text);
        if (steps.count)
            error_hint(err, "there are steps %lld to %lld", (long long)steps.list[0].number,
                       (long long)steps.list[steps.count - 1].number);
    }
    arena_free(&arena);
    return is_found;
}

static int by_start(const void *a, const void *b)
{
    const struct interval *first = a, *second = b;

    return (first->start > second->start) - (first->start < second->start);
}

/* All events of a name on threads, by start. */
static uint32_t find_ranges(struct span name, const struct graph *graph, struct arena *arena,
                            struct interval **ranges)
{
    const struct timeline *timeline = &graph->timeline;
    struct interval *list = arena_array(arena, (size_t)timeline->count + 1, sizeof(*list));
    uint32_t count = 0;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id e = track->first;
             track->kind == TRACK_THREAD && e < track->first + track->count; e++)
            if (timeline->duration[e] > 0 &&
                span_eq(graph_text(graph, graph_frame(graph, timeline->frame[e])->name), name))
                list[count++] = (struct interval){timeline->start[e], event_end(timeline, e)};
    }
    qsort(list, count, sizeof(*list), by_start);
    *ranges = list;
    return count;
}

/* A name may end with "#2" itself. */
static bool find_range(const char *text, const struct graph *graph, int64_t *start, int64_t *end,
                       struct error *err)
{
    struct arena arena = {0};
    struct interval *ranges = NULL;
    struct span name = span_of(text);
    const char *mark = strrchr(text, '#');
    uint32_t count = find_ranges(name, graph, &arena, &ranges);
    uint64_t at = 1;

    if (count == 0 && mark && span_to_u64(span_of(mark + 1), &at) && at > 0) {
        name.len = (size_t)(mark - text);
        count = find_ranges(name, graph, &arena, &ranges);
    }
    if (count == 0) {
        error_set(err, ERROR_LACK, "nothing on the host is called '%.80s'", text);
        error_hint(err, "ptk hotspots --value host shows names, tree which is inside which");
    } else if (at > count) {
        error_set(err, ERROR_LACK, "'%.80s' ran %" PRIu32 " time%s, no more",
                  arena_printf(&arena, "%.*s", (int)name.len, name.at), count,
                  count == 1 ? "" : "s");
    } else {
        *start = ranges[at - 1].start;
        *end = ranges[at - 1].end;
    }
    arena_free(&arena);
    return count >= at;
}

bool time_window_find(const struct time_window *window, const struct graph *graph, int64_t *start,
                      int64_t *end, struct error *err)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t origin = timeline_layout_origin(graph), begin = 0, until = 0;

    if (window->step && window->within)
        return error_set(err, ERROR_USAGE, "--step and --within are two parts of the run");
    if (window->within)
        return find_range(window->within, graph, start, end, err);
    if (window->step)
        return find_steps(window->step, graph, start, end, err);
    if ((window->begin && !parse_time(window->begin, &begin, err)) ||
        (window->end && !parse_time(window->end, &until, err)))
        return false;
    for (event_id e = 0; e < timeline->count && !window->end; e++)
        if (event_end(timeline, e) - origin > until)
            until = event_end(timeline, e) - origin;
    if (begin >= until)
        return error_set(err, ERROR_USAGE, "nothing lies between the two times");
    *start = origin + begin;
    *end = origin + until;
    return true;
}

bool time_window_apply(const struct time_window *window, struct graph *graph, struct error *err)
{
    int64_t start, end;

    if (!graph_need(graph, LEVEL_TIMELINE, "it has no steps or times to choose", err) ||
        !time_window_find(window, graph, &start, &end, err))
        return false;
    return timeline_clip(graph, start, end) > 0 ||
           error_set(err, ERROR_LACK, "nothing was recorded in that time");
}
