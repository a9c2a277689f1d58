/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture of a timeline shows: the busiest tracks, and in each cell what took the most time. */
#include "analysis/layout/timeline_layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* What is being counted of a cell, until the row has passed it. */
struct layout_cell {
    struct layout_box box;
    int64_t longest;
    int64_t begin; /* of the cell */
    int64_t free;  /* where the last wide box of this level ends */
};

/* Levels that rows may show are fewer than that. */
enum { NO_ROW = UINT8_MAX };

/* What a level holds. */
struct load {
    uint32_t events;
    int64_t longest; /* ns */
};

struct layout {
    const struct timeline *timeline;
    const struct layout_options *options;
    struct timeline_layout *result;
    struct VECTOR_OF(int64_t) open; /* ends of the events that are open, the outermost first */
    uint8_t *level;            /* by event: in how many it is nested, or NO_ROW where it has none */
    struct load *loads;        /* by level, of the track that is measured */
    struct layout_cell *cells; /* the current one of each level */
    struct VECTOR_OF(struct layout_box) boxes;
    uint64_t seen; /* events on the rows of this try, shown or not */
};

static bool has_times(const struct track *track)
{
    return track->kind != TRACK_POINTS && track->kind != TRACK_TOTALS && track->count > 0;
}

int64_t timeline_layout_origin(const struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (has_times(&timeline->tracks[i]) && timeline->start[timeline->tracks[i].first] < first)
            first = timeline->start[timeline->tracks[i].first];
    for (uint32_t i = 0; first == INT64_MAX && i < timeline->series.count; i++)
        if (timeline->series.list[i].count)
            return timeline->series.list[i].time[0];
    return first == INT64_MAX ? 0 : first;
}

/* Whether the track holds what lasts, and is asked for. */
static bool is_wanted(const struct graph *graph, const struct layout_options *options,
                      const struct track *track)
{
    if (!has_times(track))
        return false;
    return !options->wanted || pattern_matches(options->wanted, graph_text(graph, track->name)) ||
           pattern_matches(options->wanted, graph_text(graph, track->process));
}

/* ---- what is shown ---- */

static void find_span(const struct graph *graph, const struct layout_options *options,
                      struct timeline_layout *result)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t start = INT64_MAX, end = INT64_MIN;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (!is_wanted(graph, options, track))
            continue;
        for (event_id event = track->first; event < track->first + track->count; event++) {
            start = timeline->start[event] < start ? timeline->start[event] : start;
            end = event_end(timeline, event) > end ? event_end(timeline, event) : end;
        }
    }
    for (uint32_t i = 0; i < timeline->series.count && !timeline->count; i++) {
        const struct series *series = &timeline->series.list[i];

        if (series->count) {
            start = series->time[0] < start ? series->time[0] : start;
            end = series->time[series->count - 1] > end ? series->time[series->count - 1] : end;
        }
    }
    result->start = options->end > options->start ? options->start : start;
    result->end = options->end > options->start ? options->end : end;
    if (result->end <= result->start) {
        result->start = start == INT64_MAX ? 0 : start;
        result->end = result->start + 1;
    }
}

/* Where there are more levels than rows, those on top that are one event nearly all the time make
 * room: the interpreter's way to a program's own functions. */
static void choose_levels(struct layout *layout, uint32_t levels, struct layout_lane *lane)
{
    const double nearly = 0.95;
    const struct load *loads = layout->loads;
    uint32_t most = layout->options->depth, deeper = lane->events;

    while (levels > most && lane->outer < levels - most &&
           (double)loads[lane->outer].longest >= nearly * (double)lane->busy)
        layout->result->outer += loads[lane->outer++].events;
    lane->levels = levels - lane->outer < most ? levels - lane->outer : most;
    for (uint32_t i = 0; i < lane->outer + lane->levels; i++)
        deeper -= loads[i].events;
    layout->result->deeper += deeper;
}

