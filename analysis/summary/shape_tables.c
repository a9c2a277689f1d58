/* SPDX-License-Identifier: Apache-2.0 */
/* Summary tables of kernels by launch shape, and of operators by the shapes of their inputs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* ---- kernels by launch shape ---- */

/* What kernels of one row have in common. */
struct launch_key {
    str_id name, op; /* 0: no operator is known */
    int64_t grid, block, registers, shared_memory;
};

/* A row with what its means are made from. */
struct gathered {
    struct launch_key key;
    frame_id frame; /* one of the kernels' */
    int64_t calls;
    struct spread time;
    double blocks, blocks_time, occupancy, occupancy_time;
};

struct kernel_gathering {
    const struct host_tree *tree;
    struct property_cursors properties;
    struct index rows; /* keys, from 1 on */
    VECTOR(struct gathered);
};

static struct gathered *row_for(struct kernel_gathering *g, event_id kernel)
{
    event_id around = host_tree_launcher(g->tree, kernel); /* then the operator around that */
    struct launch_key key = {
        .name = name_of(g->tree, kernel),
        .grid = property_or(&g->properties, PROP_GRID, kernel, UNKNOWN),
        .block = property_or(&g->properties, PROP_BLOCK, kernel, UNKNOWN),
        .registers = property_or(&g->properties, PROP_REGISTERS, kernel, UNKNOWN),
        .shared_memory = property_or(&g->properties, PROP_SHARED_MEMORY, kernel, UNKNOWN),
    };
    struct index_place place;
    uint32_t row;

    while (around != NO_EVENT && role_of(g->tree, around) != ROLE_OPERATOR)
        around = g->tree->parent[around];
    key.op = around == NO_EVENT ? 0 : name_of(g->tree, around);
    index_reserve(&g->rows);
    place = index_start(&g->rows, (uint32_t)XXH3_64bits_withSeed(&key, sizeof(key), g->rows.key));
    while ((row = index_next(&g->rows, &place)))
        if (memcmp(&g->list[row - 1].key, &key, sizeof(key)) == 0)
            return &g->list[row - 1];
    index_add(&g->rows, &place);
    vector_add(g, (struct gathered){.key = key, .frame = g->tree->graph->timeline.frame[kernel]});
    return &g->list[g->count - 1];
}

static void add_kernel(struct kernel_gathering *g, event_id kernel)
{
    struct gathered *row = row_for(g, kernel);
    int64_t time = g->tree->graph->timeline.duration[kernel];
    int64_t blocks = property_or(&g->properties, PROP_BLOCKS_PER_SM, kernel, UNKNOWN);
    int64_t occupancy = property_or(&g->properties, PROP_OCCUPANCY, kernel, UNKNOWN);

    row->time.total = checked_add(row->time.total, time);
    row->time.max = row->calls == 0 || time > row->time.max ? time : row->time.max;
    row->time.min = row->calls == 0 || time < row->time.min ? time : row->time.min;
    row->calls++;
    if (blocks != UNKNOWN) {
        row->blocks += (double)blocks / 1e6 * (double)time;
        row->blocks_time += (double)time;
    }
    if (occupancy != UNKNOWN) {
        row->occupancy += (double)occupancy / 1e6 * (double)time;
        row->occupancy_time += (double)time;
    }
}

static bool is_costlier(const void *list, uint32_t a, uint32_t b)
{
    const struct gathered *rows = list;

    return rows[a].time.total > rows[b].time.total;
}

static void hand_over(struct kernel_gathering *g, uint32_t limit, struct arena *arena,
                      struct kernel_shapes *shapes)
{
    const struct graph *graph = g->tree->graph;
    uint32_t kept = limit_rows((uint32_t)g->count, limit);
    uint32_t *order = sorted_first(g->count, kept, is_costlier, g->list);
    int64_t whole = 0;

    shapes->count = (uint32_t)g->count;
    shapes->kept = kept;
    shapes->rows = arena_array(arena, shapes->kept, sizeof(*shapes->rows));
    for (uint32_t i = 0; i < g->count; i++)
        whole = checked_add(whole, g->list[i].time.total);
    for (uint32_t i = 0; i < shapes->kept; i++) {
        const struct gathered *row = &g->list[order[i]];

        shapes->rows[i] = (struct kernel_shape){
            .name = graph_text(graph, row->key.name),
            .operator_name = graph_text(graph, row->key.op),
            .grid = row->key.grid,
            .block = row->key.block,
            .registers = row->key.registers,
            .shared_memory = row->key.shared_memory,
            .calls = row->calls,
            .time = row->time,
            .share = share_of(row->time.total, whole),
            .blocks_per_sm = row->blocks_time > 0 ? row->blocks / row->blocks_time : (double)NAN,
            .occupancy =
                row->occupancy_time > 0 ? row->occupancy / row->occupancy_time : (double)NAN,
            .uses_tensor_cores = graph_class(graph, row->frame).matrix == MATRIX_ON_TENSOR_CORES,
        };
    }
    free(order);
}

