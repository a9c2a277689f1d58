/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/layout/timeline_layout.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/model/walks.h"

/* What allocators said, on its way to rows: one row a place, event name and kind of memory. */
struct collecting {
    const struct host_tree *tree;
    struct property_cursors properties;
    struct summary_allocation *rows;
    struct row_order *seen;
    uint32_t *place; /* of each row */
    size_t count, cap, seen_cap, place_cap;
    struct idmap index;
    struct summary_place *places;
    size_t place_count, places_cap;
    struct idmap place_index;
};

static uint32_t place_at(struct collecting *c, str_id name)
{
    uint32_t *at = idmap_at(&c->place_index, name);

    if (*at != IDMAP_NONE)
        return *at;
    *at = (uint32_t)c->place_count;
    c->places = grow_one(c->places, c->place_count, &c->places_cap, sizeof(*c->places));
    c->places[c->place_count++] = (struct summary_place){.name = graph_text(c->tree->graph, name),
                                                         .peak_allocated = UNKNOWN,
                                                         .peak_reserved = UNKNOWN};
    return *at;
}

static struct summary_allocation *row_at(struct collecting *c, uint32_t place, str_id name,
                                         bool is_reserved, struct row_order seen)
{
    uint32_t *at = idmap_at(&c->index, idmap_pair(place * 2 + is_reserved, name));

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)c->count;
        c->seen = grow_one(c->seen, c->count, &c->seen_cap, sizeof(*c->seen));
        c->place = grow_one(c->place, c->count, &c->place_cap, sizeof(*c->place));
        c->rows = grow_one(c->rows, c->count, &c->cap, sizeof(*c->rows));
        c->seen[c->count] = seen;
        c->place[c->count] = place;
        c->rows[c->count++] = (struct summary_allocation){.name = graph_text(c->tree->graph, name),
                                                          .is_reserved = is_reserved};
    }
    if (row_order_is_before(seen, c->seen[*at]))
        c->seen[*at] = seen;
    return &c->rows[*at];
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

static bool is_reservation(const struct host_tree *tree, event_id event)
{
    const struct timeline *t = &tree->graph->timeline;

    return t->category &&
           category_is_reservation(graph_text(tree->graph, t->categories[t->category[event]]));
}

static void add_allocation(struct collecting *c, event_id event, event_id host, uint32_t turn)
{
    const struct host_tree *tree = c->tree;
    int64_t bytes = property_or(&c->properties, PROP_BYTES, event, 0);
    uint32_t place = place_at(c, (str_id)property_or(&c->properties, PROP_PLACE, event, 0));
    struct summary_place *at = &c->places[place];
    struct summary_allocation *row;

    raise_peak(&at->peak_allocated,
               property_or(&c->properties, PROP_PEAK_ALLOCATED, event, UNKNOWN));
    raise_peak(&at->peak_reserved, property_or(&c->properties, PROP_PEAK_RESERVED, event, UNKNOWN));
    raise_peak(&at->peak_allocated, property_or(&c->properties, PROP_ALLOCATED, event, UNKNOWN));
    raise_peak(&at->peak_reserved, property_or(&c->properties, PROP_RESERVED, event, UNKNOWN));
    host = owner_of(tree, host);
    if (host == NO_EVENT)
        return;
    row = row_at(c, place, name_of(tree, host), is_reservation(tree, event),
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

static bool comes_before(const void *collecting, uint32_t a, uint32_t b)
{
    const struct collecting *c = collecting;
    const struct summary_allocation *x = &c->rows[a], *y = &c->rows[b];
    int64_t left = checked_sub(x->allocated, x->freed), right = checked_sub(y->allocated, y->freed);

    if (c->place[a] != c->place[b])
        return c->place[a] < c->place[b];
    if (x->is_reserved != y->is_reserved)
        return y->is_reserved;
    return left != right ? left > right : row_order_is_before(c->seen[a], c->seen[b]);
}

static void hand_over(struct collecting *c, struct arena *arena, struct summary_memory *memory)
{
    uint32_t *order = arena_array(arena, c->count, sizeof(*order));

    *memory = (struct summary_memory){
        .places = arena_array(arena, c->place_count, sizeof(*memory->places)),
        .place_count = (uint32_t)c->place_count,
        .rows = arena_array(arena, c->count, sizeof(*memory->rows)),
        .count = (uint32_t)c->count,
    };
    for (uint32_t i = 0; i < c->place_count; i++)
        memory->places[i] = c->places[i];
    for (uint32_t i = 0; i < c->count; i++)
        order[i] = i;
    sort_stable(order, c->count, comes_before, c);
    for (uint32_t i = 0; i < c->count; i++) {
        struct summary_place *place = &memory->places[c->place[order[i]]];

        memory->rows[i] = c->rows[order[i]];
        if (place->count++ == 0)
            place->first = i;
    }
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
    free(c.rows);
    free(c.seen);
    free(c.place);
    free(c.places);
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
            .allocated = column->value[i],
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