static void measure(struct layout *layout, const struct track *track, struct layout_lane *lane)
{
    const struct timeline *timeline = layout->timeline;
    const struct timeline_layout *result = layout->result;
    uint32_t levels = 0;

    memset(layout->loads, 0, NO_ROW * sizeof(*layout->loads));
    layout->open.count = 0;
    for (event_id event = track->first; event < track->first + track->count; event++) {
        int64_t start = timeline->start[event], end = event_end(timeline, event);
        int64_t from = start > result->start ? start : result->start;
        int64_t to = end < result->end ? end : result->end;
        int64_t length = to > from ? checked_sub(to, from) : 0;
        size_t level;

        layout->level[event] = NO_ROW;
        if (start >= result->end || (start < result->start && end <= result->start))
            continue;
        /* events come by start, the longer first */
        while (layout->open.count && layout->open.list[layout->open.count - 1] <= start)
            layout->open.count--;
        level = layout->open.count;
        vector_add(&layout->open, end);
        lane->events++;
        if (level == 0)
            lane->busy = checked_add(lane->busy, length);
        if (level >= NO_ROW)
            continue;
        layout->level[event] = (uint8_t)level;
        layout->loads[level].events++;
        if (length > layout->loads[level].longest)
            layout->loads[level].longest = length;
        levels = level >= levels ? (uint32_t)level + 1 : levels;
    }
    choose_levels(layout, levels, lane);
}

/* One row of operations may be shown before a thread that does less; a thousand may not. */
static bool is_busier(const void *context, uint32_t a, uint32_t b)
{
    const struct layout_lane *list = context;

    if (list[a].is_more != list[b].is_more)
        return list[b].is_more;
    return list[a].busy > list[b].busy;
}

/* Keeps the busiest, in the order of the file. */
static void keep_busiest(struct timeline_layout *result, uint32_t limit, struct arena *arena)
{
    uint32_t *order = sorted_order(result->count, is_busier, result->list), kept = 0;
    bool *stays = arena_array(arena, result->count, sizeof(*stays));

    for (uint32_t i = 0; i < result->count; i++)
        stays[order[i]] = limit == 0 || i < limit;
    for (uint32_t i = 0; i < result->count; i++)
        if (stays[i])
            result->list[kept++] = result->list[i];
    result->left_out = result->count - kept;
    result->count = kept;
    free(order);
}

static void choose(const struct graph *graph, struct layout *layout, struct arena *arena)
{
    struct timeline_layout *result = layout->result;

    result->list = arena_array(arena, graph->timeline.track_count, sizeof(*result->list));
    for (uint32_t i = 0; i < graph->timeline.track_count; i++) {
        const struct track *track = &graph->timeline.tracks[i];
        struct layout_lane lane = {.track = i};

        if (!is_wanted(graph, layout->options, track))
            continue;
        lane.is_more = track->kind == TRACK_ASYNC && track->lane > 0;
        measure(layout, track, &lane);
        if (lane.events)
            result->list[result->count++] = lane;
    }
    keep_busiest(result, layout->options->tracks, arena);
}

/* ---- boxes ---- */

/* The box ends with its cell, or where a wide one begins. */
static void end_cell(struct layout *layout, struct layout_cell *cell, int64_t end)
{
    if (cell->box.events) {
        if (cell->box.end > end)
            cell->box.end = end;
        vector_add(&layout->boxes, cell->box);
    }
    cell->box.events = 0;
}

/* Adds a part of an event that is within one cell; the event itself counts where it begins. */
static void count_in(struct layout *layout, const struct layout_box *part, int64_t cell_start)
{
    struct layout_cell *cell = &layout->cells[part->level];
    int64_t length = part->end - part->start;

    if (cell->box.events && cell->begin != cell_start)
        end_cell(layout, cell, layout->result->end);
    if (!cell->box.events) {
        cell->box = *part;
        cell->box.busy = 0;
        cell->box.events = 0;
        cell->begin = cell_start;
        cell->longest = -1;
    }
    if (length > cell->longest) {
        cell->longest = length;
        cell->box.frame = part->frame;
        cell->box.event = part->event;
    }
    cell->box.events++;
    cell->box.busy = checked_add(cell->box.busy, length);
    cell->box.start = cell_start > cell->free ? cell_start : cell->free;
    cell->box.end = cell_start + layout->result->cell;
    if (cell->box.end > layout->result->end)
        cell->box.end = layout->result->end;
}

/* A short event touches two cells at most. */
static void place_short(struct layout *layout, struct layout_box box)
{
    const struct timeline_layout *result = layout->result;
    const struct layout_cell *open = &layout->cells[box.level];
    int64_t first = open->begin, end = box.end; /* of its cell, mostly the one that is open */

    if (!open->box.events || box.start < first || box.start - first >= result->cell)
        first = (box.start - result->start) / result->cell * result->cell + result->start;
    if (end > first + result->cell)
        box.end = first + result->cell;
    count_in(layout, &box, first);
    if (end > box.end) {
        box.start = box.end;
        box.end = end;
        count_in(layout, &box, first + result->cell);
    }
}

