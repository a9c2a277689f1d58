/* SPDX-License-Identifier: Apache-2.0 */
/* json_tree.h — call trees of objects with "children" inside each other */
#ifndef PTK_PARSERS_JSON_JSON_TREE_H
#define PTK_PARSERS_JSON_JSON_TREE_H

#include "parsers/json/json.h"

/* A tree may have any depth: no function is called once a level. */

#define JSON_NO_PARENT UINT32_MAX

struct json_tree {
    /* Makes a node below another, or below JSON_NO_PARENT, and returns its number. */
    uint32_t (*begin)(void *context, uint32_t parent);
    /* Consumes the value of a member other than the children. */
    void (*member)(void *context, uint32_t node, const struct json_key *key);
    /* Called after a node and all nodes below it; may be NULL. */
    void (*end)(void *context, uint32_t node);
};

/* Reads the tree whose outermost node is the next value. */
void json_tree_read(struct json_stream *json, const struct json_tree *tree, void *context);

#endif
