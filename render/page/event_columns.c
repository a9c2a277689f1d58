/* SPDX-License-Identifier: Apache-2.0 */
/* event_columns.c — the columns of the events that a page keeps, and the cells of those that it does not */
#include "render/page/page_data.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/parallel/parallel.h"
#include "graph/model/walks.h"

struct columns_writer {
    const struct event_choice *choice;
    const struct timeline *timeline;
    const struct page_names *names;
    struct page_columns *columns;
    uint32_t *
        stands_for; /* by event: its number in the page, else that of the innermost kept one around it */
};

static uint64_t zigzag(int64_t number)
{
    return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}

/* ---- events ---- */

/* A launch that is not kept is the operator's around it. */
static void find_substitutes(struct columns_writer *writer)
{
    const struct timeline *timeline = writer->timeline;
    struct open_events open = {0};

    writer->stands_for = grow_to(NULL, (size_t)timeline->count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        open.depth = 0;
        for (event_id event = track->first; event < track->first + track->count; event++) {
            const struct open_event *around;
            bool is_kept = bits_has(&writer->choice->kept, event);

            open_events_close_all(&open, timeline->start[event]);
            around = open_events_innermost(&open);
            writer->stands_for[event] = is_kept  ? bits_before(&writer->choice->kept, event)
                                        : around ? around->tag
                                                 : NO_EVENT;
            if (is_kept)
                open_events_add(&open, (struct open_event){event_end(timeline, event), event,
                                                           writer->stands_for[event]});
        }
    }
    open_events_free(&open);
}

/* 0: none; else 1 + zigzag of the difference to the one before. */
static void write_reference(struct columns_writer *writer, enum page_column column, event_id event,
                            int64_t *last)
{
    uint32_t at = event == NO_EVENT ? NO_EVENT : writer->stands_for[event];

    if (at == NO_EVENT) {
        varint_add(&writer->columns->of[column], 0);
        return;
    }
    varint_add(&writer->columns->of[column], 1 + zigzag((int64_t)at - *last));
    *last = at;
}

static void write_events(struct columns_writer *writer, uint32_t track_at)
{
    const struct timeline *timeline = writer->timeline;
    const struct event_choice *choice = writer->choice;
    const struct track *track = &timeline->tracks[track_at];
    struct byte_list *of = writer->columns->of;
    uint64_t before = 0;
    int64_t last_launch = 0;

    for (event_id event = track->first; event < track->first + track->count; event++) {
        uint64_t start = page_units(choice, timeline->start[event]);

        if (!bits_has(&choice->kept, event))
            continue;
        varint_add(&of[PAGE_STARTS], start - before);
        varint_add(&of[PAGE_LENGTHS], page_units(choice, event_end(timeline, event)) - start);
        varint_add(&of[PAGE_NAMES], writer->names->place[timeline->frame[event]]);
        write_reference(writer, PAGE_LAUNCHES,
                        timeline->launch ? timeline->launch[event] : NO_EVENT, &last_launch);
        before = start;
        writer->columns->track_events[track_at]++;
    }
}

/* ---- cells ---- */

struct page_cell {
    uint64_t count;
    int64_t busy; /* ns: a union */
};

static uint64_t cell_of(const struct columns_writer *writer, event_id event)
{
    return page_units(writer->choice, writer->timeline->start[event]) / (uint64_t)writer->columns->cell;
}

static void write_cell_list(struct columns_writer *writer, const struct page_cell *cells)
{
    struct byte_list *bytes = &writer->columns->of[PAGE_CELLS];
    double width = (double)writer->columns->cell * (double)writer->choice->unit;
    uint32_t filled = 0, before = 0;

    for (uint32_t i = 0; i < PAGE_CELLS_MOST; i++)
        filled += cells[i].count > 0;
    varint_add(bytes, filled);
    for (uint32_t i = 0; i < PAGE_CELLS_MOST; i++) {
        if (!cells[i].count)
            continue;
        varint_add(bytes, i - before);
        varint_add(bytes, cells[i].count);
        varint_add(bytes, (uint64_t)fmin(255, ceil(255 * (double)cells[i].busy / width)));
        before = i;
    }
}

/* What is not kept of a track, each event in the cell where it begins. */
static void write_cells(struct columns_writer *writer, uint32_t track_at)
{
    const struct timeline *timeline = writer->timeline;
    const struct track *track = &timeline->tracks[track_at];
    struct page_cell *cells;
    int64_t until = INT64_MIN;

    if (track->count == writer->columns->track_events[track_at]) {
        varint_add(&writer->columns->of[PAGE_CELLS], 0);
        return;
    }
    cells = grow_zeroed(PAGE_CELLS_MOST, sizeof(*cells));
    for (event_id event = track->first; event < track->first + track->count; event++) {
        struct page_cell *cell = &cells[cell_of(writer, event)];
        int64_t start = timeline->start[event], end = event_end(timeline, event);

        if (bits_has(&writer->choice->kept, event))
            continue;
        cell->count++;
        writer->columns->counted++;
        start = start > until ? start : until;
        if (end > start) {
            cell->busy = checked_add(cell->busy, checked_sub(end, start));
            until = end;
        }
    }
    write_cell_list(writer, cells);
    free(cells);
}

