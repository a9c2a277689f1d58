/* SPDX-License-Identifier: Apache-2.0 */
/* cpuprofile_head.c — the old form of the tree: node up to 10, Chrome up to 57
 *
 *     {"functionName": "f", "url": "f.js", "lineNumber": 7, "hitCount": 0, "children": [...],
 * "id": 2}
 *
 * The id stands behind the children. Lines are counted from 1. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/json/json_tree.h"
#include "parsers/stacks/v8_names.h"
#include "parsers/v8/v8_tree.h"

struct head {
    struct nodes *nodes;
    struct VECTOR_OF(
        struct frame) calls; /* of the nodes that are being read, the outermost first */
};

static uint32_t begin_node(void *context, uint32_t parent)
{
    struct head *head = context;
    uint32_t node = nodes_add(head->nodes, parent == JSON_NO_PARENT ? NO_PARENT : parent);

    head->nodes->list[node].is_described = true;
    vector_add(&head->calls, (struct frame){0});
    v8_name(&head->calls.list[head->calls.count - 1], SPAN(""), head->nodes->builder);
    return node;
}

/* A node that was made for a sample which came before it stays, below it and without a name. */
static void read_id(struct nodes *nodes, uint32_t node, struct token value)
{
    uint32_t *known;
    int64_t id;

    if (!token_integer(value, &id))
        return;
    known = idmap_at(&nodes->by_id, (uint64_t)id);
    if (*known == IDMAP_NONE) {
        *known = node;
    } else if (!nodes->list[*known].is_described) {
        nodes->list[*known].is_described = true;
        nodes->list[*known].parent = node;
    } else if (*known != node) {
        warning_count(builder_warnings(nodes->builder), WARNING_LOSS,
                      "nodes with the id of another, whose samples are taken for its",
                      input_offset(nodes->json->in));
    }
}

static void read_member(void *context, uint32_t number, const struct json_key *key)
{
    struct head *head = context;
    struct nodes *nodes = head->nodes;
    struct v8_node *node = &nodes->list[number];
    struct frame *call = &head->calls.list[head->calls.count - 1];
    struct arena arena = {0};
    struct token value;
    int64_t line;

    if (!json_take(nodes->json, &value))
        return;
    if (json_key_is(key, "functionName"))
        v8_name(call, token_text(value, &arena), nodes->builder);
    else if (json_key_is(key, "url"))
        v8_file(call, token_text(value, &arena), nodes->builder);
    else if (json_key_is(key, "lineNumber"))
        call->line = token_integer(value, &line) && line > 0 ? line : 0;
    else if (json_key_is(key, "columnNumber"))
        call->column =
            token_integer(value, &line) && line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
    else if (json_key_is(key, "hitCount"))
        nodes_read_hits(node, value);
    else if (json_key_is(key, "positionTicks"))
        nodes_read_ticks(nodes, node, value);
    else if (json_key_is(key, "id"))
        read_id(nodes, number, value);
    arena_free(&arena);
}

static void end_node(void *context, uint32_t number)
{
    struct head *head = context;
    struct frame *call = &head->calls.list[--head->calls.count];

    if (!call->file)
        call->line = 0;
    if (!call->line)
        call->column = 0;
    nodes_give_frames(head->nodes, &head->nodes->list[number], call);
}

void nodes_read_head(struct nodes *nodes)
{
    static const struct json_tree tree = {begin_node, read_member, end_node};
    struct head head = {.nodes = nodes};

    json_tree_read(nodes->json, &tree, &head);
    free(head.calls.list);
}
