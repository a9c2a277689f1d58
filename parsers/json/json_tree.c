/* SPDX-License-Identifier: Apache-2.0 */
/* json_tree.c — trees of objects that have their children inside them */
#include "parsers/json/json_tree.h"

#include <stdlib.h>

#include "base/memory/memory.h"

/* A node that is being read. */
struct open_node {
    uint32_t node;
    bool in_children;
};

struct descent {
    struct json_stream *json;
    const struct json_tree *tree;
    void *context;
    struct VECTOR_OF(struct open_node) open; /* the outermost first */
};

/* Goes into a node, which hangs below the one that is open. */
static void enter_node(struct descent *descent)
{
    size_t depth = descent->open.count;
    uint32_t parent = depth ? descent->open.list[depth - 1].node : JSON_NO_PARENT;

    if (!json_open(descent->json, '{'))
        return;
    vector_add(&descent->open,
               (struct open_node){.node = descent->tree->begin(descent->context, parent)});
}

static void go_on(struct descent *descent)
{
    struct open_node *open = &descent->open.list[descent->open.count - 1];
    struct json_key key;

    if (open->in_children) {
        if (json_item(descent->json))
            enter_node(descent);
        else
            open->in_children = false;
    } else if (!json_member(descent->json, &key)) {
        descent->open.count--;
        if (descent->tree->end)
            descent->tree->end(descent->context, open->node);
    } else if (json_key_is(&key, "children") && json_enter(descent->json, '[')) {
        open->in_children = true;
    } else {
        descent->tree->member(descent->context, open->node, &key);
    }
}

void json_tree_read(struct json_stream *json, const struct json_tree *tree, void *context)
{
    struct descent descent = {.json = json, .tree = tree, .context = context};

    enter_node(&descent);
    while (descent.open.count)
        go_on(&descent);
    free(descent.open.list);
}