/* ---- counters ---- */

enum { SERIES_MOST = 64, POINTS_MOST = 4096, HEIGHTS = 65535 };

/* Of many points the highest of each of so many stretches of time. */
static void write_series(struct columns_writer *writer, uint32_t at)
{
    const struct series *series = &writer->timeline->series.list[at];
    struct page_series shown = {.series = at, .least = INFINITY, .most = -INFINITY};
    struct byte_list *bytes = &writer->columns->of[PAGE_POINTS];
    uint32_t each = series->count / POINTS_MOST + 1;
    uint64_t before = 0;

    for (uint32_t i = 0; i < series->count; i++)
        if (isfinite(series->value[i])) {
            shown.least = fmin(shown.least, series->value[i]);
            shown.most = fmax(shown.most, series->value[i]);
        }
    if (!(shown.most >= shown.least) || !isfinite(shown.most - shown.least))
        return;
    shown.least = fmin(shown.least, 0);
    for (uint32_t first = 0; first < series->count; first += each) {
        uint32_t past = series->count - first < each ? series->count : first + each;
        double highest = shown.least, height = shown.most - shown.least;
        uint64_t time = page_units(writer->choice, series->time[first]);

        for (uint32_t i = first; i < past; i++)
            if (isfinite(series->value[i]))
                highest = fmax(highest, series->value[i]);
        varint_add(bytes, time - before);
        varint_add(bytes,
                       height > 0 ? (uint64_t)(HEIGHTS * ((highest - shown.least) / height)) : 0);
        before = time;
        shown.points++;
    }
    writer->columns->series[writer->columns->series_count++] = shown;
}

/* ---- the critical path ---- */

static void write_path(struct columns_writer *writer, const struct path_pieces *path)
{
    struct page_columns *columns = writer->columns;
    struct byte_list *bytes = &columns->of[PAGE_PATH];
    int64_t last = 0;
    uint64_t before = 0;

    for (size_t i = 0; i < path->count; i++) {
        const struct path_piece *piece = &path->list[i];
        uint64_t start = page_units(writer->choice, piece->start);

        varint_add(bytes, start - before);
        varint_add(bytes, page_units(writer->choice, piece->end) - start);
        varint_add(bytes, (uint64_t)piece->part);
        write_reference(writer, PAGE_PATH, piece->event, &last);
        before = start;
    }
    columns->path_count = (uint32_t)path->count;
    columns->path_rest = path->rest;
}

/* ---- all columns ---- */

static void deflate_column(void *context, size_t column)
{
    struct page_columns *columns = context;

    page_bytes_deflate(&columns->of[column]);
}

void page_columns_fill(const struct event_choice *choice, const struct page_names *names,
                       const struct page_extras *extras, struct arena *arena,
                       struct page_columns *columns)
{
    const struct timeline *timeline = &choice->graph->timeline;
    struct columns_writer writer = {
        .choice = choice, .timeline = timeline, .names = names, .columns = columns};
    uint64_t span = page_units(choice, choice->end);

    *columns = (struct page_columns){
        .cell = (int64_t)(span / PAGE_CELLS_MOST) + 1,
        .track_events = arena_array(arena, timeline->track_count, sizeof(uint32_t)),
        .series = arena_array(arena, SERIES_MOST, sizeof(struct page_series)),
    };
    find_substitutes(&writer);
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        write_events(&writer, i);
        write_cells(&writer, i);
    }
    for (uint32_t i = 0; i < timeline->series.count && columns->series_count < SERIES_MOST; i++)
        write_series(&writer, i);
    if (extras->devices)
        page_gaps_fill(choice, extras->devices, arena, columns);
    if (extras->path)
        write_path(&writer, extras->path);
    free(writer.stands_for);
    for (uint32_t i = 0; i < PAGE_COLUMNS; i++)
        columns->sizes[i] = columns->of[i].count;
    parallel_for(thread_budget(), PAGE_COLUMNS, deflate_column, columns);
}

void page_columns_free(struct page_columns *columns)
{
    for (uint32_t i = 0; i < PAGE_COLUMNS; i++)
        free(columns->of[i].list);
    *columns = (struct page_columns){0};
}
