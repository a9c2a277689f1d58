/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/v8/v8_tree.h"

#include <stdlib.h>

#include "base/memory/memory.h"

/* A node that is being read. */
struct open_node {
    uint32_t node;
    bool in_children;
};

struct descent {
    struct json_stream *json;
    const struct v8_tree *tree;
    void *context;
    struct open_node *open; /* the outermost first */
    size_t depth, cap;
};

/* Goes into a node, which hangs below the one that is open. */
static void enter_node(struct descent *descent)
{
    uint32_t parent = descent->depth ? descent->open[descent->depth - 1].node : V8_NO_PARENT;

    if (!json_enter(descent->json, '{')) {
        json_skip(descent->json);
        return;
    }
    descent->open = grow_one(descent->open, descent->depth, &descent->cap, sizeof(*descent->open));
    descent->open[descent->depth++] =
        (struct open_node){.node = descent->tree->begin(descent->context, parent)};
}

static void leave_node(struct descent *descent)
{
    uint32_t node = descent->open[--descent->depth].node;

    if (descent->tree->end)
        descent->tree->end(descent->context, node);
}

static void go_on(struct descent *descent)
{
    struct open_node *open = &descent->open[descent->depth - 1];
    struct json_key key;

    if (open->in_children) {
        if (json_item(descent->json))
            enter_node(descent);
        else
            open->in_children = false;
    } else if (!json_member(descent->json, &key)) {
        leave_node(descent);
    } else if (json_key_is(&key, "children") && json_enter(descent->json, '[')) {
        open->in_children = true;
    } else {
        descent->tree->member(descent->context, open->node, &key);
    }
}

void v8_tree_read(struct json_stream *json, const struct v8_tree *tree, void *context)
{
    struct descent descent = {.json = json, .tree = tree, .context = context};

    enter_node(&descent);
    while (descent.depth)
        go_on(&descent);
    free(descent.open);
}
