#include <stdlib.h>

#include "analysis/summary/shapes.h"
#include "base/checked.h"
#include "base/grow.h"
#include "base/sort.h"

struct gathering {
    const struct host_tree *tree;
    int64_t *host_self, *device_self; /* by event */
    struct operator_shape *list;
    size_t count, cap;
    struct idmap rows;
};

/* Takes from each event what those inside it have: host time from the event around, device time
 * from the operator around. */
static void find_self(struct gathering *g)
{
    const struct host_tree *tree = g->tree;
    const struct timeline *t = &tree->graph->timeline;

    for (event_id e = 0; e < t->count; e++) {
        g->host_self[e] = t->duration[e];
        g->device_self[e] = tree->device_time[e];
    }
    for (event_id e = 0; e < t->count; e++) {
        event_id above = tree->parent[e];

        if (!role_is_host(role_of(tree, e)) || above == NO_EVENT)
            continue;
        g->host_self[above] = checked_sub(g->host_self[above], t->duration[e]);
        while (above != NO_EVENT && role_of(tree, above) != ROLE_OPERATOR)
            above = tree->parent[above];
        if (above != NO_EVENT && role_of(tree, e) == ROLE_OPERATOR)
            g->device_self[above] = checked_sub(g->device_self[above], tree->device_time[e]);
    }
}

static void add_operator(struct gathering *g, event_id event)
{
    const struct graph *graph = g->tree->graph;
    str_id name = graph_frame(graph, graph->timeline.frame[event])->name;
    str_id shapes = (str_id)summary_property(g->tree, PROP_SHAPES, event, 0);
    uint32_t *at = idmap_at(&g->rows, idmap_pair(name, shapes));
    struct operator_shape *row;

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)g->count;
        g->list = grow_one(g->list, g->count, &g->cap, sizeof(*g->list));
        g->list[g->count++] = (struct operator_shape){.name = graph_text(graph, name),
                                                      .shapes = graph_text(graph, shapes)};
    }
    row = &g->list[*at];
    row->calls++;
    row->host = checked_add(row->host, graph->timeline.duration[event]);
    row->host_self = checked_add(row->host_self, g->host_self[event]);
    row->device = checked_add(row->device, g->tree->device_time[event]);
    row->device_self = checked_add(row->device_self, g->device_self[event]);
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
        .tree = tree,
        .host_self = grow_zeroed((size_t)t->count + 1, sizeof(*g.host_self)),
        .device_self = grow_zeroed((size_t)t->count + 1, sizeof(*g.device_self)),
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
    idmap_free(&g.rows);
}
