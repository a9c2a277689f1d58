/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/summary/shape_tables.h"
#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/memory/sort.h"

struct gathering {
    const struct host_tree *tree;
    struct property_cursors properties;
    int64_t *host_self;            /* by event */
    int64_t *device, *device_self; /* by event; operators' alone mean anything */
    event_id *around;              /* by event, the innermost operator around it, or NO_EVENT */
    struct operator_shape *list;
    size_t count, cap;
    struct idmap rows;
};

/* Takes from an event's surroundings what it has: host time from the event around, device time
 * from the operator around. `called_until` is when the outermost call of the runtime ends. */
static void take_from_around(struct gathering *g, event_id event, int64_t *called_until)
{
    const struct host_tree *tree = g->tree;
    const struct timeline *t = &tree->graph->timeline;
    event_id above = tree->parent[event];

    if (role_of(tree, event) == ROLE_RUNTIME) {
        if (t->start[event] < *called_until)
            return;
        *called_until = end_of(tree, event);
    }
    if (above == NO_EVENT)
        return;
    g->host_self[above] = checked_sub(g->host_self[above], t->duration[event]);
    g->around[event] = role_of(tree, above) == ROLE_OPERATOR ? above : g->around[above];
    above = g->around[event];
    if (above != NO_EVENT && role_of(tree, event) == ROLE_OPERATOR)
        g->device_self[above] = checked_sub(g->device_self[above], g->device[event]);
}

static void find_self(struct gathering *g)
{
    const struct host_tree *tree = g->tree;
    const struct timeline *t = &tree->graph->timeline;

    for (event_id e = 0; e < t->count; e++) {
        g->host_self[e] = t->duration[e];
        g->device[e] = g->device_self[e] =
            role_of(tree, e) == ROLE_OPERATOR ? host_tree_device_time(tree, e) : 0;
        g->around[e] = NO_EVENT;
    }
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];
        int64_t called_until = INT64_MIN;

        for (event_id e = track->first; e < track->first + track->count; e++)
            take_from_around(g, e, &called_until);
    }
}

static struct operator_shape *row_at(struct gathering *g, str_id name, str_id shapes)
{
    const struct graph *graph = g->tree->graph;
    uint32_t *at = idmap_at(&g->rows, idmap_pair(name, shapes));

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)g->count;
        g->list = grow_one(g->list, g->count, &g->cap, sizeof(*g->list));
        g->list[g->count++] = (struct operator_shape){.name = graph_text(graph, name),
                                                      .shapes = graph_text(graph, shapes)};
    }
    return &g->list[*at];
}

static str_id shapes_of(struct gathering *g, event_id event)
{
    return (str_id)property_or(&g->properties, PROP_SHAPES, event, 0);
}

/* Whether it is the same operator on the same shapes as the one around it: that one's call has it
 * already. */
static bool is_counted(struct gathering *g, event_id event, str_id shapes)
{
    const struct timeline *t = &g->tree->graph->timeline;
    event_id around = g->around[event];

    return around != NO_EVENT && t->frame[around] == t->frame[event] &&
           shapes_of(g, around) == shapes;
}

static void add_operator(struct gathering *g, event_id event)
{
    const struct graph *graph = g->tree->graph;
    str_id shapes = shapes_of(g, event);
    struct operator_shape *row = row_at(g, name_of(g->tree, event), shapes);

    row->host_self = checked_add(row->host_self, g->host_self[event]);
    row->device_self = checked_add(row->device_self, g->device_self[event]);
    if (is_counted(g, event, shapes))
        return;
    row->calls++;
    row->host = checked_add(row->host, graph->timeline.duration[event]);
    row->device = checked_add(row->device, g->device[event]);
}

static bool is_costlier(const void *list, uint32_t a, uint32_t b)
{
    const struct operator_shape *rows = list;

    if (rows[a].device_self != rows[b].device_self)
        return rows[a].device_self > rows[b].device_self;
    return rows[a].host_self > rows[b].host_self;
}

void summary_operator_shapes(const struct host_tree *tree, struct arena *arena,
                             struct operator_shapes *shapes)
{
    const struct timeline *t = &tree->graph->timeline;
    struct gathering g = {
        .properties = {.columns = tree->graph->timeline.properties},
        .tree = tree,
        .host_self = grow_zeroed((size_t)t->count + 1, sizeof(*g.host_self)),
        .device_self = grow_zeroed((size_t)t->count + 1, sizeof(*g.device_self)),
        .device = grow_zeroed((size_t)t->count + 1, sizeof(*g.device)),
        .around = grow_zeroed((size_t)t->count + 1, sizeof(*g.around)),
    };
    uint32_t *order;

    find_self(&g);
    for (event_id e = 0; e < t->count; e++)
        if (role_of(tree, e) == ROLE_OPERATOR)
            add_operator(&g, e);
    order = arena_array(arena, g.count, sizeof(*order));
    for (uint32_t i = 0; i < g.count; i++)
        order[i] = i;
    sort_stable(order, g.count, is_costlier, g.list);
    shapes->count = (uint32_t)g.count;
    shapes->rows = arena_array(arena, g.count, sizeof(*shapes->rows));
    for (uint32_t i = 0; i < g.count; i++)
        shapes->rows[i] = g.list[order[i]];
    free(g.list);
    free(g.host_self);
    free(g.device_self);
    free(g.device);
    free(g.around);
    idmap_free(&g.rows);
}
