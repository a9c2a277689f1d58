/* SPDX-License-Identifier: Apache-2.0 */
/* Summary tables of memory: what each operator allocated where, and how much was in use over
 * time. */
#include <stdlib.h>

#include "analysis/layout/timeline_layout.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/model/walks.h"

struct collected_row {
    struct summary_allocation row;
    struct row_order seen;
    uint32_t place;
};

/* What allocators said, on its way to rows: one row a place, event name and kind of memory. */
struct collecting {
    const struct host_tree *tree;
    struct property_cursors properties;
    struct VECTOR_OF(struct collected_row) rows;
    struct idmap index;
    struct VECTOR_OF(struct summary_place) places;
    struct idmap place_index;
};

static uint32_t place_at(struct collecting *c, str_id name)
{
    uint32_t *at = idmap_at(&c->place_index, name);

    if (*at != IDMAP_NONE)
        return *at;
    *at = (uint32_t)c->places.count;
    vector_add(&c->places, (struct summary_place){.name = graph_text(c->tree->graph, name),
                                                  .peak_allocated = UNKNOWN,
                                                  .peak_reserved = UNKNOWN});
    return *at;
}

static struct summary_allocation *row_at(struct collecting *c, uint32_t place, str_id name,
                                         bool is_reserved, struct row_order seen)
{
    uint32_t *at = idmap_at(&c->index, idmap_pair(place * 2 + is_reserved, name));
    struct collected_row *known;

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)c->rows.count;
        vector_add(&c->rows, (struct collected_row){{.name = graph_text(c->tree->graph, name),
                                                     .is_reserved = is_reserved},
                                                    seen,
                                                    place});
    }
    known = &c->rows.list[*at];
    if (row_order_is_before(seen, known->seen))
        known->seen = seen;
    return &known->row;
}

static void raise_peak(int64_t *peak, int64_t to)
{
    if (to != UNKNOWN && (*peak == UNKNOWN || to > *peak))
        *peak = to;
}

/* The innermost host event at a point in time, both ends included; of two that meet there the
 * earlier. `opened` holds those open; `next` is the first that has not begun. */
struct finder {
    const struct host_tree *tree;
    const struct track *track;
    struct open_events opened;
    event_id next;
};

static void advance(struct finder *finder, int64_t time)
{
    const struct timeline *t = &finder->tree->graph->timeline;
    event_id end = finder->track->first + finder->track->count;

    for (; finder->next < end && t->start[finder->next] <= time; finder->next++) {
        event_id e = finder->next;

        if (!role_is_host(role_of(finder->tree, e)))
            continue;
        while (finder->opened.depth && open_events_innermost(&finder->opened)->end <= t->start[e]) {
            if (t->start[e] == time && open_events_innermost(&finder->opened)->end == time)
                return;
            finder->opened.depth--;
        }
        open_events_add(&finder->opened,
                        (struct open_event){.end = end_of(finder->tree, e), .event = e});
    }
}

static event_id find_at(struct finder *finder, int64_t time)
{
    advance(finder, time);
    open_events_close_all(&finder->opened, time - 1);
    advance(finder, time);
    return finder->opened.depth ? open_events_innermost(&finder->opened)->event : NO_EVENT;
}

/* A part of an operator allocates for the operator. */
static event_id owner_of(const struct host_tree *tree, event_id host)
{
    event_id above = host == NO_EVENT ? NO_EVENT : tree->parent[host];

    if (host != NO_EVENT && role_of(tree, host) == ROLE_INNER && above != NO_EVENT &&
        role_of(tree, above) == ROLE_OPERATOR)
        return above;
    return host;
}

static void add_allocation(struct collecting *c, event_id event, event_id host, uint32_t turn)
{
    const struct host_tree *tree = c->tree;
    const struct timeline *t = &tree->graph->timeline;
    int64_t bytes = property_or(&c->properties, PROP_BYTES, event, 0);
    bool is_reserved =
        t->category &&
        category_is_reservation(graph_text(tree->graph, t->categories[t->category[event]]));
    uint32_t place = place_at(c, (str_id)property_or(&c->properties, PROP_PLACE, event, 0));
    struct summary_place *at = &c->places.list[place];
    struct summary_allocation *row;

    raise_peak(&at->peak_allocated,
               property_or(&c->properties, PROP_PEAK_ALLOCATED, event, UNKNOWN));
    raise_peak(&at->peak_reserved, property_or(&c->properties, PROP_PEAK_RESERVED, event, UNKNOWN));
    raise_peak(&at->peak_allocated, property_or(&c->properties, PROP_ALLOCATED, event, UNKNOWN));
    raise_peak(&at->peak_reserved, property_or(&c->properties, PROP_RESERVED, event, UNKNOWN));
    host = owner_of(tree, host);
    if (host == NO_EVENT)
        return;
    row = row_at(c, place, name_of(tree, host), is_reserved,
                 host_tree_row_order(tree, turn, host, event));
    if (bytes >= 0) {
        row->allocations++;
        row->allocated = checked_add(row->allocated, bytes);
    } else {
        row->frees++;
        row->freed = checked_sub(row->freed, bytes);
    }
}