void summary_kernel_shapes(const struct host_tree *tree, uint32_t limit, struct arena *arena,
                           struct kernel_shapes *shapes)
{
    struct kernel_gathering g = {.tree = tree,
                                 .properties = {.columns = tree->graph->timeline.properties}};

    for (uint32_t i = 0; i < tree->work_count; i++)
        if (role_of(tree, tree->work[i].event) == ROLE_KERNEL)
            add_kernel(&g, tree->work[i].event);
    index_free(&g.rows);
    hand_over(&g, limit, arena, shapes);
    free(g.list);
}

/* ---- operators by input shape ---- */

/* A call of an operator that is open. */
struct counted_call {
    event_id event;
    uint32_t row;
    str_id shapes;
};

struct operator_gathering {
    const struct host_tree *tree;
    struct property_cursors properties;
    struct VECTOR_OF(struct counted_call) open; /* the outermost first */
    VECTOR(struct operator_shape);
    struct idmap rows;
};

static uint32_t row_at(struct operator_gathering *g, str_id name, str_id shapes)
{
    const struct graph *graph = g->tree->graph;
    uint32_t *at = idmap_at(&g->rows, idmap_pair(name, shapes));

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)g->count;
        vector_add(g, (struct operator_shape){.name = graph_text(graph, name),
                                              .shapes = graph_text(graph, shapes)});
    }
    return *at;
}

/* What is inside it is taken from its own times when it comes. */
static void add_call(struct operator_gathering *g, event_id event)
{
    const struct timeline *t = &g->tree->graph->timeline;
    int64_t host = t->duration[event];
    int64_t device = host_tree_device_time(g->tree, event);
    str_id shapes = (str_id)property_or(&g->properties, PROP_SHAPES, event, 0);
    uint32_t at = row_at(g, name_of(g->tree, event), shapes);
    struct operator_shape *row = &g->list[at];
    size_t depth = g->open.count;

    vector_add(&g->open, (struct counted_call){event, at, shapes});
    row->host_self = checked_add(row->host_self, host);
    row->device_self = checked_add(row->device_self, device);
    if (depth) {
        struct counted_call outer = g->open.list[depth - 1];
        int64_t *outer_self = &g->list[outer.row].device_self;

        *outer_self = checked_sub(*outer_self, device);
        if (t->frame[outer.event] == t->frame[event] && outer.shapes == shapes)
            return; /* the same operator on the same shapes: that one's call has it already */
    }
    row->calls++;
    row->host = checked_add(row->host, host);
    row->device = checked_add(row->device, device);
}

/* Takes from an event's surroundings what it has: host time from the event around, device time
 * from the operator around. `called_until` is when the outermost call of the runtime ends. */
static void add_host_event(struct operator_gathering *g, event_id event, int64_t *called_until)
{
    const struct host_tree *tree = g->tree;
    const struct timeline *t = &tree->graph->timeline;
    event_id above = tree->parent[event];
    bool is_nested = false;

    while (g->open.count && event >= tree->after[g->open.list[g->open.count - 1].event])
        g->open.count--;
    if (role_of(tree, event) == ROLE_RUNTIME) {
        is_nested = t->start[event] < *called_until;
        *called_until = is_nested ? *called_until : end_of(tree, event);
    }
    if (above != NO_EVENT && !is_nested && role_of(tree, above) == ROLE_OPERATOR) {
        struct operator_shape *outer = &g->list[g->open.list[g->open.count - 1].row];

        outer->host_self = checked_sub(outer->host_self, t->duration[event]);
    }
    if (role_of(tree, event) == ROLE_OPERATOR)
        add_call(g, event);
}

static bool costs_more_on_device(const void *list, uint32_t a, uint32_t b)
{
    const struct operator_shape *rows = list;

    if (rows[a].device_self != rows[b].device_self)
        return rows[a].device_self > rows[b].device_self;
    return rows[a].host_self > rows[b].host_self;
}

void summary_operator_shapes(const struct host_tree *tree, uint32_t limit, struct arena *arena,
                             struct operator_shapes *shapes)
{
    const struct timeline *t = &tree->graph->timeline;
    struct operator_gathering g = {.properties = {.columns = t->properties}, .tree = tree};

    *shapes = (struct operator_shapes){.rows = NULL};
    if (!tree->has_role[ROLE_OPERATOR])
        return;
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];
        int64_t called_until = INT64_MIN;

        g.open.count = 0;
        for (event_id e = track->first; e < track->first + track->count; e++)
            add_host_event(&g, e, &called_until);
    }
    shapes->count = (uint32_t)g.count;
    shapes->kept = limit_rows(shapes->count, limit);
    shapes->rows =
        sorted_copy(arena, g.list, sizeof(*g.list), g.count, shapes->kept, costs_more_on_device);
    free(g.list);
    free(g.open.list);
    idmap_free(&g.rows);
}
