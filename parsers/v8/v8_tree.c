/* SPDX-License-Identifier: Apache-2.0 */
/* v8_tree.c — the nodes of V8's call trees in JSON, by their ids or one inside another */
#include "parsers/v8/v8_tree.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/stacks/v8_names.h"

uint32_t nodes_add(struct nodes *nodes, uint32_t parent)
{
    if (nodes->count == NO_PARENT)
        oom(); /* their numbers have 32 bits */
    vector_add(nodes, (struct v8_node){.parent = parent});
    return (uint32_t)nodes->count - 1;
}

uint32_t nodes_find(struct nodes *nodes, int64_t id)
{
    uint32_t *known = idmap_at(&nodes->by_id, (uint64_t)id);

    if (*known == IDMAP_NONE)
        *known = nodes_add(nodes, NO_PARENT);
    return *known;
}

static void read_children(struct nodes *nodes, uint32_t parent, struct token children)
{
    struct json_walk walk = walk_into(children);
    struct token child;
    int64_t id;

    while (walk_item(&walk, &child))
        if (token_integer(child, &id)) {
            uint32_t at = nodes_find(nodes, id);

            nodes->repeated += nodes->list[at].parent != NO_PARENT;
            nodes->list[at].parent = parent;
        }
}

void nodes_read_hits(struct v8_node *node, struct token hits)
{
    if (!hits.at || !token_integer(hits, &node->hits) || node->hits < 0)
        node->hits = 0;
}

void nodes_read_ticks(struct nodes *nodes, struct v8_node *node, struct token ticks)
{
    struct json_walk walk = walk_into(ticks);
    struct token item;
    struct tick tick = {0};

    if (!nodes->by_line)
        return;
    node->first_tick = (uint32_t)nodes->ticks.count;
    while (walk_item(&walk, &item)) {
        struct token where = walk_find(item, SPAN("line")),
                     how_many = walk_find(item, SPAN("ticks"));

        if (where.at && how_many.at && token_integer(where, &tick.number) &&
            token_integer(how_many, &tick.count) && tick.number > 0 && tick.count > 0)
            vector_add(&nodes->ticks, tick);
    }
    node->tick_count = (uint32_t)nodes->ticks.count - node->first_tick;
}

void nodes_give_frames(struct nodes *nodes, struct v8_node *node, const struct frame *call)
{
    node->is_idle = call->kind == KIND_SYNC;
    node->frame = call->name ? builder_frame(nodes->builder, call) : 0;
    if (!nodes->by_line)
        return;
    node->no_line = v8_frame_at(call, 0, nodes->builder);
    for (uint32_t i = 0; i < node->tick_count; i++) {
        struct tick *tick = &nodes->ticks.list[node->first_tick + i];

        tick->line = v8_frame_at(call, tick->number, nodes->builder);
    }
}

static void read_node(struct nodes *nodes, struct token node)
{
    struct token id = walk_find(node, SPAN("id"));
    struct frame call;
    int64_t number;
    uint32_t at;

    if (!id.at || !token_integer(id, &number)) {
        warning_count(builder_warnings(nodes->builder), WARNING_LOSS,
                      "nodes without an id, left out", input_offset(nodes->json->in));
        return;
    }
    at = nodes_find(nodes, number);
    nodes->list[at].is_described = true;
    nodes_read_hits(&nodes->list[at], walk_find(node, SPAN("hitCount")));
    if (nodes->by_line)
        nodes_read_ticks(nodes, &nodes->list[at], walk_find(node, SPAN("positionTicks")));
    call = v8_call(walk_find(node, SPAN("callFrame")), nodes->builder);
    nodes_give_frames(nodes, &nodes->list[at], &call);
    read_children(nodes, at, walk_find(node, SPAN("children")));
}

void nodes_read(struct nodes *nodes)
{
    struct token node;

    if (!json_open(nodes->json, '['))
        return;
    while (json_item(nodes->json) && json_take(nodes->json, &node))
        read_node(nodes, node);
}

void nodes_free(struct nodes *nodes)
{
    idmap_free(&nodes->by_id);
    free(nodes->list);
    free(nodes->ticks.list);
}