/* Allocations are instants; they belong to what their thread was in. */
static void collect_track(struct collecting *c, const struct track *points)
{
    const struct timeline *t = &c->tree->graph->timeline;
    struct finder finder = {.tree = c->tree};

    for (uint32_t i = 0; i < t->track_count && !finder.track; i++)
        if (t->tracks[i].kind == TRACK_THREAD && t->tracks[i].pid == points->pid &&
            t->tracks[i].tid == points->tid && t->tracks[i].lane == 0) {
            finder.track = &t->tracks[i];
            finder.next = finder.track->first;
        }
    for (event_id e = points->first; e < points->first + points->count; e++)
        if (property_or(&c->properties, PROP_BYTES, e, UNKNOWN) != UNKNOWN)
            add_allocation(c, e, finder.track ? find_at(&finder, t->start[e]) : NO_EVENT,
                           finder.track ? c->tree->turn[finder.track - t->tracks] : 0);
    open_events_free(&finder.opened);
}

/* ---- from collected rows to the table ---- */

static bool comes_before(const void *rows, uint32_t a, uint32_t b)
{
    const struct collected_row *x = &((const struct collected_row *)rows)[a];
    const struct collected_row *y = &((const struct collected_row *)rows)[b];
    int64_t left = checked_sub(x->row.allocated, x->row.freed);
    int64_t right = checked_sub(y->row.allocated, y->row.freed);

    if (x->place != y->place)
        return x->place < y->place;
    if (x->row.is_reserved != y->row.is_reserved)
        return y->row.is_reserved;
    return left != right ? left > right : row_order_is_before(x->seen, y->seen);
}

static void hand_over(struct collecting *c, struct arena *arena, struct summary_memory *memory)
{
    uint32_t *order = sorted_order(c->rows.count, comes_before, c->rows.list);

    *memory = (struct summary_memory){
        .places = arena_array(arena, c->places.count, sizeof(*memory->places)),
        .place_count = (uint32_t)c->places.count,
        .rows = arena_array(arena, c->rows.count, sizeof(*memory->rows)),
        .count = (uint32_t)c->rows.count,
    };
    for (uint32_t i = 0; i < memory->place_count; i++)
        memory->places[i] = c->places.list[i];
    for (uint32_t i = 0; i < memory->count; i++) {
        const struct collected_row *row = &c->rows.list[order[i]];
        struct summary_place *place = &memory->places[row->place];

        memory->rows[i] = row->row;
        if (place->count++ == 0)
            place->first = i;
    }
    free(order);
}

void summary_memory(const struct host_tree *tree, struct arena *arena,
                    struct summary_memory *memory)
{
    const struct timeline *t = &tree->graph->timeline;
    struct collecting c = {.tree = tree,
                           .properties = {.columns = tree->graph->timeline.properties}};

    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_POINTS)
            collect_track(&c, &t->tracks[i]);
    hand_over(&c, arena, memory);
    free(c.rows.list);
    free(c.places.list);
    idmap_free(&c.index);
    idmap_free(&c.place_index);
}

/* ---- how much memory is in use over time ---- */

static bool is_earlier(const void *rows, uint32_t a, uint32_t b)
{
    const struct memory_point *points = rows;

    return points[a].time < points[b].time;
}

/* Of each place the first point with the most allocated, and the most that was ever reserved. */
static size_t keep_peaks(struct memory_point *points, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        int64_t reserved;

        while (place < kept && !span_eq(points[place].place, points[i].place))
            place++;
        if (place == kept) {
            points[kept++] = points[i];
            continue;
        }
        reserved = points[place].reserved;
        if (points[i].allocated > points[place].allocated)
            points[place] = points[i];
        points[place].reserved = points[i].reserved > reserved ? points[i].reserved : reserved;
    }
    return kept;
}

static struct memory_point *memory_points(const struct host_tree *tree, size_t *count)
{
    const struct property_column *column = &tree->graph->timeline.properties[PROP_ALLOCATED];
    struct memory_point *points = grow_zeroed((size_t)column->count + 1, sizeof(*points));
    struct property_cursors properties = {.columns = tree->graph->timeline.properties};
    int64_t origin = timeline_layout_origin(tree->graph);

    *count = column->count;
    for (uint32_t i = 0; i < column->count; i++) {
        event_id e = column->event[i];
        str_id place = (str_id)property_or(&properties, PROP_PLACE, e, 0);

        points[i] = (struct memory_point){
            .place = graph_text(tree->graph, place),
            .time = checked_sub(tree->graph->timeline.start[e], origin),
            .allocated = property_value(column, i),
            .reserved = property_or(&properties, PROP_RESERVED, e, UNKNOWN),
        };
    }
    return points;
}

void summary_memory_curve(const struct host_tree *tree, bool peaks_only, struct arena *arena,
                          struct memory_curve *curve)
{
    size_t count;
    struct memory_point *points = memory_points(tree, &count);

    curve->rows = sorted_copy(arena, points, sizeof(*points), count, count, is_earlier);
    curve->count = (uint32_t)(peaks_only ? keep_peaks(curve->rows, count) : count);
    free(points);
}