/* Most events are short and lie within the cell that is open. */
static bool is_counted(struct layout *layout, event_id event, uint32_t level)
{
    const struct timeline *timeline = layout->timeline;
    struct layout_cell *cell = &layout->cells[level];
    int64_t start = timeline->start[event], length = timeline->duration[event];

    if (!cell->box.events || start < cell->begin || length >= layout->result->cell ||
        start - cell->begin > layout->result->cell - length || cell->box.end - start < length)
        return false;
    if (length > cell->longest) {
        cell->longest = length;
        cell->box.frame = timeline->frame[event];
        cell->box.event = event;
    }
    cell->box.events++;
    cell->box.busy = checked_add(cell->box.busy, length);
    return true;
}

static void place_event(struct layout *layout, uint32_t lane, event_id event, uint32_t level)
{
    const struct timeline *timeline = layout->timeline;
    const struct timeline_layout *result = layout->result;
    int64_t start = timeline->start[event], end = event_end(timeline, event);
    struct layout_box box = {.start = start > result->start ? start : result->start,
                             .end = end < result->end ? end : result->end,
                             .frame = timeline->frame[event],
                             .event = event,
                             .events = 1,
                             .lane = lane,
                             .level = level};

    box.busy = box.end - box.start;
    if (box.busy < result->cell) {
        place_short(layout, box);
        return;
    }
    end_cell(layout, &layout->cells[level], box.start);
    layout->cells[level].free = box.end;
    vector_add(&layout->boxes, box);
}

static bool has_too_many(const struct layout *layout)
{
    return layout->boxes.count > layout->options->boxes;
}

static void draw_strip(struct layout *layout, uint32_t index)
{
    const struct layout_lane *lane = &layout->result->list[index];
    const struct track *track = &layout->timeline->tracks[lane->track];
    event_id last = track->first;

    for (uint32_t level = 0; level < layout->options->depth; level++)
        layout->cells[level] = (struct layout_cell){.free = layout->result->start};
    for (event_id event = track->first;
         event < track->first + track->count && !has_too_many(layout); event++) {
        uint32_t level = layout->level[event] - lane->outer;

        if (level < lane->levels && !is_counted(layout, event, level))
            place_event(layout, index, event, level);
        last = event + 1;
    }
    layout->seen += last - track->first;
    for (uint32_t level = 0; level < layout->options->depth; level++)
        end_cell(layout, &layout->cells[level], layout->result->end);
}

/* Whether all boxes are as few as is asked for. */
static bool draw_all(struct layout *layout, uint32_t columns)
{
    struct timeline_layout *result = layout->result;

    result->columns = columns;
    result->cell = (result->end - result->start) / columns + 1;
    layout->boxes.count = 0;
    layout->seen = 0;
    for (uint32_t i = 0; i < result->count && !has_too_many(layout); i++)
        draw_strip(layout, i);
    return !has_too_many(layout);
}

/* Half as many columns, or as few as what was drawn of the tracks lets expect to do. */
static uint32_t fewer_columns(const struct layout *layout, uint32_t columns)
{
    const double doubt = 1.1;
    const struct timeline_layout *result = layout->result;
    double all = 0, boxes;

    for (uint32_t i = 0; i < result->count; i++)
        all += result->list[i].events;
    boxes = (double)layout->boxes.count * all / (layout->seen ? (double)layout->seen : 1);
    do {
        columns /= 2;
        boxes /= 2;
    } while (columns > 1 && boxes > doubt * layout->options->boxes);
    return columns;
}

void timeline_layout_compute(const struct graph *graph, const struct layout_options *options,
                             struct arena *arena, struct timeline_layout *result)
{
    struct layout layout = {.timeline = &graph->timeline, .options = options, .result = result};
    uint32_t columns = options->columns;

    *result = (struct timeline_layout){0};
    layout.level = grow_to(NULL, (size_t)graph->timeline.count + 1, sizeof(*layout.level));
    find_span(graph, options, result);
    layout.loads = arena_array(arena, NO_ROW, sizeof(*layout.loads));
    choose(graph, &layout, arena);
    layout.cells = arena_array(arena, options->depth, sizeof(*layout.cells));
    /* On a row lie at most two boxes a cell: one that is as wide or wider, and one that counts. So
     * the last try cannot fail, unless there are more rows than boxes. */
    while (!draw_all(&layout, columns) && columns > 1)
        columns = fewer_columns(&layout, columns);
    result->box_count = (uint32_t)layout.boxes.count;
    result->boxes = arena_array(arena, result->box_count, sizeof(*result->boxes));
    for (uint32_t i = 0; i < result->box_count; i++)
        result->boxes[i] = layout.boxes.list[i];
    free(layout.boxes.list);
    free(layout.level);
    free(layout.open.list);
}
